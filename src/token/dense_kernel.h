/* token/dense_kernel.h - the dense and the sparse kernel, included once per instruction set with GB_DENSE_DRAW and
 * GB_SPARSE_DRAW naming the functions.
 *
 * Per token: weigh all topics by (1) of token/token.h, sixteen at a time, and draw one.
 *
 * Drawing.  The running sum goes down each lane (topics j, j + 16, j + 32, ... for lane j) and is stored; running sums
 * over the sixteen lane totals pick the lane, a scan of its column the topic.  Any fixed order of topics is as good.
 *
 * Lanes.  A draw is one long chain of waiting: for the sum, the lane, the column, the counts that the next token
 * needs.  So the tokens of several lanes are drawn in step, each stage for all of them; they share nothing, and the
 * processor fills the waiting of one with the work of the others.
 *
 * A token is taken out of all counts before it is drawn and put in afterwards, also where its topic stays: a jump that
 * nobody can foresee costs more than these few additions.  It is taken out as soon as the one before it is in, long
 * before the vectors that read the counts are loaded.  Scores are made up for when a document is left.
 *
 * Response factor.  Without token n, with residuals r_l = slope_l + omega_l (centre_l - s_l) of the other tokens,
 *     g_k = sum_l e_lk r_l - omega_l e_lk^2 / 2 = h_k + G[k, j],   G[k, j] = sum_l omega_l e_lk e_lj      (1)
 * where h is g with every token counted in and j the token's topic.  So taking a token out adds row j of G, and putting
 * it in with topic i subtracts row i.  Rows are formed when a topic is first met.  Exponentials are taken after
 * subtracting about the largest g, because the factor itself may overflow: the largest g of an earlier token will do, unless it is
 * far from this one's.  h and G are kept in units of log 2, h less that number.
 *
 * Terms can be so steep that float would lose the differences between topics.  Then h and G are kept in double precision,
 * and only h less its largest entry is a float.  Documents that are steeper still go the way of gb_draw_token_exactly().
 *
 * Sparse.  Without a response the weights of a word with a list are
 *     product_k n_kw  for the topics of the list,  and  beta product_k  for all topics                   (2)
 * The sum of the products is kept while topics come and go, so the list's entries and one number decide where the draw
 * falls; only where it falls on the second part are all products looked at.  With a response such a draw from all but the
 * response is a proposal that does not depend on the token's own topic j; topic i is accepted with probability
 * min(1, exp(g_i - g_j)), which leaves (1) of token/token.h unchanged. */
#include "simd/floats.h"
#include "token/dense.h"
#include "token/numbers.h"
#include "token/products.h"
#include "token/scratch.h"

#include <math.h>

/* Largest |g| that one topic change may add: it leaves 4e-6 in the exponent in float, less in double precision. */
static const double STEEPEST = 0x1p6, STEEPEST_IN_DOUBLE = 0x1p32;

#define LOWEST (-1e30F) /* below every h; stays so when rows are added and subtracted */

#if defined(__AVX2__) && !defined(__AVX512F__)
enum { CHUNK = 4 }; /* vectors that are summed at once: as many as registers hold */
#else
enum { CHUNK = 8 };
#endif

/* What weighs a word: a row of counts of one of three widths, or a row of phi. */
typedef enum row_kind { BYTES, SHORTS, INTS, PHI } row_kind;

/* How a token is drawn. */
typedef enum mode {
    WORDS,         /* dense, no response */
    WORDS_TIMES_G, /* dense, with the response factor */
    LISTS,         /* sparse, no response */
    LISTS_THEN_G,  /* sparse, with acceptance */
    FROZEN,        /* as WORDS and LISTS, where tokens are in the counts of their document alone */
    FROZEN_LISTS
} mode;

/* Sparse draws need the sum of all products at hand. */
ALWAYS_INLINE bool sums_products(mode m)
{
    return m == LISTS || m == LISTS_THEN_G || m == FROZEN_LISTS;
}

ALWAYS_INLINE bool is_frozen(mode m)
{
    return m == FROZEN || m == FROZEN_LISTS;
}

/* Random numbers of a token: where the draw falls; sparse: also where among all products, and whether it is accepted. */
ALWAYS_INLINE size_t numbers_per_token(mode m)
{
    return sums_products(m) ? 4 : 1;
}

