/* The verdict on corpora whose truth is known: topics that are there recur, what is not there does not, a short run is no settled one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "diagnose/recurrence.h"
#include "gibbous/gibbous.h"
#include "helper_tables.h"
#include "model/agreement.h"
#include "random/random.h"

#include <stdio.h>
#include <string.h>

enum { DOCUMENTS = 80, LENGTH = 20, THEMES = 4, WORDS_OF_THEME = 15 };

/* Each document has words of one theme, and a class and a number that follow from it; without themes all is chance. */
static gb_corpus *make_corpus(bool has_themes, const char *role, const char *field)
{
    static char text[DOCUMENTS * (LENGTH * 8 + 120)];
    size_t n = 0;
    gb_random r = gb_random_open(gb_key_make(8, 0), 0, GB_DRAW_TEST, 0);
    for (unsigned d = 0; d < DOCUMENTS; d++) {
        const unsigned theme = d % THEMES;
        const unsigned label = has_themes ? theme / 2 : (unsigned)gb_random_below(&r, 2);
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"kind\": \"%c\", \"theme\": \"%c\", \"size\": %.3f, \"text\": \"", 'x' + (int)label,
                              'k' + (int)theme, 3.0 * label + 0.1 * gb_random_normal(&r));
        for (unsigned i = 0; i < LENGTH; i++) {
            const unsigned of = has_themes ? theme : (unsigned)gb_random_below(&r, THEMES);
            const unsigned word = (unsigned)gb_random_below(&r, WORDS_OF_THEME);
            n += (size_t)snprintf(text + n, sizeof text - n, " %c%u", 'a' + (int)of, word);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "\"}\n");
    }
    write_file("documents.jsonl", text);
    return corpus_of("documents.jsonl", "token-pattern", "\\w+", role, field, NULL);
}

static gb_model *train(gb_corpus *corpus, const char *sweeps, const char *chains, const char *option,
                       const char *value)
{
    gb_model *model = NULL;
    gb_error err = {0};
    gb_settings *settings = settings_of("topics", "4", "sweeps", sweeps, "chains", chains, "seed", "2", "alpha",
                                        "0.2", "threads", "1", option, value, NULL);
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    return model;
}

static gb_table *verdict_of(const gb_model *model)
{
    gb_diagnosis *d = NULL;
    assert_int_equal(gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &d, NULL), GB_OK);
    const gb_subject subject = {.size = sizeof subject, .model = model, .diagnosis = d};
    gb_table *verdict = answer_to("verdict", &subject);
    gb_diagnosis_free(d);
    return verdict;
}

/* @param holds  0, 1 or GB_NO_COUNT */
static void check(const gb_table *verdict, const char *about, uint64_t holds, const char *says)
{
    const uint64_t row = row_with(verdict, 0, "about", about);
    assert_true(row < gb_table_n_rows(verdict));
    if (strstr(text_at(verdict, row, "text"), says) == NULL)
        fail_msg("not said: %s, but: %s", says, text_at(verdict, row, "text"));
    assert_true(count_at(verdict, row, "holds") == holds);
}

static bool is_silent_on(const gb_table *verdict, const char *about)
{
    return row_with(verdict, 0, "about", about) == gb_table_n_rows(verdict);
}

static void done(gb_table *verdict, gb_model *model, gb_corpus *corpus)
{
    gb_table_free(verdict);
    gb_model_free(model);
    gb_corpus_free(corpus);
}

static void topics_that_are_there_recur_and_can_be_reported(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *model = train(corpus, "200", "4", "response", "none");
    gb_table *verdict = verdict_of(model);
    assert_string_equal(text_at(verdict, 0, "about"), "conclusion");
    check(verdict, "conclusion", 1, "predictions are settled; 4 of 4 topics can be reported");
    check(verdict, "predictions", 1, "predictions: settled; another run would differ by at most ");
    check(verdict, "topics", 1, "4 of 4, 100 % of all words, are in all 4 chains, shares within ");
    assert_true(is_silent_on(verdict, "effects"));
    gb_words_agreement words;
    assert_true(gb_model_words_agreement(model, &words));
    assert_true(words.n_chains == 4 && words.n_documents == DOCUMENTS && words.range < 0.01 && words.gain < 0.01);
    done(verdict, model, corpus);
}

