"""Random machines of every family, fixed ones: right or refused, and seldom refused.

``make fuzz SEED=... N=...`` draws others.
"""

import dataclasses

import numpy as np
import pytest

import gough
from fuzz.families import FAMILIES, Drawn, Family, draw
from fuzz.table import Tally, generator, line, trial
from fuzz.trial import Outcome, run
from fuzz.verdicts import far_states
from gough.simulation.plant import Plant

SEED = 17
# Numbers of machines; makers take turns, one machine in five is compiled.  Where nothing is said,
# three: hexapods take long, and every way to be over-constrained has its turn.  The nacelle that is
# compiled is one of three freedoms: number 0 has four, and takes three times as long.
NUMBERS = {
    "branching legs": (0, 1),
    "nacelles": (1, 2, 10),
    "over-constrained": (0, 1, 2, 3, 4),
    "one freedom": (0, 1, 2, 3, 4),
    "hexapods": (1, 2),
    "bars of revolution": (1, 2),
    "unseen freedoms": (1, 2, 3, 5),
    "tiny": (1, 2, 4),
    "huge": (1, 2, 4),
    "light and heavy": (1, 2, 4),
    "point masses": (1, 2, 3),
    "redundant motors": (1, 2, 4),
    "moved frames": (9, 13, 16),  # without a home in its mode, these were wrong or refused
    "dependent freedoms": (2, 7),
}
ARMS = FAMILIES[0]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name.replace(" ", "_"))
def test_random_machines_are_right_or_refused(family: Family) -> None:
    tally = Tally(family)
    for number in NUMBERS.get(family.name, (0, 1, 2)):
        tally.outcomes[number] = trial(family, SEED, number, states=1)
    assert not tally.complaints


@pytest.mark.parametrize(
    ("name", "seed", "number"),
    [
        ("moved frames", 11, 0),  # a crank in line with the nacelle, which another leg leads on
        ("lower mobility", 23, 1),  # two roots in a leg, and a constraint decides between them
        ("branching legs", 23, 13),  # a forked strut, whose spin the constraint settles
    ],
)
def test_closed_forms_refuse_no_pose_that_is_reached(name: str, seed: int, number: int) -> None:
    family = next(family for family in FAMILIES if family.name == name)
    robot = draw(family, generator(family, seed, number), number, states=1).robot
    T = far_states(robot, np.random.default_rng(1)).T_0p
    with gough.options(engine="numpy"):
        one = gough.inverse_kinematics(robot, T, on_error="nan")
    with gough.options(engine="compiled"):
        many = gough.inverse_kinematics(robot, T, on_error="nan")
    assert np.isfinite(one).all()
    np.testing.assert_allclose(many, one, rtol=1e-9)


def _tried(change) -> Outcome:
    """An arm of which the library is told something else than the witness."""
    rng = np.random.default_rng(3)
    drawn = draw(ARMS, rng, 0, states=1)
    return run(ARMS, drawn._replace(robot=change(drawn)), rng, kernels=False)


def test_the_judge_sees_a_wrong_answer() -> None:
    def heavier(drawn: Drawn) -> gough.Robot:
        first, *rest = drawn.robot.bodies
        first = dataclasses.replace(first, mass=1.0001 * first.mass)
        return dataclasses.replace(drawn.robot, bodies=(first, *rest))

    assert _tried(lambda drawn: drawn.robot).verdict == "accepted"
    wrong = _tried(heavier)
    assert wrong.verdict == "wrong"
    assert {"inverse legs", "direct tree", "reactions"} <= set(wrong.wrong)


def test_the_judge_sees_freedoms_that_are_kept_where_they_are_dependent(monkeypatch) -> None:
    """A simulation that does not go on in others stops although the machine is regular."""
    family = next(f for f in FAMILIES if f.through)
    monkeypatch.setattr(Plant, "redescribed", lambda plant, state, limit=0.0: (plant, state))
    assert trial(family, SEED, 3).verdict == "wrong"


def test_the_judge_sees_a_crash_and_a_refusal() -> None:
    outcome = _tried(lambda drawn: drawn.robot)
    outcome.answer("door", lambda: gough.inverse_dynamics(None, gough.State(0, 0, 0)), 0.0)
    assert (outcome.verdict, outcome.reason) == ("refused", "InputError (door)")
    outcome.answer("door", lambda: 1.0 / 0.0, 0.0)
    assert outcome.verdict == "wrong"
    assert outcome.faults == ["door: ZeroDivisionError: float division by zero"]


def test_more_than_one_refused_in_five_is_a_failure() -> None:
    good = _tried(lambda drawn: drawn.robot)
    refused = dataclasses.replace(good, refusals={"posture": "SingularPose Type 1"})
    tally = Tally(ARMS)
    tally.outcomes = {0: refused} | dict.fromkeys(range(1, 5), good)
    assert not tally.complaints
    assert "1 SingularPose Type 1 (posture)" in line(tally.row())
    tally.outcomes[1] = refused
    assert tally.complaints == ["arms: 2 of 5 regular machines refused"]


def test_a_machine_is_the_same_whatever_else_is_drawn() -> None:
    one, other = (trial(ARMS, SEED, 1, states=1).machine.robot for _ in range(2))
    assert one == other
