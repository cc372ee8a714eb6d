/* answer/suspect_classes.c - what looks wrong in the classes of a field. */
#include "answer/suspects.h"
#include "corpus/data/date.h"
#include "corpus/data/field.h"
#include "corpus/data/fold.h"
#include "corpus/data/formula_text.h"
#include "corpus/data/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* With fewer documents or classes nobody can tell. */
enum { FEW_DOCUMENTS = 20, FEW_CLASSES = 20, FEW_FRACTIONS = 10, MOST_SHOWN = 5 };

/* A field while it is looked at. */
typedef struct look {
    const gb_suspecting *s;
    const gb_labels *labels;
    const char *role; /* "label" */
    uint64_t n;       /* classes */
    uint64_t n_docs;  /* that have a value */
} look;

#define FIELD_SHOWN(l) (l)->role, gb_text_shown((l)->labels->name, strlen((l)->labels->name)), (l)->labels->name

static gb_view class_of(const look *l, uint64_t c)
{
    return gb_texts_view(&l->labels->classes, c);
}

static bool is_covariate(const look *l)
{
    return l->labels->role == GB_ROLE_COVARIATE || l->labels->role == GB_ROLE_PREVALENCE;
}

/* factor(FIELD) */
static bool has_kind_in_formula(const look *l)
{
    bool has = false;
    gb_formula_text formula;
    if (gb_formula_text_read(gb_asked_text(l->s->asked, "prevalence"), &formula, NULL) != GB_OK)
        return false;
    for (size_t i = 0; i < formula.n_fields; i++)
        has |= strcmp(formula.field[i].name, l->labels->name) == 0 && formula.field[i].kind != GB_KIND_AUTO;
    gb_formula_text_clear(&formula);
    return has;
}

/* Whether an option says what the field is: FIELD:factor. */
static bool has_kind(const look *l)
{
    const size_t length = strlen(l->labels->name);
    for (uint64_t i = 0; i < gb_asked_n(l->s->asked, "covariates"); i++)
        for (const char *at = gb_asked_item(l->s->asked, "covariates", i); (at = strstr(at, l->labels->name)) != NULL;
             at += length)
            if (at[length] == ':')
                return true;
    return l->labels->role == GB_ROLE_PREVALENCE && has_kind_in_formula(l);
}

enum { KIND_ROOM = 160 };

/* How a covariate is made a factor, for example: "`covariates` FIELD:factor", or "factor(FIELD)" in a formula. */
static const char *as_kind(const look *l, const char *kind, char out[static KIND_ROOM])
{
    const char *name = l->labels->name;
    const int n = gb_text_shown(name, strlen(name));
    if (l->labels->role == GB_ROLE_PREVALENCE)
        (void)snprintf(out, KIND_ROOM, "`prevalence` with %s(%.*s)", kind, n, name);
    else
        (void)snprintf(out, KIND_ROOM, "`covariates` %.*s:%s", n, name, kind);
    return out;
}

/* ---- the same class in several spellings ------------------------------------------------------------ */

static gb_status fold_class(gb_fold *fold, gb_bytes *room, gb_view class, gb_view *out, gb_error *err)
{
    gb_status st;
    gb_view folded;
    room->length = 0;
    GB_TRY(gb_fold_text(fold, class, &folded, err));
    for (size_t i = 0; i < folded.length; i++)
        if (folded.text[i] != ' ')
            GB_TRY(gb_bytes_add(room, folded.text + i, 1, err));
    *out = (gb_view){room->length == 0 ? "" : room->data, room->length};
done:
    return st;
}

