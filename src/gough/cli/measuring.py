"""Words of ``gough calibrate``: what was measured, how well, and in which frames."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gough.cli.printing import say
from gough.cli.words import find_robot, one_number
from gough.errors import FileError, InputError, shown

if TYPE_CHECKING:
    from gough.calibration import Measurements, Printer
    from gough.robot import Frame, Robot

KLIPPER = ".cfg"
"""Ending of Klipper's files."""

_PAIR = {"lengths": "m", "angles": "rad"}
_FRAME = {"x": "m", "y": "m", "z": "m", "roll": "rad", "pitch": "rad", "yaw": "rad"}
_UNIT = re.compile(r"[a-z]+$", re.IGNORECASE)


class Bench(NamedTuple):
    """A machine and what was measured on it.

    Attributes:
        robot: the machine as described.
        measurements: of all files.
        printer: the file of a printer that they come from.
    """

    robot: Robot
    measurements: list[Measurements]
    printer: Printer | None


def find_bench(
    robot: str, measured: Sequence[Path], about: dict[str, Any], *, needed: bool = True
) -> Bench:
    """The robot that is meant, and measurements of files; how they were read is printed.

    Args:
        robot: a robot file, a name of the zoo, or Klipper's ``printer.cfg``.
        measured: tables of measurements.
        about: arguments of ``gough.calibration.read_measurements``.
        needed: whether a printer.cfg must have measurements.
    """
    from gough.calibration import read_klipper

    if Path(robot).suffix.lower() == KLIPPER:
        printer = read_klipper(robot, measured=needed)
        found: list[Measurements] = [*printer.measurements]
        return Bench(printer.robot, found + read_tables(printer.robot, measured, about), printer)
    machine = find_robot(robot, remarks=True)
    return Bench(machine, read_tables(machine, measured, about), None)


def read_tables(robot: Robot, files: Sequence[Path], about: dict[str, Any]) -> list[Measurements]:
    """Measurements of tables; how their columns were read is printed on stderr."""
    from gough.calibration import read_measurements

    found: list[Measurements] = []
    for file in files:
        table = read_measurements(robot, file, **about)
        for finding in table.findings:
            name = f"{file.name}: " if len(files) > 1 else ""
            say(f"gough: remark: {name}{finding.sentence}", err=True)
        found += table
    return found


def check_twice(files: Sequence[Path]) -> None:
    """Refuse a table that is given twice: its measurements would count double."""
    seen: set[Path] = set()
    for file in files:
        if file.resolve() in seen:
            raise InputError(
                f"{file} is given twice: its measurements would count double",
                hint="Name every table once.",
                argument="measured",
            )
        seen.add(file.resolve())


def check_fit(loss: str, outliers: str, propose: int) -> None:
    """Refuse words of options that mean nothing, before tables are read."""
    from gough.base.arguments import one_of, whole
    from gough.calibration.calibrate import LOSSES

    one_of(loss, "--loss", LOSSES)
    one_of(outliers, "--outliers", ("warn", "drop", "keep"))
    whole(propose, "--next")


def find_held_back(word: str) -> float | Path:
    """What ``--held-back`` means: a share of the measurements, or a table."""
    path = Path(word)
    if path.suffix and path.exists():
        return path
    try:
        share = float(word)
    except ValueError as err:
        raise InputError(
            f"--held-back {shown(word)} is neither a share such as 0.2 nor a table that is there",
            argument="held_back",
        ) from err
    if not 0.0 <= share <= 0.9:
        raise InputError(
            f"--held-back is {share:g}, expected a share of the measurements, 0 to 0.9",
            hint="A fifth of them: --held-back 0.2.",
            argument="held_back",
        )
    return share


def check_robot_file(path: Path | None, *, klipper: bool) -> None:
    """Refuse a name that is no file of a robot, before any work is done."""
    if path is None:
        return
    if path.is_dir():
        raise FileError("is a folder", file=str(path), hint="Name a file in it.")
    known = [".yaml", ".yml", ".json", *([KLIPPER] if klipper else [])]
    if path.suffix.lower() not in known:
        raise FileError(
            f"is no robot file: its ending is {path.suffix or 'missing'}",
            file=str(path),
            hint=f"Known endings: {', '.join(known)}.",
        )


