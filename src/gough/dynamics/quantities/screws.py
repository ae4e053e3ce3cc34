"""Quantities of a state by joint screws: what one motor, or one freedom, does to the machine."""

from __future__ import annotations

from gough.base.spatial import Array
from gough.dynamics.quantities.row import Model, quantity
from gough.dynamics.screws.influence import body_screws, joint_coefficients
from gough.dynamics.screws.kinematics import ScrewState
from gough.dynamics.screws.reciprocal import joint_screws_at
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import MotorsHold


@quantity(("T_0p",), ("influence_of_motors",), seated=False, public=False)
def influence_of_motors(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Rates of all axes by motor rates, as many as freedoms: ``qd = G qd_a``.  [GA] (17), (63)"""
    state = _held(kin)
    return {"influence_of_motors": joint_coefficients(state, state.Z_a)}


@quantity(("T_0p",), ("influence_of_freedoms",), seated=False, public=False)
def influence_of_freedoms(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Rates of all axes by the freedoms: ``qd = G V_r``.  [GA] (17), (63)"""
    state = ScrewState(kin)
    return {"influence_of_freedoms": joint_coefficients(state, state.Z_r)}


@quantity(("T_0p",), ("screws_of_motors",), seated=False, public=False)
def screws_of_motors(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Screws of all bodies by motor rates, as many as freedoms.  [GA] (20), (62), erratum GA-7"""
    state = _held(kin)
    return {"screws_of_motors": body_screws(state, state.Z_a)}


@quantity(("T_0p",), ("screws_of_freedoms",), seated=False, public=False)
def screws_of_freedoms(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Screws of all bodies by the freedoms.  [GA] (20), (62), erratum GA-7"""
    state = ScrewState(kin)
    return {"screws_of_freedoms": body_screws(state, state.Z_r)}


@quantity(("T_0p",), ("joint_screws", "origin"), seated=False, public=False)
def joint_screws(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Screws of all joints at the platform's origin, and that point.  [GA] (59)"""
    return {"joint_screws": joint_screws_at(ScrewState(kin)), "origin": kin.at.platform.p}


def _held(kin: Kinematics) -> ScrewState:
    """Screws of a machine whose motors hold the platform."""
    kin.rules.require(MotorsHold(kin.assembly, kin.solution))
    return ScrewState(kin)
