"""``gough.workspace``: what a robot can reach, and what it can do there, on a grid."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from gough.base.arguments import check_known, number, one_of, switch
from gough.base.batch import as_array
from gough.base.options import chosen
from gough.base.progress import Progress, reporter
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.elastic.drives import drives_of
from gough.errors import InputError, shown
from gough.evaluation.loops.closing import Closer
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.singularity.workspace import capability as able
from gough.singularity.workspace.components import components
from gough.singularity.workspace.elastic_maps import asked_of, elastic_maps
from gough.singularity.workspace.flood import chunks
from gough.singularity.workspace.result import Capability, Workspace
from gough.singularity.workspace.section import WorkspaceSection
from gough.singularity.workspace.strength import Strength, strengths
from gough.singularity.workspace.survey import Survey, section_of, surveyed

_NOTHING = 1e-12  # weight of a mass over that at a lever of the robot's length: rounding

CAPABILITIES = ("payload", "acceleration")


def workspace(
    robot: Robot,
    section: WorkspaceSection | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    limits: bool = True,
    length: float | None = None,
    capability: Literal["payload", "acceleration"] | None = None,
    efforts: Any = None,
    loads: Loads | None = None,
    direction: Any = None,
    elastic: str | Sequence[str] | None = None,
    drives: Any = "locked",
    progress: Progress | None = None,
    **axes: Any,
) -> Workspace:
    """Reach, limits, singularities, capability and stiffness over a section of the freedoms.

    In home's working mode; for another one take ``robot.rehomed(...)``.

    Args:
        robot: the machine.
        section: the grid; of another workspace, or by keywords.
        at: freedoms that are held, by name [m or rad]; home's values if not given.
        limits: whether limits of joints count for ``component`` and the extent that is found.
        length: characteristic length, the unit of lengths in singular values [m]; the robot's own
            if not given.
        capability: ``"payload"``: the mass at the platform's origin that the motors can hold, by
            their continuous torques; ``"acceleration"``: of the platform from rest, by their peak
            torques at zero speed, with the losses of gears that drive.  Effort limits of axes hold
            besides, and alone where there are no data of motors.
        efforts: largest effort of each motor at its axis [N m or N], a number for all, an array, or
            by name, instead of what the robot's file says of these motors.
        loads: :class:`gough.Loads`, of which the payload is carried besides.
        direction: acceleration that is asked for besides the worst and the best, or direction of
            the stiffness instead of the softest one, by freedom: ``{"x": 1.0}``, or an array in the
            order of ``robot.freedoms``; its length does not matter where only positions or only
            rotations have a part in it.
        elastic: how the machine gives way, one or several of: ``"frequency"``, the lowest one;
            ``"stiffness"``, force per displacement along it; ``"sag"`` by weight.  Each as
            :func:`gough.elasticity` has it in single postures.
        drives: how motors hold meanwhile, as in :func:`gough.elasticity`.
        progress: called with the share done, 0 to 1.
        **axes: one to three freedoms that vary: ``x=(low, high)``, ``x=(low, high, points)``,
            ``x=points``, all values as an array or a list, which rise evenly, or ``x=None``; what
            is not given is found.  Only a tuple is a span.  The first two freedoms if none is
            named.

    Returns:
        Arrays over the grid; see :class:`Workspace`.
    """
    assembly = assembled_by_pose(robot)
    report_share = reporter(progress)
    size = assembly.length if length is None else number(length, "length", positive=True)
    limits = switch(limits, "limits")
    if capability is not None:
        one_of(capability, "capability", CAPABILITIES)
    bounds = strengths(assembly, capability, efforts) if capability else None
    carried = _payload_arrays(assembly, loads)
    asks = capability == "acceleration" or elastic is not None
    way = _direction(assembly, direction) if asks else None
    held = drives_of(robot, drives)
    asked = None if elastic is None else asked_of(assembly, elastic, held, loads, way)
    surveyed_by, parted_by = (0.6, 0.8) if asked is None else (0.15, 0.2)  # shares of the time
    threads = chosen().threads
    closer = Closer(assembly, threads)
    grid = section_of(closer, section, axes, at, limits=limits)
    report_share(0.1)
    survey = surveyed(closer, grid, size, lambda s: report_share(0.1 + (surveyed_by - 0.1) * s))
    labels = components(survey, survey.inside(limits=limits))
    report_share(parted_by)
    able_to = None
    if capability and bounds is not None:
        able_to = _capability(survey, capability, bounds, carried, way)
    gives = None
    if asked is not None:
        gives = elastic_maps(
            *(survey, asked, way),
            lambda s: report_share(parted_by + (1.0 - parted_by) * s),
            threads,
        )
    report_share(1.0)
    found = survey.figures
    maps = {
        "component": labels,
        "reach": survey.states.good,
        "within_limits": survey.inside(limits=True),
        "violated": found.beyond,
        "type_2": found.type_2,
        "type_1": found.type_1,
        "constraint": found.constraint,
        "sign": found.sign,
    }
    shaped = {name: values.reshape(grid.shape) for name, values in maps.items()}
    return Workspace(robot, grid, size, limits, able_to, gives, survey, **shaped)


def _direction(assembly: Assembly, direction: Any) -> np.ndarray | None:
    if direction is None:
        return None
    known = assembly.freedoms
    if isinstance(direction, Mapping):
        _check_names(assembly.robot, direction, known, "direction", "freedom")
        direction = [direction.get(name, 0.0) for name in known]
    found = as_array(direction, (len(known),), "direction")
    if found.shape != (len(known),) or not np.isfinite(found).all() or not found.any():
        raise InputError(
            f"direction is {shown(direction)}, expected {len(known)} finite numbers, not all zero",
            argument="direction",
        )
    moves = np.array([i < 3 for i in assembly.free])
    size = np.linalg.norm(found[moves]) or np.linalg.norm(found[~moves])
    return np.asarray(found / size)


def _check_names(
    robot: Robot, given: Iterable[Any], known: Collection[str], argument: str, kind: str
) -> None:
    """Refuse names of what the robot has not."""
    for name in given:
        check_known(name, known, f"{argument}: {robot.name} has no {kind}", argument)


def _capability(
    survey: Survey,
    what: str,
    bounds: Sequence[Strength],
    carried: Sequence[np.ndarray],
    way: np.ndarray | None,
) -> Capability:
    """The effort capability of all states."""
    closer, states, J_inv = survey.closer, survey.states, survey.figures.J_inv
    assembly = closer.assembly
    good = np.flatnonzero(states.good)
    moves = np.array([i < 3 for i in assembly.free])
    kind = moves if moves.any() else ~moves
    unit = "kg" if what == "payload" else "m/s²" if moves.any() else "rad/s²"
    values = {name: np.full(len(states.good), np.nan) for name in ("worst", "best", "along")}
    scales, g = assembly.scales.freedoms, float(np.linalg.norm(assembly.gravity))
    for part in chunks(len(good)):
        k = good[part]
        T, joints = closer.poses(states.y[k]), states.joints[k]
        J = J_inv[k]
        faces = able.together([able.faces(J * scales, each.efforts) for each in bounds])
        seen = closer.looker.weigh(T, joints, carried)
        c = np.tile(seen["c_rob"] * scales, len(bounds))
        if what == "payload":
            one, none = (closer.looker.weigh(T, joints, _point(m))["c_rob"] for m in (1.0, 0.0))
            weight = (one - none) * scales
            # at a centre of rotation any mass can be held: rounding is no weight
            weight[np.abs(weight) < _NOTHING * g * assembly.length] = 0.0
            values["worst"][k] = able.reach_along(faces, c, weight)
            continue
        felt = [seen["M_rob"] - J.swapaxes(1, 2) * each.saved @ J for each in bounds]
        M = np.concatenate([each * scales[:, None] for each in felt], axis=1)
        values["worst"][k] = able.in_every_direction(faces, c, M[:, :, kind])
        values["best"][k] = able.in_the_best_direction(faces, c, M[:, :, kind])
        if way is not None:
            values["along"][k] = able.reach_along(faces, c, M @ way)
    names = [name for name, there in zip(assembly.freedoms, kind, strict=True) if there]
    efforts = np.min([each.efforts for each in bounds], axis=0)
    return Capability(what, unit, tuple(names), efforts, way, **values)


def _point(mass: float) -> list[np.ndarray]:
    """A mass at the platform's origin, as kernels take it."""
    return [np.array([mass]), np.zeros(3), np.zeros((3, 3))]


def _payload_arrays(assembly: Assembly, loads: Loads | None) -> list[np.ndarray]:
    """Mass, centre and inertia of what is carried, checked."""
    given = LoadArguments(assembly, loads)
    given.only()
    if given.bodies:
        raise InputError(
            "loads.forces: a capability knows a payload, and no forces on bodies", argument="loads"
        )
    return [array for array, _ in given.arguments.values()] or _point(0.0)
