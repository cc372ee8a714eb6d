/* The Metropolis-Hastings token sampler.
 *
 * 1. Tables give every topic exactly the probability that they state, however small.
 * 2. On corpora of five tokens, with coefficients, augmentation and block masses (or phi) held fixed, the transition matrix
 *    of a visit to each token is built over all K^5 states, for every proposal alone, in turn and mixed: pi P = pi must hold
 *    to 1e-12, with pi from an independently coded log joint.  Proposals that count the token itself have to fail.
 * 3. The topics that kernels draw have the frequencies of that matrix, with every instruction set, and leave counts and
 *    scores in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "counts/topics.h"
#include "token/mh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_TOKENS = 5, N_WORDS = 3, N_DOCS = 2, MAX_TOPICS = 40, STRIDE = 48, MAX_OUTPUTS = 11, ALL = 7 };

/* The document of each token, and its word, of one block of a larger vocabulary. */
static const size_t doc_of[N_TOKENS] = {0, 0, 0, 1, 1}, first_of[N_DOCS + 1] = {0, 3, 5};
static const uint32_t word_of[N_TOKENS] = {0, 1, 0, 2, 0};

typedef struct world {
    size_t n_topics, n_outputs, n_states;
    double unit;
    gb_topics topics;
    gb_rows rows; /* its only table */
    gb_mh *mh;
    gb_scratch *scratch;
    double base[MAX_TOPICS], by_topic[MAX_TOPICS * MAX_OUTPUTS], largest[MAX_OUTPUTS];
    float *by_output;
    gb_score_term term[N_DOCS][MAX_OUTPUTS];
    double *pi;
    /* of the document at hand */
    unsigned char *count;
    double score[MAX_OUTPUTS];
    uint16_t topic[N_TOKENS];
    uint32_t name[N_TOKENS];
    bool given;
    uint32_t sweep;
} world;

static void *get_memory(size_t count, size_t size)
{
    void *p = NULL;
    assert_int_equal(gb_alloc(&p, count, size, "a test", NULL), GB_OK);
    return p;
}

/* ---- a world ---- */

static void make_topics(world *w, gb_random *r, bool use_phi)
{
    const uint64_t total[N_WORDS] = {UINT8_MAX, UINT16_MAX, UINT32_MAX};
    gb_topics *t = &w->topics;
    *t = (gb_topics){.treatment = use_phi ? GB_TREAT_SAMPLED : GB_TREAT_BLOCKS,
                     .n_words = N_WORDS,
                     .n_topics = w->n_topics,
                     .stride = (w->n_topics + 15) / 16 * 16,
                     .beta = 0.4,
                     .n_blocks = 1,
                     .n_bundles = 1,
                     .bundle_blocks = 1,
                     .n_threads = 1,
                     .rows = &w->rows};
    assert_int_equal(gb_rows_create(&w->rows, N_WORDS, total, w->n_topics, t->stride, false, NULL), GB_OK);
    t->handle = w->rows.handle;
    t->n_row_bytes = w->rows.n_bytes;
    t->block_of = get_memory(N_WORDS, sizeof *t->block_of);
    t->n_kb = get_memory(w->n_topics, sizeof *t->n_kb);
    t->mass = get_memory(w->n_topics, sizeof *t->mass);
    t->phi = get_memory(N_WORDS * t->stride, sizeof *t->phi);
    for (size_t k = 0; k < w->n_topics; k++) {
        t->mass[k] = gb_random_uniform(r);
        for (size_t v = 0; v < N_WORDS; v++)
            t->phi[v * t->stride + k] = (float)gb_random_uniform(r);
    }
}

static void make_coefficients(world *w, gb_random *r)
{
    w->by_output = get_memory(MAX_OUTPUTS * STRIDE, sizeof *w->by_output);
    for (size_t l = 0; l < w->n_outputs; l++) {
        for (size_t k = 0; k < w->n_topics; k++) {
            const double eta = 0.8 * gb_random_normal(r);
            w->by_topic[k * w->n_outputs + l] = eta;
            w->by_output[l * w->topics.stride + k] = (float)eta;
            w->largest[l] = fmax(w->largest[l], eta * eta);
        }
        for (size_t d = 0; d < N_DOCS; d++)
            w->term[d][l] = (gb_score_term){
                .slope = gb_random_normal(r), .omega = 3 * gb_random_exponential(r), .centre = gb_random_normal(r)};
    }
}

