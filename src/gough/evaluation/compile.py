"""Kernels of a robot: traced, compiled, and kept with the robot and on disk."""

from __future__ import annotations

import difflib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gough.base.arguments import check_known, nearest, switch, words
from gough.base.english import quoted
from gough.base.once import find_fact
from gough.compiler.machine_code.kernel import Kernel
from gough.compiler.machine_code.native import Native
from gough.compiler.tracing.count import count
from gough.compiler.tracing.deferred import Deferred
from gough.compiler.tracing.program import Program
from gough.compiler.tracing.reciprocals import share_reciprocals
from gough.compiler.tracing.tracer import trace
from gough.dynamics import legs
from gough.dynamics.answers.frozen import check_frozen
from gough.dynamics.methods import find_method
from gough.dynamics.quantities import PUBLIC, ROWS
from gough.dynamics.quantities.parameters import AXES, BODIES, PARAMETERS, own_values
from gough.dynamics.quantities.placements import SEATS, seats_among, with_seats
from gough.dynamics.quantities.states import Symbols, displaced
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.definite import check_definite
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import check_motors
from gough.dynamics.shared.standard import chosen_parameters
from gough.errors import InputError, TraceError, shown
from gough.evaluation.following import following, opened
from gough.evaluation.stored import Stored, read_kernel, write_kernel
from gough.evaluation.stored_key import key_of
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.serial import checked_parts
from gough.robot import Robot


