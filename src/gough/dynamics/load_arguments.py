"""Loads as users give them: checked at the door, then handed out sample by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.arguments import number, switch
from gough.batch import as_array, check_finite
from gough.dynamics.frozen import check_frozen
from gough.dynamics.masses import CentralMass
from gough.dynamics.state_loads import Push, StateLoads
from gough.errors import DescriptionError, InputError, shown
from gough.mobility.assembly import Assembly
from gough.robot import Body, Robot
from gough.robot.body import check_inertia
from gough.robot.names import nearest


@dataclass(frozen=True, eq=False)
class Payload:
    """A body fixed to the platform.

    Args:
        mass: [kg], zero or more; ``(...,)``.
        center: its centre in the frame of the platform's body [m]; ``(..., 3)``.
        inertia: about that centre, in the same axes [kg m^2]; ``(..., 3, 3)``.
    """

    mass: Any
    center: Any = (0.0, 0.0, 0.0)
    inertia: Any = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class LoadArguments:
    """Loads of a call.

    Args:
        assembly: the robot.
        external: ``{body: (point, f, n)}``, wrenches that act on bodies: the point in the body's
            frame, force [N] and moment [N m] in base axes; a list of such tuples for several on
            one body; all with batch axes in front, if wanted.
        payload: a :class:`Payload`, ``(mass, center, inertia)``, a number, or a body.
        friction: viscous and Coulomb friction of all axes.
        rotors: rotor inertia, reflected through transmissions.
        smoothing: speed at which Coulomb friction has reached 71 % [rad/s or m/s].

    Attributes:
        arguments: arrays for :func:`gough.batch.over`, after those of the state.
    """

    def __init__(
        self,
        assembly: Assembly,
        external: Any = None,
        payload: Any = None,
        *,
        friction: bool = True,
        rotors: bool = True,
        smoothing: float = 0.0,
    ) -> None:
        self.assembly = assembly
        self.arguments: dict[str, tuple[np.ndarray, int]] = {}
        self._bodies = self._take_external(external)
        self._has_payload = payload is not None
        if payload is not None:
            self._take_payload(payload)
        self._options = {
            "friction": switch(friction, "friction"),
            "rotors": switch(rotors, "rotors"),
            "smoothing": check_speed(smoothing),
        }
        check_frozen(assembly, friction=friction)

    def _take_external(self, external: Any) -> list[str]:
        bodies: list[str] = []
        if external is None:
            return bodies
        if not isinstance(external, Mapping):
            raise InputError(
                f"external: expected {{body: (point, f, n)}}, got {type(external).__name__}",
                argument="external",
            )
        for name, given in external.items():
            check_body(self.assembly.robot, name)
            several = _several(given, f"external[{name!r}]")
            for i, one in enumerate(given if several else [given]):
                path = f"external[{name!r}]" + (f"[{i}]" if several else "")
                for part, value in zip(("point", "f", "n"), _triple(one, path), strict=True):
                    self.arguments[f"{path}.{part}"] = (as_array(value, (3,), f"{path}.{part}"), 1)
                bodies.append(name)
        return bodies

    def _take_payload(self, payload: Any) -> None:
        if isinstance(payload, Body):
            payload = Payload(payload.mass, payload.center, payload.inertia)
        elif isinstance(payload, tuple):
            if not 1 <= len(payload) <= 3:
                raise InputError(
                    f"payload: expected (mass, center, inertia), got a tuple of {len(payload)}",
                    argument="payload",
                )
            payload = Payload(*payload)
        elif not isinstance(payload, Payload):
            payload = Payload(payload)
        for part, core in (("mass", ()), ("center", (3,)), ("inertia", (3, 3))):
            name = f"payload.{part}"
            self.arguments[name] = (as_array(getattr(payload, part), core, name), len(core))

    def at(self, arrays: Sequence[np.ndarray]) -> StateLoads:
        """The loads of one sample, from its arrays in the order of ``arguments``."""
        for name, array in zip(self.arguments, arrays, strict=True):
            check_finite(np.asarray(array), name)
        k = 3 * len(self._bodies)
        pushes = tuple(
            Push(body, *arrays[3 * i : 3 * i + 3]) for i, body in enumerate(self._bodies)
        )
        payload = self._checked(*arrays[k:]) if self._has_payload else None
        return StateLoads(self.assembly.gravity, pushes, payload, **self._options)  # type: ignore[arg-type]

    def again(self, arrays: Sequence[np.ndarray]) -> dict[str, Any]:
        """The keywords of a call with these arrays in the places of the given ones."""
        loads: dict[str, list[Any]] = {}
        for i, body in enumerate(self._bodies):
            loads.setdefault(body, []).append(tuple(arrays[3 * i : 3 * i + 3]))
        external = {body: x[0] if len(x) == 1 else x for body, x in loads.items()}
        payload = Payload(*arrays[3 * len(self._bodies) :]) if self._has_payload else None
        return {"external": external or None, "payload": payload, **self._options}

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that loads act on, once for each load."""
        return tuple(self._bodies)

    @property
    def has_payload(self) -> bool:
        """Whether there is a payload."""
        return self._has_payload

    @property
    def smoothing(self) -> float:
        """Speed that smooths Coulomb friction [rad/s or m/s]."""
        return float(self._options["smoothing"])

    @property
    def friction(self) -> bool:
        """Whether friction counts."""
        return bool(self._options["friction"])

    @property
    def rotors(self) -> bool:
        """Whether rotors count."""
        return bool(self._options["rotors"])

    def suspects(self) -> np.ndarray | None:
        """Samples whose payload no body can have; ``None`` if there is none to be looked at."""
        if not self._has_payload:
            return None
        mass, inertia = (self.arguments[f"payload.{part}"][0] for part in ("mass", "inertia"))
        with np.errstate(invalid="ignore"):
            odd = np.abs(inertia - np.swapaxes(inertia, -1, -2)).max(axis=(-1, -2)) > 0.0
            finite = np.isfinite(inertia).all(axis=(-1, -2))
            kept = np.where(finite[..., None, None], inertia, np.eye(3))
            a, b, c = np.moveaxis(np.linalg.eigvalsh(kept), -1, 0)
            return np.asarray(~(mass >= 0.0) | odd | ~finite | (a < 0.0) | (a + b < c))

    def _checked(self, mass: np.ndarray, center: np.ndarray, inertia: np.ndarray) -> CentralMass:
        if mass < 0.0:
            raise InputError(f"payload.mass is {float(mass):g}, less than zero", argument="payload")
        try:
            check_inertia(inertia.tolist(), "payload.inertia")
        except DescriptionError as err:
            raise InputError(err.message, hint=err.hint, argument="payload") from err
        return CentralMass(self.assembly.robot.platform, float(mass), center, inertia)


