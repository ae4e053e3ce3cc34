"""Files from strangers: bounded time and memory, named errors, nothing let in or swallowed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gough
from engines import need_engine
from gough.errors import FileError, GoughError, InputError, NotAssembled
from gough.mechanism.mobility import ideal
from gough.robot.formats import meshes, xml
from gough.robot.formats.arithmetic import value_of
from gough.robot.formats.digits import digits
from gough.robot.formats.loading import read_model
from gough.robot.formats.mjcf.defaults import KNOWN
from gough.robot.formats.model import MOST_LINKS, Place

TESTS = Path(__file__).resolve().parents[3]
BARE = '<inertial pos="0.02 0 0.1" mass="0.4" diaginertia="0.002 0.002 0.001"/>'
BODY = f'<body name="a"><joint name="j"/>{BARE}</body>'
SOLID = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.02" '
    'ixy="0" ixz="0" iyz="0"/></inertial>'
)
ARM = (
    f'<robot name="arm"><link name="base"/><link name="tip">{SOLID}</link>'
    '<joint name="j" type="continuous"><parent link="base"/><child link="tip"/>'
    '<origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint></robot>'
)


def refused(path, match, **arguments):
    """The refusal of a file: a named error whose message is one line of bearable length."""
    with pytest.raises(GoughError, match=match) as caught:
        gough.convert(path, **arguments)
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 1500
    return caught.value


def written(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_two_hundred_changed_files_are_read_or_refused_by_name():
    """In a process of its own: the bounds are of processor time and of all its memory."""
    command = [sys.executable, "-m", "fuzz.foreign", "--seed", "41", "--count", "200", "--small"]
    paths = [str(Path(gough.__file__).parents[1]), str(TESTS)]
    around = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "200 files" in done.stdout


# hangs and memory ---------------------------------------------------------------------------------


def test_elements_are_counted_while_files_are_read(tmp_path, monkeypatch):
    """One file that is included again and again is refused in the second of them."""
    read = []
    bounded = xml.whole.read_bounded
    monkeypatch.setattr(
        xml.whole, "read_bounded", lambda file, *rest: read.append(file) or bounded(file, *rest)
    )
    written(tmp_path, "big.xml", f"<mujocoinclude>{'<geom/>' * 9_000}</mujocoinclude>")
    many = '<include file="big.xml"/>' * 99
    path = written(tmp_path, "main.xml", f"<mujoco><worldbody>{many}{BODY}</worldbody></mujoco>")
    refused(path, "more than 16000 elements")
    assert len(read) == 3


@pytest.mark.parametrize(
    ("inner", "more"),
    [
        (f'<replicate count="40000" offset="1 0 0">{BODY}</replicate>', ""),
        (f'<replicate count="1e90">{BODY}</replicate>', ""),
        (f'<replicate count="100"><replicate count="100">{BODY}</replicate></replicate>', ""),
        (f'<replicate count="900">{BODY}</replicate>', '<motor joint="j"/>' * 900),
        (f'<replicate count="2">{BODY}</replicate>' * 300, '<motor joint="x"/>' * 900),
        (f'<replicate count="9000" sep="{"s" * 9000}">{BODY}</replicate>', ""),
    ],
)
def test_copies_are_counted_before_they_are_made(tmp_path, inner, more):
    text = f"<mujoco><worldbody>{inner}</worldbody><actuator>{more}</actuator></mujoco>"
    refused(written(tmp_path, "copies.xml", text), "more than 16000 elements")


def test_bodies_and_depth_are_bounded(tmp_path):
    many = f'<replicate count="{MOST_LINKS + 1}" offset="1 0 0">{BODY}</replicate>'
    text = f"<mujoco><worldbody>{many}</worldbody></mujoco>"
    refused(written(tmp_path, "many.xml", text), f"more than {MOST_LINKS} links")
    deep = 300  # in each of two files, so that each by itself is fine
    inner = '<body name="b">' + "<frame>" * deep + "</frame>" * deep + "</body>"
    written(tmp_path, "inner.xml", f"<mujocoinclude>{inner}</mujocoinclude>")
    outer = "<frame>" * deep + '<include file="inner.xml"/>' + "</frame>" * deep
    text = f"<mujoco><worldbody>{outer}</worldbody></mujoco>"
    refused(written(tmp_path, "deep.xml", text), "elements deep")


@pytest.mark.parametrize(
    ("section", "match"),
    [
        ('<equality>{}</equality>:<joint joint1="j"/>', "more than 100 couplings"),
        ('<equality>{}</equality>:<weld body1="a" body2="b"/>', "2302 joints and loops"),
        ('<equality>{}</equality>:<connect body1="a" body2="b" anchor="0 0 1"/>', "1000 points"),
    ],
)
def test_loops_and_couplings_are_bounded(tmp_path, section, match):
    around, element = section.split(":")
    other = BODY.replace('"a"', '"b"').replace('"j"', '"k"')
    text = f"<mujoco><worldbody>{BODY}{other}</worldbody>{around.format(element * 2300)}</mujoco>"
    refused(written(tmp_path, "loops.xml", text), match, platform="a")


def test_convex_hulls_are_bounded(tmp_path):
    points = np.random.default_rng(3).normal(size=(60_000, 3)).round(4)
    text = " ".join(map(str, points.ravel().tolist()))
    mesh = f'<asset><mesh name="m" vertex="{text}"/></asset>'
    body = '<body name="a"><joint/><geom type="mesh" mesh="m"/></body>'
    path = written(tmp_path, "m.xml", f"<mujoco>{mesh}<worldbody>{body}</worldbody></mujoco>")
    refused(path, "more than 50000 points", platform="a")


def test_trees_of_included_models_are_bounded(tmp_path, monkeypatch):
    """Each includes the next twice: 27 small files would be read 2^26 times."""
    read = []
    bounded = xml.whole.read_bounded
    monkeypatch.setattr(
        xml.whole, "read_bounded", lambda file, *rest: read.append(file) or bounded(file, *rest)
    )
    for k in range(27):
        two = "".join(
            f"<include><uri>f{k + 1}.sdf</uri><name>i{j}</name></include>" for j in (0, 1)
        )
        inner = two if k < 15 else '<link name="l"/>'
        text = f'<sdf version="1.7"><model name="m{k}">{inner}</model></sdf>'
        written(tmp_path, f"f{k}.sdf", text)
    refused(tmp_path / "f0.sdf", "more than 16000 elements")
    assert len(read) < 10_000
    itself = '<sdf version="1.7"><model name="m"><include><uri>m.sdf</uri></include></model></sdf>'
    refused(written(tmp_path, "m.sdf", itself), "models deep")


def test_frames_of_sdf_hang_on_each_other_without_end(tmp_path):
    """A long row is read, a ring is refused: neither by recursion."""
    link = '<link name="a"/><link name="b"/>'
    joint = '<joint name="j" type="revolute"><parent>a</parent><child>b</child></joint>'
    row = "".join(
        f'<frame name="f{k}" attached_to="{f"f{k + 1}" if k < 3000 else "a"}"/>'
        for k in range(3001)
    )
    text = f'<sdf version="1.7"><model name="m">{link}{joint}{row}</model></sdf>'
    assert read_model(written(tmp_path, "row.sdf", text)).marks["f0"].link == "a"
    ring = text.replace('attached_to="a"', 'attached_to="f0"')
    refused(written(tmp_path, "ring.sdf", ring), "relative to itself|is attached to")


@pytest.mark.parametrize("count", [60, 300])
def test_long_chains_are_refused_at_once(tmp_path, count):
    links = "".join(f'<link name="l{k}">{SOLID}</link>' for k in range(count + 1))
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/>'
        f'<origin xyz="0.1 0 0"/><axis xyz="0 {k % 2} 1"/></joint>'
        for k in range(count)
    )
    path = written(tmp_path, "chain.urdf", f'<robot name="c">{links}{joints}</robot>')
    refused(path, f"{count} (freedoms|joints)", platform=f"l{count}")


def test_long_chains_of_our_own_files(tmp_path):
    """A straight one is singular at home, which is a finding; a much longer one is refused."""

    def chain(count):
        solid = (
            "{mass: 1, center: [0.1, 0, 0], inertia: [[0.01, 0, 0], [0, 0.02, 0], [0, 0, 0.02]]}"
        )
        text = f"gough: 1\nname: chain\nplatform: b{count}\nmotors: [j1]\nbodies:\n"
        text += "".join(f"  b{k}: {solid}\n" for k in range(1, count + 1)) + "joints:\n"
        for k in range(1, count + 1):
            ends = f"parent: {f'b{k - 1}' if k > 1 else 'base'}, child: b{k}"
            axis = f"z: [0, {k % 2}, 1]"
            frames = f"parent_frame: {{position: [0.1, 0, 0], {axis}}}, child_frame: {{{axis}}}"
            text += f"  j{k}: {{kind: revolute, {ends}, {frames}}}\n"
        return written(tmp_path, "chain.yaml", text)

    with pytest.warns(gough.GoughWarning) as told:
        assert gough.load(chain(8)).mobility == 6
    assert any("home is singular" in str(each.message) for each in told)
    with pytest.raises(FileError, match="120 freedoms"):
        gough.load(chain(120))


def test_meshes_are_bounded_before_they_are_parsed(tmp_path):
    pytest.importorskip("trimesh", reason="pip install 'gough[meshes]' brings trimesh")
    shelf = meshes.Shelf(str(tmp_path / "robot.xml"))
    one = np.ones(3)
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    written(tmp_path, "polygon.obj", f"{corners}f {'1 2 3 ' * 2000}\n")
    written(
        tmp_path, "groups.obj", corners + "".join(f"usemtl m{k}\nf 1 2 3\n" for k in range(2000))
    )
    written(tmp_path, "large.stl", "s" * (meshes.LARGEST_MESH + 1))
    for name, why in (("polygon.obj", "line of"), ("groups.obj", "groups"), ("large.stl", "bytes")):
        found = shelf.mesh(name, one)
        assert isinstance(found, meshes.Fault)
        assert why in found.why
    record = np.zeros(1, dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = np.eye(3)
    count = 150_000
    head = bytes(80) + count.to_bytes(4, "little")
    (tmp_path / "some.stl").write_bytes(head + record.tobytes() * count)
    kinds = [type(shelf.mesh("some.stl", one * (1.0 + k))) for k in range(8)]
    assert kinds == [meshes.Mesh] * 6 + [meshes.Fault] * 2  # stretched copies count as well


def test_scenes_of_collada_that_grow_without_end(tmp_path):
    """Nodes that stand for two others each: 2^30 geometries."""
    pytest.importorskip("collada", reason="pip install 'gough[meshes]' brings pycollada")
    nodes = "".join(
        f'<node id="n{k}">' + f'<instance_node url="#n{k + 1}"/>' * 2 + "</node>" for k in range(30)
    )
    last = '<node id="n30"><instance_geometry url="#g"/></node>'
    text = f"<COLLADA><library_nodes>{nodes}{last}</library_nodes><library_visual_scenes>"
    text += '<visual_scene id="s"><node><instance_node url="#n0"/></node></visual_scene>'
    written(tmp_path, "laughs.dae", f"{text}</library_visual_scenes></COLLADA>")
    shelf = meshes.Shelf(str(tmp_path / "robot.xml"))
    found = shelf.mesh("laughs.dae", np.ones(3))
    assert isinstance(found, meshes.Fault)
    assert "geometries" in found.why
    written(
        tmp_path, "ring.dae", f"{text}</library_visual_scenes></COLLADA>".replace("#n30", "#n0")
    )
    assert isinstance(shelf.mesh("ring.dae", np.ones(3)), meshes.Fault)


def test_patterns_take_time_in_proportion():
    """A word that is almost a number was tried in as many ways as it has digits."""
    assert digits("1" * 300_000 + "x") == 0
    assert digits("-12.50e3") == 3


# unnamed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding", ["zip", "utf-7", "idna", "utf-32", "punycode", "nothing", "mbcs"]
)
def test_encodings_that_are_none(tmp_path, encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?>{ARM}'
    error = refused(written(tmp_path, "arm.urdf", text), "encoding", platform="tip")
    assert "UTF-8" in error.hint


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ISO-8859-1", "us-ascii", "windows-1252"])
def test_encodings_that_are_read(tmp_path, encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?>{ARM}'
    assert read_model(written(tmp_path, "arm.urdf", text)).name == "arm"


@pytest.mark.parametrize("name", ["n" * 5000, "one.xml", "a/" * 3000])
def test_paths_that_lead_nowhere(tmp_path, name):
    (tmp_path / "one.xml").symlink_to("two.xml")
    (tmp_path / "two.xml").symlink_to("one.xml")
    include = f'<mujoco><include file="{name}"/><worldbody>{BODY}</worldbody></mujoco>'
    refused(written(tmp_path, "m.xml", include), "includes")
    uri = f'<sdf version="1.7"><model name="m"><include><uri>{name}</uri></include></model></sdf>'
    refused(written(tmp_path, "m.sdf", uri), "includes")
    shelf = meshes.Shelf(str(tmp_path / "m.xml"))
    assert isinstance(shelf.mesh(name, np.ones(3)), meshes.Fault)
    mesh = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    text = ARM.replace('<link name="tip">', f'<link name="tip">{mesh}')
    assert "meshes are not drawn" in str(
        gough.convert(written(tmp_path, "m.urdf", text), platform="tip")
    )


@pytest.mark.parametrize("figure", ["1e300", "-1e160", "1e101"])
def test_figures_beyond_all_measure(tmp_path, figure):
    more = (
        f'<link name="hand">{SOLID}</link><joint name="k" type="continuous"><parent link="tip"/>'
        '<child link="hand"/><origin xyz="0.2 0 0"/><axis xyz="0 1 0"/></joint></robot>'
    )
    text = ARM.replace("</robot>", more)
    for old in ("0 0 1", "0.1 0 0", "0.2 0 0"):
        path = written(tmp_path, "arm.urdf", text.replace(f'"{old}"', f'"{figure} 0 0"', 1))
        refused(path, "beyond all measure", platform="hand", motors="j")


def test_refusals_while_a_file_is_read_name_the_file(tmp_path):
    path = written(tmp_path, "arm.urdf", ARM.replace('xyz="0 0 1"/>', 'rpy="90 0 0"/>', 1))
    error = refused(path, r"arm\.urdf: .*90 rad", platform="tip")
    assert isinstance(error, FileError)
    assert "Degrees" in error.hint


@pytest.mark.parametrize(
    "text",
    [
        *("(-1)**0.5", "1" + "**1" * 50_000, "-" * 100_000 + "1", "(" * 400, "10**10**10"),
        *("1" * 600, "1" + "**1" * 100, "1e101", "0**-1", "sqrt(-1)", "1 2", "\u00b2", ""),
    ],
)
def test_expressions_that_are_no_numbers(text):
    with pytest.raises(FileError) as caught:
        value_of(text, Place("a.par", 3, "theta[1]"))
    assert len(caught.value.message) < 200
    assert value_of("-" * 40 + "2**-1**2", Place()) == 0.5


def test_comments_and_names_are_explained(tmp_path):
    path = written(tmp_path, "arm.urdf", ARM.replace("<link", "<!-- a -- b --><link", 1))
    error = refused(path, "a comment holds '--'", platform="tip")
    assert "-->" in error.hint
    path = written(tmp_path, "arm.urdf", ARM.replace('name="tip"', f'name="{"t" * 300}"', 1))
    refused(path, "more than 256 characters")


@pytest.mark.parametrize("name", ["arm.xacro", "arm.urdf.xacro", "arm.urdf", "arm.launch"])
def test_xacro_is_to_be_expanded(tmp_path, name):
    text = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="a"><xacro:arm n="1"/></robot>'
    with pytest.raises(FileError) as caught:
        gough.load(written(tmp_path, name, text))
    assert "xacro FILE > robot.urdf" in caught.value.hint


# let in -------------------------------------------------------------------------------------------


def test_a_model_that_is_a_link_out_of_the_folder_is_not_read(tmp_path):
    inner = '<sdf version="1.7"><model name="s"><link name="secret"/></model></sdf>'
    outside = written(tmp_path, "outside/model.sdf", inner)
    (tmp_path / "robot" / "m").mkdir(parents=True)
    (tmp_path / "robot" / "m" / "model.sdf").symlink_to(outside)
    include = "<include><uri>model://m</uri></include>"
    main = f'<sdf version="1.7"><model name="r">{include}<link name="l"/></model></sdf>'
    path = written(tmp_path, "robot/main.sdf", main)
    error = refused(path, "outside the folder")
    assert "secret" not in str(error)
    (tmp_path / "robot" / "m" / "model.sdf").unlink()
    written(tmp_path, "robot/m/model.sdf", inner)
    with pytest.raises(FileError, match=r"holds no joints|has several"):
        gough.convert(path)


# accepted in silence ------------------------------------------------------------------------------

PAR = """(* Robotname = 'bars' *)
NL = 3
NJ = 4
NF = 5
Type = 2 (* closed *)
is_mobile = 0
Ant = {0,1,0,2,3}
Sigma = {0,0,0,0,2}
B = {0,0,0,0,0}
d = {
    0,d2,0.5,
    0.6,d5}
