"""``gough cache``: the folder that keeps compiled kernels."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.printing import print_facts, print_json
from gough.cli.words import AsJson


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove what is kept there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show where compiled kernels are kept for later processes, how many, and how large.

    The environment variable GOUGH_CACHE names another folder, or switches it off: GOUGH_CACHE=off.
    """
    from gough.base.cache import MOST, cache_place, entries, is_safe
    from gough.base.cache import clear as remove_all

    folder = cache_place()
    used = folder is not None and (not folder.exists() or is_safe(folder))
    removed = remove_all(folder) if clear and folder is not None else 0
    kept = [] if folder is None else entries(folder)
    size = sum(entry.size for entry in kept)
    if as_json:
        facts = {"folder": folder, "used": used, "kernels": len(kept), "bytes": size, "most": MOST}
        print_json({**facts, "removed": removed})
        return
    lines = [
        ("folder", "none" if folder is None else str(folder)),
        ("used", "yes" if used else "no"),
        ("kernels", str(len(kept))),
        ("size", f"{size / 2**20:.1f} MB of at most {MOST / 2**20:.0f} MB"),
    ]
    print_facts([*lines, *([("removed", str(removed))] if clear else [])])
