"""Every command, and its failures: facts, data, files, three lines of error, exit codes."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gough as library
from gough import zoo
from gough.base.cache import write_cached
from gough.base.tables import read_table
from gough.cli import printing, progress
from gough.cli.app import complain
from gough.errors import GoughError
from gough.robot.file.reading import read
from gough.simulation import simulate as simulation_room

ROOT = Path(__file__).resolve().parents[2]
ROBOTS = ROOT / "examples" / "robots"
RUBBING = ROBOTS / "five_bar.yaml"
CIRCLE = "circle:radius=0.02,duration=0.25"

SCENARIO = """\
gough: 1
label: round <and> round
robot: five_bar
motion: {kind: circle, radius: 0.02, duration: 0.25}
inverse_dynamics: {rate: 40, agreement: false}
loads: {smoothing: 0.01}
simulation: {step: 0.005, t_end: 0.05, efforts: {hold: true}}
"""


def refused(answer, *words):
    """Exit code 1, nothing on stdout, three lines on stderr that have these words."""
    code, out, err = answer
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 3, err
    for word in words:
        assert word in err
    assert "Traceback" not in err


def test_list(gough, monkeypatch):
    monkeypatch.setattr("gough.zoo.registry.names", lambda: ("five_bar", "delta"))  # two will do
    code, out, err = gough("list")
    assert (code, err) == (0, "")
    assert [line.split()[:3] for line in out.splitlines()] == [
        ["name", "legs", "mobility"],
        ["five_bar", "2", "2"],
        ["delta", "3", "3"],
    ]
    code, out, err = gough("list", "--json")
    five_bar, delta = json.loads(out)
    assert five_bar["freedoms"] == ["x", "y"]
    assert delta["legs"] == ["R* [U S | U S]"] * 3
    assert delta["motors"] == ["arm1", "arm2", "arm3"]


def test_a_robot_that_is_not_in_the_index_is_listed_too(gough, monkeypatch):
    monkeypatch.setattr("gough.zoo.registry.names", lambda: ("five_bar", "delta"))
    monkeypatch.setattr("gough.zoo.index.index", dict)
    code, out, err = gough("list", "--json")
    assert (code, err) == (0, "")
    assert [each["mobility"] for each in json.loads(out)] == [2, 3]


def test_help_waits_for_nothing_heavy():
    """What ``gough --help`` imports: it took most of its time."""
    code = (
        "import sys, gough.cli;"
        "heavy = {'numpy', 'scipy', 'llvmlite', 'matplotlib', 'pydantic', 'rich', 'ruamel'};"
        "print(sorted(heavy & set(sys.modules)), len(gough.cli.app.registered_commands) > 10)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[] True"


def test_cache(gough, monkeypatch, tmp_path):
    monkeypatch.setenv("GOUGH_CACHE", str(tmp_path / "kept"))
    code, out, err = gough("cache")
    assert (code, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines()][1:3] == [
        ["used", "yes"],
        ["kernels", "0"],
    ]
    write_cached("a" * 64, b"some bytes")
    _, out, _ = gough("cache", "--json")
    facts = json.loads(out)
    assert (facts["folder"], facts["kernels"], facts["bytes"]) == (str(tmp_path / "kept"), 1, 10)
    _, out, _ = gough("cache", "--clear")
    assert out.splitlines()[-1].split() == ["removed", "1"]
    assert list((tmp_path / "kept").iterdir()) == []
    monkeypatch.setenv("GOUGH_CACHE", "off")
    _, out, _ = gough("cache", "--clear", "--json")
    assert json.loads(out)["folder"] is None
    assert json.loads(out)["used"] is False


def test_info(gough, tmp_path):
    code, out, err = gough("info", ROBOTS / "five_bar.yaml", "--draw", "bar.svg")
    assert (code, err) == (0, "")
    for word in ("mobility", "Bodies", "Motors", "Doctor", "five_bar: healthy", "Wrote bar.svg"):
        assert word in out
    assert (tmp_path / "bar.svg").read_text(encoding="utf-8").startswith("<?xml")
    code, out, err = gough("info", "five_bar", "--json")
    page = json.loads(out)
    assert page["mobility"] == 2
    robot = zoo.load("five_bar")
    assert {b["name"]: b["mass"] for b in page["bodies"]} == {b.name: b.mass for b in robot.bodies}
    assert [m["name"] for m in page["motors"]] == list(robot.motors)
    assert page["motors"][0]["coulomb"] == robot.axis(robot.motors[0]).coulomb
    assert page["doctor"]["healthy"] is True
    refused(gough("info", "five_baar"), "no such file", "Did you mean 'five_bar'?")
    refused(gough("info", "five_bar", "-o", "bar.svg"), "exists already", "--force")
    refused(gough("info", "five_bar", "-o", "bar.xyz"), "bar.xyz", ".png, .svg")


def test_check_takes_names_and_scenarios(gough, tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO)
    code, out, err = gough("check", "five_bar", "s.yaml", "--json")
    assert (code, err) == (0, "")
    robot, scenario = json.loads(out)
    assert robot["name"] == "five_bar"
    assert scenario["duration"] == 0.25
    assert scenario["simulation"] is True
    (tmp_path / "s.yaml").write_text(SCENARIO.replace("radius", "radus"))
    refused(gough("check", "s.yaml"), "s.yaml, line 4", "Did you mean 'radius'?")


def test_doctor_and_draw_take_names(gough, tmp_path):
    code, out, _ = gough("doctor", "five_bar")
    assert code == 0
    assert "five_bar: healthy" in out
    assert gough("draw", "five_bar", "-o", "a.pdf")[:2] == (0, "a.pdf\n")
    before = (tmp_path / "a.pdf").read_bytes()
    refused(gough("draw", "five_bar", "-o", "a.pdf"), "a.pdf: exists already")
    assert (tmp_path / "a.pdf").read_bytes() == before
    assert gough("draw", "five_bar", "-o", "a.pdf", "--force")[0] == 0
    assert gough("draw", "five_bar", "-o", "made/here/a.png")[0] == 0
    refused(gough("draw", "five_bar", "-o", "a.pdf/b.png"), "a.pdf is not a folder")


def test_new_like_a_robot_of_the_zoo(gough):
    code, out, err = gough("new", "mine", "--like", "tilt_3rps")
    assert (code, err) == (0, "")
    assert "gough check mine.yaml" in out
    assert read("mine.yaml") == replace(zoo.load("tilt_3rps"), name="mine")
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert text.count("# ") > 8
    refused(gough("new", "mine", "--like", "delta"), "exists already")
    assert Path("mine.yaml").read_text(encoding="utf-8") == text
    assert gough("new", "mine", "--like", "delta", "--force")[0] == 0
    assert len(read("mine.yaml").motors) == 3
    refused(gough("new", "other", "--like", "delt"), "Did you mean 'delta'?")
    assert not Path("other.yaml").exists()


def test_idm(gough):
    words = ["idm", "five_bar", CIRCLE, "--rate", 40, "--payload", 0.3]
    code, out, err = gough(*words, "-o", "tau.csv", "--json")
    assert (code, err) == (0, "")  # no bar into a pipe
    facts = json.loads(out)
    robot = zoo.load("five_bar")
    table = read_table("tau.csv")
    assert len(table["t"]) == 11
    tau = np.stack([table[f"tau_{name}"] for name in robot.motors], axis=1)
    # against the NumPy reference at the poses of the table
    x, xd, xdd = (
        np.stack([table[prefix + axis] for axis in "xy"], axis=1) for prefix in ("", "v", "a")
    )
    with library.options(engine="numpy"):
        wanted = library.inverse_dynamics(
            robot, library.state(robot, x, xd, xdd), loads=library.Loads(payload=0.3)
        )
    np.testing.assert_allclose(tau, wanted, rtol=1e-8)
    sizes = {one["name"]: one["axis"] for one in facts["sizing"]}
    for i, name in enumerate(robot.motors):
        assert sizes[name]["peak"] == pytest.approx(np.abs(tau[:, i]).max())
    assert facts["feasible"] is True
    assert facts["files"] == {"efforts": "tau.csv"}
    refused(gough(*words, "-o", "tau.csv"), "exists already")
    code, out, _ = gough(*words, "-o", "tau.csv", "--force", "--method", "screws")
    assert code == 0
    assert "peak [N m]" in out
    assert "tau.csv" in out
    again = read_table("tau.csv")
    np.testing.assert_allclose(again[f"tau_{robot.motors[1]}"], tau[:, 1], rtol=1e-9)


LIFT = """
gough: 2
name: lift
motors: [lift]
platform: slide
bodies: {slide: {mass: 2}}
joints:
  lift:
    kind: prismatic
    parent: base
    child: slide
    transmission: {ratio: 100, efficiency: 0.8}
    motor: {peak: 0.5, continuous: 0.2, speed: 120}
