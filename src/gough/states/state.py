"""``gough.State``: where a machine is and how it moves, one state or a million."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np

from gough.base.arguments import check_known, number, one_of, whole
from gough.base.batch import as_array
from gough.base.english import figures, quoted
from gough.base.spatial import rotation_log
from gough.errors import InputError, shown
from gough.robot import Robot
from gough.states.axes import rate_to_base, rate_to_platform, twist_to_base, twist_to_platform

Axes = Literal["base", "platform"]

PLATFORM = ("T_0p", "V_0p", "Vdot_0p", "Vddot_0p")
"""Parts of a state that say how the platform moves, and so what arrays are called."""
INTERNAL = ("internal", "internal_rate", "internal_acceleration")
"""Parts that say how coordinates move which the platform's pose does not tell, by name."""

_array, _DOUBLE, _POSE, _TWIST = np.ndarray, np.dtype(np.float64), (4, 4), (6,)
_REST = np.zeros(6)
_REST.flags.writeable = False
_NONE: Mapping[str, np.ndarray] = MappingProxyType({})
_TO_BATCH = "x[None] makes one state a batch, which gough.State.concatenate joins to others."


class _More(NamedTuple):
    """What most states do not have: the next rate, internal coordinates, other axes, many."""

    Vddot: np.ndarray | None
    internal: tuple[Mapping[str, np.ndarray], ...]
    frame: Axes
    shape: tuple[int, ...]


_USUAL = _More(None, (_NONE, _NONE, _NONE), "base", ())


