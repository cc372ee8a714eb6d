/* test_word_estimates.c - effects of topics and words together, on documents whose labels the topics have not seen. */
#include "helper_documents.h"
#include "helper_models.h"
#include "helper_stream.h"
#include "model/cross_fitted.h"

#include "gibbous/gibbous.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_TOPICS = 3, WORDS_OF_TOPIC = 12, N_WORDS = N_TOPICS * WORDS_OF_TOPIC, LENGTH = 15, N_CORPORA = 4 };

static const double TOPIC_EFFECT = 2, WORD_SD = 0.5;

/* Of the number y, for each word that a document has. */
static void draw_effects(double *effect, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t w = 0; w < N_WORDS; w++)
        effect[w] = WORD_SD * normal(&state);
}

/* Documents of two topics each, in words of their own; y is of the share of the first topic, of the different words, and noise. */
static void write_documents(const char *path, size_t n_docs, uint64_t seed, const double *effect)
{
    uint64_t state = seed;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t d = 0; d < n_docs; d++) {
        const size_t a = (size_t)(N_TOPICS * uniform(&state)), b = (size_t)(N_TOPICS * uniform(&state));
        const double share = uniform(&state);
        bool has[N_WORDS] = {false};
        double y = normal(&state);
        (void)fprintf(f, "{\"text\":\"");
        for (size_t i = 0; i < LENGTH; i++) {
            const size_t k = uniform(&state) < share ? a : b, w = (size_t)(WORDS_OF_TOPIC * uniform(&state));
            y += k == 0 ? TOPIC_EFFECT / LENGTH : 0;
            has[k * WORDS_OF_TOPIC + w] = true;
            (void)fprintf(f, "%c%c ", (int)('a' + k), (int)('a' + w));
        }
        for (size_t w = 0; w < N_WORDS; w++)
            y += has[w] ? effect[w] : 0;
        (void)fprintf(f, "\",\"y\":%.4f}\n", y);
    }
    (void)fclose(f);
}

static gb_settings *settings_for(const char *folds)
{
    return settings_of("topics", "3", "sweeps", "60", "burn-in", "50", "alpha", "0.2", "seed", "3", "threads", "1",
                       "word-effects", "presence", "standardise", "no", "cross-fit", folds, NULL);
}

static size_t number_of(const char *word)
{
    return (size_t)(word[0] - 'a') * WORDS_OF_TOPIC + (size_t)(word[1] - 'a');
}

static uint64_t topic_with_first_letter(const gb_model *model, char letter)
{
    uint64_t word, k = 0;
    double probability;
    while (top_words(model, k, 1, &word, &probability) == 1 && gb_model_word(model, word)[0] != letter)
        k++;
    return k;
}

typedef struct covered {
    size_t n_words, n_topics;
    double sd; /* mean over words */
} covered;

/* Effects of all features: `words` names those that come after the topics. */
static void count_covered(const gb_model *words, uint64_t first_topic, const gb_effect *e, const double *truth,
                          covered *n)
{
    assert_int_equal(gb_model_n_word_columns(words), N_WORDS);
    for (uint64_t w = 0; w < N_WORDS; w++) {
        const double effect = truth[number_of(gb_model_word(words, w))];
        n->sd += e[N_TOPICS + w].sd / (N_CORPORA * N_WORDS);
        n->n_words += e[N_TOPICS + w].q05 < effect && effect < e[N_TOPICS + w].q95;
    }
    const double of_topic = TOPIC_EFFECT * 2 / 3; /* less the mean share of a third */
    n->n_topics += e[first_topic].q05 < of_topic && of_topic < e[first_topic].q95;
}

/* 144 intervals of 90 % that know nothing of each other would miss more than 27 with probability 0.0005. */
static void assert_covered(const covered *n)
{
    assert_in_range(n->n_words, N_CORPORA * N_WORDS - 27, N_CORPORA * N_WORDS);
    assert_in_range(n->n_topics, 2, N_CORPORA);
    assert_true(n->sd < 0.7 * WORD_SD); /* the documents say more than the prior does */
}

static void estimate(const gb_model *model, const char *path, const double *truth, covered *n)
{
    gb_error err;
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    gb_estimate *estimate = NULL;
    gb_effect e[N_TOPICS + N_WORDS + 1];
    gb_settings *settings = settings_of("target", "y", "seed", "1", "threads", "1", NULL);
    if (gb_documents_open(model, path, settings, NULL, NULL, &documents, &err) != GB_OK ||
        gb_documents_next(documents, UINT64_MAX, &docs, &n_unknown, &err) != GB_OK ||
        gb_estimate_create(model, docs, settings, NULL, NULL, &estimate, &err) != GB_OK ||
        gb_model_effects(gb_estimate_model(estimate), 0, e, &err) != GB_OK)
        fail_msg("%s", err.message);
    count_covered(gb_estimate_model(estimate), topic_with_first_letter(model, 'a'), e, truth, n);
    gb_estimate_free(estimate);
    gb_corpus_free(docs);
    gb_documents_close(documents);
    gb_free(n_unknown);
    gb_settings_free(settings);
}

