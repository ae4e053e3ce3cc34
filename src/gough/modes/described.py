"""Closed states as assembly modes: in order, named, with their branches and conditioning."""

from __future__ import annotations

import numpy as np

from gough.closure.coordinates import unpack
from gough.geometry.newton import State
from gough.geometry.turns import counted_axes
from gough.mobility.assembly import Assembly
from gough.mobility.singular import felt_by_motors, is_singular
from gough.modes.closing import Machines, loops
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
    machines = hits.machines()
    T, coordinates = machines
    smallest, condition, sign = _conditioning(assembly, machines, q_a)
    apart = T[:, :3] - assembly.T_home[:3]
    apart[:, :, 3] /= assembly.length
    order = np.argsort((apart**2).sum(axis=(1, 2)), kind="stable")
    found: list[Mode] = []
    for k in order:
        branch = _branch(assembly, T[k], coordinates[k], q_a)
        if not _operates(assembly, branch, group):
            continue
        found.append(
            Mode(
                f"mode {len(found) + 1}",
                T[k],
                branch,
                hits.error[k],
                float(condition[k]),
                float(smallest[k]),
                int(sign[k]),
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


def _conditioning(
    assembly: Assembly, machines: Machines, q_a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Smallest singular value, condition and sign of det of the motors' Jacobian, natural units."""
    J, _ = loops(assembly).equations(machines, q_a)
    motors = len(assembly.robot.motors)
    if not motors or not assembly.mobility:
        return np.ones(len(J)), np.ones(len(J)), np.zeros(len(J))
    # rows of closure bind all rates; what is left of the motors' rows says how they feel them
    closure, own = J[:, :-motors], J[:, -motors:]
    smallest, condition, sign = (np.zeros(len(J)) for _ in range(3))
    natural = np.concatenate([[assembly.length] * 3, np.ones(3)])[list(assembly.free)]
    for k in range(len(J)):
        _, s, Vt = np.linalg.svd(closure[k])
        null = Vt[int((s > 1e-9 * s[0]).sum()) :].T if len(s) else np.eye(J.shape[2])
        V = null[-6:][list(assembly.free)] * (natural / assembly.freedom_scales)[:, None]
        # motions of the platform among those that the loops allow: idle ones are left out
        back = np.linalg.pinv(V, rcond=1e-9)
        felt = own[k] @ null @ (np.eye(null.shape[1]) - back @ V)
        if np.abs(felt).max(initial=0.0) > 1e-6:  # motors move although the platform is held
            smallest[k], condition[k] = np.nan, np.inf
            continue
        J_inv = own[k] @ null @ back
        sigma = np.linalg.svd(J_inv, compute_uv=False)
        smallest[k] = sigma[-1]
        felt = np.linalg.svd(felt_by_motors(J_inv, null[-6:] @ back)[0], compute_uv=False)
        singular = is_singular(felt, assembly.mobility)
        condition[k] = np.inf if singular else sigma[0] / sigma[-1]
        if motors == assembly.mobility:
            sign[k] = np.sign(np.linalg.det(J_inv))
    return smallest, condition, sign
