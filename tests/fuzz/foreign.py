"""Files from strangers: files of every format, changed at random, through the door of their reader.

A file is read or refused by a named error, in bounded time and memory.  By hand, 10,000 files::

    PYTHONPATH=tests python -m fuzz.foreign --seed 1 --count 10000

One of them again, which is written into a folder and told::

    PYTHONPATH=tests python -m fuzz.foreign --seed 1 --number 123 --keep /tmp/file
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import elsewhere
import gough
import mesh_files
from foreign import FORMATS
from gough.calibration import read_klipper
from gough.errors import GoughError

SECONDS = 2.0
"""Most processor time of one file."""

MEGABYTES = 500
"""Most memory of the whole process."""

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

PAR = """(* Robotname = 'bars' *)
NL = 3
NJ = 4
NF = 5
Type = 2 (* closed *)
is_mobile = 0
Ant = {0,1,0,2,3}
sigma = {0,0,0,0,2}
b = {0,0,0,0,0}
d = {0,d2,0.5,
   0.6,0.4}
r = {0,0,0,0,0}
gamma = {0,0,0,0,0}
alpha = {0,0,2*pi-2*pi,0,0}
mu = {1,0,0,0,0}
theta = {1.3,-1.2,2*pi/5,th4,0}
XX = {0.01,XX2,0.01}
YY = {0.01,0.06,0.02}
ZZ = {0.02,0.08,0.03}
MX = {0.1,0.2,0.1}
M = {1,M2,0.8}
FV = {0.1,0,0}
G = {0,-9.81,0}
"""


class Source(NamedTuple):
    """An honest file, those that it needs beside it, and how it is read."""

    name: str
    files: dict[str, bytes]
    read: Callable[..., Any]
    arguments: dict[str, Any]

    @property
    def main(self) -> str:
        """The file that is opened."""
        return next(iter(self.files))


def sources() -> list[Source]:
    """Honest files of every format: those of the references, and those of the tests."""
    found = [
        _written("delta.xml", elsewhere.delta(), platform="plate"),
        _written("five_bar.xml", elsewhere.five_bar(), platform="tip"),
        _written("gripper.xml", elsewhere.gripper()),
        _written("copies.xml", elsewhere.replicated(), platform="plate"),
        _written("planar.urdf", elsewhere.planar_urdf(), platform="plate"),
        _written("bars.par", PAR, platform="link2", numbers={"d2": 0.3, "XX2": 0.02, "M2": 1.5}),
        _included(),
        _models(),
        _meshes("stl"),
        _meshes("obj"),
    ]
    urdf, side = elsewhere.ankle_urdf()
    files = {"ankle.urdf": urdf.encode(), "ankle.yaml": side.encode()}
    found.append(Source("ankle.urdf", files, gough.convert, {"platform": "foot"}))
    robots = sorted((EXAMPLES / "robots").glob("*.yaml"))
    found += [Source(path.name, {path.name: path.read_bytes()}, gough.load, {}) for path in robots]
    printer = {"printer.cfg": (EXAMPLES / "printer.cfg").read_bytes()}
    found.append(Source("printer.cfg", printer, read_klipper, {}))
    for path in sorted(FORMATS.glob("*/*")) if FORMATS.is_dir() else ():
        if path.suffix in (".xml", ".urdf", ".sdf"):
            beside = [p for p in sorted(path.parent.iterdir()) if p != path and p.is_file()]
            files = {p.name: p.read_bytes() for p in (path, *beside) if p.suffix != ""}
            platform = {"four_bar": "link2", "six_bar": "link3", "2f85": "left_pad"}.get(path.stem)
            found.append(Source(path.name, files, gough.convert, {"platform": platform}))
    return found


def _written(name: str, text: str, **arguments: Any) -> Source:
    return Source(name, {name: text.encode()}, gough.convert, arguments)


def _included() -> Source:
    """A file that is in parts."""
    text = elsewhere.five_bar()
    head, body, rest = re.split(r"(?<=<worldbody>)|(?=</worldbody>)", text)
    files = {
        "parts.xml": f'{head}<include file="body.xml"/>{rest}'.encode(),
        "body.xml": f"<mujocoinclude>{body}</mujocoinclude>".encode(),
    }
    return Source("parts.xml", files, gough.convert, {"platform": "tip"})


def _models() -> Source:
    """Models within a model, one of them in a file of its own."""
    link = (
        '<link name="{0}"><pose>{1} 0 0 0 0 0</pose><inertial><mass>1.5</mass><inertia><ixx>0.1'
        "</ixx><iyy>0.2</iyy><izz>0.2</izz></inertia></inertial><visual name='v'><geometry><box>"
        "<size>0.1 0.2 0.3</size></box></geometry></visual></link>"
    )
    joint = (
        '<joint name="{0}" type="revolute"><parent>{1}</parent><child>{2}</child><axis><xyz>0 0 1'
        "</xyz><limit><lower>-1.5</lower><upper>1.5</upper><effort>20</effort></limit><dynamics>"
        "<damping>0.1</damping></dynamics></axis></joint>"
    )
    inner = f'<sdf version="1.7"><model name="arm">{link.format("fore", 0.3)}</model></sdf>'
    outer = (
        f'<sdf version="1.7"><model name="m">{link.format("upper", 0.1)}'
        "<include><uri>model://arm</uri><name>a</name><pose>0.2 0 0 0 0 0</pose></include>"
        f'<model name="b">{link.format("hand", 0.2)}</model>'
        f'<frame name="f" attached_to="upper"><pose>0 0.1 0 0 0 0</pose></frame>'
        f"{joint.format('j1', 'world', 'upper')}{joint.format('j2', 'upper', 'a::fore')}"
        f"{joint.format('j3', 'a::fore', 'b::hand')}</model></sdf>"
    )
    files = {"m.sdf": outer.encode(), "arm/model.sdf": inner.encode()}
    return Source("m.sdf", files, gough.convert, {"platform": "b::hand"})


def _meshes(kind: str) -> Source:
    """A pendulum whose mass is that of a mesh."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"part.{kind}"
        write = {"stl": mesh_files.write_stl, "obj": mesh_files.write_obj}[kind]
        write(path, *mesh_files.bumpy())
        mesh = path.read_bytes()
    text = (
        f'<mujoco><asset><mesh name="p" file="part.{kind}" scale="1 1 2"/></asset><worldbody>'
        '<body name="a"><joint axis="0 1 0"/><geom type="mesh" mesh="p"/></body></worldbody>'
        "</mujoco>"
    )
    files = {f"{kind}.xml": text.encode(), f"part.{kind}": mesh}
    return Source(f"{kind}.xml", files, gough.convert, {"platform": "a"})


