/* corpus/data/formula_text.c - formulas of fields as text: one function for each rule of the grammar. */
#include "corpus/data/formula_text.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 16 };

/* What a part of a formula stands for: its products, each once, in their order. */
typedef struct sum {
    gb_variable_set product[GB_FORMULA_MOST_TERMS];
    size_t n;
    bool has_one;     /* a 1: the intercept */
    const char *zero; /* where a 0 or -1 stands; NULL: there is none */
    bool has_random;  /* random effects, which are in the formula already */
} sum;

typedef struct parser {
    const char *text, *at; /* the whole, and what comes next */
    gb_formula_text *out;
    size_t depth; /* of parentheses */
    gb_error *err;
} parser;

/* ---- messages ---- */

/* "`prevalence` "a * log(b)", character 5, at "log(b)": ..." */
__attribute__((format(printf, 3, 4))) static gb_status fail_at(const parser *p, const char *at, const char *format,
                                                               ...)
{
    char whole[GB_QUOTE_SIZE], rest[GB_QUOTE_SIZE], said[400];
    size_t character = 1;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    for (const char *c = p->text; c < at; c++)
        character += ((unsigned char)*c & 0xC0U) != 0x80U;
    gb_text_quote(p->text, strlen(p->text), whole);
    gb_text_quote(at, strlen(at), rest);
    if (*at == '\0')
        return gb_fail(p->err, GB_EARGUMENT, "`prevalence` %s, at its end: %s", whole, said);
    return gb_fail(p->err, GB_EARGUMENT, "`prevalence` %s, character %zu, at %s: %s", whole, character, rest, said);
}

/* ---- characters ---- */

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

/* The next character but blanks; '\0' at the end. */
static char next_of(parser *p)
{
    skip_blanks(p);
    return *p->at;
}

static bool take(parser *p, char c)
{
    if (next_of(p) != c)
        return false;
    p->at++;
    return true;
}

static bool is_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 0x80U;
}

/* A name without backquotes; nothing where there is none. */
static gb_view read_word(parser *p)
{
    skip_blanks(p);
    const char *from = p->at;
    while (!isdigit((unsigned char)*from) && is_in_name(*p->at))
        p->at++;
    return (gb_view){from, (size_t)(p->at - from)};
}

static gb_status read_quoted(parser *p, gb_view *name)
{
    const char *open = p->at++, *close = strchr(p->at, '`');
    if (close == NULL)
        return fail_at(p, open, "a backquote that no other closes");
    *name = (gb_view){p->at, (size_t)(close - p->at)};
    p->at = close + 1;
    if (name->length == 0 || gb_text_fault(name->text, name->length) != NULL)
        return fail_at(p, open, "no name of a field stands between the backquotes");
    return GB_OK;
}

/* The name of a field, or of a function. */
static gb_status read_name(parser *p, gb_view *name, bool *is_quoted)
{
    *is_quoted = next_of(p) == '`';
    if (*is_quoted)
        return read_quoted(p, name);
    *name = read_word(p);
    if (gb_view_is(*name, "."))
        return fail_at(p, name->text, "fields are named one by one");
    return name->length > 0 ? GB_OK
                            : fail_at(p, p->at,
                                      "a field is expected; names other than letters, digits, \"_\" and \".\" stand "
                                      "in backquotes");
}

/* ---- fields and variables ---- */

static gb_status add_field(parser *p, gb_view name, gb_field_kind kind, size_t *number)
{
    gb_formula_text *f = p->out;
    gb_status st;
    char *copy = NULL;
    GB_TRY(gb_copy_text(&copy, name.text, name.length, p->err));
    for (*number = 0; *number < f->n_fields; ++*number)
        if (strcmp(f->field[*number].name, copy) == 0)
            break;
    if (*number == f->n_fields) {
        const gb_field field = {.name = copy, .kind = GB_KIND_AUTO, .role = GB_ROLE_PREVALENCE};
        GB_TRY(gb_fields_add(&f->field, &f->n_fields, &field, p->err));
    }
    gb_field_kind *known = &f->field[*number].kind;
    if (kind != GB_KIND_AUTO && *known != GB_KIND_AUTO && *known != kind)
        st = fail_at(p, name.text,
                     "\"%.*s\" is a %s here and a %s elsewhere in the formula; give its values to two fields",
                     GB_SHOWN(name), gb_field_kind_name(kind), gb_field_kind_name(*known));
    else if (kind != GB_KIND_AUTO)
        *known = kind;
done:
    gb_free(copy);
    return st;
}

