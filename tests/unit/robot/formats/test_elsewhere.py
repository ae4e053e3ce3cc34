"""Files in the style of exporters: MuJoCo's own trees, loops closed exactly, say the same."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import elsewhere
import gough
from as_sdf import as_sdf, parts
from compiled_files import compared
from engine_files import InPinocchio
from engines import need_engine
from gough.errors import FileError
from gough.robot.formats.loading import read_model
from gough.robot.formats.mjcf import read_mjcf
from round_trips import states

# name, arguments, mobility, and below what all errors are
FILES = [
    ("delta", {"platform": "ee"}, 3, 1e-9),
    ("biped", {"platform": "foot", "base": "pelvis"}, 6, 1e-9),
    ("biped", {"platform": "foot", "base": "shin"}, 2, 1e-9),
    ("biped", {"platform": "foot", "base": "pelvis", "lock": ("yaw", "roll")}, 4, 1e-9),
    ("gripper", {"platform": "left_tip"}, 1, 1e-9),
    ("five_bar", {"platform": "tip"}, 2, 1e-9),
    ("hexapod", {"platform": "plate"}, 6, 1e-9),
    ("replicated", {"platform": "plate"}, 6, 1e-9),
    # axes that meet to six digits only: frames are moved within them
    ("wrist", {"platform": "head", "rank": 1e-5}, 3, 1e-4),
]


@pytest.mark.parametrize(("name", "arguments", "mobility", "bound"), FILES)
def test_a_file_pulls_and_falls_as_mujoco_says(tmp_path, name, arguments, mobility, bound):
    """Efforts of motions, and accelerations without effort, idle spins held in joints."""
    need_engine("mujoco")
    path = tmp_path / f"{name}.xml"
    path.write_text(getattr(elsewhere, name)())
    errors, found = compared(path, **arguments)
    assert found.robot.mobility == mobility
    assert errors.max() < bound
    assert (found.robot.precision > 0.0) == (name == "wrist")


def test_a_tendon_over_joints_that_are_coupled_is_one_motor(tmp_path):
    path = tmp_path / "gripper.xml"
    path.write_text(elsewhere.gripper())
    found = gough.convert(path, platform="left_tip")
    (motor,) = found.robot.motors
    axis = found.robot.axis(motor)
    assert axis.ratio == pytest.approx(0.97)
    assert axis.limits.effort == pytest.approx(5.0 * 0.97)
    # without the coupling it pulls two joints, and no motor is made of it
    text = elsewhere.gripper()
    start = text.index("<joint joint1=")
    path.write_text(text[:start] + text[text.index("</equality>") :])
    loose = gough.convert(path, platform="left_tip")
    assert not loose.robot.motors
    assert "actuators" in {each.code for each in loose.findings}


def test_an_equality_of_tendons_is_a_coupling_of_many_axes(tmp_path):
    """MuJoCo's own rows are those of the relation, references of joints included."""
    need_engine("mujoco")
    import mujoco

    text = """<mujoco><compiler angle="radian"/><worldbody>
      <body name="a"><joint name="p" ref="0.3"/><geom size="0.1"/>
        <body name="b" pos="1 0 0"><joint name="q"/><geom size="0.1"/>
          <body name="c" pos="1 0 0"><joint name="r" axis="0 1 0" ref="-0.2"/>
            <geom size="0.1"/></body></body></body></worldbody>
      <tendon><fixed name="s"><joint joint="p" coef="2"/><joint joint="q" coef="-1"/></fixed>
        <fixed name="t"><joint joint="r" coef="0.5"/></fixed></tendon>
      <equality><tendon name="diff" tendon1="s" tendon2="t" polycoef="0.1 3 0 0 0"/></equality>
      <actuator><motor joint="p"/><motor joint="q"/></actuator></mujoco>"""
    path = tmp_path / "d.xml"
    path.write_text(text)
    (relation,) = read_mjcf(path).relations
    assert relation.terms == {"p": 2.0, "q": -1.0, "r": -1.5}
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data.qpos[:] = [0.7, 0.2, -0.4]
    mujoco.mj_forward(model, data)
    row = data.efc_J[:3]
    np.testing.assert_allclose(row, list(relation.terms.values()))
    gap = np.dot(list(relation.terms.values()), data.qpos) - relation.offset
    np.testing.assert_allclose(data.efc_pos[0], gap, atol=1e-12)
    robot = gough.load(path, platform="c")
    assert robot.mobility == 2
    assert robot.couplings[0].axes == {"p": 2.0, "q": -1.0, "r": -1.5}


