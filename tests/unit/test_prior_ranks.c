/* Document priors on several ranks: with the same parts of the documents, any number of ranks has the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "fake_team.h"
#include "gibbous/gibbous.h"
#include "prior/psi_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOCS = 1900, TOPICS = 5, FREE = TOPICS - 1, GROUPS = 9, MOST_RANKS = 4, MOST_PARTS = 4, LONGEST = 40 };
enum { MOST_TOKENS = DOCS * LONGEST + 400, MOST_VALUES = GROUPS * TOPICS * TOPICS };

/* The third part has more than one task of 1,024 documents. */
static const uint64_t four_parts[MOST_PARTS + 1] = {0, 256, 512, 1792, DOCS}, one_part[2] = {0, DOCS};

/* Parts first .. end - 1 of each rank; some ranks have none. */
typedef struct layout {
    size_t n_parts, n_ranks, end[MOST_RANKS], n_threads;
} layout;

static const layout of_one_part[] = {
    {1, 2, {1, 1}, 1}, {1, 2, {0, 1}, 2}, {1, 3, {0, 1, 1}, 1}, {1, 4, {0, 0, 1, 1}, 1}};
static const layout of_four_parts[] = {{4, 1, {4}, 3},       {4, 2, {2, 4}, 1},       {4, 2, {3, 4}, 2},
                                       {4, 3, {1, 1, 4}, 1}, {4, 4, {1, 2, 3, 4}, 1}, {4, 4, {0, 2, 2, 4}, 1}};

/* ---- documents ---- */

typedef struct sample {
    uint64_t start[DOCS + 1];
    uint32_t group[DOCS];
    uint16_t topic[2][MOST_TOKENS]; /* of even and odd sweeps */
} sample;

/* Some are empty, some have a count too large for a table; group 4 is empty. */
static sample *make_sample(void)
{
    sample *s = NULL;
    gb_random r = gb_random_open(gb_key_make(8, 0), 0, GB_DRAW_TEST, 0);
    assert_int_equal(gb_alloc(&s, 1, sizeof *s, "a test", NULL), GB_OK);
    for (size_t d = 0; d < DOCS; d++) {
        const uint64_t length = d % 400 == 7 ? 70 : gb_random_below(&r, LONGEST + 1);
        const uint16_t most = (uint16_t)gb_random_below(&r, TOPICS);
        s->group[d] = (uint32_t)gb_random_below(&r, GROUPS);
        s->group[d] = s->group[d] == 4 ? 8 : d < 256 && s->group[d] == 2 ? 3 : s->group[d];
        s->start[d + 1] = s->start[d] + length;
        for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++)
            for (size_t j = 0; j < 2; j++)
                s->topic[j][i] =
                    length == 70 || gb_random_uniform(&r) < 0.6 ? most : (uint16_t)gb_random_below(&r, TOPICS);
    }
    return s;
}

/* ---- priors ---- */

typedef struct setting {
    const char *name, *prior, *alpha, *covariance, *psi_mean; /* of options; NULL: as they are */
    size_t n_named;
    size_t n_types; /* a graph with so many types of edges */
    bool per_topic;
    bool is_regression; /* on metadata, with a random effect of many levels */
    bool from_first;    /* the first sweep too, which takes as long as twenty others */
} setting;

static const setting settings[] = {
    {.name = "dirichlet", .prior = "dirichlet", .alpha = "optimise"},
    {.name = "sampled alpha", .prior = "dirichlet", .alpha = "sample"},
    {.name = "sampled alpha of named topics", .prior = "dirichlet", .alpha = "sample", .n_named = 2},
    {.name = "one sampled alpha", .prior = "dirichlet", .alpha = "sample-symmetric"},
    {.name = "uniform", .prior = "uniform"},
    {.name = "logistic-normal", .prior = "logistic-normal", .from_first = true},
    {.name = "full", .prior = "logistic-normal", .covariance = "full"},
    {.name = "full around a mean", .prior = "logistic-normal", .covariance = "full", .psi_mean = "0.3"},
    {.name = "metadata", .prior = "logistic-normal", .is_regression = true, .from_first = true},
    {.name = "metadata and full", .prior = "logistic-normal", .covariance = "full", .is_regression = true},
    {.name = "groups", .prior = "graph"},
    {.name = "forest by topic", .prior = "graph", .n_types = 1, .per_topic = true},
    {.name = "two types", .prior = "graph", .n_types = 2},
    {.name = "graph and full", .prior = "graph", .covariance = "full", .n_types = 2},
};

