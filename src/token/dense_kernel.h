/* token/dense_kernel.h - the dense kernel, included once per instruction set with GB_DENSE_DRAW naming the
 * function.
 *
 * Per token: weigh all topics by (1) of token/token.h, sixteen at a time, and draw one.  Arithmetic is
 * written for sixteen float lanes in a fixed order without contraction, so every instruction set gives the
 * same bits.
 *
 * Drawing.  The running sum goes down each lane (topics j, j + 16, j + 32, ... for lane j) and is stored; a
 * prefix over the sixteen lane totals picks the lane, a scan of its column the topic.  Any fixed order of
 * topics is as good.
 *
 * Response factor.  With every token counted in, h_k = sum_l e_lk r_l - omega_l e_lk^2 / 2 with the residuals
 * r_l = slope_l + omega_l (centre_l - s_l); leaving token n with topic j out adds row j of
 *     G[k, j] = sum_l omega_l e_lk e_lj                                                              (1)
 * and moving it from j to i adds G[k, j] - G[k, i] to h.  Rows are formed when a topic is first met.  The
 * exponential is taken of g - max g: the factor itself may overflow.
 *
 * Documents whose terms are so steep that float would lose the differences go the double-precision way. */
#include "token/dense.h"
#include "token/scratch.h"

#include <math.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { LANES = 16 };
typedef float vf __attribute__((vector_size(64), may_alias));
typedef int32_t vi __attribute__((vector_size(64), may_alias));

/* Largest |g| contribution of one topic change that float may carry: 2^6 x 2^-24 leaves 4e-6 in the exponent. */
static const double STEEPEST = 64;

ALWAYS_INLINE vf load(const float *p)
{
    return *(const vf *)p;
}

ALWAYS_INLINE void store(float *p, vf x)
{
    *(vf *)p = x;
}

