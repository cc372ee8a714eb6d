/* random/truncated_normal_lanes.h - normal numbers within intervals, many at a time; included by vector kernels.
 *
 *   density of a step s proportional to exp(-(c + s)^2 / 2),  -below < s < above                          (1)
 *
 * that is, z = c + s is standard normal given that it lies between c - below and c + above.  Ends are given by their
 * distances from c, a point inside, so that nothing cancels where the interval is short or far out in a tail.  With the
 * axis turned round if the interval lies rather below 0, a < z < b with -b <= a, w = b - a = below + above, and
 *
 *   - a < NEAR and w > WIDE:  a normal number, or its absolute value if a > 0, until it falls inside.
 *   - a w < FLAT:  z = a + t, t uniform on (0, w), accepted with probability exp(-z^2 / 2) if a <= 0, else
 *     exp(-t (a + t / 2)).
 *   - else  z = a + t, t exponential of rate a on (0, w):  t = -log(1 - U (1 - exp(-a w))) / a,           (2)
 *     accepted with probability exp(-t^2 / 2).
 *
 *   The same proposals as truncated_normal.c; at most 2.4 of them on average, wherever the interval lies.  FLAT keeps
 *   the digits of 1 - exp(-a w) in (2).
 *   Cost: one block of four numbers per proposal.  What is rejected is proposed again together with others that were.
 *   Rounding may put a number on an end.  An interval of no width: 0; one that is none, or not a number: not a number. */
#ifndef GB_RANDOM_TRUNCATED_NORMAL_LANES_H
#define GB_RANDOM_TRUNCATED_NORMAL_LANES_H

#include "random/lanes.h"

static const double NEAR = 0.7, WIDE = 2.5, FLAT = 0.25;

enum { STEPS_AT_ONCE = 128 };

/* Steps (1) that are drawn together, by their places. */
typedef struct steps {
    double centre[STEPS_AT_ONCE], below[STEPS_AT_ONCE],
        above[STEPS_AT_ONCE];   /* below, above >= 0, infinite for no end */
    double step[STEPS_AT_ONCE]; /* the draws */
    /* on the turned axis */
    double a[STEPS_AT_ONCE], b[STEPS_AT_ONCE], w[STEPS_AT_ONCE];
    double from[STEPS_AT_ONCE], start[STEPS_AT_ONCE]; /* a = from + start */
    double direction[STEPS_AT_ONCE];                  /* -1 if turned, else 1 */
    int64_t kind[STEPS_AT_ONCE];
} steps;

enum { STEP_DONE, STEP_WIDE, STEP_NARROW }; /* kind */

/* Places that wait for their draw; padded to whole vectors. */
typedef struct places {
    size_t n;
    uint16_t at[STEPS_AT_ONCE];
} places;

ALWAYS_INLINE vd gather_lanes(const double *x, const uint16_t *at)
{
    return (vd){x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]], x[at[5]], x[at[6]], x[at[7]]};
}

ALWAYS_INLINE vu gather_bits(const uint64_t *x, const uint16_t *at)
{
    return (vu){x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]], x[at[5]], x[at[6]], x[at[7]]};
}

/* Turn the axes, and say how each step is drawn, for the eight places from i on. */
ALWAYS_INLINE void prepare_steps(steps *x, size_t i)
{
    const vd centre = load(x->centre + i), below = load(x->below + i), above = load(x->above + i);
    const vd low = centre - below, high = centre + above, w = below + above;
    const vi is_turned = low < -high;
    const vd a = choose(is_turned, -high, low), b = choose(is_turned, -low, high);
    const vi is_open = (w > all(0)) & (a < all(INFINITY)) & (b > all(-INFINITY));
    const vi is_wide = (a < all(NEAR)) & (w > all(WIDE));
    store(x->a + i, a);
    store(x->b + i, b);
    store(x->w + i, w);
    store(x->from + i, choose(is_turned, -centre, centre));
    store(x->start + i, choose(is_turned, -above, -below));
    store(x->direction + i, choose(is_turned, all(-1), all(1)));
    store(x->step + i, choose(w == all(0), all(0), all(NAN)));
    const vi kind = is_open & (STEP_NARROW + (is_wide & (STEP_WIDE - STEP_NARROW)));
    memcpy(x->kind + i, &kind, sizeof kind);
}

