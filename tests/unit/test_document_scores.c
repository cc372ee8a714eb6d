/* Scores of documents are sums over their features, for any number of outputs and on every instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "design/scores.h"
#include "random/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOCS = 300, TOPICS = 9, COLUMNS = 4, FEATURES = TOPICS + COLUMNS + 1, MOST = 55, LONGEST = 30 };

typedef struct sample {
    uint64_t start[DOCS + 1];
    uint16_t topic[DOCS * LONGEST];
    double x[DOCS][COLUMNS];
    gb_proportions z;
    gb_sparse_columns covariates;
} sample;

/* Document 3 has neither tokens nor covariates. */
static sample *make_sample(gb_random *r)
{
    static gb_sparse_entry entry[DOCS * COLUMNS];
    uint64_t n = 0;
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (size_t d = 0; d < DOCS; d++) {
        s->start[d + 1] = s->start[d] + (d == 3 ? 0 : gb_random_below(r, LONGEST));
        for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++)
            s->topic[i] = (uint16_t)gb_random_below(r, TOPICS);
        for (uint32_t j = 0; j < COLUMNS; j++)
            if (d != 3 && gb_random_below(r, 2) == 0)
                entry[n++] = (gb_sparse_entry){d, j, s->x[d][j] = gb_random_normal(r)};
    }
    assert_int_equal(gb_proportions_create(&s->z, DOCS, TOPICS, s->start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&s->z, s->topic, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_create(&s->covariates, DOCS, COLUMNS, n, entry, NULL), GB_OK);
    return s;
}

/* With the tokens one by one. */
static double slow_score(const sample *s, const gb_scoring *scoring, size_t d, size_t l)
{
    const gb_layout *layout = &scoring->design->layout;
    const size_t n = scoring->n_outputs,
                 n_columns = gb_layout_find(layout, GB_COVARIATES_BLOCK) == NULL ? 0 : COLUMNS;
    double sum = gb_layout_find(layout, GB_CONSTANT_BLOCK) == NULL ? 0 : scoring->eta[(TOPICS + n_columns) * n + l];
    for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++)
        sum += scoring->eta[s->topic[i] * n + l] / (double)(s->start[d + 1] - s->start[d]);
    for (size_t j = 0; j < n_columns; j++)
        sum += scoring->eta[(TOPICS + j) * n + l] * s->x[d][j];
    return sum;
}

static void check_scores(const sample *s, const gb_scoring *scoring)
{
    static double score[DOCS * MOST], again[DOCS * MOST];
    const size_t n = scoring->n_outputs;
    gb_score_documents(scoring, GB_ISA_PLAIN, 0, DOCS, score);
    for (size_t d = 0; d < DOCS; d++)
        for (size_t l = 0; l < n; l++)
            assert_true(fabs(score[d * n + l] - slow_score(s, scoring, d, l)) < 1e-13);
    for (int isa = GB_ISA_PLAIN; isa <= (int)gb_isa_best(); isa++) {
        memset(again, 0, sizeof again);
        gb_score_documents(scoring, (gb_isa)isa, 0, 77, again);
        assert_true(again[77 * n] == 0); /* what was not asked for stays */
        gb_score_documents(scoring, (gb_isa)isa, 77, DOCS, again);
        assert_memory_equal(score, again, DOCS * n * sizeof *score);
    }
}

static void scores_are_sums_over_features(void **state)
{
    (void)state;
    static double eta[FEATURES * MOST];
    gb_random r = gb_random_open(gb_key_make(2, 0), 0, GB_DRAW_TEST, 0);
    sample *s = make_sample(&r);
    for (size_t i = 0; i < FEATURES * MOST; i++)
        eta[i] = gb_random_normal(&r);
    for (size_t n = 1; n <= MOST; n++)
        for (int kind = 0; kind < 4; kind++) {
            const gb_design design =
                gb_design_make(&s->z, kind % 2 == 0 ? NULL : &s->covariates, NULL, kind / 2 == 1);
            const gb_scoring scoring = {.design = &design, .n_outputs = n, .eta = eta};
            check_scores(s, &scoring);
        }
    gb_sparse_columns_clear(&s->covariates);
    gb_proportions_clear(&s->z);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scores_are_sums_over_features)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