R = {0,0,0,0,0}
gamma = {0,0,0,0,0}
alpha = {0,0,0,0,0}
mu = {1,0,0,0,0}
theta = {1.3,-1.2,2*Pi/5,th4,0}
XX = {XX1,XX2,XX3}
YY = {0.01,0.06,0.02}
ZZ = {0.02,0.08,0.03}
MX = {0.1,0.2,0.1}
M = {M1,M2,M3}
FV = {0.1,0,0}
FX = {0,0,FX3}
QP = {QP1,QP2,QP3,QP4}
G = {0,G2,0}
Z = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}
"""
NUMBERS = {"d2": 0.3, "d5": 0.4, "XX1": 0.01, "XX2": 0.02, "XX3": 0.01, "G2": -9.81}
NUMBERS |= {"M1": 1.0, "M2": 1.5, "M3": 0.8}


def table(folder, old="", new=""):
    assert old in PAR
    return written(folder, "bars.par", PAR.replace(old, new, 1) if old else PAR)


def test_symbols_of_a_table_have_numbers(tmp_path):
    path = table(tmp_path)
    found = gough.load(path, platform="link2", numbers=NUMBERS)
    assert [body.mass for body in found.bodies] == [1.0, 1.5, 0.8]
    assert found.gravity == (0.0, -9.81, 0.0)
    lines = "\n".join(f"{name}: {value}" for name, value in NUMBERS.items())
    beside = written(tmp_path, "numbers.yaml", lines)
    assert gough.load(path, platform="link2", numbers=beside) == found
    error = refused(path, "9 symbols without a value, 'd2' in d", platform="link2")
    assert set(error.symbols) == set(NUMBERS)
    assert "numbers=" in error.hint
    for wrong, match in (({"M9": 1.0}, "no symbol"), ({"M1": "x"}, "number"), ([1.0], "by symbol")):
        with pytest.raises(InputError, match=match):
            gough.convert(path, platform="link2", numbers=wrong)
    with pytest.raises(InputError, match="tables of SYMORO"):
        gough.convert(written(tmp_path, "arm.urdf", ARM), numbers=NUMBERS)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("theta =", "thetta =", "unknown parameter 'thetta'"),
        ("theta =", "alpha = {0,0,0,0,0}\ntheta =", "alpha is given twice"),
        ("alpha = {0,0,0,0,0}", "alpha = {1.57}", "alpha has 1 entries, expected 5"),
        ("FV = {0.1,0,0}", "FV = {0.1}", "FV has 1 entries, expected 3 to 5"),
        ("NL = 3", "NL = 3.5", "NL is 3.5, expected one whole number"),
        ("NF = 5", "NF = 10**12", "NF is 10..12, expected one whole number"),
        ("NL = 3\nNJ = 4\nNF = 5", "NL = 1e6\nNJ = 1e6\nNF = 1e6", "NL is 1e6"),
        ("Ant = {0,1,0,2,3}", "Ant = {0,1.5,0,2,3}", "1.5, expected a whole number"),
        ("Ant = {0,1,0,2,3}", "Ant = {0,3,0,2,3}", "is 3, expected 0 to 1"),
        ("Ant = {0,1,0,2,3}", "Ant = {0,1,0,2,9}", "is 9, expected 0 to 4"),
        ("mu = {1,", "mu = {0.5,", "0.5, expected a whole number"),
        ("Sigma = {0,", "Sigma = {3,", "is 3, expected 0, 1 or 2"),
        ("is_mobile = 0", "is_mobile = 1", "a base that moves"),
        ("MX = {0.1", "MX = {0.1+", "is not a number"),
        ("(* closed *)", "(* closed", "a comment does not end"),
        ("Z = {1", "what\nZ = {1", "'what' is no parameter"),
        ("0.6,d5}", "0.6,d5", "a list is one pair of braces"),
        ("M = {M1", "M = {0", "first moments MX, MY, MZ are not"),
    ],
)
def test_slips_in_tables_are_refused_by_name(tmp_path, old, new, match):
    gone = ["M1"] if old == "M = {M1" else []
    names = {name: value for name, value in NUMBERS.items() if name not in gone}
    refused(table(tmp_path, old, new), match, platform="link2", numbers=names)


def test_a_long_table_takes_time_in_proportion(tmp_path):
    for line in ("(*" * 60_000, "{" * 200_000, "a" * 200_000, "Robotname = '" * 15_000):
        refused(table(tmp_path, "Z =", f"{line}\nZ ="), "bars.par", platform="link2")


def test_angles_of_a_table_that_may_be_degrees(tmp_path):
    path = table(tmp_path, "2*Pi/5", "72")
    found = gough.convert(path, platform="link2", numbers=NUMBERS, home={"joint3": 1.2})
    (finding,) = (each for each in found.findings if each.code == "degrees")
    assert "theta[3]: 72 rad" in finding.sentence
    plain = gough.convert(table(tmp_path), platform="link2", numbers=NUMBERS)
    assert "degrees" not in {each.code for each in plain.findings}
    turned = table(tmp_path, "th4", "pi")  # a number that has a name is no variable
    assert read_model(turned, numbers=NUMBERS).joints[3].drawn == (np.pi,)


def test_a_straight_wrist_at_home_is_singular_and_named(tmp_path):
    """A parallelogram that carries a wrist of three axes, two of them in line at home."""
    path = written(
        tmp_path,
        "arm.par",
        """NL = 8
