"""Pages and figures of results: an identification and a calibration are shown in the same ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gough.report.gallery import Shown
from gough.report.writing import (
    check_result,
    draw_shown,
    rendered,
    save_shown,
    usual_facts,
    write_page,
)
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Results:
    """How results of one kind are shown.

    Args:
        kind: their type.
        name: what one is called, also its template: ``calibration``.
        some: the same with its article.
        door: the function that gives one.
        words: sentences about one: ``verdict``, ``explained``, ``summary``, ``tiles``,
            ``attention``.
        robot: of one.
        gallery: figures of one.
        facts: figures of its page, and what its template needs besides.
    """

    kind: type
    name: str
    some: str
    door: str
    words: ModuleType
    robot: Callable[[Any], Robot]
    gallery: Callable[[Any], Iterable[Shown]]
    facts: Callable[[Any], tuple[Iterable[Shown], dict[str, Any]]]

    def write(self, result: Any, path: Any, title: str, command: str) -> Path:
        """Write the page of a result; its path."""
        check_result(result, self.kind, self.name, self.door)
        robot, words = self.robot(result), self.words
        heading = str(title).strip() or f"{self.name.capitalize()} of {robot.label or robot.name}"
        found, more = self.facts(result)
        facts = {
            **usual_facts(robot, found, title=heading, command=command),
            "verdict": words.verdict(result),
            "good": words.explained(result),
            "summary": words.summary(result),
            "tiles": words.tiles(result),
            "attention": words.attention(result),
            **more,
        }
        return write_page(path, rendered(f"{self.name}.html", facts))

    def save(self, result: Any, folder: Any, format: str) -> list[Path]:
        """Write the figures of a result's page into a folder; their paths."""
        check_result(result, self.kind, self.name, self.door)
        return save_shown(self.gallery(result), folder, format)

    def draw(self, result: Any, what: str) -> Figure:
        """One figure of a result, by its key."""
        return draw_shown(self.gallery(result), what, self.some, self.robot(result).name)
