/* Questions about topics: unions have one row, topics that are left out none, and every cell is what the model says of the topic. */
#include "helper_documents.h"

#include "gibbous/answer.h"
#include "model/topic_unions.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { TOPICS = 4, LISTED = 2, WORDS = 5 };

typedef struct fitted {
    gb_settings *settings;
    gb_corpus *docs;
    gb_model *plain, *united; /* 1+4 and 3; 2 is left out */
} fitted;

static const char *const title[LISTED] = {"1+4", "3"};
static const uint64_t members[LISTED][2] = {{0, 3}, {2, 2}};
static const size_t n_members[LISTED] = {2, 1};

static int fit(void **state)
{
    static fitted f;
    uint64_t *n_unknown = NULL;
    if (enter_folder(state) != 0)
        return -1;
    gb_settings *training = settings_of("topics", "4", "sweeps", "20", "burn-in", "10", "seed", "1", "label", "label",
                                        "response", "logistic", "calibrate", "0", NULL);
    gb_corpus *corpus = simulated_with(settings_of("topics", "4", "documents", "60", "length", "20", "seed", "1",
                                                   "classes", "3", "response", "logistic", NULL));
    f.settings = settings_of("words", "5", "coherence-words", "5", "infer-sweeps", "2", "seed", "1", "threads", "1",
                             "documents-shown", "2", "passage-words", "4", NULL);
    if (gb_train(corpus, training, NULL, NULL, &f.plain, NULL) != GB_OK ||
        gb_model_unite_topics(f.plain, (const uint64_t[]){0, GB_LEFT_OUT, 2, 0}, &f.united, NULL) != GB_OK ||
        gb_documents_from_corpus(f.plain, corpus, &f.docs, &n_unknown, NULL) != GB_OK)
        return -1;
    gb_free(n_unknown);
    gb_settings_free(training);
    gb_corpus_free(corpus);
    *state = &f;
    return 0;
}

static int clear(void **state)
{
    fitted *f = *state;
    gb_settings_free(f->settings);
    gb_corpus_free(f->docs);
    gb_model_free(f->plain);
    gb_model_free(f->united);
    return leave_folder(state);
}

/* ---- tables ---- */

static gb_table *ask(const fitted *f, const char *question, const gb_model *model, bool with_documents)
{
    gb_table *table = NULL;
    const gb_subject subject = {.size = sizeof subject, .model = model, .documents = with_documents ? f->docs : NULL};
    assert_int_equal(gb_answer(question, &subject, f->settings, &table, NULL), GB_OK);
    return table;
}

static uint64_t column(const gb_table *table, const char *name)
{
    for (uint64_t c = 0; c < gb_table_n_columns(table); c++)
        if (strcmp(gb_table_column(table, c)->name, name) == 0)
            return c;
    fail_msg("no column %s", name);
    return 0;
}

static const char *text(const gb_table *table, uint64_t row, const char *name)
{
    return gb_table_text(table, row, column(table, name), 0);
}

static double real(const gb_table *table, uint64_t row, const char *name)
{
    return gb_table_reals(table, column(table, name))[row];
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

/* ---- topics ---- */

/* The rows of topics over words; of a union the mean, weighted by shares of the tokens. */
static void find_distribution(const fitted *f, size_t row, double *phi)
{
    const uint64_t n = gb_model_n_words(f->plain);
    double *all = test_calloc(TOPICS * n, sizeof *all), total = 0;
    assert_int_equal(gb_model_topic_distributions(f->plain, 0, all, NULL), GB_OK);
    memset(phi, 0, n * sizeof *phi);
    for (size_t i = 0; i < n_members[row]; i++)
        total += gb_model_topic_share(f->plain, members[row][i]);
    for (size_t i = 0; i < n_members[row]; i++)
        for (uint64_t w = 0; w < n; w++)
            phi[w] += gb_model_topic_share(f->plain, members[row][i]) / total * all[members[row][i] * n + w];
    test_free(all);
}

static void a_union_has_one_row_and_a_topic_that_is_left_out_has_none(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "topics", f->united, false);
    assert_int_equal(gb_table_n_rows(table), LISTED);
    for (size_t row = 0; row < LISTED; row++) {
        double share = 0;
        for (size_t i = 0; i < n_members[row]; i++)
            share += gb_model_topic_share(f->plain, members[row][i]);
        assert_string_equal(text(table, row, "topic"), title[row]);
        assert_near(real(table, row, "share"), share);
        assert_true(real(table, row, "mean_share_q05") <= real(table, row, "mean_share") &&
                    real(table, row, "mean_share") <= real(table, row, "mean_share_q95"));
    }
    gb_table_free(table);
}