static gb_status add_variable(parser *p, gb_view name, gb_field_kind kind, size_t smooth_df, gb_variable_set *out)
{
    gb_formula_text *f = p->out;
    size_t field, v = 0;
    const gb_status st = add_field(p, name, kind, &field);
    if (st != GB_OK)
        return st;
    while (v < f->n_variables &&
           (f->variable[v].field != field || (f->variable[v].smooth_df == 0) != (smooth_df == 0)))
        v++;
    if (v == GB_FORMULA_MOST_VARIABLES)
        return fail_at(p, name.text, "more than %d variables", GB_FORMULA_MOST_VARIABLES);
    if (v == f->n_variables)
        f->variable[f->n_variables++] = (gb_formula_variable){field, smooth_df};
    if (f->variable[v].smooth_df != smooth_df)
        return fail_at(p, name.text, "s(%.*s) has another df elsewhere in the formula", GB_SHOWN(name));
    *out = (gb_variable_set)1 << v;
    return GB_OK;
}

/* ---- variables ---- */

static gb_status expect(parser *p, char c, const char *what)
{
    return take(p, c) ? GB_OK : fail_at(p, p->at, "\"%c\" is expected, %s", c, what);
}

/* number(, date(, factor( or list( */
static bool find_kind(gb_view function, gb_field_kind *kind)
{
    static const struct {
        const char *name;
        gb_field_kind kind;
    } known[] = {
        {"number", GB_KIND_NUMBER}, {"date", GB_KIND_NUMBER}, {"factor", GB_KIND_ONE}, {"list", GB_KIND_SEVERAL}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (gb_view_is(function, known[i].name)) {
            *kind = known[i].kind;
            return true;
        }
    return false;
}

static gb_status fail_function(const parser *p, gb_view name)
{
    static const char *const bends[] = {"bs", "ns", "poly", "te", "ti", "t2", "lo", "spline", "splines"};
    for (size_t i = 0; i < sizeof bends / sizeof bends[0]; i++)
        if (gb_view_is(name, bends[i]))
            return fail_at(p, name.text, "there is no %s(); s(FIELD) is a smooth curve", bends[i]);
    return fail_at(p, name.text,
                   "there is no function %.*s(), only s(), number(), date(), factor() and list(); a field with the "
                   "values that it gives does the same",
                   GB_SHOWN(name));
}

/* "10" or "df = 10", after the comma. */
static gb_status read_df(parser *p, size_t *df)
{
    const char *from = (skip_blanks(p), p->at);
    const gb_view name = read_word(p);
    if (name.length > 0 && (!gb_view_is(name, "df") || !take(p, '=')))
        return fail_at(p, from, "s() takes a field and df = N only; for a curve by levels write FIELD * s(x)");
    skip_blanks(p);
    const gb_view digits = {p->at, strspn(p->at, "0123456789")};
    uint64_t n = 0;
    p->at += digits.length;
    if (!gb_view_to_u64(digits, &n) || n < GB_SMOOTH_LEAST_DF || n > GB_SMOOTH_MOST_DF)
        return fail_at(p, from, "df is a whole number from %d to %d", GB_SMOOTH_LEAST_DF, GB_SMOOTH_MOST_DF);
    *df = (size_t)n;
    return GB_OK;
}

/* Inside s(: a name, or number(name), or date(name).  A curve is a straight line and bends: two products. */
static gb_status read_smooth(parser *p, sum *out)
{
    gb_status st;
    gb_view name;
    gb_field_kind kind = GB_KIND_NUMBER;
    size_t df = GB_SMOOTH_DF;
    bool is_quoted;
    GB_TRY(read_name(p, &name, &is_quoted));
    if (!is_quoted && take(p, '(')) {
        if (!find_kind(name, &kind))
            return fail_function(p, name);
        if (kind != GB_KIND_NUMBER)
            return fail_at(p, name.text, "s() takes a number or a date");
        GB_TRY(read_name(p, &name, &is_quoted));
        GB_TRY(expect(p, ')', "behind the field"));
    }
    if (take(p, ','))
        GB_TRY(read_df(p, &df));
    GB_TRY(expect(p, ')', "which closes s("));
    GB_TRY(add_variable(p, name, kind, 0, &out->product[0]));
    GB_TRY(add_variable(p, name, kind, df, &out->product[1]));
    out->n = 2;
done:
    return st;
}

static gb_status read_variable(parser *p, sum *out)
{
    gb_status st;
    gb_view function, name;
    gb_field_kind kind = GB_KIND_AUTO;
    bool is_quoted;
    GB_TRY(read_name(p, &name, &is_quoted));
    if (!is_quoted && take(p, '(')) {
        function = name;
        if (gb_view_is(function, "s"))
            return read_smooth(p, out);
        if (!find_kind(function, &kind))
            return fail_function(p, function);
        GB_TRY(read_name(p, &name, &is_quoted));
        GB_TRY(expect(p, ')', "behind the field"));
    }
    GB_TRY(add_variable(p, name, kind, 0, &out->product[0]));
    out->n = 1;
done:
    return st;
}

/* ---- sums ---- */

static gb_status add_product(const parser *p, const char *at, gb_variable_set product, sum *to)
{
    for (size_t i = 0; i < to->n; i++)
        if (to->product[i] == product)
            return GB_OK;
    if (to->n == GB_FORMULA_MOST_TERMS)
        return fail_at(p, at, "the formula has more than %d terms", GB_FORMULA_MOST_TERMS);
    to->product[to->n++] = product;
    return GB_OK;
}

static gb_status add_sum(const parser *p, const char *at, const sum *from, sum *to)
{
    gb_status st = GB_OK;
    to->has_one |= from->has_one;
    to->zero = to->zero == NULL ? from->zero : to->zero;
    to->has_random |= from->has_random;
    for (size_t i = 0; st == GB_OK && i < from->n; i++)
        st = add_product(p, at, from->product[i], to);
    return st;
}

static bool has_smooth(const gb_formula_text *f, gb_variable_set set)
{
    for (size_t v = 0; v < f->n_variables; v++)
        if ((set >> v & 1U) != 0 && f->variable[v].smooth_df > 0)
            return true;
    return false;
}

/* An interaction has each field once, and one curve. */
static gb_status check_product(const parser *p, const char *at, gb_variable_set a, gb_variable_set b)
{
    const gb_formula_text *f = p->out;
    const gb_variable_set all = a | b;
    if (has_smooth(f, a) && has_smooth(f, b) && a != b)
        return fail_at(p, at, "an interaction of two curves is not possible");
    for (size_t v = 0; v < f->n_variables; v++)
        for (size_t w = v + 1; w < f->n_variables; w++)
            if ((all >> v & 1U) != 0 && (all >> w & 1U) != 0 && f->variable[v].field == f->variable[w].field)
                return fail_at(p, at, "\"%s\" stands in one interaction as itself and as a curve",
                               f->field[f->variable[v].field].name);
    return GB_OK;
}

/* Each product of one with each of the other.  @param is_crossed  a * b, which has both as well */
static gb_status multiply(const parser *p, const char *at, const sum *a, const sum *b, bool is_crossed, sum *out)
{
    gb_status st = GB_OK;
    *out = (sum){.n = 0};
    if (a->has_one || b->has_one || a->zero != NULL || b->zero != NULL)
        return fail_at(p, at, "the intercept has no interactions");
    if (a->has_random || b->has_random)
        return fail_at(p, at, "random effects have no interactions; (1 + x|g) lets the effect of x differ by group");
    if (is_crossed) {
        GB_TRY(add_sum(p, at, a, out));
        GB_TRY(add_sum(p, at, b, out));
    }
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++) {
            GB_TRY(check_product(p, at, a->product[i], b->product[j]));
            GB_TRY(add_product(p, at, a->product[i] | b->product[j], out));
        }
done:
    return st;
}

