/* answer/metadata_values.c - values of fields, as people write them. */
#include "answer/metadata_values.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char what[] = "values of metadata";

enum { LONGEST_QUOTE = 80 };

void gb_field_values_clear(gb_field_values *values)
{
    for (size_t i = 0; values->text != NULL && i < values->n; i++)
        gb_free(values->text[i]);
    gb_free(values->text);
    gb_free(values->value);
    *values = (gb_field_values){0};
}

static gb_status make_room(size_t field, size_t n, gb_field_values *out, gb_error *err)
{
    gb_status st;
    *out = (gb_field_values){.field = field};
    GB_TRY(gb_alloc(&out->value, n, sizeof *out->value, what, err));
    GB_TRY(gb_alloc(&out->text, n, sizeof *out->text, what, err));
    out->n = n;
    for (size_t i = 0; i < n; i++)
        out->value[i] = (gb_set_field){.field = field, .column = SIZE_MAX};
done:
    return st;
}

static const gb_coding *coding_of(const gb_model *model)
{
    return gb_formula_coding(gb_model_formula(model));
}

static bool is_number(const gb_coding *coding, size_t field)
{
    return gb_coding_field_columns(coding, field).kind == GB_COLUMNS_NUMBER;
}

/* What is behind the "=" of a column's name. */
static const char *level_of(const gb_coding *coding, size_t field, size_t column)
{
    return gb_coding_column_name(coding, column) + strlen(gb_coding_field_name(coding, field)) + 1;
}

gb_status gb_field_number_text(double number, char **out, gb_error *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, fabs(number) < 1e7 && number == floor(number) ? "%.0f" : "%.6g", number);
    return gb_copy_text(out, text, strlen(text), err);
}

/* With mean c no number within [l, h] has a variance above (h - c) (c - l), and only one without values between has that much. */
bool gb_field_has_two_values(const gb_model *model, size_t field, double *low, double *high)
{
    const gb_coding *coding = coding_of(model);
    const gb_columns of_field = gb_coding_field_columns(coding, field);
    const double nearly_all = 1 - 1e-9;
    if (of_field.n != 1 || !is_number(coding, field) || !gb_coding_field_range(coding, field, low, high))
        return false;
    const double c = gb_coding_column_centre(coding, of_field.first),
                 sd = gb_coding_column_scale(coding, of_field.first);
    return *low < *high && sd * sd >= nearly_all * (*high - c) * (c - *low);
}

