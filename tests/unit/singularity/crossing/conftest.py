"""What tests of this room share."""

import pytest

from crossings import known_places


@pytest.fixture
def known_place(monkeypatch):
    """Where the path of the 3-RRR is singular is known: looking for it takes its time."""
    monkeypatch.setattr("gough.singularity.crossing.plan.singular_instants", known_places)
