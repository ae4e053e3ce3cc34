"""Legs from a table of Khalil-Kleinfinger parameters, as in [BK] Table 1 and [KI] Table 1.

Frame j follows from its antecedent a(j) by

    Rot(z, gamma) Trans(z, b) Rot(x, alpha) Trans(x, d) Rot(z, theta) Trans(z, r)

and moves about z_j (sigma = 0, the variable is theta) or along it (sigma = 1, the variable is r).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.arguments import nearest, number, words
from gough.base.english import counted
from gough.build import checks
from gough.build.chains import tidy
from gough.build.checks import Solid
from gough.build.parts import BASE, PLATFORM, Parts
from gough.build.strings import joint_string
from gough.errors import InputError, shown
from gough.robot import Frame, Joint
from gough.robot.names import check_name

BK_COLUMNS = ("j", "a", "sigma", "gamma", "b", "alpha", "d", "theta", "r")
"""Columns of [BK] Table 1; motors are named apart, or by a column ``mu``."""

KI_COLUMNS = ("j", "a", "mu", "sigma", "gamma", "b", "alpha", "d", "theta", "r")
"""Columns of [KI] Table 1."""

_ZERO = {"mu": 0, "gamma": 0.0, "b": 0.0, "alpha": 0.0, "d": 0.0, "theta": 0.0, "r": 0.0}
_KINDS = {0: "revolute", 1: "prismatic"}
_END = "end"


def khalil_kleinfinger(
    table: Sequence[Any],
    *,
    leg: str | int,
    columns: Sequence[str] | None = None,
    bodies: Mapping[Any, Solid] | None = None,
    axes: Mapping[Any, Any] | None = None,
    closing: str = "S",
    platform_point: Any = None,
    platform_frame: Frame | None = None,
    tip: Any = None,
    tip_frame: Frame | None = None,
    base: str = BASE,
    platform: str = PLATFORM,
) -> Parts:
    """A leg from its table: bodies ``link{leg}_{j}``, joints ``q{leg}_{j}``, and ``end{leg}``.

    The variable of a row, theta or r, is its value at home, and the joint's coordinate counts from
    where the table has it: q = theta, or q = r.

    Args:
        table: rows, as sequences in the order of ``columns`` or as mappings; in a mapping what is
            zero may be left out. ``j`` names the frame (default 1, 2, ...), ``a`` its antecedent, 0
            or the base's name for the base; rows may branch.
        leg: what the leg is called.
        columns: names of the columns: :data:`BK_COLUMNS`, :data:`KI_COLUMNS`, or another order;
            default by the length of the rows.
        bodies: of the frames, by j: a Body, mass properties in the link frame; without an entry the
            link is massless.
        axes: friction, rotor, transmission and limits, by j; ``"end"``: those of the closing joint,
            an Axis, or a tuple with one for each of its axes.
        closing: letter of the joint between the last link and the platform: S, U, R, ...
        platform_point: where it sits on the platform [m]; or ``platform_frame``, with axes.
        platform_frame: frame B of the closing joint.
        tip: the frame that carries the closing joint; default the last row.
        tip_frame: frame A of the closing joint on it; default the link's own.
        base: name of the fixed body.
        platform: name of the platform.

    Returns:
        The leg; its motors are the rows with mu = 1, in order.
    """
    rows = [_row(given, k, columns) for k, given in enumerate(checks.listed(table, "table"))]
    if not rows:
        raise InputError("a Khalil-Kleinfinger table has at least one row", argument="table")
    frames = [row["j"] for row in rows]
    twice = [j for j in frames if frames.count(j) > 1]
    if twice:
        raise InputError(f"table: two rows are frame {shown(twice[0])}", argument="table")
    solids: Mapping[Any, Solid] = {} if bodies is None else bodies
    figures: Mapping[Any, Any] = {} if axes is None else axes
    for what, given, others in (("bodies", solids, ()), ("axes", figures, (_END,))):
        if not isinstance(given, Mapping):
            raise InputError(
                f"{what}: expected {{j: ...}}, by the frames of the table, got {shown(given)}",
                argument=what,
            )
        for key in given:
            if key not in (*frames, *others):
                raise InputError(
                    f"{what}: the table has no frame {shown(key)}",
                    hint=nearest(key, [str(j) for j in (*frames, *others)]),
                    argument=what,
                )
    check_name(base, "base")
    made = Parts()
    links: dict[Any, str] = {0: base, "0": base, base: base}
    poses = {base: np.eye(4)}
    for row in rows:
        j, parent = row["j"], links.get(row["a"])
        if parent is None:
            raise InputError(
                f"table: the antecedent {shown(row['a'])} of frame {shown(j)} is no earlier frame",
                hint=f"Earlier: {', '.join(str(a) for a in links if a not in ('0', base))}.",
                argument="table",
            )
        link = checks.solid(solids.get(j), f"link{leg}_{j}")
        fixed, moved, q = _transform(row)
        T = poses[parent] @ fixed @ moved
        name = f"q{leg}_{j}"
        joint = Joint(
            name,
            _KINDS[row["sigma"]],
            parent,
            link.name,
            Frame.from_matrix(tidy(fixed)),
            axes=(checks.motor(figures[j], "axes"),) if j in figures else (),
        )
        made = made + Parts(
            (link,),
            (joint,),
            (name,) if row["mu"] else (),
            {link.name: Frame.from_matrix(tidy(T))},
            {name: q},
        )
        links[j], poses[link.name] = link.name, T
    last = frames[-1] if tip is None else tip
    if not isinstance(last, (str, int)) or last not in frames:
        raise InputError(
            f"tip: the table has no frame {shown(last)}",
            hint=nearest(last, [str(j) for j in frames]),
            argument="tip",
        )
    end = _end(closing, leg, links[last], platform, platform_point, platform_frame, tip_frame)
    if _END in figures:
        own = figures[_END]
        several = own if isinstance(own, (tuple, list)) else (own,)
        end = replace(end, axes=tuple(checks.motor(axis, "axes") for axis in several))
    return made + Parts(joints=(end,))


def before_joint(gamma: float, b: float, alpha: float, d: float) -> np.ndarray:
    """``Rot(z, gamma) Trans(z, b) Rot(x, alpha) Trans(x, d)``: a joint on its antecedent."""
    return tidy(
        spatial.pose(spatial.rotation_z(gamma), np.zeros(3))
        @ spatial.pose(spatial.rotation_x(alpha), np.array([0.0, 0.0, b]))
        @ spatial.pose(np.eye(3), np.array([d, 0.0, 0.0]))
    )


def _end(
    closing: str,
    leg: str | int,
    link: str,
    platform: str,
    platform_point: Any,
    platform_frame: Frame | None,
    tip_frame: Frame | None,
) -> Joint:
    letters = joint_string(closing)
    if len(letters) != 1 or letters[0].motors:
        raise InputError(
            f"closing: expected one letter without a star, got {shown(closing)}", argument="closing"
        )
    if (platform_point is None) == (platform_frame is None):
        raise InputError(
            "give platform_point or platform_frame: where the leg holds the platform",
            argument="platform_point",
        )
    if platform_frame is None:
        platform_frame = Frame(checks.point(platform_point, "platform_point").tolist())
    A = Frame() if tip_frame is None else tip_frame
    return Joint(f"end{leg}", letters[0].kind, link, platform, A, platform_frame)


def _row(given: Any, k: int, columns: Sequence[str] | None) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        given = checks.listed(given, f"table: row {k + 1}")
        lengths = {len(BK_COLUMNS): BK_COLUMNS, len(KI_COLUMNS): KI_COLUMNS}
        names = lengths.get(len(given)) if columns is None else words(columns, "columns")
        if names is None or len(names) != len(given):
            expected = "9 or 10" if names is None else str(len(names))
            raise InputError(
                f"table: row {k + 1} has {counted(len(given), 'entry', 'entries')}, expected "
                f"{expected}",
                hint=f"[BK] Table 1: {' '.join(BK_COLUMNS)}; [KI] Table 1: {' '.join(KI_COLUMNS)}.",
                argument="table",
            )
        given = dict(zip(names, given, strict=True))
    known = ("j", "a", "sigma", *_ZERO)
    for key in given:
        if key not in known:
            raise InputError(
                f"table: row {k + 1} has an unknown column {shown(key)}",
                hint=nearest(key, known),
                argument="table",
            )
    row = {"j": k + 1, "a": k, "sigma": 0, **_ZERO, **given}
    for key, values in (("sigma", (0, 1)), ("mu", (0, 1))):
        if row[key] not in values:
            raise InputError(
                f"table: row {k + 1}: {key} is 0 or 1, not {shown(row[key])}", argument="table"
            )
    for key in ("j", "a"):  # arrays have floats only
        if isinstance(row[key], float) and row[key].is_integer():
            row[key] = int(row[key])
    for key in ("b", "d", "theta", "r"):
        row[key] = number(row[key], f"table: row {k + 1}, {key}")
    for key in ("gamma", "alpha"):
        row[key] = checks.angle(row[key], f"table: row {k + 1}, {key}")
    return row


def _transform(row: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray, float]:
    """What is fixed before the joint moves, the joint's own motion, and its coordinate."""
    fixed = before_joint(row["gamma"], row["b"], row["alpha"], row["d"])
    turn = spatial.pose(spatial.rotation_z(row["theta"]), np.zeros(3))
    slide = spatial.pose(np.eye(3), np.array([0.0, 0.0, row["r"]]))
    # Rot(z) and Trans(z) commute: the constant one of the two belongs to the parent
    if row["sigma"] == 0:
        return fixed @ slide, turn, row["theta"]
    return fixed @ turn, slide, row["r"]
