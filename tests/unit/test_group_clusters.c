/* Clusters of documents: factors by hand, coverage when groups are clusters at random, groups of one cluster. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gibbous/gibbous.h"
#include "helper_documents.h"
#include "helper_tables.h"
#include "model/group_effects.h"
#include "model/model.h"
#include "options/settings.h"
#include "prior/group_clusters.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_CLUSTERS = 30, N_EACH = 8, N_TOKENS = 15, N_WORDS = 8 };

static uint32_t below(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)((*state >> 33) % n);
}

/* Documents of a cluster use words 0..3 more or less often than 4..7; which of two groups a cluster is in is drawn. */
static void write_documents(const char *path, uint64_t seed)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    uint64_t state = seed * 7919 + 11;
    for (int i = 0; i < 20; i++)
        (void)below(&state, 2);
    for (int c = 0; c < N_CLUSTERS; c++) {
        const uint32_t leaning = 1 + below(&state, 9), group = below(&state, 2);
        for (int d = 0; d < N_EACH; d++) {
            (void)fprintf(f, "{\"group\": \"%s\", \"speech\": \"s%d\", \"text\": \"", group == 0 ? "left" : "right",
                          c);
            for (int n = 0; n < N_TOKENS; n++)
                (void)fprintf(f, "%sw%c", n == 0 ? "" : " ",
                              "abcdefgh"[below(&state, 4) + (below(&state, 10) < leaning ? 0 : 4)]);
            (void)fprintf(f, "\"}\n");
        }
    }
    assert_int_equal(fclose(f), 0);
}

static gb_model *train(const char *path, const char *cluster)
{
    gb_settings *s = settings_of("group", "group", "prior", "graph", "topics", "2", "sweeps", "60", "burn-in", "20",
                                 "seed", "3", "threads", "1", "snapshots", "2", NULL);
    gb_corpus *corpus = NULL;
    gb_model *m = NULL;
    gb_error err = {0};
    if (cluster != NULL)
        set(s, "cluster", cluster);
    assert_int_equal(gb_corpus_read(path, s, NULL, NULL, &corpus, &err), GB_OK);
    if (gb_train(corpus, s, NULL, NULL, &m, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    gb_settings_free(s);
    return m;
}

/* With 90 % intervals 2 of 20 are expected to be without 0; documents of a cluster that are taken as independent make it most of them. */
static void groups_of_clusters_at_random_are_not_called_different(void **unused)
{
    (void)unused;
    enum { N_RUNS = 20 };
    int n_without[2] = {0, 0};
    for (uint64_t i = 0; i < N_RUNS; i++)
        for (int j = 0; j < 2; j++) {
            gb_effect difference[2];
            write_documents("d.jsonl", i);
            gb_model *m = train("d.jsonl", j == 0 ? NULL : "speech");
            assert_int_equal(gb_model_group_contrast(m, 0, 1, difference, NULL), GB_OK);
            n_without[j] += difference[0].q05 > 0 || difference[0].q95 < 0;
            gb_model_free(m);
        }
    (void)remove("d.jsonl");
    assert_in_range(n_without[0], 8, N_RUNS);
    assert_in_range(n_without[1], 0, 4);
}

/* Group 0: clusters {d0, d1}, {d2}; group 1: {d3}, and d4 without words. */
static void factors_are_those_of_the_formula(void **unused)
{
    (void)unused;
    write_file("f.jsonl", "{\"g\": \"x\", \"c\": \"a\", \"text\": \"uu uu uu vv\"}\n"
                          "{\"g\": \"x\", \"c\": \"a\", \"text\": \"uu vv\"}\n"
                          "{\"g\": \"x\", \"text\": \"vv vv vv vv\"}\n"
                          "{\"g\": \"y\", \"c\": \"a\", \"text\": \"uu\"}\n"
                          "{\"g\": \"y\", \"c\": \"b\", \"text\": \"\"}\n");
    static const uint32_t group_of[] = {0, 0, 0, 1, 1};
    static const uint16_t topic[] = {0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0};
    gb_corpus *corpus = corpus_of("f.jsonl", "group", "g", "cluster", "c", NULL);
    gb_group_clusters *c = NULL;
    gb_proportions z;
    double factor[4];
    assert_int_equal(gb_group_clusters_of_corpus(&c, corpus, 2, group_of, NULL), GB_OK);
    assert_string_equal(c->field, "c");
    assert_int_equal(c->n_clusters[0], 2);
    assert_int_equal(c->n_clusters[1], 1);
    assert_int_equal(gb_proportions_create(&z, corpus->n_docs, 2, corpus->doc_start, 1, NULL), GB_OK);
    z.by_document = true;
    assert_int_equal(gb_proportions_count(&z, topic, NULL), GB_OK);
    assert_int_equal(gb_group_clusters_factors(c, &z, NULL, factor, NULL), GB_OK);
    const double mean = (0.75 + 0.5) / 3, a = (1.25 - 2 * mean) / (3 - 2), b = (0 - mean) / (3 - 1);
    const double by_cluster = (a * a + b * b) / 2, by_document = (0.75 * 0.75 + 0.25 - 3 * mean * mean) / (3 * 2);
    const double student =
        6.313751514675 / 1.6448536269514722; /* (16 + 8 + 1) / 17 - 1 is less than 1 degree of freedom */
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(factor[k] / (student * student * by_cluster / by_document) - 1) < 1e-6);
        assert_true(factor[2 + k] == 1);
    }
    gb_proportions_clear(&z);
    gb_group_clusters_free(c);
    gb_corpus_free(corpus);
    (void)remove("f.jsonl");
}

