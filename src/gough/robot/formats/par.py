"""SYMORO's ``.par`` files: tables of Khalil and Kleinfinger, loops cut at joints after the links.

    T_aj = Rot(z, gamma) Trans(z, b) Rot(x, alpha) Trans(x, d) Rot(z, theta) Trans(z, r)

Links are 1 to NL, joints 1 to NJ; a joint k above NL closes a loop: its frame coincides with frame
``k + NJ - NL``, which is fixed on another link.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import numpy as np

from gough.base import spatial
from gough.base.tables import whole
from gough.errors import FileError
from gough.robot.formats.arithmetic import value_of
from gough.robot.formats.digits import precision_of
from gough.robot.formats.model import BASE, Drive, Link, Mark, Model, Place, Tie
from gough.robot.joint import Axis

_LARGEST = 2**18
_LINE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$")
_GEOMETRY = ("ant", "sigma", "mu", "gamma", "b", "alpha", "d", "theta", "r")
_KINDS = {0: "revolute", 1: "prismatic", 2: "fixed"}


def read_par(path: str | os.PathLike[str]) -> Model:
    """The model of a ``.par`` file."""
    return _Table(path).model()


class _Table:
    """A file as named lists of numbers."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.file = whole.file_name(path, "robot file", 'For instance gough.load("robot.par").')
        raw, size = whole.read_bounded(self.file, _LARGEST, "robot file")
        if size > _LARGEST:
            raise FileError(f"has {size} bytes, a table has fewer", file=self.file)
        self.text = raw.decode("latin-1")
        self.words: dict[str, tuple[int, list[str]]] = {}
        plain = re.sub(r"\(\*.*?\*\)", lambda m: "\n" * m[0].count("\n"), self.text, flags=re.S)
        plain = re.sub(r"\{[^}]*\}", lambda m: m[0].replace("\n", " "), plain)
        for number, line in enumerate(plain.splitlines(), 1):
            found = _LINE.match(line)
            if found:
                entries = found[2].strip("{}").split(",")
                self.words[found[1]] = (number, [entry.strip() for entry in entries])
        name = re.search(r"Robotname\s*=\s*'([^']*)'", self.text)
        self.name = name[1] if name else Path(self.file).stem
        self.links, self.joints, self.frames = (int(self.one(key)) for key in ("NL", "NJ", "NF"))
        loops = self.joints - self.links
        if not 0 < self.links <= self.joints or self.frames < self.links + 2 * loops:
            raise FileError(
                f"NL = {self.links}, NJ = {self.joints}, NF = {self.frames} do not fit together",
                file=self.file,
                hint="NF = NL + 2 (NJ - NL): two frames for every loop.",
            )

    def place(self, key: str, k: int) -> Place:
        """Where an entry stands."""
        return Place(self.file, self.words[key][0] if key in self.words else None, f"{key}[{k}]")

    def one(self, key: str) -> float:
        """A number that must be there."""
        if key not in self.words:
            raise FileError(f"does not say {key}", file=self.file, hint="Is this a .par file?")
        return value_of(self.words[key][1][0], self.place(key, 1))

    def at(self, key: str, k: int) -> float:
        """Entry of a list, counted from 1; zero where the list is not there or too short."""
        _, entries = self.words.get(key, (0, []))
        if k > len(entries):
            return 0.0
        return value_of(entries[k - 1], self.place(key, k))

    def variable(self, key: str, k: int) -> float:
        """Entry of a list that may be the joint's own variable: that is zero where it is drawn."""
        _, entries = self.words.get(key, (0, []))
        if k <= len(entries) and re.fullmatch(r"[A-Za-z_]\w*", entries[k - 1]):
            return 0.0
        return self.at(key, k)

    def sigma(self, k: int) -> str:
        """Kind of a joint."""
        number = int(self.at("sigma", k))
        if number not in _KINDS:
            self.place("sigma", k).refuse(f"is {number}, expected 0, 1 or 2")
        return _KINDS[number]

    def link(self, k: int) -> str:
        """Name of a link; 0 is the base."""
        return BASE if k == 0 else f"link{k}"

    def frame(self, k: int) -> Mark:
        """A frame on the link that carries it; frames above NJ hang on links or on each other."""
        T = np.eye(4)
        for _ in range(self.frames + 1):
            if k <= self.links:
                return Mark(self.link(k), T)
            T = (
                self.before(k)
                @ spatial.pose(
                    spatial.rotation_z(self.at("theta", k)), np.array([0.0, 0.0, self.at("r", k)])
                )
                @ T
            )
            k = int(self.at("ant", k))
        raise FileError(f"frame {k} hangs on itself", file=self.file)

    def before(self, k: int) -> np.ndarray:
        """From the antecedent to the frame whose z is the joint's axis."""
        along = np.array([0.0, 0.0, self.at("b", k)])
        T = spatial.pose(spatial.rotation_z(self.at("gamma", k)), along)
        across = spatial.pose(spatial.rotation_x(self.at("alpha", k)), np.zeros(3))
        return np.asarray(T @ across @ spatial.pose(np.eye(3), np.array([self.at("d", k), 0, 0])))

    def model(self) -> Model:
        """The neutral model."""
        found = Model(self.name, self.file, "SYMORO")
        found.links[BASE] = Link(BASE)
        for k in range(1, self.links + 1):
            found.add(self.solid(k))
        loops = self.joints - self.links
        for k in range(1, self.joints + 1):
            found.joints.append(self.joint(k, loops))
            if self.at("mu", k) and found.joints[-1].kind != "fixed":
                found.drives.append(Drive(f"joint{k}"))
        for k in range(self.links + 1, self.frames + 1):
            if k > self.joints:
                found.marks[f"frame{k}"] = self.frame(k)
        if "G" in self.words:
            found.gravity = (self.at("G", 1), self.at("G", 2), self.at("G", 3))
        texts = [" ".join(self.words[key][1]) for key in _GEOMETRY if key in self.words]
        found.precision = precision_of(texts)
        return found

    def joint(self, k: int, loops: int) -> Tie:
        """A joint of the tree, or one that closes a loop."""
        kind, near = self.sigma(k), self.link(int(self.at("ant", k)))
        T_A, T_B, drawn = self.before(k), np.eye(4), 0.0
        if kind == "prismatic":
            T_A = T_A @ spatial.pose(spatial.rotation_z(self.at("theta", k)), np.zeros(3))
            drawn = self.variable("r", k)
        else:
            drawn = self.variable("theta", k)
            T_B = spatial.pose(np.eye(3), np.array([0.0, 0.0, -self.at("r", k)]))
        if kind == "fixed":
            T_A = T_A @ spatial.pose(spatial.rotation_z(drawn), np.zeros(3))
        far, loop = self.link(k), ""
        if k > self.links:
            other = self.frame(k + loops)
            far, T_B = other.link, other.T @ T_B
            loop = f"'joint{k}', a {kind} joint, closes a loop between {near!r} and {far!r}"
        axis = Axis(
            viscous=self.at("FV", k), coulomb=self.at("FS", k), rotor_inertia=self.at("IA", k)
        )
        axes = () if kind == "fixed" else (axis,)
        values = () if kind == "fixed" else (drawn,)
        place = self.place("ant", k)
        return Tie(f"joint{k}", kind, near, far, T_A, T_B, axes, values, loop=loop, place=place)

    def solid(self, k: int) -> Link:
        """A link; its inertia is given about its frame's origin."""
        mass = self.at("M", k)
        first = np.array([self.at(key, k) for key in ("MX", "MY", "MZ")])
        xx, xy, xz, yy, yz, zz = (self.at(key, k) for key in ("XX", "XY", "XZ", "YY", "YZ", "ZZ"))
        about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        center = first / mass if mass else np.zeros(3)
        about = about - mass * ((center @ center) * np.eye(3) - np.outer(center, center))
        about[np.abs(about) < 1e-15 * max(np.abs(about).max(), math.ulp(0.0))] = 0.0
        return Link(self.link(k), mass, center, about, self.place("M", k))
