"""The sample program of a bundle: every function called once, with the answers of gough beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gough.compiler.targets.c_source import AGREED, AGREED_SINGLE, magnitude


class Call(NamedTuple):
    """One function with a state to call it with.

    Attributes:
        quantity: what it computes.
        name: of the function.
        sample: inputs by name, in order.
        expected: outputs by name, in order.
        pushed: bodies that forces act on.
    """

    quantity: str
    name: str
    sample: Mapping[str, np.ndarray]
    expected: Mapping[str, np.ndarray]
    pushed: tuple[str, ...] = ()


_COMPARE = """\
/* Prints answers; returns 1 if one differs from gough's by more than {agreed:g} of size. */
static int compare(const char *name, int count, const {real} *found, const {real} *expected,
                   {real} size) {{
    int i, wrong = 0;
    for (i = 0; i < count; i++) {{
        const {real} off = found[i] > expected[i] ? found[i] - expected[i] : expected[i] - found[i];
        const int fits = off <= {tolerance} * size; /* not so of NaN */
        printf("  %s[%d] = %.9g%s\\n", name, i, (double)found[i], fits ? "" : "  WRONG");
        if (!fits) {{
            printf("      gough found %.9g\\n", (double)expected[i]);
            wrong = 1;
        }}
    }}
    return wrong;
}}
"""


def sample_program(robot: str, header: str, calls: Sequence[Call], *, single: bool) -> str:
    """The text of ``main.c``.

    Args:
        robot: its name.
        header: that declares all functions.
        calls: what is called.
        single: ``float`` instead of ``double``.
    """
    real, suffix = ("float", "f") if single else ("double", "")
    agreed = AGREED_SINGLE if single else AGREED
    parts = [
        f"/* Every function of {robot} at a state beside home, compared with gough. */",
        f'#include "{header}"',
        "",
        "#include <stdio.h>",
        "",
        _COMPARE.format(real=real, agreed=agreed, tolerance=f"{agreed!r}{suffix}"),
    ]
    parts += [_called(call, real, suffix) for call in calls]
    parts += ["int main(void) {", "    int wrong = 0;"]
    parts += [f"    wrong += try_{call.quantity}();" for call in calls]
    parts += [
        f'    printf("functions called: {len(calls)}, different from gough: %d\\n", wrong);',
        "    return wrong != 0;",
        "}",
        "",
    ]
    return "\n".join(parts)


def _called(call: Call, real: str, suffix: str) -> str:
    """A function that calls another one with a known state."""
    lines = [f"static int try_{call.quantity}(void) {{"]
    lines += [_array(real, suffix, name, array) for name, array in call.sample.items()]
    lines += [_array(real, suffix, f"{name}_known", array) for name, array in call.expected.items()]
    lines += [f"    {real} {name}_out[{a.size}];" for name, a in call.expected.items()]
    arguments = ", ".join([*call.sample, *(f"{name}_out" for name in call.expected)])
    lines += [
        "    int wrong = 0;",
        f"    const int status = {call.name}({arguments});",
        "",
        f'    printf("{call.quantity}: status %d\\n", status);',
        f"    if (status != {call.name.upper()}_OK)",
        "        return 1; /* the header says what it means */",
    ]
    for name, array in call.expected.items():
        size = f"{magnitude(array)!r}{suffix}"
        lines.append(
            f'    wrong |= compare("{name}", {array.size}, {name}_out, {name}_known, {size});'
        )
    return "\n".join([*lines, "    return wrong;", "}", ""])


def _array(real: str, suffix: str, name: str, values: np.ndarray) -> str:
    """An array with its numbers, as many decimals as they need."""
    kind = np.float32 if suffix else np.float64
    numbers = [f"{_decimal(kind(x))}{suffix}" for x in np.asarray(values).reshape(-1)]
    rows = [", ".join(numbers[i : i + 4]) for i in range(0, len(numbers), 4)]
    inner = ",\n        ".join(rows)
    return f"    const {real} {name}[{len(numbers)}] = {{\n        {inner}}};"


def _decimal(value: np.floating) -> str:
    """The shortest decimal that reads as the same number, with a point or an exponent."""
    plain = value == 0.0 or 1e-4 <= abs(value) < 1e6
    write = np.format_float_positional if plain else np.format_float_scientific
    return write(value, trim="0")
