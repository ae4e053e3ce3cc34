"""float32 is taken at its own precision: the same verdict by every engine, single or in a batch."""

import numpy as np
import pytest

import gough
from gough.errors import InconsistentPose, InconsistentTwist, UnreachablePose
from gough.mechanism.closure.solution import RightSide
from robots import robot

# A constraint that depends on the pose, a nacelle, a fixed one, a plane, six freedoms
ROBOTS = ("tilt_3rps", "h4", "delta", "three_rrr", "gough_stewart")
# float32 has steps of 1.2e-7; the worst motion of the zoo makes three of it
SAME = 2e-6


def _state(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """An exact state beside home, in motion."""
    assembly, rng = robot(name).assembly, np.random.default_rng(7)
    T, configuration = assembly.regular_samples[-1]
    solution = assembly.solution(assembly.equations(T, configuration))
    wishes = rng.normal(size=(2, assembly.mobility)) * assembly.scales.freedoms
    V = np.asarray(solution.complete(3.0 * wishes[0]))
    rates = solution.rates(V)
    biases = RightSide(*solution.equations.biases(V, rates.hub, rates.legs))
    return T, V, np.asarray(solution.complete(10.0 * wishes[1], biases))


@pytest.mark.parametrize("which", ["sss", "dss", "sdd", "dsd", "dds"])
@pytest.mark.parametrize("name", ROBOTS)
def test_efforts_are_those_of_the_exact_state(name, which):
    r, state = robot(name), _state(name)
    with gough.options(engine="numpy"):
        exact = gough.inverse_dynamics(r, gough.State(*state))
    given = [x.astype(np.float32) if p == "s" else x for p, x in zip(which, state, strict=True)]
    for engine in ("numpy", "compiled"):
        for lead in ((), (2,)):
            batch = [np.broadcast_to(x, lead + x.shape) for x in given]
            with gough.options(engine=engine):
                tau = gough.inverse_dynamics(r, gough.State(*batch))
            assert np.abs(tau - exact).max() < SAME * np.abs(exact).max()


@pytest.mark.parametrize("name", ["tilt_3rps", "three_rrr"])
def test_every_door_takes_it(name):
    r = robot(name)
    T, V, Vdot = (x.astype(np.float32) for x in _state(name))
    tau = gough.inverse_dynamics(r, gough.State(T, V, Vdot))
    gough.forward_dynamics(r, gough.State(T, V), tau)
    gough.inverse_kinematics(r, T), gough.motor_rates(r, gough.State(T, V))
    gough.motor_accelerations(r, gough.State(T, V, Vdot)), gough.posture(r, gough.State(T, V, Vdot))
    (
        gough.energy(r, gough.State(T, V)),
        gough.inertia_matrix(r, T),
        gough.bias_wrench(r, gough.State(T, V)),
    )
    gough.jacobian(r, T), gough.leg_jacobians(r, T), gough.reciprocal_screws(r, T)
    gough.influence_coefficients(r, T), gough.partial_screws(r, T)
    gough.kinematic_coordinates(r, T), gough.inertia_matrix(r, T, by="columns")
    (
        gough.cartesian_dynamics(r, gough.State(T, V, Vdot)),
        gough.implicit_model(r, gough.State(T, V, Vdot)),
    )
    gough.motor_accelerations(
        r, gough.forward_dynamics(r, gough.State(T, V), np.zeros(len(r.motors)))
    )
    gough.reactions(r, gough.State(T, V, Vdot)), gough.observe(r, gough.State(T, V, Vdot))
    gough.simulate(r, gough.State(T, V), t_end=0.002), gough.singularities(r, T)
    assert gough.audit(r, gough.State(T, V, Vdot)).passed


def test_more_than_rounding_is_refused_as_ever():
    r = robot("tilt_3rps")
    T, V, Vdot = (x.astype(np.float32) for x in _state("tilt_3rps"))
    for engine in ("numpy", "compiled"):
        with pytest.raises(InconsistentTwist), gough.options(engine=engine):
            gough.inverse_dynamics(r, gough.State(T, V + np.float32(1e-4), Vdot))
        with pytest.raises(InconsistentTwist, match="rate"), gough.options(engine=engine):
            gough.inverse_dynamics(r, gough.State(T, V, Vdot + np.float32(1e-2)))
        moved = T.copy()
        moved[0, 3] += np.float32(1e-3)
        with pytest.raises((InconsistentPose, UnreachablePose)), gough.options(engine=engine):
            gough.inverse_dynamics(r, gough.State(moved, V, Vdot))
    exact = _state("tilt_3rps")
    with pytest.raises(InconsistentTwist):  # double precision is held to its own
        gough.inverse_dynamics(r, gough.State(exact[0], exact[1] + 3e-7, exact[2]))
