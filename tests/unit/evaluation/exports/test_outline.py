"""What alike legs share of a program: found by comparison, and right for whatever is found."""

import numpy as np
import pytest

import gough
from cases import acting, loaded, motion
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Instruction, Port, Program
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.errors import InputError
from gough.evaluation.compile import whole_program
from gough.evaluation.exports.leg_program import leg_program
from gough.evaluation.exports.outline import COMMUTATIVE, Outline
from robots import relative, robot

SHARING = {
    "three_rrr": [3],
    "four_rrr": [4],
    "agile_eye": [3],
    "delta": [3],
    "linear_delta": [3],
    "quattro": [2],
    "h4": [2],
    "orthoglide": [3],
    "dymo": [3],
    "tilt_3rps": [3],
    "space_3ups": [3],
    "c5": [6],
    "gough_stewart": [6],
    "gough_stewart_6spu": [6],
    "hexapod_6rus": [6],
    "hexapod_6pus": [6],
    "six_rrrs": [2, 4],
    "screw_hexapod": [3, 2],
    "sps_hexapod": [3, 2],
    "split_hexapod": [3, 3],
}
"""Robots, and how many of their legs are alike; joints of drawn ones are described either way."""

ALSO = {"h4": [2, 2]}
"""What some processors find: rounding may decide among pivots, and then alike legs are eliminated
alike or not; the program is right either way."""

LIGHT = ["four_rrr", "delta", "quattro", "orthoglide", "c5", "gough_stewart", "sps_hexapod"]
"""Planar, with parallelograms, a nacelle, inner loops, contacts, struts, two kinds of struts."""


def variant_of(name):
    r = loaded(name)
    return Variant.of(LoadArguments(r.assembly, gough.Loads(payload=acting(r).payload)))


@pytest.mark.parametrize(
    ("name", "quantity"),
    [(name, "inverse_dynamics") for name in SHARING]
    + [(name, "forward_dynamics") for name in LIGHT],
)
def test_a_program_with_figures_is_the_flat_one(name, quantity):
    """With friction, rotors and springs on every axis, and a payload."""
    assembly, variant = loaded(name).assembly, variant_of(name)
    flat = whole_program(assembly, quantity, variant)
    found = leg_program(assembly, quantity, variant)
    alike = [len(legs) for legs in found.kinds]
    assert alike in (SHARING[name], ALSO.get(name))
    T, V, Vdot = motion(name, 3).arrays
    known = {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot, "tau": np.ones(len(robot(name).motors))}
    known |= {"mass": [0.7], "center": [0.02, -0.03, 0.05], "inertia": 0.004 * np.eye(3)}
    given = {port.name: known[port.name] for port in flat.inputs}
    expected, got = run(flat, given), run(found.program, given | found.figure_inputs())
    for port in flat.outputs[:-1]:
        # other pivots and other steps of the closed form: rounding, times the condition of a leg
        assert relative(got[port.name], expected[port.name]) < 1e-10
    assert ((got["doubt"] < 1.0) == (expected["doubt"] < 1.0)).all()


@pytest.mark.parametrize("name", LIGHT)
def test_what_is_shared_is_alike(name):
    """Every leg does the same to like operands: its own, the same from outside, or a number."""
    outline = Outline(leg_program(loaded(name).assembly, "inverse_dynamics", variant_of(name)))
    assert outline.shared
    code, seen = outline.program.instructions, set()
    for shared in outline.shared:
        for row, (value, operands) in enumerate(zip(shared.values, shared.operands, strict=True)):
            instruction = code[value]
            assert instruction.op == shared.op
            args = [*instruction.args]
            same_order = args == [*operands]
            assert same_order or (shared.op in COMMUTATIVE and sorted(args) == sorted(operands))
            assert value not in seen
            seen.add(value)
            for first, own in zip(shared.operands[0], operands, strict=True):
                if first in outline.numbers:
                    assert own in outline.numbers
                elif first in outline.place:
                    assert outline.place[own] == (outline.place[first][0], row)
                else:
                    assert own == first


