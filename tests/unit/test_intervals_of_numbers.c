/* test_intervals_of_numbers.c - with a cost other than 1, intervals of numbers come from held-out numbers, whatever the noise; and
 * those of counts always. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/subset.h"
#include "model/model.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>

enum { DOCS = 1600, TRAINING = 1000 };

/* Numbers that follow from the words, with a noise variance of 0.3. */
static gb_corpus *simulated(const char *documents)
{
    return simulated_with(settings_of("documents", documents, "length", "60", "vocabulary-size", "500", "topics", "5",
                                      "response", "gaussian", "variance", "4", "noise-variance", "0.3", "seed", "3",
                                      NULL));
}

static gb_settings *settings_with(const char *noise, const char *option, const char *value)
{
    return settings_of("topics", "5", "sweeps", "60", "burn-in", "40", "cost", "4", "noise-variance", noise, "seed",
                       "2", option, value, NULL);
}

static void split(const gb_corpus *corpus, gb_corpus **training, gb_corpus **held_out)
{
    static bool is_held_out[DOCS];
    uint64_t *n_unknown = NULL;
    for (size_t d = 0; d < DOCS; d++)
        is_held_out[d] = d >= TRAINING;
    assert_int_equal(gb_corpus_split(corpus, is_held_out, NULL, training, held_out, &n_unknown, NULL), GB_OK);
    gb_free(n_unknown);
}

/* The model says where its intervals come from. */
static double coverage(const gb_corpus *training, const gb_corpus *held_out, gb_settings *s,
                       gb_interval_source source)
{
    gb_model *model = NULL;
    gb_prediction *p = NULL;
    const uint64_t n = gb_corpus_n_docs(held_out);
    double n_inside = 0;
    assert_int_equal(gb_train(training, s, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_model_interval_source(model, 0), source);
    assert_int_equal(gb_model_interval_source(model, 1), GB_INTERVAL_NONE); /* there is one response */
    assert_int_equal(gb_prediction_create(model, n, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(model, held_out, 0, s, NULL, NULL, p, NULL), GB_OK);
    const gb_response_prediction *x = &p->response[0];
    for (uint64_t d = 0; d < n; d++)
        n_inside += held_out->numbers[0].value[d] >= x->q05[d] && held_out->numbers[0].value[d] <= x->q95[d] ? 1 : 0;
    gb_prediction_free(p);
    gb_model_free(model);
    gb_settings_free(s);
    return n_inside / (double)n;
}

/* A third of 1000 numbers come late and 600 are new: chance alone moves a coverage of 0.9 by a standard deviation of 0.02. */
static void they_cover_new_numbers_whatever_the_noise(void **state)
{
    (void)state;
    static const char *const noise[] = {"0.03", "0.15", "0.6", "3"};
    gb_corpus *corpus = simulated("1600"), *training = NULL, *held_out = NULL;
    split(corpus, &training, &held_out);
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++) {
        const double share =
            coverage(training, held_out, settings_with(noise[i], "threads", "1"), GB_INTERVAL_HELD_OUT);
        assert_true(share > 0.85 && share < 0.95);
    }
    /* without held-out numbers it is the noise that is believed */
    assert_true(coverage(training, held_out, settings_with("0.6", "calibrate", "0"), GB_INTERVAL_DOUBTFUL) > 0.95);
    gb_corpus_free(corpus);
    gb_corpus_free(training);
    gb_corpus_free(held_out);
}

/* A view of the documents with their first words only. */
static gb_corpus cut(const gb_corpus *docs, uint64_t n_words, uint64_t *doc_start, uint32_t *word)
{
    gb_corpus view = *docs;
    view.doc_start = doc_start;
    view.word = word;
    view.n_tokens = 0;
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        doc_start[d] = view.n_tokens;
        for (uint64_t i = docs->doc_start[d]; i < docs->doc_start[d + 1] && i < docs->doc_start[d] + n_words; i++)
            word[view.n_tokens++] = docs->word[i];
    }
    doc_start[docs->n_docs] = view.n_tokens;
    return view;
}