static void set(gb_settings *s, const char *name, const char *value)
{
    if (value != NULL)
        assert_int_equal(gb_settings_set(s, name, value, NULL), GB_OK);
}

static gb_status graph_setup(const setting *how, const sample *s, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    gb_psi_setup *own = NULL;
    gb_new_edge edge[] = {{0, 1, 0, 1}, {1, 2, 0, 1.5}, {2, 4, 0, 1}, {4, 8, 0, 0.5}, {0, 2, 1, 0.5}, {5, 6, 1, 2}};
    const bool is_full = how->covariance != NULL;
    const gb_precision sampled = {.value = 1, .shape = 3, .rate = 2};
    GB_TRY(gb_alloc(&own, 1, sizeof *own, "a test", err));
    *out = (gb_prior_setup){.ops = &gb_prior_graph, .n_topics = TOPICS, .own = own};
    *own = (gb_psi_setup){.is_full = is_full, .update = GB_PSI_AUTO, .n_groups = GROUPS};
    own->means = (gb_group_means_settings){.evolution = sampled,
                                           .observation = sampled,
                                           .level_precision = 0.7,
                                           .level_mean = -0.6,
                                           .per_topic = how->per_topic};
    const char *const type[] = {"road", "rail"};
    GB_TRY(gb_psi_copy_types(own, how->n_types, type, err));
    GB_TRY(gb_graph_create(&own->graph, GROUPS, how->n_types, type,
                           how->n_types == 2   ? 6
                           : how->n_types == 1 ? 4
                                               : 0,
                           edge, err));
    GB_TRY(gb_alloc(&own->group_of, DOCS, sizeof *own->group_of, "a test", err));
    memcpy(own->group_of, s->group, sizeof s->group);
    GB_TRY(gb_psi_start(out, err));
done:
    return st;
}

static gb_status add_columns(gb_psi_regression *r, gb_error *err)
{
    enum { LEVELS = 9, EACH = 4 };
    gb_status st;
    static const gb_term term[] = {
        {"1", GB_TERM_CONSTANT, 0, 1}, {"x", GB_TERM_FIXED, 1, 2}, {"(1|author)", GB_TERM_RANDOM, 3, LEVELS}};
    gb_sparse_entry *entry = NULL;
    GB_TRY(gb_alloc(&entry, (size_t)DOCS * EACH, sizeof *entry, "a test", err));
    for (uint64_t d = 0; d < DOCS; d++) {
        entry[EACH * d] = (gb_sparse_entry){d, 0, 1};
        entry[EACH * d + 1] = (gb_sparse_entry){d, 1, sin((double)d)};
        entry[EACH * d + 2] = (gb_sparse_entry){d, 2, cos((double)d * (double)d)};
        entry[EACH * d + 3] = (gb_sparse_entry){d, 3 + (uint32_t)(d * d % LEVELS), 1};
    }
    GB_TRY(gb_prevalence_parts_make(&r->parts, 3, term, false, err));
    GB_TRY(gb_sparse_columns_create(&r->columns, DOCS, 3 + LEVELS, (uint64_t)DOCS * EACH, entry, err));
done:
    gb_free(entry);
    return st;
}

