"""Reactions of machines worked by hand; shapes, given efforts, the worst of a motion, refusals."""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from gough.base import spatial
from machines import IN_LINE, drawn_five_bar
from masks import masked
from maximal import Machine
from numbers_robots import gs_ref
from robots import random_freedoms, relative, robot

REST = np.zeros(6)
ROUNDING = {"rtol": 1e-11, "atol": 1e-11}  # sums of another length may round otherwise


class TestByHand:
    """Machines whose reactions anyone can work out."""

    def test_pendulum_in_full_swing(self):
        """Hinge along y, mass on a massless arm: weight and centrifugal pull, and the torque."""
        m, arm, w, g = 2.0, 0.5, 3.0, 9.81
        bob = gough.Body("bob", m, (arm, 0.0, 0.0))
        # z of the hinge is the base's y, its x the base's x
        hinge = gough.Frame.from_axes(z=(0.0, 1.0, 0.0), x=(1.0, 0.0, 0.0))
        joint = gough.Joint("hinge", "revolute", "base", "bob", hinge, hinge)
        r = gough.Robot("swing", (bob,), (joint,), "bob", motors=("hinge",))
        state = gough.state(r, [0.0], [w], [7.0])
        assert r.freedoms == ("ry",)
        found = gough.reactions(r, state)["hinge"]
        # base axes: a = (-w^2 arm, 0, -7 arm); the hinge's y is the base's -z
        f_x, f_z = -m * w**2 * arm, m * (g - 7.0 * arm)
        n_y = -arm * f_z  # about the hinge, of a force at the mass
        assert found == pytest.approx([f_x, -f_z, 0.0, 0.0, 0.0, n_y], abs=1e-12)

    def test_door_on_two_hinges(self):
        """Shared as evenly as it can be: the shortest answer, by a multiplier."""
        m, reach, h, g = 12.0, 0.4, 0.7, 9.81
        door = gough.Body("door", m, (reach, 0.0, 0.0), np.diag([0.5, 0.4, 0.3]).tolist())
        joints = [
            gough.Joint(name, "revolute", "base", "door", at, at)
            for name, at in (("top", gough.Frame((0, 0, h))), ("low", gough.Frame((0, 0, -h))))
        ]
        r = gough.Robot("door", (door,), tuple(joints), "door", motors=("top",))
        found = gough.reactions(r, gough.State(r.home_pose, REST, REST))
        # tipping moment m g reach = 2 h F + 2 N, with F^2 + (N / L)^2 least
        L = r.length
        mu = m * g * reach / (2.0 * (h**2 + L**2))
        F, N = mu * h, mu * L**2
        weight = m * g / 2.0
        assert found["top"] == pytest.approx([-F, 0.0, weight, 0.0, -N, 0.0], abs=1e-10)
        assert found["low"] == pytest.approx([F, 0.0, weight, 0.0, -N, 0.0], abs=1e-10)
        assert not found.unique[:, :5].any()
        assert found.unique[:, 5].all()

    def test_slider_crank_under_load(self):
        """A connecting rod without mass bears along itself; the wall takes the rest."""
        crank, rod, angle, push = 0.1, 0.3, 0.8, 50.0
        pin = crank * np.array([np.cos(angle), np.sin(angle), 0.0])
        lean = -np.arcsin(pin[1] / rod)
        piston = pin[0] + rod * np.cos(lean)
        bodies = [gough.Body(n, massless=True) for n in ("crank", "rod")]
        bodies.append(gough.Body("piston", 1.0))
        along = gough.Frame.from_axes(z=(1.0, 0.0, 0.0), x=(0.0, 1.0, 0.0))
        joints = (
            gough.Joint("shaft", "revolute", "base", "crank"),
            gough.Joint("pin", "revolute", "crank", "rod", gough.Frame((crank, 0, 0))),
            gough.Joint("gudgeon", "revolute", "rod", "piston", gough.Frame((rod, 0, 0))),
            gough.Joint("wall", "prismatic", "base", "piston", along, along),
        )
        home = {
            "crank": gough.Frame(rotation=spatial.rotation_z(angle).tolist()),
            "rod": gough.Frame(pin.tolist(), spatial.rotation_z(lean).tolist()),
            "piston": gough.Frame((piston, 0.0, 0.0)),
        }
        r = gough.Robot(
            "slider_crank",
            tuple(bodies),
            joints,
            "piston",
            motors=("shaft",),
            home=gough.Home(home),
            gravity=(0.0, 0.0, 0.0),
        )
        loads = gough.Loads([gough.Force("piston", (-push, 0.0, 0.0))])
        found = gough.reactions(r, gough.State(r.home_pose, REST, REST), loads=loads)
        force = push / np.cos(lean)  # in the rod, along its x
        on_rod = force * np.array([np.cos(lean), np.sin(lean), 0.0])  # what the crank pin gives
        torque = pin[0] * on_rod[1] - pin[1] * on_rod[0]
        R_crank, R_rod = spatial.rotation_z(angle), spatial.rotation_z(lean)
        planar = [0, 1, 5]
        assert found["shaft"][planar] == pytest.approx([*on_rod[:2], torque], abs=1e-10)
        assert found["pin"][planar] == pytest.approx([*(R_crank.T @ on_rod)[:2], 0.0], abs=1e-10)
        assert found["gudgeon"][planar] == pytest.approx([*(R_rod.T @ on_rod)[:2], 0.0], abs=1e-10)
        # the wall's x, y, z are the base's y, z, x; its frame is at the shaft
        wall = [-on_rod[1], 0.0, -piston * on_rod[1]]
        assert found["wall"][[0, 2, 4]] == pytest.approx(wall, abs=1e-10)
        # across the plane each joint could be pinched by the others
        for name in ("shaft", "pin", "gudgeon"):
            which = found.unique[found.joints.index(name)]
            assert which.tolist() == [True, True, False, False, False, True]
        assert found.unique[3].tolist() == [True, False, True, False, True, False]
        tau = gough.inverse_dynamics(r, gough.State(r.home_pose, REST, REST), loads=loads)
        assert tau == pytest.approx([torque], abs=1e-10)

    def test_struts_without_mass_bear_along_themselves(self):
        """Every joint of a strut carries the motor's force along the strut, and no moment."""
        r = gs_ref("universal")
        bodies = [
            b if b.name == r.platform else gough.Body(b.name, massless=True) for b in r.bodies
        ]
        r = dataclasses.replace(r, bodies=tuple(bodies))
        T = spatial.pose(spatial.rotation_x(0.1), np.array([0.1, -0.2, 2.1]))
        f = np.array([200.0, -100.0, 50.0])
        loads = gough.Loads([gough.Force("platform", f, point=(0.1, 0.2, 0.0))])
        tau = gough.inverse_dynamics(r, gough.State(T, REST, REST), loads=loads)
        found = gough.reactions(r, gough.State(T, REST, REST), loads=loads)
        p = gough.posture(r, T)
        total = np.zeros(3)
        for i in range(1, 7):
            foot = np.array(r.joint(f"a{i}").parent_frame.position)
            top = (T @ r.joint(f"s{i}").child_frame.matrix)[:3, 3]
            x = (top - foot) / np.linalg.norm(top - foot)
            for name in (f"a{i}", f"b{i}", f"p{i}", f"s{i}"):
                j = r.joint(name)
                T_0 = p.bodies[j.parent] if j.parent != r.base else np.eye(4)
                R = (T_0 @ j.parent_frame.matrix)[:3, :3]
                assert R @ found[name][:3] == pytest.approx(tau[i - 1] * x, abs=1e-9)
                assert found[name][3:] == pytest.approx(np.zeros(3), abs=1e-9)
            total += tau[i - 1] * x
        assert total == pytest.approx([-200.0, 100.0, 300.0 * 9.81 - 50.0], abs=1e-8)
        assert found.unique.all()

    def test_nut_on_a_screw(self):
        """Torque and thrust of a screw: n + pitch f = tau, at rest under its weight."""
        pitch, m = 0.02, 5.0
        nut = gough.Body("nut", m, (0.3, 0.0, 0.0))
        joint = gough.Joint("screw", "helical", "base", "nut", pitch=pitch)
        r = gough.Robot("jack", (nut,), (joint,), "nut", motors=("screw",))
        found = gough.reactions(r, gough.State(r.home_pose, REST, REST))["screw"]
        weight = m * 9.81
        assert found == pytest.approx([0.0, 0.0, weight, 0.0, -0.3 * weight, 0.0], abs=1e-11)
        tau = gough.inverse_dynamics(r, gough.State(r.home_pose, REST, REST))
        assert tau == pytest.approx([pitch * weight], abs=1e-12)

    def test_spring_bears_a_weight_without_a_motor(self):
        """Gravity balanced by a spring: the slide carries the weight, the motor nothing."""
        m, k = 3.0, 200.0
        axis = gough.Axis(spring=gough.Spring(k, rest=m * 9.81 / k))
        joint = gough.Joint("lift", "prismatic", "base", "load", axes=(axis,))
        body = gough.Body("load", m, inertia=np.diag([0.1] * 3).tolist())
        r = gough.Robot("lift", (body,), (joint,), "load", motors=("lift",))
        found = gough.reactions(r, gough.State(np.eye(4), REST, REST))
        assert found["lift"] == pytest.approx([0.0, 0.0, m * 9.81, 0.0, 0.0, 0.0], abs=1e-11)
        tau = gough.inverse_dynamics(r, gough.State(np.eye(4), REST, REST))
        assert tau == pytest.approx([0.0], abs=1e-11)