def compile(
    robot: Robot,
    quantity: str,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    parameters: Sequence[str] = (),
    derivatives: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> Kernel:
    """Compile a quantity of a robot to machine code.

    Args:
        robot: the machine; its parameters are baked in, but for those named in ``parameters``.
        quantity: ``"inverse_kinematics"``, ``"inverse_jacobian"``, ``"motor_rates"``,
            ``"motor_accelerations"``, ``"inverse_dynamics"``, ``"forward_dynamics"``,
            ``"cartesian_dynamics"``, ``"inertia_matrix"``,
            ``"inertia_matrix_by_columns"``, ``"bias_wrench"``, ``"gravity_wrench"``, ``"energy"``,
            ``"implicit_model"``, ``"regressor"``; ``"reactions"`` and ``"reactions_on_child"``,
            each also with ``"_under_efforts"`` behind it, for which ``tau`` is an input; for
            simulation and control ``"forward_kinematics_step"``, ``"freedom_map"``,
            ``"motion_of_motors"``, ``"efforts_of_freedoms"``, ``"efforts_of_motors"``, ``"slope"``
            and ``"motion"``; for analysis ``"motor_motion"`` and ``"cartesian_model"``; in the
            robot's own coordinates ``"efforts_from_freedoms"`` and
            ``"accelerations_from_freedoms"``.
        method: theory of the dynamics.
        loads: what acts on the machine.  Of each force ``point_i``, ``f_i`` and ``n_i`` become
            inputs, of a payload ``mass``, ``center`` and ``inertia``; the numbers in ``loads`` are
            their defaults.  Friction, rotors and smoothing are baked in.
        parameters: figures that become inputs: ``gravity``, ``masses``, ``centers``, ``inertias``
            (one row a body), ``viscous``, ``coulomb``, ``rotor_inertia``, ``stiffness``, ``rest``
            (one number an axis, in the order of ``robot.axis_names``).  Of every quantity also
            where joints sit, one row a joint, in axes of the body that carries the frame:
            ``parent_points`` and ``child_points``, positions of the joints' frames [m], and
            ``parent_turns`` and ``child_turns``, Cayley vectors by which these frames are turned
            from where they are described [rad].  Then joints are found by Newton's steps from the
            robot's home.  ``kernel.defaults`` has the robot's own.
        derivatives: inputs with respect to which all outputs are differentiated; ``"pose"`` is a
            displacement along the robot's freedoms.  Derivatives by where joints sit hold the
            freedoms of pose, twist and twist rate, the rest follows from the loops; of an
            over-constrained robot ``open`` shows which changes the loops admit.
        columns: of ``"regressor"``: which parameters have columns, as ``parameters`` of
            :func:`gough.regressor`; all of the robot's own if none are named.  Those of
            ``gough.base_parameters(robot).leading`` cost a fraction of all.

    Returns:
        A kernel: call it with arrays.  Beside its outputs it gives ``doubt``: below 1 the answer
        is valid, otherwise compute the state again in ``gough.options(engine="numpy")``.
    """
    variant, inputs = checked_variant(robot, quantity, method, loads)
    variant = with_columns(
        robot, with_parameters(robot, variant, quantity, parameters), quantity, columns
    )
    derivatives = _names(derivatives, "derivatives")
    return _loaded(inputs, assembled(robot), quantity, variant, tuple(derivatives))


def with_parameters(
    robot: Robot, variant: Variant, quantity: str, parameters: Sequence[str]
) -> Variant:
    """A model some of whose figures are inputs; refused are those that the quantity has not."""
    parameters = _names(parameters, "parameters")
    for name in parameters:
        known: Sequence[str] = PARAMETERS if PUBLIC[quantity].loaded else SEATS
        known = known if PUBLIC[quantity].figured else ("gravity", *SEATS)
        if name not in known:
            raise InputError(
                f"{quantity} has no parameter {shown(name)}",
                hint=f"{_instead(robot, name, known)}{nearest(name, known)}",
                argument="parameters",
            )
    return replace(variant, parameters=tuple(name for name in PARAMETERS if name in parameters))


def _instead(robot: Robot, name: str, known: Sequence[str]) -> str:
    """What to do instead of asking for a part's figure, or for one of the robot's maker."""
    part = name.partition(".")[0]
    if part in {body.name for body in robot.bodies}:
        inputs = [each for each in BODIES if each in known]
        rows = "one row a body"
    elif part in {joint.name for joint in robot.joints}:
        inputs = [each for each in AXES if each in known]
        rows = "one number an axis, in the order of robot.axis_names"
    elif difflib.get_close_matches(name, known, n=1):  # a slip of the pen, which is named anyway
        return ""
    else:
        return (
            f"Inputs are figures of all bodies, axes or joints, not those of the robot's maker: "
            f"compile gough.vary(robot, {name}=...) for each value, or take 'parent_points' and "
            "'child_points', which are where joints sit.  "
        )
    if not inputs:
        return f"Of {quoted([part])} this quantity depends on where its joints sit alone.  "
    return f"Figures of {part!r} are in {quoted(inputs)}, {rows}.  "


def with_columns(robot: Robot, variant: Variant, quantity: str, columns: Sequence[str]) -> Variant:
    """A model with chosen columns; refused where a quantity has none, or the robot not these."""
    names = tuple(_names(columns, "columns"))
    if names and not PUBLIC[quantity].columns:
        raise InputError(f"{quantity} has no columns to choose", argument="columns")
    chosen_parameters(assembled(robot).robot, names)
    return replace(variant, columns=names)


def _names(given: Sequence[str], argument: str) -> Sequence[str]:
    """One name or many."""
    return (given,) if isinstance(given, str) else words(given, argument)


def _loaded(loads: Mapping[str, np.ndarray], *request: Any) -> Kernel:
    """A kernel with loads of a call as defaults of its inputs."""
    kernel = find_kernel(*request)
    return kernel.with_defaults(loads, (_loaded, (loads, *request))) if loads else kernel


def checked_variant(
    robot: Robot, quantity: str, method: str, loads: Loads | None, *, single: bool = False
) -> tuple[Variant, dict[str, np.ndarray]]:
    """The model that arguments describe, and its loads by the names of inputs; checked."""
    assembly = assembled(robot)
    check_known(quantity, PUBLIC, "unknown quantity", "quantity")
    find_method(method)
    method = PUBLIC[quantity].method or method
    whole = PUBLIC[quantity]
    if whole.serial:
        checked_parts(assembly)
    judged = whole.judged(assembly)
    given = LoadArguments(assembly, loads, carried=whole.carried, judged=judged)
    given.only()
    if given.arguments and not whole.loaded:
        raise InputError(f"{quantity} knows no loads", argument="loads")
    if whole.asks_motors:
        check_motors(judged)
    variant = Variant.of(given, method, single=switch(single, "single"))
    return variant, {name: array for name, (array, _) in given.inputs.items()}


def find_kernel(
    assembly: Assembly,
    quantity: str,
    variant: Variant,
    derivatives: tuple[str, ...] = (),
    *,
    program: Program | None = None,
) -> Kernel:
    """The kernel of a variant, built on first demand and kept with the robot.

    Args:
        assembly: the robot.
        quantity: what is computed.
        variant: which model.
        derivatives: inputs by which outputs are differentiated.
        program: that computes it, if it was traced already.
    """
    request = (quantity, variant, derivatives)

    def make(assembly: Assembly) -> Kernel:
        return build_kernel(assembly, *request, program=program)

    return find_fact(assembly, (build_kernel, *request), make)


def build_kernel(
    assembly: Assembly,
    quantity: str,
    variant: Variant,
    derivatives: tuple[str, ...],
    *,
    program: Program | None = None,
) -> Kernel:
    """The kernel that another process has kept on disk, or else trace, compile and keep it."""
    start = time.perf_counter()
    request = (assembly, quantity, variant, derivatives)
    found = stored_kernel(*request)
    if found is not None:
        return found
    key = key_of(*request)
    program = program or whole_program(*request)
    native = Native(program, keep=None if key is None else partial(_keep, key, program))
    return _kernel(program, native, request, start)


def stored_kernel(
    assembly: Assembly, quantity: str, variant: Variant, derivatives: tuple[str, ...] = ()
) -> Kernel | None:
    """The kernel that this process or another one has kept on disk, if there is one."""
    start = time.perf_counter()
    request = (assembly, quantity, variant, derivatives)
    inputs = _checked_inputs(*request)
    found = read_kernel(key_of(*request), quantity, inputs)
    if found is None:
        return None
    facts = (found.name, found.inputs, found.outputs, found.operations)
    program = Deferred(*facts, trace=partial(_traced, *request))
    return _kernel(program, Native(found.code), request, start)


def _kernel(
    program: Program | Deferred, native: Native, request: tuple[Any, ...], start: float
) -> Kernel:
    """A kernel with the robot's own figures as defaults, and what makes it again of a pickle."""
    assembly, _, variant, _ = request
    own = own_values(assembly.robot)
    defaults = {name: own[name] for name in variant.parameters}
    kernel = Kernel(program, time.perf_counter() - start, native, defaults)
    kernel.origin = (_found_again, request)
    return kernel


def _keep(key: str, program: Program, code: bytes) -> None:
    """Write a kernel to disk, for later processes."""
    facts = (program.name, program.inputs, program.outputs, count(program))
    write_kernel(key, Stored(*facts, code))


def _found_again(*request: Any) -> Kernel:
    """The kernel of a pickle, which holds the robot and what was asked of it."""
    return find_kernel(*request)


def whole_program(
    assembly: Assembly, quantity: str, variant: Variant, derivatives: tuple[str, ...] = ()
) -> Program:
    """The program of a quantity of whole states, and of its derivatives."""
    _checked_inputs(assembly, quantity, variant, derivatives)
    return _traced(assembly, quantity, variant, derivatives)


def _checked_inputs(
    assembly: Assembly, quantity: str, variant: Variant, derivatives: tuple[str, ...]
) -> dict[str, tuple[int, ...]]:
    """Shapes of the inputs of a quantity; refuses one that the robot, or a derivative, forbids."""
    whole = ROWS[quantity]
    if whole.loaded:
        check_frozen(whole.judged(assembly), friction=variant.friction)
    if seats_among(variant.parameters):
        _check_seated(assembly, quantity)
    inputs = whole.input_shapes(assembly, variant)
    options = ["pose", *(key for key in inputs if key != "T_0p")]
    for name in derivatives:
        check_known(name, options, f"{quantity} cannot be differentiated by", "derivatives")
    return inputs


def _traced(
    assembly: Assembly, quantity: str, variant: Variant, derivatives: tuple[str, ...]
) -> Program:
    """The program of a quantity that has passed its checks."""
    whole = ROWS[quantity]
    inputs, own = whole.input_shapes(assembly, variant), own_values(assembly.robot)
    pose, seats = "pose" in derivatives, seats_among(variant.parameters)

    def function(**arrays: Any) -> dict[str, Any]:
        machine = assembly
        if seats:
            machine = with_seats(assembly, {name: arrays.pop(name) for name in seats})
        if pose:
            arrays["T_0p"] = displaced(machine, arrays["T_0p"], arrays.pop("pose"))
        if not seats_among(derivatives):
            return whole.evaluate(Symbols(variant.accept), machine, variant, arrays)
        state = following(machine, arrays)
        given = arrays if whole.closes else state
        found = whole.evaluate(Symbols(variant.accept), machine, variant, given)
        return found | opened(machine, state["T_0p"])

    if pose:
        inputs = {**inputs, "pose": (assembly.mobility,)}
    vanishing = ("pose",) if pose else ()
    try:
        program = trace(quantity, function, inputs, derivatives, vanishing)
    except TraceError as err:
        if quantity in ("forward_dynamics", "slope") and not variant.inputs:
            kin = Kinematics(assembly, assembly.regular_solutions[0])  # perhaps that is why:
            check_definite(kin, legs.inertia_matrix(kin, variant.loads(assembly, own)))
        raise TraceError(
            f"{assembly.robot.name}: {quantity} by the method {variant.method!r} cannot be "
            f"compiled: {err.message}",
            hint="gough.options(engine='numpy') answers state by state, or says what is wrong with "
            "one; gough.doctor(robot) tells whether the robot is singular or short of motors "
            "everywhere.",
            quantity=quantity,
            method=variant.method,
        ) from err
    return replace(share_reciprocals(program), robot=assembly.robot.name)


def _check_seated(assembly: Assembly, quantity: str) -> None:
    """Refuse joints elsewhere for what rests on where the description has them."""
    if not ROWS[quantity].seated:
        raise InputError(
            f"{quantity} rests on closed forms, on sums along the legs or on constants of the "
            "robot as described: where joints sit cannot be its input",
            hint="inverse_kinematics and inverse_dynamics have these parameters.",
            argument="parameters",
        )
    spinning = [each for each in assembly.idle if each.spin is not None]
    if ROWS[quantity].loaded and spinning:
        raise InputError(
            f"{assembly.robot.name}: {spinning[0]}, about another axis where joints sit "
            f"elsewhere: that cannot be an input of {quantity}",
            hint="Quantities without masses have these parameters; so have all if one joint of "
            "each such body is universal.",
            argument="parameters",
        )
