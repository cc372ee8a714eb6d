/* token/mh_kernel.h - the Metropolis-Hastings kernel, included once per instruction set with GB_MH_DRAW naming the function.
 *
 * Counts stay as they are while a token is visited; what is needed without it subtracts 1 at its topic.  No candidate
 * depends on the token's own topic, so all are drawn and weighed first, which leaves the processor much to do at the same
 * time, and accepted or not one after the other.  There are few jumps that depend on chance: one that is not foreseen
 * costs as much as a step.
 *
 * Random numbers: step i of a token takes block (its position in the document) x (steps) + i of the document's stream:
 * which proposal, two for the draw, and whether to accept. */
#include "base/memory.h"
#include "simd/floats.h"
#include "token/mh.h"
#include "token/numbers.h"
#include "token/scratch.h"

#include <math.h>

enum { STEPS_AT_ONCE = 8 };

/* A token that is visited. */
typedef struct visit {
    const gb_token_lane *f;
    const gb_mh *mh;
    gb_mh_worker *w;
    const gb_coefficients *eta;
    /* the document */
    const uint16_t *topics; /* of all its tokens */
    uint64_t n_others;
    uint32_t others_below;       /* a coin below this: the topic of another token */
    double per_other, base_part; /* what another token, and the base weights, weigh in the doc proposal */
    double per_token;            /* 1 / N_d */
    /* the token */
    uint64_t position;
    size_t own; /* its counted topic */
    double own_factor;
    const unsigned char *row;
    gb_width width;
    const float *phi;
    const gb_alias_cell *cell;
    size_t n_cells;
} visit;

/* Topics that the token may get, with all that decides between them; number 0 is the one that it has. */
typedef struct candidates {
    size_t n;
    uint32_t topic[STEPS_AT_ONCE + 1];
    uint32_t proposal[STEPS_AT_ONCE + 1];
    double u[STEPS_AT_ONCE + 1];
    double weight[STEPS_AT_ONCE + 1];                     /* pi without the response factor */
    double density[STEPS_AT_ONCE + 1][GB_MH_N_PROPOSALS]; /* q; negative: not worked out yet */
} candidates;

ALWAYS_INLINE bool uses(const visit *v, gb_mh_proposal proposal)
{
    return (v->mh->options.proposals >> proposal & 1) != 0;
}

/* ---- pi and q ---- */

#define COUNT_CELLS(type)                                                                                            \
    for (size_t i = 0; i < c->n; i++)                                                                                \
    count[i] = (double)(((const type *)(const void *)row)[c->topic[i]] - (c->topic[i] == v->own))

/* Counts in a row, without the token. */
ALWAYS_INLINE void count_others(const visit *v, const candidates *c, const unsigned char *row, gb_width width,
                                double *count)
{
    switch (width) {
    case GB_WIDTH_8:
        COUNT_CELLS(uint8_t);
        break;
    case GB_WIDTH_16:
        COUNT_CELLS(uint16_t);
        break;
    default:
        COUNT_CELLS(uint32_t);
    }
}

ALWAYS_INLINE double rest_density(const visit *v, size_t k)
{
    return (double)v->cell[v->n_cells - 1].probability * v->mh->rest_probability[k];
}

/* A word's cells have ascending topics. */
ALWAYS_INLINE double word_density(const visit *v, size_t k)
{
    if (v->mh->is_dense)
        return (double)v->cell[k].probability;
    const gb_alias_cell *at = v->cell;
    for (size_t n = v->n_cells; n > 1; n -= n / 2)
        at += at[n / 2 - 1].topic < k ? n / 2 : 0;
    return (at->topic == k ? (double)at->probability : 0) + rest_density(v, k);
}

