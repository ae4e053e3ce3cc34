"""Robots of the zoo are made once: each keeps what was found about it, and its kernels."""

from functools import cache

import pytest

from gough.zoo import registry

_plain = cache(registry.load)


@pytest.fixture(autouse=True)
def one_robot_each(monkeypatch):
    def load(name, /, **parameters):
        return registry_load(name, **parameters) if parameters else _plain(name)

    registry_load = registry.load
    monkeypatch.setattr(registry, "load", load)