gb_status gb_field_values_list(const gb_model *model, size_t field, size_t n, gb_field_values *out, gb_error *err)
{
    gb_status st;
    const gb_coding *coding = coding_of(model);
    const gb_columns c = gb_coding_field_columns(coding, field);
    double low, high;
    *out = (gb_field_values){.field = field};
    if (!is_number(coding, field)) {
        GB_TRY(make_room(field, c.n < n ? c.n : n, out, err));
        for (size_t i = 0; i < out->n; i++) {
            const char *level = level_of(coding, field, c.first + i);
            out->value[i].column = c.first + i;
            GB_TRY(gb_copy_text(&out->text[i], level, strlen(level), err));
        }
        return GB_OK;
    }
    if (!gb_coding_field_range(coding, field, &low, &high))
        return GB_OK;
    if (gb_field_has_two_values(model, field, &low, &high))
        n = 2;
    GB_TRY(make_room(field, n, out, err));
    for (size_t i = 0; i < n; i++) {
        out->value[i].number = low + (high - low) * (double)i / (double)(n - 1);
        GB_TRY(gb_field_number_text(out->value[i].number, &out->text[i], err));
    }
done:
    return st;
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* The field before the "="; the longest name that fits, since names may hold one. */
static gb_status find_field(const gb_model *model, const char *option, const char *text, size_t *field,
                            const char **rest, gb_error *err)
{
    const gb_coding *coding = coding_of(model);
    size_t longest = 0;
    for (size_t i = 0; i < gb_coding_n_fields(coding); i++) {
        const char *name = gb_coding_field_name(coding, i);
        const size_t n = strlen(name);
        if (n > longest && strncmp(text, name, n) == 0 && text[n] == '=') {
            longest = n;
            *field = i;
            *rest = text + n + 1;
        }
    }
    if (longest > 0)
        return GB_OK;
    return gb_fail(
        err, GB_EARGUMENT,
        "`%s`: \"%.*s\" does not begin with a field of the formula; expected FIELD=VALUE, with a field of %s", option,
        LONGEST_QUOTE, text, gb_coding_fields(coding));
}

static bool find_level(const gb_coding *coding, size_t field, gb_view text, size_t *column)
{
    const gb_columns c = gb_coding_field_columns(coding, field);
    for (size_t j = c.first; j < c.first + c.n; j++)
        if (gb_name_is(gb_view_of(level_of(coding, field, j)), text)) {
            *column = j;
            return true;
        }
    return false;
}

/* Levels may hold commas: the longest text that is one comes first. */
static size_t level_length(const gb_coding *coding, size_t field, const char *text, size_t *column)
{
    for (size_t n = strlen(text); n > 0; n--)
        if ((text[n] == ',' || text[n] == '\0') && find_level(coding, field, (gb_view){text, n}, column))
            return n;
    return 0;
}

static gb_status fail_value(const gb_coding *coding, size_t field, const char *option, const char *text,
                            gb_error *err)
{
    const int n = (int)strcspn(text, ",");
    const char *name = gb_coding_field_name(coding, field);
    if (is_number(coding, field))
        return gb_fail(err, GB_EARGUMENT, "`%s`: %s is a number, and \"%.*s\" is none", option, name,
                       n < LONGEST_QUOTE ? n : LONGEST_QUOTE, text);
    return gb_fail(err, GB_EARGUMENT, "`%s`: \"%.*s\" is no level of %s that training had", option,
                   n < LONGEST_QUOTE ? n : LONGEST_QUOTE, text, name);
}

static gb_status read_value(const gb_coding *coding, const char *option, const char **text, gb_field_values *out,
                            gb_error *err)
{
    char number[64] = "";
    size_t n = strcspn(*text, ",");
    gb_set_field *value = &out->value[out->n];
    if (is_number(coding, out->field)) {
        if (n < sizeof number)
            memcpy(number, *text, n);
        if (gb_text_to_real(number, &value->number) != GB_NUMBER_OK)
            return fail_value(coding, out->field, option, *text, err);
    } else {
        n = level_length(coding, out->field, *text, &value->column);
        if (n == 0)
            return fail_value(coding, out->field, option, *text, err);
    }
    const gb_status st = gb_copy_text(&out->text[out->n++], *text, n, err);
    *text += n;
    return st;
}

gb_status gb_field_values_read(const gb_model *model, const char *option, const char *text, gb_field_values *out,
                               gb_error *err)
{
    gb_status st;
    const gb_coding *coding = coding_of(model);
    size_t field = 0;
    const char *at = NULL;
    *out = (gb_field_values){0};
    GB_TRY(find_field(model, option, text, &field, &at, err));
    GB_TRY(make_room(field, strlen(at) / 2 + 1, out, err));
    out->n = 0; /* counted as they are read */
    for (bool is_more = true; is_more;) {
        GB_TRY(read_value(coding, option, &at, out, err));
        is_more = *at == ',';
        at += is_more;
    }
done:
    return st;
}

/* ---- notes ----------------------------------------------------------------------------------------- */

static bool has_random(const gb_formula *f)
{
    for (size_t i = 0; i < gb_formula_n_terms(f); i++)
        if (gb_formula_term(f, i)->kind == GB_TERM_RANDOM)
            return true;
    return false;
}

void gb_note_prevalence(gb_table *table, const gb_model *model)
{
    const gb_formula *f = gb_model_formula(model);
    gb_table_add_note(table, GB_NOTE_BELOW,
                      "shares are those expected of documents like the training's, averaged over fields that are not "
                      "named%s",
                      has_random(f) ? "; levels of random effects are new ones" : "");
    if (!has_random(f))
        gb_table_add_note(
            table, GB_NOTE_REMARK,
            "intervals take documents as independent given these fields: if several come from one author "
            "or speech, add (1|FIELD) to the formula");
}
