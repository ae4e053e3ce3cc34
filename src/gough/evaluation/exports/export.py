"""C for a controller, from the same program as the kernels."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gough._version import __version__
from gough.base.arguments import check_known, switch
from gough.base.conditions import is_valid
from gough.base.tables.whole import check_folder, check_place, write_whole
from gough.compiler.targets.c_source import AGREED, Source, Subject, declared, magnitude, source
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Program
from gough.dynamics import legs
from gough.dynamics.answers.frozen import frozen_freedoms
from gough.dynamics.elements.camera import seen_at, usual_sight
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.ports import OBSERVED, meaning
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.definite import check_definite
from gough.dynamics.shared.loads import Loads
from gough.errors import FileError, InputError, shown
from gough.evaluation.compile import checked_variant, whole_program, with_columns
from gough.evaluation.exports.c_shared import SharedWriter
from gough.evaluation.exports.leg_program import LegProgram, leg_program
from gough.evaluation.exports.outline import Outline
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.serial import serial_parts
from gough.robot import Robot
from gough.robot.file.writing import dumps

LEGS = ("flat", "shared")
"""How legs are written: each by itself, or one routine for those that are alike."""

_ROUNDING = 1e-15
_LONGEST = 80
"""Letters of a variant in a function's name; what is longer is cut and gets a checksum."""


def export_c(
    robot: Robot,
    quantity: str = "inverse_dynamics",
    folder: str | os.PathLike[str] = ".",
    *,
    method: str = "legs",
    loads: Loads | None = None,
    single: bool = False,
    legs: str = "flat",
    columns: Sequence[str] = (),
    force: bool = True,
) -> tuple[Path, Path]:
    """Write a quantity of a robot as C99: one ``.c``, one ``.h``.

    The function allocates nothing, has no globals, calls nothing but ``<math.h>`` and returns 0,
    or says that the pose is out of reach, singular or inconsistent.  Compiled with
    ``-DGOUGH_SELF_TEST`` the file is a program that checks itself.

    Args:
        robot: the machine; its parameters are baked in.
        quantity: as in :func:`gough.compile`.
        folder: where the files go, made if it is not there.
        method: theory of the dynamics.
        loads: what acts on the machine: forces and a payload become arguments, whatever their
            numbers are; friction, rotors and smoothing are written into the equations.
        single: ``float`` instead of ``double``.
        legs: ``"flat"`` writes every leg by itself, zeros folded away; ``"shared"`` writes one
            routine for each kind of legs, which takes the figures of a leg: smaller code, the same
            numbers, and more operations where a leg has zeros that others do not have.
        columns: of ``"regressor"``, as in :func:`gough.compile`; the header lists them.
        force: whether files of the same function are replaced: the robot's figures may have
            changed.

    Returns:
        Paths of the ``.c`` and the ``.h``.  Their name, which is the function's too, says what
        differs from the defaults, so that several variants can be linked into one program.

    Raises:
        InputError: an argument makes no sense, or the robot has no such function.
        FileError: the files cannot be written, are there already and ``force`` is not given, or
            hold another function of the same name.
    """
    if not isinstance(folder, (str, os.PathLike)):
        raise InputError(f"folder: expected a path, got {shown(folder)}", argument="folder")
    force, single = switch(force, "force"), switch(single, "single")
    target = Path(folder)
    check_folder(target)  # before the work
    text = asked_source(
        robot, quantity, method=method, loads=loads, single=single, legs=legs, columns=columns
    ).text
    code, header = target / f"{text.name}.c", target / f"{text.name}.h"
    for file in (code, header):
        check_place(file, force=force)
    _check_same_function(header, text)
    before = header.read_bytes() if header.is_file() else None
    write_whole(str(header), text.header.encode())
    try:
        write_whole(str(code), text.code.encode())
    except FileError:  # both files or none
        header.unlink() if before is None else write_whole(str(header), before)
        raise
    return code, header


class Asked(NamedTuple):
    """C that was asked for, and what it is made of."""

    text: Source
    program: Program
    variant: Variant


