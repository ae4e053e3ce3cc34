"""Least squares on the base columns, weighted by motors, and instrumental variables beside them.

    tau = W_b chi_b + noise,    chi_b = (W^T W)^-1 W^T tau,    chi_iv = (Z^T W)^-1 Z^T tau

with rows divided by the noise of their motor.  Noise of positions gets into W, and makes least
squares wrong and sure of it; instruments Z are columns of the same motion whose noise is another.

Values are those of noise that is independent from sample to sample; their covariance is not.
Drives report efforts with noise of low frequencies, and noise of positions, differentiated twice,
has high ones.  With U the weighted columns made orthonormal, errors of the parameters are
``U^T noise``, their covariance is ``U^T Sigma U``, and Sigma follows from the spectrum of the
residuals: in a log it is the same at all times, between logs there is no correlation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.fft import irfft, rfft

from gough.identification.filtering import (
    Filters,
    LogLines,
    LogRows,
    fading,
    kept_power,
    lines_of,
    parts_of,
    real_rows,
)

_ROUNDS = 20  # of weights; they settle in three or four
_SETTLED = 1e-4
_SHOWN = 1e-8  # singular values of scaled columns beside the largest: below, nothing is shown
_HIDDEN = 1e-6  # part of a parameter in directions that nothing shows
_EXACT = 1e-12  # noise of efforts beside their size: rounding, whatever the residuals say

_FEWEST = 12.0  # frequencies that decide one figure of a spectrum: it is known to 30 % then
_SUPPOSED = 0.5  # rows for each figure that would say: as before, and motors apart
_STEPS = 60  # towards powers that leave these residuals; five to ten are needed
_STEADY = 3e-4  # of the noise's power
_MOST = 1e4  # of the noise's power: no spectrum has so much, steps go away
# least power beside that of white noise, then beside that of the pass before: a steep spectrum, as
# that of differentiated noise, is flat beside this, and its weak frequencies are seen
_LEAST = (0.005, 0.1, 0.1)
_TAKEN = 0.01  # of a frequency by the fit; below, that this is fitted noise, too, does not count


class Rows(NamedTuple):
    """Rows of one or several runs, one an effort of a motor at a time.

    Attributes:
        W: base columns ``(N, p)``.
        tau: efforts less those of known loads ``(N,)`` [N m or N].
        motor: number of the motor of each row ``(N,)``.
        W_iv: base columns for instrumental variables ``(N, p)``.
        Z: their instruments ``(N, p)``.
        logs: which samples they are, log by log.
        independent: share of rows that are independent: below one where more motors than freedoms
            were projected on the efforts that move the robot.
    """

    W: np.ndarray
    tau: np.ndarray
    motor: np.ndarray
    W_iv: np.ndarray
    Z: np.ndarray
    logs: tuple[LogRows, ...]
    independent: float = 1.0

    @property
    def passed(self) -> float:
        """Share of noise that rows have, see ``Filters``."""
        return min(log.filters.passed for log in self.logs)


class NoiseSpectrum(NamedTuple):
    """Spectrum of the noise of rows, each in units of its motor's noise.

    Between knots ``power`` is interpolated, and logarithms of ``level`` are.

    Attributes:
        logs: of the rows.
        knots: frequencies, one being the highest that the samples show ``(m,)``.
        level: logarithm of the power beside that of white noise which was filtered ``(m, n)``.
        power: of the motors with each other, beside the level ``(m, n, n)``.
    """

    logs: tuple[LogRows, ...]
    knots: np.ndarray
    level: np.ndarray
    power: np.ndarray

    @property
    def white(self) -> NoiseSpectrum:
        """That of noise which was white before the filters."""
        m, n = self.level.shape
        return self._replace(level=np.zeros((m, n)), power=np.tile(np.eye(n), (m, 1, 1)))

    def covariance(self, parts: Iterable[LogLines]) -> np.ndarray:
        """Of sums of noise ``(q, q)``, by the transforms of the influence that rows have."""
        products = []
        for part in parts:
            amplitude, hats = self.shape(part.filters, len(part.lines))
            root = np.linalg.cholesky(np.einsum("fm,mij->fij", hats, self.power))
            root = np.swapaxes(root * amplitude[:, :, None], 1, 2).astype(part.lines.dtype)
            each = real_rows(root @ part.lines)
            products.append(each.T @ each)
        return np.asarray(sum(products), dtype=float)

    def neighbours(self) -> float:
        """Correlation of noise from one kept sample to the next, mean of all motors."""
        amplitude, hats = self.shape(self.logs[0].filters, 257)
        power = amplitude**2 * np.einsum("fm,mii->fi", hats, self.power)
        return float(np.mean(np.cos(np.linspace(0.0, np.pi, 257)) @ power / power.sum(axis=0)))

    def shape(self, filters: Filters, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Amplitudes of the level ``(count, n)``, and parts of the knots ``(count, m)``."""
        x = np.linspace(0.0, 1.0, count)
        hats = np.stack([np.interp(x, self.knots, own) for own in np.eye(len(self.knots))], axis=1)
        return np.sqrt(kept_power(filters, x)[:, None] * np.exp(hats @ self.level)), hats


