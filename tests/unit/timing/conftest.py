"""Fastest motions ask for few states at a time, and often: by programs, as users get them."""

import pytest

from gough.evaluation import engine


@pytest.fixture(autouse=True)
def programs(monkeypatch):
    """Programs are traced from the first state on."""
    monkeypatch.setattr(engine, "ASKED", 1)
