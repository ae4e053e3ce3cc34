"""How far a motion stays from singularities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.analysis.legs import Passive, sample_legs
from gough.analysis.track import Motors
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import holding, part_names, told_by_position
from gough.motion.motion import Samples


class Conditioning(NamedTuple):
    """Distances to singularities along a motion of K samples, natural units.

    They are those of ``gough.singularities``: a length counts in units of the robot's size, an
    angle in radians, and 0 is a singularity.  NaN where a sample cannot be.

    Attributes:
        type_2: smallest singular value of the motors' Jacobian, over all twists that the legs allow
            ``(K,)``: with a small one the platform gives way although the motors hold.
        condition: its condition number ``(K,)``.
        sign: sign of the determinant of ``qd = J_inv V_r`` ``(K,)``, zero unless there are as many
            motors as freedoms; where it changes, the motion has passed a Type 2 singularity.
        freedoms: smallest singular value of the map from the twists that the legs allow to the
            independent coordinates ``(K,)``: with a small one a leg that the platform is a part of
            is stretched or folded (Type 1).
        samples: the samples at which legs are examined ``(k,)``: a hundred, and some more around
            the worst of them.
        legs: names of the legs, and ``nacelle`` if there is one.
        type_1: smallest singular value of each leg's own Jacobian ``(k, legs)``: with a small one
            the leg is stretched or folded.
        constraint: smallest singular value of the constraints of the legs on the platform ``(k,)``:
            with a small one the platform gains a freedom.
    """

    type_2: np.ndarray
    condition: np.ndarray
    sign: np.ndarray
    freedoms: np.ndarray
    samples: np.ndarray
    legs: tuple[str, ...]
    type_1: np.ndarray
    constraint: np.ndarray


def conditioning(
    assembly: Assembly, track: Samples, motors: Motors
) -> tuple[Conditioning, Passive]:
    """Distances to singularities, and limited joints without motors.

    Args:
        assembly: the robot.
        track: the motion.
        motors: along it.
    """
    held = holding(assembly.scales, motors.J_inv, motors.Psi)
    freedoms = np.where(
        motors.failed, np.nan, told_by_position(assembly, assembly.scales, motors.Psi)
    )
    seen, passive = sample_legs(assembly, track, motors, held.type_2)
    names = part_names(assembly)
    looked = Conditioning(*held, freedoms, seen.samples, names, seen.type_1, seen.constraint)
    return looked, passive
