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

/* a + b; one of them not empty. */
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
    if (!any(~is_none))
        return all(INFINITY);
    const vd e = -logarithm(u) / choose(is_none, all(1), n);
    return choose(is_none, all(INFINITY), log_of_odds_moved(y, h, exponential_less_one(e)));
}

_Static_assert((int)GB_PSI_DOCS == (int)STEPS_AT_ONCE && GB_PSI_DOCS % LANES == 0,
               "a chunk is whole vectors, its steps one call");

/* The documents of a chunk at coordinate t. */
typedef struct coordinate {
    size_t t;
    counters stream;                                               /* but for the items */
    double log_others[GB_PSI_DOCS];                                /* log C */
    double mean[GB_PSI_DOCS], precision;                           /* of psi_t given the others, by the prior */
    int64_t by_interval[GB_PSI_DOCS], by_polya_gamma[GB_PSI_DOCS]; /* masks: which update */
    steps steps;               /* of the interval, in units of 1 / sqrt(precision) */
    double omega[GB_PSI_DOCS]; /* w of (4) */
} coordinate;

ALWAYS_INLINE size_t vectors_of(const gb_psi_chunk *c)
{
    return (c->n_docs + LANES - 1) / LANES;
}

/* The streams of eight documents, block 0. */
ALWAYS_INLINE counters streams_of(const coordinate *x, const gb_psi_chunk *c, size_t i)
{
    counters stream = x->stream;
    vu item;
    memcpy(&item, c->item + i, sizeof item);
    stream.item = item & all_bits(UINT32_MAX);
    stream.purpose |= item >> 32;
    return stream;
}

/* Which of eight documents take the Polya-Gamma update, (7). */
ALWAYS_INLINE vi which_update(gb_psi_update update, vd n, vd length)
{
    const vd rest = length - n, fewer = choose(n < rest, n, rest);
    const vi none = length < all(0);
    if (update == GB_PSI_AUTO)
        return fewer * fewer > all(0.1) * length;
    return update == GB_PSI_POLYA_GAMMA ? ~none : none;
}

/* (6): what is subtracted from the mean. */
static void regress(const gb_psi_law *law, const gb_psi_chunk *c, coordinate *x)
{
    const size_t t = x->t, n_vectors = vectors_of(c);
    const double *q = law->full + t * law->n_free;
    vd shift[GB_PSI_DOCS / LANES] = {0};
    for (size_t j = 0; j < law->n_free; j++) {
        const vd weight = all(j == t ? 0 : q[j] / q[t]);
        for (size_t v = 0; v < n_vectors; v++)
            shift[v] += weight * load(c->deviation + j * GB_PSI_DOCS + v * LANES);
    }
    for (size_t v = 0; v < n_vectors; v++)
        store(x->mean + v * LANES, load(x->mean + v * LANES) - shift[v]);
}

/* The intervals (2).  One loop for each step: the steps of several vectors then run at the same time. */
static void find_intervals(coordinate *x, const gb_psi_chunk *c)
{
    const size_t n = vectors_of(c) * LANES;
    const double *psi = c->psi + x->t * GB_PSI_DOCS, *count = c->count + x->t * GB_PSI_DOCS;
    const vd s = all(__builtin_sqrt(x->precision));
    double y[GB_PSI_DOCS], h[GB_PSI_DOCS]; /* log(exp(psi_t) / C), exp(-|y|) */
    for (size_t i = 0; i < n; i += LANES) {
        const counters stream = streams_of(x, c, i);
        vu first, second;
        random_bits(&stream, 0, &first, &second);
        store(x->steps.below + i, uniform(first));
        store(x->steps.above + i, uniform(second));
    }
    for (size_t i = 0; i < n; i += LANES) {
        const vd odds = load(psi + i) - load(x->log_others + i);
        store(y + i, odds);
        store(h + i, exponential_of_negative(-magnitude(odds)));
        store(x->steps.centre + i, (load(psi + i) - load(x->mean + i)) * s);
    }
    for (size_t i = 0; i < n; i += LANES)
        store(x->steps.below + i, distance(load(x->steps.below + i), load(count + i), load(y + i), load(h + i)) * s);
    for (size_t i = 0; i < n; i += LANES)
        store(x->steps.above + i,
              distance(load(x->steps.above + i), load(c->length + i) - load(count + i), -load(y + i), load(h + i)) *
                  s);
}

