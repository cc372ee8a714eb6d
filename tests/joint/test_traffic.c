/* What ranks send in a sweep is what docs/measured/ranks.md says. */
#include "fake_team.h"

#include "corpus/data/corpus.h"
#include "gibbous/gibbous.h"
#include "plan/spec.h"
#include "random/random.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    N_DOCS = 4500,
    N_WORDS = 1500,
    LENGTH = 12,
    N_CLASSES = 20,
    N_TOPICS = 30,
    N_BLOCKS = 16,
    N_BEFORE = 3, /* sweeps before those that are counted; burn-in is over */
    N_COUNTED = 4,
    MOST_RANKS = 4
};

static void check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

/* ---- a corpus whose words have rows of one and of two bytes per count ---- */

static void add_document(gb_corpus_builder *b, size_t field, size_t d, gb_random *r)
{
    gb_error err = {.status = GB_OK};
    const char class = (char)('a' + d % N_CLASSES);
    check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
    check(gb_corpus_builder_class(b, field, &class, 1, &err), &err);
    for (size_t i = 0; i < LENGTH; i++) {
        const double u = gb_random_uniform(r);
        check(gb_corpus_builder_token(b, (uint32_t)(u * u * u * N_WORDS), &err), &err);
    }
}

static int set_up(void **state)
{
    gb_error err = {.status = GB_OK};
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t field;
    gb_random r = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    check(gb_corpus_builder_create(&b, &err), &err);
    check(gb_corpus_builder_labels(b, "class", false, &field, &err), &err);
    for (size_t w = 0; w < N_WORDS; w++) {
        char word[20];
        const int n = snprintf(word, sizeof word, "w%zu", w);
        check(gb_corpus_builder_word(b, word, (size_t)n, &err), &err);
    }
    for (size_t d = 0; d < N_DOCS; d++)
        add_document(b, field, d, &r);
    check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    *state = corpus;
    return 0;
}

static int tear_down(void **state)
{
    gb_corpus_free(*state);
    return 0;
}

/* ---- what is sent ---- */

typedef struct program {
    const gb_corpus *corpus;
    const char *response;
    int n_parts;
    gb_error error[MOST_RANKS];
    uint64_t n_sent[MOST_RANKS];
} program;

static gb_settings *settings_of(const program *p, gb_error *err)
{
    gb_settings *s = NULL;
    char topics[20], blocks[20], parts[20];
    (void)snprintf(topics, sizeof topics, "%d", N_TOPICS);
    (void)snprintf(blocks, sizeof blocks, "%d", N_BLOCKS);
    (void)snprintf(parts, sizeof parts, "%d", p->n_parts);
    const char *const option[][2] = {{"topics", topics}, {"blocks", blocks}, {"parts", parts},
                                     {"sweeps", "20"},   {"burn-in", "1"},   {"response", p->response},
                                     {"seed", "1"},      {"threads", "1"},   {"sampler", "dense"}};
    if (gb_settings_create(&s, err) != GB_OK)
        return NULL;
    for (size_t i = 0; i < sizeof option / sizeof option[0]; i++)
        if (gb_settings_set(s, option[i][0], option[i][1], err) != GB_OK) {
            gb_settings_free(s);
            return NULL;
        }
    if (strcmp(p->response, "none") != 0 && gb_settings_set(s, "intercept", "yes", err) != GB_OK) {
        gb_settings_free(s);
        return NULL;
    }
    return s;
}

static gb_status sweep_on_rank(gb_team *team, program *p, gb_error *err)
{
    gb_status st;
    gb_spec spec = {.n_responses = 0};
    gb_chain *chain = NULL;
    gb_settings *settings = settings_of(p, err);
    if (settings == NULL)
        return err->status;
    GB_TRY(gb_spec_resolve(p->corpus, settings, &spec, err));
    spec.team = team;
    GB_TRY(gb_chain_begin(&chain, p->corpus, &spec, 0, err));
    for (size_t i = 0; i < N_BEFORE; i++)
        GB_TRY(gb_recipe_sweep(chain, err));
    const uint64_t before = team->bytes_sent;
    for (size_t i = 0; i < N_COUNTED; i++)
        GB_TRY(gb_recipe_sweep(chain, err));
    p->n_sent[gb_team_rank(team)] = team->bytes_sent - before;
done:
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    return st;
}

