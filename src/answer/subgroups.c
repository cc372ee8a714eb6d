/* answer/subgroups.c - how good predictions are for the documents of each value of a field. */
#include "evaluation/subgroups.h"
#include "answer/questions.h"
#include "answer/scores.h"
#include "base/memory.h"
#include "folds/cross_validation.h"
#include "math/special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD, BY, SCORE, SUBGROUP, N, VALUE, SE, LOW, HIGH, ALL, VERDICT, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field with the true values, or held_out"},
    [BY] = {"by", " by %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field whose values have scores of their own"},
    [SCORE] = {"score", "", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name of the score, as in \"evaluation\""},
    [SUBGROUP] = {"subgroup", "", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "value of that field"},
    [N] = {"n", "n", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "documents", "documents with this value that were scored"},
    [VALUE] = {"value", "value", GB_CELL_REAL, GB_PLACE_COLUMN, NULL, "", "the score of these documents"},
    [SE] = {"se", "se", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
            "its standard error, over samples of the documents"},
    [LOW] = {"q05", "5%", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
             "beginning of a 90 % interval: of shares of documents Wilson's, else where 5 % of samples of the "
             "documents score less"},
    [HIGH] = {"q95", "95%", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "", "end of the interval"},
    [ALL] = {"all", "all", GB_CELL_REAL, GB_PLACE_COLUMN, NULL, "", "the same score of all documents"},
    [VERDICT] = {"verdict", "", GB_CELL_TEXT, GB_PLACE_END, NULL, "",
                 "better or worse than the other documents, where chance alone says so of any value of the field in "
                 "at most 5 % "
                 "of cases; empty elsewhere, and of scores that are no means over documents"}};

/* ---- scores that are compared ---------------------------------------------------------------------- */

/* The scores that are means over documents, and so can be told apart by their errors; 1: large is good, -1: small is. */
static const struct {
    const char *name;
    int direction;
} means[] = {{"accuracy", 1}, {"exact_match", 1}, {"hamming_loss", -1}, {"log_loss", -1}, {"brier", -1}, {"mae", -1}};

static int direction_of(const char *score)
{
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        if (strcmp(means[i].name, score) == 0)
            return means[i].direction;
    return 0;
}

/* Not shown: counts, the baseline, which does not know subgroups, and scores that depend on how many documents there are or which classes
 * they have; micro F1 is the accuracy where there is one. */
static bool is_shown(const gb_score_table *table, uint64_t section, const gb_score *score)
{
    static const char *const others[] = {"baseline", "macro_f1", "ece"};
    bool is = !score->is_count && !score->is_error;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is &= strcmp(score->name, others[i]) != 0;
    return is && (strcmp(score->name, "micro_f1") != 0 || gb_score_table_find(table, section, "accuracy") == NULL);
}

enum { LEAST_DOCUMENTS = 10 };

/* The others have the mean x_all - w (x - x_all) / (1 - w), where w = n / n_all is the share of the subgroup, so the difference from them is
 * (x - x_all) / (1 - w).  Where both are alike its variance is v (1/n + 1/(n_all - n)), with v = n_all s_all^2 that of one
 * document.  The subgroup's own error takes the place of v / n where it is larger: a few documents that are all right have none. */
