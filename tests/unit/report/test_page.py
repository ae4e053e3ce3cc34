"""The page: whole, by itself, and safe whatever is written into it."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from gough.errors import FileError, InputError
from gough.report import figures, save_figures, write_report, writing
from gough.report import page as pages
from gough.report.gallery import gallery, material

VOID = {"meta", "img", "br", "link", "input", "hr"}
HOSTILE = "</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>"
OBEYED = "\x1b[31m\x07\u202eback\u2066\x9d"
SPELLED = r"\x1b[31m\x07\u202eback\u2066\x9d"
BOTH = [
    *("poses", "path", "pace", "workspace", "efforts", "speeds", "power", "torque_speed"),
    *("bearings", "energy", "singularities"),
    *("tracking", "simulated_efforts", "simulated_energy"),
]
SHORT = ("workspace", "bearings")


class Reader(HTMLParser):
    """Elements and their attributes, and whether every element is closed in turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.words = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def without_pictures(text):
    """A page without the letters of its pictures, among which any short word may be met."""
    found, count = re.subn(r"data:image/png;base64,[A-Za-z0-9+/=\s]*", "data:", text)
    assert count
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory, geared, analysis, simulation):
    path = tmp_path_factory.mktemp("report") / "report.html"
    found = write_report(
        path,
        robot=geared,
        analysis=analysis,
        simulation=simulation,
        title=f"A title {HOSTILE}{OBEYED}",
        command=f"gough run {HOSTILE}{OBEYED}",
        scenario_text=f"gough: 1\n# {HOSTILE}{OBEYED}\n",
    )
    assert found == path
    assert [p.name for p in path.parent.iterdir()] == ["report.html"]
    return path.read_text(encoding="utf-8")


@pytest.fixture
def sketched(monkeypatch):
    """Pages without their pictures, which take seconds."""
    stub = {"caption": "c", "content": "x", "raster": "False"}
    monkeypatch.setattr(writing, "framed", lambda one: {**stub, "key": one.key})


