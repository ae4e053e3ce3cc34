"""Answers that show themselves in one way: as text, as plain data, as a table, in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from gough.base.english import aligned, plain
from gough.base.spatial import rotation_log
from gough.errors import InputError


class Result:
    """An answer; what is below serves every dataclass, which may say it better.

    ``str(result)`` shows :meth:`lines`, a notebook a table and a picture too; :meth:`to_dict` gives
    data ready for JSON, and :meth:`to_frame` a pandas table of :meth:`columns`.
    """

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        return [(name, _fact(value)) for name, value in _fields(self) if value is not None]

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table ``(K,)``: one row a state, a sample or a fact."""
        lines = [*self.lines()]
        return {
            "what": np.array([heading for heading, _ in lines], dtype=object),
            "value": np.array([fact for _, fact in lines], dtype=object),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON; ``None`` for what is not finite."""
        return {
            name: plain(value)
            for name, value in _fields(self)
            # assembled states are inputs of later calls, not data to read
            if not (isinstance(value, np.ndarray) and value.dtype == object)
        }

    def to_frame(self) -> Any:
        """The columns as a ``pandas.DataFrame``.

        Raises:
            InputError: pandas is not installed.
        """
        try:
            import pandas  # noqa: PLC0415  an extra
        except ImportError as err:
            raise InputError("to_frame needs pandas", hint="pip install 'gough[frames]'") from err
        return pandas.DataFrame(self.columns())

    def __str__(self) -> str:
        return aligned(self.lines())

    def _repr_html_(self) -> str:
        """The lines as a table, a table and a picture if it has them, for notebooks."""
        from gough.report.notebook import page  # noqa: PLC0415  looks down, when it is asked

        return page(self)


def pose_columns(T_0p: np.ndarray) -> dict[str, np.ndarray]:
    """Poses ``(..., 4, 4)`` as columns: position [m] and rotation vector [rad]; NaN stays."""
    T = T_0p.reshape(-1, 4, 4)
    known = np.isfinite(T).all(axis=(1, 2))
    turned = np.full((len(T), 3), np.nan)
    for k in np.flatnonzero(known):
        turned[k] = rotation_log(T[k, :3, :3])
    return dict(zip(("x", "y", "z", "rx", "ry", "rz"), [*T[:, :3, 3].T, *turned.T], strict=True))


_PLATFORM = (
    *("x", "y", "z", "rx", "ry", "rz"),
    *("vx", "vy", "vz", "wx", "wy", "wz"),
    *("ax", "ay", "az", "wdx", "wdy", "wdz"),
)


def motion_columns(
    robot: Any, t: np.ndarray, states: Sequence[np.ndarray], motors: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """A motion of K samples as columns of a table, by name.

    Args:
        robot: the machine.
        t: times ``(K,)``.
        states: poses, twists and perhaps twist rates of the platform.
        motors: arrays ``(K, m)`` with a column for each motor, by the names that they begin with.
    """
    T_0p, *rates = states
    turned = np.array([rotation_log(T[:3, :3]) for T in T_0p]).reshape(-1, 3)
    platform = np.concatenate([T_0p[:, :3, 3], turned, *rates], axis=1)
    found = {"t": t, **dict(zip(_PLATFORM, platform.T, strict=False))}
    for name, array in motors.items():
        found |= {f"{name}_{m}": array[:, i] for i, m in enumerate(robot.motors)}
    return found


def _fields(result: Any) -> list[tuple[str, Any]]:
    """Names and values of a dataclass; of a robot its name."""
    found = [(each.name, getattr(result, each.name)) for each in fields(result)]
    return [(name, getattr(v, "name", v) if name == "robot" else v) for name, v in found]


def _fact(value: Any) -> str:
    """A value in a line: numbers with six digits, of arrays their shape and span."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_fact(each)}" for key, each in value.items()) or "none"
    if not isinstance(value, np.ndarray):
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    if value.size <= 1 or (value.ndim == 1 and value.size <= 6):
        return np.array2string(value, precision=6, separator=", ")
    if value.dtype.kind != "f" or not np.isfinite(value).any():
        return f"shape {value.shape}"
    return f"shape {value.shape}, {np.nanmin(value):.4g} to {np.nanmax(value):.4g}"