@cache
def motion(name: str, count: int = 6) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return gough.state(robot(name), *random_freedoms(name, count, 0.1))


def friction_and_rotor(r: gough.Robot, p: gough.Posture, name: str) -> float:
    axis, rate = r.axis(name), float(p.joint_rates[name])
    friction = axis.viscous * rate + axis.coulomb * np.sign(rate)
    return friction + axis.reflected_inertia * float(p.joint_accelerations[name])


class TestShapes:
    def test_batches_are_samples_one_by_one(self):
        r, state = robot("three_rrr"), motion("three_rrr")
        joints = len(r.joints)
        folded = [a.reshape(2, 3, *a.shape[1:]) for a in state.arrays]
        found = gough.reactions(r, gough.State(*folded))
        assert found.joints == tuple(j.name for j in r.joints)
        assert found.wrench.shape == found.unique.shape == (2, 3, joints, 6)
        assert found.unique.dtype == bool
        assert found.ground.shape == (2, 3, 6)
        assert found.frozen.shape == (2, 3, 0)
        assert found.frame == "parent"
        name = r.joints[4].name
        assert np.array_equal(found[name], found.wrench[:, :, 4])
        assert found.is_unique(name).shape == (2, 3)
        for k in range(6):
            one = gough.reactions(r, state[k])
            assert one.wrench.shape == (joints, 6)
            np.testing.assert_allclose(one.wrench, found.wrench[divmod(k, 3)], **ROUNDING)
            assert np.array_equal(one.unique, found.unique[divmod(k, 3)])

    def test_loads_bring_their_own_batch(self):
        r, state = robot("delta"), motion("delta")[0]
        f = np.random.default_rng(2).normal(size=(4, 3))
        found = gough.reactions(r, state, loads=gough.Loads(forces=[gough.Force(r.platform, f)]))
        assert found.wrench.shape == (4, len(r.joints), 6)
        bare = gough.reactions(r, state)
        # the ground bears what the load brings
        assert found.ground[:, :3] - bare.ground[:3] == pytest.approx(-f, abs=1e-12)

    def test_no_samples(self):
        r, state = robot("delta"), motion("delta")
        found = gough.reactions(r, state[:0])
        assert found.wrench.shape == (0, len(r.joints), 6)


