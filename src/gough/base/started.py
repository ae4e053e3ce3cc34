"""When this process began to load the library."""

from time import time_ns

STARTED = time_ns()
"""Time of the first import of any part of the library [ns since the epoch]."""
