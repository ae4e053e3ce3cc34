"""Linear algebra of single states and of what is made once starts no threads."""

import numpy as np
import pytest

from gough.base import blas_threads
from gough.base.batch import map_states
from gough.base.blas_threads import one_thread
from gough.base.once import once


@pytest.fixture
def library(monkeypatch):
    """A library that would use eight threads, and the numbers that it was told."""
    told = [8]
    threads = blas_threads._Threads(lambda: told[-1], told.append)
    monkeypatch.setattr(blas_threads, "_threads", lambda: threads)
    return told


def test_numpys_own_library_is_found_and_told():
    found = blas_threads._threads()
    if found is None:
        pytest.skip("NumPy is linked with another library than OpenBLAS")
    before = found.get()
    with one_thread():
        assert found.get() == 1
        with one_thread():
            assert found.get() == 1
        assert found.get() == 1
    assert found.get() == before


def test_threads_are_allowed_again_also_after_an_error(library):
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert library == [8, 1, 8]


def test_single_states_and_what_is_made_once(library):
    seen = []

    def one(x):
        seen.append(library[-1])
        return x

    map_states(one, {"x": (np.ones((3, 2)), 1)}, ((2,),))
    table: dict[str, int] = {}
    assert once(table, "made", lambda: library[-1]) == 1
    assert seen == [1, 1, 1]
    assert library[-1] == 8
