"""The sheet of a robot: what it is and what was found in it, on one page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from gough.base import spatial
from gough.base.english import clean, counted
from gough.base.result import Result
from gough.geometry.closed_form.words import steps_in_words
from gough.mechanism.closure.axes import AxisPlace, is_turn
from gough.mechanism.mobility.assembly import assembled
from gough.mechanism.serial import core_of
from gough.mechanism.topology.topology import Leg
from gough.robot import Axis, Joint, Robot
from gough.robot.joint_kinds import KINDS, SLIDE
from gough.robot.remarks import remarks

_APART = ("legs", "motors", "drives", "robot")
"""What the data have in other words, or not."""


@dataclass(frozen=True)
class Sheet(Result):
    """Facts about a robot.

    Attributes:
        name, label, source: from the description.
        size: natural length [m].
        mass: of all moving bodies [kg].
        bodies, joints: how many; joints by kind.
        platform: name of the platform body; ``hub``: all hub bodies.
        legs: each leg's name and its joints in letters.
        mobility: degrees of freedom; ``freedoms``: their names.
        constant_map: whether the freedoms act in the same directions in every posture.
        over_constraint: redundant closure rows.
        idle: sentences about idle freedoms; of a machine with serial axes, of its parallel robot.
        serial_axes: motors below and above the loops.
        geometry: steps of the inverse kinematics in closed form, in words; none: Newton's method.
        motors: name, unit, and position at home of each motor.
        drives: motors with what is known of them, alike ones together.
        locked: joints that are held at home, and where.
        couplings: relations between joint coordinates.
        controlled: freedoms that the motors control.
        redundant: whether more motors than freedoms are declared as meant.
        home: position [m] and rotation vector [rad] of the platform at home.
        remarks: what looks like a mistake.
        robot: the machine, for its picture.
    """

    name: str
    label: str
    source: str
    size: float
    mass: float
    bodies: int
    joints: dict[str, int]
    platform: str
    hub: tuple[str, ...]
    legs: tuple[tuple[str, str], ...]
    mobility: int
    freedoms: tuple[str, ...]
    constant_map: bool
    over_constraint: int
    idle: tuple[str, ...]
    serial_axes: tuple[str, ...]
    geometry: tuple[str, ...]
    motors: tuple[tuple[str, str, float], ...]
    drives: tuple[tuple[str, str], ...]
    locked: tuple[str, ...]
    couplings: tuple[str, ...]
    controlled: int
    redundant: bool
    home: tuple[float, ...]
    remarks: tuple[str, ...]
    robot: Robot | None = field(default=None, repr=False, compare=False)

    def lines(self) -> list[tuple[str, str]]:
        """Pairs of a heading and a fact, in reading order."""
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.joints.items())
        p, r = self.home[:3], self.home[3:]
        found = [
            ("robot", self.name + (f": {self.label}" if self.label else "")),
            ("source", self.source),
            ("size", f"{self.size:.4g} m, {self.mass:.4g} kg moving"),
            ("bodies", f"{self.bodies}, platform {self.platform!r}"),
            ("joints", f"{sum(self.joints.values())}: {kinds}"),
            ("hub", ", ".join(self.hub) if len(self.hub) > 1 else ""),
            *((f"leg {name}", chain) for name, chain in self.legs),
            ("mobility", f"{self.mobility}: {' '.join(self.freedoms)}" + self._map()),
            ("over-constraint", str(self.over_constraint) if self.over_constraint else "none"),
            *(("idle", sentence) for sentence in self.idle),
            ("serial axes", ", ".join(self.serial_axes)),
            ("geometry", self._geometry_line()),
            ("motors", self._motor_line()),
            *(("", f"{name} = {value:.6g} {unit} at home") for name, unit, value in self.motors),
            *(("drive", f"{names}: {facts}") for names, facts in self.drives),
            *(("locked", sentence) for sentence in self.locked),
            *(("coupling", relation) for relation in self.couplings),
            ("home", _numbers(p, "m") + ("; turned by " + _numbers(r, "rad") if any(r) else "")),
            *(("remark", sentence) for sentence in self.remarks),
        ]
        return [(heading, fact) for heading, fact in found if fact]

    def _map(self) -> str:
        if self.mobility == 6 or self.constant_map:
            return ""
        return "; the other components follow and depend on the pose"

    def _geometry_line(self) -> str:
        count = len(self.geometry)
        return f"closed form, {counted(count, 'step')}" if count else "by Newton's method"

    def _motor_line(self) -> str:
        count = len(self.motors)
        if self.controlled < self.mobility:
            return f"{count}, which control {self.controlled} of {self.mobility} freedoms"
        spare = count - self.mobility
        if spare <= 0:
            return f"{count}, which control every freedom"
        if not self.redundant:
            return f"{count}, which control every freedom, {spare} more than freedoms"
        return (
            f"{count}, which control every freedom; {spare} redundant, declared; efforts are "
            "shared (gough.EffortSharing)"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            **{k: v for k, v in self.__dict__.items() if k not in _APART},
            "legs": [{"name": name, "chain": chain} for name, chain in self.legs],
            "motors": [{"name": n, "unit": u, "home": v} for n, u, v in self.motors],
            "drives": [{"motors": names, "facts": facts} for names, facts in self.drives],
        }


def sheet(robot: Robot) -> Sheet:
    """The sheet of a robot."""
    a = assembled(robot)
    motors = [
        (name, "rad" if is_turn(a.axes[name]) else "m", clean(a.home_values[name]))
        for name in robot.motors
    ]
    home = [*a.T_home[:3, 3], *spatial.rotation_log(a.T_home[:3, :3])]
    return Sheet(
        name=robot.name,
        label=robot.label,
        source=robot.source,
        size=a.length,
        mass=sum(body.mass for body in robot.bodies),
        bodies=len(robot.bodies),
        joints=dict(Counter(joint.kind for joint in robot.joints)),
        platform=robot.platform,
        hub=tuple(a.topology.hub.bodies),
        legs=tuple((leg.name, chain(robot, leg)) for leg in a.topology.legs),
        mobility=a.mobility,
        freedoms=a.freedoms,
        constant_map=a.Psi_is_constant,
        over_constraint=a.over_constraint,
        idle=tuple(str(freedom) for freedom in core_of(a).idle),
        serial_axes=robot.serial_axes,
        geometry=steps_in_words(a),
        motors=tuple(motors),
        drives=drives(robot),
        locked=tuple(_held(joint) for joint in robot.joints if joint.held),
        couplings=tuple(f"{each.name}: {each.relation}" for each in robot.couplings),
        controlled=a.motor_rank,
        redundant=robot.redundant,
        home=tuple(clean(v) for v in home),
        remarks=(*remarks(robot), *a.findings),
        robot=robot,
    )


def chain(robot: Robot, leg: Leg) -> str:
    """A leg's joints in letters, branches in brackets: ``U P* S``, ``R* [U S | U S]``."""
    in_tree = {link.joint for link in leg.tree.links if link.joint}
    closing = {c.joint.name: c for c in leg.closings}
    joints = [j for j in robot.joints if {j.parent, j.child} & set(leg.tree.bodies)]
    in_tree |= {j.name for j in joints if j.kind == "fixed" and j.name not in closing}

    def from_body(body: str, came_by: str) -> str:
        parts = []
        for joint in joints:
            if joint.name == came_by or body not in (joint.parent, joint.child):
                continue
            other = joint.child if joint.parent == body else joint.parent
            if joint.name in closing:
                near = closing[joint.name]
                inner = not near.far_on_hub
                if not inner or body == joint.parent:
                    parts.append(_letter(robot, joint) + ("~" if inner else ""))
            elif joint.name in in_tree and other in leg.tree.bodies and other != robot.base:
                parts.append(f"{_letter(robot, joint)} {from_body(other, joint.name)}".strip())
        return parts[0] if len(parts) == 1 else f"[{' | '.join(parts)}]" if parts else ""

    if not leg.tree.links:
        return " ".join(_letter(robot, c.joint) for c in leg.closings)
    feet = [j.name for j in joints if j.name in in_tree and robot.base in (j.parent, j.child)]
    first = next(link.joint for link in leg.tree.links)
    if first not in feet and feet:
        first = feet[0]  # fixed to the base: no link of the tree
    joint = robot.joint(first)
    foot = joint.child if joint.parent == robot.base else joint.parent
    return f"{_letter(robot, joint)} {from_body(foot, first)}".strip()