static void clear_counts(world *w)
{
    gb_rows_zero(&w->rows);
    memset(w->topics.n_kb, 0, w->n_topics * sizeof *w->topics.n_kb);
}

static void add_token(world *w, uint32_t word, size_t topic)
{
    gb_rows_add(&w->rows, word, topic, 1);
    w->topics.n_kb[topic]++;
}

/* Tables of counts that have nothing to do with the states, kept from then on. */
static void freeze_tables(world *w, gb_random *r)
{
    clear_counts(w);
    for (size_t i = 0; i < 4 * w->n_topics; i++)
        add_token(w, (uint32_t)gb_random_below(r, N_WORDS), (size_t)gb_random_below(r, w->n_topics));
    assert_int_equal(gb_token_mh.prepare(w->mh, &w->topics, false, NULL), GB_OK);
    clear_counts(w);
}

static void make_world(world *w, gb_random *r, size_t n_topics, size_t n_outputs, bool use_phi, double unit)
{
    *w = (world){.n_topics = n_topics, .n_outputs = n_outputs, .unit = unit};
    make_topics(w, r, use_phi);
    make_coefficients(w, r);
    w->count = get_memory(w->topics.stride, 2);
    for (size_t k = 0; k < n_topics; k++)
        w->base[k] = unit > 0 ? 0.2 + gb_random_uniform(r) : 1;
    assert_int_equal(gb_scratch_create(&w->scratch, n_topics, n_outputs, NULL), GB_OK);
}

static void choose(world *w, gb_random *r, unsigned proposals, size_t n_steps, bool cycle)
{
    const gb_token_options options = {.n_steps = n_steps, .proposals = proposals, .cycle = cycle};
    void *state = NULL;
    gb_token_mh.free(w->mh);
    assert_int_equal(gb_token_mh.create(&state, &options, &w->topics, w->n_outputs, NULL), GB_OK);
    w->mh = state;
    freeze_tables(w, r);
}

static void clear_world(world *w)
{
    gb_token_mh.free(w->mh);
    gb_rows_clear(&w->rows);
    gb_free(w->topics.block_of);
    gb_free(w->topics.n_kb);
    gb_free(w->topics.mass);
    gb_free(w->topics.phi);
    gb_scratch_free(w->scratch);
    gb_free(w->by_output);
    gb_free(w->count);
    gb_free(w->pi);
}

static gb_coefficients coefficients_of(const world *w)
{
    return (gb_coefficients){.n_outputs = w->n_outputs,
                             .n_topics = w->n_topics,
                             .stride = w->topics.stride,
                             .by_topic = w->by_topic,
                             .by_output = w->by_output,
                             .largest = w->largest};
}

/* The score of output l that does not come from topics, and all of it. */
static double other_part(size_t l)
{
    return 0.3 * (double)l - 0.2;
}

static double score_of(const world *w, const uint16_t *z, size_t d, size_t l)
{
    double s = other_part(l);
    for (size_t i = first_of[d]; i < first_of[d + 1]; i++)
        s += w->by_topic[z[i] * w->n_outputs + l] / (double)(first_of[d + 1] - first_of[d]);
    return s;
}

static bool give_once(gb_token_lane *f)
{
    world *w = f->source;
    const bool is_first = !w->given;
    w->given = true;
    return is_first;
}

