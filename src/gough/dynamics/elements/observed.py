"""Inverse dynamics from observed legs.  [OZ] (66)-(67)

    Gamma = IDM(sdd, sd, s) = - A^+(s) b(sdd, sd, s)

s are directions and lengths of the legs' elements, and whatever else sensors measure.  What they do
not measure follows from what they do: the pose by sums of ``d x``, or as the one that fits best;
rates and accelerations linearly, by the motion constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gough.base.conditions import Condition, Tolerances, steep
from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect, total
from gough.dynamics.elements.camera import LegStates, length_key
from gough.dynamics.elements.decomposition import Key
from gough.dynamics.elements.dynamics import axis_motion, implicit_model, motor_row, solved
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.partials import in_freedoms
from gough.dynamics.elements.variables import Length, Variables, direction
from gough.dynamics.shared.sharing import Sharing
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InconsistentPose, InputError
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint_kinds import KINDS

LARGEST_ANGLE = 0.1
"""Directions further from the pose that all legs show together are refused [rad].

Noise of a camera is a hundredth of it; a sign or an exchange of legs is ten times as much.
"""


@dataclass(frozen=True)
class SeenDirections(Condition):
    """Directions of legs are seen where the state has them, noise apart."""

    kin: Kinematics
    seen: LegStates

    def refuse(self) -> None:
        """Refuse an element that is elsewhere."""
        check_directions(ElementState(self.kin), self.seen)

    def share(self, accept: Tolerances) -> Array:
        """Steep in the angle between both, beside the largest that noise makes."""
        here = ElementState(self.kin)
        least = 1.0 - np.cos(LARGEST_ANGLE)
        pairs = zip(self.seen.x, self.seen.elements, strict=True)
        return total(steep((1.0 - x @ here.x[name]) / least) for x, name in pairs)


def check_directions(here: ElementState, seen: LegStates) -> None:
    """Refuse directions that no pose of the robot shows; noise is not refused."""
    for name, x in zip(seen.elements, seen.x, strict=True):
        angle = float(np.arctan2(np.linalg.norm(np.cross(x, here.x[name])), x @ here.x[name]))
        if angle > LARGEST_ANGLE:
            raise InconsistentPose(
                f"{here.assembly.robot.name}: element {name!r} is seen {angle:.3g} rad away from "
                "where it is in the pose that all legs show together",
                hint="Likely: a direction turned round or in other axes, or legs exchanged.",
                element=name,
                angle=angle,
            )


def normalise_directions(seen: LegStates) -> LegStates:
    """What is seen with unit vectors: only where they point counts.  Numbers or symbols."""
    unit = [x / np.sqrt(x @ x) for x in (seen.x[i] for i in range(len(seen.elements)))]
    return replace(seen, x=collect(unit, empty=(0, 3)))


def unit_directions(seen: LegStates) -> LegStates:
    """The same of numbers; a vector that points nowhere is refused."""
    sizes = np.linalg.norm(seen.x, axis=1)
    if (sizes < 1e-12).any():
        name = seen.elements[int(np.argmin(sizes))]
        raise InputError(f"x: the direction of element {name!r} is zero", argument="x")
    return normalise_directions(seen)


# rates


def seen_matrix(here: ElementState, seen: LegStates) -> Array:
    """What sensors see of each freedom's rate, natural units, weighted: rows by freedoms."""
    M, assembly = here.motion_constraints, here.assembly
    rows = [M["x", name, 0][i] * seen.weight(name) for name in seen.elements for i in range(3)]
    rows += [M["spin", name, 0] * seen.weight(name) for name in seen.turns]
    rows += [
        M[length_key(here.parts.robot, n)] * (seen.weight(n) / assembly.length)
        for n in seen.lengths
    ]
    for name in seen.encoders:
        row = in_freedoms(motor_row(here, name), M, here.Psi)
        rows.append(row * (seen.weight(name) / _motor_scale(assembly, name)))
    return collect(rows, empty=(0, assembly.mobility)) * assembly.scales.freedoms


def seen_values(
    here: ElementState,
    seen: LegStates,
    directions: Sequence[Array],
    turns: Sequence[Array],
    places: Sequence[Array],
) -> Array:
    """The right side for :func:`seen_matrix`: of directions, of turns, of lengths and encoders."""
    assembly = here.assembly
    found = [
        v[i] * seen.weight(name)
        for name, v in zip(seen.elements, directions, strict=True)
        for i in range(3)
    ]
    found += [t * seen.weight(name) for name, t in zip(seen.turns, turns, strict=True)]
    scales = [assembly.length] * len(seen.lengths)
    scales += [_motor_scale(assembly, name) for name in seen.encoders]
    axes = (*seen.lengths, *seen.encoders)
    found += [
        place * (seen.weight(name) / scale)
        for name, place, scale in zip(axes, places, scales, strict=True)
    ]
    return collect(found)


def _motor_scale(assembly: Assembly, name: str) -> float:
    return float(assembly.scales.motors[assembly.robot.motors.index(name)])