/* The less a text says, the wider is its interval: at the width of whole texts those of none held three quarters. */
static void they_cover_numbers_of_texts_that_say_little(void **state)
{
    (void)state;
    static const uint64_t n_words[] = {0, 3, 15};
    static uint64_t doc_start[DOCS + 1];
    static uint32_t word[DOCS * 15];
    gb_corpus *corpus = simulated("1600"), *training = NULL, *held_out = NULL;
    split(corpus, &training, &held_out);
    for (size_t i = 0; i < sizeof n_words / sizeof *n_words; i++) {
        const gb_corpus view = cut(held_out, n_words[i], doc_start, word);
        const double share = coverage(training, &view, settings_with("0.15", "threads", "1"), GB_INTERVAL_HELD_OUT);
        print_message("%d words: %.3f\n", (int)n_words[i], share);
        assert_true(share > 0.82 && share < 0.96);
    }
    gb_corpus_free(corpus);
    gb_corpus_free(training);
    gb_corpus_free(held_out);
}

/* Large counts that have nothing to do with the 12 words of their document: the whole part of exp(5 + 1.5 times a normal number). */
static gb_corpus *counts_beside_short_texts(void)
{
    gb_random random = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    FILE *f = fopen("counts.jsonl", "w");
    assert_non_null(f);
    for (int d = 0; d < DOCS; d++) {
        fprintf(f, "{\"count\": %.0f, \"text\": \"", floor(exp(5 + 1.5 * gb_random_normal(&random))));
        for (int i = 0; i < 12; i++) {
            const unsigned word = (unsigned)gb_random_below(&random, 300);
            fprintf(f, " %c%c", 'a' + (int)(word / 26), 'a' + (int)(word % 26));
        }
        fputs("\"}\n", f);
    }
    assert_int_equal(fclose(f), 0);
    return corpus_of("counts.jsonl", "target", "count", NULL);
}

static gb_settings *settings_of_counts(const char *option, const char *value)
{
    return settings_of("response", "negative-binomial", "topics", "30", "sweeps", "200", "burn-in", "150", "seed",
                       "2", "threads", "1", option, value, NULL);
}

/* Topics of short texts bend to the counts of the training, so the model's own intervals are too narrow. */
static void they_cover_new_counts(void **state)
{
    (void)state;
    gb_corpus *corpus = counts_beside_short_texts(), *training = NULL, *held_out = NULL;
    split(corpus, &training, &held_out);
    const double before = coverage(training, held_out, settings_of_counts("calibrate", "0"), GB_INTERVAL_DOUBTFUL),
                 now = coverage(training, held_out, settings_of_counts("calibrate", "auto"), GB_INTERVAL_HELD_OUT);
    assert_true(before < 0.85);
    assert_true(now > 0.85 && now < 0.95);
    gb_corpus_free(corpus);
    gb_corpus_free(training);
    gb_corpus_free(held_out);
}

static void train_and_write(const gb_corpus *corpus, gb_settings *s, const char *path)
{
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    assert_true(model->target[0].spread[GB_SPREAD_SD] > 0);
    assert_int_equal(gb_model_write(model, path, true, NULL, NULL, NULL), GB_OK);
    gb_model_free(model);
    gb_settings_free(s);
}

static bool stop_when_asked(const gb_progress *progress, void *user)
{
    return progress->sweep < *(const uint64_t *)user;
}

/* While numbers are held out and scores noted, after they were given, and after burn-in. */
static void a_resumed_run_has_the_same_on_any_threads(void **state)
{
    (void)state;
    static const uint64_t stop_after[] = {25, 32, 50};
    gb_corpus *corpus = simulated("300");
    gb_settings *s = settings_with("0.2", "threads", "3");
    set(s, "chains", "2");
    train_and_write(corpus, s, "whole.gibbous");
    for (size_t i = 0; i < sizeof stop_after / sizeof *stop_after; i++) {
        uint64_t sweep = stop_after[i];
        gb_model *model = NULL;
        s = settings_with("0.2", "threads", "1");
        set(s, "chains", "2");
        set(s, "checkpoint", "run.gbk");
        set(s, "checkpoint-every", "1");
        assert_int_equal(gb_train(corpus, s, stop_when_asked, &sweep, &model, NULL), GB_ESTOP);
        gb_model_free(model);
        gb_settings_free(s);
        train_and_write(corpus, settings_of("resume", "run.gbk", "threads", "2", NULL), "resumed.gibbous");
        assert_same_files("whole.gibbous", "resumed.gibbous");
        assert_int_equal(remove("run.gbk"), 0);
        assert_int_equal(remove("run.gbk.draws"), 0);
    }
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_cover_new_numbers_whatever_the_noise),
        cmocka_unit_test(they_cover_numbers_of_texts_that_say_little),
        cmocka_unit_test(they_cover_new_counts),
        cmocka_unit_test(a_resumed_run_has_the_same_on_any_threads),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
