"""Scenarios at work: efforts of time, starts, controllers and plants, results in files."""

import importlib
import inspect
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import gough
from gough import scenario, zoo
from gough.base.tables import read_table, write_table
from gough.cli.scenario import efforts, outputs, short
from gough.cli.scenario.loads import known_loads
from gough.cli.scenario.schema import EffortsEntry
from gough.errors import FileError, InputError
from gough.simulation import simulate as simulation_room

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "scenarios"
ROBOT = zoo.load("five_bar")
ONE, TWO = ROBOT.motors
HEAD = "gough: 1\nrobot: five_bar\n"
CIRCLE = "motion: {kind: circle, radius: 0.02, duration: 0.25}\n"


def loaded(folder, text):
    path = folder / "scenario.yaml"
    path.write_text(HEAD + text)
    return scenario.load(path)


def driven(folder, given):
    """The efforts of a scenario as the simulation takes them."""
    text = f"simulation: {{t_end: 1, efforts: {given}}}\n"
    return loaded(folder, text)._ready()[2]


def test_functions_of_time_are_their_formulas(tmp_path):
    given = (
        f"{{motors: {{{ONE}: [{{sine: {{amplitude: 2, frequency: 3, phase: 0.4, offset: 1}}}}, "
        f"{{step: {{time: 0.5, before: -1, after: 7}}}}], "
        f"{TWO}: {{ramp: {{start: 0.2, end: 0.6, before: 1, after: 3}}}}}}}}"
    )
    function = driven(tmp_path, given)
    t = np.array([0.0, 0.2, 0.3, 0.4999, 0.5, 0.6, 0.9])
    sine = 1.0 + 2.0 * np.sin(6.0 * np.pi * t + 0.4)
    step = np.array([-1.0, -1.0, -1.0, -1.0, 7.0, 7.0, 7.0])
    ramp = np.array([1.0, 1.0, 1.5, 1.0 + 2.0 * 0.2999 / 0.4, 2.5, 3.0, 3.0])
    np.testing.assert_allclose(function(t), np.stack([sine + step, ramp], axis=1), rtol=1e-12)
    assert function(0.3).shape == (2,)


def test_constants_and_nothing(tmp_path):
    np.testing.assert_array_equal(driven(tmp_path, "[1, 2.5]"), [1.0, 2.5])
    np.testing.assert_array_equal(driven(tmp_path, f"{{motors: {{{TWO}: 4}}}}"), [0.0, 4.0])
    assert loaded(tmp_path, "simulation: {t_end: 1}\n")._ready()[2] is None


def test_efforts_of_a_table(tmp_path):
    t, tau = np.array([0.0, 1.0]), np.array([[1.0, 2.0], [3.0, 4.0]])
    columns = {"t": t, f"tau_{ONE}": tau[:, 0], TWO: tau[:, 1], "more": t}
    write_table(tmp_path / "tau.csv", columns)
    found = driven(tmp_path, "{table: tau.csv}")
    np.testing.assert_array_equal(found[0], t)
    np.testing.assert_array_equal(found[1], tau)
    write_table(tmp_path / "tau.csv", {"t": t, ONE: t})
    with pytest.raises(FileError, match=r"scenario\.yaml, line 3: simulation\.efforts\.table: "):
        driven(tmp_path, "{table: tau.csv}")
    write_table(tmp_path / "tau.csv", {**columns, "t": [1.0, 1.0]})
    with pytest.raises(FileError, match="do not increase at row 1"):
        driven(tmp_path, "{table: tau.csv}")
    with pytest.raises(FileError, match="no such file"):
        driven(tmp_path, "{table: none.csv}")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("[1, 2, 3]", "3 efforts for 2 motors"),
        ("{motors: {arm: 1}}", "no motor 'arm'"),
        (f"{{motors: {{{ONE}: {{}}}}}}", "expected one of sine, step and ramp"),
        (
            f"{{motors: {{{ONE}: {{step: {{time: 1, after: 2}}, ramp: {{start: 0, end: 1, "
            "after: 1}}}}",
            "expected one of",
        ),
        (f"{{motors: {{{ONE}: {{ramp: {{start: 1, end: 1, after: 2}}}}}}}}", "A jump is a step"),
        (f"{{motors: {{{ONE}: {{sine: {{amplitude: 1}}}}}}}}", "'frequency' is missing"),
        (f"{{motors: {{{ONE}: sin(t)}}}}", "expected a number"),
        ("{table: a.csv, motors: {}}", "exclude each other"),
        ("1.0", "expected keys with values"),
    ],
)
def test_efforts_that_are_none(tmp_path, given, words):
    with pytest.raises(FileError) as caught:
        driven(tmp_path, given)
    assert words in str(caught.value)
    assert caught.value.line == 3


