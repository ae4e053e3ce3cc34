r"""Delta with a telescopic fourth leg that turns the tool.

R. Clavel, *Conception d'un robot parallele rapide a 4 degres de liberte*, EPFL 1991; the fourth
leg is the screw element of [OZ] 3.1.1.

::

      ==========[motor 4]==========  base
       R*          |shaft        R*         legs 1 to 3: R* [U S | U S]
      /           (U)             \
     / arm          \ tube         \        leg 4: base --R*-- shaft --U-- tube --P-- rod --U-- tool
     \\              \\            //
      \\ bars         \ rod       //        the tool turns on the plate about a vertical axis;
       \\            (U)         //         the forks of both universal joints are aligned, so the
        \\___plate____|_________//          tool turns exactly as motor 4 does
                     [tool]

Mobility 4: x, y, z, yaw.  The platform is the tool, its origin on the plate's hinge.  Motors 1 to 3
are 0 with their arms horizontal outward, positive downward; motor 4 is the tool's yaw [rad].  Arms
have x along them, y along the axis; bars x along them; the shaft's frame is at ``motor_point``, z
up; tube and rod have z along the leg, downward, frames at the upper and the lower universal joint.

Where the numbers come from: ours, a packing robot with uneven legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.spatial import E_Z, cross, pose, rotation_z
from gough.build import Parts, delta_leg, drawn_chain, machine
from gough.build.deltas import around
from gough.errors import DescriptionError
from gough.robot import Frame, Joint, Robot
from gough.robot.frame import rotation_from_axes
from gough.zoo import reading as read
from gough.zoo.legs import delta_lengths, with_bars


def delta_4(
    *,
    L: float,
    l: float,  # noqa: E741 - as for the Delta
    s: float,
    legs: read.Legs,
    leg4: read.Data,
    plate: read.Data,
    tool: read.Data,
    home: Sequence[float],
    **rest: Any,
) -> Robot:
    """The Delta with the fourth leg.

    Args:
        L: length of the arms [m].
        l: length of the bars [m].
        s: half the distance of the bars of a leg [m].
        legs: three of ``phi`` (direction of the leg [rad]), ``base_radius`` and ``plate_radius``
            (distance of its motor and of its bars' ends from the middle [m]), the bodies ``arm,
            bar_a, bar_b`` and ``act`` (motor: viscous [N m s/rad], coulomb [N m], rotor_inertia
            [kg m^2]).
        leg4: ``motor_point`` (on the upright axis of motor 4), ``shaft_length`` (from there down
            to the upper universal joint), ``tool_height`` (of the lower one over the plate's
            hinge) [m], the bodies ``shaft, tube, rod`` and ``act``.
        plate: body that the Delta carries, its frame parallel to the base.
        tool: body that turns on it, the platform.
        home: x, y, z [m] and yaw [rad] of the tool.
        **rest: ``gravity`` [m/s^2]; name, label and source.
    """
    lengths = delta_lengths(L, l, s)
    x = read.numbers(home, 4, "home")
    T_0plate, T_0tool = pose(np.eye(3), x[:3]), pose(rotation_z(x[3]), x[:3])
    bodies = {"plate": plate, "tool": tool}
    top = Parts(
        tuple(read.body(name, data) for name, data in bodies.items()),
        (Joint("hinge", "revolute", "plate", "tool"),),
        poses={"plate": Frame.from_matrix(T_0plate), "tool": Frame.from_matrix(T_0tool)},
    )
    keys = ["phi", "base_radius", "plate_radius", "arm", "bar_a", "bar_b", "act"]
    parts = [top]
    for leg in read.legs(legs, 3, keys):
        phi = leg.get(read.number, "phi")
        foot, tip = (
            around(phi, leg.get(read.length, key)) for key in ("base_radius", "plate_radius")
        )
        made_of = with_bars(leg, "arm", "plate")
        parts.append(delta_leg(leg.n, foot, tip[:3, 3], T_0plate, made_of, **lengths))
    parts.append(_fourth_leg(leg4, T_0tool, float(x[3])))
    return machine(parts=parts, platform="tool", **rest)


def _fourth_leg(data: Any, T_0tool: np.ndarray, yaw: float) -> Parts:
    """Motor, shaft, tube, rod; the forks on shaft and tool, and those on tube and rod, parallel."""
    keys = ["motor_point", "shaft_length", "tool_height", "shaft", "tube", "rod", "act"]
    leg = read.Leg(4, read.entry(data, keys, "leg4"), "leg4")
    motor = leg.get(read.vector, "motor_point")
    upper = motor - leg.get(read.length, "shaft_length") * E_Z
    lower = T_0tool[:3, 3] + leg.get(read.number, "tool_height") * E_Z
    down = lower - upper
    length = float(np.linalg.norm(down))
    fork = T_0tool[:3, 0]  # on the shaft and on the tool
    across = cross(down, fork)
    if np.linalg.norm(across) < 1e-6 * length or length == 0.0:
        raise DescriptionError(
            "at home the telescope is horizontal, along its forks", path="leg4", hint="Lower home."
        )
    across = across / np.linalg.norm(across)  # on the tube and on the rod
    R_0t = rotation_from_axes(down, fork)
    names = ("shaft", "tube", "rod")
    return drawn_chain(
        "R* U P U",
        [motor, upper, lower, lower],
        [E_Z, (fork, across), down, (across, fork)],
        leg=4,
        links={name: leg.body(name, name) for name in names},
        poses=[pose(T_0tool[:3, :3], motor), pose(R_0t, upper), pose(R_0t, lower)],
        values=[yaw, None, length, None],
        names=["spin", "fork1", "telescope", "fork2"],
        axes=[leg.get(read.axis, "act"), None, None, None],
        end="tool",
        end_pose=T_0tool,
    )