static gb_status read_sum(parser *p, sum *out);

/* ---- random effects ---- */

static gb_status add_random(parser *p, const char *at, gb_random_text random)
{
    gb_formula_text *f = p->out;
    for (size_t i = 0; i < f->n_random; i++)
        if (f->random[i].slope == random.slope && f->random[i].group == random.group)
            return GB_OK;
    if (f->n_random == GB_FORMULA_MOST_TERMS)
        return fail_at(p, at, "the formula has more than %d terms", GB_FORMULA_MOST_TERMS);
    f->random[f->n_random++] = random;
    return GB_OK;
}

/* The grouping behind the bar: "g" or "g:h", factors. */
static gb_status read_group(parser *p, gb_variable_set *group)
{
    gb_status st;
    *group = 0;
    do {
        gb_view name;
        gb_variable_set variable;
        gb_field_kind kind = GB_KIND_ONE;
        bool is_quoted;
        GB_TRY(read_name(p, &name, &is_quoted));
        if (!is_quoted && take(p, '(')) {
            if (!find_kind(name, &kind) || kind != GB_KIND_ONE)
                return fail_at(p, name.text, "groups are fields, as in (1|author)");
            GB_TRY(read_name(p, &name, &is_quoted));
            GB_TRY(expect(p, ')', "behind the field"));
        }
        GB_TRY(add_variable(p, name, GB_KIND_ONE, 0, &variable));
        *group |= variable;
    } while (take(p, ':'));
    if (next_of(p) == '/')
        return fail_at(p, p->at, "for groups in groups write (1|a) + (1|a:b)");
    if (next_of(p) == '+' || next_of(p) == '*')
        return fail_at(p, p->at, "one grouping stands behind the bar: write (1|a) + (1|b)");
done:
    return st;
}

