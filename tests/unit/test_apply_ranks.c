/* Models applied to documents by ranks that each do a run of them: all ranks get the bits that one process gets, and all
 * of them end together, however one of them ends. */
#include "fake_team.h"
#include "helper_documents.h"

#include "apply/application.h"
#include "model/model.h"

#include <string.h>

enum { MOST_RANKS = 4, FIRST_ROW = 7 };

/** What ranks do together, and what each of them gets. */
typedef struct program {
    const gb_model *model;
    const gb_corpus *docs;
    gb_settings *settings;
    gb_error error[MOST_RANKS];
    gb_prediction *prediction[MOST_RANKS];
    gb_held_out *held_out[MOST_RANKS];
} program;

static gb_model *model_of(const gb_corpus *corpus, gb_settings *settings)
{
    gb_error err = {.status = GB_OK};
    gb_model *model = NULL;
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    return model;
}

static gb_status apply(gb_team *team, program *p, gb_error *err)
{
    gb_status st;
    const size_t rank = gb_team_rank(team);
    gb_settings *settings = NULL;
    GB_TRY(gb_settings_copy(p->settings, &settings, err));
    gb_settings_use_team(settings, team);
    GB_TRY(gb_prediction_create(p->model, p->docs->n_docs, &p->prediction[rank], err));
    GB_TRY(gb_predict(p->model, p->docs, FIRST_ROW, settings, NULL, NULL, p->prediction[rank], err));
    GB_TRY(gb_held_out_create(p->docs->n_docs, &p->held_out[rank], err));
    GB_TRY(gb_held_out_likelihood(p->model, p->docs, FIRST_ROW, settings, NULL, NULL, p->held_out[rank], err));
done:
    gb_settings_free(settings);
    return st;
}

static void run_rank(gb_team *team, void *context)
{
    program *p = context;
    gb_error *error = &p->error[gb_team_rank(team)];
    error->status = apply(team, p, error);
}

static void run_on(size_t n_ranks, program *p)
{
    const fake_trouble trouble = {.seed = n_ranks, .longest_delay = 20, .reorders = true};
    const fake_report report = fake_team_run(n_ranks, &trouble, run_rank, p);
    assert_int_equal(report.error.status, GB_OK);
    assert_int_equal(report.n_open, 0);
}

static void clear(program *p)
{
    for (size_t r = 0; r < MOST_RANKS; r++) {
        gb_prediction_free(p->prediction[r]);
        gb_held_out_free(p->held_out[r]);
    }
}

static void assert_same_numbers(const double *a, const double *b, size_t n)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL)
        assert_memory_equal(a, b, n * sizeof *a);
}

static void assert_same_response(const gb_response_prediction *a, const gb_response_prediction *b, uint64_t n)
{
    assert_same_numbers(a->probability, b->probability, n * a->n_classes);
    assert_same_numbers(a->mean, b->mean, n);
    assert_same_numbers(a->sd, b->sd, n);
    assert_same_numbers(a->q05, b->q05, n);
    assert_same_numbers(a->q95, b->q95, n);
    if (a->predicted != NULL)
        assert_memory_equal(a->predicted, b->predicted, n * sizeof *a->predicted);
}

static void assert_same_prediction(const gb_prediction *a, const gb_prediction *b)
{
    assert_same_numbers(a->share, b->share, a->n_docs * a->n_topics);
    assert_same_numbers(a->score, b->score, a->n_docs * a->n_outputs);
    assert_memory_equal(a->n_known, b->n_known, a->n_docs * sizeof *a->n_known);
    for (uint64_t i = 0; i < a->n_responses; i++)
        assert_same_response(&a->response[i], &b->response[i], a->n_docs);
}

static void assert_same_likelihood(const gb_held_out *a, const gb_held_out *b)
{
    assert_memory_equal(a->n_scored, b->n_scored, a->n_docs * sizeof *a->n_scored);
    assert_same_numbers(a->log_likelihood, b->log_likelihood, a->n_docs);
    assert_same_numbers(a->standard_error, b->standard_error, a->n_docs);
}

/* Labels of so many classes; NULL: numbers. */
static gb_corpus *documents(const char *classes, const char *n_docs, const char *length)
{
    return simulated_with(settings_of("topics", "4", "documents", n_docs, "length", length, "vocabulary-size", "80",
                                      "seed", "3", "response", classes == NULL ? "gaussian" : "logistic",
                                      classes == NULL ? NULL : "classes", classes, NULL));
}

/* ---- tests ---- */

typedef struct variant {
    const char *classes, *prior, *response, *strategy, *held_out;
} variant;

