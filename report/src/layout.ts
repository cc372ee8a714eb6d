// Places of topics, or of groups, on a plane: classical scaling of their Hellinger distances.

/** Affinity of two topics, from 0 to 1; `affinity` as in TopicSet. */
export function affinityOf(affinity: number[], a: number, b: number): number {
    if (a === b) return 1;
    const [high, low] = a > b ? [a, b] : [b, a];
    return affinity[(high * (high - 1)) / 2 + low] / 1000;
}

/** The leading eigenvector of a symmetric matrix, times the root of its eigenvalue. */
function leading(matrix: Float64Array, n: number, seed: number): Float64Array {
    let v = Float64Array.from({ length: n }, (_, i) => Math.sin((i + 1) * (seed + 1.3)));
    let value = 0;
    for (let step = 0; step < 100; step++) {
        const next = new Float64Array(n);
        for (let i = 0; i < n; i++) {
            let sum = 0;
            for (let j = 0; j < n; j++) sum += matrix[i * n + j] * v[j];
            next[i] = sum;
        }
        const length = Math.hypot(...next);
        if (length === 0) return next;
        let change = 0;
        for (let i = 0; i < n; i++) {
            next[i] /= length;
            change += Math.abs(next[i] - v[i]);
        }
        v = next;
        value = length;
        if (change < 1e-6) break;
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix[i * n + j] -= value * v[i] * v[j];
    return v.map((x) => x * Math.sqrt(value));
}

export function places(affinity: number[], n: number): { x: number; y: number }[] {
    if (n < 2) return [{ x: 0, y: 0 }];
    const squared = new Float64Array(n * n);
    const mean = new Float64Array(n);
    let all = 0;
    for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
            const d = 1 - affinityOf(affinity, i, j);
            squared[i * n + j] = d;
            mean[i] += d / n;
            all += d / (n * n);
        }
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) squared[i * n + j] = -0.5 * (squared[i * n + j] - mean[i] - mean[j] + all);
    const x = leading(squared, n, 1), y = leading(squared, n, 2);
    return Array.from({ length: n }, (_, i) => ({ x: x[i], y: y[i] }));
}

/** The same of distributions over topics. */
export function affinities(shares: number[][]): number[] {
    const roots = shares.map((s) => Float64Array.from(s, (x) => Math.sqrt(Math.max(0, x))));
    const affinity: number[] = [];
    for (let i = 1; i < roots.length; i++)
        for (let j = 0; j < i; j++) {
            let sum = 0;
            for (let k = 0; k < roots[i].length; k++) sum += roots[i][k] * roots[j][k];
            affinity.push(1000 * Math.min(1, sum));
        }
    return affinity;
}