"""


def test_idm_refuses_a_motion_that_overloads_a_motor(gough, tmp_path):
    (tmp_path / "lift.yaml").write_text(LIFT)
    words = ["idm", "lift.yaml", "point_to_point:start=[0],end=[0.2],duration=0.4", "--rate", 200]
    code, out, _ = gough(*words, "--json")
    facts = json.loads(out)
    assert (code, facts["feasible"]) == (0, False)
    assert [v["kind"] for v in facts["violations"]] == ["motor_rms"]
    (one,) = facts["sizing"]
    # 2 kg (9.81 + 7.22 m/s^2) behind a screw that drives: a quintic of 0.2 m in 0.4 s
    hardest = 2.0 * (9.81 + 10.0 / np.sqrt(3.0) * 0.2 / 0.4**2) / 100.0 / 0.8
    assert one["uses"]["motor_peak"]["share"] == pytest.approx(hardest / 0.5, rel=1e-3)
    assert one["uses"]["motor_speed"]["share"] == pytest.approx(1.875 * 0.5 * 100.0 / 120.0)
    code, out, _ = gough(*words, "--units", "rpm")
    told = " ".join(out.split())
    assert code == 0
    assert "verdict not feasible" in told
    assert f"violation Motor lift needs {one['motor']['rms']:.4g} N m RMS on its shaft" in told
    assert "use of the motor" in told
    assert f"{100.0 * hardest / 0.5:.0f} %" in told


PUSH = library.Force("dist2", [3.0, -5.0, 0.0], [0.0, 0.0, 0.7])
TIMED = library.TimedLoad


@pytest.mark.parametrize(
    ("words", "loads"),
    [
        (["--load", "dist2:3,-5,0:0,0,0.7"], library.Loads([PUSH])),
        (["--load", "dist2:3,-5,0", "--load", "dist2:0,0,0:0,0,0.7"], library.Loads([PUSH])),
        (["--no-friction", "--payload", 0.2], library.Loads(payload=0.2, friction=False)),
        (["--no-rotors"], library.Loads(rotors=False)),
        (["--smoothing", 0.5], library.Loads(smoothing=0.5)),
        (
            [
                *("--payload", 0.2, "--payload-from", 0.1, "--payload-to", 0.2, "--no-friction"),
                *("--load", "dist2:3,-5,0:0,0,0.7@,0.15"),
            ],
            library.LoadSchedule(
                [TIMED(library.Payload(0.2), 0.1, 0.2), TIMED(PUSH, end=0.15)], friction=False
            ),
        ),
    ],
)
def test_idm_under_loads(gough, words, loads):
    """All that is told is of these loads, and of the method that was asked for."""
    base = ["idm", RUBBING, CIRCLE, "--rate", 40, "--method", "tree", "-o", "tau.csv", "--json"]
    code, out, err = gough(*base, *words)
    assert (code, err) == (0, "")
    table, robot = read_table("tau.csv"), read(RUBBING)
    tau = np.stack([table[f"tau_{name}"] for name in robot.motors], axis=1)
    wanted = library.analyse(
        robot,
        library.motion.circle(robot, radius=0.02, duration=0.25),
        rate=40,
        method="tree",
        loads=loads,
    )
    np.testing.assert_allclose(tau, wanted.tau, rtol=1e-9, atol=1e-12)
    bare = library.inverse_dynamics(robot, library.State(wanted.T_0p, wanted.V_0p, wanted.Vdot_0p))
    assert np.abs(tau - bare).max() > 1e-3
    peaks = [one["axis"]["peak"] for one in json.loads(out)["sizing"]]
    np.testing.assert_allclose(peaks, np.abs(tau).max(axis=0), rtol=1e-9)


def test_the_method_is_that_of_the_analysis(gough, monkeypatch):
    asked = {}
    real = library.analyse

    def analyse(*arguments, **options):
        asked.update(options)
        return real(*arguments, **options)

    monkeypatch.setattr("gough.analysis.analyse", analyse)
    assert gough("idm", "five_bar", CIRCLE, "--rate", 40, "--method", "screws", "--json")[0] == 0
    assert asked["method"] == "screws"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["five_baar", CIRCLE], ["Did you mean 'five_bar'?"]),
        (["five_bar", "circel"], ["Did you mean 'circle'?"]),
        (["five_bar", "circle:radius=3,duration=1"], ["cannot be reached"]),
        (["five_bar", "poses.csv"], ["poses.csv: there is no such file"]),
        (["five_bar", "poses.yaml"], ["poses.yaml: there is no such file"]),
        (["five_bar", CIRCLE, "-o", "a.xls"], [".csv, .parquet, .npz"]),
        (["five_bar", CIRCLE, "-o", "/dev/null/a.csv"], ["null is not a folder"]),
        (["five_bar", CIRCLE, "--report", "a.pdf"], [".html"]),
        (["five_bar", CIRCLE, "--title", "A circle"], ["--title is an option of a report"]),
        (["five_bar", CIRCLE, "--report", "a.html", "--without", "all"], ["no part 'all'"]),
        (["five_bar", CIRCLE, "--method", "newton"], ["Known: legs"]),
        (["five_bar", CIRCLE, "--rate", "0"], ["rate"]),
        (["five_bar", CIRCLE, "--payload", "-1"], ["payload"]),
        (["five_bar", CIRCLE, "--smoothing", "-1"], ["smoothing: must not be negative"]),
        (["five_bar", CIRCLE, "--load", "dist2"], ["expected BODY:FX,FY,FZ"]),
        (["five_bar", CIRCLE, "--load", "dist2:1,2"], ["--load has 2 numbers, expected 3"]),
        (["five_bar", CIRCLE, "--load", "dist2:1,2,x"], ["is not a number"]),
        (["five_bar", CIRCLE, "--load", "dist9:1,2,3"], ["no body 'dist9'", "dist2"]),
        (["five_bar", CIRCLE, "--load", "dist9:1,2,3@1,2"], ["no body 'dist9'", "dist2"]),
        (["five_bar", CIRCLE, "--load", "dist2:1,2,3@1"], ["expected @FROM,TO"]),
        (["five_bar", CIRCLE, "--payload-from", "0.1"], ["times of a payload, and there is none"]),
        (
            ["five_bar", CIRCLE, "--payload", "1", "--payload-from", "2", "--payload-to", "1"],
            ["ends at 1 s, not after its start at 2 s"],
        ),
    ],
)
def test_idm_refusals(gough, tmp_path, words, told):
    refused(gough("idm", *words), *told)
    assert not list(tmp_path.iterdir())


def test_audit(gough):
    code, out, err = gough("audit", "five_bar")
    assert (code, err) == (0, "")
    assert "verdict" in out
    assert "passed" in out
    code, out, _ = gough("audit", "five_bar", CIRCLE, "--samples", 3, "--json")
    facts = json.loads(out)
    assert (code, facts["passed"], facts["states"]) == (0, True, 3)
    assert facts["agreement"] < 1e-12
    assert set(facts["largest_efforts"]) == {"legs", "elements", "screws", "tree"}
    refused(gough("audit", "five_bar", CIRCLE, "--samples", 0), "--samples")
    refused(gough("audit", "five_bar", "cirle"), "circle")


def test_a_failed_audit_has_exit_code_1(gough, monkeypatch):
    monkeypatch.setattr("gough.dynamics.answers.certificate.AGREEMENT", -1.0)
    code, out, _ = gough("audit", "five_bar")
    assert code == 1
    assert "FAILED" in out


def test_simulate(gough, tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO)
    code, out, err = gough("simulate", "s.yaml", "-o", "run.npz", "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)["simulation"]
    assert facts["t_end"] == pytest.approx(0.05)
    assert facts["event"] is None
    assert facts["energy_error"] < 1e-9
    assert facts["beyond_limits"] == []
    assert len(read_table("run.npz")["t"]) == facts["instants"] == 11
    refused(gough("simulate", "s.yaml", "-o", "run.npz"), "exists already")
    (tmp_path / "m.yaml").write_text(SCENARIO[: SCENARIO.index("loads")])
    refused(gough("simulate", "m.yaml"), "asks for no simulation")
    refused(gough("simulate", "none.yaml"), "no such file")
    refused(gough("simulate", ROBOTS / "delta.yaml"), "this is a robot, not a scenario")


def test_run(gough, tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO)
    title = "Tuesday's <script>alert(1)</script> & run"
    given = ("--title", title, "--without", "workspace,bearings")
    code, out, err = gough("run", "s.yaml", "-o", "out", *given)
    assert (code, err) == (0, "")
    for word in ("round <and> round", "Inverse dynamics", "RMS [N m]", "Simulation", "report.html"):
        assert word in out
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["efforts.csv", "report.html", "simulation.csv"]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    head = "Tuesday&#39;s &lt;script&gt;alert(1)&lt;/script&gt; &amp; run"
    assert f"<title>{head}</title>" in page
    assert f"<h1>{head}" in page
    assert "<script" not in page
    assert "round &lt;and&gt; round" in page  # the scenario's own words
    assert "gough run s.yaml -o out" in page
    assert 'id="inputs"' in page
    assert 'id="workspace"' not in page
    refused(gough("run", "s.yaml", "--without", "bearing"), "no part 'bearing'")
    refused(gough("run", "s.yaml", "-o", "out"), "exists already")
    (tmp_path / "file").write_text("")
    refused(gough("run", "s.yaml", "-o", "file"), "is not a folder")
    refused(gough("run", "none.yaml"), "no such file")


def test_run_as_data(gough, tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO + "output: {report: false, tables: parquet}\n")
    refused(gough("run", "s.yaml", "--title", "A title"), "none is asked for")
    code, out, err = gough("run", "s.yaml", "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["inverse_dynamics"]["feasible"] is True
    assert facts["simulation"]["instants"] == 11
    for place in facts["files"].values():
        assert Path(place).parent == tmp_path / "results" / "s"
        assert Path(place).stat().st_size > 0


def test_schemas(gough):
    assert json.loads(gough("schema", "scenario")[1])["$id"] == "gough-scenario-1"
    code, _, err = gough("schema", "robots")
    assert code == 2
    assert "say robot or scenario" in err


@pytest.mark.parametrize(
    "words",
    [
        ["idm", "five_bar"],
        ["run"],
        ["simulate"],
        ["audit"],
        ["info"],
        ["idm", "a", "b", "--rate", "x"],
    ],
)
def test_wrong_usage(gough, words):
    code, out, err = gough(*words)
    assert (code, out) == (2, "")
    assert "Usage" in err


def test_remarks_of_a_file_are_told_on_stderr(gough, tmp_path):
    text = (ROBOTS / "five_bar.yaml").read_text().replace("motors: [a_1, a_2]", "motors: [a_1]")
    (tmp_path / "lame.yaml").write_text(text)
    code, out, err = gough("audit", "lame.yaml")
    assert (code, out) == (1, "")
    assert "gough: remark: lame.yaml: 1 motor for 2 freedoms" in err


def test_a_terminal_sees_a_bar(monkeypatch, capsys):
    with progress.progress_bar("work") as tell:
        tell(0.5)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress_bar("work") as tell:
        tell(0.5)
    out, err = capsys.readouterr()
    assert out == ""
    assert "work" in err


def test_an_interruption_is_exit_code_130_and_leaves_nothing(gough, tmp_path, monkeypatch):
    (tmp_path / "s.yaml").write_text(SCENARIO)

    def interrupted(*_words, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation_room, "simulate", interrupted)
    assert gough("run", "s.yaml", "-o", "out") == (130, "", "gough: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["s.yaml"]


HOSTILE = "a \x1b[31mred\x1b]0;title\x07 b\x7f \x9b2J \u202eback"


def test_what_a_terminal_would_obey_is_spelled_out(gough, tmp_path):
    """Labels of files reach no terminal raw: no colours, titles, cleared screens, turned text."""
    label = json.dumps(HOSTILE)  # YAML reads the same escapes
    path = tmp_path / "evil.yaml"
    path.write_text(SCENARIO.replace("round <and> round", label))
    code, out, err = gough("check", path)
    assert (code, err) == (0, "")
    assert r"a \x1b[31mred\x1b]0;title\x07 b\x7f \x9b2J \u202eback" in " ".join(out.split())
    assert all(c.isprintable() or c == "\n" for c in out)
    assert json.loads(gough("check", "--json", path)[1])["label"] == HOSTILE
    path.write_text(SCENARIO.replace("circle", '"\\e[31mcircle"'))
    code, out, err = gough("check", path)
    assert code == 1
    assert all(c.isprintable() or c == "\n" for c in err)


def test_errors_with_control_characters_are_spelled_out(capsys):
    complain(GoughError("leg \x1b[2J gone", hint="see \x07"))
    printing.say("Größe 1 m²\tfine\nnext \r")
    out, err = capsys.readouterr()
    assert err.splitlines()[:2] == [r"gough: leg \x1b[2J gone", r"  see \x07"]
    assert out == "Größe 1 m²\tfine\nnext \\r\n"


def test_numbers_may_have_units(gough):
    plain = gough("singularities", "five_bar", "--pose", "0.01,0.4", "--json")
    assert gough("singularities", "five_bar", "--pose", "10mm,400 mm", "--json") == plain
    inner = gough("modes", "five_bar", "--motors", "2.0943951023931953,1.0471975511965976")
    assert gough("modes", "five_bar", "--motors", "120deg,60deg")[:2] == inner[:2]
    refused(
        gough("modes", "five_bar", "--motors", "120mm,1"), "has '120mm', expected rad, deg or mrad"
    )
    refused(gough("modes", "five_bar", "--motors", "1e,1"), "is not a number")


def test_rounding_is_printed_as_zero(gough):
    """A turned hexapod has a home whose angles are zero but for rounding."""
    out = gough("workspace", "gough_stewart", "--x", "5", "--y", "5")[1]
    assert re.search(r"rx = 0 rad", out)
    assert not re.search(r"e-1[3-9] (m|rad)", out)
    assert "velocity 0, acceleration 0" in gough("audit", "five_bar")[1]