/* A lane on its way. */
typedef struct cursor {
    float sums[2 * LANES] __attribute__((aligned(64))); /* zeros, then running sums over the lanes */
    gb_token_lane *lane;
    gb_scratch *s;
    size_t n;        /* the token at hand */
    bool is_precise; /* the document's h and G are in double precision */
    size_t added;    /* the row of the topic that the last token got: not yet subtracted from h.  0: a row of zeros */
    const uint32_t *list; /* of the token's word; NULL: it has a row */
} cursor;

#define FOR_LANES_FROM(k) for (size_t lane = (k); lane < (k) + LANES; lane++)

/* ---- the response factor ---- */

/* h of `n` vectors of topics. */
ALWAYS_INLINE void form_h_of(size_t n, float *h, size_t n_outputs, const gb_scratch *s, const float *eta)
{
    vf sum[CHUNK];
    for (size_t i = 0; i < n; i++)
        sum[i] = all(0);
    for (size_t l = 0; l < n_outputs; l++, eta += s->stride) {
        const vf slope = all((float)s->slope[l]), curvature = all((float)s->curvature[l]);
        for (size_t i = 0; i < n; i++) {
            const vf e = load(eta + i * LANES);
            sum[i] = fma_of(e, fnma_of(curvature, e, slope), sum[i]);
        }
    }
    for (size_t i = 0; i < n; i++)
        store(h + i * LANES, sum[i]);
}

/* out = sum_l factor[l] eta[l] for `n` vectors of topics. */
ALWAYS_INLINE void form_row_of(size_t n, float *out, size_t n_outputs, const gb_scratch *s, const float *eta)
{
    vf sum[CHUNK];
    for (size_t i = 0; i < n; i++)
        sum[i] = all(0);
    for (size_t l = 0; l < n_outputs; l++, eta += s->stride) {
        const vf f = all((float)s->row_factor[l]);
        for (size_t i = 0; i < n; i++)
            sum[i] = fma_of(f, load(eta + i * LANES), sum[i]);
    }
    for (size_t i = 0; i < n; i++)
        store(out + i * LANES, sum[i]);
}

/* form(n, ...) for all topics, CHUNK vectors at a time and the rest at once: the compiler sees every n. */
#define FOR_CHUNKS(form, out, n_outputs, s, eta)                                                                     \
    do {                                                                                                             \
        size_t at_ = 0;                                                                                              \
        for (; at_ + (size_t)CHUNK * LANES <= (s)->stride; at_ += (size_t)CHUNK * LANES)                             \
            form(CHUNK, (out) + at_, n_outputs, s, (eta) + at_);                                                     \
        switch (((s)->stride - at_) / LANES) {                                                                       \
        case 1:                                                                                                      \
            form(1, (out) + at_, n_outputs, s, (eta) + at_);                                                         \
            break;                                                                                                   \
        case 2:                                                                                                      \
            form(2, (out) + at_, n_outputs, s, (eta) + at_);                                                         \
            break;                                                                                                   \
        case 3:                                                                                                      \
            form(3, (out) + at_, n_outputs, s, (eta) + at_);                                                         \
            break;                                                                                                   \
        case 4:                                                                                                      \
            form(CHUNK > 4 ? 4 : 1, (out) + at_, n_outputs, s, (eta) + at_);                                         \
            break;                                                                                                   \
        case 5:                                                                                                      \
            form(CHUNK > 4 ? 5 : 1, (out) + at_, n_outputs, s, (eta) + at_);                                         \
            break;                                                                                                   \
        case 6:                                                                                                      \
            form(CHUNK > 4 ? 6 : 1, (out) + at_, n_outputs, s, (eta) + at_);                                         \
            break;                                                                                                   \
        case 7:                                                                                                      \
            form(CHUNK > 4 ? 7 : 1, (out) + at_, n_outputs, s, (eta) + at_);                                         \
            break;                                                                                                   \
        default:                                                                                                     \
            break;                                                                                                   \
        }                                                                                                            \
    } while (0)

static void transpose_coefficients(const gb_coefficients *eta, gb_scratch *s)
{
    for (size_t k = 0; k < s->n_topics; k++)
        for (size_t l = 0; l < eta->n_outputs; l++)
            s->precise_eta[l * s->stride + k] = eta->by_topic[k * eta->n_outputs + l];
    s->has_precise_eta = true;
}