static double deviation(const gb_score *one, double n, const gb_score *all, double n_all)
{
    const double v = n_all * all->standard_error * all->standard_error,
                 own = fmax(v / n, one->standard_error * one->standard_error);
    return (one->value - all->value) * n_all / (n_all - n) / sqrt(own + v / (n_all - n));
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* A field, and what its documents are worth. */
typedef struct split {
    const char *by;
    size_t n_values;
    const char **value; /* n_values */
    gb_pooled *pooled;  /* n_values */
    uint64_t *n_docs;   /* n_values */
    gb_pooled all;
    uint64_t n_all;
} split;

static void clear(split *s)
{
    for (size_t i = 0; s->pooled != NULL && i < s->n_values; i++)
        gb_pooled_clear(&s->pooled[i]);
    gb_free(s->pooled);
    gb_free(s->n_docs);
    gb_free(s->value);
    gb_pooled_clear(&s->all);
}

static gb_status score_values(size_t n_parts, gb_evaluation *const *part, size_t field, split *s, gb_error *err)
{
    gb_status st;
    s->by = gb_evaluation_subgroup_field(part[0], field);
    GB_TRY(gb_subgroup_values(n_parts, part, field, &s->value, &s->n_values, err));
    GB_TRY(gb_alloc(&s->pooled, s->n_values, sizeof *s->pooled, "subgroups", err));
    GB_TRY(gb_alloc(&s->n_docs, s->n_values, sizeof *s->n_docs, "subgroups", err));
    for (size_t i = 0; i < s->n_values; i++)
        GB_TRY(gb_subgroup_score(n_parts, part, field, s->value[i], &s->n_docs[i], &s->pooled[i], err));
    GB_TRY(gb_subgroup_score(n_parts, part, field, NULL, &s->n_all, &s->all, err));
done:
    return st;
}

static double count_of(const gb_score_table *table, uint64_t section)
{
    const gb_score *n = gb_score_table_find(table, section, "n");
    return n == NULL ? 0 : n->value;
}

static const char *verdict_of(const split *s, size_t i, uint64_t section, const gb_score *one, const gb_score *all)
{
    const double n = count_of(s->pooled[i].scores, section), n_all = count_of(s->all.scores, section);
    const int direction = direction_of(one->name);
    if (direction == 0 || n < LEAST_DOCUMENTS || n_all - n < LEAST_DOCUMENTS)
        return "";
    const double z = deviation(one, n, all, n_all),
                 bound = gb_normal_quantile(1 - 0.025 / (double)s->n_values); /* of any of them, by chance: 5 % */
    return !(fabs(z) > bound) ? "" : z * direction > 0 ? "better" : "worse";
}

static int in_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The 90 % interval of a share x of n documents (Wilson 1927, Journal of the American Statistical Association 22): samples of documents that are all
 * right are all right, too, and would have none. */
static void put_wilson(gb_table *t, double x, double n)
{
    const double z = gb_normal_quantile(0.95), centre = (x + z * z / (2 * n)) / (1 + z * z / n),
                 half = z * sqrt(x * (1 - x) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    gb_put_real(t, LOW, fmax(centre - half, 0));
    gb_put_real(t, HIGH, fmin(centre + half, 1));
}

/* Where 90 % of the samples lie; missing without samples. */
static void put_interval(gb_table *t, const gb_pooled *pooled, uint64_t section, const gb_score *of, double n_docs)
{
    const char *name = of->name;
    double value[GB_N_SAMPLES];
    size_t n = 0;
    if (strcmp(name, "accuracy") == 0 || strcmp(name, "exact_match") == 0 || strcmp(name, "coverage_90") == 0) {
        put_wilson(t, of->value, n_docs);
        return;
    }
    for (size_t i = 0; i < GB_N_SAMPLES; i++) {
        const gb_score *score =
            pooled->sample[i] == NULL ? NULL : gb_score_table_find(pooled->sample[i], section, name);
        if (score != NULL)
            value[n++] = score->value;
    }
    if (n == 0)
        return;
    qsort(value, n, sizeof *value, in_order);
    gb_put_real(t, LOW, value[(n - 1) / 20]);
    gb_put_real(t, HIGH, value[n - 1 - (n - 1) / 20]);
}

static void put_row(gb_table *t, const split *s, size_t i, uint64_t section, const gb_score *all)
{
    const gb_score *one = gb_score_table_find(s->pooled[i].scores, section, all->name);
    const double n = count_of(s->pooled[i].scores, section);
    gb_table_begin_row(t, NAN);
    gb_put_text(t, FIELD, gb_score_table_section(s->all.scores, section));
    gb_put_text(t, BY, s->by);
    gb_put_text(t, SCORE, all->name);
    gb_put_text(t, SUBGROUP, s->value[i]);
    gb_put_count(t, N, (uint64_t)n);
    gb_put_real(t, ALL, all->value);
    gb_put_text(t, VERDICT, "");
    if (one == NULL)
        return;
    gb_put_real(t, VALUE, one->value);
    gb_put_real(t, SE, one->standard_error);
    put_interval(t, &s->pooled[i], section, one, n);
    gb_put_text(t, VERDICT, verdict_of(s, i, section, one, all));
}

static void put_field(gb_table *t, const split *s)
{
    for (uint64_t section = 0; section < gb_score_table_n_sections(s->all.scores); section++)
        for (uint64_t k = 0; k < gb_score_table_n_scores(s->all.scores, section); k++) {
            const gb_score *all = gb_score_table_at(s->all.scores, section, k);
            for (size_t i = 0; i < s->n_values && is_shown(s->all.scores, section, all); i++)
                put_row(t, s, i, section, all);
        }
}

static gb_status answer_parts(size_t n_parts, gb_evaluation *const *part, gb_table *t, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t field = 0; field < gb_evaluation_n_subgroup_fields(part[0]); field++) {
        split s = {.by = NULL};
        st = score_values(n_parts, part, field, &s, err);
        if (st == GB_OK)
            put_field(t, &s);
        clear(&s);
        GB_TRY(st);
    }
done:
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    gb_status st;
    const gb_cross_validation *v = asked->subject->validation;
    gb_evaluation **part = NULL;
    const size_t n_parts = v == NULL ? 1 : gb_cross_validation_n_parts(v);
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    GB_TRY(gb_alloc(&part, n_parts, sizeof *part, "subgroups", err));
    for (size_t i = 0; i < n_parts; i++)
        part[i] = v == NULL ? (gb_evaluation *)(uintptr_t)asked->subject->evaluation
                            : gb_cross_validation_part_evaluation(v, i);
    GB_TRY(answer_parts(n_parts, part, t, err));
    gb_table_add_note(
        t, GB_NOTE_BELOW,
        "better, worse: than the other documents; chance says so of any value of a field in 5 %% of cases, if "
        "documents are independent");
done:
    gb_free(part);
    return st;
}

const gb_question_row gb_question_subgroups = {
    {"subgroups", "how good predictions are for each value of a field", GB_NEEDS_SCORES | GB_NEEDS_SUBGROUPS, ""},
    answer};
