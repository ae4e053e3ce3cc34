"""Small files as exporters of CAD programs and people write them: six digits, default classes.

Each is a text; what MuJoCo compiles of it is the truth, :mod:`compiled_files`.
"""

from __future__ import annotations

import numpy as np


def six(*numbers):
    """Numbers with six digits, as exporters write them."""
    return " ".join(f"{x:.6g}" for x in np.ravel(numbers))


def mass(m, center, moments, euler=(0.0, 0.0, 0.0)):
    return (
        f'<inertial mass="{m:.6g}" pos="{six(center)}" euler="{six(euler)}" '
        f'diaginertia="{six(moments)}"/>'
    )


def delta():
    """Arms with two rods each on balls; loops are ``connect`` in the form of bodies."""
    arms, equal, drives = "", "", ""
    down = six(-0.3, 0.0, -np.sqrt(0.45**2 - 0.3**2))
    for k in range(3):
        t = 2.0 * np.pi * k / 3.0 + 0.1
        rods = ""
        for side, y in (("a", 0.03), ("b", -0.03)):
            platform = (
                f'<body name="ee" pos="{down}" euler="0 0 {six(-t)}"><joint name="wrist" '
                f'type="ball"/>{mass(0.3, (1e-3, 2e-3, -3e-3), (4e-4, 3e-4, 5e-4))}'
                '<site name="tool" pos="0 0 -0.05"/></body>'
            )
            first = (k, side) == (0, "a")
            # moments that are not quite of revolution about the line between the balls
            rods += (
                f'<body name="rod{k}{side}" pos="0.2 {y} 0"><joint name="ball{k}{side}" '
                f'type="ball" class="passive"/>'
                f"{mass(0.0312346, (-0.15, 0, -0.167705), (5.3e-4, 5.31e-4, 2.1e-6))}"
                f"{platform if first else ''}</body>"
            )
            if not first:
                equal += f'<connect body1="rod{k}{side}" body2="ee" anchor="{down}"/>'
        place = six(0.15 * np.cos(t), 0.15 * np.sin(t), 0.0)
        arms += (
            f'<body name="arm{k}" pos="{place}" euler="0 0 {six(t)}"><joint name="m{k}" '
            f'axis="0 1 0" class="motor"/>{mass(0.2, (0.11, 0, 3e-3), (1e-4, 9e-4, 9.5e-4))}'
            f"{rods}</body>"
        )
        drives += f'<position joint="m{k}" kp="20" class="motor"/>'
    return f"""<mujoco model="delta 3"><compiler angle="radian"/>
      <default><joint damping="0.01"/>
        <default class="motor"><joint armature="0.002" frictionloss="0.02" damping="0.3"/>
          <position forcerange="-4 4"/></default>
        <default class="passive"><joint armature="0.0001" damping="0.00002"/></default></default>
      <worldbody>{arms}</worldbody><equality>{equal}</equality>
      <actuator>{drives}</actuator></mujoco>"""


