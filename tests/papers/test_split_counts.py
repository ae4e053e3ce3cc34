"""[KI] (21)-(22), (45), (62): active efforts straight from the legs, where that counts less.

Whole programs are counted: joints from the pose, efforts, and all doubts.
"""

import dataclasses

import pytest

import gough
from cases import motion
from gough.compiler.tracing.count import count
from gough.compiler.tracing.tracer import trace
from gough.dynamics.legs.dynamics import inverse, inverse_plain, inverse_split
from gough.dynamics.legs.split import motors_in_legs
from gough.dynamics.quantities.dynamic import require_motors
from gough.dynamics.quantities.row import Model
from gough.dynamics.quantities.states import Symbols
from gough.dynamics.quantities.variant import Variant
from robots import SQUARE_NAMES, relative, robot

FEWER = {
    "five_bar": 8,
    "spherical_2dof": 5,
    "dymo": 9,
    "tilt_3rps": 13,
    "space_3ups": 29,
    "c5": 66,
    "gough_stewart": 30,
    "gough_stewart_6spu": 30,
    "hexapod_6pus": 42,
}
"""Robots of the zoo for which the split counts less, and by how many operations."""


def operations(name, form):
    """Of a robot's efforts by one form, and of the doubts about them."""
    assembly = robot(name).assembly

    def function(T_0p, V_0p, Vdot_0p):
        kin = Symbols().at(assembly, T_0p, V_0p, Vdot_0p)
        require_motors(kin)
        return kin.rules.outputs(tau=form(kin, Model(assembly, Variant()).loads))

    shapes = {"T_0p": (4, 4), "V_0p": (6,), "Vdot_0p": (6,)}
    return sum(count(trace(name, function, shapes)))


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_the_form_that_counts_less_is_the_one_in_use(name):
    own = motors_in_legs(robot(name).assembly)
    plain = operations(name, inverse_plain)
    split = operations(name, lambda kin, loads: inverse_split(kin, loads, own))
    assert split <= plain
    assert operations(name, inverse) == min(split, plain)
    if name in gough.zoo.names():
        # pivots of equal size may be taken in another order by another processor's rounding
        assert (plain - split > 0) == (name in FEWER)
        assert abs(plain - split - FEWER.get(name, 0)) <= 3


def test_motors_that_are_no_link_of_a_leg_keep_the_plain_form():
    """Those of closing joints: nothing of their effort is one of a leg's own."""
    kept = [name for name in SQUARE_NAMES if not motors_in_legs(robot(name).assembly)]
    assert kept == ["pendulum", "screw_pendulum"]


def test_some_motors_in_legs_and_some_elsewhere():
    """A five-bar with a motor at its foot and one where the loop is cut: only the first is split.

    Its efforts are those of the other theories.
    """
    r = robot("five_bar")
    closing = next(c.joint.name for leg in r.assembly.topology.legs for c in leg.closings)
    mixed = dataclasses.replace(r, motors=("foot1", closing))
    assert [own.motor for own in motors_in_legs(mixed.assembly)] == [0]
    state = motion("five_bar")
    with gough.options(engine="numpy"):
        found = gough.inverse_dynamics(mixed, state)
    for method in ("tree", "screws", "elements"):
        with gough.options(engine="numpy"):
            other = gough.inverse_dynamics(mixed, state, method=method)
        assert relative(found, other) < 1e-10  # conditioning of the loop
    assert relative(found, gough.inverse_dynamics(r, state)) > 0.1
