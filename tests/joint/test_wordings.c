/* Words of topics that differ by group (wording/tree.h) on three documents of six tokens, (A A B), (B), (A B), with two topics: means over a
 * chain against sums over all topics of tokens, with integrals over the root's words and over b by quadrature, and all others in closed form.
 * Chains whose tables or whose b are wrong are noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_effort.h"
#include "plan/spec.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <math.h>
#include <string.h>

enum { N_TOKENS = 6, N_DOCS = 3, N_TOPICS = 2, MOST_GROUPS = 3, MOST_RISE = N_TOKENS + 2, N_BATCHES = 50 };
static const uint32_t word[N_TOKENS] = {0, 0, 1, 1, 0, 1}, end[N_DOCS] = {3, 4, 6};
static const double alpha = 0.7, beta = 1.2, shape = 2, rate = 0.5, fixed_b = 3;

/* P(z_1 = z_2), P(z_1 = z_4), P(z_4 = z_5), means over topics of b / 10, and of the square of A's probability in the last group and at the root */
enum { SAME_12, SAME_14, SAME_45, B, LAST_SQUARE, ROOT_SQUARE, N_QUANTITIES };

typedef struct world {
    const char *option;
    const char *group[N_DOCS]; /* of each document */
    uint32_t group_of[N_DOCS];
    bool is_sampled;
} world;

/* Levels are not in the order of the documents. */
static const world star = {"content", {"x", "y", "x"}, {0, 1, 0}, true},
                   fixed_star = {"content", {"x", "y", "x"}, {0, 1, 0}, false},
                   chain_of_levels = {"evolve", {"9", "10", "11"}, {0, 1, 2}, true},
                   fixed_chain = {"evolve", {"11", "9", "10"}, {2, 0, 1}, false};

static void check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

/* ---- exact --------------------------------------------------------------------------------------------- */

/* x (x + 1) ... (x + n - 1) */
static double rise(double x, int n)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= x + i;
    return product;
}

/* Its coefficients: of x^l. */
static void rise_coefficients(int n, double out[MOST_RISE + 1])
{
    memset(out, 0, (MOST_RISE + 1) * sizeof *out);
    out[0] = 1;
    for (int i = 0; i < n; i++)
        for (int l = i + 1; l >= 0; l--)
            out[l] = (l > 0 ? out[l - 1] : 0) + i * out[l];
}

/* The words of a topic given b and the root's p, where n[g][w] tokens of each group have the topic. */
static double star_likelihood(double b, double p, int n[MOST_GROUPS][2])
{
    double product = 1;
    for (int g = 0; g < 2; g++)
        product *= rise(b * p, n[g][0]) * rise(b * (1 - p), n[g][1]) / rise(b, n[g][0] + n[g][1]);
    return product;
}

/* The same of three levels: the last one is integrated out, which leaves a polynomial in the words of the one between. */
static double chain_likelihood(double b, double p, int n[MOST_GROUPS][2])
{
    double a0[MOST_RISE + 1], a1[MOST_RISE + 1], sum = 0;
    rise_coefficients(n[2][0], a0);
    rise_coefficients(n[2][1], a1);
    for (int i = 0; i <= n[2][0]; i++)
        for (int j = 0; j <= n[2][1]; j++) {
            const int x = n[1][0] + i, y = n[1][1] + j;
            sum += a0[i] * a1[j] * pow(b, i + j) * rise(b * p, x) * rise(b * (1 - p), y) / rise(b, x + y);
        }
    return pow(p, n[0][0]) * pow(1 - p, n[0][1]) * sum / rise(b, n[2][0] + n[2][1]);
}

typedef struct topic_sums {
    double all, b, last_square, root_square;
} topic_sums;

static topic_sums integrate(const world *w, int n[MOST_GROUPS][2])
{
    enum { ON_P = 64, ON_B = 160 };
    const double pi = 3.14159265358979, widest = 40;
    const bool is_star = strcmp(w->option, "content") == 0;
    const int last = is_star ? 1 : 2;
    topic_sums sum = {0};
    for (int j = 0; j < (w->is_sampled ? ON_B : 1); j++) {
        const double b = w->is_sampled ? widest * (j + 0.5) / ON_B : fixed_b;
        const double of_b = w->is_sampled ? pow(b, shape - 1) * exp(-rate * b) : 1;
        for (int i = 0; i < ON_P; i++) {
            const double t = pi / 2 * (i + 0.5) / ON_P, p = sin(t) * sin(t);
            const double weight = of_b * pow(p * (1 - p), beta - 0.5); /* dp = 2 sqrt(p (1 - p)) dt */
            const double l = weight * (is_star ? star_likelihood(b, p, n) : chain_likelihood(b, p, n));
            n[last][0] += 2;
            const double square = weight * (is_star ? star_likelihood(b, p, n) : chain_likelihood(b, p, n));
            n[last][0] -= 2;
            sum.all += l;
            sum.b += b * l;
            sum.last_square += square;
            sum.root_square += p * p * l;
        }
    }
    return sum;
}