class TestEfforts:
    """Efforts given or worked out."""

    @pytest.mark.parametrize("name", ["delta", "quattro"])
    def test_given_or_worked_out(self, name):
        r, state = robot(name), motion(name, 3)
        tau = gough.inverse_dynamics(r, state, method="screws")
        given = gough.reactions(r, state, tau=tau)
        assert relative(given.wrench, gough.reactions(r, state).wrench) < 1e-11

    def test_that_do_not_produce_the_motion(self):
        r, state = robot("delta"), motion("delta", 3)
        tau = gough.inverse_dynamics(r, state)
        tau[1, 2] *= 1.001
        with pytest.raises(gough.errors.InputError, match=r"sample 1: .*efforts do not produce"):
            gough.reactions(r, state, tau=tau)
        T, V, _ = state.arrays
        moving = gough.forward_dynamics(r, state, tau).Vdot_0p
        found = gough.reactions(r, gough.State(T, V, moving), tau=tau)
        p = gough.posture(r, gough.State(T[1], V[1], moving[1]))
        felt = tau[1, 2] - friction_and_rotor(r, p, "arm3")
        assert found["arm3"][1, 5] == pytest.approx(felt, rel=1e-10)

    def test_of_redundant_motors(self):
        """The share decides what the joints bear, but not what the base does."""
        r, state = robot("four_rrr"), motion("four_rrr", 2)
        share = gough.EffortSharing(weights=(1.0, 2.0, 3.0, 4.0))
        tau = gough.inverse_dynamics(r, state, share=share)
        found = gough.reactions(r, state, share=share)
        assert relative(found.wrench, gough.reactions(r, state, tau=tau).wrench) < 1e-12
        plain = gough.reactions(r, state)
        assert relative(plain.wrench, found.wrench) > 1e-3
        assert relative(plain.ground, found.ground) < 1e-11

    def test_of_too_few_motors_must_be_given(self):
        r = dataclasses.replace(robot("five_bar"), motors=robot("five_bar").motors[:1])
        T, V, Vdot = motion("five_bar", 2).arrays
        with pytest.raises(gough.errors.WrongMotors, match="1 motor for 2 freedoms"):
            gough.reactions(r, gough.State(T, V, Vdot))
        tau = np.array([[0.4], [-0.2]])
        Vdot = gough.forward_dynamics(r, gough.State(T, V), tau).Vdot_0p
        found = gough.reactions(r, gough.State(T, V, Vdot), tau=tau)
        passive = robot("five_bar").motors[1]
        for k in range(2):
            taken = friction_and_rotor(
                r, gough.posture(r, gough.State(T[k], V[k], Vdot[k])), passive
            )
            assert found[passive][k, 5] == pytest.approx(-taken, rel=1e-10)

    def test_on_a_type_2_singularity(self):
        """With efforts given, reactions are those of the motion they produce."""
        r = drawn_five_bar(IN_LINE, "d1")
        T, tau = r.home_pose, np.array([0.3, -0.1])
        Vdot = gough.forward_dynamics(r, gough.State(T, REST), tau).Vdot_0p
        with pytest.raises(gough.errors.SingularPose, match="Type 2"):
            gough.reactions(r, gough.State(T, REST, Vdot))
        found = gough.reactions(r, gough.State(T, REST, Vdot), tau=tau)
        p = gough.posture(r, gough.State(T, REST, Vdot))
        m = Machine(r, p.bodies, p.twists, r.length)
        child = gough.reactions(r, gough.State(T, REST, Vdot), tau=tau, frame="child")
        assert relative(child.wrench, m.solve(tau).wrenches) < 1e-9
        assert found["a1"][5] == pytest.approx(0.3, abs=1e-12)


