"""The program, run inside the tests."""

import sys

import pytest

import gough.zoo.makers  # makes robots by the real one, with other parameters
from gough.cli import main
from gough.zoo import registry
from robots import robot


@pytest.fixture
def gough(request, monkeypatch, capsys, tmp_path):
    """Runs the program in a folder of its own: exit code, stdout, stderr.

    A module about one command names it once, as ``COMMAND``.
    """
    monkeypatch.chdir(tmp_path)
    # a robot keeps what was found about it, and its kernels
    monkeypatch.setattr(registry, "load", robot)
    command = getattr(request.module, "COMMAND", ())

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["gough", *command, *map(str, words)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capsys.readouterr()
        return done.value.code or 0, out, err

    return run