static gb_status regression_setup(const setting *how, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    gb_psi_setup *own = NULL;
    const bool is_full = how->covariance != NULL;
    GB_TRY(gb_alloc(&own, 1, sizeof *own, "a test", err));
    *out = (gb_prior_setup){.ops = &gb_prior_logistic_normal, .n_topics = TOPICS, .own = own};
    *own = (gb_psi_setup){.is_full = is_full, .is_symmetric = !is_full, .update = GB_PSI_AUTO, .n_groups = 1};
    own->means = (gb_group_means_settings){.observation = {.value = 1, .shape = 3, .rate = 2},
                                           .level_precision = 0.7,
                                           .level_mean = -0.6,
                                           .per_topic = !is_full};
    GB_TRY(gb_alloc(&own->regression, 1, sizeof *own->regression, "a test", err));
    GB_TRY(add_columns(own->regression, err));
    GB_TRY(gb_psi_start(out, err));
done:
    return st;
}

static void make_setup(const setting *how, const sample *s, gb_prior_setup *out)
{
    gb_settings *options = NULL;
    const gb_corpus corpus = {.n_docs = DOCS};
    if (how->is_regression) {
        assert_int_equal(regression_setup(how, out, NULL), GB_OK);
        return;
    }
    if (strcmp(how->prior, "graph") == 0) {
        assert_int_equal(graph_setup(how, s, out, NULL), GB_OK);
        return;
    }
    assert_int_equal(gb_settings_create(&options, NULL), GB_OK);
    set(options, "topics", "5");
    set(options, "prior", how->prior);
    set(options, "alpha", how->alpha);
    set(options, "covariance", how->covariance);
    set(options, "psi-mean", how->psi_mean);
    assert_int_equal(gb_prior_setup_resolve(options, &corpus, out, NULL), GB_OK);
    out->n_named = how->n_named;
    gb_settings_free(options);
}

/* ---- a run ---- */

/** What ranks end with: documents in their places, values and density of each rank. */
typedef struct outcome {
    double psi[DOCS * TOPICS], weight[DOCS * TOPICS];
    double value[MOST_RANKS][MOST_VALUES], log_probability[MOST_RANKS];
    gb_status status[MOST_RANKS];
} outcome;

typedef struct job {
    const sample *sample;
    const gb_prior_setup *setup;
    const layout *layout; /* NULL: no portion */
    uint32_t first_sweep;
    outcome *out;
} job;

static gb_portion portion_of(const layout *l, gb_team *team, uint64_t *start)
{
    const size_t rank = gb_team_rank(team), first = rank == 0 ? 0 : l->end[rank - 1];
    const uint64_t *all = l->n_parts == 1 ? one_part : four_parts;
    gb_portion portion = {
        .team = team, .first_doc = all[first], .n_parts = l->end[rank] - first, .part_start = start};
    for (size_t i = 0; i <= portion.n_parts; i++)
        start[i] = all[first + i] - all[first];
    portion.n_docs = start[portion.n_parts];
    return portion;
}

static void keep(const gb_prior *prior, uint64_t first_doc, size_t rank, outcome *out)
{
    size_t n = 0;
    for (size_t i = 0; i < prior->values.n_tables; i++) {
        const gb_prior_table *t = &prior->values.table[i];
        memcpy(out->value[rank] + n, t->value, gb_prior_table_size(t) * sizeof(double));
        n += gb_prior_table_size(t);
    }
    const gb_psi_state *s = prior->state;
    if (s == NULL || prior->n_docs == 0)
        return;
    memcpy(out->psi + first_doc * s->n_free, s->psi, prior->n_docs * s->n_free * sizeof(double));
    memcpy(out->weight + first_doc * TOPICS, s->weight, prior->n_docs * TOPICS * sizeof(double));
}

static gb_status update(gb_prior *prior, gb_proportions *z, const uint16_t *topic, uint32_t sweep, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_prior_sweep now = {
        .z = z, .topic = topic, .key = gb_key_make(21, 4), .sweep = sweep, .in_burn_in = true};
    if (prior->ops->by_document)
        GB_TRY(gb_proportions_count(z, topic, err));
    if (sweep == 0 && prior->ops->adopt_start != NULL)
        GB_TRY(prior->ops->adopt_start(prior, &now, err));
    if (sweep > 0)
        GB_TRY(prior->ops->update(prior, &now, err));
done:
    return st;
}

