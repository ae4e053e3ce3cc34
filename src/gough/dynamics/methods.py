"""The methods behind one face: four theories with the same functions, and what all share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gough.base.arguments import check_known
from gough.base.spatial import Array
from gough.dynamics import elements, legs, screws, tree
from gough.dynamics.answers.frozen_loads import LoadsOnFrozen
from gough.dynamics.shared.sharing import Sharing
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics


@dataclass(frozen=True)
class Method:
    """One theory.

    Attributes:
        inverse: efforts of a motion under loads; as many motors as freedoms.
        direct: twist rate of a state under efforts and loads.
        balance: A and w with ``A tau = w`` in the robot's freedoms, for any number of motors.
    """

    inverse: Callable[[Kinematics, StateLoads], Array]
    direct: Callable[[Kinematics, Array, StateLoads], Array]
    balance: Callable[[Kinematics, StateLoads], tuple[Array, Array]]

    def efforts(self, kin: Kinematics, loads: StateLoads, *, share: Sharing | None = None) -> Array:
        """Motor efforts that produce a motion, shared out where there are more motors."""
        assembly, loads = kin.assembly, during(kin, loads)
        if len(assembly.robot.motors) == assembly.mobility:
            tau = self.inverse(kin, loads)
            return tau if share is None else share.within_bounds(tau)
        return (share or Sharing(assembly)).efforts(*self.balance(kin, loads))

    def balanced(self, kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
        """A and w with ``A tau = w`` for a motion: ``A = J_inv^T``, ``w = w_r``.

        Equations:
            [BK] (15)-(16); [OZ] (58), where ``b = -w``.
        """
        return self.balance(kin, during(kin, loads))

    def twist_rate(self, kin: Kinematics, tau: Array, loads: StateLoads) -> Array:
        """Twist rate of the platform under motor efforts, whatever that of the motion is."""
        Vdot = self.direct(kin, tau, loads.during(kin.V, kin.assembly.length))
        kin.rules.require(LoadsOnFrozen(kin.with_twist_rate(Vdot), loads))
        return Vdot


def during(kin: Kinematics, loads: StateLoads) -> StateLoads:
    """Loads of a motion, of which none may act on what is frozen."""
    kin.rules.require(LoadsOnFrozen(kin, loads))
    return loads.during(kin.V, kin.assembly.length)


METHODS = {
    "legs": Method(legs.inverse, legs.direct, legs.balance),
    "elements": Method(elements.inverse, elements.direct, elements.balance),
    "screws": Method(screws.inverse, screws.direct, screws.balance),
    "tree": Method(tree.inverse, tree.direct, tree.balance),
}
"""Methods by name."""


def find_method(name: str) -> Method:
    """A method by name."""
    check_known(name, METHODS, "unknown method", "method")
    return METHODS[name]