static gb_status look_for_spellings(const look *l, gb_error *err)
{
    gb_status st;
    gb_words *folded = NULL;
    gb_fold fold = {.lowercase = true};
    gb_bytes room = {0};
    uint32_t *first = NULL; /* class of each folded text */
    uint64_t n_alike = 0, one = 0, other = 0;
    GB_TRY(gb_words_create(&folded, err));
    GB_TRY(gb_alloc(&first, l->n, sizeof *first, "classes", err));
    for (uint64_t c = 0; c < l->n; c++) {
        gb_view text;
        uint32_t number;
        const uint32_t n_before = gb_words_count(folded);
        GB_TRY(fold_class(&fold, &room, class_of(l, c), &text, err));
        GB_TRY(gb_words_add(folded, text, &number, err));
        if (number == n_before) {
            first[number] = (uint32_t)c;
        } else if (n_alike++ == 0) {
            one = first[number];
            other = c;
        }
    }
    if (n_alike > 0) {
        char more[48] = "";
        if (n_alike > 1)
            (void)snprintf(more, sizeof more, ", and %" PRIu64 " more", n_alike - 1);
        gb_suspect_say(l->s,
                       "%s \"%.*s\": \"%.*s\" and \"%.*s\" differ only in case or blanks%s: are they one class?",
                       FIELD_SHOWN(l), GB_SHOWN(class_of(l, one)), GB_SHOWN(class_of(l, other)), more);
    }
done:
    gb_words_free(folded);
    gb_fold_free(&fold);
    gb_free(room.data);
    gb_free(first);
    return st;
}

/* ---- classes that say that there is none ------------------------------------------------------------ */

static bool says_missing(gb_view class)
{
    static const char *const names[] = {"nan",    "none",    "null", "nil",  "n/a",       "na",       "#n/a",
                                        "<na>",   "nat",     "?",    "-",    "--",        ".",        "#null",
                                        "(null)", "missing", "#na",  "n.a.", "unlabeled", "undefined"};
    char lower[16];
    if (class.length >= sizeof lower)
        return false;
    for (size_t i = 0; i < class.length; i++)
        lower[i] = (char)(class.text[i] + (class.text[i] >= 'A' && class.text[i] <= 'Z' ? 'a' - 'A' : 0));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gb_view_is((gb_view){lower, class.length}, names[i]))
            return true;
    return false;
}

static gb_status look_for_missing(const look *l, gb_error *err)
{
    char quoted[160] = "", plain[160] = "";
    size_t n = 0, at = 0, to = 0;
    (void)err;
    for (uint64_t c = 0; c < l->n; c++) {
        const gb_view class = class_of(l, c);
        const bool says =
            l->labels->several ? gb_view_is_none(class) : says_missing(class); /* a keyword may be "missing" */
        if (!says || n == MOST_SHOWN)
            continue;
        at += (size_t)snprintf(quoted + at, sizeof quoted - at, "%s\"%.*s\"", n == 0 ? "" : ", ", GB_SHOWN(class));
        to += (size_t)snprintf(plain + to, sizeof plain - to, "%s%.*s", n == 0 ? "" : ",", GB_SHOWN(class));
        n++;
    }
    if (n > 0)
        gb_suspect_say(l->s, "%s \"%.*s\": %s %s counted as %s; if %s: `missing` %s", FIELD_SHOWN(l), quoted,
                       n == 1 ? "is" : "are", n == 1 ? "a class" : "classes",
                       n == 1 ? "it means that the value is missing" : "they mean that the value is missing", plain);
    return GB_OK;
}

/* ---- classes that are numbers ----------------------------------------------------------------------- */

static bool are_numbers(const look *l, bool *any_fraction)
{
    *any_fraction = false;
    for (uint64_t c = 0; c < l->n; c++) {
        double value;
        if (!gb_view_to_real(class_of(l, c), &value))
            return false;
        *any_fraction |= value != floor(value);
    }
    return true;
}

static bool are_amounts(const look *l)
{
    bool any_fraction;
    return l->labels->role == GB_ROLE_RESPONSE && are_numbers(l, &any_fraction) &&
           l->n > (uint64_t)(any_fraction ? FEW_FRACTIONS : FEW_CLASSES);
}

static gb_status look_for_numbers(const look *l, gb_error *err)
{
    (void)err;
    if (are_amounts(l))
        gb_suspect_say(l->s, "%s \"%.*s\": its %" PRIu64 " classes are all numbers; did you mean `target` %.*s?",
                       FIELD_SHOWN(l), l->n, gb_text_shown(l->labels->name, strlen(l->labels->name)),
                       l->labels->name);
    return GB_OK;
}

