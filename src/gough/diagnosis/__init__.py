"""The doctor: findings about a robot as data and as sentences."""

from gough.diagnosis.consultation import doctor
from gough.diagnosis.diagnosis import Diagnosis
from gough.robot.finding import Finding

__all__ = ["Diagnosis", "Finding", "doctor"]
