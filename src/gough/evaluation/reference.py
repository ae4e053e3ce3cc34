"""The NumPy function of one state behind a kernel: the table's own function, with numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gough.base.batch import check_finite, check_pose
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.states import Numbers
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.sharing import Sharing
from gough.errors import SingularPose
from gough.geometry.inverse import posed
from gough.kinematics.regularity import DEPENDENT
from gough.kinematics.serial_axes import SERIAL, check_serial
from gough.kinematics.single import settled
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import in_freedoms
from gough.mechanism.mobility.singular import SINGULAR
from gough.mechanism.serial import checked_parts

Reference = Callable[..., Sequence[np.ndarray]]
"""A function of one state's arrays, which answers or raises a named error."""


def of_one_state(
    assembly: Assembly,
    quantity: str,
    variant: Variant,
    share: Sharing | None = None,
    *,
    check: Callable[[Sequence[np.ndarray]], Any] | None = None,
    least: float = SINGULAR,
) -> Reference:
    """The NumPy function of one state behind a kernel.

    Args:
        assembly: the robot.
        quantity: what is asked.
        variant: which model.
        share: how redundant motors share efforts, with bounds perhaps.
        check: refuses loads of a state that make no sense.
        least: smallest singular value, natural units, of a state that is regular.
    """
    whole = ROWS[quantity]
    names = list(whole.input_shapes(assembly, variant))

    def one(*arrays: np.ndarray) -> list[np.ndarray]:
        rules = Numbers(least)
        given = dict(zip(names, arrays, strict=True))
        if "tau" in given:
            check_finite(given["tau"], "tau")
        if whole.serial:  # brought to the core before they are used: there they have other names
            check_pose(given["T_0p"])
            for name in given.keys() & {"V_0p", "Vdot_0p"}:
                check_finite(given[name], name)
        for name in given.keys() & set(SERIAL):
            check_serial(checked_parts(assembly), name, given[name])
        if check is not None:
            check(arrays[len(whole.own_inputs(assembly, variant)) :])
        exact = settled(assembly, {name: (a, a.ndim) for name, a in given.items()})
        state = {name: a for name, (a, _) in exact.items()}
        try:
            found = whole.evaluate(rules, assembly, variant, state, share)
        except SingularPose as err:
            if getattr(err, "kind", "") != DEPENDENT or whole.in_freedoms:
                raise
            # regular, but for the freedoms, which neither the question nor the answer has
            at = posed(assembly, state["T_0p"], turns=False)
            other = in_freedoms(assembly, err.data["better"], at)
            found = whole.evaluate(rules, other, variant, state, share)
        # copies: states are remembered, and who gets an answer may write into it
        return [np.array(found[name], dtype=float) for name in whole.outputs]

    return one
