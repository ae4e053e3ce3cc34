"""Closed forms: found by structure, equal to Newton's method, without trigonometry."""

import dataclasses

import numpy as np
import pytest

import gough
import machines
from gough.base.spatial import E_Z, cross, pose, rotation_exp, rotation_z
from gough.errors import InconsistentPose, UnreachablePose
from gough.geometry.closed_form.reach import decides
from gough.geometry.closed_form.search import closed_form, find_closed_form
from gough.geometry.closed_form.steps import swing
from gough.geometry.newton import AssembledState
from gough.geometry.walk import configuration_at
from gough.mechanism.closure.coordinates import pack
from gough.mechanism.mobility.assembly import assemble
from machines import BASE, MACHINES, Drawing
from masks import masked
from robots import ALL_NAMES, random_freedoms, robot

# three skew revolutes and a ball; a body of the hub that hangs on legs alone; couplings
WITHOUT = {"six_rrrs", "stranger_in_the_hub", "screw_pendulum"}
WITHOUT |= {"rack", "geared_five_bar"}
WITH = [name for name in ALL_NAMES if name not in WITHOUT]


def _poses(name, count=12, amplitude=0.15):
    x = random_freedoms(name, count, amplitude, seed=4)
    states, failed = masked(gough.state(robot(name), *x, on_error="nan"))
    assert failed.sum() < count / 2
    return states.T_0p[~failed]


def _spins(name):
    """Entries of packed coordinates that an idle spin leaves open."""
    return bool(robot(name).assembly.idle)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_which_robots_have_one(name):
    assert (closed_form(robot(name).assembly) is not None) is (name in WITH)


@pytest.mark.parametrize("name", WITH)
def test_equals_newton(name):
    """Rounding only; a machine is walked from home by Newton's method, without closed form."""
    a = robot(name).assembly
    form = closed_form(a)
    for T in _poses(name):
        found, margins = form.evaluate(T)
        at = a.equations(T, found)
        assert all(np.isfinite(m) and 0.0 < m < 1.0 + 1e-12 for m in margins)
        assert a.closure_error(at) < 1e-13
        walked = configuration_at(a, T, start=AssembledState(*a.start))
        if _spins(name):  # the spin of an S-S bar is nobody's figure: compare the motors
            q = gough.geometry.inverse.motor_positions(a, at)
            expected = gough.geometry.inverse.motor_positions(a, a.equations(T, walked))
            np.testing.assert_allclose(q, expected, rtol=0, atol=1e-12 * max(1.0, a.length))
        else:
            scale = max(1.0, a.length)
            np.testing.assert_allclose(pack(found), pack(walked), rtol=0, atol=1e-12 * scale)


@pytest.mark.parametrize("name", WITH)
def test_no_trigonometry(name):
    """Sums, products, quotients and roots; only a screw must know its angle."""
    r = robot(name)
    functions = gough.trace.count(gough.trace.program(r, "closed_form")).functions
    assert functions == 0 or any(joint.kind == "helical" for joint in r.joints)


def test_structure_not_names():
    """Other names, other order, other frames: the same steps."""
    r = robot("gough_stewart")
    names = {b.name: f"x{i * 7 % 31}" for i, b in enumerate(r.bodies)}
    bodies = tuple(dataclasses.replace(b, name=names[b.name]) for b in reversed(r.bodies))
    joints = tuple(
        dataclasses.replace(
            j,
            name=f"j{i}",
            parent=names.get(j.parent, j.parent),
            child=names.get(j.child, j.child),
        )
        for i, j in enumerate(r.joints)
    )
    number = {j.name: f"j{i}" for i, j in enumerate(r.joints)}
    motors = tuple(number[m] for m in r.motors)
    home = {names[body]: frame for body, frame in r.home.bodies.items()}
    other = dataclasses.replace(
        r,
        bodies=bodies,
        joints=joints,
        motors=motors,
        platform=names[r.platform],
        home=gough.Home(home),
    )
    T = _poses("gough_stewart", 3)
    assert closed_form(other.assembly) is not None
    np.testing.assert_allclose(
        gough.inverse_kinematics(other, T), gough.inverse_kinematics(r, T), atol=1e-13
    )