def test_held_at_home_it_stays_there(tmp_path):
    """A law: the efforts of ``hold`` balance gravity and springs."""
    found = loaded(
        tmp_path,
        "loads: {smoothing: 0.01}\nsimulation: {t_end: 0.1, step: 0.005, efforts: {hold: true}}\n",
    ).simulate()
    assert found.t[-1] == pytest.approx(0.1)
    np.testing.assert_allclose(found.T_0p[-1], ROBOT.home_pose, rtol=0.0, atol=1e-12)
    free = loaded(
        tmp_path, "loads: {smoothing: 0.01}\nsimulation: {t_end: 0.1, step: 0.005}\n"
    ).simulate()
    assert np.abs(free.T_0p[-1] - ROBOT.home_pose).max() > 1e-4  # without, it falls


def test_what_it_carries_is_held_too(tmp_path):
    loads = "loads: {payload: 2, forces: [{body: dist2, f: [3, -5, 0]}]}\n"
    found = loaded(
        tmp_path, loads + "simulation: {t_end: 0.1, step: 0.005, efforts: {hold: true}}\n"
    ).simulate()
    np.testing.assert_allclose(found.T_0p[-1], ROBOT.home_pose, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("noise: [1, 2, 3]", "noise has shape (3,)"),
        ("quantisation: [1, -2]", "quantisation is [1.0, -2.0]"),
        ("seed: -1", "seed"),
        ("kp: [1, 2, 3]\n    kd: 1", "kp has shape (3,)"),
        ("noise: 1.0e-4\n    space: platform", "noise is that of encoders"),
        ("bandwidth: [1, 2]", "bandwidth"),
        ("delay: 1.0e400", "delay"),
    ],
)
def test_a_controller_that_makes_no_sense(tmp_path, given, words):
    bandwidth = "" if "kp" in given or "bandwidth" in given else "    bandwidth: 9\n"
    text = (
        f"{CIRCLE}simulation:\n  controller:\n    kind: computed_torque\n    period: 0.001\n"
        f"    {given}\n{bandwidth}"
    )
    with pytest.raises(FileError) as caught:
        loaded(tmp_path, text).simulate()
    assert words in caught.value.message
    assert "simulation.controller" in caught.value.message
    assert caught.value.line == 8


def test_starts(tmp_path):
    home = ROBOT.home_pose
    x = home[:2, 3]
    for given, T_wanted, V_wanted in [
        ("t_end: 1", home, np.zeros(6)),
        ("t_end: 1, start: home", home, np.zeros(6)),
        (
            f"t_end: 1, start: [{x[0]}, {x[1] + 0.01}]",
            gough.state(ROBOT, [x[0], x[1] + 0.01]).T_0p,
            None,
        ),
        (f"t_end: 1, start: {home.tolist()}", home, np.zeros(6)),
        ("t_end: 1, velocity: [0.1, 0.2]", home, gough.state(ROBOT, x, [0.1, 0.2]).V_0p),
    ]:
        start = loaded(tmp_path, f"simulation: {{{given}}}\n")._ready()[1]
        np.testing.assert_allclose(start.T_0p, T_wanted, atol=1e-12)
        if V_wanted is not None:
            np.testing.assert_allclose(start.V_0p, V_wanted, atol=1e-12)
    found = loaded(tmp_path, CIRCLE + "simulation: {}\n")
    _, start, _, t_end, _ = found._ready()
    np.testing.assert_array_equal(start.T_0p, found.motion(0.0).T_0p)
    assert t_end == 0.25
    for given, words in [
        ("start: hme", "unknown word"),
        ("start: motion", "there is no motion"),
        ("start: [1, 2, 3]", "simulation.start"),
        ("velocity: [1]", "simulation.velocity"),
    ]:
        with pytest.raises(FileError, match=words) as caught:
            loaded(tmp_path, f"simulation: {{t_end: 1, {given}}}\n")._ready()
        assert caught.value.line == 3


