"""Sentences about a machine from elsewhere once it is assembled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gough.base.english import counted, percent, quoted
from gough.dynamics import legs
from gough.dynamics.answers.frozen import Frozen, frozen_freedoms
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import SingularInertia, SingularPose
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.findings import SERIAL, findings
from gough.mechanism.serial import core_of, is_bridge
from gough.mechanism.topology.topology import Leg
from gough.robot.formats.homing import Start
from gough.robot.formats.model import Model
from gough.robot.formats.solids import Mended
from gough.robot.joint_kinds import KINDS
from gough.robot.robot import Robot

_ROUNDING = 1e-12  # of efforts: freezing that changes less is exact
_ALONG = 1e-6  # |sine| between a spin and the axis of the moment that counts: rounding, CAD digits


def remark(
    model: Model,
    robot: Robot,
    start: Start,
    refused: Sequence[str],
    renamed: Mapping[str, str],
    mended: Sequence[Mended],
) -> None:
    """Add what the assembled robot shows to the findings of a model."""
    _loops(model, robot)
    _home(model, start, refused)
    _precision(model, robot)
    _idle(model, robot)
    _balls(model, robot)
    _mended(model, robot, mended)
    if renamed:
        pairs = [f"{old!r} is {new}" for old, new in list(renamed.items())[:10]]
        more = f" and {len(renamed) - 10} more" if len(renamed) > 10 else ""
        model.note("names", f"names that were not fit: {', '.join(pairs)}{more}", **renamed)


def _loops(model: Model, robot: Robot) -> None:
    found = robot.assembly
    for tie in model.joints:
        if tie.loop:
            model.note("loop", tie.loop, joint=tie.name, kind=tie.kind)
    chains = ", ".join(_letters(robot, leg) for leg in found.topology.legs)
    model.note(
        "mobility",
        f"{counted(found.mobility, 'freedom')} of the platform {robot.platform!r}, "
        f"{counted(len(found.topology.legs), 'leg')} ({chains}), "
        f"{counted(found.over_constraint, 'redundant row')}",
        mobility=found.mobility,
        over_constraint=found.over_constraint,
    )


def _letters(robot: Robot, leg: Leg) -> str:
    """Joints of a leg, one letter each: RSS."""
    names = [link.joint for link in leg.tree.links if link.joint]
    names += [closing.joint.name for closing in leg.closings]
    return "".join(KINDS[robot.joint(name).kind].letter for name in dict.fromkeys(names))


def _home(model: Model, start: Start, refused: Sequence[str]) -> None:
    sentence = f"home was assembled from {start.name}"
    if refused:
        sentence += f"; {'; '.join(refused[:3])}"
    if start.name.startswith("random"):
        model.warn(
            "home",
            sentence,
            "It may be another branch than is meant: give home={'JOINT': value, ...}.",
            start=start.name,
        )
    else:
        model.note("home", sentence, start=start.name)


def _precision(model: Model, robot: Robot) -> None:
    if robot.precision:
        model.note(
            "digits",
            f"figures have few digits: precision {robot.precision:g} of the size, and radians",
            precision=robot.precision,
        )


def _idle(model: Model, robot: Robot) -> None:
    found = core_of(robot.assembly)
    for freedom in found.idle:
        model.note("idle", str(freedom), bodies=list(freedom.bodies))
    if found.idle and not found.idle_motors:
        dearest = _dearest(found)
        cost = "by rounding" if dearest < _ROUNDING else f"by {percent(dearest)} at most"
        dragged = sum(bool(lock.beside) for tree in found.locks.trees for lock in tree)
        how = {len(found.idle): "dragged along by joints of the file's tree", 0: "frozen"}.get(
            dragged, f"frozen, {dragged} of them as joints of the file's tree drag them along"
        )
        if np.isfinite(dearest):
            model.note(
                "freezing",
                f"{counted(len(found.idle), 'idle freedom')} {how}; set free, "
                f"{'it' if len(found.idle) == 1 else 'they'} would change efforts or accelerations "
                f"{cost}",
                effect=dearest,
                dragged=dragged,
            )
    for finding in findings(robot.assembly):
        if finding.code == SERIAL:
            model.warn(SERIAL, finding.sentence, finding.advice, motors=list(robot.serial_axes))
    _unheld(model, robot, found)
    serial = [name for name in found.idle_motors if is_bridge(robot, name)]
    if found.idle_motors:
        model.warn(
            "idle-motors",
            f"the platform does not feel all that the motors {quoted(serial or found.idle_motors)} "
            "do: they move what is below or above the loops, or a part of a leg",
            f"Hold them: lock={serial}; or choose another base= or platform=."
            if serial
            else "Choose another base= or platform=, hold them, or hold what gives way.",
            motors=list(found.idle_motors),
        )
    rubbing = [
        joint.name
        for joint in robot.joints
        if joint.kind == "spherical" and any(a.viscous or a.coulomb for a in joint.axes)
    ]
    if rubbing and found.idle:
        model.warn(
            "friction-of-balls",
            f"the file puts damping or friction on balls, {quoted(rubbing[:8])}, as default "
            "classes of exporters do; it acts on idle spins too, which are frozen",
            "If it is not meant, leave it out: drop=['passive'].",
            joints=rubbing,
        )


def _unheld(model: Model, robot: Robot, core: Assembly) -> None:
    """Warn of freedoms for which all states will be refused, and say what may be held."""
    closing = {tie.name for tie in model.joints if tie.loop}
    for freedom in _frozen(core):
        if freedom.refused(freedom.cost(friction=False)):
            joints = [robot.joint(name) for name in freedom.joints if name not in closing]
            single = [j for j in joints if len(j.axes) == 1 and j.kind != "spherical"]
            # what only gives way comes first: whoever holds a motor loses it
            single.sort(key=lambda j: (j.name in robot.motors, j.axes[0].spring is None))
            names = [each.label or each.name for each in single]
            model.warn(
                "unheld",
                f"{freedom.who}; {freedom.why}: efforts and accelerations will be refused",
                f"Hold a joint of it, lock={names[:1]}: {quoted(names, 'or')}; or name another "
                "platform.",
                joints=names,
            )


def _frozen(assembly: Assembly) -> tuple[Frozen, ...]:
    try:
        return frozen_freedoms(assembly)
    except (SingularPose, SingularInertia):
        return ()


def advice_of(robot: Robot, sentence: str) -> str:
    """What to do about a sentence about the assembly of a robot from elsewhere."""
    known = {each.sentence: each for each in findings(robot.assembly)}
    found = known.get(sentence)
    if found is None or found.code not in ("too-few-motors", "uncontrolled"):
        return "" if found is None else found.advice
    sprung = [
        joint.label or joint.name
        for joint in robot.joints
        if len(joint.axes) == 1
        and joint.axes[0].spring is not None
        and joint.name not in (*robot.motors, *robot.locked)
    ]
    held = f": those with springs are lock={sprung}" if sprung else ""
    return f"Name the motors, motors=[...], or hold what is not driven, lock=[...]{held}."


def _dearest(assembly: Assembly) -> float:
    """Largest cost of an idle freedom that is frozen; infinite where it cannot be told."""
    try:
        return max((f.cost(friction=False) for f in frozen_freedoms(assembly)), default=0.0)
    except (SingularPose, SingularInertia):
        return np.inf


def _balls(model: Model, robot: Robot) -> None:
    """What default classes put on balls may outweigh a small machine."""
    rotors = {
        joint.name: joint.axes[0].rotor_inertia
        for joint in robot.joints
        if joint.kind == "spherical" and joint.axes[0].rotor_inertia
    }
    if rotors:
        largest, share = max(rotors.values()), _added(robot, rotors)
        model.warn(
            "armature-of-balls",
            f"the file puts armature of up to {largest:g} kg m^2 on balls, "
            f"{quoted(list(rotors)[:8])}: it adds up to {percent(share)} to what motions weigh",
            "Default classes of exporters put it there, a ball has no rotor: drop=['passive'] "
            "leaves it out.",
            joints=list(rotors),
            largest=largest,
            effect=share,
        )


def _added(robot: Robot, rotors: Mapping[str, float]) -> float:
    """Largest share by which rotors of balls add to the inertia of any motion, near home."""
    found = robot.assembly
    if not found.mobility:
        return 0.0
    solution, scales = found.regular_solutions[0], found.scales.freedoms
    M = np.asarray(legs.inertia_matrix(Kinematics(found, solution), StateLoads(found.gravity)))
    more = np.zeros_like(M)
    moved = [Kinematics(found, solution, column) for column in np.asarray(solution.Psi).T]
    for name, inertia in rotors.items():
        rates = np.array([kin.axis_rate(name) for kin in moved], dtype=float)
        more += inertia * rates @ rates.T
    units = np.outer(scales, scales)
    shares = np.linalg.eigvals(np.linalg.lstsq((M - more) * units, more * units, rcond=None)[0])
    return float(np.max(shares.real, initial=0.0))


def _mended(model: Model, robot: Robot, mended: Sequence[Mended]) -> None:
    """Refuse an inertia that no body has, unless the body turns about its largest moment only."""
    found = robot.assembly
    for body, axis, link in mended:
        for solution in found.regular_solutions[:3]:
            for column in np.asarray(solution.Psi, dtype=float).T:
                kin = Kinematics(found, solution, column)
                R, w = solution.equations.body_poses[body].R, kin.body_motion(body).w
                turned = float(np.linalg.norm(np.cross(R @ axis, w)))
                if turned > _ALONG * max(1.0, float(np.linalg.norm(w))):
                    link.place.refuse(
                        "no body has its inertia: two principal moments must add up to at least "
                        "the third",
                        hint="Correct it; zeros are accepted of bodies that turn about one axis.",
                    )
        model.note(
            "planar-inertia",
            f"{body!r} has an inertia for turns about one axis only, and only turns about it: "
            "its other moments do not matter",
        )
