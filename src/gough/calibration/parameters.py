"""Parameters that are free in a calibration: which, where they stand, how large their errors are.

A parameter is a number with a name that moves entries of the geometry: one entry (a coordinate of a
joint's frame, a motor's gain), several that are tied (the length of a rod), or whatever the maker
of a robot does with a figure of its own (one radius for three towers).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from gough.base.arguments import nearest, number, one_of
from gough.calibration.figures import Figures, leaves
from gough.calibration.geometry import DEVICE, GAIN, OFFSET, TOOL, Layout
from gough.errors import InputError, shown
from gough.robot import Robot

LENGTH = "length"

TOLERANCE = 5e-4
"""Standard deviation of positions, as a share of the robot's length, and of directions [rad].

Half a millimetre on a machine of one metre: welded frames, bought joints, no measuring after.
"""
LEAD = 2e-4
"""Standard deviation of a gain: lead of a screw, pitch of a belt."""
_FEW = 30  # figures of a maker that fit into a hint
PLACED = 0.1
"""The same of a measuring device that stands somewhere: a share of the length, and rad."""


@dataclass(frozen=True, eq=False)
class Parameter:
    """A number that is free.

    Attributes:
        name: by which it is chosen and reported.
        what: ``position``, ``direction``, ``offset``, ``gain``, ``length`` or ``figure``.
        unit: ``m``, ``rad``, or empty.
        nominal: its value in the description.
        prior: standard deviation of its error before anything is measured.
        owner: joint, motor, body, maker, ``device`` or ``tool``.
    """

    name: str
    what: str
    unit: str
    nominal: float
    prior: float
    owner: str

    @property
    def is_device(self) -> bool:
        """Whether it is part of the measuring device's frame, and not of a joint of that name."""
        return self._frame == DEVICE

    @property
    def is_placed(self) -> bool:
        """Whether it is part of the frame of device or tool."""
        return self._frame in (DEVICE, TOOL)

    @property
    def _frame(self) -> str:
        head, *rest = self.name.split(".")
        return head if self.owner == head and len(rest) == 2 and self.what != LENGTH else ""


@dataclass(frozen=True, eq=False)
class Free:
    """All parameters of a calibration, and the geometry that they mean.

    Attributes:
        layout: numbers of the geometry.
        parameters: in order; figures of the maker come last.
        columns: geometry by the parameters that are not figures ``(G, n - f)``.
        figures: those of the maker, if any is free.
    """

    layout: Layout
    parameters: tuple[Parameter, ...]
    columns: np.ndarray
    figures: Figures | None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(each.name for each in self.parameters)

    @property
    def nominal(self) -> np.ndarray:
        """Their values in the description."""
        return np.array([each.nominal for each in self.parameters])

    @property
    def prior(self) -> np.ndarray:
        """Standard deviations of their errors before anything is measured."""
        return np.array([each.prior for each in self.parameters])

    def geometry(self, p: np.ndarray) -> np.ndarray:
        """The geometry that values mean."""
        direct = self.columns.shape[1]
        g = self.layout.nominal if self.figures is None else self.figures.geometry(p[direct:])
        return np.asarray(g + self.columns @ (p - self.nominal)[:direct])

    def slopes(self, p: np.ndarray) -> np.ndarray:
        """Its derivatives by the values ``(G, n)``."""
        if self.figures is None:
            return self.columns
        return np.hstack([self.columns, self.figures.slopes(p[self.columns.shape[1] :])])

    def chosen(self, which: Sequence[int]) -> Free:
        """Some of the parameters, none of them a figure."""
        kept = tuple(self.parameters[k] for k in which)
        direct = [k for k in which if k < self.columns.shape[1]]
        figures = [k - self.columns.shape[1] for k in which if k >= self.columns.shape[1]]
        own = None if self.figures is None or not figures else self.figures.chosen(figures)
        return Free(self.layout, kept, self.columns[:, direct], own)


def find_free(
    layout: Layout,
    length: float,
    free: Any = None,
    prior: Any = None,
    device: Collection[str] = (),
    unknown: Collection[str] = (),
) -> tuple[Free, bool]:
    """The parameters that a call asks for, and whether they are all there are.

    Args:
        layout: numbers of the geometry.
        length: of the robot [m].
        free: names or patterns; all if ``None``.
        prior: standard deviations of errors; see :func:`gough.calibrate`.
        device: entries of the measuring device that measurements depend on.
        unknown: entries of device and tool that nobody knows beforehand.
    """
    direct = _direct(layout, length, unknown)
    makers = leaves(layout.robot)
    if free is None:
        names = [name for name, each in direct.items() if _usual(layout, each, device)]
        figures: list[str] = []
    else:
        names, figures = _asked(layout.robot, free, direct, makers)
    columns = np.array([_column(layout, direct[name]) for name in names]).reshape(-1, layout.size).T
    made = Figures.of(layout, figures, (TOLERANCE * length, TOLERANCE)) if figures else None
    found = [direct[name] for name in names] + ([] if made is None else _of_maker(made))
    return Free(layout, _with_prior(found, prior), columns, made), free is None


def _of_maker(figures: Figures) -> list[Parameter]:
    rows = zip(figures.names, figures.units, figures.nominal, figures.tolerances, strict=True)
    return [Parameter(name, "figure", unit, v, s, "maker") for name, unit, v, s in rows]


