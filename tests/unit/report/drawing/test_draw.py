"""Pictures: painted without a display, nothing cut off, nothing left behind."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import gough
from gough import zoo
from gough.cli import app
from gough.report.drawing import draw, draw_row
from gough.report.drawing.style import COLOURS, ghost_shares, length_text, rgb, round_length
from robots import robot

# of every kind of joint one
NAMES = [*zoo.names(), "rccc", "contact_tripod", "screw_hexapod", "pendulum", "planar_3rrp"]
ROOT = Path(__file__).resolve().parents[4]


def pixels(figure: Figure, dpi: int = 40) -> np.ndarray:
    """The picture, ``(height, width, 3)`` from 0 to 1."""
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3] / 255.0


def has_hue(picture: np.ndarray, colour: str) -> bool:
    """Whether some pixels have the hue of a colour, in light or shade."""
    wanted = rgb(colour) / np.linalg.norm(rgb(colour))
    size = np.linalg.norm(picture, axis=2)
    cosine = picture @ wanted / np.where(size > 0.0, size, 1.0)
    return bool((cosine > 0.995).sum() > 20)


def moved(r: gough.Robot, *shifts: float) -> np.ndarray:
    """Home and poses shifted along x, ``(k, 4, 4)``."""
    T = np.tile(r.home_pose, (len(shifts) + 1, 1, 1))
    T[1:, 0, 3] += shifts
    return T


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_shows_platform_and_motors_and_is_not_cut_off(name):
    r = robot(name)
    picture = pixels(draw(r))
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (edge > 0.999).all()
    # the platform of the Quattro is a thin bar: its nacelle shows
    assert has_hue(picture, COLOURS["platform"]) or has_hue(picture, COLOURS["hub"])
    assert has_hue(picture, COLOURS["motor"]) == bool(r.motors)
    assert 0.01 < (picture.min(axis=2) < 0.9).mean() < 0.6


def test_planar_robots_are_painted_in_the_plane_unless_asked_otherwise():
    assert draw(robot("five_bar")).axes[0].name == "rectilinear"
    axes = Figure().add_subplot(projection="3d")
    draw(robot("five_bar"), axes=axes)
    assert has_hue(pixels(axes.figure), COLOURS["platform"])
    assert draw(robot("delta")).axes[0].name == "3d"


def test_a_robot_in_space_needs_axes_in_space():
    with pytest.raises(gough.errors.InputError, match="3-D axes"):
        draw(robot("delta"), axes=Figure().add_subplot())


@pytest.mark.parametrize("name", ["gough_stewart", "three_rrr"])
def test_several_poses_are_one_picture(name):
    r = robot(name)
    T = moved(r, 0.03, 0.06)
    (one,), (several,) = draw(r).axes, draw(r, T).axes
    count = [len(a.collections) + len(a.patches) for a in (one, several)]
    assert count[1] > count[0]
    # ghosts are lighter: the last pose alone and with ghosts is as dark
    dark = [(pixels(a.figure).min(axis=2) < 0.3).mean() for a in (one, several)]
    assert dark[1] < 2.0 * dark[0]


def test_ghosts_fade_with_age():
    assert ghost_shares(1) == [0.0]
    for count in (2, 3, 6):
        shares = ghost_shares(count)
        assert len(shares) == count
        assert shares[-1] == 0.0
        assert all(a > b for a, b in pairwise(shares))


@pytest.mark.parametrize("name", ["delta", "five_bar"])
def test_words_on_request(name):
    r = robot(name)
    plain = draw(r, scale=False)
    assert not [t for a in plain.axes for t in a.texts]
    assert not plain.legends
    told = draw(r, names=True, legend=True, title="A title", scale=False)
    assert {t.get_text() for a in told.axes for t in a.texts} == {j.name for j in r.joints}
    assert [t.get_text() for t in told.texts] == ["A title"]
    assert len(told.legends) == 1
    assert len(draw(r).axes[0].texts) == 1  # the scale


@pytest.mark.parametrize("name", ["gough_stewart", "five_bar"])
def test_the_scale_bar_is_as_long_as_it_says(name):
    r = robot(name)
    figure = draw(r, frames=False)
    (axes,) = figure.axes
    pixels(figure)  # layout is final once drawn
    bar = axes.lines[-1]
    length = np.ptp(bar.get_transform().transform(bar.get_xydata())[:, 0])
    if axes.name == "3d":
        right = np.array([-np.sin(np.radians(axes.azim)), np.cos(np.radians(axes.azim)), 0.0])
        ends = np.stack([np.zeros(3), right])
        seen = np.column_stack([ends, np.ones(2)]) @ axes.get_proj().T
        metre = np.linalg.norm(np.diff(axes.transData.transform(seen[:, :2] / seen[:, 3:]), axis=0))
    else:
        metre = np.ptp(axes.transData.transform([[0.0, 0.0], [1.0, 0.0]])[:, 0])
    number, unit = axes.texts[-1].get_text().split()
    said = float(number) * {"m": 1.0, "cm": 0.01, "mm": 0.001}[unit]
    assert length == pytest.approx(said * metre, rel=1e-6)


def test_round_lengths():
    assert [round_length(x) for x in (0.19, 0.2, 0.7, 3.0, 1000.0)] == [0.1, 0.2, 0.5, 2.0, 1000.0]
    assert [length_text(x) for x in (2.0, 0.2, 0.005)] == ["2 m", "20 cm", "5 mm"]


def test_the_view_is_taken():
    axes = draw(robot("delta"), view=(35.0, 12.0)).axes[0]
    assert (axes.elev, axes.azim) == (35.0, 12.0)


def test_robots_side_by_side():
    figure = draw_row([robot("five_bar"), robot("delta")])
    assert [axes.name for axes in figure.axes] == ["rectilinear", "3d"]
    assert has_hue(pixels(figure), COLOURS["motor"])


def test_without_matplotlib_a_clear_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(gough.GoughError, match="matplotlib") as caught:
        draw(robot("five_bar"))
    assert "pip install" in caught.value.hint


SCRIPT = """
import sys, gough
assert "matplotlib" not in sys.modules, "import gough brings matplotlib"
from gough.report.drawing import draw
assert "matplotlib" not in sys.modules, "the drawing room brings matplotlib"
draw(gough.load("examples/robots/delta.yaml")).savefig(sys.argv[1])
assert "matplotlib.pyplot" not in sys.modules, "pyplot keeps figures alive"
"""


def test_matplotlib_comes_late_and_pyplot_never(tmp_path):
    picture = tmp_path / "delta.pdf"
    command = [sys.executable, "-c", SCRIPT, str(picture)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"%PDF")


def test_the_command_line_draws(tmp_path, capsys):
    robots = [str(ROOT / "examples" / "robots" / name) for name in ("delta.yaml", "five_bar.yaml")]
    picture = tmp_path / "two.png"
    app(["draw", *robots, "-o", str(picture)], standalone_mode=False)
    assert capsys.readouterr().out.strip() == str(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(gough.errors.FileError, match=r"robot\.xyz"):
        app(["draw", robots[1], "-o", str(tmp_path / "robot.xyz")], standalone_mode=False)
    with pytest.raises(gough.errors.FileError, match="cannot be written") as caught:
        app(["draw", robots[1], "-o", "/dev/null/a.png"], standalone_mode=False)
    assert "May you write there" in caught.value.hint
    with pytest.raises(gough.errors.FileError, match="is a folder"):
        app(["draw", robots[1], "-o", str(tmp_path)], standalone_mode=False)
    app(["draw", robots[1], "-o", str(tmp_path / "plain")], standalone_mode=False)
    assert (tmp_path / "plain.png").exists()


def test_names_are_not_cut_off():
    for figure in (
        draw(robot("five_bar"), names=True),
        draw_row([robot("five_bar")] * 2, names=True),
    ):
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        width, height = canvas.get_width_height()
        for text in (t for axes in figure.axes for t in axes.texts):
            box = text.get_window_extent()
            assert box.x0 > 0.0
            assert box.x1 < width
            assert box.y1 < height


def test_a_row_has_one_legend_beside_it():
    figure = draw_row([robot("five_bar"), robot("three_rrr")], legend=True)
    assert len(figure.legends) == 1
    assert not any(axes.get_legend() for axes in figure.axes)
    with pytest.raises(gough.errors.InputError, match="no robot to draw"):
        draw_row([])


@pytest.mark.parametrize(
    "wrong", [{"view": 3}, {"view": ("a", "b")}, {"view": (1, 2, 3)}, {"axes": 3}]
)
def test_what_cannot_be_drawn_is_refused(wrong):
    with pytest.raises(gough.errors.InputError, match=next(iter(wrong))):
        draw(robot("delta"), **wrong)


def test_a_frame_is_a_pose():
    r = robot("delta")
    draw(r, gough.Frame.from_matrix(r.home_pose))