static void the_words_of_a_row_are_its_most_probable_ones(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "topics", f->united, false);
    const uint64_t n = gb_model_n_words(f->plain);
    double *phi = test_calloc(n, sizeof *phi);
    for (size_t row = 0; row < LISTED; row++) {
        char expected[1000] = "";
        find_distribution(f, row, phi);
        for (int i = 0; i < WORDS; i++) {
            uint64_t best = 0;
            for (uint64_t w = 1; w < n; w++)
                best = phi[w] > phi[best] ? w : best;
            strcat(strcat(expected, i == 0 ? "" : " "), gb_model_word(f->plain, best));
            phi[best] = -1;
        }
        assert_string_equal(text(table, row, "words"), expected);
    }
    test_free(phi);
    gb_table_free(table);
}

/* Of single topics, the mean over top words of the topic's part of their probability in all topics. */
static void exclusivity_is_of_single_topics(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "topics", f->united, false);
    const uint64_t n = gb_model_n_words(f->plain);
    double *all = test_calloc(TOPICS * n, sizeof *all), *own = test_calloc(n, sizeof *own), found = 0;
    assert_int_equal(gb_model_topic_distributions(f->plain, 0, all, NULL), GB_OK);
    memcpy(own, all + 2 * n, n * sizeof *own);
    for (int i = 0; i < WORDS; i++) {
        uint64_t best = 0;
        double sum = 0;
        for (uint64_t w = 1; w < n; w++)
            best = own[w] > own[best] ? w : best;
        for (uint64_t k = 0; k < TOPICS; k++)
            sum += all[k * n + best];
        found += own[best] / sum / WORDS;
        own[best] = -1;
    }
    assert_true(isnan(real(table, 0, "exclusivity")));
    assert_near(real(table, 1, "exclusivity"), found);
    test_free(all);
    test_free(own);
    gb_table_free(table);
}

static void the_first_class_is_the_one_with_the_largest_coefficient(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "topics", f->plain, false);
    for (uint64_t k = 0; k < TOPICS; k++) {
        char expected[100];
        uint64_t best = 0;
        for (uint64_t l = 1; l < gb_model_n_outputs(f->plain); l++)
            best = gb_model_coefficient(f->plain, l, k) > gb_model_coefficient(f->plain, best, k) ? l : best;
        (void)snprintf(expected, sizeof expected, "%s %+.4g", gb_model_class(f->plain, 0, best),
                       gb_model_coefficient(f->plain, best, k));
        if (gb_model_coefficient(f->plain, best, k) > 0)
            assert_string_equal(text(table, k, "classes"), expected);
        else
            assert_int_equal(gb_table_n_texts(table, k, column(table, "classes")), 0);
    }
    gb_table_free(table);
}

/* ---- words and similarities ---- */

