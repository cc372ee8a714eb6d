/* corpus/data/choose_fields.c - of the fields that a corpus file has, those that the options name.
 *
 * The entries that are kept move to new tables; the others are cleared. */
#include "corpus/data/choose_fields.h"

#include "base/memory.h"

#include <string.h>

enum { N_ROLES = GB_ROLE_PREVALENCE + 1 };

static const char *kind_name(gb_field_kind kind)
{
    return kind == GB_KIND_NUMBER ? "a number" : kind == GB_KIND_SEVERAL ? "a list" : "a factor";
}

/* ---- may this field be had? ---------------------------------------------------------------------------- */

/* What the file says of a field, in place of a name. */
static bool find_stored(const gb_corpus *c, const char *name, gb_field *stored, size_t *at)
{
    for (*at = 0; *at < c->n_labels; ++*at)
        if (strcmp(c->labels[*at].name, name) == 0) {
            stored->kind = c->labels[*at].several ? GB_KIND_SEVERAL : GB_KIND_ONE;
            stored->role = c->labels[*at].role;
            return true;
        }
    for (*at = 0; *at < c->n_numbers; ++*at)
        if (strcmp(c->numbers[*at].name, name) == 0) {
            stored->kind = GB_KIND_NUMBER;
            stored->role = c->numbers[*at].role;
            return true;
        }
    return false;
}

static gb_status check_kind(const char *path, const gb_field *wanted, const gb_field *stored, gb_error *err)
{
    if (wanted->kind == GB_KIND_AUTO || wanted->kind == stored->kind)
        return GB_OK;
    if (wanted->role == GB_ROLE_RESPONSE && wanted->kind == GB_KIND_SEVERAL)
        return GB_OK; /* one class is a case of several */
    if (wanted->role == GB_ROLE_RESPONSE)
        return gb_fail(err, GB_EARGUMENT,
                       "%s: the label field \"%s\" has several classes per document; it takes `labels`", path,
                       wanted->name);
    return gb_fail(err, GB_EARGUMENT, "%s: the covariate \"%s\" is %s there, not %s; import it again", path,
                   wanted->name, kind_name(stored->kind), kind_name(wanted->kind));
}

static gb_status find_field(const gb_corpus *c, const char *path, const gb_field *wanted, gb_field *stored,
                            size_t *at, gb_error *err)
{
    const bool is_number = wanted->kind == GB_KIND_NUMBER;
    const char *what = gb_role_name(wanted->role, is_number);
    const bool found = find_stored(c, wanted->name, stored, at);
    if (!found && wanted->role == GB_ROLE_PREVALENCE) {
        char names[GB_FIELD_NAMES_SIZE];
        gb_corpus_field_names(c, names);
        return gb_fail(err, GB_EFORMAT, "%s: no field \"%s\"; %s", path, wanted->name, names);
    }
    if (!found)
        return gb_fail(err, GB_EFORMAT, "%s: no %s%s \"%s\"", path, what,
                       strcmp(what, "label") == 0 || wanted->role == GB_ROLE_GROUP ? " field" : "", wanted->name);
    const char *there = gb_role_name(stored->role, stored->kind == GB_KIND_NUMBER);
    if (wanted->role != GB_ROLE_PREVALENCE && strcmp(what, there) != 0)
        return gb_fail(err, GB_EARGUMENT, "%s: the field \"%s\" is stored as %s, not as %s; import it again", path,
                       wanted->name, there, what);
    return check_kind(path, wanted, stored, err);
}

/* ---- the new tables ------------------------------------------------------------------------------------ */

typedef struct choice {
    gb_labels *labels;
    gb_numbers *numbers;
    size_t n_labels, n_numbers;
} choice;

/* The entries move with all that they own; the old ones become empty. */
static void take_label(choice *to, gb_corpus *c, size_t at, gb_role role, bool several)
{
    gb_labels *from = &c->labels[at];
    to->labels[to->n_labels] = *from;
    to->labels[to->n_labels].role = role;
    to->labels[to->n_labels++].several |= several;
    *from = (gb_labels){0};
}

