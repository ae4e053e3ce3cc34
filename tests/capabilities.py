"""What the four papers describe, capability by capability: functions, and tests that prove them.

    python tests/capabilities.py --write      # writes the table of docs/capabilities.md

`tests/docs/test_capabilities.py` breaks each function in turn, and sees its test fail.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "capabilities.md"
BEGIN, END = "<!-- capabilities: tests/capabilities.py -->", "<!-- end of capabilities -->"


class Row(NamedTuple):
    """One capability.

    Attributes:
        number: in the list of all four papers.
        what: in a few words.
        source: equations or sections.
        function: dotted path of the function that does it; empty where there is none yet.
        test: file below ``tests`` and name of the test that proves it; a method as ``Class.name``.
        arguments: of the test.
        note: what is left, where something is.
    """

    number: int
    what: str
    source: str
    function: str = ""
    test: str = ""
    arguments: Mapping[str, Any] = MappingProxyType({})
    note: str = ""


LAWS, JACOBIANS = "laws/test_dynamics.py", "laws/test_jacobians.py"
KI, OZ, SCREW = "papers/test_errata_bk_ki.py", "papers/test_errata_oz.py", "unit/test_screw.py"
OBSERVED, ELEMENTS = "unit/dynamics/test_observed.py", "unit/dynamics/test_elements.py"
SCREWS, GA = "unit/dynamics/test_screws.py", "papers/test_errata_ga.py"
DELTA, HEXAPOD, FIVE_BAR = {"name": "delta"}, {"name": "gough_stewart"}, {"name": "five_bar"}
DYN = "gough.dynamics"

PAPERS = {
    "Briot and Khalil [BK]": (
        Row(
            1,
            "inverse dynamics from the platform's motion",
            "(3), (9), (12)-(14)",
            "gough.inverse_dynamics",
            f"{LAWS}::test_methods_agree",
            DELTA,
        ),
        Row(
            2,
            "inverse dynamics in motor variables",
            "(2)",
            "gough.inverse_dynamics_from_motors",
            f"{OBSERVED}::test_encoders",
            DELTA,
        ),
        Row(
            3,
            "Cartesian inverse dynamics",
            "(15)-(16)",
            "gough.cartesian_dynamics",
            "laws/test_cartesian.py::test_wrench_is_inertia_times_acceleration_and_bias",
            DELTA,
        ),
        Row(
            4,
            "reduced twist, Psi and its derivative",
            "(1), (18)",
            "gough.freedom_map",
            f"{JACOBIANS}::test_freedom_map_completes_the_twist",
            {"name": "tilt_3rps"},
        ),
        Row(
            5,
            "Jacobians of legs and robot",
            "(4)-(8), (26)-(32)",
            "gough.leg_jacobians",
            f"{JACOBIANS}::test_leg_jacobians_carry_the_same_velocity",
            HEXAPOD,
        ),
        Row(
            6,
            "wrench of the platform by Newton and Euler",
            "(10)-(11)",
            f"{DYN}.legs.dynamics.platform_and_legs",
            f"{LAWS}::test_massless_legs_reduce_to_the_platform",
        ),
        Row(
            7,
            "forward dynamics",
            "(17)-(20)",
            "gough.forward_dynamics",
            f"{LAWS}::test_direct_after_inverse_is_the_identity",
            {**DELTA, "method": "legs"},
        ),
        Row(
            8,
            "forward dynamics of the joints",
            "extended definition",
            "gough.motor_accelerations",
            "laws/test_cartesian.py::test_joint_accelerations_are_second_differences_of_motor_positions",
        ),
        Row(
            9,
            "inertia matrix in closed form",
            "(21)",
            "gough.inertia_matrix",
            "papers/test_numbers.py::test_gs_ref_cartesian_model",
        ),
        Row(
            10,
            "inertia matrix by columns",
            "after (22)",
            f"{DYN}.legs.dynamics.inertia_matrix_by_columns",
            f"{LAWS}::test_inertia_matrix",
            DELTA,
        ),
        Row(
            11,
            "bias wrench",
            "(22)",
            "gough.bias_wrench",
            f"{LAWS}::test_cartesian_model_is_affine_in_the_acceleration",
            DELTA,
        ),
        Row(
            12,
            "friction and rotors of all joints",
            "after (14)",
            f"{DYN}.shared.axes.axis_efforts",
            f"{LAWS}::test_friction_takes_power",
            DELTA,
        ),
        Row(
            13,
            "external wrenches",
            "section 2",
            "gough.Force",
            "laws/test_loads.py::test_a_load_does_virtual_work",
            DELTA,
        ),
        Row(
            14,
            "redundant motors, legs with loops, nacelles",
            "section 2",
            f"{DYN}.shared.sharing.Sharing.efforts",
            "unit/dynamics/test_sharing.py::test_internal_efforts_move_nothing",
        ),
        Row(
            15,
            "customised programs",
            "section 2",
            "gough.trace.program",
            f"{OBSERVED}::test_no_trigonometric_function",
            FIVE_BAR,
        ),
        Row(
            16,
            "Khalil-Kleinfinger tables",
            "Table 1",
            "gough.build.khalil_kleinfinger",
            "unit/build/test_tables.py::test_bk_table_1_gives_gs_ref",
        ),
        Row(
            17,
            "everything in the platform's frame",
            "4.2.3, 4.3, (33)",
            "gough.states.axes.rate_to_base",
            "laws/test_frames.py::test_dynamics_in_platform_axes",
            {"name": "gough_stewart", "method": "legs"},
        ),
        Row(
            18,
            "one routine for all legs",
            "4.3",
            "gough.evaluation.exports.leg_program.leg_program",
            "unit/evaluation/exports/test_outline.py::test_a_program_with_figures_is_the_flat_one",
            {"name": "three_rrr", "quantity": "inverse_dynamics"},
        ),
        Row(
            19,
            "simulation",
            "section 3",
            "gough.simulate",
            "laws/test_simulation.py::test_the_pendulum_keeps_its_period",
        ),
        Row(
            20,
            "the true motion of legs, spins included",
            "section 1",
            f"{DYN}.elements.differential.solved",
            "papers/test_errata_oz_elements.py::test_oz_4_a_universal_joint_makes_its_strut_spin",
        ),
        Row(21, "flexible joints", "5.1", note="planned"),
        Row(22, "flexible links by lumped springs", "5.1", note="planned"),
        Row(23, "distributed flexibility", "5.1", note="planned"),
        Row(24, "natural frequencies", "5.1", note="planned"),
        Row(
            25,
            "the model linear in its parameters",
            "5.2",
            "gough.regressor",
            "laws/test_regressor.py::test_the_regressor_times_the_parameters_are_the_efforts",
            DELTA,
        ),
        Row(
            26,
            "identification",
            "5.2",
            "gough.identify",
            "unit/identification/test_identify.py::test_without_noise_parameters_come_back",
        ),
        Row(
            27,
            "Type 1, Type 2 and constraint singularities",
            "5.3",
            "gough.singularities",
            "laws/test_verdicts.py::test_regular_poses_beside_it_are_answered",
        ),
        Row(
            28,
            "reactions in the joints",
            "5.3",
            "gough.reactions",
            "unit/dynamics/test_reactions.py::TestByHand.test_pendulum_in_full_swing",
        ),
        Row(
            29,
            "criterion and motions through Type 2",
            "5.3",
            "gough.crossing",
            "unit/singularity/crossing/test_crossing.py::test_a_motion_without_singularities",
        ),
        Row(
            30,
            "controllers through Type 2",
            "5.3",
            "gough.crossing_control",
            "unit/singularity/crossing/test_controller.py::test_a_motion_that_cannot_pass_is_refused",
            note="a law of several models, not that of Six et al.",
        ),
    ),
    "Khalil and Ibrahim [KI]": (
        Row(
            31,
            "classical method, loops cut",
            "2.1, (1)-(6)",
            f"{DYN}.tree.dynamics.motor_efforts",
            f"{LAWS}::test_another_choice_of_cuts",
            DELTA,
        ),
        Row(
            32,
            "general inverse model",
            "(7), (20)",
            f"{DYN}.legs.dynamics.cartesian_wrench",
            f"{LAWS}::test_cartesian_model_is_affine_in_the_acceleration",
            DELTA,
        ),
        Row(
            33,
            "active efforts straight from the legs",
            "(21)-(22), (45), (62)",
            f"{DYN}.legs.dynamics.inverse_split",
            f"{LAWS}::test_active_efforts_may_be_taken_from_the_legs",
            HEXAPOD,
        ),
        Row(
            34,
            "inverse Jacobian without the joints at the platform",
            "(76)-(80)",
            "gough.inverse_jacobian",
            f"{JACOBIANS}::test_inverse_and_direct_jacobian",
            HEXAPOD,
        ),
        Row(
            35,
            "the Jacobian through the passive joints",
            "(73)-(75)",
            "gough.leg_jacobians",
            f"{JACOBIANS}::test_serial_paths_through_legs_carry_the_platform",
            HEXAPOD,
        ),
        Row(
            36,
            "inertia and bias of the robot",
            "(28)-(30)",
            "gough.forward_dynamics",
            f"{LAWS}::test_direct_after_inverse_is_the_identity",
            {"name": "c5", "method": "legs"},
        ),
        Row(
            37,
            "the Space robot",
            "4, (31)-(51)",
            "gough.inverse_dynamics",
            "unit/build/test_tables.py::test_ki_table_1_gives_the_space_robot",
        ),
        Row(
            38,
            "the C5 robot and its joint",
            "5, (52)-(71)",
            "gough.inverse_kinematics",
            f"{KI}::test_ki_9_against_second_differences_of_positions",
        ),
        Row(
            39,
            "computed torque of the platform",
            "after (20)",
            "gough.control.computed_torque",
            "unit/simulation/control/test_control.py::test_the_exact_model_tracks_to_rounding",
            {"space": "platform"},
        ),
        Row(
            40,
            "computed torque of the joints",
            "section 1",
            "gough.control.computed_torque",
            "unit/simulation/control/test_control.py::test_the_exact_model_tracks_to_rounding",
            {"space": "motors"},
        ),
        Row(
            41,
            "base inertial parameters",
            "2.2, 3",
            f"{DYN}.shared.state_loads.StateLoads.base_masses",
            f"{LAWS}::test_bodies_joined_take_the_sum_of_their_efforts",
            {"name": "delta", "method": "legs"},
            note="inside the recursion; of a whole robot: base_parameters",
        ),
        Row(
            42,
            "legs on several processors",
            "after (22)",
            note="measured: it does not pay for one state; see Kernels and C",
        ),
        Row(
            43,
            "Gough-Stewart, Delta, 3-RPS",
            "1, appendix",
            "gough.zoo.load",
            "unit/zoo/test_machines.py::test_motor_4_of_the_delta_is_the_tool_s_yaw",
        ),
    ),
    "Özgür, Andreff and Martinet [OZ]": (
        Row(
            44,
            "kinematic elements and their grammar",
            "3.1, (1)-(8)",
            "gough.elements",
            f"{ELEMENTS}::test_formulas",
            {"name": "quattro"},
        ),
        Row(
            45,
            "a platform shared out among legs",
            "3.2",
            f"{DYN}.elements.dynamics.local_forces",
            "papers/test_errata_oz_elements.py::test_oz_5_efforts",
        ),
        Row(
            46,
            "a nacelle shared out among legs",
            "3.2, Fig. 2",
            f"{DYN}.elements.decomposition.decompose",
            f"{ELEMENTS}::test_formula_knows_neither_names_nor_order",
            {"name": "quattro", "backwards": True},
        ),
        Row(
            47,
            "velocities and accelerations of elements",
            "(11)-(15), (27)-(33)",
            f"{DYN}.elements.accelerations.acceleration_of",
            f"{OZ}::test_oz_11_efforts_without_friction",
        ),
        Row(
            48,
            "rotors and friction of all mobilities",
            "(16)-(21), Table 2",
            f"{DYN}.elements.dynamics.joint_forces",
            f"{OZ}::test_oz_1_friction_acts_on_both_bodies_of_a_joint",
        ),
        Row(
            49,
            "motion constraints",
            "(34)-(38), (54)-(57)",
            f"{DYN}.elements.constraints.constraints",
            f"{OZ}::test_closed_forms_are_the_motion_constraints",
        ),
        Row(
            50,
            "differential models without an inversion",
            "(39)-(46)",
            f"{DYN}.elements.projection.run",
            f"{OZ}::test_closed_forms_are_the_motion_constraints",
        ),
        Row(
            51,
            "kinematic and dynamic coordinates, A and b",
            "(47)-(64)",
            "gough.implicit_model",
            "unit/dynamics/test_coordinates.py::test_efforts_solve_the_implicit_model",
            DELTA,
        ),
        Row(
            52,
            "linear solution",
            "(59), (65)",
            f"{DYN}.elements.dynamics.solved",
            f"{OZ}::test_oz_11_efforts_without_friction",
        ),
        Row(
            53,
            "efforts from observed legs",
            "(66)-(67)",
            "gough.inverse_dynamics_observed",
            f"{OBSERVED}::test_observed_legs_give_the_efforts_of_the_pose",
            {"name": "quattro"},
        ),
        Row(
            54,
            "efforts from encoders",
            "Table 3",
            "gough.inverse_dynamics_from_motors",
            f"{OBSERVED}::test_encoders",
            FIVE_BAR,
        ),
        Row(
            55,
            "mixed sensors",
            "6",
            "gough.observe",
            f"{OBSERVED}::test_some_directions_and_some_encoders",
            {"name": "delta", "sensors": {"elements": ("bar1a",), "encoders": ("arm2",)}},
        ),
        Row(
            56,
            "camera, lines in images, observer",
            "7",
            "gough.vision.observe",
            "unit/simulation/vision/test_observe.py::test_efforts_from_images_are_those_of_the_motion",
            note="no rolling shutter",
        ),
        Row(
            57,
            "control with feedback on the legs",
            "7, 8",
            "gough.control.computed_torque",
            "unit/simulation/control/test_legs.py::test_the_exact_model_tracks_although_images_are_late",
            {"name": "quattro"},
        ),
        Row(
            58,
            "operation counts",
            "5.7, Table 3",
            "gough.trace.count",
            f"{OBSERVED}::test_no_trigonometric_function",
            HEXAPOD,
        ),
        Row(
            59,
            "singularities of A",
            "8",
            f"{DYN}.elements.dynamics.motor_row",
            f"{LAWS}::test_methods_agree",
            {"name": "five_bar"},
            note="in the robot's freedoms A is the transposed inverse Jacobian",
        ),
        Row(60, "flexible elements", "8", note="planned"),
        Row(
            61,
            "the paper's robots",
            "3, 5, 8",
            "gough.inverse_dynamics",
            f"{LAWS}::test_methods_agree",
            {"name": "h4"},
        ),
        Row(
            62,
            "DYMO and its operation modes",
            "3.1.1",
            "gough.zoo.load",
            "unit/zoo/test_dymo_modes.py::test_the_rotational_mode_keeps_the_centre",
        ),
        Row(
            63,
            "serial robots",
            "6",
            "gough.inverse_dynamics",
            "papers/test_errata_oz_elements.py::test_oz_7_cylinder_and_rod_are_two_masses",
        ),
    ),
    "Gallardo et al. [GA]": (
        Row(
            64,
            "screws with pitch, at any point",
            "(1)-(5), (9)-(11)",
            "gough.screw.moved",
            "unit/dynamics/test_influence.py::test_a_screw_at_another_point_is_the_velocity_there",
        ),
        Row(
            65,
            "open chains, accelerators, Lie screws",
            "(6)-(15)",
            "gough.screw.lie_screw",
            "papers/test_errata_ga_hexapod.py::test_ga_10_joint_accelerations_of_a_leg",
        ),
        Row(
            66,
            "influence coefficients, partial screws",
            "(16)-(21)",
            "gough.influence_coefficients",
            "unit/dynamics/test_influence.py::test_motors_move_joints_and_bodies",
            DELTA,
        ),
        Row(
            67,
            "velocities and accelerations leg by leg",
            "(23)-(24), (60)-(70)",
            f"{DYN}.screws.leg.LegScrews.rates",
            f"{SCREWS}::test_rates_and_accelerations_of_all_joints",
            HEXAPOD,
        ),
        Row(
            68,
            "Klein form, wrenches, virtual work",
            "(25)-(37)",
            f"{DYN}.screws.dynamics.virtual_work",
            f"{LAWS}::test_methods_agree",
            DELTA,
        ),
        Row(
            69,
            "the gearshift and the hand on it",
            "5, (38)-(55)",
            "gough.inverse_dynamics",
            f"{GA}::test_ga_1_the_hand_is_counted_once",
        ),
        Row(
            70,
            "Gough-Stewart 6-SPU by reciprocal lines",
            "6, (56)-(74)",
            "gough.reciprocal_screws",
            f"{SCREWS}::test_motor_rates_by_reciprocal_screws",
            {"name": "gough_stewart_6spu"},
        ),
        Row(
            71,
            "direct position problem",
            "5",
            "gough.forward_kinematics",
            "unit/modes/test_modes.py::test_what_near_may_be",
        ),
        Row(
            72,
            "jerk",
            "footnote 3",
            "gough.posture",
            "laws/test_jerk.py::test_jerks_are_derivatives_of_accelerations",
            DELTA,
        ),
    ),
}

ROWS = tuple(row for rows in PAPERS.values() for row in rows)


def table() -> str:
    """The table, paper by paper."""
    lines = []
    for paper, rows in PAPERS.items():
        lines += [
            "",
            f"## {paper}",
            "",
            "| | capability | where | function | test |",
            "|---|---|---|---|---|",
        ]
        for row in sorted(rows):
            function = f"`{row.function.removeprefix('gough.')}`" if row.function else row.note
            test = row.test.rpartition("test_")[2].replace("_", " ")
            what = f"{row.what} ({row.note})" if row.note and row.function else row.what
            lines.append(f"| {row.number} | {what} | {row.source} | {function} | {test} |")
    return "\n".join([BEGIN, *lines, "", END])


def written(text: str) -> str:
    """A page with the table in its place."""
    before, rest = text.split(BEGIN)
    return before + table() + rest.split(END)[1]


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/capabilities.py --write")
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
