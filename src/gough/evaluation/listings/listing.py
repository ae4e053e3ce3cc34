"""A robot's equations for people: numbered lines with the symbols of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.base.arguments import check_known
from gough.base.english import counted, listed
from gough.compiler.tracing.count import Operations, count
from gough.compiler.tracing.program import Program, check_program
from gough.compiler.tracing.tracer import trace
from gough.dynamics.answers.frozen import check_frozen
from gough.dynamics.quantities import PUBLIC
from gough.dynamics.quantities.placements import seats_among, with_seats
from gough.dynamics.quantities.ports import meaning
from gough.dynamics.quantities.states import SilentSymbols
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.loads import Loads
from gough.errors import InputError
from gough.evaluation.compile import checked_variant, with_columns, with_parameters
from gough.evaluation.listings.expressions import Line, lines_of
from gough.evaluation.listings.names import Namer, joint_names, numbered, paper_name, port_names
from gough.evaluation.listings.noted import Note, NotedGraph
from gough.evaluation.listings.printing import FORMATS, printed
from gough.geometry.constant_entries import constant_entries
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot

LONG = 1000
"""Operations beyond which a listing is for machines: a five-bar has 300, a hexapod 2000."""


@dataclass(frozen=True, eq=False)
class Listing:
    """The equations of a quantity of a robot, line by line.

    Attributes:
        robot: its name; empty if it is nobody's.
        quantity: what is computed.
        head: what is to be known before the lines: inputs, outputs, motors, legs, units.
        lines: the equations, in order.
        inputs: names of the scalars of every input, in order.
        outputs: names of the scalars of every output, in order.
        operations: how many there are.
    """

    robot: str
    quantity: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    inputs: dict[str, list[str]]
    outputs: dict[str, list[str]]
    operations: Operations

    @property
    def is_long(self) -> bool:
        """Whether there is more than a person will read."""
        return sum(self.operations) > LONG

    def text(self, format: str = "text") -> str:
        """The listing as ``"text"``, ``"markdown"`` or ``"latex"``.

        The text is Python too: with the functions of ``math``, ``sign`` and a value for every input
        it computes what gough computes.
        """
        check_known(format, FORMATS, "unknown format", "format")
        return printed(self.head, self.lines, format)

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        lines, done = counted(len(self.lines), "line"), counted(sum(self.operations), "operation")
        whose = f" of {self.robot}" if self.robot else ""
        return f"<Listing of {self.quantity}{whose}: {lines}, {done}>"


def listing(
    robot: Robot,
    quantity: str = "inverse_dynamics",
    *,
    method: str = "legs",
    loads: Loads | None = None,
    parameters: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> Listing:
    """The equations of a quantity of a robot, for reading.

    Lines are in the order of the computation, under headings that say what is computed and which
    equations of the papers say so.  Values have the papers' symbols where the library's equations
    give them one; values without one that are used more than once are ``t1``, ``t2`` and so on.
    It is the program of :func:`gough.compile`, without the checks.

    Args:
        robot: the machine, a small one: a five-bar has a hundred lines, a hexapod a thousand.
        quantity: as in :func:`gough.compile`.
        method: theory of the dynamics.
        loads: what acts on the machine; forces and a payload are symbols, friction is in the lines.
        parameters: figures that become symbols instead of numbers, as in :func:`gough.compile`:
            ``"masses"`` gives ``m_BODY``, ``"gravity"`` gives ``g_y``.
        columns: of ``"regressor"``, as in :func:`gough.compile`.

    Returns:
        The listing: ``print`` it, or ask for its ``text("markdown")`` or ``text("latex")``.
    """
    variant, _ = checked_variant(robot, quantity, method, loads)
    variant = with_columns(
        robot, with_parameters(robot, variant, quantity, parameters), quantity, columns
    )
    assembly = assembled(robot)
    if PUBLIC[quantity].loaded:
        check_frozen(PUBLIC[quantity].judged(assembly), friction=variant.friction)
    graph, program, joints = _noted(assembly, quantity, variant)
    namer = Namer()
    inputs = {p.name: [namer(n) for n in port_names(assembly, p, quantity)] for p in program.inputs}
    outputs = {
        p.name: [namer(n) for n in port_names(assembly, p, quantity)] for p in program.outputs
    }
    wanted: dict[int, tuple[str, str]] = {}
    notes: list[Note | None] = []
    for k, index in enumerate(graph.kept):
        notes.append(graph.notes.get(index))
        found = (joints[index], "") if index in joints else paper_name(graph.names.get(index, ()))
        if found is not None:
            wanted[k] = found
    lines = lines_of(program, inputs, outputs, wanted, notes, namer)
    done = count(program)
    head = _head(assembly, program, variant, done, inputs, outputs)
    return Listing(robot.name, quantity, tuple(head), tuple(lines), inputs, outputs, done)


def listing_of(program: Program) -> Listing:
    """A program of any kind for reading, as a function of your own is traced.

    Values have the names of inputs and outputs with their places, ``v_1``, or are ``t1``, ``t2``.

    Args:
        program: from :func:`gough.trace.program` or :func:`gough.trace.function`.
    """
    check_program(program)
    namer = Namer()
    inputs, outputs = (
        {p.name: [namer(n) for n in numbered(p.name, p.shape)] for p in ports}
        for ports in (program.inputs, program.outputs)
    )
    lines = lines_of(program, inputs, outputs, {}, [None] * len(program), namer)
    done = count(program)
    head = (f"{program.name}{f' of {program.robot}' if program.robot else ''}: {done}",)
    return Listing(program.robot, program.name, head, tuple(lines), inputs, outputs, done)


def _noted(
    assembly: Assembly, quantity: str, variant: Variant
) -> tuple[NotedGraph, Program, dict[int, str]]:
    """The program without doubts, where its operations come from, and names of joints' values."""
    whole, graph = PUBLIC[quantity], NotedGraph()
    rules = SilentSymbols()
    seats = seats_among(variant.parameters)

    def function(**arrays: Any) -> dict[str, Any]:
        machine = assembly
        if seats:
            machine = with_seats(assembly, {name: arrays.pop(name) for name in seats})
        with graph.watching():
            return whole.evaluate(rules, machine, variant, arrays)

    program = trace(quantity, function, whole.input_shapes(assembly, variant), graph=graph)
    kept = [k for k, port in enumerate(program.outputs) if port.size]
    if not kept:
        raise InputError(f"{assembly.robot.name}: {quantity} is empty: there is nothing to list")
    program = replace(
        program,
        outputs=tuple(program.outputs[k] for k in kept),
        results=tuple(program.results[k] for k in kept),
    )
    return graph, program, {s.index: name for name, s in joint_names(rules.states)}