def find_prior(words: str | None, usual: Any = "manufacturing") -> Any:
    """What ``--prior`` means: ``none``, a factor, a pair with units, or sizes by pattern."""
    if words is None or words == "manufacturing":
        return usual if words is None else words
    if words == "none":
        return None
    if "=" in words:
        found = {}
        for word in words.split(","):
            pattern, _, value = (part.strip() for part in word.rpartition("="))
            if not pattern:
                raise InputError(
                    f"--prior has {shown(word)}, expected PATTERN=SIZE",
                    hint="--prior 'u*.base.position=0.2mm,*.gain=1e-4'",
                    argument="prior",
                )
            found[pattern] = _size("--prior", words, _sized("--prior", value, pattern))
        return found
    if "," in words:
        return _pair("--prior", words)
    if _UNIT.search(words):
        raise InputError(
            f"--prior {shown(words)} is neither none nor manufacturing, a factor or a pair",
            hint="--prior none; --prior 2 (times the tolerances); --prior 0.5mm,0.5mrad; "
            "--prior '*.position=0.2mm'",
            argument="prior",
        )
    return _size("--prior", words, one_number("--prior", words, "factor", ""))


def find_noise(
    words: str | None, measured: Sequence[Measurements], usual: Any = None, planned: str = ""
) -> Any:
    """What ``--noise`` means: ``scaled``, a pair with units, or one number where that is enough.

    Args:
        words: as they were typed.
        measured: lengths alone are enough if nothing else is measured without its noise.
        usual: without the option.
        planned: units of what will be measured: ``"m"``, ``"rad"``, ``"m rad"``.
    """
    if words is None or words == "scaled":
        return usual if words is None else words
    if "," in words:
        return _pair("--noise", words)
    import numpy as np

    own = "rad" if words.strip().lower().endswith(("rad", "deg")) else "m"
    value = _size("--noise", words, one_number("--noise", words, "size", own))
    needed = {*planned.split()}
    for each in measured:
        silent = np.isnan(each.std).any(axis=0)
        needed |= {unit for unit, none in zip(each.number_units, silent, strict=True) if none}
    if needed - {own}:
        other = "angles" if own == "m" else "lengths"
        raise InputError(
            f"--noise {shown(words)} says nothing of {other}, which are measured too",
            hint="Give both: --noise 0.02mm,0.05mrad.",
            argument="noise",
        )
    return (value, 1.0) if own == "m" else (1.0, value)


def _pair(option: str, words: str) -> tuple[float, ...]:
    from gough.cli.words import numbers

    return tuple(_size(option, words, each) for each in numbers(option, words, _PAIR).tolist())


def _size(option: str, words: str, value: float) -> float:
    """A standard deviation, which is above 0."""
    if not 0.0 < value < math.inf:
        raise InputError(
            f"{option} {shown(words)}: a standard deviation must be above 0",
            argument=option.lstrip("-"),
        )
    return value


def _sized(option: str, word: str, name: str) -> float:
    """A number whose unit says what it counts; without one it is SI."""
    unit = (_UNIT.search(word.strip().lower()) or [""])[0]
    angle = unit.endswith(("rad", "deg"))
    return one_number(option, word, name, "" if not unit else "rad" if angle else "m")


def find_frame(option: str, words: str | None) -> Frame | None:
    """A frame as ``X,Y,Z`` or ``X,Y,Z,ROLL,PITCH,YAW`` [m, rad], or with units."""
    if words is None:
        return None
    from gough.base.english import counted
    from gough.cli.words import numbers
    from gough.robot import Frame

    count = len(words.split(","))
    if count not in (3, 6):
        raise InputError(
            f"{option} has {counted(count, 'number')}, expected three or six: x, y, "
            "z, or x, y, z, roll, pitch, yaw",
            argument=option.lstrip("-"),
        )
    names = dict([*_FRAME.items()][:3]) if count == 3 else _FRAME
    found = numbers(option, words, names).tolist()
    return Frame.from_rpy(found[:3], found[3:] or (0.0, 0.0, 0.0))
