/* Choosing between settings: the grid, the folds, the file of finished fits, and the choice. */
#include "helper_tables.h"

#include "base/memory.h"
#include "corpus/data/subset.h"
#include "evaluation/score_table.h"
#include "evaluation/topic_agreement.h"
#include "folds/fit_log.h"
#include "folds/fold_by.h"
#include "folds/grid.h"
#include "folds/parts.h"
#include "folds/selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the grid ---- */

static void list(gb_settings *settings, const char *name, const char *value)
{
    gb_error err;
    if (gb_selection_set(settings, name, value, &err) != GB_OK)
        fail_msg("%s", err.message);
}

static void a_grid_has_every_combination_and_its_last_option_changes_first(void **state)
{
    gb_settings *s = settings_of("seed", "1", NULL), *one = NULL;
    gb_grid grid = {0};
    char *name = NULL;
    (void)state;
    list(s, "topics", "20,50,100");
    list(s, "cost", "1,8");
    assert_int_equal(gb_grid_read(s, &grid, NULL), GB_OK);
    assert_int_equal(grid.n_candidates, 6);
    assert_string_equal(gb_grid_value(&grid, 3, 0), "50");
    assert_string_equal(gb_grid_value(&grid, 3, 1), "8");
    assert_int_equal(gb_grid_settings(&grid, s, 5, &one, NULL), GB_OK);
    assert_string_equal(gb_settings_get(one, "topics", 0), "100");
    assert_string_equal(gb_settings_get(one, "cost", 0), "8");
    assert_string_equal(gb_settings_get(one, "seed", 0), "1");
    assert_int_equal(gb_grid_describe(&grid, 0, &name, NULL), GB_OK);
    assert_string_equal(name, "topics 20, cost 1");
    gb_free(name);
    gb_settings_free(one);
    gb_grid_clear(&grid);
    gb_settings_free(s);
}

/* How many values the grid gets; 0: the option itself gets the text. */
static size_t n_values(const char *name, const char *value)
{
    gb_settings *s = settings_of("seed", "1", NULL);
    gb_grid grid = {0};
    list(s, name, value);
    const bool is_list = gb_settings_n_values(s, "grid") > 0;
    if (!is_list)
        assert_string_equal(gb_settings_get(s, name, 0), value);
    else
        assert_int_equal(gb_grid_read(s, &grid, NULL), GB_OK);
    const size_t n = grid.n_candidates;
    gb_grid_clear(&grid);
    gb_settings_free(s);
    return n;
}

static void commas_separate_values_unless_a_value_has_them_itself(void **state)
{
    (void)state;
    assert_int_equal(n_values("topics", "20"), 0);
    assert_int_equal(n_values("topics", "20,30,40,50"), 4);
    assert_int_equal(n_values("response", "hinge,logistic"), 2);
    assert_int_equal(n_values("response", "a=hinge,b=gaussian"), 0);
    assert_int_equal(n_values("response", "a=hinge,b=gaussian;a=logistic,b=gaussian"), 2);
    assert_int_equal(n_values("cost", "1,8,64"), 3);
    assert_int_equal(n_values("alpha", "0.1,0.2,0.3"), 0);
    assert_int_equal(n_values("alpha", "0.1,0.2;0.3,0.4;optimise"), 3);
    assert_int_equal(n_values("evolution-precision", "gamma:1,1"), 0);
    assert_int_equal(n_values("variance", "1,sample"), 2);
    assert_int_equal(n_values("variance", "topics=1,intercept=2"), 0);
    assert_int_equal(n_values("variance", "topics=1,intercept=2;topics=2"), 2);
    assert_int_equal(n_values("class-weight", "{\"a\":1,\"b\":2}"), 0);
    assert_int_equal(n_values("stopwords", "a,b"), 0); /* words are the same for all */
}

/* ---- folds ---- */

enum { N_DOCS = 103, N_FOLDS = 4 };

