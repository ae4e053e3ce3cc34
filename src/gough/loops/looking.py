"""Many states of a robot looked at by one kernel: joints given, whatever their branch.

Other kernels find the joints themselves, on home's branch.  Here they are inputs, so that a state
can be continued from its neighbour: a step of all joints, then everything that closing the loops
and judging the state takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from gough.closure.coordinates import pack, packed_length, unpack
from gough.closure.dense import move, natural_rows, split
from gough.closure.equations import Equations
from gough.closure.solution import RightSide, Solution
from gough.dynamics import legs
from gough.dynamics.state_loads import StateLoads
from gough.errors import TraceError
from gough.kernels.kernel import Kernel
from gough.kernels.native import Native
from gough.kinematics.motion import Kinematics
from gough.linalg import watched
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect
from gough.tracing import doubt_regular
from gough.tracing.quantities import QUANTITIES
from gough.tracing.reciprocals import share_reciprocals
from gough.tracing.stepping import watched_of
from gough.tracing.tracer import trace
from gough.tracing.variant import Variant
from gough.tracing.verdict import finite, is_regular

Arrays = dict[str, np.ndarray]
Function = Callable[..., dict[str, Array]]
Inputs = Mapping[str, tuple[int, ...]]

LOADED = Variant(payload=True)
"""Dynamics with the figures of a payload as inputs."""


class Looker:
    """Kernels of one robot that take its joints.

    Attributes:
        assembly: the robot.
        threads: most threads for a large batch; all cores if not given.
    """

    def __init__(self, assembly: Assembly, threads: int | None = None) -> None:
        self.assembly, self.threads = assembly, threads
        self.dependent = tuple(i for i in range(6) if i not in assembly.free)

    @cached_property
    def rate_scales(self) -> np.ndarray:
        """Natural size of every joint rate."""
        return self.assembly.scales.rates

    def look(self, T_0p: np.ndarray, joints: np.ndarray, step: np.ndarray) -> Arrays:
        """What closing takes, with joints ``(K, m)`` moved by a step ``(K, rates)`` first."""
        return self._run("closing", _closing, self._stepped, [T_0p, joints, step])

    def move(self, T_0p: np.ndarray, joints: np.ndarray, V_r: np.ndarray) -> Arrays:
        """``Psi`` and its ``drift``, ``Psidot V_r``, with a ``doubt``, where they are compiled."""
        inputs = {**self._posed, "V_r": (self.assembly.mobility,)}
        return self._run("moving", _moving, inputs, [T_0p, joints, V_r])

    @cached_property
    def is_traced(self) -> bool:
        """Whether the robot has kernels; if not, NumPy takes their place state by state."""
        return self._kernel("closing", _closing, self._stepped) is not None

    def judge(self, T_0p: np.ndarray, joints: np.ndarray) -> Arrays:
        """Jacobians, limited positions, all closure rows, and those with the freedoms held."""
        found = self._mended("judging", _judging, self._posed, [T_0p, joints])
        return found | {"rows": found["closure"][..., self._held]}

    @cached_property
    def _held(self) -> list[int]:
        """Columns of closure rows that are left while the freedoms are held."""
        rates = len(self.rate_scales)
        return [*range(rates), *(rates + i for i in self.dependent)]

    def weigh(self, T_0p: np.ndarray, joints: np.ndarray, payload: Sequence[np.ndarray]) -> Arrays:
        """``M_rob`` and ``c_rob`` at rest, with a payload's mass, centre and inertia."""
        return self._mended(
            "weighing", _weighing, {**self._posed, **LOADED.inputs}, [T_0p, joints, *payload]
        )

    def closed_form(self, T_0p: np.ndarray) -> np.ndarray:
        """Joints ``(K, m)`` by the closed form on home's branch; NaN out of reach."""
        return self._run("closed form", _by_form, {"T_0p": (4, 4)}, [T_0p])["coordinates"]

    @cached_property
    def _posed(self) -> Inputs:
        return {"T_0p": (4, 4), "joints": (packed_length(self.assembly.topology),)}

    @cached_property
    def _stepped(self) -> Inputs:
        return {**self._posed, "step": (len(self.rate_scales),)}

    def _mended(
        self, name: str, function: Function, inputs: Inputs, arrays: Sequence[np.ndarray]
    ) -> Arrays:
        """Outputs of a kernel, those in doubt worked out again with pivots chosen for them."""
        found = self._run(name, function, inputs, arrays)
        sure = np.all([finite(a) for a in found.values()], axis=0) & is_regular(found["doubt"])
        for k in np.flatnonzero(~sure):
            state = {
                key: a[k] if a.ndim > len(core) else a
                for (key, core), a in zip(inputs.items(), arrays, strict=True)
            }
            with np.errstate(all="ignore"):
                again = function(self.assembly, chosen=True, **state)
            for key, value in again.items():
                found[key][k] = value
        return found

    def _run(
        self, name: str, function: Function, inputs: Inputs, arrays: Sequence[np.ndarray]
    ) -> Arrays:
        kernel = self._kernel(name, function, inputs)
        if kernel is None:
            return _one_by_one(self.assembly, function, inputs, arrays)
        with np.errstate(all="ignore"):
            return kernel.run(arrays, {}, self.threads)

    def _kernel(self, name: str, function: Function, inputs: Inputs) -> Kernel | None:
        return self.assembly.once(
            f"loops {name}", lambda assembly: _build(assembly, name, function, inputs)
        )


def _build(assembly: Assembly, name: str, function: Function, inputs: Inputs) -> Kernel | None:
    """The kernel, or none where the robot cannot be traced: NumPy takes its place."""
    start = time.perf_counter()

    def traced(**arrays: Array) -> dict[str, Array]:
        return function(assembly, chosen=False, **arrays)

    try:
        program = share_reciprocals(trace(name, traced, inputs))
    except TraceError:
        return None
    native = Native(program)
    return Kernel(program, time.perf_counter() - start, native)


