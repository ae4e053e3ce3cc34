"""Machines under load: stiffness about the posture that loads have moved, by the forces in it.

The posture that gives way and the geometric stiffness are of the same order in the loads, so both
count, or neither.  Both follow from the second order of the relative displacements of frames:
joints, and sections of beams.  Loads are dead: forces keep their direction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gough.base.spatial import rotation_exp, twist_scales
from gough.dynamics.shared.state_loads import StateLoads
from gough.elastic.bodies import BodyModel
from gough.elastic.coordinates import Stressed
from gough.elastic.joints import JointPlace
from gough.elastic.mesh import Mesh, repeated
from gough.elastic.moved_mass import moved_mass, point_change
from gough.elastic.second_order import first_order, second_order, turned_axes, turned_twice
from gough.elastic.statics import Solved
from gough.elastic.system import System
from gough.errors import FrozenFreedom, GoughError, InputError, Unstable
from gough.robot.body_stiffness import PLATFORM
from gough.robot.joint_kinds import KINDS

_FAR = 0.25  # share of the machine's length, or rad, that loads may move a joint
LINEAR = 0.05
"""Share of the machine's length, or rad, up to which displacements are taken to be linear in loads.

Along the tangent a turn of 0.05 rad is wrong by 2.5 % of itself, and levers and stiffnesses change
by about as much: beyond, a figure of a linear model has hardly two digits.
"""
_SOFTER = 0.1  # share by which loads may change the platform's compliance without a word
_BALANCED = 1e-9  # share of all weight times length that a spin bears by rounding


@dataclass(frozen=True, eq=False)
class Preload:
    """Displacements and forces of a machine under loads, to first order.

    Attributes:
        system: the machine without loads.
        x: its coordinates under the loads ``(n,)``.
        force: generalised forces of the loads ``(n,)``.
        loads: what acts.
        gravity: whether weight and springs of axes count.
    """

    system: System
    x: np.ndarray
    force: np.ndarray
    loads: StateLoads
    gravity: bool = True

    def applied(self) -> System:
        """The machine about its loaded posture, with the forces in it."""
        system = self.system
        self._check_small()
        stress = self._joint_forces()
        geometric = self._dead()
        relative = []
        for place, s in zip(system.joints, stress, strict=True):
            Z, tensor = self._joint(place)
            relative.append((tensor @ (Z @ self.x)) @ Z)
            geometric += Z.T @ np.tensordot(s, tensor, axes=1) @ Z
        strains = {}
        for name, model in system.models.items():
            if len(model.strains):
                here = slice(system.starts[name], system.starts[name] + model.size)
                strains[name], own = bent(model, self.x[here])
                geometric[here, here] += own
        even = (geometric + geometric.T) / 2.0
        moved = float(np.abs(self.x / system.scale).max(initial=0.0))
        stressed = Stressed(tuple(relative), strains, even, self._platform(), self._mass(), moved)
        return replace(system, stressed=stressed)

    def _check_small(self) -> None:
        """Refuse loads under which nothing of the first order in them is true any more."""
        name, moved = self.farthest()
        if np.abs(moved / twist_scales(self.system.assembly.length)).max() > _FAR:
            u, turned = (float(np.linalg.norm(part)) for part in (moved[:3], moved[3:]))
            raise InputError(
                f"{self.system.robot.name}: the loads move {name!r} by {u:.3g} m and turn it by "
                f"{turned:.3g} rad: too far for stiffness under load, which is of first order",
                hint="Likely: a load in another unit, or a part that is far too soft; without "
                "preload=True the machine is told as it stands.",
                argument="loads",
            )

    def farthest(self) -> tuple[str, np.ndarray]:
        """The joint that the loads move or turn most, and its displacement ``(6,)`` [m, rad]."""
        system, natural = self.system, twist_scales(self.system.assembly.length)
        moved = {
            place.joint.name: system.displacement(
                place.joint.child, place.on_child, place.joint.name
            )
            @ self.x
            for place in system.joints
        }
        name = max(moved, key=lambda each: float(np.abs(moved[each] / natural).max()))
        return name, moved[name]

    def _platform(self) -> np.ndarray:
        """Change of the platform's displacement per coordinate ``(6, n)``."""
        point = np.array(self.system.robot.platform_frame.position)
        return self._change(self.system.robot.platform, point, PLATFORM)

    def _change(self, body: str, point: np.ndarray, frame: str = "") -> np.ndarray:
        """Change of the displacement of a body's point per coordinate ``(6, n)``."""
        turn = self.system.displacement(body, point, frame)[3:]
        arm = self.system.pose(body).R @ self.system.models[body].arm(point, frame)
        return np.asarray(point_change(turn @ self.x, arm) @ turn)

    def _mass(self) -> np.ndarray:
        """Mass of all bodies and the payload, where they have moved ``(n, n)``."""
        system = self.system
        found = np.zeros((system.size, system.size))
        for name, model in system.models.items():
            here = slice(system.starts[name], system.starts[name] + model.size)
            found[here, here] = moved_mass(model, self.x[here])
        if system.payload is None:
            return found
        load = system.payload
        at = system.displacement(load.body, np.asarray(load.c))
        turned = rotation_exp(at[3:] @ self.x) @ system.pose(load.body).R
        at = at + self._change(load.body, np.asarray(load.c))
        own = np.zeros((6, 6))
        own[:3, :3] = float(load.m) * np.eye(3)
        own[3:, 3:] = turned @ np.asarray(load.I) @ turned.T
        return np.asarray(found + at.T @ own @ at)

    def _joint(self, place: JointPlace) -> tuple[np.ndarray, np.ndarray]:
        """Displacements of a joint's frames per coordinate, 12xn, and the second order of xi."""
        system, ends = self.system, []
        arms = []
        for body, point in (
            (place.joint.parent, place.on_parent),
            (place.joint.child, place.on_child),
        ):
            ends.append(system.displacement(body, point, place.joint.name))
            model = system.models.get(body)
            arm = np.zeros(3) if model is None else model.arm(point, place.joint.name)
            arms.append(system.pose(body).R @ arm)
        tensor = turned_axes(second_order(place.offset, *arms), place.A.R)
        if KINDS[place.joint.kind].turns == 2:
            # turns about both axes turn their cross-product by half the product of the two
            z_B = place.R_AB[:, 2]
            across = np.cross([0.0, 0.0, 1.0], z_B)
            across = across / np.linalg.norm(across)
            turn = first_order(place.offset)[3:]
            first, second = place.A.R[:, 2] @ turn, (place.A.R @ z_B) @ turn
            both = np.outer(first, second)
            tensor[3:] -= across[:, None, None] * ((both + both.T) / 2.0)
        return np.concatenate(ends), tensor

    def _joint_forces(self) -> list[np.ndarray]:
        """Force that strains each joint along ``xi`` ``(6,)``: of what holds it, and of springs."""
        system, x = self.system, self.x
        found = [np.zeros(6) for _ in system.joints]
        rows = system.rows / system.scale
        strained = system.strains.T @ (system.strains @ x)
        # what holds balances what the loads leave; of redundant rows the smallest
        left = (self.force - strained) * system.scale
        holding = np.linalg.lstsq((rows * system.scale).T, left, rcond=1e-9)[0]
        count = len(system.holds)
        self._check_spins(holding[count:])
        for multiplier, hold in zip(holding[:count], system.holds, strict=True):
            for joint, row in hold:
                found[joint] = found[joint] + multiplier * row
        for name, effort in system.sprung.items() if self.gravity else ():
            k, row = system.axis_rows[name]
            found[k] = found[k] + effort * row
        for k, rows_k in enumerate(springs_on_joints(system)):
            for row, stiffness, moved in rows_k:
                found[k] = found[k] + stiffness * float(moved @ x) * row
        return found

    def _check_spins(self, moments: np.ndarray) -> None:
        """Refuse moments on spins that are held: their axes turn with the body, no joint's do."""
        system = self.system
        weight = sum(body.mass for body in system.robot.bodies) * system.assembly.length
        g = float(np.linalg.norm(self.loads.gravity))
        for spin, moment in zip(system.spins, moments, strict=True):
            if abs(moment) > _BALANCED * weight * g:
                raise FrozenFreedom(
                    f"{system.robot.name}: the spin of {spin.body!r} is held by 'idle: locked' and "
                    f"bears a moment of {abs(moment):.3g} N m: what it does to stiffness under "
                    "load is not known",
                    hint="Make the joint universal, which says where it holds; or leave preload "
                    "out.",
                    bodies=(spin.body,),
                    moment=float(moment),
                )

    def _dead(self) -> np.ndarray:
        """What forces that keep their direction add, where they act beside a node ``(n, n)``."""
        system = self.system
        found = np.zeros((system.size, system.size))
        pushes = [(p.body, np.asarray(p.point, dtype=float), p.f) for p in self.loads.pushes]
        if self.gravity:
            g = np.asarray(self.loads.gravity, dtype=float)
            for name, model in system.models.items():
                R = system.pose(name).R
                for lump in model.lumps:
                    turn = model.turns_of(lump.node)
                    second = np.tensordot(R.T @ g * lump.m, turned_twice(lump.arm), axes=1)
                    here = slice(system.starts[name], system.starts[name] + model.size)
                    found[here, here] -= turn.T @ second @ turn
            if self.loads.payload is not None:
                load = self.loads.payload
                pushes.append((load.body, np.asarray(load.c), float(load.m) * g))
        for body, point, force in pushes:
            if body not in system.models:
                continue
            turn = system.displacement(body, point)[3:]
            arm = system.pose(body).R @ system.models[body].arm(point)
            second = np.tensordot(np.asarray(force, dtype=float), turned_twice(arm), axes=1)
            found -= turn.T @ second @ turn
        return found