@pytest.mark.parametrize("count", [1, 3, 10])
def test_copies_are_those_of_mujoco(tmp_path, count):
    need_engine("mujoco")
    import mujoco

    path = tmp_path / "copies.xml"
    path.write_text(f"""<mujoco><compiler angle="degree" eulerseq="xZy"/><worldbody>
      <body name="x"><joint name="xx"/><geom size="0.1"/></body>
      <frame pos="0 0 1"><replicate count="{count}" offset="1 0 0.3" euler="10 5 30" sep="-">
        <body name="b"><joint name="j"/><geom size="0.1"/>
          <replicate count="2" offset="0 1 0"><body name="c" pos="0.1 0 0"><joint name="k"/>
            <geom size="0.1"/></body></replicate></body></replicate></frame></worldbody>
      <tendon><fixed name="f"><joint joint="k" coef="2"/></fixed></tendon>
      <equality><joint name="e" joint1="j"/></equality>
      <actuator><motor name="m" joint="j"/><motor name="t" tendon="f"/><motor name="o" joint="xx"/>
      </actuator></mujoco>""")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    found = read_mjcf(path)
    poses = found.poses()
    names = [model.body(k).name for k in range(1, model.nbody)]
    assert names == [name for name in found.links if name != "world"]
    assert [model.joint(k).name for k in range(model.njnt)] == [tie.name for tie in found.joints]
    assert [model.actuator(k).name for k in range(model.nu)] == [d.name for d in found.drives]
    assert [model.equality(k).name for k in range(model.neq)] == [r.name for r in found.relations]
    for k, name in enumerate(names, start=1):
        np.testing.assert_allclose(poses[name][:3, 3], data.xpos[k], atol=1e-12)
        np.testing.assert_allclose(poses[name][:3, :3].ravel(), data.xmat[k], atol=1e-12)


@pytest.mark.parametrize(
    ("count", "message"), [("0", "whole number"), ("2.5", "whole number"), ("9999999", "more than")]
)
def test_copies_without_end_are_refused(tmp_path, count, message):
    path = tmp_path / "copies.xml"
    path.write_text(
        f'<mujoco><worldbody><replicate count="{count}"><body name="a"/></replicate></worldbody>'
        "</mujoco>"
    )
    with pytest.raises(FileError, match=message):
        read_mjcf(path)


def test_moved_by_a_coupling_is_part_of_the_machine(tmp_path):
    path = tmp_path / "gripper.xml"
    path.write_text(elsewhere.gripper())
    robot = gough.load(path, platform="left_tip")
    assert "right_pad" in {body.name for body in robot.bodies}
    heavier = [
        dataclasses.replace(b, mass=3.0) if b.name == "right_pad" else b for b in robot.bodies
    ]
    other = dataclasses.replace(robot, bodies=tuple(heavier))
    T = robot.home_pose
    assert not np.allclose(
        gough.inverse_dynamics(robot, T),
        gough.inverse_dynamics(other, T),
    )


def test_couplings_of_many_axes_are_written_as_tendons(tmp_path):
    need_engine("mujoco")
    path = tmp_path / "d.xml"
    path.write_text("""<mujoco><compiler angle="radian"/><worldbody>
      <body name="a"><joint name="p"/><geom size="0.1"/>
        <body name="b" pos="1 0 0"><joint name="q"/><geom size="0.1"/>
          <body name="c" pos="1 0 0"><joint name="r" axis="0 1 0"/><geom size="0.1"/></body></body>
      </body></worldbody>
      <tendon><fixed name="s"><joint joint="p" coef="2"/><joint joint="q" coef="-1"/>
        <joint joint="r" coef="0.7"/></fixed></tendon>
      <equality><tendon name="diff" tendon1="s" polycoef="0.1 0 0 0 0"/></equality>
      <actuator><motor joint="p"/><motor joint="q"/></actuator></mujoco>""")
    robot = gough.load(path, platform="c")
    again = tmp_path / "again.xml"
    gough.save(robot, again)
    assert gough.load(again).couplings == robot.couplings
    errors, _ = compared(again, platform="platform_frame")
    assert errors.max() < 1e-9


BARE = ("armature", "damping", "friction", "springs")