class State:
    """Where a machine is and how it moves: one state, or many along leading axes.

    It is a value of numbers alone, without a robot, and does not change.  Shapes are checked when
    it is made, once; the arrays are kept as they are, not copied, and are read through read-only
    views.  All functions of states take one, and take a bare pose ``(..., 4, 4)`` for a state at
    rest.

    Args:
        T_0p: pose of the platform in the base ``(..., 4, 4)``.
        V_0p: its twist ``[v; omega]`` at the platform's origin ``(..., 6)`` [m/s, rad/s]; zero if
            not given.
        Vdot_0p: the plain time derivative of ``V_0p`` ``(..., 6)`` [m/s^2, rad/s^2]; zero if not
            given, but for :func:`gough.posture`, which then lets the freedoms not accelerate.
        Vddot_0p: the plain time derivative of ``Vdot_0p`` ``(..., 6)`` [m/s^3, rad/s^3], for
            functions that tell jerks.
        internal: positions of coordinates that the pose does not tell, such as
            ``robot.serial_axes``, by name ``{name: (...,)}`` [rad or m]; those that are not named
            are where home has them.
        internal_rate: their rates, likewise [rad/s or m/s]; zero if not given.
        internal_acceleration: their accelerations [rad/s^2 or m/s^2]; zero if not given.
        frame: axes of the components of ``V_0p``, ``Vdot_0p`` and ``Vddot_0p``, ``"base"`` or
            ``"platform"``.  A rate is the plain derivative of the components in these axes.
            Functions answer in the axes of the state, but for quantities in the robot's own
            freedoms where these are fewer than six: freedoms have base axes.
            :func:`gough.cartesian_dynamics` and :func:`gough.bias_wrench` answer in them;
            :func:`gough.inverse_jacobian`, :func:`gough.inertia_matrix` and
            :func:`gough.gravity_wrench` refuse platform axes, which would change nothing.

    Raises:
        InputError: shapes that do not fit, or what is no array of numbers; names the part.
    """

    _plain: tuple[np.ndarray, np.ndarray, np.ndarray] | None
    """Pose, twist and twist rate of one state in doubles and base axes; ``None`` of all others."""

    __slots__ = ("_T", "_V", "_Vdot", "_more", "_plain")

    def __init__(
        self,
        T_0p: Any,
        V_0p: Any = None,
        Vdot_0p: Any = None,
        Vddot_0p: Any = None,
        *,
        internal: Mapping[str, Any] | None = None,
        internal_rate: Mapping[str, Any] | None = None,
        internal_acceleration: Mapping[str, Any] | None = None,
        frame: Axes = "base",
    ) -> None:
        # the usual case, one state in arrays of doubles: nothing is left to convert or to compare
        if (
            type(T_0p) is _array
            and T_0p.shape == _POSE
            and T_0p.dtype is _DOUBLE
            and (V_0p is None or (type(V_0p) is _array and V_0p.shape == _TWIST))
            and (V_0p is None or V_0p.dtype is _DOUBLE)
            and (Vdot_0p is None or (type(Vdot_0p) is _array and Vdot_0p.shape == _TWIST))
            and (Vdot_0p is None or Vdot_0p.dtype is _DOUBLE)
            and Vddot_0p is internal is internal_rate is internal_acceleration is None
            and frame is _USUAL.frame  # another "base" is read below
        ):
            self._T, self._V, self._Vdot, self._more = T_0p, V_0p, Vdot_0p, _USUAL
            self._plain = (T_0p, _zeros(V_0p), _zeros(Vdot_0p))
            return
        # or many in such arrays, with the same leading axes
        lead = _plain_lead(T_0p, V_0p, Vdot_0p)
        alone = Vddot_0p is internal is internal_rate is internal_acceleration is None
        if lead is not None and alone and isinstance(frame, str) and frame in ("base", "platform"):
            self._T, self._V, self._Vdot, self._plain = T_0p, V_0p, Vdot_0p, None
            self._more = _More(None, _USUAL.internal, frame, lead)
            return
        if hasattr(T_0p, "bodies"):
            raise InputError(
                f"T_0p is a {type(T_0p).__name__}, expected a pose (..., 4, 4)",
                hint="gough.state(robot, x, xd, xdd), in lower case, makes a State of the robot's "
                "freedoms.",
                argument="T_0p",
            )
        self._T = as_array(T_0p, (4, 4), "T_0p", keep_single=True)
        twists = zip(PLATFORM[1:], (V_0p, Vdot_0p, Vddot_0p), strict=True)
        self._V, self._Vdot, Vddot = (
            None if a is None else as_array(a, (6,), name, keep_single=True) for name, a in twists
        )
        if Vddot_0p is not None and Vdot_0p is None:
            raise InputError(
                "Vddot_0p is given, but not Vdot_0p, whose derivative it is", argument="Vddot_0p"
            )
        if Vddot_0p is not None and isinstance(frame, str) and frame != "base":
            raise InputError(
                "Vddot_0p is given: a state with a jerk has base axes",
                hint="Leave out frame.",
                argument="frame",
            )
        given = zip(INTERNAL, (internal, internal_rate, internal_acceleration), strict=True)
        groups = tuple(_by_name(name, values) for name, values in given)
        one_of(frame, "frame", ("base", "platform"))
        shape = _leading_axes((self._T, self._V, self._Vdot, Vddot), groups)
        self._more, self._plain = _More(Vddot, groups, frame, shape), None

    @classmethod
    def _of(cls, like: State, part: Callable[[np.ndarray, int], np.ndarray]) -> State:
        """A state whose arrays are those of another one, each changed alike.

        Args:
            like: the other one; if it is of a class of its own, what that knows besides is left.
            part: from an array with all leading axes of the state, and how many core axes it has.
        """
        shape = like._more.shape

        def changed(array: np.ndarray | None, core: int) -> np.ndarray | None:
            if array is None:
                return None
            whole = shape + array.shape[array.ndim - core :]
            return part(array if array.shape == whole else np.broadcast_to(array, whole), core)

        cores = (2, 1, 1, 1)
        arrays = (like._T, like._V, like._Vdot, like._more.Vddot)
        parts = [changed(array, core) for array, core in zip(arrays, cores, strict=True)]
        axes = [{name: changed(a, 0) for name, a in group.items()} for group in like._more.internal]
        return State(*parts, **_named_parts(axes), frame=like.frame)

    # ------------------------------------------------------------------------------- parts

    @property
    def T_0p(self) -> np.ndarray:
        """Pose of the platform in the base ``(..., 4, 4)``; read-only."""
        return self._read(self._T, 2)

    @property
    def V_0p(self) -> np.ndarray:
        """Twist ``[v; omega]`` of the platform, axes of ``frame``, ``(..., 6)``; read-only."""
        return self._read(_REST if self._V is None else self._V, 1)

    @property
    def Vdot_0p(self) -> np.ndarray:
        """Plain time derivative of the components ``V_0p`` ``(..., 6)``; read-only."""
        return self._read(_REST if self._Vdot is None else self._Vdot, 1)

    @property
    def Vddot_0p(self) -> np.ndarray | None:
        """Plain time derivative of ``Vdot_0p`` ``(..., 6)``; ``None`` where it is not known."""
        return None if self._more.Vddot is None else self._read(self._more.Vddot, 1)

    @property
    def internal(self) -> Mapping[str, np.ndarray]:
        """Positions of the coordinates that the pose does not tell, by name ``(...,)``."""
        return self._named(0)

    @property
    def internal_rate(self) -> Mapping[str, np.ndarray]:
        """Their rates, by name ``(...,)``; of those that are not named, zero."""
        return self._named(1)

    @property
    def internal_acceleration(self) -> Mapping[str, np.ndarray]:
        """Their accelerations, by name ``(...,)``; of those that are not named, zero."""
        return self._named(2)

    @property
    def frame(self) -> Axes:
        """Axes of twists and their rates: ``"base"`` or ``"platform"``."""
        return self._more.frame

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading axes: ``()`` of one state."""
        return self._more.shape

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """``T_0p, V_0p, Vdot_0p`` in base axes: what a kernel of :func:`gough.compile` takes."""
        here = self.in_frame("base")
        return here.T_0p, here.V_0p, here.Vdot_0p

    @property
    def has_internal(self) -> bool:
        """Whether it says how any coordinate moves that the pose does not tell."""
        return any(self._more.internal)

    def is_given(self, part: str) -> bool:
        """Whether a part was given, by its name; otherwise it counts as zero."""
        if part in INTERNAL:
            return bool(self._more.internal and self._more.internal[INTERNAL.index(part)])
        one_of(part, "part", (*PLATFORM, *INTERNAL))
        arrays = (self._T, self._V, self._Vdot, self._more.Vddot)
        return arrays[PLATFORM.index(part)] is not None

    def arguments(self, *parts: str) -> dict[str, tuple[np.ndarray, int]]:
        """Parts in base axes, with their numbers of core axes, by name; zero where not given."""
        here = self if self._more.frame == "base" else self.in_frame("base")
        arrays = (here._T, here._V, here._Vdot, here._more.Vddot)
        found, shape, whole = {}, self._more.shape, False
        for name, array in zip(PLATFORM, arrays, strict=True):
            if name in parts:
                array, core = _REST if array is None else array, 2 if name == "T_0p" else 1
                whole = whole or array.shape[: array.ndim - core] == shape
                found[name] = array, core
        if not whole:
            # a part that is not asked for has these axes: answers have the shape of the state
            array, core = found[parts[-1]]
            own = array.shape[array.ndim - core :]
            found[parts[-1]] = np.broadcast_to(array, shape + own), core
        return found

    # ------------------------------------------------------------------------- other states

    def accelerated(self, Vdot_0p: np.ndarray, **internal: np.ndarray) -> State:
        """The same pose and twist with another twist rate, and other internal accelerations."""
        plain = type(Vdot_0p) is _array and Vdot_0p.dtype is _DOUBLE and Vdot_0p.shape == _TWIST
        if self._plain is not None and plain and not internal:
            found = object.__new__(State)  # nothing is left to be checked
            found._T, found._V, found._Vdot, found._more = self._T, self._V, Vdot_0p, _USUAL
            found._plain = (*self._plain[:2], Vdot_0p)
            return found
        axes = {"internal_acceleration": internal} if internal else {}
        return self.replace(Vdot_0p=Vdot_0p, Vddot_0p=None, **axes)

    def replace(self, **parts: Any) -> State:
        """The same state with other parts, by the names of the arguments of ``State``.

        Raises:
            InputError: ``frame``, which :meth:`in_frame` changes with the components.
        """
        if "frame" in parts:
            raise InputError(
                "replace(frame=...) would give the same numbers another meaning",
                hint="in_frame(frame) has the same state with its components in other axes.",
                argument="frame",
            )
        return self._replaced(**parts)

    def _replaced(self, **parts: Any) -> State:
        for name in parts:
            check_known(name, (*PLATFORM, *INTERNAL, "frame"), "a state has no part", name)
        given: dict[str, Any] = dict(
            zip(PLATFORM, (self._T, self._V, self._Vdot, self._more.Vddot), strict=True)
        )
        given |= {name: self._more.internal[k] or None for k, name in enumerate(INTERNAL)}
        return State(**(given | {"frame": self._more.frame} | parts))

    def in_frame(self, frame: Axes) -> State:
        """The same state with the components of twist and twist rate in base or platform axes.

        A rate that was not given is given then: what is zero in one of the frames is not in the
        other one.
        """
        one_of(frame, "frame", ("base", "platform"))
        if frame == self._more.frame:
            return self
        T, V, Vdot = self._T, self._V, self._Vdot
        if frame == "base":
            twist = None if V is None else twist_to_base(T, V)
            rate = None if V is Vdot is None else rate_to_base(T, _zeros(V), _zeros(Vdot))
        else:
            twist = None if V is None else twist_to_platform(T, V)
            rate = None if V is Vdot is None else rate_to_platform(T, _zeros(V), _zeros(Vdot))
        return self._replaced(V_0p=twist, Vdot_0p=rate, frame=frame)

    def reshape(self, *shape: Any) -> State:
        """The same states along other leading axes, ``x.reshape(2, 3)``."""
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        try:
            return State._of(self, lambda a, core: a.reshape(*shape, *a.shape[a.ndim - core :]))
        except (TypeError, ValueError):
            raise InputError(
                f"states {self._more.shape} cannot be reshaped to {shape}", argument="shape"
            ) from None

    @staticmethod
    def stack(states: Iterable[State], axis: int = 0) -> State:
        """States of the same shape beside each other, along a new leading axis."""
        return _joined(list(states), np.stack, axis)

    @staticmethod
    def concatenate(states: Iterable[State], axis: int = 0) -> State:
        """Batches of states one after the other, along a leading axis that they have."""
        return _joined(list(states), np.concatenate, axis)

    def __getitem__(self, index: Any) -> State:
        """Some of the states: an index, a slice, a mask of the leading axes; views where it can."""
        if isinstance(index, str):
            raise InputError(f"{index!r} is no index: parts of a state are its attributes")
        keys = index if isinstance(index, tuple) else (index,)
        try:
            np.broadcast_to(False, self._more.shape)[
                keys
            ]  # more indices than leading axes are refused
            return State._of(self, lambda a, core: a[(*_spelt(keys, a.ndim - core),)])
        except IndexError as err:
            if not self._more.shape:
                raise InputError(
                    "this is one state: it has no leading axes to take a part of"
                ) from err
            raise IndexError(f"states {self._more.shape}: {err}") from None

    def __len__(self) -> int:
        if not self._more.shape:
            raise TypeError("this is one state: it has no length")
        return self._more.shape[0]

    def __bool__(self) -> bool:
        return True  # it is there, whatever its length: ``state or other``

    def __iter__(self) -> Iterator[State]:
        if not self._more.shape:
            raise TypeError("this is one state: T_0p, V_0p and Vdot_0p are its attributes")
        return (self[k] for k in range(self._more.shape[0]))

    # ---------------------------------------------------------------------------- comparing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._agrees(other, np.array_equal)

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # an array that is compared with a state is another thing

    def allclose(self, other: Any, rtol: float = 1e-9, atol: float = 1e-12) -> bool:
        """Whether all parts are the same to tolerances, as :func:`numpy.allclose` has them.

        A state in other axes is brought to these; a bare pose is a state at rest.
        """
        rtol, atol = number(rtol, "rtol", nonnegative=True), number(atol, "atol", nonnegative=True)
        if not isinstance(other, State):
            other = State(other)
        if other._more.frame != self._more.frame:
            other = other.in_frame(self._more.frame)
        return self._agrees(other, lambda a, b: np.allclose(a, b, rtol, atol))

    def _agrees(self, other: State, same: Callable[[np.ndarray, np.ndarray], bool]) -> bool:
        """Whether shape, frame and all parts agree; what is not given counts as zero."""
        if (self._more.shape, self._more.frame) != (other._more.shape, other._more.frame):
            return False
        pairs = [(getattr(self, part), getattr(other, part)) for part in PLATFORM[:3]]
        pairs.append((_zeros(self.Vddot_0p), _zeros(other.Vddot_0p)))
        for part in INTERNAL:
            one, two = getattr(self, part), getattr(other, part)
            if one.keys() != two.keys():
                return False
            pairs += [(one[name], two[name]) for name in one]
        return all(same(a, b) for a, b in pairs)

    # ------------------------------------------------------------------------ to be looked at

    def __repr__(self) -> str:
        many = f"{self._more.shape} " if self._more.shape else ""
        return f"<State {many}{', '.join(f'{name} {value}' for name, value in self._facts())}>"

    def _facts(self) -> Iterator[tuple[str, str]]:
        """What it is, in words and figures; of many states what they have."""
        axes = "" if self._more.frame == "base" else ", platform axes"
        if self._more.shape:
            yield "of", ", ".join(name for name in PLATFORM if self.is_given(name)) + axes
        else:
            turn = rotation_log(self._T[:3, :3]) if np.isfinite(self._T).all() else np.zeros(3)
            turned = f", turned by {figures(turn)} rad" if np.abs(turn).max() > 1e-9 else ""
            yield "at", f"{figures(self._T[:3, 3])} m{turned}"
            if self._V is None or not self._V.any():
                yield "at", "rest" + axes
            else:
                yield "moving", f"{figures(self._V[:3])} m/s, {figures(self._V[3:])} rad/s{axes}"
            if self._Vdot is not None and self._Vdot.any():
                a, alpha = self._Vdot[:3], self._Vdot[3:]
                yield "accelerating", f"{figures(a)} m/s^2, {figures(alpha)} rad/s^2"
        names = dict.fromkeys(name for group in self._more.internal for name in group)
        if names and self._more.shape:
            yield "with", ", ".join(names)
        elif names:
            at = {name: f"{name} {a:.4g}" for name, a in self._more.internal[0].items()}
            yield "with", ", ".join(at.get(name, f"{name} as at home") for name in names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise TypeError("a State is no array: T_0p, V_0p and Vdot_0p are its arrays")

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self._T, self._V, self._Vdot, self._more.Vddot)
        return _unpickled, (
            parts,
            tuple(dict(group) for group in self._more.internal),
            self._more.frame,
        )

    # ---------------------------------------------------------------------------- arrays

    def _read(self, array: np.ndarray, core: int) -> np.ndarray:
        """A read-only view with all leading axes."""
        whole = self._more.shape + array.shape[array.ndim - core :]
        if array.shape != whole:
            return np.broadcast_to(array, whole)
        view = array.view()
        view.flags.writeable = False
        return view

    def _named(self, order: int) -> Mapping[str, np.ndarray]:
        arrays = dict(self._more.internal[order])
        if order:  # a position that is not named is home's, which no state knows; rates are zero
            names = (name for group in self._more.internal for name in group)
            arrays = dict.fromkeys(names, np.zeros(())) | arrays
        return MappingProxyType({name: self._read(a, 0) for name, a in arrays.items()})


def as_state(
    value: Any, robot: Robot, name: str = "state", *, with_internal: bool = False
) -> State:
    """A state of a call for a robot; a bare pose is one at rest.

    Args:
        value: what was given.
        robot: the machine.
        name: of the argument.
        with_internal: whether the call has a use for internal coordinates; otherwise they are
            refused, for the answer would be that of another state.

    Raises:
        InputError: it is neither, or names coordinates that the robot does not have.
    """
    if isinstance(value, State):
        if value._plain is None and value.has_internal:
            for part, group in zip(INTERNAL, value._more.internal, strict=True):
                for axis in group:
                    check_known(axis, robot.serial_axes, f"{part}: no internal coordinate", part)
            if not with_internal:
                raise InputError(
                    f"{name} has internal coordinates, which this function does not take",
                    hint="inverse_kinematics, motor_rates, motor_accelerations, inverse_dynamics, "
                    "forward_dynamics, posture and audit do; for all others take the parallel "
                    "robot within, gough.serial_core(robot).",
                    argument=name,
                )
        return value
    if hasattr(value, "T_0p"):
        raise InputError(
            f"{name} is a {type(value).__name__}, expected a gough.State or a pose",
            hint="What was simulated, tracked or sampled has a state; of a mode take its T_0p.",
            argument=name,
        )
    if isinstance(value, tuple):  # what was a state in other libraries, or in older versions
        raise InputError(
            f"{name} is a tuple, expected a gough.State or a pose",
            hint="gough.State(T_0p, V_0p, Vdot_0p) makes one of arrays.",
            argument=name,
        )
    if not isinstance(value, list) and not hasattr(value, "__array__"):
        raise InputError(
            f"{name} is {shown(value)}, expected a gough.State or a pose (..., 4, 4)", argument=name
        )
    if isinstance(value, list) and any(isinstance(each, State) for each in value):
        raise InputError(
            f"{name} is a list of states, expected one gough.State",
            hint="gough.State.stack(states) makes one of them.",
            argument=name,
        )
    array = as_array(value, (), name, keep_single=True)
    if array.shape[-2:] != (4, 4) and array.shape[-1:] == (len(robot.motors),):
        raise InputError(
            f"{name} has shape {array.shape}, expected a gough.State or a pose (..., 4, 4)",
            hint="If these are motor positions, gough.pose_from_motors(robot, q_a) or "
            "gough.forward_kinematics(robot, q_a) find the pose; of the robot's freedoms, "
            "gough.state(robot, x) makes a state.",
            argument=name,
        )
    return State(as_array(value, (4, 4), name, keep_single=True))


def one_pose(value: Any, robot: Robot, hint: str = "") -> np.ndarray:
    """The pose of one state, of a call that takes no batch.

    Raises:
        InputError: there are several, or it is no state.
    """
    state = as_state(value, robot)
    if state.shape:
        raise InputError(
            f"state has leading axes {state.shape}, expected one state or pose (4, 4)",
            hint=hint,
            argument="state",
        )
    return state.arguments("T_0p")["T_0p"][0]


def _plain_lead(T_0p: Any, *twists: Any) -> tuple[int, ...] | None:
    """Leading axes of arrays of doubles that have all the same; ``None`` of others."""
    if type(T_0p) is not _array or T_0p.dtype is not _DOUBLE or T_0p.shape[-2:] != _POSE:
        return None
    lead: tuple[int, ...] = T_0p.shape[:-2]
    whole = (*lead, 6)
    for V in twists:
        if V is not None and not (type(V) is _array and V.dtype is _DOUBLE and V.shape == whole):
            return None
    return lead


def _zeros(array: np.ndarray | None) -> np.ndarray:
    return _REST if array is None else array


def _by_name(part: str, values: Any) -> Mapping[str, np.ndarray]:
    """Arrays of internal coordinates by name."""
    if values is None:
        return _NONE
    if not isinstance(values, Mapping):
        raise InputError(
            f"{part} is {type(values).__name__}, expected numbers by the names of coordinates",
            hint=f'For instance {part}={{"table": 0.1}}; robot.serial_axes lists them.',
            argument=part,
        )
    return {
        str(name): as_array(a, (), f"{part}[{name!r}]", keep_single=True)
        for name, a in values.items()
    }


def _leading_axes(
    arrays: Sequence[np.ndarray | None], internal: Sequence[Mapping[str, np.ndarray]]
) -> tuple[int, ...]:
    """Batch axes that all parts broadcast to."""
    known = zip(PLATFORM, arrays, strict=True)
    shapes = {n: a.shape[: -2 if n == "T_0p" else -1] for n, a in known if a is not None}
    for part, group in zip(INTERNAL, internal, strict=True):
        shapes |= {f"{part}[{name!r}]": a.shape for name, a in group.items()}
    different = set(shapes.values())
    if len(different) == 1:
        return tuple(different.pop())
    try:
        return tuple(np.broadcast_shapes(*different))
    except ValueError as err:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"the batch axes do not fit together: {listed}") from err


def _spelt(keys: tuple[Any, ...], axes: int) -> tuple[Any, ...]:
    """An index of leading axes in which an ellipsis stands for those alone, not for core axes."""
    if not any(key is Ellipsis for key in keys):
        return keys
    place = next(i for i, key in enumerate(keys) if key is Ellipsis)
    masks = [np.ndim(key) for key in keys if np.asarray(key).dtype == bool]
    others = sum(key is not None and np.asarray(key).dtype != bool for key in keys) - 1
    return (*keys[:place], *(slice(None),) * (axes - others - sum(masks)), *keys[place + 1 :])


def _joined(states: list[State], join: Callable[..., np.ndarray], axis: int) -> State:
    """States as one, their arrays joined by a function of NumPy along a leading axis."""
    if not states:
        raise InputError("expected one State or more to join", argument="states")
    for k, each in enumerate(states):
        if not isinstance(each, State):
            raise InputError(
                f"states[{k}] is {shown(each)}, expected a gough.State", argument="states"
            )
    first, new = states[0], join is np.stack
    alike: dict[str, set[Any]] = {
        "frames": {s.frame for s in states},
        "internal coordinates": {frozenset(s._more.internal[0]) for s in states},
        "numbers of derivatives": {s.is_given("Vddot_0p") for s in states},
    }
    for what, kinds in alike.items():
        if len(kinds) > 1:
            hint, differ = "", ""
            if what == "frames":
                hint = "in_frame(frame) brings them to the same axes."
            if what == "internal coordinates":
                odd = sorted(frozenset.union(*kinds) - frozenset.intersection(*kinds))
                differ = f": {quoted(odd)} {'is' if len(odd) == 1 else 'are'} not in all of them"
                hint = "replace(internal={name: position, ...}) gives a state all of them."
            raise InputError(
                f"states of different {what} cannot be joined{differ}", hint=hint, argument="states"
            )
    lead, axis = len(first.shape) + new, whole(axis, "axis", least=None)
    if not -lead <= axis < lead:
        hint = "" if lead else "gough.State.stack puts single states beside each other."
        hint = _TO_BATCH if any(s.shape for s in states) and not lead else hint
        raise InputError(
            f"axis {axis} is none of the {lead} leading axes of the result",
            hint=hint,
            argument="axis",
        )
    axis %= lead

    def along(part: str) -> np.ndarray | None:
        if not any(s.is_given(part) for s in states):
            return None
        return join([getattr(s, part) for s in states], axis=axis)

    def named(k: int, name: str) -> np.ndarray:
        arrays = [s._more.internal[k].get(name, np.zeros(())) for s in states]
        return join([s._read(a, 0) for s, a in zip(states, arrays, strict=True)], axis=axis)

    try:
        parts = [along(part) for part in PLATFORM]
        groups = []
        for k in range(len(INTERNAL)):
            names = dict.fromkeys(name for s in states for name in s._more.internal[k])
            groups.append({name: named(k, name) for name in names})
    except ValueError as err:
        listed = ", ".join(dict.fromkeys(str(s.shape) for s in states))
        raise InputError(
            f"states of shapes {listed} cannot be joined",
            hint="" if all(s.shape for s in states) else _TO_BATCH,
            argument="states",
        ) from err
    return State(*parts, **_named_parts(groups), frame=first.frame)


def _unpickled(parts: Any, internal: Any, frame: Axes) -> State:
    return State(*parts, **_named_parts(internal), frame=frame)


def _named_parts(internal: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Groups of internal coordinates as arguments of a state."""
    return {name: group or None for name, group in zip(INTERNAL, internal, strict=True)}