@pytest.fixture
def rooms(monkeypatch):
    """Control and simulation that only write down what they are asked for."""
    asked = SimpleNamespace()

    def joint_pd(model, motion, *, kp, kd, gravity=True, loads=None, period=None):
        asked.controller = (model, motion, kp, kd, gravity, loads, period)
        return "controller"

    def perturb(robot, masses=1.0):
        asked.plant = masses
        return robot

    def simulate(robot, state, efforts, t_end, *, progress=None, **options):
        progress(0.5)
        asked.simulation = (robot, efforts, t_end, options)
        return "simulation"

    fake = SimpleNamespace(joint_pd=joint_pd, perturb=perturb)
    importlib.import_module("gough.simulation.control")  # a part of a room is there once imported
    monkeypatch.setattr(sys.modules["gough.simulation"], "control", fake)
    monkeypatch.setattr(simulation_room, "simulate", simulate)
    return asked


CONTROLLED = (
    CIRCLE
    + """\
inverse_dynamics: false
loads: {payload: 0.1, smoothing: 0.01, forces: [{body: dist2, f: [0, 0, 1]}]}
simulation:
  integrator: dop853
  rtol: 1e-9
  stop_at: [limits]
  controller: {kind: joint_pd, kp: 10, kd: [1, 2], gravity: false, period: 0.001}
plant: {masses: 1.1}
"""
)


def test_a_controller_knows_the_model_and_drives_the_plant(tmp_path, rooms):
    found = loaded(tmp_path, CONTROLLED)
    shares = []
    outcome = found.run(shares.append)
    assert outcome.simulation == "simulation"
    assert outcome.analysis is None
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert sorted(shares) == shares
    assert rooms.plant == 1.1
    model, motion, kp, kd, gravity, loads, period = rooms.controller
    assert (model, motion) == (found.robot, found.motion)
    assert (kp, kd, gravity, period) == (10, [1, 2], False, 0.001)
    # what pushes the machine is a disturbance
    assert (loads.payload, loads.smoothing, loads.forces) == (found.loads.payload, 0.01, ())
    _, drive, t_end, options = rooms.simulation
    assert (drive, t_end) == ("controller", 0.25)
    assert options == {
        "integrator": "dop853",
        "rtol": 1e-9,
        "stop_at": ("limits",),
        "loads": found.loads,
    }


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("masses: 1.1", "mases: 1.1", 11, "Did you mean 'masses'"),
        ("masses: 1.1", "masses: .nan", 11, "not a finite number"),
        ("gravity: false", "space: motors", 10, "joint_pd has no argument 'space'"),
        ("kp: 10, ", "", 10, "joint_pd needs kp"),
    ],
)
def test_what_a_controller_or_plant_does_not_know(tmp_path, rooms, old, new, line, words):
    with pytest.raises(FileError) as caught:
        loaded(tmp_path, CONTROLLED.replace(old, new)).run()
    assert words in str(caught.value)
    assert caught.value.line == line


def test_the_makers_of_motions_are_those_there_are():
    from gough import motion
    from gough.cli.scenario.parts import MOTIONS

    makers = {
        name
        for name, maker in vars(motion).items()
        if inspect.isfunction(maker) and next(iter(inspect.signature(maker).parameters)) == "robot"
    }
    assert set(MOTIONS) == makers - {"from_samples"}  # a file holds no arrays


