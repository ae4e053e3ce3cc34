"""Names, numbers and motions in words; results as lines of facts and as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from gough.base.spatial import twist_scales
from gough.errors import visible

_AXES = ("x", "y", "z")
_DUST = 1e-12  # rounding leaves 1e-16 to 1e-13 of figures that are zero
_SMALL = 1e-6  # shares of the robot's size left out of words: 1 um a metre, beyond what is printed


def visible_words(data: Any) -> Any:
    """Plain data with every text in it made visible."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {visible_words(key): visible_words(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [visible_words(value) for value in data]
    return data


def listed(words: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    items = list(words) or ["none"]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def quoted(names: Iterable[str], last: str = "and") -> str:
    """``'a', 'b' and 'c'``."""
    return listed([repr(str(name)) for name in names], last)


def counted(count: int, word: str, many: str = "") -> str:
    """``1 row``, ``2 rows``, ``3 bodies``; ``many`` is a plural that is not made by an s."""
    return f"{count} {word if count == 1 else many or word + 's'}"


def aligned(facts: Iterable[tuple[str, str]]) -> str:
    """Headings and facts, one pair a line, the facts below each other."""
    lines = [(visible(heading), visible(fact)) for heading, fact in facts]
    width = max(len(heading) for heading, _ in lines)
    return "\n".join(f"{heading:<{width}}  {fact}" for heading, fact in lines)


def plain(data: Any) -> Any:
    """Dictionaries, lists, text, booleans and finite numbers, as JSON has them.

    Arrays become lists, results their fields, what is not finite ``None``.
    """
    if is_dataclass(data) and not isinstance(data, type):
        return {field.name: plain(getattr(data, field.name)) for field in fields(data)}
    if hasattr(data, "_asdict"):  # a named tuple is its fields
        return plain(data._asdict())
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, np.ndarray):
        return plain(data.tolist())
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    if isinstance(data, np.generic):
        return plain(data.item())
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if data is None or isinstance(data, (bool, int, str)):
        return data
    return str(data)


def percent(share: float) -> str:
    """``3.4 %``, ``120 %``: two digits, or whole numbers."""
    shown = 100.0 * share
    return f"{shown:.2g} %" if shown < 10.0 else f"{shown:.0f} %"


def clean(value: float, size: float = 1.0) -> float:
    """A figure without the dust of rounding: 0 where it is below 1e-12 of ``size``."""
    return 0.0 if abs(value) < _DUST * size else float(value)


def digits(value: float, span: float, least: int = 4) -> int:
    """Digits that show a value to a thousandth of a span; more where that is short beside it."""
    if not 0.0 < span < abs(value) < math.inf:
        return least
    return least + math.floor(math.log10(abs(value) / span))


def small(error: float) -> str:
    """An error that is rounding, or not: ``1.5e-16``; ``0`` if there is none."""
    return f"{error:.1e}" if error else "0"


def figures(values: Sequence[float] | np.ndarray) -> str:
    """A vector with three digits and no dust."""
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    clean = [0.0 if abs(v) < _SMALL * largest else float(v) for v in values]
    return "(" + ", ".join(f"{v:.3g}" for v in clean) + ")"


def direction(vector: np.ndarray) -> str:
    """``x``, ``y``, ``z`` or the components of a unit vector, the largest positive."""
    unit = vector / np.linalg.norm(vector)
    k = int(np.argmax(np.abs(unit)))
    if 1.0 - abs(unit[k]) < _SMALL**2 * 50.0:
        return _AXES[k]
    return figures(unit * np.sign(unit[k]))


def motion(V: np.ndarray, at: np.ndarray, length: float) -> str:
    """A twist as a verb: ``translate along z``, ``rotate about the axis through ... along ...``.

    Args:
        V: twist ``[v; omega]`` of the point ``at``, base axes.
        at: the point [m].
        length: characteristic length of the robot [m]; distances are small or large beside it.
    """
    v, w = V[:3], V[3:]
    if np.linalg.norm(w) * length < _SMALL * np.linalg.norm(v):
        return f"translate along {direction(v)}"
    ww = float(w @ w)
    point = at + np.cross(w, v) / ww
    point = np.where(np.abs(point) < _SMALL * length, 0.0, point)
    advance = float(w @ v) / ww
    line = f"the axis through {figures(point)} m along {direction(w)}"
    if abs(advance) < _SMALL * length:
        return f"rotate about {line}"
    return f"screw about {line}, {advance:.3g} m forward per radian"