static void labels_that_follow_from_topics_are_predicted_alike_by_all_chains(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *model = train(corpus, "200", "4", "response", "hinge");
    gb_table *verdict = verdict_of(model);
    gb_labels_agreement labels;
    assert_true(gb_model_labels_agreement(model, 0, &labels) && labels.same > 0.95);
    check(verdict, "conclusion", 1, "predictions are settled; chains agree on 4 of 4 topics");
    check(verdict, "predictions", 1, "% of documents the same class");
    check(verdict, "effects", GB_NO_COUNT, "effects: 4 of 4 recurring topics have the same sign in all chains");
    check(verdict, "effects", GB_NO_COUNT, "whether that is chance, only documents outside the training show");
    done(verdict, model, corpus);
    corpus = make_corpus(true, "target", "size");
    model = train(corpus, "200", "4", "two-stage", "yes");
    verdict = verdict_of(model);
    check(verdict, "conclusion", 1, "4 of 4 topics can be reported; chains agree on the effects of 4 of these");
    check(verdict, "effects", 1, "4 of 4 recurring topics have the same sign in all chains, with sizes within");
    assert_null(strstr(text_at(verdict, row_with(verdict, 0, "about", "effects"), "text"), "chance"));
    done(verdict, model, corpus);
}

static void numbers_are_compared_by_their_scores(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "target", "size");
    gb_model *model = train(corpus, "200", "2", "calibrate", "0");
    gb_table *verdict = verdict_of(model);
    check(verdict, "predictions", 1, "documents of the training, ");
    check(verdict, "topics", GB_NO_COUNT, "are in both chains");
    check(verdict, "effects", GB_NO_COUNT, "4 of 4 recurring topics");
    check(verdict, "scales", 1, "chains agree");
    done(verdict, model, corpus);
}

static void a_run_of_a_tenth_of_the_sweeps_is_not_settled(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *model = train(corpus, "12", "4", "response", "none");
    gb_table *verdict = verdict_of(model);
    check(verdict, "conclusion", 0, "the run was too short");
    check(verdict, "predictions", 0, "not settled");
    check(verdict, "topics", 0, "so far");
    check(verdict, "next", GB_NO_COUNT, "next: use `sweeps` 24");
    done(verdict, model, corpus);
}

static void draws_that_were_kept_too_early_are_found(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *model = train(corpus, "400", "2", "burn-in", "2");
    gb_table *verdict = verdict_of(model);
    check(verdict, "conclusion", 0, "draws were kept too early");
    check(verdict, "next", GB_NO_COUNT, "next: use `burn-in` ");
    done(verdict, model, corpus);
}

static void what_is_not_there_is_not_to_be_named(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(false, "label", "kind");
    gb_model *model = train(corpus, "200", "4", "response", "none");
    gb_table *verdict = verdict_of(model);
    gb_recurrence topics;
    assert_int_equal(gb_recurrence_find(model, &topics, NULL), GB_OK);
    assert_true(topics.n_all <= 1 && topics.n_one >= 2); /* one may have the words of most documents */
    const uint64_t others = row_with(verdict, row_with(verdict, 0, "about", "topics") + 1, "about", "topics");
    assert_non_null(strstr(text_at(verdict, others, "text"), "are in one chain only: do not name them"));
    assert_true(count_at(verdict, others, "holds") == 0);
    done(verdict, model, corpus);
    corpus = make_corpus(false, "label", "kind"); /* labels that are chance */
    model = train(corpus, "200", "4", "response", "hinge");
    verdict = verdict_of(model);
    assert_true(count_at(verdict, row_with(verdict, 0, "about", "effects"), "holds") != 1);
    assert_null(strstr(text_at(verdict, 0, "text"), "effects"));
    done(verdict, model, corpus);
}

/* @return of a table or verdict, whether one of its sentences calls a topic one that can be reported */
static bool reports_topics(const gb_table *verdict)
{
    for (uint64_t i = 0; i < gb_table_n_rows(verdict); i++)
        if (strstr(text_at(verdict, i, "text"), ": report ") != NULL ||
            strstr(text_at(verdict, i, "text"), " topics can be reported") != NULL)
            return true;
    return false;
}

static void topics_that_labels_draw_into_every_chain_are_not_to_be_reported(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(false, "label", "kind"); /* classes that are chance */
    gb_model *model = train(corpus, "200", "2", "cost", "50");
    gb_table *verdict = verdict_of(model);
    gb_recurrence topics;
    assert_int_equal(gb_recurrence_find(model, &topics, NULL), GB_OK);
    assert_true(topics.n_all >= 1); /* chains agree */
    check(verdict, "topics", GB_NO_COUNT, "saw the same labels");
    assert_true(!reports_topics(verdict));
    gb_table *table = answer_to("topics", &(gb_subject){.size = sizeof(gb_subject), .model = model});
    assert_true(says(table, text_at(verdict, row_with(verdict, 0, "about", "topics"), "text")));
    gb_table_free(table);
    gb_table_free(verdict);
    gb_model_free(model);
    model = train(corpus, "200", "4", "two-stage", "yes"); /* topics that saw no labels are not there */
    assert_int_equal(gb_recurrence_find(model, &topics, NULL), GB_OK);
    assert_true(topics.n_all <= 1);
    gb_model_free(model);
    gb_corpus_free(corpus);
}