/* (4) for the documents that want it and have tokens; 0 for the others. */
static void draw_polya_gammas(const gb_psi_redrawing *how, const gb_psi_chunk *c, coordinate *x)
{
    size_t n = 0, at[GB_PSI_DOCS];
    double b[GB_PSI_DOCS], z[GB_PSI_DOCS], w[GB_PSI_DOCS];
    uint64_t item[GB_PSI_DOCS];
    for (size_t i = 0; i < c->n_docs; i++) {
        x->omega[i] = 0;
        at[n] = i;
        b[n] = c->length[i];
        z[n] = c->psi[x->t * GB_PSI_DOCS + i] - x->log_others[i];
        item[n] = c->item[i];
        n += x->by_polya_gamma[i] && c->length[i] > 0;
    }
    const gb_random_streams s = gb_random_streams_open(how->key, how->sweep, how->purpose, 0, 2 * x->t, 1, how->isa);
    gb_random_polya_gammas_of(&s, item, n, b, z, w);
    for (size_t m = 0; m < n; m++)
        x->omega[at[m]] = w[m];
}

/* (5) for eight documents. */
ALWAYS_INLINE vd by_polya_gamma(const coordinate *x, const gb_psi_chunk *c, size_t i)
{
    const counters stream = streams_of(x, c, i);
    vu first, second;
    random_bits(&stream, GB_BLOCKS_EACH, &first, &second);
    const vd z = (vd)((vu)half_normal(uniform(first)) | first << 63), w = load(x->omega + i);
    const vd precision = all(x->precision) + w;
    const vd h = all(x->precision) * load(x->mean + i) +
                 (load(c->count + x->t * GB_PSI_DOCS + i) - all(0.5) * load(c->length + i)) +
                 w * load(x->log_others + i);
    return h / precision + z / square_root(precision);
}

/* Sums of exp(psi) behind each coordinate, the last topic's 1 included, and deviations from the means. */
static void begin_chunk(const gb_psi_law *law, gb_psi_chunk *c)
{
    for (size_t v = 0; v < vectors_of(c); v++) {
        scaled behind = law->is_symmetric ? (scaled){all(-INFINITY), all(0)} : (scaled){all(0), all(1)};
        for (size_t t = law->n_free; t-- > 0;) {
            const size_t at = t * GB_PSI_DOCS + v * LANES;
            store(c->behind_m + at, behind.m);
            store(c->behind_s + at, behind.s);
            behind = join_psi(behind, load(c->psi + at));
            store(c->deviation + at, load(c->psi + at) - load(c->mean + at));
        }
    }
}

/* The conditional law of coordinate t, and which update each document takes.  @return whether any takes the Polya-Gamma
 * update */
static bool begin_coordinate(const gb_psi_redrawing *how, const gb_psi_chunk *c, const scaled *before, coordinate *x)
{
    vi any_polya_gamma = {0};
    memcpy(x->mean, c->mean + x->t * GB_PSI_DOCS, sizeof x->mean);
    if (how->law->full != NULL)
        regress(how->law, c, x);
    for (size_t v = 0; v < vectors_of(c); v++) {
        const size_t i = v * LANES, at = x->t * GB_PSI_DOCS + i;
        const scaled others = join(before[v], (scaled){load(c->behind_m + at), load(c->behind_s + at)});
        store(x->log_others + i, others.m + logarithm(others.s));
        const vi is_polya_gamma = which_update(how->update, load(c->count + at), load(c->length + i)),
                 is_interval = ~is_polya_gamma;
        memcpy(x->by_polya_gamma + i, &is_polya_gamma, sizeof is_polya_gamma);
        memcpy(x->by_interval + i, &is_interval, sizeof is_interval);
        any_polya_gamma |= is_polya_gamma;
    }
    return any(any_polya_gamma);
}

/* The new values, (3) or (5). */
static void end_coordinate(gb_psi_chunk *c, const coordinate *x, scaled *before)
{
    for (size_t v = 0; v < vectors_of(c); v++) {
        const size_t i = v * LANES, at = x->t * GB_PSI_DOCS + i;
        vi is_polya_gamma;
        memcpy(&is_polya_gamma, x->by_polya_gamma + i, sizeof is_polya_gamma);
        vd psi = load(c->psi + at) + load(x->steps.step + i) / all(__builtin_sqrt(x->precision));
        if (any(is_polya_gamma))
            psi = choose(is_polya_gamma, by_polya_gamma(x, c, i), psi);
        store(c->psi + at, psi);
        store(c->deviation + at, psi - load(c->mean + at));
        before[v] = join_psi(before[v], psi);
    }
}

