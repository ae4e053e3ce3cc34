"""Delta printers from Klipper's ``printer.cfg``: geometry, measurements, and values back into it.

Klipper describes a linear Delta by a radius, and by an end stop, an arm length and an angle of each
tower [mm, deg].  ``DELTA_CALIBRATE`` and ``DELTA_ANALYZE`` leave what was measured in the section
``delta_calibrate``: heights at which the probe touched the bed, and distances on a printed part.  A
position is written there as the steps that each tower made from its end stop, so that it does not
depend on the geometry that is being fitted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from gough.base.arguments import switch
from gough.base.tables.whole import write_whole
from gough.build import checks, linear_delta
from gough.calibration.files.klipper_config import Config, read_config
from gough.calibration.kinds import Distances, Heights
from gough.errors import InputError, shown
from gough.robot import Robot
from gough.zoo.makers import vary

TOWERS = ("stepper_a", "stepper_b", "stepper_c")
"""Sections of the three towers, in the order of the motors."""

_MM = 1000.0  # a metre in the unit of the file
_ANGLES = (210.0, 330.0, 90.0)  # [deg], where the file is silent
_CALIPERS = 5e-5  # standard deviation of a distance on a printed part [m]; weights follow from it
_MEASURE_WEIGHT = 0.5  # Klipper's: what all distances together weigh, by all heights together
_MEASURED = "delta_calibrate"
_KEY = re.compile(r"(height|manual_height|distance)(\d+)(_pos[12]?)?", re.A)
_PARTS = {"height": ("_pos",), "manual_height": ("_pos",), "distance": ("_pos1", "_pos2")}
_MOST = 999  # measurements of a kind that Klipper reads
_PARAMETERS = ("rail_radius", "platform_radius", "bar", "endstops", "angles")


@dataclass(frozen=True, eq=False)
class Printer:
    """A Delta printer as its ``printer.cfg`` describes it, and what was measured on it.

    Attributes:
        file: path of the file.
        robot: of :func:`gough.build.linear_delta`, with the geometry of the file; motors are
            the sliders of towers a, b and c.
        measurements: heights, and distances if there are any; every one has the key of the file as
            its label: ``height3``, ``distance11``.
        free: parameters of the robot that the firmware fits, as ``gough.vary`` takes them:
            radius, two angles, end stops; with distances also the bars.
        steps: travel of each slider per step of its motor [m].
        weights: what the firmware multiplies squared residuals by, for each kind of
            measurement: ``height`` and ``distance``.
        print_radius: how far from the middle of the bed the tool may be [m]: ``print_radius`` of
            the file, else the radius of ``delta_calibrate``, else ``delta_radius``.
    """

    file: str
    robot: Robot
    measurements: tuple[Heights | Distances, ...]
    free: tuple[str, ...]
    steps: tuple[float, ...]
    weights: Mapping[str, float]
    print_radius: float
    _config: Config = field(repr=False)

    def write(self, path: str | os.PathLike[str], values: Robot | Mapping[str, float]) -> None:
        """Write the file with another geometry, in the keys that Klipper has for it.

        Radius, end stops, arm lengths and angles go to the SAVE_CONFIG block, rounded to 1e-6 mm
        and 1e-6 deg as Klipper does; the same keys above the block become comments, because there
        they would take precedence.  Everything else stays as it was read.

        Args:
            path: of the file to be written; it appears whole or not at all, and may be the one that
                was read.
            values: a robot that was varied or calibrated from this one, or parameters by name
                or path: ``{"rail_radius": 0.1628, "bar[0]": 0.3455}``.

        Raises:
            InputError: a robot that is no linear Delta with three legs, or a parameter that there
                is not.
            FileError: the file cannot be written, or a key stands in an included file.
        """
        robot = values if isinstance(values, Robot) else vary(self.robot, values)
        write_whole(path, self._config.saving(_klipper_values(robot)).encode())


def read_klipper(
    path: str | os.PathLike[str],
    *,
    platform_radius: float = 0.0,
    half_spacing: float = 0.025,
    name: str = "printer",
    measured: bool = True,
) -> Printer:
    """A Delta printer from Klipper's ``printer.cfg``, with the measurements that stand in it.

    The file says nothing about the size of the platform, and for a platform that only translates
    it does not matter.  Unless a radius is given, the bars end in one point and ``rail_radius`` of
    the robot is Klipper's ``delta_radius``.

    Args:
        path: of the file; files that it includes are read from its folder.
        platform_radius: distance of the bars' lower ends from the platform's middle [m].
        half_spacing: half the distance of the two bars of a leg [m].
        name: identifier of the robot.
        measured: whether measurements must be there; without them a file is good for a plan.

    Returns:
        Robot, measurements, and the parameters that the firmware would fit.

    Raises:
        FileError: a key is missing or has a value that makes no sense, no Delta is
            described, or nothing was measured; names file, line and key.
        InputError: an argument that makes no sense.

    Warns:
        GoughWarning: files to be included are not there or not in the folder of the file.

    Example:
        >>> printer = gough.calibration.read_klipper("printer.cfg")
        >>> printer.write("printer.cfg", {"rail_radius": 0.16277})
    """
    config = read_config(path)
    lower = checks.length(platform_radius, "platform_radius", zero=True)
    kinematics = config.text("printer", "kinematics")
    if kinematics != "delta":
        raise config.refused(
            "printer",
            "kinematics",
            f"expected delta, got {shown(kinematics)}",
            "Only linear Deltas are read.",
        )
    radius = config.number("printer", "delta_radius", above=0.0)
    arms, endstops = (_of_towers(config, key) for key in ("arm_length", "position_endstop"))
    for tower, arm in zip(TOWERS, arms, strict=True):
        if arm <= radius:
            key = "arm_length"
            where = tower if config.has(tower, key) else TOWERS[0]
            message = f"{arm:g} mm is not longer than delta_radius, {radius:g} mm"
            raise config.refused(where, key, message)
    angles = []
    for tower, usual in zip(TOWERS, _ANGLES, strict=True):
        angles.append(config.number(tower, "angle", usual))
        if abs(angles[-1]) > 360.0:
            raise config.refused(tower, "angle", f"{angles[-1]:g} deg is more than a turn")
    steps = np.array([_step(config, tower) for tower in TOWERS]) / _MM
    robot = linear_delta(
        lower + radius / _MM,
        lower,
        [arm / _MM for arm in arms],
        half_spacing,
        endstops=[height / _MM for height in endstops],
        angles=np.radians(angles).tolist(),
        name=name,
    )
    sets, weights = _measurements(config, steps, switch(measured, "measured"))
    free = ["rail_radius", "angles[0]", "angles[1]", *(f"endstops[{i}]" for i in range(3))]
    if "distance" in weights:
        free += [f"bar[{i}]" for i in range(3)]
    return Printer(
        file=config.file,
        robot=robot,
        measurements=sets,
        free=tuple(free),
        steps=tuple(steps.tolist()),
        weights=weights,
        print_radius=_bed(config, radius) / _MM,
        _config=config,
    )


def _bed(config: Config, radius: float) -> float:
    """How far from the middle the tool may be [mm]; like Klipper, delta_radius if nothing is said.

    Args:
        config: the file.
        radius: its delta_radius [mm].
    """
    for section, key in (("printer", "print_radius"), (_MEASURED, "radius")):
        if config.has(section, key):
            return config.number(section, key, above=0.0)
    return radius


def _of_towers(config: Config, key: str) -> list[float]:
    """A figure of each tower; those of the first where others are silent."""
    first = config.number(TOWERS[0], key)
    return [first, *(config.number(tower, key, first) for tower in TOWERS[1:])]


def _step(config: Config, tower: str) -> float:
    """Travel of a slider per step of its motor [mm]."""
    if config.has(tower, "step_distance") and not config.has(tower, "rotation_distance"):
        return config.number(tower, "step_distance", above=0.0)  # of older versions
    travel = config.number(tower, "rotation_distance", above=0.0)
    micro = _whole(config, tower, "microsteps", None)
    full = _whole(config, tower, "full_steps_per_rotation", 200)
    if full % 4:
        raise config.refused(
            tower, "full_steps_per_rotation", f"must be a multiple of 4, is {full}"
        )
    return travel / (micro * full * _gearing(config, tower))


def _whole(config: Config, tower: str, key: str, default: float | None) -> int:
    found = config.number(tower, key, default, above=0.0)
    if found != int(found):
        raise config.refused(tower, key, f"expected a whole number, got {found:g}")
    return int(found)


def _gearing(config: Config, tower: str) -> float:
    """Turns of the motor per turn of the pulley, from ``80:20, 3:1``."""
    key, ratio = "gear_ratio", 1.0
    if not config.has(tower, key):
        return ratio
    text = config.text(tower, key)
    for pair in text.split(","):
        driven, driving = config.numbers(tower, key, pair.replace(":", ","), 2)
        if driven <= 0.0 or driving <= 0.0:
            raise config.refused(tower, key, f"teeth must be positive, got {shown(text)}")
        ratio *= driven / driving
    return ratio


def _measurements(
    config: Config, steps: np.ndarray, needed: bool
) -> tuple[tuple[Heights | Distances, ...], dict[str, float]]:
    """Heights and distances, and what the firmware weighs them with."""
    kinds = {kind: _numbered(config, kind) for kind in _PARTS}
    _check_orphans(config, kinds)

    def motors(keys: list[str], part: str) -> np.ndarray:
        rows = [
            config.numbers(_MEASURED, k + part, config.text(_MEASURED, k + part), 3) for k in keys
        ]
        return np.asarray(-steps * np.array(rows))  # counted downwards from the end stop

    def values(keys: list[str]) -> np.ndarray:
        return np.array([config.number(_MEASURED, key) for key in keys]) / _MM

    probed, distances = kinds["height"], kinds["distance"]
    heights = [*probed, *kinds["manual_height"]]
    if not heights and not needed:
        return (), {}
    if not heights:
        config.text(_MEASURED, "height0", "On the printer: DELTA_CALIBRATE, then SAVE_CONFIG.")
    weights = {"height": 1.0}
    if distances:
        # manual heights are weighed like others, but the firmware does not count them
        counted = len(probed) or len(heights)
        weights = {"height": len(distances) / (_MEASURE_WEIGHT * counted), "distance": 1.0}
    std = _CALIPERS / np.sqrt(weights["height"])
    found: list[Heights | Distances] = [
        Heights(motors(heights, "_pos"), values(heights), std, labels=heights)
    ]
    if distances:
        for key in distances:
            config.number(_MEASURED, key, above=0.0)
        first, second = (motors(distances, part) for part in _PARTS["distance"])
        found.append(Distances(first, second, values(distances), _CALIPERS, labels=distances))
    return tuple(found), weights


def _numbered(config: Config, kind: str) -> list[str]:
    """Keys of one kind of measurement; Klipper stops reading at the first that is missing."""
    matches = [match for key in config.keys(_MEASURED) if (match := _KEY.fullmatch(key))]
    numbers = sorted(int(m[2]) for m in matches if m[1] == kind and m[3] is None)
    for wanted, number in enumerate(numbers):
        key = f"{kind}{number}"
        if number != wanted:
            raise config.refused(
                _MEASURED, key, f"there is no {kind}{wanted} before it, so Klipper does not read it"
            )
        if number >= _MOST:
            raise config.refused(_MEASURED, key, f"Klipper reads {_MOST} of a kind at most")
    return [f"{kind}{number}" for number in numbers]


def _check_orphans(config: Config, kinds: Mapping[str, list[str]]) -> None:
    """Refuse positions to which nothing was measured."""
    known = {key for keys in kinds.values() for key in keys}
    for key in config.keys(_MEASURED):
        match = _KEY.fullmatch(key)
        if match and match[3] and match[1] + match[2] not in known:
            raise config.refused(
                _MEASURED, key, f"there is no {match[1]}{match[2]} that it belongs to"
            )


def _klipper_values(robot: Robot) -> dict[tuple[str, str], str]:
    """Geometry of a robot in Klipper's keys and units."""
    known = robot.parameters
    if not all(name in known for name in _PARAMETERS):
        raise InputError(
            f"{robot.name}: Klipper has no keys for this robot",
            hint="It takes robots of gough.build.linear_delta, as read_klipper and gough.vary "
            "make them.",
            argument="values",
        )
    radius = (known["rail_radius"] - known["platform_radius"]) * _MM
    if len(known["angles"]) != len(TOWERS) or radius <= 0.0:
        raise InputError(
            f"{robot.name}: Klipper's Delta has three towers and a delta_radius above zero, "
            f"this one {len(known['angles'])} and {radius:g} mm",
            argument="values",
        )
    found = {("printer", "delta_radius"): f"{radius:.6f}"}
    figures = {
        "angle": np.degrees(known["angles"]),
        "arm_length": np.array(checks.each(known["bar"], 3, "bar")) * _MM,
        "position_endstop": np.array(checks.each(known["endstops"], 3, "endstops")) * _MM,
    }
    for i, tower in enumerate(TOWERS):
        found |= {(tower, key): f"{numbers[i]:.6f}" for key, numbers in figures.items()}
    return found
