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
 * The token's own topic keeps its place in every count; only its weight is made anew without it and blended in, so
 * nothing is written unless the topic changes.
 *
 * Response factor.  With every token counted in, h_k = sum_l e_lk r_l - omega_l e_lk^2 / 2 with the residuals
 * r_l = slope_l + omega_l (centre_l - s_l); leaving token n with topic j out adds row j of
 *     G[k, j] = sum_l omega_l e_lk e_lj                                                              (1)
 * so g = h + G[., j], and moving the token from j to i adds G[., j] - G[., i] to h.  Rows are formed when a topic is
 * first met.  The factor itself may overflow: the exponential is taken of g minus max h + max G[., j], a bound that is
 * off by no more than the range of the row.
 *
 * Documents whose terms are so steep that float would lose the differences go the double-precision way. */
#include "token/dense.h"
#include "token/scratch.h"

#include <math.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { LANES = 16 };
#define FOUR_VECTORS ((size_t)4 * LANES)
typedef float vf __attribute__((vector_size(64), may_alias));
typedef int32_t vi __attribute__((vector_size(64), may_alias));

/* Largest |g| contribution of one topic change that float may carry: 2^6 x 2^-24 leaves 4e-6 in the exponent. */
static const double STEEPEST = 64;

#define LOWEST (-1e30F) /* below every h; stays so when rows are added and subtracted */

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

/* a where the mask is set, b elsewhere. */
ALWAYS_INLINE vf choose_lanes(vi mask, vf a, vf b)
{
    return (vf)(((vi)a & mask) | ((vi)b & ~mask));
}

/* a > b ? a : b; the instruction means exactly that. */
ALWAYS_INLINE vf maximum(vf a, vf b)
{
#if defined(__AVX512F__)
    return (vf)_mm512_max_ps((__m512)a, (__m512)b);
#else
    return choose_lanes(a > b, a, b);
#endif
}

/* x in the first n lanes, `other` in the rest. */
ALWAYS_INLINE vf keep(vf x, size_t n, float other)
{
    const vi lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const int32_t first = (int32_t)n;
    const vi end = {first, first, first, first, first, first, first, first,
                    first, first, first, first, first, first, first, first};
    return choose_lanes(lane < end, x, all(other));
}

/* exp(x) for x <= 0 to about 2e-7; below -87 the value at -87, which is 1e-38 of the largest weight. */
ALWAYS_INLINE vf exp_of_negative(vf x)
{
    const vf lowest = all(-87), magic = all(12582912); /* 1.5 x 2^23: adding it rounds to an integer */
    x = maximum(x, lowest);
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
    return __builtin_popcount(_mm512_cmp_ps_mask((__m512)sums, (__m512)all(target), _CMP_LE_OQ));
#else
    vi below = sums <= all(target);
    int n = 0;
    for (int lane = 0; lane < LANES; lane++)
        n -= below[lane];
    return n;
#endif
}

/* h_k with every token counted in; returns its maximum. */
ALWAYS_INLINE float form_h(const gb_document *document, const gb_coefficients *eta, gb_scratch *s)
{
    const float inverse_length = (float)(1 / (double)document->length);
    for (size_t l = 0; l < document->n_outputs; l++) {
        const gb_score_term *t = &document->term[l];
        s->slope[l] = (float)((t->slope + t->omega * (t->centre - document->score[l])) / (double)document->length);
        s->curvature[l] = (float)(t->omega / 2) * inverse_length * inverse_length;
    }
    vf largest = all(LOWEST);
    for (size_t k = 0; k < s->stride; k += LANES) {
        vf h = all(0);
        for (size_t l = 0; l < document->n_outputs; l++) {
            vf e = load(eta->by_output + l * s->stride + k);
            h = h + e * (all(s->slope[l]) - all(s->curvature[l]) * e);
        }
        if (k + LANES > s->n_topics)
            h = keep(h, s->n_topics - k, LOWEST); /* padding never is the maximum */
        store(s->h + k, h);
        largest = maximum(largest, h);
    }
    return largest_lane(largest);
}

/* out = sum_l factor[l] x[l] for n vectors of the outputs' coefficients; several at once keep the adder busy. */
ALWAYS_INLINE void combine(size_t n, float *out, size_t n_outputs, const float *factor, const float *x, size_t stride)
{
    vf sum[4] = {all(0), all(0), all(0), all(0)};
    for (size_t l = 0; l < n_outputs; l++, x += stride) {
        const vf f = all(factor[l]);
        for (size_t i = 0; i < n; i++)
            sum[i] = sum[i] + f * load(x + i * LANES);
    }
    for (size_t i = 0; i < n; i++)
        store(out + i * LANES, sum[i]);
}

