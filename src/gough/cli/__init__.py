"""The command line, and scenario files: one file a command or a few in ``commands``.

Errors go to stderr in three lines without a traceback; exit codes are 0 (done), 1 (refused),
2 (wrong usage), 130 (interrupted).  Facts go to stdout, as tables or with ``--json`` as data;
progress goes to stderr, and only to a terminal.  What is written appears whole or not at all, and
replaces what is there only with ``--force``.
"""

from gough.cli import commands
from gough.cli.app import app, main

__all__ = ["app", "commands", "main"]