static void candidates_are_what_the_orders_list(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "topic-words", f->united, false);
    const uint64_t n = gb_model_n_words(f->plain);
    double *phi = test_calloc(n, sizeof *phi), *all = test_calloc(TOPICS * n, sizeof *all);
    uint64_t word[TOPICS * WORDS], n_found, row = 0;
    double p[TOPICS * WORDS];
    assert_int_equal(gb_model_topic_distributions(f->plain, 0, all, NULL), GB_OK);
    assert_int_equal(gb_model_rank_union_words(f->united, "frex", NAN, WORDS, word, p, &n_found, NULL), GB_OK);
    for (size_t i = 0; i < LISTED; i++) {
        uint64_t n_frex = 0;
        find_distribution(f, i, phi);
        for (; row < gb_table_n_rows(table) && strcmp(text(table, row, "topic"), title[i]) == 0; row++) {
            const uint64_t place = gb_table_counts(table, column(table, "frex"))[row];
            uint64_t w = 0;
            double share = 0;
            while (strcmp(gb_model_word(f->plain, w), text(table, row, "word")) != 0)
                w++;
            for (uint64_t k = 0; k < TOPICS; k++)
                share += gb_model_topic_share(f->plain, k) * all[k * n + w];
            assert_near(real(table, row, "probability"), phi[w]);
            assert_near(real(table, row, "share"), share);
            n_frex += place != GB_NO_COUNT;
            if (place != GB_NO_COUNT)
                assert_int_equal(word[members[i][0] * WORDS + place - 1], w);
        }
        assert_int_equal(n_frex, WORDS);
    }
    assert_int_equal(row, gb_table_n_rows(table));
    test_free(phi);
    test_free(all);
    gb_table_free(table);
}

static void similarity_is_the_sum_of_roots(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "similarities", f->united, false);
    const uint64_t n = gb_model_n_words(f->plain);
    double *a = test_calloc(n, sizeof *a), *b = test_calloc(n, sizeof *b), sum = 0;
    find_distribution(f, 0, a);
    find_distribution(f, 1, b);
    for (uint64_t w = 0; w < n; w++)
        sum += sqrt(a[w] * b[w]);
    assert_int_equal(gb_table_n_rows(table), 1);
    assert_string_equal(text(table, 0, "topic"), title[1]);
    assert_string_equal(text(table, 0, "with"), title[0]);
    if (!(fabs(real(table, 0, "affinity") - sum) < 1e-6)) /* what is left of 1 after all words is rounding */
        fail_msg("%g is not %g", real(table, 0, "affinity"), sum);
    test_free(a);
    test_free(b);
    gb_table_free(table);
}

/* ---- documents ---- */

static void documents_of_a_union_have_the_sum_of_its_shares(void **state)
{
    const fitted *f = *state;
    const uint64_t n = gb_corpus_n_docs(f->docs);
    gb_table *table = ask(f, "topic-documents", f->united, true), *topics = ask(f, "topics", f->united, true);
    double *share = test_calloc(n * TOPICS, sizeof *share);
    assert_int_equal(gb_infer(f->plain, f->docs, 0, f->settings, NULL, NULL, share, NULL), GB_OK);
    assert_int_equal(gb_table_n_rows(table), 2 * LISTED);
    for (uint64_t row = 0; row < 2 * LISTED; row++) {
        const uint64_t d = gb_table_counts(table, column(table, "document"))[row], of = row / 2;
        double sum = 0;
        size_t length;
        const char *id = gb_corpus_id(f->docs, d, &length);
        for (size_t i = 0; i < n_members[of]; i++)
            sum += share[d * TOPICS + members[of][i]];
        assert_string_equal(text(table, row, "topic"), title[of]);
        assert_near(real(table, row, "share"), sum);
        assert_memory_equal(text(table, row, "id"), id, length);
        assert_string_equal(gb_table_text(topics, of, column(topics, "documents"), row % 2), text(table, row, "id"));
    }
    test_free(share);
    gb_table_free(table);
    gb_table_free(topics);
}

static void a_passage_is_a_part_of_its_document(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "topic-documents", f->plain, true);
    for (uint64_t row = 0; row < gb_table_n_rows(table); row++) {
        const char *document = words_of(f->docs, gb_table_counts(table, column(table, "document"))[row]);
        const char *passage = text(table, row, "passage");
        size_t n = 1;
        for (const char *at = passage; *at != '\0'; at++)
            n += *at == ' ';
        assert_int_equal(n, 4);
        assert_non_null(strstr(document, passage));
    }
    gb_table_free(table);
}

