"""How far a machine gives way under loads, and how its motors must be offset against it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.english import figures, percent
from gough.base.result import Result
from gough.base.spatial import moved
from gough.elastic.loading import check_resisted
from gough.elastic.statics import Solved
from gough.robot import Robot
from gough.robot.joint_kinds import FREEDOMS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_AXES = ("x", "y", "z", "rx", "ry", "rz")


@dataclass(frozen=True, eq=False)
class Deflection(Result):
    """Small displacements of a machine under loads, its motors holding.

    Attributes:
        platform: of the platform's origin, base axes, linear first ``(..., 6)`` [m, rad].
        T_0p: pose of the platform that gave way ``(..., 4, 4)``.
        bodies: displacement of every body's frame ``(..., 6)``, by name; of a beam that of the
            section nearest to the frame's origin.
        joints: displacement of every joint, where it sits on its child ``(..., 6)``, by name.
        axes: change of the coordinate of every axis, by name: ``(...,)`` of turns and slides [rad
            or m], two numbers of a plane, three of a ball.
        energy: strain energy by part ``(..., parts)`` [J].
        parts: their names.
        findings: what a user should know of it, in sentences: loads too large for it to be linear.
    """

    platform: np.ndarray
    T_0p: np.ndarray
    bodies: dict[str, np.ndarray]
    joints: dict[str, np.ndarray]
    axes: dict[str, np.ndarray]
    energy: np.ndarray
    parts: tuple[str, ...]
    _shapes: Any = field(repr=False)
    findings: tuple[str, ...] = ()

    @property
    def shares(self) -> np.ndarray:
        """Share of each part in the strain energy ``(..., parts)``."""
        whole = self.energy.sum(axis=-1, keepdims=True)
        return np.asarray(self.energy / np.where(whole > 0.0, whole, 1.0))

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        if self.platform.ndim > 1:
            size = np.linalg.norm(self.platform[..., :3], axis=-1)
            yield "states", f"{size.size}"
            known = 1e6 * size[np.isfinite(size)]
            yield "platform", f"{known.min():.4g} to {known.max():.4g} um" if known.size else "none"
            for finding in self.findings:
                yield "finding", finding
            return
        yield "platform", f"{figures(1e6 * self.platform[:3])} um"
        yield "turned", f"{figures(1e6 * self.platform[3:])} urad"
        order = np.argsort(-self.shares)
        for k in order[: min(5, len(order))]:
            if self.shares[k] > 0.01:
                yield f"{percent(float(self.shares[k]))} of the energy", f"in the {self.parts[k]}"
        for finding in self.findings:
            yield "finding", finding

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: displacement of the platform."""
        return dict(zip(_AXES, self.platform.reshape(-1, 6).T, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        return {k: v for k, v in super().to_dict().items() if not k.startswith("_")}

    def draw(
        self,
        *,
        magnified: float | None = None,
        axes: Any = None,
        view: tuple[float, float] | None = None,
    ) -> Figure:
        """The machine as loads bend it, over the undeformed one in grey; of one posture.

        Args:
            magnified: how many times displacements are drawn larger than they are; a round number
                that makes them visible if not given.
            axes: matplotlib axes to draw into; a new figure if not given.
            view: elevation and azimuth from which a robot in space is seen [deg].
        """
        from gough.report.deformed import draw_deflection  # noqa: PLC0415  looks down, when asked

        return draw_deflection(self, magnified=magnified, axes=axes, view=view)


@dataclass(frozen=True, eq=False)
class Compensation(Result):
    """Offsets of motors that bring the platform back where loads have moved it.

    Attributes:
        motors: names of the motors.
        offsets: to be added to their positions ``(..., motors)`` [rad or m].
        platform: what is left of the platform's displacement ``(..., 6)``: zero in the robot's
            freedoms, the rest cannot be reached by its motors.
        before: its displacement without offsets ``(..., 6)``.
        findings: as of a :class:`Deflection`.
    """

    motors: tuple[str, ...]
    offsets: np.ndarray
    platform: np.ndarray
    before: np.ndarray
    findings: tuple[str, ...] = ()

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: the offset of every motor."""
        rows = self.offsets.reshape(-1, len(self.motors))
        return dict(zip(self.motors, rows.T, strict=True))


def displaced(solved: Solved, force: np.ndarray) -> np.ndarray:
    """Coordinates of a machine under a generalised force ``(n,)``."""
    check_resisted(solved, force[:, None])
    return np.asarray(solved.flexibility(force))


def seen(solved: Solved, x: np.ndarray) -> dict[str, np.ndarray]:
    """What a displacement means, by name: of the platform, of bodies, joints and axes, energies."""
    system = solved.system
    found = {"platform": system.platform @ x}
    pose = system.pose(system.robot.platform)
    frame = system.robot.platform_frame
    T = np.eye(4)
    T[:3, :3] = pose.R @ np.array(frame.rotation)
    T[:3, 3] = system.origin
    found["T_0p"] = moved(T, found["platform"])
    for body in system.robot.bodies:
        found[f"bodies {body.name}"] = system.displacement(body.name, np.zeros(3)) @ x
    for place in system.joints:
        name, child = place.joint.name, place.joint.child
        found[f"joints {name}"] = system.displacement(child, place.on_child, name) @ x
    for name, rows in system.axes.items():
        change = rows @ x
        found[f"axes {name}"] = change[0] if len(change) == 1 else change
    found["energy"] = np.array([part.energy(x[:, None])[0] for part in system.parts])
    return found


def unseen(robot: Robot, parts: int) -> dict[str, np.ndarray]:
    """The same of a posture that was refused, NaN, with a number of elastic parts."""
    found = {"platform": np.full(6, np.nan), "T_0p": np.full((4, 4), np.nan)}
    found |= {f"bodies {body.name}": np.full(6, np.nan) for body in robot.bodies}
    for given in robot.joints:
        joint = given.released
        found[f"joints {joint.name}"] = np.full(6, np.nan)
        for name, what in joint.axis_kinds.items():
            count = FREEDOMS[what]
            found[f"axes {name}"] = np.full(() if count == 1 else (count,), np.nan)
    return found | {"energy": np.full(parts, np.nan)}


def offsets(solved: Solved, platform: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Offsets of the motors against a displacement of the platform, and what is left of it.

    A motion of the machine as a mechanism strains nothing, so it adds to what gives way, whatever
    is elastic, also with more motors than freedoms.
    """
    assembly = solved.system.assembly
    solution = assembly.solution(solved.system.posture)
    back = -platform[list(assembly.free)]
    return np.asarray(solution.J_inv @ back), np.asarray(platform + solution.Psi @ back)
