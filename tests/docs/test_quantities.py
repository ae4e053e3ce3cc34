"""The reference of quantities is what the rows of the table say."""

import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "quantity_table.py"


def test_the_page_is_up_to_date():
    command = [sys.executable, PAGE, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