/* As form_h_of() and form_row_of(). */
static void form_precise_h(double *restrict h, size_t n_outputs, const gb_scratch *s)
{
    const double *restrict e = s->precise_eta;
    memset(h, 0, s->stride * sizeof *h);
    for (size_t l = 0; l < n_outputs; l++, e += s->stride) {
        const double slope = s->slope[l], curvature = s->curvature[l];
        for (size_t k = 0; k < s->stride; k += LANES)
            FOR_LANES_FROM(k) h[lane] += e[lane] * (slope - curvature * e[lane]);
    }
}

static void form_precise_row(double *restrict out, size_t n_outputs, const gb_scratch *s)
{
    const double *restrict e = s->precise_eta;
    memset(out, 0, s->stride * sizeof *out);
    for (size_t l = 0; l < n_outputs; l++, e += s->stride) {
        const double f = s->row_factor[l];
        for (size_t k = 0; k < s->stride; k += LANES)
            FOR_LANES_FROM(k) out[lane] += f * e[lane];
    }
}

enum { SIDE_BY_SIDE = 4 };

/* Slopes and curvatures of the document's outputs, from its scores.  Returns how much one topic change could add to g at
 * most. */
static double form_terms(const gb_document *document, const gb_coefficients *eta, gb_scratch *s)
{
    const double log2_e = 1.4426950408889634, per_token = 1 / (double)document->length;
    const gb_score_term *restrict t = document->term;
    const double *restrict score = document->score, *restrict largest = eta->largest;
    double *restrict slope = s->slope, *restrict curvature = s->curvature;
    double squares[SIDE_BY_SIDE] = {0}, products[SIDE_BY_SIDE] = {0}; /* the largest of every fourth output */
    for (size_t l = 0; l < document->n_outputs; l++) {
        const double residual = t[l].slope + t[l].omega * (t[l].centre - score[l]);
        const double square = t[l].omega * largest[l], product = residual * residual * largest[l];
        double *most_square = &squares[l % SIDE_BY_SIDE], *most_product = &products[l % SIDE_BY_SIDE];
        *most_square = square > *most_square ? square : *most_square;
        *most_product = product > *most_product ? product : *most_product;
        slope[l] = residual * (log2_e * per_token);
        curvature[l] = t[l].omega * (log2_e / 2 * per_token * per_token);
    }
    double steepest = 0;
    for (size_t i = 0; i < SIDE_BY_SIDE; i++) {
        const double square = squares[i] * per_token * per_token, product = sqrt(products[i]) * per_token;
        steepest = square > steepest ? square : steepest;
        steepest = product > steepest ? product : steepest;
    }
    return steepest;
}

/* Take a number from h, the same for all topics: factors are as good with it. */
static void lower_h(gb_scratch *s, float by)
{
    for (size_t k = 0; k < s->stride; k += LANES)
        store(s->h + k, sub(load(s->h + k), all(by)));
}

/* h with every token counted in, from the terms. */
static void form_h(cursor *c, const gb_coefficients *eta)
{
    gb_scratch *s = c->s;
    c->added = 0;
    if (c->is_precise) {
        if (!s->has_precise_eta)
            transpose_coefficients(eta, s);
        form_precise_h(s->precise_h, eta->n_outputs, s);
        for (size_t k = s->n_topics; k < s->stride; k++)
            s->precise_h[k] = (double)LOWEST;
        return;
    }
    FOR_CHUNKS(form_h_of, s->h, eta->n_outputs, s, eta->by_output);
    for (size_t k = s->n_topics; k < s->stride; k++)
        s->h[k] = LOWEST; /* padding never is the largest */
    vf most = load(s->h);
    for (size_t k = LANES; k < s->stride; k += LANES)
        most = maximum(most, load(s->h + k));
    lower_h(s, largest_lane(most));
}

/* Row j of (1), in the place of the next row. */
static void form_row(const cursor *c, size_t j, const gb_coefficients *eta)
{
    const size_t n_outputs = c->lane->document.n_outputs;
    gb_scratch *s = c->s;
    const double *eta_j = eta->by_topic + j * n_outputs;
    for (size_t l = 0; l < n_outputs; l++)
        s->row_factor[l] = 2 * s->curvature[l] * eta_j[l];
    const size_t at = ++s->n_formed;
    s->row_of[j] = (int32_t)at;
    s->row_topic[at] = (uint16_t)j;
    if (c->is_precise)
        form_precise_row(s->precise_rows + at * s->stride, n_outputs, s);
    else
        FOR_CHUNKS(form_row_of, s->rows + at * s->stride, n_outputs, s, eta->by_output);
}

