"""Combinations of parameters that cannot be known, in words, and what would show them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.english import listed
from gough.calibration.design import Design, started, updated
from gough.calibration.kinds import Distances, Heights, Poses, Positions
from gough.calibration.knowledge import Knowledge
from gough.calibration.measured import Measurements
from gough.calibration.parameters import Parameter

MOST = 8
"""Combinations that are put into words."""

_PART = 0.3  # of the largest share: parameters with less are not named
_MANY = 40  # parameters: of more, few combinations are put into words
_EACH = 6  # combinations that nothing shows: more are counted only
_ALONE = 1.01  # sum of all shares over the largest, of one that moves alone
_EXAMPLES = 2  # of them that are named
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
    """Combinations that are known less well than parts are made, in words, worst first.

    Of many frames most combinations change nothing that could ever be measured: the frame of a
    body that is nobody's, a point along an axis of revolution.  They are counted, with examples.
    """
    weak = simplest(knowledge.weak)
    unseen = [v for std, v in weak if not np.isfinite(std)]
    seen = [(std, v) for std, v in weak if np.isfinite(std)]
    found = []
    if len(unseen) > _EACH:
        first = sorted(unseen, key=lambda v: len(_names(v, parameters)[0]))[:_EXAMPLES]
        examples = "; ".join(_example(v, parameters) for v in first)
        shown = [each for v in unseen for each in _names(v, parameters)[0]]
        words = (
            f"{len(unseen)} combinations of frames change no measurement, and the calibrated robot "
            f"moves alike whatever they are (for instance {examples})"
        )
        found.append(Combination(tuple(dict.fromkeys(shown)), (), np.inf, words))
        unseen = []
    each_of = [(np.inf, v) for v in unseen] + seen
    most = MOST if len(parameters) <= _MANY else _EXAMPLES
    found += [_one(design, knowledge, parameters, *each) for each in each_of[:most]]
    if len(each_of) > most:
        rest = f"{len(each_of) - most} more combinations are known less well than tolerances"
        found.append(Combination((), (), each_of[most][0], rest))
    return tuple(found)


def _example(v: np.ndarray, parameters: tuple[Parameter, ...]) -> str:
    """Parameters of a combination in words; a single one moves alone, or with less of others."""
    names = _names(v, parameters)[0]
    alone = np.abs(v).sum() < _ALONE * np.abs(v).max()
    return listed(names[:_NAMED]) + ("" if alone or len(names) > 1 else " with less of others")


def _names(
    v: np.ndarray, parameters: tuple[Parameter, ...]
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Parameters of a combination, the largest share first, and their shares."""
    shares = v * np.array([each.prior for each in parameters])
    units = np.array([each.unit for each in parameters])
    # a device that stands anywhere has a wide prior: what it does counts like the rest of its unit
    usual = {unit: np.median([e.prior for e in parameters if e.unit == unit]) for unit in units}
    size = np.abs(shares / np.array([usual[unit] for unit in units]))
    order = [int(k) for k in np.argsort(-size, kind="stable") if size[k] > _PART * size.max()]
    return tuple(parameters[k].name for k in order), tuple(float(shares[k]) for k in order)


def _one(
    design: Design,
    knowledge: Knowledge,
    parameters: tuple[Parameter, ...],
    std: float,
    v: np.ndarray,
) -> Combination:
    """One combination in words."""
    measured = {each.kind for each in design.problem.data.sets}
    names, shares = _names(v, parameters)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    who = (listed(names[:_NAMED]) if not more else ", ".join(names[:_NAMED])) + more
    together = " together" if len(names) > 1 else ""
    state = "no measurement shows it" if not np.isfinite(std) else f"known to {_size(std)}"
    advice = _advice(design, knowledge, v, measured, single=len(names) == 1)
    return Combination(names, shares, std, f"{who}{together}: {state}{advice}")


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
        r, c = divmod(int(np.argmax(left)), left.shape[1])
        rows[[i, i + r]] = rows[[i + r, i]]
        rows[i] /= rows[i, c]
        for k in range(len(rows)):
            if k != i:
                rows[k] -= rows[k, c] * rows[i]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [(np.inf, row) for row in rows] + [each for each in weak if np.isfinite(each[0])]


def _advice(
    design: Design, knowledge: Knowledge, v: np.ndarray, measured: set[str], *, single: bool
) -> str:
    """Which measurements would show a combination, and which would not."""
    if not design.count:
        return ""
    help_: list[str] = []
    in_vain = ""
    C = started(knowledge)
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
                in_vain = f"{more} will not {'show it' if single else 'separate them'}"
        elif shows:
            help_.append(plain)
    told = [in_vain] if in_vain else []
    if help_:
        told.append(f"{help_[0]} would")
    return "; " + ", ".join(told) if told else ""
