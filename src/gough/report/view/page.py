"""``gough.view``: one HTML file in which a robot moves, and is computed."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from gough.base.arguments import switch
from gough.base.english import visible_words
from gough.base.tables.whole import file_name, write_whole
from gough.errors import InputError, shown, visible
from gough.mechanism.mobility.assembly import assembled
from gough.report.view.content import content
from gough.report.view.playing import robot_of
from gough.robot import Robot

_FOLDER = Path(__file__).parent
SCRIPTS = (
    *("algebra.js", "machine.js", "painter.js", "scene.js"),
    *("panel.js", "player.js", "main.js"),
)
"""In this order they are one script."""


class Page(str):
    """The text of a page; a notebook shows it, :meth:`save` writes it into a file."""

    __slots__ = ()

    def save(self, path: Any) -> Path:
        """Write the page, whole or not at all; its path."""
        file = Path(file_name(path))
        write_whole(file, self.encode("utf-8", errors="replace"))
        return file

    def _repr_html_(self) -> str:
        """The page inside a notebook: kept apart, without access to what is around it."""
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{escape(self)}" title="gough" '
            f'style="width:100%;height:36rem;border:0"></iframe>'
        )


def view(
    robot: Any,
    motion: Any = None,
    path: Any = None,
    *,
    modes: bool = True,
    workspace: Any = None,
    loads: Any = None,
) -> Path | Page:
    """A page that shows a robot and computes it: drag its platform, move sliders, read efforts.

    One file, without a server and without anything from elsewhere.  It computes with the same
    programs as :func:`gough.compile`, as WebAssembly: efforts at rest, with a payload and with or
    without gravity, or along a motion; limits, reach and nearness to singularities in words.

    Args:
        robot: the machine; a motion or a simulation of one is enough, too.
        motion: a motion (:mod:`gough.motion`) or what :func:`gough.simulate` gave, to be played.
        path: of the file, ``"page.html"``.
        modes: whether other assembly modes of home's motor positions are looked for.
        workspace: a slice over two of x, y and z from :func:`gough.workspace`, whose borders and
            singular curves are drawn.
        loads: that act on the machine: :class:`gough.Loads`, or :class:`gough.LoadSchedule`, which
            follows the time of the motion; those of a simulation, if there is one.

    Returns:
        The path of the file; the page itself if no path is given, which a notebook shows.

    Raises:
        InputError: an argument makes no sense.
        FileError: the file cannot be written.
    """
    if motion is None and robot_of(robot) is not None:
        robot, motion = robot_of(robot), robot
    if not isinstance(robot, Robot):
        raise InputError(
            f"robot is {shown(robot)}, expected a gough.Robot, a motion or a simulation",
            argument="robot",
        )
    found = content(assembled(robot), motion, workspace, loads, modes=switch(modes, "modes"))
    made = Page(page(robot.label or robot.name, found))
    return made if path is None else made.save(path)


def page(title: str, found: dict[str, Any]) -> str:
    """The text of a page; words of users stay words."""
    style, frame, script = _parts()
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src '{_hash(script)}' 'wasm-unsafe-eval'; style-src '{_hash(style)}'"
    )
    parts = {
        "title": escape(visible(title)),
        "policy": policy,
        "style": style,
        "content": _as_json(found),
        "script": script,
    }
    # in one pass: what a part brings along is not looked at again, whatever it is called
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], frame)


@cache
def _parts() -> tuple[str, str, str]:
    """Style, frame and script, as they lie in the package."""
    style, frame = ((_FOLDER / name).read_text("utf-8") for name in ("view.css", "view.html"))
    script = "\n".join((_FOLDER / name).read_text("utf-8") for name in SCRIPTS)
    return style, frame, script


def _hash(text: str) -> str:
    """How a content-security policy names a text that may run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _as_json(found: dict[str, Any]) -> str:
    """Data that no text of a user can break out of: brackets and ampersands are escaped."""
    text = json.dumps(visible_words(found), allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