def _one_by_one(
    assembly: Assembly,
    function: Function,
    inputs: Inputs,
    arrays: Sequence[np.ndarray],
) -> Arrays:
    """The same function with numbers, one state after the other."""
    count = len(arrays[0])
    spread = [
        np.broadcast_to(a, (count, *core)) if a.ndim == len(core) else a
        for a, core in zip(arrays, inputs.values(), strict=True)
    ]
    # no state at all still has outputs with shapes
    some = spread if count else [np.full((1, *core), np.nan) for core in inputs.values()]
    with np.errstate(all="ignore"):
        found = [
            function(assembly, chosen=False, **dict(zip(inputs, state, strict=True)))
            for state in zip(*some, strict=True)
        ]
    return {key: np.array([one[key] for one in found], dtype=float)[:count] for key in found[0]}


def _by_form(assembly: Assembly, *, chosen: bool, T_0p: Array) -> dict[str, Array]:
    return QUANTITIES["coordinates"].function(assembly, T_0p=T_0p)


def _solved(assembly: Assembly, at: Equations, *, chosen: bool) -> Solution:
    """The equations factored by the fixed plans, or with pivots chosen for numbers."""
    if chosen:
        return assembly.solution(at)
    return assembly.traced(at, settled=False)


def _closing(
    assembly: Assembly, *, chosen: bool, T_0p: Array, joints: Array, step: Array
) -> dict[str, Array]:
    """How platform and joints follow the freedoms, and what closes the loops, to first order."""
    topology = assembly.topology
    configuration = move(topology, unpack(topology, joints), split(topology, step))
    at = assembly.equations(T_0p, configuration)
    solution = _solved(assembly, at, chosen=chosen)
    hub, of_legs = at.residuals()
    right = RightSide(hub, of_legs)
    closing = solution.complete(np.zeros(assembly.mobility), right)
    own = solution.rates(closing, right)
    each = [solution.rates(solution.Psi[:, i]) for i in range(assembly.mobility)]
    rows = [*hub, *(x for leg in of_legs for x in leg)]
    scales = np.concatenate(assembly.scales.rows)
    total: Array = 0.0
    for row, scale in zip(rows, scales, strict=True):
        total = total + np.abs(row) * (1.0 / scale)
    for m in (m for group in (*at.meetings, at.hub_meetings) for m in group):
        # joints that are closed the wrong way round are not closed
        if m.kind in ("prismatic", "fixed"):
            total = total + (3.0 - m.R[0, 0] - m.R[1, 1] - m.R[2, 2])
        elif m.kind in ("revolute", "cylindrical", "helical"):
            total = total + (1.0 - m.R[2, 2])
    found = {
        "joints": pack(configuration),
        "Psi": solution.Psi,
        "closing": closing,
        "rates": collect([np.concatenate([one.hub, *one.legs]) for one in each]).T,
        "rates_closing": np.concatenate([own.hub, *own.legs]),
        "open": collect([total * 1.0]),
    }
    return {name: value * 1.0 for name, value in found.items()}


def _moving(
    assembly: Assembly, *, chosen: bool, T_0p: Array, joints: Array, V_r: Array
) -> dict[str, Array]:
    """How the platform follows its freedoms: ``V = Psi V_r`` and ``Vdot = Psi Vdot_r + drift``."""
    at = assembly.equations(T_0p, unpack(assembly.topology, joints))
    with watched() as made:
        solution = _solved(assembly, at, chosen=chosen)
        rates = solution.rates(solution.Psi @ V_r)
        biases = RightSide(*at.biases(solution.Psi @ V_r, rates.hub, rates.legs))
        drift = solution.complete(np.zeros(assembly.mobility), biases)
    trust = doubt_regular.of_pivots(made.factors, LOADED.accept)
    found = {"Psi": solution.Psi, "drift": drift, "doubt": collect([0.0, trust])}
    return {name: value * 1.0 for name, value in found.items()}


def _judging(assembly: Assembly, *, chosen: bool, T_0p: Array, joints: Array) -> dict[str, Array]:
    """Jacobian of the motors, limited positions, and the rows that fix joints and platform."""
    at = assembly.equations(T_0p, unpack(assembly.topology, joints))
    with watched() as made:
        solution = _solved(assembly, at, chosen=chosen)
        J_inv = solution.J_inv
    watch = watched_of(assembly, solution, np.zeros(6), StateLoads(assembly.gravity))
    trust = doubt_regular.of_pivots(made.factors, LOADED.accept) * (0.0 if chosen else 1.0)
    found = {
        "J_inv": J_inv,
        "Psi": solution.Psi,
        "bounded": watch["bounded"],
        "closure": natural_rows(at, assembly.length),
        "doubt": collect([0.0, trust]),
    }
    return {name: value * 1.0 for name, value in found.items()}


def _weighing(
    assembly: Assembly, *, chosen: bool, T_0p: Array, joints: Array, **payload: Array
) -> dict[str, Array]:
    """Inertia matrix and bias wrench at rest."""
    at = assembly.equations(T_0p, unpack(assembly.topology, joints))
    loads = LOADED.loads(assembly, payload)
    with watched() as made:
        solution = _solved(assembly, at, chosen=chosen)
        still = Kinematics(assembly, solution)
        M, c = legs.inertia_matrix(still, loads), legs.bias_wrench(still, loads)
    trust = doubt_regular.of_pivots(made.factors, LOADED.accept) * (0.0 if chosen else 1.0)
    found = {"M": M, "c": c, "doubt": collect([0.0, trust])}
    return {name: value * 1.0 for name, value in found.items()}