# changes ------------------------------------------------------------------------------------------

_NUMBER = re.compile(rb"(?<![\w.])-?\d+\.?\d*(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_]\w+")
_ELEMENT = re.compile(rb"<(\w+)[^<>]*/>|<(\w+)[^<>]*>[^<>]*</\2>")
_FIGURES = (
    *(b"0", b"-1", b"1e300", b"-1e300", b"1e99", b"1e-300", b"nan", b"inf", b"90", b"1e6", b"0.5"),
    *(
        b"",
        b"1 2",
        b"1e",
        b"0x10",
        b"1_0",
        b"${x}",
        b"9" * 400,
        b"10**12",
        b"(-1)**0.5",
        b"-" * 300,
    ),
)
_PIECES = (
    *(
        b"\x00",
        b"\xff\xfe",
        b"\xe2\x80\xae",
        b"<!-- a -- b -->",
        b"&a;",
        b"<!DOCTYPE a>",
        b"{",
        b"}",
    ),
    *(
        b"(*",
        b"\n",
        b"\r\n",
        b"'",
        b'"',
        b"<",
        b">",
        b"]]>",
        b"<![CDATA[",
        b"{{content}}",
        b"  " * 2000,
    ),
    *(b"<include file='../../etc/passwd'/>", b"<include><uri>model://..</uri></include>"),
    *(b"<replicate count='500' offset='1 0 0'>", b"</replicate>", b"<xacro:a/>", b"*a", b"&a [*a]"),
)
_HEADS = (
    *(b"zip", b"utf-7", b"idna", b"utf-16", b"latin-1", b"cp1252", b"punycode", b"ascii"),
    *(b"utf-32", b"x" * 200),
)


