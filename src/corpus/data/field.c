/* corpus/data/field.c - the fields of a document beside its words, as the options name them. */
#include "corpus/data/field.h"

#include "base/memory.h"
#include "corpus/data/date.h"
#include "corpus/data/formula_text.h"
#include "store/json_text.h"

#include <math.h>
#include <string.h>

/* ---- lists of fields ----------------------------------------------------------------------------------- */

void gb_fields_free(gb_field *fields, size_t n_fields)
{
    for (size_t i = 0; i < n_fields; i++)
        gb_free(fields[i].name);
    gb_free(fields);
}

const gb_field *gb_fields_find(const gb_field *fields, size_t n_fields, const char *name)
{
    for (size_t i = 0; i < n_fields; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

bool gb_fields_have(const gb_field *fields, size_t n_fields, gb_role role)
{
    for (size_t i = 0; i < n_fields; i++)
        if (fields[i].role == role)
            return true;
    return false;
}

gb_status gb_fields_add(gb_field **fields, size_t *n_fields, const gb_field *field, gb_error *err)
{
    gb_status st = GB_OK;
    gb_field copy = *field;
    size_t capacity = *n_fields;
    if (gb_fields_find(*fields, *n_fields, field->name) != NULL)
        return gb_fail(err, GB_EARGUMENT, "the field \"%s\" is given twice", field->name);
    GB_TRY(gb_grow(fields, &capacity, *n_fields + 1, sizeof copy, "fields", err));
    GB_TRY(gb_copy_text(&copy.name, field->name, strlen(field->name), err));
    (*fields)[(*n_fields)++] = copy;
done:
    return st;
}

/* ---- options ------------------------------------------------------------------------------------------- */

typedef struct field_list {
    gb_field *fields;
    size_t n;
} field_list;

static gb_status add_each(field_list *list, const gb_text_list *names, gb_field_kind kind, gb_role role,
                          gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < names->count; i++)
        GB_TRY(gb_fields_add(&list->fields, &list->n, &(gb_field){.name = names->item[i], .kind = kind, .role = role},
                             err));
done:
    return st;
}

const char *gb_field_kind_name(gb_field_kind kind)
{
    static const char *const names[] = {
        [GB_KIND_NUMBER] = "number", [GB_KIND_ONE] = "factor", [GB_KIND_SEVERAL] = "list"};
    return names[kind];
}

/* Cut ":number", ":date", ":factor" or ":list" off the end of a name; any other colon belongs to the name.  A covariate of numbers takes
 * dates anyway: "date" says that it is one. */
static gb_field_kind cut_kind(char *name)
{
    char *colon = strrchr(name, ':');
    if (colon != NULL && strcmp(colon + 1, "date") == 0) {
        *colon = '\0';
        return GB_KIND_NUMBER;
    }
    for (gb_field_kind kind = 0; colon != NULL && kind < GB_KIND_AUTO; kind++)
        if (strcmp(colon + 1, gb_field_kind_name(kind)) == 0) {
            *colon = '\0';
            return kind;
        }
    return GB_KIND_AUTO;
}

/* One value of --covariates or --group: "year,director:factor,companies:list"; only covariates have kinds. */
static gb_status add_list(field_list *list, const char *option, const char *value, gb_role role, gb_error *err)
{
    gb_status st;
    char *copy = NULL, *rest, *name;
    GB_TRY(gb_copy_text(&copy, value, strlen(value), err));
    rest = copy;
    while ((name = strsep(&rest, ",")) != NULL) {
        gb_field field = {.name = name, .role = role};
        field.kind = role == GB_ROLE_COVARIATE ? cut_kind(name) : GB_KIND_ONE;
        if (*name == '\0') {
            st = gb_fail(err, GB_EARGUMENT, "`%s` \"%s\": a field without a name", option, value);
            goto done;
        }
        GB_TRY(gb_fields_add(&list->fields, &list->n, &field, err));
    }
done:
    gb_free(copy);
    return st;
}

static gb_status add_single(field_list *list, const char *name, gb_field_kind kind, gb_role role, gb_error *err)
{
    const gb_field field = {.name = (char *)(uintptr_t)name, .kind = kind, .role = role};
    return *name == '\0' ? GB_OK : gb_fields_add(&list->fields, &list->n, &field, err);
}

/* A field of a formula is of its kind, also where another option names it. */
static gb_status add_of_formula(field_list *list, const gb_field *wanted, gb_error *err)
{
    for (size_t i = 0; i < list->n; i++) {
        gb_field *field = &list->fields[i];
        if (strcmp(field->name, wanted->name) != 0)
            continue;
        if (field->kind == GB_KIND_AUTO)
            field->kind = wanted->kind;
        if (wanted->kind == GB_KIND_AUTO || wanted->kind == field->kind)
            return GB_OK;
        return gb_fail(err, GB_EARGUMENT,
                       "`prevalence` takes the field \"%s\" as a %s, and it is a %s; give its values to two fields",
                       field->name, gb_field_kind_name(wanted->kind), gb_field_kind_name(field->kind));
    }
    return gb_fields_add(&list->fields, &list->n, wanted, err);
}

static gb_status add_formula(field_list *list, const char *text, gb_error *err)
{
    gb_status st;
    gb_formula_text formula = {.n_fields = 0};
    if (*text == '\0')
        return GB_OK;
    GB_TRY(gb_formula_text_read(text, &formula, err));
    for (size_t i = 0; i < formula.n_fields; i++)
        GB_TRY(add_of_formula(list, &formula.field[i], err));
done:
    gb_formula_text_clear(&formula);
    return st;
}

/* A field by whose values documents are told apart: of any kind that another option gives it, else of classes. */
static gb_status add_by(field_list *list, const char *name, gb_error *err)
{
    if (*name == '\0' || gb_fields_find(list->fields, list->n, name) != NULL)
        return GB_OK;
    return add_single(list, name, GB_KIND_ONE, GB_ROLE_PREVALENCE, err);
}

gb_status gb_fields_from_settings(gb_field **fields, size_t *n_fields, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    field_list list = {0};
    const gb_text_list *covariates = gb_settings_list(settings, "covariates"),
                       *group = gb_settings_list(settings, "group"),
                       *subgroups = gb_settings_list(settings, "subgroups");
    GB_TRY(add_each(&list, gb_settings_list(settings, "label"), GB_KIND_ONE, GB_ROLE_RESPONSE, err));
    GB_TRY(add_each(&list, gb_settings_list(settings, "labels"), GB_KIND_SEVERAL, GB_ROLE_RESPONSE, err));
    GB_TRY(add_each(&list, gb_settings_list(settings, "target"), GB_KIND_NUMBER, GB_ROLE_RESPONSE, err));
    for (size_t i = 0; i < covariates->count; i++)
        GB_TRY(add_list(&list, "covariates", covariates->item[i], GB_ROLE_COVARIATE, err));
    GB_TRY(add_single(&list, gb_settings_text(settings, "exposure"), GB_KIND_NUMBER, GB_ROLE_EXPOSURE, err));
    GB_TRY(add_single(&list, gb_settings_text(settings, "document-weight"), GB_KIND_NUMBER, GB_ROLE_WEIGHT, err));
    for (size_t i = 0; i < group->count; i++)
        GB_TRY(add_list(&list, "group", group->item[i], GB_ROLE_GROUP, err));
    GB_TRY(add_single(&list, gb_settings_text(settings, "cluster"), GB_KIND_ONE, GB_ROLE_CLUSTER, err));
    GB_TRY(add_formula(&list, gb_settings_text(settings, "prevalence"), err));
    GB_TRY(add_by(&list, gb_settings_text(settings, "content"), err));
    GB_TRY(add_by(&list, gb_settings_text(settings, "evolve"), err));
    for (size_t i = 0; i < subgroups->count; i++)
        GB_TRY(add_by(&list, subgroups->item[i], err));
    *fields = list.fields;
    *n_fields = list.n;
    list = (field_list){0};
done:
    gb_fields_free(list.fields, list.n);
    return st;
}

/* ---- words for messages -------------------------------------------------------------------------------- */

const char *gb_role_name(gb_role role, bool is_number)
{
    switch (role) {
    case GB_ROLE_RESPONSE:
        return is_number ? "target" : "label";
    case GB_ROLE_COVARIATE:
    case GB_ROLE_PREVALENCE:
        return "covariate";
    case GB_ROLE_EXPOSURE:
        return "exposure";
    case GB_ROLE_WEIGHT:
        return "document weight";
    case GB_ROLE_GROUP:
        return "group";
    case GB_ROLE_CLUSTER:
        return "cluster";
    }
    return "field";
}

const char *gb_role_word(size_t role)
{
    static const char *const words[] = {
        [GB_ROLE_RESPONSE] = "response",    [GB_ROLE_COVARIATE] = "covariate", [GB_ROLE_EXPOSURE] = "exposure",
        [GB_ROLE_WEIGHT] = "weight",        [GB_ROLE_GROUP] = "group",         [GB_ROLE_CLUSTER] = "cluster",
        [GB_ROLE_PREVALENCE] = "prevalence"};
    return role < sizeof words / sizeof words[0] ? words[role] : NULL;
}

const char *gb_field_on_list(const gb_field *field)
{
    if (field->kind == GB_KIND_NUMBER)
        return "a number is expected";
    if (field->role == GB_ROLE_GROUP)
        return "a document is in one group";
    if (field->role == GB_ROLE_CLUSTER)
        return "a document is in one cluster";
    if (field->role == GB_ROLE_PREVALENCE)
        return "list(FIELD) in `prevalence` takes lists";
    return field->role == GB_ROLE_COVARIATE ? "`covariates` FIELD:list takes lists" : "`labels` takes lists";
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* What helps with a cell that is no number. */
static const char *number_remedy(gb_view cell)
{
    size_t n_digits = 0, n_letters = 0, n_slashes = 0, n_others = 0;
    for (size_t i = 0; i < cell.length; i++) {
        const char c = cell.text[i];
        n_digits += c >= '0' && c <= '9';
        n_letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        n_slashes += c == '/';
        n_others += memchr("0123456789/", c, 11) == NULL;
    }
    if (cell.text[0] == '#' || n_digits + n_letters == 0)
        return "; if it means that the value is missing, `missing` says so";
    if (n_slashes == 2 && n_others == 0)
        return "; a date is written as 2019-05-06, 6.5.2019 or 6 May 2019";
    return n_digits > 0 ? "; it has a decimal point, nothing between thousands, and no unit" : "";
}

gb_status gb_field_number(const gb_field *field, gb_view cell, double *value, gb_error *err)
{
    cell = gb_view_trim(cell);
    *value = (double)NAN;
    if (gb_view_is_missing(cell))
        return GB_OK;
    const bool has_comma = gb_view_has_decimal_comma(cell);
    const char *fault = has_comma ? "has a comma; a number has a decimal point, and nothing between thousands"
                                  : "is not a finite number",
               *remedy = has_comma ? "" : number_remedy(cell);
    const bool may_be_date = field->role == GB_ROLE_COVARIATE || field->role == GB_ROLE_PREVALENCE;
    if (gb_view_to_real(cell, value) || (may_be_date && gb_view_to_date(cell, value)))
        fault = gb_number_fault(field->role, *value), remedy = "";
    if (fault == NULL)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "the %s \"%s\": \"%.*s\" %s%s", gb_role_name(field->role, true), field->name,
                   GB_SHOWN(cell), fault, remedy);
}

gb_status gb_fields_declare(const gb_field *fields, size_t n_fields, bool decide, gb_corpus_builder *b, gb_error *err)
{
    gb_status st = GB_OK;
    size_t number; /* fields are numbered in their order, labels and factors apart from numbers */
    for (size_t i = 0; i < n_fields; i++) {
        const gb_field *f = &fields[i];
        const bool several = f->kind == GB_KIND_SEVERAL;
        if (f->kind == GB_KIND_AUTO && !decide)
            return gb_fail(err, GB_EARGUMENT,
                           "`covariates` %s: the model does not say what it is: %s:number, %s:factor or %s:list does",
                           f->name, f->name, f->name, f->name);
        if (f->kind == GB_KIND_NUMBER)
            GB_TRY(gb_corpus_builder_numbers(b, f->name, f->role, &number, err));
        else if (f->role == GB_ROLE_RESPONSE)
            GB_TRY(gb_corpus_builder_labels(b, f->name, several, &number, err));
        else if (f->role == GB_ROLE_GROUP)
            GB_TRY(gb_corpus_builder_group(b, f->name, &number, err));
        else if (f->role == GB_ROLE_CLUSTER)
            GB_TRY(gb_corpus_builder_cluster(b, f->name, &number, err));
        else if (f->role == GB_ROLE_PREVALENCE)
            GB_TRY(gb_corpus_builder_prevalence(b, f->name, f->kind, &number, err));
        else if (f->kind == GB_KIND_AUTO)
            GB_TRY(gb_corpus_builder_covariate(b, f->name, &number, err));
        else
            GB_TRY(gb_corpus_builder_factor(b, f->name, several, &number, err));
    }
done:
    return st;
}

/* ---- all of them as text ------------------------------------------------------------------------------- */

static gb_status describe(const gb_field *field, json_t *list, gb_error *err)
{
    const char *kind = field->kind == GB_KIND_AUTO ? "auto" : gb_field_kind_name(field->kind);
    json_t *object =
        json_pack("{s:s, s:s, s:s}", "name", field->name, "role", gb_role_word(field->role), "kind", kind);
    return object != NULL && json_array_append_new(list, object) == 0 ? GB_OK : gb_fail_memory(err, 0, "fields");
}

gb_status gb_settings_fields(const gb_settings *settings, char **out, gb_error *err)
{
    gb_status st;
    gb_field *field = NULL;
    size_t n = 0;
    char *text = NULL;
    json_t *list = json_array();
    if (list == NULL)
        return gb_fail_memory(err, 0, "fields");
    GB_TRY(gb_fields_from_settings(&field, &n, settings, err));
    for (size_t i = 0; i < n; i++)
        GB_TRY(describe(&field[i], list, err));
    GB_TRY(gb_json_text(list, 0, &text, NULL, err));
    *out = text;
done:
    gb_fields_free(field, n);
    json_decref(list);
    return st;
}
