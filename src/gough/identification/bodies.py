"""From base parameters back to a description: bodies that can exist and explain the logs as well.

Efforts show base parameters only, and many parameters of bodies have the same.  Those are taken
that can exist, explain what the logs say within their noise, and are nearest to the description.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.dynamics.shared.standard import named_parameters, own_figures
from gough.errors import GoughError
from gough.identification.base_result import BaseParameters
from gough.identification.compressed import Compressed
from gough.identification.estimate import Estimate
from gough.identification.possible import fit_possible
from gough.identification.with_parameters import with_parameters
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot


class Bodies(NamedTuple):
    """Standard parameters of a machine, those that can exist.

    Attributes:
        chi: their values, the columns of ``base.matrix`` ``(q,)``.
        root: B with ``B B^T`` their covariance, logs and description together ``(q, r)``.
        at_border: names of bodies and parameters that the logs pull to what cannot exist.
        worse: by which share the residuals are larger than those of the best parameters, beyond
            what these gain by fitting noise.
        robot: with these parameters; ``None`` if there is none.
        reason: why there is none.
    """

    chi: np.ndarray
    root: np.ndarray
    at_border: tuple[str, ...]
    worse: float
    robot: Robot | None
    reason: str


def bodies_of(base: BaseParameters, found: Estimate, values: np.ndarray) -> Bodies:
    """Bodies with base parameters that were found.

    Args:
        base: the base parameters.
        found: what the logs say of them: ``|factor (chi_b - values)|^2``, in units of noise.
        values: of the base parameters.
    """
    robot = base.robot
    assembly = assembled(robot)
    columns = named_parameters(robot, base.names)
    rank = len(found.factor)
    free = max(1.0, found.worth - rank)  # what noise leaves of a sum of squares of unit variance
    data = Compressed(found.factor @ base.matrix, found.factor @ values, free, rank + int(free))
    try:
        fit = fit_possible(assembly, columns, data)
        model = with_parameters(robot, dict(zip(base.names, fit.chi.tolist(), strict=True)))
    except GoughError as err:
        described = own_figures(robot, columns)
        root = np.zeros((len(columns), 0))
        return Bodies(described, root, (), np.inf, None, err.message)
    # parameters that fit noise as well as they can gain their number of squares by that alone
    worse = float(np.sqrt(max(fit.cost - rank, free) / free)) - 1.0
    return Bodies(fit.chi, fit.root, fit.at_border, worse, model, "")