static void run_rank(gb_team *team, void *context)
{
    program *p = context;
    gb_error *err = &p->error[gb_team_rank(team)];
    *err = (gb_error){.status = GB_OK};
    err->status = sweep_on_rank(team, p, err);
    if (err->status != GB_OK)
        gb_team_abort(team, err->message);
}

/* By all ranks, in a sweep. */
static double sent_by(size_t n_ranks, const gb_corpus *corpus, const char *response, int n_parts)
{
    double sum = 0;
    program p = {.corpus = corpus, .response = response, .n_parts = n_parts};
    const fake_report report = fake_team_run(n_ranks, NULL, run_rank, &p);
    for (size_t r = 0; r < n_ranks; r++) {
        check(p.error[r].status, &p.error[r]);
        sum += (double)p.n_sent[r];
    }
    assert_int_equal(report.n_open, 0);
    return sum / N_COUNTED;
}

/* ---- what the documentation says ---- */

/* Bytes of the table of counts: one per count of a word with up to 255 tokens, two of the others, in lines of 64. */
static double table_of(const gb_corpus *corpus)
{
    size_t n_tokens[N_WORDS] = {0};
    double sum = 0;
    for (uint64_t i = 0; i < corpus->n_tokens; i++)
        n_tokens[corpus->word[i]]++;
    for (size_t w = 0; w < N_WORDS; w++)
        sum += n_tokens[w] == 0 ? 0 : (N_TOPICS * (n_tokens[w] <= UINT8_MAX ? 1 : 2) + 63) / 64 * 64;
    return sum;
}

/* @param n_moves  of a block of words in a sweep */
static double words_by_topic(const gb_corpus *corpus, size_t n_ranks, double n_moves)
{
    const double tokens_by_topic = 8.0 * N_BLOCKS * N_TOPICS;
    return n_moves * (table_of(corpus) + tokens_by_topic) + (double)(n_ranks - 1) * 2 * tokens_by_topic;
}

/* Of each output a triangle of F x F, its rows in lines of 8 numbers, and F numbers, once to the last rank and once from it. */
static double coefficients(size_t n_ranks)
{
    const double at_once = 24, n_features = N_TOPICS + 1; /* 20 outputs take 24 lanes */
    return (double)(n_ranks - 1) * 8 * at_once * n_features * (n_features + 10);
}

static void assert_close(double counted, double expected)
{
    if (!(counted > 0.95 * expected && counted < 1.05 * expected))
        fail_msg("%.0f bytes are sent in a sweep, not %.0f", counted, expected);
}

static void topics_alone_send_the_table_once_to_each_other_rank(void **state)
{
    for (size_t n_ranks = 2; n_ranks <= MOST_RANKS; n_ranks++)
        assert_close(sent_by(n_ranks, *state, "none", 4), words_by_topic(*state, n_ranks, (double)n_ranks - 1));
}

static void twenty_classes_add_the_sums_of_their_coefficients(void **state)
{
    for (size_t n_ranks = 2; n_ranks <= MOST_RANKS; n_ranks++)
        assert_close(sent_by(n_ranks, *state, "hinge", 4),
                     words_by_topic(*state, n_ranks, (double)n_ranks - 1) + coefficients(n_ranks));
}

/* Sixteen parts are 4, 6 and 6 for them. */
static void three_ranks_begin_where_blocks_seldom_change_ranks(void **state)
{
    assert_close(sent_by(3, *state, "none", 16), words_by_topic(*state, 3, 3.25));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_alone_send_the_table_once_to_each_other_rank),
        cmocka_unit_test(three_ranks_begin_where_blocks_seldom_change_ranks),
        cmocka_unit_test(twenty_classes_add_the_sums_of_their_coefficients),
    };
    return cmocka_run_group_tests_name("traffic", tests, set_up, tear_down);
}
