"""Files that others wrote, each compared with all states that others computed of it.

What is asserted here is what ``docs/formats.md`` says: ``tests/formats_table.py`` writes it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import gough
from foreign import FORMATS, Errors, checked, reference, serial_work
from gough.robot.formats.loading import read_model

BARE = ("armature", "damping", "friction", "springs")
NECK = ("yaw_body", "right_antenna", "left_antenna")
ROTATING = [f"stewart_{k}" for k in range(1, 7)]


@dataclass(frozen=True)
class File:
    """A real file, and how exactly gough gives back what others say.

    Args:
        what: for people.
        path: below the folder of the references.
        platform: body that does the work.
        arguments: of ``gough.convert``; home, where the file's own posture is flat or open.
        efforts: bound of their error, a share of the largest.
        why: why it is larger than 1e-8, if it is.
        full: the reference whose ``full`` dynamics are meant, if any: with armature, damping and
            springs of the file.
    """

    what: str
    path: str
    platform: str
    arguments: dict[str, Any]
    efforts: float = 1e-8
    why: str = ""
    full: str = ""


FILES = {
    "reachy_mini_locked": File(
        "neck of six rods, MJCF, yaw and antennas locked",
        *("reachy_mini/reachy_mini.xml", "xl_330", {"lock": NECK}),
    ),
    "reachy_mini_full": File(
        "the same with armature and damping of the file, balls included",
        *("reachy_mini/reachy_mini.xml", "xl_330", {"lock": NECK, "drop": ("friction",)}),
        full="reachy_mini_locked",
    ),
    "grbda_four_bar": File(
        "four-bar, URDF with `<loop>`", "grbda/four_bar.urdf", "link2", {"home": True}
    ),
    "grbda_six_bar": File(
        "planar loop of three freedoms, URDF with `<loop>`",
        *("grbda/six_bar.urdf", "link3", {"home": True}),
    ),
    "grbda_planar_leg_linkage": File(
        "leg with a parallelogram, URDF with `<loop>`",
        *("grbda/planar_leg_linkage.urdf", "foot", {"home": True}),
    ),
    "hadi_stewart": File("6-UPS, SDF 1.5", "hadi_stewart/stewart_sdf.sdf", "platform_link", {}),
}
SERIAL = {
    "reachy_mini": File(
        "the neck with all nine motors moving", "reachy_mini/reachy_mini.xml", "xl_330", {}
    ),
    "reachy_mini_urdf": File(
        *("the same as URDF, with pairs of closing frames", "reachy_mini/robot_no_collision.urdf"),
        *("xl_330", {}),
    ),
}
POSITIONS, ACCELERATIONS = 1e-9, 1e-8


@cache
def converted(name: str) -> gough.Conversion:
    """The robot of a file, without friction, rotors and springs unless they are meant."""
    file = FILES[name]
    given = {"drop": BARE, **file.arguments}
    if given.get("home"):
        given["home"] = said(name)["states"][0]["qpos"]
    return gough.convert(FORMATS / file.path, platform=file.platform, **given)


def said(name: str) -> dict[str, Any]:
    """What others say about a file."""
    return reference(FILES[name].full or name if name in FILES else name)


def spinning(robot: gough.Robot) -> list[str]:
    """Bodies that spin idly."""
    idle = robot.assembly.idle
    return [body for freedom in idle for body in (*freedom.bodies, *freedom.between)]


def kind(name: str) -> str:
    """Which dynamics of a reference are meant: idle spins held in the joints, if there are any."""
    if name in FILES and FILES[name].full:
        return "full"
    return "rigid" if name in SERIAL or not spinning(converted(name).robot) else "idle_held"


@cache
def compared(name: str) -> Errors:
    """Errors over all states of a reference."""
    data = said(name)
    if name in FILES:
        robot = converted(name).robot
        return checked(robot, data, FILES[name].platform, kind(name), spinning(robot))
    file = SERIAL[name]
    path = FORMATS / file.path

    def load(lock):
        return gough.convert(
            path, platform=file.platform, motors=ROTATING, lock=lock, drop=BARE
        ).robot

    return serial_work(load, data, file.platform, NECK, read_model(path).links["body_down_3dprint"])


def table() -> str:
    """File by file: states, which dynamics, and below what the largest errors are."""
    head = ["file", "states checked / in the reference", "dynamics", "positions", "efforts"]
    head.append("accelerations")
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name, file in {**FILES, **SERIAL}.items():
        found = compared(name)
        efforts = f"below {file.efforts:.0e}" + (f": {file.why}" if file.why else "")
        cells = [file.what, f"{found.states} / {len(said(name)['states'])}"]
        cells += [f"`{kind(name)}`", f"below {POSITIONS:.0e}", efforts]
        cells.append(f"below {ACCELERATIONS:.0e}" if name in FILES else "not asked for")
        lines.append(f"| {' | '.join(cells)} |".replace("e-0", "e-"))
    return "\n".join(lines)
