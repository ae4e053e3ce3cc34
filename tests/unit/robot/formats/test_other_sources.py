"""SYMORO tables, models of Pinocchio, loops of URDF in every spelling, frames of SDF versions."""

from __future__ import annotations

import numpy as np
import pytest

import elsewhere
import gough
from engines import need_engine
from gough.errors import FileError, InputError
from gough.robot.formats.arithmetic import value_of
from gough.robot.formats.model import Place
from gough.zoo.registry import names
from robots import relative, robot
from round_trips import states

FOUR_BAR_PAR = """(* Robotname = 'bars' *)
NL = 3
NJ = 4
NF = 5
Type = 2
ant = {0,1,0,2,3}
sigma = {0,0,0,0,2}
b = {0,0,0,0,0}
d = {0,0.3,0.5,0.6,0.4}
r = {0,0,0,0,0}
gamma = {0,0,0,0,0}
alpha = {0,0,0,0,0}
mu = {1,0,0,0,0}
theta = {1.3,-1.2,2*pi/5,th4,0}
XX = {0.01,0.02,0.01}
YY = {0.01,0.06,0.02}
ZZ = {0.02,0.08,0.03}
MX = {0.1,0.2,0.1}
M = {1,1.5,0.8}
FV = {0.1,0,0}
G = {0,-9.81,0}
"""

FOUR_BAR_URDF = """<robot name="bars">
  <link name="ground"/>
  <link name="link1"><inertial><mass value="1"/><origin xyz="0.1 0 0"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <link name="link2"><inertial><mass value="1.5"/><origin xyz="0.2 0 0"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial></link>
  <link name="link3"><inertial><mass value="0.8"/><origin xyz="0.1 0 0"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial></link>
  <link name="tip"/><link name="ring"/>
  <joint name="q1" type="continuous"><parent link="ground"/><child link="link1"/>
    <origin rpy="0 0 1.3"/><axis xyz="0 0 1"/></joint>
  <joint name="q2" type="continuous"><parent link="link1"/><child link="link2"/>
    <origin xyz="0.3 0 0" rpy="0 0 -1.2"/><axis xyz="0 0 1"/></joint>
  <joint name="q3" type="continuous"><parent link="ground"/><child link="link3"/>
    <origin xyz="0.5 0 0" rpy="0 0 1.2566370614359172"/><axis xyz="0 0 1"/></joint>
  <joint name="at_tip" type="fixed"><parent link="link2"/><child link="tip"/>
    <origin xyz="0.6 0 0"/></joint>
  <joint name="at_ring" type="fixed"><parent link="link3"/><child link="ring"/>
    <origin xyz="0.4 0 0"/></joint>
  <transmission name="t"><joint name="q1"/><actuator name="m">
    <mechanicalReduction>5</mechanicalReduction></actuator></transmission>
  LOOP
</robot>
"""
LOOPS = {
    "loop": '<loop name="c" type="revolute"><predecessor link="link2"><origin xyz="0.6 0 0"/>'
    '</predecessor><successor link="link3"><origin xyz="0.4 0 0"/></successor>'
    '<axis xyz="0 0 1"/></loop>',
    "loop_joint": '<loop_joint name="c" type="spherical"><link1 link="link2" xyz="0.6 0 0"/>'
    '<link2 link="link3" xyz="0.4 0 0"/></loop_joint>',
    "argument": "",
    "sidecar": "",
    "pairs": "",
}


def urdf(folder, way):
    path = folder / "bars.urdf"
    text = FOUR_BAR_URDF.replace("LOOP", LOOPS[way])
    arguments = {}
    if way == "argument":
        arguments["loops"] = [("tip", "ring", "revolute")]
    if way == "sidecar":
        side = "closed_loop: [[tip, ring]]\ntype: ['3d']\nname_mot: [q1]\n"
        (folder / "bars.yaml").write_text(side)
    if way == "pairs":
        text = text.replace('"tip"', '"closing_c_1"').replace('"ring"', '"closing_c_2"')
    path.write_text(text)
    return gough.convert(path, platform="link2", **arguments)


