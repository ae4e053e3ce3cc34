"""Names of single numbers in a listing: inputs, outputs, and values that the papers name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from gough.compiler.tracing.program import Port
from gough.compiler.tracing.symbols import Symbol
from gough.evaluation.listings.noted import Named
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint_kinds import BALL, SLIDE, TURN

_AXES = "xyz"
_TWISTS = {
    "V_0p": ("v_{}", "omega_{}"),
    "Vdot_0p": ("vdot_{}", "omegadot_{}"),
    "Vddot_0p": ("vddot_{}", "omegaddot_{}"),
}
_OF_FREEDOMS = {"x": "{}", "xd": "{}d", "xdd": "{}dd", "V_r": "V_{}", "Vdot_r": "Vdot_{}"}
_OF_BODIES = {
    "masses": ("m_{}", [""]),
    "centers": ("c_{}", [f"_{a}" for a in _AXES]),
    "inertias": ("I_{}", [f"_{a}{b}" for a in _AXES for b in _AXES]),
}
_OF_AXES = ("viscous", "coulomb", "rotor_inertia", "stiffness", "rest")
_OF_JOINTS = ("parent_points", "child_points", "parent_turns", "child_turns")

SYMBOLS = {
    "dynamics/legs/dynamics.py:platform_and_legs": {"legs": "H", "tau_i": "", "f": "", "n": ""},
    "dynamics/legs/dynamics.py:inverse_split": {"active": "", "passive": "", "rest": "JT_W"},
    "dynamics/legs/dynamics.py:cartesian_wrench": {"W": "W_p_legs"},
    "dynamics/elements/dynamics.py:_constrained": {"lam": "lambda"},
}
"""Variables whose symbol in the papers is another; an empty one is left without a name."""

_NONE = re.compile(
    r"[a-z]|found|row|rows|column|columns|image|images|unit|value|values|right|wanted"
)
"""Variables that mean nothing beyond their function."""


def port_names(assembly: Assembly, port: Port, quantity: str) -> list[str]:
    """Names of the scalars of an input or output, in order."""
    robot, name = assembly.robot, port.name
    if name == "T_0p":
        names = [[*(f"R_{i}{j}" for j in (1, 2, 3)), _AXES[i - 1]] for i in (1, 2, 3)]
        return [*(n for row in names for n in row), "T_41", "T_42", "T_43", "T_44"]
    if name in _TWISTS:
        return [form.format(a) for form in _TWISTS[name] for a in _AXES]
    if name in _OF_FREEDOMS and quantity != "inverse_dynamics_observed":
        return [_OF_FREEDOMS[name].format(freedom) for freedom in robot.freedoms]
    if name in _OF_BODIES:
        form, parts = _OF_BODIES[name]
        return [word(form.format(body.name) + part) for body in robot.bodies for part in parts]
    if name in _OF_AXES:
        return [word(f"{name}_{axis}") for axis in robot.axis_names]
    if name in _OF_JOINTS:
        return [word(f"{name}_{joint.name}_{a}") for joint in robot.joints for a in _AXES]
    if name == "gravity":
        return [f"g_{a}" for a in _AXES]
    if name == "coordinates":
        links = [link for tree in assembly.topology.trees for link in tree.links]
        return [word(n) for k in links for n in coordinate_names(k.move, k.joint, k.axis)]
    return numbered(name, port.shape)


def numbered(name: str, shape: Sequence[int]) -> list[str]:
    """A name with the places of entries, counted from one; the name alone of a single number."""
    if all(length == 1 for length in shape):
        return [name]
    places = product(*(range(1, length + 1) for length in shape))
    return [f"{name}_{'_'.join(map(str, place))}" for place in places]


def paper_name(candidates: Sequence[Named]) -> tuple[str, str] | None:
    """The symbol of a value in the equations, and what is cited beside it; none if it has none."""
    for function, variable, place, cited, _ in candidates:
        symbol = SYMBOLS.get(function, {}).get(variable, variable)
        if symbol and (symbol != variable or not _NONE.fullmatch(variable)):
            return "_".join([symbol, *(str(i + 1) for i in place)]), cited
    return None


def word(text: str) -> str:
    """A name of Python, and of most languages."""
    return re.sub(r"\W", "_", text)


class Namer:
    """Names that are given once each."""

    def __init__(self) -> None:
        self._taken = {"sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log"}
        self._taken |= {"abs", "sign", "copysign", "min", "max", "float", "lambda"}
        self._free = self._numbered()

    def __call__(self, wanted: str) -> str:
        """The name, with a number behind it if it is taken."""
        wanted = word(wanted)
        name, count = wanted, 2
        while name in self._taken:
            name, count = f"{wanted}__{count}", count + 1
        self._taken.add(name)
        return name

    def next(self) -> str:
        """A name for a value without one: t1, t2, ..."""
        return next(self._free)

    def _numbered(self) -> Iterator[str]:
        k = 0
        while True:
            k += 1
            yield self(f"t{k}")


def joint_names(states: Iterable[Kinematics]) -> Iterator[tuple[str, Symbol]]:
    """Coordinates of all joints of some states, and their rates as far as they were asked for."""
    for kin in states:
        assembly = kin.assembly
        trees = zip(assembly.topology.trees, kin.at.configuration.trees, strict=True)
        coordinates = [
            (name, value)
            for tree, values in trees
            for link, own in zip(tree.links, values, strict=True)
            for name, value in zip(
                coordinate_names(link.move, link.joint, link.axis),
                np.asarray(own).reshape(-1),
                strict=True,
            )
        ]
        rates = [
            (f"{letter}_{joint}", value)
            for letter, kept in (("qd", "rates"), ("qdd", "accelerations"))
            if kept in vars(kin)
            for joint, value in zip(rate_names(assembly), vars(kin)[kept].together, strict=True)
        ]
        yield from ((n, v) for n, v in (*coordinates, *rates) if isinstance(v, Symbol))


def coordinate_names(move: str, joint: str, axis: int) -> list[str]:
    """Names of the coordinates of one move: cosine and sine, distance, angle or matrix."""
    own = f"{joint or 'free'}{f'_{axis + 1}' if axis else ''}"
    if move == TURN:
        return [f"c_{own}", f"s_{own}"]
    if move == BALL:
        return [f"R_{own}_{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
    return [f"{'d' if move == SLIDE else 'q'}_{own}"]


def rate_names(assembly: Assembly) -> list[str]:
    """Joints of all rates, the hub's and then each leg's."""
    found = []
    for tree in assembly.topology.trees:
        for link in tree.links:
            own = f"{link.joint or 'free'}{f'_{link.axis + 1}' if link.axis else ''}"
            found += [f"{own}_{k}" for k in "xyz"] if link.move == BALL else [own]
    return found
