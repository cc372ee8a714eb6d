/* Formulas of fields: what is a formula, which columns it has, and the way to JSON and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "corpus/data/formula_text.h"
#include "design/formula.h"
#include "design/smooth.h"
#include "math/eigen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- formulas as text ---- */

static void write_set(const gb_formula_text *f, gb_variable_set set, char *out)
{
    const char *before = "";
    for (size_t v = 0; v < f->n_variables; v++) {
        if ((set >> v & 1U) == 0)
            continue;
        const char *name = f->field[f->variable[v].field].name;
        if (f->variable[v].smooth_df > 0)
            sprintf(out + strlen(out), "%ss(%s,%zu)", before, name, f->variable[v].smooth_df);
        else
            sprintf(out + strlen(out), "%s%s", before, name);
        before = ":";
    }
}

/* Its terms as text: "party year party:year (1|author)". */
static void write_formula(const gb_formula_text *f, char *out)
{
    *out = '\0';
    for (size_t i = 0; i < f->n_products; i++) {
        strcat(out, i > 0 ? " " : "");
        write_set(f, f->product[i], out);
    }
    for (size_t i = 0; i < f->n_random; i++) {
        strcat(out, *out == '\0' ? "(" : " (");
        if (f->random[i].slope == 0)
            strcat(out, "1");
        write_set(f, f->random[i].slope, out);
        strcat(out, "|");
        write_set(f, f->random[i].group, out);
        strcat(out, ")");
    }
}

