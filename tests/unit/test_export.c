/* test_export.c - topics of tokens that other programs are given. */
#include "apply/export.h"
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_DOCS = 40, N_TOPICS = 3, MOST_TOKENS = 4000 };

typedef struct fitted {
    gb_settings *settings;
    gb_corpus *docs;
    gb_model *model;
} fitted;

static fitted fit(const char *prior)
{
    fitted f = {.settings =
                    settings_of("response", "none", "topics", "3", "sweeps", "80", "burn-in", "40", "chains", "2",
                                "seed", "1", "documents", "40", "vocabulary-size", "30", "prior", prior, NULL)};
    assert_int_equal(gb_simulate(NULL, f.settings, NULL, NULL, &f.docs, NULL), GB_OK);
    assert_int_equal(gb_train(f.docs, f.settings, NULL, NULL, &f.model, NULL), GB_OK);
    assert_true(gb_corpus_n_tokens(f.docs) <= MOST_TOKENS && gb_corpus_n_docs(f.docs) == N_DOCS);
    return f;
}

static void clear(fitted *f)
{
    gb_model_free(f->model);
    gb_corpus_free(f->docs);
    gb_settings_free(f->settings);
}

static void topics_of_documents_do_not_depend_on_the_others(void **state)
{
    static uint16_t all[MOST_TOKENS], part[MOST_TOKENS];
    (void)state;
    fitted f = fit("dirichlet");
    gb_corpus *view = NULL;
    const size_t split = N_DOCS / 3;
    const uint64_t before = f.docs->doc_start[split], n = gb_corpus_n_tokens(f.docs);
    assert_int_equal(gb_draw_topics(f.model, f.docs, 0, f.settings, NULL, NULL, all, NULL), GB_OK);
    assert_int_equal(gb_corpus_view_create(f.docs, split, N_DOCS, &view, NULL), GB_OK);
    assert_int_equal(gb_draw_topics(f.model, view, split, f.settings, NULL, NULL, part, NULL), GB_OK);
    assert_memory_equal(all + before, part, (n - before) * sizeof *part);
    gb_corpus_free(view);
    clear(&f);
}

/* Of some 100 tokens a document: the share of a topic differs from its expectation by 0.05 at most, one standard deviation of a draw. */
static void drawn_topics_have_the_shares_that_are_inferred(void **state)
{
    static const char *const priors[] = {"dirichlet", "uniform", "logistic-normal"};
    static uint16_t topic[MOST_TOKENS];
    static double share[N_DOCS * N_TOPICS];
    (void)state;
    for (size_t p = 0; p < sizeof priors / sizeof priors[0]; p++) {
        fitted f = fit(priors[p]);
        double sum = 0;
        assert_int_equal(gb_draw_topics(f.model, f.docs, 0, f.settings, NULL, NULL, topic, NULL), GB_OK);
        assert_int_equal(gb_infer(f.model, f.docs, 0, f.settings, NULL, NULL, share, NULL), GB_OK);
        for (uint64_t d = 0; d < N_DOCS; d++) {
            const uint64_t first = f.docs->doc_start[d], last = f.docs->doc_start[d + 1];
            double drawn[N_TOPICS] = {0};
            for (uint64_t i = first; i < last; i++)
                drawn[topic[i]] += 1.0 / (double)(last - first);
            for (size_t k = 0; k < N_TOPICS; k++)
                sum += fabs(drawn[k] - share[d * N_TOPICS + k]) / (N_DOCS * N_TOPICS);
        }
        assert_true(sum < 0.05);
        clear(&f);
    }
}

static bool stop(const gb_apply_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return false;
}

static void an_export_that_is_stopped_leaves_nothing(void **state)
{
    (void)state;
    fitted f = fit("uniform"); /* whose topics are drawn for shares, too */
    const char *const formats[] = {"ldavis", "mallet-state"};
    set(f.settings, "infer-sweeps", "1000000"); /* so that it is asked before the end */
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(gb_model_export(f.model, f.docs, "x", formats[i], f.settings, false, stop, NULL, NULL),
                         GB_ESTOP);
    assert_int_equal(count_files(), 0);
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_of_documents_do_not_depend_on_the_others),
        cmocka_unit_test(drawn_topics_have_the_shares_that_are_inferred),
        cmocka_unit_test(an_export_that_is_stopped_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