@pytest.mark.parametrize("way", LOOPS)
def test_every_spelling_of_a_loop_gives_the_same_efforts(tmp_path, way):
    first, found = (urdf(tmp_path / x, w) for x, w in _folders(tmp_path, way))
    assert found.robot.mobility == 1
    T = first.robot.home_pose
    V = gough.freedom_map(first.robot, T)[:, 0]
    Vdot = gough.posture(first.robot, gough.State(T, V)).twist_rates["link2"]
    a, b = (gough.inverse_dynamics(c.robot, gough.State(T, V, Vdot)) for c in (first, found))
    np.testing.assert_allclose(a, b, rtol=1e-8)
    assert found.robot.axis("q1").ratio == 5.0


def _folders(path, way):
    for name in ("a", "b"):
        (path / name).mkdir()
    return (("a", "loop"), ("b", way))


@pytest.mark.parametrize("root", ["world", "base_footprint"])
def test_a_root_without_mass_stands_for_the_base_that_is_fixed_to_it(tmp_path, root):
    """As drivers of ROS want it: the link with a mass is a child, and the root is a frame."""
    heavy = (
        f'<link name="{root}"/><joint name="stand" type="fixed"><parent link="{root}"/>'
        '<child link="ground"/><origin xyz="0 0 1"/></joint><link name="ground"><inertial>'
        '<mass value="9"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
        "</link>"
    )
    loop = LOOPS["loop"]
    path = tmp_path / "bars.urdf"
    robots = []
    for text in (FOUR_BAR_URDF, FOUR_BAR_URDF.replace('<link name="ground"/>', heavy)):
        path.write_text(text.replace("LOOP", loop))
        robots.append(gough.convert(path, platform="link2").robot)
    first, second = robots
    np.testing.assert_allclose(second.home_pose[:3, 3] - first.home_pose[:3, 3], [0, 0, 1])
    np.zeros(6)
    a, b = (gough.inverse_dynamics(r, r.home_pose) for r in robots)
    np.testing.assert_allclose(a, b, atol=1e-12)


def test_a_gazebo_joint_closes_where_the_file_draws_it(tmp_path):
    text = FOUR_BAR_URDF.replace(
        "LOOP",
        '<gazebo><joint name="c" type="revolute"><parent>link2</parent><child>link3</child>'
        "<pose>0.4 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis></joint></gazebo>",
    )
    (tmp_path / "r.urdf").write_text(text)
    found = gough.convert(tmp_path / "r.urdf", platform="link2")
    assert found.robot.joint("c").kind == "revolute"
    assert found.start == "the posture that the file draws"


def test_a_table_of_symoro_is_the_same_machine(tmp_path):
    """Inertia about frames there, about centres in the other file."""
    (tmp_path / "bars.par").write_text(FOUR_BAR_PAR)
    table = gough.convert(tmp_path / "bars.par", platform="link2").robot
    assert table.motors == ("joint1",)
    assert table.gravity == (0.0, -9.81, 0.0)
    assert table.body("link2").center == pytest.approx((0.2 / 1.5, 0.0, 0.0))
    assert table.body("link2").inertia[2][2] == pytest.approx(0.08 - 0.2**2 / 1.5)
    other = urdf(tmp_path, "loop").robot
    for T_a, T_b in zip(table.home_pose, other.home_pose, strict=True):
        np.testing.assert_allclose(T_a, T_b, atol=1e-9)
    broken = FOUR_BAR_PAR.replace("0.3,0.5", "d2,0.5")
    (tmp_path / "b.par").write_text(broken)
    with pytest.raises(FileError, match="1 symbol without a value, 'd2' in d") as caught:
        gough.convert(tmp_path / "b.par", platform="link2")
    assert caught.value.line == 9


@pytest.mark.parametrize(
    ("text", "value"),
    [("-pi/2", -np.pi / 2), ("2*(0.1+.2)", 0.6), ("cos(pi)", -1.0), ("2**3", 8.0), ("1e-3", 1e-3)],
)
def test_expressions_of_tables(text, value):
    assert value_of(text, Place()) == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "1/0", "(", "9**9**9**9", "a.b", "" + "(" * 99]
)
def test_what_is_no_expression(text):
    with pytest.raises(FileError):
        value_of(text, Place("f", 1))