/* The number of row j; formed at the first call. */
ALWAYS_INLINE size_t row_of(const cursor *c, size_t j, const gb_coefficients *eta)
{
    if (c->s->row_of[j] == 0)
        form_row(c, j, eta);
    return (size_t)c->s->row_of[j];
}

ALWAYS_INLINE void forget_rows(gb_scratch *s)
{
    for (size_t i = 1; i <= s->n_formed; i++)
        s->row_of[s->row_topic[i]] = 0;
    s->n_formed = 0;
}

/* g of the token at hand in double precision: the token before it put in, this one taken out.  h receives the floats, the
 * largest of which is 0. */
static void move_precise_h(const cursor *c, size_t taken_row)
{
    const size_t stride = c->s->stride;
    double *restrict g = c->s->precise_h, most[LANES], largest = (double)LOWEST;
    const double *restrict added = c->s->precise_rows + c->added * stride;
    const double *restrict taken = c->s->precise_rows + taken_row * stride;
    float *restrict h = c->s->h;
    FOR_LANES_FROM(0) most[lane] = (double)LOWEST;
    for (size_t k = 0; k < stride; k += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            g[k + lane] = g[k + lane] - added[k + lane] + taken[k + lane];
            most[lane] = most[lane] > g[k + lane] ? most[lane] : g[k + lane];
        }
    }
    FOR_LANES_FROM(0) largest = largest > most[lane] ? largest : most[lane];
    for (size_t k = 0; k < stride; k += LANES)
        FOR_LANES_FROM(k) h[lane] = (float)(g[lane] - largest);
}

ALWAYS_INLINE void move_score(const gb_document *document, const gb_coefficients *eta, size_t from, size_t to)
{
    const size_t n_outputs = document->n_outputs;
    const double *old = eta->by_topic + from * n_outputs, *new = eta->by_topic + to *n_outputs;
    double *restrict score = document->score;
    const double per_token = 1 / (double)document->length;
    for (size_t l = 0; l < n_outputs; l++)
        score[l] += (new[l] - old[l]) * per_token;
}

/* The score belongs to the counts as they are now. */
ALWAYS_INLINE void keep_counts(const gb_token_lane *f)
{
    memcpy(f->scratch->before, f->scratch->count, f->scratch->stride * sizeof *f->scratch->count);
}

/* Make the score agree with the counts as they are: only topics with a row can have another count than before. */
static void catch_up(const gb_token_lane *f, const gb_coefficients *eta)
{
    const gb_document *document = &f->document;
    const gb_scratch *s = f->scratch;
    const double per_token = 1 / (double)document->length;
    double *restrict score = document->score;
    for (size_t i = 1; i <= s->n_formed; i++) {
        const size_t k = s->row_topic[i];
        const int32_t more = s->count[k] - s->before[k];
        const double *restrict eta_k = eta->by_topic + k * document->n_outputs;
        if (more == 0)
            continue;
        for (size_t l = 0; l < document->n_outputs; l++)
            score[l] += more * per_token * eta_k[l];
    }
    keep_counts(f);
}

/* ---- random numbers ---- */

/* Fill the scratch with the random numbers of this position and the ones after it. */
static __attribute__((noinline)) void form_numbers(const gb_token_lane *f, uint64_t position)
{
    gb_scratch *s = f->scratch;
    draw_blocks(&f->document, position / 4, s->number);
    s->numbers_first = position / 4 * 4;
    s->numbers_end = s->numbers_first + GB_NUMBERS;
}

/* Number i in (0, 1) of the token at hand. */
ALWAYS_INLINE double uniform_of(const cursor *c, mode m, size_t i)
{
    const uint64_t position = (c->lane->tokens.first + c->n) * numbers_per_token(m) + i;
    if (__builtin_expect(position >= c->s->numbers_end || position < c->s->numbers_first, 0))
        form_numbers(c->lane, position);
    const uint64_t at = position - c->s->numbers_first;
    return ((double)(uint32_t)c->s->number[at % 4][at / 4] + 0.5) * 0x1p-32;
}

/* ---- one token: three stages ---- */

/* Word factors of the topics from k on, up to what is the same for all. */
ALWAYS_INLINE vf word_factors(const void *row, row_kind kind, size_t k, vf beta)
{
    switch (kind) {
    case PHI:
        return load((const float *)row + k);
    case BYTES:
        return add(from_bytes((const unsigned char *)row + k), beta);
    case SHORTS:
        return add(from_shorts((const unsigned char *)row + 2 * k), beta);
    default:
        return add(from_ints((const unsigned char *)row + 4 * k), beta);
    }
}

