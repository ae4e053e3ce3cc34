"""A file that MuJoCo compiles, as SDF: links where they are drawn, every joint of the graph."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

_KINDS = {1: "ball", 2: "prismatic", 3: "revolute"}  # of mjtJoint


def _pose(p, R):
    return " ".join(repr(float(x)) for x in (*p, *Rotation.from_matrix(R).as_euler("xyz")))


def _vector(x):
    return " ".join(repr(float(each)) for each in x)


def parts(path, version="1.7"):
    """Links and joints by name, as texts; equalities are ``connect`` between sites or bodies.

    Up to 1.4, axes are in the model's frame.
    """
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    data.qpos[:] = model.qpos0
    mujoco.mj_forward(model, data)
    names = ["world", *(model.body(k).name for k in range(1, model.nbody))]
    links, joints = {}, {}
    for k in range(1, model.nbody):
        x = model.body_inertia[k]
        Q = Rotation.from_quat(np.roll(model.body_iquat[k], -1)).as_matrix()
        links[names[k]] = (
            f'<link name="{names[k]}"><pose>{_pose(data.xpos[k], data.xmat[k].reshape(3, 3))}'
            f"</pose><inertial><pose>{_pose(model.body_ipos[k], Q)}</pose>"
            f"<mass>{float(model.body_mass[k])!r}</mass><inertia><ixx>{float(x[0])!r}</ixx>"
            f"<iyy>{float(x[1])!r}</iyy><izz>{float(x[2])!r}</izz><ixy>0</ixy><ixz>0</ixz>"
            "<iyz>0</iyz></inertia></inertial></link>"
        )
        own = [j for j in range(model.njnt) if model.jnt_bodyid[j] == k]
        ends = (names[int(model.body_parentid[k])], names[k])
        R = data.xmat[k].reshape(3, 3) if version <= "1.4" else np.eye(3)
        axes = [_vector(R @ model.jnt_axis[j]) for j in own]
        kind = "universal" if len(own) == 2 else "fixed"
        if len(own) == 1:
            kind = _KINDS[int(model.jnt_type[own[0]])]
        name = model.joint(own[0]).name if len(own) == 1 else f"{names[k]}_joint"
        place = model.jnt_pos[own[0]] if own else np.zeros(3)
        joints[name] = _joint(name, kind, ends, place, axes if kind != "ball" else [])
    for e in range(model.neq):
        one, two = (int(x) for x in (model.eq_obj1id[e], model.eq_obj2id[e]))
        point = model.eq_data[e, 3:6]
        if int(model.eq_objtype[e]) == int(mujoco.mjtObj.mjOBJ_SITE):
            point = model.site_pos[two]
            one, two = (int(model.site_bodyid[s]) for s in (one, two))
        joints[f"loop{e}"] = _joint(f"loop{e}", "ball", (names[one], names[two]), point, [])
    return links, joints


def _joint(name, kind, ends, place, axes):
    tags = "".join(
        f"<{tag}><xyz>{xyz}</xyz></{tag}>"
        for tag, xyz in zip(("axis", "axis2"), axes, strict=False)
    )
    return (
        f'<joint name="{name}" type="{kind}"><pose>{_vector(place)} 0 0 0</pose>'
        f"<parent>{ends[0]}</parent><child>{ends[1]}</child>{tags}</joint>"
    )


def as_sdf(path, version="1.7"):
    """The whole file."""
    links, joints = parts(path, version)
    inside = "".join((*links.values(), *joints.values()))
    return f'<sdf version="{version}"><model name="m">{inside}</model></sdf>'
