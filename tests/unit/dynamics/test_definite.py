"""Motions without inertia: direct dynamics has no answer, and says so at every door."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.errors import DescriptionWarning, SingularInertia
from gough.robot.file.reading import loads
from gough.robot.file.writing import dumps
from machines import pendulum
from masks import masked
from robots import robot

METHODS = ("legs", "elements", "screws", "tree")
NOTHING = ((0.0, 0.0, 0.0),) * 3


def without(r, *, keep=(), inertia=NOTHING):
    """A robot of massless links and no rotors, but for some bodies, which get an inertia."""
    bodies = tuple(
        dataclasses.replace(b, inertia=inertia)
        if b.name in keep
        else gough.Body(b.name, massless=True)
        for b in r.bodies
    )
    joints = tuple(
        dataclasses.replace(
            j,
            axes=tuple(
                dataclasses.replace(a, rotor_inertia=0.0, transmission=None) for a in j.axes
            ),
        )
        for j in r.joints
    )
    return dataclasses.replace(r, bodies=bodies, joints=joints)


def point_hexapod():
    """A hexapod whose platform is a point mass on massless legs."""
    r = robot("gough_stewart")
    return without(r, keep=(r.platform,))


def point_planar():
    """A planar machine whose platform is a point mass on massless legs."""
    r = robot("three_rrr")
    return without(r, keep=(r.platform,))


def light_last_link():
    """A pendulum whose mass lies on its axis."""
    r = pendulum()
    joint = r.joints[0]
    frame = joint.child_frame if joint.child == "bob" else joint.parent_frame
    return dataclasses.replace(r, bodies=(gough.Body("bob", 1.0, frame.position),))


@pytest.mark.parametrize(
    ("engine", "make"),
    [
        ("numpy", point_hexapod),
        ("numpy", light_last_link),
        ("compiled", point_planar),  # kernels of a hexapod by four methods take seconds
        ("compiled", light_last_link),
    ],
)
def test_forward_dynamics_is_refused_by_every_method_and_engine(make, engine):
    r = make()
    T, tau = r.home_pose, np.ones(len(r.motors))
    for method in METHODS:
        with (
            pytest.raises(SingularInertia, match="rotate about") as caught,
            gough.options(engine=engine),
        ):
            gough.forward_dynamics(r, T, tau, method=method)
        assert r.platform in caught.value.bodies
    many = np.broadcast_to(T, (70, 4, 4))
    with pytest.raises(SingularInertia, match="sample 0"), gough.options(engine=engine):
        gough.forward_dynamics(r, many, tau)
    with gough.options(engine=engine):
        found, failed = masked(gough.forward_dynamics(r, many, tau, on_error="nan").Vdot_0p)
    assert failed.all()
    assert np.isnan(found).all()


def test_the_other_doors(tmp_path):
    r = point_hexapod()
    T, rest = r.home_pose, np.zeros(6)
    with pytest.raises(SingularInertia):
        gough.simulate(r, T, np.zeros(6), 1e-2)
    with pytest.raises(SingularInertia):
        gough.export_c(r, "forward_dynamics", tmp_path)
    assert gough.compile(r, "forward_dynamics")(T, rest, np.zeros(6))["doubt"].sum() >= 1.0
    tau = gough.inverse_dynamics(r, T)  # efforts need no inverse of the inertia
    assert np.isfinite(tau).all()
    certificate = gough.audit(r, T)
    assert not certificate.passed
    assert "without inertia" in str(certificate)
    several = gough.audit(r, gough.State.stack([gough.State(T, rest, rest)] * 9)).inertia
    np.testing.assert_allclose(several, np.full(9, certificate.inertia), atol=1e-15)
    (finding,) = gough.doctor(r).find("no-inertia")
    assert r.platform in finding.bodies
    with pytest.warns(DescriptionWarning, match="nothing has inertia"):
        loads(dumps(r))


def test_a_machine_without_any_mass_is_refused_by_name():
    r = without(robot("five_bar"))
    T = r.home_pose
    for engine in ("numpy", "compiled"):
        with pytest.raises(SingularInertia), gough.options(engine=engine):
            gough.forward_dynamics(r, T, np.zeros(2))
    with pytest.raises(SingularInertia):
        gough.compile(r, "forward_dynamics")


def test_masses_of_a_simulation_give_what_is_missing():
    r = light_last_link()
    inertias = np.array([np.diag([0.1, 0.2, 0.3])])
    run = gough.simulate(r, r.home_pose, None, 5e-3, parameters={"inertias": inertias})
    assert run.event is None
    with pytest.raises(SingularInertia):
        gough.simulate(r, r.home_pose, None, 5e-3)


def test_beside_a_stretched_leg_inertia_is_not_to_blame():
    """A five-bar a millionth of a radian before its leg is straight has inertia all the same."""
    r = robot("five_bar")
    p = gough.posture(r, r.home_pose)
    from gough.dynamics import legs
    from gough.dynamics.shared.definite import smallest_inertia
    from gough.dynamics.shared.state_loads import StateLoads
    from gough.kinematics.inverse import regular
    from gough.kinematics.motion import Kinematics

    solution = regular(r.assembly, r.home_pose)
    M = legs.inertia_matrix(Kinematics(r.assembly, solution), StateLoads(r.assembly.gravity))
    squeezed = np.array([[1.0, 1e-7], [0.0, 1e-7]])  # other freedoms for the same motions
    expected = smallest_inertia(r.assembly, solution.Psi, M)
    found = smallest_inertia(r.assembly, solution.Psi @ squeezed, squeezed.T @ M @ squeezed)
    assert found > 1e-3
    assert expected > 1e-3
    assert p.closure < 1e-10


def test_a_payload_gives_what_is_missing():
    r = point_planar()
    T, tau = r.home_pose, np.ones(len(r.motors))
    payload = gough.Payload(2.0, (0.0, 0.0, 0.1), np.diag([0.02, 0.03, 0.04]))
    found = []
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            found += [
                gough.forward_dynamics(r, T, tau, loads=gough.Loads(payload=payload), method=m)
                for m in METHODS
            ]
    found = [state.Vdot_0p for state in found]
    # accelerations of some 10 m/s^2; those out of the plane are zero, or 1e-30
    np.testing.assert_allclose(found, found[:1] * len(found), rtol=1e-8, atol=1e-15)
    run = gough.simulate(r, T, tau, 1e-2, loads=gough.Loads(payload=payload))
    assert run.event is None


@pytest.mark.parametrize("size", [1.0, 1e-3])
def test_a_small_platform_on_a_large_machine_is_no_point(size):
    """Moments of inertia of a millionth of what its mass has at the machine's size are enough."""
    r = robot("gough_stewart")
    mass = r.body(r.platform).mass
    moments = np.diag([1.0, 1.1, 1.3]) * mass * (1e-3 * size) ** 2
    r = without(r, keep=(r.platform,), inertia=tuple(map(tuple, moments)))
    T, rest = r.home_pose, np.zeros(6)
    tau = gough.inverse_dynamics(r, gough.State(T, rest, np.array([0.1, 0.2, 0.3, 1.0, -2.0, 0.5])))
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            back = gough.forward_dynamics(r, T, tau).Vdot_0p
        np.testing.assert_allclose(back, [0.1, 0.2, 0.3, 1.0, -2.0, 0.5], atol=2e-3)
