/* Shares of the variance of scores, beside shares computed again from the scores of all documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_documents.h"

#include "gibbous/effects.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_DOCS = 60, TOPICS = 0, COVARIATES = 1, WORDS = 2 }; /* so few that the model keeps all scores */

/* x is 0 or 1, in half of the documents each: coded -1 or 1. */
static int x_of(size_t d)
{
    return (int)(d * 7 % 10 < 5);
}

static void write_documents(void)
{
    char text[N_DOCS * 128];
    size_t n = 0;
    for (size_t d = 0; d < N_DOCS; d++)
        n += (size_t)snprintf(text + n, sizeof text - n, "{\"text\":\"%s %s %s\",\"x\":%d,\"y\":%zu}\n",
                              d % 2 == 0 ? "aa ab" : "ba bb", d % 3 == 0 ? "ca" : "cb", d % 5 == 0 ? "aa bb" : "cb",
                              x_of(d), 3 * (size_t)x_of(d) + d % 3 + d % 2);
    write_file("d.jsonl", text);
}

static gb_model *train(const char *words, const char *covariates)
{
    gb_model *m = NULL;
    write_documents();
    gb_corpus *corpus =
        corpus_of("d.jsonl", "target", "y", covariates == NULL ? NULL : "covariates", covariates, NULL);
    gb_settings *s = settings_of("topics", "2", "word-effects", words, "sweeps", "30", "burn-in", "10", "thin", "1",
                                 "chains", "2", "response", "gaussian", "seed", "3", NULL);
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &m, NULL), GB_OK);
    gb_settings_free(s);
    gb_corpus_free(corpus);
    return m;
}

static double covariance(const double *a, const double *b)
{
    double mean_a = 0, mean_b = 0, sum = 0;
    for (size_t d = 0; d < N_DOCS; d++) {
        mean_a += a[d] / N_DOCS;
        mean_b += b[d] / N_DOCS;
    }
    for (size_t d = 0; d < N_DOCS; d++)
        sum += (a[d] - mean_a) * (b[d] - mean_b) / N_DOCS;
    return sum;
}

static void covariates_have_their_covariance_with_the_score(void **state)
{
    (void)state;
    gb_model *m = train("tfidf", "x:number");
    assert_int_equal(gb_model_n_blocks(m), 3);
    assert_string_equal(gb_model_block(m, TOPICS), "topics");
    assert_string_equal(gb_model_block(m, COVARIATES), "covariates");
    assert_string_equal(gb_model_block(m, WORDS), "words");
    for (size_t i = 0; i < m->n_kept; i++) {
        const gb_draw draw = gb_model_kept(m, i);
        double part[N_DOCS];
        for (size_t d = 0; d < N_DOCS; d++)
            part[d] = draw.eta[m->n_topics] * (x_of(d) - gb_coding_column_centre(m->coding, 0)) /
                      gb_coding_column_scale(m->coding, 0);
        const double share = covariance(part, draw.sample_score) / covariance(draw.sample_score, draw.sample_score);
        assert_true(fabs(share) > 0.01);
        assert_true(fabs(draw.block_share[COVARIATES] - share) < 1e-12);
    }
    gb_model_free(m);
}

static void shares_add_up_to_one(void **state)
{
    (void)state;
    gb_model *m = train("presence", "x:number");
    gb_effect share[3];
    for (uint64_t b = 0; b < 3; b++) {
        assert_int_equal(gb_model_block_share(m, 0, b, &share[b], NULL), GB_OK);
        assert_int_equal(share[b].n_draws, 40); /* of both chains */
    }
    for (size_t i = 0; i < m->n_kept; i++) {
        const double *of = gb_model_kept(m, i).block_share;
        assert_true(fabs(of[TOPICS] + of[COVARIATES] + of[WORDS] - 1) < 1e-12);
    }
    assert_true(fabs(share[TOPICS].mean + share[COVARIATES].mean + share[WORDS].mean - 1) < 1e-12);
    gb_model_free(m);
}

static void topics_alone_have_no_shares(void **state)
{
    (void)state;
    gb_effect share;
    gb_model *m = train("none", NULL);
    assert_int_equal(gb_model_n_blocks(m), 0);
    assert_null(gb_model_block(m, 0));
    assert_int_equal(gb_model_block_share(m, 0, 0, &share, NULL), GB_EARGUMENT);
    gb_model_free(m);
}

static void a_file_keeps_the_shares(void **state)
{
    (void)state;
    gb_model *m = train("counts", NULL), *again = NULL;
    gb_effect before, after;
    assert_int_equal(gb_model_write(m, "m.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &again, NULL), GB_OK);
    assert_int_equal(gb_model_n_blocks(again), 2);
    assert_string_equal(gb_model_block(again, 1), "words");
    assert_int_equal(gb_model_block_share(m, 0, 1, &before, NULL), GB_OK);
    assert_int_equal(gb_model_block_share(again, 0, 1, &after, NULL), GB_OK);
    assert_true(before.mean == after.mean && before.q95 == after.q95);
    gb_model_free(again);
    gb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covariates_have_their_covariance_with_the_score),
        cmocka_unit_test(shares_add_up_to_one),
        cmocka_unit_test(topics_alone_have_no_shares),
        cmocka_unit_test(a_file_keeps_the_shares),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
