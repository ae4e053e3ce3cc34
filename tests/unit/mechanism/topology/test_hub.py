"""Hub and legs are found from the graph."""

from gough.mechanism.topology.hub import find_partition
from gough.report.sheet import chain
from machines import Drawing
from robots import robot


def _chains(name):
    r = robot(name)
    return [chain(r, leg) for leg in r.assembly.topology.legs]


def test_serial_legs():
    assert _chains("gough_stewart") == ["U P* S"] * 6
    assert _chains("space_3ups") == ["R* R P* S"] * 3
    assert _chains("tilt_3rps") == ["R P* S"] * 3


def test_branching_legs():
    assert _chains("delta") == ["R* [U S | U S]"] * 3


def test_legs_with_an_inner_loop():
    assert _chains("orthoglide") == ["P* R [R R R | R R~]"] * 3


def test_articulated_nacelle():
    hub = robot("quattro").assembly.topology.hub
    assert list(hub.bodies) == ["rod3", "half1", "half2", "rod4"]
    assert len(hub.links) == 3
    assert [c.joint.name for c in robot("quattro").assembly.topology.hub_closings] == ["n42"]


def test_the_platform_alone_is_the_hub_elsewhere():
    for name in ("five_bar", "c5", "orthoglide", "spherical_2dof", "delta"):
        assert list(robot(name).assembly.topology.hub.bodies) == [robot(name).platform]


def test_legs_without_bodies():
    partition = find_partition(robot("pendulum"))
    assert partition.legs[0][0] == ()
    assert partition.legs[0][1][0].name == "hinge"


def test_a_leg_pivoted_twice_on_the_base_gives_up_its_table():
    """Ties go to the body nearest the platform: the table, not one of its two cranks."""
    partition = find_partition(robot("grounded_parallelogram"))
    assert partition.hub == ("bar", "table")
    assert [leg[0] for leg in partition.legs] == [("crank",), ("twin",), ("prox", "dist")]


def test_welded_halves_are_one_hub():
    partition = find_partition(robot("split_hexapod"))
    assert partition.hub == ("platform", "half")
    assert [j.name for j in partition.hub_joints] == ["weld", "weld2"]


def test_a_hub_body_that_only_legs_reach_moves_freely():
    topology = robot("stranger_in_the_hub").assembly.topology
    assert list(topology.hub.bodies) == ["platform", "stranger"]
    assert [link.move for link in topology.hub.links] == ["slide", "slide", "slide", "ball"]
    assert not any(link.joint for link in topology.hub.links)


def test_what_hangs_loose_is_idle():
    """A body that swings on a leg without closing a loop."""
    d = Drawing(21)
    d.body("platform", (0.0, 0.0, 1.0)), d.body("link", (0.5, 0.0, 0.5))
    d.body("loose", (1.0, 0.0, 1.0))
    d.joint("a", "revolute", "base", "link", (0.5, 0.0, 0.0), (0.0, 1.0, 0.0))
    d.joint("b", "revolute", "link", "platform", (0.2, 0.0, 0.9), (0.0, 1.0, 0.0))
    d.joint("c", "revolute", "link", "loose", (0.8, 0.0, 0.9), (0.0, 1.0, 0.0))
    a = d.robot("odd", "platform", ["a", "b"], (0.0, 0.0, 1.0)).assembly
    assert a.mobility == 2
    assert [freedom.bodies for freedom in a.idle] == [("loose",)]


def test_machines_with_many_feet_give_up_every_other_bar():
    """A rail of bars, each with a foot of its own: too many sets to try them all."""
    d = Drawing(22)
    count = 12
    for i in range(count):
        d.body(f"bar{i}", (i, 0.0, 1.0)), d.body(f"foot{i}", (i, 0.0, 0.5))
        d.joint(f"f{i}", "revolute", "base", f"foot{i}", (i, 0.0, 0.0))
        d.joint(f"k{i}", "revolute", f"foot{i}", f"bar{i}", (i, 0.3 + 0.1 * (i % 3), 1.0))
        if i:
            d.joint(f"c{i}", "revolute", f"bar{i - 1}", f"bar{i}", (i - 0.5, 0.2, 1.0))
    r = d.robot("rail", "bar0", ["f0", "f1"], (0.0, 0.0, 1.0))
    partition = find_partition(r)
    assert set(partition.hub) == {f"bar{i}" for i in range(0, count, 2)}
    assert len(partition.legs) == count
    # planar: three freedoms a bar, two constraints a pin, one leg takes none
    assert r.mobility + len(r.assembly.idle) == 3 * 2 * count - 2 * (3 * count - 1)
