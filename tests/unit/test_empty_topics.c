/* test_empty_topics.c - topics without tokens are called empty, and count in no mean. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"
#include "model/empty_topics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOPICS = 12 };

/* More topics than tokens of a document, and two documents: most are empty. */
static gb_model *trained(gb_corpus **corpus)
{
    *corpus = simulated_with(
        settings_of("documents", "4", "length", "3", "vocabulary-size", "8", "topics", "2", "seed", "3", NULL));
    gb_settings *settings = settings_of("response", "none", "topics", "12", "chains", "2", "alpha", "0.01", "sweeps",
                                        "60", "burn-in", "40", "seed", "2", NULL);
    gb_model *model = NULL;
    gb_error err = {0};
    if (gb_train(*corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    return model;
}

static uint64_t column_of(const gb_table *table, const char *name)
{
    uint64_t c = 0;
    while (strcmp(gb_table_column(table, c)->name, name) != 0)
        c++;
    return c;
}

static bool has_note(const gb_table *table, const char *part)
{
    gb_note_kind kind;
    const char *text;
    for (uint64_t i = 0; (text = gb_table_note(table, i, &kind)) != NULL; i++)
        if (strstr(text, part) != NULL)
            return true;
    return false;
}

static void a_topic_with_less_than_a_token_is_empty(void **state)
{
    (void)state;
    gb_corpus *corpus;
    gb_model *model = trained(&corpus);
    uint64_t n_empty = 0;
    for (uint64_t k = 0; k < TOPICS; k++) {
        const double tokens = gb_model_topic_share(model, k) * (double)gb_model_n_training_tokens(model);
        assert_int_equal(gb_model_topic_is_empty(model, k), tokens < 1);
        n_empty += tokens < 1;
    }
    assert_true(n_empty > 0 && n_empty < TOPICS);
    gb_model_free(model);
    gb_corpus_free(corpus);
}

static void empty_topics_say_so_and_count_in_no_mean(void **state)
{
    (void)state;
    gb_corpus *corpus;
    gb_model *model = trained(&corpus);
    gb_settings *settings = settings_of("coherence-words", "2", NULL);
    gb_table *table = NULL;
    const gb_subject subject = {.size = sizeof subject, .model = model};
    assert_int_equal(gb_answer("topics", &subject, settings, &table, NULL), GB_OK);
    const uint64_t empty = column_of(table, "empty"), words = column_of(table, "words"),
                   exclusivity = column_of(table, "exclusivity");
    double sum = 0, n = 0;
    for (uint64_t k = 0; k < TOPICS; k++) {
        const bool is_empty = gb_model_topic_is_empty(model, k);
        assert_int_equal(gb_table_counts(table, empty)[k], is_empty);
        assert_int_equal(strcmp(gb_table_text(table, k, words, 0), "(empty)") == 0, is_empty);
        assert_int_equal(isnan(gb_table_reals(table, exclusivity)[k]) != 0, is_empty);
        sum += is_empty ? 0 : gb_table_reals(table, exclusivity)[k];
        n += !is_empty;
    }
    char mean[60];
    (void)snprintf(mean, sizeof mean, "mean exclusivity %.3f", sum / n);
    assert_true(has_note(table, mean));
    assert_true(has_note(table, "empty: "));
    gb_table_free(table);
    gb_settings_free(settings);
    gb_model_free(model);
    gb_corpus_free(corpus);
}

static void empty_topics_are_not_looked_for_in_other_chains(void **state)
{
    (void)state;
    gb_corpus *corpus;
    gb_model *model = trained(&corpus);
    gb_settings *settings = settings_of("seed", "1", NULL);
    gb_diagnosis *diagnosis = NULL;
    gb_table *table = NULL;
    uint64_t n_empty = 0;
    assert_int_equal(gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &diagnosis, NULL), GB_OK);
    const gb_subject subject = {.size = sizeof subject, .model = model, .diagnosis = diagnosis};
    assert_int_equal(gb_answer("diagnosis", &subject, settings, &table, NULL), GB_OK);
    const uint64_t topic = column_of(table, "topic"), chains = column_of(table, "chains");
    for (uint64_t row = 0; row < gb_table_n_rows(table); row++) {
        const uint64_t k = gb_table_counts(table, topic)[row];
        if (k == GB_NO_COUNT)
            continue;
        assert_int_equal(gb_table_counts(table, chains)[row] == 0, gb_model_topic_is_empty(model, k - 1));
        n_empty += gb_model_topic_is_empty(model, k - 1);
    }
    gb_table_free(table);
    assert_int_equal(gb_answer("topics", &subject, settings, &table, NULL), GB_OK);
    char said[60];
    (void)snprintf(said, sizeof said, "%d %s empty", (int)n_empty, n_empty == 1 ? "is" : "are");
    assert_true(n_empty > 0 && has_note(table, said));
    gb_table_free(table);
    gb_diagnosis_free(diagnosis);
    gb_settings_free(settings);
    gb_model_free(model);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_topic_with_less_than_a_token_is_empty),
        cmocka_unit_test(empty_topics_say_so_and_count_in_no_mean),
        cmocka_unit_test(empty_topics_are_not_looked_for_in_other_chains),
    };
    return cmocka_run_group_tests_name("empty topics", tests, NULL, NULL);
}