ALWAYS_INLINE vf all(float x)
{
    return (vf){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

/* exp(x) for x <= 0 to about 2e-7; below -87 the value at -87, which is 1e-38 of the largest weight. */
ALWAYS_INLINE vf exp_of_negative(vf x)
{
    const vf lowest = all(-87), magic = all(12582912); /* 1.5 x 2^23: adding it rounds to an integer */
    vi below = x < lowest;
    x = (vf)(((vi)lowest & below) | ((vi)x & ~below));
    vf n = x * all(1.44269504F) + magic;
    vi exponent = (vi)n << 23;
    n = n - magic;
    vf r = x - n * all(0.693359375F); /* exact: the constant has ten bits */
    r = r + n * all(2.12194440e-4F);  /* the rest of log 2 */
    vf p = r * all(1.0F / 720) + all(1.0F / 120);
    p = p * r + all(1.0F / 24);
    p = p * r + all(1.0F / 6);
    p = p * r + all(0.5F);
    p = p * r + all(1);
    p = p * r + all(1);
    return (vf)((vi)p + exponent);
}

/* Inclusive prefix sum over the lanes in four steps. */
ALWAYS_INLINE vf prefix(vf x)
{
    const vf z = all(0);
    x = x + __builtin_shufflevector(x, z, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    x = x + __builtin_shufflevector(x, z, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    x = x + __builtin_shufflevector(x, z, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    x = x + __builtin_shufflevector(x, z, 16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7);
    return x;
}

ALWAYS_INLINE vf maximum(vf a, vf b)
{
    vi above = a > b;
    return (vf)(((vi)a & above) | ((vi)b & ~above));
}

ALWAYS_INLINE float largest_lane(vf x)
{
    x = maximum(x, __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    x = maximum(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
    x = maximum(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    x = maximum(x, __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    return x[0];
}

/* Lanes whose prefix is at or below the target. */
ALWAYS_INLINE int lanes_below(vf sums, float target)
{
#if defined(__AVX512F__)
    typedef float raw __attribute__((vector_size(64)));
    return __builtin_popcount(
        (unsigned)__builtin_ia32_cmpps512_mask((raw)sums, (raw)all(target), 2, 0xFFFF, 4));
#else
    vi below = sums <= all(target);
    int n = 0;
    for (int lane = 0; lane < LANES; lane++)
        n -= below[lane];
    return n;
#endif
}

/* h_k with every token counted in. */
ALWAYS_INLINE void form_h(const gb_document *document, const gb_coefficients *eta, gb_scratch *s)
{
    const float inverse_length = (float)(1 / (double)document->length);
    for (size_t l = 0; l < document->n_outputs; l++) {
        const gb_score_term *t = &document->term[l];
        s->slope[l] =
            (float)((t->slope + t->omega * (t->centre - document->score[l])) / (double)document->length);
        s->curvature[l] = (float)(t->omega / 2) * inverse_length * inverse_length;
    }
    for (size_t k = 0; k < s->stride; k += LANES) {
        vf h = all(0);
        for (size_t l = 0; l < document->n_outputs; l++) {
            vf e = load(eta->by_output + l * s->stride + k);
            h = h + e * (all(s->slope[l]) - all(s->curvature[l]) * e);
        }
        store(s->h + k, h);
    }
    for (size_t k = s->n_topics; k < s->stride; k++)
        s->h[k] = -3e38F; /* padding never is the maximum */
}

/* Row j of (1); formed at the first call. */
ALWAYS_INLINE const float *row_of(size_t j, const gb_document *document, const gb_coefficients *eta,
                                  gb_scratch *s)
{
    if (__builtin_expect(s->row_of[j] >= 0, 1))
        return s->row + (size_t)s->row_of[j] * s->stride;
    float *row = s->row + s->n_formed * s->stride;
    s->row_of[j] = (int32_t)s->n_formed;
    s->formed[s->n_formed++] = (uint16_t)j;
    float a[64];
    const double *eta_j = eta->by_topic + j * document->n_outputs;
    for (size_t k = 0; k < s->stride; k += LANES)
        store(row + k, all(0));
    for (size_t first = 0; first < document->n_outputs; first += 64) {
        size_t n = document->n_outputs - first < 64 ? document->n_outputs - first : 64;
        for (size_t l = 0; l < n; l++)
            a[l] = 2 * s->curvature[first + l] * (float)eta_j[first + l];
        for (size_t k = 0; k < s->stride; k += LANES) {
            vf sum = load(row + k);
            for (size_t l = 0; l < n; l++)
                sum = sum + all(a[l]) * load(eta->by_output + (first + l) * s->stride + k);
            store(row + k, sum);
        }
    }
    return row;
}

ALWAYS_INLINE void forget_rows(gb_scratch *s)
{
    for (size_t i = 0; i < s->n_formed; i++)
        s->row_of[s->formed[i]] = -1;
    s->n_formed = 0;
}

/* g without the token that has topic j, and its maximum. */
ALWAYS_INLINE float form_g(gb_scratch *s, const float *row)
{
    vf largest = all(-INFINITY);
    for (size_t k = 0; k < s->stride; k += LANES) {
        vf g = load(s->h + k) + load(row + k);
        store(s->g + k, g);
        largest = maximum(largest, g);
    }
    return largest_lane(largest);
}

/* Weights of (1), token left out of every count; stores the running sums and returns the lane totals. */
ALWAYS_INLINE vf weigh(const gb_word_block *block, const gb_document *document, uint32_t word, gb_scratch *s,
                       bool supervised, float g_max)
{
    const size_t at = word * block->stride;
    const vf beta = all((float)block->beta);
    vf sum = all(0);
    for (size_t k = 0; k < s->stride; k += LANES) {
        vf w = load(document->weight + k);
        if (block->phi != NULL)
            w = w * load(block->phi + at + k);
        else
            w = w * (__builtin_convertvector(*(const vi *)(block->n_kw + at + k), vf) + beta) *
                load(block->factor + k);
        if (supervised)
            w = w * exp_of_negative(load(s->g + k) - all(g_max));
        sum = sum + w;
        store(s->cumulative + k, sum);
    }
    return sum;
}

/* The topic at which the running sum passes u times the total; n_topics if rounding leaves no valid one. */
ALWAYS_INLINE size_t choose(const gb_scratch *s, vf totals, double u)
{
    vf sums = prefix(totals);
    double target = u * sums[LANES - 1];
    int lane = lanes_below(sums, (float)target);
    lane = lane < LANES ? lane : LANES - 1;
    double rest = lane == 0 ? target : target - sums[lane - 1];
    rest = rest > 0 ? rest : 0;
    const size_t n = s->stride / LANES;
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        below += s->cumulative[i * LANES + (size_t)lane] <= rest;
    if (__builtin_expect(below == n, 0)) { /* rounding: the last topic of the lane that has any weight */
        while (below > 1 && s->cumulative[(below - 1) * LANES + (size_t)lane] ==
                                s->cumulative[(below - 2) * LANES + (size_t)lane])
            below--;
        below--;
        if (!(s->cumulative[below * LANES + (size_t)lane] > 0))
            return s->n_topics;
    }
    return below * LANES + (size_t)lane;
}

ALWAYS_INLINE void move_score(const gb_document *document, const gb_coefficients *eta, size_t from, size_t to)
{
    const double *old = eta->by_topic + from * document->n_outputs,
                 *new = eta->by_topic + to * document->n_outputs;
    const double length = (double)document->length;
    for (size_t l = 0; l < document->n_outputs; l++)
        document->score[l] += (new[l] - old[l]) / length;
}

ALWAYS_INLINE void move_h(gb_scratch *s, const float *row)
{
    for (size_t k = 0; k < s->stride; k += LANES)
        store(s->h + k, load(s->g + k) - load(row + k));
}

ALWAYS_INLINE gb_status draw(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                             const gb_coefficients *eta, gb_scratch *s, bool supervised, gb_error *err)
{
    uint32_t numbers[4];
    uint64_t at = UINT64_MAX;
    for (size_t n = 0; n < tokens->count; n++) {
        const uint32_t word = tokens->word[n];
        const uint16_t old = tokens->topic[n];
        float g_max = 0;
        if (supervised) {
            if (s->n_formed + 2 > s->n_rows)
                forget_rows(s);
            g_max = form_g(s, row_of(old, document, eta, s));
        }
        if (old != GB_NO_TOPIC)
            gb_token_move(block, document, word, old, -1);
        vf totals = weigh(block, document, word, s, supervised, g_max);
        size_t drawn = choose(s, totals, gb_token_uniform(document, tokens->first + n, numbers, &at));
        if (__builtin_expect(drawn >= s->n_topics,
                             0)) { /* all weights vanished in float, or one is not a number */
            if (old != GB_NO_TOPIC)
                gb_token_move(block, document, word, old, 1);
            gb_status st = gb_draw_token_exactly(block, document, tokens, n, eta, s, err);
            if (st != GB_OK)
                return st;
            if (supervised)
                form_h(document, eta, s);
            continue;
        }
        gb_token_move(block, document, word, (uint16_t)drawn, 1);
        if (drawn == old)
            continue;
        tokens->topic[n] = (uint16_t)drawn;
        if (supervised) {
            move_h(s, row_of(drawn, document, eta, s));
            move_score(document, eta, old, drawn);
        }
    }
    return GB_OK;
}

/* True if one topic change could move the response factor by more than float can carry. */
ALWAYS_INLINE bool too_steep(const gb_document *document, const gb_coefficients *eta)
{
    const double length = (double)document->length;
    double steepest = 0;
    for (size_t l = 0; l < document->n_outputs; l++) {
        const gb_score_term *t = &document->term[l];
        double residual = t->slope + t->omega * (t->centre - document->score[l]);
        double squared = eta->largest[l] / (length * length);
        double here = t->omega * squared;
        double linear = residual * residual * squared / STEEPEST; /* |residual e| <= STEEPEST */
        here = here > linear ? here : linear;
        steepest = here > steepest ? here : steepest;
    }
    return !(steepest <= STEEPEST);
}

gb_status GB_DENSE_DRAW(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                        const gb_coefficients *eta, gb_scratch *scratch, gb_error *err)
{
    if (document->n_outputs == 0)
        return draw(block, document, tokens, eta, scratch, false, err);
    if (too_steep(document, eta))
        return gb_draw_tokens_exactly(block, document, tokens, eta, scratch, err);
    form_h(document, eta, scratch);
    gb_status st = draw(block, document, tokens, eta, scratch, true, err);
    forget_rows(scratch);
    return st;
}
