"""Programs as WebAssembly: one module of functions that a browser runs, from the same code.

LLVM writes an object file that a linker would put together with others.  With one file and without
data there is nothing to put together: what is for the linker is left out, and functions are
exported by name.  A function is ``name(in, out)``, places of doubles in the memory that the page
gives to the module as ``env.__linear_memory``; sines and their like are imported from ``env``, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from gough.compiler.machine_code.ir import scalar_module
from gough.compiler.machine_code.native import alone_with_llvm, object_file
from gough.compiler.tracing.program import Program
from gough.errors import GoughError, InputError, shown

_TRIPLE = "wasm32-unknown-unknown"
_MAGIC = b"\0asm\1\0\0\0"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CUSTOM, _IMPORTS, _FUNCTIONS, _EXPORTS = 0, 2, 3, 7
_AFTER_EXPORTS = (8, 9, 12, 10, 11)  # start, elements, data count, code, data: in this order
_FUNCTION = b"\0"  # the kind of an export or import
_OF_FUNCTIONS = (0, 6)  # relocations of calls: indices that are right already in a single file


class Section(NamedTuple):
    """A section of a module: its number and its content."""

    kind: int
    content: bytes


def wasm_module(programs: Mapping[str, Program]) -> bytes:
    """A module with a function for each program.

    Args:
        programs: by the names of their functions.

    Raises:
        InputError: a name is no identifier.
        GoughError: the code needs what no module without a linker has.
    """
    for name in programs:
        if not _NAME.fullmatch(name):
            raise InputError(f"a function cannot be called {shown(name)}", argument="programs")
    sections = list(_sections(_object(scalar_module(programs))))
    _check_relocations(sections)
    kept = [each for each in sections if each.kind != _CUSTOM]
    content = next((each.content for each in kept if each.kind == _IMPORTS), b"\0")
    first = sum(kind == _FUNCTION[0] for kind in _import_kinds(content))
    exports = _number(len(programs)) + b"".join(
        _text(name) + _FUNCTION + _number(first + k) for k, name in enumerate(programs)
    )
    place = next(k for k, each in enumerate(kept) if each.kind in _AFTER_EXPORTS)
    kept.insert(place, Section(_EXPORTS, exports))
    return _MAGIC + b"".join(
        bytes([kind]) + _number(len(content)) + content for kind, content in kept
    )


def _object(text: str) -> bytes:
    """LLVM's object file of a module's text."""
    target = _target()
    with alone_with_llvm():
        machine = target.create_target_machine(opt=2, codemodel="default")
        return object_file(f'target triple = "{_TRIPLE}"\n{text}', machine)


@cache
def _target() -> Any:
    import llvmlite.binding as llvm  # noqa: PLC0415

    with alone_with_llvm():
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(_TRIPLE)


def _sections(code: bytes) -> Iterator[Section]:
    """Sections of a module, in order."""
    if code[: len(_MAGIC)] != _MAGIC:
        raise GoughError("LLVM wrote no WebAssembly")
    at = len(_MAGIC)
    while at < len(code):
        kind = code[at]
        size, at = _read(code, at + 1)
        yield Section(kind, code[at : at + size])
        at += size


def _check_relocations(sections: list[Section]) -> None:
    """Refuse code with places that only a linker could fill in."""
    for kind, content in sections:
        if kind != _CUSTOM:
            continue
        size, at = _read(content, 0)
        name, at = content[at : at + size].decode(), at + size
        if not name.startswith("reloc."):
            continue
        _, at = _read(content, at)
        count, at = _read(content, at)
        for _ in range(count):
            what = content[at]
            if name != "reloc.CODE" or what not in _OF_FUNCTIONS:
                raise GoughError(
                    f"a relocation of kind {what} in {name} needs a linker",
                    hint="The program has data of its own, which kernels never have.",
                )
            _, at = _read(content, at + 1)
            _, at = _read(content, at)


def _import_kinds(content: bytes) -> Iterator[int]:
    """Kinds of the imports of a module: 0 of a function, 2 of a memory."""
    count, at = _read(content, 0)
    for _ in range(count):
        for _ in range(2):  # module and name
            size, at = _read(content, at)
            at += size
        kind = content[at]
        yield kind
        at += 1
        if kind == 0:  # a function: its type
            _, at = _read(content, at)
        elif kind == 1:  # a table: type of its elements, limits
            at = _past_limits(content, at + 1)
        elif kind == 2:  # a memory: limits
            at = _past_limits(content, at)
        else:  # a global: its type, whether it changes
            at += 2


def _past_limits(content: bytes, at: int) -> int:
    both = content[at] & 1
    _, at = _read(content, at + 1)
    return _read(content, at)[1] if both else at


def _read(content: bytes, at: int) -> tuple[int, int]:
    """A number in LEB128, and the place after it."""
    found, shift = 0, 0
    while True:
        byte = content[at]
        found |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return found, at


def _number(value: int) -> bytes:
    """A number in LEB128."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _text(name: str) -> bytes:
    return _number(len(name)) + name.encode()