static void take_number(choice *to, gb_corpus *c, size_t at, gb_role role)
{
    to->numbers[to->n_numbers] = c->numbers[at];
    to->numbers[to->n_numbers++].role = role;
    c->numbers[at] = (gb_numbers){0};
}

/* Names are taken away only after all fields were found, so that a name in the table is never NULL in find_field(). */
static gb_status check_all(const gb_corpus *c, const char *path, const gb_field *fields, size_t n_fields, size_t *at,
                           gb_field *stored, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t f = 0; f < n_fields; f++)
        GB_TRY(find_field(c, path, &fields[f], &stored[f], &at[f], err));
done:
    return st;
}

/* Whether a formula alone asks for the field. */
static bool is_of_formula(const gb_field *fields, size_t n_fields, const char *name)
{
    const gb_field *field = gb_fields_find(fields, n_fields, name);
    return field != NULL && field->role == GB_ROLE_PREVALENCE;
}

/* Fields of a role that no option names; covariates that a formula names are left to it. */
static void take_all(choice *to, gb_corpus *c, gb_role role, const gb_field *fields, size_t n_fields)
{
    for (size_t i = 0; i < c->n_labels; i++)
        if (c->labels[i].name != NULL && c->labels[i].role == role &&
            !(role == GB_ROLE_COVARIATE && is_of_formula(fields, n_fields, c->labels[i].name)))
            take_label(to, c, i, role, false);
    for (size_t i = 0; i < c->n_numbers; i++)
        if (c->numbers[i].name != NULL && c->numbers[i].role == role &&
            !(role == GB_ROLE_COVARIATE && is_of_formula(fields, n_fields, c->numbers[i].name)))
            take_number(to, c, i, role);
}

/* The last role is PREVALENCE: what another role has taken is there already. */
static void take_role(choice *to, gb_corpus *c, gb_role role, const gb_field *fields, size_t n_fields,
                      const size_t *at, const gb_field *stored)
{
    for (size_t f = 0; f < n_fields; f++)
        if (fields[f].role == role && stored[f].kind == GB_KIND_NUMBER && c->numbers[at[f]].name != NULL)
            take_number(to, c, at[f], role);
        else if (fields[f].role == role && stored[f].kind != GB_KIND_NUMBER && c->labels[at[f]].name != NULL)
            take_label(to, c, at[f], role, fields[f].kind == GB_KIND_SEVERAL);
    if (!gb_fields_have(fields, n_fields, role))
        take_all(to, c, role, fields, n_fields);
}

static void replace(gb_corpus *c, choice *to)
{
    for (size_t i = 0; i < c->n_labels; i++)
        gb_labels_clear(&c->labels[i], c->owner != NULL);
    for (size_t i = 0; i < c->n_numbers; i++)
        gb_numbers_clear(&c->numbers[i], c->owner != NULL);
    gb_free(c->labels);
    gb_free(c->numbers);
    c->labels = to->labels;
    c->n_labels = to->n_labels;
    c->numbers = to->numbers;
    c->n_numbers = to->n_numbers;
    *to = (choice){0};
}

gb_status gb_corpus_choose_fields(gb_corpus *c, const char *path, const gb_field *fields, size_t n_fields,
                                  gb_error *err)
{
    gb_status st = GB_OK;
    choice to = {0};
    size_t *at = NULL;
    gb_field *stored = NULL;
    if (n_fields == 0)
        return GB_OK;
    GB_TRY(gb_alloc(&at, n_fields, sizeof at[0], "fields", err));
    GB_TRY(gb_alloc(&stored, n_fields, sizeof stored[0], "fields", err));
    GB_TRY(gb_alloc(&to.labels, c->n_labels, sizeof to.labels[0], "label fields", err));
    GB_TRY(gb_alloc(&to.numbers, c->n_numbers, sizeof to.numbers[0], "fields of numbers", err));
    GB_TRY(check_all(c, path, fields, n_fields, at, stored, err));
    for (int role = 0; role < N_ROLES; role++)
        take_role(&to, c, (gb_role)role, fields, n_fields, at, stored);
    replace(c, &to);
done:
    gb_free(to.labels);
    gb_free(to.numbers);
    gb_free(at);
    gb_free(stored);
    return st;
}
