"""Combinations of parameters that cannot be known, in words, and what would show them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.english import listed
from gough.calibration.design import Design, updated
from gough.calibration.knowledge import Knowledge
from gough.calibration.measured import Distances, Heights, Measurements, Poses, Positions
from gough.calibration.parameters import Parameter

MOST = 8
"""Combinations that are put into words."""

_PART = 0.3  # of the largest share: parameters with less are not named
_NAMED = 6  # parameters of a combination that are listed
_FEW = 40  # measurements that one would add
_SHOWS = 0.5  # of its standard deviation is left where a combination has been shown

_KINDS: tuple[tuple[type[Measurements], str, str], ...] = (
    (Heights, "more heights", "heights"),
    (Distances, "more distances", "distances"),
    (Positions, "more positions", "positions"),
    (Poses, "more poses", "full poses"),
)


class Combination(NamedTuple):
    """Parameters that measurements do not tell apart.

    Attributes:
        parameters: their names, the largest share first.
        shares: how much of each changes together, in its own unit for one standard deviation.
        std: standard deviation in units of the tolerances; infinite if nothing shows it.
        words: a sentence.
    """

    parameters: tuple[str, ...]
    shares: tuple[float, ...]
    std: float
    words: str


def combinations(
    design: Design, knowledge: Knowledge, parameters: tuple[Parameter, ...]
) -> tuple[Combination, ...]:
    """Combinations that are known less well than parts are made, in words, worst first."""
    found = []
    weak = simplest(knowledge.weak)
    measured = {each.kind for each in design.problem.data.sets}
    for std, v in weak[:MOST]:
        order = [int(k) for k in np.argsort(-np.abs(v), kind="stable")]
        order = [k for k in order if abs(v[k]) > _PART * np.abs(v).max()]
        names = [parameters[k].name for k in order]
        shares = tuple(float(v[k] * parameters[k].prior) for k in order)
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        who = listed(names[:_NAMED]) + more
        together = " together" if len(names) > 1 else ""
        state = "no measurement shows it" if not np.isfinite(std) else f"known to {_size(std)}"
        words = f"{who}{together}: {state}{_advice(design, knowledge, v, measured)}"
        found.append(Combination(tuple(names), shares, std, words))
    return tuple(found)


def _size(std: float) -> str:
    return f"{std:.2g} times the tolerance only"


def simplest(weak: list[tuple[float, np.ndarray]]) -> list[tuple[float, np.ndarray]]:
    """The same combinations; those that nothing shows are mixed to name few parameters each."""
    unseen = [v for std, v in weak if not np.isfinite(std)]
    if len(unseen) < 2:
        return weak
    rows = np.array(unseen)
    # reduced rows: each gets a parameter of its own, the largest that is left
    for i in range(len(rows)):
        left = np.abs(rows[i:])
        r, c = np.unravel_index(int(np.argmax(left)), left.shape)
        rows[[i, i + r]] = rows[[i + r, i]]
        rows[i] /= rows[i, c]
        for k in range(len(rows)):
            if k != i:
                rows[k] -= rows[k, c] * rows[i]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [(np.inf, row) for row in rows] + [each for each in weak if np.isfinite(each[0])]


def _advice(design: Design, knowledge: Knowledge, v: np.ndarray, measured: set[str]) -> str:
    """Which measurements would show a combination, and which would not."""
    if not design.count:
        return ""
    help_: list[str] = []
    in_vain = ""
    start = np.eye(len(v)) if knowledge.with_prior else knowledge.natural + np.outer(v, v) * 1e6
    C = knowledge.natural if knowledge.with_prior else start
    before = float(v @ C @ v)
    for kind, more, plain in _KINDS:
        B, _ = design.rows(kind)
        rows = B[:_FEW].reshape(-1, B.shape[2])
        after = float(v @ updated(C, rows[np.abs(rows).max(axis=1) > 0.0]) @ v)
        shows = after < _SHOWS**2 * before
        if kind.kind in measured:
            if shows:
                help_.insert(0, more)
            else:
                in_vain = f"{more} will not separate them"
        elif shows:
            help_.append(plain)
    told = [in_vain] if in_vain else []
    if help_:
        told.append(f"{help_[0]} would")
    return "; " + ", ".join(told) if told else ""