class Estimate(NamedTuple):
    """Base parameters of rows.

    Attributes:
        values: by weighted least squares ``(p,)``; as described where nothing is shown.
        root: B with ``B B^T`` their covariance, directions that are shown alone ``(p, r)``.
        hidden: parameters with a part that the rows do not show ``(p,)``.
        noise: standard deviation of the efforts of each motor, in the band ``(n,)``.
        instrumental: the same parameters by instrumental variables ``(p,)``.
        spread: standard deviations of these ``(p,)``.
        factor: upper triangle R: what rows say is ``|R (chi_b - values)|^2``, in units of noise.
        spectrum: of the noise.
        widened: standard deviations beside those of independent noise ``(p,)``.
        condition: condition number of the weighted columns, scaled to unit size.
        worth: how many independent numbers of unit noise the rows are.
    """

    values: np.ndarray
    root: np.ndarray
    hidden: np.ndarray
    noise: np.ndarray
    instrumental: np.ndarray
    spread: np.ndarray
    factor: np.ndarray
    spectrum: NoiseSpectrum
    widened: np.ndarray
    condition: float
    worth: float

    @property
    def widened_by(self) -> float:
        """Standard deviations beside those of independent noise: usual of what is shown."""
        return float(np.median(self.widened[~self.hidden])) if not self.hidden.all() else 1.0

    @property
    def covariance(self) -> np.ndarray:
        """Of the values ``(p, p)``, directions that are shown alone."""
        return np.asarray(self.root @ self.root.T)


def estimate(rows: Rows, described: np.ndarray, motors: int) -> Estimate:
    """Base parameters that fit rows best, and how sure they are.

    Args:
        rows: of all runs.
        described: base parameters of the description, from which what is not shown does not move.
        motors: how many there are.
    """
    off = rows.tau - rows.W @ described
    sizes = np.linalg.norm(rows.W, axis=0)
    sizes[sizes == 0.0] = 1.0
    own = [rows.motor == j for j in range(motors)]
    W, W_iv, Z = rows.W / sizes, rows.W_iv / sizes, rows.Z / sizes
    off_iv = rows.tau - rows.W_iv @ described
    # a motor's rows as a small triangle with the same squares: weights change, these do not
    packed = [np.asarray(np.linalg.qr(np.column_stack([W[j], off[j]]), mode="r")) for j in own]
    count = rows.independent * np.array([j.sum() for j in own])
    largest = max(1e-300, float(np.abs(rows.tau).max(initial=0.0)))
    noise = np.array([np.linalg.norm(off[j]) for j in own]) / np.sqrt(np.maximum(count, 1))
    noise = np.maximum(noise, _EXACT * largest)
    for _ in range(_ROUNDS):
        weighted = np.concatenate([R / x for R, x in zip(packed, noise, strict=True)])
        U, s, Vt = np.linalg.svd(weighted[:, :-1], full_matrices=False)
        rank = int((s > _SHOWN * s[0]).sum())
        shown, V = s[:rank], Vt[:rank].T
        y = V @ ((U[:, :rank].T @ weighted[:, -1]) / shown)
        before = noise
        left = np.array([np.linalg.norm(R @ np.append(-y, 1.0)) for R in packed])
        # each motor loses its part of the degrees of freedom, by the leverage of its rows
        used = [
            (((R[:, :-1] @ V) / shown / x) ** 2).sum() for R, x in zip(packed, noise, strict=True)
        ]
        noise = np.maximum(left / np.sqrt(np.maximum(count - used, 1.0)), _EXACT * largest)
        if (np.abs(noise / before - 1.0) < _SETTLED).all():
            break
    inverse = V / shown / sizes[:, None]
    hidden = np.ones(len(sizes)) - (V**2).sum(axis=1) > _HIDDEN**2
    squares = 1.0 / noise**2
    ZW, ZZ, Zy = (
        sum(w * (Z[j].T @ other[j]) for w, j in zip(squares, own, strict=True))
        for other in (W_iv, Z, off_iv)
    )
    back = V @ np.linalg.pinv(V.T @ ZW @ V) @ V.T
    y_iv = back @ Zy
    spread = np.sqrt(np.maximum(np.diag(back @ ZZ @ back.T), 0.0)) / sizes
    each = noise[rows.motor][:, None]
    U = (W @ (V / shown)) / each
    left = np.column_stack([off - W @ y, off_iv - W_iv @ y_iv]) / each
    lines = [*lines_of(U, rows.logs)]
    spectrum, spectrum_iv = _spectra(U, lines, left, rows)
    # parameters are U^T tau, scaled: the root of their covariance is one of that of U^T noise
    C, C_iv = (_root(own.covariance(lines)) for own in (spectrum, spectrum_iv))
    factor = np.linalg.solve(C, (shown[:, None] * V.T) * sizes)
    white, deviations, deviations_iv = (
        np.maximum(np.linalg.norm(inverse @ own, axis=1), 1e-300)
        for own in (np.eye(len(shown)) / np.sqrt(rows.passed), C, C_iv)
    )
    return Estimate(
        described + y / sizes,
        inverse @ C,
        hidden,
        noise,
        described + y_iv / sizes,
        # instruments have the frequencies of the columns
        spread * deviations_iv / white / np.sqrt(rows.passed),
        np.asarray(np.linalg.qr(factor, mode="r")),
        spectrum,
        deviations / white,
        float(s[0] / s[-1]) if s[-1] > 0.0 else np.inf,
        float(rows.passed * count.sum()),
    )


