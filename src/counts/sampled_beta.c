/* counts/sampled_beta.c - a draw of beta from its posterior given the topics of all tokens; phi and block masses integrated out.
 *
 *   beta ~ Gamma(c, d).  p(W | Z, beta) has for each topic with n_k > 0 tokens the factor Gamma(V beta + s_k) / Gamma(V beta + s_k + n_k), s_k
 *   the tokens of its seed words, and for each of its words (beta + s_kw) ... (beta + s_kw + n_kw - 1).  With
 *       q_k ~ Beta(V beta + s_k, n_k)
 *       l = tables of Chinese restaurants of concentration beta, customers s_kw .. s_kw + n_kw - 1 of each pair of topic and word    (1)
 *   beta is independent of the counts:
 *       beta | rest ~ Gamma(c + l, d - V sum_k log q_k)                                                                             (2)
 *   as for alpha (prior/sampled_alpha.c).  With bags of words there is a q_k for each, and V is the number of its words.  Tokens from keywords have a law of their own (counts/keywords.h) and are left out.
 *
 *   (1) takes a binomial number for each step of the histogram of counts.  Pairs of more than LIMIT tokens are few: each draws the tables of
 *   the customers beyond from numbers of its own.  What ranks and threads add up are whole numbers. */
#include "counts/topics.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"
#include "options/beta.h"

#include <math.h>
#include <string.h>

enum {
    WORDS_PER_TASK = 1024,
    LIMIT = 1024,
    N_CELLS = LIMIT + 2
}; /* the last cell: tables of customers beyond LIMIT */

typedef struct tables {
    const gb_topics *t;
    gb_key key;
    uint32_t sweep;
    int64_t *cell;   /* n_threads x N_CELLS: pairs with that many tokens, less those whose seeds have so many */
    uint16_t *topic; /* n_threads x stride */
    uint32_t *count;
} tables;

static uint32_t seeds_of(const gb_topics *t, uint64_t word, size_t topic)
{
    for (size_t i = 0; i < t->n_seeds; i++)
        if (t->seed[i].word == word && t->seed[i].topic == topic)
            return t->seed[i].count;
    return 0;
}

static void add_pair(const tables *c, uint64_t word, size_t topic, uint64_t n, int64_t *cell)
{
    cell[n < LIMIT ? n : LIMIT]++;
    if (n <= LIMIT)
        return;
    const uint32_t seeds = seeds_of(c->t, word, topic);
    gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_BETA_TABLES, word << 16 | topic);
    cell[LIMIT + 1] += (int64_t)gb_random_crt_tables(&random, 1, seeds > LIMIT ? seeds : LIMIT, n, c->t->beta);
}

/* Of a keyword, whose counts are everywhere, those that do not come from keywords. */
static void add_keyword(const tables *c, uint64_t word, size_t at, int64_t *cell)
{
    const gb_keywords *k = &c->t->keywords;
    for (size_t topic = 0; topic < c->t->n_topics; topic++)
        add_pair(c, word, topic, (uint64_t)k->factor[at * c->t->n_topics + topic], cell);
}

static gb_status add_words(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const tables *c = context;
    const gb_topics *t = c->t;
    const uint64_t first = (uint64_t)task * WORDS_PER_TASK, last = first + WORDS_PER_TASK;
    int64_t *cell = c->cell + worker * N_CELLS;
    uint16_t *topic = c->topic + worker * t->stride;
    uint32_t *count = c->count + worker * t->stride;
    for (uint64_t w = first; w < last && w < t->n_words; w++) {
        if (!gb_topics_has_word(t, w))
            continue;
        const size_t at = gb_keywords_find(&t->keywords, (uint32_t)w);
        if (at < t->keywords.n_words) {
            add_keyword(c, w, at, cell);
            continue;
        }
        const size_t n = gb_rows_nonzero(gb_topics_rows(t, w), w, topic, count);
        for (size_t i = 0; i < n; i++)
            add_pair(c, w, topic[i], count[i], cell);
    }
    return GB_OK;
}

