/* design/formula.c - a formula of training documents, and what can be asked of it. */
#include "design/formula.h"

#include "base/memory.h"
#include "base/text.h"
#include "design/formula_private.h"

#include <string.h>

/* ---- its fields ---- */

static bool find_kind(const gb_corpus *corpus, const char *name, gb_field_kind *kind)
{
    for (size_t i = 0; i < corpus->n_numbers; i++)
        if (strcmp(corpus->numbers[i].name, name) == 0) {
            *kind = GB_KIND_NUMBER;
            return true;
        }
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (strcmp(corpus->labels[i].name, name) == 0) {
            *kind = corpus->labels[i].several ? GB_KIND_SEVERAL : GB_KIND_ONE;
            return true;
        }
    return false;
}

static gb_status fail_lacking(const gb_corpus *corpus, const char *name, gb_error *err)
{
    char shown[GB_QUOTE_SIZE], names[GB_FIELD_NAMES_SIZE];
    gb_text_quote(name, strlen(name), shown);
    gb_corpus_field_names(corpus, names);
    return gb_fail(err, GB_EFORMAT, "`prevalence`: %s: no field %s; %s", gb_corpus_path(corpus), shown, names);
}

static const char *said_of(gb_field_kind kind)
{
    return kind == GB_KIND_NUMBER ? "numbers" : kind == GB_KIND_ONE ? "levels" : "lists";
}

static gb_status check_kind(const gb_field *wanted, gb_field_kind kind, gb_error *err)
{
    char shown[GB_QUOTE_SIZE];
    if (wanted->kind == GB_KIND_AUTO || wanted->kind == kind)
        return GB_OK;
    gb_text_quote(wanted->name, strlen(wanted->name), shown);
    return gb_fail(err, GB_EARGUMENT,
                   "`prevalence`: the field %s has %s, and the formula takes %s; read the documents again", shown,
                   said_of(kind), said_of(wanted->kind));
}

/* A document has one value of a slope, and one level of a grouping. */
static gb_status check_random(const gb_formula *f, const gb_corpus *corpus, gb_error *err)
{
    gb_variable_set all = 0;
    for (size_t i = 0; i < f->parsed.n_random; i++)
        all |= f->parsed.random[i].slope | f->parsed.random[i].group;
    for (size_t v = 0; v < f->parsed.n_variables; v++) {
        const char *name = f->parsed.field[f->parsed.variable[v].field].name;
        gb_field_kind kind = GB_KIND_AUTO;
        char shown[GB_QUOTE_SIZE];
        (void)find_kind(corpus, name, &kind);
        if ((all >> v & 1U) == 0 || kind != GB_KIND_SEVERAL)
            continue;
        gb_text_quote(name, strlen(name), shown);
        return gb_fail(err, GB_EARGUMENT,
                       "`prevalence`: the field %s has lists, and a random effect takes one value for each document",
                       shown);
    }
    return GB_OK;
}

static gb_status check_fields(const gb_formula *f, const gb_corpus *corpus, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < f->parsed.n_fields; i++) {
        gb_field_kind kind;
        if (!find_kind(corpus, f->parsed.field[i].name, &kind))
            return fail_lacking(corpus, f->parsed.field[i].name, err);
        GB_TRY(check_kind(&f->parsed.field[i], kind, err));
    }
    st = check_random(f, corpus, err);
done:
    return st;
}

static gb_status code_fields(gb_formula *f, const gb_corpus *corpus, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    gb_coded_field *field = NULL;
    gb_sparse_columns x = {.n_docs = 0};
    const gb_sparse_columns no_words = {.n_docs = 0};
    GB_TRY(gb_alloc(&field, f->parsed.n_fields, sizeof *field, "a formula", err));
    for (size_t i = 0; i < f->parsed.n_fields; i++)
        field[i] = (gb_coded_field){f->parsed.field[i].name, gb_formula_text_only_groups(&f->parsed, i)};
    GB_TRY(gb_coding_make_of(corpus, settings, f->parsed.n_fields, field, &f->coding, err));
    GB_TRY(gb_coding_apply(f->coding, corpus, settings, 0, &x, err));
    GB_TRY(gb_coding_note_means(f->coding, &x, &no_words, err));
    st = gb_formula_take_sample(&x, &f->sample, err);
done:
    gb_sparse_columns_clear(&x);
    gb_free(field);
    return st;
}