def changed(text: bytes, rng: np.random.Generator) -> bytes:
    """A file with one to four changes, half of the files still well-formed."""
    changes = CHANGES if rng.random() < 0.5 else SOFT
    for _ in range(int(rng.integers(1, 5))):
        text = changes[int(rng.integers(len(changes)))](text, rng)
    return text


def _replace(text: bytes, found: list[re.Match[bytes]], new: bytes, rng: Any) -> bytes:
    if not found:
        return text
    at = found[int(rng.integers(len(found)))]
    return text[: at.start()] + new + text[at.end() :]


def _pick(options: tuple[bytes, ...], rng: Any) -> bytes:
    return options[int(rng.integers(len(options)))]


def _figure(text: bytes, rng: Any) -> bytes:
    return _replace(text, list(_NUMBER.finditer(text)), _pick(_FIGURES, rng), rng)


def _nudged(text: bytes, rng: Any) -> bytes:
    """One figure larger or smaller: files that stay honest, and loops that do not close."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    at = found[int(rng.integers(len(found)))]
    new = repr(float(at[0]) * float(rng.choice([1.0 + 1e-6, 1.001, 1.1, 10.0, -1.0]))).encode()
    return text[: at.start()] + new + text[at.end() :]


def _swapped(text: bytes, rng: Any) -> bytes:
    """A word in the place of another: names that mean something else, or nothing."""
    found = list(_WORD.finditer(text))
    new = found[int(rng.integers(len(found)))][0] if found else b""
    return _replace(text, found, new, rng)


def _misspelt(text: bytes, rng: Any) -> bytes:
    found = list(_WORD.finditer(text))
    if not found:
        return text
    at = found[int(rng.integers(len(found)))]
    k = int(rng.integers(len(at[0])))
    new = at[0][:k] + at[0][k + 1 :] if rng.random() < 0.5 else at[0][: k + 1] + at[0][k:]
    return text[: at.start()] + new + text[at.end() :]


def _long(text: bytes, rng: Any) -> bytes:
    return _replace(text, list(_WORD.finditer(text)), b"n" * int(rng.choice([300, 5000])), rng)


def _copied(text: bytes, rng: Any) -> bytes:
    """An element, or a line, many times."""
    found = list(_ELEMENT.finditer(text)) or list(re.finditer(rb"[^\n]*\n", text))
    if not found:
        return text
    at = found[int(rng.integers(len(found)))]
    return text[: at.start()] + at[0] * int(rng.choice([2, 30, 3000])) + text[at.end() :]


def _removed(text: bytes, rng: Any) -> bytes:
    found = list(_ELEMENT.finditer(text)) or list(re.finditer(rb"[^\n]*\n", text))
    return _replace(text, found, b"", rng)


def _moved(text: bytes, rng: Any) -> bytes:
    """A piece of the file elsewhere."""
    a, b, c = sorted(int(x) for x in rng.integers(len(text) + 1, size=3))
    return text[:a] + text[b:c] + text[a:b] + text[c:]


def _cut(text: bytes, rng: Any) -> bytes:
    return text[: int(rng.integers(len(text) + 1))]


def _noise(text: bytes, rng: Any) -> bytes:
    raw = bytearray(text)
    for k in rng.integers(len(raw), size=int(rng.integers(1, 6))) if raw else ():
        raw[int(k)] = int(rng.integers(256))
    return bytes(raw)


def _piece(text: bytes, rng: Any) -> bytes:
    at = int(rng.integers(len(text) + 1))
    return text[:at] + _pick(_PIECES, rng) + text[at:]


def _head(text: bytes, rng: Any) -> bytes:
    text = re.sub(rb"^<\?xml[^>]*\?>", b"", text)
    return b'<?xml version="1.0" encoding="' + _pick(_HEADS, rng) + b'"?>' + text


SOFT = (_figure, _nudged, _nudged, _swapped, _misspelt, _copied, _removed)
CHANGES = (*SOFT, _long, _moved, _cut, _noise, _piece, _head)


# trials -------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What became of a file: ``read``, the name of an error, or a fault."""

    source: str
    what: str
    seconds: float
    megabytes: float
    fault: str


