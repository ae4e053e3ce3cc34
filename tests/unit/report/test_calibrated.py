"""The page of a calibration: its maps and ellipsoids say what the calibration found."""

import re
import warnings
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from unittest.mock import patch

import numpy as np
import pytest

import gough
from gough.base import turns
from gough.errors import InputError
from gough.report import notebook, save_calibration_figures, write_calibration, writing
from gough.report.calibrated import joints, maps, tables, tilt, words
from gough.report.calibrated import page as calibrated_page
from gough.report.calibrated.measured import by_kind
from gough.report.tidy import tidy
from measuring import crooked, measured, observed, reachable
from overlaps import faults
from robots import robot

HOSTILE = "</td><script>alert(1)</script>"
STRANGE = f"a \u202e\x07pose with a long name, {HOSTILE}"
MINUS = "\N{MINUS SIGN}"
KINDS = ("position", "height", "distance")
ONLY = dict.fromkeys(("arm*.parent", "b*a.child"), ("x", "y", "z"))
POINT = (0.3, 0.2, 0.1)


def seen(name, seed, **parts):
    rng = np.random.default_rng(seed)
    truth = crooked(robot(name), 5e-4, 5e-4, rng, **parts)
    return observed(truth, reachable(name, 24, amplitude=0.2, seed=1)), rng


@pytest.fixture(scope="module")
def delta():
    """A Delta of which positions and distances were measured, and some positions held back."""
    found, rng = seen("delta", 2, parts=("frames",), only=ONLY)
    places = {"position": np.arange(8), "height": np.arange(8, 14), "distance": np.arange(14, 20)}
    data = [measured(found, kind, 2e-5, rng, which=which) for kind, which in places.items()]
    held = measured(found, "position", 2e-5, rng, which=np.arange(20, 24))
    free = ["arm*.base.position", "b*a.platform.position"]
    return gough.calibrate(robot("delta"), data, free=free, held_back=[held])


@pytest.fixture(scope="module")
def planar():
    """A five-bar measured in its plane and by a wire; one pose is far off, by a hostile name."""
    found, rng = seen("five_bar", 1)
    data = [
        measured(found, "pose", (2e-5, 5e-5), rng, components=("x", "y", "rz")),
        measured(found, "length", 2e-5, rng, which=np.arange(6), anchor=POINT),
    ]
    data[0].values[4, 0] += 0.01
    object.__setattr__(data[0], "labels", (*data[0].labels[:4], STRANGE, *data[0].labels[5:]))
    free = ["foot*.base.position", "elbow*.position", "device.position", "device.direction.z"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gough.GoughWarning)
        return gough.calibrate(robot("five_bar"), data, free=free)


@contextmanager
def looked_at(said):
    """Every figure that is drawn meanwhile is looked at: faults of its texts go into ``said``."""
    with patch.object(writing, "tidy", lambda figure: said.extend(faults(tidy(figure))) or figure):
        yield


