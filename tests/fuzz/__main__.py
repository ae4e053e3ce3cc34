"""Draw random machines, try them, print the table; exit code 1 if a family fails.

Run by ``make fuzz``.  One machine again, with all its doors::

    PYTHONPATH=tests python -m fuzz --seed 1 --family "branching legs" --number 12
"""

from __future__ import annotations

import argparse
import sys

from fuzz.families import FAMILIES
from fuzz.table import HEAD, Tally, line, trial
from fuzz.trial import Outcome


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="other seeds draw other machines")
    parser.add_argument("--count", type=int, default=300, help="machines, shared by the families")
    parser.add_argument("--family", choices=[f.name for f in FAMILIES], help="one family only")
    parser.add_argument("--number", type=int, help="one machine of the family, told door by door")
    chosen = parser.parse_args()
    families = [f for f in FAMILIES if chosen.family in (None, f.name)]
    if chosen.number is not None:
        for family in families:
            tell(family.name, trial(family, chosen.seed, chosen.number))
        return 0
    each, rest = divmod(chosen.count, len(families))
    tallies = []
    print(f"seed {chosen.seed}, {chosen.count} machines\n\n{line(HEAD)}")
    for k, family in enumerate(families):
        tallies.append(Tally(family))
        for number in range(each + (k < rest)):
            progress(f"{family.name}, machine {number}")
            tallies[-1].outcomes[number] = trial(family, chosen.seed, number)
        progress("")
        print(line(tallies[-1].row()), flush=True)
    complaints = [told for t in tallies for told in t.complaints]
    print("\n" + "\n".join([*complaints, "failed" if complaints else "passed"]))
    return 1 if complaints else 0


def progress(told: str) -> None:
    """Where the run is, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{told:<40}\r", end="", file=sys.stderr, flush=True)


def tell(name: str, outcome: Outcome) -> None:
    """One machine, door by door."""
    robot = outcome.machine.robot
    print(
        f"{name}: {outcome.machine.maker}, {outcome.machine.home.mobility} freedoms, "
        f"motors {', '.join(robot.motors)}: {outcome.verdict}"
    )
    for door, error in outcome.errors.items():
        print(f"  {door:<22} {error:.1e} of {outcome.allowed[door]:.1e}")
    for door, why in outcome.refusals.items():
        print(f"  {door:<22} {why}")
    for fault in outcome.faults:
        print(f"  {fault}")


if __name__ == "__main__":
    sys.exit(main())
