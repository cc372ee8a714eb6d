/* prior/psi_kernel.h - psi.c for documents side by side, included once per instruction set with GB_PSI_KERNEL naming the
 * table.
 *
 * Eight documents are the lanes of a vector and take each coordinate together, so a chunk is kept by coordinate.  Sums of
 * exp(psi) are kept as s exp(m), m the largest psi in it and 1 <= s <= K: nothing overflows or cancels wherever the psi
 * are.  C of coordinate t is such a sum of the new values before t, joined with one of the old values behind it, which
 * is made before the first coordinate: sums over the others alone, never one over all less the coordinate's own part. */
#include "prior/psi_chunk.h"
#include "random/many.h"
#include "random/truncated_normal_lanes.h"

/* sum = s exp(m); an empty sum has m = -infinity, s = 0. */
typedef struct scaled {
    vd m, s;
} scaled;

ALWAYS_INLINE vd magnitude(vd x)
{
    return (vd)((vu)x & all_bits(INT64_MAX));
}

/* a + b; b not empty. */
ALWAYS_INLINE scaled join(scaled a, scaled b)
{
    const vi is_less = a.m < b.m;
    const vd smaller = exponential_of_negative(-magnitude(a.m - b.m));
    return (scaled){choose(is_less, b.m, a.m), choose(is_less, a.s * smaller + b.s, a.s + b.s * smaller)};
}

ALWAYS_INLINE scaled join_psi(scaled a, vd psi)
{
    return join(a, (scaled){psi, all(1)});
}

