"""Controllers for simulated machines, and machines that differ from their models."""

from gough.simulation.control.controllers import computed_torque, joint_pd
from gough.simulation.control.loop import Loop
from gough.simulation.control.perturbation import perturb
from gough.simulation.drive import Measured

__all__ = ["Loop", "Measured", "computed_torque", "joint_pd", "perturb"]
