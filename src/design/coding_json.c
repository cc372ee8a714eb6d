/* design/coding_json.c - a coding to and from JSON, as it stands in a model file.
 *
 *   {"impute": "none", "fields": [{"name": "year", "kind": "number", "mean": 1999.5, "centre": 1999.5, "scale": 8.1,
 *                                  "low": 1980, "high": 2020},
 *                                 {"name": "director", "kind": "factor", "levels": [...], "rare": [...],
 *                                  "constant": [...]}],
 *    "means": [0, 0.2, 0.8],     of the columns
 *    "embedding": {"means": [...], "standard_deviations": [...]},        absent without --embeddings
 *    "words": {"values": "tfidf"}}                                       absent without --word-effects */
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/texts.h"
#include "design/coding_private.h"

#include <math.h>
#include <string.h>

/* ---- writing ---- */

static json_t *levels_to_json(const gb_level_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        if (json_array_append_new(array, json_string(list->name[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* The object takes the arrays over, also on failure. */
static json_t *field_to_json(const gb_coding_field *field)
{
    const char *kind = gb_covariate_kind_name(field->kind);
    if (field->kind == GB_COVARIATE_NUMBER)
        return isnan(field->low) ? json_pack("{s:s, s:s, s:f, s:f, s:f}", "name", field->name, "kind", kind, "mean",
                                             field->mean, "centre", field->centre, "scale", field->scale)
                                 : json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "name", field->name, "kind", kind,
                                             "mean", field->mean, "centre", field->centre, "scale", field->scale,
                                             "low", field->low, "high", field->high);
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", field->name, "kind", kind, "levels",
                     levels_to_json(&field->levels), "rare", levels_to_json(&field->rare), "constant",
                     levels_to_json(&field->constant));
}

static json_t *numbers_to_json(const double *number, size_t n)
{
    json_t *array = json_array();
    for (size_t j = 0; j < n; j++) {
        if (json_array_append_new(array, json_real(number[j])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* The object takes the arrays over, also on failure. */
static json_t *words_to_json(const gb_word_coding *words, bool with_numbers)
{
    if (!with_numbers)
        return json_pack("{s:s}", "values", gb_word_value_name(words->value));
    return json_pack("{s:s, s:o, s:o}", "values", gb_word_value_name(words->value), "weights",
                     numbers_to_json(words->weight, words->n), "means", numbers_to_json(words->mean, words->n));
}

/* The object takes the arrays over, also on failure. */
static json_t *embedding_to_json(const gb_embedding_coding *e)
{
    return json_pack("{s:o, s:o}", "means", numbers_to_json(e->mean, e->n), "standard_deviations",
                     numbers_to_json(e->sd, e->n));
}

static json_t *to_json(const gb_coding *coding, bool with_words)
{
    json_t *fields = json_array();
    for (size_t i = 0; i < coding->n_fields; i++) {
        if (json_array_append_new(fields, field_to_json(&coding->field[i])) != 0) {
            json_decref(fields);
            return NULL;
        }
    }
    json_t *all = json_pack("{s:s, s:o}", "impute", coding->impute_mean ? "mean" : "none", "fields", fields);
    if (all != NULL && coding->column_mean != NULL &&
        json_object_set_new(all, "means", numbers_to_json(coding->column_mean, coding->n_columns)) != 0) {
        json_decref(all);
        return NULL;
    }
    if (all != NULL && coding->embedding.n > 0 &&
        json_object_set_new(all, "embedding", embedding_to_json(&coding->embedding)) != 0) {
        json_decref(all);
        return NULL;
    }
    if (all != NULL && coding->words.n > 0 &&
        json_object_set_new(all, "words", words_to_json(&coding->words, with_words)) != 0) {
        json_decref(all);
        return NULL;
    }
    return all;
}

json_t *gb_coding_to_json(const gb_coding *coding)
{
    return to_json(coding, true);
}

json_t *gb_coding_describe(const gb_coding *coding)
{
    return to_json(coding, false);
}

/* ---- reading ---- */

static gb_status fail_field(const char *what, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "the model's covariates are damaged: %s", what);
}

static gb_status read_name(const json_t *value, char **out, gb_error *err)
{
    if (!json_is_string(value) || json_string_length(value) == 0 ||
        gb_text_fault(json_string_value(value), json_string_length(value)) != NULL)
        return fail_field("a name", err);
    return gb_copy_text(out, json_string_value(value), json_string_length(value), err);
}

static gb_status read_levels(const json_t *array, gb_level_list *out, gb_error *err)
{
    gb_status st;
    if (!json_is_array(array))
        return fail_field("levels are not a list", err);
    const size_t n = json_array_size(array);
    GB_TRY(gb_alloc(&out->name, n, sizeof(char *), "levels of a covariate", err));
    for (size_t i = 0; i < n; i++) {
        GB_TRY(read_name(json_array_get(array, i), &out->name[i], err));
        out->count = i + 1;
        if (i > 0 &&
            gb_text_compare(out->name[i - 1], strlen(out->name[i - 1]), out->name[i], strlen(out->name[i])) >= 0)
            return fail_field("levels are not in order", err);
    }
done:
    return st;
}

/* No level may be called as the column of the rare ones. */
static bool has_rare_as_level(const gb_coding_field *field)
{
    for (size_t k = 0; k < field->levels.count && field->rare.count > 0; k++)
        if (strcmp(field->levels.name[k], GB_RARE_LEVEL) == 0)
            return true;
    return false;
}

static bool are_disjoint(const gb_level_list *a, const gb_level_list *b)
{
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        const int order = gb_text_compare(a->name[i], strlen(a->name[i]), b->name[j], strlen(b->name[j]));
        if (order == 0)
            return false;
        *(order < 0 ? &i : &j) += 1;
    }
    return true;
}

static gb_status read_number(const json_t *object, const char *key, double *out, gb_error *err)
{
    const json_t *value = json_object_get(object, key);
    *out = json_number_value(value);
    return json_is_number(value) ? GB_OK : fail_field("a number", err);
}

static gb_status read_numbers(const json_t *object, gb_coding_field *field, gb_error *err)
{
    gb_status st;
    GB_TRY(read_number(object, "mean", &field->mean, err));
    GB_TRY(read_number(object, "centre", &field->centre, err));
    GB_TRY(read_number(object, "scale", &field->scale, err));
    field->low = field->high = (double)NAN;
    if (json_object_get(object, "low") != NULL) {
        GB_TRY(read_number(object, "low", &field->low, err));
        GB_TRY(read_number(object, "high", &field->high, err));
    }
    if (!(field->scale >= 0))
        st = fail_field("a scale", err);
done:
    return st;
}

static gb_status read_kind(const json_t *value, gb_covariate_kind *out, gb_error *err)
{
    static const gb_covariate_kind kinds[] = {GB_COVARIATE_NUMBER, GB_COVARIATE_FACTOR, GB_COVARIATE_LIST};
    for (size_t i = 0; json_is_string(value) && i < sizeof kinds / sizeof kinds[0]; i++) {
        *out = kinds[i];
        if (strcmp(json_string_value(value), gb_covariate_kind_name(kinds[i])) == 0)
            return GB_OK;
    }
    return fail_field("a kind", err);
}

static gb_status read_field(const json_t *object, gb_coding_field *field, gb_error *err)
{
    gb_status st;
    GB_TRY(read_name(json_object_get(object, "name"), &field->name, err));
    GB_TRY(read_kind(json_object_get(object, "kind"), &field->kind, err));
    field->scale = 1;
    if (field->kind == GB_COVARIATE_NUMBER)
        return read_numbers(object, field, err);
    GB_TRY(read_levels(json_object_get(object, "levels"), &field->levels, err));
    GB_TRY(read_levels(json_object_get(object, "rare"), &field->rare, err));
    const json_t *constant = json_object_get(object, "constant"); /* no such list in files of before */
    if (constant != NULL)
        GB_TRY(read_levels(constant, &field->constant, err));
    if ((constant == NULL && field->levels.count + field->rare.count == 0) || has_rare_as_level(field) ||
        !are_disjoint(&field->levels, &field->rare) || !are_disjoint(&field->levels, &field->constant) ||
        !are_disjoint(&field->rare, &field->constant))
        st = fail_field("levels", err);
done:
    return st;
}

static gb_status read_impute(const json_t *value, bool *out, gb_error *err)
{
    const char *text = json_string_value(value);
    if (text == NULL || (strcmp(text, "mean") != 0 && strcmp(text, "none") != 0))
        return fail_field("what to do with missing ones", err);
    *out = strcmp(text, "mean") == 0;
    return GB_OK;
}

static gb_status read_list(const json_t *array, size_t n, const char *what, double **out, gb_error *err)
{
    if (!json_is_array(array) || json_array_size(array) != n)
        return fail_field(what, err);
    gb_status st = gb_alloc(out, n, sizeof(double), "covariates", err);
    for (size_t j = 0; st == GB_OK && j < n; j++) {
        const json_t *number = json_array_get(array, j);
        (*out)[j] = json_number_value(number);
        if (!json_is_number(number))
            st = fail_field(what, err);
    }
    return st;
}

static gb_status read_means(const json_t *array, gb_coding *coding, gb_error *err)
{
    return coding->n_columns == 0
               ? GB_OK
               : read_list(array, coding->n_columns, "means of columns", &coding->column_mean, err);
}

/* Their numbers are arrays, see gb_coding_give_words(). */
static gb_status read_words(const json_t *object, gb_word_coding *out, bool *has_words, gb_error *err)
{
    const char *value = json_string_value(json_object_get(object, "values"));
    *has_words = object != NULL;
    if (object == NULL)
        return GB_OK;
    out->value = value == NULL ? GB_N_WORD_VALUES : gb_word_value_find(value);
    return out->value == GB_N_WORD_VALUES ? fail_field("the values of words", err) : GB_OK;
}

static gb_status read_embedding(const json_t *object, gb_embedding_coding *out, gb_error *err)
{
    gb_status st;
    const json_t *means = json_object_get(object, "means");
    const size_t n = json_array_size(means);
    if (object == NULL)
        return GB_OK;
    if (n == 0 || n > GB_MOST_EMBEDDING_COLUMNS)
        return fail_field("means of embeddings", err);
    GB_TRY(read_list(means, n, "means of embeddings", &out->mean, err));
    GB_TRY(read_list(json_object_get(object, "standard_deviations"), n, "spreads of embeddings", &out->sd, err));
    for (size_t j = 0; j < n; j++)
        if (out->sd[j] < 0)
            GB_TRY(fail_field("spreads of embeddings", err));
    out->n = n;
done:
    return st;
}

static gb_status check_names(const gb_coding *coding, gb_error *err)
{
    gb_status st;
    bool differ = true;
    const char **name = NULL;
    GB_TRY(gb_alloc(&name, coding->n_fields, sizeof *name, "covariates", err));
    for (size_t i = 0; i < coding->n_fields; i++)
        name[i] = coding->field[i].name;
    GB_TRY(gb_text_all_differ(coding->n_fields, name, &differ, err));
    if (!differ)
        st = fail_field("two fields of one name", err);
done:
    gb_free(name);
    return st;
}

gb_status gb_coding_from_json(const json_t *object, gb_coding **out, gb_error *err)
{
    gb_status st;
    gb_coding *coding = NULL;
    const json_t *fields = json_object_get(object, "fields");
    if (!json_is_array(fields))
        return fail_field("no list of fields", err);
    const size_t n = json_array_size(fields);
    GB_TRY(gb_alloc(&coding, 1, sizeof *coding, "covariates", err));
    GB_TRY(gb_alloc(&coding->field, n, sizeof *coding->field, "covariates", err));
    GB_TRY(read_impute(json_object_get(object, "impute"), &coding->impute_mean, err));
    for (size_t i = 0; i < n; i++) {
        coding->n_fields = i + 1;
        GB_TRY(read_field(json_array_get(fields, i), &coding->field[i], err));
    }
    GB_TRY(check_names(coding, err));
    GB_TRY(read_embedding(json_object_get(object, "embedding"), &coding->embedding, err));
    GB_TRY(read_words(json_object_get(object, "words"), &coding->words, &coding->has_words, err));
    GB_TRY(gb_coding_finish(coding, err));
    GB_TRY(read_means(json_object_get(object, "means"), coding, err));
    *out = coding;
    return GB_OK;
done:
    gb_coding_free(coding);
    return st;
}

bool gb_coding_has_words(const gb_coding *coding)
{
    return coding->has_words;
}

void gb_coding_list(void *coding, const gb_array_visitor *v)
{
    gb_word_coding *words = &((gb_coding *)coding)->words;
    GB_ARRAY_WITH(v, .name = "word_weight", GB_AT(words->weight), .axis = GB_REPLICATED, .is_view = words->is_view,
                  .range = GB_BOUNDED, GB_SHAPE(words->n));
    GB_ARRAY_WITH(v, .name = "word_column_mean", GB_AT(words->mean), .axis = GB_REPLICATED, .is_view = words->is_view,
                  .range = GB_BOUNDED, GB_SHAPE(words->n));
}

void gb_coding_view_words(gb_coding *coding, size_t n)
{
    coding->words.n = coding->word_field.n_columns = n;
    coding->words.is_view = true;
}

gb_status gb_coding_give_words(gb_coding *coding, size_t n, const double *weight, const double *mean, gb_error *err)
{
    coding->words.n = coding->word_field.n_columns = n;
    const gb_status st = gb_arrays_allocate(gb_coding_list, coding, "weights of words", err);
    if (st == GB_OK) {
        memcpy(coding->words.weight, weight, n * sizeof *weight);
        memcpy(coding->words.mean, mean, n * sizeof *mean);
    }
    return st;
}