def drives(robot: Robot) -> tuple[tuple[str, str], ...]:
    """What is known of the drives: names of motors that are alike, and a sentence about them."""
    found: dict[str, list[str]] = {}
    for name in robot.motors:
        facts = _drive(robot.axis(name), assembled(robot).axes[name])
        if facts:
            found.setdefault(facts, []).append(name)
    return tuple((", ".join(names), facts) for facts, names in found.items())


def _drive(axis: Axis, place: AxisPlace) -> str:
    gear, motor, parts = axis.transmission, axis.motor, []
    turn = is_turn(place)
    if gear is not None:
        known = [f"ratio {gear.ratio:.6g}" + ("" if turn else " rad/m")]
        known += [f"efficiency {gear.efficiency:.4g}"] if gear.efficiency != 1.0 else []
        unit = "N m/rad" if turn else "N/m"
        known += [f"stiffness {gear.stiffness:.4g} {unit}"] if gear.stiffness else []
        parts.append(", ".join(known))
    if motor is not None:
        turning = turn or gear is not None
        effort, speed, mass = ("N m", "rad/s", "kg m^2") if turning else ("N", "m/s", "kg")
        figures = {
            "peak": (motor.peak, effort),
            "continuous": (motor.continuous, effort),
            "up to": (motor.top_speed, speed),
            "rotor": (motor.rotor_inertia or None, mass),
        }
        known = [f"{k} {v:.4g} {unit}" for k, (v, unit) in figures.items() if v is not None]
        parts.append(f"motor {', '.join(known)}" if known else "motor")
    return "; ".join(parts)


def _held(joint: Joint) -> str:
    """Where a locked joint is held."""
    held = joint.held
    if held is None:
        return ""
    units = ("m" if what == SLIDE else "rad" for what in held.joint.axis_kinds.values())
    at = ", ".join(f"{q:.6g} {unit}" for q, unit in zip(held.at, units, strict=True))
    return f"{joint.name}, {held.joint.kind}, held at {at}"


def _letter(robot: Robot, joint: Joint) -> str:
    return KINDS[joint.kind].letter + ("*" if set(joint.axis_names) & set(robot.motors) else "")


def _numbers(values: Any, unit: str) -> str:
    return "(" + ", ".join(f"{v + 0.0:.6g}" for v in values) + f") {unit}"
