"""Controllers for simulated machines, and machines that differ from their models."""

from gough.simulation.control import Loop, Measured, computed_torque, joint_pd, perturbed

__all__ = ["Loop", "Measured", "computed_torque", "joint_pd", "perturbed"]