def against(wrench: np.ndarray, at: np.ndarray, length: float, *, turns: bool) -> str:
    """What a body that cannot move against a wrench cannot do: ``move along x``, ...

    Args:
        wrench: ``[f; n]`` at the point ``at``, base axes.
        at: the point [m].
        length: characteristic length of the robot [m]; distances are small or large beside it.
        turns: whether the body can turn: if not, only the force matters.
    """
    f, n = wrench[:3], wrench[3:]
    force, moment = float(np.linalg.norm(f)) * length, float(np.linalg.norm(n))
    if moment < _SMALL * force and not turns:
        return f"move along {direction(f)}"
    if force < _SMALL * moment:
        return f"move against a moment about {direction(n)}"
    ff = float(f @ f)
    point = at + np.cross(f, n) / ff
    point = np.where(np.abs(point) < _SMALL * length, 0.0, point)
    line = f"along the line through {figures(point)} m along {direction(f)}"
    pitch = float(f @ n) / ff
    if abs(pitch) < _SMALL * length:
        return f"move against a force {line}"
    return f"move against a force {line} with a moment of {pitch:.3g} N m per newton about it"


def motions(basis: np.ndarray, at: np.ndarray, length: float) -> list[str]:
    """The simplest motions that span a space of twists (columns of 6xk): translations first."""
    simple = simplest(basis, length)
    slides = [
        V[:3] for V in simple.T if np.linalg.norm(V[3:]) * length < _SMALL * np.linalg.norm(V[:3])
    ]
    found = []
    if slides:
        found.append(f"translate along {listed([direction(v) for v in slides])}")
    for V in simple.T[len(slides) :]:
        # with free translations across an axis its place means nothing
        placeless = np.linalg.norm(V[:3]) < _SMALL * length * np.linalg.norm(V[3:])
        if slides and placeless:
            found.append(f"rotate about {direction(V[3:])}")
        else:
            found.append(motion(V, at, length))
    return found


def simplest(basis: np.ndarray, length: float) -> np.ndarray:
    """Another basis of the same twists: pure translations, then motions free of those."""
    if basis.shape[1] < 2:
        return basis
    scale = twist_scales(length)[:, None]
    B, _ = np.linalg.qr(basis / scale)
    _, s, Vt = np.linalg.svd(B[3:])
    turning = int((s > _SMALL).sum())
    slides = echelon((B @ Vt[turning:].T)[:3])
    turns = B @ Vt[:turning].T
    if slides.shape[1]:
        Q, _ = np.linalg.qr(slides)
        turns[:3] -= Q @ (Q.T @ turns[:3])
    order = [3, 4, 5, 0, 1, 2]  # rotations first: their axes distinguish them
    turns = echelon(turns[order])[order]
    slides = np.vstack([slides, np.zeros_like(slides)])
    return np.asarray(np.hstack([slides, turns]) * scale)


def echelon(columns: np.ndarray) -> np.ndarray:
    """The same span, each column with a largest entry where the others have none."""
    found = np.array(columns, dtype=float)
    taken: list[int] = []
    for k in range(found.shape[1]):
        size = np.abs(found[:, k:])
        size[taken] = 0.0
        i, j = divmod(int(np.argmax(size)), size.shape[1])
        found[:, [k, k + j]] = found[:, [k + j, k]]
        found[:, k] /= found[i, k]
        taken.append(i)
        for other in range(found.shape[1]):
            if other != k:
                found[:, other] -= found[i, other] * found[:, k]
    found[np.abs(found) < 1e-9] = 0.0  # columns of unit size: what elimination leaves by rounding
    return found[:, np.argsort(taken)]
