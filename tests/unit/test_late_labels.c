/* test_late_labels.c - labels that a chain gets late in its burn-in, and what comes of them. */
#include "helper_documents.h"

#include "chain/chain.h"
#include "design/word_columns.h"
#include "diagnose/diagnosis.h"
#include "model/model.h"
#include "recipe/late_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BURN_IN = 40, SETTLING = 10, NOTED = 10 }; /* a quarter of burn-in each */

static gb_corpus *simulated(const char *documents)
{
    return simulated_with(settings_of("documents", documents, "length", "30", "vocabulary-size", "200", "topics", "5",
                                      "classes", "3", "seed", "3", NULL));
}

static gb_plan *plan_for(const gb_corpus *corpus, const char *option, const char *value)
{
    return plan_with(corpus,
                     settings_of("topics", "5", "sweeps", "60", "burn-in", "40", "seed", "2", option, value, NULL));
}

static gb_chain *chain_after(const gb_plan *plan, uint64_t n_sweeps)
{
    gb_chain *chain = NULL;
    assert_int_equal(gb_chain_create(plan, 0, &chain, NULL), GB_OK);
    assert_int_equal(gb_chain_step(chain, n_sweeps, NULL, NULL, NULL), GB_OK);
    return chain;
}

static size_t count_missing(const gb_chain *c)
{
    size_t n = 0;
    for (uint64_t d = 0; d < c->corpus->n_docs; d++)
        n += isnan(c->y[d * c->spec->n_outputs]) ? 1 : 0;
    return n;
}

static void assert_same_scores(const gb_chain *a, const gb_chain *b)
{
    const double *x = gb_chain_late_scores(a), *y = gb_chain_late_scores(b);
    assert_true(x != NULL && y != NULL);
    assert_memory_equal(x, y, a->spec->n_late * gb_late_width(a->spec) * sizeof *x);
}

