"""Large batches of an elasticity: what is fast is what the system of each posture says."""

import numpy as np
import pytest

import gough
from cases import motion
from elastic_machines import beams_and_bearings
from gough.elastic.batch import Batch
from gough.errors import InputError, UnreachablePose

COUNT = 70  # a batch is large from 64 on


@pytest.fixture(scope="module")
def machine():
    return beams_and_bearings("delta")


@pytest.fixture(scope="module")
def poses():
    return motion("delta", COUNT, 0.1).T_0p


def test_large_batches_are_lazy_and_the_same(machine, poses):
    e, few = gough.elasticity(machine, poses), gough.elasticity(machine, poses[:3])
    assert isinstance(e._solved, Batch)
    assert not isinstance(few._solved, Batch)
    size = np.abs(few.compliance).max()
    assert np.abs(e.compliance[:3] - few.compliance).max() < 1e-9 * size
    assert e.frequencies(5)[:3] == pytest.approx(few.vibrations(5).frequencies, rel=1e-9)
    assert few.frequencies(5) == pytest.approx(few.vibrations(5).frequencies)
    assert e.stiffness[:3] == pytest.approx(few.stiffness, rel=1e-7)
    assert e.parts == few.parts
    assert not e._solved._made.keys() - {0}  # parts are named by the first one
    assert e.deflection().platform[:3] == pytest.approx(few.deflection().platform, rel=1e-9)


def test_postures_out_of_reach(machine, poses):
    T = poses.copy()
    T[7, 2, 3] += 50.0
    with pytest.raises(UnreachablePose, match="sample 7"):
        gough.elasticity(machine, T)
    e = gough.elasticity(machine, T.reshape(7, 10, 4, 4), on_error="nan")
    assert list(e.failed) == [(0, 7)]
    assert isinstance(e.failed[0, 7], UnreachablePose)
    for values in (e.compliance, e.frequencies(2), e.stiffness, e.vibrations(2).frequencies):
        refused = np.isnan(values).reshape(7, 10, -1)
        assert refused[0, 7].all()
        assert refused.any(axis=-1).sum() == 1


def test_payloads_may_differ(machine, poses):
    loads = gough.Loads(payload=gough.Payload(np.linspace(0.1, 2.0, COUNT)))
    e = gough.elasticity(machine, poses[:1], loads=loads)
    one = gough.elasticity(machine, poses[0], loads=gough.Loads(payload=2.0))
    assert e.frequencies(3)[-1] == pytest.approx(one.frequencies(3), rel=1e-9)
    with pytest.raises(InputError, match="payload"):
        gough.elasticity(machine, poses, loads=gough.Loads(payload=gough.Payload(np.nan)))


def test_free_motors_hold_nothing(machine, poses):
    e = gough.elasticity(machine, poses, drives="free")
    with pytest.raises(InputError, match="its motors are free"):
        _ = e.compliance
    few = gough.elasticity(machine, poses[:2], drives="free")
    assert e.frequencies(4)[:2] == pytest.approx(few.vibrations(4).frequencies, rel=1e-9)
