"""A home for a machine from elsewhere: several starts, the first that closes well is taken."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.arguments import nearest
from gough.base.english import quoted
from gough.errors import InputError, NotAssembled, shown
from gough.mechanism.mobility.findings import findings as assembly_findings
from gough.mechanism.serial import core_of
from gough.robot.formats.home_poses import home_poses
from gough.robot.formats.model import FREE, Model
from gough.robot.formats.naming import their_name
from gough.robot.frame import Frame
from gough.robot.home import Home
from gough.robot.joint_kinds import KINDS, SLIDE
from gough.robot.robot import Robot

_SWINGS = (
    0.1,
    0.3,
    0.6,
    1.0,
    0.3,
    0.6,
    1.0,
    1.5,
    0.6,
    1.0,
)  # of joints away from the drawing [rad]
_FAR = 0.5  # [rad]: beyond it, joints with limits stand anywhere within them
_SEED = 1965
_BARE = (FREE, "spherical", "planar_contact")  # kinds whose posture no numbers of a home tell
_CLOSED = 1e-9  # a home that is rougher is written anew, closed [rad, m]

GIVEN = "home= as it was given"
"""What the posture is called that a user gives."""

Values = Mapping[str, tuple[Any, ...]]


class Start(NamedTuple):
    """A posture to assemble from, and what it is called."""

    name: str
    values: Values


def starts(model: Model, home: Any) -> Iterator[Start]:
    """Postures to try, in order; one only if the user gives it."""
    if home is not None:
        yield Start(GIVEN, model.starts[GIVEN]) if GIVEN in model.starts else _given(model, home)
        return
    named = {name: values for name, values in model.starts.items() if "home" in name.lower()}
    for name, values in named.items():
        yield Start(f"its {name}", values)
    yield Start("the posture that the file draws", {})
    for name, values in model.starts.items():
        if name not in named:
            yield Start(f"its {name}", values)
    rng = np.random.default_rng(_SEED)
    for k, swing in enumerate(_SWINGS):
        yield Start(
            f"random start {k + 1}, joints up to {swing:g} rad off", _swung(model, rng, swing)
        )


def given(model: Model, home: Any, every: Collection[str]) -> Model:
    """The model with the posture that a user gives among its starts, before joints change.

    Joints of the file that are not part of the machine, or that are held, may be named: a posture
    of all joints is one of these, too.
    """
    if not isinstance(home, Mapping):
        return model
    own = [tie.name for tie in model.joints if not tie.loop and tie.kind != FREE]
    apart = [name for name in home if their_name(name, own) not in own and name in every]
    if apart:
        model.note("home-apart", f"home= names joints that stay as they are: {quoted(apart[:8])}")
    said = {name: value for name, value in home.items() if name not in apart}
    return replace(model, starts={**model.starts, GIVEN: dict(_given(model, said).values)})


def _given(model: Model, home: Any) -> Start:
    if isinstance(home, str):
        known = {name.removeprefix("keyframe ").strip("'"): name for name in model.starts}
        if home not in known:
            raise InputError(
                f"home={shown(home)} is no posture of {model.file}",
                hint=nearest(home, known),
                argument="home",
            )
        return Start(f"its {known[home]}", model.starts[known[home]])
    if not isinstance(home, Mapping):
        raise InputError(
            f"expected coordinates by joint or the name of a keyframe, got {shown(home)}",
            hint='For instance home={"shoulder": 0.3}.',
            argument="home",
        )
    values: dict[str, tuple[Any, ...]] = {}
    known_joints = {tie.name: tie for tie in model.joints if not tie.loop and tie.kind != FREE}
    for said, value in home.items():
        name = their_name(said, known_joints)
        if name not in known_joints:
            raise InputError(
                f"home names {shown(name)}, which is no joint of the file's tree",
                hint=nearest(name, known_joints),
                argument="home",
            )
        values[name] = _coordinates(name, known_joints[name].kind, value)
    return Start(GIVEN, values)


def _coordinates(name: str, kind: str, value: Any) -> tuple[Any, ...]:
    """Coordinates of a joint: one or two numbers, or the quaternion of a ball."""
    try:
        given = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError):
        given = np.array([np.nan])
    count = 4 if kind == "spherical" else len(KINDS[kind].axes)
    if given.shape != (count,) or not np.isfinite(given).all():
        what = "a quaternion w x y z" if kind == "spherical" else f"{count} finite number(s)"
        raise InputError(f"home of {name!r} is {shown(value)}, expected {what}", argument="home")
    if kind != "spherical":
        return tuple(given.tolist())
    w, v = given[0], given[1:]
    size = float(np.linalg.norm(given))
    if not size > 0.0:
        raise InputError(f"home of {name!r} is a quaternion of length 0", argument="home")
    half = np.arctan2(float(np.linalg.norm(v)), w)
    axis = v / (float(np.linalg.norm(v)) or 1.0)
    return (np.asarray(spatial.rotation_exp(2.0 * half * axis)),)


def _swung(model: Model, rng: np.random.Generator, swing: float) -> Values:
    """Joints of the tree away from where they are drawn, within their limits."""
    size = _size(model)
    found: dict[str, tuple[Any, ...]] = {}
    for tie in model.joints:
        if tie.loop or tie.kind == FREE:
            continue
        if tie.kind == "spherical":
            turn = spatial.rotation_exp(rng.normal(size=3) * swing / 2.0)
            drawn = tie.drawn[0] if tie.drawn else np.eye(3)
            found[tie.name] = (np.asarray(drawn @ turn),)
            continue
        values = []
        for k, what in enumerate(KINDS[tie.kind].axes.values()):
            drawn_q = float(tie.drawn[k]) if tie.drawn else 0.0
            q = drawn_q + rng.uniform(-swing, swing) * (0.3 * size if what == SLIDE else 1.0)
            bounds = tie.axes[k].limits.position if tie.axes else None
            if bounds and swing > _FAR:  # anywhere within the limits: the drawing may be outside
                q = float(rng.uniform(*bounds))
            values.append(float(np.clip(q, *bounds)) if bounds else q)
        found[tie.name] = tuple(values)
    return found


def _size(model: Model) -> float:
    points = np.array([T[:3, 3] for T in model.poses().values()])
    return float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0


def followed(model: Model, values: Values) -> Values:
    """A posture in which joints that follow others stand where these lead them.

    Joints that the posture names stay; so do those whose coupling holds as drawn.
    """
    found = dict(values)

    def at(name: str) -> float | None:
        tie = model.joint(name)
        if tie is None or tie.kind not in ("revolute", "prismatic"):
            return None
        return float((found.get(name) or tie.drawn or (0.0,))[0])

    for _ in model.relations:  # one may follow another that follows
        for relation in model.relations:
            (follower, c), *others = relation.terms.items()
            lead = [(factor, at(name)) for name, factor in others]
            if len(lead) != 1 or follower in values or lead[0][1] is None or not c:
                continue
            found[follower] = ((relation.offset - lead[0][0] * lead[0][1]) / c,)
    return found


def home_of(
    model: Model, start: Start, bodies: Mapping[str, str], joints: Mapping[str, str]
) -> Home:
    """Rough home of a start: poses of all bodies, and coordinates for their whole turns."""
    start = Start(start.name, followed(model, start.values))
    poses = model.poses(start.values)
    placed = {
        ours: Frame.from_matrix(_orthogonal(poses[name]))
        for name, ours in bodies.items()
        if name in poses
    }
    values: dict[str, float] = {}
    for tie in model.joints:
        if tie.loop or tie.kind in (FREE, "spherical", "planar_contact", "fixed"):
            continue
        at = start.values.get(tie.name, tie.drawn) or (0.0,) * len(KINDS[tie.kind].axes)
        names = KINDS[tie.kind].axes
        for axis, q in zip(names, at, strict=True):
            own = joints[tie.name]
            values[own if len(names) == 1 else f"{own}.{axis}"] = float(q)
    told = all(tie.loop or tie.kind not in _BARE for tie in model.joints)
    return Home({} if told else placed, values)


def closed(robot: Robot) -> Robot:
    """The robot with its home as it is closed, if the one that was given is rough."""
    poses, values = home_poses(robot), robot.assembly.home_values
    rough = [
        *(abs(q - values[name]) for name, q in robot.home.joints.items() if name in values),
        *(np.abs(frame.matrix - poses[n]).max() for n, frame in robot.home.bodies.items()),
    ]
    if max(rough, default=0.0) < _CLOSED:
        return robot
    bodies = {n: Frame.from_matrix(_orthogonal(poses[n])) for n in robot.home.bodies}
    joints = {name: values.get(name, q) for name, q in robot.home.joints.items()}
    return replace(robot, home=Home(bodies, joints))


def _orthogonal(T: np.ndarray) -> np.ndarray:
    U, _, Vt = np.linalg.svd(T[:3, :3])
    return spatial.pose(U @ Vt, T[:3, 3])


def assembled(
    model: Model, home: Any, made: Callable[[Start], Robot]
) -> tuple[Robot, Start, list[str]]:
    """The robot from the first start that closes and is regular; why the others were not taken.

    Where none is regular, the first that closes is taken.
    """
    refused: list[str] = []
    spare: tuple[Robot, Start] | None = None
    first: NotAssembled | None = None
    for start in starts(model, home):
        try:
            with np.errstate(divide="ignore", invalid="ignore"):  # it may be singular
                robot = made(start)
                fault = "" if home is not None else _fault(robot)
        except NotAssembled as err:
            first = first or err
            refused.append(f"{start.name} does not close")
            if "needed" in err.data:  # it all but closes: another start needs the same precision
                first = err
                break
            continue
        if not fault and start.name.startswith("random"):
            fault = _folded(robot) or _outside(robot)
            spare = (robot, start) if fault else spare
        if not fault:
            return robot, start, refused
        refused.append(f"{start.name} {fault}")
        spare = spare or (robot, start)
    if spare is not None:
        return (*spare, refused)
    message, hint = (first.message, first.hint) if first else ("no posture closes", "")
    if first is None or "needed" not in first.data:
        hint = (
            "No start closes the loops: give one, home={'JOINT': value, ...}, or a keyframe's "
            f"name. {hint}"
        )
    raise NotAssembled(
        f"{model.file}: {message}",
        hint=hint,
        **(first.data if first else {}),
    ) from first


def _outside(robot: Robot) -> str:
    """Whether home has a joint outside its limits."""
    codes = {each.code for each in assembly_findings(robot.assembly)}
    return "closes outside the limits of joints" if "home-outside-limits" in codes else ""


def _folded(robot: Robot) -> str:
    """Whether home is in a mode that its motors do not move, as a rhombus that lies on itself."""
    found = core_of(robot.assembly)
    most = min(found.mobility, len(found.robot.motors))
    return "closes where the motors move less than they might" if found.motor_rank < most else ""


def _fault(robot: Robot) -> str:
    """Why a home that closes is not a good one."""
    found = core_of(robot.assembly)  # a straight arm below the loops is no fault of theirs
    if found.mobility_at_home != found.mobility or found.start[1] is not found.home:
        return "closes where the machine is singular"
    if robot.motors and found.motor_rank_at_home < found.motor_rank:
        return "closes where the motors do not hold the platform"
    return ""
