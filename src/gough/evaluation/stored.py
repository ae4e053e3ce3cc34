r"""Kernels on disk: machine code, and what is said of its program, in one checked file.

    "gough kernel 1\n" | sha256 of all that follows | key | length of the words | words | code

The words are JSON: name, ports and operation counts.  The instructions are not kept: whoever asks
for them has the program traced again.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

from gough.base.cache import read_cached, write_cached
from gough.compiler.tracing.count import Operations
from gough.compiler.tracing.program import Port
from gough.evaluation.stored_key import sources_stand

_MAGIC = b"gough kernel 1\n"
_HEAD = struct.Struct("<32s32sI")


class Stored(NamedTuple):
    """A kernel as it is kept.

    Attributes:
        name: what it computes.
        inputs, outputs: its ports.
        operations: operation count of one state.
        code: an object file of machine code.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    operations: Operations
    code: bytes


def read_kernel(key: str | None, name: str, inputs: Mapping[str, Any]) -> Stored | None:
    """The kernel of a key; ``None`` if there is none, or anything about it is in doubt.

    Args:
        key: of the kernel, if it can be kept.
        name: what it must compute.
        inputs: shapes of the inputs that it must have, by name.
    """
    raw = None if key is None else read_cached(key)
    if key is None or raw is None or not raw.startswith(_MAGIC):
        return None
    try:
        checksum, own, length = _HEAD.unpack_from(raw, len(_MAGIC))
        begin = len(_MAGIC) + _HEAD.size
        if hashlib.sha256(raw[len(_MAGIC) + len(checksum) :]).digest() != checksum:
            return None
        if own != bytes.fromhex(key):
            return None
        found = _spoken(json.loads(raw[begin : begin + length]), raw[begin + length :])
    except (struct.error, ValueError, TypeError, KeyError):
        return None
    fits = found.name == name and {p.name: p.shape for p in found.inputs} == dict(inputs)
    return found if fits and found.code else None


def write_kernel(key: str | None, kernel: Stored) -> None:
    """Keep a kernel for later processes, if that is possible."""
    if key is None or not sources_stand():
        return
    words = json.dumps(
        {
            "name": kernel.name,
            "inputs": kernel.inputs,
            "outputs": kernel.outputs,
            "operations": kernel.operations,
        }
    ).encode()
    body = bytes.fromhex(key) + struct.pack("<I", len(words)) + words + kernel.code
    write_cached(key, _MAGIC + hashlib.sha256(body).digest() + body)


def _spoken(words: dict[str, Any], code: bytes) -> Stored:
    ports = [tuple(_port(*each) for each in words[side]) for side in ("inputs", "outputs")]
    counts = [_whole(n) for n in words["operations"]]
    return Stored(str(words["name"]), ports[0], ports[1], Operations(*counts), code)


def _port(name: str, shape: list[int]) -> Port:
    return Port(str(name), tuple(_whole(n) for n in shape))


def _whole(n: Any) -> int:
    if type(n) is not int or n < 0:
        raise ValueError("a count is a whole number")
    return n