NJ = 9
NF = 10
ant = {0,1,2,3,4,5,1,7,8,3}
sigma = {0,0,0,0,0,0,0,0,0,2}
d = {0,0.3,0.8,0.05,0,0,0.3,0.35,0.8,-0.35}
r = {0,0,0,0.75,0,0,0,0,0,0}
gamma = {0,0,0,0,0,0,0,0,0,pi/2}
alpha = {0,-pi/2,0,-pi/2,pi/2,-pi/2,-pi/2,0,0,0}
mu = {1,1,0,1,1,1,1,0,0,0}
theta = {th1,th2,th3,th4,th5,th6,th7,th8,th9,0}
M = {4,5,6,1,1,1,3,3}
MX = {0.2,0.3,0.1,0,0,0.02,0.1,0.1}
XX = {1,1,1,1,1,1,1,1}
YY = {1.2,1.2,1.2,1.2,1.2,1.2,1.2,1.2}
ZZ = {1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1}
""",
    )
    wrist = {f"joint{k}": 0.0 for k in (4, 5, 6)}
    motors = ["joint1", "joint2", "joint7"]
    held = gough.convert(path, platform="link3", motors=motors, lock=wrist).robot.assembly
    home = {name: q for name, q in held.home_values.items() if name != "joint9"} | wrist
    found = gough.convert(path, platform="link3", motors=motors, home=home)
    assert found.robot.mobility == 3
    assert any("home is singular" in each.sentence for each in found.findings)
    assert np.isfinite(found.robot.assembly.regular_solutions[0].Psi).all()


@pytest.mark.parametrize(
    ("element", "slip"),
    [
        ('<body name="b" poss="0 0 1"/>', "'poss'.*'pos'"),
        ('<body name="b"><joint axs="0 1 0"/></body>', "'axs'.*'axis'"),
        ('<body name="b"><joint dampin="1"/></body>', "'dampin'.*'damping'"),
        ('<geom size="1" desity="3"/>', "'desity'.*'density'"),
    ],
)
def test_misspelt_attributes_are_refused_with_the_right_one(tmp_path, element, slip):
    text = f"<mujoco><worldbody>{BODY}{element}</worldbody></mujoco>"
    with pytest.raises(FileError) as caught:
        gough.convert(written(tmp_path, "m.xml", text), platform="a")
    wrong, right = slip.split(".*")
    assert f"unknown attribute {wrong}" in caught.value.message
    assert f"Did you mean {right}" in caught.value.hint


def test_other_unknown_attributes_are_named(tmp_path):
    """Of elements that are read; of a later MuJoCo, perhaps.  What is not read may have its own."""
    body = BODY.replace("<joint ", '<joint quux="1" ')
    sensor = '<sensor><gyro sitte="x"/></sensor><visual><global qqq="1"/></visual>'
    text = f"<mujoco><worldbody>{body}</worldbody>{sensor}</mujoco>"
    found = gough.convert(written(tmp_path, "m.xml", text), platform="a")
    (finding,) = (each for each in found.findings if each.code == "unknown-attributes")
    assert "'quux' of <joint name='j'> in line 1" in finding.sentence


def test_every_attribute_that_mujoco_knows_is_known():
    """Its own list, so that nothing is called a slip that is none."""
    need_engine("mujoco")
    import mujoco

    if tuple(map(int, mujoco.__version__.split(".")[:2])) > (4, 0):
        pytest.skip(f"attributes of MuJoCo {mujoco.__version__} are not listed here yet")
    schema = mujoco.mj_printSchema(False, True)
    where: list[str] = []
    said: dict[tuple[str, ...], list[str]] = {}
    for line in schema.splitlines():
        begins = re.match(r"^( {0,24})(\S+) \(.\) *(.*)$", line)
        if begins:
            where = [*where[: len(begins[1]) // 3], begins[2].replace("(world)", "")]
            said.setdefault(tuple(where), []).extend(begins[3].split())
        elif where:
            said[tuple(where)] += line.split()
    read = ("compiler", "option", "default", "body", "asset", "equality", "tendon", "actuator")
    for path, names in said.items():
        if len(path) > 1 and path[1] in read and path[-1] in KNOWN and path[-1] != "plugin":
            assert not set(names) - KNOWN[path[-1]], path


def test_default_classes_share_what_they_inherit(tmp_path):
    many = "".join(f'<default class="c{k}"><joint damping="{k}"/></default>' for k in range(300))
    default = (
        f'<default><joint axis="0 1 0" frictionloss="0.1"/><geom rgba="1 0 0 1"/>{many}</default>'
    )
    body = f'<body name="a"><joint name="j" class="c7"/>{BARE}</body>'
    text = f"<mujoco>{default}<worldbody>{body}</worldbody></mujoco>"
    axis = gough.convert(written(tmp_path, "m.xml", text), platform="a").robot.axis("j")
    assert (axis.viscous, axis.coulomb) == (7.0, 0.1)


# precision ----------------------------------------------------------------------------------------


def spherical_head(folder, figures):
    """A head on two axes that meet, tilted by two cranks about axes that meet there, few digits."""

    def frame(z, x):
        x = x - (x @ z) * z
        x = x / np.linalg.norm(x)
        R = np.stack([x, np.cross(z, x), z], axis=1)
        yaw = np.arctan2(R[1, 0], R[0, 0])
        pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
        return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, yaw])

    def joint(name, parent, child, axis, xyz=(0.0, 0.0, 0.0), kind="continuous", rpy=(0, 0, 0)):
        x, p, r = (" ".join(f"{v:.{figures}g}" for v in each) for each in (axis, xyz, rpy))
        return (
            f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{p}" rpy="{r}"/><axis xyz="{x}"/></joint>'
        )

    z, size = (0.0, 0.0, 1.0), 0.1
    text = f'<link name="body"/><link name="cross">{SOLID}</link><link name="head">{SOLID}</link>'
    text += joint("pitch", "body", "cross", (0, 1, 0)) + joint("roll", "cross", "head", (1, 0, 0))
    text += '<link name="plate"/>' + joint("at", "head", "plate", z, (0, 0, 0.05), "fixed")
    legs = [((1, 0.2, -0.9), (0.3, -0.2, 1), (0.5, 0.5, 0.7))]
    legs += [((-0.9, 0.3, -0.8), (-0.3, 0.4, 1), (-0.4, 0.6, 0.6))]
    for k, leg in enumerate(legs):
        a, b, c = (np.array(v) / np.linalg.norm(v) for v in leg)
        text += f'<link name="crank{k}">{SOLID}</link><link name="rod{k}">{SOLID}</link>'
        text += f'<link name="tip{k}"/><link name="seat{k}"/>'
        text += joint(f"m{k}", "body", f"crank{k}", a, size * a)
        text += joint(f"r{k}", f"crank{k}", f"rod{k}", b, size * (b - a))
        text += joint(f"t{k}", f"rod{k}", f"tip{k}", z, size * (c - b), "fixed", frame(c, b))
        text += joint(f"s{k}", "head", f"seat{k}", z, size * c, "fixed", frame(c, b))
    return written(folder, "head.urdf", f'<robot name="head">{text}</robot>')


def test_the_precision_that_is_advised_is_one_that_helps(tmp_path, monkeypatch):
    searched = []
    found = ideal._found
    monkeypatch.setattr(ideal, "_found", lambda robot: searched.append(robot) or found(robot))
    path = spherical_head(tmp_path, 4)
    given = {"platform": "plate", "motors": ["m0", "m1"]}
    given["loops"] = [(f"tip{k}", f"seat{k}", "revolute") for k in (0, 1)]
    with pytest.raises(NotAssembled, match="the precision allows 1e-05") as caught:
        gough.convert(path, precision=1e-5, **given)
    assert len(searched) == 1  # another start needs the same
    needed = caught.value.needed
    assert f"a coarser precision, {needed:g}" in caught.value.hint
    assert gough.convert(path, precision=needed, **given).robot.mobility == 2