@pytest.mark.parametrize("version", ["1.4", "1.7"])
def test_the_same_machine_as_sdf(tmp_path, version):
    """Links where MuJoCo draws them; axes in the model's frame up to 1.4, in the joint's later."""
    need_engine("mujoco")
    path = tmp_path / "hexapod.xml"
    path.write_text(elsewhere.hexapod())
    motors = [f"leg{k}" for k in range(6)]
    ours = gough.load(path, platform="plate", drop=BARE)
    (tmp_path / "m.sdf").write_text(as_sdf(path, version))
    other = gough.load(tmp_path / "m.sdf", platform="plate", motors=motors)
    # six digits: the two points of a loop are 1e-6 apart where they are drawn
    assert same_efforts(ours, other) < 1e-5


def same_efforts(ours, other):
    worst = 0.0
    for state in states(ours, 2):
        a, b = (gough.inverse_dynamics(each, state) for each in (ours, other))
        worst = max(worst, np.abs(a - b).max() / np.abs(a).max())
    return worst


def nested(path, version, folder):
    """A hexapod whose legs are models of their own within it, the last one in another file."""
    links, joints = parts(path, version)
    text = ""
    for k in range(6):
        # the inner model has a place of its own, against which its links are placed
        own = "".join(links[n] for n in (f"tube{k}", f"rod{k}")) + joints[f"leg{k}"]
        own = own.replace("<pose>", '<pose relative_to="back">', 1)
        second = own.index("<link", 5)
        own = own[:second] + own[second:].replace("<pose>", '<pose relative_to="back">', 1)
        back = '<frame name="back"><pose>0 0 -0.5 0 0 0</pose></frame>'
        model = f'<model name="arm{k}"><pose>0 0 0.5 0 0 0</pose>{back}{own}</model>'
        if k < 5:
            text += model
        else:
            (folder / "arm").mkdir(exist_ok=True)
            (folder / "arm" / "model.sdf").write_text(f'<sdf version="{version}">{model}</sdf>')
            text += "<include><uri>model://arm</uri><name>arm5</name></include>"
    for k in range(6):
        text += joints[f"tube{k}_joint"].replace(f">tube{k}<", f">arm{k}::tube{k}<")
    for name in ("top", *(f"loop{k}" for k in range(5))):
        k = 0 if name == "top" else int(name[-1]) + 1
        text += joints[name].replace(f">rod{k}<", f">arm{k}::rod{k}<")
    return f'<sdf version="{version}"><model name="m">{links["plate"]}{text}</model></sdf>'


@pytest.mark.parametrize("version", ["1.7", "1.9"])
def test_models_within_a_model_of_sdf_are_one_machine(tmp_path, version):
    need_engine("mujoco")
    path = tmp_path / "hexapod.xml"
    path.write_text(elsewhere.hexapod())
    (tmp_path / "m.sdf").write_text(nested(path, version, tmp_path))
    motors = [f"arm{k}::leg{k}" for k in range(6)]
    found = gough.convert(tmp_path / "m.sdf", platform="plate", motors=motors)
    (tmp_path / "flat.sdf").write_text(as_sdf(path, version))
    flat = gough.load(tmp_path / "flat.sdf", platform="plate", motors=[f"leg{k}" for k in range(6)])
    assert same_efforts(flat, found.robot) < 1e-10
    assert "arm3::rod3" in found.names


@pytest.mark.parametrize(
    ("uri", "message"),
    [("model://../secret", "outside"), ("/etc/passwd", "outside"), ("model://no", "not there")],
)
def test_includes_of_sdf_stay_in_the_folder(tmp_path, uri, message):
    path = tmp_path / "m.sdf"
    path.write_text(
        f'<sdf version="1.7"><model name="m"><link name="a"/><include><uri>{uri}</uri></include>'
        "</model></sdf>"
    )
    with pytest.raises(FileError, match=message):
        gough.convert(path)