def test_a_run_is_written(tmp_path, monkeypatch):
    asked = {}  # the report itself is tested elsewhere, and takes seconds
    monkeypatch.setattr("gough.report.write_report", lambda path, **words: asked.update(words))
    found = loaded(
        tmp_path,
        CIRCLE + "inverse_dynamics: {rate: 40, agreement: false}\n"
        "output: {tables: npz, without: [bearings]}\n",
    )
    assert outputs.output_folder(found) == tmp_path / "results" / "scenario"
    outcome = found.run()
    t = np.linspace(0.0, 0.25, 11)
    np.testing.assert_allclose(outcome.analysis.t, t)
    tau = gough.inverse_dynamics(ROBOT, found.motion(t))
    np.testing.assert_allclose(outcome.analysis.tau, tau, rtol=1e-9)
    files = scenario.write_outputs(outcome, tmp_path / "out", command="gough run <it>")
    assert set(files) == {"efforts", "report"}
    columns = read_table(files["efforts"])
    np.testing.assert_allclose(columns[f"tau_{TWO}"], tau[:, 1], rtol=1e-9)
    assert asked["command"] == "gough run <it>"
    assert "kind: circle" in asked["scenario_text"]
    assert (asked["title"], asked["without"]) == (found.label, ("bearings",))
    assert (asked["analysis"], asked["simulation"]) == (outcome.analysis, None)
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["efforts.npz"]
    with pytest.raises(FileError, match="exists already"):
        scenario.write_outputs(outcome, tmp_path / "out")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="file is not a folder"):
        scenario.write_outputs(outcome, tmp_path / "file")


def test_what_would_be_written(tmp_path):
    text = CIRCLE + "simulation: {}\noutput: {folder: a, tables: parquet, figures: svg}\n"
    found = loaded(tmp_path, text)
    planned = {
        k: p.relative_to(tmp_path).as_posix() for k, p in scenario.planned_files(found).items()
    }
    assert planned == {
        "efforts": "a/efforts.parquet",
        "simulation": "a/simulation.parquet",
        "figures": "a/figures",
        "report": "a/report.html",
    }
    text = CIRCLE + "output: {tables: none, report: false}\n"
    assert scenario.planned_files(loaded(tmp_path, text)) == {}


def test_short_forms():
    words = "lissajous: amplitude = {x: 0.01, y: 0.02} ,frequency=[1, 2],duration=.5,phase=1e-1"
    assert short.arguments(words) == {
        "kind": "lissajous",
        "amplitude": {"x": 0.01, "y": 0.02},
        "frequency": [1, 2],
        "duration": 0.5,
        "phase": 0.1,
    }
    assert short.arguments("hold") == {"kind": "hold"}
    found = scenario.motion_from_words(ROBOT, "circle:radius=0.02,duration=0.25,plane=[x,y]")
    assert found.duration == 0.25


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("circel:radius=1", "Did you mean 'circle'"),
        ("circle:radius", "expected name=value"),
        ("circle:=3", "expected name=value"),
        ("circle:radius=1,radius=2", "given twice"),
        ("circle:kind=hold", "given twice"),
        ("circle:radius=[1", "is no value"),
        ("circle:radius=!!python/none", "is not allowed"),
        ("circle:radius=0.1,duration=1,law=fast", "law"),
        ("hold:duration=.inf", "not a finite number"),
        ("eval:1", "neither a file"),
    ],
)
def test_short_forms_that_mean_nothing(words, told):
    with pytest.raises(InputError) as caught:
        scenario.motion_from_words(ROBOT, words)
    assert told in str(caught.value)


def test_motions_of_files(tmp_path):
    (tmp_path / "s.yaml").write_text(HEAD + CIRCLE)
    found = scenario.motion_from_words(ROBOT, str(tmp_path / "s.yaml"))
    t = np.linspace(0.0, 0.25, 30)
    T = found(t).T_0p
    write_table(tmp_path / "poses.csv", {"t": t, "x": T[:, 0, 3], "y": T[:, 1, 3]})
    again = scenario.motion_from_words(ROBOT, str(tmp_path / "poses.csv"))
    np.testing.assert_allclose(again(0.1).T_0p, found(0.1).T_0p, atol=1e-4)
    text = "motion: {kind: from_file, path: poses.csv}\n"
    assert loaded(tmp_path, text).motion.duration == pytest.approx(0.25)
    (tmp_path / "s.yaml").write_text(HEAD + "simulation: {t_end: 1}\n")
    with pytest.raises(FileError, match="has no motion"):
        scenario.motion_from_words(ROBOT, str(tmp_path / "s.yaml"))


def test_efforts_without_functions_are_an_array():
    found = efforts.from_functions(ROBOT, EffortsEntry(), np.array([1.0, 2.0]))
    np.testing.assert_array_equal(found, [1.0, 2.0])


