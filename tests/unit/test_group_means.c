/* The field of group means against dense matrices: draws, precisions, densities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "prior/group_means.h"

#include <math.h>
#include <string.h>

/* Four components: a cycle with parallel edges whose group 4 is empty; group 1 alone; group 3 alone and empty; 5 - 7 - 8
 * all empty. */
enum { G = 9, N_EDGES = 8, N_DOCS = 7, TYPES = 2, COMPONENTS = 4 };
static const gb_new_edge edges[N_EDGES] = {{0, 2, 0, 1},   {2, 4, 0, 2},   {4, 6, 1, 0.5}, {6, 0, 1, 1.5},
                                           {0, 2, 1, 0.7}, {2, 0, 0, 0.3}, {5, 7, 0, 1},   {8, 7, 1, 3}};
static const uint32_t group_of[N_DOCS] = {0, 1, 0, 2, 6, 1, 0};
static const uint32_t component_of[G] = {0, 1, 0, 2, 0, 3, 0, 3, 3};
static const uint32_t component_size[COMPONENTS] = {4, 1, 1, 3};

static gb_graph *make_graph(size_t n_types)
{
    gb_graph *graph = NULL;
    gb_new_edge copy[N_EDGES];
    memcpy(copy, edges, sizeof copy);
    for (size_t e = 0; e < N_EDGES; e++)
        copy[e].type %= (uint32_t)n_types;
    assert_int_equal(gb_graph_create(&graph, G, n_types, (const char *const[]){"road", "rail"}, N_EDGES, copy, NULL),
                     GB_OK);
    return graph;
}

static const gb_group_means_settings settings = {.evolution = {.value = 1.3, .shape = 2, .rate = 0.5},
                                                 .observation = {.value = 0.8, .shape = 3, .rate = 1},
                                                 .level_precision = 0.4,
                                                 .level_mean = -0.7};

static gb_group_means *make_means(const gb_graph *graph, size_t n_free, const gb_group_means_settings *s)
{
    gb_group_means *m = NULL;
    assert_int_equal(gb_group_means_create(&m, graph, NULL, N_DOCS, group_of, n_free, s, 1, NULL), GB_OK);
    return m;
}

/* Some number between -2 and 2 that looks random. */
static double some(size_t i)
{
    return 4 * fmod((double)(i + 1) * 0.6180339887498949, 1) - 2;
}

static void fill(double *x, size_t n, size_t from)
{
    for (size_t i = 0; i < n; i++)
        x[i] = some(from + i);
}

/* ---- dense matrices ------------------------------------------------------------------------------------ */

/* sum_r k_r Lap_r of edges as they were given, type modulo n_types. */
static void dense_laplacian(size_t n_types, const double *k, double q[G][G])
{
    memset(q, 0, sizeof(double[G][G]));
    for (size_t e = 0; e < N_EDGES; e++) {
        const double w = k[edges[e].type % n_types] * edges[e].weight;
        const uint32_t a = edges[e].from, b = edges[e].to;
        q[a][a] += w;
        q[b][b] += w;
        q[a][b] -= w;
        q[b][a] -= w;
    }
}

static void add_level(double k0, double q[G][G])
{
    for (size_t i = 0; i < G; i++)
        for (size_t j = 0; j < G; j++)
            if (component_of[i] == component_of[j])
                q[i][j] += k0 / (component_size[component_of[i]] * component_size[component_of[j]]);
}

static void add_documents(double k_o, double q[G][G])
{
    for (size_t d = 0; d < N_DOCS; d++)
        q[group_of[d]][group_of[d]] += k_o;
}

/* Inverse and log determinant by Gauss and Jordan; q is positive definite. */
static double invert(size_t n, double *q, double *inverse)
{
    double log_determinant = 0;
    for (size_t i = 0; i < n * n; i++)
        inverse[i] = i % (n + 1) == 0;
    for (size_t k = 0; k < n; k++) {
        const double pivot = q[k * n + k];
        log_determinant += log(pivot);
        for (size_t j = 0; j < n; j++) {
            q[k * n + j] /= pivot;
            inverse[k * n + j] /= pivot;
        }
        for (size_t i = 0; i < n; i++) {
            const double factor = q[i * n + k];
            for (size_t j = 0; j < n && i != k; j++) {
                q[i * n + j] -= factor * q[k * n + j];
                inverse[i * n + j] -= factor * inverse[k * n + j];
            }
        }
    }
    return log_determinant;
}

static void dense_covariance(size_t n_types, const double *k, double k_o, double inverse[G][G])
{
    double q[G][G];
    dense_laplacian(n_types, k, q);
    add_level(settings.level_precision, q);
    add_documents(k_o, q);
    (void)invert(G, &q[0][0], &inverse[0][0]);
}

/* ---- draws --------------------------------------------------------------------------------------------- */

enum { MANY_TOPICS = 11 };