def trial(all_sources: list[Source], seed: int, number: int, folder: Path) -> Outcome:
    """One file, changed and read; what is written into the folder stays there."""
    rng = np.random.default_rng([seed, number])
    source = all_sources[int(rng.integers(len(all_sources)))]
    name = source.main
    if rng.random() < 0.3:
        name = list(source.files)[int(rng.integers(len(source.files)))]
    for each, text in source.files.items():
        path = folder / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(changed(text, rng) if each == name else text)
    start, fault, what = time.process_time(), "", "read"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            source.read(folder / source.main, **source.arguments)
    except GoughError as err:
        what = type(err).__name__
        if len(err.message) > 2000 or "\n" in err.message:
            fault = f"a message of {len(err.message)} characters: {err.message[:100]!r}"
    except Exception as err:
        what = fault = f"{type(err).__name__}: {str(err)[:100]}"
    seconds = time.process_time() - start
    megabytes = peak_memory()
    if not fault and seconds > SECONDS:
        fault = f"{seconds:.1f} s"
    if not fault and megabytes > MEGABYTES:
        fault = f"{megabytes:.0f} MB"
    return Outcome(source.name, what, seconds, megabytes, fault)


def peak_memory() -> float:
    """Most memory that this process has had [MB].

    On Linux that of its own program: what the operating system says of resources begins with the
    process that started it.
    """
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    if found is not None:
        return int(found[1]) / 1024.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def main() -> int:
    """The command; exit code 1 if a file is refused by an unnamed error, or takes too much."""
    parser = argparse.ArgumentParser(prog="fuzz.foreign", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="other seeds make other files")
    parser.add_argument("--count", type=int, default=10_000, help="files")
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--small", action="store_true", help="files of the tests only, quick ones")
    parser.add_argument("--number", type=int, help="one file, told")
    parser.add_argument("--keep", type=Path, help="folder in which that file is written")
    chosen = parser.parse_args()
    every = sources()
    if chosen.small:
        every = [source for source in every if sum(map(len, source.files.values())) < 12_000]
    if chosen.number is not None:
        with tempfile.TemporaryDirectory() as folder:
            found = trial(every, chosen.seed, chosen.number, chosen.keep or Path(folder))
        print(*found, sep="\n")
        return int(bool(found.fault))
    outcomes: Counter[str] = Counter()
    slowest = largest = 0.0
    faults = 0
    for number in range(chosen.first, chosen.first + chosen.count):
        with tempfile.TemporaryDirectory() as folder:
            found = trial(every, chosen.seed, number, Path(folder))
        outcomes[found.what.partition(":")[0]] += 1
        slowest, largest = max(slowest, found.seconds), max(largest, found.megabytes)
        if found.fault:
            faults += 1
            print(f"number {number}, {found.source}: {found.fault}", flush=True)
    told = ", ".join(f"{count} {what}" for what, count in outcomes.most_common())
    print(f"seed {chosen.seed}, {chosen.count} files: {told}")
    print(f"at most {slowest:.2f} s and {largest:.0f} MB; {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
