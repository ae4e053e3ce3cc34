"""``gough.bearing_loads``: what the bearings of every joint carry along a motion.

Only what a joint holds is counted: the force along a sliding axis and the moment about a turning
one are those of motor, friction, rotor and spring, which no bearing carries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gough.analysis.balance import Loaded
from gough.analysis.bearings_result import FIGURES, BearingLoads, worn_axes
from gough.analysis.changes import with_changes
from gough.analysis.samples import sampled
from gough.base.arguments import number
from gough.base.batch import OnError, check_on_error, state_arguments
from gough.dynamics.answers.reactions import Reactions
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.dynamics.shared.sharing import EffortSharing
from gough.evaluation.evaluator import usual
from gough.functions.reactions import reactions
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.motion.motion import Samples
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import KINDS, JointKind
from gough.robot.joint_kinds.kind import AXIAL, RADIAL


class Transmitted(NamedTuple):
    """What one joint transmits at K samples, in its frame on the child.

    Attributes:
        f: force ``(K, 3)`` [N].
        n: moment about the frame's origin ``(K, 3)`` [N m].
        along_parent: force and moment along z of the frame on the parent ``(K, 2)``.
    """

    f: np.ndarray
    n: np.ndarray
    along_parent: np.ndarray

    @property
    def radial(self) -> np.ndarray:
        """Force across z ``(K,)``."""
        return np.asarray(np.hypot(self.f[:, 0], self.f[:, 1]))

    @property
    def axial(self) -> np.ndarray:
        """Force along z ``(K,)``."""
        return self.f[:, 2]

    @property
    def total(self) -> np.ndarray:
        """Magnitude of the force ``(K,)``."""
        return np.asarray(np.linalg.norm(self.f, axis=1))

    @property
    def tilting(self) -> np.ndarray:
        """Moment across z ``(K,)``."""
        return np.asarray(np.hypot(self.n[:, 0], self.n[:, 1]))

    @property
    def moment(self) -> np.ndarray:
        """Magnitude of the moment ``(K,)``."""
        return np.asarray(np.linalg.norm(self.n, axis=1))

    @property
    def across_both(self) -> np.ndarray:
        """Moment across z on the parent and z on the child, which are perpendicular ``(K,)``."""
        left = self.tilting**2 - self.along_parent[:, 1] ** 2
        return np.asarray(np.sqrt(np.maximum(left, 0.0)))  # rounding may leave less than zero

    @property
    def normal(self) -> np.ndarray:
        """Magnitude of the force across the plane of a contact ``(K,)``."""
        return np.asarray(np.abs(self.along_parent[:, 0]))


_PLANE, _Z, _FORCE, _TILT, _MOMENT = [0, 1], [2], [0, 1, 2], [3, 4], [3, 4, 5]

Figure = tuple[Callable[[Transmitted], np.ndarray], list[int]]

_WHOLE: Figure = (lambda w: w.total, _FORCE)
_RADIAL: Figure = (lambda w: w.radial, _PLANE)
_AXIAL: Figure = (lambda w: w.axial, _Z)
_PRESSING: Figure = (lambda w: np.abs(w.axial), _Z)
_TILTING: Figure = (lambda w: w.tilting, _TILT)
_MOMENTS: Figure = (lambda w: w.moment, _MOMENT)
_ACROSS_BOTH: Figure = (lambda w: w.across_both, _MOMENT)


def held_figures(kind: JointKind) -> dict[str, Figure]:
    """What a joint of a kind holds, and the components of its wrench that each figure is made of.

    Radial and axial forces are told where z of the joint is that of one bearing: where it turns
    about z alone, or not at all.
    """
    held, one_axis = kind.bearing, kind.turns <= 1
    found = {}
    if RADIAL in held and AXIAL in held:
        found["force"] = _WHOLE
    elif RADIAL in held:
        found["force"] = _RADIAL
    else:
        found["force"] = (lambda w: w.normal, _FORCE) if kind.one_sided else _PRESSING
    if one_axis and RADIAL in held:
        found["radial"] = _RADIAL
    if one_axis and AXIAL in held:
        found["axial"] = _AXIAL
    if kind.turns < 3:
        found["moment"] = (_MOMENTS, _TILTING, _ACROSS_BOTH)[kind.turns]
    return found


def bearing_loads(
    robot: Robot,
    motion: Any,
    *,
    loads: Loads | LoadSchedule | None = None,
    share: EffortSharing | None = None,
    rate: float = 500.0,
    exponent: float = 3.0,
    on_error: OnError = "raise",
) -> BearingLoads:
    """Forces and moments that the bearings of every joint carry along a motion.

    Components are those of the joint's frame on its child: radial forces are across its z axis,
    axial ones along it, moments about its origin.  See :class:`BearingLoads` for what each kind of
    joint holds.

    Args:
        robot: the machine.
        motion: a :class:`gough.motion.Motion`, or samples: anything with ``t``, ``T_0p``, ``V_0p``
            and ``Vdot_0p``, such as an :class:`Analysis`.
        loads: :class:`gough.Loads`, per sample if they have a leading axis; or a
            :class:`gough.LoadSchedule`, with samples just before every change and at it.
        share: how more motors than freedoms share the work.
        rate: samples a second [Hz]; samples are taken as they are.
        exponent: of the equivalent mean loads: 3 for ball bearings and ball guides, 10/3 for
            roller bearings.
        on_error: ``"raise"`` at the first sample that is refused, or ``"nan"`` there.

    Returns:
        A :class:`BearingLoads`.

    Raises:
        UnreachablePose, SingularPose, InconsistentTwist: a sample is refused.
    """
    check_on_error(on_error)
    assembly = assembled(robot)
    power = number(exponent, "exponent", positive=True)
    track = sampled(motion, rate)
    if isinstance(loads, LoadSchedule):
        track, when, _ = with_changes(motion, track, loads)
        loads = loads.at(when)
    # refuses loads for another number of samples
    loaded = Loaded(robot, len(track.t), LoadArguments(assembly, loads), share, "legs")
    options: dict[str, Any] = {
        "loads": loaded.loading.loads,
        "share": share,
        "on_error": on_error,
    }
    found = reactions(robot, track.state, frame="child", **options)
    along = np.zeros((len(track.t), len(robot.joints), 2))
    if any(_asks_parent(robot, joint) for joint in robot.joints):
        along = reactions(robot, track.state, **options).wrench[..., [2, 5]]
    elif any(KINDS[joint.kind].one_sided for joint in robot.joints):
        along[..., 0] = np.linalg.norm(found.wrench[..., :3], axis=-1)  # nothing but the normal
    figures, unique = _figures(robot, found, along)
    return BearingLoads(
        robot=robot,
        t=track.t,
        joints=found.joints,
        kinds=tuple(joint.kind for joint in robot.joints),
        **figures,
        speed=_speeds(assembly, track),
        unique=unique,
        exponent=power,
    )


def _asks_parent(robot: Robot, joint: Joint) -> bool:
    """Whether z on the parent matters: a cross or a contact with efforts along its own axes."""
    kind = KINDS[joint.kind]
    if kind.turns != 2 and not kind.one_sided:
        return False
    coupled = {name for each in robot.couplings for name in each.axes}
    return any(
        name in robot.motors
        or name in coupled
        or axis.viscous
        or axis.coulomb
        or axis.spring
        or axis.reflected_inertia
        for name, axis in zip(joint.axis_names, joint.axes, strict=True)
    )


def _figures(
    robot: Robot, found: Reactions, along: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Figures of all joints ``(K, joints)``, and whether each is determined ``(joints,)``."""
    count, known = len(found.wrench), np.isfinite(found.wrench).all(axis=(1, 2))
    figures = {name: np.full((count, len(robot.joints)), np.nan) for name in FIGURES}
    unique = {name: np.ones(len(robot.joints), dtype=bool) for name in FIGURES}
    for i, joint in enumerate(robot.joints):
        wrench = found.wrench[:, i]
        of_joint = Transmitted(wrench[:, :3], wrench[:, 3:], along[:, i])
        for name, (measure, components) in held_figures(KINDS[joint.kind]).items():
            figures[name][:, i] = measure(of_joint)
            unique[name][i] = bool(found.unique[known][:, i, components].all())
    return figures, unique


def _speeds(assembly: Assembly, track: Samples) -> np.ndarray:
    """Speed of every joint ``(K, joints)``: of the axes that wear its bearings."""
    arguments = state_arguments(T_0p=track.T_0p, V_0p=track.V_0p)
    (axes,) = usual(assembly, "axis_speeds")(arguments, on_error="nan").values
    names = list(assembly.robot.axis_names)
    found = np.zeros((len(track.t), len(assembly.robot.joints)))
    for i, joint in enumerate(assembly.robot.joints):
        worn = worn_axes(joint.kind)
        # axes of a universal joint are perpendicular: their rates add by Pythagoras
        columns = [axes[:, names.index(joint.axis_names[k])] for k in worn]
        found[:, i] = np.sqrt(sum(column**2 for column in columns)) if columns else 0.0
    return found
