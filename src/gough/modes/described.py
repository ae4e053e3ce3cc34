"""Closed states as assembly modes: in order, named, with their branches and conditioning."""

from __future__ import annotations

import numpy as np

from gough.closure.coordinates import unpack
from gough.geometry.newton import State
from gough.geometry.turns import counted_axes
from gough.mobility.assembly import Assembly
from gough.mobility.measures import measures_at
from gough.modes.groups import Group, Space, platform_twists
from gough.modes.mode import Mode
from gough.modes.search import Hits
from gough.modes.units import natural


def described(
    assembly: Assembly, q_a: np.ndarray, hits: Hits, group: Group, searched: bool
) -> tuple[Mode, ...]:
    """All modes among closed states, nearest home first."""
    if not hits.T_0p:
        return ()
    T, coordinates = hits.machines()
    apart = T[:, :3] - assembly.T_home[:3]
    apart[:, :, 3] /= assembly.length
    order = np.argsort((apart**2).sum(axis=(1, 2)), kind="stable")
    found: list[Mode] = []
    for k in order:
        branch = _branch(assembly, T[k], coordinates[k], q_a)
        if not _operates(assembly, branch, group):
            continue
        with np.errstate(all="ignore"):  # also on singularities
            seen = measures_at(assembly, assembly.solution(assembly.equations(*branch)))
        found.append(
            Mode(
                f"mode {len(found) + 1}",
                T[k],
                branch,
                hits.error[k],
                float(seen.condition),
                float(seen.type_2),
                int(seen.sign),
                hits.count[k] if searched else 0,
            )
        )
    return tuple(found)


def _operates(assembly: Assembly, branch: State, group: Group) -> bool:
    """Whether the platform moves as the group says, and not only happens to be in it."""
    if isinstance(group, Space):
        return True
    twists = platform_twists(assembly, *branch)
    if twists.shape[1] > assembly.mobility:
        return True  # singular: what it could do besides does not tell
    at = natural(assembly, branch.T_0p[None])
    return bool(np.abs(group.rows(at)[0] @ twists).max(initial=0.0) < 1e-5)


def _branch(assembly: Assembly, T: np.ndarray, coordinates: np.ndarray, q_a: np.ndarray) -> State:
    """The assembled state, its motors on the turns they were told."""
    configuration = unpack(assembly.topology, coordinates)
    counted, turns = counted_axes(assembly), {}
    at = assembly.equations(T, configuration) if counted else None
    for name, goal in zip(assembly.robot.motors, q_a, strict=True):
        place = assembly.axes[name]
        if at is not None and place in counted:
            nearest = float(assembly.axis_position(at, name))
            turns[place] = float(np.round((goal - nearest) / (2.0 * np.pi)))
    return State(T, configuration._replace(turns=turns))