/* Where g of the token at hand comes from. */
typedef enum factor {
    NO_FACTOR,
    GIVEN, /* h */
    MOVING /* h still belongs to the token before: that token is put in, and this one taken out */
} factor;

/* Weights of (1) of token/token.h; stores the running sums.  Returns the largest g if it is moving. */
ALWAYS_INLINE float weigh_row_by(cursor *c, const void *row, row_kind kind, factor by, const float *taken)
{
    const gb_scratch *s = c->s;
    const size_t stride = s->stride;
    const float *product = s->product, *added = s->rows + c->added * stride;
    float *cumulative = s->cumulative, *h = s->h;
    const vf beta = all((float)c->lane->block.beta);
    vf sum = all(0), largest = all(LOWEST);
#define WEIGH(k)                                                                                                     \
    do {                                                                                                             \
        vf word_ = word_factors(row, kind, k, beta), g_;                                                             \
        if (by != NO_FACTOR)                                                                                         \
            g_ = load(h + (k));                                                                                      \
        if (by == MOVING) {                                                                                          \
            g_ = add(sub(g_, load(added + (k))), load(taken + (k)));                                                 \
            store(h + (k), g_);                                                                                      \
            largest = maximum(largest, g_);                                                                          \
        }                                                                                                            \
        if (by != NO_FACTOR)                                                                                         \
            word_ = mul(word_, power_of_two(g_));                                                                    \
        sum = fma_of(load(product + (k)), word_, sum);                                                               \
        store(cumulative + (k), sum);                                                                                \
    } while (0)
    size_t k = 0;
    for (; k + (size_t)2 * LANES <= stride; k += (size_t)2 * LANES) {
        WEIGH(k);
        WEIGH(k + LANES);
    }
    if (k < stride)
        WEIGH(k);
#undef WEIGH
    store(c->sums + LANES, running_sums(sum));
    return by == MOVING ? largest_lane(largest) : 0;
}

/* Once more, now that h is g and the largest is known. */
static __attribute__((noinline)) void weigh_row_again(cursor *c, const void *row, row_kind kind)
{
    if (kind == PHI)
        weigh_row_by(c, row, PHI, GIVEN, NULL);
    else if (kind == BYTES)
        weigh_row_by(c, row, BYTES, GIVEN, NULL);
    else if (kind == SHORTS)
        weigh_row_by(c, row, SHORTS, GIVEN, NULL);
    else
        weigh_row_by(c, row, INTS, GIVEN, NULL);
}

/* How far from 0 the largest h may be; products are small enough for 2 to this power. */
#define FAR_OFF 8

ALWAYS_INLINE void weigh_row(cursor *c, const void *row, row_kind kind, mode m, const gb_coefficients *eta)
{
    if (m != WORDS_TIMES_G) {
        weigh_row_by(c, row, kind, NO_FACTOR, NULL);
        return;
    }
    const size_t taken = row_of(c, c->lane->tokens.topic[c->n], eta);
    if (__builtin_expect(c->is_precise, 0)) {
        move_precise_h(c, taken);
        weigh_row_again(c, row, kind);
        return;
    }
    const float largest = weigh_row_by(c, row, kind, MOVING, c->s->rows + taken * c->s->stride);
    if (__builtin_expect(!(fabsf(largest) <= FAR_OFF), 0)) {
        lower_h(c->s, largest);
        weigh_row_again(c, row, kind);
    }
}

/* The first part of (2): running sums over the entries of a list. */
ALWAYS_INLINE void weigh_list(cursor *c)
{
    const uint32_t *list = c->list;
    const float *product = c->s->product;
    float *cumulative = c->s->cumulative;
    vf sum = all(0);
    for (size_t i = 0; i <= list[0]; i += LANES) { /* entry 0 and those after the last weigh nothing */
        sum = add(sum, weigh_entries(product, list + i));
        store(cumulative + i, sum);
    }
    store(c->sums + LANES, running_sums(sum));
}

ALWAYS_INLINE void weigh(cursor *c, const gb_coefficients *eta, mode m)
{
    const gb_token_lane *f = c->lane;
    const uint32_t word = f->tokens.word[c->n];
    c->list = NULL;
    if (f->block.phi != NULL) {
        weigh_row(c, f->block.phi + word * f->block.stride, PHI, m, eta);
        return;
    }
    const unsigned char *row = gb_handle_row(f->block.rows, word);
    switch (gb_handle_width(word)) {
    case GB_WIDTH_8:
        weigh_row(c, row, BYTES, m, eta);
        break;
    case GB_WIDTH_16:
        weigh_row(c, row, SHORTS, m, eta);
        break;
    case GB_WIDTH_32:
        weigh_row(c, row, INTS, m, eta);
        break;
    default:
        if (sums_products(m)) {
            c->list = (const uint32_t *)(const void *)row;
            weigh_list(c);
        }
    }
}

