"""What an elastic machine tells: how far it gives way, and at which frequencies it shakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from warnings import warn

import numpy as np

from gough.base.arguments import one_of, switch, whole
from gough.base.batch import leading_axes
from gough.base.english import counted, figures
from gough.base.result import Result
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.state_loads import StateLoads
from gough.elastic.batch import Batch
from gough.elastic.deflection import Compensation, Deflection, displaced, offsets, seen, unseen
from gough.elastic.loading import check_resisted, forces
from gough.elastic.preload import doubt_linear
from gough.elastic.response import MOTORS, PLATFORM, Response, receptance, row_of
from gough.elastic.statics import Solved
from gough.elastic.stiffening import stiffness_of
from gough.elastic.vibrations import Vibrations, vibrating
from gough.errors import GoughError, GoughWarning, InputError
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot

_WRENCH = ("fx", "fy", "fz", "nx", "ny", "nz")


class _Bent(NamedTuple):
    """A machine that gives way: its coordinates, the forces that act along them, and the loads."""

    solved: Solved
    x: np.ndarray
    force: np.ndarray
    acting: StateLoads

    @classmethod
    def under(cls, solved: Solved, acting: StateLoads, gravity: bool) -> _Bent:
        """The machine under loads."""
        force = forces(solved, acting, gravity=gravity)
        return cls(solved, displaced(solved, force), force, acting)


def _beyond_linear(bent: Sequence[_Bent], gravity: bool) -> tuple[str, ...]:
    """Whether loads are too large for a linear deflection, said of the posture that moves most."""
    if not bent:
        return ()
    most = max(bent, key=lambda each: float(np.abs(each.x / each.solved.system.scale).max()))
    told = doubt_linear(most.solved, most.x, most.acting, most.force, gravity=gravity)
    if told:
        warn(told, GoughWarning, stacklevel=3)
    return (told,) if told else ()


@dataclass(frozen=True, eq=False)
class Elasticity(Result):
    """A machine that gives way, about a posture or each of a batch.

    What has no elastic data is rigid: :attr:`parts` names everything that is not.

    Attributes:
        robot: the machine.
        T_0p: poses of the platform ``(..., 4, 4)``.
        parts: names of what gives way.
        loads: what acts; a payload is part of the machine that shakes.
        failed: errors of postures that were refused, by index, with ``on_error="nan"``.
        notes: what was assumed, in sentences.
    """

    robot: Robot
    T_0p: np.ndarray
    parts: tuple[str, ...]
    loads: Loads | None
    failed: dict[tuple[int, ...], GoughError]
    notes: tuple[str, ...]
    _solved: Sequence[Solved | None] = field(repr=False)
    _ratio: float | None = field(repr=False)
    _lenient: bool = field(repr=False)

    @property
    def _lead(self) -> tuple[int, ...]:
        return self.T_0p.shape[:-2]

    @property
    def compliance(self) -> np.ndarray:
        """Displacement of the platform's origin per wrench at it ``(..., 6, 6)``.

        Base axes, linear first [m/N, rad/N; m/(N m), rad/(N m)]; zero where the machine is rigid.

        Raises:
            InputError: motors are free, so that nothing holds the platform.
            SingularPose: the platform can move although motors hold.
        """

        def one(solved: Solved) -> np.ndarray:
            check_resisted(solved, solved.system.platform.T)
            return solved.compliance

        batch = self._solved
        return self._over(one, (6, 6), batch.compliance if isinstance(batch, Batch) else None)

    @property
    def stiffness(self) -> np.ndarray:
        """Wrench at the platform's origin per displacement of it ``(..., 6, 6)``.

        The inverse of :attr:`compliance`.  Where the platform is rigid along some directions it is
        infinite: entries that such a direction has a part in are plus or minus infinity, as if the
        stiffness along it grew without bound.

        Raises:
            InputError: motors are free, so that nothing holds the platform.
            SingularPose: the platform can move although motors hold.
        """
        length, batch = self.robot.length, self._solved

        def one(solved: Solved) -> np.ndarray:
            check_resisted(solved, solved.system.platform.T)
            return stiffness_of(solved.compliance, length)

        known = None
        if isinstance(batch, Batch):
            known = batch.compliance.copy()
            for k in np.flatnonzero(np.isfinite(known).all(axis=(1, 2))):
                known[k] = stiffness_of(known[k], length)
        return self._over(one, (6, 6), known)

    def frequencies(self, count: int = 8) -> np.ndarray:
        """Lowest frequencies without damping ``(..., count)`` [Hz]; NaN where there are fewer.

        Those of :meth:`vibrations`, without shapes: of many postures in a fraction of the time.

        Args:
            count: how many.
        """
        count, batch = whole(count, "count", least=1), self._solved

        def one(solved: Solved) -> np.ndarray:
            found = np.full(count, np.nan)
            omega = solved.modes[0][:count]
            found[: len(omega)] = omega / (2.0 * np.pi)
            return found

        known = batch.frequencies(count) if isinstance(batch, Batch) else None
        return self._over(one, (count,), known)

    def deflection(self, loads: Loads | None = None, *, gravity: bool = True) -> Deflection:
        """Where loads move the machine, its motors holding: sag, and what forces add.

        It is linear in the loads, also with ``preload``; where that no longer holds, ``findings``
        of the answer say so, and a warning.

        Args:
            loads: forces and a payload, whose weight counts; those of the call of
                :func:`gough.elasticity` if not given.
            gravity: whether weight and springs of axes count; without them the deflection by
                forces alone is told.

        Raises:
            InputError: motors are free.
            SingularPose: something moves that nothing resists.
        """
        gravity = switch(gravity, "gravity")
        shapes: list[tuple[Solved, np.ndarray]] = []
        bent: list[_Bent] = []

        def one(solved: Solved, acting: StateLoads) -> dict[str, np.ndarray]:
            found = _Bent.under(solved.unloaded, acting, gravity)
            bent.append(found)
            shapes.append((found.solved, found.x))
            return seen(found.solved, found.x)

        found = self._loaded(one, loads, unseen(self.robot, len(self.parts)))
        groups: dict[str, Any] = {"bodies": {}, "joints": {}, "axes": {}}
        for key, values in found.items():
            group, _, name = key.partition(" ")
            if name:
                groups[group][name] = values
        own: dict[str, Any] = {key: found[key] for key in ("platform", "T_0p", "energy")}
        said = _beyond_linear(bent, gravity)
        return Deflection(**own, **groups, parts=self.parts, _shapes=shapes, findings=said)

    def compensation(self, loads: Loads | None = None, *, gravity: bool = True) -> Compensation:
        """Offsets of the motors that cancel the deflection in the robot's freedoms.

        Args:
            loads: as in :meth:`deflection`.
            gravity: as in :meth:`deflection`.
        """
        gravity = switch(gravity, "gravity")

        bent: list[_Bent] = []

        def one(solved: Solved, acting: StateLoads) -> dict[str, np.ndarray]:
            shape = _Bent.under(solved.unloaded, acting, gravity)
            bent.append(shape)
            before = shape.solved.system.platform @ shape.x
            found, left = offsets(shape.solved, before)
            return {"offsets": found, "platform": left, "before": before}

        six, each = np.full(6, np.nan), np.full(len(self.robot.motors), np.nan)
        unknown = {"offsets": each, "platform": six, "before": six}
        arrays = self._loaded(one, loads, unknown)
        said = _beyond_linear(bent, gravity)
        return Compensation(motors=self.robot.motors, **arrays, findings=said)

    def vibrations(self, count: int = 8) -> Vibrations:
        """Lowest vibrations: frequencies, damping, shapes, and the parts that are to blame.

        Args:
            count: how many.
        """
        count = whole(count, "count", least=1)
        shapes = []
        rows: list[dict[str, np.ndarray] | None] = []
        for solved in self._solved:
            found = None if solved is None else vibrating(solved, count, self._ratio)
            shapes.append(None if found is None else found.pop("x"))
            rows.append(found)
        widths = {"frequencies": (), "damping": (), "platform": (6,), "participation": (6,)}
        widths["shares"] = (len(self.parts),)
        unknown = {name: np.full((count, *width), np.nan) for name, width in widths.items()}
        arrays = self._stacked(rows, unknown | {"free": np.array(np.nan)})
        return Vibrations(
            self.robot, **arrays, parts=self.parts, _solved=self._solved, _shapes=shapes
        )

    def response(self, frequencies: Any, *, by: str = PLATFORM) -> Response:
        """How the platform moves under forces that oscillate.

        Args:
            frequencies: ``(F,)`` [Hz].
            by: ``"platform"``: a wrench at the platform's origin, base axes; ``"motors"``: efforts
                of the motors, which must not be locked.
        """
        one_of(by, "by", (PLATFORM, MOTORS))
        given = row_of(frequencies, "frequencies")
        names = _WRENCH if by == PLATFORM else self.robot.motors
        shape = (len(given), 6, len(names))
        omega = 2.0 * np.pi * given
        values = self._over(
            lambda solved: receptance(solved, omega, by, self._ratio), shape, dtype=complex
        )
        return Response(given, values, names)

    def _over(
        self,
        one: Any,
        shape: tuple[int, ...],
        known: np.ndarray | None = None,
        dtype: Any = float,
    ) -> np.ndarray:
        """An array of every posture, as far as it is not known; NaN where it was refused."""
        found = np.full((len(self._solved), *shape), np.nan, dtype=dtype)
        left: Sequence[int] = range(len(found))
        if known is not None:
            found = known.copy()
            left = np.flatnonzero(np.isnan(found).reshape(len(found), -1)[:, 0]).tolist()
        for k in left:
            solved = self._solved[k]
            if solved is not None:
                value = self._at_sample(k, one, solved)
                found[k] = np.nan if value is None else value
        return found.reshape((*self._lead, *shape))

    def _loaded(
        self, one: Any, loads: Loads | None, unknown: dict[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """Arrays by name of every posture under loads; of ``unknown`` if all were refused."""
        given = LoadArguments(assembled(self.robot), self.loads if loads is None else loads)
        lead = leading_axes({"T_0p": (self.T_0p, 2), **given.arguments})
        if lead != self._lead:
            raise InputError(
                f"loads have batch axes that give {lead}, the postures {self._lead}",
                hint="One load for all postures, or one for each.",
                argument="loads",
            )
        arrays = [
            np.broadcast_to(a, lead + a.shape[a.ndim - core :]).reshape(
                -1, *a.shape[a.ndim - core :]
            )
            for a, core in given.arguments.values()
        ]
        rows: list[dict[str, np.ndarray] | None] = []
        for k, solved in enumerate(self._solved):
            if solved is None:
                rows.append(None)
            else:
                acting = given.at([a[k] for a in arrays])
                rows.append(self._at_sample(k, one, solved, acting))
        return self._stacked(rows, unknown)

    def _stacked(
        self, rows: list[dict[str, np.ndarray] | None], unknown: dict[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """Arrays by name with the batch's axes; NaN where a posture was refused."""
        known = next((row for row in rows if row is not None), unknown)
        found = {}
        for name, first in known.items():
            values = np.full((len(rows), *np.shape(first)), np.nan)
            for k, row in enumerate(rows):
                if row is not None:
                    values[k] = row[name]
            found[name] = values.reshape((*self._lead, *np.shape(first)))
        return found

    def _at_sample(self, k: int, one: Any, *arguments: Any) -> Any:
        """What a function tells of a posture; None where it is refused, with ``on_error="nan"``."""
        try:
            return one(*arguments)
        except GoughError as err:
            index = tuple(map(int, np.unravel_index(k, self._lead)))
            if self._lenient and not isinstance(err, InputError):  # slips are refused in any case
                self.failed.setdefault(index, err)
                return None
            if not self._lead:
                raise
            raise err.at_sample(index) from err

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.robot.name
        yield "elastic", counted(len(self.parts), "part") + ": " + ", ".join(self.parts[:12])
        for note in self.notes:
            yield "note", note
        if self._lead:
            yield "postures", f"{self._lead}, {len(self.failed)} refused"
            return
        try:
            compliance = np.diag(self.compliance)
        except GoughError as err:
            yield "compliance", err.message
        else:
            yield "compliance", f"{figures(1e6 * compliance[:3])} um/N along x, y, z"
            yield "of turns", f"{figures(1e6 * compliance[3:])} urad/(N m) about x, y, z"
        lowest = self.vibrations(3).frequencies
        yield "frequencies", ", ".join(f"{f:.4g}" for f in lowest if np.isfinite(f)) + " Hz, ..."

    def columns(self) -> dict[str, np.ndarray]:
        """One row a posture: compliance along and about the base's axes."""
        diagonal = np.diagonal(self.compliance, axis1=-2, axis2=-1).reshape(-1, 6)
        return dict(zip(("x", "y", "z", "rx", "ry", "rz"), diagonal.T, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        return {
            "robot": self.robot.name,
            "T_0p": self.T_0p.tolist(),
            "parts": list(self.parts),
            "notes": list(self.notes),
            "lines": dict(self.lines()),
        }