static void topics_that_all_chains_began_with_are_not_to_be_reported(void **unused)
{
    (void)unused;
    gb_model *model = NULL, *read = NULL;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *first = train(corpus, "60", "1", "response", "none");
    gb_settings *settings = settings_of("topics", "4", "sweeps", "200", "chains", "3", "seed", "2", "alpha", "0.2",
                                        "response", "none", "pool", "0", NULL);
    assert_int_equal(gb_train_from(corpus, settings, first, NULL, NULL, &model, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_write(model, "m.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &read, NULL), GB_OK);
    gb_table *verdict = verdict_of(read);
    check(verdict, "topics", GB_NO_COUNT, "are in all 3 chains");
    check(verdict, "topics", GB_NO_COUNT, "began with the same topics");
    assert_true(!reports_topics(verdict));
    gb_settings_free(settings);
    gb_model_free(first);
    gb_model_free(read);
    done(verdict, model, corpus);
}

static void topics_with_seed_words_are_not_counted_among_those_that_chains_found(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(false, "label", "kind");
    gb_settings *settings =
        settings_of("topics", "4", "sweeps", "200", "chains", "3", "seed", "2", "alpha", "0.2", "response", "none",
                    "pool", "20", "seeds", "{\"one\": [\"a1\", \"b2\"], \"two\": [\"c3\", \"d4\"]}", NULL);
    gb_model *model = NULL;
    gb_recurrence topics;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_recurrence_find(model, &topics, NULL), GB_OK);
    assert_true(topics.n_named == 2 && topics.n_named + topics.n_topics + topics.n_empty == 4);
    gb_table *verdict = verdict_of(model);
    const uint64_t first = row_with(verdict, 0, "about", "topics");
    assert_non_null(strstr(text_at(verdict, row_with(verdict, first + 1, "about", "topics"), "text"),
                           "2 have seed words, which all chains share"));
    gb_settings_free(settings);
    done(verdict, model, corpus);
}

static void one_chain_can_be_compared_with_nothing(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *model = train(corpus, "200", "1", "response", "hinge");
    gb_table *verdict = verdict_of(model);
    check(verdict, "conclusion", GB_NO_COUNT,
          "as far as one chain tells; which topics others would find is not known");
    check(verdict, "next", GB_NO_COUNT, "next: use `chains` 4");
    assert_true(is_silent_on(verdict, "topics") && is_silent_on(verdict, "effects"));
    gb_table_free(verdict);
    gb_table *topics = answer_to("topics", &(gb_subject){.size = sizeof(gb_subject), .model = model});
    assert_true(says(topics, "one chain does not say which of them others would find"));
    done(topics, model, corpus);
}

static void short_chains_say_which_topics_recur(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_settings *settings = settings_of("topics", "4", "sweeps", "200", "chains", "3", "seed", "2", "alpha", "0.2",
                                        "response", "none", "pool", "20", NULL);
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_table *verdict = verdict_of(model);
    check(verdict, "predictions", 1, "another run would differ by at most");
    check(verdict, "topics", 1, "in at least 7 of 8 short chains");
    gb_settings_free(settings);
    done(verdict, model, corpus);
}

/* Short chains see no labels.  What they have in common is evidence until labels have made something else of it. */
static void short_chains_say_which_topics_are_there_without_labels(void **unused)
{
    (void)unused;
    for (int has_themes = 0; has_themes < 2; has_themes++) {
        gb_corpus *corpus = make_corpus(has_themes, "label", "kind");
        gb_settings *settings = settings_of("topics", "4", "sweeps", "200", "chains", "3", "seed", "2", "alpha",
                                            "0.2", "cost", "50", "pool", "20", NULL);
        gb_model *model = NULL;
        gb_recurrence topics;
        assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
        assert_int_equal(gb_recurrence_find(model, &topics, NULL), GB_OK);
        assert_true(topics.are_of_short_chains);
        if (has_themes)
            assert_int_equal(topics.n_all, 4);
        else
            assert_true(topics.n_all == 0);
        gb_table *verdict = verdict_of(model);
        assert_true(reports_topics(verdict) == (bool)has_themes);
        gb_settings_free(settings);
        done(verdict, model, corpus);
    }
}

static void chains_of_other_classes_are_not_compared(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "theme");
    gb_model *model = train(corpus, "200", "1", "strategy", "one-vs-rest");
    gb_table *verdict = verdict_of(model);
    check(verdict, "conclusion", GB_NO_COUNT, "as far as one chain tells");
    assert_true(is_silent_on(verdict, "topics"));
    gb_table_free(verdict);
    gb_model_free(model);
    model = train(corpus, "200", "2", "strategy", "one-vs-rest");
    verdict = verdict_of(model);
    check(verdict, "topics", GB_NO_COUNT, "of 16 are in both chains");
    check(verdict, "predictions", 1, "% of documents the same class");
    done(verdict, model, corpus);
}

static void a_model_says_the_same_when_it_was_read_and_less_without_the_numbers(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *model = train(corpus, "100", "3", "response", "none"), *read = NULL;
    gb_table *verdict = verdict_of(model);
    assert_int_equal(gb_model_write(model, "m.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &read, NULL), GB_OK);
    gb_table *again = verdict_of(read);
    assert_int_equal(gb_table_n_rows(again), gb_table_n_rows(verdict));
    for (uint64_t i = 0; i < gb_table_n_rows(again); i++)
        assert_string_equal(text_at(again, i, "text"), text_at(verdict, i, "text"));
    gb_table_free(again);
    json_decref(read->agreement);
    read->agreement = NULL;
    again = verdict_of(read);
    check(again, "predictions", GB_NO_COUNT, "how far chains differ is not known");
    gb_table_free(again);
    gb_model_free(read);
    done(verdict, model, corpus);
}

static void tables_say_the_same_of_topics_and_effects(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus(true, "label", "kind");
    gb_model *model = train(corpus, "100", "3", "response", "hinge");
    gb_table *verdict = verdict_of(model);
    static const char *const question[] = {"topics", "effects"};
    for (size_t i = 0; i < 2; i++) {
        gb_table *table = answer_to(question[i], &(gb_subject){.size = sizeof(gb_subject), .model = model});
        assert_true(says(table, text_at(verdict, row_with(verdict, 0, "about", question[i]), "text")));
        gb_table_free(table);
    }
    done(verdict, model, corpus);
}

static void what_cannot_be_is_refused(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "{\"words\": {\"documents\": 5, \"log_likelihood\": [-3, -4], \"average\": -3}}",
        "{\"labels\": [null, {\"documents\": 5, \"held_out\": true, \"same\": 0.5}]}",
        "{}",
        "[]",
        "{\"words\": {\"documents\": 5, \"log_likelihood\": [-3], \"average\": -3}}",
        "{\"words\": {\"documents\": 5, \"log_likelihood\": [-3, \"x\"], \"average\": -3}}",
        "{\"words\": {\"documents\": 0, \"log_likelihood\": [-3, -4], \"average\": -3}}",
        "{\"words\": {\"documents\": 5, \"log_likelihood\": [-3, -4]}}",
        "{\"labels\": [null]}",
        "{\"labels\": [null, {\"documents\": 5, \"held_out\": 1, \"same\": 0.5}]}",
        "{\"labels\": [null, {\"documents\": 5, \"held_out\": true, \"same\": \"x\"}]}"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        json_t *agreement = json_loads(text[i], 0, NULL);
        assert_non_null(agreement);
        assert_int_equal(gb_agreement_is_sound(agreement, 2), i < 3);
        json_decref(agreement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_that_are_there_recur_and_can_be_reported),
        cmocka_unit_test(labels_that_follow_from_topics_are_predicted_alike_by_all_chains),
        cmocka_unit_test(numbers_are_compared_by_their_scores),
        cmocka_unit_test(a_run_of_a_tenth_of_the_sweeps_is_not_settled),
        cmocka_unit_test(draws_that_were_kept_too_early_are_found),
        cmocka_unit_test(what_is_not_there_is_not_to_be_named),
        cmocka_unit_test(topics_that_labels_draw_into_every_chain_are_not_to_be_reported),
        cmocka_unit_test(topics_that_all_chains_began_with_are_not_to_be_reported),
        cmocka_unit_test(topics_with_seed_words_are_not_counted_among_those_that_chains_found),
        cmocka_unit_test(short_chains_say_which_topics_recur),
        cmocka_unit_test(short_chains_say_which_topics_are_there_without_labels),
        cmocka_unit_test(chains_of_other_classes_are_not_compared),
        cmocka_unit_test(one_chain_can_be_compared_with_nothing),
        cmocka_unit_test(a_model_says_the_same_when_it_was_read_and_less_without_the_numbers),
        cmocka_unit_test(tables_say_the_same_of_topics_and_effects),
        cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
