/* Linear models to compare with: TF-IDF and fits against numbers worked out by hand, targets, the choice of a cost, and what is
 * predicted for documents whose words tell the answer. */
#include "helper_documents.h"

#include "design/word_columns.h"
#include "evaluation/evaluation.h"
#include "evaluation/linear_choice.h"
#include "evaluation/linear_solver.h"
#include "evaluation/linear_targets.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", value, expected);
}

/* ---- TF-IDF ---------------------------------------------------------------------------------------- */

/* Of 3 documents 3 have a, 1 has b, 1 has c: idf 1, 1 + log 2, 1 + log 2. */
static void tfidf_is_what_is_worked_out_by_hand(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\":\"aa aa aa bb\"}\n{\"text\":\"aa cc\"}\n{\"text\":\"aa\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", NULL);
    double *idf = NULL;
    gb_sparse_columns rows;
    const double rare = 1 + log(2), common = 1 + log(3);
    assert_int_equal(gb_word_weights(c, GB_WORD_TFIDF, 1, &idf, NULL), GB_OK);
    assert_string_equal(vocabulary_of(c), "aa bb cc");
    assert_near(idf[0], 1, 1e-15);
    assert_near(idf[1], rare, 1e-15);
    assert_near(idf[2], rare, 1e-15);
    assert_int_equal(gb_word_columns(c, GB_WORD_TFIDF, idf, &rows, NULL), GB_OK);
    assert_int_equal(rows.doc_start[3], 5);
    assert_near(rows.value[0], common / sqrt(common * common + rare * rare), 1e-15);
    assert_near(rows.value[1], rare / sqrt(common * common + rare * rare), 1e-15);
    assert_near(rows.value[2], 1 / sqrt(1 + rare * rare), 1e-15);
    assert_int_equal(rows.column[3], 2);
    assert_near(rows.value[4], 1, 1e-15);
    gb_sparse_columns_clear(&rows);
    gb_free(idf);
    gb_corpus_free(c);
}

static void words_that_training_does_not_have_are_left_out(void **state)
{
    (void)state;
    write_file("b.jsonl", "{\"text\":\"aa bb\"}\n{\"text\":\"\"}\n");
    gb_corpus *c = corpus_of("b.jsonl", NULL);
    const double idf[] = {0, 2};
    gb_sparse_columns rows;
    assert_int_equal(gb_word_columns(c, GB_WORD_TFIDF, idf, &rows, NULL), GB_OK);
    assert_int_equal(rows.doc_start[1], 1);
    assert_int_equal(rows.column[0], 1);
    assert_near(rows.value[0], 1, 1e-15);
    assert_int_equal(rows.doc_start[2], 1);
    gb_sparse_columns_clear(&rows);
    gb_corpus_free(c);
}

/* ---- fits ------------------------------------------------------------------------------------------ */

/* Five documents of two words. */
static uint64_t start[] = {0, 2, 3, 4, 6, 6};
static uint32_t column[] = {0, 1, 0, 1, 0, 1};
static double value[] = {0.6, 0.8, 1, 1, 0.8, 0.6};
static const gb_sparse_columns five = {.n_docs = 5,
                                       .n_columns = 2,
                                       .n_entries = sizeof value / sizeof value[0],
                                       .doc_start = start,
                                       .column = column,
                                       .value = value};
static const uint64_t all[] = {0, 1, 2, 3, 4};

/* The gradient of w'w / 2 + C sum of losses. */
static void gradient(gb_linear_loss loss, double cost, const double *y, const double *w, double out[3])
{
    memcpy(out, w, 3 * sizeof *w);
    for (uint64_t d = 0; d < 5; d++) {
        const double f = gb_sparse_columns_dot(&five, d, w) + w[2];
        const double slope = loss == GB_LINEAR_SQUARES ? 2 * (f - y[d]) : -2 * y[d] * fmax(0, 1 - y[d] * f);
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            out[column[i]] += cost * slope * value[i];
        out[2] += cost * slope;
    }
}

