"""Pictures of the page about identification.

``python docs/figures/identification.py``.  A five-bar in maximal coordinates (``tests/plants``),
whose friction rises towards standstill as no model of the library has it, is identified from one
run and predicted in another.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

import gough  # noqa: E402
from logging_plant import described, recorded  # noqa: E402

if __name__ == "__main__":
    logs = {run: recorded("five_bar", run).log(1, delay=0.0017) for run in ("fit", "other")}
    found = gough.identify(described("five_bar"), logs["fit"], validation=logs["other"])
    found.draw("efforts_validation").savefig(HERE / "identification_efforts.png", dpi=110)
    runs = ("curved", "curved_other")
    fit, other = (recorded("five_bar", run).log(1, delay=0.0017) for run in runs)
    found = gough.identify(described("five_bar"), fit, validation=other)
    found.draw("residuals").savefig(HERE / "identification_residuals.png", dpi=110)