def test_a_controller_that_knows_all_follows_exactly(tmp_path):
    """The whole way with the real rooms: the controller knows payload and friction, too."""
    text = CIRCLE + (
        "loads: {payload: 0.2, friction: false}\nsimulation:\n  t_end: 0.05\n  step: 0.0025\n"
        "  controller: {kind: computed_torque, space: platform, bandwidth: 40}\n"
    )
    error = loaded(tmp_path, text).simulate().tracking.position.max()
    # the steps of rk4 leave 2e-8 m; a controller that is not told of both is 4e-4 m off
    assert error < 1e-7


def test_a_payload_that_comes_and_goes(tmp_path):
    """A controller knows it, or carries what its own key says; forces have times and tables."""
    (tmp_path / "push.csv").write_text("t,fx,nz\n0,0,0\n0.1,2,0\n0.3,2,1\n", encoding="utf-8")
    text = CIRCLE + (
        "loads:\n  friction: false\n  payload:\n    - {mass: 0.2, from: 0.01, to: 0.03}\n"
        "    - {mass: 0.1, center: [0.1, 0, 0]}\n"
        "  forces:\n    - {body: dist2, table: push.csv, to: 0.2}\n"
        "    - {body: dist2, f: [0, 1, 0], from: 0.5}\n"
        "simulation:\n  t_end: 0.05\n  step: 0.0025\n"
        "  controller: {kind: computed_torque, space: platform, bandwidth: 40}\n"
    )
    found = loaded(tmp_path, text)
    loads = found.loads.at([0.0, 0.02, 0.03, 0.2])
    np.testing.assert_allclose(loads.payload.mass, [0.1, 0.3, 0.1, 0.1])
    np.testing.assert_allclose(loads.forces[0].f[:, 0], [0, 0.4, 0.6, 0])
    assert loads.forces[0].n[2, 2] == 0.0
    assert found.loads.jumps.tolist() == [0.01, 0.03, 0.2, 0.5]
    assert ("loads", found.lines()[3][1]) == found.lines()[3]
    assert "0.2 kg from 0.01 s to 0.03 s" in found.lines()[3][1]
    known = known_loads(found.loads, None, found.document)
    assert known.forces == ()
    assert known.friction is False
    np.testing.assert_allclose(known.at(0.02).payload.mass, 0.3)
    assert known_loads(found.loads, 0, found.document).payload is None
    assert known_loads(found.loads, 0.5, found.document).payload.mass == 0.5


def test_a_controller_that_does_not_know_the_payload(tmp_path):
    """The example, with the errors that docs/scenarios.md names."""
    blind = (EXAMPLES / "delta_payload.yaml").read_text(encoding="utf-8")
    knows = re.sub(r"(?m)^    payload: 0 .*$", "", blind)
    assert knows != blind
    runs, path = [], tmp_path / "scenario.yaml"
    for text in (blind, knows):
        path.write_text(text, encoding="utf-8")
        runs.append(scenario.load(path).simulate())
    errors = [1e3 * run.tracking.position.max() for run in runs]
    assert errors == pytest.approx([3.4, 0.15], rel=0.05)  # [mm], two digits
    assert np.abs(runs[0].balance).max() < 1e-6


@pytest.mark.parametrize(
    ("loads", "words"),
    [
        (
            "payload: {mass: 1, from: 0.3, to: 0.1}",
            r"line \d+: loads\.payload: a load ends at 0.1 s",
        ),
        ("payload: [{mass: 1}, {mass: -1, to: 1}]", r"loads\.payload\[1\]: payload\.mass is -1"),
        ("payload: {mass: 1, form: 1}", "unknown key"),
        ("forces: [{body: dist2, table: x.csv, f: [0, 0, 1]}]", "table and f exclude each other"),
        ("forces: [{body: dist2, table: x.csv}]", "there is no such file"),
        ("forces: [{body: nobody, f: [0, 0, 1], to: 1}]", "no body 'nobody'"),
    ],
)
def test_times_that_make_no_sense_are_refused(tmp_path, loads, words):
    with pytest.raises(FileError, match=words):
        loaded(tmp_path, CIRCLE + f"loads: {{{loads}}}\n")