def biped():
    """A leg of a walker whose pelvis floats; two rods drive the ankle, loops are pairs of sites."""
    rods, ends, equal, drives = "", "", "", ""
    for side, y in (("l", 0.035), ("r", -0.035)):
        rods += (
            f'<body name="crank-{side}" pos="-0.02 {y} -0.08"><joint name="ankle-{side}" '
            f'axis="0 1 0" class="servo"/>{mass(0.03, (-0.02, 0, 0), (2e-6, 9e-6, 8e-6))}'
            f'<body name="rod-{side}" pos="-0.04 0 0"><joint name="rod_ball_{side}" type="ball"/>'
            f"{mass(0.0213, (0, 0, -0.110001), (9.1e-5, 9.12e-5, 4e-7))}"
            f'<site name="closing_{side}_1" pos="0 0 -0.22"/></body></body>'
        )
        ends += f'<site name="closing_{side}_2" pos="-0.06 {y} 0"/>'
        equal += f'<connect name="c/{side}" site1="closing_{side}_1" site2="closing_{side}_2"/>'
        drives += f'<motor name="a_{side}" joint="ankle-{side}" gear="9"/>'
    drives = (
        "".join(f'<motor joint="{n}" gear="9"/>' for n in ("yaw", "roll", "pitch", "knee")) + drives
    )
    return f"""<mujoco model="2-walker"><compiler angle="radian" autolimits="true"/>
      <default><joint armature="0.0005" damping="0.01"/>
        <default class="servo"><joint armature="0.012" damping="0.2" range="-1.2 1.2"/></default>
      </default>
      <worldbody><body name="pelvis" pos="0 0 0.8"><freejoint name="root"/>
        {mass(4.2, (0, 0, 0.05), (0.02, 0.018, 0.015))}
        <body name="hip" pos="0 0.1 0"><joint name="yaw" axis="0 0 1" class="servo"/>
          {mass(0.4, (0, 0, -0.02), (4e-4, 4e-4, 3e-4))}
          <body name="hip2"><joint name="roll" axis="1 0 0" class="servo"/>
            {mass(0.5, (0.01, 0, 0), (4e-4, 4e-4, 3e-4))}
            <body name="thigh"><joint name="pitch" axis="0 1 0" class="servo"/>
              {mass(1.9, (0.01, 0.02, -0.14), (0.021, 0.022, 0.003))}
              <body name="shin" pos="0 0 -0.3" euler="0 0.5 0"><joint name="knee" axis="0 1 0"
                class="servo"/>{mass(0.9, (0, 0, -0.12), (0.009, 0.009, 6e-4))}
                {rods}
                <body name="cross" pos="0 0 -0.3"><joint name="ankle_pitch" axis="0 1 0"/>
                  {mass(0.011, (0, 0, 0), (1e-6, 1e-6, 1.3e-6))}
                  <body name="foot"><joint name="ankle_roll" axis="1 0 0"/>
                    {mass(0.6, (0.03, 0, -0.03), (6e-4, 2.1e-3, 2.4e-3))}{ends}
                    <geom type="box" size="0.1 0.04 0.01" pos="0.03 0 -0.05" mass="0"/></body>
                </body></body></body></body></body></body></worldbody>
      <contact><exclude body1="pelvis" body2="shin"/></contact>
      <equality>{equal}</equality><actuator>{drives}</actuator></mujoco>"""


def gripper():
    """Two parallelogram fingers; a coupling, and one motor that pulls both by a tendon."""
    fingers, equal = "", ""
    for side, s in (("left", 1.0), ("right", -1.0)):
        fingers += (
            f'<body name="{side}_driver" pos="0 {0.02 * s} 0"><joint name="{side}_driver_joint" '
            f'axis="{-s} 0 0" class="driver"/>{mass(0.02, (0, 0, 0.03), (9e-6, 9e-6, 1e-6))}'
            f'<body name="{side}_pad" pos="0 {0.012 * s} 0.06"><joint axis="{-s} 0 0" '
            f'name="{side}_coupler_joint"/>{mass(0.035, (0, 0.01 * s, 0.02), (1e-5, 9e-6, 3e-6))}'
            f'<site name="{side}_tip" pos="0 0 0.05"/></body></body>'
            f'<body name="{side}_spring_link" pos="0 {0.04 * s} 0.01"><joint axis="{-s} 0 0" '
            f'name="{side}_spring_link_joint" stiffness="0.05" springref="0.3" damping="0.002"/>'
            f"{mass(0.015, (0, 0, 0.03), (7e-6, 7e-6, 1e-6))}</body>"
        )
        equal += (
            f'<connect body1="{side}_spring_link" body2="{side}_pad" anchor="0 {0.012 * s} 0.06"/>'
        )
    return f"""<mujoco model="gripper"><compiler angle="radian"/>
      <default><default class="driver"><joint range="0 0.8" armature="0.005" damping="0.1"/>
      </default></default>
      <worldbody><body name="palm" pos="0.01 0 0.1" euler="0.3 0.2 0">
        {mass(0.7, (0, 0, 0.03), (1e-3, 1e-3, 9e-4))}{fingers}</body></worldbody>
      <tendon><fixed name="split"><joint joint="right_driver_joint" coef="0.485"/>
        <joint joint="left_driver_joint" coef="0.485"/></fixed></tendon>
      <equality>{equal}<joint joint1="right_driver_joint" joint2="left_driver_joint"
        polycoef="0 1 0 0 0" solref="0.005 1"/></equality>
      <actuator><general class="driver" name="fingers" tendon="split" forcerange="-5 5"
        ctrlrange="0 255" gainprm="0.3" biasprm="0 -100 -10"/></actuator></mujoco>"""