/* Two draws with the same random numbers differ by Q^{-1} times the difference of what they are given. */
static void check_mean(bool per_topic)
{
    gb_graph *graph = make_graph(TYPES);
    gb_group_means_settings s = settings;
    s.per_topic = per_topic;
    gb_group_means *m = make_means(graph, MANY_TOPICS, &s);
    double psi[N_DOCS * MANY_TOPICS], zero[N_DOCS * MANY_TOPICS] = {0}, first[G * MANY_TOPICS], inverse[G][G];
    fill(psi, N_DOCS * MANY_TOPICS, 0);
    for (size_t i = 0; i < m->n_sets * TYPES; i++)
        m->evolution[i] = 2.5 + some(i + 50);
    for (size_t i = 0; i < m->n_sets; i++)
        m->observation[i] = 2.5 + some(i + 90);
    m->settings.level_mean = 0;
    assert_int_equal(gb_group_means_draw(m, zero, NULL, gb_key_make(1, 0), 3, NULL), GB_OK);
    memcpy(first, m->mean, sizeof first);
    m->settings.level_mean = settings.level_mean;
    assert_int_equal(gb_group_means_draw(m, psi, NULL, gb_key_make(1, 0), 3, NULL), GB_OK);
    for (size_t t = 0; t < MANY_TOPICS; t++) {
        const size_t set = per_topic ? t : 0;
        double h[G];
        dense_covariance(TYPES, m->evolution + set * TYPES, m->observation[set], inverse);
        for (size_t g = 0; g < G; g++)
            h[g] = settings.level_precision * settings.level_mean / component_size[component_of[g]];
        for (size_t d = 0; d < N_DOCS; d++)
            h[group_of[d]] += m->observation[set] * psi[d * MANY_TOPICS + t];
        for (size_t g = 0; g < G; g++) {
            double expected = 0;
            for (size_t i = 0; i < G; i++)
                expected += inverse[g][i] * h[i];
            assert_true(fabs(m->mean[g * MANY_TOPICS + t] - first[g * MANY_TOPICS + t] - expected) < 1e-12);
        }
    }
    gb_group_means_free(m);
    gb_graph_free(graph);
}

static void the_mean_solves_the_equations(void **unused)
{
    (void)unused;
    check_mean(false);
    check_mean(true);
}

/* Means and covariances of `n` vectors against zero mean and `inverse`, which have known standard errors. */
static void check_covariance(size_t n, const double sum[G], double product[G][G], double inverse[G][G])
{
    for (size_t i = 0; i < G; i++) {
        assert_true(fabs(sum[i] / (double)n) < 4.5 * sqrt(inverse[i][i] / (double)n));
        for (size_t j = 0; j < G; j++) {
            const double variance = inverse[i][i] * inverse[j][j] + inverse[i][j] * inverse[i][j];
            assert_true(fabs(product[i][j] / (double)n - inverse[i][j]) < 4.5 * sqrt(variance / (double)n));
        }
    }
}

/* From psi = 0 and level 0, or from the prior. */
static void check_noise(bool per_topic, bool from_prior)
{
    enum { SWEEPS = 4000 };
    gb_graph *graph = make_graph(TYPES);
    gb_group_means_settings s = settings;
    s.per_topic = per_topic;
    s.level_mean = 0;
    gb_group_means *m = make_means(graph, MANY_TOPICS, &s);
    double zero[N_DOCS * MANY_TOPICS] = {0}, inverse[G][G], sum[G] = {0}, product[G][G] = {{0}};
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
        assert_int_equal(from_prior ? gb_group_means_draw_prior(m, NULL, gb_key_make(5, 0), sweep, NULL)
                                    : gb_group_means_draw(m, zero, NULL, gb_key_make(5, 0), sweep, NULL),
                         GB_OK);
        for (size_t t = 0; t < MANY_TOPICS; t++)
            for (size_t i = 0; i < G; i++) {
                sum[i] += m->mean[i * MANY_TOPICS + t];
                for (size_t j = 0; j < G; j++)
                    product[i][j] += m->mean[i * MANY_TOPICS + t] * m->mean[j * MANY_TOPICS + t];
            }
    }
    dense_covariance(TYPES, m->evolution, from_prior ? 0 : settings.observation.value, inverse);
    check_covariance((size_t)SWEEPS * MANY_TOPICS, sum, product, inverse);
    gb_group_means_free(m);
    gb_graph_free(graph);
}

static void the_noise_has_the_stated_covariance(void **unused)
{
    (void)unused;
    check_noise(false, false);
    check_noise(true, false);
    check_noise(false, true);
}

/* ---- a covariance of the topics ------------------------------------------------------------------------ */

enum { Q = 3 };
static const double factor[Q * Q] = {1.2, 0, 0, -0.5, 0.8, 0, 0.3, 0.6, 1.1};