/* After "(" and a sum: "|" or "||", a grouping.  (x|g) has the intercepts as well, (0 + x|g) has not: as others write it. */
static gb_status read_random(parser *p, const char *open, const sum *slopes)
{
    gb_status st = GB_OK;
    gb_variable_set group;
    if (slopes->has_random)
        return fail_at(p, open, "random effects within random effects");
    (void)take(p, '|');
    GB_TRY(read_group(p, &group));
    GB_TRY(expect(p, ')', "which closes the random effects"));
    if (slopes->n == 0 && slopes->zero != NULL)
        return fail_at(p, open, "neither an intercept nor a slope for each group");
    if (slopes->zero == NULL)
        GB_TRY(add_random(p, open, (gb_random_text){0, group}));
    for (size_t i = 0; i < slopes->n; i++) {
        if (has_smooth(p->out, slopes->product[i]))
            return fail_at(p, open, "a curve for each group is not possible; (1 + x|g) has a slope for each");
        if ((slopes->product[i] & group) != 0)
            return fail_at(p, open, "a field stands on both sides of the bar");
        GB_TRY(add_random(p, open, (gb_random_text){slopes->product[i], group}));
    }
done:
    return st;
}

/* ---- the grammar ---- */

static gb_status check_intercept(const parser *p, const sum *s)
{
    return s->zero == NULL
               ? GB_OK
               : fail_at(p, s->zero,
                         "the intercept is always there: topics have their sizes, also where all fields are 0");
}

static gb_status read_parentheses(parser *p, sum *out)
{
    const char *open = p->at - 1;
    gb_status st;
    if (++p->depth > MOST_DEPTH)
        return fail_at(p, open, "parentheses more than %d deep", MOST_DEPTH);
    GB_TRY(read_sum(p, out));
    if (take(p, '|')) {
        GB_TRY(read_random(p, open, out));
        *out = (sum){.has_random = true};
    } else {
        GB_TRY(check_intercept(p, out));
        GB_TRY(expect(p, ')', "which closes the parenthesis"));
    }
    p->depth--;
done:
    return st;
}

/* 1, or 0, and nothing else. */
static gb_status read_digit(parser *p, sum *out)
{
    const char *from = p->at;
    p->at += strspn(from, "0123456789.");
    out->has_one = p->at == from + 1 && *from == '1';
    out->zero = p->at == from + 1 && *from == '0' ? from : NULL;
    if ((out->has_one || out->zero != NULL) && !is_in_name(*p->at))
        return GB_OK;
    return fail_at(p, from, "a number; a field whose name begins with a digit stands in backquotes");
}

static gb_status read_item(parser *p, sum *out)
{
    *out = (sum){.n = 0};
    if (take(p, '('))
        return read_parentheses(p, out);
    return isdigit((unsigned char)next_of(p)) ? read_digit(p, out) : read_variable(p, out);
}

static gb_status read_chain(parser *p, sum *out)
{
    sum right, both;
    gb_status st = read_item(p, out);
    while (st == GB_OK && next_of(p) == ':') {
        const char *at = p->at++;
        GB_TRY(read_item(p, &right));
        GB_TRY(multiply(p, at, out, &right, false, &both));
        *out = both;
    }
done:
    return st;
}

static gb_status read_product(parser *p, sum *out)
{
    sum right, both;
    gb_status st = read_chain(p, out);
    while (st == GB_OK && next_of(p) == '*') {
        const char *at = p->at++;
        if (*p->at == '*')
            return fail_at(p, at, "there are no powers; s(FIELD) is a curve, a * b an interaction");
        GB_TRY(read_chain(p, &right));
        GB_TRY(multiply(p, at, out, &right, true, &both));
        *out = both;
    }
done:
    return st;
}