def test_mimic_is_a_coupling_and_broken_files_are_refused(tmp_path):
    mimic = '<mimic joint="q1" multiplier="-2" offset="0.1"/></joint>'
    text = FOUR_BAR_URDF.replace("LOOP", "")
    end, third = '<axis xyz="0 0 1"/>', '\n  <joint name="q3"'
    coupled = text.replace(f"{end}</joint>{third}", f"{end}{mimic}{third}")
    (tmp_path / "m.urdf").write_text(coupled)
    found = gough.convert(tmp_path / "m.urdf", platform="link2").robot
    assert dict(found.couplings[0].axes) == {"q2": 1.0, "q1": 2.0}
    for change, message in (
        (('child link="link3"', 'child link="link2"'), "is a tree"),
        (('type="continuous"', 'type="magic"'), "unknown type"),
        (('parent link="ground"', 'parent link="grund"'), "unknown link"),
        (('mass value="1"', 'mass value="one"'), "finite number"),
        (('mass value="1"', 'mass value="-1"'), "mass"),
        (('izz="0.01"', 'izz="-0.01"'), "negative principal moment"),
        (('<link name="ground"/>', "<xacro:macro/>"), "xacro"),
        ((end, f'{end}<mimic joint="q1"/>'), "'q1' follows itself"),
    ):
        assert change[0] in text
        (tmp_path / "b.urdf").write_text(text.replace(*change, 1))
        with pytest.raises(FileError, match=message) as caught:
            gough.convert(tmp_path / "b.urdf", platform="link2")
        assert caught.value.line


def sdf(version, xyz="0 0 1", more=""):
    links = "".join(
        f'<link name="{n}"><pose>{pose}</pose><inertial><mass>1</mass></inertial></link>'
        for n, pose in (("a", "0 0 1 0 1.2 0"), ("b", "0 0.5 1 0.3 0 0"))
    )
    return (
        f'<sdf version="{version}"><model name="m">{links}{more}'
        '<joint name="j" type="revolute"><parent>world</parent><child>a</child>'
        f"<axis><xyz>{xyz}</xyz></axis></joint>"
        '<joint name="k" type="revolute"><parent>a</parent><child>b</child>'
        "<axis><xyz>1 0 0</xyz></axis></joint></model></sdf>"
    )