static void take_seeds_out(const gb_topics *t, int64_t *cell)
{
    for (size_t i = 0; i < t->n_seeds; i++)
        if (t->seed[i].count > 0 && gb_topics_has_word(t, t->seed[i].word))
            cell[t->seed[i].count < LIMIT ? t->seed[i].count : LIMIT]--;
}

static gb_status count_pairs(const tables *c, int64_t *cell, gb_error *err)
{
    const gb_topics *t = c->t;
    const size_t n_tasks = (size_t)((t->n_words + WORDS_PER_TASK - 1) / WORDS_PER_TASK);
    gb_team *team = t->treatment == GB_TREAT_BLOCKS ? t->team : NULL; /* else all bundles are here */
    const gb_status st = gb_parallel_for(n_tasks, t->n_threads, add_words, (void *)(uintptr_t)c, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < t->n_threads; i++)
        for (size_t n = 0; n < N_CELLS; n++)
            cell[n] += c->cell[i * N_CELLS + n];
    take_seeds_out(t, cell);
    return gb_team_sum(team, cell, N_CELLS, err);
}

/* (1) from the histogram: runs of customers that as many pairs have. */
static double draw_tables(const int64_t *cell, double beta, gb_random *random)
{
    uint64_t n_tables = (uint64_t)cell[LIMIT + 1], done = 0;
    int64_t n_pairs = 0;
    for (size_t n = 1; n <= LIMIT; n++)
        n_pairs += cell[n];
    for (size_t n = 1; n <= LIMIT; n++) {
        if (cell[n] == 0)
            continue;
        n_tables += gb_random_crt_tables(random, (uint64_t)n_pairs, done, n, beta);
        done = n;
        n_pairs -= cell[n];
    }
    return (double)n_tables;
}

/* Sum over the topics of log q_k in a bag. */
static double draw_log_q(const gb_topics *t, size_t bag, gb_key key, uint32_t sweep)
{
    const uint64_t first = bag == 0 ? 0 : bag * t->n_topics + 1; /* after the number that beta itself is drawn by */
    double sum = 0;
    for (size_t k = 0; k < t->n_topics; k++) {
        const double n = gb_topics_plain_tokens(t, bag, k);
        if (!(n > 0))
            continue;
        gb_random random = gb_random_open(key, sweep, GB_DRAW_BETA, first + k);
        const double x = gb_random_log_gamma(&random, gb_topics_beta_sum(t, bag) + gb_topics_seed_tokens(t, bag, k)),
                     y = gb_random_log_gamma(&random, n);
        sum += gb_log_sigmoid(x - y);
    }
    return sum;
}

gb_status gb_topics_draw_beta(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err)
{
    gb_status st = GB_OK;
    tables c = {.t = t, .key = key, .sweep = sweep};
    int64_t cell[N_CELLS] = {0};
    if (t->sampled_beta == NULL)
        return st;
    GB_TRY(gb_alloc(&c.cell, t->n_threads * N_CELLS, sizeof *c.cell, "beta", err));
    GB_TRY(gb_alloc(&c.topic, t->n_threads * t->stride, sizeof *c.topic, "beta", err));
    GB_TRY(gb_alloc(&c.count, t->n_threads * t->stride, sizeof *c.count, "beta", err));
    gb_topics_leave_keywords_out(t);
    GB_TRY(count_pairs(&c, cell, err));
    double log_q = 0; /* V log q */
    for (size_t bag = 0; bag < t->bags->n; bag++)
        log_q += (double)t->bags->n_words[bag] * draw_log_q(t, bag, key, sweep);
    gb_random random = gb_random_open(key, sweep, GB_DRAW_BETA, t->n_topics);
    const double shape = t->beta_law.shape + draw_tables(cell, t->beta, &random), rate = t->beta_law.rate - log_q;
    gb_topics_set_beta(t, gb_beta_bounded(exp(gb_random_log_gamma(&random, shape) - log(rate))));
done:
    gb_free(c.cell);
    gb_free(c.topic);
    gb_free(c.count);
    return st;
}
