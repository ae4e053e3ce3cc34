"""A folder of C that works as it is: functions of a robot, a sample program, how to build it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gough._version import __version__
from gough.base.arguments import switch, words
from gough.base.english import listed
from gough.base.tables.whole import check_place, file_name, make_folder, write_whole
from gough.compiler.targets.c_sample import Call, sample_program
from gough.dynamics.quantities import PUBLIC
from gough.dynamics.quantities.ports import meaning
from gough.dynamics.shared.loads import Loads
from gough.errors import FileError, InputError
from gough.evaluation.exports.export import asked_source, worked_example
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot

USUAL = ("inverse_kinematics", "inverse_dynamics")
"""Quantities of a bundle for which none are named."""


class Bundle(NamedTuple):
    """Files of a bundle.

    Attributes:
        folder: where they are.
        names: of the functions, in the order of the quantities.
        files: names of all files, sorted.
    """

    folder: Path
    names: tuple[str, ...]
    files: tuple[str, ...]


def export_bundle(
    robot: Robot,
    quantities: Sequence[str] = USUAL,
    folder: str | os.PathLike[str] | None = None,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    single: bool = False,
    legs: str = "flat",
    force: bool = False,
) -> Bundle:
    """Write several quantities of a robot as C99, with a sample program that calls them.

    The folder has the two files of :func:`gough.export_c` for every quantity, ``gough_ROBOT.h``
    that includes all headers, ``main.c``, which calls every function with a state beside home,
    prints the answers and compares them with those of gough, a ``Makefile`` (``make run``) and a
    ``README.txt`` with units, frames and the order of arguments.

    Args:
        robot: the machine; its parameters are baked in.
        quantities: as in :func:`gough.compile`; each once.
        folder: where the files go, made if it is not there; ``gough_ROBOT`` if not given.
        method: theory of the dynamics.
        loads: as in :func:`gough.export_c`, for the quantities that have loads.
        single: ``float`` instead of ``double``.
        legs: ``"flat"`` or ``"shared"``, as in :func:`gough.export_c`.
        force: replace files that are there already.

    Returns:
        Folder, names of the functions and of the files.

    Raises:
        InputError: an argument makes no sense, or the robot has no such function.
        FileError: a file exists already, or cannot be written.
    """
    switch(force, "force")
    asked = (quantities,) if isinstance(quantities, str) else words(quantities, "quantities")
    if not asked or len(set(asked)) < len(asked):
        raise InputError(
            f"quantities: expected some, each once, got {listed(asked) or 'none'}",
            argument="quantities",
        )
    assembly = assembled(robot)
    target = Path(f"gough_{robot.name}" if folder is None else file_name(folder, "folder"))
    for name in ("main.c", "Makefile", "README.txt"):  # of every bundle: refused before the work
        check_place(target / name, force=force)
    calls: list[Call] = []
    files: dict[str, str] = {}
    for quantity in asked:
        known = quantity in PUBLIC and not PUBLIC[quantity].loaded
        found = asked_source(
            robot,
            quantity,
            method=method,
            loads=None if known else loads,
            single=single,
            legs=legs,
        )
        sample, expected = worked_example(assembly, found.program, found.variant)
        calls.append(Call(quantity, found.text.name, sample, expected, found.variant.pushed))
        files |= {
            f"{found.text.name}.c": found.text.code,
            f"{found.text.name}.h": found.text.header,
        }
    all_headers = f"gough_{robot.name}.h"
    files[all_headers] = _all_headers(robot, calls)
    files["main.c"] = sample_program(robot.name, all_headers, calls, single=single)
    files["Makefile"] = _makefile(calls)
    files["README.txt"] = _readme(robot, calls, single=single)
    _write(target, files, force=force)
    return Bundle(target, tuple(call.name for call in calls), tuple(sorted(files)))


def _write(target: Path, files: Mapping[str, str], *, force: bool) -> None:
    """All files, once it is known that none is in the way."""
    there = [name for name in files if (target / name).exists()]
    if there and not force:
        raise FileError(
            f"has {listed(there[:3])}{' and more' if len(there) > 3 else ''} already",
            file=str(target),
            hint="Choose another folder, or force=True (--force): main.c will be replaced, too.",
        )
    make_folder(target, "Name a folder that can be made.")
    for name, text in files.items():
        write_whole(target / name, text.encode())


def _all_headers(robot: Robot, calls: Sequence[Call]) -> str:
    guard = f"gough_{robot.name}_ALL_H"
    lines = [f"/* All functions of {robot.name}, printed by gough {__version__} */"]
    lines += [f"#ifndef {guard}", f"#define {guard}", ""]
    lines += [f'#include "{call.name}.h"' for call in calls]
    return "\n".join([*lines, "", "#endif", ""])


def _makefile(calls: Sequence[Call]) -> str:
    objects = " ".join(["main.o", *(f"{call.name}.o" for call in calls)])
    return f"""# make: build the sample; make run: call every function once; make clean
# No -ffast-math: functions report bad states by NaN.
CC ?= cc
CFLAGS ?= -std=c99 -O2 -Wall -Wextra -pedantic
OBJECTS = {objects}

sample: $(OBJECTS)
\t$(CC) $(CFLAGS) -o $@ $(OBJECTS) -lm

$(OBJECTS): $(wildcard *.h)

run: sample
\t./sample

clean:
\trm -f sample $(OBJECTS)

.PHONY: run clean
"""


def _readme(robot: Robot, calls: Sequence[Call], *, single: bool) -> str:
    real = "float" if single else "double"
    lines = [
        f"C functions of the robot {robot.name}, printed by gough {__version__}",
        "",
        "make run    builds the sample, calls every function at a state beside home and compares",
        "            with what gough found there",
        "",
        "SI units and radians. Frame 0 is the base, p the platform; axes are right-handed.",
        "Twists are [v; omega]: velocity of the platform's origin, angular velocity; base axes.",
        "Matrices are arrays row by row. Arguments are inputs first, then outputs, in this order:",
        f"all are arrays of {real}.",
        "",
        f"motors, in order:   {', '.join(robot.motors) or 'none'}",
        f"freedoms, in order: {', '.join(robot.freedoms) or 'none'}",
        f"gravity:            {', '.join(f'{g:g}' for g in robot.gravity)} m/s^2, base axes",
        "",
    ]
    for call in calls:
        lines += [f"int {call.name}(...)"]
        ports = [("in ", name, name, a) for name, a in call.sample.items()]
        ports += [("out", name, f"{name}_out", a) for name, a in call.expected.items()]
        for way, name, argument, array in ports:
            said = meaning(name, call.quantity, call.pushed)
            lines.append(f"  {way}  {f'{argument}[{_size(array)}]':<16}  {said}".rstrip())
        lines.append("")
    lines += [
        "A function returns",
        "  0  the answer is valid",
        "  1  no leg reaches the pose, or an input is no number: outputs are not set",
        "  2  a leg or the motors are singular, or nearly: outputs are set, do not use them",
        "  3  pose or twist is outside the mobility: outputs are set, do not use them",
        "",
        "Nothing is allocated, nothing is kept between calls; of libc only <math.h> is used.",
        "Every header has the checksum of the robot's description and counts of operations.",
        "",
    ]
    return "\n".join(lines)


def _size(array: np.ndarray) -> int:
    return int(np.asarray(array).size)