/* Everything as it is in state z, seen from document d: a lane over n of its tokens from `first` on. */
static gb_token_lane set_state(world *w, const uint16_t *z, size_t d, size_t first, size_t n)
{
    const bool use_phi = w->topics.treatment == GB_TREAT_SAMPLED;
    clear_counts(w);
    memset(w->count, 0, 2 * w->topics.stride);
    memcpy(w->topic, z, sizeof w->topic);
    for (size_t i = 0; i < N_TOKENS; i++) {
        add_token(w, word_of[i], z[i]);
        w->name[i] = use_phi ? word_of[i] : w->rows.handle[word_of[i]];
        if (doc_of[i] == d)
            gb_row_add(w->count, GB_WIDTH_16, z[i], 1);
    }
    for (size_t l = 0; l < w->n_outputs; l++)
        w->score[l] = score_of(w, z, d, l);
    w->given = false;
    gb_token_lane f = {.block = {.n_topics = w->n_topics, .stride = w->topics.stride},
                       .document = {.doc = 7,
                                    .sweep = w->sweep,
                                    .purpose = GB_DRAW_TEST,
                                    .key = gb_key_make(5, 0),
                                    .unit = w->unit,
                                    .base = w->base,
                                    .count = w->count,
                                    .width = GB_WIDTH_16,
                                    .length = first_of[d + 1] - first_of[d],
                                    .n_outputs = w->n_outputs,
                                    .term = w->term[d],
                                    .score = w->score},
                       .tokens = {.count = n,
                                  .first = first,
                                  .word = w->name + first_of[d] + first,
                                  .topic = w->topic + first_of[d] + first},
                       .scratch = w->scratch,
                       .state = w->mh,
                       .next = give_once,
                       .source = w};
    if (use_phi) {
        f.block.phi = w->topics.phi;
    } else {
        f.block.rows = &w->rows;
        f.block.beta = w->topics.beta;
        f.block.beta_block = 1.2;
        f.block.n_kb = w->topics.n_kb;
        f.block.mass = w->topics.mass;
    }
    return f;
}

/* ---- 1. tables ---- */

static void every_cell_has_the_probability_it_states(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {1, 2, 3, 17, 100, 1000};
    gb_random r = gb_random_open(gb_key_make(6, 0), 0, GB_DRAW_TEST, 0);
    double weight[1000];
    uint64_t share[1000];
    uint16_t small[1000], large[1000];
    gb_alias_cell cell[1000];
    const gb_alias_scratch scratch = {weight, share, small, large};
    for (size_t trial = 0; trial < 60; trial++) {
        const size_t n = sizes[trial % 6];
        double sum = 0;
        uint64_t drawn[1000] = {0};
        for (size_t i = 0; i < n; i++)
            sum += weight[i] = exp((trial < 30 ? 3 : 12) * gb_random_normal(&r));
        gb_alias_make(cell, n, &scratch);
        for (size_t i = 0; i < n; i++) { /* of 2^32 coins in each cell */
            const bool is_whole = cell[i].other == i;
            drawn[i] += is_whole ? UINT64_C(1) << 32 : cell[i].threshold;
            drawn[cell[i].other] += is_whole ? 0 : (UINT64_C(1) << 32) - cell[i].threshold;
        }
        for (size_t i = 0; i < n; i++) {
            const double p = (double)drawn[i] / ((double)n * 0x1p32);
            assert_true(drawn[i] > 0);
            assert_true(fabs((double)cell[i].probability / p - 1) < 1e-7);
            assert_true(fabs(p - weight[i] / sum) < 1e-9);
        }
    }
}

static void running_sums_have_the_probabilities_they_state(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {1, 2, 15, 16, 17, 64, 65, 100, 1000};
    gb_random r = gb_random_open(gb_key_make(6, 1), 0, GB_DRAW_TEST, 0);
    double weight[1000];
    float rounded[1008] = {0};
    int32_t sum[1008];
    for (size_t trial = 0; trial < 36; trial++) {
        const size_t n = sizes[trial % 9], stride = (n + 15) / 16 * 16;
        double total = 0, total_rounded = 0, largest = 0;
        for (size_t k = 0; k < n; k++)
            largest = fmax(largest, weight[k] = exp((trial < 18 ? 1 : 8) * gb_random_normal(&r)));
        for (size_t k = 0; k < n; k++) {
            rounded[k] = (float)(weight[k] / largest);
            total += weight[k];
            total_rounded += (double)rounded[k];
        }
        if (trial % 2 == 0)
            gb_sums_make(sum, n, stride, weight);
        else
            gb_sums_make_from_floats(sum, n, stride, rounded, total_rounded);
        for (size_t k = 0; k < n; k++) {
            const int32_t from = k > 0 ? sum[k - 1] : 0, end = sum[k];
            assert_true(from < end);
            assert_int_equal(gb_sums_draw(sum, stride, (uint32_t)from << 2),
                             k); /* the first and last number of its own */
            assert_int_equal(gb_sums_draw(sum, stride, ((uint32_t)end << 2) - 1), k);
            assert_true(fabs(gb_sums_probability(sum, k) - weight[k] / total) < 1e-5);
            assert_true(gb_sums_probability(sum, k) == (end - from) * 0x1p-30);
        }
        assert_int_equal(sum[n - 1], GB_SUMS_TOTAL);
    }
}

