/* answer/prevalence_contrasts.c - topic shares under one value of a field minus those under another: average marginal effects. */
#include "answer/doubt.h"
#include "answer/metadata_values.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "base/processors.h"
#include "model/effects.h"

#include <math.h>
#include <string.h>

enum { WORDS = 5, MOST_LEVELS = 30 };

enum { FIELD, VALUE, MINUS, TOPIC, NAME, MEAN, TOPIC_WORDS = MEAN + GB_N_POSTERIOR_COLUMNS, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field of the formula"},
    [VALUE] = {"value", " = %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "value of the field"},
    [MINUS] = {"minus", " minus %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
               "value under which the shares are subtracted"},
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "number of the topic"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    GB_POSTERIOR_COLUMNS(MEAN, "%+.4f", "difference of expected shares"),
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the topic"}};

typedef struct contrasts {
    const gb_asked *asked;
    const gb_model *model;
    gb_topic_labels labels;
    double *share; /* n_draws x 2 x n_topics */
    double *one;   /* n_draws */
    gb_table *table;
} contrasts;

static void add_columns(const contrasts *c)
{
    gb_column shown[N_COLUMNS];
    bool is_used[N_COLUMNS];
    memcpy(shown, columns, sizeof shown);
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_topic_labels_have_names(&c->labels);
    shown[MEAN + GB_SD].format = "%.4f";
    shown[MEAN + GB_MEDIAN].place = GB_PLACE_DATA;
    gb_table_add_all(c->table, N_COLUMNS, shown, is_used);
}

/* Value b of a field minus value a. */
static gb_status put_pair(contrasts *c, size_t field, const gb_set_field *b, const char *b_text,
                          const gb_set_field *a, const char *a_text, gb_error *err)
{
    const size_t n_draws = gb_model_n_topic_draws(c->model), n_topics = c->labels.n_topics;
    const gb_metadata_setting both[2] = {{.n = 1, .set = {*b}}, {.n = 1, .set = {*a}}};
    const uint64_t n_threads = gb_asked_count(c->asked, "threads", 0);
    const gb_status st = gb_model_shares_at(c->model, n_draws, 2, both,
                                            n_threads > 0 ? n_threads : gb_available_threads(), c->share, err);
    for (uint64_t k = 0; k < n_topics && st == GB_OK; k++) {
        if (!gb_topic_is_listed(&c->labels, k))
            continue;
        for (size_t s = 0; s < n_draws; s++)
            c->one[s] = c->share[2 * s * n_topics + k] - c->share[(2 * s + 1) * n_topics + k];
        const gb_effect e = gb_effect_of(c->one, n_draws);
        gb_table_begin_row(c->table, gb_clearness(&e));
        gb_put_text(c->table, FIELD, gb_coding_field_name(gb_formula_coding(gb_model_formula(c->model)), field));
        gb_put_text(c->table, VALUE, b_text);
        gb_put_text(c->table, MINUS, a_text);
        gb_put_text(c->table, TOPIC, c->labels.title[k]);
        gb_put_text(c->table, NAME, gb_topic_label_name(&c->labels, k));
        gb_put_posterior(c->table, MEAN, &e);
        gb_put_text(c->table, TOPIC_WORDS, c->labels.words[k]);
    }
    return st;
}

/* ---- what is compared unless somebody says -------------------------------------------------------------- */

/* The level that has no contrast of its own, or the first. */
static size_t reference_of(const contrasts *c, const gb_field_values *values)
{
    const size_t column = gb_formula_reference(gb_model_formula(c->model), values->field);
    for (size_t i = 0; i < values->n; i++)
        if (values->value[i].column == column)
            return i;
    return 0;
}

static gb_status put_levels(contrasts *c, size_t field, gb_error *err)
{
    gb_field_values values;
    gb_status st = gb_field_values_list(c->model, field, MOST_LEVELS, &values, err);
    const size_t reference = st == GB_OK ? reference_of(c, &values) : 0;
    for (size_t i = 0; i < values.n && st == GB_OK; i++)
        if (i != reference)
            st = put_pair(c, field, &values.value[i], values.text[i], &values.value[reference],
                          values.text[reference], err);
    gb_field_values_clear(&values);
    return st;
}

/* Of a number: half a standard deviation above the mean minus as much below, or the larger of two values minus the other. */
static gb_status put_number(contrasts *c, size_t field, size_t column, gb_error *err)
{
    gb_status st;
    const gb_coding *coding = gb_formula_coding(gb_model_formula(c->model));
    const double centre = gb_coding_column_centre(coding, column), half = gb_coding_column_scale(coding, column) / 2;
    double low, high;
    const bool has_two = gb_field_has_two_values(c->model, field, &low, &high);
    const gb_set_field b = {.field = field, .number = has_two ? high : centre + half},
                       a = {.field = field, .number = has_two ? low : centre - half};
    char *b_text = NULL, *a_text = NULL;
    GB_TRY(gb_field_number_text(b.number, &b_text, err));
    GB_TRY(gb_field_number_text(a.number, &a_text, err));
    GB_TRY(put_pair(c, field, &b, b_text, &a, a_text, err));
done:
    gb_free(b_text);
    gb_free(a_text);
    return st;
}

static gb_status put_all(contrasts *c, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_coding *coding = gb_formula_coding(gb_model_formula(c->model));
    for (size_t i = 0; i < gb_coding_n_fields(coding) && st == GB_OK; i++) {
        const gb_columns of_field = gb_coding_field_columns(coding, i);
        if (!gb_model_field_is_fixed(c->model, i) || of_field.n == 0)
            continue;
        st = of_field.kind == GB_COLUMNS_NUMBER ? put_number(c, i, of_field.first, err) : put_levels(c, i, err);
    }
    return st;
}

/* ---- what is asked for ---------------------------------------------------------------------------------- */

/* "FIELD=B,A", or "FIELD=B,FIELD=A". */
static gb_status put_asked(contrasts *c, const char *text, gb_error *err)
{
    gb_status st;
    gb_field_values values = {0};
    char *plain = NULL;
    const size_t field = strcspn(text, "=") + 1;
    GB_TRY(gb_copy_text(&plain, text, strlen(text), err));
    char *second = strchr(plain, ','), *rest = second == NULL ? NULL : second + 1;
    if (rest != NULL && strncmp(rest, text, field) == 0)
        memmove(rest, rest + field, strlen(rest + field) + 1);
    GB_TRY(gb_field_values_read(c->model, "contrast", plain, &values, err));
    if (values.n != 2)
        st = gb_fail(err, GB_EARGUMENT, "`contrast`: expected two values, as in FIELD=B,A for B minus A, not \"%s\"",
                     text);
    else
        st = put_pair(c, values.field, &values.value[0], values.text[0], &values.value[1], values.text[1], err);
done:
    gb_field_values_clear(&values);
    gb_free(plain);
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    contrasts c = {.asked = asked, .model = asked->subject->model, .table = table};
    const uint64_t n_draws = gb_model_n_topic_draws(c.model), n_asked = gb_asked_n(asked, "contrast");
    GB_TRY(gb_topic_labels_make(&c.labels, asked, c.model, 0, true, WORDS, err));
    GB_TRY(gb_alloc(&c.share, n_draws * 2, c.labels.n_topics * sizeof *c.share, "contrasts of metadata", err));
    GB_TRY(gb_alloc(&c.one, n_draws, sizeof *c.one, "contrasts of metadata", err));
    add_columns(&c);
    if (n_asked == 0)
        GB_TRY(put_all(&c, err));
    for (uint64_t i = 0; i < n_asked; i++)
        GB_TRY(put_asked(&c, gb_asked_item(asked, "contrast", i), err));
    gb_note_prevalence(table, c.model);
    gb_note_first_chain(table, c.model, NULL);
    gb_note_topics(table, c.model);
done:
    gb_topic_labels_clear(&c.labels);
    gb_free(c.share);
    gb_free(c.one);
    return st;
}

const gb_question_row gb_question_prevalence_contrasts = {
    {"prevalence-contrasts", "topic shares under one value of a field minus those under another",
     GB_NEEDS_MODEL | GB_NEEDS_PREVALENCE, GB_TOPIC_LABEL_OPTIONS " contrast threads"},
    answer};
