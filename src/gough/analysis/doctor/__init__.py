"""The doctor: findings about a robot as data and as sentences."""

from gough.analysis.doctor.consultation import doctor
from gough.analysis.doctor.diagnosis import Diagnosis
from gough.robot.finding import Finding

__all__ = ["Diagnosis", "Finding", "doctor"]
