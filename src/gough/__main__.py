"""``python -m gough``: the command line."""

from gough.cli import main

main()