/* C of 2 x 2 is enough to see every element of Cov(vec M) = Sigma x Q^{-1}, taken at groups 0, 2 and 7. */
static void correlated_topics_have_a_matrix_normal_law(void **unused)
{
    (void)unused;
    enum { SWEEPS = 30000, PLACES = 3 };
    static const size_t place[PLACES] = {0, 2, 7};
    gb_graph *graph = make_graph(TYPES);
    gb_group_means_settings s = settings;
    s.level_mean = 0;
    gb_group_means *m = make_means(graph, Q, &s);
    double zero[N_DOCS * Q] = {0}, inverse[G][G], product[PLACES * Q][PLACES * Q] = {{0}}, x[PLACES * Q], sigma[Q][Q];
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
        assert_int_equal(gb_group_means_draw(m, zero, factor, gb_key_make(6, 0), sweep, NULL), GB_OK);
        for (size_t i = 0; i < PLACES * Q; i++)
            x[i] = m->mean[place[i / Q] * Q + i % Q];
        for (size_t i = 0; i < PLACES * Q; i++)
            for (size_t j = 0; j < PLACES * Q; j++)
                product[i][j] += x[i] * x[j];
    }
    for (size_t i = 0; i < Q; i++)
        for (size_t j = 0; j < Q; j++) {
            sigma[i][j] = 0;
            for (size_t k = 0; k < Q; k++)
                sigma[i][j] += factor[i * Q + k] * factor[j * Q + k];
        }
    dense_covariance(TYPES, m->evolution, 1, inverse); /* k_o is in Sigma */
    for (size_t i = 0; i < PLACES * Q; i++)
        for (size_t j = 0; j < PLACES * Q; j++) {
            const size_t a = place[i / Q], b = place[j / Q];
            const double expected = inverse[a][b] * sigma[i % Q][j % Q];
            const double variance =
                inverse[a][a] * sigma[i % Q][i % Q] * inverse[b][b] * sigma[j % Q][j % Q] + expected * expected;
            assert_true(fabs(product[i][j] / SWEEPS - expected) < 4.5 * sqrt(variance / SWEEPS));
        }
    gb_group_means_free(m);
    gb_graph_free(graph);
}

/* The mean Q^{-1} H does not depend on Sigma: it is that of k_o = 1 without a covariance. */
static void the_mean_of_correlated_topics(void **unused)
{
    (void)unused;
    gb_graph *graph = make_graph(TYPES);
    gb_group_means *m = make_means(graph, Q, &settings);
    double psi[N_DOCS * Q], zero[N_DOCS * Q] = {0}, difference[2][G * Q];
    fill(psi, N_DOCS * Q, 7);
    m->observation[0] = 1;
    for (int with = 0; with < 2; with++) {
        const double *c = with ? factor : NULL;
        m->settings.level_mean = 0;
        assert_int_equal(gb_group_means_draw(m, zero, c, gb_key_make(1, 0), 3, NULL), GB_OK);
        memcpy(difference[with], m->mean, sizeof difference[with]);
        m->settings.level_mean = settings.level_mean;
        assert_int_equal(gb_group_means_draw(m, psi, c, gb_key_make(1, 0), 3, NULL), GB_OK);
        for (size_t i = 0; i < (size_t)G * Q; i++)
            difference[with][i] = m->mean[i] - difference[with][i];
    }
    for (size_t i = 0; i < (size_t)G * Q; i++)
        assert_true(fabs(difference[0][i] - difference[1][i]) < 1e-12);
    gb_group_means_free(m);
    gb_graph_free(graph);
}

/* ---- densities ----------------------------------------------------------------------------------------- */

/* log N(m_t; m_0, P^{-1}) summed over topics, P = sum_r k_r Lap_r + k_0 sum_c u u': P times the constant m_0 is the level's
 * alone, so that (1) is a normal density with that mean. */
static double dense_log_density(size_t n_types, const double *k, size_t n_free, const double *mean)
{
    double p[G][G], copy[G][G], inverse[G][G], sum = 0;
    dense_laplacian(n_types, k, p);
    add_level(settings.level_precision, p);
    memcpy(copy, p, sizeof copy);
    const double log_determinant = invert(G, &copy[0][0], &inverse[0][0]);
    for (size_t t = 0; t < n_free; t++) {
        sum += log_determinant / 2 - G * log(2 * acos(-1)) / 2;
        for (size_t i = 0; i < G; i++)
            for (size_t j = 0; j < G; j++)
                sum -= p[i][j] * (mean[i * n_free + t] - settings.level_mean) *
                       (mean[j * n_free + t] - settings.level_mean) / 2;
    }
    return sum;
}

