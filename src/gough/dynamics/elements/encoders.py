"""The whole state from the motors, in closed form where the loops have one.  [OZ] Table 3

The loops of the cut machine, with the motors known, are searched as the inverse kinematics's are
(`geometry/closed_form`).  A five-bar has such a form, with one sine and one cosine a motor; most
robots have not, and :func:`gough.state_from_motors` follows the motors by Newton's method instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.base.conditions import Silent
from gough.base.once import known_of
from gough.base.spatial import Array, collect, homogeneous
from gough.dynamics.elements.dynamics import inverse
from gough.dynamics.shared.state_loads import StateLoads
from gough.dynamics.tree.cut import CutMachine, cut_machine, read_off
from gough.dynamics.tree.kinematics import CutState
from gough.geometry.closed_form.loops import Key
from gough.geometry.closed_form.machine import State
from gough.geometry.closed_form.search import ClosedForm, find_closed_form
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.recursion import look_back
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.topology import Topology
from gough.robot.joint_kinds import TURN


@dataclass(frozen=True, eq=False)
class CutView:
    """A cut machine as the search for closed forms sees it."""

    machine: CutMachine
    topology: Topology
    length: float
    home: Configuration
    start: State
    samples: Sequence[State]
    regular_samples: Sequence[State]

    def equations(self, T_0p: np.ndarray, configuration: Configuration) -> Equations:
        """Closure equations of the cut joints."""
        return Equations(self.topology, self.machine.locks, T_0p, configuration)


class MotorForm(NamedTuple):
    """A closed form of the cut machine, and the links that the motors drive."""

    form: ClosedForm
    motors: tuple[Key, ...]


@known_of(Assembly)
def from_motors(assembly: Assembly) -> MotorForm | None:
    """The closed form from motors to all joints, or ``None``; found once."""
    machine = cut_machine(assembly)
    held = assembly.idle or assembly.topology.locked
    if held or not assembly.is_square or not machine.topology.legs[0].closings:
        return None
    links: list[Key] = []
    for name in assembly.robot.motors:
        place = machine.axes[name]
        if not place.links:
            return None  # a motor in a joint that had to be cut
        links.append(("link", 0, place.links[0]))

    def cut(state: State) -> State:
        at = machine.equations(assembly, assembly.equations(*state))
        return np.eye(4), at.configuration

    samples = [cut(state) for state in assembly.samples]
    number = {id(state[1]): i for i, state in enumerate(assembly.samples)}
    view = CutView(
        machine,
        machine.topology,
        assembly.length,
        samples[0][1],
        samples[number[id(assembly.start[1])]],
        samples,
        [samples[number[id(state[1])]] for state in assembly.regular_samples],
    )
    form = find_closed_form(view, links)
    return None if form is None else MotorForm(form, tuple(links))


def efforts_from_motors(
    assembly: Assembly, found: MotorForm, q: Array, qd: Array, qdd: Array
) -> Array:
    """Motor efforts from encoders, by elements.  Numbers and symbols run through these lines."""
    machine = cut_machine(assembly)
    tree = machine.tree
    given = {}
    for i, key in enumerate(found.motors):
        turns = tree.links[key[2]].move == TURN
        given[key] = collect([np.cos(q[i]), np.sin(q[i])]) if turns else q[i : i + 1]
    configuration, _ = found.form.evaluate(np.eye(4), given)
    cut = Equations(machine.topology, machine.locks, np.eye(4), configuration)
    solution = _solution(assembly, machine, cut)
    # without a residual: these equations are for people, and for counts
    kin = Kinematics(assembly, solution, rules=Silent())
    state = CutState(kin, machine, configuration.legs[0])
    by_motors = state.factor("motors")
    rates = collect(by_motors.solve([*np.zeros(len(state.E)), *qd]))
    biases = state.biases_of(rates)
    accelerations = collect(by_motors.solve([*biases.gamma, *qdd]))
    V, Vdot = state.P @ rates, state.P @ accelerations + biases.platform
    loads = StateLoads(assembly.gravity).during(V, assembly.length)
    return inverse(kin.with_motion(V, Vdot), loads)


def _solution(assembly: Assembly, machine: CutMachine, cut: Equations) -> Solution:
    """The robot's own closure equations at the state of its cut machine."""
    robot, topology = assembly.robot, assembly.topology
    view = look_back(machine.tree, cut.leg_poses[0], machine.platform)
    R = view.R_f0.T
    T_0p = homogeneous(R, R @ view.r)
    trees = (read_off(robot, tree, cut, machine.axes) for tree in topology.trees)
    return assembly.traced(assembly.equations(T_0p, Configuration.of(trees)))