class TestWorst:
    def test_is_the_largest_of_all_samples(self):
        r, state = robot("orthoglide"), motion("orthoglide", 6)
        folded = [a.reshape(2, 3, *a.shape[1:]) for a in state.arrays]
        found = gough.reactions(r, gough.State(*folded))
        worst = found.worst()
        assert worst.joints == found.joints
        flat = found.wrench.reshape(6, -1, 6)
        sizes = {
            "force": np.sqrt((flat[..., :3] ** 2).sum(axis=2)),
            "axial": np.abs(flat[..., 2]),
            "radial": np.sqrt((flat[..., :2] ** 2).sum(axis=2)),
            "moment": np.sqrt((flat[..., 3:] ** 2).sum(axis=2)),
            "tilting": np.sqrt((flat[..., 3:5] ** 2).sum(axis=2)),
        }
        for figure, size in sizes.items():
            assert getattr(worst, figure) == pytest.approx(size.max(axis=0), rel=1e-12, abs=1e-12)
            at = worst.samples[figure]
            held = np.take_along_axis(size, at[None], axis=0)[0]
            assert held == pytest.approx(size.max(axis=0), rel=1e-12, abs=1e-12)
        assert np.array_equal(worst.unique, found.unique.all(axis=(0, 1, 3)))
        assert not worst.unique.all()
        assert len(set(worst.samples["force"].tolist())) > 1
        text = str(worst)
        assert all(name in text for name in worst.joints)
        assert "not unique" in text

    def test_leaves_out_what_failed(self):
        r, state = robot("delta"), motion("delta", 4)
        tau = gough.inverse_dynamics(r, state)
        before = gough.reactions(r, state).worst()
        broken = int(before.samples["force"][0])
        tau[broken] = np.nan
        found = gough.reactions(r, state, tau=tau, on_error="nan")
        kept = [k for k in range(4) if k != broken]
        again = found.worst()
        forces = np.linalg.norm(found.wrench[kept][:, 0, :3], axis=1)
        assert again.force[0] == pytest.approx(forces.max(), rel=1e-12)
        assert again.force[0] < before.force[0]
        assert broken not in again.samples["force"]

    def test_of_one_state(self):
        r, state = robot("delta"), motion("delta")[0]
        found = gough.reactions(r, state)
        assert found.worst().force == pytest.approx(np.linalg.norm(found.wrench[:, :3], axis=1))
        assert not found.worst().samples["force"].any()