static void check_log_density(size_t n_types, bool per_topic)
{
    gb_graph *graph = make_graph(n_types);
    gb_group_means_settings s = settings;
    s.per_topic = per_topic;
    gb_group_means *m = make_means(graph, Q, &s);
    for (size_t state = 0; state < 20; state++) {
        double is = 0, expected = 0, column[G];
        fill(m->mean, (size_t)G * Q, 100 * state);
        for (size_t i = 0; i < m->n_sets * n_types; i++)
            m->evolution[i] = exp(some(1000 + 10 * state + i));
        assert_int_equal(gb_group_means_log_density(m, NULL, &is, NULL), GB_OK);
        for (size_t t = 0; t < Q; t++) {
            for (size_t g = 0; g < G; g++)
                column[g] = m->mean[g * Q + t];
            expected += dense_log_density(n_types, m->evolution + (per_topic ? t * n_types : 0), 1, column);
        }
        assert_true(fabs(is - expected) < 1e-10);
    }
    gb_group_means_free(m);
    gb_graph_free(graph);
}

static void the_density_is_that_of_the_dense_normal(void **unused)
{
    (void)unused;
    for (size_t n_types = 1; n_types <= TYPES; n_types++) {
        check_log_density(n_types, false);
        check_log_density(n_types, true);
    }
}

/* p(M) = p(M C'^{-1} without covariance) / |C|^G; the level is taken to zero, where C leaves it. */
static void the_density_with_a_covariance(void **unused)
{
    (void)unused;
    gb_graph *graph = make_graph(TYPES);
    gb_group_means_settings s = settings;
    s.level_mean = 0;
    gb_group_means *m = make_means(graph, Q, &s);
    double white[G * Q], with, without;
    fill(white, G * Q, 31);
    memset(m->mean, 0, sizeof white);
    for (size_t g = 0; g < G; g++)
        for (size_t i = 0; i < Q; i++)
            for (size_t j = 0; j < Q; j++)
                m->mean[g * Q + i] += factor[i * Q + j] * white[g * Q + j];
    assert_int_equal(gb_group_means_log_density(m, factor, &with, NULL), GB_OK);
    memcpy(m->mean, white, sizeof white);
    assert_int_equal(gb_group_means_log_density(m, NULL, &without, NULL), GB_OK);
    assert_true(fabs(with - (without - G * log(factor[0] * factor[4] * factor[8]))) < 1e-10);
    gb_group_means_free(m);
    gb_graph_free(graph);
}

static void the_scatter_is_the_sum_of_its_parts(void **unused)
{
    (void)unused;
    gb_graph *graph = make_graph(TYPES);
    gb_group_means *m = make_means(graph, MANY_TOPICS, &settings);
    double psi[N_DOCS * MANY_TOPICS], is[MANY_TOPICS * MANY_TOPICS], p[G][G];
    fill(psi, N_DOCS * MANY_TOPICS, 3);
    fill(m->mean, (size_t)G * MANY_TOPICS, 200);
    m->evolution[1] = 0.2;
    dense_laplacian(TYPES, m->evolution, p);
    add_level(settings.level_precision, p);
    assert_int_equal(gb_group_means_scatter(m, psi, is, NULL), GB_OK);
    for (size_t s = 0; s < MANY_TOPICS; s++)
        for (size_t t = 0; t < MANY_TOPICS; t++) {
            double expected = 0;
            for (size_t d = 0; d < N_DOCS; d++)
                expected += (psi[d * MANY_TOPICS + s] - m->mean[group_of[d] * MANY_TOPICS + s]) *
                            (psi[d * MANY_TOPICS + t] - m->mean[group_of[d] * MANY_TOPICS + t]);
            for (size_t i = 0; i < G; i++)
                for (size_t j = 0; j < G; j++)
                    expected += p[i][j] * (m->mean[i * MANY_TOPICS + s] - settings.level_mean) *
                                (m->mean[j * MANY_TOPICS + t] - settings.level_mean);
            if (s == t || t < s)
                assert_true(fabs(is[s * MANY_TOPICS + t] - expected) < 1e-10);
            else
                assert_true(is[s * MANY_TOPICS + t] == is[t * MANY_TOPICS + s]);
        }
    gb_group_means_free(m);
    gb_graph_free(graph);
}

/* ---- precisions ---------------------------------------------------------------------------------------- */

enum { GRID = 160, DRAWS = 20000, BATCH = 200 };

/* Point i of a grid of log precisions. */
static double grid_point(size_t i)
{
    return -5 + 8 * ((double)i + 0.5) / GRID;
}

/* What draws of two precisions are compared by. */
enum { N_FACTS = 5 };
static void facts_of(double k_first, double k_second, double fact[N_FACTS])
{
    fact[0] = log(k_first);
    fact[1] = log(k_second);
    fact[2] = fact[0] * fact[0];
    fact[3] = fact[1] * fact[1];
    fact[4] = fact[0] * fact[1];
}

static double log_gamma_law(const gb_precision *prior, double k)
{
    return (prior->shape - 1) * log(k) - prior->rate * k + log(k); /* the last for the grid of log k */
}