def asked_source(
    robot: Robot,
    quantity: str,
    *,
    method: str,
    loads: Loads | None,
    single: bool,
    legs: str,
    columns: Sequence[str] = (),
) -> Asked:
    """The text of :func:`export_c`, arguments checked."""
    variant, _ = checked_variant(robot, quantity, method, loads, single=single)
    variant = with_columns(robot, variant, quantity, columns)
    check_known(legs, LEGS, "unknown way to write legs", "legs")
    assembly = assembled(robot)
    program = without_empty(whole_program(assembly, quantity, variant))
    empty = [port.name for port in program.inputs if not port.size]
    if empty or not program.outputs[:-1]:  # of no outputs only the doubt is left
        what = empty[0] if empty else quantity
        raise InputError(f"{robot.name}: {what} is empty, and C has no empty arrays")
    text = c_source(assembly, program, variant, shared=legs == "shared")
    return Asked(text, program, variant)


def without_empty(program: Program) -> Program:
    """The program without outputs that have no numbers, as efforts of couplings where none are."""
    kept = [k for k, port in enumerate(program.outputs) if port.size]
    return replace(
        program,
        outputs=tuple(program.outputs[k] for k in kept),
        results=tuple(program.results[k] for k in kept),
    )


def _on_frozen(assembly: Assembly, variant: Variant) -> list[str]:
    """Inputs of loads on bodies that can spin: an example of them would have to fit the spin."""
    spinning = {body for each in frozen_freedoms(assembly) for body in each.bodies}
    places = [i for i, body in enumerate(variant.pushed) if body in spinning]
    return [f"{part}_{i}" for i in places for part in ("point", "f", "n")]


def _explain(
    assembly: Assembly, quantity: str, variant: Variant, sample: Mapping[str, np.ndarray]
) -> None:
    """Raise the reference's error for a state that the program doubts, if there is one."""
    if quantity == "forward_dynamics":
        loads = variant.loads(assembly, {n: np.asarray(a) for n, a in sample.items()})
        kin = Kinematics(assembly, regular(assembly, np.asarray(sample["T_0p"])))
        check_definite(kin, legs.inertia_matrix(kin, loads))


def c_source(
    assembly: Assembly, program: Program, variant: Variant, *, shared: bool = False
) -> Source:
    """The text, with a self-test at a posture beside home.

    What legs that share routines are to find there is what the flat program finds.
    """
    robot = assembly.robot
    checksum = hashlib.sha256(dumps(robot).encode()).hexdigest()
    ports = (*program.inputs, *program.outputs)
    subject = Subject(
        robot.name,
        checksum,
        __version__,
        robot.motors,
        {port.name: meaning(port.name, program.name, variant.pushed) for port in ports},
        _suffix(variant, shared=shared),
        _words(variant, shared=shared),
        robot.freedoms,
        _columns(assembly, program, variant),
    )
    sample, found = worked_example(assembly, program, variant)
    if not shared:
        return source(program, subject, sample, found, single=variant.single)
    legs = leg_program(assembly, program.name, variant)
    legs = replace(legs, program=without_empty(legs.program))
    _check_agreement(assembly, legs, sample, found)
    outline = Outline(legs)
    if not outline.shared:
        raise InputError(
            f"{robot.name}: {program.name} asks nothing of its legs that they could share",
            hint="legs='flat' writes it.",
            argument="legs",
        )
    names = [[assembly.topology.legs[i].name for i in kind] for kind in legs.kinds]
    write = partial(SharedWriter, outline=outline, legs=names)
    return source(legs.program, subject, sample, found, single=variant.single, write=write)


def _columns(assembly: Assembly, program: Program, variant: Variant) -> tuple[str, ...]:
    """Names of the columns of a regressor."""
    if not ROWS[program.name].columns:
        return ()
    return tuple(each.name for each in variant.standard(assembly))