def test_axes_of_sdf_are_in_the_frame_that_its_version_says(tmp_path):
    path = tmp_path / "m.sdf"
    axes = {}
    for version in ("1.4", "1.5", "1.7"):
        path.write_text(sdf(version))
        found = gough.convert(path, platform="b", motors=["j", "k"]).robot
        axes[version] = np.array(found.joint("j").parent_frame.rotation)[:, 2]
    np.testing.assert_allclose(axes["1.4"], [0.0, 0.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(axes["1.5"], [np.sin(1.2), 0.0, np.cos(1.2)], atol=1e-12)
    np.testing.assert_allclose(axes["1.7"], axes["1.5"], atol=1e-12)


def test_frames_of_sdf_carry_the_platform(tmp_path):
    frame = '<frame name="tool" attached_to="b"><pose relative_to="a">0 0 0.2 0 0 0</pose></frame>'
    (tmp_path / "m.sdf").write_text(sdf("1.7", more=frame))
    found = gough.convert(tmp_path / "m.sdf", platform="tool", motors=["j", "k"]).robot
    assert found.platform == "b"
    np.testing.assert_allclose(
        found.home_pose[:3, 3], [0.2 * np.sin(1.2), 0.0, 1.0 + 0.2 * np.cos(1.2)], atol=1e-12
    )


@pytest.mark.parametrize("name", names())
def test_robots_go_to_pinocchio_and_come_back(name):
    need_engine("pinocchio")
    machine = robot(name)
    try:
        there = gough.to_pinocchio(machine)
    except FileError as err:
        assert "cannot hold" in err.message  # noqa: PT017
        return
    model = there.model
    at = {model.joints[k].idx_v: str(model.names[k]) for k in range(1, model.njoints)}
    motors = [at[index] for index in there.motors]
    values = {}
    for k in range(1, model.njoints):
        values[str(model.names[k])] = _home(machine, str(model.names[k]))
    back = gough.from_pinocchio(
        model, there.constraints, platform="platform_frame", motors=motors, home=values
    )
    for state in states(machine, 2):
        a, b = (gough.inverse_dynamics(r, state) for r in (machine, back))
        np.testing.assert_allclose(a, b, atol=1e-10 * np.abs(a).max())


def _home(machine, name):
    from gough.robot.formats.apart import at_home, taken_apart
    from gough.robot.formats.text import quaternion_of

    steps, _ = taken_apart(machine, ("spherical", "fixed", "revolute"), lambda joint: None)
    value = at_home(machine, steps)[name]
    return quaternion_of(value) if np.ndim(value) else value


def test_what_pinocchio_has_and_gough_has_not():
    need_engine("pinocchio")
    import pinocchio as pin

    model = pin.Model()
    model.addJoint(0, pin.JointModelPlanar(), pin.SE3.Identity(), "p")
    with pytest.raises(FileError, match="cannot be held"):
        gough.from_pinocchio(model, platform="p")
    with pytest.raises(InputError, match=r"pinocchio\.Model"):
        gough.from_pinocchio("model")


@pytest.mark.filterwarnings("ignore::gough.GoughWarning")  # of rods that spin
def test_what_acts_in_balls_goes_to_pinocchio_and_comes_back(tmp_path):
    """Armature, damping and friction of passive balls, which default classes of MJCF put there."""
    need_engine("pinocchio")
    path = tmp_path / "delta.xml"
    path.write_text(elsewhere.delta())
    first = gough.convert(path, platform="ee").robot
    model, constraints, columns = gough.to_pinocchio(first)
    names = {model.joints[k].idx_v: model.names[k] for k in range(1, model.njoints)}
    motors = [names[k] for k in columns]
    second = gough.from_pinocchio(model, constraints, platform="platform_frame", motors=motors)
    for state in states(first, 2):
        a, b = (gough.inverse_dynamics(r, state) for r in (first, second))
        np.testing.assert_allclose(a, b, atol=1e-9 * np.abs(a).max())
    ball = next(j for j in model.joints if j.shortname() == "JointModelSpherical")
    model.armature[ball.idx_v] = 1.0
    with pytest.raises(FileError, match="of a ball is not the same about all directions"):
        gough.from_pinocchio(model, constraints, platform="platform_frame", motors=motors)


@pytest.mark.parametrize(
    "kind", ["revolute", "prismatic", "helical", "cylindrical", "spherical", "universal", "planar"]
)
def test_sdf_holds_a_joint_whose_child_is_the_base(tmp_path, kind):
    """The world is nobody's child: such a joint is written from its other side."""
    inertia = 0.01 * np.eye(3) + 0.001 * np.ones((3, 3))
    body = gough.Body("arm", 1.0, (0.1, 0.02, 0.03), inertia.tolist())
    z = (0.0, -3.0, 2.0) if kind == "universal" else (1.0, 2.0, 3.0)
    ends = (gough.Frame.from_axes(at, z=z) for at in ((0.1, 0.2, 0.3), (0.3, 0.1, 0.0)))
    pitch = 0.1 if kind == "helical" else 0.0
    joint = gough.Joint("j", kind, "arm", "base", *ends, pitch=pitch)
    one = gough.Robot("r", (body,), (joint,), "arm", gravity=(0.0, 0.0, -9.81))
    gough.save(one, tmp_path / "r.sdf")
    with pytest.warns(gough.errors.DescriptionWarning):
        other = gough.load(tmp_path / "r.sdf", platform="arm")
    n = len(one.freedoms)
    home = one.assembly.chart.coordinates(one.home_pose)[list(one.assembly.free)]
    state = gough.state(one, home, *np.random.default_rng(0).normal(size=(2, n)))
    expected = gough.cartesian_dynamics(one, state)
    assert relative(gough.cartesian_dynamics(other, state), expected) < 1e-12
