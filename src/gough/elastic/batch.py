"""A machine about every posture of a batch, worked out at once or when it is asked for.

Compliance and frequencies of many postures do not need the system of each: a kernel has the one,
the machine about many postures the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.base.batch import OnError
from gough.base.progress import Progress, reported
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.state_loads import StateLoads
from gough.elastic.compliances import compliances
from gough.elastic.drives import Drive
from gough.elastic.many import condense, many
from gough.elastic.modelling import Options
from gough.elastic.one_posture import solved_at
from gough.elastic.pieces import in_pieces
from gough.elastic.postures import of_bodies
from gough.elastic.statics import Solved
from gough.errors import GoughError
from gough.evaluation.evaluator import usual
from gough.mechanism.mobility.assembly import Assembly

Failed = dict[tuple[int, ...], GoughError]


@dataclass(frozen=True, eq=False)
class Asked:
    """Postures and loads of a call.

    Attributes:
        assembly: the robot.
        drives: how motors hold, by name.
        options: what counts.
        given: loads.
        arrays: poses of the platform ``(K, 4, 4)``, then arrays of loads, one row a posture.
        lead: axes of the batch.
    """

    assembly: Assembly
    drives: Mapping[str, Drive]
    options: Options
    given: LoadArguments
    arrays: Sequence[np.ndarray]
    lead: tuple[int, ...]

    def index(self, k: int) -> tuple[int, ...]:
        """Index of a posture in the batch."""
        return tuple(map(int, np.unravel_index(k, self.lead))) if self.lead else ()

    def loads(self, k: int) -> StateLoads:
        """What acts in a posture."""
        return self.given.at([array[k] for array in self.arrays[1:]])

    def solved(self, k: int, *, stressed: bool = False) -> Solved:
        """The machine about a posture."""
        T, loads = self.arrays[0][k], self.loads(k)
        return solved_at(self.assembly, T, self.drives, self.options, loads, stressed=stressed)

    @property
    def guided(self) -> bool:
        """Whether joints have guides: any posture may then be refused for reasons of its own."""
        return any(joint.released.guide is not None for joint in self.assembly.robot.joints)

    @property
    def same_payload(self) -> bool:
        """Whether all postures have the same payload, or none."""
        own = self.given.arguments.items()
        return all(a.ndim == core for name, (a, core) in own if name.startswith("loads.payload"))


def all_solved(
    asked: Asked, on_error: OnError, progress: Progress, *, stressed: bool
) -> tuple[list[Solved | None], Failed]:
    """The machine about all postures, and why some are refused."""
    found: list[Solved | None] = []
    failed: Failed = {}
    for k in reported(range(len(asked.arrays[0])), progress):
        index = asked.index(k)
        try:
            found.append(asked.solved(k, stressed=stressed))
        except GoughError as err:
            if on_error == "raise":
                raise err.at_sample(index) from err
            failed[index] = err
            found.append(None)
    return found, failed


def lazily_solved(asked: Asked, on_error: OnError) -> tuple[Batch, Failed]:
    """The same, each posture when it is asked for; what cannot be had is known at once."""
    T = asked.arrays[0].reshape(*asked.lead, 4, 4)
    answer = usual(asked.assembly, "bodies_at")({"T_0p": (T, 2)}, on_error=on_error)
    found = Batch(asked, answer.values[0].reshape(-1, *answer.values[0].shape[-3:]))
    doubtful = np.flatnonzero(answer.failed)
    if asked.given.arguments:  # loads may be refused, too
        doubtful = np.arange(len(found))
    failed: Failed = {}
    for k in map(int, doubtful):
        try:
            asked.loads(k)
            if answer.failed.flat[k]:
                asked.solved(k)
        except GoughError as err:
            if on_error == "raise":
                raise err.at_sample(asked.index(k)) from err
            failed[asked.index(k)] = err
            found.refused.add(k)
    return found, failed


class Batch(Sequence["Solved | None"]):
    """A machine about many postures; about those that were refused it is ``None``.

    Args:
        asked: postures and loads.
        bodies: rotation and position of every body ``(K, bodies, 3, 4)``.

    Attributes:
        refused: numbers of postures that were refused.
    """

    def __init__(self, asked: Asked, bodies: np.ndarray) -> None:
        self._asked, self._bodies = asked, bodies
        self._made: dict[int, Solved] = {}
        self.refused: set[int] = set()

    def __len__(self) -> int:
        return len(self._bodies)

    def __getitem__(self, k: int) -> Solved | None:  # type: ignore[override]
        if not 0 <= k < len(self):
            raise IndexError(k)
        if k in self.refused:
            return None
        if k not in self._made:
            self._made[k] = self._asked.solved(k)
        return self._made[k]

    @cached_property
    def compliance(self) -> np.ndarray:
        """Of all postures ``(K, 6, 6)``; NaN where only the system of one posture tells."""
        asked = self._asked
        found = compliances(asked.assembly, asked.arrays[0], asked.drives, asked.options)
        found[list(self.refused)] = np.nan
        return found

    def frequencies(self, count: int) -> np.ndarray:
        """Lowest ones of all postures ``(K, count)`` [Hz]; NaN likewise."""
        asked = self._asked
        found = np.full((len(self), count), np.nan)
        if not asked.same_payload:
            return found
        payload = asked.loads(0).payload
        if condense(asked.assembly, asked.drives, asked.options, payload) is None:
            return found

        def piece(here: slice) -> None:
            postures = of_bodies(asked.assembly, self._bodies[here])
            machine = many(asked.assembly, postures, asked.drives, asked.options, payload)
            found[here] = machine.frequencies(count)

        in_pieces(piece, len(self))
        found[list(self.refused)] = np.nan
        return found