static double norm(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* It stops when the gradient is `least` of that at 0: 0.0001, or 0.01 x the share of the smaller class. */
static void check_fit(gb_linear_loss loss, double cost, const double *y, double least)
{
    double w[3] = {0}, at_zero[3], at_end[3];
    const double zero[3] = {0};
    assert_int_equal(gb_linear_solve(&five, loss, cost, 5, all, y, w, NULL), GB_OK);
    gradient(loss, cost, y, zero, at_zero);
    gradient(loss, cost, y, w, at_end);
    assert_true(norm(w) > 0);
    assert_true(norm(at_end) <= 1.001 * least * norm(at_zero));
}

static void a_fit_is_where_the_gradient_vanishes(void **state)
{
    (void)state;
    const double number[] = {1, 2, -3, 0.5, -1}, answer[] = {1, 1, -1, -1, 1}, turned[] = {-1, -1, 1, 1, -1};
    for (double cost = 0.1; cost < 20; cost *= 10) {
        check_fit(GB_LINEAR_SQUARES, cost, number, 1e-4);
        check_fit(GB_LINEAR_SQUARED_HINGE, cost, answer, 0.01 * 2 / 5);
        check_fit(GB_LINEAR_SQUARED_HINGE, cost, turned, 0.01 * 2 / 5);
    }
}

enum { N_MANY = 300, N_OF_MANY = 60, N_EACH = 8 };

static double next_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return ldexp((double)(*state >> 11), -52) - 1;
}

/* w'w / 2 + C sum of losses, and the length of its gradient. */
static double many_gradient(const gb_sparse_columns *x, gb_linear_loss loss, double cost, const double *y,
                            const double *w, double *objective)
{
    double g[N_OF_MANY + 1], sum = 0;
    memcpy(g, w, sizeof g);
    *objective = 0;
    for (uint64_t d = 0; d < N_MANY; d++) {
        const double f = gb_sparse_columns_dot(x, d, w) + w[N_OF_MANY];
        const bool counts = loss == GB_LINEAR_SQUARES || y[d] * f < 1;
        for (uint64_t i = x->doc_start[d]; counts && i < x->doc_start[d + 1]; i++)
            g[x->column[i]] += 2 * cost * (f - y[d]) * x->value[i];
        g[N_OF_MANY] += counts ? 2 * cost * (f - y[d]) : 0;
        *objective += counts ? cost * (f - y[d]) * (f - y[d]) : 0;
    }
    for (size_t j = 0; j <= N_OF_MANY; j++) {
        sum += g[j] * g[j];
        *objective += w[j] * w[j] / 2;
    }
    return sqrt(sum);
}

/* One answer in ten is yes; half of the answers are no more than chance.  Twice: from nothing, and from where another cost ended. */
static void many_documents_are_fitted_from_any_beginning(void **state)
{
    (void)state;
    static uint64_t first[N_MANY + 1], every[N_MANY];
    static uint32_t word[N_MANY * N_EACH];
    static double number[N_MANY * N_EACH], y[N_MANY];
    const gb_sparse_columns x = {
        .n_docs = N_MANY, .n_columns = N_OF_MANY, .doc_start = first, .column = word, .value = number};
    uint64_t at = 1, n_yes = 0;
    for (uint64_t d = 0; d < N_MANY; d++) {
        every[d] = d;
        first[d + 1] = (d + 1) * N_EACH;
        double says = next_number(&at);
        for (uint64_t i = d * N_EACH; i < first[d + 1]; i++) {
            word[i] = (uint32_t)((d * 7 + i * i) % N_OF_MANY);
            number[i] = next_number(&at);
            says += word[i] < 3 ? number[i] : 0;
        }
        y[d] = says > 1 ? 1 : -1;
        n_yes += y[d] > 0;
    }
    assert_in_range(n_yes, 15, 45);
    for (gb_linear_loss loss = GB_LINEAR_SQUARED_HINGE; loss <= GB_LINEAR_SQUARES; loss++) {
        double w[N_OF_MANY + 1] = {0}, v[N_OF_MANY + 1], at_zero, from_zero, from_there;
        const double least = loss == GB_LINEAR_SQUARES ? 1e-4 : 0.01 * (double)n_yes / N_MANY;
        for (double cost = 1.0 / 16; cost < 100; cost *= 4) {
            memset(v, 0, sizeof v);
            const double length = many_gradient(&x, GB_LINEAR_SQUARES, cost, y, v, &at_zero);
            assert_int_equal(gb_linear_solve(&x, loss, cost, N_MANY, every, y, v, NULL), GB_OK);
            assert_int_equal(gb_linear_solve(&x, loss, cost, N_MANY, every, y, w, NULL), GB_OK);
            assert_true(many_gradient(&x, loss, cost, y, v, &from_zero) <= 1.001 * least * length);
            assert_true(many_gradient(&x, loss, cost, y, w, &from_there) <= 1.001 * least * length);
            assert_near(from_zero, from_there, 0.05 * from_zero);
            assert_true(from_zero < at_zero);
        }
    }
}

