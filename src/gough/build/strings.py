"""Joint strings: ``U P* S``, one letter a joint from the base on, a star for the motor."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gough.errors import InputError, shown
from gough.robot.joint_kinds import KINDS, SLIDE, TURN

_KINDS = {kind.letter: kind.name for kind in KINDS.values()}
_KNOWN = ", ".join(f"{letter} {kind}" for letter, kind in _KINDS.items())


@dataclass(frozen=True)
class Letter:
    """One joint of a string.

    Attributes:
        kind: joint kind.
        motors: indices of its actuated axes.
    """

    kind: str
    motors: tuple[int, ...] = ()

    @property
    def letter(self) -> str:
        """The letter of the kind."""
        return KINDS[self.kind].letter


def joint_string(text: str) -> tuple[Letter, ...]:
    """The joints of a serial chain, from its first body to its last.

    A star marks a motor: ``P*``.  On a joint with two axes it marks the first; ``U*2`` marks the
    second, ``U*1*2`` both.

    Raises:
        InputError: an unknown letter, a star where no motor can be, an empty string.
    """
    if not isinstance(text, str) or not text.strip():
        raise InputError(
            f"expected a joint string, got {shown(text)}",
            hint=f"For instance 'U P* S'. Letters: {_KNOWN}.",
            argument="joints",
        )
    if set(text) & set("[]|~"):
        raise InputError(
            f"{shown(text)}: a chain has no branches",
            hint="Add chains up: the second one starts at the body where the first one branches.",
            argument="joints",
        )
    return tuple(_letter(word, text) for word in text.replace("-", " ").split())


def _letter(word: str, text: str) -> Letter:
    letter, stars = word[0], word[1:]
    if letter not in _KINDS or not re.fullmatch(r"(\*[0-9]?)*", stars):
        what = f"unknown letter {letter!r}" if letter not in _KINDS else f"cannot read {word!r}"
        raise InputError(
            f"joint string {shown(text)}: {what}",
            hint=f"Known: {_KNOWN}; a star marks the motor, spaces part the joints: 'U P* S'.",
            argument="joints",
            letter=letter,
        )
    kind = _KINDS[letter]
    axes = list(KINDS[kind].axes.values())
    found = [int(digit or 1) - 1 for digit in re.findall(r"\*([0-9]?)", stars)]
    for i in found:
        drivable = i in range(len(axes)) and axes[i] in (TURN, SLIDE)
        if not drivable or KINDS[kind].passive:
            raise InputError(
                f"joint string {shown(text)}: {word!r} puts a motor where there is no axis for it",
                hint="Motors turn or slide: R* P* H* U* U*2 C* C*2.",
                argument="joints",
                letter=letter,
            )
    return Letter(kind, tuple(dict.fromkeys(found)))
