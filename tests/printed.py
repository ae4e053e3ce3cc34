"""Whether what a page shows is what was printed."""

from __future__ import annotations

import re

NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")


def differences(shown: str, printed: str) -> list[str]:
    """Words that differ, and numbers that differ by more than one in their last digit shown."""
    if "".join(NUMBER.sub("#", shown).split()) != "".join(NUMBER.sub("#", printed).split()):
        return [f"shown:\n{shown}\nprinted:\n{printed}"]
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return [f"{a} is shown, {b} printed" for a, b in pairs if not _same(a, b)]


def _same(shown: str, printed: str) -> bool:
    digits, _, power = shown.partition("e")
    decimals = len(digits.partition(".")[2])
    # last digits and residuals of 1e-16 depend on the machine's linear algebra
    last = 10.0 ** (int(power or 0) - decimals) if decimals else 0.0
    return abs(float(shown) - float(printed)) <= 1.01 * last + 1e-9
