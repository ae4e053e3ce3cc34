"""The smallest separating set: exact on small machines, cheap on large ones."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from gough.mechanism.topology import separation
from gough.mechanism.topology.separation import groups, smallest_cut


def _graph(seed: int) -> tuple[dict[str, list[str]], dict[str, int], dict[str, int]]:
    """A random graph of up to eight bodies, with feet and distances from a platform."""
    rng = np.random.default_rng(seed)
    names = [f"b{i}" for i in range(rng.integers(2, 9))]
    links: dict[str, list[str]] = {name: [] for name in names}
    for a, b in combinations(names, 2):
        if rng.random() < rng.choice([0.2, 0.35, 0.5]):
            links[a].append(b), links[b].append(a)
    feet = {name: int(rng.choice([0, 0, 1, 1, 2], p=[0.3, 0.3, 0.2, 0.17, 0.03])) for name in names}
    return links, feet, {name: int(rng.integers(1, 4)) for name in names}


def _by_trying(links, feet, distances):
    """The definition: every set, the smallest first, ties by distance and then by order."""
    candidates = sorted(links, key=lambda b: (distances[b], list(links).index(b)))
    for size in range(len(links) + 1):
        fitting = [
            cut
            for cut in combinations(candidates, size)
            if all(sum(feet[b] for b in group) <= 1 for group in groups(links, cut))
        ]
        if fitting:
            return set(min(fitting, key=lambda cut: sum(distances[b] for b in cut)))
    raise AssertionError("without bodies nothing is left to separate")


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_it_is_the_set_of_the_definition(first):
    for seed in range(first, first + 100):
        graph = _graph(seed)
        assert smallest_cut(*graph) == _by_trying(*graph), seed


def test_without_trying_sets_it_still_separates_and_nothing_is_superfluous(monkeypatch):
    """What large machines get: compared with the smallest, on graphs where that is known."""
    monkeypatch.setattr(separation, "MOST_TRIES", 0)
    more = 0
    for seed in range(300):
        links, feet, _ = graph = _graph(seed)
        cut = smallest_cut(*graph)
        for given in (cut, *(cut - {body} for body in cut)):
            separated = all(sum(feet[b] for b in g) <= 1 for g in groups(links, given))
            assert separated is (given == cut)
        more += len(cut) - len(_by_trying(*graph))
    assert more <= 30  # fewer than one graph in ten gets a body more than need be


def _chain(count: int) -> tuple[dict[str, list[str]], dict[str, int], dict[str, int]]:
    """A row of bodies with a foot each, the platform before the first."""
    names = [f"b{i:03}" for i in range(count)]
    links: dict[str, list[str]] = {name: [] for name in names}
    for a, b in pairwise(names):
        links[a].append(b), links[b].append(a)
    return links, dict.fromkeys(names, 1), {name: i + 1 for i, name in enumerate(names)}


def test_the_work_grows_with_the_machine_not_with_its_subsets(monkeypatch):
    """Looks at the graph, counted: at most the tries allowed plus one a foot and body."""
    looks = []
    search, look = separation._reached, separation.groups
    monkeypatch.setattr(separation, "_reached", lambda *a: looks.append(1) or search(*a))
    monkeypatch.setattr(separation, "groups", lambda *a: looks.append(1) or look(*a))
    for count in (20, 40, 80):
        looks.clear()
        assert len(smallest_cut(*_chain(count))) == count // 2
        assert len(looks) <= separation.MOST_TRIES + 5 * count