/* ---- 2. transition matrices ---- */

static void decode(const world *w, size_t state, uint16_t *z)
{
    for (size_t i = 0; i < N_TOKENS; i++) {
        z[i] = (uint16_t)(state % w->n_topics);
        state /= w->n_topics;
    }
}

/* log p(Z, W | r or phi) + sum over documents of kappa s - omega s^2 / 2, written from the model alone. */
static double log_joint(const world *w, const uint16_t *z)
{
    const gb_topics *t = &w->topics;
    double total = 0;
    for (size_t k = 0; k < w->n_topics; k++) {
        double n_k = 0, n_kw[N_WORDS] = {0}, n_dk[N_DOCS] = {0};
        for (size_t i = 0; i < N_TOKENS; i++) {
            n_kw[word_of[i]] += z[i] == k;
            n_dk[doc_of[i]] += z[i] == k;
        }
        for (size_t v = 0; v < N_WORDS; v++) {
            n_k += n_kw[v];
            total += t->treatment == GB_TREAT_SAMPLED ? n_kw[v] * log((double)t->phi[v * t->stride + k])
                                                      : lgamma(n_kw[v] + t->beta);
        }
        if (t->treatment == GB_TREAT_BLOCKS)
            total += n_k * log(t->mass[k]) - lgamma(n_k + 1.2);
        for (size_t d = 0; w->unit > 0 && d < N_DOCS; d++)
            total += lgamma(n_dk[d] + w->base[k]);
    }
    for (size_t d = 0; d < N_DOCS; d++)
        for (size_t l = 0; l < w->n_outputs; l++) {
            const gb_score_term *term = &w->term[d][l];
            const double s = score_of(w, z, d, l);
            total += (term->slope + term->omega * term->centre) * s - term->omega * s * s / 2;
        }
    return total;
}

static void make_pi(world *w)
{
    double largest = -INFINITY, sum = 0;
    w->n_states = 1;
    for (size_t i = 0; i < N_TOKENS; i++)
        w->n_states *= w->n_topics;
    w->pi = get_memory(w->n_states, sizeof *w->pi);
    for (size_t state = 0; state < w->n_states; state++) {
        uint16_t z[N_TOKENS];
        decode(w, state, z);
        w->pi[state] = log_joint(w, z);
        largest = fmax(largest, w->pi[state]);
    }
    for (size_t state = 0; state < w->n_states; state++)
        sum += w->pi[state] = exp(w->pi[state] - largest);
    for (size_t state = 0; state < w->n_states; state++)
        w->pi[state] /= sum;
}

/* Proposals as they must not be. */
typedef enum fault { NONE, DOC_COUNTS_ITSELF, TABLE_OF_PRESENT_COUNTS, TABLE_OF_PRESENT_SCORE } fault;

static void count_itself(const world *w, const uint16_t *z, size_t d, double *density)
{
    double total = 0;
    for (size_t k = 0; k < w->n_topics; k++) {
        density[k] = w->base[k];
        for (size_t i = first_of[d]; i < first_of[d + 1]; i++)
            density[k] += z[i] == k;
        total += density[k];
    }
    for (size_t k = 0; k < w->n_topics; k++)
        density[k] /= total;
}

static void use_present_score(const world *w, const uint16_t *z, size_t d, double *density)
{
    const double length = (double)(first_of[d + 1] - first_of[d]);
    double total = 0;
    for (size_t k = 0; k < w->n_topics; k++) {
        double g = 0;
        for (size_t l = 0; l < w->n_outputs; l++) {
            const gb_score_term *t = &w->term[d][l];
            const double e = w->by_topic[k * w->n_outputs + l] / length;
            g += e * (t->slope + t->omega * (t->centre - score_of(w, z, d, l))) - t->omega * e * e / 2;
        }
        total += density[k] = exp(g);
    }
    for (size_t k = 0; k < w->n_topics; k++)
        density[k] /= total;
}