/* ---- correlations ---- */

/* With 2 alone beside 1+3+4, what one has more the other has less. */
static void two_parts_of_all_tokens_have_the_correlation_minus_1(void **state)
{
    const fitted *f = *state;
    gb_model *halves = NULL;
    assert_int_equal(gb_model_unite_topics(f->plain, (const uint64_t[]){0, 1, 0, 0}, &halves, NULL), GB_OK);
    gb_table *table = ask(f, "correlations", halves, true);
    assert_int_equal(gb_table_n_rows(table), 1);
    assert_string_equal(text(table, 0, "topic"), "1+3+4");
    assert_string_equal(text(table, 0, "with"), "2");
    assert_near(real(table, 0, "mean"), -1);
    gb_table_free(table);
    gb_model_free(halves);
}

static void the_largest_correlations_come_first(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "correlations", f->plain, true);
    assert_int_equal(gb_table_n_rows(table), TOPICS * (TOPICS - 1) / 2);
    for (uint64_t row = 0; row < gb_table_n_rows(table); row++) {
        assert_near(gb_table_weights(table)[row], fabs(real(table, row, "mean")));
        assert_true(row == 0 || fabs(real(table, row, "mean")) <= fabs(real(table, row - 1, "mean")));
        assert_true(real(table, row, "q05") <= real(table, row, "median") &&
                    real(table, row, "median") <= real(table, row, "q95"));
    }
    gb_table_free(table);
}

static void without_documents_a_covariance_is_needed(void **state)
{
    const fitted *f = *state;
    const gb_subject subject = {.size = sizeof subject, .model = f->plain};
    gb_table *table = NULL;
    assert_int_equal(gb_answer("correlations", &subject, f->settings, &table, NULL), GB_EARGUMENT);
    assert_null(table);
}

/* ---- prompts ---- */

static void a_prompt_has_the_words_of_the_topic_as_json(void **state)
{
    const fitted *f = *state;
    gb_table *table = ask(f, "prompts", f->united, true), *topics = ask(f, "topics", f->united, false);
    assert_int_equal(gb_table_n_rows(table), LISTED);
    for (uint64_t row = 0; row < LISTED; row++) {
        static const char begin[] = "Most probable words: ";
        char list[1000], expected[1000] = "";
        const char *at = strstr(text(table, row, "data"), begin) + strlen(begin);
        (void)snprintf(list, sizeof list, "[%.*s]", (int)strcspn(at, "\n"), at);
        json_t *words = json_loads(list, 0, NULL);
        assert_int_equal(json_array_size(words), WORDS);
        for (size_t i = 0; i < WORDS; i++)
            strcat(strcat(expected, i == 0 ? "" : " "), json_string_value(json_array_get(words, i)));
        assert_string_equal(expected, text(topics, row, "words"));
        assert_non_null(strstr(text(table, row, "data"), title[row]));
        assert_non_null(strstr(text(table, row, "data"), "Passages: "));
        json_decref(words);
    }
    gb_table_free(table);
    gb_table_free(topics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_union_has_one_row_and_a_topic_that_is_left_out_has_none),
        cmocka_unit_test(the_words_of_a_row_are_its_most_probable_ones),
        cmocka_unit_test(exclusivity_is_of_single_topics),
        cmocka_unit_test(the_first_class_is_the_one_with_the_largest_coefficient),
        cmocka_unit_test(candidates_are_what_the_orders_list),
        cmocka_unit_test(similarity_is_the_sum_of_roots),
        cmocka_unit_test(documents_of_a_union_have_the_sum_of_its_shares),
        cmocka_unit_test(a_passage_is_a_part_of_its_document),
        cmocka_unit_test(two_parts_of_all_tokens_have_the_correlation_minus_1),
        cmocka_unit_test(the_largest_correlations_come_first),
        cmocka_unit_test(without_documents_a_covariance_is_needed),
        cmocka_unit_test(a_prompt_has_the_words_of_the_topic_as_json),
    };
    return cmocka_run_group_tests(tests, fit, clear);
}
