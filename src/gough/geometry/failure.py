"""Why a pose is refused: which leg does not reach, by how much, or what the mobility forbids."""

from __future__ import annotations

import numpy as np

from gough.base import english as words
from gough.errors import GoughError, InconsistentPose, UnreachablePose
from gough.geometry.newton import AssembledState
from gough.mechanism.closure.coordinates import Configuration, pack, unpack
from gough.mechanism.closure.dense import dense, move, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.gaps import Gap, gaps
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.freedoms import FREEDOMS
from gough.mechanism.mobility.newton import CLOSED, FROM_FAR, States, descended


def explain(
    assembly: Assembly,
    T_0p: np.ndarray,
    stuck: AssembledState,
    missing: np.ndarray,
    allowed: np.ndarray,
) -> GoughError:
    """The error for a pose that the machine could not be led to.

    Args:
        assembly: the robot.
        T_0p: the pose asked for.
        stuck: the nearest assembled state that was reached.
        missing: displacement from there to the pose ``(6,)``, natural units.
        allowed: the part of it that the mobility allows ``(6,)``.
    """
    name = assembly.robot.name
    forbidden = missing - allowed
    # less than a thousandth of what is missing is allowed: the mobility stops it, not a leg
    if np.linalg.norm(allowed) < 1e-3 * np.linalg.norm(missing):
        k = int(np.argmax(np.abs(forbidden)))
        unit = "m" if k < 3 else "rad"
        figure = float(forbidden[k] * (assembly.length if k < 3 else 1.0))
        return InconsistentPose(
            f"{name}: the pose is outside the mobility: its {FREEDOMS[k]} is off by "
            f"{figure:.3g} {unit}",
            hint=(
                f"The platform has {words.counted(assembly.mobility, 'freedom')} "
                f"({', '.join(assembly.freedoms)}); "
                "the rest follows from them: gough.state gives a consistent pose."
            ),
            component=FREEDOMS[k],
            off_by=figure,
        )
    closest = best_fit(assembly, T_0p, stuck.configuration)
    worst = max(gaps(closest), key=lambda gap: gap.size(assembly.length))
    singular = _conditions(assembly, assembly.equations(*stuck))
    # all loops close to 1e-6: the pose can be assembled, but in another working mode
    if worst.size(assembly.length) < 1e-6:
        leg = max(singular, key=lambda k: singular[k])
        joints = _joints_of(assembly, closest, leg)
        listed = ", ".join(f"{axis} {value:.4g}" for axis, value in joints.items())
        return UnreachablePose(
            f"{name}: leg {leg!r} cannot follow to the pose on home's branch: straight on from "
            f"home it passes a singularity (condition {singular[leg]:.2g}); the pose can be "
            "assembled on another working mode",
            hint=f"To work there, with that leg bent the other way ({listed}), take "
            "robot.rehomed(error.branch), error being this one; gough.forward_kinematics(robot, "
            "q_a) lists other modes.  Another way from home may lead there as well.",
            leg=leg,
            missing=0.0,
            condition=singular[leg],
            joints=joints,
            branch=AssembledState(T_0p, closest.configuration),
        )
    return UnreachablePose(
        f"{name}: leg {worst.leg!r} cannot reach the pose: {worst} are missing at joint "
        f"{worst.joint!r}",
        hint=(
            "Likely: the pose is outside the workspace, or a length was given in mm "
            "(gough is SI only)."
        ),
        leg=worst.leg,
        joint=worst.joint,
        missing=worst.length,
        condition=singular.get(worst.leg, np.inf),
    )


def widest_gap(assembly: Assembly, T_0p: np.ndarray, configuration: Configuration) -> Gap:
    """The loop joint with the largest gap when the legs close as far as they can at a pose."""
    found = gaps(best_fit(assembly, T_0p, configuration))
    return max(found, key=lambda gap: gap.size(assembly.length))


def _joints_of(assembly: Assembly, at: Equations, name: str) -> dict[str, float]:
    """Coordinates of a leg's turns and slides [rad or m]."""
    leg = next(leg for leg in assembly.topology.legs if leg.name == name)
    joints = {link.joint for link in leg.tree.links if link.joint}
    axes = [a for j in assembly.robot.joints if j.name in joints for a in j.axis_names]
    return {a: float(assembly.axis_position(at, a)) for a in axes if a in assembly.home_values}


def best_fit(assembly: Assembly, T_0p: np.ndarray, configuration: Configuration) -> Equations:
    """The machine at a pose, its loops closed as far as possible from a configuration near by."""
    topology = assembly.topology

    def at(joints: np.ndarray) -> Equations:
        return assembly.equations(T_0p, unpack(topology, joints))

    def system(states: States, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [dense(at(joints), assembly.length) for joints in states[0]]
        return np.stack([each.A for each in found]), np.stack([each.r for each in found])

    def moved(states: States, steps: np.ndarray) -> States:
        pairs = zip(states[0], steps * assembly.scales.rates, strict=True)
        found = [move(topology, unpack(topology, q), split(topology, u)) for q, u in pairs]
        return (np.stack([pack(each) for each in found]),)

    start = (pack(configuration)[None],)
    (found,), _ = descended(system, moved, start, FROM_FAR._replace(enough=CLOSED))
    return at(found[0])


def _conditions(assembly: Assembly, at: Equations) -> dict[str, float]:
    """Condition number of every leg's own Jacobian."""
    found = {}
    for leg, block in zip(assembly.topology.legs, at.leg_blocks, strict=True):
        s = np.linalg.svd(block.E, compute_uv=False) if block.E.size else np.ones(1)
        found[leg.name] = float(s[0] / max(s[-1], 1e-300))
    return found