/* Their expectations given the means, from the dense joint density. */
static void expect_evolution(size_t n_types, const gb_group_means *m, double fact[N_FACTS])
{
    static double density[GRID][GRID];
    double total = 0, top = -INFINITY, at[N_FACTS];
    const size_t n_second = n_types == 1 ? 1 : GRID;
    memset(fact, 0, N_FACTS * sizeof fact[0]);
    for (size_t i = 0; i < GRID; i++)
        for (size_t j = 0; j < n_second; j++) {
            const double k[TYPES] = {exp(grid_point(i)), n_types == 1 ? 1 : exp(grid_point(j))};
            density[i][j] =
                dense_log_density(n_types, k, m->n_free, m->mean) + log_gamma_law(&m->settings.evolution, k[0]);
            density[i][j] += n_types == 1 ? 0 : log_gamma_law(&m->settings.evolution, k[1]);
            top = fmax(top, density[i][j]);
        }
    for (size_t i = 0; i < GRID; i++)
        for (size_t j = 0; j < n_second; j++) {
            const double p = exp(density[i][j] - top);
            facts_of(exp(grid_point(i)), n_types == 1 ? 1 : exp(grid_point(j)), at);
            total += p;
            for (size_t f = 0; f < N_FACTS; f++)
                fact[f] += p * at[f];
        }
    for (size_t f = 0; f < N_FACTS; f++)
        fact[f] /= total;
}

/* A chain of draws given fixed means, with standard errors by batches. */
static void check_evolution(const gb_graph *graph, gb_group_means *m, const double *psi, double expected[N_FACTS])
{
    double sum[N_FACTS] = {0}, square[N_FACTS] = {0}, batch[N_FACTS] = {0}, at[N_FACTS];
    for (uint32_t sweep = 0; sweep < DRAWS; sweep++) {
        assert_int_equal(gb_group_means_draw_precisions(m, psi, NULL, gb_key_make(9, 0), sweep, NULL), GB_OK);
        facts_of(m->evolution[0], graph->n_types == 1 ? 1 : m->evolution[1], at);
        for (size_t f = 0; f < N_FACTS; f++)
            batch[f] += at[f] / BATCH;
        if ((sweep + 1) % BATCH != 0)
            continue;
        for (size_t f = 0; f < N_FACTS; f++) {
            sum[f] += batch[f];
            square[f] += batch[f] * batch[f];
            batch[f] = 0;
        }
    }
    const double n = DRAWS / BATCH;
    for (size_t f = 0; f < N_FACTS; f++) {
        const double mean = sum[f] / n, error = sqrt(fmax(square[f] / n - mean * mean, 0) / (n - 1));
        assert_true(fabs(mean - expected[f]) <= 4 * error + 1e-12);
    }
}

static void check_evolution_types(size_t n_types)
{
    gb_graph *graph = make_graph(n_types);
    gb_group_means *m = make_means(graph, 2, &settings);
    double psi[N_DOCS * 2], expected[N_FACTS];
    fill(psi, N_DOCS * 2, 11);
    fill(m->mean, (size_t)G * 2, 300);
    expect_evolution(n_types, m, expected);
    check_evolution(graph, m, psi, expected);
    gb_group_means_free(m);
    gb_graph_free(graph);
}

static void evolution_precisions_follow_the_joint_density(void **unused)
{
    (void)unused;
    check_evolution_types(1); /* conjugate, rank G - ncc */
    check_evolution_types(2); /* a graph with cycles: slices */
}

/* On a forest the draws are conjugate: a Gamma law for each type, whatever the other. */
static void a_forest_is_conjugate(void **unused)
{
    (void)unused;
    gb_graph *graph = NULL;
    gb_new_edge list[] = {{0, 1, 0, 2}, {1, 2, 1, 1}, {2, 3, 1, 0.5}, {4, 5, 0, 1}};
    assert_int_equal(gb_graph_create(&graph, G, 2, (const char *const[]){"road", "rail"}, 4, list, NULL), GB_OK);
    assert_int_equal(graph->n_components, 5);
    gb_group_means *m = make_means(graph, 2, &settings);
    fill(m->mean, (size_t)G * 2, 300);
    double psi[N_DOCS * 2] = {0}, sum[2] = {0}, squares[2] = {0};
    for (size_t e = 0; e < 4; e++)
        for (size_t t = 0; t < 2; t++) {
            const double difference = m->mean[list[e].from * 2 + t] - m->mean[list[e].to * 2 + t];
            squares[list[e].type] += list[e].weight * difference * difference;
        }
    for (uint32_t sweep = 0; sweep < DRAWS; sweep++) {
        assert_int_equal(gb_group_means_draw_precisions(m, psi, NULL, gb_key_make(9, 0), sweep, NULL), GB_OK);
        sum[0] += m->evolution[0];
        sum[1] += m->evolution[1];
    }
    for (size_t r = 0; r < 2; r++) {
        const double shape = settings.evolution.shape + 2, rate = settings.evolution.rate + squares[r] / 2;
        assert_true(fabs(sum[r] / DRAWS - shape / rate) < 4 * sqrt(shape / DRAWS) / rate);
    }
    gb_group_means_free(m);
    gb_graph_free(graph);
}

