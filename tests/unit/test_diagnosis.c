/* The diagnosis of a model: chains that agree, chains that do not, topics under other numbers, traces, checkpoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "diagnose/chance.h"
#include "diagnose/diagnosis.h"
#include "gibbous/gibbous.h"
#include "helper_tables.h"
#include "model/draw_file.h"
#include "model/model.h"
#include "random/random.h"

#include <math.h>
#include <string.h>

enum { TOPICS = 3, WORDS = 30, CHAINS = 2, DRAWS = 40, FEATURES = TOPICS + 1, DOCUMENTS = 4 };

/* ---- which R-hat is more than chance ---- */

static void limits_of_r_hat_follow_the_law_of_independent_draws(void **unused)
{
    (void)unused;
    static const double known[][4] = {{1, 10, 1, 1.7469186668687602},
                                      {1, 40, 1, 1.1478794498659828},
                                      {4, 10, 1, 1.204851673719811},
                                      {4, 10, 200, 1.4763912828844206},
                                      {4, 50, 1, 1.05},
                                      {4, 50, 20, 1.0569120431499124},
                                      {1, 4, 1, 7.053457044698506},
                                      {4, 1000, 1, 1.05}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(
            fabs(gb_r_hat_limit((size_t)known[i][0], (size_t)known[i][1], (size_t)known[i][2]) - known[i][3]) < 1e-8);
    assert_true(isinf(gb_r_hat_limit(4, 3, 1)));
}

/* Normal draws, the larger one of two R-hats each: at most twice 0.01 may pass the limit, and 0.005 for the error. */
static void within_chains_one_run_in_fifty_passes_the_limit_by_chance(void **unused)
{
    (void)unused;
    enum { RUNS = 4000, N = 20 };
    gb_random r = gb_random_open(gb_key_make(8, 0), 0, GB_DRAW_TEST, 0);
    const double limit = gb_r_hat_within_limit(CHAINS, N, 1);
    size_t n_above = 0;
    for (size_t run = 0; run < RUNS; run++) {
        double x[CHAINS * N];
        gb_mixing m;
        for (size_t i = 0; i < CHAINS * N; i++)
            x[i] = gb_random_normal(&r);
        assert_int_equal(gb_mixing_of(CHAINS, N, x, &m, NULL), GB_OK);
        n_above += m.r_hat_within > limit;
    }
    assert_true((double)n_above > 0.01 * RUNS && (double)n_above < 0.025 * RUNS);
    assert_true(gb_r_hat_within_limit(1, N, 3) == gb_r_hat_limit(1, N, 3));
}

static void the_farthest_of_many_may_be_farther_by_chance(void **unused)
{
    (void)unused;
    assert_true(fabs(gb_most_errors(1) - 3) < 1e-12);
    assert_true(fabs(gb_most_errors(4) - 3.3995578444761367) < 1e-9); /* by Python's statistics module */
}

/* ---- a model of made-up draws ---- */

typedef struct made {
    double eta[FEATURES], score[2], share[TOPICS], loss[1], sample[DOCUMENTS], alpha[TOPICS];
    uint64_t word_start[WORDS + 1];
    uint16_t topic[WORDS];
    uint32_t count[WORDS];
} made;

static gb_model *describe(void)
{
    gb_model *m;
    gb_spec spec;
    write_file("documents.jsonl", "{\"text\": \"a0 a1 a2 a3 a4 a5 a6 a7 a8 a9\", \"y\": 1}\n"
                                  "{\"text\": \"b0 b1 b2 b3 b4 b5 b6 b7 b8 b9\", \"y\": 2}\n"
                                  "{\"text\": \"c0 c1 c2 c3 c4 c5 c6 c7 c8 c9\", \"y\": 4}\n"
                                  "{\"text\": \"a0 b1 c2\", \"y\": 3}\n");
    gb_corpus *corpus = corpus_of("documents.jsonl", "target", "y", "token-pattern", "\\w+", NULL);
    gb_settings *settings = settings_of("topics", "3", "intercept", "yes", "sweeps", "2", "seed", "3", NULL);
    assert_int_equal(gb_spec_resolve(corpus, settings, &spec, NULL), GB_OK);
    assert_int_equal(gb_model_create(&m, corpus, &spec, settings, NULL), GB_OK);
    gb_spec_clear(&spec);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    assert_int_equal(m->n_words, WORDS);
    return m;
}

/* Topic k of chain 0 has the words of letter k, of chain 1 those of letter k - 1; its coefficient is 10 times the letter.
 * `shift`: the loss of chain 1 is somewhere else; `drift`: the loss of both chains moves. */
static void make_draw(made *d, uint64_t chain, uint64_t i, double shift, double drift, gb_random *r)
{
    memset(d, 0, sizeof *d);
    for (size_t k = 0; k < TOPICS; k++) {
        const size_t letter = (k + (chain == 0 ? 0 : TOPICS - 1)) % TOPICS;
        d->eta[k] = 10 * (double)letter + gb_random_normal(r) + (double)i;
        d->share[k] = 1.0 / TOPICS;
        d->alpha[k] = 0.5;
    }
    d->eta[TOPICS] = -(double)i; /* what is added to all topics is taken from the intercept */
    d->loss[0] = gb_random_normal(r) + (chain == 1 ? shift : 0) + drift * (double)i;
    d->score[1] = 1;
    for (size_t j = 0; j < DOCUMENTS; j++)
        d->sample[j] = gb_random_normal(r);
    for (uint64_t w = 0; w < WORDS; w++) {
        d->word_start[w + 1] = w + 1;
        d->topic[w] = (uint16_t)((w / 10 + (chain == 0 ? 0 : 1)) % TOPICS);
        d->count[w] = (uint32_t)(1 + (w + i) % 7);
    }
}

static gb_model *make_model(double shift, double drift)
{
    gb_model *m = describe();
    gb_draw_file *f;
    gb_random r = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    const gb_draw_plan plan = {.n_chains = CHAINS, .n_kept = DRAWS, .n_snapshots = 2};
    made d;
    assert_int_equal(gb_draw_file_create(&f, "", false, m, &plan, NULL), GB_OK);
    for (uint64_t chain = 0; chain < CHAINS; chain++)
        for (uint64_t i = 0; i < DRAWS; i++) {
            make_draw(&d, chain, i, shift, drift, &r);
            gb_draw draw = {
                .chain = chain,
                .sweep = i + 1,
                .log_joint = (double[]){gb_random_normal(&r)},
                .prior = {.n_tables = 1, .table = {{.name = "alpha", .n_columns = TOPICS, .value = d.alpha}}},
                .n_outputs = 1,
                .eta = d.eta,
                .own = (double[]){1 + 0.01 * gb_random_normal(&r)},
                .score = d.score,
                .share = d.share,
                .loss = d.loss,
                .sample_score = d.sample};
            if (gb_draw_file_wants_topics(f, chain)) {
                draw.word_start = d.word_start;
                draw.topic = d.topic;
                draw.count = d.count;
            }
            assert_int_equal(gb_draw_file_append(f, &draw, NULL), GB_OK);
        }
    assert_int_equal(gb_model_take_draws(m, f, NULL), GB_OK);
    return m;
}

static const gb_quantity *find(const gb_diagnosis *d, const char *name)
{
    for (uint64_t i = 0; i < d->n_quantities; i++)
        if (strcmp(d->quantity[i].name, name) == 0)
            return &d->quantity[i];
    fail_msg("no quantity %s", name);
    return NULL;
}

static void chains_that_agree_are_said_to(void **unused)
{
    (void)unused;
    gb_model *m = make_model(0, 0);
    gb_diagnosis *d;
    assert_int_equal(gb_diagnosis_create(m, GB_DIAGNOSE_ALL, &d, NULL), GB_OK);
    gb_model_free(m); /* the diagnosis needs it no more */
    assert_int_equal(d->n_chains, CHAINS);
    for (uint64_t i = 0; i < d->n_quantities; i++)
        assert_true(d->quantity[i].agrees);
    assert_int_equal(find(d, "scores of 4 documents")->n_numbers, DOCUMENTS);
    assert_true(find(d, "constant")->mixing.r_hat < 1.2); /* although the intercept falls */
    gb_diagnosis_free(d);
}

static void a_chain_that_is_somewhere_else_is_found(void **unused)
{
    (void)unused;
    gb_model *m = make_model(2, 0);
    gb_diagnosis *d;
    assert_int_equal(gb_diagnosis_create(m, GB_DIAGNOSE_RUN, &d, NULL), GB_OK);
    assert_int_equal(d->n_quantities, 2);
    assert_true(find(d, "log joint")->agrees);
    assert_false(find(d, "loss")->agrees);
    assert_true(find(d, "loss")->is_settled);
    assert_true(find(d, "loss")->mixing.r_hat > 1.2 && find(d, "loss")->r_hat_within < 1.1);
    gb_diagnosis_free(d);
    gb_model_free(m);
}

static void chains_that_still_move_are_not_called_apart(void **unused)
{
    (void)unused;
    gb_model *m = make_model(2, 0.1);
    gb_diagnosis *d;
    assert_int_equal(gb_diagnosis_create(m, GB_DIAGNOSE_RUN, &d, NULL), GB_OK);
    assert_false(find(d, "loss")->is_settled);
    gb_diagnosis_free(d);
    gb_model_free(m);
}

static void topics_are_compared_under_their_numbers_of_the_first_chain(void **unused)
{
    (void)unused;
    gb_model *m = make_model(0, 0);
    gb_diagnosis *d;
    assert_int_equal(gb_diagnosis_create(m, GB_DIAGNOSE_ALL, &d, NULL), GB_OK);
    assert_int_equal(d->n_topics, TOPICS);
    for (uint64_t k = 0; k < TOPICS; k++) {
        const gb_topic_diagnosis *t = &d->topic[k];
        assert_true(t->n_recur == 2 && t->n_chains == 2 && t->agrees);
        assert_true(fabs(t->mixing.mean - 10 * ((double)k - 1)) < 1);
        assert_true(t->mixing.r_hat < t->limit);
    }
    gb_diagnosis_free(d);
    gb_model_free(m);
}

static void the_table_says_what_the_chains_say_and_topics_have_their_numbers(void **unused)
{
    (void)unused;
    gb_model *m = make_model(2, 0);
    gb_diagnosis *d;
    assert_int_equal(gb_diagnosis_create(m, GB_DIAGNOSE_ALL, &d, NULL), GB_OK);
    const gb_subject subject = {.size = sizeof subject, .model = m, .diagnosis = d};
    gb_table *table = answer_to("diagnosis", &subject);
    uint64_t row = row_with(table, 0, "name", "loss");
    assert_true(real_at(table, row, "r_hat") == find(d, "loss")->mixing.r_hat);
    assert_true(real_at(table, row, "mean") == find(d, "loss")->mixing.mean);
    assert_true(count_at(table, row, "agrees") == 0 && count_at(table, row, "settled") == 1);
    assert_int_equal(count_at(table, row, "chains"), CHAINS);
    row = row_with(table, 0, "name", "scores of 4 documents"); /* a mean of several numbers would say nothing */
    assert_true(count_at(table, row, "numbers") == DOCUMENTS && isnan(real_at(table, row, "mean")));
    row = row_with(table, 0, "kind", "topic");
    for (uint64_t k = 0; k < TOPICS; k++, row++)
        assert_true(count_at(table, row, "topic") == k + 1 &&
                    real_at(table, row, "r_hat") == d->topic[k].mixing.r_hat);
    gb_table_free(table);
    gb_diagnosis_free(d);
    gb_model_free(m);
}

/* ---- real runs ---- */

static gb_model *train(gb_settings *settings)
{
    gb_model *m;
    gb_corpus *corpus = corpus_of("documents.jsonl", "target", "y", "token-pattern", "\\w+", NULL);
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &m, NULL), GB_OK);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return m;
}

