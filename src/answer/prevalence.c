/* answer/prevalence.c - topic shares by metadata: expected under each value of a field, or each pair of values of two fields. */
#include "answer/doubt.h"
#include "answer/metadata_values.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "base/processors.h"
#include "model/effects.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5, MOST_LEVELS = 30, MOST_FIELDS = 2, MOST_SETTINGS = 2000 };

/* Values of numbers, on bent curves and straight ones; values of a second field. */
enum { BENT_POINTS = 25, STRAIGHT_POINTS = 9, MOST_LINES = 6, LINES_OF_NUMBERS = 3 };

enum {
    FIELD,
    VALUE,
    BY_FIELD,
    BY_VALUE,
    TOPIC,
    NAME,
    MEAN,
    BAND_LOW = MEAN + GB_N_POSTERIOR_COLUMNS,
    BAND_HIGH,
    NUMBER,
    TOPIC_WORDS,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s, ", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field of the formula"},
    [VALUE] = {"value", "value", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "value of the field"},
    [BY_FIELD] = {"by_field", "by %s, ", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "second field"},
    [BY_VALUE] = {"by_value", "by", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "its value"},
    [TOPIC] = {"topic", "topic %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "number of the topic"},
    [NAME] = {"topic_name", " %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "name that somebody gave the topic"},
    GB_POSTERIOR_COLUMNS(MEAN, "%.4f", "share that a document is expected to have"),
    [BAND_LOW] = {"band_low", "", GB_CELL_REAL, GB_PLACE_DATA, "%.4f", "",
                  "with band_high: the whole curve lies in the band in 90 percent of the posterior"},
    [BAND_HIGH] = {"band_high", "", GB_CELL_REAL, GB_PLACE_DATA, "%.4f", "", "see band_low"},
    [NUMBER] = {"number", "", GB_CELL_REAL, GB_PLACE_DATA, "%g", "", "the value of a field with numbers"},
    [TOPIC_WORDS] = {"words", ": %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "words of the topic"}};

typedef struct prevalence {
    const gb_asked *asked;
    const gb_model *model;
    gb_topic_labels labels;
    bool has_second;
    gb_table *table;
} prevalence;

static void add_columns(const prevalence *p)
{
    gb_column shown[N_COLUMNS];
    bool is_used[N_COLUMNS];
    memcpy(shown, columns, sizeof shown);
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_topic_labels_have_names(&p->labels);
    is_used[BY_FIELD] = is_used[BY_VALUE] = p->has_second;
    is_used[MEAN + GB_P_POSITIVE] = false;
    shown[MEAN + GB_SD].place = shown[MEAN + GB_MEDIAN].place = GB_PLACE_DATA;
    shown[MEAN].place = shown[MEAN + GB_Q05].place = shown[MEAN + GB_Q95].place = GB_PLACE_BAR;
    gb_table_add_all(p->table, N_COLUMNS, shown, is_used);
}

static bool is_number(const prevalence *p, size_t field)
{
    return gb_coding_field_columns(gb_formula_coding(gb_model_formula(p->model)), field).kind == GB_COLUMNS_NUMBER;
}

/* ---- one curve, or some: settings of one field, for each value of the other ------------------------------- */

typedef struct curves {
    const gb_field_values *field; /* one or two */
    size_t n_fields, n_settings;
    size_t n_draws, n_topics;
    double *share; /* n_draws x n_settings x n_topics */
    gb_effect *e;  /* n_settings */
    double *one;   /* n_draws */
} curves;

static size_t n_values(const curves *c, size_t field)
{
    return field < c->n_fields ? c->field[field].n : 1;
}

/* Where 90 percent of the draws have their largest distance from the mean, in standard deviations, over the values of the first
 * field. */
static double band_width(const curves *c, size_t by, size_t topic)
{
    const size_t n_points = n_values(c, 0);
    for (size_t s = 0; s < c->n_draws; s++) {
        c->one[s] = 0;
        for (size_t i = 0; i < n_points; i++) {
            const gb_effect *e = &c->e[by * n_points + i];
            const double x = c->share[(s * c->n_settings + by * n_points + i) * c->n_topics + topic];
            c->one[s] = fmax(c->one[s], e->sd > 0 ? fabs(x - e->mean) / e->sd : 0);
        }
    }
    (void)gb_effect_of(c->one, c->n_draws); /* sorts */
    return gb_sorted_quantile(c->one, c->n_draws, 0.9);
}

static void put_row(const prevalence *p, const curves *c, size_t setting, size_t topic, double width)
{
    const gb_coding *coding = gb_formula_coding(gb_model_formula(p->model));
    const gb_effect *e = &c->e[setting];
    const size_t first = setting % n_values(c, 0), second = setting / n_values(c, 0);
    gb_table *t = p->table;
    gb_table_begin_row(t, (double)NAN); /* all rows are shown */
    gb_put_text(t, FIELD, gb_coding_field_name(coding, c->field[0].field));
    gb_put_text(t, VALUE, c->field[0].text[first]);
    gb_put_real(t, NUMBER, is_number(p, c->field[0].field) ? c->field[0].value[first].number : (double)NAN);
    if (c->n_fields > 1) {
        gb_put_text(t, BY_FIELD, gb_coding_field_name(coding, c->field[1].field));
        gb_put_text(t, BY_VALUE, c->field[1].text[second]);
    }
    gb_put_text(t, TOPIC, p->labels.title[topic]);
    gb_put_text(t, NAME, gb_topic_label_name(&p->labels, topic));
    gb_put_posterior(t, MEAN, e);
    gb_put_real(t, BAND_LOW, fmax(e->mean - width * e->sd, 0));
    gb_put_real(t, BAND_HIGH, fmin(e->mean + width * e->sd, 1));
    gb_put_text(t, TOPIC_WORDS, p->labels.words[topic]);
}

static void put_topic(const prevalence *p, const curves *c, size_t topic)
{
    for (size_t i = 0; i < c->n_settings; i++) {
        for (size_t s = 0; s < c->n_draws; s++)
            c->one[s] = c->share[(s * c->n_settings + i) * c->n_topics + topic];
        c->e[i] = gb_effect_of(c->one, c->n_draws);
    }
    for (size_t by = 0; by < n_values(c, 1); by++) {
        const double width = band_width(c, by, topic);
        for (size_t i = 0; i < n_values(c, 0); i++)
            put_row(p, c, by * n_values(c, 0) + i, topic, width);
    }
}

static void set_all(const curves *c, gb_metadata_setting *setting)
{
    for (size_t i = 0; i < c->n_settings; i++) {
        setting[i].n = c->n_fields;
        setting[i].set[0] = c->field[0].value[i % n_values(c, 0)];
        if (c->n_fields > 1)
            setting[i].set[1] = c->field[1].value[i / n_values(c, 0)];
    }
}

static gb_status put_curves(const prevalence *p, size_t n_fields, const gb_field_values *field, gb_error *err)
{
    gb_status st;
    curves c = {.field = field, .n_fields = n_fields, .n_topics = p->labels.n_topics};
    gb_metadata_setting *setting = NULL;
    const uint64_t n_threads = gb_asked_count(p->asked, "threads", 0);
    c.n_settings = n_values(&c, 0) * n_values(&c, 1);
    c.n_draws = gb_model_n_topic_draws(p->model);
    if (c.n_settings > MOST_SETTINGS)
        return gb_fail(err, GB_EARGUMENT, "`at`: %zu combinations of values; at most %d are taken", c.n_settings,
                       MOST_SETTINGS);
    GB_TRY(gb_model_check_table(p->model, c.n_draws * c.n_settings, c.n_topics, "topic shares by metadata", err));
    GB_TRY(gb_alloc(&setting, c.n_settings, sizeof *setting, "settings of metadata", err));
    GB_TRY(gb_alloc(&c.e, c.n_settings, sizeof *c.e, "topic shares by metadata", err));
    GB_TRY(gb_alloc(&c.one, c.n_draws, sizeof *c.one, "topic shares by metadata", err));
    GB_TRY(
        gb_alloc(&c.share, c.n_draws * c.n_settings, c.n_topics * sizeof *c.share, "topic shares by metadata", err));
    set_all(&c, setting);
    GB_TRY(gb_model_shares_at(p->model, c.n_draws, c.n_settings, setting,
                              n_threads > 0 ? n_threads : gb_available_threads(), c.share, err));
    for (size_t k = 0; k < c.n_topics; k++)
        if (gb_topic_is_listed(&p->labels, k))
            put_topic(p, &c, k);
done:
    gb_free(setting);
    gb_free(c.e);
    gb_free(c.one);
    gb_free(c.share);
    return st;
}

/* ---- which fields ---------------------------------------------------------------------------------------- */

static size_t n_listed(const prevalence *p, size_t field)
{
    if (!is_number(p, field))
        return MOST_LEVELS;
    return gb_formula_bends(gb_model_formula(p->model), field) ? BENT_POINTS : STRAIGHT_POINTS;
}

/* The curve of a field; with n_fields 2, for values of a second one. */
static gb_status put_listed(const prevalence *p, size_t n_fields, size_t field, size_t by, gb_error *err)
{
    gb_status st;
    gb_field_values values[MOST_FIELDS] = {{0}, {0}};
    GB_TRY(gb_field_values_list(p->model, field, n_listed(p, field), &values[0], err));
    if (n_fields > 1)
        GB_TRY(gb_field_values_list(p->model, by, is_number(p, by) ? LINES_OF_NUMBERS : MOST_LINES, &values[1], err));
    if (values[0].n > 0 && (n_fields == 1 || values[1].n > 0))
        st = put_curves(p, n_fields, values, err);
done:
    for (size_t i = 0; i < MOST_FIELDS; i++)
        gb_field_values_clear(&values[i]);
    return st;
}

/* Whether the formula has a product of both fields; then the field with numbers is along the curve. */
static bool meet(const prevalence *p, size_t field, size_t by)
{
    return field != by &&
           (is_number(p, field) > is_number(p, by) || (is_number(p, field) == is_number(p, by) && field < by)) &&
           gb_formula_has_product(gb_model_formula(p->model), field, by);
}

static bool have_products(const prevalence *p)
{
    const size_t n = gb_coding_n_fields(gb_formula_coding(gb_model_formula(p->model)));
    for (size_t i = 0; i < n * n; i++)
        if (meet(p, i / n, i % n))
            return true;
    return false;
}

/* Each field by itself, then those that meet in a product. */
static gb_status put_all(const prevalence *p, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n = gb_coding_n_fields(gb_formula_coding(gb_model_formula(p->model)));
    for (size_t i = 0; i < n && st == GB_OK; i++)
        if (gb_model_field_is_fixed(p->model, i))
            st = put_listed(p, 1, i, 0, err);
    for (size_t i = 0; i < n * n && st == GB_OK; i++)
        if (meet(p, i / n, i % n))
            st = put_listed(p, 2, i / n, i % n, err);
    return st;
}

static gb_status put_asked(const prevalence *p, gb_error *err)
{
    gb_status st = GB_OK;
    gb_field_values values[MOST_FIELDS] = {{0}, {0}};
    const uint64_t n = gb_asked_n(p->asked, "at");
    if (n > MOST_FIELDS)
        return gb_fail(err, GB_EARGUMENT, "`at`: %" PRIu64 " fields; one or two are taken", n);
    for (uint64_t i = 0; i < n; i++)
        GB_TRY(gb_field_values_read(p->model, "at", gb_asked_item(p->asked, "at", i), &values[i], err));
    if (n == 2 && values[0].field == values[1].field)
        st = gb_fail(err, GB_EARGUMENT, "`at`: the same field twice; give its values together: FIELD=A,B");
    else
        st = put_curves(p, n, values, err);
done:
    for (size_t i = 0; i < MOST_FIELDS; i++)
        gb_field_values_clear(&values[i]);
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    prevalence p = {.asked = asked, .model = asked->subject->model, .table = table};
    const uint64_t n_asked = gb_asked_n(asked, "at");
    p.has_second = n_asked > 0 ? n_asked > 1 : have_products(&p);
    GB_TRY(gb_topic_labels_make(&p.labels, asked, p.model, 0, true, WORDS, err));
    add_columns(&p);
    GB_TRY(n_asked > 0 ? put_asked(&p, err) : put_all(&p, err));
    gb_note_prevalence(table, p.model);
    gb_note_first_chain(table, p.model, NULL);
    gb_note_topics(table, p.model);
done:
    gb_topic_labels_clear(&p.labels);
    return st;
}

const gb_question_row gb_question_prevalence = {{"prevalence", "topic shares expected under values of metadata",
                                                 GB_NEEDS_MODEL | GB_NEEDS_PREVALENCE,
                                                 GB_TOPIC_LABEL_OPTIONS " at threads"},
                                                answer};