static void the_observation_precision_has_its_gamma_law(void **unused)
{
    (void)unused;
    gb_graph *graph = make_graph(1);
    for (int per_topic = 0; per_topic < 2; per_topic++) {
        gb_group_means_settings s = settings;
        s.per_topic = per_topic;
        gb_group_means *m = make_means(graph, 2, &s);
        double psi[N_DOCS * 2], sum = 0, squares = 0;
        fill(psi, N_DOCS * 2, 11);
        fill(m->mean, (size_t)G * 2, 300);
        for (size_t d = 0; d < N_DOCS; d++)
            for (size_t t = 0; t < (per_topic ? 1 : 2); t++)
                squares += pow(psi[d * 2 + t] - m->mean[group_of[d] * 2 + t], 2);
        for (uint32_t sweep = 0; sweep < DRAWS; sweep++) {
            assert_int_equal(gb_group_means_draw_precisions(m, psi, NULL, gb_key_make(9, 0), sweep, NULL), GB_OK);
            sum += m->observation[0];
        }
        const double shape = s.observation.shape + (per_topic ? 0.5 : 1) * N_DOCS;
        const double rate = s.observation.rate + squares / 2;
        assert_true(fabs(sum / DRAWS - shape / rate) < 4 * sqrt(shape / DRAWS) / rate);
        gb_group_means_free(m);
    }
    gb_graph_free(graph);
}

static void fixed_precisions_stay(void **unused)
{
    (void)unused;
    gb_graph *graph = make_graph(TYPES);
    gb_group_means_settings s = settings;
    s.evolution.is_fixed = s.observation.is_fixed = true;
    gb_group_means *m = make_means(graph, 2, &s);
    double psi[N_DOCS * 2];
    fill(psi, N_DOCS * 2, 11);
    assert_int_equal(gb_group_means_draw_precisions(m, psi, NULL, gb_key_make(9, 0), 0, NULL), GB_OK);
    gb_group_means_draw_precisions_prior(m, gb_key_make(9, 0), 0);
    assert_true(m->evolution[0] == 1.3 && m->evolution[1] == 1.3 && m->observation[0] == 0.8);
    assert_true(gb_group_means_log_prior(m, true) == 0);
    gb_group_means_free(m);
    gb_graph_free(graph);
}

/* ---- the joint law ------------------------------------------------------------------------------------- */

/* log p(mu) + log p(psi | mu), up to what does not depend on mu. */
static double log_joint(gb_group_means *m, const double *psi)
{
    double sum;
    assert_int_equal(gb_group_means_log_density(m, NULL, &sum, NULL), GB_OK);
    for (size_t d = 0; d < N_DOCS; d++)
        for (size_t t = 0; t < Q; t++)
            sum -= m->observation[0] / 2 * pow(psi[d * Q + t] - m->mean[group_of[d] * Q + t], 2);
    return sum;
}

/* log N(mu; Q^{-1} h, Q^{-1}) without its constant, for the Q and h that the draws were checked with. */
static double log_conditional(const gb_group_means *m, const double *psi)
{
    double inverse[G][G], q[G][G], sum = 0;
    dense_covariance(TYPES, m->evolution, m->observation[0], inverse);
    dense_laplacian(TYPES, m->evolution, q);
    add_level(settings.level_precision, q);
    add_documents(m->observation[0], q);
    for (size_t t = 0; t < Q; t++) {
        double h[G], x[G];
        for (size_t g = 0; g < G; g++)
            h[g] = settings.level_precision * settings.level_mean / component_size[component_of[g]];
        for (size_t d = 0; d < N_DOCS; d++)
            h[group_of[d]] += m->observation[0] * psi[d * Q + t];
        for (size_t i = 0; i < G; i++) {
            x[i] = m->mean[i * Q + t];
            for (size_t j = 0; j < G; j++)
                x[i] -= inverse[i][j] * h[j];
        }
        for (size_t i = 0; i < G; i++)
            for (size_t j = 0; j < G; j++)
                sum -= x[i] * q[i][j] * x[j] / 2;
    }
    return sum;
}

static void the_ratio_of_joint_densities_is_that_of_the_conditional(void **unused)
{
    (void)unused;
    gb_graph *graph = make_graph(TYPES);
    gb_group_means *m = make_means(graph, Q, &settings);
    double psi[N_DOCS * Q], difference = 0;
    for (size_t state = 0; state < 20; state++) {
        fill(psi, N_DOCS * Q, 500);
        fill(m->mean, (size_t)G * Q, 37 * state);
        const double now = log_joint(m, psi) - log_conditional(m, psi);
        if (state > 0)
            assert_true(fabs(now - difference) < 1e-9);
        difference = now;
    }
    gb_group_means_free(m);
    gb_graph_free(graph);
}