/* ---- targets --------------------------------------------------------------------------------------- */

static gb_target target_of(gb_task_kind task, char *field, size_t n_classes, char **class)
{
    return (gb_target){.task = task, .field = field, .n_classes = n_classes, .class_name = class};
}

static void several_labels_are_one_question_each(void **state)
{
    (void)state;
    char field[] = "tags", x[] = "x", y[] = "y", *class[] = {y, x}; /* the model's order is not that of the corpus */
    write_file("c.jsonl", "{\"text\":\"aa\",\"tags\":[\"x\",\"y\"]}\n{\"text\":\"bb\",\"tags\":[]}\n"
                          "{\"text\":\"cc\"}\n{\"text\":\"dd\",\"tags\":[\"z\",\"x\"]}\n");
    gb_corpus *c = corpus_of("c.jsonl", "labels", "tags", NULL);
    const gb_target target = target_of(GB_TASK_MULTILABEL, field, 2, class);
    gb_linear_targets t;
    assert_int_equal(gb_linear_n_problems(&target), 2);
    assert_int_equal(gb_linear_targets_find(c, &target, &t, NULL), GB_OK);
    assert_int_equal(t.n_docs, 3);
    assert_int_equal(t.doc[2], 3);
    const double expected[3][2] = {{1, 1}, {-1, -1}, {-1, 1}};
    for (size_t i = 0; i < 3; i++)
        for (size_t p = 0; p < 2; p++)
            assert_true(gb_linear_value(&t, p, t.doc[i]) == expected[i][p]);
    gb_linear_targets_clear(&t);
    gb_corpus_free(c);
}

static void levels_are_boundaries_and_numbers_are_centred(void **state)
{
    (void)state;
    char stars[] = "stars", low[] = "low", mid[] = "mid", top[] = "top", *class[] = {low, mid, top}, size[] = "size";
    write_file("d.jsonl",
               "{\"text\":\"aa\",\"stars\":\"top\",\"size\":1}\n{\"text\":\"bb\",\"stars\":\"low\",\"size\":5}\n"
               "{\"text\":\"cc\",\"stars\":\"mid\"}\n{\"text\":\"dd\",\"size\":3}\n");
    gb_corpus *c = corpus_of("d.jsonl", "label", "stars", "target", "size", NULL);
    const gb_target levels = target_of(GB_TASK_ORDINAL, stars, 3, class),
                    number = target_of(GB_TASK_REGRESSION, size, 0, NULL);
    gb_linear_targets t;
    assert_int_equal(gb_linear_n_problems(&levels), 2);
    assert_int_equal(gb_linear_targets_find(c, &levels, &t, NULL), GB_OK);
    assert_int_equal(t.n_docs, 3);
    const double expected[3][2] = {{1, 1}, {-1, -1}, {1, -1}};
    for (size_t i = 0; i < 3; i++) {
        assert_true(gb_linear_value(&t, 0, i) == expected[i][0] && gb_linear_value(&t, 1, i) == expected[i][1]);
        assert_int_equal(gb_linear_decide(&levels, expected[i]), gb_linear_class(&t, i));
    }
    gb_linear_targets_clear(&t);
    assert_int_equal(gb_linear_targets_find(c, &number, &t, NULL), GB_OK);
    assert_int_equal(t.n_docs, 3);
    assert_true(t.centre == 3);
    assert_true(gb_linear_value(&t, 0, 0) == -2 && gb_linear_value(&t, 0, 1) == 2 && gb_linear_value(&t, 0, 3) == 0);
    gb_linear_targets_clear(&t);
    gb_corpus_free(c);
}