/* ---- making ---- */

static gb_status create(const char *text, gb_formula **out, gb_error *err)
{
    gb_status st;
    gb_formula *f = NULL;
    GB_TRY(gb_alloc(&f, 1, sizeof *f, "a formula", err));
    GB_TRY(gb_copy_text(&f->text, text, strlen(text), err));
    GB_TRY(gb_formula_text_read(text, &f->parsed, err));
    *out = f;
    return GB_OK;
done:
    gb_formula_free(f);
    return st;
}

gb_status gb_formula_make(gb_formula **out, const char *text, const gb_corpus *corpus, const gb_settings *settings,
                          gb_error *err)
{
    gb_status st;
    gb_formula *f = NULL;
    GB_TRY(create(text, &f, err));
    GB_TRY(check_fields(f, corpus, err));
    GB_TRY(code_fields(f, corpus, settings, err));
    GB_TRY(gb_formula_plan(f, err));
    *out = f;
    return GB_OK;
done:
    gb_formula_free(f);
    return st;
}

void gb_formula_free(gb_formula *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->n_terms; i++) {
        gb_free((char *)(uintptr_t)f->term[i].name);
        gb_free(f->plan[i].variable);
    }
    for (size_t j = 0; j < f->n_columns && f->column_name != NULL; j++)
        gb_free(f->column_name[j]);
    for (size_t v = 0; v < GB_FORMULA_MOST_VARIABLES; v++)
        gb_smooth_clear(&f->smooth[v]);
    gb_free(f->column_name);
    gb_free(f->term);
    gb_free(f->plan);
    gb_free(f->reference);
    gb_coding_free(f->coding);
    gb_sparse_columns_clear(&f->sample);
    gb_formula_text_clear(&f->parsed);
    gb_free(f->text);
    gb_free(f);
}

/* ---- questions ---- */

const char *gb_formula_as_text(const gb_formula *f)
{
    return f->text;
}

size_t gb_formula_n_terms(const gb_formula *f)
{
    return f->n_terms;
}

const gb_term *gb_formula_term(const gb_formula *f, size_t term)
{
    return &f->term[term];
}

size_t gb_formula_n_columns(const gb_formula *f)
{
    return f->n_columns;
}

const char *gb_formula_column_name(const gb_formula *f, size_t column)
{
    return f->column_name[column];
}

const gb_sparse_columns *gb_formula_sample(const gb_formula *f)
{
    return &f->sample;
}

const gb_coding *gb_formula_coding(const gb_formula *f)
{
    return f->coding;
}

size_t gb_formula_reference(const gb_formula *f, size_t field)
{
    return f->reference[field];
}

gb_status gb_formula_fields(const gb_formula *f, char **out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes text = {0};
    for (size_t i = 0; i < f->parsed.n_fields; i++)
        GB_TRY(gb_formula_text_add(&text, f->parsed.field[i].name, gb_coding_field_kind(f->coding, i), err));
    if (text.data == NULL)
        return gb_copy_text(out, "1", 1, err);
    *out = text.data;
    return GB_OK;
done:
    gb_free(text.data);
    return st;
}

/* ---- in a model file ---- */

void gb_formula_json_free(void *object)
{
    json_decref(object);
}

json_t *gb_formula_to_json(const gb_formula *f)
{
    return json_pack("{s:s, s:o, s:o}", "formula", f->text, "coding", gb_coding_to_json(f->coding), "documents",
                     gb_formula_sample_to_json(&f->sample));
}

