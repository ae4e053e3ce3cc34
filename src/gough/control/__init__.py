"""Controllers for simulated machines, and machines that differ from their models."""

from gough.control.controllers import computed_torque, joint_pd
from gough.control.loop import Loop
from gough.control.perturbed import perturbed
from gough.simulation.drive import Measured

__all__ = ["Loop", "Measured", "computed_torque", "joint_pd", "perturbed"]
