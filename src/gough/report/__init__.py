"""What people see: pictures of robots, the sheet of a robot, the report of a motion.

A report is made of a ``course`` (motion and efforts, planned or simulated).  ``pictures``,
``reach``, ``motors``, ``bearings``, ``margins`` and ``tracking`` draw figures of it, ``gallery``
chooses among them, ``tidy`` keeps text off text, ``words`` says it in sentences, ``inputs`` what
went in, and ``page`` puts all of it into one file.  ``calibrated`` does the same for a calibration,
``identified`` for an identification; ``writing`` has what all pages share, ``drawing`` robots.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gough.report.sheet import Sheet, sheet
from gough.synonyms import unknown_name

if TYPE_CHECKING:
    from gough.report.calibrated.page import save_calibration_figures, write_calibration
    from gough.report.identified.page import save_identification_figures, write_identification
    from gough.report.page import save_figures, write_report

__all__ = [
    "Sheet",
    "save_calibration_figures",
    "save_figures",
    "save_identification_figures",
    "sheet",
    "write_calibration",
    "write_identification",
    "write_report",
]

_LATER = {
    "save_calibration_figures": "gough.report.calibrated.page",
    "save_figures": "gough.report.page",
    "save_identification_figures": "gough.report.identified.page",
    "write_calibration": "gough.report.calibrated.page",
    "write_identification": "gough.report.identified.page",
    "write_report": "gough.report.page",
}


def __getattr__(name: str) -> Any:
    """What needs the rooms of drawing and analysis is loaded when it is asked for."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise unknown_name("gough.report", name, __all__)
