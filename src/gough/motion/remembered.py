"""Motions that know the arguments they were made from, so that a report can say them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import ParamSpec

import numpy as np

from gough.motion.motion import Motion

P = ParamSpec("P")


def remembered(make: Callable[P, Motion]) -> Callable[P, Motion]:
    """A maker of motions whose motions have its name and arguments in ``parameters``."""
    signature = inspect.signature(make)

    @wraps(make)
    def making(*args: P.args, **kwargs: P.kwargs) -> Motion:
        motion = make(*args, **kwargs)
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        known = {
            name: np.array(value) if isinstance(value, np.ndarray) else value
            for name, value in given.arguments.items()
            if name != "robot"
        }
        return replace(motion, parameters={"kind": make.__name__, **known})

    return making