/* Infinities after n vectors, up to the end of a stretch. */
ALWAYS_INLINE void end_stretch(float *cumulative, size_t n)
{
    for (; n % GB_STRETCH != 0; n++)
        store(cumulative + n * LANES, all(INFINITY));
}

/* How many running sums of a lane are at or below x >= 0.  Numbers that are not negative ascend as their bits do; beyond
 * the last vector there are infinities up to a whole stretch of GB_STRETCH vectors. */
ALWAYS_INLINE size_t rank_in_column(const float *column, size_t n, float x)
{
    int32_t wanted, at;
    size_t below = 0;
    memcpy(&wanted, &x, sizeof x);
    for (size_t i = GB_STRETCH; i < n; i += GB_STRETCH) { /* find the right stretch first */
        memcpy(&at, column + (i - 1) * LANES, sizeof at);
        below += at <= wanted;
    }
    below *= GB_STRETCH;
    column += below * LANES;
    for (size_t i = 0; i < GB_STRETCH; i++) {
        memcpy(&at, column + i * LANES, sizeof at);
        below += at <= wanted;
    }
    return below;
}

/* The place at which the running sum passes u times the total; `none` if rounding leaves no valid one. */
ALWAYS_INLINE size_t choose_place(const cursor *c, size_t n, double u, size_t none)
{
    const gb_scratch *s = c->s;
    const double target = u * (double)c->sums[2 * LANES - 1];
    size_t lane = lanes_at_most(load(c->sums + LANES), (float)target);
    lane = lane < LANES ? lane : LANES - 1;
    const float before = c->sums[LANES + lane - 1];
    const float rest = (float)(target - (double)before);
    const float *column = s->cumulative + lane;
    size_t below = rank_in_column(column, n, rest > 0 ? rest : 0);
    if (__builtin_expect(below >= n, 0)) { /* rounding: the last place of the lane that has any weight */
        below = n;
        while (below > 1 && column[(below - 1) * LANES] == column[(below - 2) * LANES])
            below--;
        below--;
        if (!(column[below * LANES] > 0))
            return none;
    }
    return below * LANES + lane;
}

/* The second part of (2): a topic with probability proportional to its product. */
static size_t choose_by_product(cursor *c, double u)
{
    gb_scratch *s = c->s;
    vf sum = all(0);
    for (size_t k = 0; k < s->stride; k += LANES) {
        sum = add(sum, load(s->product + k));
        store(s->cumulative + k, sum);
    }
    store(c->sums + LANES, running_sums(sum));
    end_stretch(s->cumulative, s->stride / LANES);
    return choose_place(c, s->stride / LANES, u, s->n_topics);
}

/* The topic drawn; n_topics if there is no valid one. */
ALWAYS_INLINE size_t choose(cursor *c, mode m)
{
    const double u = uniform_of(c, m, 0);
    const size_t n = c->s->stride / LANES;
    if (!sums_products(m))
        return choose_place(c, n, u, c->s->n_topics);
    if (c->list == NULL) {
        end_stretch(c->s->cumulative, n);
        return choose_place(c, n, u, c->s->n_topics);
    }
    const double listed = (double)c->sums[2 * LANES - 1], others = c->lane->block.beta * c->s->product_sum;
    const double target = u * (listed + others);
    if (!(target < listed))
        return choose_by_product(c, uniform_of(c, m, 1));
    const size_t n_listed = c->list[0] / LANES + 1;
    end_stretch(c->s->cumulative, n_listed);
    const size_t place = choose_place(c, n_listed, target / listed, 0);
    return place == 0 ? c->s->n_topics : c->list[place] & UINT16_MAX;
}