/* One step from the law p of the topic: with this proposal accepted or not. */
static void take_step(const world *w, const double *weight, const double *density, const double *gain, double share,
                      const double *p, double *next)
{
    const size_t n = w->n_topics;
    for (size_t s = 0; s < n; s++) {
        double left = 1;
        for (size_t t = 0; t < n; t++) {
            if (t == s)
                continue;
            const double move =
                density[t] * gb_mh_acceptance(weight[s], weight[t], density[s], density[t], gain[s * n + t]);
            next[t] += share * p[s] * move;
            left -= move;
        }
        next[s] += share * p[s] * left;
    }
}

/* The law of token i's topic after a visit in state z. */
static void law_after_visit(world *w, const uint16_t *z, size_t i, fault wrong, double *p)
{
    static double gain[MAX_TOPICS * MAX_TOPICS];
    const size_t n = w->n_topics, d = doc_of[i];
    double weight[MAX_TOPICS], density[GB_MH_N_PROPOSALS * MAX_TOPICS], next[MAX_TOPICS];
    const gb_token_lane f = set_state(w, z, d, 0, first_of[d + 1] - first_of[d]);
    const gb_coefficients eta = coefficients_of(w);
    if (wrong == TABLE_OF_PRESENT_COUNTS) {
        w->mh->is_frozen = false;
        assert_int_equal(gb_token_mh.prepare(w->mh, &w->topics, true, NULL), GB_OK);
    }
    gb_mh_look(&f, i - first_of[d], &eta, weight, density, gain);
    if (wrong == DOC_COUNTS_ITSELF)
        count_itself(w, z, d, density + GB_MH_DOC * n);
    if (wrong == TABLE_OF_PRESENT_SCORE)
        use_present_score(w, z, d, density + GB_MH_EXP * n);
    memset(p, 0, n * sizeof *p);
    p[z[i]] = 1;
    for (size_t step = 0; step < w->mh->options.n_steps; step++) {
        const size_t in_use = w->mh->n_proposals;
        memset(next, 0, sizeof next);
        for (size_t q = 0; q < in_use; q++) {
            const double share = w->mh->options.cycle ? q == step % in_use : 1 / (double)in_use;
            take_step(w, weight, density + w->mh->proposal[q] * n, gain, share, p, next);
        }
        memcpy(p, next, n * sizeof *p);
    }
}

/* Largest |pi P_i - pi| over the visits to single tokens i. */
static double worst_change(world *w, fault wrong)
{
    double *next = get_memory(w->n_states, sizeof *next), worst = 0;
    for (size_t i = 0, place = 1; i < N_TOKENS; i++, place *= w->n_topics) {
        memset(next, 0, w->n_states * sizeof *next);
        for (size_t state = 0; state < w->n_states; state++) {
            uint16_t z[N_TOKENS];
            double p[MAX_TOPICS];
            decode(w, state, z);
            law_after_visit(w, z, i, wrong, p);
            for (size_t k = 0; k < w->n_topics; k++)
                next[state + (k - z[i]) * place] += w->pi[state] * p[k];
        }
        for (size_t state = 0; state < w->n_states; state++)
            worst = fmax(worst, fabs(next[state] - w->pi[state]));
    }
    gb_free(next);
    return worst;
}

static void every_visit_leaves_the_posterior_unchanged(void **unused)
{
    (void)unused;
    static const struct {
        unsigned proposals;
        size_t n_steps;
        bool cycle;
    } ways[] = {{1, 1, false},   {2, 1, false},  {4, 1, false}, {ALL, 1, false},
                {ALL, 6, false}, {ALL, 3, true}, {3, 5, true}};
    gb_random r = gb_random_open(gb_key_make(7, 0), 0, GB_DRAW_TEST, 1);
    for (size_t n_outputs = 0; n_outputs <= 2; n_outputs++) {
        for (int kind = 0; kind < 4; kind++) {
            world w;
            make_world(&w, &r, 3, n_outputs, kind % 2 == 1, kind / 2);
            make_pi(&w);
            for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
                if (ways[i].proposals == 1U << GB_MH_EXP && n_outputs == 0)
                    continue;
                choose(&w, &r, ways[i].proposals, ways[i].n_steps, ways[i].cycle);
                const double change = worst_change(&w, NONE);
                if (!(change < 1e-12))
                    fail_msg("L=%zu phi=%d unit=%d proposals %u: pi P differs from pi by %g", n_outputs, kind % 2,
                             kind / 2, ways[i].proposals, change);
            }
            clear_world(&w);
        }
    }
}

