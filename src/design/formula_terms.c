/* design/formula_terms.c - which terms and columns a formula has, given what its fields are. */
#include "base/memory.h"
#include "base/text.h"
#include "design/formula_private.h"

#include <stdio.h>
#include <string.h>

/* A term on its way: sets of variables. */
typedef struct draft {
    gb_term_kind kind;
    gb_variable_set set; /* of a random term: its slope */
    gb_variable_set group;
} draft;

static bool has(gb_variable_set set, size_t variable)
{
    return (set >> variable & 1U) != 0;
}

static const gb_coding_field *field_of(const gb_formula *f, size_t variable)
{
    return &f->coding->field[f->parsed.variable[variable].field];
}

static bool is_bends(const gb_formula *f, size_t variable)
{
    return f->parsed.variable[variable].smooth_df > 0;
}

/* ---- contrasts ---- */

/* Whether the formula has a term; the constant is the empty one. */
static bool has_term(const gb_formula *f, const draft *t)
{
    if (t->group == 0 && t->set == 0)
        return true;
    for (size_t i = 0; i < f->parsed.n_products && t->group == 0; i++)
        if (f->parsed.product[i] == t->set)
            return true;
    for (size_t i = 0; i < f->parsed.n_random && t->group != 0; i++)
        if (f->parsed.random[i].slope == t->set && f->parsed.random[i].group == t->group)
            return true;
    return false;
}

/* A factor needs no column for its reference if the term without it is there. */
static bool has_contrasts(const gb_formula *f, const draft *t, size_t variable)
{
    draft without = *t;
    without.set &= ~((gb_variable_set)1 << variable);
    return has(t->set, variable) && field_of(f, variable)->kind == GB_COVARIATE_FACTOR && has_term(f, &without);
}

/* The most frequent level. */
static void find_references(gb_formula *f)
{
    for (size_t i = 0; i < f->coding->n_fields; i++) {
        const gb_coding_field *field = &f->coding->field[i];
        f->reference[i] = SIZE_MAX;
        for (size_t j = field->first_column; j < field->first_column + field->n_columns; j++)
            if (field->kind == GB_COVARIATE_FACTOR &&
                (f->reference[i] == SIZE_MAX || f->coding->column_mean[j] > f->coding->column_mean[f->reference[i]]))
                f->reference[i] = j;
    }
}

/* ---- one term ---- */

static size_t width_of(const gb_formula *f, size_t variable, bool contrasts)
{
    const size_t n = field_of(f, variable)->n_columns;
    if (is_bends(f, variable))
        return n == 0 ? 0 : gb_smooth_n_columns(&f->smooth[variable]);
    return contrasts && n > 0 ? n - 1 : n;
}

static void add_variables(const gb_formula *f, const draft *t, gb_variable_set set, gb_term_plan *plan)
{
    for (size_t v = 0; v < f->parsed.n_variables; v++) {
        if (!has(set, v))
            continue;
        const bool contrasts = has_contrasts(f, t, v);
        plan->variable[plan->n_variables++] = (gb_term_variable){v, width_of(f, v, contrasts), contrasts};
    }
}

static gb_status fail_many(const gb_formula *f, gb_error *err)
{
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(f->text, strlen(f->text), shown);
    return gb_fail(err, GB_EFORMAT, "`prevalence`: %s has more than %d columns", shown, GB_FORMULA_MOST_COLUMNS);
}

/* @param n  receives how many columns the term has */
static gb_status count_columns(const gb_formula *f, const gb_term_plan *plan, size_t *n, gb_error *err)
{
    *n = 1;
    for (size_t i = 0; i < plan->n_variables; i++)
        if (plan->variable[i].width == 0)
            *n = 0;
    for (size_t i = 0; i<plan->n_variables && * n> 0; i++) {
        if (plan->variable[i].width > GB_FORMULA_MOST_COLUMNS / *n)
            return fail_many(f, err);
        *n *= plan->variable[i].width;
    }
    return GB_OK;
}