def _root(covariance: np.ndarray) -> np.ndarray:
    """B with ``B B^T`` a covariance; its transforms are exact to 1e-6 of the largest."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 1e-6 * values[-1])))


def _spectra(
    U: np.ndarray, fitted: Sequence[LogLines], left: np.ndarray, rows: Rows
) -> list[NoiseSpectrum]:
    """Spectra of noise that leaves these residuals, one of each column.

    A fit takes part of the noise away, most of it at the frequencies of its columns.  Residuals are
    ``(1 - U U^T) noise``, so their powers at the knots are linear in those of the noise; these are
    found from them.  Where too few residuals are left to tell, noise is white before the filters.

    Args:
        U: columns that were fitted, made orthonormal ``(N, r)``.
        fitted: their transforms.
        left: residuals in units of noise ``(N, ...)``.
        rows: whose they are.
    """
    n = rows.logs[0].used.shape[1]
    free = (rows.independent * len(left) - U.shape[1]) / (2.0 * n)
    knots = [1.0]
    while free * knots[0] / 2.0 >= _FEWEST:
        knots.insert(0, knots[0] / 2.0)
    at = np.array([0.0, *knots])
    level, power = np.zeros((len(at), n)), np.zeros((len(at), n, n))
    white = NoiseSpectrum(rows.logs, at, level, power).white
    if free < _FEWEST:
        return [white] * left.shape[1]
    faded = lines_of(np.column_stack([U, left]), rows.logs, fade=True)
    parts = [
        _part(used, one, other)
        for (_, used, _), one, other in zip(parts_of(rows.logs), fitted, faded, strict=True)
    ]
    found = []
    for k in range(left.shape[1]):
        spectrum = white
        for least in _LEAST:
            level = spectrum.level + np.log(np.einsum("mii->mi", spectrum.power))
            spectrum = white._replace(level=np.maximum(level, np.log(_LEAST[0])))
            values, vectors = np.linalg.eigh(_powers(spectrum, parts, k))
            root = vectors * np.sqrt(np.maximum(values, least))[:, None, :]
            spectrum = spectrum._replace(power=root @ np.swapaxes(root, 1, 2))
        found.append(spectrum)
    return found


class _Part(NamedTuple):
    """What a spectrum is found from, of a log or a part of a long one; ends of it are faded.

    Attributes:
        filters: that it has passed.
        residuals: their transforms ``(F, n, ...)``.
        pairs: how many pairs of rows are so many samples apart ``(2 F - 2, n, n)``.
        H: products of the fitted columns at each frequency ``(F, n, n)``.
        much: frequencies of which the fit takes much.
        faded: transforms of the fitted columns there ``(F_much, n, r)``.
        Y: the same without fading.
        Y_Y: products of these ``(r, r)``.
    """

    filters: Filters
    residuals: np.ndarray
    pairs: np.ndarray
    H: np.ndarray
    much: np.ndarray
    faded: np.ndarray
    Y: np.ndarray
    Y_Y: np.ndarray


def _part(used: np.ndarray, fitted: LogLines, faded: LogLines) -> _Part:
    rank = fitted.lines.shape[2]
    U, residuals = faded.lines[:, :, :rank], faded.lines[:, :, rank:]
    size = 2 * (len(U) - 1)
    window = rfft(used * fading(len(used))[:, None], size, axis=0)
    pairs = irfft(window[:, :, None] * window[:, None, :].conj(), size, axis=0)
    H = (U @ np.swapaxes(U.conj(), 1, 2)).real.astype(float)
    much = np.einsum("fii->f", H) > _TAKEN * 2.0 * used.sum() / size
    Y = fitted.lines[much]
    flat = real_rows(Y)
    return _Part(fitted.filters, residuals, pairs, H, much, U[much], Y, flat.T @ flat)


def _powers(start: NoiseSpectrum, parts: Sequence[_Part], column: int) -> np.ndarray:
    """Powers at the knots, beside the level of ``start``, that leave a column of residuals.

    With Theta the powers, residuals have at knot m the power ``sum_l T_ml Theta_l - taken(Theta)``:
    T is what a log of this length with these gaps shows of a spectrum, and what was taken is
    ``H S + S H - U P U^H`` at each frequency, with ``H = U U^H`` and ``P = U^T Sigma U``.
    """
    shapes = [start.shape(part.filters, len(part.H)) for part in parts]
    m, n = start.level.shape
    T, R = np.zeros((n, n, m, m)), np.zeros((m, n, n))
    for part, (amplitude, hats) in zip(parts, shapes, strict=True):
        left = part.residuals[:, :, column] / amplitude
        R += np.einsum("fm,fi,fj->mij", hats, left, left.conj(), optimize=True).real
        for i in range(n):
            for j in range(i + 1):
                both = (amplitude[:, i] * amplitude[:, j])[:, None]
                asked, shown = (irfft(each, axis=0) for each in (hats / both, hats * both))
                T[i, j] += (asked * part.pairs[:, i, j, None]).T @ shown
                T[j, i] = T[i, j]
    # motors that never move at the same time show nothing of each other
    T += _SUPPOSED * np.eye(m)
    R += _SUPPOSED * start.power
    power = start.power
    for _ in range(_STEPS):
        before, taken, P = power, R.copy(), np.zeros_like(parts[0].Y_Y)
        spectra = []
        for part, (amplitude, hats) in zip(parts, shapes, strict=True):
            S = np.einsum("fm,mij->fij", hats, power) * (amplitude[:, :, None] * amplitude[:, None])
            spectra.append(S)
            P = P + real_rows(part.Y).T @ real_rows(S[part.much].astype(part.Y.dtype) @ part.Y)
        # of columns at other frequencies, noise is taken at its mean power there
        others = [~part.much for part in parts]
        mean = sum(np.sum(p.H[o] * S[o]) for p, S, o in zip(parts, spectra, others, strict=True))
        whole = sum(np.einsum("fii->", p.H[o]) for p, o in zip(parts, others, strict=True))
        P = P + mean / max(whole, 1e-300) * (np.eye(len(P)) - sum(part.Y_Y for part in parts))
        for part, (amplitude, hats), S in zip(parts, shapes, spectra, strict=True):
            off = 0.5 * (part.H @ S + S @ part.H)
            Y = part.faded
            fitted = ((Y @ P.astype(Y.dtype)) @ np.swapaxes(Y.conj(), 1, 2)).real
            off[part.much] = 2.0 * off[part.much] - fitted
            off /= amplitude[:, :, None] * amplitude[:, None]
            taken += np.einsum("fm,fij->mij", hats, off)
        power = np.moveaxis(np.linalg.solve(T, np.moveaxis(taken, 0, 2)[..., None])[..., 0], 2, 0)
        if np.abs(power - before).max() < _STEADY:
            return power
        if not np.abs(power).max() < _MOST:
            break
    # the fit has taken nearly all of some frequency: nothing is known of the noise there
    return start.power
