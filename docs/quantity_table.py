"""The reference of quantities, quantities.md: every public row of the table, and every port.

python docs/quantity_table.py            # writes the page
python docs/quantity_table.py --check    # fails if it is out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import gough
from gough.dynamics.quantities import PUBLIC, Quantity
from gough.dynamics.quantities.ports import meaning
from gough.dynamics.quantities.variant import Variant

PAGE = Path(__file__).resolve().parent / "quantities.md"
EXAMPLE = "gough_stewart"
HEAD = """# Quantities

What `gough.compile`, `gough.export_c`, `gough.export` and `gough.listing` know by name. A row is
written once, with its formula, in `src/gough/dynamics/quantities/`; kernels, C, derivatives, checks
of arguments and this page follow from it. `python docs/quantity_table.py` writes the page.

Every kernel also gives `doubt`, two numbers a state: below 1 in sum the answer is valid. Where a
quantity has loads, forces, a payload and the motion of the base add inputs; `parameters=` of
`gough.compile` makes masses, friction and places of joints inputs.

"""


def name_ports(names: tuple[str, ...]) -> str:
    """Names as code, in a row."""
    return ", ".join(f"`{name}`" for name in names)


def first_sentence(row: Quantity) -> str:
    """What a row computes, without the equations that it cites."""
    text = (inspect.getdoc(row.formula) or "").split("\n\n")[0].replace("\n", " ")
    text = re.sub(r"\s*\[(BK|KI|OZ|GA)\][^.]*\.?", "", text).replace("``", "`")
    return re.sub(r":func:`([^`]*)`", r"`\1`", text)


def page() -> str:
    """The page: quantities, then what their inputs and outputs are."""
    lines = ["| quantity | what it is | inputs | outputs | loads |", "|---|---|---|---|---|"]
    ports: dict[tuple[str, str], str] = {}
    assembly = gough.zoo.load(EXAMPLE).assembly
    for name, row in PUBLIC.items():
        loads = "yes" if row.carried else "base at rest" if row.loaded else ""
        cells = [f"`{name}`", first_sentence(row), name_ports(row.inputs), name_ports(row.outputs)]
        lines.append(f"| {' | '.join([*cells, loads])} |")
        shapes: dict[str, tuple[int, ...]] = {}
        if not row.serial:
            variant = Variant()
            shapes = row.input_shapes(assembly, variant) | row.output_shapes(assembly, variant)
        for port in (*row.inputs, *row.outputs):
            shape = f"`{shapes[port]}`" if port in shapes else ""
            ports.setdefault((port, meaning(port, name)), shape)
    lines += ["", "## Inputs and outputs", ""]
    lines += ["| name | what it is | shape for the hexapod |", "|---|---|---|"]
    for (name, text), shape in sorted(ports.items(), key=lambda item: item[0][0].lower()):
        lines.append(f"| `{name}` | {text} | {shape} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != page():
            sys.exit("out of date: run quantity_table.py")
    else:
        PAGE.write_text(page(), encoding="utf-8")