/* pi and q of the candidates, but for q of the word proposal, which takes a search. */
ALWAYS_INLINE void weigh(const visit *v, candidates *c)
{
    const gb_token_lane *f = v->f;
    double in_document[STEPS_AT_ONCE + 1], of_word[STEPS_AT_ONCE + 1];
    count_others(v, c, f->document.count, f->document.width, in_document);
    for (size_t i = 0; i < c->n; i++) {
        const size_t k = c->topic[i];
        c->weight[i] = f->document.base[k] + f->document.unit * in_document[i];
        c->density[i][GB_MH_DOC] = v->per_other * in_document[i] + v->base_part * v->w->base_probability[k];
    }
    if (v->phi != NULL) {
        for (size_t i = 0; i < c->n; i++)
            c->weight[i] *= (double)v->phi[c->topic[i]];
    } else {
        count_others(v, c, v->row, v->width, of_word);
        for (size_t i = 0; i < c->n; i++) {
            const double counted = f->scratch->factor[c->topic[i]];
            c->weight[i] *= (c->topic[i] == v->own ? v->own_factor : counted) * (of_word[i] + f->block.beta);
        }
    }
    if (uses(v, GB_MH_EXP))
        for (size_t i = 0; i < c->n; i++)
            c->density[i][GB_MH_EXP] = gb_sums_probability(v->w->tilt_sum, c->topic[i]);
}

/* g_t - g_s for a token that has s now, which is in the score: with d = e_t - e_s,
 *     sum_l d_l (slope_l + omega_l (centre_l - score_l)) - omega_l d_l^2 / 2.
 * Eight sums, added in a fixed order. */
ALWAYS_INLINE double gain_of(const visit *v, size_t s, size_t t)
{
    const size_t n = v->f->document.n_outputs;
    const double *old = v->eta->by_topic + s * n, *new = v->eta->by_topic + t *n;
    const double *residual = v->w->residual, *bend = v->w->bend;
    double sum[8] = {0};
    size_t l = 0;
    for (; l + 8 <= n; l += 8)
        for (size_t i = 0; i < 8; i++) {
            const double d = new[l + i] - old[l + i];
            sum[i] += d * (residual[l + i] - bend[l + i] * d);
        }
    for (size_t i = 0; l < n; l++, i++) {
        const double d = new[l] - old[l];
        sum[i] += d * (residual[l] - bend[l] * d);
    }
    return (((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]))) * v->per_token;
}

/* The score and what follows from it when s becomes t. */
ALWAYS_INLINE void move_score(const visit *v, size_t s, size_t t)
{
    const gb_document *document = &v->f->document;
    const size_t n = document->n_outputs;
    const double *old = v->eta->by_topic + s * n, *new = v->eta->by_topic + t *n;
    for (size_t l = 0; l < n; l++) {
        const double d = (new[l] - old[l]) * v->per_token;
        document->score[l] += d;
        v->w->residual[l] -= document->term[l].omega * d;
    }
}

/* ---- the document ---- */

static void keep_base(const visit *v)
{
    const gb_document *document = &v->f->document;
    gb_mh_worker *w = v->w;
    const size_t n_topics = v->mh->n_topics, n = document->n_outputs;
    if (w->base_total > 0 && memcmp(w->base, document->base, n_topics * sizeof *w->base) == 0)
        return;
    memcpy(w->base, document->base, n_topics * sizeof *w->base);
    gb_sums_make(w->base_sum, n_topics, v->mh->stride, w->base);
    for (size_t k = 0; k < n_topics; k++)
        w->base_probability[k] = gb_sums_probability(w->base_sum, k);
    w->base_total = 0;
    for (size_t k = 0; k < n_topics; k++)
        w->base_total += w->base[k];
    for (size_t l = 0; l < n; l++)
        w->expected[l] = w->spread[l] = 0;
    for (size_t k = 0; k < n_topics; k++)
        for (size_t l = 0; l < n; l++)
            w->expected[l] += v->eta->by_topic[k * n + l] * w->base[k] / w->base_total;
    for (size_t k = 0; k < n_topics; k++)
        for (size_t l = 0; l < n; l++) {
            const double off = v->eta->by_topic[k * n + l] - w->expected[l];
            w->spread[l] += off * off * w->base[k] / w->base_total;
        }
}

/* The doc proposal takes another token's topic with probability unit (N - 1) / (unit (N - 1) + sum of base), rounded to
 * a number of 32 bits. */
static void open_doc_proposal(visit *v)
{
    const double others = v->f->document.unit * (double)v->n_others;
    v->others_below = (uint32_t)(others / (others + v->w->base_total) * (double)UINT32_MAX);
    const double share = v->others_below * 0x1p-32;
    v->per_other = v->n_others > 0 ? share / (double)v->n_others : 0;
    v->base_part = 1 - share;
}