static gb_status update_all(gb_prior *prior, gb_proportions *z, const job *j, uint64_t first_token, size_t rank,
                            gb_error *err)
{
    gb_status st = GB_OK;
    for (uint32_t i = 0; i <= 2; i++)
        GB_TRY(update(prior, z, j->sample->topic[i % 2] + first_token, i == 0 ? 0 : j->first_sweep + i - 1, err));
    if (!prior->ops->by_document)
        GB_TRY(gb_proportions_tally(z, j->sample->topic[0] + first_token, err));
    GB_TRY(prior->ops->log_probability(prior, z, &j->out->log_probability[rank], err));
done:
    return st;
}

static void run(gb_team *team, void *context)
{
    gb_status st;
    const job *j = context;
    const size_t rank = gb_team_rank(team), n_threads = j->layout == NULL ? 1 : j->layout->n_threads;
    uint64_t parts[MOST_PARTS + 1], *start = NULL;
    gb_portion portion = {.n_docs = DOCS};
    gb_proportions z = {0};
    gb_prior prior = {0};
    gb_error *const err = NULL;
    if (j->layout != NULL)
        portion = portion_of(j->layout, team, parts);
    GB_TRY(gb_alloc(&start, portion.n_docs + 1, sizeof *start, "a test", err));
    for (uint64_t d = 0; d <= portion.n_docs; d++)
        start[d] = j->sample->start[portion.first_doc + d] - j->sample->start[portion.first_doc];
    GB_TRY(gb_proportions_create(&z, portion.n_docs, TOPICS, start, n_threads, err));
    z.team = team;
    GB_TRY(gb_prior_create(&prior, j->setup, NULL, j->layout == NULL ? NULL : &portion, portion.n_docs, n_threads,
                           gb_isa_best(), err));
    GB_TRY(update_all(&prior, &z, j, j->sample->start[portion.first_doc], rank, err));
    keep(&prior, portion.first_doc, rank, j->out);
done:
    j->out->status[rank] = st;
    if (st != GB_OK)
        gb_team_abort(team, "a rank gave up");
    gb_prior_clear(&prior);
    gb_proportions_clear(&z);
    gb_free(start);
}

static outcome *make_outcome(void)
{
    outcome *out = NULL;
    assert_int_equal(gb_alloc(&out, 1, sizeof *out, "a test", NULL), GB_OK);
    return out;
}

static outcome *run_alone(const job *how, const layout *l)
{
    job j = *how;
    j.layout = l;
    j.out = make_outcome();
    run(NULL, &j);
    assert_int_equal(j.out->status[0], GB_OK);
    return j.out;
}

static bool are_equal(const outcome *a, const outcome *b, size_t rank)
{
    return memcmp(a->value[rank], b->value[0], sizeof a->value[rank]) == 0 &&
           memcmp(&a->log_probability[rank], &b->log_probability[0], sizeof(double)) == 0;
}

static void check_layout(const char *name, const job *how, const layout *l, const outcome *expected)
{
    outcome *out = make_outcome();
    const fake_trouble trouble = {.seed = 5, .longest_delay = 20, .reorders = true};
    job j = *how;
    j.layout = l;
    j.out = out;
    const fake_report report = fake_team_run(l->n_ranks, &trouble, run, &j);
    if (report.error.status != GB_OK)
        fail_msg("%s: %s", name, report.error.message);
    assert_int_equal(report.n_open, 0);
    for (size_t r = 0; r < l->n_ranks; r++) {
        assert_int_equal(out->status[r], GB_OK);
        if (!are_equal(out, expected, r))
            fail_msg("%s: rank %zu of %zu, %zu parts: another value", name, r, l->n_ranks, l->n_parts);
    }
    if (memcmp(out->psi, expected->psi, sizeof out->psi) != 0 ||
        memcmp(out->weight, expected->weight, sizeof out->weight) != 0)
        fail_msg("%s: %zu ranks, %zu parts: another document", name, l->n_ranks, l->n_parts);
    gb_free(out);
}