def _planar(assembly: Assembly) -> bool:
    """Whether the platform turns about z alone."""
    constant = constant_entries(assembly)[:, :3]
    still = np.isfinite(constant)
    return bool(still[2].all() and still[:, 2].all() and constant[2, 2] == 1.0 and not still.all())


def _head(
    assembly: Assembly,
    program: Program,
    variant: Variant,
    done: Operations,
    inputs: dict[str, list[str]],
    outputs: dict[str, list[str]],
) -> list[str]:
    """What is to be known before the lines."""
    robot = assembly.robot
    legs = [f"{i} {leg.name}" for i, leg in enumerate(assembly.topology.legs, start=1)]
    lines = [f"{program.name} of {robot.name}, method {variant.method}: {done}"]
    if sum(done) > LONG:
        lines.append(f"long: {sum(done)} operations; a small robot is easier to read")
    lines += [f"SI units, radians; motors {listed(robot.motors)}; legs {', '.join(legs)}"]
    lines += ["c_JOINT and s_JOINT are cosine and sine of a joint's angle, qd_JOINT is its rate"]
    if _planar(assembly) and "T_0p" in inputs:
        lines.append("R_11 = R_22 = cos(theta), R_21 = -R_12 = sin(theta), theta about z")
    used = {i.args for i in program.instructions if i.op == "input"}
    for k, port in enumerate(program.inputs):
        names = [name for j, name in enumerate(inputs[port.name]) if (k, j) in used]
        said = meaning(port.name, program.name, variant.pushed)
        unused = "" if len(names) == port.size else " (others do not matter)"
        lines.append(f"in  {port.name}: {', '.join(names) or 'none'}{unused}; {said}".rstrip("; "))
    for port in program.outputs:
        names = outputs[port.name]
        shown = [*names[:6], *(["..."] if len(names) > 7 else names[6:])]
        said = meaning(port.name, program.name, variant.pushed)
        lines.append(f"out {port.name}: {', '.join(shown)}; {said}".rstrip("; "))
    return lines