def wrist():
    """A spherical wrist, three legs of three hinges that all meet in one point; over-constrained.

    Six digits: its loops close to 1e-6 only.
    """
    legs, equal, drives, ends = "", "", "", ""
    axes, size, skew = np.eye(3), 0.1, np.random.default_rng(4).uniform(-0.2, 0.2, (3, 3, 3))
    for k in range(3):
        u, w, v = (axes[[k, k - 2, k - 1]] + skew[k]) * [[1.0], [1.0], [-1.0]]
        u, w, v = (e / np.linalg.norm(e) for e in (u, w, v))
        legs += (
            f'<body name="prox{k}"><joint name="q{k}" axis="{six(u)}"/>'
            f"{mass(0.11, size * (u + w) / 2, (2e-4, 2.3e-4, 2.5e-4))}"
            f'<body name="dist{k}"><joint name="p{k}" axis="{six(w)}"/>'
            f"{mass(0.07, size * (v + w) / 2, (1e-4, 1.3e-4, 1.1e-4))}"
            f'<site name="a{k}" pos="{six(size * v)}"/>'
            f'<site name="b{k}" pos="{six(2 * size * v)}"/>'
            f"{'' if k else '@'}</body></body>"
        )
        if k:
            ends += f'<site name="c{k}" pos="{six(size * v)}"/>'
            ends += f'<site name="d{k}" pos="{six(2 * size * v)}"/>'
            equal += f'<connect site1="a{k}" site2="c{k}"/><connect site1="b{k}" site2="d{k}"/>'
        else:
            first = six(v)
        drives += f'<motor joint="q{k}"/>'
    platform = (
        f'<body name="head"><joint name="h" axis="{first}"/>'
        f"{mass(0.4, (0.01, 0.02, 0.11), (8e-4, 9e-4, 1e-3))}{ends}</body>"
    )
    return f"""<mujoco model="wrist"><compiler angle="radian"/>
      <worldbody>{legs.replace("@", platform)}</worldbody>
      <equality>{equal}</equality><actuator>{drives}</actuator></mujoco>"""


def five_bar():
    """Degrees, ``ref``, nested classes, frames, a weld that closes the loop, gravity askew."""
    return f"""<mujoco model="5-bar"><compiler angle="degree" eulerseq="zyx"/>
      <option gravity="0 -9.5 -1"/>
      <default><joint axis="0 0 1" damping="0.001"/>
        <default class="arm"><joint armature="0.003"/>
          <default class="left"><joint ref="110" range="40 170"/></default></default></default>
      <worldbody>
        <body name="l1" pos="-0.1 0 0" euler="110 0 0" childclass="left"><joint name="left"/>
          {mass(0.3, (0.1, 0.01, 0), (1e-4, 1.2e-3, 1.25e-3))}
          <body name="l2" pos="0.2 0 0" euler="-65 0 0">
            <frame pos="0.1 0 0.02" euler="0 0 90"><frame pos="0 0 0.1">
              <joint name="elbow" class="main" axis="0 1 0" pos="-0.1 0 -0.1"/></frame>
            </frame>
            {mass(0.2, (0.12, 0, 0), (1e-4, 1.3e-3, 1.35e-3))}
            <frame pos="0.25 0 0" euler="0 0 0"><body name="tip"><joint name="wrist" class="main"/>
              {mass(0.15, (0.01, 0, 0), (1e-4, 1e-4, 1.5e-4))}
              <site name="t" euler="10 0 0"/></body></frame></body></body>
        <body name="r1" pos="0.1 0 0" euler="70 0 0"><joint name="right" class="arm"/>
          {mass(0.3, (0.1, -0.01, 0), (1e-4, 1.2e-3, 1.25e-3))}
          <body name="r2" pos="0.2 0 0" euler="65 0 0"><joint name="elbow2" class="main"/>
            {mass(0.2, (0.12, 0, 0), (1e-4, 1.3e-3, 1.35e-3))}
            <site name="s" pos="0.25 0 0" euler="0 0 0"/></body></body></worldbody>
      <equality><weld site1="t" site2="s" active="true"/></equality>
      <actuator><velocity joint="left" kv="1"/><velocity joint="right" kv="1"/></actuator>
      <keyframe><key name="home" qpos="110 0 0 0 0"/></keyframe></mujoco>"""


