"""What the assembly of a robot shows that a user should know before using it.

Ranks and limits only, as quick as the assembly itself; the doctor adds causes and remedies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gough.base import english as words
from gough.base.english import counted
from gough.mechanism.mobility.home import home_shift
from gough.mechanism.mobility.ideal import ideal
from gough.mechanism.serial import core_of, serial_parts
from gough.robot.finding import ERROR, WARNING, Finding
from gough.robot.joint import Axis
from gough.robot.joint_kinds import TURN

if TYPE_CHECKING:
    from gough.mechanism.mobility.assembly import Assembly

SERIAL = "serial-axes"
"""Code of the finding about motors whose positions the platform's pose does not tell."""

_SLACK = 1e-9  # a home may miss a limit by this, natural units: it is closed to 1e-11, not exactly


def findings(assembly: Assembly) -> tuple[Finding, ...]:
    """Findings about motors, homes that are singular or far away, limits, frames that moved."""
    return (
        *_motors(assembly),
        *_home(core_of(assembly)),
        *_limits(assembly),
        *_precision(assembly),
        *_shifted_home(assembly),
    )


def _precision(assembly: Assembly) -> list[Finding]:
    found = ideal(assembly.robot) if assembly.robot.precision else None
    if found is None or not found.sentence:
        return []
    data = {"open_by": found.open_by, "length": found.length, "angle": found.angle}
    return [Finding("precision", WARNING, found.sentence, data=data)]


def _shifted_home(assembly: Assembly) -> list[Finding]:
    """Home that is much farther from its description than the joints there are open."""
    home = assembly.equations(assembly.T_home, assembly.home)
    shift = home_shift(assembly.robot, home, assembly.length)
    if not shift.is_far:
        return []
    far, open_by = shift.moved * assembly.length, shift.gap
    text = (
        f"home is far from where it is described: {shift.posture}, no joint is open by more than "
        f"{open_by.joint!r}, {open_by}, but {shift.joint!r} moved by {far:.3g} m until the loops "
        "closed: it is in another assembly mode, or described near a singularity"
    )
    advice = "Give a home near the posture that is meant, or correct the frames of that joint."
    data = {"open_by": shift.open_by * assembly.length, "moved": far, "posture": shift.posture}
    joints = tuple(dict.fromkeys((open_by.joint, shift.joint)))
    return [Finding("home-elsewhere", WARNING, text, advice=advice, joints=joints, data=data)]


def _motors(assembly: Assembly) -> list[Finding]:
    found = []
    parts, core = serial_parts(assembly), core_of(assembly)
    motors, n, rank = core.robot.motors, core.mobility, core.motor_rank
    declared = assembly.robot.redundant
    counts = {"motors": len(motors), "mobility": n, "motor_rank": rank}
    summary = f"{words.counted(len(motors), 'motor')} for {words.counted(n, 'freedom')}"
    if n == 0:
        found.append(Finding("immobile", ERROR, "the platform cannot move: its legs hold it"))
    if len(motors) < n:
        text = f"{summary}: fewer than the mobility"
        found.append(Finding("too-few-motors", ERROR, text, data=counts))
    if parts is not None:
        text = (
            f"there are serial axes below or above the loops, {words.quoted(parts.axes)}: the "
            "platform's pose does not tell where they are"
        )
        advice = (
            "Say how they move, internal={name: position} of gough.State, or hold them, "
            f"lock={list(parts.axes)} of gough.load."
        )
        found.append(Finding(SERIAL, WARNING, text, advice=advice, motors=parts.axes))
    if len(motors) > n and not (declared and n):
        text = f"{summary}: more than the mobility"
        text += "" if declared else ", and not declared redundant"
        found.append(Finding("too-many-motors", WARNING, text, motors=motors, data=counts))
    if declared and len(motors) <= n:
        text = f"redundant is declared, but {summary} are not more than the mobility"
        found.append(Finding("not-redundant", WARNING, text, motors=motors, data=counts))
    if rank < min(n, len(motors)):
        text = f"the motors control only {rank} of {counted(n, 'freedom')}"
        found.append(Finding("uncontrolled", ERROR, text, motors=motors, data=counts))
    return found


def _home(assembly: Assembly) -> list[Finding]:
    found = []
    n, rank = assembly.mobility, assembly.motor_rank
    if assembly.motor_rank_at_home < rank:
        text = "home is singular (Type 2): with the motors locked the platform can move"
        data = {"motor_rank": rank, "motor_rank_at_home": assembly.motor_rank_at_home}
        found.append(Finding("singular-home-type-2", WARNING, text, data=data))
    if assembly.mobility_at_home != n:
        text = (
            f"home is singular: it counts {assembly.mobility_at_home} freedoms, "
            f"postures around it {n}"
        )
        data = {"mobility": n, "mobility_at_home": assembly.mobility_at_home}
        found.append(Finding("singular-home-constraint", WARNING, text, data=data))
    elif assembly.start[1] is not assembly.home:
        text = "home is singular: a leg is stretched out, folded or free to move by itself"
        found.append(Finding("singular-home-type-1", WARNING, text))
    if len(assembly.modes) > 1:
        counts = " and ".join(str(mode) for mode in assembly.modes)
        text = f"modes of motion meet at home: postures around it count {counts} freedoms"
        found.append(Finding("modes-meet", WARNING, text, data={"modes": list(assembly.modes)}))
    return found


def _limits(assembly: Assembly) -> list[Finding]:
    found = []
    for name, value, axis, what in _placed(assembly):
        bounds = axis.limits.position
        slack = _SLACK * (1.0 if what == TURN else assembly.length)
        if bounds is not None and not bounds[0] - slack <= value <= bounds[1] + slack:
            text = (
                f"home has {name} = {value:.4g}, outside its limits [{bounds[0]:g}, {bounds[1]:g}]"
            )
            found.append(
                Finding(
                    "home-outside-limits",
                    ERROR,
                    text,
                    advice="Correct the limits, or the home; a joint drawn on another turn or "
                    "from another zero is the usual cause.",
                    joints=(name.split(".", maxsplit=1)[0],),
                    data={"axis": name, "value": value, "limits": list(bounds)},
                )
            )
    return found


def _placed(assembly: Assembly) -> Iterator[tuple[str, float, Axis, str]]:
    """Turns and slides at home, those of locked joints included: name, coordinate, axis, kind."""
    for name, value in assembly.home_values.items():
        yield name, value, assembly.robot.axis(name), assembly.axes[name].what
    for held in (joint.held for joint in assembly.robot.joints if joint.held):
        own = held.joint
        yield from zip(own.axis_names, held.at, own.axes, own.axis_kinds.values(), strict=True)