/* What a state is compared by: functions without heavy tails of precisions, means and their differences. */
enum { N_STATE_FACTS = 8 };
static void describe_state(const gb_group_means *m, double fact[N_STATE_FACTS])
{
    const double *mean = m->mean;
    fact[0] = log(m->evolution[0]);
    fact[1] = log(m->evolution[m->graph->n_types * m->n_sets - 1]);
    fact[2] = log(m->observation[0]);
    fact[3] = tanh(mean[0 * Q]);
    fact[4] = tanh(mean[3 * Q + 1]) * tanh(mean[3 * Q + 1]);
    fact[5] = tanh(fabs(mean[0 * Q] - mean[2 * Q]));
    fact[6] = tanh(fabs(mean[4 * Q + 2] - mean[6 * Q + 2]));
    fact[7] = tanh(mean[5 * Q] * mean[8 * Q]);
}

/* Geweke 2004: precisions and means drawn given psi, and psi drawn given them, in turn, must have the law that they have
 * when they are drawn from the prior. */
static void check_alternating_draws(size_t n_types, bool per_topic)
{
    enum { SWEEPS = 30000, PER_BATCH = 300 };
    gb_graph *graph = make_graph(n_types);
    gb_group_means_settings s = settings;
    s.evolution = (gb_precision){.value = 1, .shape = 3, .rate = 2};
    s.per_topic = per_topic;
    gb_group_means *m = make_means(graph, Q, &s);
    const gb_key prior = gb_key_make(20, 0), chain = gb_key_make(21, 0);
    double psi[N_DOCS * Q], at[N_STATE_FACTS], direct[2][N_STATE_FACTS] = {{0}}, batch[N_STATE_FACTS] = {0};
    double alternating[2][N_STATE_FACTS] = {{0}};
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
        gb_group_means_draw_precisions_prior(m, prior, sweep);
        assert_int_equal(gb_group_means_draw_prior(m, NULL, prior, sweep, NULL), GB_OK);
        describe_state(m, at);
        for (size_t f = 0; f < N_STATE_FACTS; f++) {
            direct[0][f] += at[f] / SWEEPS;
            direct[1][f] += at[f] * at[f] / SWEEPS;
        }
    }
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
        gb_random random = gb_random_open(chain, sweep, GB_DRAW_TEST, 0);
        for (size_t d = 0; d < N_DOCS; d++)
            for (size_t t = 0; t < Q; t++)
                psi[d * Q + t] = m->mean[group_of[d] * Q + t] +
                                 gb_random_normal(&random) / sqrt(m->observation[per_topic ? t : 0]);
        assert_int_equal(gb_group_means_draw_precisions(m, psi, NULL, chain, sweep, NULL), GB_OK);
        assert_int_equal(gb_group_means_draw(m, psi, NULL, chain, sweep, NULL), GB_OK);
        describe_state(m, at);
        for (size_t f = 0; f < N_STATE_FACTS; f++)
            batch[f] += at[f] / PER_BATCH;
        for (size_t f = 0; f < N_STATE_FACTS && (sweep + 1) % PER_BATCH == 0; f++) {
            alternating[0][f] += batch[f] * PER_BATCH / SWEEPS;
            alternating[1][f] += batch[f] * batch[f] * PER_BATCH / SWEEPS;
            batch[f] = 0;
        }
    }
    for (size_t f = 0; f < N_STATE_FACTS; f++) {
        const double difference = alternating[0][f] - direct[0][f];
        const double variance = (direct[1][f] - direct[0][f] * direct[0][f]) / SWEEPS +
                                (alternating[1][f] - alternating[0][f] * alternating[0][f]) * PER_BATCH / SWEEPS;
        assert_true(fabs(difference) < 4 * sqrt(variance));
    }
    gb_group_means_free(m);
    gb_graph_free(graph);
}

static void alternating_draws_keep_the_prior(void **unused)
{
    (void)unused;
    check_alternating_draws(1, false);
    check_alternating_draws(2, false);
    check_alternating_draws(1, true);
    check_alternating_draws(2, true);
}

/* ---- bad weights --------------------------------------------------------------------------------------- */

