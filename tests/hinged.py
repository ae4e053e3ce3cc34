"""Machines with three hinges in the place of balls, and Pinocchio's word about their idle spins.

The tree of a URDF is Pinocchio's, its loops are closed exactly.  Rods spin idly; held in the joints
of the tree, the vector of all rates has no part along what moves with the motors held::

    J_c v = 0,    N^T v = 0,    N spans the null space of [J_c; S]

and so at every instant: the derivative of ``N N^T v`` is zero, too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import gough
from gough.robot.joint import DRAGS

LEGS = 6
MOTORS = [f"motor_{k}" for k in range(1, LEGS + 1)]


def urdf(link=1e-3, seed=4):
    """A hexapod of arms and rods, drawn at home; askew gimbals for balls, of three links each.

    Args:
        link: mass [kg] of the links between hinges; their moments are a thousandth of it.
        seed: of figures without symmetry.
    """
    rng = np.random.default_rng(seed)
    angles = np.deg2rad([-18.0, 25.0, 98.0, 140.0, 222.0, 263.0]) + rng.uniform(-0.05, 0.05, LEGS)
    ring = np.array([np.cos(angles), np.sin(angles), 0 * angles]).T
    feet = 0.3 * ring + rng.uniform(-0.01, 0.01, (LEGS, 3))
    out = np.cross([0.0, 0.0, 1.0], ring) * np.resize([1.0, -1.0], LEGS)[:, None]
    elbows = feet + 0.12 * (0.6 * out + 0.8 * ring) + [0.0, 0.0, 0.03]
    turned = angles + np.resize([0.35, -0.35], LEGS)
    heads = 0.15 * np.array([np.cos(turned), np.sin(turned), 0 * turned]).T + [0.0, 0.0, 0.4]
    heads = heads + rng.uniform(-0.01, 0.01, (LEGS, 3))
    text = ['<robot name="hinged">', '<link name="ground"/>']

    def add(name, mass, size, center):
        a, b, c = np.array([1.0, 1.4, 1.7]) * mass * size**2
        at = " ".join(f"{x:.17g}" for x in center)
        text.append(
            f'<link name="{name}"><inertial><origin xyz="{at}" rpy="0.3 -0.2 0.1"/>'
            f'<mass value="{mass}"/><inertia ixx="{a}" iyy="{b}" izz="{c}" '
            f'ixy="0" ixz="0" iyz="0"/></inertial></link>'
        )

    def join(name, parent, child, at, axis=None):
        xyz = " ".join(f"{x:.17g}" for x in at)
        kind = "fixed" if axis is None else "continuous"
        text.append(f'<joint name="{name}" type="{kind}"><parent link="{parent}"/>')
        text.append(f'<child link="{child}"/><origin xyz="{xyz}" rpy="0 0 0"/>')
        if axis is not None:
            text.append(f'<axis xyz="{" ".join(f"{x:.17g}" for x in axis)}"/>')
        text.append("</joint>")

    def gimbal(name, parent, child, at):
        axes = np.eye(3) + rng.uniform(-0.35, 0.35, (3, 3))
        for k in (1, 2):
            add(f"{name}_link_{k}", link, np.sqrt(1e-3), [0.0, 0.0, 0.0])
        links = [parent, f"{name}_link_1", f"{name}_link_2", child]
        for k in range(3):
            axis = axes[k] / np.linalg.norm(axes[k])
            join(f"{name}_{'xyz'[k]}", links[k], links[k + 1], at if k == 0 else np.zeros(3), axis)

    add("plate", 1.5, 0.1, [0.01, -0.02, 0.03])
    for k in range(LEGS):
        n, rod = k + 1, heads[k] - elbows[k]
        axis = np.cross(elbows[k] - feet[k], [0.0, 0.0, 1.0]) + rng.uniform(-0.01, 0.01, 3)
        add(f"arm_{n}", 0.2, 0.05, (elbows[k] - feet[k]) / 2)
        add(f"rod_{n}", 0.1, 0.04, rod / 2 + rng.uniform(-0.004, 0.004, 3))
        join(f"motor_{n}", "ground", f"arm_{n}", feet[k], axis / np.linalg.norm(axis))
        gimbal(f"low_{n}", f"arm_{n}", f"rod_{n}", elbows[k] - feet[k])
        if n == LEGS:
            gimbal("high", f"rod_{n}", "plate", rod)
            continue
        for end, body, at in ((1, f"rod_{n}", rod), (2, "plate", heads[k] - heads[-1])):
            text.append(f'<link name="closing_{n}_{end}"/>')
            join(f"closing_{n}_{end}_frame", body, f"closing_{n}_{end}", at)
    return "\n".join([*text, "</robot>"])


class Held:
    """Pinocchio's tree of a URDF with idle spins held in its joints.

    Args:
        xml: the URDF; its loops are pairs of frames ``closing_K_1`` and ``closing_K_2``.
        motors: driven joints.
        lock: joints that are held at zero.
    """

    def __init__(self, xml, motors, lock=()):
        import pinocchio as pin

        self.pin = pin
        model = pin.buildModelFromXML(xml)
        held = [model.getJointId(name) for name in lock]
        self.model = pin.buildReducedModel(model, held, pin.neutral(model)) if held else model
        self.data, self.names = self.model.createData(), list(self.model.names)[1:]
        ends = [(f"closing_{k}_1", f"closing_{k}_2") for k in range(1, 6)]
        self.ends = [tuple(map(self.model.getFrameId, pair)) for pair in ends]
        self.S = np.eye(self.model.nv)[[self.names.index(name) for name in motors]]
        for name in self.names:  # one number each, in their order; continuous ones would have two
            assert self.model.joints[self.model.getJointId(name)].nv == 1

    def coordinates(self, joints):
        """A vector of Pinocchio from coordinates by name."""
        found = self.pin.neutral(self.model)
        for name, value in joints.items():
            if name in self.names:
                joint = self.model.joints[self.model.getJointId(name)]
                pair = [np.cos(value), np.sin(value)] if joint.nq == 2 else [value]
                found[joint.idx_q : joint.idx_q + joint.nq] = pair
        return found

    def loops(self, q, v):
        """Gaps of the loops, their Jacobian, and their accelerations at constant rates."""
        pin, model, data = self.pin, self.model, self.data
        frame = pin.LOCAL_WORLD_ALIGNED
        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, v, 0.0 * v)
        pin.updateFramePlacements(model, data)
        both = [
            (
                data.oMf[each].translation,
                pin.getFrameJacobian(model, data, each, frame)[:3],
                pin.getFrameClassicalAcceleration(model, data, each, frame).linear,
            )
            for pair in self.ends
            for each in pair
        ]
        return tuple(
            np.concatenate([a - b for a, b in zip(part[::2], part[1::2], strict=True)])
            for part in zip(*both, strict=True)
        )

    def idle(self, q):
        """An orthonormal basis of what moves with the motors held."""
        rows = np.vstack([self.loops(q, np.zeros(self.model.nv))[1], self.S])
        return np.linalg.svd(rows)[2][len(rows) :].T

    def motion(self, q, rates, accelerations, *, in_time=True):
        """Rates and accelerations of all joints, from those of the motors.

        Held ``in_time``, spins have accelerations that are derivatives of their rates; otherwise
        accelerations have no part along the idle motions of this instant, ``N^T a = 0``.
        """
        pin, n = self.pin, self.model.nv
        N = self.idle(q)
        J = self.loops(q, np.zeros(n))[1]
        rows = np.vstack([J, self.S, N.T])
        still, nothing = np.zeros(len(J)), np.zeros(N.shape[1])
        v = np.linalg.solve(rows, np.concatenate([still, rates, nothing]))

        def onto(h):
            N_h = self.idle(pin.integrate(self.model, q, h * v))
            return N_h @ N_h.T

        h = 1e-4  # of a difference of fourth order: rounding and the rest are near 1e-11
        P = (8.0 * (onto(h) - onto(-h)) - (onto(2 * h) - onto(-2 * h))) / (12.0 * h)
        drift = self.loops(q, v)[2]
        held = -N.T @ P @ v if in_time else nothing
        return v, np.linalg.solve(rows, np.concatenate([-drift, accelerations, held]))

    def efforts(self, q, v, a):
        """Efforts of the motors; loops and what holds the spins do the rest."""
        needed = self.pin.rnea(self.model, self.data, q, v, a)
        bases = np.hstack([self.S.T, self.loops(q, v)[1].T, self.idle(q)])
        return np.linalg.solve(bases, needed)[: len(self.S)]


def with_gimbals(machine, kinds, mass=1e-4):
    """A robot with three hinges, or a universal joint and a hinge, for every ball that drags.

    Args:
        machine: the robot; its joints are told apart by the last digit of their names.
        kinds: of joints from the ball's parent to its child, ``"RRR"``, ``"UR"`` or ``"RU"``, by
            the name of the ball; ``"RRR0"`` has the place of the universal joint's cross taken by
            a link without mass: the two are the same machine.
        mass: of the links between [kg].
    """
    at_home = gough.posture(machine, machine.assembly.T_home).bodies
    bodies, joints, home = list(machine.bodies), [], dict(machine.home.bodies)
    for number, joint in enumerate(machine.joints):
        if joint.idle != DRAGS:
            joints.append(joint)
            continue
        kind = kinds(joint)
        rng = np.random.default_rng(number)
        T = at_home[joint.parent] @ joint.parent_frame.matrix
        a, b, c = np.linalg.qr(rng.normal(size=(3, 3)))[0].T  # a and b are those of a cross
        axes = [a, b, c + 0.3 * a] if kind[0] != "R" or kind == "RRR0" else [c + 0.3 * b, a, b]
        axes = [axis / np.linalg.norm(axis) for axis in axes]
        names = [f"{joint.name}_{k}" for k in (1, 2)]
        massless = {"RRR0": 0}.get(kind)
        ends = [joint.parent, *names, joint.child]
        chain = ["revolute"] * 3
        if kind in ("UR", "RU"):
            chain = {"UR": ["universal", "revolute"], "RU": ["revolute", "universal"]}[kind]
            ends = [joint.parent, names[1 if kind == "UR" else 0], joint.child]
        for k, name in enumerate(names):
            if name in ends:
                moments = (np.diag([1.0, 1.3, 1.6]) * mass * 1e-3).tolist()
                solid = gough.Body(name, mass, (0.0, 0.0, 0.0), moments)
                bodies.append(gough.Body(name, massless=True) if k == massless else solid)
                home[name] = gough.Frame(T[:3, 3].tolist())
        at_home |= {name: gough.Frame(T[:3, 3].tolist()).matrix for name in names}
        left = list(axes)
        for k, what in enumerate(chain):
            used = [left.pop(0) for _ in range(2 if what == "universal" else 1)]
            frames = [
                _frame(at_home[end], T[:3, 3], axis, used)
                for end, axis in ((ends[k], used[0]), (ends[k + 1], used[-1]))
            ]
            made = gough.Joint(f"{joint.name}_{'abc'[k]}", what, ends[k], ends[k + 1], *frames)
            joints.append(replace(made, idle=DRAGS))
    return replace(
        machine,
        bodies=tuple(bodies),
        joints=tuple(joints),
        home=replace(machine.home, bodies=home),
    )


def _frame(T_body, point, axis, used):
    """A frame on a body with its z along an axis; of a cross, x across both axes."""
    z = np.array(axis)
    x = np.cross(*used) if len(used) == 2 else np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x = x / np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.array([x, np.cross(z, x), z]).T, point
    return gough.Frame.from_matrix(np.linalg.inv(T_body) @ T)