/* The score in the exp proposal, see token/mh.h.  Shares of topics of N tokens have 1 / N of the variance of one token's
 * topic if its topics are independent, and more if they share proportions with a Dirichlet law. */
static void form_constant(const visit *v)
{
    const gb_document *document = &v->f->document;
    const size_t n = document->n_outputs;
    double *constant = v->w->constant;
    const double total = v->w->base_total, unit = document->unit;
    const double wider = (unit * (double)document->length + total) / (unit + total) * v->per_token;
    for (size_t l = 0; l < n; l++)
        constant[l] = 0;
    for (size_t k = 0; k < v->mh->n_topics; k++) {
        const double count = gb_row_get(document->count, document->width, k), *eta = v->eta->by_topic + k * n;
        for (size_t l = 0; count > 0 && l < n; l++)
            constant[l] += count * eta[l];
    }
    for (size_t l = 0; l < n; l++) {
        const gb_score_term *t = &document->term[l];
        const double rest = document->score[l] - constant[l] * v->per_token;
        const double variance = v->w->spread[l] * wider;
        const double pull = variance * (t->slope + t->omega * (t->centre - rest));
        constant[l] = rest + (v->w->expected[l] + pull) / (1 + variance * t->omega);
    }
}

/* Slope and curvature of g, in units of log 2; false if float cannot carry them. */
static bool form_slopes(const visit *v)
{
    const gb_document *document = &v->f->document;
    const double log2_e = 1.4426950408889634;
    double bound = 0;
    for (size_t l = 0; l < document->n_outputs; l++) {
        const gb_score_term *t = &document->term[l];
        const double slope = (t->slope + t->omega * (t->centre - v->w->constant[l])) * v->per_token * log2_e;
        const double curvature = v->w->bend[l] * v->per_token * log2_e;
        v->w->slope[l] = (float)slope;
        v->w->curvature[l] = (float)curvature;
        bound += fabs(slope) * sqrt(v->eta->largest[l]) + fabs(curvature) * v->eta->largest[l];
    }
    return bound < 0x1p60;
}