static double documents_weight(const int *z)
{
    double product = 1;
    for (int d = 0, i = 0; d < N_DOCS; d++) {
        int n[N_TOPICS] = {0};
        for (; i < (int)end[d]; i++)
            n[z[i]]++;
        product *= rise(alpha, n[0]) * rise(alpha, n[1]); /* lengths are given */
    }
    return product;
}

static void enumerate(const world *w, double exact[N_QUANTITIES])
{
    double all = 0;
    memset(exact, 0, N_QUANTITIES * sizeof *exact);
    for (int state = 0; state < 1 << N_TOKENS; state++) {
        int z[N_TOKENS], n[N_TOPICS][MOST_GROUPS][2] = {{{0}}};
        for (int d = 0, i = 0; d < N_DOCS; d++)
            for (; i < (int)end[d]; i++) {
                z[i] = state >> i & 1;
                n[z[i]][w->group_of[d]][word[i]]++;
            }
        const topic_sums a = integrate(w, n[0]), b = integrate(w, n[1]);
        const double p = documents_weight(z) * a.all * b.all;
        all += p;
        exact[SAME_12] += p * (z[0] == z[1]);
        exact[SAME_14] += p * (z[0] == z[3]);
        exact[SAME_45] += p * (z[3] == z[4]);
        exact[B] += p * (a.b / a.all + b.b / b.all) / 20;
        exact[LAST_SQUARE] += p * (a.last_square / a.all + b.last_square / b.all) / 2;
        exact[ROOT_SQUARE] += p * (a.root_square / a.all + b.root_square / b.all) / 2;
    }
    for (int q = 0; q < N_QUANTITIES; q++)
        exact[q] /= all;
}

/* ---- the chain ----------------------------------------------------------------------------------------- */

