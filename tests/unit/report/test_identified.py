"""The page of an identification: its figures and tables say what the identification found."""

import re
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from unittest.mock import patch

import numpy as np
import pytest

import gough
from gough.base.english import percent
from gough.dynamics.shared.standard import effort_units
from gough.errors import InputError
from gough.report import save_identification_figures, write_identification, writing
from gough.report.figures import number
from gough.report.identified import changes, efforts, tables, words
from gough.report.identified.gallery import gallery
from gough.report.style import quiet_style
from gough.report.tidy import tidy
from overlaps import faults
from robots import robot

HOSTILE = "</td><script>alert(1)</script>"
LONG = "joint_of_the_hydraulic_leg_number_"


def built(r):
    """The machine on the bench: other masses than described, twice the friction."""
    bodies = [
        replace(b, mass=(1.1 + 0.02 * k) * b.mass, inertia=1.2 * np.array(b.inertia))
        for k, b in enumerate(r.bodies)
    ]

    def rubbing(joint):
        axes = [replace(a, viscous=2 * a.viscous, coulomb=2 * a.coulomb) for a in joint.axes]
        return replace(joint, axes=tuple(axes))

    return replace(r, bodies=tuple(bodies), joints=tuple(map(rubbing, r.joints)))


def logged(r, seed, *, duration=1.5, ripple=0.0, payload=None, gains=None):
    """A run of that machine along a Fourier series, with noise; a ripple of 6 Hz if asked for."""
    rng = np.random.default_rng(seed)
    sizes = np.array([0.03 if name in "xyz" else 0.08 for name in r.freedoms])
    sines, cosines = (sizes * rng.normal(size=(3, len(sizes))) for _ in range(2))
    motion = gough.motion.fourier(r, sines=sines, cosines=cosines, duration=duration, frequency=1.0)
    t = np.arange(0.0, duration, 0.002)
    state = motion(t)
    loads = None if payload is None else gough.Loads(payload=payload)
    q = gough.inverse_kinematics(built(r), state.T_0p)
    tau = gough.inverse_dynamics(built(r), state, loads=loads)
    size = tau.std(axis=0)
    tau = tau + ripple * size * np.sin(2.0 * np.pi * 6.0 * t)[:, None]
    tau = tau + 0.02 * size * rng.normal(size=tau.shape)
    if gains is None:
        return gough.Log(t, q, tau, loads=loads)
    return gough.Log(t, q, currents=tau / gains, loads=loads)


@cache
def identified(name, **options):
    r = replace(robot(name), label=f"A robot, {HOSTILE}")
    return gough.identify(r, logged(r, 1), validation=logged(r, 2), **options)


@cache
def parts(name):
    """Fewer parameters, so that a short log shows them."""
    r = robot(name)
    return gough.identify(
        r, logged(r, 1), validation=logged(r, 2), parameters=("friction", "rotors")
    )


@contextmanager
def looked_at(said):
    """Every figure that is drawn meanwhile is looked at: faults of its texts go into ``said``."""
    with patch.object(writing, "tidy", lambda figure: said.extend(faults(tidy(figure))) or figure):
        yield


