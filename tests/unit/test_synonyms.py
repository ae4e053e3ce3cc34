"""Names that ``gough`` does not have lead to those that it has."""

import pytest

import gough
from gough.synonyms import _PUBLIC


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("direct_dynamics", "forward_dynamics"),
        ("fk", "forward_kinematics"),
        ("ik", "inverse_kinematics"),
        ("inverse_geometry", "inverse_kinematics"),
        ("IDM", "inverse_dynamics"),
        ("rnea", "inverse_dynamics"),
        ("SerialAxes", "State"),
        ("joint_accelerations", "motor_accelerations"),
        ("inverse_dynamcs", "inverse_dynamics"),
    ],
)
def test_the_error_names_the_right_one(name, public):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'.*gough\.{public}\b"):
        getattr(gough, name)


def test_all_that_is_meant_exists_and_nothing_public_is_a_synonym():
    for word, public in _PUBLIC.items():
        assert word not in gough.__all__
        found = gough
        for part in public.split("."):
            found = getattr(found, part)


def test_what_is_like_nothing_gets_no_advice():
    with pytest.raises(AttributeError) as caught:
        _ = gough.qwertzuiop
    assert str(caught.value) == "module 'gough' has no attribute 'qwertzuiop'"
