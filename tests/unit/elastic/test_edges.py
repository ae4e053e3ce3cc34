"""Elastic machines at the edge: free motors, no state at all, spinning bars, cut pairs of modes."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from elastic_machines import STEEL, beam_body, with_axes, with_gears
from gough.errors import InputError, SingularPose
from robots import robot


def five_bar():
    return with_gears(robot("five_bar"), 3e4)


def test_stiffness_of_a_platform_that_nothing_holds_is_refused():
    """It is zero along some direction: infinite entries would be the contrary of it."""
    with pytest.raises(InputError, match="its motors are free"):
        gough.elasticity(five_bar(), drives="free").stiffness  # noqa: B018
    # both distal bars in one line: 0.42 m each, feet at +-0.16 m, proximal bars of 0.3 m
    height = np.sqrt(0.3**2 - (0.42 - 0.16) ** 2)
    T = gough.state(five_bar(), np.array([0.0, height])).T_0p
    with pytest.raises(SingularPose, match="can still move"):
        gough.elasticity(five_bar(), T).stiffness  # noqa: B018


@pytest.mark.filterwarnings("ignore:five_bar is unstable under its loads:gough.GoughWarning")
@pytest.mark.parametrize("count", [3, 64])
def test_singular_postures_of_a_batch_are_nan_if_that_is_asked_for(count):
    """Few postures, and many: other ways to the same figures."""
    own, height = five_bar(), np.sqrt(0.3**2 - (0.42 - 0.16) ** 2)
    places = np.column_stack([np.zeros(count), np.linspace(0.5, height + 0.01, count)])
    places[1] = 0.0, height
    T = gough.state(own, places).T_0p
    e = gough.elasticity(own, T, on_error="nan")
    for found in (e.compliance, e.stiffness, e.deflection().platform, e.compensation().offsets):
        refused = np.isnan(found).reshape(count, -1).any(axis=1)
        assert refused.nonzero()[0].tolist() == [1]
    assert isinstance(e.failed[(1,)], SingularPose)
    assert len(e.failed) == 1
    with pytest.raises(InputError, match="its motors are free"):  # a slip in any posture
        gough.elasticity(own, T, drives="free", on_error="nan").compliance  # noqa: B018


@pytest.mark.parametrize("count", [0, 2])
def test_batches_without_any_posture_have_shapes_too(count):
    """None at all, or all refused: NaN of the same shapes as of any other batch."""
    own = five_bar()
    T = np.tile(own.home_pose, (count, 1, 1))
    good = gough.elasticity(own, np.tile(own.home_pose, (3, 1, 1)))
    T[:, 0, 3] += 5.0
    e = gough.elasticity(own, T, on_error="nan")
    assert len(e.failed) == count
    for found, expected in (
        (e.deflection(), good.deflection()),
        (e.compensation(), good.compensation()),
        (e.vibrations(3), good.vibrations(3)),
    ):
        for name, values in vars(expected).items():
            if isinstance(values, np.ndarray):
                assert getattr(found, name).shape == (count, *values.shape[1:])
                assert np.isnan(getattr(found, name)).all()
        assert str(found)
        assert found.columns()
    for group in ("bodies", "joints", "axes"):
        own_shapes, shapes = (
            {name: values.shape[1:] for name, values in getattr(each.deflection(), group).items()}
            for each in (e, good)
        )
        assert own_shapes == shapes


def let_go(own):
    """A machine of which no joint says ``idle: locked``."""
    return replace(own, joints=tuple(replace(joint, idle="") for joint in own.joints))


def test_bars_that_spin_do_not_move_the_platform_at_rest():
    """Rounding of their spin, divided by a frequency of zero, is no response."""
    own = with_gears(let_go(robot("sps_hexapod")), 1e6)
    e = gough.elasticity(own)
    assert e.vibrations(1).free == 6
    slow, creeping = e.response([0.0, 1e-3]).receptance
    assert np.abs(slow - e.compliance).max() < 1e-9 * np.abs(e.compliance).max()
    assert np.abs(creeping - slow).max() < 1e-8 * np.abs(slow).max()


def test_a_response_at_rest_of_free_motors_is_refused():
    e = gough.elasticity(five_bar(), drives="free")
    with pytest.raises(InputError, match="its motors are free"):
        e.response([0.0, 1.0])
    assert np.isfinite(e.response([1.0]).receptance).all()
    with pytest.raises(InputError, match="numbers in a row"):
        e.response([])


@pytest.mark.parametrize("name", ["sps_hexapod", "ucs_hexapod", "delta_with_balls"])
def test_bars_that_spin_stay_free_under_load(name):
    """Loads give their spin something of second order, either sign: no stiffness, no buckling.

    What loads do to frequencies is inverse to the stiffness, so both machines change alike.
    """
    changes = []
    for stiffness in (1e5, 1e8):
        held = with_gears(robot(name), stiffness)
        own = let_go(held)
        plain, loaded = (gough.elasticity(own, preload=p).vibrations(3) for p in (False, True))
        assert loaded.free == plain.free == 6
        # of bodies of revolution it is the same whether a brake holds their spin
        still = gough.elasticity(held, preload=True).vibrations(3)
        assert still.free == 0
        assert still.frequencies == pytest.approx(loaded.frequencies, rel=1e-7)
        changes.append(stiffness * (loaded.frequencies / plain.frequencies - 1.0))
    # 1e-2: terms of second order; changes of 1e-10 have six digits left
    assert changes[0] == pytest.approx(changes[1], rel=1e-2, abs=1e-2 * np.abs(changes[1]).max())


def test_a_free_rotor_without_inertia_does_not_shake():
    """Its spring has nothing to shake: no frequency at all, instead of one of rounding."""
    own = with_axes(five_bar(), lambda _, axis: replace(axis, rotor_inertia=0.0))
    v = gough.elasticity(own, drives="free").vibrations(4)
    assert v.free == 2
    assert np.isnan(v.frequencies).all()
    one = gough.elasticity(own, drives={own.motors[0]: "free"}).vibrations(4)
    assert one.free == 1
    assert np.isfinite(one.frequencies).sum() == 1


def test_what_moves_without_the_platform_is_named():
    """Bars that spin out of balance: nothing holds their weight, and the platform does not move."""
    own = with_gears(robot("sps_hexapod"), 1e6)
    bodies = tuple(
        replace(body, center=tuple(np.add(body.center, (0.001, 0.002, 0.0))))
        if body.name != own.platform
        else body
        for body in own.bodies
    )
    own = replace(own, bodies=bodies)
    with (
        pytest.warns(gough.errors.GoughWarning, match="set free it would change"),
        pytest.raises(SingularPose, match=r"the platform stands still, '(cyl|rod)\d' moves along"),
    ):
        gough.elasticity(let_go(own)).deflection()
    with pytest.warns(gough.errors.GoughWarning, match="not of revolution"):
        held = gough.elasticity(own).deflection().platform
    assert np.isfinite(held).all()
    with (
        pytest.warns(gough.errors.GoughWarning, match="not of revolution"),
        pytest.raises(gough.errors.FrozenFreedom, match=r"bears a moment of .* under load"),
    ):
        gough.elasticity(own, preload=True)


@pytest.mark.parametrize("modes", [1, 2, 3, 4])
def test_pairs_of_modes_are_not_cut(modes):
    """Of a round beam any direction across is as good as another: frequencies must not tell.

    Its second body is turned about the beam's axis; what a mode stands for turns along.
    """
    found = []
    for angle in (0.0, 0.4):
        tube = gough.Beam(gough.Tube(0.02, 0.017), STEEL, [[0.0, 0.0, 0.0], [0.0, 0.0, 0.8]])
        own = beam_body("bar", tube)
        c, s = np.cos(angle), np.sin(angle)
        turn = gough.Frame(rotation=[[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        top = gough.Frame((0.0, 0.0, 0.8), turn.rotation)
        tip = gough.Body("tip", 2.0, (0.05, 0.0, 0.1), np.diag([0.02, 0.03, 0.01]).tolist())
        joints = (
            gough.Joint("clamp", "fixed", "base", "bar", gough.Frame(), turn),
            gough.Joint("screw", "fixed", "bar", "tip", top, gough.Frame()),
        )
        machine = gough.Robot("mast", (own, tip), joints, "tip")
        found.append(gough.elasticity(machine, modes=modes).vibrations(8).frequencies)
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_loads_that_are_too_large_for_a_linear_answer_are_said():
    """A payload of 1e12 kg: what gives way is told, and that no machine of this size does."""
    own = five_bar()
    small = gough.elasticity(own).deflection()
    assert small.findings == ()
    heavy = gough.elasticity(own, loads=gough.Loads(payload=gough.Payload(1e12)))
    with pytest.warns(gough.GoughWarning, match="displacements are linear in loads up to about"):
        far = heavy.deflection()
    with pytest.warns(gough.GoughWarning, match="linear in loads"):
        assert heavy.compensation().findings == far.findings
    assert ("finding", far.findings[0]) in list(far.lines())
    assert far.to_dict()["findings"] == list(far.findings)
    with pytest.warns(gough.GoughWarning, match="it sags by up to .* at 4 of 4 points"):
        gough.workspace(own, x=(-0.05, 0.05, 2), y=(0.4, 0.45, 2), elastic="sag", loads=heavy.loads)


def test_an_elastic_motion_that_leaves_its_plan_too_far_says_so():
    own = with_gears(robot("five_bar"), 3.0)
    move = gough.motion.point_to_point(own, None, [0.05, 0.45], duration=0.1)
    with pytest.warns(gough.GoughWarning, match="the platform leaves the motion by"):
        found = gough.elastic_motion(own, move, rate=2000.0)
    assert any("linear in forces" in note for note in found.notes)


def test_a_simulation_says_that_it_is_rigid():
    """Only where there is something that it leaves out: springs are simulated."""
    own, plain = five_bar(), robot("five_bar")
    efforts = np.zeros(2)
    (told,) = gough.simulate(own, own.home_pose, efforts, 0.002).findings
    assert "rigid bodies, without its elastic data of transmissions ('foot1' and 'foot2')" in told
    assert gough.simulate(plain, plain.home_pose, efforts, 0.002).findings == ()
    many = gough.simulate(own, np.stack([own.home_pose] * 2), efforts, 0.002)
    assert many.findings == (told,)