/* ---- names ---- */

static void write_variables(const gb_formula *f, const gb_term_plan *plan, size_t from, size_t to, FILE *out)
{
    for (size_t i = from; i < to; i++) {
        const size_t v = plan->variable[i].variable;
        fprintf(out, is_bends(f, v) ? "%ss(%s)" : "%s%s", i > from ? ":" : "", field_of(f, v)->name);
    }
}

static void write_term(const gb_formula *f, const gb_term_plan *plan, gb_term_kind kind, FILE *out)
{
    if (kind == GB_TERM_CONSTANT)
        fprintf(out, "(intercept)");
    if (kind != GB_TERM_RANDOM) {
        write_variables(f, plan, 0, plan->n_variables, out);
        return;
    }
    fprintf(out, plan->n_slopes == 0 ? "(1" : "(");
    write_variables(f, plan, 0, plan->n_slopes, out);
    fprintf(out, "|");
    write_variables(f, plan, plan->n_slopes, plan->n_variables, out);
    fprintf(out, ")");
}

/* Column `at` of a variable as a column of the coding. */
static size_t coded_column(const gb_formula *f, const gb_term_variable *v, size_t at)
{
    const size_t field = f->parsed.variable[v->variable].field;
    const size_t column = f->coding->field[field].first_column + at;
    return column + (v->has_contrasts && column >= f->reference[field] ? 1 : 0);
}

static void write_fixed_column(const gb_formula *f, const gb_term_plan *plan, const size_t *at, FILE *out)
{
    for (size_t i = 0; i < plan->n_variables; i++) {
        const gb_term_variable *v = &plan->variable[i];
        fprintf(out, "%s", i > 0 ? ":" : "");
        if (is_bends(f, v->variable))
            fprintf(out, "s(%s)[%zu]", field_of(f, v->variable)->name, at[i] + 1);
        else
            fprintf(out, "%s", f->coding->column_name[coded_column(f, v, at[i])]);
    }
}

/* Levels alone: their fields stand in the name of the term. */
static void write_random_column(const gb_formula *f, const gb_term *term, const gb_term_plan *plan, const size_t *at,
                                FILE *out)
{
    const char *before = "=";
    fprintf(out, "%s", term->name);
    for (size_t i = 0; i < plan->n_variables; i++) {
        const gb_term_variable *v = &plan->variable[i];
        const gb_coding_field *field = field_of(f, v->variable);
        if (field->kind == GB_COVARIATE_NUMBER)
            continue;
        fprintf(out, "%s%s", before, f->coding->column_name[coded_column(f, v, at[i])] + strlen(field->name) + 1);
        before = ":";
    }
}

static gb_status close_name(FILE *f, char **text, gb_error *err)
{
    const bool failed = ferror(f) != 0;
    if (fclose(f) == 0 && !failed && *text != NULL)
        return GB_OK;
    gb_free(*text);
    *text = NULL;
    return gb_fail_memory(err, 0, "names of columns");
}

/* Go on to the next combination of columns of the variables. */
static void advance(const gb_term_plan *plan, size_t *at)
{
    for (size_t i = plan->n_variables; i-- > 0;) {
        if (++at[i] < plan->variable[i].width)
            return;
        at[i] = 0;
    }
}

static gb_status name_columns(gb_formula *f, const gb_term *term, const gb_term_plan *plan, gb_error *err)
{
    gb_status st = GB_OK;
    size_t at[2 * GB_FORMULA_MOST_VARIABLES] = {0};
    for (size_t j = 0; j < term->n; j++) {
        char **name = &f->column_name[term->first + j];
        size_t size;
        FILE *out = open_memstream(name, &size);
        if (out == NULL)
            return gb_fail_memory(err, 0, "names of columns");
        if (term->kind == GB_TERM_CONSTANT)
            fprintf(out, "%s", term->name);
        else if (term->kind == GB_TERM_RANDOM)
            write_random_column(f, term, plan, at, out);
        else
            write_fixed_column(f, plan, at, out);
        GB_TRY(close_name(out, name, err));
        advance(plan, at);
    }
done:
    return st;
}

