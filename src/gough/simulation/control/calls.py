"""A controller's model: quantities computed again and again, with fixed arrays and loads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.base.batch import OnError
from gough.dynamics.answers.smoothing import STEP, coulomb_axes, one_an_axis, smoothing_speeds
from gough.dynamics.quantities.parameters import SMOOTHING
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import check_loads, load_inputs
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.evaluation.evaluator import Evaluator
from gough.evaluation.repeated import Repeated
from gough.mechanism.mobility.assembly import Assembly
from gough.modes.from_motors import state_from_motors
from gough.modes.stepper import Stepper, within_half_a_turn

_NEWTON_STEPS = 8  # from the pose of the sample before; each squares the error, so that 4 are usual
_ENOUGH = 1e-11  # error before the last step, natural units: less than a kernel begins to doubt


def model_calls(
    assembly: Assembly, loads: Loads | LoadSchedule | None, weights: Any = None
) -> Calls:
    """A controller's model under loads that are known to it.

    Args:
        assembly: the robot as the controller knows it.
        loads: what acts on it; where no smoothing is given, Coulomb friction is smoothed as in the
            simulated machine.
        weights: of the motors, where there are more than freedoms.
    """
    given = check_loads(assembly, loads)
    follows = given.loads.friction and given.loads.smoothing is None
    rubs = coulomb_axes(assembly.robot) if follows else {}
    variant = Variant.of(given, weights=weights, parameters=(SMOOTHING,) if rubs else ())
    constants = {name: array for name, (array, _) in given.inputs.items()}
    if rubs:
        speeds = smoothing_speeds(assembly, rubs, STEP)
        constants[SMOOTHING] = one_an_axis(assembly.robot, speeds)
    return Calls(assembly, variant, constants, loads if isinstance(loads, LoadSchedule) else None)


class Calls:
    """Quantities of one model, made ready on first demand; for one thread at a time.

    Args:
        assembly: the robot.
        variant: which model.
        constants: loads and speeds by the names of kernels' inputs.
        schedule: how the loads among them change in time.
    """

    def __init__(
        self,
        assembly: Assembly,
        variant: Variant,
        constants: Mapping[str, np.ndarray],
        schedule: LoadSchedule | None = None,
    ) -> None:
        self.assembly, self.variant, self.constants = assembly, variant, constants
        self.schedule = schedule
        self._ready: dict[tuple[str, int], Repeated] = {}
        self._steppers: dict[int, Stepper] = {}

    def fresh(self) -> Calls:
        """The same model, with other arrays."""
        return Calls(self.assembly, self.variant, self.constants, self.schedule)

    def __getstate__(self) -> dict[str, Any]:
        # arrays that kernels are bound to stay here
        return {**vars(self), "_ready": {}, "_steppers": {}}

    def smoothed(self, speeds: Mapping[str, float]) -> Calls:
        """The same model with other speeds over which Coulomb friction is smoothed.

        Unchanged if the speeds are no inputs: the loads of the model have their own smoothing.
        """
        if SMOOTHING not in self.constants:
            return self
        own = dict(zip(self.assembly.robot.axis_names, self.constants[SMOOTHING], strict=True))
        wider = {SMOOTHING: one_an_axis(self.assembly.robot, {**own, **speeds})}
        return Calls(self.assembly, self.variant, {**self.constants, **wider}, self.schedule)

    def __call__(self, quantity: str, t: Any = 0.0, **arrays: np.ndarray) -> list[np.ndarray]:
        """Answers for N machines; the error of a single machine, NaN for one of several.

        Args:
            quantity: which one.
            t: time of the loads that the model knows [s].
            **arrays: inputs by name, ``(N, ...)``.
        """
        key = (quantity, len(next(iter(arrays.values()))))
        if key not in self._ready:
            evaluator = Evaluator(self.assembly, quantity, self.variant)
            self._ready[key] = Repeated(evaluator, key[1], self.constants)
        ready = self._ready[key]
        if self.schedule is not None:
            for name, (array, _) in load_inputs(self.schedule.at(t)).items():
                if name in ready.inputs:
                    ready.inputs[name][...] = array
        return ready(**arrays)

    def pose(self, q: np.ndarray, near: np.ndarray) -> np.ndarray:
        """Poses ``(N, 4, 4)`` from motor positions, by Newton's steps from a pose nearby.

        Where steps cannot be trusted NumPy decides: the pose, or the error.
        """
        count = len(q)
        if count not in self._steppers:
            self._steppers[count] = Stepper(self.assembly, count, _NEWTON_STEPS)
        wound, stepper = within_half_a_turn(self.assembly, q), self._steppers[count]
        if count == 1:
            one = stepper.at_once(wound[0], near, _ENOUGH)
            if one is not None:
                return one.T_0p[None]
        with np.errstate(all="ignore"):
            found = stepper.run(wound, near, _ENOUGH)
        T = np.array(found.T_0p)
        for i in np.flatnonzero(~found.converged):
            alone: OnError = "raise" if count == 1 else "nan"  # of several only one stops
            guess = np.broadcast_to(near, (count, 4, 4))[i]
            T[i] = state_from_motors(self.assembly.robot, q[i], near=guess, on_error=alone).T_0p
        return T
