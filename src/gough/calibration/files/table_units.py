"""Units of a table of measurements that do not fit the machine: degrees as radians, mm as m.

Motors are compared with their limits, or with home where there are none; measured lengths with the
machine's size, which does not depend on where the measuring device stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gough.base.english import quoted
from gough.calibration.files.table_names import Names
from gough.errors import InputError
from gough.geometry.inverse import motor_positions, posed
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.motion.columns import POSITION, Columns
from gough.motion.findings import Finding, doubtful_unit, of_all
from gough.motion.units import SI, UNITS, Unit, named, of_kind
from gough.robot import Robot

_FITS = 1.1  # of what a motor can reach: where it may stand, offsets of its encoder included
_FAR = 3.0  # a whole stroke outside its limits, in a unit that was said
_FAR_WITHOUT = 20.0 / 3.0  # the same without limits: 20 times the machine's size
_ROOM = 3.0  # times the machine's size, where a slide or a point may be
_BEYOND = 1.01  # of half a stroke: outside the limits, and not by rounding
_STILL = 0.05  # share of the way to home that motors move by, if their unit is too small
_NEARER = 0.6  # share of the distance from home at which another unit is more likely
_SHRUNK = 0.02  # of how far motors move, in natural units: points that move less


_TURN = 2.0 * np.pi + 1e-3  # and rounding [rad]
_COARSE = 0.03  # of the machine's size, or of a radian: worse than a ruler and a protractor
_USUAL = ("m", "mm", "cm", "in", "um")


class _Stroke(NamedTuple):
    """Where motors of one kind may stand: middles, halves (m,), and shares of these that are far.

    The last entry says which of them have limits.
    """

    middle: np.ndarray
    half: np.ndarray
    far: np.ndarray
    limited: np.ndarray

    def off(self, q: np.ndarray) -> np.ndarray:
        """Distances from the middle as shares of half a stroke."""
        return np.asarray(np.abs(q - self.middle) / self.half)


def check_motors(
    robot: Robot, names: Names, q: np.ndarray, columns: Columns, rows: Sequence[str]
) -> list[Finding]:
    """Refuse motors far from where they can be that another unit brings there; note it if said.

    Args:
        robot: the machine.
        names: of its quantities.
        q: positions of the motors in SI units ``(K, n)``.
        columns: of the table.
        rows: where each of the K rows stands, for sentences.
    """
    assembly = assembled(robot)
    robot = assembly.robot
    home = np.asarray(motor_positions(assembly, posed(assembly, assembly.T_home)), dtype=float)
    found: list[Finding] = []
    for kind in ("length", "angle"):
        mine = [i for i, m in enumerate(robot.motors) if (m in names.slides) == (kind == "length")]
        if not mine:
            continue
        motors = [robot.motors[i] for i in mine]
        keys = [names.motors[name] for name in motors]
        silent = all(columns.unit(key) is None for key in keys)
        stroke = _stroke(robot, motors, home[mine], assembly.scales.motors[mine], kind, silent)
        units = columns.units(keys)
        slip = None
        if len(units) == 1:
            (unit,) = units
            slip = _slip(stroke, q[:, mine], home[mine], unit)
        if slip is None:
            found += _outside(stroke, q[:, mine], motors, SI[kind].symbol, rows)
            continue
        said = f"in {named(units)} {slip.sentence}"
        if silent:
            raise InputError(
                f"{said}: are the columns {quoted(columns.one(key).name for key in keys)} in "
                f"{slip.better.word}?",
                hint=_say(kind, slip.better, columns.one(keys[0]).name),
                argument="units",
            )
        found.append(doubtful_unit(f"{said}; in {slip.better.word} they would fit"))
    return found


def check_lengths(
    robot: Robot, q: np.ndarray, measured: dict[str, np.ndarray], columns: Columns
) -> list[Finding]:
    """Refuse lengths that are too large for the machine, and fit in another unit; note it if said.

    Args:
        robot: the machine.
        q: positions of the motors ``(K, n)``.
        measured: how far measured numbers reach [m], by the quantity whose column they are in;
            points are counted from their middle.
        columns: of the table.
    """
    assembly = assembled(robot)
    size = assembly.scales.length
    found: list[Finding] = []
    for key, reach in measured.items():
        largest = float(np.max(reach, initial=0.0))
        unit = columns.unit(key) or SI["length"]
        if largest > _FAR_WITHOUT * _ROOM * size:
            most = _ROOM * size * unit.factor / largest  # factor of a unit that fits
            better = next((UNITS[symbol] for symbol in _USUAL if UNITS[symbol].factor < most), None)
            said = (
                f"in {unit.word} the column {columns.one(key).name!r} reaches over {largest:.3g} "
                f"m, and the machine is {size:.2g} m large"
            )
            if better is not None and columns.unit(key) is None:
                raise InputError(
                    f"{said}: is it in {better.word}?",
                    hint=_say("length", better, columns.one(key).name),
                    argument="units",
                )
            found.append(doubtful_unit(said))
        elif key in (*POSITION, "distance") and unit.factor < 1.0:
            found += _shrunk(assembly, q, largest, key, unit)
    return found


def check_angles(
    names: Names, encoders: Mapping[str, np.ndarray], columns: Columns
) -> list[Finding]:
    """Refuse encoders of turning axes beyond a turn where nothing says the unit; note it if said.

    Args:
        names: of the robot's quantities.
        encoders: readings by axis ``(K,)`` [rad]; NaN where there is none.
        columns: of the table.
    """
    found: list[Finding] = []
    for axis, values in encoders.items():
        if axis in names.slides or not (np.abs(values) > _TURN).any():
            continue
        key, largest = names.encoders[axis], float(np.nanmax(np.abs(values)))
        said = f"the encoder of {axis} reaches {largest:.4g} rad"
        if columns.unit(key) is None:
            raise InputError(
                f"{said}: is the column {columns.one(key).name!r} in degrees?",
                hint=_say("angle", UNITS["deg"], columns.one(key).name),
                argument="units",
            )
        found.append(doubtful_unit(f"{said}, more than a turn"))
    return found


def check_deviations(robot: Robot, std: np.ndarray) -> list[Finding]:
    """Note standard deviations ``(K, 2)`` [m, rad] that no measuring device has."""
    size = assembled(robot).scales.length
    found = []
    for column, unit, natural in ((0, "m", size), (1, "rad", 1.0)):
        values = std[:, column][np.isfinite(std[:, column])]
        largest = float(values.max(initial=0.0))
        if largest > _COARSE * natural:
            of = f"and the machine is {size:.2g} m large" if unit == "m" else "a coarse measurement"
            found.append(
                doubtful_unit(
                    f"a standard deviation is {largest:.3g} {unit}, {of}: is its unit right?"
                )
            )
    return found


def _shrunk(
    assembly: Assembly, q: np.ndarray, largest: float, key: str, unit: Unit
) -> list[Finding]:
    """The finding about points that hardly move although the motors do."""
    size = assembly.scales.length
    moved = float(np.max(np.ptp(q, axis=0) / assembly.scales.motors, initial=0.0))
    if not largest < _SHRUNK * size * moved or largest / unit.factor > _ROOM * size:
        return []
    what = "distances are" if key == "distance" else "positions spread over"
    return [
        doubtful_unit(
            f"in {unit.word} {what} {largest:.3g} m at most, while motors move by {moved:.2g} of "
            f"the machine's size; in metres it would be {largest / unit.factor:.3g} m"
        )
    ]


class _Slip(NamedTuple):
    """What is wrong with motors, in words, and the unit in which it is not."""

    sentence: str
    better: Unit


def _slip(stroke: _Stroke, q: np.ndarray, home: np.ndarray, unit: Unit) -> _Slip | None:
    """What another unit would put right; None if nothing."""
    others = [UNITS[symbol] for symbol in of_kind(unit.kind) if symbol != unit.symbol]

    def fits(other: Unit) -> bool:
        return bool((stroke.off(other.factor / unit.factor * q) <= _FITS).all())

    off = stroke.off(q)
    if (off > stroke.far).any():
        # degrees before milliradians, millimetres before micrometres: the usual unit that fits
        better = next((other for other in sorted(others, key=_rarity) if fits(other)), None)
        if better is not None:
            m = int(np.argmax((off / stroke.far).max(axis=0)))
            away = float(np.max(np.abs(q[:, m] - stroke.middle[m])))
            from_where = "the middle of its stroke" if stroke.limited[m] else "home"
            symbol = SI[unit.kind].symbol
            sentence = f"a motor stands up to {away:.3g} {symbol} away from {from_where}"
            return _Slip(sentence, better)
    si = SI[unit.kind]
    away = float(np.median(np.abs(q - home)))
    nearer = float(np.median(np.abs(q / unit.factor - home)))
    moved = float(np.max(np.ptp(q, axis=0)))
    if unit.factor < 1.0 and moved < _STILL * away and nearer < _NEARER * away and fits(si):
        return _Slip(
            f"motors move by {moved:.2g} {si.symbol} only, {away:.2g} {si.symbol} away from home",
            si,
        )
    return None


def _outside(
    stroke: _Stroke, q: np.ndarray, motors: Sequence[str], symbol: str, rows: Sequence[str]
) -> list[Finding]:
    """The finding about motors outside their limits."""
    off = np.where(stroke.limited, stroke.off(q), 0.0)
    outside = off > _BEYOND
    if not outside.any():
        return []
    k, m = divmod(int(np.argmax(off)), off.shape[1])
    low, high = stroke.middle[m] - stroke.half[m], stroke.middle[m] + stroke.half[m]
    count = int(outside.any(axis=1).sum())
    more = f"; in {count} rows a motor is outside" if count > 1 else ""
    return [
        of_all(
            "limits",
            f"motor {motors[m]} stands at {q[k, m]:.4g} {symbol} in {rows[k]}, outside its limits "
            f"{low:.4g} to {high:.4g} {symbol}{more}",
        )
    ]


def _stroke(
    robot: Robot,
    motors: Sequence[str],
    home: np.ndarray,
    natural: np.ndarray,
    kind: str,
    silent: bool,
) -> _Stroke:
    """Limits of motors where they are known; otherwise room around home, by their natural units.

    Where nothing says the unit, asking costs little: motors are far earlier.
    """
    given = [robot.axis(name).limits.position for name in motors]
    limited = np.array([bounds is not None and bounds[1] > bounds[0] for bounds in given])
    middle, half = np.array(home), natural * (np.pi if kind == "angle" else _ROOM)
    for i, bounds in enumerate(given):
        if bounds is not None and limited[i]:
            middle[i], half[i] = 0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[1] - bounds[0])
    turns = 1.0 if silent else 2.0  # half a turn away from home, or a whole one
    far = np.where(limited, _FITS if silent else _FAR, turns if kind == "angle" else _FAR_WITHOUT)
    return _Stroke(middle, half, far, limited)


def _rarity(unit: Unit) -> int:
    usual = ("mm", "m", "deg", "rad")
    return usual.index(unit.symbol) if unit.symbol in usual else len(usual)


def _say(kind: str, better: Unit, name: str) -> str:
    return (
        f'Say units={{"{kind}": "{better.symbol}"}} or units={{"{kind}": "{SI[kind].symbol}"}}, '
        f"or write the unit into the header: {name} [{better.symbol}]."
    )