def test_closing_frames_of_a_urdf_as_pinocchio_says(tmp_path):
    """Its tree, and the points of each pair kept together; friction of joints apart."""
    need_engine("pinocchio")
    path = tmp_path / "planar.urdf"
    path.write_text(elsewhere.planar_urdf())
    robot = gough.convert(path, platform="plate", drop=BARE).robot
    assert robot.mobility == 3
    names = {b.label or b.name: b.name for b in robot.bodies}
    engine = InPinocchio(path, list(names))
    engine.loops = [
        tuple((f"closing_{k}_{end}", np.zeros(3)) for end in (1, 2)) for k in range(1, 3)
    ]
    for state in states(robot, 2):
        at = gough.posture(robot, state)
        poses, twists, rates = (
            {n: each[ours] for n, ours in names.items()}
            for each in (at.bodies, at.twists, at.twist_rates)
        )
        assert engine.place(poses, twists) < 1e-11
        tau = gough.inverse_dynamics(robot, state)
        a = engine.accelerations(rates)
        np.testing.assert_allclose(engine.efforts(a), tau, atol=1e-9 * np.abs(tau).max())
        assert gough.forward_dynamics(robot, state, tau).Vdot_0p == pytest.approx(
            state.Vdot_0p, abs=1e-8
        )
        np.testing.assert_allclose(engine.falling(tau), a, atol=1e-7 * np.abs(a).max())


class WithSidecar(InPinocchio):
    """A URDF whose hinges are what the file beside it says, in Pinocchio's joints."""

    def load(self, path):
        super().load(path)
        pin, old = self.pin, self.model
        others = {"carrier1": "XY", "carrier2": "YX", "loop1_A": "S", "loop2_A": "S"}
        kinds = {"X": pin.JointModelRX, "Y": pin.JointModelRY, "S": pin.JointModelSpherical}
        new, known = pin.Model(), {"universe": 0}
        for k, name in enumerate(list(old.names)[1:], start=1):
            at, place = known[old.names[old.parents[k]]], old.jointPlacements[k]
            for letter in others.get(name, "-"):
                kind = kinds[letter]() if name in others else old.joints[k]
                at, place = new.addJoint(at, kind, place, name + letter), pin.SE3.Identity()
            new.appendBodyToJoint(at, old.inertias[k], pin.SE3.Identity())
            known[name] = at
        for frame in list(old.frames)[1:]:
            parent = known[old.names[frame.parentJoint]]
            new.addFrame(pin.Frame(frame.name, parent, 0, frame.placement, frame.type), False)
        self.model, self.nv, self.q = new, new.nv, pin.neutral(new)
        self.data, self.scratch = new.createData(), new.createData()
        points = np.vstack([np.zeros(3), np.eye(3)[:2]])  # three points hold a frame
        self.loops = [((f"end{k}", p), (f"seat{k}", p)) for k in (1, 2) for p in points]
        self.S = np.eye(self.nv)[[new.joints[known[f"mot{k}"]].idx_v for k in (1, 2)]]


def test_a_file_beside_a_urdf_makes_hinges_balls_and_universal_joints(tmp_path):
    """Loops name frames of joints, which move with the child; efforts are Pinocchio's."""
    need_engine("pinocchio")
    path = tmp_path / "robot.urdf"
    text, side = elsewhere.ankle_urdf()
    path.write_text(text)
    (tmp_path / "robot.yaml").write_text(side)
    robot = gough.convert(path, platform="foot").robot
    assert robot.mobility == 2
    assert robot.motors == ("mot1", "mot2")
    names = [b.label or b.name for b in robot.bodies if "carrier" not in b.name]
    engine = WithSidecar(path, names)
    for state in states(robot, 2):
        at = gough.posture(robot, state)
        assert engine.place(at.bodies, at.twists) < 1e-11
        tau = gough.inverse_dynamics(robot, state)
        a = engine.accelerations(at.twist_rates)
        np.testing.assert_allclose(engine.efforts(a), tau, atol=1e-9 * np.abs(tau).max())


def test_kinds_of_joints_that_no_file_knows(tmp_path):
    path = tmp_path / "robot.urdf"
    text, side = elsewhere.ankle_urdf()
    path.write_text(text)
    (tmp_path / "robot.yaml").write_text(side.replace("UJOINT_YX", "UJOINT_YY"))
    with pytest.raises(FileError, match=r"joint_type 'UJOINT_YY' of 'carrier2' is not known"):
        gough.convert(path, platform="foot")
    fixed = side.replace("CARDAN", "FIXED").replace("joint_name", "rotule_name: _A\njoint_name")
    (tmp_path / "robot.yaml").write_text(fixed)
    model = read_model(path)
    kinds = [model.joint(n).kind for n in ("carrier1", "loop1_A", "carrier2_Y", "carrier2_X")]
    assert kinds == ["fixed", "spherical", "revolute", "revolute"]