/* exp(g_to - g_from) of (1) of token/token.h, with the score without the token. */
ALWAYS_INLINE double factor_ratio(const gb_document *document, const gb_coefficients *eta, size_t from, size_t to)
{
    const double *old = eta->by_topic + from * document->n_outputs, *new = eta->by_topic + to * document->n_outputs;
    const double per_token = 1 / (double)document->length;
    double g = 0;
    for (size_t l = 0; l < document->n_outputs; l++) {
        const gb_score_term *t = &document->term[l];
        const double e_old = old[l] * per_token, e_new = new[l] * per_token, score = document->score[l] - e_old;
        g += (e_new - e_old) * (t->slope + t->omega * (t->centre - score - (e_new + e_old) / 2));
    }
    return g >= 0 ? 1 : exp(g);
}

enum { TOKENS_PER_H = 256 }; /* then h is formed anew, before the rounding of its changes adds up */

/* Draw the token at hand in double precision; it stays out. */
static gb_status draw_exactly(const cursor *c, const gb_coefficients *eta, mode m, uint16_t *drawn, gb_error *err)
{
    gb_token_lane *f = c->lane;
    if (m == WORDS_TIMES_G) { /* with a score that is up to date */
        put_in(f, c->n, f->tokens.topic[c->n], false, false);
        catch_up(f, eta);
        take_out(f, c->n, false, false);
    }
    return gb_draw_token_exactly(f, c->n, eta, drawn, err);
}

/* Put the token in with a topic after which h has to be formed anew. */
static void put_in_and_form_h(cursor *c, uint16_t topic, bool is_in_score, const gb_coefficients *eta)
{
    put_in(c->lane, c->n, topic, false, false);
    if (is_in_score)
        keep_counts(c->lane);
    else
        catch_up(c->lane, eta);
    forget_rows(c->s);
    form_terms(&c->lane->document, eta, c->s);
    form_h(c, eta);
}

/* Put the token in with the topic drawn and go on to the next one of the document, which is taken out; false if there is
 * none. */
ALWAYS_INLINE bool settle(cursor *c, size_t drawn, const gb_coefficients *eta, mode m, gb_status *st, gb_error *err)
{
    gb_token_lane *f = c->lane;
    gb_scratch *s = c->s;
    const uint16_t old = f->tokens.topic[c->n];
    uint16_t in = (uint16_t)drawn;
    bool is_exact = false;
    if (__builtin_expect(drawn >= s->n_topics, 0)) { /* all weights vanished in float, or one is not a number */
        *st = draw_exactly(c, eta, m, &in, err);
        if (*st != GB_OK)
            return false;
        is_exact = true;
    } else if (m == LISTS_THEN_G) {
        if (in != old && !(uniform_of(c, m, 2) < factor_ratio(&f->document, eta, old, in)))
            in = old;
        move_score(&f->document, eta, old, in);
    }
    if (m == WORDS_TIMES_G) {
        if (is_exact || s->n_formed + 2 > s->n_rows || c->n % TOKENS_PER_H == TOKENS_PER_H - 1) {
            put_in_and_form_h(c, in, is_exact, eta);
            if (++c->n >= f->tokens.count)
                return false;
            take_out(f, c->n, false, false);
            return true;
        }
        c->added = row_of(c, in, eta);
    }
    if (c->n + 1 >= f->tokens.count) {
        put_in(f, c->n, in, sums_products(m), is_frozen(m));
        return false;
    }
    if (__builtin_expect(old != GB_NO_TOPIC, 1)) {
        exchange(f, c->n, in, sums_products(m), is_frozen(m));
    } else {
        put_in(f, c->n, in, sums_products(m), is_frozen(m));
        take_out(f, c->n + 1, sums_products(m), is_frozen(m));
    }
    c->n++;
    return true;
}

/* ---- rows on their way before they are read ---- */

enum { LIST_LINES = 3 * 64 }; /* bytes of a list that are asked for: its length is known only when it is there */

/* Counts will be changed, and are asked for as such; phi and frozen counts are everybody's. */
ALWAYS_INLINE void fetch(const gb_word_block *block, uint32_t word, bool frozen)
{
    if (block->phi != NULL) {
        const char *row = (const char *)(block->phi + word * block->stride);
        for (size_t i = 0; i < block->stride * sizeof(float); i += 64)
            __builtin_prefetch(row + i, 0);
        return;
    }
    const char *row = (const char *)gb_handle_row(block->rows, word);
    const size_t n = gb_handle_width(word) == GB_LIST ? LIST_LINES : block->stride << gb_handle_width(word);
    for (size_t i = 0; i < n && !frozen; i += 64)
        __builtin_prefetch(row + i, 1);
    for (size_t i = 0; i < n && frozen; i += 64)
        __builtin_prefetch(row + i, 0);
}

