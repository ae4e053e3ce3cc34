"""How the simulated machine differs from the model, in words and figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.report.figures import length_text, number
from gough.robot import Axis, Body, Robot

_SAME = 1e-9  # relative change that is rounding


def differences(model: Robot, machine: Robot) -> list[str]:
    """Differences of the machine from the model, in phrases; empty if there are none."""
    if machine == model:
        return []
    if _bare(machine) != _bare(model):
        return ["its bodies, joints or lengths are others"]
    ours, theirs = model.bodies, machine.bodies
    masses = np.array([[body.mass for body in bodies] for bodies in (ours, theirs)])
    inertias = np.array([[np.array(body.inertia) for body in bodies] for bodies in (ours, theirs)])
    names = model.axis_names
    axes = [[robot.axis(name) for name in names] for robot in (model, machine)]
    friction = np.array([[(axis.viscous, axis.coulomb) for axis in each] for each in axes])
    rotors = np.array([[axis.reflected_inertia for axis in each] for each in axes])
    heavier = _changed("moving mass", *masses)
    if heavier:
        totals = [f"{number(float(total))} kg" for total in masses.sum(axis=1)]
        heavier += f" ({totals[1]} instead of {totals[0]})"
    found = [heavier]
    if _factors(*inertias) != _factors(*masses):
        found.append(_changed("moments of inertia", *inertias))
    found.append(_changed("friction", *friction))
    found.append(_changed("inertia of rotors", *rotors))
    off = np.array([[body.center for body in bodies] for bodies in (ours, theirs)])
    moved = float(np.linalg.norm(off[1] - off[0], axis=1).max())
    found.append(f"centres of mass up to {length_text(moved)} off" if moved else "")
    if model.gravity != machine.gravity:
        found.append("gravity changed")
    if [axis.spring for axis in axes[0]] != [axis.spring for axis in axes[1]]:
        found.append("springs changed")
    return [phrase for phrase in found if phrase]


def _bare(robot: Robot) -> Robot:
    """The robot without figures that may differ, and without its name and labels."""
    bodies = tuple(Body(body.name, massless=True) for body in robot.bodies)
    joints = tuple(replace(joint, axes=(Axis(),) * len(joint.axes)) for joint in robot.joints)
    return replace(
        robot,
        name="robot",
        label="",
        source="",
        gravity=(0.0, 0.0, 0.0),
        bodies=bodies,
        joints=joints,
    )


def _factors(old: np.ndarray, new: np.ndarray) -> tuple[float, float] | None:
    """Smallest and largest factor by which figures have changed; ``None``: zero became more."""
    here = old != 0.0
    if new[~here].any():
        return None
    factors = new[here] / old[here]
    low, high = (factors.min(), factors.max()) if factors.size else (1.0, 1.0)
    return round(float(low), 9), round(float(high), 9)


def _changed(what: str, old: np.ndarray, new: np.ndarray) -> str:
    """A change of figures in words; empty if there is none."""
    factors = _factors(old, new)
    if factors is None:
        return f"{what} where the model has none"
    low, high = factors
    if max(abs(low - 1.0), abs(high - 1.0)) < _SAME:
        return ""
    if high - low < _SAME:
        return f"no {what}" if high == 0.0 else f"{what} {_percent(high)}"
    return f"{what} between {_percent(low)} and {_percent(high)}"


def _percent(factor: float) -> str:
    change = 100.0 * (factor - 1.0)
    if abs(change) < 100.0 * _SAME:
        return "the same"
    return f"{number(abs(change))} % {'more' if change > 0.0 else 'less'}"