@pytest.fixture(scope="module")
def page(planar, tmp_path_factory):
    """The text of a page, and what is wrong with texts of its figures."""
    path, said = tmp_path_factory.mktemp("page") / "page.html", []
    with looked_at(said):
        assert write_calibration(planar, path, title=f"T {HOSTILE}", command="gough") == path
    return path.read_text(encoding="utf-8"), said


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_has_all_figures_and_numbers(page, planar):
    read = Reader(page[0])
    ids = [value for name, value in read.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    figures = ("poses", "poses_turned", "lengths", "spread", "joints", "next")
    assert [i for i in ids if i in figures] == [*figures]
    said = " ".join(" ".join(read.words).split()).replace("\u00a0", " ")
    assert " 1 outlier " in said
    assert rf"a \u202e\x07pose with a long name, {HOSTILE}: x was measured as" in said
    assert not {"\u202e", "\x07"} & set(page[0])  # in figures, too: a legend names the outlier
    for each in planar.parameters:
        assert f"{each.name} {1e3 * each.nominal:.4f} m".replace("-", MINUS) in said
    for combination in planar.combinations:
        assert combination.words in said
    assert f"{planar.observability.identifiable}: independent combinations" in said
    for proposal in planar.next(2):
        assert f"{np.degrees(proposal.motors[0, 0]):.3f}".replace("-", MINUS) in said


def test_nothing_comes_from_elsewhere_and_nothing_runs(page):
    read = Reader(page[0])
    for name, value in read.attributes:
        if name in ("src", "href", "xlink:href"):
            assert value.startswith(("data:image/png;base64,", "#"))
        assert not name.startswith("on")
    assert not {"script", "iframe", "link", "object"} & set(read.tags)
    assert "http" not in re.sub(r"data:image/png;base64,[A-Za-z0-9+/=\s]*", "", page[0])


def test_no_text_lies_on_text(page):
    assert page[1] == []


def test_residuals_stand_where_the_tool_was(delta, planar):
    """Measured less residual is predicted, and predicted is what the map draws."""
    found = by_kind(delta) + by_kind(planar)[1:]
    sets = delta.design.problem.data.sets + planar.design.problem.data.sets[1:]
    assert [one.kind for one in found] == [*KINDS, "length"]
    for one, each in zip(found, sets, strict=True):
        between = np.linalg.norm(one.ends[:, -1] - one.ends[:, 0], axis=1)
        drawn = {"position": one.ends[:, 0], "height": one.ends[:, 0, 2:]}
        # rounding of metres
        np.testing.assert_allclose(
            each.values - one.after, drawn.get(one.kind, between[:, None]), rtol=0.0, atol=1e-12
        )
    assert (found[-1].ends[:, 0] == POINT).all()
    assert not any(one.strange.any() for one in found)
    assert np.flatnonzero(by_kind(planar)[0].strange).tolist() == [4]
    points, before, after = found[0].held
    assert points.shape == (4, 3)
    assert np.abs(after).max() < np.abs(before).max()


def test_magnifications_are_round_and_arrows_fit():
    off = np.tile([3e-5, 0.0, 4e-5], (20, 1))
    found = maps.magnification(off, 0.4)
    assert found == pytest.approx(1000.0)  # 0.16 * 0.4 m / 5e-5 m is 1280
    assert maps.magnification(0.0 * off, 0.4) == 1.0


def test_ellipsoids_are_the_covariance_of_the_frames(planar, delta):
    found, unknown = joints.spreads(planar)
    assert unknown == []
    names = [each.name for each in planar.parameters]
    foot = next(each for each in found if (each.joint, each.body) == ("foot1", "base"))
    rows = [names.index(f"foot1.base.position.{axis}") for axis in "xyz"]
    # on the base the axes are those of the base
    np.testing.assert_allclose(foot.covariance, planar.covariance[np.ix_(rows, rows)], atol=1e-20)
    elbow = next(each for each in found if each.joint == "elbow1")
    rows = [names.index(f"elbow1.{elbow.body}.position.{axis}") for axis in "xyz"]
    own = planar.covariance[np.ix_(rows, rows)]
    assert np.trace(elbow.covariance) == pytest.approx(np.trace(own))
    np.testing.assert_allclose(
        np.sort(elbow.half_axes**2 / 4.0), np.linalg.eigvalsh(own), atol=1e-6 * np.trace(own)
    )
    assert foot.said == pytest.approx(
        1.0 - np.trace(foot.covariance) / (3.0 * planar["foot1.base.position.x"].prior ** 2)
    )


def test_what_nobody_knows_is_not_drawn(planar):
    """Without a prior, a frame has no ellipsoid if it may move and no measurement changes."""
    design = planar.design
    blind = replace(design.knowledge, with_prior=False)
    found, unknown = joints.spreads(replace(planar, design=replace(design, knowledge=blind)))
    named = {each.parameters for each in planar.combinations if not np.isfinite(each.std)}
    assert named
    frames = {name.rpartition(".position")[0] for each in named for name in each}
    assert frames - {"device"} <= set(unknown)
    assert not {f"{each.joint}.{each.body}" for each in found} & set(unknown)


def test_tilt_is_that_of_the_calibrated_robot(delta):
    """The same rotation by the robot that a user would save and load."""
    found = tilt.tilt(delta)
    places = np.argwhere(np.isfinite(found.turned[..., 0]))[::97]
    assert len(places) > 4
    T = np.tile(delta.nominal.home_pose, (len(places), 1, 1))
    T[:, 0, 3], T[:, 1, 3], T[:, 2, 3] = found.x[places[:, 0]], found.y[places[:, 1]], found.z
    q = gough.inverse_kinematics(delta.nominal, T)
    R = gough.state_from_motors(delta.robot, delta.motors(q)).T_0p[:, :3, :3]
    # both are known up to one rotation that all places share
    shown = turns.rotations(found.turned[places[:, 0], places[:, 1]])
    apart = turns.logs(R[1:] @ R[0].T @ (shown[1:] @ shown[0].T).swapaxes(1, 2))
    # products of small rotations commute up to their squares, 1e-6 here
    assert np.abs(apart).max() < 0.02 * np.abs(found.turned[np.isfinite(found.turned)]).max()


def test_a_machine_that_turns_has_no_map_of_tilt(planar):
    assert tilt.tilt(planar) is None
    assert words.verdict(planar) == "1 outlier"


def test_verdicts(delta):
    assert words.verdict(delta) == "measurements explained"
    assert words.verdict(replace(delta, chi_square=2.0)) == "more than noise is left"


def test_words_of_sizes():
    assert words.size(4.4e-4, "m") == "440 µm"
    assert words.size(1.2e-3, "rad") == "1.2 mrad"
    assert words.size(np.inf, "m") == "unknown"


def test_parameters_in_rows(planar):
    rows = {row[0]: row for group in tables.parameters(planar) for row in group.rows}
    each = planar["foot1.base.position.x"]
    _, nominal, value, change, std, said = rows[each.name]
    texts = (nominal, value, change)
    numbers = [float(text.split()[0].replace(MINUS, "-")) for text in texts]
    # four digits after the point are printed
    np.testing.assert_allclose(
        numbers, [1e3 * v for v in (each.nominal, each.value, each.value - each.nominal)], atol=6e-5
    )
    assert std.endswith("mm")
    assert said.endswith("%")


def test_figures_alone(delta, tmp_path):
    said, shown = [], calibrated_page.gallery
    chosen = ["positions", "heights", "distances", "joints", "tilt"]

    def some(*given):
        return [one for one in shown(*given) if one.key in chosen]

    with looked_at(said), patch.object(calibrated_page, "gallery", some):
        files = save_calibration_figures(delta, tmp_path / "new", format="svg")
    assert said == []
    assert [file.stem for file in files] == chosen
    assert all(file.stat().st_size > 1000 for file in files)
    with pytest.raises(InputError, match="no figure 'sprad'"):
        delta.draw("sprad")
    with pytest.raises(InputError, match=r"gough\.calibrate"):
        write_calibration("nothing", tmp_path / "x.html")


def test_a_notebook_shows_parameters_and_a_picture(planar, monkeypatch):
    monkeypatch.setattr(notebook, "_MOST_PARAMETERS", 9)
    html = planar._repr_html_()
    assert planar.parameters[0].name in html
    assert f"{len(planar.parameters) - 9} more in to_frame()" in html
    assert 'src="data:image/png;base64,' in html
    assert "<script" not in html