static void intervals_on_other_documents_cover_effects_of_topics_and_words(void **state)
{
    covered n = {0};
    (void)state;
    for (uint64_t i = 0; i < N_CORPORA; i++) {
        double truth[N_WORDS];
        gb_error err;
        gb_model *model = NULL;
        draw_effects(truth, 70 + i);
        write_documents("train.jsonl", 150, 20 + i, truth);
        write_documents("other.jsonl", 300, 40 + i, truth);
        gb_corpus *corpus = corpus_of("train.jsonl", "target", "y", NULL);
        gb_settings *settings = settings_for("0");
        if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
            fail_msg("%s", err.message);
        estimate(model, "other.jsonl", truth, &n);
        gb_model_free(model);
        gb_corpus_free(corpus);
        gb_settings_free(settings);
    }
    assert_covered(&n);
}

static gb_model *cross_fitted(const gb_corpus *corpus)
{
    gb_error err;
    gb_model *begin = NULL, *model = NULL;
    gb_settings *settings = settings_for("3");
    if (gb_cross_fit_begin(corpus, settings, NULL, NULL, &begin, &err) != GB_OK ||
        gb_train_from(corpus, settings, begin, NULL, NULL, &model, NULL, &err) != GB_OK ||
        gb_cross_fit(corpus, settings, begin, model, NULL, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_model_free(begin);
    gb_settings_free(settings);
    return model;
}

static void cross_fitted_intervals_cover_effects_of_topics_and_words(void **state)
{
    covered n = {0};
    (void)state;
    for (uint64_t i = 0; i < N_CORPORA; i++) {
        double truth[N_WORDS];
        gb_cross_effect e[N_TOPICS + N_WORDS + 1], again[N_TOPICS + N_WORDS + 1];
        gb_effect posterior[N_TOPICS + N_WORDS + 1];
        gb_model *read = NULL;
        draw_effects(truth, 80 + i);
        write_documents("all.jsonl", 300, 60 + i, truth);
        gb_corpus *corpus = corpus_of("all.jsonl", "target", "y", NULL);
        gb_model *model = cross_fitted(corpus);
        assert_int_equal(gb_model_cross_effects(model, 0, e, NULL), GB_OK);
        for (size_t j = 0; j < N_TOPICS + N_WORDS + 1; j++)
            posterior[j] = e[j].posterior;
        assert_int_equal(e[N_TOPICS].n_folds, 3);
        count_covered(model, topic_with_first_letter(model, 'a'), posterior, truth, &n);
        assert_int_equal(gb_model_write(model, "m.gibbous", true, NULL, NULL, NULL), GB_OK);
        assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &read, NULL), GB_OK);
        assert_int_equal(gb_model_cross_effects(read, 0, again, NULL), GB_OK);
        assert_memory_equal(e + N_TOPICS, again + N_TOPICS, (N_WORDS + 1) * sizeof *e);
        gb_model_free(read);
        gb_model_free(model);
        gb_corpus_free(corpus);
    }
    assert_covered(&n);
}

static void refuse(const char *array, const void *value, size_t n_bytes, const char *expected)
{
    gb_error err;
    gb_model *model = NULL;
    size_t size;
    char *bytes = read_whole("sound.gibbous", &size);
    write_bytes("bad.gibbous", bytes, size);
    free(bytes);
    change_array("bad.gibbous", array, 0, value, n_bytes);
    assert_int_equal(gb_model_read("bad.gibbous", NULL, NULL, &model, &err), GB_EFORMAT);
    if (strstr(err.message, expected) == NULL)
        fail_msg("%s", err.message);
}

static void damaged_coefficients_of_words_are_refused(void **state)
{
    const float minus = -1, nothing = NAN;
    const double infinite = INFINITY;
    const uint64_t none = 0;
    const uint32_t many = 1000;
    double truth[N_WORDS];
    (void)state;
    draw_effects(truth, 1);
    write_documents("few.jsonl", 60, 1, truth);
    gb_corpus *corpus = corpus_of("few.jsonl", "target", "y", NULL);
    gb_model *model = cross_fitted(corpus);
    assert_int_equal(gb_model_write(model, "sound.gibbous", true, NULL, NULL, NULL), GB_OK);
    gb_model_free(model);
    gb_corpus_free(corpus);
    refuse("word_sd", &minus, sizeof minus, "an effect of a word is out of range");
    refuse("word_mean", &nothing, sizeof nothing, "an effect of a word is out of range");
    refuse("word_expected", &nothing, sizeof nothing, "an effect of a word is out of range");
    refuse("word_draws", &none, sizeof none, "an effect of a word is out of range");
    refuse("word_weight", &infinite, sizeof infinite, "array \"word_weight\": a number is not finite, or too large");
    refuse("word_average", &infinite, sizeof infinite,
           "the score of the average document is not a number, or too large");
    refuse("snapshot_word_unit", &nothing, sizeof nothing, "array \"snapshot_word_unit\": a number is not finite");
    refuse("fold_word_count", &many, sizeof many, "a number of the folds is out of range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_on_other_documents_cover_effects_of_topics_and_words),
        cmocka_unit_test(cross_fitted_intervals_cover_effects_of_topics_and_words),
        cmocka_unit_test(damaged_coefficients_of_words_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