static void a_formula_is_a_list_of_terms(void **state)
{
    static const struct {
        const char *text, *terms;
    } good[] = {
        {"party", "party"},
        {" ~ party+year ", "party year"},
        {"1", ""},
        {"1 + x", "x"},
        {"a + b + a", "a b"},
        {"a:b", "a:b"},
        {"a*b", "a b a:b"},
        {"b:a + a:b", "b:a"},
        {"a:a", "a"},
        {"a*b*c", "a b c a:b a:c b:c a:b:c"},
        {"a*b:c", "a b:c a:b:c"},
        {"(a+b):c", "a:c b:c"},
        {"(a + b) * c", "a b c a:c b:c"},
        {"s(x)", "x s(x,10)"},
        {"s( date(x) , df = 5 )", "x s(x,5)"},
        {"s(x, 4) + x", "x s(x,4)"},
        {"party * s(year)", "party year s(year,10) party:year party:s(year,10)"},
        {"(1|author)", "(1|author)"},
        {"x + (1|g) + (1|h)", "x (1|g) (1|h)"},
        {"(x|g)", "(1|g) (x|g)"},
        {"(1 + x + z || g)", "(1|g) (x|g) (z|g)"},
        {"(0 + x|g)", "(x|g)"},
        {"(x - 1|g)", "(x|g)"},
        {"(1|a:b)", "(1|a:b)"},
        {"(1|factor(g)) + (1|g)", "(1|g)"},
        {"party * s(year) + (1|author)", "party year s(year,10) party:year party:s(year,10) (1|author)"},
        {"`a field: odd` + a.b_c9", "a field: odd a.b_c9"},
        {"année", "année"},
        {"s", "s"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        gb_error err = {.status = GB_OK};
        gb_formula_text f;
        char terms[1000];
        if (gb_formula_text_read(good[i].text, &f, &err) != GB_OK)
            fail_msg("%s: %s", good[i].text, err.message);
        write_formula(&f, terms);
        assert_string_equal(terms, good[i].terms);
        gb_formula_text_clear(&f);
    }
}

static void a_malformed_formula_is_an_error_that_says_where_and_what_would_do(void **state)
{
    static const struct {
        const char *text, *place, *remedy;
    } bad[] = {
        {"", "at its end", "a field is expected"},
        {"party +", "at its end", "a field is expected"},
        {"party year", "character 7, at \"year\"", "\"+\", \"*\" or \":\""},
        {"a + - b", "character 5", "a field is expected"},
        {"x - 1", "character 3, at \"- 1\"", "the intercept is always there"},
        {"0 + x", "character 1", "the intercept is always there"},
        {"(x + 0)", "character 6", "the intercept is always there"},
        {"a - b", "character 3", "leave them out"},
        {"log(x)", "character 1, at \"log(x)\"", "no function log()"},
        {"a + bs(x)", "character 5", "s(FIELD) is a smooth curve"},
        {"x^2", "character 2", "there are no powers"},
        {"x ** 2", "character 3", "there are no powers"},
        {"a / b", "character 3", "a + a:b"},
        {"1:x", "character 2", "the intercept has no interactions"},
        {"2 * x", "character 1", "a number"},
        {"2015", "character 1", "in backquotes"},
        {"1x", "character 1", "in backquotes"},
        {"`x", "character 1", "a backquote that no other closes"},
        {"``", "character 1", "no name of a field"},
        {".", "character 1", "one by one"},
        {"y ~ x", "character 3", "only the right side"},
        {"1|g", "character 2", "in parentheses"},
        {"a)", "character 2", "no parenthesis is open"},
        {"(a", "at its end", "\")\" is expected"},
        {"s(x", "at its end", "\")\" is expected"},
        {"s(x, df=3)", "character 6", "from 4 to 100"},
        {"s(x, df=1e9)", "character 6", "from 4 to 100"},
        {"s(x, df=10 5)", "character 12", "which closes"},
        {"s(x, df=99999999999999999999)", "character 6", "from 4 to 100"},
        {"s(x, by=g)", "character 6", "FIELD * s(x)"},
        {"s(x, k=5)", "character 6", "df = N only"},
        {"s(factor(x))", "character 3", "a number or a date"},
        {"s(x) + s(x, 5)", "character 10", "another df"},
        {"s(x):s(z)", "character 5", "two curves"},
        {"x * s(x)", "character 3", "as itself and as a curve"},
        {"factor(x) + s(x)", "character 15", "a number here and a factor elsewhere"},
        {"s(x) + (1|x)", "character 11", "a factor here and a number elsewhere"},
        {"(s(x)|g)", "character 1", "a slope for each"},
        {"(x|x)", "character 1", "on both sides"},
        {"(0|g)", "character 1", "neither"},
        {"(1|a/b)", "character 5", "(1|a) + (1|a:b)"},
        {"(1|a+b)", "character 5", "(1|a) + (1|b)"},
        {"(1|s(a))", "character 4", "groups are fields"},
        {"(1|g):x", "character 6", "(1 + x|g)"},
        {"((1|g)|h)", "character 1", "within random effects"},
        {"((((((((((((((((((x))))))))))))))))))", "character 17", "more than 16 deep"},
        {"a*b*c*d*e*f*g*h", "character 14", "more than 200 terms"},
        {"x\xff", "", "not valid UTF-8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gb_error err = {.status = GB_OK};
        gb_formula_text f = {.n_fields = 77};
        if (gb_formula_text_read(bad[i].text, &f, &err) != GB_EARGUMENT)
            fail_msg("\"%s\" is no error", bad[i].text);
        if (strstr(err.message, bad[i].place) == NULL || strstr(err.message, bad[i].remedy) == NULL ||
            strncmp(err.message, "`prevalence`", 12) != 0)
            fail_msg("\"%s\": %s", bad[i].text, err.message);
        assert_int_equal(f.n_fields, 77);
    }
}

static void a_formula_says_what_its_fields_are(void **state)
{
    gb_formula_text f;
    (void)state;
    assert_int_equal(
        gb_formula_text_read("a + s(b) + date(c) + number(d) + factor(e) + list(f) + (a|g) + (1|e)", &f, NULL),
        GB_OK);
    static const gb_field_kind kinds[] = {GB_KIND_AUTO, GB_KIND_NUMBER,  GB_KIND_NUMBER, GB_KIND_NUMBER,
                                          GB_KIND_ONE,  GB_KIND_SEVERAL, GB_KIND_ONE};
    assert_int_equal(f.n_fields, 7);
    for (size_t i = 0; i < 7; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        assert_string_equal(f.field[i].name, name);
        assert_int_equal(f.field[i].kind, kinds[i]);
        assert_int_equal(f.field[i].role, GB_ROLE_PREVALENCE);
        assert_int_equal(gb_formula_text_only_groups(&f, i), i == 6);
    }
    gb_formula_text_clear(&f);
}

/* ---- eigenvalues ---- */

static void eigenvectors_give_the_matrix_back(void **state)
{
    enum { N = 7 };
    double a[N * N], copy[N * N], value[N], vector[N * N];
    (void)state;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            a[i * N + j] = copy[i * N + j] = 1 / (double)(i + j + 1) + (i == j ? (double)(i % 3) : 0);
    gb_symmetric_eigen(N, copy, value, vector);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0, product = 0;
            for (size_t k = 0; k < N; k++) {
                sum += value[k] * vector[k * N + i] * vector[k * N + j];
                product += vector[i * N + k] * vector[j * N + k];
            }
            assert_true(fabs(sum - a[i * N + j]) < 1e-13);
            assert_true(fabs(product - (i == j)) < 1e-13);
        }
    for (size_t i = 0; i + 1 < N; i++)
        assert_true(value[i] <= value[i + 1]);
}

/* ---- splines ---- */

/* The bends of a curve with these coefficients. */
static double curve(const gb_smooth *s, const double *coefficient, double x)
{
    double row[GB_SMOOTH_MOST_DF], sum = 0;
    gb_smooth_row(s, x, row);
    for (size_t j = 0; j < gb_smooth_n_columns(s); j++)
        sum += row[j] * coefficient[j];
    return sum;
}

/* The sum of squared second differences of the B-splines' coefficients, which for numbers (k - 1) / intervals are values of a curve at the
 * knots: a_{k-1} - 2 a_k + a_{k+1} is its second derivative there, times the squared distance of knots.  Measured by second differences of
 * the curve, which is cubic between knots: exact. */
static double penalty_of(const gb_smooth *s, const double *coefficient)
{
    const size_t n = s->df - 3;
    const double h = (s->high - s->low) / (double)n, e = h / 4;
    double sum = 0;
    for (size_t k = 0; k <= n; k++) {
        /* a cubic's second derivative is linear: from two places within an interval to its end */
        const double at = s->low + h * (double)k, to = k < n ? e : -e;
        double second[2];
        for (size_t i = 0; i < 2; i++) {
            const double x = at + (double)(i + 1) * to;
            second[i] = (curve(s, coefficient, x - e) - 2 * curve(s, coefficient, x) + curve(s, coefficient, x + e)) /
                        (e * e);
        }
        const double there = (2 * second[0] - second[1]) * h * h;
        sum += there * there;
    }
    return sum;
}

static void the_penalty_of_a_curve_is_its_sum_of_squares(void **state)
{
    static const size_t dfs[] = {4, 5, 10, 23};
    (void)state;
    for (size_t i = 0; i < sizeof dfs / sizeof dfs[0]; i++) {
        gb_smooth s;
        double unit = 0;
        assert_int_equal(gb_smooth_create(&s, dfs[i], -3, 8, NULL), GB_OK);
        for (size_t round = 0; round < 5; round++) {
            double b[GB_SMOOTH_MOST_DF], square = 0;
            for (size_t j = 0; j < dfs[i] - 2; j++) {
                b[j] = sin((double)(1 + j * 3 + round * 17));
                square += b[j] * b[j];
            }
            const double ratio = penalty_of(&s, b) / square;
            if (round == 0)
                unit = ratio;
            assert_true(unit > 0 && fabs(ratio / unit - 1) < 1e-7);
        }
        gb_smooth_clear(&s);
    }
}

static void bends_have_no_line_and_rows_of_length_1_on_average(void **state)
{
    enum { N = 4000, DF = 10 };
    gb_smooth s, other;
    double sum[DF] = {0}, product[DF] = {0}, square = 0, row[DF], same[DF];
    (void)state;
    assert_int_equal(gb_smooth_create(&s, DF, 1900, 2000, NULL), GB_OK);
    assert_int_equal(gb_smooth_create(&other, DF, 0, 1, NULL), GB_OK);
    for (size_t g = 0; g < N; g++) {
        const double u = ((double)g + 0.5) / N;
        gb_smooth_row(&s, 1900 + 100 * u, row);
        gb_smooth_row(&other, u, same);
        for (size_t j = 0; j < DF - 2; j++) {
            assert_true(fabs(row[j] - same[j]) < 1e-10);
            sum[j] += row[j] / N;
            product[j] += row[j] * (u - 0.5) / N;
            square += row[j] * row[j] / N;
        }
    }
    assert_true(fabs(square - 1) < 2e-3);
    for (size_t j = 0; j < DF - 2; j++)
        assert_true(fabs(sum[j]) < 1e-3 && fabs(product[j]) < 1e-3);
    gb_smooth_clear(&s);
    gb_smooth_clear(&other);
}

static void beyond_the_training_a_curve_is_a_line(void **state)
{
    gb_smooth s;
    (void)state;
    assert_int_equal(gb_smooth_create(&s, 8, 2, 4, NULL), GB_OK);
    const double b[6] = {1, -2, 0.5, 3, 1, -1}, e = 1e-5;
    const double ends[2] = {2, 4}, out[2] = {-1, 1};
    for (size_t i = 0; i < 2; i++) {
        const double at = curve(&s, b, ends[i]), one = curve(&s, b, ends[i] + out[i]);
        const double slope = (at - curve(&s, b, ends[i] - out[i] * e)) / e;
        assert_true(fabs(curve(&s, b, ends[i] + 5 * out[i]) - (at + 5 * (one - at))) < 1e-9);
        assert_true(fabs(one - at - slope) < 1e-3);
    }
    gb_smooth_clear(&s);
}

/* ---- columns ---- */

typedef struct document {
    double year, size; /* NaN: missing */
    const char *party, *author, *tags, *country;
} document;

static const document training[] = {
    {1990, 3, "Rep", "Ann", "xy", "US"}, {2000, 1, "Dem", "Bob", "", "US"},    {2010, 3, "Rep", "Ann", "x", "US"},
    {2000, 5, "Ind", "Cid", "yz", "US"}, {2000, 3, "Dem", "Ann", "xyz", "US"}, {2000, 3, "Rep", "Dan", "z", "US"},
};
enum { N_TRAINING = sizeof training / sizeof training[0] };

static void add_class(gb_corpus_builder *b, size_t field, const char *name, size_t length)
{
    assert_int_equal(gb_corpus_builder_class(b, field, name, length, NULL), GB_OK);
}

/* Fields of several roles: a formula asks for names. */
static gb_corpus *corpus_of(size_t n, const document *documents)
{
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t year, size, party, author, tags, country;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_labels(b, "party", false, &party, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_cluster(b, "author", &author, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_factor(b, "tags", true, &tags, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_group(b, "country", &country, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_numbers(b, "year", GB_ROLE_COVARIATE, &year, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_numbers(b, "size", GB_ROLE_RESPONSE, &size, NULL), GB_OK);
    for (size_t d = 0; d < n; d++) {
        const document *doc = &documents[d];
        assert_int_equal(gb_corpus_builder_document(b, NULL, 0, NULL), GB_OK);
        assert_int_equal(gb_corpus_builder_number(b, year, doc->year, NULL), GB_OK);
        assert_int_equal(gb_corpus_builder_number(b, size, doc->size, NULL), GB_OK);
        if (doc->party != NULL)
            add_class(b, party, doc->party, strlen(doc->party));
        add_class(b, author, doc->author, strlen(doc->author));
        add_class(b, country, doc->country, strlen(doc->country));
        assert_int_equal(gb_corpus_builder_labelled(b, tags, NULL), GB_OK);
        for (const char *c = doc->tags; *c != '\0'; c++)
            add_class(b, tags, c, 1);
    }
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_settings *settings_of(const char *name, const char *value)
{
    gb_settings *settings = NULL;
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    if (name != NULL)
        assert_int_equal(gb_settings_set(settings, name, value, NULL), GB_OK);
    return settings;
}

static gb_formula *make_with(const char *text, const char *name, const char *value)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = corpus_of(N_TRAINING, training);
    gb_settings *settings = settings_of(name, value);
    gb_formula *f = NULL;
    if (gb_formula_make(&f, text, corpus, settings, &err) != GB_OK)
        fail_msg("%s: %s", text, err.message);
    assert_string_equal(gb_formula_as_text(f), text);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return f;
}

static gb_formula *make(const char *text)
{
    return make_with(text, NULL, NULL);
}

static void make_fails(const char *text, gb_status status, const char *message)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = corpus_of(N_TRAINING, training);
    gb_settings *settings = settings_of(NULL, NULL);
    gb_formula *f = NULL;
    assert_int_equal(gb_formula_make(&f, text, corpus, settings, &err), status);
    assert_string_equal(err.message, message);
    assert_null(f);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

/* Names of columns and terms: "party[(intercept)] ..." */
static void has_columns(const gb_formula *f, const char *wanted)
{
    char all[2000] = "";
    for (size_t t = 0; t < gb_formula_n_terms(f); t++) {
        static const char *const kinds[] = {"constant", "fixed", "smooth", "random"};
        const gb_term *term = gb_formula_term(f, t);
        sprintf(all + strlen(all), "%s%s %s:", t > 0 ? "; " : "", kinds[term->kind], term->name);
        assert_true(term->n > 0);
        for (size_t j = 0; j < term->n; j++)
            sprintf(all + strlen(all), " %s", gb_formula_column_name(f, term->first + j));
    }
    assert_string_equal(all, wanted);
}

static void dense(const gb_sparse_columns *x, uint64_t d, double *row)
{
    for (size_t j = 0; j < x->n_columns; j++)
        row[j] = 0;
    for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
        row[x->column[i]] = x->value[i];
}

static void apply_with(const gb_formula *f, size_t n, const document *documents, const char *name, const char *value,
                       gb_sparse_columns *out)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = corpus_of(n, documents);
    gb_settings *settings = settings_of(name, value);
    if (gb_formula_apply(f, corpus, settings, 0, out, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void has_row(const gb_formula *f, const document *doc, size_t n, const double *wanted)
{
    gb_sparse_columns x;
    double row[100];
    apply_with(f, 1, doc, "unknown-level", "reference", &x);
    assert_int_equal(x.n_columns, n);
    assert_int_equal(gb_formula_n_columns(f), n);
    dense(&x, 0, row);
    for (size_t j = 0; j < n; j++)
        if (fabs(row[j] - wanted[j]) > 1e-12)
            fail_msg("%s: %g, not %g", gb_formula_column_name(f, j), row[j], wanted[j]);
    gb_sparse_columns_clear(&x);
}

/* year: mean 2000, variance 200/6; Rep is the most frequent party. */
static void a_factor_has_contrasts_with_its_most_frequent_level(void **state)
{
    gb_formula *f = make("party * year");
    const double sd = sqrt(200.0 / 6), z = -10 / sd;
    (void)state;
    has_columns(f, "constant (intercept): (intercept); fixed party: party=Dem party=Ind; fixed year: year; "
                   "fixed party:year: party=Dem:year party=Ind:year");
    has_row(f, &training[0], 6, (double[]){1, 0, 0, z, 0, 0});
    has_row(f, &(document){1990, 3, "Ind", "Ann", "", "US"}, 6, (double[]){1, 0, 1, z, 0, z});
    has_row(f, &(document){2000, 3, "Dem", "Ann", "", "US"}, 6, (double[]){1, 1, 0, 0, 0, 0});
    has_row(f, &(document){1990, 3, "Green", "Ann", "", "US"}, 6, (double[]){1, 0, 0, z, 0, 0});
    assert_int_equal(gb_formula_reference(f, 0), 2);
    assert_int_equal(gb_formula_reference(f, 1), SIZE_MAX);
    gb_formula_free(f);
}

static void an_interaction_alone_has_a_column_for_each_level(void **state)
{
    gb_formula *f = make("party:year");
    (void)state;
    has_columns(f,
                "constant (intercept): (intercept); fixed party:year: party=Dem:year party=Ind:year party=Rep:year");
    gb_formula_free(f);
    f = make("year + party:year");
    has_columns(
        f, "constant (intercept): (intercept); fixed year: year; fixed year:party: year:party=Dem year:party=Ind");
    gb_formula_free(f);
}

static void a_list_has_a_column_for_each_value(void **state)
{
    gb_formula *f = make("tags:party + party");
    (void)state;
    has_columns(f, "constant (intercept): (intercept); fixed party: party=Dem party=Ind; fixed tags:party: "
                   "tags=x:party=Dem tags=x:party=Ind tags=x:party=Rep "
                   "tags=y:party=Dem tags=y:party=Ind tags=y:party=Rep "
                   "tags=z:party=Dem tags=z:party=Ind tags=z:party=Rep");
    has_row(f, &(document){1990, 3, "Ind", "Ann", "xz", "US"}, 12, (double[]){1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0});
    gb_formula_free(f);
}

static void rare_levels_share_a_column_of_fixed_terms_only(void **state)
{
    gb_formula *f = make_with("party + (1|author)", "min-level-count", "2");
    (void)state;
    has_columns(f, "constant (intercept): (intercept); fixed party: party=Dem party=(rare); "
                   "random (1|author): (1|author)=Ann (1|author)=Bob (1|author)=Cid (1|author)=Dan");
    gb_formula_free(f);
}

static void what_does_not_vary_has_no_column(void **state)
{
    gb_formula *f = make("country * size + (1|country) + year:country");
    char *text;
    (void)state;
    has_columns(f, "constant (intercept): (intercept); fixed size: size");
    assert_int_equal(gb_coding_list_constant(gb_formula_coding(f), &text, NULL), GB_OK);
    assert_string_equal(text, "country");
    gb_free(text);
    gb_formula_free(f);
}

static void random_effects_have_one_entry_and_none_for_a_new_level(void **state)
{
    gb_formula *f = make("(1 + year|author) + (1|author:party)");
    const document documents[] = {{2000, 3, "Rep", "Bob", "", "US"}, {1990, 3, "Rep", "Eve", "", "US"}};
    gb_sparse_columns x;
    gb_corpus *corpus = corpus_of(2, documents);
    char *new_levels;
    (void)state;
    has_columns(f, "constant (intercept): (intercept); "
                   "random (1|author): (1|author)=Ann (1|author)=Bob (1|author)=Cid (1|author)=Dan; "
                   "random (year|author): (year|author)=Ann (year|author)=Bob (year|author)=Cid (year|author)=Dan; "
                   "random (1|author:party): "
                   "(1|author:party)=Ann:Dem (1|author:party)=Ann:Ind (1|author:party)=Ann:Rep "
                   "(1|author:party)=Bob:Dem (1|author:party)=Bob:Ind (1|author:party)=Bob:Rep "
                   "(1|author:party)=Cid:Dem (1|author:party)=Cid:Ind (1|author:party)=Cid:Rep "
                   "(1|author:party)=Dan:Dem (1|author:party)=Dan:Ind (1|author:party)=Dan:Rep");
    apply_with(f, 2, documents, NULL, NULL, &x);
    assert_int_equal(x.doc_start[1], 4); /* of the slope, too, although the year is the mean: 0 */
    assert_int_equal(x.column[1], 2);
    assert_int_equal(x.column[2], 6);
    assert_true(x.value[2] == 0);
    assert_int_equal(x.column[3], 9 + 5);
    assert_int_equal(x.doc_start[2], 5); /* the constant */
    gb_sparse_columns_clear(&x);
    assert_int_equal(gb_coding_list_new_levels(gb_formula_coding(f), corpus, &new_levels, NULL), GB_OK);
    assert_string_equal(new_levels, "author=Eve");
    gb_free(new_levels);
    gb_corpus_free(corpus);
    gb_formula_free(f);
}

static void a_random_slope_of_a_factor_has_contrasts(void **state)
{
    gb_formula *f = make("(0 + party|author)");
    (void)state;
    assert_int_equal(gb_formula_n_columns(f), 1 + 3 * 4);
    assert_string_equal(gb_formula_column_name(f, 1), "(party|author)=Dem:Ann");
    gb_formula_free(f);
    f = make("(party|author)");
    assert_int_equal(gb_formula_n_columns(f), 1 + 4 + 2 * 4);
    gb_formula_free(f);
}

static void a_curve_has_a_line_and_bends(void **state)
{
    gb_formula *f = make("party * s(year, df = 5)");
    gb_smooth s;
    double bends[3];
    const double z = 5 / sqrt(200.0 / 6);
    (void)state;
    has_columns(f, "constant (intercept): (intercept); fixed party: party=Dem party=Ind; fixed year: year; "
                   "fixed party:year: party=Dem:year party=Ind:year; "
                   "smooth s(year): s(year)[1] s(year)[2] s(year)[3]; "
                   "smooth party:s(year): party=Dem:s(year)[1] party=Dem:s(year)[2] party=Dem:s(year)[3] "
                   "party=Ind:s(year)[1] party=Ind:s(year)[2] party=Ind:s(year)[3]");
    assert_int_equal(gb_smooth_create(&s, 5, 1990, 2010, NULL), GB_OK);
    gb_smooth_row(&s, 2005, bends);
    has_row(f, &(document){2005, 3, "Ind", "Ann", "", "US"}, 15,
            (double[]){1, 0, 1, z, 0, z, bends[0], bends[1], bends[2], 0, 0, 0, bends[0], bends[1], bends[2]});
    gb_smooth_clear(&s);
    gb_formula_free(f);
}

static void rows_of_fields_expand_to_the_columns_of_documents(void **state)
{
    gb_formula *f = make("party * s(year) + tags * size + (1 + size|author)");
    gb_corpus *corpus = corpus_of(N_TRAINING, training);
    gb_settings *settings = settings_of(NULL, NULL);
    gb_sparse_columns x, a, b;
    (void)state;
    assert_int_equal(gb_coding_apply(gb_formula_coding(f), corpus, settings, 0, &x, NULL), GB_OK);
    assert_int_equal(gb_formula_expand(f, &x, &a, NULL), GB_OK);
    assert_int_equal(gb_formula_apply(f, corpus, settings, 0, &b, NULL), GB_OK);
    assert_int_equal(a.n_entries, b.n_entries);
    assert_memory_equal(a.column, b.column, a.n_entries * sizeof *a.column);
    assert_memory_equal(a.value, b.value, a.n_entries * sizeof *a.value);
    for (uint64_t d = 0; d < a.n_docs; d++)
        assert_true(a.column[a.doc_start[d]] == 0 && a.value[a.doc_start[d]] == 1);
    gb_sparse_columns_clear(&x);
    gb_sparse_columns_clear(&a);
    gb_sparse_columns_clear(&b);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    gb_formula_free(f);
}

static void a_missing_value_is_imputed_or_an_error(void **state)
{
    const document missing = {NAN, 3, NULL, "Ann", "", "US"};
    gb_formula *f = make("party + s(year, df=4)");
    gb_corpus *corpus = corpus_of(1, &missing);
    gb_settings *settings = settings_of(NULL, NULL);
    gb_error err = {.status = GB_OK};
    gb_sparse_columns x, mean;
    double row[6], of_mean[6];
    (void)state;
    assert_int_equal(gb_formula_apply(f, corpus, settings, 40, &x, &err), GB_EFORMAT);
    assert_string_equal(err.message,
                        "covariates are missing: \"party\" in 1 document, \"year\" in 1 document; document "
                        "41 (id \"1\"); `impute` mean would do without");
    apply_with(f, 1, &missing, "impute", "mean", &x);
    apply_with(f, 1, &(document){2000, 3, "Rep", "Ann", "", "US"}, NULL, NULL, &mean);
    dense(&x, 0, row);
    dense(&mean, 0, of_mean);
    for (size_t j = 0; j < 6; j++)
        assert_true(row[j] == of_mean[j]);
    gb_sparse_columns_clear(&x);
    gb_sparse_columns_clear(&mean);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    gb_formula_free(f);
}

static void fields_are_there_and_of_the_kind_that_the_formula_takes(void **state)
{
    (void)state;
    make_fails(
        "party + yeer", GB_EFORMAT,
        "`prevalence`: the documents: no field \"yeer\"; the fields are party, author, tags, country, year, size");
    make_fails(
        "s(party)", GB_EARGUMENT,
        "`prevalence`: the field \"party\" has levels, and the formula takes numbers; read the documents again");
    make_fails(
        "(1|year)", GB_EARGUMENT,
        "`prevalence`: the field \"year\" has numbers, and the formula takes levels; read the documents again");
    make_fails("(tags|author)", GB_EARGUMENT,
               "`prevalence`: the field \"tags\" has lists, and a random effect takes one value for each document");
    make_fails(
        "party * party2 *", GB_EARGUMENT,
        "`prevalence` \"party * party2 *\", at its end: a field is expected; names other than letters, digits, "
        "\"_\" and \".\" stand in backquotes");
}

static void fields_of_new_documents_are_of_the_kinds_of_the_training(void **state)
{
    static const struct {
        const char *formula, *fields;
    } rows[] = {
        {"party * s(year) + tags + (1|author)", "factor(`party`) + number(`year`) + list(`tags`) + factor(`author`)"},
        {"1", "1"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        gb_formula *f = make(rows[i].formula);
        gb_formula_text again;
        char *fields;
        assert_int_equal(gb_formula_fields(f, &fields, NULL), GB_OK);
        assert_string_equal(fields, rows[i].fields);
        assert_int_equal(gb_formula_text_read(fields, &again, NULL), GB_OK);
        assert_int_equal(again.n_fields, gb_coding_n_fields(gb_formula_coding(f)));
        for (size_t j = 0; j < again.n_fields; j++)
            assert_int_equal(again.field[j].kind, gb_coding_field_kind(gb_formula_coding(f), j));
        gb_formula_text_clear(&again);
        gb_free(fields);
        gb_formula_free(f);
    }
}

static void a_product_out_of_range_is_an_error(void **state)
{
    const document far = {1e200, 1e200, "Rep", "Ann", "", "US"};
    gb_formula *f = make("year:size");
    gb_corpus *corpus = corpus_of(1, &far);
    gb_settings *settings = settings_of(NULL, NULL);
    gb_error err = {.status = GB_OK};
    gb_sparse_columns x;
    (void)state;
    assert_int_equal(gb_formula_apply(f, corpus, settings, 6, &x, &err), GB_EFORMAT);
    assert_string_equal(err.message, "document 7: the column \"year:size\" is out of range");
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    gb_formula_free(f);
}

/* ---- JSON ---- */

static void a_formula_survives_json(void **state)
{
    gb_error err = {.status = GB_OK};
    gb_formula *f = make("party * s(year, df=6) + tags + (1 + size|author)"), *back = NULL;
    (void)state;
    json_t *object = gb_formula_to_json(f);
    char *text = json_dumps(object, JSON_REAL_PRECISION(17));
    json_t *read = json_loads(text, 0, NULL);
    if (gb_formula_from_json(read, &back, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_string_equal(gb_formula_as_text(back), gb_formula_as_text(f));
    assert_int_equal(gb_formula_n_columns(back), gb_formula_n_columns(f));
    for (size_t j = 0; j < gb_formula_n_columns(f); j++)
        assert_string_equal(gb_formula_column_name(back, j), gb_formula_column_name(f, j));
    for (size_t d = 0; d < N_TRAINING; d++) {
        gb_sparse_columns a, b;
        apply_with(f, 1, &training[d], NULL, NULL, &a);
        apply_with(back, 1, &training[d], NULL, NULL, &b);
        assert_int_equal(a.n_entries, b.n_entries);
        assert_memory_equal(a.value, b.value, a.n_entries * sizeof *a.value);
        gb_sparse_columns_clear(&a);
        gb_sparse_columns_clear(&b);
    }
    gb_sparse_columns x;
    apply_with(back, 1, &(document){2000, 3, "Rep", "Eve", "", "US"}, NULL, NULL, &x); /* a new author is no error */
    gb_sparse_columns_clear(&x);
    json_decref(object);
    json_decref(read);
    gb_free(text);
    gb_formula_free(f);
    gb_formula_free(back);
}

static void a_damaged_formula_is_refused(void **state)
{
    gb_formula *f = make("s(year) + party");
    json_t *object = gb_formula_to_json(f);
    static const char *const texts[] = {"s(year) + ",      "s(party) + year", "s(year)", "s(year) + party + size",
                                        "year + s(party)", "party + s(year)"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        gb_error err = {.status = GB_OK};
        gb_formula *back = NULL;
        json_t *copy = json_deep_copy(object);
        assert_int_equal(json_object_set_new(copy, "formula", json_string(texts[i])), 0);
        assert_int_equal(gb_formula_from_json(copy, &back, &err), GB_EFORMAT);
        assert_non_null(strstr(err.message, "the model's formula is damaged"));
        assert_null(back);
        json_decref(copy);
    }
    static const char *const keys[] = {"low", "high", "scale", "levels"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        gb_formula *back = NULL;
        json_t *copy = json_deep_copy(object);
        json_t *fields = json_object_get(json_object_get(copy, "coding"), "fields");
        assert_int_equal(json_object_del(json_array_get(fields, i == 3 ? 1 : 0), keys[i]), 0);
        assert_int_equal(gb_formula_from_json(copy, &back, NULL), GB_EFORMAT);
        json_decref(copy);
    }
    json_t *copy = json_deep_copy(object);
    json_t *year = json_array_get(json_object_get(json_object_get(copy, "coding"), "fields"), 0);
    gb_formula *back = NULL;
    assert_int_equal(json_object_set_new(year, "high", json_real(1990)), 0);
    assert_int_equal(gb_formula_from_json(copy, &back, NULL), GB_EFORMAT);
    json_decref(copy);
    assert_int_equal(gb_formula_from_json(json_object_get(object, "coding"), &back, NULL), GB_EFORMAT);
    assert_int_equal(gb_formula_from_json(NULL, &back, NULL), GB_EFORMAT);
    json_decref(object);
    gb_formula_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula_is_a_list_of_terms),
        cmocka_unit_test(a_malformed_formula_is_an_error_that_says_where_and_what_would_do),
        cmocka_unit_test(a_formula_says_what_its_fields_are),
        cmocka_unit_test(eigenvectors_give_the_matrix_back),
        cmocka_unit_test(the_penalty_of_a_curve_is_its_sum_of_squares),
        cmocka_unit_test(bends_have_no_line_and_rows_of_length_1_on_average),
        cmocka_unit_test(beyond_the_training_a_curve_is_a_line),
        cmocka_unit_test(a_factor_has_contrasts_with_its_most_frequent_level),
        cmocka_unit_test(an_interaction_alone_has_a_column_for_each_level),
        cmocka_unit_test(a_list_has_a_column_for_each_value),
        cmocka_unit_test(rare_levels_share_a_column_of_fixed_terms_only),
        cmocka_unit_test(what_does_not_vary_has_no_column),
        cmocka_unit_test(random_effects_have_one_entry_and_none_for_a_new_level),
        cmocka_unit_test(a_random_slope_of_a_factor_has_contrasts),
        cmocka_unit_test(a_curve_has_a_line_and_bends),
        cmocka_unit_test(rows_of_fields_expand_to_the_columns_of_documents),
        cmocka_unit_test(a_missing_value_is_imputed_or_an_error),
        cmocka_unit_test(fields_are_there_and_of_the_kind_that_the_formula_takes),
        cmocka_unit_test(fields_of_new_documents_are_of_the_kinds_of_the_training),
        cmocka_unit_test(a_product_out_of_range_is_an_error),
        cmocka_unit_test(a_formula_survives_json),
        cmocka_unit_test(a_damaged_formula_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