static void a_model_keeps_its_clusters(void **unused)
{
    (void)unused;
    gb_model *read = NULL;
    gb_effect before[2], after[2];
    write_documents("d.jsonl", 5);
    gb_model *m = train("d.jsonl", "speech");
    assert_int_equal(gb_model_write(m, "m.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &read, NULL), GB_OK);
    assert_string_equal(gb_model_cluster_field(read), "speech");
    assert_int_equal(gb_model_group_n_clusters(read, 0) + gb_model_group_n_clusters(read, 1), N_CLUSTERS);
    assert_int_equal(gb_model_group_contrast(m, 0, 1, before, NULL), GB_OK);
    assert_int_equal(gb_model_group_contrast(read, 0, 1, after, NULL), GB_OK);
    assert_memory_equal(before, after, sizeof before);
    gb_model_free(m);
    gb_model_free(read);
    (void)remove("d.jsonl");
    (void)remove("m.gibbous");
}

/* Nothing says how far another cluster would be from the one that there is. */
static void a_group_of_one_cluster_has_no_interval(void **unused)
{
    (void)unused;
    gb_effect share[6], difference[2];
    FILE *f;
    write_documents("d.jsonl", 5);
    assert_non_null(f = fopen("d.jsonl", "a"));
    for (int d = 0; d < 20; d++)
        (void)fprintf(f, "{\"group\": \"a lonely one\", \"speech\": \"last\", \"text\": \"wa wb we wf wa wb\"}\n");
    assert_int_equal(fclose(f), 0);
    gb_model *m = train("d.jsonl", "speech");
    assert_int_equal(gb_model_group_shares(m, 0, 3, 1, share, NULL), GB_OK);
    for (int k = 0; k < 2; k++) {
        assert_true(share[k].mean > 0 && isnan(share[k].sd) && isnan(share[k].q05) && isnan(share[k].q95));
        assert_true(share[2 + k].q05 >= 0 && share[2 + k].q05 < share[2 + k].q95 && share[2 + k].q95 <= 1);
    }
    assert_int_equal(gb_model_group_contrast(m, 1, 0, difference, NULL), GB_OK);
    assert_true(isnan(difference[0].q05) && isfinite(difference[0].mean));
    assert_int_equal(gb_model_group_contrast(m, 1, 2, difference, NULL), GB_OK);
    assert_true(difference[0].q05 < difference[0].q95);
    gb_table *t = answer_to("group-contrasts", &(gb_subject){.model = m});
    assert_true(says(t, "1 group has all documents with one speech"));
    gb_table_free(t);
    t = answer_to("groups", &(gb_subject){.model = m});
    assert_true(says(t, "intervals allow for documents with the same speech being alike"));
    gb_table_free(t);
    gb_model_free(m);
    m = train("d.jsonl", NULL);
    t = answer_to("groups", &(gb_subject){.model = m});
    assert_true(says(t, "documents are taken as independent"));
    gb_table_free(t);
    gb_model_free(m);
    (void)remove("d.jsonl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_those_of_the_formula),
        cmocka_unit_test(a_model_keeps_its_clusters),
        cmocka_unit_test(a_group_of_one_cluster_has_no_interval),
        cmocka_unit_test(groups_of_clusters_at_random_are_not_called_different),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_empty_folder);
}
