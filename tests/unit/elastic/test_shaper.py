"""Input shapers."""

import numpy as np
import pytest

import gough
from gough.errors import InputError


@pytest.mark.parametrize("kind", ["zv", "zvd", "zvdd"])
@pytest.mark.parametrize("damping", [0.0, 0.1, 0.6])
def test_nothing_is_left_at_its_own_frequency(kind, damping):
    shaper = gough.input_shaper(7.0, damping, kind)
    assert shaper.amplitudes.sum() == pytest.approx(1.0)
    assert shaper.residual(7.0, damping) == pytest.approx(0.0, abs=1e-12)
    assert (shaper.amplitudes > 0.0).all()


def test_known_figures():
    """Singer and Seering: half and half, half a period apart; then 1, 2, 1."""
    zv, zvd = gough.input_shaper(5.0), gough.input_shaper(5.0, kind="zvd")
    assert zv.times == pytest.approx([0.0, 0.1])
    assert zv.amplitudes == pytest.approx([0.5, 0.5])
    assert zvd.times == pytest.approx([0.0, 0.1, 0.2])
    assert zvd.amplitudes == pytest.approx([0.25, 0.5, 0.25])
    assert zvd.residual(5.5) < zv.residual(5.5) / 4.0


def test_several_frequencies():
    shaper = gough.input_shaper([5.0, 9.0], [0.0, 0.02])
    assert shaper.residual(5.0) == pytest.approx(0.0, abs=1e-12)
    assert shaper.residual(9.0, 0.02) == pytest.approx(0.0, abs=1e-12)
    assert len(shaper.times) == 4
    assert shaper.duration == pytest.approx(shaper.times[-1])


def test_a_shaped_step_does_not_ring():
    """An oscillator that follows the command: after the last impulse it rests."""
    frequency, zeta = 4.0, 0.05
    omega = 2.0 * np.pi * frequency
    shaper = gough.input_shaper(frequency, zeta)
    t = np.linspace(0.0, 1.0, 20001)
    wished = (t > 0.0).astype(float)
    command = shaper.shaped(t, wished)
    x, v, dt = 0.0, 0.0, t[1]
    for goal in command:
        v += dt * (omega**2 * (goal - x) - 2.0 * zeta * omega * v)
        x += dt * v
    assert abs(x - 1.0) < 2e-3
    assert abs(v) < 0.05


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"frequency": 0.0}, "frequency"),
        ({"frequency": 5.0, "damping": 1.0}, "nothing oscillates"),
        ({"frequency": 5.0, "kind": "zx"}, "kind is 'zx'"),
        ({"frequency": [5.0, 6.0, 7.0], "damping": [0.1, 0.2]}, "2 ratios for 3 frequencies"),
    ],
)
def test_refusals(arguments, match):
    with pytest.raises(InputError, match=match):
        gough.input_shaper(**arguments)


def test_shapers_without_end_are_refused():
    """Each frequency multiplies the impulses: 29 of them would take all memory."""
    with pytest.raises(InputError, match="536870912 impulses"):
        gough.input_shaper(np.arange(1.0, 30.0))
    with pytest.raises(InputError, match="no impulses"):
        gough.input_shaper([])


def test_commands_and_frequencies_are_numbers():
    shaper = gough.input_shaper(5.0)
    with pytest.raises(InputError, match="frequency is not an array of numbers"):
        shaper.residual("5 Hz")
    with pytest.raises(InputError, match="t is not an array of numbers"):
        shaper.shaped("now", [1.0])
    with pytest.raises(InputError, match="t does not grow"):
        shaper.shaped([0.0, 2.0, 1.0], [1.0, 2.0, 3.0])