/* Documents of classes a (most), b and c, of 9 authors, of years that often occur, and with a number. */
static gb_corpus *documents(void)
{
    FILE *f = fopen("d.jsonl", "w");
    assert_non_null(f);
    for (int d = 0; d < N_DOCS; d++)
        (void)fprintf(f, "{\"text\":\"aa bb\",\"l\":\"%c\",\"who\":\"w%d\",\"year\":\"%d\",\"x\":%d}\n",
                      "aaabaacaab"[d % 10], d * d % 9, 990 + (d * 7 % 50), d * d % 97);
    (void)fclose(f);
    return corpus_of("d.jsonl", "label", "l", "group", "who,year", "target", "x", NULL);
}

static void deal(const gb_corpus *corpus, gb_fold_kind kind, const char *field, uint64_t seed, uint32_t *fold)
{
    gb_error err;
    const gb_fold_by by = {kind, field};
    if (gb_deal_documents(corpus, &by, N_FOLDS, seed, fold, &err) != GB_OK)
        fail_msg("%s", err.message);
}

static void each_fold_has_its_share_of_each_class(void **state)
{
    gb_corpus *corpus = documents();
    uint32_t fold[N_DOCS];
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        unsigned n[N_FOLDS] = {0}, of[3][N_FOLDS] = {{0}}, total[3] = {0};
        deal(corpus, GB_FOLDS_LABEL, "", seed, fold);
        for (size_t d = 0; d < N_DOCS; d++) {
            const uint32_t class = corpus->labels[0].class_of[d];
            n[fold[d]]++;
            of[class][fold[d]]++;
            total[class]++;
        }
        for (size_t i = 0; i < N_FOLDS; i++) {
            assert_in_range(n[i], N_DOCS / N_FOLDS, N_DOCS / N_FOLDS + 1);
            for (size_t c = 0; c < 3; c++)
                assert_in_range(of[c][i], total[c] / N_FOLDS, total[c] / N_FOLDS + 1);
        }
    }
    gb_corpus_free(corpus);
}

/* Of every four neighbours in the order of the number each fold has one. */
static void each_fold_has_numbers_of_all_sizes(void **state)
{
    gb_corpus *corpus = documents();
    uint32_t fold[N_DOCS];
    unsigned n_below[N_FOLDS] = {0}, n_all = 0;
    (void)state;
    deal(corpus, GB_FOLDS_LABEL, "x", 1, fold);
    for (size_t d = 0; d < N_DOCS; d++)
        if (corpus->numbers[0].value[d] < 40) {
            n_below[fold[d]]++;
            n_all++;
        }
    for (size_t i = 0; i < N_FOLDS; i++)
        assert_in_range(n_below[i], n_all / N_FOLDS, n_all / N_FOLDS + 1);
    gb_corpus_free(corpus);
}

static void a_group_is_in_one_fold(void **state)
{
    gb_corpus *corpus = documents();
    uint32_t fold[N_DOCS], of[100];
    unsigned n[N_FOLDS] = {0}, largest = 0, size[100] = {0};
    (void)state;
    memset(of, 0xff, sizeof of);
    deal(corpus, GB_FOLDS_GROUP, "who", 1, fold);
    for (size_t d = 0; d < N_DOCS; d++) {
        const uint32_t group = corpus->labels[1].class_of[d];
        assert_string_equal(corpus->labels[1].name, "who");
        assert_true(of[group] == UINT32_MAX || of[group] == fold[d]);
        of[group] = fold[d];
        n[fold[d]]++;
        size[group]++;
        largest = size[group] > largest ? size[group] : largest;
    }
    for (size_t i = 0; i < N_FOLDS; i++) /* none is left behind by more than a group */
        for (size_t j = 0; j < N_FOLDS; j++)
            assert_true(n[i] + largest >= n[j]);
    gb_corpus_free(corpus);
}