def check_body(robot: Robot, name: Any) -> None:
    """Refuse a load on what is no body, or does not move."""
    bodies = [body.name for body in robot.bodies]
    if isinstance(name, str) and name == robot.base:
        raise InputError(
            f"external: {name!r} is the base, which bears any load without effort",
            argument="external",
        )
    if not isinstance(name, str) or name not in bodies:
        raise InputError(
            f"external: no body {shown(name)}", hint=nearest(name, bodies), argument="external"
        )


def _several(given: Any, path: str) -> bool:
    """Whether several loads are given: a list of tuples; vectors in a list are one load."""
    if not isinstance(given, list) or not any(isinstance(one, (tuple, list)) for one in given):
        return isinstance(given, list) and not given
    if all(isinstance(one, tuple) for one in given):
        return True
    if any(isinstance(one, tuple) or np.ndim(one[0]) for one in given if np.ndim(one)):
        raise _not_a_load(given, path)
    return False


def _triple(given: Any, path: str) -> tuple[Any, Any, Any]:
    """Point, force and moment; without a moment it is zero."""
    parts = isinstance(given, (tuple, list, np.ndarray)) and len(given) in (2, 3)
    if not parts or any(isinstance(x, tuple) and np.ndim(x[0]) for x in given if len(x)):
        raise _not_a_load(given, path)
    point, f, *n = given
    return point, f, n[0] if n else np.zeros(3)


def _not_a_load(given: Any, path: str) -> InputError:
    return InputError(
        f"{path}: expected (point, f, n), got {shown(given)}",
        hint="Point in the body's frame [m], force [N] and moment [N m] in base axes; several "
        "loads on one body are a list of such tuples.",
        argument="external",
    )


def check_speed(smoothing: Any) -> float:
    """A speed that smooths Coulomb friction, or the error that says it is none."""
    return number(smoothing, "smoothing", nonnegative=True)
