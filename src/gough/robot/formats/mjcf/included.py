"""Files that include others: only those inside the folder of the first one."""

from __future__ import annotations

from pathlib import Path

from gough.robot.formats.xml import DEEPEST, Budget, Node, included_path, read_xml

_MOST_FILES = 100


def with_includes(root: Node, folder: Path, budget: Budget) -> Node:
    """The tree with every ``<include file="...">`` replaced by what the file holds.

    Args:
        root: of the first file.
        folder: of the first file: what it includes lies there or below.
        budget: elements that all files may have together.
    """
    _replace(root, folder.resolve(), [Path(root.file).resolve()], [0], budget, 0)
    return root


def _replace(
    node: Node, folder: Path, chain: list[Path], count: list[int], budget: Budget, depth: int
) -> None:
    if depth > DEEPEST:
        node.refuse(f"stands more than {DEEPEST} elements deep, with all that includes it")
    children: list[Node] = []
    for child in node.children:
        if child.tag != "include":
            _replace(child, folder, chain, count, budget, depth + 1)
            children.append(child)
            continue
        target = included_path(child.need("file"), folder, child)
        count[0] += 1
        if target in chain or count[0] > _MOST_FILES:
            child.refuse(f"includes {target.name!r} again and again")
        inner = read_xml(target, budget)
        _replace(inner, folder, [*chain, target], count, budget, depth)
        children += inner.children
    node.children = children
