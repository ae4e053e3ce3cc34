"""Possible parameters: bodies that can exist, as near to efforts as those that cannot."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.optimize import least_squares, minimize

import gough
from cases import loaded, motion
from gough.dynamics.shared.standard import OF_BODIES, named_parameters
from gough.errors import DescriptionError, InputError
from gough.identification.compressed import compress
from gough.identification.possible import _Bracket, fit_possible
from gough.identification.pseudo_inertia import pseudo_inertia, standard_ten
from robots import relative, robot

NAMES = ["five_bar", "delta", "gough_stewart"]
STATES = 300


@cache
def bench(name: str, noise: float, seed: int = 5) -> tuple[gough.Regressor, np.ndarray, np.ndarray]:
    """Regressor of a motion, parameters of a machine off its description, its efforts."""
    rng = np.random.default_rng(seed)
    W = gough.regressor(robot(name), motion(name, STATES, 0.05))
    heavier = {part: rng.uniform(0.8, 1.25) for part in {n.rpartition(".")[0] for n in W.names}}
    chi = np.array([x * heavier[n.rpartition(".")[0]] for n, x in zip(W.names, W.chi, strict=True)])
    tau = W.W @ chi
    rubbing = {"viscous": 0.2, "coulomb": 0.3, "rotor": 0.1}
    for k, n in enumerate(W.names):
        size = np.abs(W.W[:, :, k]).max()
        if n.rpartition(".")[2] in rubbing and size:
            chi[k] = rubbing[n.rpartition(".")[2]] * np.abs(tau).max() / size
    tau = W.W @ chi
    return W, chi, tau + noise * tau.std(axis=0) * rng.normal(size=tau.shape)


@cache
def found(name: str, noise: float) -> gough.PossibleParameters:
    W, _, tau = bench(name, noise)
    return gough.possible_parameters(robot(name), W.names, W.W, tau)


def pseudo_inertias(answer: gough.PossibleParameters) -> dict[str, np.ndarray]:
    values = answer.values
    bodies = {n.partition(".")[0]: None for n in answer.names if n.endswith(".Ixx")}
    return {b: pseudo_inertia(np.array([values[f"{b}.{f}"] for f in OF_BODIES])) for b in bodies}


@pytest.mark.parametrize("name", NAMES)
def test_every_body_can_exist_where_least_squares_find_some_that_cannot(name):
    W, _, tau = bench(name, 0.02)
    free = replace(found(name, 0.02), chi=compress(W.W, tau).free()[0])
    assert min(np.linalg.eigvalsh(J)[0] for J in pseudo_inertias(free).values()) < 0.0
    for body, J in pseudo_inertias(found(name, 0.02)).items():
        assert np.linalg.eigvalsh(J)[0] > 0.0, body
    axes = [n for n in W.names if n.endswith(("viscous", "coulomb", "rotor"))]
    assert min(found(name, 0.02).values[n] for n in axes) > 0.0


@pytest.mark.parametrize("name", NAMES)
def test_efforts_with_noise_are_explained_as_well_as_by_impossible_bodies(name):
    answer = found(name, 0.02)
    # the free fit takes away more noise: it has more freedom, by its rank among the rows
    rows = STATES * len(robot(name).motors)
    overfit = 1.0 / np.sqrt(1.0 - answer.shown / rows) - 1.0
    assert 0.0 < answer.increase < 0.006 + overfit
    _, chi, _ = bench(name, 0.02)
    W = bench(name, 0.02)[0].W
    tau = W @ chi
    # noise of 2 %, averaged over far more rows than parameters
    assert np.sqrt(np.mean((W @ answer.chi - tau) ** 2)) < 0.02 * tau.std(axis=0).max()


@pytest.mark.parametrize("name", NAMES)
def test_efforts_without_noise_are_explained_exactly(name):
    W, chi, _ = bench(name, 0.0)
    # the prior's weight counts noise of 1e-7; slender rods are on the border, which it keeps off
    assert relative(W.W @ found(name, 0.0).chi, W.W @ chi) < 1e-7


@pytest.mark.parametrize("name", NAMES)
def test_the_robot_with_possible_parameters_has_their_efforts(name):
    answer, W = found(name, 0.02), bench(name, 0.02)[0]
    state = motion(name, STATES, 0.05)[:20]
    chi = np.where([n.endswith("offset") for n in W.names], 0.0, answer.chi)
    tau = gough.inverse_dynamics(answer.identified(), state)
    assert relative(tau, W.W[:20] @ chi) < 1e-12  # rounding of centres and back


def test_what_efforts_do_not_show_stays_as_described():
    r = robot("five_bar")
    W, _, _ = bench("five_bar", 0.02)
    silent = gough.possible_parameters(r, W.names, np.zeros((4, len(W.names))), np.zeros(4))
    assert silent.shown == 0
    assert silent.at_border == ()
    # but for thin bodies, which are given a thousandth of their second moment, and zero friction
    assert np.allclose(silent.chi, W.chi, rtol=0.0, atol=2e-3 * np.abs(W.chi).max())
    # a planar machine shows no product of inertia out of its plane; the body around it may differ
    products = [W.names.index(f"dist1.{figure}") for figure in ("Ixz", "Iyz")]
    assert not W.W[:, :, products].any()
    assert np.abs(found("five_bar", 0.02).chi[products]).max() < 1e-9


def test_slender_rods_are_at_the_border_where_efforts_show_it():
    rods = {b.name for b in robot("delta").bodies if np.linalg.eigvalsh(b.inertia)[0] < 1e-12}
    assert set(found("delta", 0.0).at_border) == rods
    assert found("gough_stewart", 0.0).at_border == ()


def test_a_body_that_data_make_impossible_is_at_the_border():
    r = robot("five_bar")
    W, chi, _ = bench("five_bar", 0.0)
    chi = chi.copy()
    wrong = {n: -abs(chi[W.names.index(n)]) for n in ("foot1.viscous", "foot2.coulomb")}
    for name, value in wrong.items():
        chi[W.names.index(name)] = value
    answer = gough.possible_parameters(r, W.names, W.W, W.W @ chi)
    assert set(wrong) <= set(answer.at_border)
    assert answer.rms > 100.0 * answer.free_rms
    # bars whose efforts are those of negative inertia
    heavy = {"dist1.Izz": -0.3, "dist2.Izz": -0.3}
    chi = bench("five_bar", 0.0)[1].copy()
    for name, value in heavy.items():
        chi[W.names.index(name)] = value
    answer = gough.possible_parameters(r, W.names, W.W, W.W @ chi)
    assert {"dist1", "dist2"} & set(answer.at_border)
    assert all(np.linalg.eigvalsh(J)[0] > 0.0 for J in pseudo_inertias(answer).values())


def test_newton_finds_the_minimum_that_log_cholesky_finds():
    r = robot("five_bar")
    W, _, tau = bench("five_bar", 0.02)
    names = [n for n in W.names if n.startswith(("dist1.", "prox1."))]
    at = [W.names.index(n) for n in names]
    rest = np.setdiff1d(np.arange(len(W.names)), at)
    data = compress(W.W[..., at], tau - W.W[..., rest] @ bench("five_bar", 0.0)[1][rest])
    columns = named_parameters(r, names)
    assembly = r.assembly
    bracket, strong = _Bracket(assembly, columns), 1e4
    newton = fit_possible(assembly, columns, data, prior=strong)
    weight = newton.weight

    def chi_of(theta: np.ndarray) -> np.ndarray:
        # L: upper triangle with exponentials on its diagonal; J = L L^T (Rucker and Wensing 2022)
        parts = []
        for ten in theta.reshape(2, 10):
            L = np.zeros((4, 4))
            L[np.triu_indices(4)] = ten
            np.fill_diagonal(L, np.exp(np.diag(L)))
            parts.append(standard_ten(L @ L.T))
        return np.concatenate(parts)[order]

    listed = [f"{b}.{f}" for b in bracket.bodies for f in OF_BODIES]
    order = [listed.index(n) for n in names]

    def cost(theta: np.ndarray) -> float:
        chi = chi_of(theta)
        return data.cost(chi) / 2.0 + weight * bracket.value(chi, bracket.factors(chi))

    start = []
    for J in bracket.pseudo_inertias(bracket.described):
        L = np.linalg.cholesky(J[::-1, ::-1])[::-1, ::-1]
        start.append(np.where(np.eye(4), np.log(np.abs(L) + 1e-300), L)[np.triu_indices(4)])
    there = minimize(cost, np.concatenate(start), method="BFGS", options={"gtol": 1e-9})
    at_end = bracket.value(newton.chi, bracket.factors(newton.chi))
    ours = data.cost(newton.chi) / 2.0 + weight * at_end
    assert ours <= there.fun + 1e-12 * abs(there.fun)
    assert ours == pytest.approx(there.fun, rel=1e-6)  # finite differences end there
    assert relative(chi_of(there.x), newton.chi) < 1e-4


def test_steps_are_those_of_the_exact_gradient_and_hessian():
    r = robot("delta")
    columns = named_parameters(r, bench("delta", 0.0)[0].names)
    bracket = _Bracket(r.assembly, columns)
    rng = np.random.default_rng(2)
    factor = {part: rng.uniform(0.7, 1.4) for part in [p.part for p in columns]}
    chi = bracket.described * [factor[p.part] for p in columns]  # possible as well

    def value(step: np.ndarray) -> float:
        return bracket.value(chi + step, bracket.factors(chi + step))

    C, g = bracket.rows(chi, bracket.factors(chi))
    for _ in range(5):
        d = rng.normal(size=len(chi)) * bracket.described
        h = 1e-5 / np.linalg.norm(C @ d)
        up, here, down = value(h * d), value(0.0 * d), value(-h * d)
        assert (up - down) / (2.0 * h) == pytest.approx((C.T @ g) @ d, rel=1e-4)
        assert (up - 2.0 * here + down) / h**2 == pytest.approx((C @ d) @ (C @ d), rel=1e-2)


def test_a_description_ten_times_too_light_is_left_behind():
    r = robot("five_bar")
    W, chi, _ = bench("five_bar", 0.0)
    answer = gough.possible_parameters(r, W.names, W.W, 10.0 * W.W @ chi)
    assert relative(W.W @ answer.chi, 10.0 * W.W @ chi) < 1e-6  # as without noise


def test_massless_bodies_stay_massless():
    r, body = robot("five_bar"), "dist1"
    light = (gough.Body(b.name, massless=True) if b.name == body else b for b in r.bodies)
    r = replace(r, bodies=tuple(light))
    with pytest.raises(InputError, match="massless"):
        gough.possible_parameters(r, [f"{body}.m"], np.ones((3, 1)), np.ones(3))
    with pytest.raises(InputError, match="massless"):
        gough.with_parameters(r, {f"{body}.m": 1.0})
    assert gough.with_parameters(r, {f"{body}.m": 0.0}) == r


def test_own_parameters_make_the_same_robot():
    for name in NAMES:
        r = loaded(name)
        W = gough.regressor(r, motion(name))
        same = gough.with_parameters(r, dict(zip(W.names, W.chi, strict=True)))
        assert relative(gough.inverse_dynamics(same, motion(name)), W.tau[0]) < 1e-12


def test_rotors_and_springs_go_where_they_are_described():
    gear = gough.Transmission(ratio=10.0)
    r = robot("five_bar")
    motor = gough.Axis(transmission=gear, motor=gough.Motor(rotor_inertia=1e-4))
    geared = gough.Axis(transmission=replace(gear, motor_inertia=1e-4))
    plain = gough.Axis(transmission=gear, spring=gough.Spring(2.0, rest=0.1))
    for axis in (motor, geared, plain):
        joints = tuple(replace(j, axes=(axis,)) if j.name == "foot1" else j for j in r.joints)
        changed = gough.with_parameters(replace(r, joints=joints), {"foot1.rotor": 0.05})
        assert changed.axis("foot1").reflected_inertia == pytest.approx(0.05)
        assert changed.axis("foot1").transmission.ratio == 10.0
    assert motor.motor is not None
    stiffer = gough.with_parameters(replace(r, joints=joints), {"foot1.stiffness": 4.0})
    assert stiffer.axis("foot1").spring == gough.Spring(4.0, rest=0.05)
    none = {"foot1.stiffness": 0.0, "foot1.stiffness_rest": 0.0}
    assert gough.with_parameters(replace(r, joints=joints), none).axis("foot1").spring is None
    with pytest.raises(InputError, match="without a stiffness"):
        gough.with_parameters(r, {"foot1.stiffness_rest": 1.0})


def test_parameters_that_no_body_has_are_refused():
    r = robot("five_bar")
    with pytest.raises(DescriptionError, match="dist1"):
        gough.with_parameters(r, {"dist1.m": -1.0})
    with pytest.raises(DescriptionError, match=r"bodies\.dist1\.inertia"):
        gough.with_parameters(r, {"dist1.Izz": 0.0})
    with pytest.raises(InputError, match=r"foot1\.viscous must not be negative"):
        gough.with_parameters(r, {"foot1.viscous": -0.1})
    with pytest.raises(InputError, match=r"dist1\.mass"):
        gough.with_parameters(r, {"dist1.mass": 1.0})


def test_rows_are_compressed_without_loss():
    rng = np.random.default_rng(0)
    W, tau, chi = rng.normal(size=(9000, 7)), rng.normal(size=9000), rng.normal(size=7)
    data = compress(W, tau)
    assert data.R.shape == (7, 7)
    assert data.cost(chi) == pytest.approx(np.sum((W @ chi - tau) ** 2), rel=1e-12)
    best = least_squares(lambda x: W @ x - tau, np.zeros(7), jac=lambda _: W)
    assert data.free()[1] == pytest.approx(2.0 * best.cost, rel=1e-12)