static void trainings_by_time_see_only_the_past(void **state)
{
    gb_corpus *corpus = documents();
    gb_held_parts parts = {0};
    gb_settings *s = settings_of("folds", "4", "fold-by", "time:year", "seed", "2", NULL);
    char *name;
    (void)state;
    assert_int_equal(gb_held_parts_make(&parts, corpus, s, NULL), GB_OK);
    assert_int_equal(parts.n, N_FOLDS);
    for (size_t i = 0; i < parts.n; i++) {
        const gb_held_part *p = &parts.part[i];
        double latest = -1, first = 1e9, last = -1,
               soonest = 1e9; /* of training, held out, unused: 999 is before 1000 */
        for (size_t d = 0; d < N_DOCS; d++) {
            assert_int_equal(gb_texts_copy(&corpus->labels[2].classes, corpus->labels[2].class_of[d], &name, NULL),
                             GB_OK);
            const double year = strtod(name, NULL);
            gb_free(name);
            const bool is_unused = p->is_unused != NULL && p->is_unused[d];
            assert_false(is_unused && p->is_held_out[d]);
            if (is_unused)
                soonest = fmin(soonest, year);
            else if (p->is_held_out[d])
                first = fmin(first, year), last = fmax(last, year);
            else
                latest = fmax(latest, year);
        }
        assert_true(p->n_held_out >= N_DOCS / (N_FOLDS + 1) / 2);
        assert_true(latest >= 0 && latest < first && last < soonest);
    }
    gb_held_parts_clear(&parts);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static void a_stage_has_some_documents_and_the_next_has_them_too(void **state)
{
    gb_corpus *corpus = documents();
    gb_settings *s = settings_of("folds", "4", "seed", "2", NULL);
    gb_held_parts all = {0}, third = {0}, ninth = {0};
    uint64_t n[2] = {0};
    (void)state;
    assert_int_equal(gb_held_parts_make(&all, corpus, s, NULL), GB_OK);
    assert_int_equal(gb_held_parts_make(&third, corpus, s, NULL), GB_OK);
    assert_int_equal(gb_held_parts_make(&ninth, corpus, s, NULL), GB_OK);
    assert_int_equal(gb_held_parts_shrink(&third, corpus, 3, 2, NULL), GB_OK);
    assert_int_equal(gb_held_parts_shrink(&ninth, corpus, 9, 2, NULL), GB_OK);
    for (size_t d = 0; d < N_DOCS; d++) {
        n[0] += !third.part[0].is_unused[d];
        n[1] += !ninth.part[0].is_unused[d];
        assert_true(ninth.part[0].is_unused[d] || !third.part[0].is_unused[d]);
        for (size_t i = 0; i < N_FOLDS; i++)
            if (third.part[i].is_held_out[d])
                assert_true(all.part[i].is_held_out[d]);
    }
    assert_int_equal(n[0], 35); /* a third, and rounded up */
    assert_int_equal(n[1], 12);
    gb_held_parts_clear(&all);
    gb_held_parts_clear(&third);
    gb_held_parts_clear(&ninth);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static void fields_that_cannot_make_folds_are_refused(void **state)
{
    gb_corpus *corpus = corpus_of("d.jsonl", NULL);
    uint32_t fold[N_DOCS];
    gb_error err;
    (void)state;
    assert_int_equal(gb_deal_documents(corpus, &(gb_fold_by){GB_FOLDS_LABEL, ""}, 2, 1, fold, &err), GB_EARGUMENT);
    assert_string_equal(err.message,
                        "`fold-by` label needs a field with one class or a number per document to predict");
    assert_int_equal(gb_deal_documents(corpus, &(gb_fold_by){GB_FOLDS_TIME, "year"}, 2, 1, fold, &err), GB_EFORMAT);
    assert_string_equal(err.message, "d.jsonl: no field \"year\" for `fold-by`");
    gb_corpus_free(corpus);
    write_file("gaps.csv", "text,year\naa,1990\nbb,\ncc,1991\ndd,1992\n");
    corpus = corpus_of("gaps.csv", "group", "year", NULL);
    assert_int_equal(gb_deal_documents(corpus, &(gb_fold_by){GB_FOLDS_TIME, "year"}, 2, 1, fold, &err), GB_EFORMAT);
    assert_string_equal(err.message, "gaps.csv: 1 document has no value in field \"year\", which `fold-by` needs");
    gb_corpus_free(corpus);
}

/* ---- stability ---- */

static double agreement(size_t n_topics, size_t n_top, const uint32_t *a, const uint32_t *b)
{
    double value = -1;
    const gb_top_words x = {n_topics, n_top, a}, y = {n_topics, n_top, b};
    assert_int_equal(gb_topic_agreement(&x, &y, &value, NULL), GB_OK);
    return value;
}

static void topics_agree_as_far_as_their_top_words_do(void **state)
{
    const uint32_t a[] = {1, 2, 3, 4, 5, 6}, swapped[] = {4, 5, 6, 1, 2, 3}, others[] = {7, 8, 9, 10, 11, 12},
                   shuffled[] = {2, 1, 3, 4, 5, 6}, half[] = {1, 7, 2, 8, 9, 10};
    (void)state;
    assert_true(agreement(2, 3, a, a) == 1);
    assert_true(agreement(2, 3, a, swapped) == 1);
    assert_true(agreement(2, 3, a, others) == 0);
    assert_true(fabs(agreement(2, 3, a, shuffled) - (2.0 / 3 + 1) / 2) < 1e-12); /* 0, 1, 1 */
    assert_true(fabs(agreement(2, 3, a, half) - (1 + 1.0 / 3 + 0.5) / 3 / 2) < 1e-12);
}

/* ---- the file of finished fits ---- */

static const char *const line = "{\"key\":\"k1\",\"seed\":7,\"scores\":[]}\n";

static void a_line_that_was_cut_off_is_forgotten(void **state)
{
    gb_fit_log *log = NULL;
    size_t n;
    char text[200];
    (void)state;
    (void)snprintf(text, sizeof text, "%s{\"key\":\"k2\",\"sco", line);
    write_file("fits.jsonl", text);
    assert_int_equal(gb_fit_log_open("fits.jsonl", &log, NULL), GB_OK);
    assert_non_null(gb_fit_log_find(log, "k1"));
    assert_null(gb_fit_log_find(log, "k2"));
    json_t *fit = json_pack("{s:s, s:[]}", "key", "k3", "scores");
    assert_int_equal(gb_fit_log_begin(log, NULL), GB_OK);
    assert_int_equal(gb_fit_log_add(log, fit, NULL), GB_OK);
    json_decref(fit);
    gb_fit_log_close(log);
    char *whole = read_whole("fits.jsonl", &n);
    assert_string_equal(whole, "{\"key\":\"k1\",\"seed\":7,\"scores\":[]}\n{\"key\":\"k3\",\"scores\":[]}\n");
    free(whole);
}

static void a_file_of_something_else_is_left_alone(void **state)
{
    static const char *const others[] = {"{\"text\":\"aa bb\"}\n", "aa", "{\"key\":\"k1\",\"scores\":[]}\nbb\n"};
    gb_fit_log *log = NULL;
    size_t n;
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        write_file("other.jsonl", others[i]);
        assert_int_equal(gb_fit_log_open("other.jsonl", &log, NULL), GB_EFORMAT);
        char *whole = read_whole("other.jsonl", &n);
        assert_string_equal(whole, others[i]);
        free(whole);
    }
}

/* ---- which go on ---- */

/* Candidates with these values of a score, and the same standard error. */
static void give_scores(gb_candidate *candidate, size_t n, const double *value, double standard_error)
{
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(gb_score_table_create(&candidate[i].mean, NULL), GB_OK);
        assert_int_equal(gb_score_table_add_section(candidate[i].mean, "a", NULL), GB_OK);
        gb_score score = {.name = "accuracy", .value = value[i], .standard_error = standard_error};
        assert_int_equal(gb_score_table_add(candidate[i].mean, score, NULL), GB_OK);
        score.name = "perplexity";
        assert_int_equal(gb_score_table_add(candidate[i].mean, score, NULL), GB_OK);
    }
}

