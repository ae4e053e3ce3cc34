"""Bodies of a robot in a motion, as the formulas of [GA] want them, and what its errata take."""

from functools import cache
from typing import NamedTuple

import numpy as np

import gough
from robots import random_freedoms, robot

# the same formula rounded in another order: 2e-15 is met
SAME = 1e-12
# every state is off by more; the figures beside the formulas are the least and the most of ten
WRONG = 1e-3
STATES = range(10)

BARE = gough.Loads(friction=False, rotors=False)


class Solid(NamedTuple):
    """A body in a motion: mass, mass centre, inertia about it in base axes; accelerator's parts."""

    m: float
    C: np.ndarray
    I_C: np.ndarray
    w: np.ndarray
    wd: np.ndarray
    a_C: np.ndarray

    @property
    def I_O(self) -> np.ndarray:
        """About O, [GA] (51)."""
        return self.I_C + self.m * (self.C @ self.C * np.eye(3) - np.outer(self.C, self.C))

    def wrench(self, g: np.ndarray) -> np.ndarray:
        """At the mass centre: [GA] (27)-(31)."""
        moment = -self.I_C @ self.wd - np.cross(self.w, self.I_C @ self.w)
        return np.concatenate([self.m * (g - self.a_C), moment])

    def moment_of_gravity(self, g: np.ndarray) -> np.ndarray:
        """About O: [GA] (52)."""
        return np.cross(self.C, self.m * g)

    def moment_of_inertia(self) -> np.ndarray:
        """About O, which the body does not move from: [GA] (53)."""
        return -self.I_O @ self.wd - np.cross(self.w, self.I_O @ self.w)


class State(NamedTuple):
    """A robot in a motion."""

    robot: gough.Robot
    T: np.ndarray
    V: np.ndarray
    Vdot: np.ndarray
    posture: gough.Posture
    solids: dict[str, Solid]
    tau: np.ndarray

    @property
    def g(self) -> np.ndarray:
        return np.array(self.robot.gravity)


def in_motion(r: gough.Robot, T: np.ndarray, V: np.ndarray, Vdot: np.ndarray) -> State:
    posture = gough.posture(r, gough.State(T, V, Vdot))
    solids = {}
    for body in r.bodies:
        pose, V_b, Vd_b = (
            x[body.name] for x in (posture.bodies, posture.twists, posture.twist_rates)
        )
        R, w, wd = pose[:3, :3], V_b[3:], Vd_b[3:]
        c = R @ np.array(body.center)
        a_C = Vd_b[:3] + np.cross(wd, c) + np.cross(w, np.cross(w, c))
        I_C = R @ np.array(body.inertia) @ R.T
        solids[body.name] = Solid(body.mass, pose[:3, 3] + c, I_C, w, wd, a_C)
    tau = gough.inverse_dynamics(r, gough.State(T, V, Vdot), loads=BARE)
    return State(r, T, V, Vdot, posture, solids, tau)


@cache
def states(name: str) -> list[State]:
    """Ten states around home, in brisk motion: 0.3 of the natural size, rates three times it."""
    r = robot(name)
    x, xd, xdd = random_freedoms(name, len(STATES), 0.3, seed=4)
    T, V, Vdot = gough.state(r, x, 3.0 * xd, 9.0 * xdd).arrays
    return [in_motion(r, T[k], V[k], Vdot[k]) for k in STATES]


def check(printed: list[float], corrected: list[float], wrong: float = WRONG) -> None:
    """The corrected formula holds in every state, the printed one in none."""
    assert max(corrected) < SAME
    assert min(printed) > wrong
