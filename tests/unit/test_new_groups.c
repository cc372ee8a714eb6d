/* Groups that the graph does not have: their laws against dense matrices and closed forms, their documents, and the message of
 * everything that can be wrong. */
#include "helper_documents.h"

#include "base/memory.h"
#include "prior/group_graph.h"
#include "prior/ladder.h"
#include "prior/new_groups_parts.h"
#include "prior/psi_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FREE = 3, MOST = 80 };

/* ---- dense matrices ------------------------------------------------------------------------------------ */

/* The law of node `target` of a graph with the precision q (a Laplacian), given the nodes that are known: its variance, and the
 * weights of known nodes in its mean. */
static double dense_law(size_t n, const double *q, const bool *is_known, size_t target, double *weight)
{
    static double a[MOST][MOST + 1];
    size_t unknown[MOST], m = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_known[i])
            unknown[m++] = i;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++)
            a[i][j] = q[unknown[i] * n + unknown[j]];
        a[i][m] = unknown[i] == target;
    }
    for (size_t k = 0; k < m; k++) /* Gauss and Jordan */
        for (size_t i = 0; i < m; i++) {
            const double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (size_t j = k; j <= m; j++)
                a[i][j] -= factor * a[k][j];
        }
    double variance = 0;
    memset(weight, 0, n * sizeof *weight);
    for (size_t i = 0; i < m; i++) {
        const double x = a[i][m] / a[i][i];
        variance = unknown[i] == target ? x : variance;
        for (size_t j = 0; j < n; j++)
            weight[j] -= is_known[j] ? q[unknown[i] * n + j] * x : 0;
    }
    return variance;
}

static void add_edge(size_t n, double *q, size_t i, size_t j, double k)
{
    q[i * n + i] += k;
    q[j * n + j] += k;
    q[i * n + j] -= k;
    q[j * n + i] -= k;
}

/* Rounding of two eliminations of the same small matrix, whose precisions are within a factor of a hundred. */
static void assert_close(const char *what, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * (1 + fabs(expected))))
        fail_msg("%s: %.15g, expected %.15g", what, found, expected);
}

static void check_ladder(size_t n, double a, double b, double rung, const char *known, size_t target)
{
    double q[MOST * MOST] = {0}, expected[MOST], room[8 * MOST], weight[MOST];
    bool is_known[MOST] = {false};
    for (size_t i = 0; i < n; i++) {
        add_edge(2 * n, q, 2 * i, 2 * i + 1, rung);
        if (i + 1 < n) {
            add_edge(2 * n, q, 2 * i, 2 * i + 2, a);
            add_edge(2 * n, q, 2 * i + 1, 2 * i + 3, b);
        }
        is_known[2 * i] = known[2 * i] == '*';
        is_known[2 * i + 1] = known[2 * i + 1] == '*';
    }
    const gb_ladder ladder = {.n = n, .along = {a, b}, .rung = rung, .is_known = is_known};
    const double variance = dense_law(2 * n, q, is_known, target, expected);
    assert_close("variance", gb_ladder_solve(&ladder, target, room, weight), variance);
    for (size_t p = 0; p < 2 * n; p++)
        assert_close("weight", weight[p], expected[p]);
}

static void a_ladder_has_the_law_of_its_dense_matrix(void **unused)
{
    (void)unused;
    check_ladder(1, 2, 3, 0.7, "*.", 1);
    check_ladder(4, 2, 3, 0.7, "**......", 7);
    check_ladder(4, 2, 3, 0.7, "**......", 3);
    check_ladder(5, 0.3, 8, 2, "......**..", 1);
    check_ladder(5, 0.3, 8, 2, "*.*.*.*.*.", 5);
    check_ladder(6, 1, 0.5, 4, "*.*.*.......", 11);
}

/* ---- a prior ------------------------------------------------------------------------------------------- */

