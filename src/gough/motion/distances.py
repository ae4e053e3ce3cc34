"""Units that do not fit: a platform far from its machine, samples that are seconds apart."""

from __future__ import annotations

import numpy as np

from gough.errors import InputError
from gough.motion.columns import POSITION, Columns
from gough.motion.findings import Finding, doubtful_unit
from gough.motion.space import Space
from gough.motion.units import SI, UNITS, of_kind

_FAR = 20.0  # times the machine's size, where no platform of a machine is
_NEAR = 3.0  # and where it may be
_OFF = 0.3  # times the machine's size: not home, when another unit would be
_NEARER = 0.1  # share of that distance at which another unit is more likely


_SLOW, _MANY = 0.5, 20  # so many samples so far apart [s] are unusual
_ENDLESS = 100.0  # and nobody measures a machine like that


def check_steps(t: np.ndarray, columns: Columns) -> tuple[Finding, ...]:
    """Note times that look like milliseconds, or smaller, where nothing says their unit.

    Raises:
        InputError: the samples would be minutes apart.
    """
    step = float(np.median(np.diff(t)))
    if columns.unit("t") is not None or len(t) < _MANY or step < _SLOW:
        return ()
    smaller = [UNITS[symbol] for symbol in of_kind("time")[1:]]
    likely = next((unit for unit in smaller if step * unit.factor < _SLOW), smaller[-1])
    said = f"samples are {step:.3g} s apart, {t[-1] - t[0]:.4g} s in all: are these {likely.word}?"
    hint = f'Say units={{"time": "{likely.symbol}"}} or units={{"time": "s"}}.'
    if step > _ENDLESS:
        raise InputError(said, hint=hint, argument="units")
    return (doubtful_unit(f"{said} {hint}"),)


def check_distance(
    space: Space, names: tuple[str, ...], values: np.ndarray, columns: Columns
) -> tuple[Finding, ...]:
    """Refuse positions far from home that another unit brings near it; note it if it was said.

    Args:
        space: of the robot.
        names: of the positions, among x y z.
        values: as they were read (K, m) [m].
        columns: of the table.
    """
    columns.check_headers(names)
    units = columns.units(names)
    if len(units) > 1:
        return ()
    (unit,) = units
    home = space.assembly.T_home[[POSITION.index(name) for name in names], 3]
    size = space.assembly.scales.length

    def away(factor: float) -> float:
        return float(np.median(np.linalg.norm(factor / unit.factor * values - home, axis=1)))

    distance = away(unit.factor)
    others = [UNITS[symbol] for symbol in of_kind("length")]
    best = min(others, key=lambda other: away(other.factor))
    if np.linalg.norm(home) < _OFF * size:
        # every smaller unit is nearer to a home at the origin: the usual one that fits is meant
        usual = [UNITS[symbol] for symbol in ("m", "mm", "cm", "in", "um")]
        best = next((other for other in usual if away(other.factor) < _NEAR * size), best)
    near = away(best.factor)
    far = distance > _FAR * size and near < _NEAR * size
    silent = all(columns.unit(name) is None for name in names)
    where = (
        f"in {unit.word} the platform is {distance:.3g} m away from home, and the machine is "
        f"{size:.2g} m large"
    )
    if silent and far:
        raise InputError(
            f"{where}: are the columns {' '.join(names)} in {best.word}?",
            hint=f'Say units={{"length": "{best.symbol}"}} or units={{"length": "m"}}, or write '
            f"the unit into the header: {names[0]} [{best.symbol}].",
            argument="units",
            distance=distance,
        )
    likelier = unit != SI["length"] and distance > _OFF * size and near < _NEARER * distance
    if not silent and (far or (likelier and best.factor > unit.factor)):
        return (
            doubtful_unit(
                f"{where}; in {best.word} it would be {round(near / size, 9) * size:.3g} m"
            ),
        )
    return ()
