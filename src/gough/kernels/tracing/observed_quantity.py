"""Motor efforts from observed legs, with numbers and with symbols.  [OZ] (66)"""

from __future__ import annotations

import numpy as np

from gough.base.linalg import watched
from gough.base.spatial import Array
from gough.dynamics.elements.camera import shapes_of, usual_sight
from gough.dynamics.elements.observed import efforts_of_legs
from gough.kernels.tracing.machine import Machine
from gough.mechanism.mobility.assembly import Assembly

OBSERVED = ("x", "xd", "xdd", "d", "dd", "ddd", "theta", "spin", "spin_rate")
"""What is seen of the legs by default, as inputs."""


def observed_shapes(assembly: Assembly) -> dict[str, tuple[int, ...]]:
    """Shapes of these inputs."""
    shapes = shapes_of(usual_sight(assembly))
    return {name: shapes[name] for name in OBSERVED}


def observed_efforts(machine: Machine, **given: Array) -> dict[str, Array]:
    """Efforts from directions, lengths and turns of the legs and their rates."""
    usual = usual_sight(machine.assembly)
    arrays = [given.pop(name, np.zeros(shape)) for name, shape in shapes_of(usual).items()]
    seen = usual.with_arrays(arrays)
    seen, T_0p = machine.shown(seen)
    state, loads = machine.under(given, T_0p), machine.loads(given)
    state.require_motors()
    state.require_seen(seen)
    with watched() as made:
        tau = efforts_of_legs(state.kin, seen, loads, machine.share)
    state.judge(made, loads, state.kin)
    return state.answer(tau=tau)
