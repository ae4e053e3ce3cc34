"""What the search for closed forms asks of a machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.topology.topology import Topology

State = tuple[np.ndarray, Configuration]
"""A platform pose, and coordinates of every link."""


class Machine(Protocol):
    """An assembly has all this, and so has a machine that is cut elsewhere."""

    @property
    def topology(self) -> Topology:
        """Trees and the joints that close them."""

    @property
    def length(self) -> float:
        """Its size [m]."""

    @property
    def home(self) -> Configuration:
        """Coordinates at home."""

    @property
    def start(self) -> State:
        """The regular state whose branch is meant."""

    @property
    def samples(self) -> Sequence[State]:
        """Assembled states around home."""

    @property
    def regular_samples(self) -> Sequence[State]:
        """Those that are regular."""

    def equations(self, T_0p: np.ndarray, configuration: Configuration) -> Equations:
        """Closure equations at a state."""