def doubt_linear(
    solved: Solved, x: np.ndarray, loads: StateLoads, force: np.ndarray, *, gravity: bool
) -> str:
    """A sentence where a deflection is not linear in its loads any more; empty where it is.

    Two limits: how far joints move, and by how much the forces in the machine, and the posture that
    they have moved, change its stiffness (a slender strut buckles long before it is short).

    Args:
        solved: the machine without loads.
        x: its coordinates under the loads ``(n,)``.
        loads: what acts.
        force: generalised forces of the loads ``(n,)``.
        gravity: whether weight and springs of axes count.
    """
    system, length = solved.system, solved.system.assembly.length
    preload = Preload(system, x, force, loads, gravity)
    name, moved = preload.farthest()
    if far_moved(moved, length):
        return (
            f"{system.robot.name}: the loads move {name!r} by {np.linalg.norm(moved[:3]):.3g} m "
            f"and turn it by {np.linalg.norm(moved[3:]):.3g} rad; displacements are linear in "
            f"loads up to about {LINEAR:g} of the machine's {length:.3g} m, or "
            "rad: what is told is no more than a sign that it gives way that far"
        )
    try:
        loaded = Solved(preload.applied(), before=solved).compliance
    except Unstable as err:
        return f"{err.message}; without preload=True deflections and stiffness do not know of that"
    except GoughError:  # stiffness under these loads is not known
        return ""
    natural = np.outer(1.0 / twist_scales(length), 1.0 / twist_scales(length))
    change, whole = (
        float(np.linalg.norm(each * natural, 2))
        for each in (loaded - solved.compliance, solved.compliance)
    )
    share = change / max(whole, 1e-300)
    if share <= _SOFTER:
        return ""
    return (
        f"{system.robot.name}: these loads change the compliance of the platform by {share:.0%}, "
        "which linear deflections do not know; gough.elasticity(..., preload=True) tells stiffness "
        "and vibrations of the loaded machine"
    )