/* A row of (1), and its extremes over topics. */
ALWAYS_INLINE void form_row(gb_row *r, float *row, size_t j, const gb_document *document, const gb_coefficients *eta,
                            gb_scratch *s)
{
    const double *eta_j = eta->by_topic + j * document->n_outputs;
    vf largest = all(LOWEST), highest_negative = all(LOWEST);
    for (size_t l = 0; l < document->n_outputs; l++)
        s->factor[l] = 2 * s->curvature[l] * (float)eta_j[l];
    size_t done = 0;
    for (; done + FOUR_VECTORS <= s->stride; done += FOUR_VECTORS)
        combine(4, row + done, document->n_outputs, s->factor, eta->by_output + done, s->stride);
    for (; done < s->stride; done += LANES)
        combine(1, row + done, document->n_outputs, s->factor, eta->by_output + done, s->stride);
    for (size_t k = 0; k < s->stride; k += LANES) {
        const vf sum = load(row + k);
        if (k + LANES > s->n_topics) { /* padding is 0, which is neither extreme */
            largest = maximum(largest, keep(sum, s->n_topics - k, LOWEST));
            highest_negative = maximum(highest_negative, keep(all(0) - sum, s->n_topics - k, LOWEST));
        } else {
            largest = maximum(largest, sum);
            highest_negative = maximum(highest_negative, all(0) - sum);
        }
    }
    r->largest = largest_lane(largest);
    r->range = r->largest + largest_lane(highest_negative);
}

/* Slot of row j; formed at the first call. */
ALWAYS_INLINE size_t slot_of(size_t j, const gb_document *document, const gb_coefficients *eta, gb_scratch *s)
{
    if (s->slot_of[j] < 0) {
        s->slot_of[j] = (int32_t)s->n_formed;
        s->row[s->n_formed].topic = (uint16_t)j;
        form_row(&s->row[s->n_formed], s->rows + s->n_formed * s->stride, j, document, eta, s);
        s->n_formed++;
    }
    return (size_t)s->slot_of[j];
}

ALWAYS_INLINE void forget_rows(gb_scratch *s)
{
    for (size_t i = 0; i < s->n_formed; i++)
        s->slot_of[s->row[i].topic] = -1;
    s->n_formed = 0;
}

/* A bound of max g, close enough for the exponential: exact where the row's range is wide. */
ALWAYS_INLINE float bound_of_g(const gb_scratch *s, const gb_row *r, const float *row, float h_max)
{
    const float widest = 40;
    if (__builtin_expect(r->range <= widest, 1))
        return h_max + r->largest;
    vf largest = all(LOWEST);
    for (size_t k = 0; k < s->stride; k += LANES)
        largest = maximum(largest, load(s->h + k) + load(row + k));
    return largest_lane(largest);
}

/* h += G[., from] - G[., to]; returns its maximum. */
ALWAYS_INLINE float move_h(gb_scratch *s, const float *from, const float *to)
{
    vf largest = all(LOWEST);
    for (size_t k = 0; k < s->stride; k += LANES) {
        vf h = (load(s->h + k) + load(from + k)) - load(to + k);
        store(s->h + k, h);
        largest = maximum(largest, h);
    }
    return largest_lane(largest);
}

/* The part of (1) of token/token.h that does not depend on the response, for the token's own topic without the token. */
ALWAYS_INLINE float own_weight(const gb_word_block *block, const gb_document *document, uint32_t word, uint16_t topic)
{
    const double weight = document->base[topic] + document->unit * (document->count[topic] - 1);
    const size_t at = word * block->stride + topic;
    if (block->phi != NULL)
        return (float)weight * block->phi[at];
    const double factor = block->mass[topic] / ((double)(block->n_kb[topic] - 1) + block->beta_block);
    return (float)weight * ((float)(block->n_kw[at] - 1) + (float)block->beta) * (float)factor;
}

/* Weights of (1); stores the running sums and returns the lane totals. */
ALWAYS_INLINE vf weigh(const gb_word_block *block, const gb_document *document, uint32_t word, uint16_t own,
                       gb_scratch *s, bool supervised, const float *row, float g_max)
{
    const size_t at = word * block->stride;
    const float *weight = document->weight, *factor = block->factor, *h = s->h;
    const float *phi = block->phi == NULL ? NULL : block->phi + at;
    const int32_t *n_kw = block->phi == NULL ? block->n_kw + at : NULL;
    float *cumulative = s->cumulative;
    const size_t stride = s->stride;
    const vf beta = all((float)block->beta);
    const vf own_w = all(own == GB_NO_TOPIC ? 0 : own_weight(block, document, word, own));
    const vi own_k = {own, own, own, own, own, own, own, own, own, own, own, own, own, own, own, own};
    vi topic = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    vf sum = all(0);
    for (size_t k = 0; k < stride; k += LANES, topic += LANES) {
        vf w = load(weight + k);
        if (phi != NULL)
            w = w * load(phi + k);
        else
            w = w * (__builtin_convertvector(*(const vi *)(n_kw + k), vf) + beta) * load(factor + k);
        w = choose_lanes(topic == own_k, own_w, w);
        if (supervised)
            w = w * exp_of_negative((load(h + k) + load(row + k)) - all(g_max));
        sum = sum + w;
        store(cumulative + k, sum);
    }
    return sum;
}