def test_home_picks_the_branch():
    """The other elbow at home gives the other elbow everywhere."""
    r = robot("three_rrr")
    T = _poses("three_rrr", 5, 0.05)
    q = gough.inverse_kinematics(r, T)
    a = r.assembly
    bodies = {n: gough.Frame.from_matrix(p) for n, p in _mirrored_elbow(r).items()}
    other = dataclasses.replace(r, home=gough.Home(bodies))
    q_other = gough.inverse_kinematics(other, T)
    assert closed_form(other.assembly) is not None
    assert np.abs(q_other - q)[:, 0].min() > 0.1
    np.testing.assert_allclose(q_other[:, 1:], q[:, 1:], atol=1e-12)
    assert a.mobility == other.mobility


def _mirrored_elbow(r):
    """Body poses at home with the first leg's elbow on the other side of foot and wrist."""
    poses = dict(gough.posture(r, r.home_pose).bodies)
    foot = next(j for j in r.joints if r.base in (j.parent, j.child))
    leg = foot.child if foot.parent == r.base else foot.parent
    elbow = next(j for j in r.joints if leg in (j.parent, j.child) and j is not foot)
    distal = elbow.child if elbow.parent == leg else elbow.parent

    def point(joint, body):
        frame = joint.parent_frame if joint.parent == body else joint.child_frame
        return (poses[body] @ frame.matrix)[:3, 3]

    wrist = next(j for j in r.joints if distal in (j.parent, j.child) and j is not elbow)
    A, E, P = point(foot, leg), point(elbow, leg), point(wrist, distal)
    x = (P - A) / np.linalg.norm(P - A)
    E_other = A + 2.0 * x * ((E - A) @ x) - (E - A)

    def turned(body, pivot, before, after):
        angle = np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0])
        T = gough.base.spatial.pose(gough.base.spatial.rotation_z(angle), np.zeros(3))
        T[:3, 3] = pivot[1] - T[:3, :3] @ pivot[0]
        return T @ poses[body]

    moved = {leg: turned(leg, (A, A), E - A, E_other - A)}
    moved[distal] = turned(distal, (P, P), E - P, E_other - P)
    return poses | moved


@pytest.mark.parametrize("name", ["hexapod_6rus", "delta", "three_rrr", "orthoglide"])
def test_out_of_reach_is_told(name):
    """A pose beyond reach names the leg; just inside, the answer is still closed."""
    r = robot(name)
    a = r.assembly
    form = closed_form(a)
    x = a.chart.coordinates(a.T_home)[list(a.free)]
    direction = np.array([1.0, 0.3, 0.2, 0.0, 0.0, 0.0])[: a.mobility] * a.scales.freedoms

    def margin(t):
        T = a.chart.pose(_full(a, x + t * direction))
        with np.errstate(invalid="ignore"):
            return np.nan_to_num(np.min(form.evaluate(T)[1]), nan=-1.0)

    low, high = 0.0, 0.05
    while margin(high) > 0.0:
        low, high = high, 1.5 * high
        assert high < 100.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if margin(middle) > 0.0 else (low, middle)
    beyond = a.chart.pose(_full(a, x + 1.02 * high * direction))
    with pytest.raises(UnreachablePose, match="leg '"):
        gough.inverse_kinematics(r, beyond)
    inside = a.chart.pose(_full(a, x + 0.98 * low * direction))
    at = gough.geometry.inverse.posed(a, inside)
    assert a.closure_error(at) < 1e-12


def _full(a, x):
    y = a.chart.coordinates(a.T_home)
    y[list(a.free)] = x
    return y


def test_an_inexact_pose_is_shared_out():
    """Nine digits of a pose are enough, also where the machine is over-constrained."""
    r = robot("orthoglide")
    T = _poses("orthoglide", 3).round(9)
    exact = _poses("orthoglide", 3)
    np.testing.assert_allclose(
        gough.inverse_kinematics(r, T), gough.inverse_kinematics(r, exact), atol=1e-8
    )


def test_a_branch_of_the_hub_may_be_closed_too():
    """Another choice of hub finds its closed form as well, with the same motors."""
    r = robot("delta")
    arms = [b.name for b in r.bodies if b.name.startswith("bar")][:1]
    other = assemble(r, arms)
    form = find_closed_form(other)
    for T in _poses("delta", 3):
        if form is None:
            pytest.fail("no closed form")
        found, _ = form.evaluate(T)
        assert other.closure_error(other.equations(T, found)) < 1e-13


