"""Files that others wrote, each compared with all states that others computed of it.

What is asserted here is what ``docs/formats.md`` says: ``tests/formats_table.py`` writes it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import gough
from engines import need_engine
from foreign import FORMATS, Errors, checked, reference
from gough.mechanism.serial import core_of
from hinged import Held

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
        efforts, accelerations: bounds of their errors, shares of the largest.
        why: why one is larger than 1e-8, if it is.
        full: the reference whose ``full`` dynamics are meant, if any: with armature, damping and
            springs of the file.
        in_time: spins are held by three hinges, whose part in a spin changes with the posture.  The
            reference holds rates and accelerations at an instant, which are not those of a motion:
            Pinocchio holds them in time, in the same states, and passive joints are not compared.
    """

    what: str
    path: str
    platform: str
    arguments: dict[str, Any]
    efforts: float = 1e-8
    accelerations: float = 1e-8
    why: str = ""
    full: str = ""
    in_time: bool = False


FILES = {
    "reachy_mini": File(
        "neck of six rods on a turntable, with two antennas, MJCF: all nine motors move",
        *("reachy_mini/reachy_mini.xml", "xl_330", {}),
    ),
    "reachy_mini_all_full": File(
        "the same with armature and damping of the file, balls included",
        *("reachy_mini/reachy_mini.xml", "xl_330", {"drop": ("friction",)}),
        full="reachy_mini",
    ),
    "reachy_mini_urdf": File(
        "the same as URDF, with pairs of closing frames",
        *(
            "reachy_mini/robot_no_collision.urdf",
            "xl_330",
            {"motors": (*NECK[:1], *ROTATING, *NECK[1:])},
        ),
        accelerations=1e-6,
        why="rods, which light links turn with, stand turned otherwise about themselves",
        in_time=True,
    ),
    "reachy_mini_locked": File(
        "the neck alone, turntable and antennas locked",
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
POSITIONS = 1e-9


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
    found = reference(FILES[name].full or name)
    return held_in_time(found, FORMATS / FILES[name].path) if FILES[name].in_time else found


def held_in_time(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """A reference with efforts of spins that are held in time, by Pinocchio's tree."""
    need_engine("pinocchio")
    motors = data["structure"]["motors"]
    held = Held(path.read_text(encoding="utf-8"), motors)
    for state in data["states"]:
        said, q = state["idle_held"], held.coordinates(state["qpos"])
        motion = ([x[name] for name in motors] for x in (state["qvel"], said["qacc"]))
        tau = held.efforts(q, *held.motion(q, *map(np.array, motion)))
        said["motor_effort"] = dict(zip(motors, tau.tolist(), strict=True))
        said["qacc"] = {name: said["qacc"][name] for name in motors}
        state["qvel"] = {name: state["qvel"][name] for name in motors}
    return data


def spinning(robot: gough.Robot) -> list[str]:
    """Bodies that spin idly."""
    idle = core_of(robot.assembly).idle
    return [body for freedom in idle for body in (*freedom.bodies, *freedom.between)]


def kind(name: str) -> str:
    """Which dynamics of a reference are meant: idle spins held in the joints, if there are any."""
    if FILES[name].full:
        return "full"
    return "idle_held" if spinning(converted(name).robot) else "rigid"


@cache
def compared(name: str) -> Errors:
    """Errors over all states of a reference."""
    robot = converted(name).robot
    return checked(robot, said(name), FILES[name].platform, kind(name), spinning(robot))


def table() -> str:
    """File by file: states, which dynamics, and below what the largest errors are."""
    head = ["file", "states checked / in the reference", "dynamics", "positions", "efforts"]
    head.append("accelerations")
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name, file in FILES.items():
        found = compared(name)
        cells = [file.what, f"{found.states} / {len(said(name)['states'])}"]
        how = f"`{kind(name)}`" + (", in time" if file.in_time else "")
        cells += [how, *(_below(x, file) for x in (POSITIONS, file.efforts, file.accelerations))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _below(bound: float, file: File) -> str:
    text = f"below {bound:.0e}".replace("e-0", "e-")
    return f"{text}: {file.why}" if bound > 1e-8 else text