/* The topic at which the running sum passes u times the total; n_topics if rounding leaves no valid one. */
ALWAYS_INLINE size_t choose(const gb_scratch *s, vf totals, double u)
{
    vf sums = prefix(totals);
    const double target = u * sums[LANES - 1];
    int lane = lanes_below(sums, (float)target);
    lane = lane < LANES ? lane : LANES - 1;
    float rest = (float)(lane == 0 ? target : target - sums[lane - 1]);
    rest = rest > 0 ? rest : 0;
    const size_t n = s->stride / LANES;
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        below += s->cumulative[i * LANES + (size_t)lane] <= rest;
    if (__builtin_expect(below == n, 0)) { /* rounding: the last topic of the lane that has any weight */
        while (below > 1 &&
               s->cumulative[(below - 1) * LANES + (size_t)lane] == s->cumulative[(below - 2) * LANES + (size_t)lane])
            below--;
        below--;
        if (!(s->cumulative[below * LANES + (size_t)lane] > 0))
            return s->n_topics;
    }
    return below * LANES + (size_t)lane;
}

ALWAYS_INLINE void move_score(const gb_document *document, const gb_coefficients *eta, size_t from, size_t to)
{
    const double *old = eta->by_topic + from * document->n_outputs, *new = eta->by_topic + to * document->n_outputs;
    const double length = (double)document->length;
    for (size_t l = 0; l < document->n_outputs; l++)
        document->score[l] += (new[l] - old[l]) / length;
}

enum { TOKENS_AHEAD = 4 }; /* a row is this many tokens on its way before it is read */

ALWAYS_INLINE void prefetch_row(const gb_word_block *block, const gb_tokens *tokens, size_t n)
{
    if (n >= tokens->count)
        return;
    const size_t at = tokens->word[n] * block->stride;
    const char *row = block->phi != NULL ? (const char *)(block->phi + at) : (const char *)(block->n_kw + at);
    for (size_t i = 0; i < block->stride * sizeof(float); i += 64)
        __builtin_prefetch(row + i);
}

ALWAYS_INLINE gb_status draw(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                             const gb_coefficients *eta, gb_scratch *s, bool supervised, gb_error *err)
{
    uint32_t numbers[4];
    uint64_t at = UINT64_MAX;
    for (size_t n = 0; n < TOKENS_AHEAD; n++)
        prefetch_row(block, tokens, n);
    float h_max = supervised ? form_h(document, eta, s) : 0;
    for (size_t n = 0; n < tokens->count; n++) {
        prefetch_row(block, tokens, n + TOKENS_AHEAD);
        const uint32_t word = tokens->word[n];
        const uint16_t old = tokens->topic[n];
        const float *row = NULL;
        float g_max = 0;
        if (supervised) {
            if (s->n_formed + 2 > s->n_rows)
                forget_rows(s);
            const size_t slot = slot_of(old, document, eta, s);
            row = s->rows + slot * s->stride;
            g_max = bound_of_g(s, &s->row[slot], row, h_max);
        }
        vf totals = weigh(block, document, word, old, s, supervised, row, g_max);
        size_t drawn = choose(s, totals, gb_token_uniform(document, tokens->first + n, numbers, &at));
        if (drawn == old)
            continue;
        if (__builtin_expect(drawn >= s->n_topics, 0)) { /* all weights vanished in float, or one is not a number */
            gb_status st = gb_draw_token_exactly(block, document, tokens, n, eta, s, err);
            if (st != GB_OK)
                return st;
            if (supervised)
                h_max = form_h(document, eta, s);
            continue;
        }
        if (old != GB_NO_TOPIC)
            gb_token_move(block, document, word, old, -1);
        gb_token_move(block, document, word, (uint16_t)drawn, 1);
        tokens->topic[n] = (uint16_t)drawn;
        if (supervised) {
            h_max = move_h(s, row, s->rows + slot_of(drawn, document, eta, s) * s->stride);
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
    gb_status st = draw(block, document, tokens, eta, scratch, true, err);
    forget_rows(scratch);
    return st;
}
