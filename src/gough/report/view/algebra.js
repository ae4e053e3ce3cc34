// Vectors of three numbers, poses, and singular values.  Knows no robot.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const norm = (a) => Math.sqrt(dot(a, a));
const unit = (a) => times(a, 1 / (norm(a) || 1));

/** Two unit vectors across a unit axis: a right-handed triad. */
function across(axis) {
  const sizes = axis.map(Math.abs);
  const e = [0, 0, 0];
  e[sizes.indexOf(Math.min(...sizes))] = 1;
  const x = unit(sub(e, times(axis, dot(e, axis))));
  return [x, cross(axis, x)];
}

/** A body's pose is a row of twelve numbers: rotation by rows, then position. */
const turned = (T, v) => [
  T[0] * v[0] + T[1] * v[1] + T[2] * v[2],
  T[3] * v[0] + T[4] * v[1] + T[5] * v[2],
  T[6] * v[0] + T[7] * v[1] + T[8] * v[2],
];
const placed = (T, v) => add(turned(T, v), [T[9], T[10], T[11]]);
const STILL = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

/** Singular values of a matrix given by its columns, largest first (one-sided Jacobi). */
function singularValues(columns) {
  const a = columns.map((column) => Float64Array.from(column));
  const n = a.length;
  const inner = (x, y) => x.reduce((sum, value, k) => sum + value * y[k], 0);
  for (let sweep = 0; sweep < 30; sweep++) {
    let turned = false;
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++) {
        const alpha = inner(a[i], a[i]), beta = inner(a[j], a[j]), gamma = inner(a[i], a[j]);
        if (Math.abs(gamma) <= 1e-15 * Math.sqrt(alpha * beta) || gamma === 0) continue;
        turned = true;
        const zeta = (beta - alpha) / (2 * gamma);
        const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const c = 1 / Math.sqrt(1 + t * t), s = c * t;
        for (let k = 0; k < a[i].length; k++) {
          const x = a[i][k], y = a[j][k];
          a[i][k] = c * x - s * y;
          a[j][k] = s * x + c * y;
        }
      }
    if (!turned) break;
  }
  return a.map((column) => Math.sqrt(inner(column, column))).sort((x, y) => y - x);
}

/**
 * Orthonormal columns that span those given (Gram-Schmidt, twice for the digits).
 * Whatever is done to them is done to `also`, columns of another matrix.
 */
function orthonormal(columns, also = []) {
  const a = columns.map((column) => Float64Array.from(column));
  const b = also.map((column) => Float64Array.from(column));
  const inner = (x, y) => x.reduce((sum, value, k) => sum + value * y[k], 0);
  const take = (x, y, share) => x.forEach((_, k) => (x[k] -= share * y[k]));
  for (let i = 0; i < a.length; i++) {
    for (let again = 0; again < 2; again++)
      for (let j = 0; j < i; j++) {
        const share = inner(a[i], a[j]);
        take(a[i], a[j], share);
        if (b.length) take(b[i], b[j], share);
      }
    const size = Math.sqrt(inner(a[i], a[i])) || 1;
    a[i] = a[i].map((value) => value / size);
    if (b.length) b[i] = b[i].map((value) => value / size);
  }
  return [a, b];
}

/** What is left of columns outside the span of orthonormal ones. */
function outside(columns, span) {
  return columns.map((column) => {
    const left = Float64Array.from(column);
    for (const q of span) {
      const share = q.reduce((sum, value, k) => sum + value * left[k], 0);
      left.forEach((_, k) => (left[k] -= share * q[k]));
    }
    return left;
  });
}

/** Sign of the determinant of A^T B, both given by columns. */
function sameSign(A, B) {
  const n = A.length;
  const M = A.map((a) => B.map((b) => a.reduce((sum, value, k) => sum + value * b[k], 0)));
  let sign = 1;
  for (let i = 0; i < n; i++) {
    let p = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(M[k][i]) > Math.abs(M[p][i])) p = k;
    if (!M[p][i]) return 0;
    if (p !== i) [M[p], M[i], sign] = [M[i], M[p], -sign];
    sign *= Math.sign(M[i][i]);
    for (let k = i + 1; k < n; k++) {
      const share = M[k][i] / M[i][i];
      for (let j = i; j < n; j++) M[k][j] -= share * M[i][j];
    }
  }
  return sign;
}

/** Least squares: x with A x = b, a little damped; A is given by its columns. */
function leastSquares(A, b, damping) {
  const n = A.length;
  const inner = (x, y) => x.reduce((sum, value, k) => sum + value * y[k], 0);
  const M = A.map((a, i) => [...A.map((c, j) => inner(a, c) + (i === j ? damping : 0)), inner(a, b)]);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const share = M[k][i] / M[i][i];
      for (let j = i; j <= n; j++) M[k][j] -= share * M[i][j];
    }
  return M.map((row, i) => row[n] / row[i]);
}
