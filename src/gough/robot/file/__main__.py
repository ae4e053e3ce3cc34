"""Writes the published JSON Schema anew: ``python -m gough.robot.file``."""

from gough.robot.file.schema import PUBLISHED, published_text

PUBLISHED.write_text(published_text(), encoding="utf-8", newline="\n")
