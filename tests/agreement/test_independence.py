"""Four theories are four witnesses: a mistake in one does not move the others.

Each formula of one theory is made wrong in turn, and whose efforts and accelerations move is
looked at.  Description, positions, friction laws and the linear solver are shared by all.
"""

import ast
import sys
import warnings
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from weakref import WeakKeyDictionary

import numpy as np
import pytest

import gough
from cases import acting, loaded, motion
from gough.dynamics.methods import METHODS
from gough.dynamics.shared import masses
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.inverse import posed
from gough.kinematics.motion import Kinematics
from hybrids import hybrid, moving
from mistakes import ALL, BEGIN, END, MISTAKES, PAGE, lines
from robots import random_freedoms, relative

NAMES = ["five_bar", "delta", "gough_stewart", "quattro", "tilt_3rps"]


def _answers(r, state, tau):
    """Efforts and accelerations by each theory; nothing is kept, and nothing is checked before."""
    assembly, (T, V, Vdot) = r.assembly, state.arrays
    loads, found = StateLoads(assembly.gravity), {}
    for name, method in METHODS.items():
        solution = assembly.solution(posed(assembly, T))
        found[name] = (
            method.inverse(Kinematics(assembly, solution, V, Vdot), loads),
            method.direct(Kinematics(assembly, solution, V), tau, loads),
        )
    return found


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("name", NAMES)
def test_a_mistake_in_one_theory_moves_no_other(name, mistake, monkeypatch):
    r = loaded(name)
    state = gough.state(r, *random_freedoms(name, 1, 0.08, seed=11))[0]
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, state)
    before = _answers(r, state, tau)
    places, attribute, make, guilty = MISTAKES[mistake]
    for place in places:
        monkeypatch.setattr(place, attribute, make(getattr(place, attribute)))
    for kept in ("_KNOWN", "_BASE"):  # masses of links, worked out before
        monkeypatch.setattr(masses, kept, type(getattr(masses, kept))())
    after = _answers(r, state, tau)
    moved = {
        m: max(relative(a, b) for a, b in zip(before[m], after[m], strict=True)) for m in METHODS
    }
    for method in ALL - guilty:
        assert moved[method] < 1e-12, method  # other pivots may be taken, which is rounding
    if (mistake, name) not in UNFELT:
        assert min(moved[method] for method in guilty) > 1e-6  # the mistake is one


# the axes of joints change in all but planar robots; of these, only struts have inertia about them
UNFELT = {("biases of elements", name) for name in NAMES if name != "gough_stewart"}


@pytest.mark.parametrize("mistake", [m for m in MISTAKES if len(MISTAKES[m].moves) == 1])
@pytest.mark.usefixtures("strangers")
def test_the_audit_names_the_method_that_differs(mistake, monkeypatch):
    r, state = loaded("gough_stewart"), motion("gough_stewart")
    with gough.options(engine="numpy"):
        right = gough.audit(r, state)
    assert right.passed
    assert right.dissenting == ()
    places, attribute, make, (guilty,) = MISTAKES[mistake]
    for place in places:
        monkeypatch.setattr(place, attribute, make(getattr(place, attribute)))
    with gough.options(engine="numpy"):
        found = gough.audit(replace(r, name="mistaken"), state)
    assert not found.passed
    assert found.dissenting == (guilty,)
    assert f": {guilty} apart from the rest" in str(found)


def test_the_page_lists_what_is_shared():
    """What moves one method, and what moves all of them: `python tests/mistakes.py --write`."""
    text = PAGE.read_text(encoding="utf-8")
    written = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    assert written.strip().splitlines() == lines()


# ---------------------------------------------------------------------------------------------
# The audit is a fifth witness: it sees mistakes in what all four methods share.  Its power balance
# is worked out from the description by `dynamics/answers/power_balance.py`, which knows no method.

WITNESS = "gough.dynamics.answers.power_balance"
SHARED_BY_ALL = "gough.dynamics.shared"


def _with(**factors):
    """Figures of a tuple, each multiplied by a factor."""

    def make(right):
        def wrong(*arguments):
            found = right(*arguments)
            return found._replace(**{k: getattr(found, k) * f for k, f in factors.items()})

        return wrong

    return make


def _halved(right):
    return lambda *arguments, **options: right(*arguments, **options) * 0.5


def _half_a_property(right):
    return property(lambda self: right.fget(self) * 0.5)


def _without_parallel_axes(right):
    """Bodies merged as if the origin of their link were their mass centre."""

    def wrong(mass, mount, m, c, inertia):
        about = mount.R @ inertia @ mount.R.T
        found, none = right(mass, mount, m, c, inertia), np.zeros((3, 3))
        return found._replace(I=(none if mass is None else mass.I) + about)

    return wrong


def _loads_with(change):
    def make(right):
        def wrong(*arguments, **options):
            found = right(*arguments, **options)
            return replace(found, **change(found))

        return wrong

    return make