static void labels_come_when_burn_in_is_nearly_over(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("400");
    gb_plan *plan = plan_for(corpus, "threads", "1");
    gb_chain *c = chain_after(plan, BURN_IN - SETTLING);
    const uint64_t n = plan->spec.n_late;
    assert_true(n > 400 / 4 && n < 400 / 2); /* a third of so few */
    assert_int_equal(count_missing(c), n);
    assert_int_equal(c->course.late_state[1], NOTED);
    assert_null(gb_chain_late_scores(c));
    assert_int_equal(gb_chain_step(c, 1, NULL, NULL, NULL), GB_OK);
    assert_int_equal(count_missing(c), 0);
    assert_non_null(gb_chain_late_scores(c));
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

/* Sweeps in a row are alike: ten are taken from forty. */
static void scores_of_a_long_burn_in_are_of_sweeps_apart(void **state)
{
    (void)state;
    const uint64_t burn_in = 200, settling = 20, noted = 40, when[] = {140, 143, 144, 147, 148, 176, 179, 180};
    const uint64_t count[] = {0, 0, 1, 1, 2, 9, 9, 10};
    gb_corpus *corpus = simulated("300");
    gb_plan *plan = plan_with(
        corpus, settings_of("topics", "5", "sweeps", "210", "burn-in", "200", "seed", "2", "threads", "1", NULL));
    gb_chain *c = chain_after(plan, burn_in - settling - noted);
    for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
        assert_int_equal(gb_chain_step(c, when[i] - c->sweep, NULL, NULL, NULL), GB_OK);
        assert_int_equal(c->course.late_state[1], count[i]);
    }
    assert_true(count_missing(c) > 0);
    assert_int_equal(gb_chain_step(c, 1, NULL, NULL, NULL), GB_OK);
    assert_int_equal(count_missing(c), 0);
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

/* Were they seen, the other labels would give other scores. */
static void scores_do_not_depend_on_the_labels_that_they_are_held_against(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("400");
    gb_plan *plan = plan_for(corpus, "threads", "1");
    gb_chain *with = chain_after(plan, BURN_IN);
    uint32_t *class_of = (uint32_t *)(uintptr_t)corpus->labels[0].class_of;
    for (uint64_t i = 0; i < plan->spec.n_late; i++)
        class_of[corpus->labels[0].doc_start[plan->spec.late_doc[i]]] = 0;
    gb_plan *other = plan_for(corpus, "threads", "1");
    gb_chain *without = chain_after(other, BURN_IN);
    assert_same_scores(with, without);
    assert_int_not_equal(memcmp(with->eta, without->eta, with->spec->n_topics * sizeof *with->eta),
                         0); /* now they are */
    gb_chain_free(with);
    gb_chain_free(without);
    gb_plan_free(plan);
    gb_plan_free(other);
    gb_corpus_free(corpus);
}

static void texts_are_scored_as_if_their_first_words_were_all(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("400");
    gb_plan *plan = plan_for(corpus, "threads", "1");
    gb_chain *c = chain_after(plan, BURN_IN);
    const size_t n = plan->spec.n_outputs, width = gb_late_width(&plan->spec);
    size_t n_of[GB_MOST_LATE_CUT + 1] = {0}, n_whole = 0;
    double spread[GB_MOST_LATE_CUT + 1] = {0};
    assert_int_equal(width, 2 * n); /* no numbers, no variances */
    for (uint64_t i = 0; i < plan->spec.n_late; i++) {
        const double *score = gb_chain_late_scores(c) + i * width;
        const uint64_t d = plan->spec.late_doc[i], length = corpus->doc_start[d + 1] - corpus->doc_start[d],
                       cut = gb_spec_late_cut(&plan->spec, d, length);
        assert_true(cut <= length);
        n_whole += cut == length;
        n_of[cut < length ? cut : 0]++;
        for (size_t l = 0; l < n; l++) {
            assert_int_equal(score[l] == score[n + l], cut == length);
            spread[cut < length ? cut : 0] += fabs(score[l] - score[n + l]);
        }
    }
    assert_true(n_of[4] > 10 && n_of[8] > 10 && n_of[16] > 10 && n_whole > 10);
    assert_true(spread[4] / (double)n_of[4] > spread[16] / (double)n_of[16]); /* fewer words, other topics */
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

/* Columns of words are those of the first words alone; the late document i. */
static double score_of_first_words(const gb_plan *plan, uint64_t i, const double *by_word)
{
    const uint64_t d = plan->spec.late_doc[i], first = plan->corpus->doc_start[d],
                   cut = gb_spec_late_cut(&plan->spec, d, plan->corpus->doc_start[d + 1] - first);
    const gb_word_coding *coding = gb_coding_words(plan->spec.coding);
    uint32_t word[64], count[64], column[64];
    double value[64], score = 0;
    uint64_t n = 0;
    for (uint64_t j = first; j < first + cut; j++) {
        uint64_t at = 0;
        while (at < n && word[at] != plan->corpus->word[j])
            at++;
        word[at] = plan->corpus->word[j];
        count[at] = at == n ? 1 : count[at] + 1;
        n += at == n;
    }
    n = gb_word_row(coding->value, coding->weight, n, word, count, column, value);
    for (uint64_t j = 0; j < n; j++)
        score += value[j] * by_word[column[j]];
    return score;
}

/* Predictions are made of expected coefficients of words, so the scores are that are to stand for them.  Topics have next to no part. */
static void words_count_by_their_expected_coefficients(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("400");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "5", "sweeps", "60", "burn-in", "40", "seed", "2", "cost",
                                                  "1", "word-effects", "tfidf", "variance", "topics=1e-12,words=1",
                                                  "intercept", "no", NULL));
    gb_chain *c = chain_after(plan, BURN_IN - SETTLING - NOTED + 1);
    const gb_sparse_columns *x = &plan->spec.words;
    const size_t n = plan->spec.n_outputs;
    double *mean = malloc(n * x->n_columns * sizeof *mean);
    assert_non_null(mean);
    assert_int_equal(c->course.late_state[1], 1);
    assert_int_equal(gb_chain_word_means(c, mean, NULL), GB_OK);
    for (uint64_t i = 0; i < plan->spec.n_late; i++)
        for (size_t l = 0; l < n; l++) {
            const uint64_t d = plan->spec.late_doc[i];
            double score = 0;
            for (uint64_t j = x->doc_start[d]; j < x->doc_start[d + 1]; j++)
                score += x->value[j] * mean[l * x->n_columns + x->column[j]];
            const double *noted = c->course.late_score + i * gb_late_width(&plan->spec);
            assert_true(fabs(noted[l] - score) < 1e-4); /* coefficients of topics: 1e-6 */
            assert_true(fabs(noted[n + l] - score_of_first_words(plan, i, mean + l * x->n_columns)) < 1e-4);
        }
    free(mean);
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void scores_are_the_same_on_any_threads(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("400");
    gb_plan *one = plan_for(corpus, "threads", "1"), *three = plan_for(corpus, "threads", "3");
    gb_chain *a = chain_after(one, BURN_IN), *b = chain_after(three, BURN_IN);
    assert_same_scores(a, b);
    gb_chain_free(a);
    gb_chain_free(b);
    gb_plan_free(one);
    gb_plan_free(three);
    gb_corpus_free(corpus);
}

/* Before scores are noted, between two of these, right before and after the labels come, and later. */
static void a_chain_that_was_saved_goes_on_as_if_it_had_not_been(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("400");
    gb_plan *plan = plan_for(corpus, "threads", "1");
    gb_chain *whole = chain_after(plan, BURN_IN + 5);
    const uint64_t when[] = {
        3,          BURN_IN - SETTLING - NOTED, BURN_IN - SETTLING - 4, BURN_IN - SETTLING, BURN_IN - SETTLING + 1,
        BURN_IN + 2};
    for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
        gb_chain *chain = chain_after(plan, when[i]), *loaded = NULL;
        assert_int_equal(gb_chain_save(chain, "late.state", true, NULL), GB_OK);
        assert_int_equal(gb_chain_load(plan, "late.state", &loaded, NULL), GB_OK);
        assert_int_equal(count_missing(loaded), count_missing(chain));
        assert_int_equal(gb_chain_step(loaded, BURN_IN + 5 - when[i], NULL, NULL, NULL), GB_OK);
        assert_same_scores(whole, loaded);
        assert_memory_equal(whole->eta, loaded->eta, whole->spec->n_topics * sizeof *whole->eta);
        gb_chain_free(chain);
        gb_chain_free(loaded);
    }
    assert_int_equal(remove("late.state"), 0);
    gb_chain_free(whole);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static uint64_t count_late(const char *documents, const char *option, const char *value)
{
    gb_corpus *corpus = simulated(documents);
    gb_plan *plan = plan_for(corpus, option, value);
    const uint64_t n = plan->spec.n_late;
    gb_plan_free(plan);
    gb_corpus_free(corpus);
    return n;
}

static void labels_come_late_only_where_probabilities_need_them(void **state)
{
    (void)state;
    assert_true(count_late("300", "response", "hinge") > 0);
    assert_true(count_late("300", "response", "logistic") > 0);
    assert_int_equal(count_late("300", "response", "probit"), 0);
    assert_int_equal(count_late("300", "response", "none"), 0);
    assert_int_equal(count_late("300", "calibrate", "0"), 0);
    assert_int_equal(count_late("300", "calibrate", "3"), 0);
    assert_int_equal(count_late("300", "two-stage", "yes"), 0);
    assert_int_equal(count_late("150", "response", "hinge"), 0); /* too few to spare any */
}

/* With probabilities, unless burn-in is too short for topics to form. */
static void a_model_has_probabilities_by_default(void **state)
{
    (void)state;
    static const char *const burn_in[] = {"30", "5"};
    gb_corpus *corpus = simulated("300");
    for (size_t i = 0; i < 2; i++) {
        gb_settings *s = settings_of("topics", "5", "sweeps", "40", "burn-in", burn_in[i], "seed", "2", NULL);
        gb_model *model = NULL;
        assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
        assert_int_equal(gb_model_has_probabilities(model, 0), i == 0);
        assert_int_equal(gb_model_is_calibrated(model, 0), i == 0);
        assert_true(isnan(gb_model_cut_off(model, 0, 0))); /* one label of several */
        gb_model_free(model);
        gb_settings_free(s);
    }
    gb_corpus_free(corpus);
}

/* And a file of the model says the same. */
static void a_model_without_probabilities_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *n_docs, *option, *value, *why;
    } cases[] = {
        {"300", "burn-in", "30", NULL},
        {"300", "burn-in", "5", "burn-in has fewer than 20 sweeps, too few to hold labels out in it"},
        {"150", "burn-in", "30", "fewer than 200 documents have labels, too few to hold some out"},
        {"300", "calibrate", "0", "the setting `calibrate` lets the training hold no labels out"},
        {"300", "two-stage", "yes", "a training in two stages holds no labels out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_corpus *corpus = simulated(cases[i].n_docs);
        gb_settings *s =
            settings_of("topics", "5", "sweeps", "40", cases[i].option, cases[i].value, "seed", "2", NULL);
        gb_model *model = NULL, *read = NULL;
        void *bytes = NULL;
        size_t n;
        assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
        assert_int_equal(gb_model_to_bytes(model, &bytes, &n, NULL), GB_OK);
        assert_int_equal(gb_model_from_bytes(bytes, n, &read, NULL), GB_OK);
        for (int from_file = 0; from_file < 2; from_file++) {
            const char *why = gb_model_lacks_probabilities(from_file ? read : model, 0);
            assert_int_equal(why == NULL, cases[i].why == NULL);
            if (why != NULL)
                assert_string_equal(why, cases[i].why);
        }
        gb_free(bytes);
        gb_model_free(read);
        gb_model_free(model);
        gb_settings_free(s);
        gb_corpus_free(corpus);
    }
}

