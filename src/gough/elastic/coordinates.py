"""Small displacements of a machine about a posture: coordinates of all bodies, what joints hold.

``C x = 0`` are the rows of joints, motors, couplings and spins that are held; ``N`` spans what they
allow.  Rows may be redundant: machines that are over-constrained need nothing special.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np

from gough.base.spatial import twist_scales
from gough.dynamics.shared.masses import CentralMass
from gough.elastic.bodies import BodyModel
from gough.elastic.drives import Drive
from gough.elastic.held import HeldRate, HeldSpin, held_idle
from gough.elastic.joints import JointPlace
from gough.elastic.mesh import repeated, shift
from gough.elastic.modelling import Options
from gough.elastic.postures import Postures
from gough.mechanism.closure.equations import BASE, Equations
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.singular import null_space
from gough.robot import Robot
from gough.robot.body_stiffness import PLATFORM


class Stressed(NamedTuple):
    """What loads change of a machine.

    Attributes:
        relative: change of the small twist of every joint per coordinate ``(6, n)``.
        strains: change of the strains of elastic bodies per coordinate of theirs, by name.
        geometric: what forces in the machine add to its stiffness ``(n, n)``.
        platform: change of the platform's displacement per coordinate ``(6, n)``.
        mass: of all bodies and the payload, where they have moved ``(n, n)``.
        moved: largest coordinate of the loaded posture, natural units: what is left out is smaller
            than what is kept by this share.
    """

    relative: tuple[np.ndarray, ...]
    strains: Mapping[str, np.ndarray]
    geometric: np.ndarray
    platform: np.ndarray
    mass: np.ndarray
    moved: float


Hold = tuple[tuple[int, np.ndarray], ...]
"""What is held: rows over the small twists of joints, by their numbers; their sum is zero."""


@dataclass(frozen=True, eq=False)
class Coordinates:
    """A machine about a posture, or about each of a batch; arrays then have an axis more in front.

    Attributes:
        assembly: the robot.
        at: the posture, or all of them.
        joints: all joints in it.
        models: bodies by name.
        drives: how motors hold, by name.
        options: what counts.
        payload: a body fixed to the platform.
        stressed: what loads change: about the posture that they have moved.
    """

    assembly: Assembly
    at: Equations | Postures
    joints: Sequence[JointPlace]
    models: Mapping[str, BodyModel]
    drives: Mapping[str, Drive]
    options: Options
    payload: CentralMass | None = None
    stressed: Stressed | None = None

    @property
    def robot(self) -> Robot:
        """The machine."""
        return self.assembly.robot

    @cached_property
    def starts(self) -> dict[str, int]:
        """First coordinate of every body, and of every rotor that moves behind a spring."""
        found, count = {}, 0
        for name, model in self.models.items():
            found[name] = count
            count += model.size
        for motor in self.robot.motors:
            if self._has_rotor(motor):
                found[f"rotor {motor}"] = count
                count += 1
        found[""] = count
        return found

    def _has_rotor(self, motor: str) -> bool:
        gear = self.robot.axis(motor).transmission
        soft = gear is not None and gear.stiffness is not None
        return soft and not self.drives[motor].locked

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return self.starts[""]

    @cached_property
    def scale(self) -> np.ndarray:
        """Natural unit of every coordinate ``(n,)``: a length, or 1."""
        length = self.assembly.length
        found = np.ones(self.size)
        for name, model in self.models.items():
            here = self.starts[name]
            found[here : here + model.size] = np.where(model.turns, 1.0, length)
        return found

    def pose(self, body: str) -> Pose:
        """Pose of a body in the base."""
        return self.at.body_poses.get(body, BASE)

    def displacement(self, body: str, point: np.ndarray, frame: str = "") -> np.ndarray:
        """Displacement ``[u; theta]`` of a body's point, base axes, per coordinate ``(6, n)``.

        Args:
            body: its name.
            point: body axes [m].
            frame: the joint that sits there, if one does.
        """
        found = np.zeros((*self.lead, 6, self.size))
        if body in self.models:
            turn = repeated(self.pose(body).R, 2)
            found[..., self.place(body)] = turn @ self.models[body].at(point, frame)
        return found

    @property
    def lead(self) -> tuple[int, ...]:
        """Axes of a batch."""
        return tuple(np.shape(self.pose(self.robot.platform).p)[:-1])

    @property
    def posture(self) -> Equations:
        """The posture, of a system about a single one."""
        if isinstance(self.at, Postures):
            raise TypeError("many postures")
        return self.at

    def place(self, body: str) -> slice:
        """Where the coordinates of a body are among all."""
        return slice(self.starts[body], self.starts[body] + self.models[body].size)

    @cached_property
    def platform(self) -> np.ndarray:
        """Displacement of the platform's origin, base axes, per coordinate ``(6, n)``."""
        point = np.array(self.robot.platform_frame.position)
        found = self.displacement(self.robot.platform, point, PLATFORM)
        return found if self.stressed is None else found + self.stressed.platform

    @cached_property
    def relative(self) -> list[np.ndarray]:
        """Small twist of every joint per coordinate, axes of its frame A ``(6, n)``."""
        found = []
        for place in self.joints:
            xi = np.zeros((*self.lead, 6, self.size))
            for body, point, seen in place.ends:
                if body in self.models:
                    turn = repeated(self.pose(body).R, 2)
                    at = self.models[body].at(point, place.joint.name)
                    xi[..., self.place(body)] = seen @ turn @ at
            found.append(xi)
        if self.stressed is None:
            return found
        return [xi + more for xi, more in zip(found, self.stressed.relative, strict=True)]

    @cached_property
    def axes(self) -> dict[str, np.ndarray]:
        """Change of every axis' coordinates per coordinate of the machine ``(k, n)``, by name."""
        return {name: self.axis(name) for name in self.axis_names}

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Names of all axes that joints have, those behind brakes too."""
        return tuple(self._axis_places)

    @cached_property
    def _axis_places(self) -> dict[str, tuple[int, list[np.ndarray]]]:
        """Of every axis the number of its joint, and its rows over the small twist."""
        return {
            name: (k, rows)
            for k, place in enumerate(self.joints)
            for name, rows in place.axes().items()
        }

    def axis(self, name: str) -> np.ndarray:
        """Change of an axis' coordinates per coordinate of the machine ``(k, n)``."""
        found = self._known_axes.get(name)
        if found is None:
            k, rows = self._axis_places[name]
            found = self._known_axes[name] = np.stack(rows, axis=-2) @ self.relative[k]
        return found

    @cached_property
    def _known_axes(self) -> dict[str, np.ndarray]:
        return {}

    @cached_property
    def holds(self) -> list[Hold]:
        """What joints, motors and couplings hold, each of unit size in natural units."""
        found: list[Hold] = []
        for k, place in enumerate(self.joints):
            rigid = [each.row for each in place.directions() if each.stiffness is None]
            if place.held:
                rigid += [row for rows in place.axes().values() for row in rows]
            found += [((k, row),) for row in rigid]
        axes = self.axis_rows
        for motor, drive in self.drives.items():
            gear = self.robot.axis(motor).transmission
            if drive.locked and (gear is None or gear.stiffness is None):
                found.append((axes[motor],))
        for coupling in self.robot.couplings:
            terms = [(axes[name], c) for name, c in coupling.axes.items()]
            found.append(tuple((k, c * row) for (k, row), c in terms))
        found += [((k, row),) for k, row in self._held_idle[1]]
        units = twist_scales(self.assembly.length)
        sizes = [max(float(np.abs(row * units).max()) for _, row in hold) for hold in found]
        return [
            tuple((k, row / size) for k, row in hold)
            for hold, size in zip(found, sizes, strict=True)
        ]

    @cached_property
    def axis_rows(self) -> dict[str, tuple[int, np.ndarray]]:
        """Of every turn and slide the number of its joint, and its row over the small twist."""
        return {
            name: (k, rows[0]) for name, (k, rows) in self._axis_places.items() if len(rows) == 1
        }

    @cached_property
    def _held_idle(self) -> tuple[list[HeldSpin], list[HeldRate]]:
        return held_idle(self.assembly, self.joints)

    @property
    def spins(self) -> list[HeldSpin]:
        """Bodies that may not spin about an axis of their own, by ``idle: locked``."""
        return self._held_idle[0]

    @cached_property
    def rows(self) -> np.ndarray:
        """``C`` of ``C x = 0``, natural units: rows of unit size, coordinates in their units."""
        found = [np.zeros((*self.lead, 0, self.size))]
        for joint, holds in groupby(self.holds, lambda hold: hold[0][0] if len(hold) == 1 else -1):
            if joint >= 0:  # all rows of a joint at once
                rows = np.broadcast_arrays(*(row for ((_, row),) in holds))
                found.append(np.stack(rows, axis=-2) @ self.relative[joint])
            else:
                terms = [
                    sum(row[..., None, :] @ self.relative[k] for k, row in hold) for hold in holds
                ]
                found += [np.asarray(term) for term in terms]
        for spin in self.spins:  # in axes of the body it is the same in all postures
            row = np.zeros((*self.lead, 1, self.size))
            turn = self.models[spin.body].at(spin.point, spin.joint)[3:]
            row[..., 0, self.place(spin.body)] = spin.axis @ turn
            found.append(row)
        return np.asarray(np.concatenate(found, axis=-2) * self.scale)

    @cached_property
    def allowed(self) -> np.ndarray:
        """``N``: displacements that the rows allow, columns ``(n, r)``."""
        touched = np.abs(self.rows).max(axis=0, initial=0.0) > 0.0
        _, null = null_space(self.rows[:, touched])
        free = np.flatnonzero(~touched)
        found = np.zeros((self.size, null.shape[1] + len(free)))
        found[np.ix_(touched, range(null.shape[1]))] = null
        found[free, null.shape[1] + np.arange(len(free))] = 1.0
        return np.asarray(found * self.scale[:, None])

    def rotor(self, motor: str) -> np.ndarray | None:
        """The rotor's own coordinate, as felt at the axis, ``(1, n)``; None if it has none."""
        here = self.starts.get(f"rotor {motor}")
        if here is None:
            return None
        found = np.zeros((1, self.size))
        found[0, here] = 1.0
        return found

    def pushed(self, motor: str) -> np.ndarray:
        """What the effort of a motor moves, ``(1, n)``: its rotor, or its axis."""
        rotor = self.rotor(motor)
        return self.axis(motor) if rotor is None else rotor

    @property
    def origin(self) -> np.ndarray:
        """The platform's origin in the base [m]."""
        body = self.pose(self.robot.platform)
        return np.asarray(body.p + body.R @ np.array(self.robot.platform_frame.position))

    @cached_property
    def together(self) -> np.ndarray:
        """Coordinates per small motion of the whole machine about the platform's origin ``(n, 6)``.

        Base axes; as if the base itself were moved.
        """
        origin, found = self.origin, np.zeros((self.size, 6))
        for name, model in self.models.items():
            R, p = self.pose(name)
            found[self.place(name)] = model.rigid @ repeated(R.T, 2) @ shift(p - origin)
        return found