/* "- 1"; nothing else is taken away. */
static gb_status read_minus(parser *p, sum *out)
{
    const char *at = p->at++;
    if (next_of(p) != '1' || is_in_name(p->at[1]))
        return fail_at(p, at, "terms are not taken away; leave them out");
    p->at++;
    out->zero = out->zero == NULL ? at : out->zero;
    return GB_OK;
}

static gb_status read_sum(parser *p, sum *out)
{
    sum next;
    *out = (sum){.n = 0};
    bool is_first = true;
    gb_status st = GB_OK;
    while (is_first || next_of(p) == '+' || next_of(p) == '-') {
        if (next_of(p) == '-') {
            GB_TRY(read_minus(p, out));
        } else {
            if (!is_first)
                p->at++;
            const char *at = p->at;
            GB_TRY(read_product(p, &next));
            GB_TRY(add_sum(p, at, &next, out));
        }
        is_first = false;
    }
done:
    return st;
}

/* ---- all of it ---- */

static gb_status check_end(parser *p)
{
    switch (next_of(p)) {
    case '\0':
        return GB_OK;
    case '^':
        return fail_at(p, p->at, "there are no powers; s(FIELD) is a curve, a * b an interaction");
    case '/':
        return fail_at(p, p->at, "for b within a write a + a:b");
    case '|':
        return fail_at(p, p->at, "random effects stand in parentheses, as in (1|author)");
    case '~':
        return fail_at(p, p->at, "only the right side of a formula is written here");
    case ')':
        return fail_at(p, p->at, "no parenthesis is open");
    default:
        return fail_at(p, p->at,
                       "\"+\", \"*\" or \":\" is expected between fields; names other than letters, digits, "
                       "\"_\" and \".\" stand in backquotes");
    }
}

static unsigned n_variables_of(gb_variable_set set)
{
    unsigned n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* Main effects, then their interactions, each in the order of the text. */
static void sort_products(const sum *all, gb_formula_text *out)
{
    for (unsigned n = 1; n <= GB_FORMULA_MOST_VARIABLES; n++)
        for (size_t i = 0; i < all->n; i++)
            if (n_variables_of(all->product[i]) == n)
                out->product[out->n_products++] = all->product[i];
}

gb_status gb_formula_text_read(const char *text, gb_formula_text *out, gb_error *err)
{
    gb_status st;
    sum all = {.n = 0};
    gb_formula_text f = {.n_fields = 0};
    parser p = {.text = text, .at = text, .out = &f, .err = err};
    const size_t length = strlen(text);
    if (length > GB_FORMULA_MOST_BYTES)
        return gb_fail(err, GB_EARGUMENT, "`prevalence`: a formula of more than %d bytes", GB_FORMULA_MOST_BYTES);
    if (gb_text_valid_length(text, length) < length)
        return gb_fail(err, GB_EARGUMENT, "`prevalence`: the formula is not valid UTF-8");
    (void)take(&p, '~');
    GB_TRY(read_sum(&p, &all));
    GB_TRY(check_intercept(&p, &all));
    GB_TRY(check_end(&p));
    sort_products(&all, &f);
    *out = f;
    return GB_OK;
done:
    gb_formula_text_clear(&f);
    return st;
}

void gb_formula_text_clear(gb_formula_text *formula)
{
    gb_fields_free(formula->field, formula->n_fields);
    *formula = (gb_formula_text){.n_fields = 0};
}

gb_status gb_formula_text_add(gb_bytes *text, const char *name, gb_field_kind kind, gb_error *err)
{
    gb_status st;
    const char *const part[] = {text->length > 0 ? " + " : "", gb_field_kind_name(kind), "(\x60", name,
                                "\x60)"}; /* backquotes */
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        GB_TRY(gb_bytes_add(text, part[i], strlen(part[i]), err));
    GB_TRY(gb_bytes_add(text, "", 1, err));
    text->length--;
done:
    return st;
}

bool gb_formula_text_only_groups(const gb_formula_text *formula, size_t field)
{
    gb_variable_set others = 0, of_field = 0;
    for (size_t i = 0; i < formula->n_products; i++)
        others |= formula->product[i];
    for (size_t i = 0; i < formula->n_random; i++)
        others |= formula->random[i].slope;
    for (size_t v = 0; v < formula->n_variables; v++)
        if (formula->variable[v].field == field)
            of_field |= (gb_variable_set)1 << v;
    return (others & of_field) == 0;
}
