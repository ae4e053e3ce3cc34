"""Vibrations of a machine: frequencies, damping, shapes, and which part is to blame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import check_known
from gough.base.english import counted, direction, listed, percent
from gough.base.result import Result
from gough.elastic.damping import damping_matrix, damping_ratios
from gough.elastic.statics import Solved
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMED = 0.05  # share of the energy from which a part is named
_AXIS = 0.97  # cosine from which on a direction is told as an axis: within 14 degrees
_MINOR = 0.3  # share of the other below which moving, or turning, is not told


@dataclass(frozen=True, eq=False)
class Vibrations(Result):
    """Lowest vibrations of a machine about a posture, or about each of a batch.

    Shapes have unit modal mass, and any sign.  Frequencies that are close to each other have shapes
    that mix: compare the frequencies, not single shapes.

    Attributes:
        robot: the machine.
        frequencies: without damping, lowest first ``(..., k)`` [Hz]; NaN where there are fewer.
        damping: damping ratio of each ``(..., k)``: of data of the parts, weighed by their share in
            the strain energy, or the one that was given.
        platform: amplitude of the platform's origin, base axes ``(..., k, 6)`` [m, rad per root of
            kg m^2].
        participation: share of the machine's mass that follows when the base shakes along or about
            x, y, z, through the platform's origin ``(..., k, 6)``.
        shares: share of each part in the strain energy ``(..., k, parts)``.
        parts: their names.
        free: motions that nothing resists, at 0 Hz, which are left out ``(...,)``.
    """

    robot: Robot
    frequencies: np.ndarray
    damping: np.ndarray
    platform: np.ndarray
    participation: np.ndarray
    shares: np.ndarray
    parts: tuple[str, ...]
    free: np.ndarray
    _solved: Any = field(repr=False)
    _shapes: Any = field(repr=False)

    def shape(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Places on a body, and how they move in each vibration.

        Args:
            body: its name.

        Returns:
            Points in the base ``(..., p, 3)`` [m], nodes of a beam or joints of another body, and
            their amplitudes, base axes ``(..., k, p, 3)``; NaN in postures that were refused.
        """
        check_known(body, [each.name for each in self.robot.bodies], "no body", "body")
        lead, count = self.frequencies.shape[:-1], self.frequencies.shape[-1]
        found = [
            shape_on(solved, body, x, count)
            for solved, x in zip(self._solved, self._shapes, strict=True)
        ]
        points = next((p for p, _ in found if p is not None), np.zeros((0, 3)))
        places = np.full((len(found), *points.shape), np.nan)
        moves = np.full((len(found), count, *points.shape), np.nan)
        for k, (p, u) in enumerate(found):
            if p is not None:
                places[k], moves[k] = p, u
        return places.reshape((*lead, *points.shape)), moves.reshape((*lead, count, *points.shape))

    def draw(
        self, number: int = 1, *, axes: Any = None, view: tuple[float, float] | None = None
    ) -> Figure:
        """A vibration's shape, over the undeformed machine in grey; of one posture.

        Args:
            number: which vibration, 1 being the lowest.
            axes: matplotlib axes to draw into; a new figure if not given.
            view: elevation and azimuth from which a robot in space is seen [deg].
        """
        from gough.report.deformed import draw_vibration  # noqa: PLC0415  looks down, when asked

        return draw_vibration(self, number, axes=axes, view=view)

    def sentences(self) -> list[str]:
        """What shakes at each frequency, and which parts give way; of one posture."""
        if self.frequencies.ndim > 1:
            return []
        found = []
        for k, frequency in enumerate(self.frequencies):
            if np.isfinite(frequency):
                found.append(f"{frequency:.4g} Hz: {self._moves(k)}; {self._blamed(k)}")
        return found

    def _moves(self, k: int) -> str:
        """What the platform does in a vibration."""
        V, length = self.platform[k], self.robot.length
        largest = max(float(np.linalg.norm(u)) for u in self._sizes(k))
        if np.linalg.norm(np.append(V[:3], V[3:] * length)) < 0.01 * largest:
            return "the platform hardly moves"
        moved, turned = float(np.linalg.norm(V[:3])), length * float(np.linalg.norm(V[3:]))
        words = []
        if moved >= _MINOR * turned:
            words.append(f"moves along {_nearly(V[:3])}")
        if turned >= _MINOR * moved:
            words.append(f"turns about {_nearly(V[3:])}")
        return f"the platform {listed(words)}"

    def _sizes(self, k: int) -> list[np.ndarray]:
        found = []
        for body in self.robot.bodies:
            _, u = self.shape(body.name)
            found += list(u[k])
        return found or [np.zeros(3)]

    def _blamed(self, k: int) -> str:
        """Parts that store the energy of a vibration, in words."""
        order = np.argsort(-self.shares[k], kind="stable")
        named = [j for j in order[:3] if self.shares[k, j] >= _NAMED] or list(order[:1])
        first, *rest = [f"{percent(float(self.shares[k, j]))}" for j in named]
        text = f"{first} of the energy is in the {self.parts[named[0]]}"
        for share, j in zip(rest, named[1:], strict=True):
            text += f", {share} in the {self.parts[j]}"
        return text

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.robot.name
        if self.frequencies.ndim > 1:
            lowest = self.frequencies[..., 0]
            yield "states", f"{lowest.size}"
            known = lowest[np.isfinite(lowest)]
            yield "lowest", f"{known.min():.4g} to {known.max():.4g} Hz" if known.size else "none"
            return
        if self.free:
            yield "free motions", f"{counted(int(self.free), 'motion')} at 0 Hz left out"
        for k, sentence in enumerate(self.sentences()):
            ratio = f", damping ratio {percent(float(self.damping[k]))}" if self.damping[k] else ""
            yield f"{k + 1}", sentence + ratio
        if not np.nan_to_num(self.damping).any():
            yield "damping", "no part has damping data, so none is counted"

    def columns(self) -> dict[str, np.ndarray]:
        """One row a frequency, state after state, with the part that has most of the energy."""
        count = self.frequencies.shape[-1]
        names = np.array([*self.parts, ""], dtype=object)
        shares = self.shares.reshape(self.frequencies.size, len(self.parts))
        known = np.isfinite(self.frequencies.ravel())
        ranked = np.column_stack([np.nan_to_num(shares), np.zeros(len(shares))])
        worst = np.where(known, np.argmax(ranked, axis=1), len(self.parts))
        order = np.tile(np.arange(1, count + 1), len(shares) // max(count, 1))
        return {
            "vibration": order,
            "frequency": self.frequencies.ravel(),
            "damping": self.damping.ravel(),
            "part": names[worst],
            "share": np.where(known, shares.max(axis=1, initial=0.0), np.nan),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        found = super().to_dict()
        return {k: v for k, v in found.items() if not k.startswith("_")} | {
            "sentences": self.sentences()
        }


def _nearly(vector: np.ndarray) -> str:
    """A direction in words: an axis that it is near to, or its components."""
    unit = vector / np.linalg.norm(vector)
    k = int(np.argmax(np.abs(unit)))
    return direction(np.eye(3)[k] if abs(unit[k]) > _AXIS else np.round(unit, 2))


def vibrating(solved: Solved, count: int, ratio: float | None) -> dict[str, np.ndarray]:
    """Lowest vibrations of one posture, padded with NaN, by the names of :class:`Vibrations`."""
    omega, x = solved.modes
    omega, x = omega[:count], x[:, :count]
    system, parts = solved.system, solved.system.parts
    energy = np.array([part.energy(x) for part in parts]).reshape(len(parts), len(omega))
    whole = energy.sum(axis=0)
    shares = energy / np.where(whole > 0.0, whole, 1.0)
    damping = damping_ratios(damping_matrix(system, omega, x, shares, ratio), omega)
    M, r = system.mass, system.together
    moved = (r.T @ M @ x) ** 2
    total = np.einsum("ij,ij->j", r, M @ r)
    participation = moved / np.where(total > 0.0, total, 1.0)[:, None]
    found = {
        "frequencies": omega / (2.0 * np.pi),
        "damping": damping,
        "platform": (system.platform @ x).T,
        "participation": participation.T,
        "shares": shares.T,
    }
    padded = {}
    for name, values in found.items():
        padded[name] = np.full((count, *values.shape[1:]), np.nan)
        padded[name][: len(values)] = values
    return padded | {"free": np.array(float(solved.free.shape[1])), "x": x}


def shape_on(solved: Any, body: str, x: Any, count: int) -> tuple[Any, Any]:
    """Points of a body in the base, and their amplitudes ``(count, p, 3)``, padded with NaN."""
    if solved is None:
        return None, None
    system = solved.system
    model, pose = system.models[body], system.pose(body)
    if model.mesh is not None:
        local = model.mesh.nodes
    else:
        on = [(each.joint.parent, each.on_parent) for each in system.joints]
        on += [(each.joint.child, each.on_child) for each in system.joints]
        local = np.array([point for name, point in on if name == body]).reshape(-1, 3)
    moves = np.full((count, len(local), 3), np.nan)
    for i, point in enumerate(local):
        moves[: x.shape[1], i] = (system.displacement(body, point)[:3] @ x).T
    return pose.p + local @ pose.R.T, moves
