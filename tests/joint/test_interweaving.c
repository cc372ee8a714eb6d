/* Redraws that move log weights together with what governs them leave the joint law alone: precisions, means, log weights and
 * topics are drawn from their prior, one redraw is made, and no function of the state may have another expectation than
 * before.  Differences are paired, so a small bias shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "prior/psi_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCS = 7, TOKENS = 38, MOST_TOPICS = 4, GROUPS = 5, MOST_FUNCTIONS = 40, N_DRAWS = 20000 };
static const uint64_t start[DOCS + 1] = {0, 0, 1, 4, 12, 16, 36, TOKENS};
/* 0 - 1 - 2 with nobody in 1, 3 alone, 4 alone and empty */
static const uint32_t group_of[DOCS] = {0, 0, 2, 2, 3, 3, 0};
static const gb_new_edge edges[] = {{0, 1, 0, 1}, {1, 2, 0, 1.5}, {0, 2, 1, 0.5}};

typedef struct world {
    gb_prior_setup setup;
    gb_psi_setup own;
    gb_prior prior;
    gb_proportions z;
    uint16_t topic[TOKENS];
    size_t n_free;
} world;

static void ok(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

static void make(world *w, size_t n_topics, size_t n_types, bool per_topic)
{
    gb_error err = {.status = GB_OK};
    gb_new_edge copy[3];
    const size_t n_edges = n_types == 2 ? 3 : n_types == 1 ? 2 : 0;
    memcpy(copy, edges, sizeof copy);
    memset(w, 0, sizeof *w);
    w->n_free = n_topics - 1;
    w->own = (gb_psi_setup){.update = GB_PSI_AUTO, .n_groups = GROUPS, .n_types = n_types};
    w->own.means = (gb_group_means_settings){.evolution = {.value = 1, .shape = 3, .rate = 2},
                                             .observation = {.value = 1, .shape = 3, .rate = 2},
                                             .level_precision = 0.7,
                                             .level_mean = -0.6,
                                             .per_topic = per_topic};
    ok(gb_graph_create(&w->own.graph, GROUPS, n_types, (const char *const[]){"road", "rail"}, n_edges, copy, &err),
       &err);
    ok(gb_alloc(&w->own.group_of, DOCS, sizeof(uint32_t), "groups", &err), &err);
    memcpy(w->own.group_of, group_of, sizeof group_of);
    w->setup = (gb_prior_setup){.ops = &gb_prior_graph, .n_topics = n_topics, .own = &w->own};
    ok(gb_psi_start(&w->setup, &err), &err);
    ok(gb_prior_create(&w->prior, &w->setup, NULL, NULL, DOCS, 1, gb_isa_best(), &err), &err);
    ok(gb_proportions_create(&w->z, DOCS, n_topics, start, 1, &err), &err);
}

static void clear(world *w)
{
    gb_proportions_clear(&w->z);
    gb_prior_clear(&w->prior);
    gb_prior_values_clear(&w->setup.start);
    gb_graph_free(w->own.graph);
    gb_free(w->own.group_of);
}

static void copy_to_values(world *w)
{
    const gb_psi_state *s = w->prior.state;
    gb_prior_table *table = w->prior.values.table;
    memcpy(table[GB_PSI_MEAN].value, s->means->mean, GROUPS * w->n_free * sizeof(double));
    memcpy(table[GB_PSI_SPREAD].value, s->means->observation, s->means->n_sets * sizeof(double));
    if (w->own.n_types > 0)
        memcpy(table[GB_PSI_EVOLUTION].value, s->means->evolution,
               s->means->n_sets * w->own.n_types * sizeof(double));
}

/* Everything from the prior. */
static void draw_world(world *w, uint32_t number)
{
    gb_error err = {.status = GB_OK};
    gb_psi_state *s = w->prior.state;
    const gb_key key = gb_key_make(4711, 0);
    double weight[MOST_TOPICS];
    gb_random random = gb_random_open(key, number, GB_DRAW_TEST, 0);
    gb_group_means_draw_precisions_prior(s->means, key, 2 * number);
    ok(gb_group_means_draw_prior(s->means, NULL, key, 2 * number, &err), &err);
    copy_to_values(w);
    ok(gb_psi_set_law(&w->prior, &err), &err);
    for (size_t d = 0; d < DOCS; d++) {
        gb_psi_draw(&s->law, &random, group_of[d], s->psi + d * w->n_free);
        gb_psi_weights(&s->law, s->psi + d * w->n_free, w->prior.isa, weight);
        memcpy(s->weight + d * (w->n_free + 1), weight, (w->n_free + 1) * sizeof *weight);
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            w->topic[i] = (uint16_t)gb_random_categorical(&random, w->n_free + 1, weight);
    }
    ok(gb_proportions_count(&w->z, w->topic, &err), &err);
}

static size_t functions(const world *w, double *x)
{
    const gb_psi_state *s = w->prior.state;
    size_t n = 0;
    double square = 0, with_tokens = 0, spread = 0;
    for (size_t i = 0; i < s->means->n_sets; i++)
        x[n++] = log(s->means->observation[i]);
    for (size_t g = 0; g < GROUPS; g++) {
        const double mean = tanh(s->means->mean[g * w->n_free]);
        x[n++] = mean;
        x[n++] = mean * tanh(s->means->mean[(g + 2) % GROUPS * w->n_free + w->n_free - 1]);
        x[n++] = mean * mean;
    }
    for (size_t d = 0; d < DOCS; d++) {
        const double *psi = s->psi + d * w->n_free, *mean = s->means->mean + group_of[d] * w->n_free;
        double share = 0;
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            share += (w->topic[i] == 0) / (double)(start[d + 1] - start[d]);
        x[n++] = tanh(psi[0]);
        with_tokens += share * tanh(psi[0]) - share * tanh(psi[w->n_free - 1]);
        for (size_t t = 0; t < w->n_free; t++) {
            square += log1p(psi[t] * psi[t]);
            spread += log(fabs(psi[t] - mean[t]));
        }
    }
    x[n++] = with_tokens;
    x[n++] = square;
    x[n++] = spread;
    x[n++] = spread * log(s->means->observation[0]);
    x[n++] = log(s->means->observation[0]) * with_tokens;
    return n;
}

static void shift(world *w, uint32_t sweep)
{
    gb_error err = {.status = GB_OK};
    gb_psi_state *s = w->prior.state;
    ok(gb_group_means_shift(s->means, &w->z, s->psi, s->weight, gb_key_make(1234, 0), sweep, &err), &err);
}

static void spread(world *w, uint32_t number)
{
    gb_error err = {.status = GB_OK};
    const gb_prior_sweep sweep = {.z = &w->z, .topic = w->topic, .key = gb_key_make(1234, 0), .sweep = number};
    ok(gb_psi_redraw_spread(&w->prior, &sweep, &err), &err);
}

/* A whole update of the first sweep: there are more of them than in others. */
static void update_first(world *w, uint32_t number)
{
    gb_error err = {.status = GB_OK};
    const gb_prior_sweep sweep = {.z = &w->z, .topic = w->topic, .key = gb_key_make(1234, number), .sweep = 1};
    ok(gb_psi_update_prior(&w->prior, &sweep, &err), &err);
}

static void check(void (*redraw)(world *w, uint32_t sweep), size_t n_topics, size_t n_types, bool per_topic,
                  uint32_t n_draws)
{
    world w;
    double before[MOST_FUNCTIONS], after[MOST_FUNCTIONS], sum[MOST_FUNCTIONS] = {0}, squares[MOST_FUNCTIONS] = {0};
    size_t n = 0, n_moved = 0;
    make(&w, n_topics, n_types, per_topic);
    for (uint32_t i = 1; i <= n_draws; i++) {
        draw_world(&w, i);
        functions(&w, before);
        redraw(&w, i);
        n = functions(&w, after);
        for (size_t f = 0; f < n; f++) {
            const double change = after[f] - before[f];
            sum[f] += change;
            squares[f] += change * change;
        }
    }
    for (size_t f = 0; f < n; f++) {
        const double z = squares[f] > 0 ? sum[f] / sqrt(squares[f]) : 0;
        if (getenv("GIBBOUS_TABLE_VERBOSE") != NULL)
            print_message("function %zu: z %.2f, mean square of changes %.3g\n", f, z, squares[f] / n_draws);
        n_moved += squares[f] > 0;
        if (!(fabs(z) < 4.5))
            fail_msg("function %zu: z = %.2f", f, z);
    }
    assert_true(n_moved >= 10);
    clear(&w);
}

static void means_that_take_log_weights_along_keep_the_law(void **state)
{
    (void)state;
    check(shift, 3, 1, false, N_DRAWS);
    check(shift, 2, 2, false, N_DRAWS);
    check(shift, 4, 0, true, N_DRAWS);
}

static void precisions_that_take_log_weights_along_keep_the_law(void **state)
{
    (void)state;
    check(spread, 3, 1, false, N_DRAWS);
    check(spread, 2, 2, false, N_DRAWS);
    check(spread, 4, 0, true, N_DRAWS);
}

static void the_updates_of_the_first_sweep_keep_the_law(void **state)
{
    (void)state;
    check(update_first, 3, 1, false, N_DRAWS / 5);
}

/* The mean log precision after the first sweep from this one, and its standard error, given the same topics. */
static double mean_after_first_sweep(world *w, double precision, double *error)
{
    enum { RUNS = 2000 };
    gb_error err = {.status = GB_OK};
    double sum = 0, squares = 0;
    for (uint32_t i = 1; i <= RUNS; i++) {
        const gb_prior_sweep begin = {.z = &w->z, .topic = w->topic, .key = gb_key_make(99, i)};
        ok(gb_psi_adopt_start(&w->prior, &begin, &err), &err);
        w->prior.values.table[GB_PSI_SPREAD].value[0] = precision;
        ok(gb_prior_restore(&w->prior, &err), &err);
        update_first(w, i);
        const double x = log(((const gb_psi_state *)w->prior.state)->means->observation[0]);
        sum += x / RUNS;
        squares += x * x / RUNS;
    }
    *error = sqrt((squares - sum * sum) / RUNS);
    return sum;
}

static void after_the_first_sweep_the_precision_does_not_remember_where_it_began(void **state)
{
    (void)state;
    world w;
    double error[2];
    make(&w, 3, 1, false);
    draw_world(&w, 3);
    const double low = mean_after_first_sweep(&w, 0.001, &error[0]),
                 high = mean_after_first_sweep(&w, 1000, &error[1]);
    const double z = (low - high) / hypot(error[0], error[1]);
    if (!(fabs(z) < 4.5)) /* of 13.8 in the beginning */
        fail_msg("%.3f from below, %.3f from above: z = %.2f", low, high, z);
    clear(&w);
}

/* Weights are kept up to a factor of each document while means move. */
static void weights_follow_log_weights(void **state)
{
    (void)state;
    world w;
    double weight[MOST_TOPICS];
    make(&w, 4, 1, false);
    const gb_psi_state *s = w.prior.state;
    for (uint32_t i = 1; i <= 20; i++) {
        draw_world(&w, i);
        shift(&w, i);
        for (size_t d = 0; d < DOCS; d++) {
            gb_psi_weights(&s->law, s->psi + d * w.n_free, w.prior.isa, weight);
            const double *kept = s->weight + d * (w.n_free + 1);
            for (size_t k = 0; k <= w.n_free; k++)
                assert_true(fabs(kept[k] / kept[0] - weight[k] / weight[0]) < 1e-12 * weight[k] / weight[0]);
        }
    }
    clear(&w);
}

static void white_log_weights_come_back_as_they_were(void **state)
{
    (void)state;
    world w;
    double psi[DOCS * (MOST_TOPICS - 1)], e[DOCS * (MOST_TOPICS - 1)];
    make(&w, 4, 1, false);
    gb_psi_state *s = w.prior.state;
    draw_world(&w, 1);
    memcpy(psi, s->psi, sizeof psi);
    memcpy(e, psi, sizeof e);
    gb_psi_whiten(&s->law, w.prior.isa, &w.z, 0, DOCS, e, s->scratch);
    (void)gb_psi_unwhiten(&s->law, w.prior.isa, &w.z, 0, DOCS, e, s->psi, s->scratch);
    for (size_t i = 0; i < DOCS * w.n_free; i++)
        assert_true(fabs(s->psi[i] - psi[i]) < 1e-12); /* rounding: the same mode and root, there and back */
    clear(&w);
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    world w;
    double e[GB_N_ISAS][DOCS * (MOST_TOPICS - 1)], density[GB_N_ISAS];
    make(&w, 4, 1, false);
    const gb_psi_state *s = w.prior.state;
    draw_world(&w, 1);
    for (gb_isa isa = GB_ISA_PLAIN; isa < GB_N_ISAS; isa++) {
        const gb_isa used = gb_isa_available(isa) ? isa : GB_ISA_PLAIN;
        memcpy(e[isa], s->psi, sizeof e[isa]);
        gb_psi_whiten(&s->law, used, &w.z, 0, DOCS, e[isa], s->scratch);
        density[isa] = gb_psi_unwhiten(&s->law, used, &w.z, 0, DOCS, e[isa], NULL, s->scratch);
        assert_memory_equal(e[isa], e[0], sizeof e[0]);
        assert_true(density[isa] == density[0]);
    }
    clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_that_take_log_weights_along_keep_the_law),
        cmocka_unit_test(precisions_that_take_log_weights_along_keep_the_law),
        cmocka_unit_test(the_updates_of_the_first_sweep_keep_the_law),
        cmocka_unit_test(after_the_first_sweep_the_precision_does_not_remember_where_it_began),
        cmocka_unit_test(weights_follow_log_weights),
        cmocka_unit_test(white_log_weights_come_back_as_they_were),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests_name("interweaving", tests, NULL, NULL);
}
