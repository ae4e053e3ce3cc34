"""The machine on the bench: states that were measured, predicted from a geometry.

Motors are read, loops are closed, and the tool is seen from the measuring device::

    T_dt = T_0d^-1  T_0p(q, frames)  T_pt
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.base import turns
from gough.calibration.geometry import Layout, displaced, turning
from gough.calibration.loops import SeatedLoops, seated_loops
from gough.mechanism.mobility.assembly import Assembly
from gough.modes.closing import Machines


class Seen(NamedTuple):
    """Predicted states.

    Attributes:
        machines: platform and joints.
        closed: which states the machine can have ``(S,)``.
        T_dt: pose of the tool in the device's frame ``(S, 4, 4)``.
        T_0t: the same in the base ``(S, 4, 4)``.
    """

    machines: Machines
    closed: np.ndarray
    T_dt: np.ndarray
    T_0t: np.ndarray


class SeenSlopes(NamedTuple):
    """Derivatives of predicted states by the whole geometry.

    Attributes:
        tool: twist of the tool about its origin, axes of the device ``(S, 6, G)``.
        axes: coordinates of axes that are read, by name ``(S,)``.
        axes_by: their derivatives, by name ``(S, G)``.
        open: what loops leave open, natural units ``(S, m)``.
        open_by: its derivatives ``(S, m, G)``.
    """

    tool: np.ndarray
    axes: dict[str, np.ndarray]
    axes_by: dict[str, np.ndarray]
    open: np.ndarray
    open_by: np.ndarray


@dataclass(frozen=True, eq=False)
class Bench:
    """Measured states of one machine.

    Attributes:
        layout: numbers of its geometry.
        loops: its loops, closed wherever joints sit.
        readings: of the motors ``(S, n)`` [rad or m].
        T_0d: nominal frame of the measuring device in the base.
        T_pt: nominal frame of the tool on the platform.
    """

    layout: Layout
    loops: SeatedLoops
    readings: np.ndarray
    T_0d: np.ndarray
    T_pt: np.ndarray

    @classmethod
    def of(
        cls,
        assembly: Assembly,
        readings: np.ndarray,
        axes: Sequence[str] = (),
        T_0d: np.ndarray | None = None,
        T_pt: np.ndarray | None = None,
    ) -> Bench:
        """Measured states of a machine, axes that are read among them."""
        frames = [np.eye(4) if T is None else T for T in (T_0d, T_pt)]
        return cls(Layout(assembly.robot), seated_loops(assembly, axes), readings, *frames)

    def at(self, readings: np.ndarray) -> Bench:
        """The same machine at other readings of its motors."""
        return Bench(self.layout, self.loops, readings, self.T_0d, self.T_pt)

    def positions(self, g: np.ndarray) -> np.ndarray:
        """Motor positions ``(S, n)`` [rad or m] that readings mean."""
        layout = self.layout
        return np.asarray(self.readings * g[layout.gains] + g[layout.offsets])

    def first(self, g: np.ndarray) -> Seen:
        """States led there from home."""
        seats, loops = self.layout.seats_of(g), self.loops
        home = loops.home(len(self.readings))
        machines, closed = loops.led(home, self.positions(g), seats)
        return self.seen(g, machines, closed)

    def near(self, g: np.ndarray, start: Machines) -> Seen:
        """States closed from those of a geometry nearby."""
        q, seats = self.positions(g), self.layout.seats_of(g)
        machines, closed = self.loops.closed(start, q, seats)
        return self.seen(g, machines, closed)

    def seen(self, g: np.ndarray, machines: Machines, closed: np.ndarray | None = None) -> Seen:
        """States whose loops have been closed, as the device sees them."""
        if closed is None:
            closed = np.ones(len(machines.T_0p), dtype=bool)
        T_0d, T_pt = self.device(g), displaced(self.T_pt, g[self.layout.tool])
        T_0t = machines.T_0p @ T_pt
        return Seen(machines, closed, np.linalg.inv(T_0d) @ T_0t, T_0t)

    def device(self, g: np.ndarray) -> np.ndarray:
        """Frame of the measuring device in the base."""
        return displaced(self.T_0d, g[self.layout.device])

    def slopes(self, g: np.ndarray, seen: Seen) -> SeenSlopes:
        """Derivatives of predicted states by the whole geometry."""
        layout, loops = self.layout, self.loops
        found = loops.slopes(seen.machines, self.positions(g), layout.seats_of(g))

        def whole(by_frames: np.ndarray, by_motors: np.ndarray) -> np.ndarray:
            columns = np.zeros((*by_frames.shape[:2], layout.size))
            columns[..., layout.frames] = by_frames
            columns[..., layout.offsets] = by_motors
            columns[..., layout.gains] = by_motors * self.readings[:, None, :]
            return columns

        platform = whole(found.pose, found.pose_by_motors)
        read = whole(found.axes_by_frames, found.axes_by_motors)
        return SeenSlopes(
            self.tool_slopes(g, seen, platform),
            {name: found.axes[:, k] for k, name in enumerate(loops.axes)},
            {name: read[:, k] for k, name in enumerate(loops.axes)},
            found.open,
            whole(found.open_by_frames, found.open_by_motors),
        )

    def tool_slopes(self, g: np.ndarray, seen: Seen, platform: np.ndarray) -> np.ndarray:
        """Twists of the tool in the axes of the device, from those of the platform in the base."""
        layout, R_0p = self.layout, seen.machines.T_0p[:, :3, :3]
        at = seen.T_0t[:, :3, 3]
        arm = turns.skew(at - seen.machines.T_0p[:, :3, 3])
        v, w = platform[:, :3] - arm @ platform[:, 3:], platform[:, 3:].copy()
        by = g[layout.tool]
        first = layout.tool.start
        v[:, :, first : first + 3] += R_0p
        w[:, :, first + 3 : first + 6] += R_0p @ turning(by[3:])
        T_0d, turned = self.device(g), turning(g[layout.device][3:])
        first = layout.device.start
        v[:, :, first : first + 3] -= np.eye(3)
        v[:, :, first + 3 : first + 6] += turns.skew(at - T_0d[:3, 3]) @ turned
        w[:, :, first + 3 : first + 6] -= turned
        R_d0 = T_0d[:3, :3].T
        return np.concatenate([R_d0 @ v, R_d0 @ w], axis=1)
