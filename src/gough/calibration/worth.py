"""What a calibration is worth to its user: behaviour, parasitic motions, and notes in words."""

from __future__ import annotations

import numpy as np

from gough.base import turns
from gough.base.english import counted, listed
from gough.calibration.data import Data
from gough.calibration.design import Design
from gough.calibration.fit import PLAY
from gough.calibration.geometry import GAIN
from gough.calibration.knowledge import Knowledge, Observability
from gough.calibration.measured import COMPONENTS
from gough.calibration.parameters import TOLERANCE
from gough.calibration.result import EXPLAINED, LARGE, Behaviour, Parasitic
from gough.calibration.solving import ENOUGH, Solved

_GOOD = 0.2  # of the uncertainty that tolerances leave: behaviour that measuring has made known
_STILL = 1e-9  # rotation of a machine that never rotates: rounding [rad]
_FAR = 4.5  # standard deviations of a tolerance that no parameter of a machine is off by
_NOISY = 2.0  # tolerances: noise beyond is none


def behaviour(solved: Solved, design: Design) -> Behaviour:
    """How well the pose of the tool is known, where it was measured and elsewhere."""
    problem, fitted, knowledge = solved.problem, solved.fitted, solved.knowledge
    shown = _measured(problem.data)
    here = _spread(problem.tool(fitted.p), knowledge, shown)
    there = _spread(design.tool(), knowledge, shown) if design.count else (np.nan, np.nan)
    return Behaviour(*here, *there)


def _measured(data: Data) -> np.ndarray:
    """Which components of the tool's pose measurements are about ``(6,)``; the others are aside.

    A planar machine that is measured in its plane is not asked how well it is known across it.
    """
    shown = np.zeros(6, dtype=bool)
    for each, known in zip(data.sets, data.known, strict=True):
        names = [name for k, name in enumerate(each.names) if known[:, k].any()]
        if each.kind in ("distance", "length", "encoder"):
            names = list(COMPONENTS[:3])
        shown |= np.array([name in names for name in COMPONENTS])
    for group in (slice(0, 3), slice(3, 6)):
        if not shown[group].any():
            shown[group] = True
    return shown


def _spread(B: np.ndarray, knowledge: Knowledge, shown: np.ndarray) -> tuple[float, float]:
    """Root mean square of standard deviations of positions and of orientations."""
    B = B * shown[:, None]
    free = not knowledge.with_prior and np.abs(B @ knowledge.unseen).max(initial=0.0) > 1e-9
    if free:
        return np.inf, np.inf
    variances = np.einsum("sin,nm,sim->si", B, knowledge.natural, B, optimize=True)
    mean = np.clip(variances.mean(axis=0), 0.0, None)
    spread = float(np.sqrt(mean[:3].sum())), float(np.sqrt(mean[3:].sum()))
    # a platform that cannot turn is known exactly: what is left is rounding
    position, angle = (0.0 if each < _STILL else each for each in spread)
    return position, angle


def parasitic(solved: Solved, design: Design) -> Parasitic:
    """Motions of the platform that the machine as described does not have at the same motors."""
    bench, moved = design.places
    if not design.count:
        return Parasitic(np.nan, np.nan, rotates=True)
    seen = bench.near(solved.problem.free.geometry(solved.problem.free.nominal), moved.machines)
    T, nominal = (each.machines.T_0p[seen.closed] for each in (moved, seen))
    still = _turned(nominal[:, :3, :3]) < _STILL
    # what all places share is how the machine stands on its base
    tilt = _turned(T[:, :3, :3] @ nominal[:, :3, :3].swapaxes(1, 2))
    shift = T[:, :3, 3] - nominal[:, :3, 3]
    shift = np.linalg.norm(shift - shift.mean(axis=0), axis=1)
    return Parasitic(tilt, float(shift.max(initial=0.0)), rotates=not still)


def _turned(R: np.ndarray) -> float:
    """Largest rotation of some from their mean [rad]."""
    return float(np.linalg.norm(turns.logs(turns.mean(R).T @ R), axis=1).max(initial=0.0))