@pytest.mark.parametrize("name", LIGHT)
def test_values_are_known_when_they_are_needed(name):
    outline = Outline(leg_program(robot(name).assembly, "forward_dynamics", Variant()))
    phases, place = outline.phases, outline.place
    for k, (op, args, _) in enumerate(outline.program.instructions):
        for a in () if op == "input" else args:
            from_leg = a in place and k not in place
            assert phases[a] < phases[k] or (phases[a] == phases[k] and not from_leg)
    for shared in outline.shared:
        assert len({phases[value] for value in shared.values}) == 1


def test_most_of_a_hexapod_is_shared():
    outline = Outline(leg_program(robot("gough_stewart").assembly, "inverse_dynamics", Variant()))
    operations = [i for i in outline.program.instructions if i.op not in ("input", "const")]
    assert 6 * len(outline.shared) > 0.75 * len(operations)


def small_program(*code):
    """A program of x and the figures of two legs, one of each."""
    ports = (Port("x", (1,)), Port("figures_0", (2, 1)))
    head = [
        Instruction("input", (0, 0)),
        Instruction("input", (1, 0)),
        Instruction("input", (1, 1)),
    ]
    return Program("small", ports, (Port("y", (1,)),), (*head, *code), ((2 + len(code),),))


class Small:
    """Two legs with a figure each."""

    kinds = ((0, 1),)
    tables = (np.array([[2.0], [3.0]]),)

    def __init__(self, *code):
        self.program = small_program(*code)


def test_like_instructions_are_shared_and_others_are_not():
    product = [Instruction("mul", (0, 1)), Instruction("mul", (2, 0))]  # operands exchanged
    odd = Instruction("sqrt", (3,))  # of the first leg alone
    total = Instruction("add", (4, 5))
    outline = Outline(Small(*product, odd, total))
    assert [(s.op, s.values, s.operands) for s in outline.shared] == [
        ("mul", (3, 4), ((0, 1), (0, 2)))
    ]
    assert outline.phases[3:] == [0, 0, 1, 1]


def test_constants_may_differ_from_leg_to_leg():
    code = [
        Instruction("const", (), 0.5),
        Instruction("const", (), 0.7),
        Instruction("mul", (0, 1)),
        Instruction("mul", (0, 2)),
        Instruction("add", (3, 5)),
        Instruction("add", (4, 6)),
        Instruction("mul", (7, 8)),
    ]
    outline = Outline(Small(*code))
    assert [s.values for s in outline.shared] == [(5, 6), (7, 8)]
    assert [outline.numbers[k] for k in (1, 2, 3, 4)] == [2.0, 3.0, 0.5, 0.7]


def test_what_follows_from_figures_alone_is_a_number():
    code = [
        Instruction("mul", (1, 1)),
        Instruction("mul", (2, 2)),
        Instruction("sub", (0, 3)),
        Instruction("sub", (0, 4)),
        Instruction("mul", (5, 6)),
    ]
    outline = Outline(Small(*code))
    assert (outline.numbers[3], outline.numbers[4]) == (4.0, 9.0)
    assert [s.values for s in outline.shared] == [(5, 6)]


class TestRefusals:
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("five_bar", "prox1 and prox2 differ in links"),
            ("pendulum", "it has 1 leg"),
            ("delta_4", "steps that find their joints (they meet at a nacelle"),
        ],
    )
    def test_legs_that_are_not_alike(self, name, words):
        with pytest.raises(InputError, match="none can share code with another") as caught:
            leg_program(robot(name).assembly, "inverse_dynamics", Variant())
        assert words in str(caught.value)
        assert caught.value.argument == "legs"

    def test_a_method_without_legs(self):
        with pytest.raises(InputError, match="cannot be shared by the method 'tree'"):
            leg_program(robot("delta").assembly, "inverse_dynamics", Variant(method="tree"))
