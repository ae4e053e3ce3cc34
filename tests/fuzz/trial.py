"""One random machine through every door of the library, each answer beside that of the witness."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import gough
from fuzz import through
from fuzz.families import Drawn, Family
from fuzz.laws import LAWS
from fuzz.verdicts import differences
from fuzz.witness import Stand, moving, way_left

METHODS = ("legs", "elements", "screws", "tree")
TOLERANCE = 1e-8
"""Largest relative error of an answer.

Machines are drawn with singular values above 5e-3 in three places (joints, platform, motors): two
programs that round at 2e-16 may come apart by 2e-16 / 5e-3**3 = 2e-9.
"""
PER_CONDITION = 1e-13
"""What accelerations may lose more, times the condition of the inertia that is divided by."""
SINGULAR = 1e-12
"""Inertias whose eigenvalues in natural units are further apart have none in some direction."""
SILENT, FELT = 1e-7, 2e-2
"""Effects of unseen freedoms that need a warning, and that need a refusal.

The library asks for a warning from 1e-9 and refuses from 1e-2, but measures at states of its own:
the margins allow for that.
"""


@dataclass
class Outcome:
    """What became of a machine.

    Attributes:
        errors: relative error by door, the larger of the states.
        allowed: largest error allowed by door.
        refusals: reason by door.
        faults: what is wrong beside errors: crashes, silence, wrong mobility.
        warned: classes of the library's own warnings that were given.
    """

    machine: Drawn
    errors: dict[str, float] = field(default_factory=dict)
    allowed: dict[str, float] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    warned: set[str] = field(default_factory=set)

    @property
    def verdict(self) -> str:
        """``accepted``, ``refused`` or ``wrong``."""
        if self.faults or self.wrong:
            return "wrong"
        return "refused" if self.refusals else "accepted"

    @property
    def wrong(self) -> dict[str, float]:
        """Errors that are too large, by door."""
        return {d: e for d, e in self.errors.items() if not e <= self.allowed[d]}

    @property
    def reason(self) -> str:
        """Why it was refused, and by which door first."""
        door, why = next(iter(self.refusals.items()))
        return f"{why} ({door})"

    def answer(self, door: str, ask: Callable[[], float], allowed: float) -> bool:
        """Ask for an error through a door; refusals and crashes are noted."""
        try:
            error = float(ask())
        except gough.GoughError as refusal:
            self.refusals.setdefault(door, told(refusal))
            return False
        except Exception as crash:  # whatever it is, it is no answer
            self.faults.append(f"{door}: {type(crash).__name__}: {str(crash)[:80]}")
            return False
        self.errors[door] = max(error, self.errors.get(door, 0.0))
        self.allowed[door] = max(allowed, self.allowed.get(door, 0.0))
        return True


def told(refusal: gough.GoughError) -> str:
    """Class and kind of an error."""
    kind = getattr(refusal, "kind", "")
    return type(refusal).__name__ + (f" {kind}" if kind else "")


def apart(found: Any, expected: Any, least: float = 0.0) -> float:
    """Largest deviation, relative to the largest expected entry, or to ``least`` if larger."""
    found, expected = np.asarray(found), np.asarray(expected)
    scale = max(float(np.abs(expected).max(initial=0.0)), least)
    if not np.isfinite(found).all():
        return np.inf
    return float(np.abs(found - expected).max(initial=0.0)) / (scale or 1.0)


def run(family: Family, drawn: Drawn, rng: np.random.Generator, *, kernels: bool) -> Outcome:
    """A machine tried in all its states."""
    outcome = Outcome(drawn)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        found: list[int] = []

        def mobility() -> float:
            found.append(drawn.robot.mobility)
            return 0.0

        if outcome.answer("assembly", mobility, 0.0):
            if found[0] != drawn.home.mobility:
                outcome.faults.append(f"mobility {found[0]}, not {drawn.home.mobility}")
            elif drawn.way is not None:
                _through(drawn, drawn.way, outcome)
            else:
                if family.moved is not None and outcome.answer(
                    "home", lambda: _home(drawn), TOLERANCE
                ):
                    drawn = drawn._replace(home=_own_home(drawn))  # whole turns count from there
                loaded = bool(rng.random() < 0.5)  # all states alike: they share a kernel
                for stand in drawn.states:
                    _State(family, drawn, stand, rng, outcome, loaded=loaded).run(kernels)
                if kernels and not loaded and family.regular:
                    outcome.answer("far poses", lambda: _one_verdict(outcome, rng), 0.0)
    own = [w.category for w in given if issubclass(w.category, gough.GoughWarning)]
    outcome.warned = {category.__name__ for category in own}
    if family.unseen == "felt":
        _judge_unseen(outcome)
    return outcome


def _own_home(drawn: Drawn) -> Stand:
    """Where the library has home."""
    poses = gough.posture(drawn.robot, drawn.robot.home_pose).bodies
    return Stand(drawn.robot, poses, drawn.home.length)


def _home(drawn: Drawn) -> float:
    """How far home is from any posture in the mode of the closure nearest to the drawing.

    Where within the mode is the library's choice: not farther away than thirty times that closure.
    """
    home = _own_home(drawn).poses
    far, least = (
        max(float(np.abs(T - np.eye(4)).max()) for T in poses.values())
        for poses in (home, drawn.home.poses)
    )
    return way_left(drawn.home, home) if far < 30.0 * least else np.inf


def _through(drawn: Drawn, way: through.Way, outcome: Outcome) -> None:
    """Simulated with both integrators: on and on while the machine is regular, and rightly."""
    for integrator in ("rk4", "dop853"):
        found: list[through.Passage] = []

        def ask(integrator: str = integrator, found: Any = found) -> float:
            found.append(through.simulate_through(drawn.robot, drawn.home, way, integrator))
            return found[0].accelerations

        if outcome.answer(f"simulated {integrator}", ask, through.LAWS):
            outcome.answer(f"energy {integrator}", lambda f=found: f[0].balance, through.BALANCE)
            if found[0].ended and found[0].regular:
                # a singularity that is none is wrong; joints that are not found are a refusal
                told = f"regular machine stopped by {found[0].ended}"
                if found[0].ended in ("type_1", "type_2", "constraint"):
                    outcome.faults.append(f"{integrator}: {told}")
                else:
                    outcome.refusals[f"simulated {integrator}"] = told


def _one_verdict(outcome: Outcome, rng: np.random.Generator) -> float:
    """Faults of verdicts that depend on company or history; there is no error to measure."""
    outcome.faults += differences(outcome.machine.robot, rng)
    return 0.0


def _judge_unseen(outcome: Outcome) -> None:
    """Unseen freedoms that matter must be refused, or told while they matter little."""
    felt = max((e for d, e in outcome.errors.items() if d != "posture"), default=0.0)
    if felt > FELT:
        outcome.faults.append(f"unseen freedom frozen: {100 * min(felt, 9.99):.0f} % off")
    elif felt > SILENT and not outcome.warned:
        outcome.faults.append("unseen freedom frozen in silence")


class _State:
    """One state of a machine in motion, with loads, and the doors it goes through."""

    def __init__(
        self,
        family: Family,
        drawn: Drawn,
        stand: Stand,
        rng: np.random.Generator,
        outcome: Outcome,
        *,
        loaded: bool,
    ) -> None:
        self.family, self.robot, self.outcome, self.rng = family, drawn.robot, outcome, rng
        self.at = moving(stand, rng.normal(size=stand.Z.shape[1]))
        self.natural = np.array([stand.length] * 3 + [1.0] * 3)
        pushed = self.at.Z @ rng.normal(size=self.at.Z.shape[1])
        self.T, self.V = self.at.T_0p, self.at.twist()
        self.Vdot = self.at.twist_rate(self.at.held() + pushed)
        self.weights = rng.uniform(0.5, 2.0, len(self.robot.motors)) if family.extra else None
        near = {a.name: a.motion.x for a in drawn.home.machine.axes if a.what == "turn"}
        self.loads = self._loads() if loaded else gough.Loads()
        self.witnessed = {"near": near, "loads": self.loads}

    def _loads(self) -> gough.Loads:
        """A push on the platform and on another body, and a payload, of the machine's size."""
        rng, size = self.rng, self.at.length
        mass = max(b.mass for b in self.robot.bodies)
        force = mass * size

        def push(body: str) -> gough.Force:
            point, f, n = rng.normal(size=(3, 3))
            return gough.Force(body, force * f, force * size * n, size * point)

        forces = [push(self.robot.platform)]
        if self.family.unseen == "none":
            body = str(rng.choice([b.name for b in self.robot.bodies]))
            forces = [*([] if body == self.robot.platform else forces), push(body), push(body)]
        L = 0.3 * size * rng.normal(size=(3, 3))
        inertia = mass * (np.trace(L @ L.T) * np.eye(3) - L @ L.T)
        payload = gough.Payload(mass, 0.3 * size * rng.normal(size=3), (inertia + inertia.T) / 2)
        return gough.Loads(forces, None if self.family.massless else payload)

    def run(self, kernels: bool) -> None:
        """All doors."""
        if not self.outcome.answer("posture", self._posture, TOLERANCE):
            return
        motion = (self.T, self.V, self.Vdot)
        for door, law in LAWS.items():
            ask = partial(law, self.robot, motion, self.natural)
            self.outcome.answer(door, ask, TOLERANCE)
        self._inverse(kernels)
        self._direct()
        if self.family.unseen == "none" and not self.family.massless and not self.family.extra:
            self.outcome.answer("reactions", self._reactions, self._loose())

    def _posture(self) -> float:
        """Where bodies are; with unseen freedoms the witness takes them from the library."""
        p = gough.posture(self.robot, gough.State(self.T, self.V))
        if self.family.unseen != "none":
            self.at = Stand(self.robot, p.bodies, self.at.length, p.twists)
            return float(np.abs(self.at.gaps).max())
        error = 0.0
        for k, b in enumerate(self.robot.bodies):
            T = self.at.poses[b.name]
            error = max(
                error,
                apart(p.bodies[b.name][:3, :3], T[:3, :3]),
                float(np.abs(p.bodies[b.name][:3, 3] - T[:3, 3]).max()) / self.at.length,
                apart(
                    p.twists[b.name] / self.natural,
                    self.at.machine.V[6 * k : 6 * k + 6] / self.natural,
                    1.0,
                ),
            )
        return error

    def _loose(self) -> float:
        """What accelerations may be off; what unseen freedoms do is judged in the end."""
        if self.family.unseen == "felt":
            return np.inf
        inertia = self.at.inertia()
        return TOLERANCE + PER_CONDITION * float(inertia[-1] / max(inertia[0], 1e-300))

    def _inverse(self, kernels: bool) -> None:
        share = gough.EffortSharing(weights=self.weights) if self.family.extra else None
        given = {"loads": self.loads, "share": share}
        units = self.at.length / self.at.motor_units()
        expected = self.at.efforts(self.Vdot, self.weights, **self.witnessed)
        least = 1e-3 * self.at.forces(**self.witnessed)
        expected = expected / self.at.length * units

        def ask(engine: Any = "numpy", **how: Any) -> float:
            state = gough.State(self.T, self.V, self.Vdot)
            with gough.options(engine=engine):
                tau = gough.inverse_dynamics(self.robot, state, **given, **how)
            return apart(tau / self.at.length * units, expected, least)

        allowed = np.inf if self.family.unseen == "felt" else TOLERANCE
        for method in METHODS:
            self.outcome.answer(f"inverse {method}", lambda m=method: ask(method=m), allowed)
        if kernels:
            self.outcome.answer("inverse compiled", lambda: ask(engine="compiled"), allowed)

    def _direct(self) -> None:
        inertia = self.at.inertia()
        singular = inertia[0] < SINGULAR * inertia[-1] and self.family.massless
        size = self.at.forces(**self.witnessed) * self.at.motor_units()
        tau = size * self.rng.normal(size=len(size))
        expected = None if singular else self.at.accelerations(tau, **self.witnessed) / self.natural

        def ask(**how: Any) -> float:
            state = gough.State(self.T, self.V)
            with gough.options(engine="numpy"):
                found = gough.forward_dynamics(
                    self.robot, state, tau, loads=self.loads, **how
                ).Vdot_0p
            return np.inf if expected is None else apart(found / self.natural, expected)

        def back() -> float:
            state = gough.State(self.T, self.V, self.Vdot)
            with gough.options(engine="numpy"):
                given = gough.inverse_dynamics(self.robot, state, loads=self.loads)
                found = gough.forward_dynamics(self.robot, state, given, loads=self.loads).Vdot_0p
            return apart(found / self.natural, self.Vdot / self.natural)

        doors: dict[str, Callable[[], float]] = {
            f"direct {m}": (lambda m=m: ask(method=m)) for m in METHODS
        }
        if singular:
            for door, asked in doors.items():
                self._must_refuse(door, asked)
            return
        doors["direct after inverse"] = back
        for door, asked in doors.items():
            self.outcome.answer(door, asked, self._loose())

    def _must_refuse(self, door: str, ask: Callable[[], float]) -> None:
        """An inertia matrix without rank has no accelerations to give: refused, and by name."""
        try:
            ask()
        except gough.GoughError as refusal:
            if type(refusal).__name__ != "SingularInertia":
                self.outcome.faults.append(f"{door}: singular inertia called {told(refusal)}")
        except Exception as crash:  # whatever it is, it is no answer
            self.outcome.faults.append(f"{door}: {type(crash).__name__}: {str(crash)[:80]}")
        else:
            self.outcome.faults.append("singular inertia answered")

    def _reactions(self) -> float:
        """Wrenches in the joints, where both say that they are unique."""
        found = gough.reactions(
            self.robot, gough.State(self.T, self.V, self.Vdot), frame="child", loads=self.loads
        )
        tau = self.at.efforts(self.Vdot, **self.witnessed)
        answer = self.at.machine.solve(tau, **self.witnessed)
        loose = np.linalg.norm(answer.loose, axis=2)
        clear = (loose < 1e-9) | (loose > 1e-4)
        if not np.array_equal(found.unique[clear], (loose < 1e-9)[clear]):
            return np.inf
        units = np.array([1.0] * 3 + [self.at.length] * 3)
        unique = found.unique & (loose < 1e-9)
        expected = answer.wrenches / units
        least = float(np.abs(expected).max())
        return apart((found.wrench / units)[unique], expected[unique], least)
