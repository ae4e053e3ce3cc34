"""Logs that are wrong are named; logs that are right are not."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough.errors import GoughError, InputError
from gough.identification.doubts import doubts_of, exchanged_columns
from gough.identification.run import run_of
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
    assert found(changed("tau", tau[:, [1, 0]]))[0].startswith(
        "log: columns are exchanged, efforts of arm1 and arm2; or positions of arm1 and arm2: "
    )
    in_other_units = found(replace(good(), tau=1e3 * tau))
    assert any("efforts in another unit" in each for each in in_other_units)


EXCHANGED = {
    # motors, and what is named where their positions or efforts are exchanged; of a Delta that is
    # built alike all round it is the same
    "five_bar": ((0, 1), "positions of foot1 and foot2", "efforts of foot1 and foot2"),
    "delta": ((0, 2), *["efforts of arm1 and arm3; or positions of arm1 and arm3"] * 2),
    "gough_stewart": ((1, 4), "positions of p2 and p5", "efforts of p2 and p5"),
}


@pytest.mark.parametrize("name", EXCHANGED)
@pytest.mark.parametrize("column", ["q_a", "tau"])
def test_columns_of_two_motors_that_are_exchanged_are_named_before_a_delay_is_sought(
    name, column, monkeypatch
):
    pair, *words = EXCHANGED[name]
    log = recorded(name, "fit").log(1, delay=0.0017)
    array = getattr(log, column).copy()
    array[:, pair] = array[:, pair[::-1]]

    def refuse(*_, **__):
        raise AssertionError("a delay was sought")

    monkeypatch.setattr("gough.identification.identify.find_delay", refuse)
    try:
        told = gough.identify(described(name), replace(log, **{column: array})).findings[0]
    except InputError as err:
        assert (name, column) == ("five_bar", "q_a")  # it cannot be there
        told = err.message
    assert told.startswith(f"log: columns are exchanged, {words[column == 'tau']}: ")


def test_positions_and_efforts_of_other_motors_may_be_exchanged():
    log = recorded("gough_stewart", "fit").log(1)
    wrong = replace(log, q_a=log.q_a[:, [1, 0, 2, 3, 4, 5]], tau=log.tau[:, [5, 1, 2, 3, 4, 0]])
    base = gough.base_parameters(described("gough_stewart"))
    (sentence,) = exchanged_columns(base, wrong, "log 2")
    assert "log 2: columns are exchanged, positions of p1 and p2 and efforts of p1 and p6: as" in (
        sentence
    )


@pytest.mark.parametrize("name", EXCHANGED)
def test_columns_of_right_logs_are_not_exchanged(name):
    base = gough.base_parameters(described(name))  # a fifth too heavy
    for which, several in (
        ("fit", ({}, {"noise": 0.1})),
        ("curved", ({"step": 1e-3}, {"delay": 0.02})),
    ):
        for wrong in several:
            log = recorded(name, which).log(1, **wrong)
            assert exchanged_columns(base, log, "log") == []
    log = recorded(name, "fit").log(1)
    signs = np.where(np.arange(log.tau.shape[1]) == 1, -1.0, 1.0)
    for wrong in (signs, 1e3, np.where(signs < 0.0, 0.0, 1.0)):  # sign, unit, not recorded
        assert exchanged_columns(base, replace(log, tau=wrong * log.tau), "log") == []


def test_a_delay_is_not_sought_on_and_on_where_none_is_best(monkeypatch):
    """Steps towards a delay shrink; efforts of other motors have none."""
    fits = []
    monkeypatch.setattr(
        "gough.identification.identify.run_of", lambda *a, **k: fits.append(1) or run_of(*a, **k)
    )
    monkeypatch.setattr("gough.identification.identify.exchanged_columns", lambda *_, **__: [])
    log = recorded("five_bar", "fit").log(1)
    result = gough.identify(described("five_bar"), replace(log, tau=log.tau[:, ::-1]))
    assert len(fits) <= 2
    assert result.delay == 0.0
    assert any("no delay is best" in sentence for sentence in result.findings)


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
