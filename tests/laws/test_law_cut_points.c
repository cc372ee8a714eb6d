/* Cut points of the ordinal response against their law given scores and levels, coded here from the model alone: N(0, 25)
 * numbers in ascending order, and P(y | s, c) = Phi(c_y - s) - Phi(c_{y-1} - s). */
#include "helper_laws.h"
#include "response/response.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N_DOCS = 7, STRIDE = 2 };

static const double score[N_DOCS * STRIDE] = {9, -0.8, 9, 0.3, 9, 1.4, 9, -0.2, 9, 2.2, 9, 0.9, 9, -1.5};
static const double two[N_DOCS * STRIDE] = {9, 1, 9, 2, 9, 2, 9, NAN, 9, 2, 9, 1, 9, 1},
                                 three[N_DOCS * STRIDE] = {9, 1, 9, 2, 9, 3, 9, 1, 9, 3, 9, NAN, 9, 2};

static double phi(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

enum { MOST_LEVELS = 5 };

/* Documents by their level, as a chain has them. */
typedef struct levels {
    uint64_t order[N_DOCS], start[MOST_LEVELS + 1];
} levels;

static gb_scored_targets targets_of(const double *y, size_t n_levels, levels *room)
{
    gb_sort_by_level(N_DOCS, STRIDE, y + 1, n_levels, room->order, room->start);
    return (gb_scored_targets){.n_docs = N_DOCS,
                               .stride = STRIDE,
                               .y = y + 1,
                               .score = score + 1,
                               .by_level = room->order,
                               .level_start = room->start};
}

static double likelihood(const double *y, double low, double high)
{
    double product = 1;
    for (size_t d = 0; d < N_DOCS; d++) {
        const double level = y[d * STRIDE + 1], s = score[d * STRIDE + 1];
        if (!isnan(level))
            product *= level == 1 ? phi(low - s) : level == 2 ? phi(high - s) - phi(low - s) : 1 - phi(high - s);
    }
    return product;
}

static law_table make_table(void)
{
    return law_table_make(-20, 40, 1600);
}

static double prior(double c)
{
    return exp(-c * c / 50);
}

/* One step from an exact draw gives an exact draw; many steps from far away give one too. */
static void one_cut_point_has_its_law(void **state)
{
    (void)state;
    levels room;
    const gb_scored_targets targets = targets_of(two, 2, &room);
    law_table law = make_table();
    double *x = law_room(LAW_DRAWS);
    for (size_t i = 0; i < law.n; i++) {
        const double c = law_table_point(&law, i);
        law.cdf[i] = prior(c) * likelihood(two, c, INFINITY);
    }
    law_table_add_up(&law);
    for (int from_far = 0; from_far < 2; from_far++) {
        gb_random r = law_stream(400 + (uint64_t)from_far);
        const size_t n = from_far ? LAW_DRAWS / 20 : LAW_DRAWS;
        for (size_t i = 0; i < n; i++) {
            double cut = from_far ? 30 : law_table_quantile(&law, gb_random_uniform(&r));
            const gb_response response = {.ops = &gb_response_ordinal, .n_levels = 2, .own = &cut, .n_own = 1};
            for (size_t step = 0; step < (from_far ? 30 : 1); step++)
                response.ops->own->draw(&response, &targets, &r, &cut, NULL);
            x[i] = cut;
        }
        law_check_cdf("a cut point", n, x, law_table_cdf, &law);
    }
    free(x);
    free(law.cdf);
}

static void two_cut_points_have_their_law(void **state)
{
    (void)state;
    levels room;
    const gb_scored_targets targets = targets_of(three, 3, &room);
    law_table lower = make_table(), upper = make_table();
    double *x = law_room(LAW_DRAWS), *y = law_room(LAW_DRAWS);
    for (size_t i = 0; i < lower.n; i++) {
        for (size_t j = i + 1; j < lower.n; j++) {
            const double c = law_table_point(&lower, i), d = law_table_point(&lower, j);
            const double density = prior(c) * prior(d) * likelihood(three, c, d);
            lower.cdf[i] += density;
            upper.cdf[j] += density;
        }
    }
    law_table_add_up(&lower);
    law_table_add_up(&upper);
    gb_random r = law_stream(410);
    const size_t n = LAW_DRAWS / 10;
    for (size_t i = 0; i < n; i++) {
        double cut[2] = {-8, 15};
        const gb_response response = {.ops = &gb_response_ordinal, .n_levels = 3, .own = cut, .n_own = 2};
        for (size_t step = 0; step < 40; step++)
            response.ops->own->draw(&response, &targets, &r, cut, NULL);
        x[i] = cut[0];
        y[i] = cut[1];
    }
    law_check_cdf("the lower cut point", n, x, law_table_cdf, &lower);
    law_check_cdf("the upper cut point", n, y, law_table_cdf, &upper);
    free(lower.cdf);
    free(upper.cdf);
    free(x);
    free(y);
}

/* P(smallest of three <= x) = 1 - (1 - F(x))^3. */
static double smallest_cdf(double x, const void *unused)
{
    (void)unused;
    return 1 - pow(1 - phi(x / 5), 3);
}

static double middle_cdf(double x, const void *unused)
{
    (void)unused;
    const double p = phi(x / 5);
    return p * p * (3 - 2 * p);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* An exact draw of the prior, and one step. */
static void cut_points_without_documents_keep_their_prior(void **state)
{
    (void)state;
    static const uint64_t empty[5] = {0};
    const gb_scored_targets none = {.n_docs = 1,
                                    .stride = 1,
                                    .y = &(double){NAN},
                                    .score = &(double){0},
                                    .by_level = empty,
                                    .level_start = empty};
    double *x = law_room(LAW_DRAWS), *y = law_room(LAW_DRAWS);
    gb_random r = law_stream(420);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        double cut[3] = {5 * gb_random_normal(&r), 5 * gb_random_normal(&r), 5 * gb_random_normal(&r)};
        qsort(cut, 3, sizeof *cut, ascending);
        const gb_response response = {.ops = &gb_response_ordinal, .n_levels = 4, .own = cut, .n_own = 3};
        response.ops->own->draw(&response, &none, &r, cut, NULL);
        assert_true(cut[0] < cut[1] && cut[1] < cut[2]);
        x[i] = cut[0];
        y[i] = cut[1];
    }
    law_check_cdf("the lowest of three cut points, prior", LAW_DRAWS, x, smallest_cdf, NULL);
    law_check_cdf("the middle one of three cut points, prior", LAW_DRAWS, y, middle_cdf, NULL);
    free(x);
    free(y);
}

/* log_own is that density: 3! times the product, up to nothing. */
static void log_own_is_the_density_of_the_prior(void **state)
{
    (void)state;
    const double cut[3] = {-3.1, 0.2, 7.5};
    const gb_response response = {.ops = &gb_response_ordinal, .n_levels = 4, .own = cut, .n_own = 3};
    double density = 6;
    for (size_t i = 0; i < 3; i++)
        density *= exp(-cut[i] * cut[i] / 50) / sqrt(2 * M_PI * 25);
    assert_true(fabs(exp(response.ops->own->log_density(&response)) / density - 1) < 1e-12);
}

/* Levels drawn for a score have the probabilities that are stated, which add up to 1. */
static void new_levels_have_their_stated_law(void **state)
{
    (void)state;
    const double cut[3] = {-1.1, 0.3, 2.5};
    const gb_response response = {.ops = &gb_response_ordinal, .n_levels = 4, .own = cut, .n_own = 3};
    for (double s = -4; s <= 4; s += 1.6) {
        double count[4] = {0}, p[4], sum = 0;
        gb_random r = law_stream(430 + (uint64_t)(s + 4));
        for (size_t i = 0; i < LAW_DRAWS; i++)
            count[(size_t)response.ops->simulate(&response, s, &r) - 1]++;
        for (size_t level = 1; level <= 4; level++) {
            p[level - 1] = response.ops->level_probability(&response, level, s, 0);
            assert_true(fabs(log(p[level - 1]) - response.ops->log_likelihood(&response, (double)level, s)) < 1e-12);
            sum += p[level - 1];
        }
        assert_true(fabs(sum - 1) < 1e-12);
        law_check_counts("levels", 4, count, p);
        const size_t likely = gb_response_likely_level(&response, s);
        for (size_t level = 1; level <= 4; level++)
            assert_true(p[level - 1] <= p[likely - 1]);
    }
}

/* Levels without documents, all documents in one level, scores far out: ascending finite numbers for ever. */
static void cut_points_stay_in_order(void **state)
{
    (void)state;
    static const double y[][4] = {{3, 3, 3, 3}, {1, 5, 1, 5}, {NAN, NAN, NAN, 2}, {5, 4, 2, 1}};
    static const double far[][4] = {{0, 0, 0, 0}, {-500, 500, -400, 600}, {0, 0, 0, 80}, {-90, -30, 30, 90}};
    gb_random r = law_stream(440);
    for (size_t i = 0; i < 4; i++) {
        double cut[4] = {-1.5, -0.5, 0.5, 1.5};
        const gb_response response = {.ops = &gb_response_ordinal, .n_levels = 5, .own = cut, .n_own = 4};
        levels room;
        gb_sort_by_level(4, 1, y[i], 5, room.order, room.start);
        const gb_scored_targets targets = {
            .n_docs = 4, .stride = 1, .y = y[i], .score = far[i], .by_level = room.order, .level_start = room.start};
        for (size_t sweep = 0; sweep < 2000; sweep++) {
            response.ops->own->draw(&response, &targets, &r, cut, NULL);
            assert_null(gb_response_own_fault(&response));
            assert_true(isfinite(response.ops->own->log_density(&response)));
        }
    }
}

static void documents_are_sorted_by_level_in_their_order(void **state)
{
    (void)state;
    levels room;
    (void)targets_of(three, 4, &room);
    static const uint64_t order[] = {0, 3, 1, 6, 2, 4}, start[] = {0, 2, 4, 6, 6};
    assert_memory_equal(room.order, order, sizeof order);
    assert_memory_equal(room.start, start, sizeof start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_sorted_by_level_in_their_order),
        cmocka_unit_test(one_cut_point_has_its_law),
        cmocka_unit_test(two_cut_points_have_their_law),
        cmocka_unit_test(cut_points_without_documents_keep_their_prior),
        cmocka_unit_test(log_own_is_the_density_of_the_prior),
        cmocka_unit_test(new_levels_have_their_stated_law),
        cmocka_unit_test(cut_points_stay_in_order),
    };
    return cmocka_run_group_tests_name("cut points", tests, NULL, NULL);
}