/* A covariate that was meant as numbers, perhaps, and is a factor. */
static gb_status look_for_mixed(const look *l, gb_error *err)
{
    uint64_t n_numbers = 0, other = UINT64_MAX;
    (void)err;
    char remedy[KIND_ROOM];
    if (!is_covariate(l) || l->labels->several || has_kind(l))
        return GB_OK;
    for (uint64_t c = 0; c < l->n; c++) {
        double value;
        const bool is_number = gb_view_to_real(class_of(l, c), &value);
        n_numbers += is_number;
        if (!is_number && other == UINT64_MAX)
            other = c;
    }
    if (other != UINT64_MAX && 2 * n_numbers > l->n)
        gb_suspect_say(
            l->s, "%s \"%.*s\": a factor of %" PRIu64 " levels, since \"%.*s\" is not a number; if that is meant: %s",
            FIELD_SHOWN(l), l->n, GB_SHOWN(class_of(l, other)), as_kind(l, "factor", remedy));
    return GB_OK;
}

/* ---- dates ------------------------------------------------------------------------------------------ */

static bool are_dates(const look *l)
{
    uint64_t n = 0;
    double year;
    if (!is_covariate(l) || l->labels->several || l->n < FEW_CLASSES)
        return false;
    for (uint64_t c = 0; c < l->n; c++)
        n += gb_view_to_date(class_of(l, c), &year);
    return 10 * n >= 9 * l->n;
}

static gb_status look_for_dates(const look *l, gb_error *err)
{
    char remedy[KIND_ROOM];
    (void)err;
    if (are_dates(l) && !has_kind(l))
        gb_suspect_say(
            l->s, "%s \"%.*s\": a factor of %" PRIu64 " dates; %s makes them one number, the year with its fraction",
            FIELD_SHOWN(l), l->n, as_kind(l, "date", remedy));
    return GB_OK;
}

/* ---- lists in one cell ------------------------------------------------------------------------------ */

/* How often texts stand between separators, and how many of them are different. */
typedef struct parts {
    uint64_t n_lists, n_parts;
    gb_words *different;
    gb_view example;
} parts;

static bool is_digits(gb_view v)
{
    for (size_t i = 0; i < v.length; i++)
        if ((v.text[i] < '0' || v.text[i] > '9') && v.text[i] != '.')
            return false;
    return true;
}

static gb_status divide(parts *p, gb_view class, char separator, gb_error *err)
{
    gb_status st = GB_OK;
    const bool has_several = memchr(class.text, separator, class.length) != NULL;
    gb_view rest = class;
    for (;;) {
        const char *hit = rest.length == 0 ? NULL : memchr(rest.text, separator, rest.length);
        const gb_view part = {rest.text, hit == NULL ? rest.length : (size_t)(hit - rest.text)},
                      name = gb_view_trim(part);
        uint32_t number;
        if (has_several && is_digits(name)) /* 1,5 is a number, perhaps */
            return GB_OK;
        GB_TRY(gb_words_add(p->different, name, &number, err));
        p->n_parts++;
        if (hit == NULL)
            break;
        rest = (gb_view){hit + 1, rest.length - part.length - 1};
    }
    if (has_several && p->n_lists++ == 0)
        p->example = class;
done:
    return st;
}