static gb_corpus *build_corpus(const world *w)
{
    gb_error err = {.status = GB_OK};
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t field;
    check(gb_corpus_builder_create(&b, &err), &err);
    check(gb_corpus_builder_prevalence(b, "g", GB_KIND_ONE, &field, &err), &err);
    for (size_t v = 0; v < 2; v++)
        check(gb_corpus_builder_word(b, &"AB"[v], 1, &err), &err);
    for (size_t d = 0, i = 0; d < N_DOCS; d++) {
        check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
        check(gb_corpus_builder_class(b, field, w->group[d], strlen(w->group[d]), &err), &err);
        for (; i < end[d]; i++)
            check(gb_corpus_builder_token(b, word[i], &err), &err);
    }
    check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_spec make_spec(const gb_corpus *corpus, const world *w)
{
    const char *const setting[][2] = {
        {"topics", "2"},  {"alpha", "0.7"}, {"beta", "1.2"},
        {"seed", "5"},    {"threads", "1"}, {"sweeps", "2"},
        {"burn-in", "1"}, {w->option, "g"}, {"wording-concentration", w->is_sampled ? "gamma:2,0.5" : "3"}};
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    gb_spec spec;
    check(gb_settings_create(&settings, &err), &err);
    for (size_t i = 0; i < sizeof setting / sizeof setting[0]; i++)
        check(gb_settings_set(settings, setting[i][0], setting[i][1], &err), &err);
    check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
    gb_settings_free(settings);
    return spec;
}

typedef enum fault { NONE, ONE_TABLE_EACH, TABLES_FOR_ALL, B_STAYS } fault;

/* Customers of parents as they would be after a wrong draw of tables. */
static void spoil(gb_wording_tree *t, fault f)
{
    for (size_t k = 0; k < t->n_topics && f == B_STAYS; k++)
        t->concentration[k] = shape / rate;
    for (size_t k = 0; k < t->n_topics && (f == ONE_TABLE_EACH || f == TABLES_FOR_ALL); k++)
        for (size_t w = 0; w < t->n_words; w++) {
            uint32_t *root = t->customers + (k * t->n_nodes + t->n_nodes - 1) * t->n_words + w;
            *root = 0;
            for (size_t n = 0; n + 1 < t->n_nodes; n++) {
                const uint32_t c = t->customers[(k * t->n_nodes + n) * t->n_words + w];
                *root += f == ONE_TABLE_EACH ? c > 0 : c;
            }
        }
}

static void add_state(const gb_chain *chain, double *sum)
{
    const gb_wording_tree *t = &chain->wordings;
    const uint32_t last = gb_wording_node_of(t->of, t->of->n_groups - 1);
    uint16_t z[N_TOKENS];
    for (size_t d = 0; d < N_DOCS; d++)
        gb_chain_assignment(chain, d, z + chain->corpus->doc_start[d]);
    sum[SAME_12] += z[0] == z[1];
    sum[SAME_14] += z[0] == z[3];
    sum[SAME_45] += z[3] == z[4];
    for (size_t k = 0; k < N_TOPICS; k++) {
        const float *phi = t->phi + k * t->n_nodes * t->n_words;
        const double at_last = (double)phi[last * t->n_words], at_root = (double)phi[(t->n_nodes - 1) * t->n_words];
        sum[B] += t->concentration[k] / 20;
        sum[LAST_SQUARE] += at_last * at_last / 2;
        sum[ROOT_SQUARE] += at_root * at_root / 2;
    }
}

/* The largest distance from what is exact, in standard errors. */
static double farthest(const world *w, fault f, double effort)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = build_corpus(w);
    gb_spec spec = make_spec(corpus, w);
    gb_chain *chain = NULL;
    const size_t n = joint_effort((size_t)effort) / N_BATCHES;
    double exact[N_QUANTITIES], mean[N_QUANTITIES] = {0}, square[N_QUANTITIES] = {0}, most = 0;
    enumerate(w, exact);
    check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
    for (size_t i = 0; i < N_BATCHES * n; i += n) {
        double sum[N_QUANTITIES] = {0};
        for (size_t j = 0; j < n; j++) {
            check(gb_recipe_sweep(chain, &err), &err);
            add_state(chain, sum);
            spoil(&chain->wordings, f);
        }
        for (size_t q = 0; q < N_QUANTITIES; q++) {
            mean[q] += sum[q] / (double)n / N_BATCHES;
            square[q] += sum[q] / (double)n * sum[q] / (double)n / N_BATCHES;
        }
    }
    for (size_t q = 0; q < N_QUANTITIES; q++) {
        const double error = sqrt(fmax(square[q] - mean[q] * mean[q], 0) / (N_BATCHES - 1));
        const double z = error > 1e-12 ? fabs(mean[q] - exact[q]) / error : 0;
        print_message("%s, quantity %zu: %.5f +- %.5f, exact %.5f\n", w->option, q, mean[q], error, exact[q]);
        if (error <= 1e-12)
            assert_true(fabs(mean[q] - exact[q]) < 1e-6);
        most = z > most ? z : most;
    }
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_corpus_free(corpus);
    return most;
}

static const double NOTICED = 4.5;

static void groups_around_a_common_topic_have_their_law(void **state)
{
    (void)state;
    assert_true(farthest(&star, NONE, 60000) < NOTICED);
    assert_true(farthest(&fixed_star, NONE, 60000) < NOTICED);
}

static void levels_in_a_chain_have_their_law(void **state)
{
    (void)state;
    assert_true(farthest(&chain_of_levels, NONE, 60000) < NOTICED);
    assert_true(farthest(&fixed_chain, NONE, 60000) < NOTICED);
}

static void wrong_tables_are_noticed(void **state)
{
    (void)state;
    assert_true(farthest(&fixed_star, ONE_TABLE_EACH, 40000) > NOTICED);
    assert_true(farthest(&fixed_star, TABLES_FOR_ALL, 40000) > NOTICED);
}

static void a_concentration_that_is_not_drawn_is_noticed(void **state)
{
    (void)state;
    assert_true(farthest(&chain_of_levels, B_STAYS, 40000) > NOTICED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_around_a_common_topic_have_their_law),
                                       cmocka_unit_test(levels_in_a_chain_have_their_law),
                                       cmocka_unit_test(wrong_tables_are_noticed),
                                       cmocka_unit_test(a_concentration_that_is_not_drawn_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
