"""What acts on a machine besides its motors and gravity, as a user says it: one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gough.base.arguments import number, switch
from gough.base.batch import as_array, check_pose
from gough.errors import DescriptionError, InputError, shown
from gough.robot.body import check_inertia

_NOTHING = (0.0, 0.0, 0.0)
FREE_FALL = (0.0, 0.0, -9.81)
_NO_INERTIA = (_NOTHING, _NOTHING, _NOTHING)


@dataclass(frozen=True, eq=False)
class Force:
    """A force and a moment that act on a body of the robot.

    Args:
        body: name of the body.
        f: force, base axes [N]; ``(..., 3)``.
        n: moment, base axes [N m]; ``(..., 3)``.
        point: where the force acts, in the body's frame [m]; ``(..., 3)``.

    Raises:
        InputError: a part has no shape ``(..., 3)``.
    """

    body: str
    f: Any = _NOTHING
    n: Any = _NOTHING
    point: Any = _NOTHING

    def __post_init__(self) -> None:
        if not isinstance(self.body, str):
            raise InputError(
                f"Force: body is {shown(self.body)}, expected the name of a body", argument="body"
            )
        for part in ("f", "n", "point"):
            object.__setattr__(self, part, _own(getattr(self, part), (3,), f"Force.{part}"))


@dataclass(frozen=True, eq=False)
class Payload:
    """A body fixed to the platform.

    Args:
        mass: [kg], zero or more; ``(...,)``.
        center: its centre of mass in the frame of the platform's body [m]; ``(..., 3)``.
        inertia: about that centre, in the same axes [kg m^2]; ``(..., 3, 3)``.

    Raises:
        InputError: a part has not the shape that it should have.
    """

    mass: Any
    center: Any = _NOTHING
    inertia: Any = _NO_INERTIA

    def __post_init__(self) -> None:
        for part, core in (("mass", ()), ("center", (3,)), ("inertia", (3, 3))):
            array = _own(getattr(self, part), core, f"Payload.{part}")
            object.__setattr__(self, part, array)


@dataclass(frozen=True, eq=False)
class BaseMotion:
    """How the base of a machine moves: what an inertial sensor at its origin shows, base axes.

    Of a base that rests, ``felt`` is minus the acceleration of free fall, and the rest is zero.
    :meth:`of` makes it of the motion of the base in space.

    Args:
        felt: acceleration of the base's origin less that of free fall [m/s^2]; ``(..., 3)``.
        omega: angular velocity [rad/s]; ``(..., 3)``.
        alpha: angular acceleration [rad/s^2]; ``(..., 3)``.

    Raises:
        InputError: a part has no shape ``(..., 3)``.
    """

    felt: Any
    omega: Any = _NOTHING
    alpha: Any = _NOTHING

    def __post_init__(self) -> None:
        for part in ("felt", "omega", "alpha"):
            array = _own(getattr(self, part), (3,), f"BaseMotion.{part}")
            object.__setattr__(self, part, array)

    @classmethod
    def of(cls, T: Any, V: Any = None, Vdot: Any = None, gravity: Any = FREE_FALL) -> BaseMotion:
        """The motion of a base that is given in space.

        Args:
            T: pose of the base in a frame at rest ``(..., 4, 4)``.
            V: twist ``[v; omega]`` of its origin, axes of that frame ``(..., 6)`` [m/s, rad/s]; at
                rest if not given.
            Vdot: plain time derivative of the twist ``(..., 6)``; zero if not given.
            gravity: acceleration of free fall, axes of that frame ``(3,)`` [m/s^2].

        Raises:
            InputError: the pose is none.
        """
        poses = as_array(T, (4, 4), "T")
        for pose in poses.reshape(-1, 4, 4):
            if np.isfinite(pose).all():  # others are refused, sample by sample, where they are used
                check_pose(pose, "T")
        R = poses[..., :3, :3]
        twist, rate = (
            as_array(np.zeros(6) if a is None else a, (6,), name)
            for a, name in ((V, "V"), (Vdot, "Vdot"))
        )
        g = as_array(gravity, (3,), "gravity")

        def turned(a: np.ndarray) -> np.ndarray:
            return np.asarray((np.swapaxes(R, -1, -2) @ a[..., None])[..., 0])

        return cls(turned(rate[..., :3] - g), turned(twist[..., 3:]), turned(rate[..., 3:]))


@dataclass(frozen=True, eq=False)
class Loads:
    """What acts on a machine besides its motors and gravity, and what of the machine counts.

    Arrays may have leading batch axes, one entry a state or a machine.

    Args:
        forces: wrenches on bodies.
        payload: a body fixed to the platform, or its mass alone [kg].
        friction: whether viscous and Coulomb friction of all axes count.
        rotors: whether rotor inertia, reflected through transmissions, counts.
        smoothing: if positive, Coulomb friction is ``coulomb rate / sqrt(rate^2 + smoothing^2)``
            instead of ``coulomb sign(rate)`` [rad/s or m/s].  If not given, it is 0 in models of
            one state, and in simulations and their controllers the smallest speed that the steps
            can follow.
        base: how the base moves, a :class:`gough.BaseMotion`; at rest if not given.

    Raises:
        InputError: a part is not what it should be; names it.
    """

    forces: Sequence[Force] = ()
    payload: Payload | Any = None
    friction: bool = True
    rotors: bool = True
    smoothing: float | None = None
    base: BaseMotion | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "forces", _forces(self.forces))
        if self.payload is not None and not isinstance(self.payload, Payload):
            object.__setattr__(self, "payload", _mass_alone(self.payload))
        for name in ("friction", "rotors"):
            object.__setattr__(self, name, switch(getattr(self, name), f"loads.{name}"))
        if self.smoothing is not None:
            speed = number(self.smoothing, "loads.smoothing", nonnegative=True)
            object.__setattr__(self, "smoothing", speed)
        if not isinstance(self.base, BaseMotion | None):
            raise InputError(
                f"loads.base is {shown(self.base)}, expected gough.BaseMotion(felt, omega, alpha)",
                hint="gough.BaseMotion.of(T, V, Vdot) makes it of the base's motion in space.",
                argument="base",
            )

    @cached_property
    def kind(self) -> tuple[Any, ...]:
        """What a model depends on: which bodies are pushed, whether there is a payload, ..."""
        bodies = tuple(force.body for force in self.forces)
        parts = (self.payload is not None, self.base is not None)
        return (bodies, *parts, self.friction, self.rotors, self.smoothing or 0.0)

    @cached_property
    def arrays(self) -> list[np.ndarray]:
        """Arrays of forces, payload and base in the order in which programs take them."""
        found = [a for force in self.forces for a in (force.point, force.f, force.n)]
        if self.payload is not None:
            found += [self.payload.mass[..., None], self.payload.center, self.payload.inertia]
        if self.base is not None:
            found += [self.base.felt, self.base.omega, self.base.alpha]
        return found

    @cached_property
    def is_batch(self) -> bool:
        """Whether an array has an entry for every state."""
        cores = [1] * (3 * len(self.forces)) + ([1, 1, 2] if self.payload is not None else [])
        cores += [1] * (len(self.arrays) - len(cores))
        return any(a.ndim > core for a, core in zip(self.arrays, cores, strict=True))

    @cached_property
    def impossible(self) -> np.ndarray | None:
        """States whose payload no body can have; ``None`` if there is no payload."""
        if self.payload is None:
            return None
        mass, inertia = self.payload.mass, self.payload.inertia
        with np.errstate(invalid="ignore"):
            odd = np.abs(inertia - np.swapaxes(inertia, -1, -2)).max(axis=(-1, -2)) > 0.0
            finite = np.isfinite(inertia).all(axis=(-1, -2))
            kept = np.where(finite[..., None, None], inertia, np.eye(3))
            a, b, c = np.moveaxis(np.linalg.eigvalsh(kept), -1, 0)
            return np.asarray(~(mass >= 0.0) | odd | ~finite | (a < 0.0) | (a + b < c))

    @cached_property
    def is_impossible(self) -> bool:
        """Whether a payload is one that no body can have, at any state."""
        return self.impossible is not None and bool(self.impossible.any())

    def at(self, index: Any) -> Loads:
        """The loads of some samples; what is the same for all samples stays as it is."""
        forces = [
            Force(x.body, *(_some(a, index, 1) for a in (x.f, x.n, x.point))) for x in self.forces
        ]
        payload = self.payload
        if payload is not None:
            cores = ((payload.mass, 0), (payload.center, 1), (payload.inertia, 2))
            payload = Payload(*(_some(a, index, core) for a, core in cores))
        base = self.base
        if base is not None:
            base = BaseMotion(*(_some(a, index, 1) for a in (base.felt, base.omega, base.alpha)))
        return replace(self, forces=forces, payload=payload, base=base)


def _own(value: Any, core: tuple[int, ...], name: str) -> np.ndarray:
    """An array that nobody else writes into: loads are values, and what follows is kept."""
    array = np.array(as_array(value, core, name))
    array.flags.writeable = False
    return array


def as_loads(loads: Any) -> Loads:
    """Loads of a call, none if it has none.

    Raises:
        InputError: they are something else.
    """
    if loads is None:
        return NO_LOADS
    if isinstance(loads, Loads):
        return loads
    raise InputError(
        f"loads is {shown(loads)}, expected gough.Loads(...)",
        hint="gough.Loads(payload=2.0) is a mass on the platform, gough.Loads(forces=[gough.Force("
        "body, f, n, point)]) a wrench on a body.",
        argument="loads",
    )


def check_payload(mass: Any, inertia: np.ndarray, name: str = "loads.payload") -> None:
    """Refuse mass and inertia that no body can have.

    Raises:
        InputError: says which of them, under the name of the payload.
    """
    if mass < 0.0:
        raise InputError(f"{name}.mass is {float(mass):g}, less than zero", argument=f"{name}.mass")
    try:
        check_inertia(inertia.tolist(), f"{name}.inertia")
    except DescriptionError as err:
        raise InputError(err.message, hint=err.hint, argument=f"{name}.inertia") from err


def _some(array: np.ndarray, index: Any, core: int) -> np.ndarray:
    """Samples out of an array that has one for each, or one for all."""
    if array.ndim == core:
        return array
    try:
        return np.asarray(array[0] if len(array) == 1 else array[index])
    except IndexError as err:
        raise InputError(
            f"loads have {len(array)} samples, none of which is {index!r}", argument="index"
        ) from err


def _forces(given: Any) -> tuple[Force, ...]:
    several = isinstance(given, (tuple, list)) and all(isinstance(one, Force) for one in given)
    if several:
        return tuple(given)
    raise InputError(
        f"loads.forces is {shown(given)}, expected a list of gough.Force(body, f, n, point)",
        hint="One force is a list, too: forces=[gough.Force(...)].",
        argument="forces",
    )


def _mass_alone(given: Any) -> Payload:
    if isinstance(given, (tuple, list, dict, str)):
        raise InputError(
            f"loads.payload is {shown(given)}, expected gough.Payload(mass, center, inertia) or a "
            "mass [kg]",
            argument="payload",
        )
    return Payload(np.asarray(given) if isinstance(given, np.ndarray) else given)


NO_LOADS = Loads()
"""Nothing acts besides motors and gravity; friction and rotors count."""
