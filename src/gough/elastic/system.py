"""One linear system about a posture: what gives way of a machine, and what it weighs.

Stiffness and mass of the machine are ``N'KN`` and ``N'MN``, K being the squares of strains and
``N`` what joints allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.dynamics.shared.masses import CentralMass
from gough.elastic.coordinates import Coordinates
from gough.elastic.parts import Damper, Part, spring
from gough.elastic.rest import rigid_mass


@dataclass(frozen=True, eq=False)
class System(Coordinates):
    """A machine about a posture, or about each of a batch, with stiffness and mass."""

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
                row = self.axis(motor) - (0.0 if before is None else before)
                found.append(spring(f"gear of {motor}", row, gear.stiffness))
            if drive.kp:
                found.append(spring(f"controller of {motor}", self.pushed(motor), drive.kp))
        return found

    def _springs(self) -> list[Part]:
        found = []
        for name in self.axis_names:
            # of an axis that is held by a brake the spring is out of action
            axis = self.robot.axis(name) if name in self.robot.axis_names else None
            if axis is not None and axis.spring is not None:
                found.append(spring(f"spring of {name}", self.axis(name), axis.spring.stiffness))
        return found

    @cached_property
    def dampers(self) -> list[Damper]:
        """What opposes speed: friction of axes, transmissions, controllers."""
        found = []
        for name in self.axis_names:
            if name in self.robot.axis_names and self.robot.axis(name).viscous:
                found.append(Damper(self.axis(name), self.robot.axis(name).viscous))
        for motor, drive in self.drives.items():
            gear, before = self.robot.axis(motor).transmission, self.rotor(motor)
            if gear is not None and gear.damping:
                found.append(
                    Damper(self.axis(motor) - (0.0 if before is None else before), gear.damping)
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
        for name in self.axis_names if self.options.rotors else ():
            drive = self.drives.get(name)
            if name in self.robot.axis_names and not (drive is not None and drive.locked):
                found[name] = self.robot.axis(name).reflected_inertia
        return {name: inertia for name, inertia in found.items() if inertia}

    def _rotors(self) -> np.ndarray:
        found: np.ndarray = np.zeros((self.size, self.size))
        for name, inertia in self.inertias.items():
            row = self.pushed(name) if name in self.drives else self.axis(name)
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