static void a_field_that_tells_nothing_is_an_error(void **state)
{
    (void)state;
    char field[] = "colour", red[] = "red", green[] = "green", *class[] = {red, green};
    const gb_target target = target_of(GB_TASK_BINARY, field, 2, class);
    gb_linear_targets t;
    gb_error err = {.status = GB_OK};
    write_file("e.jsonl", "{\"text\":\"aa\",\"colour\":\"blue\"}\n");
    gb_corpus *without = corpus_of("e.jsonl", NULL), *other = corpus_of("e.jsonl", "label", "colour", NULL);
    assert_false(gb_linear_has_field(without, &target));
    assert_true(gb_linear_has_field(other, &target));
    assert_int_equal(gb_linear_targets_find(other, &target, &t, &err), GB_EFORMAT);
    assert_string_equal(err.message, "e.jsonl: no document has a value in field \"colour\"");
    gb_corpus_free(without);
    gb_corpus_free(other);
}

/* ---- the choice ------------------------------------------------------------------------------------ */

/* The first document has x and y, the second y; scores of x and y for the first, then for the second. */
static void the_cut_off_has_the_largest_micro_f1(void **state)
{
    (void)state;
    char field[] = "tags", x[] = "x", y[] = "y", *class[] = {x, y};
    write_file("g.jsonl", "{\"text\":\"aa\",\"tags\":[\"x\",\"y\"]}\n{\"text\":\"bb\",\"tags\":[\"y\"]}\n");
    gb_corpus *c = corpus_of("g.jsonl", "labels", "tags", NULL);
    const gb_target target = target_of(GB_TASK_MULTILABEL, field, 2, class);
    gb_linear_targets t;
    double loss, cut;
    assert_int_equal(gb_linear_targets_find(c, &target, &t, NULL), GB_OK);
    const double good[] = {3, 2, -1, 0}, bad[] = {-3, 2, 1, 0};
    assert_int_equal(gb_linear_loss_of(&t, 2, all, good, &loss, &cut, NULL), GB_OK);
    assert_near(loss, 0, 1e-15);
    assert_near(cut, -0.5, 1e-15);
    /* From the highest down: right, wrong, right, right.  F1 is 2/4, 2/5, 4/6; to predict all pairs is no choice. */
    assert_int_equal(gb_linear_loss_of(&t, 2, all, bad, &loss, &cut, NULL), GB_OK);
    assert_near(loss, 1 - 4.0 / 6, 1e-15);
    assert_near(cut, -1.5, 1e-15);
    gb_linear_targets_clear(&t);
    gb_corpus_free(c);
}

/* ---- all together ---------------------------------------------------------------------------------- */

/* 60 documents: the class says which of two words occurs, the number how much of the first; every seventh has no value. */
static void write_easy(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int d = 0; d < 60; d++) {
        const char *class = d % 3 == 0 ? "red" : d % 3 == 1 ? "green" : "blue";
        (void)fprintf(f, "{\"text\":\"the %s %s thing of %s\"", class, d % 2 == 0 ? "big" : "small", class);
        if (d % 7 != 0)
            (void)fprintf(f, ",\"colour\":\"%s\",\"size\":%d,\"tags\":[\"%s\",\"%s\"]", class, d % 2 == 0 ? 100 : 10,
                          class, d % 2 == 0 ? "big" : "small");
        (void)fputs("}\n", f);
    }
    (void)fclose(f);
}

typedef struct easy {
    gb_settings *settings;
    gb_corpus *corpus;
    gb_model *model;
} easy;

static easy easy_data(const char *threads)
{
    easy e = {.settings = settings_of("label", "colour", "labels", "tags", "target", "size", "topics", "2", "sweeps",
                                      "4", "seed", "1", "threads", threads, NULL)};
    write_easy("easy.jsonl");
    assert_int_equal(gb_corpus_read("easy.jsonl", e.settings, NULL, NULL, &e.corpus, NULL), GB_OK);
    assert_int_equal(gb_train(e.corpus, e.settings, NULL, NULL, &e.model, NULL), GB_OK);
    return e;
}

static void forget(easy *e)
{
    gb_model_free(e->model);
    gb_corpus_free(e->corpus);
    gb_settings_free(e->settings);
}

static gb_prediction *linear_prediction(const easy *e)
{
    gb_linear *linear = NULL;
    gb_prediction *p = NULL;
    assert_int_equal(gb_linear_fit(e->model, e->corpus, e->settings, NULL, NULL, &linear, NULL), GB_OK);
    assert_int_equal(gb_prediction_create(e->model, 60, &p, NULL), GB_OK);
    assert_int_equal(gb_linear_predict(linear, e->corpus, p, NULL), GB_OK);
    gb_linear_free(linear);
    return p;
}

