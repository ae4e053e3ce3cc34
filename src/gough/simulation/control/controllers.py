"""Two control laws: springs and dampers on the motors, and computed torque.  [KI] (20)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gough.base.arguments import number, one_of, switch
from gough.base.spatial import rotation_log
from gough.dynamics.shared.load_arguments import at_time
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.errors import InputError, shown
from gough.functions.cartesian import inertia_matrix
from gough.functions.jacobians import inverse_jacobian
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.simulation.control.arguments import check_options, each
from gough.simulation.control.by_model import ByModel
from gough.simulation.control.calls import model_calls
from gough.simulation.control.legs import LegLoop, OnLegs
from gough.simulation.control.loop import OPTIONS, Loop
from gough.simulation.control.reference import Reference, Wanted
from gough.simulation.drive import Measured
from gough.simulation.vision.camera import Camera
from gough.simulation.vision.sight import Sight

Space = Literal["motors", "platform", "legs"]


def joint_pd(
    model: Robot,
    motion: Any,
    *,
    kp: Any = None,
    kd: Any = None,
    bandwidth: float | None = None,
    gravity: bool = True,
    loads: Loads | LoadSchedule | None = None,
    **options: Any,
) -> Loop:
    """PD control of the motors with gravity compensation.

    ``tau = kp (q_ref - q) + kd (qd_ref - qd) + tau_gravity(reference)``

    Args:
        model: the machine as the controller knows it.
        motion: the reference motion.
        kp: stiffness of each motor, or one number [N m/rad or N/m].
        kd: damping [N m s/rad or N s/m].
        bandwidth: instead of kp and kd: ``kp = bandwidth^2 I``, ``kd = 2 bandwidth I`` with I the
            inertia that each motor feels at the start [rad/s].
        gravity: whether efforts that carry the weight at the reference are added.
        loads: forces and payload that the controller knows of, which are carried as well; a
            :class:`gough.LoadSchedule` if they change in time.
        **options: ``period``, ``delay``, ``saturation``, ``quantisation``, ``noise``, ``seed``; see
            :class:`gough.control.Loop`.

    Returns:
        A controller, which :func:`gough.simulate` takes as ``efforts``.

    Raises:
        InputError: an argument makes no sense, or is unknown; names it.
        UnreachablePose: the motion begins where a leg cannot follow.
    """
    check_options(joint_pd, options, OPTIONS)
    gravity = switch(gravity, "gravity")
    reference = Reference(model, motion, loads)
    own = np.ones(len(model.motors))
    if bandwidth is not None:
        own = np.diag(_motor_inertia(model, reference.at(0.0).T_0p, loads))
    return Loop(reference, _JointPD(*_gains(kp, kd, bandwidth, own), gravity=gravity), **options)


def computed_torque(
    model: Robot,
    motion: Any,
    *,
    space: Space = "motors",
    kp: Any = None,
    kd: Any = None,
    bandwidth: float | None = None,
    loads: Loads | LoadSchedule | None = None,
    camera: Camera | Sight | None = None,
    **options: Any,
) -> Loop:
    """Computed torque: the inverse dynamics of a corrected acceleration.

    In ``"motors"`` space the corrected accelerations are those of the motors, ``qdd_ref +
    kd (qd_ref - qd) + kp (q_ref - q)``, and the pose is found from their encoders: the inverse
    model is a function of the motors' motion, [BK] (2).  In ``"platform"`` space they are those of
    the independent coordinates, with pose and twist measured, for example by a camera: the model is
    a function of the platform's motion, [BK] (3), and this is the computed torque control in
    Cartesian space that [KI] names after (20).  In ``"legs"`` space they are those, too, but errors
    are seen in the directions of the legs; [OZ] section 7.

    Args:
        model: the machine as the controller knows it.
        motion: the reference motion.
        space: ``"motors"``, ``"platform"`` or ``"legs"``.
        kp: stiffness by mass of each motor or freedom, or one number [1/s^2].
        kd: damping by mass [1/s].
        bandwidth: instead of both: ``kp = bandwidth^2``, ``kd = 2 bandwidth`` [rad/s].
        loads: what acts on the machine, as the controller knows it, a
            :class:`gough.LoadSchedule` if it changes in time.  Where they have no ``smoothing``,
            Coulomb friction is smoothed as in the simulated machine.
        camera: that looks at the legs of the simulated machine, in ``"legs"`` space: it sets the
            period and the delay.  A :class:`gough.vision.Sight` says more: the observer, encoders.
        **options: ``period``, ``delay``, ``saturation``, ``seed``, and ``quantisation`` and
            ``noise`` of the encoders where they are read; see :class:`gough.control.Loop`.

    Returns:
        A controller, which :func:`gough.simulate` takes as ``efforts``.

    Raises:
        InputError: an argument makes no sense, or is unknown; names it.
    """
    check_options(computed_torque, options, OPTIONS)
    assembly = assembled(model)
    one_of(space, "space", ("motors", "platform", "legs"))
    sight = _sight(space, camera, options)
    count = len(model.motors) if space == "motors" else assembly.mobility
    gains = _gains(kp, kd, bandwidth, np.ones(count))
    reference = Reference(model, motion, loads)
    redundant = len(model.motors) != assembly.mobility
    call = model_calls(assembly, loads, tuple(np.ones(len(model.motors))) if redundant else None)
    if sight is not None:
        return LegLoop(reference, OnLegs(call, *gains), sight, **options)
    law = (_InMotors if space == "motors" else _OnPlatform)(call, *gains)
    loop = Loop(reference, law, **options)
    if space == "platform" and loop.coarse:
        name = "noise" if options.get("quantisation") is None else "quantisation"
        raise InputError(
            f"{name} is that of encoders, and computed torque on the platform does not read them",
            hint="Leave it out, or feed errors back in the motors: space='motors'.",
            argument=name,
        )
    return loop


def _sight(space: str, camera: Any, options: dict[str, Any]) -> Sight | None:
    """The camera of a controller in leg space, which alone has one."""
    if space != "legs":
        if camera is not None:
            raise InputError(
                f"camera: in space={space!r} nobody looks through it",
                hint="Feed errors of the legs back: space='legs'.",
                argument="camera",
            )
        return None
    if not isinstance(camera, (Camera, Sight)):
        raise InputError(
            f"camera is {shown(camera)}: in space='legs' a camera looks at them",
            hint="gough.vision.Camera(gough.vision.looking(position, target)) is one.",
            argument="camera",
        )
    for name in ("period", "delay"):
        if name in options:
            raise InputError(
                f"{name} is that of the camera in space='legs'",
                hint="Give it to the camera: rate=1/period, delay=...",
                argument=name,
            )
    return camera if isinstance(camera, Sight) else Sight(camera)


def _gains(
    kp: Any, kd: Any, bandwidth: float | None, inertia: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if bandwidth is not None:
        if kp is not None or kd is not None:
            raise InputError("give kp and kd, or a bandwidth, not both", argument="bandwidth")
        speed = number(bandwidth, "bandwidth", positive=True)
        return speed**2 * inertia, 2.0 * speed * inertia
    found = []
    for name, value in (("kp", kp), ("kd", kd)):
        if value is None:
            raise InputError(
                f"{name} is missing", hint="Give kp and kd, or a bandwidth.", argument=name
            )
        found.append(each(name, value, len(inertia)))
    return found[0], found[1]


def _motor_inertia(
    model: Robot, T_0p: np.ndarray, loads: Loads | LoadSchedule | None
) -> np.ndarray:
    """Inertia at the motors at a pose, ``J^T M_rob J``: its diagonal [kg m^2 or kg]."""
    J = np.linalg.pinv(np.asarray(inverse_jacobian(model, T_0p)))
    return np.asarray(J.T @ inertia_matrix(model, T_0p, loads=at_time(loads, 0.0)) @ J)


class _JointPD:
    gains_are_efforts = True

    def __init__(self, kp: np.ndarray, kd: np.ndarray, *, gravity: bool) -> None:
        self.kp, self.kd, self.gravity = kp, kd, gravity
        self.label = "PD of the motors" + ", gravity compensated" * gravity

    def efforts(self, wanted: Wanted, measured: Measured) -> np.ndarray:
        """``kp e + kd ed``, and the weight."""
        tau = self.kp * (wanted.q - measured.q) + self.kd * (wanted.qd - measured.qd)
        return np.asarray(tau + wanted.weight if self.gravity else tau)


class _InMotors(ByModel):
    label = "computed torque, errors of the motors"

    def efforts(self, wanted: Wanted, measured: Measured) -> np.ndarray:
        """Inverse dynamics at the pose that follows from the encoders."""
        T = self.call.pose(measured.q, wanted.T_0p)
        qdd = wanted.qdd + self.kd * (wanted.qd - measured.qd) + self.kp * (wanted.q - measured.q)
        return self.call("efforts_of_motors", wanted.t, T_0p=T, qd=measured.qd, qdd=qdd)[0]


class _OnPlatform(ByModel):
    label = "computed torque, errors of the platform"

    def efforts(self, wanted: Wanted, measured: Measured) -> np.ndarray:
        """Inverse dynamics at the pose that is measured."""
        T, free = measured.T_0p, list(self.call.assembly.free)
        off = np.concatenate(
            [
                wanted.T_0p[:3, 3] - T[:, :3, 3],
                [rotation_log(wanted.T_0p[:3, :3] @ R.T) for R in T[:, :3, :3]],
            ],
            axis=1,
        )
        late = (wanted.V_0p - measured.V_0p)[:, free]
        Vdot_r = wanted.Vdot_0p[free] + self.kd * late + self.kp * off[:, free]
        V_r = measured.V_0p[:, free]
        return self.call("efforts_of_freedoms", wanted.t, T_0p=T, V_r=V_r, Vdot_r=Vdot_r)[0]