static gb_score_table *one_score(double value)
{
    gb_score_table *table = NULL;
    assert_int_equal(gb_score_table_create(&table, NULL), GB_OK);
    assert_int_equal(gb_score_table_add_section(table, "a", NULL), GB_OK);
    assert_int_equal(gb_score_table_add(table, (gb_score){.name = "accuracy", .value = value}, NULL), GB_OK);
    assert_int_equal(gb_score_table_add(table, (gb_score){.name = "perplexity", .value = value}, NULL), GB_OK);
    return table;
}

static void those_within_one_standard_error_of_the_best_cannot_be_told_from_it(void **state)
{
    const double value[] = {0.70, 0.80, 0.60, 0.79, 0.80, NAN};
    gb_candidate candidate[6] = {{0}};
    gb_selection s = {.candidate = candidate, .criterion = "accuracy"};
    size_t order[] = {0, 1, 2, 3, 4, 5};
    static const size_t larger[] = {1, 4, 3, 0, 2, 5}, smaller[] = {2, 0, 3, 1, 4, 5};
    (void)state;
    give_scores(candidate, 6, value, 0.3);
    for (size_t i = 0; i < 5; i++) { /* what all have in common cancels, and the fourth has .01 of its own */
        const double own = i == 3 ? 0.01 : 0;
        candidate[i].pooled.scores = one_score(value[i]);
        candidate[i].pooled.sample[0] = one_score(value[i] + 0.3 + own);
        candidate[i].pooled.sample[1] = one_score(value[i] - 0.3 - own);
    }
    gb_selection_rank(&s, 6, order);
    assert_memory_equal(order, larger, sizeof order);
    assert_int_equal(gb_selection_n_near(&s, 6, order), 3);
    s.criterion = "perplexity"; /* the smaller the better */
    gb_selection_rank(&s, 6, order);
    assert_memory_equal(order, smaller, sizeof order);
    assert_int_equal(gb_selection_n_near(&s, 6, order), 1);
    for (size_t i = 0; i < 6; i++) {
        gb_score_table_free(candidate[i].mean);
        gb_pooled_clear(&candidate[i].pooled);
    }
}