def observed_motion(here: ElementState, seen: LegStates) -> Kinematics:
    """The machine in the motion that sensors show: the freedoms' rates by linear least squares.

    Equations:
        [OZ] (55): ``M V_r = u`` is solved for the robot's own freedoms, then for their
        accelerations; more is seen than needed, and its errors are shared out.
    """
    matrix, scale = seen_matrix(here, seen), here.assembly.scales.freedoms
    V_r = least_squares(matrix, _first(here, seen)) * scale
    bias = ElementState(here.kin.with_motion(here.Psi @ V_r), here.parts)
    Vdot_r = least_squares(matrix, _second(bias, seen)) * scale
    Vdot = here.Psi @ Vdot_r + bias.Vdot
    return here.kin.with_motion(bias.kin.V, Vdot)


def _first(here: ElementState, seen: LegStates) -> Array:
    k, t = range(len(seen.elements)), range(len(seen.turns))
    places = [
        *(seen.dd[i] for i in range(len(seen.lengths))),
        *(seen.qd[i] for i in range(len(seen.encoders))),
    ]
    return seen_values(here, seen, [seen.xd[i] for i in k], [seen.spin[i] for i in t], places)


def _second(bias: ElementState, seen: LegStates) -> Array:
    """Accelerations that are seen, less those of the bias motion."""
    motion = bias.motion
    turns = [motion.directions[name] for name in seen.turns]
    robot = bias.parts.robot
    own = [motion.lengths[length_key(robot, name)].acceleration for name in seen.lengths]
    own += [axis_motion(bias, motion, name)[1][0] for name in seen.encoders]
    measured = [
        *(seen.ddd[i] for i in range(len(seen.lengths))),
        *(seen.qdd[i] for i in range(len(seen.encoders))),
    ]
    return seen_values(
        bias,
        seen,
        [seen.xdd[i] - motion.directions[name].xdd for i, name in enumerate(seen.elements)],
        [seen.spin_rate[i] - turn.spin_rate for i, turn in enumerate(turns)],
        [m - p for m, p in zip(measured, own, strict=True)],
    )


# efforts


def efforts_of_legs(
    kin: Kinematics, seen: LegStates, loads: StateLoads, share: Sharing | None = None
) -> Array:
    """Motor efforts from what is seen of the legs at one state, at the pose that it shows.

    Where every variable of the model is seen, it is taken as it is, [OZ] (66); else the motion of
    the platform is found from what is seen, and everything follows from it.
    Numbers and symbols run through these lines.
    """
    here = ElementState(kin)
    assembly = here.assembly
    if _all_is_seen(here, seen):
        motion = _as_seen(here, seen)
        speed = _speed(assembly, seen)
    else:
        found = observed_motion(here, seen)
        here = ElementState(found, here.parts)
        motion, speed = here.motion, None
    acting = (
        loads.at_speed(speed, assembly.length)
        if speed is not None
        else loads.during(here.kin.V, assembly.length)
    )
    A, b = implicit_model(here, motion, acting)
    if len(assembly.robot.motors) == assembly.mobility:
        tau = solved(A, b)  # [OZ] (66)
        return tau if share is None else share.within_bounds(tau)
    return (share or Sharing(assembly)).efforts(A, -b)


def _all_is_seen(here: ElementState, seen: LegStates) -> bool:
    """Whether the model needs nothing that is not seen: all directions and lengths, and no spin."""
    parts = here.parts
    turning = [e for e in parts.elements.values() if not e.fixed]
    slides = {
        ("d", joint.name, k)
        for joint in parts.robot.joints
        for k in range(len(KINDS[joint.kind].travel))
    }
    plain = seen.weights is None and not seen.encoders and not any(e.spins for e in turning)
    return (
        plain
        and {e.like for e in turning} <= set(seen.elements)
        and slides <= {length_key(parts.robot, n) for n in seen.lengths}
    )


def _as_seen(here: ElementState, seen: LegStates) -> Variables:
    """State variables as they are seen; elements that point the same way share a direction."""
    number = {name: i for i, name in enumerate(seen.elements)}
    directions = {}
    for e in here.parts.elements.values():
        if not e.fixed:
            i = number[e.like]
            directions[e.name] = direction(seen.x[i], seen.xd[i], seen.xdd[i])
    keys: list[Key] = [length_key(here.parts.robot, name) for name in seen.lengths]
    return Variables(
        directions, {key: Length(seen.dd[i], seen.ddd[i]) for i, key in enumerate(keys)}
    )


def _speed(assembly: Assembly, seen: LegStates) -> Array:
    """Square of the speed at which directions and lengths change [rad^2/s^2]."""
    directions = [seen.xd[i] @ seen.xd[i] for i in range(len(seen.elements))]
    lengths = [seen.dd[i] * seen.dd[i] / assembly.length**2 for i in range(len(seen.lengths))]
    return total(directions + lengths)