ALWAYS_INLINE void pad_places(places *p)
{
    for (size_t i = p->n; i % LANES != 0; i++)
        p->at[i] = p->at[0];
}

/* Take the proposals of eight places, and leave those in the list that were rejected.  @return its length so far */
ALWAYS_INLINE size_t keep_rejected(steps *x, places *p, size_t from, size_t left, vd proposal, vi is_taken)
{
    double step[LANES];
    int64_t taken[LANES];
    store(step, proposal);
    memcpy(taken, &is_taken, sizeof taken);
    for (size_t i = 0; i < LANES && from + i < p->n; i++) {
        const uint16_t at = p->at[from + i];
        x->step[at] = step[i]; /* if it is rejected, once more */
        p->at[left] = at;      /* left <= from + i */
        left += (size_t)(1 + taken[i]);
    }
    return left;
}

/* One proposal for each place of the list, from block `c->block` of the streams of its items. */
ALWAYS_INLINE void propose_steps(steps *x, places *p, const counters *base, const uint64_t *item, const bool is_wide)
{
    size_t left = 0;
    pad_places(p);
    for (size_t from = 0; from < p->n; from += LANES) {
        const uint16_t *at = p->at + from;
        counters c = *base;
        const vu items = gather_bits(item, at);
        c.item = items & all_bits(UINT32_MAX);
        c.purpose |= items >> 32;
        vu first, second;
        random_bits(&c, 0, &first, &second);
        const vd u = uniform(first), a = gather_lanes(x->a, at);
        const vi is_above = a > all(0);
        vd proposal;
        vi is_taken;
        if (is_wide) {
            const vu sign = (vu)~is_above & first << 63; /* uniform() leaves that bit out */
            const vd z = (vd)((vu)half_normal(u) | sign);
            proposal = z - gather_lanes(x->from, at);
            is_taken = (z > a) & (z < gather_lanes(x->b, at));
        } else {
            const vd w = gather_lanes(x->w, at);
            const vi is_steep = a * w >= all(FLAT);
            vd t = u * w, exponent = choose(is_above, t * (a + all(0.5) * t), all(0.5) * (a + t) * (a + t));
            if (any(is_steep)) {
                const vd rest = exponential_of_negative(-(a * w));
                const vd tail = -logarithm(all(1) - u * (all(1) - rest)) / a; /* (2) */
                t = choose(is_steep, tail, t);
                exponent = choose(is_steep, all(0.5) * t * t, exponent);
            }
            proposal = gather_lanes(x->start, at) + t;
            is_taken = uniform(second) < exponential_of_negative(-exponent);
        }
        left = keep_rejected(x, p, from, left, proposal * gather_lanes(x->direction, at), is_taken);
    }
    p->n = left;
}

/* Draw the steps of the places that are wanted, n of them at most; c: purpose, sweep and key of their streams, and the
 * first block to read.  item[i] belongs to place i. */
ALWAYS_INLINE void draw_steps(steps *x, const counters *c, const uint64_t *item, size_t n, const int64_t *is_wanted)
{
    places wide = {.n = 0}, narrow = {.n = 0};
    for (size_t i = 0; i < n; i += LANES)
        prepare_steps(x, i);
    for (size_t i = 0; i < n; i++) {
        wide.at[wide.n] = narrow.at[narrow.n] = (uint16_t)i;
        wide.n += is_wanted[i] && x->kind[i] == STEP_WIDE;
        narrow.n += is_wanted[i] && x->kind[i] == STEP_NARROW;
    }
    for (counters round = *c; wide.n + narrow.n > 0; round.block += 1) {
        propose_steps(x, &wide, &round, item, true);
        propose_steps(x, &narrow, &round, item, false);
    }
    for (size_t i = 0; i < n; i += LANES) {
        const vd step = load(x->step + i), below = load(x->below + i), above = load(x->above + i);
        store(x->step + i, choose(step < -below, -below, choose(step > above, above, step)));
    }
}

#endif