def test_swing_is_the_smallest_rotation():
    rng = np.random.default_rng(2)
    for _ in range(20):
        a, b = rng.normal(size=(2, 3))
        b *= np.linalg.norm(a) / np.linalg.norm(b)
        R = swing(a, b)
        np.testing.assert_allclose(R @ a, b, atol=1e-12)
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(R @ np.cross(a, b), np.cross(a, b), atol=1e-12)


def test_machines_are_covered():
    assert {build.__name__ for build in MACHINES} <= set(ALL_NAMES)


KINDS = {"R": "revolute", "P": "prismatic", "U": "universal", "S": "spherical"}


def _around(degrees):
    """Directions outwards and sideways of a leg."""
    angle = np.radians(degrees)
    out = np.array([np.cos(angle), np.sin(angle), 0.0])
    return out, cross(E_Z, out)


def _drawn(name, legs, top, seed, motors=()):
    """A machine of legs [(letter, point, axis, second axis), ...], driven by its first slides."""
    d = Drawing(seed)
    d.body("platform", top)
    slides = []
    for i, leg in enumerate(legs):
        names = [f"{letter.lower()}{i}{j}" for j, (letter, *_) in enumerate(leg)]
        bodies = [BASE, *(d.body(f"b{i}{j}", p) for j, (_, p, *_) in enumerate(leg[:-1]))]
        bodies.append("platform")
        for j, (letter, point, axis, *second) in enumerate(leg):
            kind = KINDS[letter]
            d.joint(names[j], kind, bodies[j], bodies[j + 1], point, axis, *second)
        slides += [n for n in names if n[0] == "p"][:1]
    return d.robot(name, "platform", motors or slides, top)


def _planar(word):
    """Planar machine of three legs, their slides oblique."""
    legs = []
    for degrees in (80.0, 205.0, 335.0):
        out, side = _around(degrees)
        points = (0.6 * out, 0.4 * out + 0.22 * side, 0.15 * out - 0.02 * side)
        slides = (0.3 * out + 0.95 * side, out + 0.2 * side, side + 0.4 * out)
        axes = [E_Z if letter == "R" else slide for letter, slide in zip(word, slides, strict=True)]
        legs.append(list(zip(word, points, axes, strict=True)))
    return _drawn(f"planar_3{word}", legs, np.array([0.01, 0.02, 0.0]), 20)


def _tripteron():
    """3-PRRR: each leg a slide and three turns along one axis, the axes at right angles."""
    top, legs = np.array([0.3, 0.28, 0.32]), []
    for i in range(3):
        x, y, z = np.roll(np.eye(3), -i, axis=0)
        foot, knee, tip = top - 0.5 * y + 0.1 * x, top - 0.2 * y + 0.22 * z, top - 0.05 * y
        legs.append([("P", foot, x), ("R", foot, x), ("R", knee, x), ("R", tip, x)])
    return _drawn("tripteron", legs, top, 21)


def _upu():
    """3-UPU that translates: outer axes parallel, inner axes parallel."""
    top, legs = np.array([0.02, 0.03, 0.7]), []
    for degrees in (5.0, 118.0, 247.0):
        out, side = _around(degrees)
        foot, tip = 0.6 * out, top + 0.2 * out
        inner = cross(side, tip - foot)
        legs.append([("U", foot, side, inner), ("P", foot, tip - foot), ("U", tip, inner, side)])
    return _drawn("upu", legs, top, 22)


OTHERS = {
    **{f"planar 3-{word}": lambda word=word: _planar(word) for word in ("RPR", "PRR", "PRP")},
    "tripteron 3-PRRR": _tripteron,
    "3-UPU": _upu,
}
# one root a leg for a distance, one more for a universal joint
ROOTS = {
    "planar 3-RPR": 3,
    "planar 3-PRR": 3,
    "planar 3-PRP": 0,
    "tripteron 3-PRRR": 3,
    "3-UPU": 6,
}


