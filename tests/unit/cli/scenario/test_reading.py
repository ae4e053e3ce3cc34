"""Scenario files: what is accepted, and what is refused with file, line and key."""

import json
import re
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from gough import scenario, zoo
from gough.cli.scenario.schema import json_schema
from gough.errors import FileError, GoughError, UnreachablePose
from gough.robot.file import save

ROOT = Path(__file__).resolve().parents[4]
EXAMPLES = sorted((ROOT / "examples" / "scenarios").glob("*.yaml"))

PLAIN = """\
gough: 1
robot: five_bar
motion:
  kind: circle
  radius: 0.02
  duration: 0.5
simulation:
  step: 0.001
  controller:
    kind: joint_pd
    kp: 10
    kd: [1, 2]
"""


def written(folder, text=PLAIN):
    path = folder / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder, text):
    with pytest.raises(FileError) as caught:
        scenario.load(written(folder, text))
    return caught.value


def test_examples_load_and_obey_the_schema():
    from gough.robot.file.document import parse

    assert len(EXAMPLES) >= 2
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for path in EXAMPLES:
        assert scenario.is_scenario(path)
        assert scenario.load(path).robot.mobility in (2, 3)
        jsonschema.validate(parse(path.read_text(), path.name).data, schema)


def test_the_schema_offers_no_nulls_and_describes_every_key():
    text = json.dumps(json_schema())
    assert "null" not in text
    for model in [json_schema(), *json_schema()["$defs"].values()]:
        for name, value in model.get("properties", {}).items():
            assert value.get("description"), name


def test_robot_and_motion_are_made(tmp_path):
    found = scenario.load(written(tmp_path))
    assert found.robot == zoo.load("five_bar")
    assert found.motion.duration == 0.5
    assert (found.analyses, found.simulates) == (True, True)
    T = found.motion(np.linspace(0.0, 0.5, 7)).T_0p
    middle = found.robot.home_pose[:2, 3]
    np.testing.assert_allclose(np.linalg.norm(T[:, :2, 3] - middle, axis=1), 0.02, rtol=1e-12)


def test_json_does_as_well(tmp_path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"gough": 1, "robot": "five_bar", "motion": {"kind": "hold"}}))
    assert scenario.load(path).motion.duration == 1.0


def test_a_robot_with_parameters_and_one_from_a_file(tmp_path):
    choice = "robot: {zoo: five_bar, parameters: {gravity: [0, -1.62, 0]}}"
    found = scenario.load(written(tmp_path, PLAIN.replace("robot: five_bar", choice)))
    assert found.robot == zoo.load("five_bar", gravity=[0.0, -1.62, 0.0]) != zoo.load("five_bar")
    (tmp_path / "mine").mkdir()
    save(zoo.load("five_bar"), tmp_path / "mine" / "bar.yaml")
    found = scenario.load(written(tmp_path, PLAIN.replace("five_bar", "mine/bar.yaml")))
    assert found.robot == zoo.load("five_bar")


def test_motions_follow_each_other(tmp_path):
    text = """\
gough: 1
robot: five_bar
motion:
  - {kind: hold, pose: home, duration: 0.25}
  - kind: circle
    radius: 0.02
    duration: 0.5
"""
    with pytest.raises(GoughError, match="motion") as caught:  # the circle begins elsewhere
        scenario.load(written(tmp_path, text))
    assert "scenario.yaml, line" in caught.value.message
    text = text[: text.index("  - kind")] + "  - {kind: hold, pose: home, duration: 0.5}\n"
    assert scenario.load(written(tmp_path, text)).motion.duration == 0.75