static void weights_too_far_apart_are_refused(void **unused)
{
    (void)unused;
    gb_graph *graph = NULL;
    gb_group_means *m = NULL;
    gb_error err = {0};
    gb_new_edge list[] = {{0, 1, 0, 1e-300}, {1, 2, 0, 1e300}, {2, 3, 0, 1e300}, {1, 3, 0, 1e300}};
    const uint32_t group[] = {0};
    assert_int_equal(gb_graph_create(&graph, 4, 1, (const char *const[]){"road"}, 4, list, NULL), GB_OK);
    assert_int_equal(gb_group_means_create(&m, graph, NULL, 1, group, 2, &settings, 1, &err), GB_EFORMAT);
    assert_string_equal(err.message, "the weights of the graph's edges are too far apart");
    assert_null(m);
    gb_graph_free(graph);
}

/* ---- threads ------------------------------------------------------------------------------------------- */

enum { LARGE_G = 600, LARGE_DOCS = 3000, LARGE_TOPICS = 19 };

/* A grid of 20 x 30 with two types; every third group is empty. */
static gb_graph *make_large_graph(void)
{
    gb_graph *graph = NULL;
    static gb_new_edge list[2 * LARGE_G];
    size_t n = 0;
    for (uint32_t g = 0; g < LARGE_G; g++) {
        if (g % 30 != 29)
            list[n++] = (gb_new_edge){g, g + 1, 0, 1};
        if (g + 30 < LARGE_G)
            list[n++] = (gb_new_edge){g, g + 30, 1, 0.5};
    }
    assert_int_equal(gb_graph_create(&graph, LARGE_G, 2, (const char *const[]){"year", "venue"}, n, list, NULL),
                     GB_OK);
    return graph;
}

static void sweep_with(size_t n_threads, const gb_graph *graph, bool per_topic, const double *large_factor,
                       double *mean, double *precision)
{
    static uint32_t group[LARGE_DOCS];
    static double psi[LARGE_DOCS * LARGE_TOPICS];
    gb_group_means *m = NULL;
    gb_group_means_settings s = settings;
    s.per_topic = per_topic;
    for (uint32_t d = 0; d < LARGE_DOCS; d++)
        group[d] = (d * 7 % LARGE_G) / 3 * 3;
    fill(psi, LARGE_DOCS * LARGE_TOPICS, 5);
    assert_int_equal(gb_group_means_create(&m, graph, NULL, LARGE_DOCS, group, LARGE_TOPICS, &s, n_threads, NULL),
                     GB_OK);
    for (uint32_t sweep = 0; sweep < 2; sweep++) {
        assert_int_equal(gb_group_means_draw(m, psi, large_factor, gb_key_make(2, 1), sweep, NULL), GB_OK);
        assert_int_equal(gb_group_means_draw_precisions(m, psi, large_factor, gb_key_make(2, 1), sweep, NULL), GB_OK);
    }
    memcpy(mean, m->mean, sizeof(double[LARGE_G * LARGE_TOPICS]));
    memcpy(precision, m->evolution, m->n_sets * 2 * sizeof(double));
    memcpy(precision + 2 * LARGE_TOPICS, m->observation, m->n_sets * sizeof(double));
    gb_group_means_free(m);
}

static void check_threads(bool per_topic, const double *large_factor)
{
    static double mean[2][LARGE_G * LARGE_TOPICS], precision[2][3 * LARGE_TOPICS];
    gb_graph *graph = make_large_graph();
    sweep_with(1, graph, per_topic, large_factor, mean[0], precision[0]);
    sweep_with(3, graph, per_topic, large_factor, mean[1], precision[1]);
    assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
    assert_memory_equal(precision[0], precision[1], sizeof precision[0]);
    gb_graph_free(graph);
}

static void bits_do_not_depend_on_threads(void **unused)
{
    (void)unused;
    static double large_factor[LARGE_TOPICS * LARGE_TOPICS];
    for (size_t i = 0; i < LARGE_TOPICS; i++)
        for (size_t j = 0; j <= i; j++)
            large_factor[i * LARGE_TOPICS + j] = i == j ? 1.5 : 0.1 * some(i + j);
    check_threads(false, NULL);
    check_threads(true, NULL);
    check_threads(false, large_factor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_solves_the_equations),
        cmocka_unit_test(the_noise_has_the_stated_covariance),
        cmocka_unit_test(correlated_topics_have_a_matrix_normal_law),
        cmocka_unit_test(the_mean_of_correlated_topics),
        cmocka_unit_test(the_density_is_that_of_the_dense_normal),
        cmocka_unit_test(the_density_with_a_covariance),
        cmocka_unit_test(the_scatter_is_the_sum_of_its_parts),
        cmocka_unit_test(evolution_precisions_follow_the_joint_density),
        cmocka_unit_test(a_forest_is_conjugate),
        cmocka_unit_test(the_observation_precision_has_its_gamma_law),
        cmocka_unit_test(fixed_precisions_stay),
        cmocka_unit_test(the_ratio_of_joint_densities_is_that_of_the_conditional),
        cmocka_unit_test(alternating_draws_keep_the_prior),
        cmocka_unit_test(weights_too_far_apart_are_refused),
        cmocka_unit_test(bits_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