def far_moved(moved: np.ndarray, length: float) -> bool:
    """Whether displacements ``(..., 6)`` are too large to be linear in loads."""
    natural = np.abs(moved) / twist_scales(length)
    return bool((natural[np.isfinite(natural)] > LINEAR).any())


def springs_on_joints(system: System) -> list[list[tuple[np.ndarray, float, np.ndarray]]]:
    """Of every joint its springs: row over the twist, stiffness, row over the coordinates.

    Bearings, transmissions, controllers without a transmission, and springs of axes.
    """
    found: list[list[tuple[np.ndarray, float, np.ndarray]]] = [[] for _ in system.joints]
    for k, (place, xi) in enumerate(zip(system.joints, system.relative, strict=True)):
        for each in place.directions():
            if each.stiffness is not None:
                found[k].append((each.row, each.stiffness, each.row @ xi))
    for motor, drive in system.drives.items():
        k, row = system.axis_rows[motor]
        gear, before = system.robot.axis(motor).transmission, system.rotor(motor)
        if gear is not None and gear.stiffness is not None:
            moved = system.axes[motor][0] - (0.0 if before is None else before[0])
            found[k].append((row, gear.stiffness, moved))
        elif drive.kp:
            found[k].append((row, drive.kp, system.axes[motor][0]))
    for name, (k, row) in system.axis_rows.items():
        axis = system.robot.axis(name) if name in system.robot.axis_names else None
        if axis is not None and axis.spring is not None:
            found[k].append((row, axis.spring.stiffness, system.axes[name][0]))
    return found