@pytest.mark.parametrize(
    ("old", "new", "line", "path", "words"),
    [
        ("robot: five_bar", "robot: five_baa", 2, "robot", "Did you mean 'five_bar'"),
        ("robot: five_bar", "robott: five_bar", 2, "robott", "Did you mean 'robot'"),
        ("robot: five_bar", "robot: 3", 2, "robot", "expected text"),
        ("robot: five_bar", "robot: {zoo: five_bar, parameter: {}}", 2, "robot.parameter", ""),
        (
            "robot: five_bar",
            "robot: {zoo: five_bar, parameters: {q: 1}}",
            2,
            "robot.parameters",
            "no parameter 'q'",
        ),
        ("kind: circle", "kind: circel", 4, "motion", "Did you mean 'circle'"),
        ("  kind: circle\n", "", 3, "motion", "'kind' is missing"),
        ("radius: 0.02", "radus: 0.02", 5, "motion", "Did you mean 'radius'"),
        ("radius: 0.02", "radius: -0.02", 5, "motion", "radius"),
        ("radius: 0.02", "radius: .inf", 5, "motion", "not a finite number"),
        ("radius: 0.02", "radius:", 5, "motion.radius", "has no value"),
        ("radius: 0.02", "radius: __import__('os')", 5, "motion", "radius"),
        ("  duration: 0.5\n", "", 3, "motion", "needs duration"),
        ("step: 0.001", "step: 1 ms", 8, "simulation.step", "expected a number"),
        ("step: 0.001", "step: .nan", 8, "simulation.step", "not a finite number"),
        ("step: 0.001", "step: true", 8, "simulation.step", "expected a number"),
        ("step: 0.001", "steps: 0.001", 8, "simulation.steps", "Did you mean 'step'"),
        ("step: 0.001", "integrator: rk5", 8, "simulation.integrator", "Did you mean 'rk4'"),
        ("step: 0.001", "stop_at: [type_3]", 8, "simulation.stop_at[0]", "unknown event"),
        ("step: 0.001", "efforts: [1, 2]", 8, "simulation.efforts", "exclude each other"),
        ("kind: joint_pd", "kind: pid", 10, "simulation.controller.kind", "joint_pd"),
        ("kp: 10", "kp: ten", 11, "simulation.controller.kp", "expected a number"),
        ("kp: 10", "kpp: 10", 11, "simulation.controller.kpp", "Did you mean 'kp'"),
        ("kp: 10", "kp: 10\n    bandwidth: 3", 11, "simulation.controller.kp", "exclude"),
        ("gough: 1", "gough: 2", 1, "gough", "newer than this gough"),
        ("gough: 1", "gough: one", 1, "gough", "version"),
        ("gough: 1", "label: x", 1, "", "version of the format"),
        ("gough: 1", "gough: 1\ngough: 1", 2, "gough", "stands twice"),
        ("gough: 1", "gough: !!python/object:os.system 1", 1, "gough", "is not allowed"),
        (
            "gough: 1",
            "gough: 1\nloads: {forces: [{body: platform, f: [1, 2]}]}",
            2,
            None,
            "three entries",
        ),
        ("gough: 1", "gough: 1\noutput: {tables: xlsx}", 2, "output.tables", "Known: csv"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, old, new, line, path, words):
    assert old in PLAIN
    err = refused(tmp_path, PLAIN.replace(old, new, 1))
    assert "scenario.yaml" in err.message
    assert err.line == line
    assert path is None or err.path == path
    assert words in str(err)
    assert err.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("- 1\n", "expected keys with values"),
        ("gough: 1\nname: x\nbodies: {}\njoints: {}\n", "this is a robot, not a scenario"),
        ("gough: 1\nrobot: five_bar\n", "nothing to do"),
        ("gough: 1\nrobot: five_bar\nsimulation: {}\n", "t_end is missing"),
        (
            "gough: 1\nrobot: five_bar\nsimulation: {controller: {kind: joint_pd}}\n",
            "follows a motion",
        ),
        ("gough: 1\nrobot: five_bar\nmotion: {kind: hold}\nplant: {masses: 2}\n", "simulated"),
        ("gough: 1\nrobot: five_bar\nmotion: []\n", "no motion in the list"),
        (
            "gough: 1\nrobot: five_bar\ninverse_dynamics: true\nsimulation: {t_end: 1}\n",
            "no motion to analyse",
        ),
        ("gough: 1\nrobot: nowhere.yaml\nmotion: {kind: hold}\n", "there is no such file"),
        ("gough: 1\nrobot: five_bar\nmotion: {kind: from_file, path: x.csv}\n", "no such file"),
    ],
)
def test_files_that_ask_for_nothing_or_too_much(tmp_path, text, words):
    err = refused(tmp_path, text)
    assert words in err.message
    assert "robot file" not in str(err)


