"""Writes the published JSON Schemas anew: ``python -m gough.robot.file``."""

from gough.robot.file.published import PUBLISHED, published_text

for version, file in PUBLISHED.items():
    file.write_text(published_text(version), encoding="utf-8", newline="\n")
