"""An identification in sentences."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gough.base.english import counted, listed, percent
from gough.dynamics.shared.standard import effort_units
from gough.identification.findings import APART, WORSE, beside_expected, left_in
from gough.identification.result import Identification
from gough.report.figures import number
from gough.report.identified.changes import SIGMAS, SURE, standard_rows
from gough.report.words import Tile, unbroken

_NAMED = 12  # parameters that a sentence names
_CONTRADICT = (
    "do not fit in time",
    "go against those of the description",
    "columns are exchanged",
    "efforts in another unit",
    "predicted worse than by the description",
)
"""Words of findings after which nothing is explained, whatever is left of efforts."""


def verdict(identification: Identification) -> str:
    """The whole page in a few words."""
    if identification.robot is None:
        return "no robot"
    if _more_than_noise(identification):
        return "more than noise is left"
    if np.nanmax(identification.disagreement, initial=0.0) > APART and _noisy(identification):
        return "two estimates disagree"
    return "efforts explained"


def explained(identification: Identification) -> bool:
    """Whether nothing contradicts the identified machine."""
    return verdict(identification) == "efforts explained"


def _noisy(identification: Identification) -> bool:
    """Whether residuals are more than rounding."""
    return any(beside_expected(run).any() for run in identification.fit)


def _more_than_noise(identification: Identification) -> bool:
    """Whether residuals hold what noise and uncertain parameters do not explain."""
    if any(words in sentence for sentence in identification.findings for words in _CONTRADICT):
        return True
    other = identification.validation
    if other is not None and (beside_expected(other) > WORSE).any():
        return True
    return any(left_in(identification.base.robot, run) for run in identification.fit)


def summary(identification: Identification) -> list[str]:
    """The page in a few sentences."""
    found = [*_of_errors(identification), _of_parameters(identification)]
    if identification.robot is None:
        found.append("There is no new robot: no bodies that can exist explain the logs.")
    else:
        found += _of_robot(identification)
    return [unbroken(sentence) for sentence in found]


def _of_errors(identification: Identification) -> Iterable[str]:
    run = identification.validation or identification.fit[0]
    worst = int(np.argmax(run.relative))
    name = run.motors[worst] if len(run.motors) > 1 else ""
    which = f" of the motor that is predicted worst, {name}," if name else ""
    size = run.error[worst] / max(run.relative[worst], 1e-300)
    what = "the validation run" if identification.validation else "the log that was fitted"
    yield (
        f"In {what} the identified machine misses the efforts{which} by "
        f"{percent(run.relative[worst])} of their root mean square; noise and uncertain parameters "
        f"explain {percent(run.expected[worst] / max(size, 1e-300))}, and the machine as described "
        f"misses them by {percent(run.before[worst])}."
    )
    if identification.validation is None:
        yield ("There is no validation run: how well other motions are predicted was not measured.")


def _of_parameters(identification: Identification) -> str:
    count, hidden = identification.base.number, len(identification.unexcited)
    sure = count - hidden - len(identification.uncertain)
    return (
        f"Of {counted(count, 'base parameter')} the logs show {count - hidden}, "
        f"{sure} of them to better than 30 %."
    )


def _of_robot(identification: Identification) -> Iterable[str]:
    """How much of the new robot has changed for sure."""
    kinds = zip(
        ("masses of bodies", "parameters of axes"), standard_rows(identification), strict=True
    )
    said = [
        f"{sum(row.state == SURE for row in rows)} of {len(rows)} {what}"
        for what, rows in kinds
        if rows
    ]
    if said:
        yield (
            f"In the new robot {listed(said)} differ from the description by more than "
            f"{SIGMAS:g} standard deviations."
        )


def attention(identification: Identification) -> list[str]:
    """What a reader has to look at."""
    return [unbroken(sentence) for sentence in identification.findings]


def tiles(identification: Identification) -> list[Tile]:
    """Figures for the top of the page."""
    other = identification.validation
    run, name = (identification.fit[0], "fit") if other is None else (other, "validation")
    few = len(run.motors) == 1
    whose = "" if few else ", largest of all motors"
    found = [
        _percent(f"{name} error{whose}", run.relative),
        _percent(f"the same as described{'' if few else ', largest'}", run.before),
    ]
    units = effort_units(identification.base.robot)
    for unit in dict.fromkeys(units):
        own = [v for v, u in zip(identification.noise, units, strict=True) if u == unit]
        size = number(float(max(own)))
        found.append(Tile(f"noise of the efforts{whose}", size, unit.replace(" ", "\u00a0")))
    found.append(Tile("condition (1 would be best)", number(identification.condition), ""))
    shown = identification.base.number - len(identification.unexcited)
    found.append(
        Tile("base parameters that logs show", f"{shown}", f"of {identification.base.number}")
    )
    if identification.delay:
        found.append(Tile("delay of efforts, corrected", number(1e3 * identification.delay), "ms"))
    if identification.gains is not None:
        known = identification.gains.std / np.abs(identification.gains.gains)
        found.append(_percent(f"gains of the drives known to{whose}", known))
    return found


def _percent(name: str, shares: np.ndarray) -> Tile:
    text, _, unit = percent(float(shares.max())).partition(" ")
    return Tile(name, text, unit)


def unknown(identification: Identification) -> list[str]:
    """What the logs do not show, or not well, in sentences."""
    base, found = identification.base, []
    sigma = dict(zip(base.leading, identification.sigma, strict=True))
    never = [name for name in identification.unexcited if not np.isfinite(sigma[name])]
    hardly = [name for name in identification.unexcited if np.isfinite(sigma[name])]
    if never:
        found.append(
            f"The logs do not show {_named(never)}, alone or apart from others: "
            f"{'it stays' if len(never) == 1 else 'they stay'} as near to the description as the "
            "others allow."
        )
    if hardly:
        found.append(
            f"{_named(hardly)} {'is' if len(hardly) == 1 else 'are'} known no better than to the "
            "size of the whole machine, which is as good as not at all."
        )
    if identification.uncertain:
        found.append(
            f"{_named(identification.uncertain)} {_is(identification.uncertain)} uncertain: the "
            "standard deviation is above 30 % of the value."
        )
    if identification.at_border:
        found.append(
            f"The logs pull {_named(identification.at_border)} to what cannot exist, as friction "
            "below zero or a body without thickness; the new robot stays on the possible side."
        )
    if base.idle:
        found.append(
            f"{counted(len(base.idle), 'parameter')} of {len(base.names)} "
            f"{'has' if len(base.idle) == 1 else 'have'} no effect on the efforts in any motion: "
            "no log can show them, and they stay as described."
        )
    return [unbroken(sentence) for sentence in found]


def _is(names: Iterable[str]) -> str:
    return "is" if len([*names]) == 1 else "are"


def _named(names: Iterable[str]) -> str:
    every = [*names]
    if len(every) <= _NAMED:
        return listed(every)
    return listed([*every[:_NAMED], f"{len(every) - _NAMED} more base parameters"])