/* The verdict has to know which sweeps had fewer labels: in a model, in its file, and while the run goes on. */
/* Of a document with N tokens and length m, scores count (N + 1) / (N + 1 + m); the file keeps m. */
static void curves_are_for_scores_that_count_by_the_length_of_a_document(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("300");
    gb_settings *s = settings_of("topics", "5", "sweeps", "40", "burn-in", "30", "seed", "2", NULL);
    gb_model *model = NULL, *read = NULL;
    gb_prediction *p = NULL;
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    model->target[0].length = 15;
    assert_int_equal(gb_model_write(model, "length.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("length.gibbous", NULL, NULL, &read, NULL), GB_OK);
    assert_int_equal(gb_prediction_create(read, corpus->n_docs, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(read, corpus, 0, s, NULL, NULL, p, NULL), GB_OK);
    const gb_target *target = &read->target[0];
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const double weight = ((double)p->n_known[d] + 1) / ((double)p->n_known[d] + 16);
        const double *score = p->score + 3 * d, *probability = p->response[0].probability + 3 * d;
        double expected[3], sum = 0;
        for (size_t c = 0; c < 3; c++)
            sum += expected[c] =
                pow(1 / (1 + exp(-target->calibration[2 * c] * weight * score[c] - target->calibration[2 * c + 1])),
                    target->power);
        for (size_t c = 0; c < 3; c++)
            assert_true(fabs(probability[c] - expected[c] / sum) < 1e-9);
    }
    assert_int_equal(remove("length.gibbous"), 0);
    gb_prediction_free(p);
    gb_model_free(model);
    gb_model_free(read);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static void a_diagnosis_knows_when_the_labels_came(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("300");
    gb_settings *s = settings_of("topics", "5", "sweeps", "60", "burn-in", "40", "seed", "2", "chains", "2",
                                 "checkpoint", "late.gbk", NULL);
    gb_model *model = NULL, *read = NULL;
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_model_write(model, "late.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("late.gibbous", NULL, NULL, &read, NULL), GB_OK);
    gb_diagnosis *d[3];
    assert_int_equal(gb_diagnosis_create(model, GB_DIAGNOSE_RUN, &d[0], NULL), GB_OK);
    assert_int_equal(gb_diagnosis_create(read, GB_DIAGNOSE_RUN, &d[1], NULL), GB_OK);
    assert_int_equal(gb_diagnosis_create_from_checkpoint("late.gbk", &d[2], NULL), GB_OK);
    for (size_t i = 0; i < 3; i++) {
        for (uint64_t j = 0; j < d[i]->n_traces; j++) {
            const gb_trace *t = &d[i]->trace[j];
            assert_int_equal(t->late, BURN_IN - SETTLING);
            assert_int_equal(t->first_kept, BURN_IN + 1);
        }
        assert_int_equal(d[i]->n_traces, 4);
        gb_diagnosis_free(d[i]);
    }
    assert_int_equal(remove("late.gibbous"), 0);
    gb_model_free(model);
    gb_model_free(read);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static gb_prediction *predict(const gb_model *model, const gb_corpus *corpus)
{
    gb_prediction *p = NULL;
    gb_settings *s = settings_of("threads", "1", NULL);
    assert_int_equal(gb_prediction_create(model, gb_corpus_n_docs(corpus), &p, NULL), GB_OK);
    assert_int_equal(gb_predict(model, corpus, 0, s, NULL, NULL, p, NULL), GB_OK);
    gb_settings_free(s);
    return p;
}

/* A noise that is given with a cost is far too large: held-out numbers say what is right, in the file of the model too. */
static void intervals_of_numbers_are_as_wide_as_residuals_where_the_cost_is_not_1(void **state)
{
    (void)state;
    enum { DOCS = 400 };
    gb_corpus *corpus =
        simulated_with(settings_of("documents", "400", "length", "40", "vocabulary-size", "200", "topics", "5",
                                   "response", "gaussian", "noise-variance", "0.2", "seed", "3", NULL));
    gb_settings *s = settings_of("topics", "5", "sweeps", "60", "burn-in", "40", "cost", "4", "noise-variance", "50",
                                 "seed", "2", NULL);
    gb_model *model = NULL, *read = NULL;
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_model_write(model, "numbers.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("numbers.gibbous", NULL, NULL, &read, NULL), GB_OK);
    gb_prediction *p = predict(model, corpus), *again = predict(read, corpus);
    const gb_response_prediction *x = &p->response[0];
    size_t n_inside = 0;
    for (size_t d = 0; d < DOCS; d++) {
        n_inside += corpus->numbers[0].value[d] >= x->q05[d] && corpus->numbers[0].value[d] <= x->q95[d];
        /* by that noise it would be 3.3 standard deviations of 7; the numbers themselves have one of about 1 */
        assert_true(x->q95[d] - x->q05[d] < 5);
    }
    assert_true((double)n_inside > 0.85 * DOCS); /* they were trained on, so more than new ones */
    assert_memory_equal(x->q05, again->response[0].q05, DOCS * sizeof *x->q05);
    assert_int_equal(remove("numbers.gibbous"), 0);
    gb_prediction_free(p);
    gb_prediction_free(again);
    gb_model_free(model);
    gb_model_free(read);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static void assert_described(const char *response, const char *what)
{
    gb_corpus *corpus = simulated_with(
        settings_of("documents", "300", "length", "30", "topics", "5", "response", response, "seed", "3", NULL));
    gb_settings *s = settings_of("topics", "5", "response", response, NULL);
    char *text = NULL;
    assert_int_equal(gb_train_describe(corpus, s, &text, NULL), GB_OK);
    assert_non_null(strstr(text, what));
    gb_free(text);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static void what_labels_are_held_out_for_is_said(void **state)
{
    (void)state;
    assert_described("ordinal", "held out in burn-in, for probabilities,");
    assert_described("logistic", "held out in burn-in, for probabilities,");
    assert_described("gaussian", "held out in burn-in, for intervals,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_come_when_burn_in_is_nearly_over),
        cmocka_unit_test(scores_of_a_long_burn_in_are_of_sweeps_apart),
        cmocka_unit_test(scores_do_not_depend_on_the_labels_that_they_are_held_against),
        cmocka_unit_test(words_count_by_their_expected_coefficients),
        cmocka_unit_test(texts_are_scored_as_if_their_first_words_were_all),
        cmocka_unit_test(scores_are_the_same_on_any_threads),
        cmocka_unit_test(a_chain_that_was_saved_goes_on_as_if_it_had_not_been),
        cmocka_unit_test(labels_come_late_only_where_probabilities_need_them),
        cmocka_unit_test(a_model_has_probabilities_by_default),
        cmocka_unit_test(a_model_without_probabilities_says_why),
        cmocka_unit_test(curves_are_for_scores_that_count_by_the_length_of_a_document),
        cmocka_unit_test(a_diagnosis_knows_when_the_labels_came),
        cmocka_unit_test(intervals_of_numbers_are_as_wide_as_residuals_where_the_cost_is_not_1),
        cmocka_unit_test(what_labels_are_held_out_for_is_said),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