# one law of what all methods share made wrong: where, and how
SHARED_MISTAKES = {
    "friction": (f"{SHARED_BY_ALL}.axes:friction_effort", _halved),
    "rotors": (f"{SHARED_BY_ALL}.state_loads:own_parameters", _with(inertia=0.5)),
    "rotors behind gears": ("gough.robot.joint:Axis.reflected_inertia", _half_a_property),
    "springs": (f"{SHARED_BY_ALL}.state_loads:own_parameters", _with(stiffness=0.5)),
    "rest of springs": (f"{SHARED_BY_ALL}.state_loads:own_parameters", _with(rest=0.5)),
    "masses": (f"{SHARED_BY_ALL}.masses:central_mass", _with(m=0.9)),
    "centres": (f"{SHARED_BY_ALL}.masses:central_mass", _with(c=0.9)),
    "inertias": (f"{SHARED_BY_ALL}.masses:central_mass", _with(I=0.9)),
    "merging": (f"{SHARED_BY_ALL}.masses:with_body", _without_parallel_axes),
    "gravity": (
        "gough.dynamics.quantities.variant:state_loads",
        _loads_with(lambda loads: {"gravity": loads.gravity * 0.9}),
    ),
    "payload": (
        "gough.dynamics.quantities.variant:state_loads",
        _loads_with(lambda loads: {"payload": loads.payload._replace(m=loads.payload.m * 0.5)}),
    ),
    "forces": (
        "gough.dynamics.quantities.variant:state_loads",
        _loads_with(lambda loads: {"pushes": loads.pushes[1:]}),
    ),
}
OF_BASES = {
    f"{part} of the base": (
        "gough.dynamics.quantities.variant:state_loads",
        _loads_with(
            lambda loads, k=k: {"base": loads.base._replace(**{k: getattr(loads.base, k) * 0.9})}
        ),
    )
    for part, k in (("acceleration", "a"), ("turning", "w"), ("angular acceleration", "wd"))
}


def _make_wrong(monkeypatch, mistake):
    where, make = mistake
    place, _, name = where.replace(":", ".").rpartition(".")
    holder = resolve_name(place)
    right = vars(holder)[name]
    monkeypatch.setattr(holder, name, make(right))
    for known in ("_KNOWN", "_BASE"):  # masses of links are remembered: not beyond the mistake
        monkeypatch.setattr(f"{SHARED_BY_ALL}.masses.{known}", WeakKeyDictionary())


def _refuses(robot, state, **options):
    with gough.options(engine="numpy"):
        found = gough.audit(robot, state, **options)
    return not found.passed and float(found.power.max()) > 1e-6  # by its power balance alone


@pytest.mark.parametrize("mistake", SHARED_MISTAKES)
@pytest.mark.parametrize("name", ["five_bar", "gough_stewart"])
def test_the_audit_sees_what_all_methods_share(name, mistake, monkeypatch):
    r, state = loaded(name), motion(name)
    assert not _refuses(r, state, loads=acting(r))
    r = replace(r, name="mistaken")  # nothing that is known of a right robot
    _make_wrong(monkeypatch, SHARED_MISTAKES[mistake])
    assert _refuses(r, state, loads=acting(r))


@pytest.mark.parametrize("mistake", OF_BASES)
def test_the_audit_sees_how_bases_move(mistake, monkeypatch):
    r, state = loaded("gough_stewart"), motion("gough_stewart")
    base = gough.BaseMotion((1.0, -2.0, 9.0), (0.4, -0.5, 0.6), (3.0, 2.0, -1.0))
    loads = gough.Loads(base=base)
    assert not _refuses(r, state, loads=loads)
    _make_wrong(monkeypatch, OF_BASES[mistake])
    assert _refuses(r, state, loads=loads)


@pytest.mark.parametrize("mistake", ["friction", "rotors", "springs", "masses", "gravity"])
def test_the_audit_sees_what_serial_axes_share(mistake, monkeypatch):
    """A hexapod between serial axes, every one of which has friction, a rotor and a spring."""
    bare, state = hybrid("wrist_above"), next(moving("wrist_above", 1))
    own = gough.Axis(0.05, 0.02, 0.003, spring=gough.Spring(0.8, 0.3))
    joints = [replace(j, axes=(own,)) if j.name in bare.serial_axes else j for j in bare.joints]
    machine = replace(bare, joints=tuple(joints), name="mistaken")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gough.GoughWarning)  # of spins in a core that turns
        assert not _refuses(machine, state)
        _make_wrong(monkeypatch, SHARED_MISTAKES[mistake])
        assert _refuses(replace(machine, name="mistaken_too"), state)


def _imports(module):
    """Modules of gough that a module imports as it is loaded; not what functions look up later."""
    file = Path(find_spec(module).origin)
    waiting, found = [ast.parse(file.read_text(encoding="utf-8"))], {module.rpartition(".")[0]}
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif not isinstance(node, ast.FunctionDef):
            waiting += ast.iter_child_nodes(node)
    return {name for name in found if name.startswith("gough") and _is_module(name)}


def _is_module(name):
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_the_audit_imports_nothing_that_methods_share():
    """Neither does what it imports, and so on: geometry and the description alone."""
    waiting, seen = [WITNESS], set()
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += sorted(_imports(module) - {"gough"})
    assert {"gough.kinematics.motion", "gough.robot.joint"} <= seen  # something was looked at
    dynamics = {name for name in seen if name.startswith("gough.dynamics")}
    assert dynamics == {"gough.dynamics", "gough.dynamics.answers", WITNESS}


def test_the_audit_runs_nothing_that_methods_share():
    """Imports within functions, and methods of what it is given, do not bring it back."""
    r, state = loaded("gough_stewart"), motion("gough_stewart")
    witness = sys.modules[WITNESS]
    T, V, Vdot = state[0].arrays
    kin = Kinematics(r.assembly, r.assembly.solution(posed(r.assembly, T)), V, Vdot)
    files = set()
    sys.setprofile(lambda frame, *_: files.add(frame.f_code.co_filename))
    try:
        given = witness.Acting(True, True, 0.0)
        witness.power_balance(witness.MachineMotion.of(kin), np.ones(6), given)
    finally:
        sys.setprofile(None)
    run = {
        Path(file).relative_to(Path(gough.__file__).parent).as_posix()
        for file in files
        if "gough" in Path(file).parts
    }
    assert "dynamics/answers/power_balance.py" in run
    assert {file for file in run if file.startswith("dynamics")} == {
        "dynamics/answers/power_balance.py"
    }