def bent(model: BodyModel, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What displacements of an elastic body change: its strains, and its geometric stiffness.

    Returns:
        Change of the strains per coordinate ``(m, n)``, and what its inner forces add ``(n, n)``.
    """
    if model.mesh is not None and model.spread is not None:
        change, own = _bent_mesh(model.mesh, model.spread @ x)
        # strains of a reduced beam are combinations of those of its elements
        return model.combined @ (change @ model.spread), model.spread.T @ own @ model.spread
    return _bent_matrix(model, x)


def _bent_mesh(mesh: Mesh, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of all nodes of a beam; each element is a pair of frames."""
    change, own = np.zeros_like(mesh.strains), np.zeros((len(x), len(x)))
    nothing = np.zeros(3)
    for k, (element, R) in enumerate(zip(mesh.elements, mesh.turned, strict=True)):
        here, turn = slice(6 * k, 6 * k + 12), repeated(R, 4)
        d = np.array([element.length, 0.0, 0.0])
        strains, first = element.strains(), first_order(d)
        tensor = second_order(d, nothing, nothing)
        # an axis that bends is longer than its ends are apart
        tensor[0] += first.T @ element.geometric(1.0)[6:, 6:] @ first
        z = turn.T @ x[here]
        force = strains[:, 6:].T @ (strains @ z)
        change[6 * k : 6 * k + 6, here] = strains[:, 6:] @ (tensor @ z) @ turn.T
        own[here, here] += turn @ np.tensordot(force, tensor, axes=1) @ turn.T
    return change, own


def _bent_matrix(model: BodyModel, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of a body with a stiffness matrix: frames relative to the first one."""
    points = np.zeros((0, 3)) if model.points is None else model.points
    change, own = np.zeros_like(model.strains), np.zeros((len(x), len(x)))
    force = model.strains.T @ (model.strains @ x)
    nothing = np.zeros(3)
    for k in range(1, len(points)):
        here = np.r_[0:6, 6 * k : 6 * k + 6]
        tensor = second_order(points[k] - points[0], nothing, nothing)
        moved = tensor @ x[here]
        change[:, here] += model.strains[:, 6 * k : 6 * k + 6] @ moved
        along = np.tensordot(force[6 * k : 6 * k + 6], tensor, axes=1)
        own[np.ix_(here, here)] += along
    return change, own