/* A corpus whose documents have these groups: "1 2 5", or "a|1 a|2 b|2"; one token each. */
static gb_corpus *corpus_with(const char *groups)
{
    gb_corpus *c = NULL;
    gb_corpus_builder *b = NULL;
    size_t field[2];
    char copy[2000], *rest = copy;
    const bool is_pair = strchr(groups, '|') != NULL;
    (void)snprintf(copy, sizeof copy, "%s", groups);
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_group(b, is_pair ? "venue" : "year", &field[0], NULL), GB_OK);
    if (is_pair)
        assert_int_equal(gb_corpus_builder_group(b, "year", &field[1], NULL), GB_OK);
    for (char *name; (name = strsep(&rest, " ")) != NULL;) {
        assert_int_equal(gb_corpus_builder_document(b, name, strlen(name), NULL), GB_OK);
        assert_int_equal(gb_corpus_builder_token(b, 0, NULL), GB_OK);
        for (size_t i = 0; i < (is_pair ? 2 : 1); i++) {
            const char *value = strsep(&name, "|");
            assert_int_equal(gb_corpus_builder_class(b, field[i], value, strlen(value), NULL), GB_OK);
        }
    }
    assert_int_equal(gb_corpus_builder_word(b, "word", 4, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &c, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return c;
}

/* Of a draw with made-up means, observation precision 0.8 and evolution precisions 1.7, 0.6. */
typedef struct model {
    gb_prior_setup setup;
    gb_prior prior;
} model;

static const double precision[] = {1.7, 0.6}, observation = 0.8;

static double some(size_t i)
{
    return 4 * fmod((double)(i + 1) * 0.6180339887498949, 1) - 2;
}

static void make_model(model *m, const char *groups, const char *graph, const char *covariance)
{
    gb_error err = {.status = GB_OK};
    gb_prior_values values;
    gb_corpus *corpus = corpus_with(groups);
    gb_settings *s = settings_of("topics", "4", "prior", "graph", "graph", graph, "covariance", covariance,
                                 "response", "none", NULL);
    if (gb_prior_setup_resolve(s, corpus, &m->setup, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_int_equal(gb_prior_values_create(&m->setup, &values, NULL), GB_OK);
    for (size_t i = 0; i < gb_prior_table_size(&values.table[GB_PSI_MEAN]); i++)
        values.table[GB_PSI_MEAN].value[i] = some(i);
    double *spread = values.table[GB_PSI_SPREAD].value;
    const double sigma[] = {1.3, 0.4, -0.2, 0.4, 0.9, 0.1, -0.2, 0.1, 0.7};
    if (strcmp(covariance, "full") == 0)
        memcpy(spread, sigma, sizeof sigma);
    else
        *spread = observation;
    for (size_t r = 0; values.n_tables > GB_PSI_EVOLUTION && r < values.table[GB_PSI_EVOLUTION].n_columns; r++)
        values.table[GB_PSI_EVOLUTION].value[r] = precision[r];
    assert_int_equal(gb_prior_create(&m->prior, &m->setup, &values, NULL, 0, 1, GB_ISA_PLAIN, NULL), GB_OK);
    gb_prior_values_clear(&values);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static void free_model(model *m)
{
    gb_prior_clear(&m->prior);
    gb_prior_setup_clear(&m->setup);
}

static const double *mean_of(const model *m, const char *group)
{
    const uint32_t g = gb_groups_find(gb_prior_groups(&m->setup), gb_view_of(group));
    assert_true(g != GB_NO_GROUP);
    return m->prior.values.table[GB_PSI_MEAN].value + g * FREE;
}

/* The one new group of the documents. */
static gb_new_groups *find_new(model *m, const char *documents, gb_new_groups_rule rule, const char *graph)
{
    gb_new_groups *g = NULL;
    gb_error err = {.status = GB_OK};
    uint32_t group[MOST];
    gb_corpus *corpus = corpus_with(documents);
    const gb_new_groups_how how = {.rule = rule, .graph = graph};
    if (gb_new_groups_find(&g, &m->setup, &how, corpus, group, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_non_null(g);
    assert_int_equal(gb_new_groups_set(g, &m->prior, NULL), GB_OK);
    gb_corpus_free(corpus);
    return g;
}

/* mean[t] and v of the first new group. */
static void check_law(const gb_new_groups *g, const double *mean, double v)
{
    const gb_new_group_law law = gb_new_groups_law(g, 0);
    for (size_t t = 0; t < FREE; t++) {
        assert_close("mean", law.mean[t], mean[t]);
        if (law.precision != NULL)
            assert_close("variance", 1 / law.precision[t], v + 1 / observation);
    }
    if (law.precision == NULL)
        assert_close("widening", law.widening, 1 + v);
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

static void check_chain(const char *covariance, const char *group, const char *nearest, double steps)
{
    model m;
    make_model(&m, "1990 1993 1991", "chain", covariance);
    gb_new_groups *g = find_new(&m, group, GB_NEW_GROUPS_EXTEND, "chain");
    check_law(g, mean_of(&m, nearest), steps / precision[0]);
    gb_new_groups_free(g);
    free_model(&m);
}

static void a_chain_walks_on_from_its_end(void **unused)
{
    (void)unused;
    check_chain("diagonal", "1994", "1993", 1);
    check_chain("diagonal", "2000", "1993", 7);
    check_chain("diagonal", "1987", "1990", 3);
    check_chain("full", "1995", "1993", 2);
}

static void a_new_group_of_a_complete_graph_is_near_the_average(void **unused)
{
    (void)unused;
    model m;
    make_model(&m, "oslo rome lima oslo", "complete", "diagonal");
    gb_new_groups *g = find_new(&m, "rome bern lima", GB_NEW_GROUPS_EXTEND, "complete");
    double mean[FREE];
    for (size_t t = 0; t < FREE; t++)
        mean[t] = (mean_of(&m, "oslo")[t] + mean_of(&m, "rome")[t] + mean_of(&m, "lima")[t]) / 3;
    check_law(g, mean, 1 / (3 * precision[0]));
    gb_new_groups_free(g);
    free_model(&m);
}

/* Against the graph of a corpus that has the new group too. */
static void check_grid(const char *old, const char *group, const char *extended)
{
    model m;
    make_model(&m, old, "grid", "diagonal");
    gb_new_groups *g = find_new(&m, group, GB_NEW_GROUPS_EXTEND, "grid");
    gb_corpus *corpus = corpus_with(extended);
    gb_groups *groups = NULL;
    gb_graph *graph = NULL;
    uint32_t group_of[MOST];
    static double q[MOST * MOST];
    double weight[MOST], mean[FREE] = {0};
    bool is_known[MOST] = {false};
    assert_int_equal(gb_graph_of_corpus("grid", "", corpus, "corpus", &groups, &graph, group_of, NULL), GB_OK);
    const size_t n = graph->n_groups;
    assert_true(n <= MOST);
    memset(q, 0, sizeof q);
    for (size_t r = 0; r < graph->n_types; r++)
        for (size_t e = graph->type_start[r]; e < graph->type_start[r + 1]; e++)
            add_edge(n, q, graph->edge[e].from, graph->edge[e].to, precision[r] * graph->edge[e].weight);
    for (uint32_t i = 0; i < n; i++)
        is_known[i] = gb_groups_find(gb_prior_groups(&m.setup), gb_groups_name(groups, i)) != GB_NO_GROUP;
    const double v = dense_law(n, q, is_known, gb_groups_find(groups, gb_view_of(group)), weight);
    for (uint32_t i = 0; i < n; i++)
        for (size_t t = 0; t < FREE && is_known[i]; t++)
            mean[t] += weight[i] * mean_of(&m, gb_groups_name(groups, i).text)[t];
    check_law(g, mean, v);
    gb_graph_free(graph);
    gb_groups_free(groups);
    gb_corpus_free(corpus);
    gb_new_groups_free(g);
    free_model(&m);
}

static void a_grid_goes_on_along_either_field(void **unused)
{
    (void)unused;
    static const char old[] = "a|1 b|3 c|2 d|1";
    check_grid(old, "b|4", "a|1 b|3 c|2 d|1 b|4");
    check_grid(old, "b|7", "a|1 b|3 c|2 d|1 b|7");
    check_grid(old, "c|-1", "a|1 b|3 c|2 d|1 c|-1");
    check_grid(old, "e|2", "a|1 b|3 c|2 d|1 e|2");
    check_grid(old, "e|6", "a|1 b|3 c|2 d|1 e|6");
    check_grid(old, "e|0", "a|1 b|3 c|2 d|1 e|0");
    check_grid("a|1 a|3", "a|5", "a|1 a|3 a|5");
    check_grid("a|1 b|1", "b|2", "a|1 b|1 b|2");
}

static void check_level(const char *covariance)
{
    model m;
    make_model(&m, "1990 1994 1991", "chain", covariance); /* 1992 and 1993 have no documents */
    gb_new_groups *g = find_new(&m, "later", GB_NEW_GROUPS_LEVEL, "chain");
    const double *x[3] = {mean_of(&m, "1990"), mean_of(&m, "1991"), mean_of(&m, "1994")};
    const gb_new_group_law law = gb_new_groups_law(g, 0);
    const gb_psi_state *state = m.prior.state;
    double pooled = 0;
    for (size_t t = 0; t < FREE; t++)
        assert_close("mean", law.mean[t], (x[0][t] + x[1][t] + x[2][t]) / 3);
    for (size_t i = 0; i < 3; i++) {
        double own = 0;
        for (size_t t = 0; t < FREE && law.precision == NULL; t++)
            for (size_t u = 0; u < FREE; u++)
                own += (x[i][t] - law.mean[t]) * state->covariance.precision[t * FREE + u] * (x[i][u] - law.mean[u]);
        pooled += own / (2 * FREE);
    }
    if (law.precision == NULL)
        assert_close("widening", law.widening, 1 + pooled * 4 / 3);
    for (size_t t = 0; t < FREE && law.precision != NULL; t++) {
        double s2 = 0;
        for (size_t i = 0; i < 3; i++)
            s2 += (x[i][t] - law.mean[t]) * (x[i][t] - law.mean[t]) / 2;
        assert_close("variance", 1 / law.precision[t], s2 * 4 / 3 + 1 / observation);
    }
    gb_new_groups_free(g);
    free_model(&m);
}

static void level_takes_the_spread_of_groups_that_have_documents(void **unused)
{
    (void)unused;
    check_level("diagonal");
    check_level("full");
}

/* ---- documents ----------------------------------------------------------------------------------------- */

/* Without tokens psi has the law of its group: moments over many redraws. */
static void check_documents(const char *covariance)
{
    enum { N = 20000 };
    model m;
    make_model(&m, "1990 1993 1991", "chain", covariance);
    gb_new_groups *g = find_new(&m, "1995", GB_NEW_GROUPS_EXTEND, "chain");
    const gb_prior_document_ops *ops = m.prior.ops->documents;
    const double *mean = mean_of(&m, "1993"), v = 2 / precision[0];
    const double sigma = strcmp(covariance, "full") == 0 ? 1.3 * (1 + v) : v + 1 / observation;
    const uint32_t count[FREE + 1] = {0};
    double numbers[8], base[FREE + 1], sum = 0, square = 0, *scratch = NULL;
    gb_prior_document d = {.group = 4, .key = gb_key_make(3, 0), .count = count, .numbers = numbers, .base = base};
    assert_int_equal(gb_alloc(&scratch, gb_prior_scratch(&m.setup), sizeof *scratch, "scratch", NULL), GB_OK);
    ops->begin(&m.prior, &d);
    for (size_t t = 0; t < FREE; t++)
        assert_close("start", numbers[t], mean[t]);
    for (uint32_t i = 0; i < 20 + 4 * N; i++) { /* every fourth: coordinates are redrawn given each other */
        d.sweep = i;
        ops->redraw(&m.prior, 1, &d, scratch);
        if (i < 20 || i % 4 != 0)
            continue;
        sum += numbers[0] - mean[0];
        square += (numbers[0] - mean[0]) * (numbers[0] - mean[0]);
    }
    assert_true(fabs(sum / N) < 5 * sqrt(sigma / N));
    assert_true(fabs(square / N - sigma) < 5 * sigma * sqrt(2.0 / N));
    gb_free(scratch);
    gb_new_groups_free(g);
    free_model(&m);
}

static void documents_of_a_new_group_have_its_law(void **unused)
{
    (void)unused;
    check_documents("diagonal");
    check_documents("full");
}

/* log of share 0 over the last share is psi. */
static void check_shares(const char *covariance)
{
    enum { N = 20000 };
    model m;
    make_model(&m, "1990 1993 1991", "chain", covariance);
    gb_new_groups *g = find_new(&m, "1995", GB_NEW_GROUPS_EXTEND, "chain");
    const double *mean = mean_of(&m, "1993"), v = 2 / precision[0];
    const double sigma = strcmp(covariance, "full") == 0 ? 0.7 * (1 + v) : v + 1 / observation;
    double share[FREE + 1], sum = 0, square = 0;
    gb_random r = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    for (size_t i = 0; i < N; i++) {
        m.prior.ops->documents->draw_shares(&m.prior, 4, &r, share);
        const double x = log(share[FREE - 1] / share[FREE]) - mean[FREE - 1];
        sum += x;
        square += x * x;
    }
    assert_true(fabs(sum / N) < 5 * sqrt(sigma / N));
    assert_true(fabs(square / N - sigma) < 5 * sigma * sqrt(2.0 / N));
    gb_new_groups_free(g);
    free_model(&m);
}

static void shares_of_a_new_group_have_its_law(void **unused)
{
    (void)unused;
    check_shares("diagonal");
    check_shares("full");
}

/* New ones among documents of other groups change none of them. */
static void documents_of_known_groups_are_redrawn_as_ever(void **unused)
{
    (void)unused;
    model m;
    make_model(&m, "1990 1993 1991", "chain", "diagonal");
    gb_new_groups *g = find_new(&m, "1995", GB_NEW_GROUPS_EXTEND, "chain");
    static const uint32_t count[FREE + 1] = {3, 0, 1, 2}, group[5] = {1, 4, 0, 2, 4};
    double numbers[2][5][8] = {{{0}}}, base[2][5][FREE + 1], *scratch = NULL;
    assert_int_equal(gb_alloc(&scratch, gb_prior_scratch(&m.setup), sizeof *scratch, "scratch", NULL), GB_OK);
    for (size_t alone = 0; alone < 2; alone++) {
        gb_prior_document d[5];
        for (size_t i = 0; i < 5; i++) {
            d[i] = (gb_prior_document){.group = group[i],
                                       .key = gb_key_make(3, 0),
                                       .row = i,
                                       .count = count,
                                       .length = 6,
                                       .numbers = numbers[alone][i],
                                       .base = base[alone][i]};
            m.prior.ops->documents->begin(&m.prior, &d[i]);
        }
        for (size_t i = 0; alone == 1 && i < 5; i++)
            m.prior.ops->documents->redraw(&m.prior, 1, &d[i], scratch);
        if (alone == 0)
            m.prior.ops->documents->redraw(&m.prior, 5, d, scratch);
    }
    assert_memory_equal(numbers[0], numbers[1], sizeof numbers[0]);
    gb_free(scratch);
    gb_new_groups_free(g);
    free_model(&m);
}

/* ---- what cannot be ------------------------------------------------------------------------------------ */

static void check_failure(const char *old, const char *graph, const char *shape, const char *documents,
                          gb_new_groups_rule rule, gb_status status, const char *message)
{
    model m;
    make_model(&m, old, graph, "diagonal");
    gb_new_groups *g = NULL;
    gb_error err = {.status = GB_OK};
    uint32_t group[MOST];
    gb_corpus *corpus = corpus_with(documents);
    const gb_new_groups_how how = {.rule = rule, .graph = shape};
    assert_int_equal(gb_new_groups_find(&g, &m.setup, &how, corpus, group, &err), status);
    assert_string_equal(err.message, message);
    assert_null(g);
    gb_corpus_free(corpus);
    free_model(&m);
}

static void groups_without_a_place_are_named(void **unused)
{
    (void)unused;
    const gb_new_groups_rule extend = GB_NEW_GROUPS_EXTEND, level = GB_NEW_GROUPS_LEVEL;
    check_failure("1 3", "chain", "chain", "2 4", GB_NEW_GROUPS_REFUSE, GB_EFORMAT,
                  "the documents: document \"4\": the group \"4\" is not in the graph; see `new-groups`");
    check_failure("1 3", "chain", "chain", "2 x", extend, GB_EFORMAT,
                  "the documents: document \"x\": the group \"x\" is not a whole number");
    check_failure("1 3", "chain", "chain", "02", extend, GB_EFORMAT,
                  "the documents: document \"02\": the group \"02\" is in the graph in another spelling");
    check_failure("1 3", "chain", "chain", "10003 10004", extend, GB_EFORMAT,
                  "the documents: document \"10004\": the group \"10004\" is more than 10,000 steps away");
    check_failure(
        "1 3", "chain", "chain", "-9223372036854775808", extend, GB_EFORMAT,
        "the documents: document \"-9223372036854775808\": the group \"-9223372036854775808\" is more than 10,000 "
        "steps away");
    check_failure("a|1 a|2", "grid", "grid", "b|1", extend, GB_EFORMAT,
                  "the documents: document \"b|1\": the group \"b|1\" needs a grid with two rows or more");
    check_failure("a b", "", "", "c", extend, GB_EARGUMENT,
                  "`new-groups` extend: the model has groups without a graph; level takes them");
    check_failure("1 3", "chain", "grid:near.csv", "4", extend, GB_EARGUMENT,
                  "`new-groups` extend takes models with `graph` chain, complete or grid, and this one has "
                  "\"grid:near.csv\"; level takes any");
    check_failure("1 1", "chain", "chain", "4", level, GB_EARGUMENT,
                  "`new-groups` level: the model has one group with training documents, so how groups differ is not "
                  "known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ladder_has_the_law_of_its_dense_matrix),
        cmocka_unit_test(a_chain_walks_on_from_its_end),
        cmocka_unit_test(a_new_group_of_a_complete_graph_is_near_the_average),
        cmocka_unit_test(a_grid_goes_on_along_either_field),
        cmocka_unit_test(level_takes_the_spread_of_groups_that_have_documents),
        cmocka_unit_test(documents_of_a_new_group_have_its_law),
        cmocka_unit_test(shares_of_a_new_group_have_its_law),
        cmocka_unit_test(documents_of_known_groups_are_redrawn_as_ever),
        cmocka_unit_test(groups_without_a_place_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
