"""The public question for possible parameters, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.arguments import number, words
from gough.base.batch import as_array, check_finite
from gough.base.english import listed
from gough.base.result import Result
from gough.dynamics.shared.standard import named_parameters, own_figures
from gough.errors import InputError
from gough.identification.compressed import compress
from gough.identification.possible import PRIOR, fit_possible
from gough.identification.regressor import names_and_units
from gough.identification.with_parameters import with_parameters
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot


@dataclass(frozen=True, eq=False)
class PossibleParameters(Result):
    """Parameters of bodies that can exist, fitted to efforts.

    Attributes:
        robot: the machine as described.
        names: names of the parameters.
        units: their units.
        chi: their values ``(n,)``.
        described: values of the description ``(n,)``.
        rms: root mean square of what they leave of the rows, in the rows' unit.
        free_rms: the same of the best parameters, possible or not.
        shown: how many combinations of the parameters the rows show; the rest is as described.
        smallest: by body, the smallest eigenvalue of its pseudo-inertia beside the described one; a
            description thinner than 3 % of its length counts as that thick.
        at_border: names of bodies and of single parameters that the rows pull to the border of what
            is possible: a thin or tiny body, friction of zero.
    """

    robot: Robot
    names: tuple[str, ...]
    units: tuple[str, ...]
    chi: np.ndarray
    described: np.ndarray
    rms: float
    free_rms: float
    shown: int
    smallest: dict[str, float]
    at_border: tuple[str, ...]

    @property
    def increase(self) -> float:
        """By which share ``rms`` is above that of the best parameters, possible or not."""
        return self.rms / self.free_rms - 1.0 if self.free_rms else np.inf

    @property
    def values(self) -> dict[str, float]:
        """The parameters by name."""
        return dict(zip(self.names, self.chi.tolist(), strict=True))

    def identified(self) -> Robot:
        """The robot with these parameters; offsets of motors are none of a robot's."""
        return with_parameters(self.robot, self.values)

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.robot.name
        yield "parameters", f"{len(self.names)}, of which {self.shown} combinations are shown"
        yield "rms", f"{self.rms:.6g}, of impossible bodies {self.free_rms:.6g}"
        yield "at the border", listed(self.at_border) if self.at_border else "none"
        for name, value, old, unit in zip(
            self.names, self.chi, self.described, self.units, strict=True
        ):
            yield name, f"{value:.6g} {unit}, described {old:.6g}"

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table: one row a parameter."""
        words = {"parameter": self.names, "unit": self.units}
        texts = {name: np.array(each, dtype=object) for name, each in words.items()}
        return {**texts, "value": self.chi, "described": self.described}


def possible_parameters(
    robot: Robot, names: Sequence[str], W: Any, tau: Any, *, prior: float = PRIOR
) -> PossibleParameters:
    """Parameters of bodies that can exist, which explain efforts as well as any.

    Plain least squares return bodies that cannot exist: negative masses, inertias that no
    distribution of mass has.  Here the pseudo-inertia of every body is positive definite; friction,
    rotors and stiffness are positive; what efforts do not show stays near the description.  Bodies
    that are declared massless stay so.

    Args:
        robot: the machine as described.
        names: names of the columns, as :func:`gough.regressor` has them.  Base columns ``W_b`` of
            :func:`gough.base_parameters` become these by ``W = W_b @ base.matrix`` with
            ``base.names``.
        W: efforts per unit of each parameter ``(..., n)``: a regressor, best with the rows of each
            motor divided by the standard deviation of its noise.
        tau: measured efforts, less ``tau_0`` ``(...)``, divided alike.
        prior: weight of the description, in variances of the residual.  By default it is one:
            figures are taken to be right to about their own size, and what efforts show better
            than that follows the efforts.

    Returns:
        A :class:`gough.PossibleParameters`: values, what they leave of the efforts beside the best
        fit, and what is at the border; ``identified()`` is the robot that has them.

    Raises:
        InputError: an unknown name, a column of a massless body, or arrays that do not fit.
    """
    assembly = assembled(robot)
    columns = named_parameters(assembly.robot, words(names, "names"), "names")
    if not columns:
        raise InputError("names: there are none", argument="names")
    rows = as_array(W, (len(columns),), "W")
    right = as_array(tau, (), "tau")
    if right.shape != rows.shape[:-1] or not right.size:
        raise InputError(
            f"tau has shape {right.shape}, W has {rows.shape}: expected one number of tau for "
            "each row of W",
            argument="tau",
        )
    check_finite(rows, "W")
    check_finite(right, "tau")
    data = compress(rows, right)
    found = fit_possible(assembly, columns, data, number(prior, "prior", positive=True))
    return PossibleParameters(
        robot,
        *names_and_units(columns),
        found.chi,
        own_figures(assembly.robot, columns),
        float(np.sqrt(found.cost / data.rows)),
        float(np.sqrt(found.free_cost / data.rows)),
        found.rank,
        found.smallest,
        found.at_border,
    )
