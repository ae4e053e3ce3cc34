"""One linear system about a posture: coordinates of all bodies, what joints hold, what gives way.

``C x = 0`` are the rows of joints, motors and couplings, ``N`` spans what they allow; stiffness and
mass of the machine are ``N'KN`` and ``N'MN``, K being the squares of strains.  Rows may be
redundant: machines that are over-constrained need nothing special.
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
from gough.elastic.joints import JointPlace
from gough.elastic.mesh import repeated, shift
from gough.elastic.modelling import Options
from gough.elastic.parts import Damper, Part, spring
from gough.elastic.postures import Postures
from gough.elastic.rest import rigid_mass
from gough.mechanism.closure.equations import BASE, Equations
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.singular import null_space
from gough.robot import Robot


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
class System:
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

    def displacement(self, body: str, point: np.ndarray) -> np.ndarray:
        """Displacement ``[u; theta]`` of a body's point, base axes, per coordinate ``(6, n)``."""
        found = np.zeros((*self.lead, 6, self.size))
        if body in self.models:
            turn = repeated(self.pose(body).R, 2)
            found[..., self.place(body)] = turn @ self.models[body].at(point)
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
        found = self.displacement(self.robot.platform, point)
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
                    xi[..., self.place(body)] = seen @ turn @ self.models[body].at(point)
            found.append(xi)
        if self.stressed is None:
            return found
        return [xi + more for xi, more in zip(found, self.stressed.relative, strict=True)]

    @cached_property
    def axes(self) -> dict[str, np.ndarray]:
        """Change of every axis' coordinates per coordinate of the machine ``(k, n)``, by name."""
        return {
            name: np.stack(rows, axis=-2) @ xi
            for place, xi in zip(self.joints, self.relative, strict=True)
            for name, rows in place.axes().items()
        }

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
            name: (k, rows[0])
            for k, place in enumerate(self.joints)
            for name, rows in place.axes().items()
            if len(rows) == 1
        }

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

    @cached_property
    def parts(self) -> list[Part]:
        """Everything that gives way: beams, bearings, transmissions, springs, controllers."""
        return [*self.body_parts, *self.joint_parts]

    @property
    def joint_parts(self) -> list[Part]:
        """What gives way in joints, whose strains depend on the posture."""
        return [*self._bearings(), *self._drives(), *self._springs()]

    @property
    def body_parts(self) -> list[Part]:
        """Bodies that give way, whose strains are the same in all postures."""
        found = []
        for name, model in self.models.items():
            if len(model.strains):
                own = model.strains
                if self.stressed is not None:
                    own = own + self.stressed.strains[name]
                strains = np.zeros((len(own), self.size))
                strains[:, self.place(name)] = own
                what = "beam of" if model.body.beam is not None else "body"
                found.append(Part(f"{what} {name}", strains, model.damping))
        return found

    def _bearings(self) -> list[Part]:
        found = []
        for place, xi in zip(self.joints, self.relative, strict=True):
            soft = [
                np.sqrt(each.stiffness) * (each.row[..., None, :] @ xi)
                for each in place.directions()
                if each.stiffness is not None
            ]
            if soft and place.joint.bearing is not None:
                damping = place.joint.bearing.damping
                strains = np.concatenate(soft, axis=-2)
                found.append(Part(f"bearing of {place.joint.name}", strains, damping))
        return found

    def _drives(self) -> list[Part]:
        found = []
        for motor, drive in self.drives.items():
            gear, before = self.robot.axis(motor).transmission, self.rotor(motor)
            if gear is not None and gear.stiffness is not None:
                row = self.axes[motor] - (0.0 if before is None else before)
                found.append(spring(f"gear of {motor}", row, gear.stiffness))
            if drive.kp:
                found.append(spring(f"controller of {motor}", self.pushed(motor), drive.kp))
        return found

    def _springs(self) -> list[Part]:
        found = []
        for name, rows in self.axes.items():
            # of an axis that is held by a brake the spring is out of action
            axis = self.robot.axis(name) if name in self.robot.axis_names else None
            if axis is not None and axis.spring is not None:
                found.append(spring(f"spring of {name}", rows, axis.spring.stiffness))
        return found

    @cached_property
    def dampers(self) -> list[Damper]:
        """What opposes speed: friction of axes, transmissions, controllers."""
        found = []
        for name, rows in self.axes.items():
            if name in self.robot.axis_names and self.robot.axis(name).viscous:
                found.append(Damper(rows, self.robot.axis(name).viscous))
        for motor, drive in self.drives.items():
            gear, before = self.robot.axis(motor).transmission, self.rotor(motor)
            if gear is not None and gear.damping:
                found.append(
                    Damper(self.axes[motor] - (0.0 if before is None else before), gear.damping)
                )
            if drive.kd:
                found.append(Damper(self.pushed(motor), drive.kd))
        return found

    @cached_property
    def sprung(self) -> dict[str, float]:
        """Effort that stretches the spring of each axis in the posture, ``k (q - rest)``."""
        found = {}
        for name in self.robot.axis_names:
            given = self.robot.axis(name).spring
            if given is not None:
                q = float(self.assembly.axis_position(self.posture, name))
                found[name] = given.stiffness * (q - given.rest)
        return found

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
        return self.axes[motor] if rotor is None else rotor

    @cached_property
    def strains(self) -> np.ndarray:
        """Strains of all parts per coordinate ``(m, n)``: their squares are ``K``."""
        return np.vstack([np.zeros((0, self.size)), *(part.strains for part in self.parts)])

    @cached_property
    def mass(self) -> np.ndarray:
        """``M`` of all coordinates ``(n, n)``."""
        found = self._masses() if self.stressed is None else self.stressed.mass
        return np.asarray(found + self._rotors())

    def _masses(self) -> np.ndarray:
        """Mass of all bodies and the payload."""
        found = np.zeros((self.size, self.size))
        for name, model in self.models.items():
            found[self.place(name), self.place(name)] += model.mass
        return found if self.payload is None else found + self._carried(self.payload)

    def _carried(self, load: CentralMass) -> np.ndarray:
        """Mass of a payload, about its centre."""
        own = np.asarray(load.I, dtype=float)
        second = np.eye(3) * (np.trace(own) / 2.0) - own
        at = self.models[load.body].at(np.asarray(load.c, dtype=float))
        found, here = np.zeros((self.size, self.size)), self.place(load.body)
        found[here, here] = at.T @ rigid_mass(float(load.m), np.zeros(3), second) @ at
        return found

    @cached_property
    def inertias(self) -> dict[str, float]:
        """Inertia of rotors that move, as felt at their axes, by axis."""
        found = {}
        for name in self.axes if self.options.rotors else ():
            drive = self.drives.get(name)
            if name in self.robot.axis_names and not (drive is not None and drive.locked):
                found[name] = self.robot.axis(name).reflected_inertia
        return {name: inertia for name, inertia in found.items() if inertia}

    def _rotors(self) -> np.ndarray:
        found: np.ndarray = np.zeros((self.size, self.size))
        for name, inertia in self.inertias.items():
            row = self.pushed(name) if name in self.drives else self.axes[name]
            found = found + inertia * row.swapaxes(-1, -2) @ row
        return found

    def weight(self, gravity: np.ndarray, payload: CentralMass | None) -> np.ndarray:
        """Generalised force of gravity [m/s^2], base axes, on every coordinate ``(n,)``.

        Args:
            gravity: acceleration of free fall.
            payload: a body fixed to the platform that counts.
        """
        found = np.zeros((*self.lead, self.size))
        for name, model in self.models.items():
            fall = gravity @ self.pose(name).R
            found[..., self.place(name)] += fall @ model.moments.T
        if payload is not None:
            at = self.displacement(payload.body, np.asarray(payload.c))
            found += (float(payload.m) * gravity) @ at[..., :3, :]
        return found

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