def _direct(layout: Layout, length: float, placed: Collection[str]) -> dict[str, Parameter]:
    """Every parameter that is no figure of a maker, by name."""
    wide = {"m": PLACED * length, "rad": PLACED}
    usual = {"m": TOLERANCE * length, "rad": TOLERANCE, "": LEAD}
    found = {}
    for entry, value in zip(layout.entries, layout.nominal, strict=True):
        sizes = wide if entry.name in placed else usual
        figures = (float(value), sizes[entry.unit], entry.owner)
        found[entry.name] = Parameter(entry.name, entry.what, entry.unit, *figures)
    for body, (_, towards) in _rods(layout).items():
        size = float(np.linalg.norm(towards))
        found[f"{body}.{LENGTH}"] = Parameter(
            f"{body}.{LENGTH}", LENGTH, "m", size, usual["m"], body
        )
    return found


def _rods(layout: Layout) -> dict[str, tuple[int, np.ndarray]]:
    """Bodies between two joints: the entry of the second one's position, and the way there."""
    robot, nominal = layout.robot, layout.nominal
    ends: dict[str, list[int]] = {}
    for i, joint in enumerate(robot.joints):
        for seat, body in (("parent_points", joint.parent), ("child_points", joint.child)):
            ends.setdefault(body, []).append(layout.seats[seat].start + 3 * i)
    found = {}
    for body, places in ends.items():
        if body != robot.base and len(places) == 2:
            one, other = (nominal[k : k + 3] for k in places)
            if np.linalg.norm(other - one) > 0.0:
                found[body] = (places[1], other - one)
    return found


def _column(layout: Layout, parameter: Parameter) -> np.ndarray:
    """Geometry by a parameter."""
    column = np.zeros(layout.size)
    if parameter.what == LENGTH:
        place, towards = _rods(layout)[parameter.owner]
        column[place : place + 3] = towards / np.linalg.norm(towards)
        return column
    names = [entry.name for entry in layout.entries]
    column[names.index(parameter.name)] = 1.0
    return column


def _usual(layout: Layout, parameter: Parameter, device: Collection[str]) -> bool:
    """Whether a parameter is free unless others are asked for.

    Offsets are positions of frames along their axes, lengths those along rods; an encoder that
    turns counts whole turns exactly.
    """
    if parameter.what in (OFFSET, LENGTH):
        return False
    if parameter.what == GAIN:
        return layout.motor_unit(parameter.owner) == "m"
    return not parameter.is_device or parameter.name in device


def _asked(
    robot: Robot, free: Any, direct: Mapping[str, Parameter], makers: Mapping[str, float]
) -> tuple[list[str], list[str]]:
    """Names that patterns mean, in order: parameters of the geometry, and figures of the maker."""
    patterns = [free] if isinstance(free, str) else free
    if not isinstance(patterns, Iterable) or isinstance(patterns, (bytes, Mapping)):
        raise InputError(
            f"free is {shown(free)}, expected names or patterns of parameters", argument="free"
        )
    names: dict[str, None] = {}
    figures: dict[str, None] = {}
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise InputError(f"free: {shown(pattern)} is no name", argument="free")
        own = [name for name in direct if matches(name, pattern)]
        theirs = [path for path in makers if matches(path, pattern)]
        if not own and not theirs:
            raise InputError(
                f"free: no parameter of {robot.name} is called {shown(pattern)}",
                hint=nearest(pattern, _shown_first(_heads(direct), [*makers])),
                argument="free",
            )
        names |= dict.fromkeys(own if not theirs else ())
        figures |= dict.fromkeys(theirs)
    if not names and not figures:
        raise InputError("free: nothing is free", argument="free")
    return [*names], [*figures]


def _shown_first(heads: list[str], figures: list[str]) -> list[str]:
    """Names for a hint: figures of a maker first where they are few, as a builder's are."""
    return [*figures, *heads] if len(figures) < _FEW else [*heads, *figures]


def _heads(direct: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(re.sub(r"\.[xyz]$", "", name) for name in direct)]


def matches(name: str, pattern: str) -> bool:
    """Whether a name, or what it is part of, fits a pattern: ``u*.base`` fits all of that frame."""
    if name == pattern or name.startswith((f"{pattern}.", f"{pattern}[")):
        return True
    # brackets are part of a path here, not a choice of letters
    plain = re.sub(r"([\[\]])", r"[\1]", pattern)
    return fnmatchcase(name, plain) or fnmatchcase(name, f"{plain}.*")


def _with_prior(parameters: Sequence[Parameter], prior: Any) -> tuple[Parameter, ...]:
    """Parameters with the standard deviations of a call."""
    if prior is None:
        return tuple(parameters)
    if isinstance(prior, str):
        one_of(prior, "prior", ("manufacturing",))
        return tuple(parameters)
    if isinstance(prior, Mapping):
        sizes = {
            pattern: number(v, f"prior[{pattern!r}]", positive=True) for pattern, v in prior.items()
        }
        for pattern in sizes:
            if not any(matches(each.name, pattern) for each in parameters):
                raise InputError(
                    f"prior: no free parameter is called {shown(pattern)}",
                    hint=nearest(str(pattern), [each.name for each in parameters]),
                    argument="prior",
                )
        found = []
        for each in parameters:
            own = [size for pattern, size in sizes.items() if matches(each.name, pattern)]
            found.append(replace(each, prior=own[-1]) if own else each)
        return tuple(found)
    if isinstance(prior, (tuple, list, np.ndarray)) and len(prior) == 2:
        size = {
            "m": number(prior[0], "prior[0]", positive=True),
            "rad": number(prior[1], "prior[1]", positive=True),
        }
        return tuple(
            replace(each, prior=size[each.unit])
            if each.unit in size and not each.is_device
            else each
            for each in parameters
        )
    factor = number(prior, "prior", positive=True)
    return tuple(replace(each, prior=each.prior * factor) for each in parameters)