def worked_example(
    assembly: Assembly, program: Program, variant: Variant
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Inputs of a regular state beside home, and the outputs there."""
    sample = example_state(assembly, program)
    sample |= {name: 0.0 * sample[name] for name in _on_frozen(assembly, variant)}
    sample = {name: _legible(array) for name, array in sample.items()}
    found = run(program, sample)
    if not is_valid(found.pop("doubt")):
        _explain(assembly, program.name, variant, sample)
        raise InputError(
            f"{assembly.robot.name}: its postures beside home are singular; nothing is exported"
        )
    return sample, found


def _legible(array: np.ndarray) -> np.ndarray:
    """Numbers without rounding around zero, and zeros without a sign."""
    return np.where(np.abs(array) < _ROUNDING, 0.0, array) + 0.0


def _check_agreement(
    assembly: Assembly,
    legs: LegProgram,
    sample: Mapping[str, np.ndarray],
    expected: Mapping[str, np.ndarray],
) -> None:
    """Refuse code that its own self-test would refuse: pivots may suit one leg and not another."""
    found = run(legs.program, {**sample, **legs.figure_inputs()})
    near = [
        np.abs(found[name] - array).max(initial=0.0) <= AGREED * magnitude(array)
        for name, array in expected.items()
    ]
    if not (is_valid(found["doubt"]) and all(near)):
        raise InputError(
            f"{assembly.robot.name}: its legs are alike, but too different in their figures for "
            "one order of solving",
            hint="legs='flat' writes each leg by itself.",
            argument="legs",
        )


def _check_same_function(header: Path, text: Source) -> None:
    """Refuse to replace another function, whose name happens to be the same."""
    if not header.is_file():
        return
    there = declared(header.read_text(encoding="utf-8", errors="replace"))
    own = declared(text.header)
    if there is not None and there != own:
        raise FileError(
            f"holds another function of that name: {there}; this one is {own}",
            file=str(header),
            hint="Choose another folder, or another name for the robot or its bodies.",
        )


def _suffix(variant: Variant, *, shared: bool) -> str:
    """Suffix of the name that distinguishes functions with other arguments or equations."""
    smoothing = repr(variant.smoothing).removesuffix(".0").replace(".", "p").replace("-", "m")
    parts = [
        variant.method if variant.method != "legs" else "",
        "shared" if shared else "",
        "" if variant.friction else "frictionless",
        f"smoothing_{smoothing}" if variant.smoothing else "",
        "" if variant.rotors else "rotorless",
        *(f"load_{body}" for body in variant.pushed),
        "payload" if variant.payload else "",
        "moving_base" if variant.base else "",
        f"columns_{_checksum(variant.columns)}" if variant.columns else "",
    ]
    found = "_".join(part for part in parts if part)
    if len(found) <= _LONGEST:
        return found
    return f"{found[:_LONGEST].rstrip('_')}_{_checksum([found])}"


def _checksum(words: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:8]


def _words(variant: Variant, *, shared: bool) -> str:
    counted = {True: "counts", False: "does not count"}
    parts = [
        f"method {variant.method}",
        f"friction {counted[variant.friction]}, smoothed below {variant.smoothing:.17g}",
        f"rotor inertia {counted[variant.rotors]}",
    ]
    parts += [f"loads on {', '.join(variant.pushed)}"] if variant.pushed else []
    parts += ["a payload"] if variant.payload else []
    parts += ["a base that moves"] if variant.base else []
    parts += ["float"] if variant.single else []
    parts += ["legs share routines"] if shared else []
    return "; ".join(parts)


def example_state(assembly: Assembly, program: Program) -> dict[str, np.ndarray]:
    """A regular state beside home, with numbers for everything that a program takes."""
    (T, _), solution = assembly.regular_samples[-1], assembly.regular_solutions[-1]
    rng = np.random.default_rng(0)
    V_r, Vdot_r = rng.normal(size=(2, assembly.mobility)) * assembly.scales.freedoms
    V = np.asarray(solution.complete(V_r))
    Vdot = np.asarray(Kinematics(assembly, solution, V).twist_rate(Vdot_r))
    known: dict[str, Any] = {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot}
    known |= {"mass": np.array([1.0]), "inertia": 0.01 * np.eye(3)}
    known |= {"x": assembly.chart.coordinates(np.asarray(T))[list(assembly.free)]}
    parts = serial_parts(assembly)
    if parts is not None:
        known["q_s"] = [assembly.axis_position(solution.equations, n) for n in parts.axes]
    known |= {"xd": V_r, "xdd": Vdot_r, "V_r": V_r, "Vdot_r": Vdot_r}
    if program.name == "inverse_dynamics_observed":
        sight = usual_sight(assembly)
        here = ElementState(Kinematics(assembly, solution, V, Vdot))
        seen = seen_at(here, sight.elements, sight.turns, sight.lengths)
        arrays = (seen.directions.swapaxes(0, 1), seen.axes.T, seen.turns.T)
        known |= dict(zip(OBSERVED, (each for three in arrays for each in three), strict=True))
    return {
        port.name: np.asarray(known[port.name], dtype=float)
        if port.name in known
        else rng.normal(size=port.shape)
        for port in program.inputs
    }
