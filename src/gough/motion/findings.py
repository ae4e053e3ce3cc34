"""Findings about the data that a motion was found from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

_LISTED = 5  # times that a sentence lists; the data hold all


@dataclass(frozen=True, eq=False)
class Finding:
    """One thing about measured data.

    Attributes:
        kind: ``"outliers"``, ``"frozen"``, ``"jump"``, ``"convention"`` or ``"unit"``; of tables of
            measurements also ``"limits"`` and ``"left_out"``.
        sentence: in words, with times and figures.
        samples: indices of the samples that are meant (k,).
        times: their times, as they were given (k,) [s].
        spans: where they are on the motion's own clock: rows from, to (s, 2) [s].
        left_out: whether the motion was found without them.
    """

    kind: str
    sentence: str
    samples: np.ndarray
    times: np.ndarray
    spans: np.ndarray
    left_out: bool = False

    def moved(self, by: float, factor: float = 1.0) -> Finding:
        """The same finding on another clock: times ``factor`` longer, then later [s]."""
        return replace(self, spans=self.spans * factor + by)

    def to_dict(self) -> dict[str, object]:
        """Plain data, ready for JSON."""
        return {
            "kind": self.kind,
            "sentence": self.sentence,
            "samples": self.samples.tolist(),
            "times": self.times.tolist(),
            "left_out": self.left_out,
        }


def convention(sentence: str) -> Finding:
    """How columns were read."""
    return of_all("convention", sentence)


def doubtful_unit(sentence: str) -> Finding:
    """A unit that was said, with which the platform is not where its machine is."""
    return of_all("unit", sentence)


def of_all(kind: str, sentence: str) -> Finding:
    """A finding that is about no samples in particular."""
    none = np.empty(0)
    return Finding(kind, sentence, none.astype(int), none, none.reshape(0, 2))


def outliers(
    t: np.ndarray, samples: np.ndarray, farthest: float, unit: str, *, left_out: bool
) -> Finding:
    """The finding about samples far from the curve of their neighbours."""
    count = f"{len(samples)} samples are" if len(samples) > 1 else "one sample is"
    sentence = f"{count} far from the curve of the neighbours, by up to {farthest:.3g} {unit}: at "
    return _wrong("outliers", sentence, t, samples, left_out=left_out)


def frozen(
    t: np.ndarray, samples: np.ndarray, jump: float, unit: str, *, left_out: bool
) -> Finding:
    """Samples that repeat the one beside them, until they jump to where the platform is.

    Args:
        t: times of all samples.
        samples: those that repeat.
        jump: the largest at the end of a span; 0 if they are at the ends of the record.
        unit: of the jump.
        left_out: whether the motion was found without them.
    """
    then = f", then jump by up to {jump:.3g} {unit}" if jump else ""
    sentence = (
        f"{len(samples)} samples repeat the one beside them while the machine moves{then}, as of a "
        "sensor that stood still: "
    )
    return _wrong("frozen", sentence, t, samples, left_out=left_out)


def _wrong(
    kind: str, sentence: str, t: np.ndarray, samples: np.ndarray, *, left_out: bool
) -> Finding:
    """The finding about samples that look wrong: what is wrong, when, and whether they are used."""
    runs = _runs(samples)
    sentence = f"{sentence}{_at(t, runs)}; {_fate(len(samples), left_out=left_out)}"
    return Finding(kind, sentence, samples, t[samples], _spans(t, runs), left_out)


def jumps(t: np.ndarray, after: np.ndarray, widest: float, unit: str) -> Finding:
    """The finding about jumps: the samples do not show which of both sides is right.

    Args:
        t: times of all samples.
        after: the first sample after each jump.
        widest: of the jumps.
        unit: of the jumps.
    """
    runs = [(int(k) - 1, int(k)) for k in after]
    count = f"{len(after)} times" if len(after) > 1 else "once"
    sentence = (
        f"the samples jump {count}, by up to {widest:.3g} {unit} from one to the next, which no "
        f"motion like theirs explains: {_at(t, runs)}; efforts there are not those of a machine, "
        "and outliers='drop' cannot tell which side to leave out: cut or mend the data"
    )
    return Finding("jump", sentence, after, t[after], _spans(t, runs))


def _fate(count: int, *, left_out: bool) -> str:
    if left_out:
        return f"{'they are' if count > 1 else 'it is'} left out, and the motion is a guess there"
    return (
        "they count; outliers='drop' leaves them out"
        if count > 1
        else ("it counts; outliers='drop' leaves it out")
    )


def _runs(samples: np.ndarray) -> list[tuple[int, int]]:
    """First and last of samples in a row."""
    cuts = np.flatnonzero(np.diff(samples) > 1) + 1
    ends = [0, *cuts.tolist(), len(samples)]
    return [(int(samples[a]), int(samples[b - 1])) for a, b in pairwise(ends)]


def _at(t: np.ndarray, runs: list[tuple[int, int]]) -> str:
    sentence = [
        f"{t[a]:.6g} s" if a == b else f"{t[a]:.6g} to {t[b]:.6g} s" for a, b in runs[:_LISTED]
    ]
    more = len(runs) - len(sentence)
    return "t = " + ", ".join(sentence) + (f" and {more} more places" if more > 0 else "")


def _spans(t: np.ndarray, runs: list[tuple[int, int]]) -> np.ndarray:
    return np.asarray(t[np.array(runs)] - t[0])