static void check_setting(const setting *how, const sample *s)
{
    static const layout one = {1, 1, {1}, 1}, four = {4, 1, {4}, 1};
    gb_prior_setup setup;
    const job j = {.sample = s, .setup = &setup, .first_sweep = how->from_first ? 1 : 2};
    make_setup(how, s, &setup);
    outcome *plain = run_alone(&j, NULL), *alone = run_alone(&j, &one), *parts = run_alone(&j, &four);
    assert_memory_equal(plain, alone, sizeof *plain);
    for (size_t i = 0; i < sizeof of_one_part / sizeof *of_one_part; i++)
        check_layout(how->name, &j, &of_one_part[i], alone);
    for (size_t i = 0; i < sizeof of_four_parts / sizeof *of_four_parts; i++)
        check_layout(how->name, &j, &of_four_parts[i], parts);
    gb_free(plain);
    gb_free(alone);
    gb_free(parts);
    gb_prior_setup_clear(&setup);
}

static void any_number_of_ranks_has_the_same_bits(void **state)
{
    (void)state;
    sample *s = make_sample();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        check_setting(&settings[i], s);
    gb_free(s);
}

/* ---- more than is put together at a time ---- */

enum { MANY_TOPICS = 400, MANY_GROUPS = 70000, FEW = 3 };

typedef struct large {
    const double *x;          /* DOCS x MANY_TOPICS */
    const uint32_t *group_of; /* DOCS, below MANY_GROUPS */
    const gb_graph *graph;
    const layout *layout;
    double *scatter[MOST_RANKS], *mean[MOST_RANKS];
    gb_status status[MOST_RANKS];
} large;

static gb_status draw_many_means(const large *l, const gb_portion *portion, double *out)
{
    gb_status st;
    gb_group_means *m = NULL;
    const gb_group_means_settings how = {
        .evolution = {.value = 1}, .observation = {.value = 2}, .level_precision = 0.5};
    const double *psi = portion->n_docs == 0 ? NULL : l->x + portion->first_doc * FEW;
    GB_TRY(gb_group_means_create(&m, l->graph, portion, portion->n_docs, l->group_of + portion->first_doc, FEW, &how,
                                 1, NULL));
    GB_TRY(gb_group_means_draw(m, psi, NULL, gb_key_make(3, 3), 1, NULL));
    memcpy(out, m->mean, sizeof(double[MANY_GROUPS][FEW]));
done:
    gb_group_means_free(m);
    return st;
}

static void run_large(gb_team *team, void *context)
{
    gb_status st;
    large *l = context;
    const size_t rank = gb_team_rank(team);
    static const double zero[MANY_TOPICS];
    uint64_t start[MOST_PARTS + 1];
    const gb_portion portion = portion_of(l->layout, team, start);
    const gb_deviations in = {.q = MANY_TOPICS,
                              .n = portion.n_docs,
                              .x = l->x + portion.first_doc * MANY_TOPICS,
                              .mean = zero,
                              .n_threads = l->layout->n_threads,
                              .isa = gb_isa_best(),
                              .portion = &portion};
    GB_TRY(gb_scatter(&in, l->scatter[rank], NULL));
    GB_TRY(draw_many_means(l, &portion, l->mean[rank]));
done:
    l->status[rank] = st;
}

/* A number of the scatter matrix, as it is defined. */
static double scatter_at(const double *x, size_t i, size_t j)
{
    double sum = 0;
    for (size_t p = 0; p < MOST_PARTS; p++) {
        double of_part = 0;
        for (uint64_t d = four_parts[p]; d < four_parts[p + 1]; d++)
            of_part += x[d * MANY_TOPICS + i] * x[d * MANY_TOPICS + j];
        sum += of_part;
    }
    return sum;
}

static void *make(size_t n, size_t size)
{
    void *p = NULL;
    assert_int_equal(gb_alloc(&p, n, size, "a test", NULL), GB_OK);
    return p;
}

