"""gough: the dynamics of parallel robots, exact, checked and fast.

Describe a parallel robot once, as bodies and joints, and get the motion of everything in it.
"""

from importlib import import_module
from typing import Any

from gough._version import __version__ as __version__
from gough.base import started as _started  # noqa: F401  notes the time


def _public() -> dict[str, tuple[str, str]]:
    """Where each public name is: the stub has a line ``from MODULE import NAME as PUBLIC``."""
    loader: Any = __spec__.loader
    text = loader.get_data(f"{__path__[0]}/__init__.pyi").decode()
    lines = [line.split() for line in text.splitlines() if line.startswith("from ")]
    return {public: (module, name) for _, module, _, name, _, public in lines}


_PUBLIC = _public()
__all__ = sorted(_PUBLIC)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is asked for first: ``import gough`` takes no time."""
    if name not in _PUBLIC:
        from gough.synonyms import unknown_name  # noqa: PLC0415  import gough takes no time

        raise unknown_name("gough", name, __all__)
    module, own = _PUBLIC[name]
    found = None if module == __name__ else getattr(import_module(module), own, None)
    globals()[name] = found = import_module(f"{module}.{own}") if found is None else found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
