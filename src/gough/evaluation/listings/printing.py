"""Lines of a listing as text, which is Python too, as Markdown and as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from gough.evaluation.listings.expressions import Line, Term

FORMATS = ("text", "markdown", "latex")

_SUM, _PRODUCT, _SIGN, _ATOM = range(4)  # how tightly an expression holds together
_INFIX = {"add": ("+", _SUM), "sub": ("-", _SUM), "mul": ("*", _PRODUCT), "div": ("/", _PRODUCT)}
_GREEK = ("tau", "omega", "Psi", "theta", "lambda")


def printed(head: Sequence[str], lines: Sequence[Line], format: str) -> str:
    """A whole listing."""
    return _PRINTERS[format](head, lines)


def _text(head: Sequence[str], lines: Sequence[Line]) -> str:
    found = [f"# {line}" for line in head]
    for number, line in enumerate(lines, start=1):
        if line.heading:
            found += ["", f"# {line.heading}"]
        found.append(f"{_row(line):<80} # {number}{_beside(line)}")
    return "\n".join([*found, ""])


def _markdown(head: Sequence[str], lines: Sequence[Line]) -> str:
    found = [f"# {head[0]}", "", *(f"- {line}" for line in head[1:])]
    for heading, own in _sections(lines):
        found += ["", f"## {heading}", "", "```python"]
        found += [_row(line) + (f"  #{_beside(line)[1:]}" if line.cited else "") for line in own]
        found.append("```")
    return "\n".join([*found, ""])


def _latex(head: Sequence[str], lines: Sequence[Line]) -> str:
    found = [f"% {line}" for line in head]
    for heading, own in _sections(lines):
        found += ["", rf"\paragraph{{{_escaped(heading)}}}", r"\begin{align*}"]
        rows = [f"{_symbol(line.name)} &= {_tex(line.term)[0]}" for line in own]
        found += [" \\\\\n".join(rows), r"\end{align*}"]
    return "\n".join([*found, ""])


_PRINTERS: dict[str, Callable[[Sequence[str], Sequence[Line]], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
}


def _sections(lines: Sequence[Line]) -> list[tuple[str, list[Line]]]:
    """Lines by their headings."""
    heading, place, marked = "Result", 0, []
    for line in lines:
        if line.heading:
            heading, place = line.heading, place + 1
        marked.append((place, heading, line))
    return [
        (heading, [line for *_, line in own])
        for (_, heading), own in groupby(marked, key=lambda each: each[:2])
    ]


def _row(line: Line) -> str:
    return f"{line.name} = {_python(line.term)[0]}"


def _beside(line: Line) -> str:
    return f"  {line.cited}" if line.cited else ""


def _plain(term: Term) -> Term:
    """``a - b`` for ``a + -b`` and the like, which are the same to the last bit."""
    if term.op not in ("add", "sub"):
        return term
    other = "sub" if term.op == "add" else "add"
    left, right = term.args
    if right.op == "neg":
        return term._replace(op=other, args=(left, right.args[0]))
    if right.op == "const" and right.value < 0.0:
        return term._replace(op=other, args=(left, right._replace(value=-right.value)))
    if term.op == "add" and left.op == "neg":
        return term._replace(op="sub", args=(right, left.args[0]))
    return term


def _python(term: Term) -> tuple[str, int]:
    """An expression of Python, and how tightly it holds together."""
    term = _plain(term)
    if term.op == "name":
        return term.name, _ATOM
    if term.op == "const":
        text = repr(float(term.value)).removesuffix(".0")
        return (text, _SIGN) if text.startswith("-") else (text, _ATOM)
    parts = [_python(arg) for arg in term.args]
    if term.op in _INFIX:
        sign, level = _INFIX[term.op]
        # (a - b) and a / b are not to be put together another way: numbers would round otherwise
        left = _held(parts[0], level)
        right = _held(parts[1], level + 1)
        return f"{left} {sign} {right}", level
    if term.op == "neg":
        return f"-{_held(parts[0], _PRODUCT + 1)}", _SIGN
    inside = ", ".join(text for text, _ in parts)
    if term.op in ("lt", "le"):
        a, b = (_held(part, _SUM) for part in parts)
        return f"float({a} {'<' if term.op == 'lt' else '<='} {b})", _ATOM
    return f"{term.op}({inside})", _ATOM


def _held(part: tuple[str, int], least: int) -> str:
    return part[0] if part[1] >= least else f"({part[0]})"


def _tex(term: Term) -> tuple[str, int]:
    """An expression of LaTeX, and how tightly it holds together."""
    term = _plain(term)
    if term.op == "name":
        return _symbol(term.name), _ATOM
    if term.op == "const":
        text = f"{term.value:.6g}"
        mantissa, _, power = text.partition("e")
        text = rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else text
        return text, _SIGN if text.startswith("-") else _ATOM
    parts = [_tex(arg) for arg in term.args]
    if term.op == "div":
        return rf"\frac{{{parts[0][0]}}}{{{parts[1][0]}}}", _ATOM
    if term.op in _INFIX:
        sign, level = _INFIX[term.op]
        between = r" \, " if sign == "*" else f" {sign} "
        return f"{_braced(parts[0], level)}{between}{_braced(parts[1], level + 1)}", level
    if term.op == "neg":
        return f"-{_braced(parts[0], _PRODUCT)}", _SIGN
    inside = ", ".join(text for text, _ in parts)
    if term.op == "sqrt":
        return rf"\sqrt{{{inside}}}", _ATOM
    if term.op == "abs":
        return rf"\left|{inside}\right|", _ATOM
    if term.op in ("lt", "le"):
        sign = "<" if term.op == "lt" else r"\le"
        return f"[{parts[0][0]} {sign} {parts[1][0]}]", _ATOM
    return rf"\operatorname{{{term.op}}}\left({inside}\right)", _ATOM


def _braced(part: tuple[str, int], least: int) -> str:
    return part[0] if part[1] >= least else rf"\left({part[0]}\right)"


def _symbol(name: str) -> str:
    """A name as LaTeX writes it: ``omega_z``, ``c_elbow1``, ``t12``, ``xdd``."""
    stem, *rest = re.sub(r"^t(\d+)$", r"t_\1", name).split("_")
    dots = re.fullmatch(r"(v|omega|V|x|y|z|rx|ry|rz|q)(d{1,2}ot|d{1,2})", stem)
    if dots:
        stem = dots[1]
    shown = rf"\{stem}" if stem in _GREEK else stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    if dots:
        shown = rf"\{'ddot' if dots[2].startswith('dd') else 'dot'}{{{shown}}}"
    below = ",".join(part if len(part) < 3 else rf"\mathrm{{{part}}}" for part in rest if part)
    return f"{shown}_{{{below}}}" if below else shown


def _escaped(text: str) -> str:
    return re.sub(r"([_&%#^])", r"\\\1", text)
