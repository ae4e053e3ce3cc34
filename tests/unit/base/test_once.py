"""What is made once: by one thread, for all that ask."""

import threading

import pytest

from gough.base.once import _MAKING, once, once_property
from together import together


def test_one_thread_makes_it_and_all_get_the_same():
    table, makers = {}, []

    def make():
        makers.append(threading.get_ident())
        return object()

    found = together(8, lambda _: once(table, "it", make))
    assert len(makers) == 1
    assert all(each is table["it"] for each in found)
    assert not _MAKING  # no lock is left behind


def test_makers_ask_for_other_things_also_by_threads_of_their_own():
    table = {}

    def inner(k):
        return once(table, f"inner {k}", lambda: k)

    def outer():
        return sum(together(4, inner))

    assert together(4, lambda _: once(table, "outer", outer)) == [6, 6, 6, 6]
    assert set(table) == {"outer", "inner 0", "inner 1", "inner 2", "inner 3"}


def test_what_fails_is_tried_again_by_the_next():
    table, tries = {}, []

    def make():
        tries.append(len(tries))
        if len(tries) < 3:
            raise ValueError(f"try {len(tries)}")
        return "made"

    def ask(_):
        try:
            return once(table, "it", make)
        except ValueError as err:
            return str(err)

    assert sorted(together(5, ask)) == ["made", "made", "made", "try 1", "try 2"]
    assert len(tries) == 3
    assert not _MAKING


def test_a_maker_that_asks_for_its_own_result_recurses():
    table = {}

    def make():
        return once(table, "it", make)

    with pytest.raises(RecursionError):
        once(table, "it", make)
    assert not _MAKING


def test_a_property_is_worked_out_once():
    class Holder:
        worked = 0

        @once_property
        def value(self):
            """What it is."""
            self.worked += 1
            return [self.worked]

    holder = Holder()
    found = together(8, lambda _: holder.value)
    assert holder.worked == 1
    assert all(each is holder.value for each in found)
    assert Holder.value.__doc__ == "What it is."