/* The visit must also be able to change the topic, or it would leave anything unchanged. */
static void visits_move(void **unused)
{
    (void)unused;
    const uint16_t z[N_TOKENS] = {0, 1, 2, 1, 0};
    gb_random r = gb_random_open(gb_key_make(7, 1), 0, GB_DRAW_TEST, 2);
    for (unsigned proposals = 1; proposals <= ALL; proposals++) {
        world w;
        double p[MAX_TOPICS];
        make_world(&w, &r, 3, 1, false, 1);
        choose(&w, &r, proposals, 1, false);
        law_after_visit(&w, z, 0, NONE, p);
        for (size_t k = 0; k < 3; k++)
            assert_true(p[k] > 0.001 && p[k] < 0.999);
        clear_world(&w);
    }
}

static void assert_noticed(fault wrong, unsigned proposals, size_t n_steps)
{
    gb_random r = gb_random_open(gb_key_make(7, 2), 0, GB_DRAW_TEST, wrong);
    world w;
    make_world(&w, &r, 3, 2, false, 1);
    make_pi(&w);
    choose(&w, &r, proposals, n_steps, false);
    assert_true(worst_change(&w, NONE) < 1e-12);
    assert_true(worst_change(&w, wrong) > 1e-5);
    clear_world(&w);
}

static void a_doc_proposal_that_counts_the_token_is_noticed(void **unused)
{
    (void)unused;
    assert_noticed(DOC_COUNTS_ITSELF, 1U << GB_MH_DOC, 1);
    assert_noticed(DOC_COUNTS_ITSELF, ALL, 6);
}

static void a_word_table_that_counts_the_token_is_noticed(void **unused)
{
    (void)unused;
    assert_noticed(TABLE_OF_PRESENT_COUNTS, 1U << GB_MH_WORD, 1);
    assert_noticed(TABLE_OF_PRESENT_COUNTS, ALL, 6);
}

static void an_exp_table_of_the_present_score_is_noticed(void **unused)
{
    (void)unused;
    assert_noticed(TABLE_OF_PRESENT_SCORE, 1U << GB_MH_EXP, 1);
    assert_noticed(TABLE_OF_PRESENT_SCORE, ALL, 6);
}

/* ---- 3. kernels ---- */

static void draw_often(world *w, const uint16_t *z, size_t i, gb_isa isa, size_t n_draws, const char *what)
{
    size_t drawn[MAX_TOPICS] = {0};
    double p[MAX_TOPICS], chi_square = 0, cells = 0;
    const gb_coefficients eta = coefficients_of(w);
    law_after_visit(w, z, i, NONE, p);
    for (w->sweep = 1; w->sweep <= n_draws; w->sweep++) {
        const size_t d = doc_of[i];
        gb_token_lane f = set_state(w, z, d, i - first_of[d], 1);
        assert_int_equal(gb_token_mh.kernel(isa)(&f, 1, &eta, NULL), GB_OK);
        drawn[w->topic[i]]++;
    }
    double rare_expected = 0, rare_drawn = 0; /* topics that are too rare for the law of chi-square, together */
    for (size_t k = 0; k < w->n_topics; k++) {
        const double expected = p[k] * (double)n_draws, off = (double)drawn[k] - expected;
        assert_true(expected > 0 || drawn[k] == 0);
        if (expected < 5) {
            rare_expected += expected;
            rare_drawn += (double)drawn[k];
            continue;
        }
        chi_square += off * off / expected;
        cells++;
    }
    assert_true(fabs(rare_drawn - rare_expected) < 5 * sqrt(rare_expected) + 2);
    if (!(chi_square < cells + 5 * sqrt(2 * cells) + 10))
        fail_msg("%s, %s, K=%zu, token %zu: chi-square %.1f on %.0f topics", gb_isa_name(isa), what, w->n_topics, i,
                 chi_square, cells);
}