/* g of `n` vectors of topics. */
ALWAYS_INLINE vf tilt_of(const visit *v, size_t n, size_t k, vf largest)
{
    const float *eta = v->eta->by_output + k;
    vf sum[4];
    for (size_t i = 0; i < n; i++)
        sum[i] = all(0);
    for (size_t l = 0; l < v->f->document.n_outputs; l++, eta += v->mh->stride) {
        const vf slope = all(v->w->slope[l]), curvature = all(v->w->curvature[l]);
        for (size_t i = 0; i < n; i++) {
            const vf e = load(eta + i * LANES);
            sum[i] = fma_of(e, fnma_of(curvature, e, slope), sum[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        store(v->w->tilt + k + i * LANES, sum[i]);
        largest = maximum(largest, sum[i]);
    }
    return largest;
}

/* Make the table of the exp proposal.  Where float cannot carry g the proposal is uniform over topics, which is as
 * exact. */
static void open_exp_proposal(const visit *v)
{
    float *tilt = v->w->tilt, lane[LANES] __attribute__((aligned(64)));
    const size_t stride = v->mh->stride;
    form_constant(v);
    const bool can_be_carried = form_slopes(v);
    vf largest = all(-0x1p100F), sum = all(0);
    size_t k = 0;
    for (; k + (size_t)4 * LANES <= stride; k += (size_t)4 * LANES)
        largest = tilt_of(v, 4, k, largest);
    for (; k < stride; k += LANES)
        largest = tilt_of(v, 1, k, largest);
    const vf most = all(largest_lane(largest));
    for (k = 0; k < stride; k += LANES) {
        const vf x = can_be_carried ? power_of_two(sub(load(tilt + k), most)) : all(1);
        store(tilt + k, x);
        sum = add(sum, x);
    }
    store(lane, sum);
    double total = 0;
    for (size_t i = 0; i < LANES; i++)
        total += (double)lane[i];
    gb_sums_make_from_floats(v->w->tilt_sum, v->mh->n_topics, stride, tilt, total);
}

static void open_visits(visit *v)
{
    const gb_document *document = &v->f->document;
    v->topics = v->f->tokens.topic - v->f->tokens.first;
    v->n_others = document->length - 1;
    v->per_token = 1 / (double)document->length;
    v->w->has_numbers = false;
    keep_base(v);
    open_doc_proposal(v);
    for (size_t l = 0; l < document->n_outputs; l++) {
        const gb_score_term *t = &document->term[l];
        v->w->residual[l] = t->slope + t->omega * (t->centre - document->score[l]);
        v->w->bend[l] = t->omega / 2 * v->per_token;
    }
    if (uses(v, GB_MH_EXP) && document->n_outputs > 0)
        open_exp_proposal(v);
}

ALWAYS_INLINE uint64_t number_of(const gb_mh *mh, const gb_word_block *block, uint32_t word)
{
    return block->phi != NULL ? word : mh->word_of_unit[gb_rows_unit(block->rows, word)];
}

ALWAYS_INLINE void open_token(visit *v, size_t n)
{
    const gb_token_lane *f = v->f;
    const uint32_t word = f->tokens.word[n];
    const bool is_phi = f->block.phi != NULL;
    const uint64_t w = number_of(v->mh, &f->block, word);
    v->cell = GB_FROM(v->mh->cell, v->mh->start[w]);
    v->n_cells = (size_t)(v->mh->start[w + 1] - v->mh->start[w]);
    v->position = f->tokens.first + n;
    v->own = f->tokens.topic[n];
    v->phi = is_phi ? f->block.phi + (size_t)word * f->block.stride : NULL;
    if (!is_phi) {
        v->row = gb_handle_row(f->block.rows, word);
        v->width = gb_handle_width(word);
        v->own_factor = f->block.mass[v->own] / (f->scratch->total[v->own] - 1);
    }
}

/* ---- random numbers ---- */

static __attribute__((noinline)) void form_numbers(const gb_document *document, gb_mh_worker *w, uint64_t first)
{
    uint64_t number[4][BLOCKS_AT_ONCE];
    draw_blocks(document, first, number);
    for (size_t i = 0; i < BLOCKS_AT_ONCE; i++)
        for (size_t j = 0; j < 4; j++)
            w->number[i][j] = (uint32_t)number[j][i];
    w->first = first;
    w->has_numbers = true;
}

ALWAYS_INLINE const uint32_t *numbers_of(const visit *v, size_t step)
{
    const uint64_t at = v->position * v->mh->options.n_steps + step;
    if (!v->w->has_numbers || at - v->w->first >= BLOCKS_AT_ONCE)
        form_numbers(&v->f->document, v->w, at);
    return v->w->number[at - v->w->first];
}

/* ---- steps ---- */

ALWAYS_INLINE uint32_t either(bool first, uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & -(uint32_t)first);
}

/* The topic of another token, if there is one. */
ALWAYS_INLINE uint32_t draw_by_others(const visit *v, uint32_t number)
{
    uint64_t at = (uint64_t)number * v->n_others >> 32;
    at += at >= v->position;
    return v->topics[at <= v->n_others ? at : 0];
}

/* What doc and word propose is looked up for every step, whoever proposes; the other cases are rare, or take long. */
ALWAYS_INLINE uint32_t draw_topic(const visit *v, gb_mh_proposal proposal, const uint32_t *number, uint32_t spare,
                                  double *word_density_of_topic)
{
    uint32_t topic = draw_by_others(v, number[2]);
    if (uses(v, GB_MH_WORD)) {
        const gb_alias_cell *cell = gb_alias_draw(v->cell, v->n_cells, number[1], number[2]);
        double density = (double)cell->probability;
        uint32_t proposed = cell->topic;
        if (__builtin_expect((proposal == GB_MH_WORD) & (proposed == GB_NO_TOPIC), 0)) {
            proposed = (uint32_t)gb_sums_draw(v->mh->rest_sum, v->mh->stride, spare);
            density = word_density(v, proposed);
        } else if (!v->mh->is_dense) {
            density += rest_density(v, proposed < v->mh->n_topics ? proposed : 0);
        }
        *word_density_of_topic = proposal == GB_MH_WORD ? density : -1;
        topic = either(proposal == GB_MH_WORD, proposed, topic);
    }
    if (__builtin_expect((proposal == GB_MH_DOC) & (number[1] >= v->others_below), 0))
        topic = (uint32_t)gb_sums_draw(v->w->base_sum, v->mh->stride, number[2]);
    if (proposal == GB_MH_EXP)
        topic = (uint32_t)gb_sums_draw(v->w->tilt_sum, v->mh->stride, number[1]);
    return topic;
}

/* The candidate of step `step` in place i. */
ALWAYS_INLINE void draw_candidate(const visit *v, size_t step, candidates *c, size_t i)
{
    const uint32_t *number = numbers_of(v, step);
    const uint64_t which = (uint64_t)number[0] * v->mh->n_proposals; /* the lower half is left for another use */
    const bool cycle = v->mh->options.cycle;
    const gb_mh_proposal proposal = v->mh->proposal[cycle ? step % v->mh->n_proposals : which >> 32];
    c->proposal[i] = proposal;
    c->u[i] = (number[3] + 0.5) * 0x1p-32;
    c->topic[i] = draw_topic(v, proposal, number, cycle ? number[0] : (uint32_t)which, &c->density[i][GB_MH_WORD]);
}

/* (1) of token/mh.h without a division: u q(t) pi(s) < q(s) pi(t), the response factor on the right.  Its exponent is cut
 * where the outcome is certain or hopeless. */
ALWAYS_INLINE double against(double weight_s, double density_t)
{
    return weight_s * density_t;
}

ALWAYS_INLINE double in_favour(double weight_t, double density_s, double gain)
{
    return weight_t * density_s * exp(gain > 600 ? 600 : gain < -600 ? -600 : gain);
}

/* q of the word proposal for a topic that another one proposed. */
ALWAYS_INLINE void find_density(const visit *v, candidates *c, size_t s, gb_mh_proposal proposal)
{
    if (c->density[s][proposal] < 0)
        c->density[s][proposal] = word_density(v, c->topic[s]);
}

/* The same topic is always accepted, which changes nothing. */
ALWAYS_INLINE size_t step_of_words(const visit *v, candidates *c, size_t s, size_t t)
{
    const uint32_t p = c->proposal[t];
    const bool differs = c->topic[s] != c->topic[t];
    find_density(v, c, s, p);
    const bool accepted = c->u[t] * against(c->weight[s], c->density[t][p]) < c->weight[t] * c->density[s][p];
    v->w->proposed[p] += differs;
    v->w->accepted[p] += differs & accepted;
    return s ^ ((s ^ t) & -(size_t)accepted);
}

/* With a response; 0 .. n - 1, or n if a number is not one. */
ALWAYS_INLINE size_t step_of_response(const visit *v, candidates *c, size_t s, size_t t)
{
    const uint32_t p = c->proposal[t];
    if (c->topic[s] == c->topic[t])
        return s;
    find_density(v, c, s, p);
    const double gain = gain_of(v, c->topic[s], c->topic[t]);
    const double favour = in_favour(c->weight[t], c->density[s][p], gain);
    v->w->proposed[p]++;
    if (c->u[t] * against(c->weight[s], c->density[t][p]) < favour) {
        v->w->accepted[p]++;
        move_score(v, c->topic[s], c->topic[t]);
        return t;
    }
    return favour == favour ? s : c->n;
}

/* Count the token at its new topic. */
ALWAYS_INLINE void change_topic(const visit *v, size_t n, size_t topic)
{
    const gb_token_lane *f = v->f;
    gb_scratch *s = f->scratch;
    f->tokens.topic[n] = (uint16_t)topic;
    gb_row_add(f->document.count, f->document.width, v->own, -1);
    gb_row_add(f->document.count, f->document.width, topic, 1);
    if (v->phi != NULL)
        return;
    gb_add_to_row(f, f->tokens.word[n], (uint16_t)v->own, -1);
    gb_add_to_row(f, f->tokens.word[n], (uint16_t)topic, 1);
    s->total[v->own] -= 1;
    s->total[topic] += 1;
    s->factor[v->own] = v->own_factor;
    s->factor[topic] = f->block.mass[topic] / s->total[topic];
}

/* Steps `first` and after it, as many as are taken at once, from the topic in place 0, which is left there. */
ALWAYS_INLINE bool take_steps(const visit *v, candidates *c, size_t first, bool supervised)
{
    const size_t left = v->mh->options.n_steps - first;
    c->n = 1 + (left < STEPS_AT_ONCE ? left : STEPS_AT_ONCE);
    for (size_t i = 1; i < c->n; i++)
        draw_candidate(v, first + i - 1, c, i);
    c->density[0][GB_MH_WORD] = -1;
    weigh(v, c);
    size_t s = 0;
    for (size_t t = 1; t < c->n && s < c->n; t++)
        s = supervised ? step_of_response(v, c, s, t) : step_of_words(v, c, s, t);
    if (s == c->n)
        return false;
    c->topic[0] = c->topic[s];
    return true;
}

ALWAYS_INLINE bool visit_token(visit *v, size_t n, bool supervised)
{
    candidates c;
    open_token(v, n);
    c.topic[0] = (uint32_t)v->own;
    for (size_t first = 0; first < v->mh->options.n_steps; first += STEPS_AT_ONCE)
        if (!take_steps(v, &c, first, supervised))
            return false;
    if (c.topic[0] != v->own)
        change_topic(v, n, c.topic[0]);
    return true;
}

/* ---- rows and tables on their way before they are read ---- */

enum { AHEAD_FOR_TABLE = 3, AHEAD_FOR_PLACE = 6, MOST_LINES = 4 };

ALWAYS_INLINE const uint32_t *word_ahead(const gb_token_lane *f, size_t n)
{
    if (n < f->tokens.count)
        return &f->tokens.word[n];
    n -= f->tokens.count;
    return n < f->following.count ? &f->following.word[n] : NULL;
}

ALWAYS_INLINE void fetch_lines(const void *from, size_t n_bytes)
{
    n_bytes = n_bytes < (size_t)MOST_LINES * 64 ? n_bytes : (size_t)MOST_LINES * 64;
    for (size_t i = 0; i < n_bytes; i += 64)
        __builtin_prefetch((const char *)from + i);
}

ALWAYS_INLINE void fetch_ahead(const gb_token_lane *f, const gb_mh *mh, size_t n)
{
    const bool is_phi = f->block.phi != NULL;
    const uint32_t *word = word_ahead(f, n + AHEAD_FOR_PLACE);
    if (word != NULL)
        __builtin_prefetch(mh->start + number_of(mh, &f->block, *word));
    word = word_ahead(f, n + AHEAD_FOR_TABLE);
    if (word == NULL)
        return;
    const uint64_t w = number_of(mh, &f->block, *word);
    fetch_lines(GB_FROM(mh->cell, mh->start[w]), (size_t)(mh->start[w + 1] - mh->start[w]) * sizeof *mh->cell);
    if (is_phi)
        fetch_lines(f->block.phi + (size_t)*word * f->block.stride, f->block.stride * sizeof *f->block.phi);
    else
        fetch_lines(gb_handle_row(f->block.rows, *word), f->block.stride << gb_handle_width(*word));
}

/* ---- lanes ---- */

ALWAYS_INLINE gb_status draw_lane(gb_token_lane *f, const gb_coefficients *eta, bool supervised, gb_error *err)
{
    const gb_mh *mh = f->state;
    visit opened = {.f = f, .mh = mh, .w = &mh->worker[f->worker], .eta = eta};
    gb_open_block(f);
    while (f->next(f)) {
        gb_lend_counts(f);
        open_visits(&opened);
        visit v = opened; /* a copy of which nobody else knows the address can stay in registers */
        for (size_t n = 0; n < f->tokens.count; n++) {
            fetch_ahead(f, mh, n);
            if (!visit_token(&v, n, supervised))
                return gb_fail(err, GB_ENUMERIC, "sweep %u, document %llu: the weight of a topic is not a number",
                               f->document.sweep, (unsigned long long)f->document.doc + 1);
        }
    }
    gb_close_block(f);
    return GB_OK;
}

gb_status GB_MH_DRAW(gb_token_lane *lane, size_t n_lanes, const gb_coefficients *eta, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < n_lanes && st == GB_OK; i++) {
        const gb_mh *mh = lane[i].state;
        mh->worker[lane[i].worker].base_total = 0; /* eta may be another */
        if (lane[i].document.n_outputs > 0)
            st = draw_lane(&lane[i], eta, true, err);
        else
            st = draw_lane(&lane[i], eta, false, err);
    }
    return st;
}