/* Cells with a separator are lists if the same parts stand in many of them. */
static gb_status look_for_separator(const look *l, char separator, bool *is_list, gb_error *err)
{
    gb_status st;
    parts p = {0};
    GB_TRY(gb_words_create(&p.different, err));
    for (uint64_t c = 0; c < l->n; c++)
        GB_TRY(divide(&p, class_of(l, c), separator, err));
    *is_list = p.n_lists >= 3 && 10 * p.n_lists >= l->n && 3 * (uint64_t)gb_words_count(p.different) <= 2 * p.n_parts;
    if (*is_list) {
        const char given = *gb_asked_text(l->s->asked, "label-separator");
        char with[48] = "";
        if (separator != given)
            (void)snprintf(with, sizeof with, " with `label-separator` \"%c\"", separator);
        const int n = gb_text_shown(l->labels->name, strlen(l->labels->name));
        char remedy[KIND_ROOM];
        (void)snprintf(remedy, sizeof remedy, "`labels` %.*s", n, l->labels->name);
        gb_suspect_say(l->s, "%s \"%.*s\": \"%.*s\" looks like a list; if it is one: %s%s", FIELD_SHOWN(l),
                       GB_SHOWN(p.example), is_covariate(l) ? as_kind(l, "list", remedy) : remedy, with);
    }
done:
    gb_words_free(p.different);
    return st;
}

/* ['drama', 'crime'], as Python and JSON write a list into a cell. */
static gb_status look_for_lists(const look *l, gb_error *err)
{
    gb_status st = GB_OK;
    bool is_list = false;
    uint64_t n_brackets = 0, example = 0;
    if (l->labels->role == GB_ROLE_GROUP || l->labels->role == GB_ROLE_CLUSTER)
        return GB_OK;
    for (uint64_t c = 0; c < l->n; c++) {
        const gb_view class = class_of(l, c);
        const bool begins = class.length > 1 && class.text[0] == '[',
                   ends = class.length > 1 && class.text[class.length - 1] == ']';
        if (!(l->labels->several ? begins || ends : begins && ends))
            continue;
        if (n_brackets++ == 0)
            example = c;
    }
    if (n_brackets > 0 && 5 * n_brackets >= l->n)
        gb_suspect_say(l->s,
                       "%s \"%.*s\": \"%.*s\" looks like a list written as text; %s a list of JSON Lines, or "
                       "names with only `label-separator` between them",
                       FIELD_SHOWN(l), GB_SHOWN(class_of(l, example)),
                       l->labels->several ? "expected" : "`labels` takes");
    else if (!l->labels->several && l->n >= 3)
        for (const char *separator = "|;,"; *separator != '\0' && !is_list; separator++)
            GB_TRY(look_for_separator(l, *separator, &is_list, err));
done:
    return st;
}

/* ---- few documents a class -------------------------------------------------------------------------- */

static gb_status look_for_many(const look *l, gb_error *err)
{
    (void)err;
    if (l->labels->several || l->n_docs < FEW_DOCUMENTS || 2 * l->n <= l->n_docs || are_amounts(l) || are_dates(l))
        return GB_OK;
    if (l->labels->role == GB_ROLE_RESPONSE)
        gb_suspect_say(l->s,
                       "%s \"%.*s\": %" PRIu64 " classes in %" PRIu64
                       " documents: most classes have a single document, from which nothing can be learned",
                       FIELD_SHOWN(l), l->n, l->n_docs);
    else if (is_covariate(l))
        gb_suspect_say(l->s, "%s \"%.*s\": a factor of %" PRIu64 " levels in %" PRIu64 " documents: is it an id?",
                       FIELD_SHOWN(l), l->n, l->n_docs);
    return GB_OK;
}

/* ---- all -------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    gb_status (*look)(const look *l, gb_error *err);
} of_classes[] = {
    {"spellings", look_for_spellings}, {"missing-names", look_for_missing}, {"many-classes", look_for_many},
    {"numbers", look_for_numbers},     {"mixed-numbers", look_for_mixed},   {"dates", look_for_dates},
    {"lists", look_for_lists},
};

gb_status gb_suspect_classes(gb_suspecting *s, const gb_labels *labels, gb_error *err)
{
    look l = {.s = s, .labels = labels, .role = gb_role_name(labels->role, false), .n = labels->classes.count};
    for (uint64_t d = 0; d < s->corpus->n_docs; d++)
        l.n_docs += labels->labelled[d];
    gb_status st = GB_OK;
    for (size_t i = 0; st == GB_OK && i < sizeof of_classes / sizeof *of_classes; i++) {
        s->suspect = of_classes[i].name;
        st = of_classes[i].look(&l, err);
    }
    return st;
}