def hexapod():
    """Six telescopic legs: two hinges in one body, a slide, a ball that a ``connect`` makes."""
    legs, equal, drives, platform = "", "", "", ""
    for k in range(6):
        t = np.pi / 3.0 * (k // 2 * 2 + (0.25 if k % 2 else -0.25))
        s = np.pi / 3.0 * (k // 2 * 2 + (0.75 if k % 2 else -0.75))
        a = 0.5 * np.array([np.cos(t), np.sin(t), 0.0])
        b = 0.3 * np.array([np.cos(s), np.sin(s), 0.0]) + [0.0, 0.0, 0.6]
        d = b - a
        size = np.linalg.norm(d)
        z = d / size
        x = np.cross([0.0, 0.3, 1.0], z)
        x /= np.linalg.norm(x)
        y = np.cross(z, x)
        inner = ""
        if k == 0:
            inner = (
                f'<body name="plate" pos="0 0 {six(size - 0.3)}"><joint name="top" type="ball"/>'
                f"{mass(1.7, (0.02, -0.3, 0.04), (0.03, 0.031, 0.05))}@</body>"
            )
            here = (b, np.stack([x, y, z]))
        else:
            p = here[1] @ (b - here[0])
            platform += f'<site name="p{k}" pos="{six(p)}"/>'
            equal += f'<connect site1="r{k}" site2="p{k}"/>'
        legs += (
            f'<body name="tube{k}" pos="{six(a)}" xyaxes="{six(x, y)}">'
            f'<joint name="u{k}" axis="1 0 0"/><joint name="v{k}" axis="0 1 0"/>'
            f"{mass(0.8, (0, 2e-3, 0.12), (4e-3, 4.1e-3, 6e-4))}"
            f'<body name="rod{k}" pos="0 0 0.3"><joint name="leg{k}" type="slide" axis="0 0 1"/>'
            f"{mass(0.3, (0, 0, 0.1), (2e-3, 2e-3, 2e-4))}"
            f'<site name="r{k}" pos="0 0 {six(size - 0.3)}"/>{inner}</body></body>'
        )
        drives += f'<motor joint="leg{k}"/>'
    return f"""<mujoco model="hexapod"><compiler angle="radian"/>
      <worldbody>{legs.replace("@", platform)}</worldbody>
      <equality>{equal}</equality><actuator>{drives}</actuator></mujoco>"""


def replicated():
    """Six legs as copies of one, each turned further; the platform floats, and loops hold it."""
    sites, equal = "", ""
    for k in range(6):
        t = np.pi / 3.0 * k + 0.3 * (-1) ** k
        sites += f'<site name="p{k}" pos="{six(0.25 * np.cos(t), 0.25 * np.sin(t), 0)}"/>'
        equal += f'<connect site1="end-{k}" site2="p{k}"/>'
    return f"""<mujoco model="copies"><compiler angle="degree"/>
      <worldbody>
        <replicate count="6" euler="0 0 60" sep="-">
          <body name="crank" pos="0.3 0 0"><joint name="m" axis="0.3 1 0" armature="0.001"/>
            {mass(0.2, (0.06, 0, 0), (1e-4, 9e-4, 9.5e-4))}
            <body name="rod" pos="0.12 0 0"><joint name="b" type="ball"/>
              {mass(0.05, (-0.06, 0, 0.17), (5e-4, 5.02e-4, 3e-6))}
              <site name="end" pos="-0.12 0.02 0.34"/></body></body>
        </replicate>
        <body name="plate" pos="0 0 0.36"><freejoint/>{mass(0.8, (0, 0.01, 0), (5e-3, 5e-3, 9e-3))}
          {sites}</body>
      </worldbody>
      <equality>{equal}</equality><actuator><motor joint="m"/></actuator></mujoco>"""


def planar_urdf():
    """A planar 3-RRR as URDF: pairs of closing frames, transmissions, names with dashes."""

    def link(name, m, center):
        return (
            f'<link name="{name}"><inertial><origin xyz="{six(center)}" rpy="0.1 0 0.3"/>'
            f'<mass value="{m}"/><inertia ixx="0.001" iyy="0.0011" izz="0.0012" ixy="0.0001" '
            'ixz="0" iyz="0"/></inertial></link>'
        )

    def joint(name, kind, parent, child, xyz, angle=0.0):
        more = '<limit lower="-3" upper="3" effort="5" velocity="4"/><dynamics damping="0.1"/>'
        return (
            f'<joint name="{name}" type="{kind}"><origin xyz="{six(xyz)}" rpy="0 0 {angle:.6g}"/>'
            f'<parent link="{parent}"/><child link="{child}"/><axis xyz="0 0 1"/>'
            f"{'' if kind == 'fixed' else more}</joint>"
        )

    text, size = link("base_link", 1.0, (0, 0, 0)), 0.17
    corners = np.array([(-0.05, -0.03), (0.05, -0.03), (0.0, 0.06)])
    for k, foot in enumerate(np.array([(0.0, 0.0), (0.4, 0.0), (0.2, 0.35)])):
        x, y = np.array([0.2, 0.12]) + corners[k] - foot
        bend = np.arccos(np.hypot(x, y) / (2.0 * size))
        first = np.arctan2(y, x) + bend
        text += link(f"p-{k}", 0.3, (0.08, 0, 0)) + link(f"d-{k}", 0.2, (0.09, 0.002, 0.01))
        text += joint(f"m-{k}", "revolute", "base_link", f"p-{k}", (*foot, 0), first)
        text += joint(f"e-{k}", "continuous", f"p-{k}", f"d-{k}", (size, 0, 0), -2.0 * bend)
        text += (
            f'<transmission name="t{k}"><type>transmission_interface/SimpleTransmission</type>'
            f'<joint name="m-{k}"><hardwareInterface>Effort</hardwareInterface></joint>'
            f'<actuator name="a{k}"/></transmission>'
        )
        if k == 0:
            text += link("plate", 0.5, (0.01, 0, 0.02))
            turn = 2.0 * bend - first
            text += joint("tip", "continuous", "d-0", "plate", (size, 0, 0), turn)
        else:
            text += f'<link name="closing_{k}_1"/><link name="closing_{k}_2"/>'
            text += joint(f"f{k}", "fixed", f"d-{k}", f"closing_{k}_1", (size, 0, 0))
            far = (*(corners[k] - corners[0]), 0)
            text += joint(f"g{k}", "fixed", "plate", f"closing_{k}_2", far)
    return f'<?xml version="1.0"?><robot name="planar-3rrr">{text}</robot>'


def ankle_urdf():
    """An ankle of two cranks and rods; a YAML file says which hinges are balls or universal.

    Returns:
        The URDF, and the file beside it; frames that close the loops are those of joints.
    """

    def link(name, m, center, moments):
        xx, yy, zz = moments
        return (
            f'<link name="{name}"><inertial><origin xyz="{six(center)}"/><mass value="{m}"/>'
            f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        )

    def joint(name, kind, parent, child, xyz, axis="0 0 1", rpy=(0.0, 0.0, 0.0)):
        return (
            f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{six(xyz)}" rpy="{six(rpy)}"/><axis xyz="{axis}"/></joint>'
        )

    text = '<link name="shin"/>' + link("cross", 0.05, (0.0, 1e-3, 0.0), (2e-5, 3e-5, 4e-5))
    text += link("foot", 0.6, (0.03, 2e-3, -0.04), (9e-4, 2e-3, 2.2e-3))
    text += joint("pitch", "continuous", "shin", "cross", (0.0, 0.0, -0.3), "0 1 0")
    text += joint("roll", "continuous", "cross", "foot", (0.0, 0.0, 0.0), "1 0 0")
    for k, y in ((1, 0.04), (2, -0.04)):
        text += link(f"crank{k}", 0.08, (-0.02, 0.0, 0.0), (1e-5, 4e-5, 3e-5))
        text += link(f"rod{k}", 0.06, (0.0, 2e-3, -0.1), (3.09e-4, 3.1e-4, 2e-6))
        text += link(f"end{k}", 0.003, (0.0, 0.0, 0.0), (2e-7, 2e-7, 2e-7))
        text += f'<link name="seat{k}"/>'
        text += joint(f"mot{k}", "continuous", "shin", f"crank{k}", (-0.02, y, -0.1), "0 1 0")
        text += joint(f"carrier{k}", "continuous", f"crank{k}", f"rod{k}", (-0.05, 0.0, 0.0))
        rpy = (0.0, 0.3, 0.0)
        text += joint(f"loop{k}_A", "continuous", f"rod{k}", f"end{k}", (0.0, 0.0, -0.2), rpy=rpy)
        text += joint(f"loop{k}_B", "fixed", "foot", f"seat{k}", (-0.07, y, 0.0), rpy=rpy)
    side = """closed_loop: [[loop1_A, loop1_B], [loop2_A, loop2_B]]
type: [6d, 6D]
name_mot: [mot1, mot2]
joint_name: [carrier1, loop1_A, carrier2, loop2_A]
joint_type: [CARDAN, SPHERICAL, UJOINT_YX, SPHERICAL]
"""
    return f'<robot name="ankle">{text}</robot>', side