static void kernels_draw_by_the_matrix(void **unused)
{
    (void)unused;
    static const struct {
        const char *what;
        unsigned proposals;
        size_t n_steps;
        bool cycle;
    } ways[] = {{"doc", 1, 1, false},       {"word", 2, 1, false},    {"exp", 4, 1, false},
                {"mixture", ALL, 6, false}, {"cycle", ALL, 10, true}, {"doc and word", 3, 9, false}};
    static const size_t topics[] = {3, 40}, outputs[] = {2, 11};
    const size_t n_draws = 20000;
    gb_random r = gb_random_open(gb_key_make(8, 0), 0, GB_DRAW_TEST, 3);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        for (int kind = 0; kind < 8; kind++) {
            world w;
            const size_t size = (size_t)kind / 4;
            make_world(&w, &r, topics[size], outputs[size], kind % 2 == 1, kind / 2 % 2);
            choose(&w, &r, ways[way].proposals, ways[way].n_steps, ways[way].cycle);
            const uint16_t z[N_TOKENS] = {1, 0, 2, 2, 1};
            for (gb_isa isa = GB_ISA_PLAIN; isa < GB_N_ISAS; isa++)
                if (gb_isa_available(isa) && (isa == GB_ISA_PLAIN || kind % 4 == 0))
                    draw_often(&w, z, way % 2 == 0 ? 1 : 4, isa, n_draws, ways[way].what);
            clear_world(&w);
        }
    }
}

/* After whole documents counts and scores must be those of the topics that are left. */
static void counts_and_scores_stay_in_order(void **unused)
{
    (void)unused;
    gb_random r = gb_random_open(gb_key_make(9, 0), 0, GB_DRAW_TEST, 4);
    for (int kind = 0; kind < 4; kind++) {
        world w;
        uint16_t z[N_TOKENS] = {1, 0, 2, 2, 1};
        make_world(&w, &r, 40, 11, kind % 2 == 1, kind / 2);
        choose(&w, &r, ALL, 6, false);
        size_t n_moves = 0;
        for (w.sweep = 1; w.sweep <= 200; w.sweep++) {
            const size_t d = w.sweep % 2, n = first_of[d + 1] - first_of[d];
            gb_token_lane f = set_state(&w, z, d, 0, n);
            const gb_coefficients eta = coefficients_of(&w);
            assert_int_equal(gb_token_mh.kernel(gb_isa_best())(&f, 1, &eta, NULL), GB_OK);
            n_moves += memcmp(z, w.topic, sizeof z) != 0;
            memcpy(z, w.topic, sizeof z);
            for (size_t k = 0; k < w.n_topics; k++) {
                uint32_t n_d = 0, n_k = 0, n_kw[N_WORDS] = {0};
                for (size_t i = 0; i < N_TOKENS; i++) {
                    n_d += z[i] == k && doc_of[i] == d;
                    n_k += z[i] == k;
                    n_kw[word_of[i]] += z[i] == k;
                }
                assert_int_equal(gb_row_get(w.count, GB_WIDTH_16, k), n_d);
                if (kind % 2 == 1)
                    continue;
                assert_int_equal(w.topics.n_kb[k], n_k);
                for (size_t v = 0; v < N_WORDS; v++)
                    assert_int_equal(gb_rows_get(&w.rows, v, k), n_kw[v]);
            }
            for (size_t l = 0; l < w.n_outputs; l++)
                assert_true(fabs(w.score[l] - score_of(&w, z, d, l)) < 1e-12);
        }
        assert_true(n_moves > 50);
        clear_world(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_has_the_probability_it_states),
        cmocka_unit_test(running_sums_have_the_probabilities_they_state),
        cmocka_unit_test(every_visit_leaves_the_posterior_unchanged),
        cmocka_unit_test(visits_move),
        cmocka_unit_test(a_doc_proposal_that_counts_the_token_is_noticed),
        cmocka_unit_test(a_word_table_that_counts_the_token_is_noticed),
        cmocka_unit_test(an_exp_table_of_the_present_score_is_noticed),
        cmocka_unit_test(kernels_draw_by_the_matrix),
        cmocka_unit_test(counts_and_scores_stay_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