/* (8); its number has the block behind those of all coordinates. */
static void shift(const gb_psi_law *law, gb_psi_chunk *c, coordinate *x)
{
    const vd total = all(x->precision);
    for (size_t v = 0; v < vectors_of(c); v++) {
        const size_t i = v * LANES;
        const counters stream = streams_of(x, c, i);
        vd sum = all(0);
        vu first, second;
        random_bits(&stream, 0, &first, &second);
        const vd z = (vd)((vu)half_normal(uniform(first)) | first << 63);
        for (size_t t = 0; t < law->n_free; t++)
            sum += all(law->precision[t]) * load(c->deviation + t * GB_PSI_DOCS + i);
        const vd by = z / square_root(total) - sum / total;
        for (size_t t = 0; t < law->n_free; t++)
            store(c->psi + t * GB_PSI_DOCS + i, load(c->psi + t * GB_PSI_DOCS + i) + by);
    }
}

/* A coordinate has the blocks of two numbers in the stream of a document.  Interval: block 0 for the ends, the others for
 * the step.  Polya-Gamma: the first number for (4), the second for (5). */
static void redraw(const gb_psi_redrawing *how, gb_psi_chunk *c)
{
    const gb_psi_law *law = how->law;
    const size_t n_free = law->n_free;
    scaled before[GB_PSI_DOCS / LANES];
    coordinate x = {
        .stream = {.purpose = all_bits((uint64_t)how->purpose << 24), .sweep = how->sweep, .key = how->key}};
    for (size_t v = 0; v < vectors_of(c); v++)
        before[v] = (scaled){all(-INFINITY), all(0)};
    begin_chunk(law, c);
    for (size_t t = 0; t < n_free; t++) {
        x.t = t;
        x.precision = law->full == NULL ? law->precision[t] : law->full[t * n_free + t];
        x.stream.block = all_bits(2 * t * GB_BLOCKS_EACH);
        if (begin_coordinate(how, c, before, &x))
            draw_polya_gammas(how, c, &x);
        if (how->update != GB_PSI_POLYA_GAMMA) {
            counters stream = x.stream;
            stream.block += 1;
            find_intervals(&x, c);
            draw_steps(&x.steps, &stream, c->item, c->n_docs, x.by_interval);
        }
        end_coordinate(c, &x, before);
    }
    if (!law->is_symmetric)
        return;
    x.precision = 0;
    for (size_t t = 0; t < n_free; t++)
        x.precision += law->precision[t];
    x.stream.block = all_bits(2 * n_free * GB_BLOCKS_EACH);
    shift(law, c, &x);
}

static void weights(size_t n_free, const double *psi, double *weight)
{
    const size_t n_whole = n_free / LANES * LANES;
    double last[LANES] = {0}; /* the weights that fill no vector, the last topic, and lanes not used */
    memcpy(last, psi + n_whole, (n_free - n_whole) * sizeof *last);
    vd most = load(last);
    most = choose(most > all(0), most, all(0));
    for (size_t k = 0; k < n_whole; k += LANES)
        most = choose(load(psi + k) > most, load(psi + k), most);
    double largest = most[0];
    for (size_t i = 1; i < LANES; i++)
        largest = most[i] > largest ? most[i] : largest;
    for (size_t k = 0; k < n_whole; k += LANES)
        store(weight + k, exponential_of_negative(load(psi + k) - all(largest)));
    store(last, exponential_of_negative(load(last) - all(largest)));
    memcpy(weight + n_whole, last, (n_free + 1 - n_whole) * sizeof *last);
}

/* Deviations of columns i.. of row d from the mean; zeros beyond the last column. */
ALWAYS_INLINE void deviations(const gb_deviations *in, uint64_t d, size_t i, double *out)
{
    const double *mean = in->mean + (in->group == NULL ? 0 : in->group[d] * in->q), *x = in->x + d * in->q;
    const size_t n = in->q - i < GB_SCATTER_TILE ? in->q - i : GB_SCATTER_TILE;
    for (size_t k = 0; k < n; k++)
        out[k] = x[i + k] - mean[i + k];
}

static void scatter_tile(const gb_deviations *in, size_t i, size_t j, size_t first, double *out)
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
            out[(i - first + k) * in->q + j + l] = sum[k][l / LANES][l % LANES];
}

#include "prior/psi_whiten_kernel.h"

#include "prior/psi_settle_kernel.h"

const gb_psi_kernel GB_PSI_KERNEL = {.redraw = redraw,
                                     .weights = weights,
                                     .rates = rates,
                                     .scatter_tile = scatter_tile,
                                     .whiten = whiten,
                                     .unwhiten = unwhiten};
