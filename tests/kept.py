"""Robots of the tests that are equal share what was worked out of one of them, kernels too.

Most tests describe a robot that another one has described already.  What is about a robot that
nobody has seen yet, or about one that goes, asks for the fixture ``strangers``.
"""

from __future__ import annotations

import functools

from gough.mechanism.mobility import twins

assembly_of = twins.assembly_of
"""As the library has it: an assembly for each robot, however equal."""

twins.assembly_of = functools.lru_cache(maxsize=128)(assembly_of)
