"""Numbers and refusals of public functions are those of the frozen sample."""

import json

import numpy as np

import oracle


def test_answers_are_those_of_the_sample() -> None:
    frozen = np.load(oracle.SAMPLE)
    found = oracle.pack(oracle.answers(oracle.unpack_inputs(frozen), sample=True), oracle.MOST)
    assert oracle.differences(frozen, found) == []


def test_the_sample_is_small_and_asks_a_lot() -> None:
    refused = json.loads(str(np.load(oracle.SAMPLE)["refusals"]))
    assert oracle.SAMPLE.stat().st_size < 5e6
    assert {question.split()[0] for question in refused} == set(oracle.COVERING)
    assert {question.split()[1] for question in refused} == {call.name for call in oracle.CALLS}
    names = {name for _, row in refused.values() for name in row}
    assert {"", "InputError", "UnreachablePose", "InconsistentTwist"} <= names


def test_a_difference_is_seen() -> None:
    a, condition = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 1e9])
    assert oracle.difference(a, a, condition, exact=True) == ""
    near = a + np.array([[0.0, 1e-11], [0.0, 1.0]])  # the second state is singular
    assert oracle.difference(a, near, condition, exact=False) == ""
    assert oracle.difference(a, near, condition, exact=True) == "other bits"
    far = a + np.array([[0.0, 1e-9], [0.0, 0.0]])
    assert oracle.difference(a, far, condition, exact=False) != ""
    assert oracle.difference(a, np.where(a == 1.0, np.nan, a), condition, exact=False) != ""