static void traces_are_named_and_know_their_first_draw(void **unused)
{
    (void)unused;
    gb_model *m = train(settings_of("topics", "3", "sweeps", "100", "chains", "2", "seed", "3", NULL));
    gb_diagnosis *d;
    assert_int_equal(gb_diagnosis_create(m, GB_DIAGNOSE_RUN, &d, NULL), GB_OK);
    assert_int_equal(d->n_traces, 4);
    const gb_trace *t = &d->trace[3];
    assert_string_equal(t->name, "loss");
    assert_true(t->chain == 1 && t->n == 50 && t->stride == 2 && t->first_kept == 51);
    assert_true(t->value[49] == gb_model_kept(m, m->n_kept - 1).loss[0]);
    const gb_subject subject = {.size = sizeof subject, .model = m, .diagnosis = d};
    gb_table *table = answer_to("traces", &subject);
    uint64_t column = 0, n;
    while (gb_table_column(table, column)->kind != GB_CELL_REALS)
        column++;
    const double *value = gb_table_numbers(table, 3, column, &n);
    assert_int_equal(n, t->n);
    assert_memory_equal(value, t->value, n * sizeof *value);
    assert_true(count_at(table, 3, "chain") == 2 && count_at(table, 3, "first_kept") == 51);
    gb_table_free(table);
    gb_diagnosis_free(d);
    gb_model_free(m);
}

