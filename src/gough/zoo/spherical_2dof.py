r"""Spherical mechanism with two freedoms: the gearshift of [GA].

J. Gallardo et al., *Dynamics of parallel manipulators by means of screw theory*, example 1.

All axes meet in O.  Motor 1 turns l11 about base x, motor 2 turns l12 about base y; the knob
hangs on l21, which hangs on l11, and on l12.

::

             | P, axis OP
           [knob]              base --R* x-- l11 --R-- l21 --R OP-- knob
           /    \              base --R* y-- l12 --R-- knob
         l21     \
          |       |            axes at home: x, y, z of the base the one way,
         l11     l12           y, x the other
           \     /
     q1, x  \   /  q2, y
              O

Mobility 2.  All body frames are at O and equal to the base at q = 0.  The platform is the knob,
its origin O: the twist has v = 0.

Where the numbers come from: the set ``spherical_2dof`` of the reference robots.
"""

from __future__ import annotations

from typing import Any

from gough.build.parts import BASE, Parts, machine
from gough.robot import Frame, Joint, Robot
from gough.zoo import reading as read

_X, _Y, _Z = (
    Frame.from_axes(z=axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
)


def spherical_2dof(
    *,
    l11: read.Data,
    l21: read.Data,
    knob: read.Data,
    l12: read.Data,
    act1: read.Data,
    act2: read.Data,
    **rest: Any,
) -> Robot:
    """The gearshift of [GA].

    Args:
        l11: link turned about base x, a body.
        l21: link between l11 and the knob, a body.
        knob: the platform, a body.
        l12: link turned about base y, a body.
        act1: motor about x (viscous [N m s/rad], coulomb [N m], rotor_inertia [kg m^2]).
        act2: motor about y.
        **rest: ``gravity`` [m/s^2]; name, label and source.
    """
    bodies = {"l11": l11, "l21": l21, "knob": knob, "l12": l12}
    motors = (read.axis(act1, "act1"),), (read.axis(act2, "act2"),)
    joints = (
        Joint("q1", "revolute", BASE, "l11", _X, _X, motors[0]),
        Joint("q2", "revolute", BASE, "l12", _Y, _Y, motors[1]),
        Joint("b1", "revolute", "l11", "l21", _Y, _Y),
        Joint("b3", "revolute", "l21", "knob", _Z, _Z),
        Joint("b2", "revolute", "l12", "knob", _X, _X),
    )
    made = tuple(read.body(name, data) for name, data in bodies.items())
    return machine(
        parts=Parts(made, joints, ("q1", "q2"), {name: Frame() for name in bodies}),
        platform="knob",
        **rest,
    )