/* Tokens that a lane looks ahead: more than the waiting of one row, less than what the cache holds. */
enum { AHEAD = 3 };

ALWAYS_INLINE void fetch_ahead(const gb_token_lane *f, size_t n, bool frozen)
{
    if (n < f->tokens.count)
        fetch(&f->block, f->tokens.word[n], frozen);
    else if (n - f->tokens.count < f->following.count)
        fetch(&f->block, f->following.word[n - f->tokens.count], frozen);
}

/* ---- documents ---- */

static gb_status draw_steep_document(gb_token_lane *f, const gb_coefficients *eta, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t n = 0; st == GB_OK && n < f->tokens.count; n++) {
        uint16_t drawn = 0;
        take_out(f, n, false, false);
        st = gb_draw_token_exactly(f, n, eta, &drawn, err);
        put_in(f, n, drawn, false, false);
    }
    close_counts(f, false);
    return st;
}

/* Go to the next document that vectors can carry, drawing those that they cannot, and take its first token out; false at
 * the end of the lane. */
static bool open_document(cursor *c, const gb_coefficients *eta, mode m, gb_status *st, gb_error *err)
{
    gb_token_lane *f = c->lane;
    while (*st == GB_OK && f->next(f)) {
        open_counts(f, sums_products(m));
        if (m == WORDS_TIMES_G) {
            const double steepest = form_terms(&f->document, eta, c->s);
            if (!(steepest <= STEEPEST_IN_DOUBLE)) {
                *st = draw_steep_document(f, eta, err);
                continue;
            }
            c->is_precise = steepest > STEEPEST;
            keep_counts(f);
            forget_rows(c->s);
            form_h(c, eta);
        }
        c->n = 0;
        take_out(f, 0, sums_products(m), is_frozen(m));
        return true;
    }
    gb_close_block(f);
    return false;
}

static bool change_document(cursor *c, const gb_coefficients *eta, mode m, gb_status *st, gb_error *err)
{
    if (m == WORDS_TIMES_G)
        catch_up(c->lane, eta);
    close_counts(c->lane, sums_products(m));
    return open_document(c, eta, m, st, err);
}

ALWAYS_INLINE gb_status draw(gb_token_lane *lane, size_t n_lanes, const gb_coefficients *eta, mode m, gb_error *err)
{
    cursor all_cursors[GB_MAX_TOKEN_LANES], *active[GB_MAX_TOKEN_LANES];
    size_t drawn[GB_MAX_TOKEN_LANES], n_active = 0;
    gb_status st = GB_OK;
    for (size_t i = 0; i < n_lanes; i++) {
        cursor *c = &all_cursors[i];
        *c = (cursor){.lane = &lane[i], .s = lane[i].scratch};
        open_rates(&lane[i]);
        if (open_document(c, eta, m, &st, err))
            active[n_active++] = c;
    }
    while (st == GB_OK && n_active > 0) {
        for (size_t i = n_active; i-- > 0;) {
            fetch_ahead(active[i]->lane, active[i]->n + AHEAD, is_frozen(m));
            weigh(active[i], eta, m);
        }
        for (size_t i = n_active; i-- > 0;)
            drawn[i] = choose(active[i], m);
        for (size_t i = n_active; i-- > 0;)
            if (!settle(active[i], drawn[i], eta, m, &st, err) &&
                (st != GB_OK || !change_document(active[i], eta, m, &st, err)))
                active[i] = active[--n_active];
    }
    return st;
}

gb_status GB_DENSE_DRAW(gb_token_lane *lane, size_t n_lanes, const gb_coefficients *eta, gb_error *err)
{
    if (n_lanes > 0 && lane[0].document.n_outputs > 0)
        return draw(lane, n_lanes, eta, WORDS_TIMES_G, err);
    if (n_lanes > 0 && lane[0].block.is_frozen)
        return draw(lane, n_lanes, eta, FROZEN, err);
    return draw(lane, n_lanes, eta, WORDS, err);
}

gb_status GB_SPARSE_DRAW(gb_token_lane *lane, size_t n_lanes, const gb_coefficients *eta, gb_error *err)
{
    if (n_lanes > 0 && lane[0].document.n_outputs > 0)
        return draw(lane, n_lanes, eta, LISTS_THEN_G, err);
    if (n_lanes > 0 && lane[0].block.is_frozen)
        return draw(lane, n_lanes, eta, FROZEN_LISTS, err);
    return draw(lane, n_lanes, eta, LISTS, err);
}