def test_the_page_is_html_with_all_figures(report):
    read = Reader(report)
    assert read.open == []
    assert report.startswith("<!DOCTYPE html>")
    ids = [value for _, name, value in read.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert [i for i in ids if i in BOTH] == [
        *("poses", "path", "pace", "workspace", "efforts", "speeds", "power", "torque_speed"),
        *(
            "bearings",
            "tracking",
            "simulated_efforts",
            "simulated_energy",
            "energy",
            "singularities",
        ),
    ]
    assert read.tags.count("svg") == len(BOTH) - 1
    assert read.tags.count("img") == 1


def test_drawings_are_whole(report):
    for text in re.findall(r"<svg.*?</svg>", report, re.DOTALL):
        tree = ET.fromstring(text)
        texts = [e.text for e in tree.iter() if e.tag == "text"]
        assert texts
        names = {e.get("id") for e in tree.iter()}
        used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
        assert used <= names


def test_nothing_comes_from_elsewhere_and_nothing_runs(report):
    read = Reader(report)
    for tag, name, value in read.attributes:
        if name in ("src", "href", "xlink:href", "action", "data"):
            assert value.startswith(("data:image/png;base64,", "#")), (tag, name, value[:60])
        assert not name.startswith("on"), (tag, name)
    assert not {"script", "iframe", "object", "embed", "link", "base", "form"} & set(read.tags)
    told = without_pictures(report)
    assert "http" not in told
    assert "@import" not in told
    assert all(u.startswith("#") for u in re.findall(r"url\(([^)]*)\)", told))


def test_the_page_says_what_went_in(report, geared):
    words = " ".join(" ".join(Reader(report).words).split())
    assert "What went in" in words
    for piece in ("moving mass 3 kg", "foot1 – elbow1, foot2 – elbow2 (2 alike) 0.3 m"):
        assert piece in words
    assert "foot1, foot2 (2 alike) 20 90 % 1e-05 kg m²" in words  # gear and rotor
    assert "0.06 N m s/rad 0.05 N m" in words  # friction
    assert "4 rad/s 5 N m" in words  # limits
    assert "payload none" in words
    assert "law quintic" in words
    assert "method 'legs'" in words
    assert "gough_stewart" not in words


def test_the_page_has_bearings_and_their_meaning(report, analysis):
    words = " ".join(" ".join(Reader(report).words).split())
    one = analysis.bearings()["elbow1"]
    cells = f"elbow1 revolute {figures.number(one.force, full=True)} N*"
    assert cells in words
    assert "* not unique: it depends on clearances and stiffness" in words


def test_parts_are_left_out(tmp_path, sketched, geared, analysis):
    parts = ("workspace", "bearings", "inputs")
    path = write_report(tmp_path / "s.html", robot=geared, analysis=analysis, without=parts)
    text = path.read_text(encoding="utf-8")
    ids = {value for _, name, value in Reader(text).attributes if name == "id"}
    assert not ids & {"workspace", "bearings", "bearing_loads", "inputs"}
    assert "What went in" not in text
    given = {"robot": geared, "analysis": analysis}
    with pytest.raises(InputError, match="a report has no part 'bearing'"):
        write_report(tmp_path / "n.html", **given, without=["bearing"])
    with pytest.raises(InputError, match="names of parts in a list"):
        write_report(tmp_path / "n.html", **given, without="bearings")


def test_hostile_words_are_shown_as_they_are(report):
    words = "".join(Reader(report).words)
    assert f"A title {HOSTILE}{SPELLED}" in words
    assert f"gough run {HOSTILE}{SPELLED}" in words
    assert f"# {HOSTILE}{SPELLED}" in words
    assert not set(OBEYED) & set(report) - set("[31mback")
    assert "{{ 7 * 7 }}" in words  # the robot's label is no template


def test_the_page_tells_what_matters(report):
    words = "".join(Reader(report).words)
    for piece in (
        "is nearest its limits",
        "What stands in the way",
        "Four methods",
        "numpy",
        "gough ",
    ):
        assert piece in words
    assert "first exceeds at" in words  # the violation, in words
    assert "In the simulation motor" in words
    assert "friction is smoothed over 0.0003 to 0.0006 rad/s" in words
    assert "friction took 40 % less." in words
    assert "prefers-color-scheme: dark" in report
    assert "size: A4" in report


def test_one_of_the_two_is_enough(tmp_path, sketched, geared, analysis, simulation):
    for name, given in (("a", {"analysis": analysis}), ("s", {"simulation": simulation})):
        path = write_report(tmp_path / f"{name}.html", robot=geared, without=SHORT, **given)
        read = Reader(path.read_text(encoding="utf-8"))
        assert read.open == []
        drawn = [value for _, attribute, value in read.attributes if attribute == "id"]
        assert ("tracking" in drawn) == (name == "s")
        assert ("singularities" in drawn) == (name == "a")
        assert "simulated_efforts" not in drawn
    with pytest.raises(InputError, match="an analysis, a simulation or both"):
        write_report(tmp_path / "n.html", robot=geared)
    assert not (tmp_path / "n.html").exists()


def test_an_event_is_told(tmp_path, sketched, geared, stopped):
    path = write_report(tmp_path / "s.html", robot=geared, simulation=stopped, without=SHORT)
    words = "".join(Reader(path.read_text(encoding="utf-8")).words)
    assert "stopped early" in words
    assert f"The simulation stopped at {stopped.event.time:.4g}" in words
    course = material(geared, None, stopped).main
    assert len(course.t) == len(stopped.t) - 1  # not the last sample, where nothing has a meaning
    assert course.energies["kinetic"].max() < 1e3


def test_what_cannot_be_shown_is_refused(tmp_path, geared, analysis, batch, simulation):
    with pytest.raises(InputError, match="one simulation, this is a batch"):
        write_report(tmp_path / "b.html", robot=geared, simulation=batch)
    short = simulation._replace(t=simulation.t[:1])
    with pytest.raises(InputError, match="one sample"):
        write_report(tmp_path / "b.html", robot=geared, simulation=short)
    import gough

    with pytest.raises(InputError, match="other motors"):
        write_report(tmp_path / "b.html", robot=gough.zoo.load("delta"), analysis=analysis)
    with pytest.raises(InputError, match="expected the path"):
        write_report(None, robot=geared, analysis=analysis)
    with pytest.raises(InputError, match="'png' or 'svg'"):
        save_figures(tmp_path / "f", robot=geared, analysis=analysis, format="gif")
    assert list(tmp_path.iterdir()) == []


def test_a_file_appears_whole_or_not_at_all(tmp_path, monkeypatch, sketched, geared, analysis):
    with pytest.raises(FileError, match="cannot be written"):
        write_report("/dev/null/r.html", robot=geared, analysis=analysis, without=SHORT)
    old = tmp_path / "r.html"
    old.write_text("old", encoding="utf-8")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FileError, match="No space left"):
        write_report(old, robot=geared, analysis=analysis, without=SHORT)
    assert [p.name for p in tmp_path.iterdir()] == ["r.html"]
    assert old.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_figures_are_saved(tmp_path, monkeypatch, geared, analysis, kind):
    given = {"robot": geared, "analysis": analysis, "format": kind, "without": SHORT}
    monkeypatch.setattr(pages, "gallery", lambda m: list(gallery(m))[2:3])
    found = save_figures(tmp_path / "a" / "b", **given)
    assert [p.name for p in found] == [f"pace.{kind}"]
    start = {"png": b"\x89PNG", "svg": b"<?xml"}[kind]
    assert all(p.read_bytes().startswith(start) for p in found)
    again = save_figures(tmp_path / "c", **given)
    assert [p.read_bytes() for p in again] == [p.read_bytes() for p in found]
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(FileError):
        save_figures(blocked, **given)


def test_no_figure_is_left_open_and_no_setting_changed(report):
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    assert plt.get_fignums() == []
    assert mpl.rcParams["axes.grid"] is False
    assert mpl.rcParams["svg.fonttype"] == "path"


def test_a_motion_that_fails_on_the_way_is_reported(tmp_path, geared):
    import gough
    from gough.analysis import analyse
    from gough.motion import Samples

    robot = gough.zoo.load("three_rrr")
    t = np.linspace(0.0, 1.0, 31)
    T = np.tile(robot.home_pose, (31, 1, 1))
    T[:, 0, 3] += 0.5 * t
    V = np.tile([0.5, 0.0, 0.0, 0.0, 0.0, 0.0], (31, 1))
    found = analyse(robot, Samples(t, gough.State(T, V)), on_error="nan")
    assert found.failed.any()
    m = material(robot, found, None, without=SHORT)
    with writing.quiet_style():
        for one in gallery(m):
            if one.key in ("efforts", "energy", "singularities"):
                one.make()
    text = pages.words.worth(m)
    assert any("cannot be" in sentence for sentence in text)
    assert pages.words.verdict(m) == "not feasible"
