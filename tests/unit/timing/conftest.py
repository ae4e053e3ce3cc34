"""Fastest motions ask for few states at a time, and often: by kernels, as users get them."""

import pytest

from gough.kernels import evaluator


@pytest.fixture(autouse=True)
def kernels(monkeypatch):
    """Kernels are compiled as soon as NumPy has taken a tenth of a second."""
    monkeypatch.setattr(evaluator, "PAYS", 0.1)