static void many_groups_and_topics_are_put_together_piece_by_piece(void **state)
{
    (void)state;
    static const layout alone = {4, 1, {4}, 2}, ranks = {4, 3, {1, 1, 4}, 1};
    double *x = make(DOCS * MANY_TOPICS, sizeof *x);
    uint32_t *group_of = make(DOCS, sizeof *group_of);
    gb_graph *graph = NULL;
    gb_random r = gb_random_open(gb_key_make(9, 0), 0, GB_DRAW_TEST, 0);
    for (size_t i = 0; i < (size_t)DOCS * MANY_TOPICS; i++)
        x[i] = gb_random_normal(&r);
    for (size_t d = 0; d < DOCS; d++)
        group_of[d] = d % 3 == 0 ? MANY_GROUPS - 1 : (uint32_t)gb_random_below(&r, MANY_GROUPS);
    assert_int_equal(gb_graph_create(&graph, MANY_GROUPS, 0, NULL, 0, NULL, NULL), GB_OK);
    large l[2] = {{x, group_of, graph, &alone, {0}, {0}, {0}}, {x, group_of, graph, &ranks, {0}, {0}, {0}}};
    for (size_t i = 0; i < 2; i++) {
        for (size_t rank = 0; rank < l[i].layout->n_ranks; rank++) {
            l[i].scatter[rank] = make(MANY_TOPICS, sizeof(double[MANY_TOPICS]));
            l[i].mean[rank] = make(MANY_GROUPS, sizeof(double[FEW]));
        }
        assert_int_equal(fake_team_run(l[i].layout->n_ranks, NULL, run_large, &l[i]).error.status, GB_OK);
    }
    for (size_t i = 0; i < MANY_TOPICS; i += 57)
        for (size_t j = 0; j < MANY_TOPICS; j += 39)
            assert_true(l[0].scatter[0][i * MANY_TOPICS + j] == scatter_at(x, i, j));
    for (size_t rank = 0; rank < ranks.n_ranks; rank++) {
        assert_int_equal(l[1].status[rank], GB_OK);
        assert_memory_equal(l[1].scatter[rank], l[0].scatter[0], sizeof(double[MANY_TOPICS][MANY_TOPICS]));
        assert_memory_equal(l[1].mean[rank], l[0].mean[0], sizeof(double[MANY_GROUPS][FEW]));
    }
    for (size_t i = 0; i < 2; i++)
        for (size_t rank = 0; rank < MOST_RANKS; rank++) {
            gb_free(l[i].scatter[rank]);
            gb_free(l[i].mean[rank]);
        }
    gb_graph_free(graph);
    gb_free(group_of);
    gb_free(x);
}

static void a_rank_that_fails_ends_the_update_of_all(void **state)
{
    (void)state;
    sample *s = make_sample();
    static const layout l = {4, 3, {1, 1, 4}, 1};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        gb_prior_setup setup;
        outcome *out = make_outcome();
        make_setup(&settings[i], s, &setup);
        job j = {.sample = s, .setup = &setup, .layout = &l, .first_sweep = 2, .out = out};
        const uint64_t n_calls = fake_team_run(l.n_ranks, NULL, run, &j).n_calls;
        assert_true(n_calls > 0);
        for (uint64_t call = 1; call <= n_calls; call += 1 + n_calls / 7) {
            const fake_trouble trouble = {.failing_rank = call % l.n_ranks, .failing_call = call};
            const fake_report report = fake_team_run(l.n_ranks, &trouble, run, &j);
            assert_int_equal(report.error.status, GB_ERANK);
            assert_int_equal(report.n_open, 0);
            for (size_t r = 0; r < l.n_ranks; r++)
                assert_int_equal(out->status[r], GB_ERANK);
        }
        gb_free(out);
        gb_prior_setup_clear(&setup);
    }
    gb_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_has_the_same_bits),
        cmocka_unit_test(many_groups_and_topics_are_put_together_piece_by_piece),
        cmocka_unit_test(a_rank_that_fails_ends_the_update_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