static double score(const gb_evaluation *e, uint64_t section, const char *name)
{
    const gb_score *s = gb_score_table_find(gb_evaluation_scores(e), section, name);
    return s == NULL ? NAN : s->value;
}

/* Documents are told by their words; a ridge is never quite at its target. */
static void words_that_tell_the_answer_are_found(void **state)
{
    (void)state;
    easy data = easy_data("2");
    gb_prediction *p = linear_prediction(&data);
    gb_evaluation *e = NULL;
    assert_int_equal(gb_evaluation_create(data.model, data.settings, &e, NULL), GB_OK);
    gb_evaluation_of_linear(e);
    assert_int_equal(gb_evaluation_add(e, data.corpus, p, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_evaluation_finish(e, NULL), GB_OK);
    for (uint64_t s = 0; s < 3; s++) {
        const bool is_number = strcmp(gb_evaluation_field(e, s), "size") == 0;
        assert_true(score(e, s, "n") == 51 && score(e, s, "n_unlabelled") == 9);
        assert_true(is_number ? score(e, s, "r2") > 0.95
                              : score(e, s,
                                      gb_score_table_find(gb_evaluation_scores(e), s, "exact_match") != NULL
                                          ? "exact_match"
                                          : "accuracy") == 1);
        assert_true(isnan(score(e, s, "log_loss")) && isnan(score(e, s, "coverage_90")) && isnan(score(e, s, "ece")));
    }
    gb_evaluation_free(e);
    gb_prediction_free(p);
    forget(&data);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    easy one = easy_data("1"), four = easy_data("4");
    gb_prediction *p = linear_prediction(&one), *q = linear_prediction(&four);
    assert_int_equal(p->n_outputs, q->n_outputs);
    assert_memory_equal(p->score, q->score, 60 * p->n_outputs * sizeof *p->score);
    gb_prediction_free(p);
    gb_prediction_free(q);
    forget(&one);
    forget(&four);
}

/* ---- a stop ---------------------------------------------------------------------------------------- */

typedef struct asked {
    pthread_t caller;
    uint64_t n_calls, stop_at;
} asked;

static bool count_and_stop(const gb_apply_progress *progress, void *user)
{
    asked *a = user;
    assert_true(pthread_equal(pthread_self(), a->caller));
    assert_true(progress->draw < progress->n_draws);
    return ++a->n_calls < a->stop_at;
}

static void a_caller_who_says_stop_is_not_asked_again(void **state)
{
    (void)state;
    easy data = easy_data("3");
    for (uint64_t stop_at = 1; stop_at < 4; stop_at++) {
        asked a = {pthread_self(), 0, stop_at};
        gb_linear *linear = NULL;
        assert_int_equal(gb_linear_fit(data.model, data.corpus, data.settings, count_and_stop, &a, &linear, NULL),
                         GB_ESTOP);
        assert_null(linear);
        assert_int_equal(a.n_calls, stop_at);
    }
    forget(&data);
}

static void documents_of_another_vocabulary_are_refused(void **state)
{
    (void)state;
    easy data = easy_data("1");
    gb_linear *linear = NULL;
    gb_error err = {.status = GB_OK};
    write_file("other.jsonl", "{\"text\":\"aa bb\",\"colour\":\"red\"}\n");
    gb_corpus *other = corpus_of("other.jsonl", "label", "colour", NULL);
    assert_int_equal(gb_linear_fit(data.model, other, data.settings, NULL, NULL, &linear, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "the documents have 2 words, the model 8: read them with gb_documents_open()");
    gb_corpus_free(other);
    forget(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tfidf_is_what_is_worked_out_by_hand),
        cmocka_unit_test(words_that_training_does_not_have_are_left_out),
        cmocka_unit_test(a_fit_is_where_the_gradient_vanishes),
        cmocka_unit_test(many_documents_are_fitted_from_any_beginning),
        cmocka_unit_test(several_labels_are_one_question_each),
        cmocka_unit_test(levels_are_boundaries_and_numbers_are_centred),
        cmocka_unit_test(a_field_that_tells_nothing_is_an_error),
        cmocka_unit_test(the_cut_off_has_the_largest_micro_f1),
        cmocka_unit_test(words_that_tell_the_answer_are_found),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_caller_who_says_stop_is_not_asked_again),
        cmocka_unit_test(documents_of_another_vocabulary_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
