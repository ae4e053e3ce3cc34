"""What binds the motion of elements: rows over the motion basis that vanish.  [OZ] (37)

Each row vanishes along every motion of the robot, and so does its derivative.  A row is linear in
the rates {xdot, thetadot, ddot} and in the platform's twist; its derivative is the same row of
their rates, and a *bias* that the velocities alone make.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gough.base.spatial import E_X, E_Y, E_Z, Array, cross, total
from gough.dynamics.elements.accelerations import Accelerated, turn_of
from gough.dynamics.elements.decomposition import Key
from gough.dynamics.elements.partials import Partial, along, plus, scaled
from gough.dynamics.elements.variables import Variables
from gough.mechanism.closure.drags import Drag
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.topology.tree import Tree
from gough.robot import Coupling, Joint
from gough.robot.joint_kinds import BALL, KINDS, SLIDE
from gough.robot.names import joint_of

if TYPE_CHECKING:
    from gough.dynamics.elements.kinematics import ElementState


class Moving(NamedTuple):
    """A motion at the level of velocities, with no rate of the motion basis changing.

    Attributes:
        variables: rates of all elements; accelerations that velocities alone make.
        points: a point of every body and its acceleration.
    """

    variables: Variables
    points: dict[str, Accelerated]


class Constraint(NamedTuple):
    """A row that vanishes.

    Attributes:
        kind: "unit" (``x . xdot``), "turn" (a joint forbids it), "gap" (a loop stays closed),
            "screw" (an advance goes with a turn), "idle" (a frozen freedom), or "coupling".
        of: the element of a unit vector, the joint of others, the coupling itself.
        n: the direction in which it holds; none of a screw and of a coupling.
        row: over the motion basis and the platform's twist.
        bias: its derivative in a motion whose rates do not change.
    """

    kind: str
    of: str
    n: Array | None
    row: Partial
    bias: Callable[[Moving], Array]


def constraints(state: ElementState) -> list[Constraint]:
    """Everything that binds the motion basis and the platform's twist.

    Equations:
        [OZ] (37): positions of loops; ``x . xdot = 0``; and what each joint forbids of the relative
        rotation, which makes the spin the one that the joints impose, erratum OZ-4.
    """
    found = [_unit(state, key) for key in state.unknowns if key[0] == "x"]
    closing = {joint.name for joint in state.parts.closing}
    for joint in state.parts.robot.joints:
        found += _turns(state, joint)
        if joint.name in closing:
            found += _gaps(state, joint)
        if KINDS[joint.kind].is_screw:
            found.append(_screw(state, joint, closes=joint.name in closing))
    found += [_coupled(state, coupling, closing) for coupling in state.parts.robot.couplings]
    return [each for each in (*found, *_idle(state)) if each.row]


def _unit(state: ElementState, key: Key) -> Constraint:
    x = state.x[key[1]]

    def bias(at: Moving) -> Array:
        xd = at.variables.directions[key[1]].xd
        return xd @ xd

    return Constraint("unit", key[1], x, {key: x}, bias)


def _turns(state: ElementState, joint: Joint) -> list[Constraint]:
    """A joint forbids turns about some directions, which its bodies carry along."""
    A, B = state.at.frames(joint)
    turn = state.turning(joint)

    def universal(at: Moving) -> Array:
        a, b = A.R[:, 2], B.R[:, 2]
        rate = cross(cross(_w(state, at, joint.parent), a), b)
        rate = rate + cross(a, cross(_w(state, at, joint.child), b))
        return _turn_bias(state, joint, at, cross(a, b), rate)

    if KINDS[joint.kind].turns == 2:
        n = cross(A.R[:, 2], B.R[:, 2])
        return [Constraint("turn", joint.name, n, along(n, turn), universal)]
    return [
        Constraint("turn", joint.name, n, along(n, turn), _axis_bias(state, joint, n, joint.parent))
        for n in _forbidden_turns(joint, A)
    ]


def _w(state: ElementState, at: Moving, body: str) -> Array:
    return turn_of(state, at.variables, body).w


def _turn_bias(state: ElementState, joint: Joint, at: Moving, n: Array, rate: Array) -> Array:
    """Derivative of ``n . (omega_child - omega_parent)``, n changing at a rate."""
    child, parent = (turn_of(state, at.variables, b) for b in (joint.child, joint.parent))
    return n @ (child.wd - parent.wd) + rate @ (child.w - parent.w)


def _gaps(state: ElementState, joint: Joint) -> list[Constraint]:
    """A joint that closes a loop keeps the child's point where the parent's frame allows it.

    Where it may not move at all, any three directions will do: those of the base.
    """
    gap = state.gap(joint)

    return [
        Constraint("gap", joint.name, n, along(n, gap), _gap_bias(state, joint, n))
        for n in _forbidden_slides(state, joint)
    ]


def _screw(state: ElementState, joint: Joint, *, closes: bool) -> Constraint:
    """The advance of a screw goes with its turn."""
    ((key, s),) = state.slides(joint)
    advance: Partial = along(s, state.gap(joint)) if closes else {key: 1.0}
    row = plus(advance, scaled(along(s, state.turning(joint)), -joint.pitch))

    def bias(at: Moving) -> Array:
        turning = _turn_bias(state, joint, at, s, cross(_w(state, at, joint.parent), s))
        grown = s @ state.gap_acceleration(joint, at) if closes else 0.0
        return grown - turning * joint.pitch

    return Constraint("screw", joint.name, None, row, bias)


def _coupled(state: ElementState, coupling: Coupling, closing: Collection[str]) -> Constraint:
    """Turns and slides that go with each other."""
    row: Partial = {}
    biases: list[tuple[float, Callable[[Moving], Array]]] = []
    for name, coefficient in coupling.axes.items():
        joint = state.parts.robot.joint(joint_of(name))
        if state.assembly.axes[name].what == SLIDE:
            ((key, s),) = state.slides_of(name)
            if joint.name not in closing:  # a length of the basis, whose rate does not change
                row = plus(row, {key: coefficient})
                continue
            row = plus(row, scaled(along(s, state.gap(joint)), coefficient))
            biases.append((coefficient, _gap_bias(state, joint, s)))
            continue
        (a,), carrier = turn_axes(state, joint, name)
        row = plus(row, scaled(along(a, state.turning(joint)), coefficient))
        biases.append((coefficient, _axis_bias(state, joint, a, carrier)))

    def bias(at: Moving) -> Array:
        return total(each(at) * coefficient for coefficient, each in biases)

    return Constraint("coupling", coupling.name, None, row, bias)


def _gap_bias(state: ElementState, joint: Joint, n: Array) -> Callable[[Moving], Array]:
    return lambda at: n @ state.gap_acceleration(joint, at)


def _axis_bias(
    state: ElementState, joint: Joint, n: Array, carrier: str
) -> Callable[[Moving], Array]:
    """Of a turn about a direction that a body carries along."""
    return lambda at: _turn_bias(state, joint, at, n, cross(_w(state, at, carrier), n))


def turn_axes(state: ElementState, joint: Joint, name: str) -> tuple[list[Array], str]:
    """Directions about which an axis turns, and the body that carries them."""
    A, B = state.at.frames(joint)
    if state.assembly.axes[name].what == BALL:
        return [A.R[:, i] for i in range(3)], joint.parent
    (move,) = [*KINDS[joint.kind].groups.values()][joint.axis_names.index(name)]
    if move.on == "B":  # the second axis of a universal joint
        return [B.R[:, move.axis]], joint.child
    return [A.R[:, move.axis]], joint.parent


def _idle(state: ElementState) -> list[Constraint]:
    """What freezes idle freedoms: bars do not spin, and what hangs loose keeps still."""
    found: list[Constraint] = []
    for tree, poses, lock in state.at.held:
        if lock.axis is not None:
            found.append(_spin(state, tree, poses, lock))
            continue
        i = tree.link_of(lock.column)
        joint = state.parts.robot.joint(tree.links[i].joint)
        if tree.links[i].move == SLIDE:
            key = state.slides_of(joint.axis_names[tree.links[i].axis])[tree.place_in_axis(i)][0]
            found.append(Constraint("idle", joint.name, None, {key: 1.0}, lambda _: 0.0))
            continue
        ball = tree.links[i].move == BALL
        n = poses[i].R[:, lock.column - tree.columns[i].start if ball else 2]
        # the axis moves with the body on its link; before the last link of a joint there is none
        on_link = [name for name, mount in tree.bodies.items() if mount.link == i]
        first = joint.child if tree.links[i].transposed else joint.parent
        carrier = on_link[0] if on_link else first

        def turn(at: Moving, joint: Joint = joint, n: Array = n, body: str = carrier) -> Array:
            return _turn_bias(state, joint, at, n, cross(_w(state, at, body), n))

        found.append(Constraint("idle", joint.name, n, along(n, state.turning(joint)), turn))
    return found


def _spin(state: ElementState, tree: Tree, poses: list[Pose], lock: Lock) -> Constraint:
    """A body that does not spin about its axis, in space or where joints drag it along."""
    if not lock.beside:
        x, body = poses[lock.link].R @ lock.axis, tree.body_on(lock.link)
        row = along(x, state.omega(body, given=True))
        # x turns with the body
        return Constraint(
            "idle", body, x, row, lambda at: x @ turn_of(state, at.variables, body).wd
        )
    drag = Drag(state.at, state.at.topology.trees.index(tree) - 1, lock)
    row = along(drag.own, state.omega(drag.body, given=True))
    for pull in drag.pulls:
        row = plus(row, along(-pull.y, state.omega(pull.body, given=True)))

    def bias(at: Moving) -> Array:
        def turning(body: str) -> tuple[Array, Array]:
            turn = turn_of(state, at.variables, body)
            return turn.w, turn.wd

        return -drag.bias(turning)

    return Constraint("idle", drag.body, drag.own, row, bias)


def _forbidden_turns(joint: Joint, A: Pose) -> Sequence[Array]:
    """Directions, fixed in the parent, about which a joint's bodies do not turn."""
    if KINDS[joint.kind].turns == 1:
        return [A.R[:, 0], A.R[:, 1]]
    return []  # balls turn as they like; what slides only is one element


def _forbidden_slides(state: ElementState, joint: Joint) -> Sequence[Array]:
    """Directions in which the child's joint point does not move against the parent."""
    travel = KINDS[joint.kind].travel
    if not travel:
        return [E_X, E_Y, E_Z]
    A = state.at.frames(joint)[0].R
    return [A[:, k] for k in range(3) if k not in travel]
