/* cli/hold_out.c - evaluate by cross-validation. */
#include "hold_out.h"

#include "json.h"
#include "likelihood_rows.h"
#include "progress.h"
#include "reading.h"
#include "scores_output.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>

typedef gb_cross_validation validation;

/* ---- output ---------------------------------------------------------------------------------------- */

/* The likelihood's section is the last; all others are of responses. */
static const char *method_of(const validation *v, uint64_t section)
{
    const bool is_last = section + 1 == gb_score_table_n_sections(gb_cross_validation_scores(v));
    return is_last && gb_cross_validation_has_likelihood(v) ? gb_cross_validation_held_out_method(v) : NULL;
}

static void add_means(json_t *object, const gb_score_table *table, uint64_t section)
{
    for (uint64_t i = 0; i < gb_score_table_n_scores(table, section); i++) {
        const gb_score *s = gb_score_table_at(table, section, i);
        json_t *error = isnan(s->standard_error) ? json_null() : json_real(s->standard_error);
        (void)json_object_set_new(object, s->name,
                                  s->is_count ? json_integer((json_int_t)s->value)
                                              : json_pack("{s:f, s:O}", "mean", s->value, "se", error));
        json_decref(error);
    }
}

static json_t *means_to_json(const validation *v, uint64_t section)
{
    const gb_score_table *linear = gb_cross_validation_linear_scores(v);
    json_t *object = json_object();
    if (method_of(v, section) != NULL)
        (void)json_object_set_new(object, "method", json_string(method_of(v, section)));
    add_means(object, gb_cross_validation_scores(v), section);
    if (linear != NULL && section < gb_score_table_n_sections(linear)) {
        json_t *beside = json_object();
        add_means(beside, linear, section);
        (void)json_object_set_new(object, "linear", beside);
    }
    return object;
}

static json_t *part_to_json(const validation *v, uint64_t part, uint64_t section)
{
    json_t *object = cli_section_to_json(gb_cross_validation_part_scores(v, part), section, method_of(v, section));
    cli_add_linear(object, gb_cross_validation_part_linear_scores(v, part), section);
    return object;
}

static json_t *parts_to_json(const validation *v)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < gb_cross_validation_n_parts(v); i++) {
        const gb_score_table *table = gb_cross_validation_part_scores(v, i);
        json_t *object = json_pack("{s:s}", "part", gb_cross_validation_part(v, i));
        for (uint64_t s = 0; s < gb_score_table_n_sections(table); s++)
            (void)json_object_set_new(object, gb_score_table_section(table, s), part_to_json(v, i, s));
        (void)json_array_append_new(list, object);
    }
    return list;
}

static gb_status print_json(const validation *v, gb_error *err)
{
    const gb_score_table *table = gb_cross_validation_scores(v);
    json_t *all = json_object();
    for (uint64_t s = 0; s < gb_score_table_n_sections(table); s++)
        (void)json_object_set_new(all, gb_score_table_section(table, s), means_to_json(v, s));
    (void)json_object_set_new(all, "n_parts", json_integer((json_int_t)gb_cross_validation_n_parts(v)));
    (void)json_object_set_new(all, "parts", parts_to_json(v));
    gb_status st = cli_print_json(all, err);
    json_decref(all);
    return st;
}

/* A mean and its standard error; of a count the sum. */
static void print_mean(const gb_score *s)
{
    if (s->is_count)
        (void)fprintf(cli_out(), " %10.0f", s->value);
    else
        (void)fprintf(cli_out(), " %10.6g", s->value);
}

static void print_error(const gb_score *s)
{
    if (!s->is_count && !isnan(s->standard_error))
        (void)fprintf(cli_out(), " %10.4g", s->standard_error);
}

/* Columns of a row end with its last number. */
static void print_row(const gb_score *s, const gb_score *linear)
{
    (void)fprintf(cli_out(), "%-14s", s->name);
    print_mean(s);
    print_error(s);
    if (linear != NULL) {
        if (s->is_count || isnan(s->standard_error))
            (void)fprintf(cli_out(), " %10s", "");
        print_mean(linear);
        print_error(linear);
    }
    (void)fputc('\n', cli_out());
}

static void print_section(const validation *v, uint64_t section)
{
    const gb_score_table *table = gb_cross_validation_scores(v), *linear = gb_cross_validation_linear_scores(v);
    const bool is_compared = linear != NULL && section < gb_score_table_n_sections(linear);
    if (method_of(v, section) != NULL)
        (void)fprintf(cli_out(), "\n== held-out likelihood, %s ==\n", method_of(v, section));
    else
        (void)fprintf(cli_out(), "\n== %s ==\n", gb_score_table_section(table, section));
    (void)fprintf(cli_out(), "%-14s %10s %10s", "", "mean", "se");
    (void)fprintf(cli_out(), is_compared ? " %10s %10s\n" : "\n", "linear", "se");
    for (uint64_t i = 0; i < gb_score_table_n_scores(table, section); i++) {
        const gb_score *s = gb_score_table_at(table, section, i);
        print_row(s, is_compared ? gb_score_table_find(linear, section, s->name) : NULL);
    }
}

static void print_text(const validation *v)
{
    const uint64_t n = gb_cross_validation_n_parts(v);
    (void)fprintf(cli_out(), "%" PRIu64 " part%s held out in turn\n", n, cli_plural(n));
    for (uint64_t s = 0; s < gb_score_table_n_sections(gb_cross_validation_scores(v)); s++)
        print_section(v, s);
    if (gb_cross_validation_linear_scores(v) != NULL)
        cli_print_what_is_linear();
}

static void write_rows(const validation *v, cli_table *table)
{
    for (uint64_t i = 0; i < gb_cross_validation_n_parts(v); i++)
        cli_likelihood_rows(table, gb_cross_validation_part(v, i), gb_cross_validation_docs(v, i),
                            gb_cross_validation_n_unknown(v, i), gb_cross_validation_likelihood(v, i));
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static gb_status describe(const cli_call *call, const validation *v, gb_error *err)
{
    char *decided = NULL;
    const uint64_t n = gb_cross_validation_n_parts(v);
    gb_status st = gb_cross_validation_describe(v, &decided, err);
    if (st == GB_OK)
        cli_note(call,
                 "gibbous %s: %" PRIu64 " training%s, each without one part of the documents; with all of them: %s",
                 gb_version(), n, cli_plural(n), decided);
    gb_free(decided);
    return st;
}

static gb_status run(const cli_call *call, validation *v, gb_error *err)
{
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    cli_catch_signals();
    gb_status st = gb_cross_validation_run(v, cli_progress_sweep, &shown, err);
    cli_progress_end(&shown);
    return st;
}

gb_status cli_hold_out(cli_call *call, gb_error *err)
{
    validation *v = NULL;
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_choose_seed(call, err));
    cli_catch_signals();
    CLI_TRY(cli_input(gb_cross_validation_read(call->argument[0], call->settings, cli_on_read, NULL, &v, err), err));
    CLI_TRY(cli_likelihood_open(call, gb_cross_validation_has_likelihood(v), true, &table, err));
    CLI_TRY(describe(call, v, err));
    CLI_TRY(run(call, v, err));
    if (table != NULL) {
        write_rows(v, table);
        st = cli_table_commit(table, err);
        table = NULL;
        CLI_TRY(st);
    }
    if (cli_flag(call, "json"))
        CLI_TRY(print_json(v, err));
    else
        print_text(v);
done:
    cli_table_discard(table);
    gb_cross_validation_free(v);
    return st;
}
