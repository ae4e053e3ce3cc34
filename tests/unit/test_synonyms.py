"""Names that ``gough`` does not have lead to those that it has."""

import re
from pathlib import Path

import pytest

import gough
from gough.errors import InputError
from gough.synonyms import _INSIDE, _ROBOTS, WORDS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coming-from.md"
NO_FUNCTIONS = {"q", "v", "a", "force", "torque"}
"""Of the other libraries: arrays of a state, and kinds of sensors."""


def refusal(name, module=gough):
    """What is said about a name that a module does not have."""
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    message = str(caught.value)
    assert message.startswith(f"module '{module.__name__}' has no attribute '{name}'")
    return message


def said_elsewhere():
    """Names of other libraries in the table of calls, and gough's names of their rows."""
    text = PAGE.read_text(encoding="utf-8")
    text = text[text.index("\n## Calls") :]
    found: dict[str, set[str]] = {}
    for line in text[: text.index("\n`rnea`")].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 5 or not cells[0].startswith("`"):
            continue
        public = re.match(r"`(?:gough\.)?(\w+)", cells[0])[1]
        for cell in cells[1:4]:
            if cell.startswith("a loop of your own"):
                continue  # which is made of functions of other rows
            for name in re.findall(r"`(\w+)`", cell):
                found.setdefault(name, set()).add(public)
    return {name: rows for name, rows in found.items() if name not in NO_FUNCTIONS}


TABLE = said_elsewhere()


def test_the_table_of_other_libraries_is_read():
    assert len(TABLE) > 40
    assert TABLE["rnea"] == {"inverse_dynamics"}
    assert TABLE["mjd_transitionFD"] == {"compile"}


@pytest.mark.parametrize("name", sorted(TABLE))
def test_names_of_other_libraries_lead_to_the_function_of_their_row(name):
    said = refusal(name)
    assert any(re.search(rf"gough\.{public}\b", said) for public in TABLE[name]), said


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("direct_dynamics", "gough.forward_dynamics"),
        ("fk", "gough.forward_kinematics"),
        ("ik", "gough.inverse_kinematics"),
        ("inverse_geometry", "gough.inverse_kinematics"),
        ("IDM", "gough.inverse_dynamics"),
        ("SerialAxes", "gough.State"),
        ("joint_accelerations", "gough.motor_accelerations"),
        ("motor_positions", "gough.inverse_kinematics"),
        ("joint_positions", "gough.posture"),
        ("size_motors", "gough.analyse"),
        ("hexapod", "gough.zoo.load('gough_stewart') or gough.build.hexapod"),
        ("linearise", "gough.compile(robot, quantity, derivatives=[...])"),
        ("mobility", "robot.mobility"),
        ("from_yaml", "gough.load"),
        ("gravity_compensation", "gough.gravity_wrench"),
        ("point_to_point", "gough.motion.point_to_point"),
        ("trajectory", "gough.motion"),
        ("chain", "gough.motion.chain or gough.build.chain"),
        ("write_report", "gough.report.write_report"),
        ("computeJointJacobian", "gough.jacobian"),
        ("computeFrameJacobian", "gough.jacobian"),
        ("set_num_threads", "gough.options(threads=...)"),
        ("mass", "body.mass"),
        ("center_of_mass", "gough.centroidal_momentum"),
        # slips of the pen
        ("inverse_dynamcs", "gough.inverse_dynamics"),
        ("energie", "gough.energy"),
        ("singular", "gough.singularities"),
        ("lissajou", "gough.motion.lissajous"),
        ("five_baar", "gough.zoo.load('five_bar')"),
    ],
)
def test_the_error_names_the_right_one(name, public):
    assert public in refusal(name)


@pytest.mark.parametrize("name", ["qwertzuiop", "bench", "body", "mesh", "rpy", "utils", "tests"])
def test_what_is_like_nothing_gets_no_advice(name):
    assert refusal(name) == f"module 'gough' has no attribute '{name}'"


@pytest.mark.parametrize(
    ("module", "name", "public"),
    [
        ("control", "perturbed", "gough.control.perturb"),
        ("motion", "p2p", "gough.motion.point_to_point"),
        ("motion", "fastet", "gough.motion.fastest"),
        ("zoo", "stewart", "gough.zoo.load('gough_stewart')"),
        ("zoo", "five_baar", "gough.zoo.load('five_bar')"),
        ("build", "hexpod", "gough.build.hexapod"),
        ("report", "shet", "gough.report.sheet"),
        ("trace", "functon", "gough.trace.function"),
        ("vision", "camera", "gough.vision.Camera"),
        ("calibration", "Pose", "gough.calibration.Poses"),
        ("analysis", "analyze", "gough.analyse"),
        ("scenario", "Scenari", "gough.scenario.Scenario"),
    ],
)
def test_modules_advise_as_well(module, name, public):
    assert f" {public}" in refusal(name, getattr(gough, module))


def test_all_that_is_meant_exists_and_nothing_public_is_a_synonym():
    robot = gough.zoo.load("five_bar")
    for word, meant in WORDS.items():
        assert word not in gough.__all__
        for root, path in re.findall(r"\b(gough|robot)((?:\.\w+)+)", meant):
            found = gough if root == "gough" else robot
            for part in path[1:].split("."):
                found = getattr(found, part)


def test_the_words_of_modules_are_whole():
    """What somebody may look for at the top is there, but for words of other meanings."""
    assert tuple(_ROBOTS.split()) == gough.zoo.names()
    others = {"Motion", "Sheet", "sheet", "hold", "body", "machine", "carried", "holding"}
    for module in ("motion", "build", "control", "report"):
        names = set(getattr(gough, module).__all__)
        assert names - others == set(_INSIDE[module].split()), module


@pytest.mark.parametrize(
    ("quantity", "known"),
    [("rnea", "inverse_dynamics"), ("crba", "inertia_matrix"), ("energi", "energy")],
)
def test_quantities_have_the_same_synonyms(quantity, known):
    with pytest.raises(InputError, match=f"unknown quantity '{quantity}'") as caught:
        gough.compile(gough.zoo.load("five_bar"), quantity)
    assert caught.value.hint.startswith(f"Did you mean '{known}'?")


def test_a_quantity_is_no_method():
    robot = gough.zoo.load("five_bar")
    with pytest.raises(InputError) as caught:
        gough.inverse_dynamics(robot, robot.home_pose, method="rnea")
    assert caught.value.hint == "Known: legs, elements, screws, tree."