class TestRefusals:
    def test_samples_that_fail_are_masked(self):
        r, state = robot("delta"), motion("delta", 3)
        V = state.V_0p.copy()
        V[1, 5] = 0.5
        with pytest.raises(gough.errors.InconsistentTwist, match="sample 1: "):
            gough.reactions(r, gough.State(state.T_0p, V, state.Vdot_0p))
        found, failed = masked(
            gough.reactions(r, gough.State(state.T_0p, V, state.Vdot_0p), on_error="nan")
        )
        assert failed.tolist() == [False, True, False]
        assert np.isnan(found.wrench[1]).all()
        assert np.isnan(found.ground[1]).all()
        assert not found.unique[1].any()
        good = gough.reactions(r, state)
        np.testing.assert_allclose(found.wrench[[0, 2]], good.wrench[[0, 2]], **ROUNDING)
        assert found.unique[[0, 2]].all()
        filled = gough.reactions(r, gough.State(state.T_0p, V, state.Vdot_0p), on_error="nan")
        np.testing.assert_allclose(filled.wrench, found.wrench, **ROUNDING)

    def test_unknown_joints_are_told_the_known(self):
        found = gough.reactions(robot("delta"), motion("delta"))
        for ask in (found.__getitem__, found.is_unique):
            with pytest.raises(gough.errors.InputError, match="no joint 'arm4'") as info:
                ask("arm4")
            assert "arm1" in info.value.hint

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"frame": "world"}, "frame is 'world', expected 'parent' or 'child'"),
            ({"tau": np.zeros(2)}, "tau has shape"),
            ({"tau": [0.0, np.nan, 0.0]}, "tau"),
            ({"loads": gough.Loads([gough.Force("nobody")])}, "no body 'nobody'"),
            ({"loads": gough.Loads(payload=-1.0)}, "less than zero"),
            ({"loads": 1.0}, "loads is 1.0, expected gough.Loads"),
        ],
    )
    def test_what_makes_no_sense(self, options, told):
        with pytest.raises(gough.errors.InputError, match=told):
            gough.reactions(robot("delta"), motion("delta"), **options)
