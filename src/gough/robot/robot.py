"""The robot: bodies and joints, its platform, its motors, and one assembled posture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import nearest
from gough.base.english import counted
from gough.base.once import once_property
from gough.errors import DescriptionError, shown
from gough.robot.body import Body
from gough.robot.coupling import Coupling
from gough.robot.elastic import check_elastic
from gough.robot.frame import Frame
from gough.robot.home import Home
from gough.robot.joint import LOCKED, Axis, Joint
from gough.robot.joint_kinds import KINDS, SLIDE, TURN
from gough.robot.locking import check_not_driven, held_axes, settled
from gough.robot.names import check_distinct, check_label, check_name, joint_of
from gough.robot.numbers import Vector, check_number, check_switch, check_vector
from gough.robot.parts import check_part, check_parts, settle
from gough.robot.recipe import Recipe, remember, thawed
from gough.robot.shape import DRAWN, Shape

if TYPE_CHECKING:
    from gough.mechanism.mobility.assembly import Assembly

COARSEST = 1e-3
"""Of a precision: figures that are coarser say nothing about which axes meet."""

LARGEST = 400
"""Most bodies or joints of one robot."""


@dataclass(frozen=True, repr=False)
class Robot:
    """A parallel robot, described once: data, checked and frozen.

    Args:
        name: identifier.
        bodies: moving bodies; the base is not among them.
        joints: joints between bodies or with the base, loops allowed, nothing cut.
        platform: name of the body that does the work.
        platform_frame: frame on it whose pose is ``T_0p``.
        motors: actuated axes by name, in the order of the efforts.
        home: one assembled posture on the branch that is meant.
        gravity: acceleration of free fall in base axes [m/s^2].
        base: name of the fixed body in ``joints``.
        label: free text; ``source``: where the figures come from.
        redundant: more motors than freedoms are meant; the efforts of a motion are then not
            unique: the smallest are the answer, unless ``gough.EffortSharing`` asks for others.
        locked: joints that are held at home, as by a brake, although the platform may feel them;
            of joints without a value in ``home.joints`` the machine is assembled to find it.
        couplings: linear relations between joint coordinates: gears, belts, differentials.
        precision: how exact the figures of joints are, as a share of the machine's size and in rad;
            0 if they are exact.  Loops that close within it are closed exactly, by frames of joints
            that are moved less than that; see :attr:`findings`.
        base_shapes: what the base looks like, for pictures alone.
    """

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    platform: str
    platform_frame: Frame = field(default_factory=Frame)
    motors: tuple[str, ...] = ()
    home: Home = field(default_factory=Home)
    gravity: Vector = (0.0, 0.0, -9.81)
    base: str = "base"
    label: str = ""
    source: str = ""
    redundant: bool = False
    locked: tuple[str, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    precision: float = 0.0
    base_shapes: tuple[Shape, ...] = field(default=(), metadata=DRAWN)

    def __post_init__(self) -> None:
        names = (("motors", str), ("locked", str))
        parts = (("bodies", Body), ("joints", Joint), ("couplings", Coupling))
        for name, kind in (*parts, ("base_shapes", Shape), *names):
            settle(self, **{name: check_parts(getattr(self, name), kind, name)})
        check_part(self.platform_frame, Frame, "platform.frame")
        check_part(self.home, Home, "home")
        settle(self, gravity=check_vector(self.gravity, "gravity"))
        check_name(self.name, "name")
        check_name(self.base, "base")
        check_label(self.label, "label")
        check_label(self.source, "source")
        settle(self, redundant=check_switch(self.redundant, "redundant"))
        for what, items in (("bodies", self.bodies), ("joints", self.joints)):
            if not 1 <= len(items) <= LARGEST:
                raise DescriptionError(
                    f"there are {len(items)}, expected 1 to {LARGEST}", path=what
                )
        check_distinct([self.base, *(b.name for b in self.bodies)], "bodies")
        check_distinct((j.name for j in self.joints), "joints")
        self._check_graph()
        self._hold_locked()
        self._check_motors()
        self._check_home()
        self._check_couplings()
        self._check_precision()
        check_elastic(self.bodies, self.joints, self.platform, self.platform_frame)

    def _check_graph(self) -> None:
        known = [self.base, *(b.name for b in self.bodies)]
        for joint in self.joints:
            for end in ("parent", "child"):
                _check_known(getattr(joint, end), known, f"joints.{joint.name}.{end}", "body")
        _check_known(self.platform, known[1:], "platform", "body")
        reached, frontier = {self.base}, [self.base]
        while frontier:
            here = frontier.pop()
            for joint in self.joints:
                for a, b in ((joint.parent, joint.child), (joint.child, joint.parent)):
                    if a == here and b not in reached:
                        reached.add(b)
                        frontier.append(b)
        loose = [b.name for b in self.bodies if b.name not in reached]
        if loose:
            raise DescriptionError(
                f"no chain of joints leads from the base {self.base!r} to {', '.join(loose[:5])}",
                path="joints",
                hint="Join every body, directly or through others, to the base.",
            )

    def _hold_locked(self) -> None:
        """Makes joints that are locked fixed, where home has them; releases the others."""
        check_not_driven(self.motors, self.locked)
        if not self.locked and not any(joint.held for joint in self.joints):
            return

        def at_home(joints: Iterable[Joint]) -> Mapping[str, float]:
            names = tuple(joint.name for joint in joints if joint.held)
            free = replace(self, joints=tuple(joints), locked=names)
            return free.assembly.home_values

        joints, values = settled(self.joints, self.locked, self.home.joints, at_home)
        settle(self, joints=joints, home=Home(self.home.bodies, values))

    def _check_motors(self) -> None:
        drivable = self.drivable_axes
        check_distinct(self.motors, "motors")
        for i, name in enumerate(self.motors):
            if name in self._axes and name not in drivable:
                raise DescriptionError(
                    f"the axis {name!r} cannot carry a motor",
                    path=f"motors[{i}]",
                    hint=nearest(name, drivable),
                )
            hint = self._axis_hint(name)
            if name not in drivable and hint:
                raise DescriptionError(
                    f"unknown axis {shown(name)}", path=f"motors[{i}]", hint=hint
                )
            _check_known(name, drivable, f"motors[{i}]", "axis")
            if self.joint(joint_of(name)).idle == LOCKED:
                raise DescriptionError(
                    f"{name!r} belongs to a joint that says 'idle: locked'",
                    path=f"motors[{i}]",
                    hint="A motor moves its joint, or a brake holds it: take one of them away.",
                )

    @property
    def drivable_axes(self) -> tuple[str, ...]:
        """Axes that may carry a motor, by name: turns and slides of joints that are not passive."""
        return tuple(
            name
            for joint in self.joints
            for name, what in joint.axis_kinds.items()
            if what in (TURN, SLIDE) and not KINDS[joint.kind].passive
        )

    def _axis_hint(self, name: str) -> str:
        """What was probably meant by a name that is no axis."""
        if name in {b.name for b in self.bodies}:
            joined = [j.name for j in self.joints if name in (j.parent, j.child)]
            return f"{name!r} is a body; its joints are {', '.join(joined)}."
        for joint in self.joints:
            if joint_of(name) == joint.name and joint.axis_names:
                return f"The axes of joint {joint.name!r} are called {', '.join(joint.axis_names)}."
        return ""

    def _check_home(self) -> None:
        for name in self.home.bodies:
            _check_known(name, [b.name for b in self.bodies], f"home.bodies.{name}", "body")
        settable = [name for name, (_, what) in self._axes.items() if what in (TURN, SLIDE)]
        settable += held_axes(self.joints)
        for name in self.home.joints:
            _check_known(name, settable, f"home.joints.{name}", "axis")

    def _check_couplings(self) -> None:
        check_distinct((coupling.name for coupling in self.couplings), "couplings")
        coupled = [name for name, (_, what) in self._axes.items() if what in (TURN, SLIDE)]
        for coupling in self.couplings:
            for name in coupling.axes:
                path = f"couplings.{coupling.name}.axes.{name}"
                if name in held_axes(self.joints):
                    raise DescriptionError(
                        f"{name!r} belongs to a joint that is locked",
                        path=path,
                        hint="Lock another joint of the relation, or take the coupling away.",
                    )
                _check_known(name, coupled, path, "axis")
                if self.joint(joint_of(name)).idle == LOCKED:
                    raise DescriptionError(
                        f"{name!r} belongs to a joint that says 'idle: locked'",
                        path=path,
                        hint="A coupling moves its joint, or a brake holds it: take one away.",
                    )

    def _check_precision(self) -> None:
        precision = check_number(self.precision, "precision", nonnegative=True)
        if precision > COARSEST:
            raise DescriptionError(
                f"is {precision:g}, expected at most {COARSEST:g}",
                path="precision",
                hint="It is a share of the machine's size: 1e-5 for figures of six digits.",
            )
        settle(self, precision=precision)

    def __repr__(self) -> str:
        bodies = counted(len(self.bodies), "body", "bodies")
        return f"<Robot {self.name!r}: {bodies}, {counted(len(self.joints), 'joint')}>"

    # A pickle holds the description alone; what was found in it is found again where it is loaded.

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.recipe, *(getattr(self, each.name) for each in fields(self)))

    def __copy__(self) -> Robot:
        return self  # frozen, with all its parts

    def __deepcopy__(self, memo: Any) -> Robot:
        return self

    @cached_property
    def _axes(self) -> dict[str, tuple[Axis, str]]:
        return {
            name: (axis, what)
            for joint in self.joints
            for name, axis, what in zip(
                joint.axis_names, joint.axes, joint.axis_kinds.values(), strict=True
            )
        }

    def body(self, name: str) -> Body:
        """A body by name."""
        _check_known(name, [b.name for b in self.bodies], "body", "body")
        return next(b for b in self.bodies if b.name == name)

    def joint(self, name: str) -> Joint:
        """A joint by name."""
        _check_known(name, [j.name for j in self.joints], "joint", "joint")
        return next(j for j in self.joints if j.name == name)

    def axis(self, name: str) -> Axis:
        """Friction, rotor, transmission, limits and spring of an axis by name."""
        _check_known(name, list(self._axes), "axis", "axis")
        return self._axes[name][0]

    @property
    def recipe(self) -> Recipe | None:
        """How the robot was made, if that is known."""
        found: Recipe | None = vars(self).get("_recipe")
        return found

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters by name, as a copy: those of its maker, or the named numbers of its file.

        :func:`gough.vary` makes a robot with others.  Empty where it is not known how the robot
        was made.
        """
        recipe = self.recipe
        return {} if recipe is None else {n: thawed(v) for n, v in recipe.parameters.items()}

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Every axis of every joint, in the order of the description."""
        return tuple(self._axes)

    # Properties that are found by assembling the robot.  This is the one place where a room imports
    # rooms below it: users expect ``robot.mobility``; nothing in this room depends on it.

    @once_property
    def assembly(self) -> Assembly:
        """Hub, legs, closed home and mobility; worked out on first use."""
        from gough.mechanism.mobility.twins import assembly_of

        return assembly_of(self)

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """What a user should know before using the robot, in sentences; ``gough.load`` warns."""
        from gough.dynamics.legs.inertia import inertia_remark

        remark = inertia_remark(self.assembly)
        return (*self.assembly.findings, *([remark] if remark else []))

    @property
    def home_pose(self) -> np.ndarray:
        """Platform pose at home, 4x4, loops closed."""
        return np.array(self.assembly.T_home)

    @property
    def length(self) -> float:
        """Characteristic length [m]: largest distance of a joint from the middle of all joints."""
        return float(self.assembly.length)

    @property
    def mobility(self) -> int:
        """Degrees of freedom of the platform."""
        return self.assembly.mobility

    @property
    def freedoms(self) -> tuple[str, ...]:
        """Names of the independent coordinates among x y z rx ry rz, as in ``gough.state``."""
        return self.assembly.freedoms

    @cached_property
    def serial_axes(self) -> tuple[str, ...]:
        """Motors below and above the loops, whose positions the platform's pose does not tell.

        A :class:`gough.State` says how they move, as internal coordinates by these names.
        """
        from gough.mechanism.serial import serial_parts

        parts = serial_parts(self.assembly)
        return () if parts is None else parts.axes

    def _repr_html_(self) -> str:
        """Facts, and a page in which the robot moves, for notebooks."""
        from gough.report.notebook import robot_page

        return robot_page(self)

    def rehomed(self, near: Any) -> Robot:
        """The same machine with another home, which sets its working mode; kernels included.

        Zeros of encoders stay: a motor's position at the new home is what this robot reports for
        that posture, whole turns included, and its turns are counted from there.

        Args:
            near: the posture: a mode of :func:`gough.forward_kinematics`, an assembled state (the
                ``branch`` of a mode, a track or an error), a :class:`gough.Posture`, a
                :class:`gough.Home` of rough figures, or a pose ``(4, 4)``, to which the machine is
                walked on its branch; of a pose outside the mobility the freedoms count.  Or
                positions of the motors, to which they are moved straight from home on its branch:
                ``"mid"``, all at the middle of their strokes; by name, ``{"p1": 0.8}``, the others
                staying; a list of all, if there are more than three.

        Raises:
            UnreachablePose: the machine cannot be walked to the pose, or its motors be moved to
                the positions.
            NotAssembled: the loops do not close.
            InputError: it is none of these, or a posture of another robot.
        """
        from gough.geometry.rehoming import rehomed

        return rehomed(self, near)

    def with_locked(self, *joints: str) -> Robot:
        """The same machine with more joints held where home has them, as by brakes.

        The machine loses their freedoms; in answers they are fixed joints of the same names, and
        their reactions are what holds them.

        Args:
            *joints: names; they must not be driven.
        """
        return replace(self, locked=(*self.locked, *joints))

    def with_released(self, *joints: str) -> Robot:
        """The same machine with some locked joints free again, or all if none is named."""
        for name in joints:
            _check_known(name, self.locked, "locked", "locked joint")
        return replace(self, locked=tuple(n for n in self.locked if joints and n not in joints))


@lru_cache(maxsize=16)
def _kept(robot: Robot, recipe: Recipe | None) -> Robot:
    """The robot, or an equal one, made in the same way, that was kept before."""
    return robot if recipe is None else remember(robot, recipe)


def _restored(recipe: Recipe | None, *figures: Any) -> Robot:
    """The robot of a pickle.

    The last few are kept: a process that is handed the same robot with every task assembles it and
    compiles its kernels once.
    """
    return _kept(Robot(*figures), recipe)


def _check_known(name: Any, known: Iterable[str], path: str, what: str) -> None:
    if name not in known:
        raise DescriptionError(
            f"unknown {what} {shown(name)}", path=path, hint=nearest(name, known)
        )
