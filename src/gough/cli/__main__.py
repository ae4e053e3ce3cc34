"""``python -m gough.cli``."""

from gough.cli import main

main()