/* ---- the whole ---- */

static gb_settings *small_search(const char *results)
{
    gb_settings *s = settings_of("sweeps", "6", "folds", "3", "seed", "5", "threads", "2", "results", results, NULL);
    list(s, "topics", "2,3,4");
    return s;
}

static gb_selection *ready(const gb_corpus *corpus, const char *results)
{
    gb_error err;
    gb_selection *selection = NULL;
    gb_settings *s = small_search(results);
    if (gb_selection_create(corpus, s, &selection, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(s);
    return selection;
}

static gb_corpus *labelled(void)
{
    return simulated_with(settings_of("topics", "3", "documents", "90", "length", "20", "vocabulary-size", "60",
                                      "classes", "2", "seed", "4", NULL));
}

static bool stop_after_some(const gb_selection_progress *progress, void *user)
{
    unsigned *n_calls = user;
    assert_true(*n_calls < 1000); /* never again after a no */
    *n_calls = progress->n_done >= 2 ? 1000 : *n_calls;
    return *n_calls < 1000;
}

static void a_selection_that_was_stopped_goes_on_and_ends_as_one_that_was_not(void **state)
{
    gb_corpus *corpus = labelled();
    gb_selection *whole = ready(corpus, ""), *parts = ready(corpus, "stopped.jsonl");
    unsigned n_calls = 0;
    gb_error err = {0};
    (void)state;
    assert_int_equal(gb_selection_run(whole, NULL, NULL, &err), GB_OK);
    assert_int_equal(whole->n_run, 9);
    assert_int_equal(gb_selection_run(parts, stop_after_some, &n_calls, &err), GB_ESTOP);
    assert_null(gb_selection_scores(parts, 0));
    gb_selection_free(parts);
    parts = ready(corpus, "stopped.jsonl");
    assert_int_equal(gb_selection_run(parts, NULL, NULL, &err), GB_OK);
    assert_in_range(parts->n_known, 2, 9); /* the other thread may be far ahead */
    assert_int_equal(parts->n_known + parts->n_run, 9);
    assert_int_equal(parts->advised, whole->advised);
    for (uint64_t c = 0; c < 3; c++) {
        const gb_score_table *a = gb_selection_scores(whole, c), *b = gb_selection_scores(parts, c);
        for (uint64_t i = 0; i + 1 < gb_score_table_n_sections(a); i++) /* the last has the seconds */
            for (uint64_t j = 0; j < gb_score_table_n_scores(a, i); j++)
                assert_true(gb_score_table_at(a, i, j)->value == gb_score_table_at(b, i, j)->value);
    }
    gb_selection_free(whole);
    gb_selection_free(parts);
    gb_corpus_free(corpus);
}

static void the_advised_has_the_fewest_topics_within_one_standard_error_of_the_best(void **state)
{
    gb_corpus *corpus = labelled();
    gb_selection *selection = ready(corpus, "");
    gb_table *table = NULL;
    gb_subject subject = {.size = sizeof subject, .selection = selection};
    (void)state;
    assert_int_equal(gb_answer("selection", &subject, NULL, &table, NULL), GB_EARGUMENT); /* it has not run */
    assert_int_equal(gb_selection_run(selection, NULL, NULL, NULL), GB_OK);
    assert_true(strcmp(selection->criterion, "accuracy") == 0 && selection->section == 0);
    assert_false(gb_score_is_loss(selection->criterion));
    const char *name = selection->criterion;
    const uint64_t best = selection->best, advised = selection->advised;
    const gb_score *top = gb_score_table_find(gb_selection_scores(selection, best), 0, name);
    for (uint64_t c = 0; c < 3; c++) { /* candidate c has c + 2 topics */
        const double value = gb_score_table_find(gb_selection_scores(selection, c), 0, name)->value;
        assert_true(value <= top->value);
        assert_true(c >= advised || value < top->value - top->standard_error);
    }
    assert_true(gb_score_table_find(gb_selection_scores(selection, advised), 0, name)->value >=
                top->value - top->standard_error);
    table = answer_to("selection", &subject);
    assert_int_equal(gb_table_n_rows(table), 3);
    for (uint64_t c = 0; c < 3; c++) {
        const char *verdict = text_at(table, c, "verdict");
        assert_int_equal(strstr(verdict, "best") != NULL, c == best);
        assert_int_equal(strstr(verdict, "advised") != NULL, c == advised);
        assert_true(real_at(table, c, "accuracy") ==
                    gb_score_table_find(gb_selection_scores(selection, c), 0, name)->value);
    }
    gb_table_free(table);
    gb_table *all = answer_to("selection-scores", &subject);
    double sum = 0; /* over the folds of the first candidate */
    uint64_t row = row_with(all, 0, "score", "accuracy");
    const double mean = real_at(all, row, "value");
    assert_true(*text_at(all, row, "fold") == '\0' && count_at(all, row, "is_criterion") == 1);
    for (int i = 0; i < 3; i++) {
        row = row_with(all, row + 1, "score", "accuracy");
        assert_true(*text_at(all, row, "fold") != '\0' && count_at(all, row, "candidate") == 1);
        sum += real_at(all, row, "value");
    }
    assert_true(fabs(mean - sum / 3) < 1e-12);
    gb_table_free(all);
    gb_selection_free(selection);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_every_combination_and_its_last_option_changes_first),
        cmocka_unit_test(commas_separate_values_unless_a_value_has_them_itself),
        cmocka_unit_test(each_fold_has_its_share_of_each_class),
        cmocka_unit_test(each_fold_has_numbers_of_all_sizes),
        cmocka_unit_test(a_group_is_in_one_fold),
        cmocka_unit_test(trainings_by_time_see_only_the_past),
        cmocka_unit_test(a_stage_has_some_documents_and_the_next_has_them_too),
        cmocka_unit_test(fields_that_cannot_make_folds_are_refused),
        cmocka_unit_test(topics_agree_as_far_as_their_top_words_do),
        cmocka_unit_test(a_line_that_was_cut_off_is_forgotten),
        cmocka_unit_test(a_file_of_something_else_is_left_alone),
        cmocka_unit_test(those_within_one_standard_error_of_the_best_cannot_be_told_from_it),
        cmocka_unit_test(a_selection_that_was_stopped_goes_on_and_ends_as_one_that_was_not),
        cmocka_unit_test(the_advised_has_the_fewest_topics_within_one_standard_error_of_the_best),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