def notes(
    solved: Solved, seen: Observability, known: Behaviour, extra: Parasitic, dropped: list[str]
) -> tuple[str, ...]:
    """What a user should know, in sentences."""
    found = []
    problem, chi = solved.problem, solved.chi_square
    if dropped:
        found.append(
            f"{listed(dropped)} {'is' if len(dropped) == 1 else 'are'} left out of the fit."
        )
    if problem.data.unknown.any() and solved.left < ENOUGH:
        found.append(
            "Noise was guessed: there are too few measurements to find it from the residuals. Give "
            "standard deviations."
        )
    if not solved.fitted.arrived:
        found.append(
            "The fit has not settled: values and standard deviations are those of its last step. "
            "Free fewer parameters, or give a prior."
        )
    found += _much_noise(solved)
    if solved.noise_is_known and chi > EXPLAINED:
        found.append(
            f"Residuals are {np.sqrt(chi):.2g} times the noise: the model lacks something that the "
            "machine has (play, sag, a parameter that is not free), or noise is larger than said."
        )
    found += _far_off(solved)
    found += _regional(solved, seen, known)
    if not extra.rotates and extra.tilt > 1e-5:
        found.append(
            f"The platform tilts by up to {extra.tilt * 1e3:.2g} mrad over the stroke; the machine "
            "as described never rotates."
        )
    gains = [
        (each.owner, value)
        for each, value in zip(problem.free.parameters, solved.fitted.p, strict=True)
        if each.what == GAIN and abs(value - 1.0) > 1e-7
    ]
    if gains:
        said = ", ".join(f"{name} {value:.6f}" for name, value in gains)
        found.append(
            f"A robot file has no gains: multiply readings of the motors before use ({said})."
        )
    if seen.first_order:
        found.append(
            f"{counted(seen.first_order, 'combination')} of errors can be assembled to first order "
            "only: the loops of this machine close for small errors of that kind, not for larger."
        )
    most = float(np.abs(solved.fitted.rows.open).max(initial=0.0)) * PLAY
    if most > 10.0 * PLAY:
        size = most * problem.bench.loops.assembly.length
        found.append(f"Loops are left open by {size * 1e3:.2g} mm: play or bending takes it up.")
    return tuple(found)


def _much_noise(solved: Solved) -> list[str]:
    """Whether noise that was found is larger than what a calibration could remove."""
    data, length = solved.problem.data, solved.problem.bench.loops.assembly.length
    if solved.noise_is_known:
        return []
    found = []
    for unit, usual in (("m", TOLERANCE * length), ("rad", TOLERANCE)):
        own = [s for row, s in zip(data.rows, data.deviations, strict=True) if row.unit == unit]
        size = float(np.median(own)) if own else 0.0
        if size > _NOISY * usual:
            factor, word = LARGE[unit]
            found.append(
                f"What is left, {size * factor:.3g} {word}, is no noise of a device. Likely: a "
                "motor has another zero, sign or gain than described, readings and measurements do "
                "not belong together, or what differs is not free."
            )
    return found


def _far_off(solved: Solved) -> list[str]:
    """Whether parameters are off by far more than their tolerances."""
    free, known = solved.problem.free, solved.knowledge
    if not known.with_prior:
        return []
    off = np.abs(solved.fitted.p - free.nominal) / free.prior
    off[[k for k, each in enumerate(free.parameters) if each.is_placed]] = 0.0
    k = int(np.argmax(off)) if len(off) else 0
    if not len(off) or off[k] < _FAR:
        return []
    return [
        f"{free.parameters[k].name} is off by {off[k]:.3g} times its tolerance: this "
        "machine is not made as well as the prior says, which holds the others back. Give a wider "
        "prior, or none."
    ]


def _regional(solved: Solved, seen: Observability, known: Behaviour) -> list[str]:
    """Whether behaviour is known where it was measured, and coordinates are not."""
    knowledge = solved.knowledge
    if not knowledge.with_prior or not np.isfinite(known.position_everywhere):
        return []
    B = solved.problem.tool(solved.fitted.p)
    before = np.sqrt((B**2).sum(axis=2).mean(axis=0)[:3].sum())
    few = seen.known < 0.75 * seen.identifiable
    worse = known.position_everywhere > 3.0 * known.position
    if not (known.position < _GOOD * before and few and worse):
        return []
    factor, unit = LARGE["m"]
    return [
        f"Behaviour is known, coordinates are not: where it was measured the tool is known to "
        f"{known.position * factor:.2g} {unit}, but only {seen.known} of {seen.identifiable} "
        "combinations of parameters are known better than tolerances, and elsewhere in the stroke "
        f"the tool is known to {known.position_everywhere * factor:.2g} {unit}. Measure a larger "
        "region for coordinates."
    ]
