"""Files that include others: only those inside the folder of the first one."""

from __future__ import annotations

from pathlib import Path

from gough.robot.formats.xml import DEEPEST, MOST, Node, read_xml

_MOST_FILES = 100


def with_includes(root: Node, folder: Path) -> Node:
    """The tree with every ``<include file="...">`` replaced by what the file holds."""
    _replace(root, folder.resolve(), [str(Path(root.file).resolve())], [0])
    if sum(1 for _ in root.within()) > MOST:
        root.refuse(f"holds more than {MOST} elements with all its includes")
    return root


def _replace(node: Node, folder: Path, chain: list[str], count: list[int]) -> None:
    children: list[Node] = []
    for child in node.children:
        if child.tag != "include":
            _replace(child, folder, chain, count)
            children.append(child)
            continue
        name = child.need("file")
        target = (folder / name).resolve()
        if not target.is_relative_to(folder) or Path(name).is_absolute():
            child.refuse(
                f"includes {name!r}, outside the folder of the file",
                hint="Files may include what lies beside or below them: copy it there.",
            )
        count[0] += 1
        if str(target) in chain or count[0] > _MOST_FILES or len(chain) > DEEPEST:
            child.refuse(f"includes {name!r} again and again")
        if not target.is_file():
            child.refuse(f"includes {name!r}, which is not there", hint=f"Put it into {folder}.")
        inner = read_xml(target)
        _replace(inner, folder, [*chain, str(target)], count)
        children += inner.children
    node.children = children