@pytest.fixture
def sketched(monkeypatch):
    """Pages without their figures, which take most of the time."""
    stub = {"caption": "", "content": "", "raster": "False"}
    monkeypatch.setattr(writing, "framed", lambda one: {**stub, "key": one.key})


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)
        self.said = " ".join(" ".join(self.words).split()).replace("\u00a0", " ")

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of a five-bar, read, and what is wrong with texts of its figures."""
    path, said = tmp_path_factory.mktemp("page") / "page.html", []
    with looked_at(said):
        found = identified("five_bar")
        assert write_identification(found, path, title=f"T {HOSTILE}", command="gough") == path
    return path.read_text(encoding="utf-8"), said


def test_the_page_has_all_figures_and_numbers(page):
    read, found = Reader(page[0]), identified("five_bar")
    ids = [value for name, value in read.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    figures = ("efforts", "efforts_validation", "residuals", "parameters", "standard")
    assert [i for i in ids if i in figures] == [*figures]
    assert f"delta {HOSTILE}" not in read.said
    assert f"T {HOSTILE}" in read.said
    for row in tables.base_parameters(found).rows:
        assert " ".join(cell for cell in row if cell) in read.said
    values = [row[3] for row in tables.base_parameters(found).rows]
    assert values == [number(value, digits=5) for value in found.values]
    for motor, error, before in zip(
        found.base.robot.motors, found.validation.error, found.validation.before, strict=True
    ):
        assert re.search(rf"{motor} .*{re.escape(number(error, full=True))} N m", read.said)
        assert percent(before) in read.said
    for body in found.robot.bodies:
        assert f"identified {number(body.mass, digits=4)} kg" in read.said
    assert f"one of {found.fit[0].filters.keep}" in read.said
    assert f"{number(found.fit[0].filters.band)} Hz" in read.said
    assert number(found.condition) in read.said
    assert "least squares" in read.said


def test_nothing_comes_from_elsewhere_and_nothing_runs(page):
    read = Reader(page[0])
    for name, value in read.attributes:
        if name in ("src", "href", "xlink:href"):
            assert value.startswith(("data:image/png;base64,", "#"))
        assert not name.startswith("on")
    assert "<script" not in page[0]
    assert not {"script", "iframe", "link", "object"} & set(read.tags)
    assert "http" not in re.sub(r"data:image/png;base64,[A-Za-z0-9+/=\s]*", "", page[0])


def test_no_text_lies_on_text(page):
    assert page[1] == []


def test_figures_are_saved(tmp_path):
    found = parts("delta")
    files = save_identification_figures(found, tmp_path / "new")
    keys = ["efforts", "efforts_validation", "residuals", "parameters", "standard"]
    assert [file.stem for file in files] == keys
    assert all(file.stat().st_size > 1000 for file in files)
    with pytest.raises(InputError, match=r"no figure 'effort'(.|\n)*Known: efforts, .*standard"):
        found.draw("effort")
    with pytest.raises(InputError, match=r"gough\.identify"):
        write_identification("nothing", tmp_path / "x.html")


def test_units_of_sliding_and_turning_motors():
    found = parts("space_3ups")
    assert effort_units(found.base.robot) == ["N m", "N", "N m", "N", "N m", "N"]
    figure = found.draw("residuals")
    assert faults(figure) == []
    axes = figure.axes
    assert [each.get_ylabel() for each in axes[:4:2]] == ["amplitude [N m]", "amplitude [N]"]
    assert "[rad/s]" in axes[1].get_xlabel()
    assert "[m/s]" in axes[3].get_xlabel()
    units = {row[0]: row[-1] for row in tables.axes(found).rows if "viscous" in row[1]}
    motors = found.base.robot.motors
    assert [units[motor] for motor in motors[:2]] == ["N m s/rad", "N s/m"]
    assert [tile.unit for tile in words.tiles(found) if "noise" in tile.name] == ["N\u00a0m", "N"]


def test_many_motors_with_long_names():
    """Twelve motors need two sheets; names of motors are shortened, and no text lies on text."""
    assert [len(which) for which in efforts.sheets(12)] == [6, 6]
    assert [len(which) for which in efforts.sheets(7)] == [4, 3]
    found = parts("gough_stewart")
    names = tuple(f"{LONG}{k}" for k in range(12))

    def twice(run):
        doubled = {
            key: np.concatenate([getattr(run, key)] * 2, axis=-1)
            for key in ("measured", "predicted", "described", "rates", "used", "expected")
        }
        return replace(run, motors=names, **doubled)

    run = twice(found.fit[0])
    with quiet_style():
        for which in efforts.sheets(12)[1:]:
            assert faults(tidy(efforts.figure(run, ["N"] * 12, which))) == []
        rows = [
            changes.Row(f"{LONG}{k}.Ixx", "kg m²", 1.0, 1.0 + 0.3 * k, 0.1, changes.SURE)
            for k in range(106)
        ]
        rows[3:6] = [row._replace(described=0.0) for row in rows[3:6]]
        rows[8] = rows[8]._replace(state=changes.HIDDEN, sigma=np.inf)
        drawn = changes.split(rows)
        assert [len(each) for _, each in drawn] == [36, 36, 34]
        assert faults(tidy(changes.figure(drawn))) == []
        both = [("masses", rows[:12]), ("axes", rows[12:30])]
        assert faults(tidy(changes.figure(both, numbers=True))) == []


def test_long_runs_are_shown_closer():
    found = identified("five_bar")
    run = found.fit[0]
    assert efforts.stretch(run) is None
    many = 40
    t = run.t[0] + np.arange(many * len(run.t)) * np.median(np.diff(run.t))
    left = {key: np.tile(getattr(run, key), (many, 1)) for key in ("predicted", "rates", "used")}
    long = replace(run, t=t, measured=left["predicted"].copy(), described=left["predicted"], **left)
    long.measured[700] += 9.0
    part = efforts.stretch(long)
    assert part.start < 700 < part.stop
    keys = [one.key for one in gallery(replace(found, fit=(long, run)))]
    assert keys[:3] == ["efforts", "efforts_closer", "efforts_log_2"]


def test_the_page_says_what_is_left():
    r = robot("five_bar")
    found = gough.identify(r, logged(r, 1, duration=6.0, ripple=0.2), band=20.0)
    assert any("6.08 Hz" in sentence for sentence in found.findings)
    assert words.verdict(found) == "more than noise is left"
    assert not words.explained(found)
    [*said] = words.summary(found)
    assert any("no validation run" in sentence for sentence in said)
    spectra = [axes for axes in found.draw("residuals").axes if "amplitude" in axes.get_ylabel()]
    for axes in spectra:
        top = axes.lines[0]
        assert top.get_xdata()[np.argmax(top.get_ydata())] == pytest.approx(6.0, abs=0.3)


def test_verdicts(tmp_path, sketched):
    found = identified("five_bar")
    assert words.verdict(found) == "efforts explained"
    worse = replace(found.validation, expected=0.1 * found.validation.expected)
    assert words.verdict(replace(found, validation=worse)) == "more than noise is left"
    apart = replace(found, disagreement=found.disagreement + 9.0)
    assert words.verdict(apart) == "two estimates disagree"
    none = replace(found, robot=None)
    assert words.verdict(none) == "no robot"
    assert "standard" not in [one.key for one in gallery(none)]
    text = write_identification(none, tmp_path / "none.html").read_text(encoding="utf-8")
    assert "There is none: no bodies" in text


def test_what_is_hidden_is_told():
    found = identified("five_bar")
    first, second, third = found.base.leading[:3]
    sigma = found.sigma.copy()
    sigma[0] = np.inf
    less = replace(found, sigma=sigma, unexcited=(first, second), uncertain=(third,))
    said = words.unknown(less)
    assert said[0].startswith(f"The logs do not show {first}, alone")
    assert said[1].startswith(f"{second} is known no better")
    assert said[2].startswith(f"{third} is uncertain")
    rows = tables.base_parameters(less).rows
    assert rows[0][4] == "infinite"
    assert [row[-1] for row in rows[:3]] == ["not shown", "not shown", "uncertain"]
    states = [row.state for row in changes.base_rows(less)[:3]]
    assert states == [changes.HIDDEN, changes.HIDDEN, changes.UNSURE]
    assert faults(less.draw("parameters")) == []


def test_gains_are_on_the_page(tmp_path, sketched):
    r, gains = robot("five_bar"), np.array([1.5, -0.8])
    logs = [logged(r, 1, gains=gains), logged(r, 1, payload=2.0, gains=gains)]
    found = gough.identify(r, logs)
    read = Reader(write_identification(found, tmp_path / "p.html").read_text(encoding="utf-8"))
    for motor, gain in zip(r.motors, found.gains.gains, strict=True):
        assert f"{motor} {number(gain, digits=5)} N m/A" in read.said
    assert "gains of the drives known to" in read.said
    assert "Log 2, fitted" in read.said


def test_a_notebook_shows_the_efforts():
    html = identified("five_bar")._repr_html_()
    assert 'src="data:image/png;base64,' in html
