"""Assembly modes in pictures: joints where the branch has them, one view and one scale for all."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import gough
from gough.errors import InputError
from gough.report.drawing import draw, draw_modes, scenes
from gough.report.drawing.figure import assembled_scenes
from robots import robot


def modes_of(name):
    r = robot(name)
    q = [r.assembly.home_values[m] for m in r.motors]
    return r, gough.forward_kinematics(r, q)


def marks(scene):
    return {mark.joint: mark.position for mark in scene.marks}


def test_a_branch_is_drawn_with_its_own_joints():
    """The five-bar's other mode: elbows where the motors hold them, the tip on their other side."""
    r, modes = modes_of("five_bar")
    home, other = marks(scenes(r)[0]), modes[1]
    at = marks(scenes(r.rehomed(other))[0])
    for joint in ("foot1", "foot2", "elbow1", "elbow2"):
        np.testing.assert_allclose(at[joint], home[joint], atol=1e-12)
    np.testing.assert_allclose(at["wrist2"], other.T_0p[:3, 3], atol=1e-12)
    assert np.linalg.norm(at["wrist2"] - home["wrist2"]) > 0.1
    for elbow in ("elbow1", "elbow2"):
        np.testing.assert_allclose(np.linalg.norm(at[elbow] - at["wrist2"]), 0.42, atol=1e-12)


def test_legs_that_are_bent_the_other_way():
    """A 3-RRR at home, its elbows mirrored in the lines from feet to platform joints."""
    r = robot("three_rrr")
    home, T = marks(scenes(r)[0]), r.home_pose
    feet = np.array([home[f"foot{k}"] for k in (1, 2, 3)])
    elbows = np.array([home[f"elbow{k}"] for k in (1, 2, 3)])
    along = np.array([home[f"wrist{k}"] for k in (1, 2, 3)]) - feet
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    inside = ((elbows - feet) * along).sum(axis=1, keepdims=True) * along
    mirrored = 2.0 * inside - (elbows - feet)
    modes = gough.forward_kinematics(r, np.arctan2(mirrored[:, 1], mirrored[:, 0]))
    there = next(mode for mode in modes if np.abs(mode.T_0p - T).max() < 1e-9)
    at = marks(scenes(r.rehomed(there), T)[0])
    for k, expected in enumerate(feet + mirrored, start=1):
        np.testing.assert_allclose(at[f"elbow{k}"], expected, atol=1e-9)
        np.testing.assert_allclose(at[f"wrist{k}"], home[f"wrist{k}"], atol=1e-9)


def test_a_pose_beside_a_mode():
    r, modes = modes_of("five_bar")
    later = gough.forward_kinematics(r, np.add(modes.q_a, (0.01, -0.02)))
    (seen,) = scenes(r.rehomed(modes[1]), later[1].T_0p)
    (own,) = scenes(r.rehomed(later[1]))
    for joint, at in marks(seen).items():
        np.testing.assert_allclose(at, marks(own)[joint], atol=1e-10)


def test_modes_are_drawn_with_their_own_joints():
    """Side by side as each by itself, at home there."""
    r, modes = modes_of("five_bar")
    both = assembled_scenes(r.assembly, [r.assembly.equations(*mode.branch) for mode in modes])
    tips = np.array([marks(scene)["wrist2"] for scene in both])
    np.testing.assert_allclose(tips, modes.poses[:, :3, 3], atol=1e-12)
    for mode, scene in zip(modes, both, strict=True):
        (own,) = scenes(r.rehomed(mode))
        for joint, at in marks(scene).items():
            np.testing.assert_allclose(at, marks(own)[joint], atol=1e-10)
    (axes,) = draw(r.rehomed(modes[1]), np.stack([modes[1].T_0p] * 2)).axes
    assert len(axes.patches) > len(draw(r).axes[0].patches)


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps"])
def test_side_by_side_in_one_view_and_scale(name):
    r, modes = modes_of(name)
    figure = draw_modes(modes)
    panels = figure.axes
    assert len(panels) == len(modes)
    limits = {(*a.get_xlim(), *a.get_ylim()) for a in panels}
    assert len(limits) == 1
    if r.assembly.mobility == 3:
        assert len({(a.elev, a.azim, a.get_zlim()) for a in panels}) == 1
    written = [text.get_text() for text in figure.texts]
    assert written[0] == f"{name}: {len(modes)} assembly modes"
    for mode, text in zip(modes, written[1:], strict=True):
        assert text.startswith(f"{mode.name}\ncondition ")
        assert abs(float(text.split()[-1]) / mode.condition - 1.0) < 0.01
    figure.set_dpi(30)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    # nothing written is cut off, and no panel hides its neighbour
    edge = figure.bbox
    for text in figure.texts:
        box = text.get_window_extent()
        assert edge.x0 <= box.x0 <= box.x1 <= edge.x1
        assert edge.y0 <= box.y0 <= box.y1 <= edge.y1
    assert len({round(a.get_position().y0, 9) for a in panels}) == (1 if name == "five_bar" else 2)


def test_how_many_and_what_is_refused():
    _, modes = modes_of("tilt_3rps")
    figure = draw_modes(modes, most=3, columns=2, title="Ways to stand")
    assert len(figure.axes) == 3
    assert figure.texts[0].get_text() == "Ways to stand"
    assert len(draw_modes(modes, most=1).axes) == 1
    assert "the first 3 of them" in draw_modes(modes, most=3).texts[0].get_text()
    for wrong in ({"most": 0}, {"most": 2.5}, {"columns": True}, {"view": (1.0,)}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            draw_modes(modes, **wrong)
    with pytest.raises(InputError, match="expected assembly modes"):
        draw_modes(modes.poses)
    none = gough.forward_kinematics(robot("five_bar"), [np.pi, 0.0])
    with pytest.raises(InputError, match="nothing to draw"):
        draw_modes(none)