/* exp(x) - 1 for x >= 0 with all its digits; x above 700 counts as 700. */
ALWAYS_INLINE vd exponential_less_one(vd x)
{
    x = choose(x < all(700), x, all(700));
    const vd magic = all(0x1.8p52), shifted = x * all(1.44269504088896338700) + magic, n = shifted - magic;
    const vd r = (x - n * all(6.93147180369123816490e-01)) - n * all(1.90821492927058770002e-10);
    static const double inverse_factorial[13] = {
        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,       1.0 / 5040,
        1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    vd p = all(inverse_factorial[12]);
    for (int i = 11; i >= 0; i--)
        p = p * r + all(inverse_factorial[i]);
    const vd power = (vd)((vu)all(1) + ((vu)shifted << 52));
    return power * (p * r) + (power - all(1));
}

/* log(1 + (1 + exp(y)) q), q > 0, given h = exp(-|y|): with p = (1 + h) q that is log(1 + p) for y <= 0, else
 * log(1 + p / h), or y + log(h + p) where p / h is large. */
ALWAYS_INLINE vd log_of_odds_moved(vd y, vd h, vd q)
{
    const vd p = (all(1) + h) * q;
    const vi is_positive = y > all(0), is_large = is_positive & (p > h);
    const vd excess = choose(is_positive, p / h, p), one_more = all(1) + excess;
    const vd w = choose(is_large, h + p, one_more);
    const vd rest = choose(is_large, y, (excess - (one_more - all(1))) / w); /* digits that one_more lost */
    return logarithm(w) + rest;
}

/* How far an end of the interval is from psi, (2) of psi.c: `n` tokens, E = -log(u) / n; infinite without tokens. */
ALWAYS_INLINE vd distance(vd u, vd n, vd y, vd h)
{
    const vi is_none = n == all(0);
    const vd e = -logarithm(u) / choose(is_none, all(1), n);
    return choose(is_none, all(INFINITY), log_of_odds_moved(y, h, exponential_less_one(e)));
}

/* Eight documents at coordinate t. */
typedef struct here {
    counters stream;
    vd psi, count, length; /* psi_t, n_t, N */
    vd log_others;         /* log C */
    vd mean, precision;    /* of psi_t given the others, by the prior */
} here;

_Static_assert(GB_PSI_DOCS % LANES == 0, "chunks are made of whole vectors");

ALWAYS_INLINE vd by_interval(const here *x)
{
    vu first, second;
    random_bits(&x->stream, 0, &first, &second);
    const vd y = x->psi - x->log_others, h = exponential_of_negative(-magnitude(y));
    const vd below = distance(uniform(first), x->count, y, h);
    const vd above = distance(uniform(second), x->length - x->count, -y, h);
    const vd s = square_root(x->precision);
    return x->psi + truncated_step(&x->stream, 1, (x->psi - x->mean) * s, below * s, above * s) / s; /* (3) */
}

/* (5), given w of (4). */
ALWAYS_INLINE vd by_polya_gamma(const here *x, vd w)
{
    vu first, second;
    random_bits(&x->stream, GB_BLOCKS_EACH, &first, &second);
    const vd z = (vd)((vu)half_normal(uniform(first)) | first << 63);
    const vd precision = x->precision + w;
    const vd h = x->precision * x->mean + (x->count - all(0.5) * x->length) + w * x->log_others;
    return h / precision + z / square_root(precision);
}

ALWAYS_INLINE size_t vectors_of(const gb_psi_chunk *c)
{
    return (c->n_docs + LANES - 1) / LANES;
}

/* The streams of eight documents for coordinate t: two numbers of blocks for each. */
ALWAYS_INLINE counters streams_at(const gb_psi_redrawing *how, const gb_psi_chunk *c, size_t v, size_t t)
{
    vu item;
    memcpy(&item, c->item + v * LANES, sizeof item);
    return (counters){.block = all_bits(2 * t * GB_BLOCKS_EACH),
                      .item = item & all_bits(UINT32_MAX),
                      .purpose = item >> 32 | all_bits((uint64_t)how->purpose << 24),
                      .sweep = how->sweep,
                      .key = how->key};
}

/* Polya-Gamma numbers for the documents of the chunk; b > 0. */
static void draw_polya_gammas(const gb_psi_redrawing *how, const gb_psi_chunk *c, size_t t, const double *b,
                              const double *z, double *out)
{
    for (size_t i = 0, end; i < c->n_docs; i = end) { /* documents that follow each other, together */
        for (end = i + 1; end < c->n_docs && c->item[end] == c->item[end - 1] + 1;)
            end++;
        const gb_random_streams s =
            gb_random_streams_open(how->key, how->sweep, how->purpose, c->item[i], 2 * t, 1, how->isa);
        gb_random_polya_gammas(&s, 0, end - i, b + i, z + i, out + i);
    }
}

/* (6): what is subtracted from the mean. */
ALWAYS_INLINE void regress(const gb_psi_law *law, const gb_psi_chunk *c, size_t t, vd *shift)
{
    const size_t n_vectors = vectors_of(c);
    const double *q = law->full + t * law->n_free;
    for (size_t v = 0; v < n_vectors; v++)
        shift[v] = all(0);
    for (size_t j = 0; j < law->n_free; j++) {
        const vd weight = all(j == t ? 0 : q[j] / q[t]);
        for (size_t v = 0; v < n_vectors; v++)
            shift[v] += weight * load(c->deviation + j * GB_PSI_DOCS + v * LANES);
    }
}

static void redraw(const gb_psi_redrawing *how, gb_psi_chunk *c)
{
    enum { VECTORS = GB_PSI_DOCS / LANES };
    const size_t n_vectors = vectors_of(c);
    const gb_psi_law *law = how->law;
    const size_t n_free = law->n_free;
    scaled before[VECTORS];
    for (size_t v = 0; v < n_vectors; v++) {
        before[v] = (scaled){all(-INFINITY), all(0)};
        scaled behind = {all(0), all(1)}; /* the last topic */
        for (size_t t = n_free; t-- > 0;) {
            const size_t at = t * GB_PSI_DOCS + v * LANES;
            store(c->behind_m + at, behind.m);
            store(c->behind_s + at, behind.s);
            behind = join_psi(behind, load(c->psi + at));
            store(c->deviation + at, load(c->psi + at) - load(c->mean + at));
        }
    }
    for (size_t t = 0; t < n_free; t++) {
        here at[VECTORS];
        vd shift[VECTORS];
        double b[GB_PSI_DOCS], z[GB_PSI_DOCS], w[GB_PSI_DOCS] = {0};
        if (law->full != NULL)
            regress(law, c, t, shift);
        for (size_t v = 0; v < n_vectors; v++) {
            const size_t i = t * GB_PSI_DOCS + v * LANES;
            here *x = &at[v];
            const scaled others = join(before[v], (scaled){load(c->behind_m + i), load(c->behind_s + i)});
            *x = (here){.stream = streams_at(how, c, v, t),
                        .psi = load(c->psi + i),
                        .count = load(c->count + i),
                        .length = load(c->length + v * LANES),
                        .log_others = others.m + logarithm(others.s),
                        .mean = load(c->mean + i),
                        .precision = all(law->full == NULL ? law->precision[t] : law->full[t * n_free + t])};
            if (law->full != NULL)
                x->mean -= shift[v];
            store(b + v * LANES, choose(x->length > all(0), x->length, all(1)));
            store(z + v * LANES, x->psi - x->log_others);
        }
        if (how->update == GB_PSI_POLYA_GAMMA)
            draw_polya_gammas(how, c, t, b, z, w); /* (4) */
        for (size_t v = 0; v < n_vectors; v++) {
            const size_t i = t * GB_PSI_DOCS + v * LANES;
            const vd omega = choose(at[v].length > all(0), load(w + v * LANES), all(0));
            const vd psi = how->update == GB_PSI_INTERVAL ? by_interval(&at[v]) : by_polya_gamma(&at[v], omega);
            store(c->psi + i, psi);
            store(c->deviation + i, psi - load(c->mean + i));
            before[v] = join_psi(before[v], psi);
        }
    }
}

static void weights(size_t n_free, const double *psi, double *weight)
{
    double largest = 0, last[LANES];
    for (size_t k = 0; k < n_free; k++)
        largest = psi[k] > largest ? psi[k] : largest;
    for (size_t k = 0; k <= n_free; k += LANES) {
        const size_t n = n_free - k < LANES ? n_free - k : LANES;
        for (size_t i = n; i < LANES; i++)
            last[i] = 0; /* the last topic, and lanes that are not used */
        memcpy(last, psi + k, n * sizeof *last);
        store(last, exponential_of_negative(load(last) - all(largest)));
        memcpy(weight + k, last, (n_free + 1 - k < LANES ? n_free + 1 - k : LANES) * sizeof *last);
    }
}

/* Deviations of columns i.. of row d from the mean; zeros beyond the last column. */
ALWAYS_INLINE void deviations(const gb_deviations *in, uint64_t d, size_t i, double *out)
{
    const double *mean = in->mean + (in->group == NULL ? 0 : in->group[d] * in->q), *x = in->x + d * in->q;
    const size_t n = in->q - i < GB_SCATTER_TILE ? in->q - i : GB_SCATTER_TILE;
    for (size_t k = 0; k < n; k++)
        out[k] = x[i + k] - mean[i + k];
}

static void scatter_tile(const gb_deviations *in, size_t i, size_t j, double *out)
{
    enum { VECTORS = GB_SCATTER_TILE / LANES };
    vd sum[GB_SCATTER_TILE][VECTORS] = {0};
    double a[GB_SCATTER_TILE] = {0}, b[GB_SCATTER_TILE] = {0};
    for (uint64_t d = 0; d < in->n; d++) {
        deviations(in, d, i, a);
        deviations(in, d, j, b);
        for (size_t k = 0; k < GB_SCATTER_TILE; k++)
            for (size_t v = 0; v < VECTORS; v++)
                sum[k][v] += all(a[k]) * load(b + v * LANES);
    }
    for (size_t k = 0; k < GB_SCATTER_TILE && i + k < in->q; k++)
        for (size_t l = 0; l < GB_SCATTER_TILE && j + l < in->q; l++)
            out[(i + k) * in->q + j + l] = sum[k][l / LANES][l % LANES];
}

const gb_psi_kernel GB_PSI_KERNEL = {.redraw = redraw, .weights = weights, .scatter_tile = scatter_tile};
