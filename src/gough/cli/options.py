"""Options that several commands share, as one argument of theirs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any


def grouped(command: Callable[..., None], name: str, given: int = 0) -> Callable[..., None]:
    """A command that has the options of a function in the place of one of its arguments.

    Args:
        command: takes the function, which that argument has for a default, with its options filled
            in.
        name: of the argument.
        given: how many arguments of the function the command gives itself; they come first.
    """
    own = inspect.signature(command, eval_str=True).parameters
    find = own[name].default
    options = list(inspect.signature(find, eval_str=True).parameters.values())[given:]
    parameters = [p for mine in own.values() for p in (options if mine.name == name else [mine])]
    names = [option.name for option in options]

    @wraps(command)
    def wider(**given: Any) -> None:
        meant = {each: given.pop(each) for each in names}
        command(**{name: partial(find, **meant)}, **given)

    keywords = [p.replace(kind=p.KEYWORD_ONLY) for p in parameters]
    wider.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    wider.__annotations__ = {}  # the signature has them
    return wider
