"""Figures of a robot's maker as parameters: those of a builder, a robot of the zoo, or a file.

The maker is asked again with other figures; where that puts the frames of joints is the geometry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gough.calibration.geometry import Layout, cayley_vectors
from gough.errors import GoughError, InputError
from gough.robot import Robot
from gough.zoo.makers import vary

_NOTHING = 1e-9  # derivative of a frame by a figure that does not move it
_STEP = 1e-5
"""Of a figure in a difference, as a share of its size or of the robot's: squares are 1e-10."""

_ANGLES = ("angle", "phi", "tilt", "beta", "gamma", "theta", "psi", "alpha")


def leaves(robot: Robot) -> dict[str, float]:
    """Single numbers among the figures of a robot's maker, by path: ``bar``, ``legs[2].phi``."""
    return dict(_numbers(robot.parameters))


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _numbers(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for k, part in enumerate(value):
            yield from _numbers(part, f"{path}[{k}]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, float(value)


@dataclass(frozen=True, eq=False)
class Figures:
    """Some figures of a maker.

    Attributes:
        layout: numbers of the geometry.
        names: paths of the figures.
        nominal: their values.
        units: ``m`` or ``rad``.
        tolerances: standard deviations that displace or turn a frame by the tolerances given.
    """

    layout: Layout
    names: tuple[str, ...]
    nominal: tuple[float, ...]
    units: tuple[str, ...]
    tolerances: tuple[float, ...]
    _made: dict[tuple[float, ...], np.ndarray] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, layout: Layout, names: Sequence[str], tolerances: tuple[float, float]) -> Figures:
        """Figures by their paths.

        Args:
            layout: numbers of the geometry.
            names: paths.
            tolerances: of positions [m] and directions [rad].

        Raises:
            InputError: a figure that moves no joint.
        """
        known = leaves(layout.robot)
        nominal = tuple(known[name] for name in names)
        units = [_unit(name) for name in names]
        found = cls(layout, tuple(names), nominal, tuple(units), ())
        slopes = np.abs(found.slopes(np.array(nominal)))
        first = layout.tool.start
        straight = [layout.seats[name] for name in ("parent_points", "child_points")]
        straight.append(slice(first, first + 3))
        bent = [layout.seats[name] for name in ("parent_turns", "child_turns")]
        bent.append(slice(first + 3, first + 6))
        sizes = []
        for k, name in enumerate(names):
            moved, turned = (
                max(float(slopes[place, k].max(initial=0.0)) for place in places)
                for places in (straight, bent)
            )
            if moved <= _NOTHING < turned:
                units[k] = "rad"
            size = min(
                tolerances[0] / moved if moved > _NOTHING else np.inf,
                tolerances[1] / turned if turned > _NOTHING else np.inf,
            )
            if not np.isfinite(size):
                raise InputError(
                    f"free: {name} moves no joint of {layout.robot.name}, nor its platform",
                    hint="Calibration finds geometry; masses and friction are identified.",
                    argument="free",
                )
            sizes.append(size)
        return cls(layout, tuple(names), nominal, tuple(units), tuple(sizes))

    def chosen(self, which: Sequence[int]) -> Figures:
        """Some of them."""

        def some(values: Sequence[Any]) -> Any:
            return tuple(values[k] for k in which)

        own = (self.names, self.nominal, self.units, self.tolerances)
        return Figures(self.layout, *map(some, own))

    def robot(self, p: np.ndarray) -> Robot:
        """The robot with other figures.

        Raises:
            InputError: the maker refuses them.
        """
        try:
            return vary(self.layout.robot, dict(zip(self.names, p.tolist(), strict=True)))
        except GoughError as err:
            values = ", ".join(f"{n} = {v:.6g}" for n, v in zip(self.names, p, strict=True))
            raise InputError(
                f"{self.layout.robot.name}: its maker refuses {values}: {err.message}",
                hint="Measurements lead to figures that no machine has: look for outliers, free "
                "fewer figures, or give a prior.",
                argument="free",
            ) from err

    def geometry(self, p: np.ndarray) -> np.ndarray:
        """The whole geometry with other figures."""
        key = tuple(p.tolist())
        if key not in self._made:
            if len(self._made) > 256:
                self._made.clear()
            self._made[key] = self._seated(self.robot(p))
        return self._made[key]

    def _seated(self, robot: Robot) -> np.ndarray:
        layout = self.layout
        if [j.name for j in robot.joints] != [j.name for j in layout.robot.joints]:
            raise InputError(
                f"{layout.robot.name}: with other figures it has other joints", argument="free"
            )
        g = layout.nominal.copy()
        for end in ("parent", "child"):
            new, old = (
                [getattr(j, f"{end}_frame") for j in each.joints] for each in (robot, layout.robot)
            )
            g[layout.seats[f"{end}_points"]] = np.array([f.position for f in new]).ravel()
            R = np.array([f.rotation for f in new]) @ np.array([f.rotation for f in old]).swapaxes(
                1, 2
            )
            g[layout.seats[f"{end}_turns"]] = cayley_vectors(R).ravel()
        T = np.linalg.inv(layout.robot.platform_frame.matrix) @ robot.platform_frame.matrix
        g[layout.tool] = [*T[:3, 3], *cayley_vectors(T[None, :3, :3])[0]]
        pitches = [[j.pitch for j in each.joints] for each in (robot, layout.robot)]
        if pitches[0] != pitches[1]:
            raise InputError(
                f"{layout.robot.name}: the pitch of a helical joint cannot be free",
                hint="Free the gain of its motor instead.",
                argument="free",
            )
        return g

    def slopes(self, p: np.ndarray) -> np.ndarray:
        """Derivatives of the geometry ``(G, f)``, by differences."""
        found = []
        for k in range(len(p)):
            h = _STEP * max(abs(p[k]), 0.01)
            ahead, behind = p.copy(), p.copy()
            ahead[k] += h
            behind[k] -= h
            found.append((self.geometry(ahead) - self.geometry(behind)) / (ahead[k] - behind[k]))
        return np.array(found).T


def _unit(path: str) -> str:
    """Unit of a figure, by its name: makers say it in words only."""
    last = path.rpartition(".")[2].partition("[")[0]
    return "rad" if any(last.startswith(word) for word in _ANGLES) else "m"
