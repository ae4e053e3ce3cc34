"""Loads of a page: what acts besides what is set on it, as inputs of its programs, and in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import at_time, check_loads, load_inputs
from gough.dynamics.shared.loads import Loads, Payload, as_loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.mechanism.mobility.assembly import Assembly
from gough.report.view.computing import LOADED, packed
from gough.simulation.result import Simulation


class PageLoads:
    """Loads that a user gave, or those of a simulation.

    Args:
        assembly: the robot.
        played: what the page plays.
        loads: a :class:`gough.Loads` or a :class:`gough.LoadSchedule`; if absent, those of the
            simulation that is played.

    Attributes:
        given: the loads.
        variant: the model that takes them as inputs, a payload and gravity in any case.
    """

    def __init__(self, assembly: Assembly, played: Any, loads: Any) -> None:
        if loads is None and isinstance(played, Simulation):
            loads = played.loads
        self.assembly = assembly
        self.given: Loads | LoadSchedule = (
            loads if isinstance(loads, LoadSchedule) else as_loads(loads)
        )
        self.carries, self.variant = False, LOADED
        if loads is not None:  # whoever gives none may show a machine that no loads are known of
            known = check_loads(assembly, self.given)
            self.carries = known.has_payload
            self.variant = Variant.of(known, payload=True, parameters=LOADED.parameters)

    def to_dict(self) -> dict[str, Any]:
        """What acts at the beginning, on which bodies, and all of it in words; ready for JSON."""
        robot = self.assembly.robot
        bodies = [robot.base, *(body.name for body in robot.bodies)]
        return {
            "pushed": [bodies.index(name) for name in self.variant.pushed],
            "payload": self.carries,
            "at": {
                name: np.ravel(array).tolist() for name, (array, _) in self._inputs(0.0).items()
            },
            "words": [
                f"{heading}: {fact}" for heading, fact in self._lines() if heading != "loads"
            ],
        }

    def along(self, when: np.ndarray) -> dict[str, str]:
        """Those inputs that change, at times [s]; ready for JSON."""
        first = self._inputs(0.0)
        return {
            name: packed(array)
            for name, (array, core) in self._inputs(when).items()
            if array.ndim > core and (array != first[name][0]).any()
        }

    def _inputs(self, t: Any) -> dict[str, tuple[np.ndarray, int]]:
        """Inputs of the programs; without a payload one of no mass is where a typed one goes."""
        nothing = Payload(0.0, self.assembly.robot.platform_frame.position)
        return load_inputs(Loads((), nothing)) | load_inputs(at_time(self.given, t))

    def _lines(self) -> list[tuple[str, str]]:
        given = self.given
        if isinstance(given, Loads):
            parts = [*given.forces, *([given.payload] if given.payload is not None else [])]
            rest = (given.friction, given.rotors, given.smoothing)
            given = LoadSchedule(parts, *rest)
        return [line for line in given.lines() if line != ("loads", "none")]
