"""Logs that are wrong are named; logs that are right are not."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough.errors import GoughError
from gough.identification.doubts import doubts_of
from logging_plant import described, recorded
from robots import robot

NAME = "delta"


@cache
def good():
    return recorded(NAME, "fit").log(1)


def found(log, **options):
    return gough.identify(described(NAME), log, delay=0.0, **options).findings


def changed(column, values):
    array = getattr(good(), column).copy()
    array[:, : values.shape[1]] = values
    return replace(good(), **{column: array})


@pytest.mark.parametrize("name", ["five_bar", "delta", "gough_stewart"])
@pytest.mark.parametrize(("step", "noise"), [(0.0, 0.0), (1e-5, 0.02), (1e-3, 0.02)])
def test_nothing_is_wrong_with_good_logs(name, step, noise):
    for which in ("fit", "other", "curved"):
        log = recorded(name, which).log(1, step=step, noise=noise)
        assert doubts_of(robot(name), log, "log") == []


def test_outliers_and_frozen_encoders():
    tau, q = good().tau, good().q_a
    far = tau[:, :1].copy()
    far[[300, 700]] += 100.0 * tau[:, 0].std()
    (sentence,) = doubts_of(robot(NAME), changed("tau", far), "log")
    assert "effort of arm1: 2 samples stand out" in sentence
    assert "t = 1.2 s and 2.8 s" in sentence
    frozen = q[:, :1].copy()
    frozen[500:560] = frozen[500]
    (sentence,) = doubts_of(robot(NAME), changed("q_a", frozen), "log 2")
    assert sentence.startswith("log 2, position of arm1: 59 samples repeat")
    assert "outliers='drop'" not in sentence  # that is of motions
    assert any("stand out" in each for each in found(changed("tau", far)))


def test_efforts_at_the_limit_of_a_drive():
    tau = good().tau
    limit = float(np.quantile(tau[:, 0], 0.9))
    (sentence,) = doubts_of(robot(NAME), changed("tau", np.minimum(tau[:, :1], limit)), "log")
    assert "never beyond, in 10 % of the samples" in sentence
    rounded = np.round(tau[:, :1], 1)  # few digits are no limit
    assert doubts_of(robot(NAME), changed("tau", rounded), "log") == []


def test_columns_of_another_sign_unit_or_motor():
    tau = good().tau
    assert not any("columns" in each or "column" in each for each in found(good()))
    assert any(
        each.startswith("arm1: measured efforts go against")
        for each in found(changed("tau", -tau[:, :1]))
    )
    assert any(
        each.startswith("arm1 and arm2: each has the efforts")
        for each in found(changed("tau", tau[:, [1, 0]]))
    )
    in_other_units = found(replace(good(), tau=1e3 * tau))
    assert any("efforts in another unit" in each for each in in_other_units)


def test_positions_in_degrees_are_told():
    """Angles of 14 to 57 rad are no place of this machine."""
    with pytest.raises(GoughError, match=r"log 2: the machine cannot be .* begins with arm1 at"):
        found([good(), replace(good(), q_a=np.degrees(good().q_a))])


def test_a_payload_that_is_another_contradicts_the_log_without_it():
    loaded = recorded(NAME, "loaded").log(2, loads=gough.Loads(payload=0.3))  # it has 1 kg
    result = gough.identify(robot(NAME), [good(), loaded], delay=0.0)
    sentences = [each for each in result.findings if "worse than by the description" in each]
    assert sentences[0].startswith("Efforts of log 1")
    assert "contradict each other" in sentences[0]