static void number_of_ranks_changes_no_bit(void **state)
{
    (void)state;
    const variant variants[] = {
        {"3", "dirichlet", "logistic", "shared", "completion"},
        {"3", "logistic-normal", "hinge", "one-vs-rest", "left-to-right"},
        {NULL, "dirichlet", "gaussian", "shared", "empirical"},
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const variant *v = &variants[i];
        gb_corpus *docs = documents(v->classes, "90", "30");
        gb_model *model = model_of(docs, settings_of("topics", "4", "sweeps", "12", "snapshots", "2", "seed", "1",
                                                     "prior", v->prior, "response", v->response, "cost", "1",
                                                     "strategy", v->strategy, NULL));
        gb_settings *settings = settings_of("threads", "2", "infer-sweeps", "4", "infer-burn-in", "2", "held-out",
                                            v->held_out, "held-out-samples", "2", NULL);
        program one = {.model = model, .docs = docs, .settings = settings};
        run_on(1, &one);
        assert_int_equal(one.error[0].status, GB_OK);
        assert_int_equal(one.prediction[0]->n_responses, 1);
        for (size_t n = 2; n <= MOST_RANKS; n++) {
            program several = {.model = model, .docs = docs, .settings = settings};
            run_on(n, &several);
            for (size_t r = 0; r < n; r++) {
                assert_int_equal(several.error[r].status, GB_OK);
                assert_same_prediction(several.prediction[r], one.prediction[0]);
                assert_same_likelihood(several.held_out[r], one.held_out[0]);
            }
            clear(&several);
        }
        clear(&one);
        gb_settings_free(settings);
        gb_model_free(model);
        gb_corpus_free(docs);
    }
}

static void more_ranks_than_documents_are_no_trouble(void **state)
{
    (void)state;
    gb_corpus *training = documents("2", "90", "30"), *docs = documents("2", "2", "30");
    gb_model *model = model_of(training, settings_of("topics", "4", "sweeps", "8", "seed", "1", NULL));
    gb_settings *settings = settings_of("infer-sweeps", "2", NULL);
    program one = {.model = model, .docs = docs, .settings = settings}, many = one;
    run_on(1, &one);
    run_on(MOST_RANKS, &many);
    for (size_t r = 0; r < MOST_RANKS; r++) {
        assert_int_equal(many.error[r].status, GB_OK);
        assert_same_prediction(many.prediction[r], one.prediction[0]);
        assert_same_likelihood(many.held_out[r], one.held_out[0]);
    }
    clear(&one);
    clear(&many);
    gb_settings_free(settings);
    gb_model_free(model);
    gb_corpus_free(training);
    gb_corpus_free(docs);
}

/* ---- ends ---- */

/** Ranks whose work ends in some way. */
typedef struct ends {
    const gb_model *model;
    const gb_corpus *docs;
    gb_settings *settings;
    gb_status own[MOST_RANKS], st[MOST_RANKS];
    gb_error error[MOST_RANKS];
} ends;

static void end_rank(gb_team *team, void *context)
{
    ends *p = context;
    const size_t rank = gb_team_rank(team);
    const gb_apply_call call = {.model = p->model, .docs = p->docs, .settings = p->settings, .team = team};
    gb_application a;
    gb_error here = {.status = GB_OK};
    if (gb_application_open(&a, &call, GB_BATCH_COUNTS, 100, &here) == GB_OK && p->own[rank] != GB_OK)
        (void)gb_fail(&here, p->own[rank], "rank %zu", rank);
    p->st[rank] = gb_application_agree(&a, &here, &p->error[rank]);
    gb_application_clear(&a);
}

static void all_ranks_have_the_first_failure(void **state)
{
    (void)state;
    gb_corpus *docs = documents("2", "20", "10");
    gb_model *model = model_of(docs, settings_of("topics", "4", "sweeps", "4", "seed", "1", NULL));
    gb_settings *settings = settings_of("threads", "1", NULL);
    const struct {
        gb_status own[MOST_RANKS], all;
        const char *message;
    } cases[] = {{{GB_OK, GB_OK, GB_OK, GB_OK}, GB_OK, ""},
                 {{GB_ESTOP, GB_OK, GB_OK, GB_OK}, GB_ESTOP, "rank 0"},
                 {{GB_OK, GB_OK, GB_OK, GB_ENUMERIC}, GB_ENUMERIC, "rank 3"},
                 {{GB_OK, GB_ENOMEM, GB_ESTOP, GB_ENUMERIC}, GB_ENOMEM, "rank 1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ends p = {.model = model, .docs = docs, .settings = settings};
        memcpy(p.own, cases[i].own, sizeof p.own);
        const fake_report report = fake_team_run(MOST_RANKS, NULL, end_rank, &p);
        assert_int_equal(report.error.status, GB_OK);
        for (size_t r = 0; r < MOST_RANKS; r++) {
            assert_int_equal(p.st[r], cases[i].all);
            assert_string_equal(p.error[r].message, cases[i].message);
        }
    }
    gb_settings_free(settings);
    gb_model_free(model);
    gb_corpus_free(docs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_of_ranks_changes_no_bit),
        cmocka_unit_test(more_ranks_than_documents_are_no_trouble),
        cmocka_unit_test(all_ranks_have_the_first_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