def test_a_pose_out_of_reach_is_told_with_its_place(tmp_path):
    with pytest.raises(UnreachablePose, match=r"scenario\.yaml, line 3: motion: ") as caught:
        scenario.load(written(tmp_path, PLAIN.replace("radius: 0.02", "radius: 3")))
    assert caught.value.missing > 0.0


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "s.yaml"
    for raw in (b"\0\1\2", b"gough: 1\nlabel: gr\xf6\xdfe\n", b"gough: [\n"):
        path.write_bytes(raw)
        assert not scenario.is_scenario(path)
        with pytest.raises(FileError):
            scenario.load(path)
    assert not scenario.is_scenario(ROOT / "examples" / "robots" / "five_bar.yaml")
    assert not scenario.is_scenario(tmp_path / "missing.yaml")


def test_loads_are_checked(tmp_path):
    robot = zoo.load("five_bar")
    head = "gough: 1\nrobot: five_bar\nmotion: {kind: hold}\n"
    for more, words in [
        ("payload: -1\n", r": loads\.payload\.mass is -1"),
        ("payload: {mass: 1, inertia: [1, 1, 9]}\n", r": loads\.payload\.inertia"),
        (
            "forces: [{body: nobody, f: [0, 0, 1]}]\n",
            r": loads\.forces\[0\]\.body: no body 'nobody'",
        ),
        ("smoothing: -1\n", r": loads\.smoothing: must not be negative"),
    ]:
        with pytest.raises(FileError, match=words) as caught:
            scenario.load(written(tmp_path, f"{head}loads:\n  {more}"))
        assert caught.value.line == 5
    body = robot.platform
    more = "loads:\n  rotors: false\n  payload: {mass: 2, inertia: [1, 2, 3]}\n"
    more += f"  forces: [{{body: {body}, f: [1, 0, 0]}}, {{body: {body}, n: [0, 0, 1]}}]\n"
    loads = scenario.load(written(tmp_path, head + more)).loads
    assert loads.payload.mass == 2
    np.testing.assert_array_equal(loads.payload.inertia, np.diag([1.0, 2.0, 3.0]))
    assert [x.body for x in loads.forces] == [body, body]
    np.testing.assert_array_equal([x.f for x in loads.forces], [[1, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal([x.n for x in loads.forces], [[0, 0, 0], [0, 0, 1]])
    assert (loads.friction, loads.rotors, loads.smoothing) == (True, False, None)


@pytest.mark.parametrize("key", ["payload: 1", "friction: false", "smoothing: 0.1", "external: {}"])
def test_loads_outside_their_key_are_told_where_they_belong(tmp_path, key):
    head = "gough: 1\nrobot: five_bar\nmotion: {kind: hold}\n"
    with pytest.raises(FileError, match="unknown key") as caught:
        scenario.load(written(tmp_path, f"{head}{key}\n"))
    assert "Loads have one key: loads:" in caught.value.hint


def test_every_key_is_documented():
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    schema = json_schema()
    for model in [schema, *schema["$defs"].values()]:
        for name in model["properties"]:
            assert f"`{name}`" in page or f"{name}:" in page, name


def test_examples_of_the_page_are_accepted(tmp_path):
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    loads, timed, motion, efforts = blocks
    assert (
        scenario.load(written(tmp_path, f"gough: 1\nrobot: delta\n{loads}{motion}")).motion.duration
        == 0.5
    )
    (tmp_path / "cutting_forces.csv").write_text("t,fz\n0,1\n1,2\n", encoding="utf-8")
    found = scenario.load(written(tmp_path, f"gough: 1\nrobot: delta\n{timed}{motion}")).loads
    assert found.jumps.tolist() == [0.0, 0.25, 0.3, 0.35, 0.6, 0.9]
    robot = ROOT / "examples" / "robots" / "five_bar.yaml"
    indented = "".join(f"  {line}" for line in efforts.splitlines(keepends=True))
    text = f"gough: 1\nrobot: {robot}\nsimulation:\n  t_end: 1\n{indented}"
    assert scenario.load(written(tmp_path, text))._ready()[2](0.3).shape == (2,)