static gb_status fail_damaged(const char *what, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "the model's formula is damaged: %s", what);
}

/* What gb_formula_make() has seen to. */
static bool is_usable(const gb_formula *f, size_t variable)
{
    const gb_formula_variable *v = &f->parsed.variable[variable];
    const gb_coding_field *field = &f->coding->field[v->field];
    gb_variable_set random = 0;
    for (size_t i = 0; i < f->parsed.n_random; i++)
        random |= f->parsed.random[i].slope | f->parsed.random[i].group;
    if (field->kind == GB_COVARIATE_LIST && (random >> variable & 1U) != 0)
        return false;
    return v->smooth_df == 0 || field->n_columns == 0 || (field->high / 2 - field->low / 2 > 0);
}

static gb_status check_coding(const gb_formula *f, gb_error *err)
{
    const gb_coding *coding = f->coding;
    if (coding->n_fields != f->parsed.n_fields || coding->embedding.n > 0 || coding->has_words)
        return fail_damaged("its fields", err);
    for (size_t i = 0; i < coding->n_fields; i++) {
        const gb_field *wanted = &f->parsed.field[i];
        if (strcmp(coding->field[i].name, wanted->name) != 0 ||
            (wanted->kind != GB_KIND_AUTO && wanted->kind != gb_coding_field_kind(coding, i)))
            return fail_damaged("its fields", err);
        coding->field[i].takes_new_levels = gb_formula_text_only_groups(&f->parsed, i);
    }
    for (size_t v = 0; v < f->parsed.n_variables; v++)
        if (!is_usable(f, v))
            return fail_damaged("a variable", err);
    return GB_OK;
}

gb_status gb_formula_from_json(const json_t *object, gb_formula **out, gb_error *err)
{
    gb_status st;
    gb_formula *f = NULL;
    gb_error of_text = {.status = GB_OK};
    const json_t *text = json_object_get(object, "formula");
    if (!json_is_string(text) || strlen(json_string_value(text)) != json_string_length(text))
        return fail_damaged("no text", err);
    st = create(json_string_value(text), &f, &of_text);
    if (st == GB_EARGUMENT)
        return fail_damaged(of_text.message, err);
    if (st != GB_OK)
        return gb_fail(err, st, "%s", of_text.message);
    GB_TRY(gb_coding_from_json(json_object_get(object, "coding"), &f->coding, err));
    GB_TRY(check_coding(f, err));
    GB_TRY(gb_formula_sample_from_json(json_object_get(object, "documents"), gb_coding_n_columns(f->coding),
                                       &f->sample, err));
    GB_TRY(gb_formula_plan(f, err));
    *out = f;
    return GB_OK;
done:
    gb_formula_free(f);
    return st;
}

static bool has_field(const gb_formula_text *f, gb_variable_set set, size_t field, bool is_bend)
{
    for (size_t v = 0; v < f->n_variables; v++)
        if ((set >> v & 1U) != 0 && f->variable[v].field == field && (f->variable[v].smooth_df > 0 || !is_bend))
            return true;
    return false;
}

bool gb_formula_bends(const gb_formula *formula, size_t field)
{
    for (size_t i = 0; i < formula->parsed.n_products; i++)
        if (has_field(&formula->parsed, formula->parsed.product[i], field, true))
            return true;
    return false;
}

bool gb_formula_has_product(const gb_formula *formula, size_t field, size_t other)
{
    for (size_t i = 0; i < formula->parsed.n_products; i++)
        if (has_field(&formula->parsed, formula->parsed.product[i], field, false) &&
            has_field(&formula->parsed, formula->parsed.product[i], other, false))
            return true;
    return false;
}

bool gb_formula_only_groups(const gb_formula *formula, size_t field)
{
    return gb_formula_text_only_groups(&formula->parsed, field);
}