/* ---- all terms ---- */

static gb_status name_term(gb_formula *f, const gb_term_plan *plan, gb_term_kind kind, char **name, gb_error *err)
{
    size_t size;
    FILE *out = open_memstream(name, &size);
    if (out == NULL)
        return gb_fail_memory(err, 0, "names of columns");
    write_term(f, plan, kind, out);
    return close_name(out, name, err);
}

/* A term without columns is left out. */
static gb_status add_term(gb_formula *f, const draft *t, gb_error *err)
{
    gb_status st;
    gb_term_plan plan = {.n_variables = 0};
    size_t n;
    char *name = NULL;
    GB_TRY(gb_alloc(&plan.variable, 2 * f->parsed.n_variables, sizeof *plan.variable, "a formula", err));
    add_variables(f, t, t->set, &plan);
    plan.n_slopes = plan.n_variables;
    add_variables(f, t, t->group, &plan);
    GB_TRY(count_columns(f, &plan, &n, err));
    if (n == 0)
        goto done;
    if (n > GB_FORMULA_MOST_COLUMNS - f->n_columns) {
        st = fail_many(f, err);
        goto done;
    }
    GB_TRY(name_term(f, &plan, t->kind, &name, err));
    f->term[f->n_terms] = (gb_term){name, t->kind, f->n_columns, n};
    f->plan[f->n_terms++] = plan;
    f->n_columns += n;
    return GB_OK;
done:
    gb_free(plan.variable);
    return st;
}

static bool has_bends(const gb_formula *f, gb_variable_set set)
{
    for (size_t v = 0; v < f->parsed.n_variables; v++)
        if (has(set, v) && is_bends(f, v))
            return true;
    return false;
}

static gb_status add_products(gb_formula *f, bool with_bends, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < f->parsed.n_products; i++) {
        const draft t = {.kind = with_bends ? GB_TERM_SMOOTH : GB_TERM_FIXED, .set = f->parsed.product[i]};
        if (has_bends(f, t.set) == with_bends)
            GB_TRY(add_term(f, &t, err));
    }
done:
    return st;
}

static gb_status make_smooths(gb_formula *f, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t v = 0; v < f->parsed.n_variables; v++) {
        const gb_coding_field *field = field_of(f, v);
        if (is_bends(f, v) && field->n_columns > 0)
            GB_TRY(gb_smooth_create(&f->smooth[v], f->parsed.variable[v].smooth_df, field->low, field->high, err));
    }
done:
    return st;
}

gb_status gb_formula_plan(gb_formula *f, gb_error *err)
{
    gb_status st;
    const size_t most = 1 + f->parsed.n_products + f->parsed.n_random;
    GB_TRY(gb_alloc(&f->reference, f->coding->n_fields, sizeof *f->reference, "a formula", err));
    GB_TRY(gb_alloc(&f->term, most, sizeof *f->term, "a formula", err));
    GB_TRY(gb_alloc(&f->plan, most, sizeof *f->plan, "a formula", err));
    find_references(f);
    GB_TRY(make_smooths(f, err));
    GB_TRY(add_term(f, &(draft){.kind = GB_TERM_CONSTANT}, err));
    GB_TRY(add_products(f, false, err));
    GB_TRY(add_products(f, true, err));
    for (size_t i = 0; i < f->parsed.n_random; i++)
        GB_TRY(add_term(f, &(draft){GB_TERM_RANDOM, f->parsed.random[i].slope, f->parsed.random[i].group}, err));
    GB_TRY(gb_alloc(&f->column_name, f->n_columns, sizeof *f->column_name, "names of columns", err));
    for (size_t i = 0; i < f->n_terms; i++)
        GB_TRY(name_columns(f, &f->term[i], &f->plan[i], err));
done:
    return st;
}