@pytest.mark.parametrize("name", OTHERS)
def test_legs_that_are_not_in_the_zoo(name):
    """Found by structure, equal to Newton's method and to the trace, with no root too many."""
    r = OTHERS[name]()
    a = r.assembly
    assert a.mobility == 3
    form = closed_form(a)
    program, reach = (gough.trace.program(r, name) for name in ("closed_form", "reach"))
    assert sum(step.branches for step in form.steps) == ROOTS[name]
    x = a.chart.coordinates(a.T_home)[list(a.free)]
    rng = np.random.default_rng(1)
    for _ in range(6):
        T = gough.state(r, x + 0.12 * a.scales.freedoms * rng.uniform(-1.0, 1.0, 3)).T_0p
        found, margins = form.evaluate(T)
        assert a.closure_error(a.equations(T, found)) < 1e-13
        walked = configuration_at(a, T, start=AssembledState(*a.start))
        np.testing.assert_allclose(pack(found), pack(walked), rtol=0, atol=1e-12)
        traced = gough.trace.run(program, {"T_0p": T})
        np.testing.assert_allclose(traced["coordinates"], pack(found), rtol=0, atol=1e-13)
        traced = gough.trace.run(reach, {"T_0p": T})
        np.testing.assert_allclose(traced["margins"], margins, rtol=0, atol=1e-12)


def test_a_turn_between_slides_has_no_limit():
    """The turn of a P-R-P leg is read off, whole: half a turn of the platform is no border."""
    r = _planar("PRP")
    T = r.home_pose
    turned = [pose(rotation_z(angle) @ T[:3, :3], T[:3, 3]) for angle in np.linspace(-3.0, 3.0, 13)]
    form = closed_form(r.assembly)
    for at in turned:
        found, _ = form.evaluate(at)
        assert r.assembly.closure_error(r.assembly.equations(at, found)) < 1e-13


def test_a_pose_that_only_stretched_joints_reach_is_refused():
    """A ball and a universal joint: every loop closes at any pose, if a ball may distort."""
    hook, top = np.array([0.2, 0.1, 0.4]), np.array([0.1, 0.3, 0.6])
    second = cross(hook, E_Z)
    leg = [("S", np.zeros(3), E_Z), ("U", hook, E_Z, second)]
    r = _drawn("tail", [leg], top, 21, ("u01.first", "u01.second"))
    a = r.assembly
    assert a.mobility == 5
    assert closed_form(a) is not None
    T = a.T_home
    with pytest.raises(InconsistentPose):
        gough.inverse_kinematics(r, pose(T[:3, :3], T[:3, 3] + 0.01 * hook))
    R = rotation_exp(np.array([0.3, -0.2, 0.1]))
    away = pose(R @ T[:3, :3], (1.0 + 1e-9) * hook + R @ (T[:3, 3] - hook))
    nearly = configuration_at(a, away).legs[0][0]
    np.testing.assert_allclose(nearly @ nearly.T, np.eye(3), rtol=0, atol=1e-14)


def test_home_near_a_singularity():
    """Samples beyond a stretched leg lie on the other branch; home's is taken all the same."""
    r = robot("three_rrr")
    a = r.assembly
    T = _nearly_stretched(r)
    bodies = {n: gough.Frame.from_matrix(p) for n, p in gough.posture(r, T).bodies.items()}
    home = gough.Home({n: frame for n, frame in bodies.items() if n != r.base})
    other = dataclasses.replace(r, home=home)
    form = closed_form(other.assembly)
    assert form is not None
    assert min(form.evaluate(T)[1]) < 0.01
    poses = _poses("three_rrr", 4)
    np.testing.assert_allclose(
        gough.inverse_kinematics(other, poses), gough.inverse_kinematics(r, poses), atol=1e-10
    )
    assert a.mobility == other.mobility


def _nearly_stretched(r):
    """A pose of the platform in which one leg is nearly stretched out or folded."""
    form, a = closed_form(r.assembly), r.assembly
    for d in np.linspace(0.0, 1.0, 4001):
        T = a.T_home.copy()
        T[:3, 3] += d * a.length * np.array([0.6, 0.8, 0.0])
        with np.errstate(invalid="ignore"):
            if min(form.evaluate(T)[1]) < 0.002:
                return T
    pytest.fail("no leg is ever stretched out")
    return None


def test_a_root_whose_sign_changes_on_the_way_proves_nothing():
    """A crank in line with the table that it carries: the table's second pivot leads it on."""
    r = machines.grounded_parallelogram(shift=0.05)
    assert closed_form(r.assembly) is not None
    assert not decides(r.assembly)
    q = gough.inverse_kinematics(r, r.home_pose) + np.linspace(0.0, 0.74, 38)[:, None] * [1.0, 0.0]
    poses = gough.track(r, q).T_0p
    # 3 of them were taken for out of reach, by the sign that the table's angle has at home
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            found = gough.inverse_kinematics(r, poses)
        assert found == pytest.approx(q, abs=1e-10)