static void a_checkpoint_tells_the_same_as_the_model(void **unused)
{
    (void)unused;
    gb_model *m =
        train(settings_of("topics", "3", "sweeps", "60", "chains", "2", "seed", "3", "checkpoint", "c.gbk", NULL));
    gb_diagnosis *d, *of_run;
    assert_int_equal(gb_diagnosis_create(m, GB_DIAGNOSE_ALL, &d, NULL), GB_OK);
    assert_int_equal(gb_diagnosis_create_from_checkpoint("c.gbk", &of_run, NULL), GB_OK);
    static const char *const same[] = {"log joint", "loss", "topic sizes, sorted", "scores of 4 documents"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_memory_equal(&find(d, same[i])->mixing, &find(of_run, same[i])->mixing, sizeof(gb_mixing));
    assert_int_equal(d->n_traces, of_run->n_traces);
    for (uint64_t i = 0; i < d->n_traces; i++) {
        const gb_trace *a = &d->trace[i], *b = &of_run->trace[i];
        assert_true(a->n == b->n && a->first_kept == b->first_kept);
        assert_memory_equal(a->value, b->value, a->n * sizeof *a->value);
    }
    gb_diagnosis_free(d);
    gb_diagnosis_free(of_run);
    gb_model_free(m);
}

static void a_file_that_is_no_checkpoint_is_refused(void **unused)
{
    (void)unused;
    gb_diagnosis *d;
    write_file("other", "something else");
    assert_int_equal(gb_diagnosis_create_from_checkpoint("other", &d, NULL), GB_EFORMAT);
    assert_int_equal(gb_diagnosis_create_from_checkpoint("missing", &d, NULL), GB_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_r_hat_follow_the_law_of_independent_draws),
        cmocka_unit_test(within_chains_one_run_in_fifty_passes_the_limit_by_chance),
        cmocka_unit_test(the_farthest_of_many_may_be_farther_by_chance),
        cmocka_unit_test(chains_that_agree_are_said_to),
        cmocka_unit_test(a_chain_that_is_somewhere_else_is_found),
        cmocka_unit_test(chains_that_still_move_are_not_called_apart),
        cmocka_unit_test(the_table_says_what_the_chains_say_and_topics_have_their_numbers),
        cmocka_unit_test(topics_are_compared_under_their_numbers_of_the_first_chain),
        cmocka_unit_test(traces_are_named_and_know_their_first_draw),
        cmocka_unit_test(a_checkpoint_tells_the_same_as_the_model),
        cmocka_unit_test(a_file_that_is_no_checkpoint_is_refused)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
