/* Each conditional that the sampler draws from, against the joint density it belongs to, coded here from the
 * model alone:
 *
 *   p(W, Z, r) x prod_dl exp(kappa_dl s_dl - omega_dl s_dl^2 / 2) x p(eta)                                  (1)
 *
 * Topics of tokens: differences of log probabilities equal differences of the log of (1), at random states.
 * Coefficients: mean and covariance of many draws against the normal that (1) is in eta.
 * Augmentation: the hinge's, the logistic's and the probit's draws against quadrature of their augmented densities, which
 * integrate to the pseudo-likelihood and are of the form exp(kappa s - omega s^2 / 2) in the score. */
#include "base/cpu.h"
#include "coefficient/coefficient.h"
#include "counts/proportions.h"
#include "random/random.h"
#include "response/response.h"
#include "token/token.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { D = 5, K = 4, V = 7, B = 3, L = 3, STRIDE = 16, N_TOKENS = 16, N_STATES = 200 };

static const uint64_t doc_start[D + 1] = {0, 4, 5, 5, 11, N_TOKENS}; /* lengths 4, 1, 0, 6, 5 */

typedef struct state {
    size_t n_outputs;
    double unit, base[K]; /* document weights base + unit n_dk */
    bool given_phi;
    double beta, mass[B][K];
    float phi[V * STRIDE];
    uint32_t word[N_TOKENS];
    uint16_t topic[N_TOKENS];
    double eta[L][K], intercept[L];
    gb_score_term term[D][L];
} state;

static gb_random open_stream(uint32_t number)
{
    return gb_random_open(gb_key_make(20240607, 0), number, GB_DRAW_TEST, 0);
}

static size_t block_of(uint32_t word)
{
    return word % B;
}

static double uniform_between(gb_random *r, double low, double high)
{
    return low + (high - low) * gb_random_uniform(r);
}

/* Any state will do: the identities hold at every one. */
static state random_state(gb_random *r, size_t n_outputs, double omega)
{
    state s = {.n_outputs = n_outputs, .unit = (double)gb_random_below(r, 2), .given_phi = gb_random_below(r, 2)};
    s.beta = uniform_between(r, 0.01, 2);
    for (size_t k = 0; k < K; k++) {
        s.base[k] = uniform_between(r, 0.05, 3);
        for (size_t b = 0; b < B; b++)
            s.mass[b][k] = uniform_between(r, 0.01, 1);
        for (size_t w = 0; w < V; w++)
            s.phi[w * STRIDE + k] = (float)uniform_between(r, 0.001, 1);
    }
    for (size_t i = 0; i < N_TOKENS; i++) {
        s.word[i] = (uint32_t)gb_random_below(r, V);
        s.topic[i] = (uint16_t)gb_random_below(r, K);
    }
    for (size_t l = 0; l < n_outputs; l++) {
        s.intercept[l] = gb_random_normal(r);
        for (size_t k = 0; k < K; k++)
            s.eta[l][k] = 2 * gb_random_normal(r);
        for (size_t d = 0; d < D; d++)
            if (gb_random_below(r, 5) > 0) /* else no label: no factor */
                s.term[d][l] = (gb_score_term){.slope = 2 * gb_random_normal(r),
                                               .omega = omega * gb_random_exponential(r),
                                               .centre = gb_random_normal(r)};
    }
    return s;
}

static double score_of(const state *s, size_t d, size_t l)
{
    double sum = 0;
    for (uint64_t i = doc_start[d]; i < doc_start[d + 1]; i++)
        sum += s->eta[l][s->topic[i]];
    return (doc_start[d + 1] > doc_start[d] ? sum / (double)(doc_start[d + 1] - doc_start[d]) : 0) + s->intercept[l];
}

/* ---- the log joint, (1) ---- */

static double log_of_documents(const state *s)
{
    double log_p = 0;
    for (size_t d = 0; d < D; d++) {
        double n[K] = {0};
        for (uint64_t i = doc_start[d]; i < doc_start[d + 1]; i++)
            n[s->topic[i]]++;
        for (size_t k = 0; k < K; k++) /* Dirichlet proportions integrated out, or fixed ones */
            log_p += s->unit > 0 ? lgamma(n[k] + s->base[k]) - lgamma(s->base[k]) : n[k] * log(s->base[k]);
    }
    return log_p;
}

static double log_of_words(const state *s)
{
    double n_kw[K][V] = {{0}}, n_kb[K][B] = {{0}}, beta_b[B] = {0}, log_p = 0;
    for (uint32_t w = 0; w < V; w++)
        beta_b[block_of(w)] += s->beta;
    for (size_t i = 0; i < N_TOKENS; i++) {
        n_kw[s->topic[i]][s->word[i]]++;
        n_kb[s->topic[i]][block_of(s->word[i])]++;
    }
    for (size_t k = 0; k < K; k++) {
        for (size_t w = 0; w < V; w++)
            log_p += s->given_phi ? n_kw[k][w] * log(s->phi[w * STRIDE + k])
                                  : lgamma(n_kw[k][w] + s->beta) - lgamma(s->beta);
        for (size_t b = 0; b < B && !s->given_phi; b++)
            log_p += n_kb[k][b] * log(s->mass[b][k]) + lgamma(beta_b[b]) - lgamma(n_kb[k][b] + beta_b[b]);
    }
    return log_p;
}

/* kappa s - omega s^2/2 with the square completed: omega may be huge. */
static double log_of_responses(const state *s)
{
    double log_p = 0;
    for (size_t d = 0; d < D; d++) {
        for (size_t l = 0; l < s->n_outputs; l++) {
            const double score = score_of(s, d, l), distance = s->term[d][l].centre - score;
            log_p += s->term[d][l].slope * score - s->term[d][l].omega * distance * distance / 2;
        }
    }
    return log_p;
}

static double log_joint(const state *s)
{
    return log_of_documents(s) + log_of_words(s) + log_of_responses(s);
}

/* ---- topics of tokens ---- */

/* What a kernel would be given for document d and word block b. */
typedef struct view {
    gb_rows rows; /* of all words; created with the view */
    uint32_t count[STRIDE];
    int64_t n_kb[K];
    double mass[K], score[L], by_topic[K * L], largest[L];
    float by_output[L * STRIDE];
    uint32_t word[N_TOKENS];
    uint16_t topic[N_TOKENS];
    uint64_t place[N_TOKENS]; /* of these tokens in the state */
    gb_token_lane lane;
    gb_coefficients eta;
} view;

static void view_words(view *v, const state *s, size_t b)
{
    double beta_block = 0;
    uint64_t total[V];
    for (uint32_t w = 0; w < V; w++) {
        total[w] = N_TOKENS;
        beta_block += block_of(w) == b ? s->beta : 0;
    }
    assert_int_equal(gb_rows_create(&v->rows, V, total, K, STRIDE, false, NULL), GB_OK);
    for (size_t i = 0; i < N_TOKENS; i++) {
        gb_rows_add(&v->rows, s->word[i], s->topic[i], 1);
        v->n_kb[s->topic[i]] += block_of(s->word[i]) == b;
    }
    v->lane.block = (gb_word_block){.n_topics = K, .stride = STRIDE, .beta = s->beta, .beta_block = beta_block};
    if (s->given_phi) {
        v->lane.block.phi = s->phi;
        return;
    }
    for (size_t k = 0; k < K; k++)
        v->mass[k] = s->mass[b][k];
    v->lane.block.rows = &v->rows;
    v->lane.block.n_kb = v->n_kb;
    v->lane.block.mass = v->mass;
}

static void view_document(view *v, const state *s, size_t d)
{
    for (uint64_t i = doc_start[d]; i < doc_start[d + 1]; i++)
        v->count[s->topic[i]]++;
    for (size_t l = 0; l < s->n_outputs; l++) {
        v->score[l] = score_of(s, d, l);
        for (size_t k = 0; k < K; k++) {
            v->by_topic[k * s->n_outputs + l] = s->eta[l][k];
            v->by_output[l * STRIDE + k] = (float)s->eta[l][k];
            v->largest[l] = fmax(v->largest[l], s->eta[l][k] * s->eta[l][k]);
        }
    }
    v->lane.document = (gb_document){.doc = d,
                                     .purpose = GB_DRAW_TOPIC,
                                     .unit = s->unit,
                                     .base = s->base,
                                     .count = (unsigned char *)v->count,
                                     .width = GB_WIDTH_32,
                                     .length = doc_start[d + 1] - doc_start[d],
                                     .n_outputs = s->n_outputs,
                                     .term = s->term[d],
                                     .score = v->score};
    v->eta = (gb_coefficients){.n_outputs = s->n_outputs,
                               .n_topics = K,
                               .stride = STRIDE,
                               .by_topic = v->by_topic,
                               .by_output = v->by_output,
                               .largest = v->largest};
}

static void view_tokens(view *v, const state *s, size_t d, size_t b)
{
    size_t n = 0;
    for (uint64_t i = doc_start[d]; i < doc_start[d + 1]; i++) {
        if (!s->given_phi && block_of(s->word[i]) != b)
            continue;
        v->word[n] = s->given_phi ? s->word[i] : v->rows.handle[s->word[i]];
        v->topic[n] = s->topic[i];
        v->place[n++] = i;
    }
    v->lane.tokens = (gb_tokens){.count = n, .word = v->word, .topic = v->topic};
}

static double compare_token(const state *s, const view *v, size_t n)
{
    double probability[K], log_p[K], difference = 0;
    assert_int_equal(gb_token_probabilities(&v->lane, n, &v->eta, probability, NULL), GB_OK);
    state other = *s;
    for (uint16_t k = 0; k < K; k++) {
        other.topic[v->place[n]] = k;
        log_p[k] = log_joint(&other);
    }
    for (size_t j = 0; j < K; j++)
        for (size_t k = 0; k < K; k++)
            if (probability[j] > 1e-280 && probability[k] > 1e-280)
                difference = fmax(difference, fabs(log(probability[k] / probability[j]) - (log_p[k] - log_p[j])));
    return difference;
}

static double largest_difference(uint32_t stream, size_t n_outputs, double omega)
{
    gb_random r = open_stream(stream);
    double largest = 0;
    for (size_t trial = 0; trial < N_STATES; trial++) {
        const state s = random_state(&r, n_outputs, omega);
        const size_t d = gb_random_below(&r, D);
        for (size_t b = 0; b < (s.given_phi ? 1 : B); b++) {
            view v = {.count = {0}};
            view_words(&v, &s, b);
            view_document(&v, &s, d);
            view_tokens(&v, &s, d, b);
            for (size_t n = 0; n < v.lane.tokens.count; n++)
                largest = fmax(largest, compare_token(&s, &v, n));
            gb_rows_clear(&v.rows);
        }
    }
    return largest;
}

static void token_probabilities_are_ratios_of_the_joint_without_a_response(void **unused)
{
    (void)unused;
    assert_true(largest_difference(1, 0, 0) < 1e-10);
}

static void token_probabilities_are_ratios_of_the_joint_with_one_output(void **unused)
{
    (void)unused;
    assert_true(largest_difference(2, 1, 3) < 1e-10);
}

static void token_probabilities_are_ratios_of_the_joint_with_three_outputs(void **unused)
{
    (void)unused;
    assert_true(largest_difference(3, L, 3) < 1e-10);
}

static void token_probabilities_survive_a_margin_met_almost_exactly(void **unused)
{
    (void)unused;
    assert_true(largest_difference(4, 2, 1e6) < 1e-7);
}

/* ---- coefficients ---- */

enum { F = K + 1, N_DRAWS = 20000 };

enum { MOST_OUTPUTS = 51 };
static const double topic_variance[MOST_OUTPUTS] = {1.7, 0.6, 2.9, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7,
                                                    1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7,
                                                    1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7,
                                                    1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7};
static const gb_coefficient_prior normal_prior = {
    .ops = &gb_coefficient_normal, .variance = topic_variance, .intercept_variance = 4};

/* log of (1) as a function of the coefficients of output l, the intercept last. */
static double log_joint_of_coefficients(const state *s, size_t l, const double *eta)
{
    double log_p = -eta[K] * eta[K] / (2 * normal_prior.intercept_variance);
    for (size_t k = 0; k < K; k++)
        log_p -= eta[k] * eta[k] / (2 * normal_prior.variance[l]);
    state other = {.n_outputs = 1, .intercept = {eta[K]}};
    memcpy(other.topic, s->topic, sizeof other.topic);
    memcpy(other.eta[0], eta, sizeof other.eta[0]);
    for (size_t d = 0; d < D; d++)
        other.term[d][0] = s->term[d][l];
    return log_p + log_of_responses(&other);
}

/* Gauss-Jordan; the matrices here are small and well behaved. */
static void invert(size_t n, double a[F][F], double inverse[F][F])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            inverse[i][j] = i == j;
    for (size_t i = 0; i < n; i++) {
        const double pivot = a[i][i];
        for (size_t j = 0; j < n; j++) {
            a[i][j] /= pivot;
            inverse[i][j] /= pivot;
        }
        for (size_t m = 0; m < n; m++) {
            const double factor = a[m][i];
            for (size_t j = 0; j < n && m != i; j++) {
                a[m][j] -= factor * a[i][j];
                inverse[m][j] -= factor * inverse[i][j];
            }
        }
    }
}

/* The log joint is quadratic in eta, so differences at unit vectors give its normal without error. */
static void normal_of_joint(const state *s, size_t l, size_t n, double mean[F], double covariance[F][F])
{
    double zero[F] = {0}, one[F], lambda[F][F], h[F];
    const double at_zero = log_joint_of_coefficients(s, l, zero);
    for (size_t i = 0; i < n; i++) {
        double unit[F] = {0};
        unit[i] = 1;
        one[i] = log_joint_of_coefficients(s, l, unit) - at_zero;
        unit[i] = -1;
        const double minus = log_joint_of_coefficients(s, l, unit) - at_zero;
        h[i] = (one[i] - minus) / 2;
        lambda[i][i] = -one[i] - minus;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double both[F] = {0};
            both[i] = both[j] = 1;
            lambda[i][j] = lambda[j][i] = one[i] + one[j] - (log_joint_of_coefficients(s, l, both) - at_zero);
        }
    }
    invert(n, lambda, covariance);
    for (size_t i = 0; i < n; i++) {
        mean[i] = 0;
        for (size_t j = 0; j < n; j++)
            mean[i] += covariance[i][j] * h[j];
    }
}

/* How coefficients are drawn: by the block, by coordinates from 0, or by coordinates after a block draw. */
typedef enum start { BLOCK, FROM_ZERO, FROM_BLOCK } start;

static void scores_of(const gb_proportions *z, bool intercept, const double *eta, double *score)
{
    const size_t n = K + (intercept ? 1 : 0);
    for (size_t d = 0; d < D; d++) {
        for (size_t l = 0; l < L; l++) {
            const gb_document_topics t = gb_proportions_of(z, d);
            score[d * L + l] = intercept ? eta[l * n + K] : 0;
            for (size_t i = 0; i < t.n; i++)
                score[d * L + l] += eta[l * n + t.topic[i]] * t.count[i] / (double)(doc_start[d + 1] - doc_start[d]);
        }
    }
}

static void draw_coefficients(gb_regression regression, start from, double *eta)
{
    double score[D * L];
    memset(eta, 0, L * F * sizeof *eta);
    if (from != FROM_ZERO)
        assert_int_equal(gb_coefficient_block.draw(&regression, eta, NULL), GB_OK);
    if (from == BLOCK)
        return;
    scores_of(regression.z, regression.intercept, eta, score);
    regression.score = score;
    regression.n_steps = from == FROM_ZERO ? 300 : 1; /* from a draw of the law, one pass has to give another */
    regression.key = gb_key_make(8, 0);
    assert_int_equal(gb_coefficient_coordinate.draw(&regression, eta, NULL), GB_OK);
}

static double largest_deviation(uint32_t stream, bool intercept, start from)
{
    gb_random r = open_stream(stream);
    const state s = random_state(&r, L, 20);
    const size_t n = K + (intercept ? 1 : 0), n_draws = from == FROM_ZERO ? N_DRAWS / 10 : N_DRAWS;
    gb_proportions z;
    gb_coefficient_scales scales;
    gb_score_term term[D * L];
    double first[L][F] = {{0}}, second[L][F][L][F] = {{{{0}}}}, mean[L][F], covariance[L][F][F], largest = 0;
    assert_int_equal(gb_proportions_create(&z, D, K, doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&z, s.topic, NULL), GB_OK);
    assert_int_equal(gb_coefficient_scales_create(&scales, &normal_prior, L, K, 0, intercept, NULL), GB_OK);
    for (size_t d = 0; d < D; d++)
        memcpy(term + d * L, s.term[d], sizeof s.term[d]);
    for (size_t l = 0; l < L; l++)
        normal_of_joint(&s, l, n, mean[l], covariance[l]);
    for (uint32_t draw = 0; draw < n_draws; draw++) {
        const gb_regression regression = {.z = &z,
                                          .n_outputs = L,
                                          .intercept = intercept,
                                          .term = term,
                                          .scales = &scales,
                                          .key = gb_key_make(7, 0),
                                          .sweep = draw,
                                          .n_threads = 1,
                                          .isa = gb_isa_best()};
        double eta[L * F];
        draw_coefficients(regression, from, eta);
        for (size_t l = 0; l < L; l++) {
            for (size_t i = 0; i < n; i++) {
                const double x = eta[l * n + i] - mean[l][i];
                first[l][i] += x / (double)n_draws;
                for (size_t m = 0; m <= l; m++)
                    for (size_t j = 0; j < n; j++)
                        second[l][i][m][j] += x * (eta[m * n + j] - mean[m][j]) / (double)n_draws;
            }
        }
    }
    for (size_t l = 0; l < L; l++) {
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(first[l][i]) / sqrt(covariance[l][i][i] / (double)n_draws));
            for (size_t m = 0; m <= l; m++) {
                for (size_t j = 0; j < n; j++) { /* outputs are independent */
                    const double exact = l == m ? covariance[l][i][j] : 0;
                    const double error =
                        sqrt((covariance[l][i][i] * covariance[m][j][j] + exact * exact) / (double)n_draws);
                    largest = fmax(largest, fabs(second[l][i][m][j] - exact) / error);
                }
            }
        }
    }
    gb_proportions_clear(&z);
    gb_coefficient_scales_clear(&scales);
    return largest;
}

static void coefficient_draws_have_the_normal_law_of_the_joint(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(5, false, BLOCK) < 5);
}

static void coefficient_draws_with_an_intercept_have_the_normal_law_of_the_joint(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(6, true, BLOCK) < 5);
}

static void a_pass_over_coordinates_leaves_the_normal_law_of_the_joint_alone(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(15, false, FROM_BLOCK) < 5);
    assert_true(largest_deviation(16, true, FROM_BLOCK) < 5);
}

static void many_passes_over_coordinates_reach_the_normal_law_of_the_joint(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(17, false, FROM_ZERO) < 5);
    assert_true(largest_deviation(18, true, FROM_ZERO) < 5);
}

/* As wide as the groups that share a pass, wider, and not a multiple of them: the outputs do not mix. */
static void an_output_gets_the_same_coefficients_beside_any_number_of_others(void **unused)
{
    (void)unused;
    enum { MOST = MOST_OUTPUTS };
    gb_random r = open_stream(19);
    const state s = random_state(&r, L, 20);
    gb_proportions z;
    gb_score_term term[D * MOST];
    double score[D * MOST] = {0}, eta[MOST * F], alone[2][F];
    static const gb_coefficient_sampler *const samplers[] = {&gb_coefficient_block, &gb_coefficient_coordinate};
    assert_int_equal(gb_proportions_create(&z, D, K, doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&z, s.topic, NULL), GB_OK);
    for (size_t n = 1; n <= MOST; n++) {
        gb_coefficient_scales scales;
        assert_int_equal(gb_coefficient_scales_create(&scales, &normal_prior, n, K, 0, true, NULL), GB_OK);
        for (size_t d = 0; d < D; d++)
            for (size_t l = 0; l < n; l++)
                term[d * n + l] = s.term[d][l % L];
        gb_regression regression = {.z = &z,
                                    .n_outputs = n,
                                    .intercept = true,
                                    .term = term,
                                    .score = score,
                                    .scales = &scales,
                                    .key = gb_key_make(7, 0),
                                    .n_steps = 2,
                                    .n_threads = 2};
        for (size_t i = 0; i < 2; i++)
            for (int isa = GB_ISA_PLAIN; isa <= (int)gb_isa_best(); isa++) {
                memset(eta, 0, sizeof eta);
                regression.isa = (gb_isa)isa;
                assert_int_equal(samplers[i]->draw(&regression, eta, NULL), GB_OK);
                if (n == 1 && isa == GB_ISA_PLAIN)
                    memcpy(alone[i], eta, sizeof alone[i]);
                assert_memory_equal(alone[i], eta, sizeof alone[i]);
            }
        gb_coefficient_scales_clear(&scales);
    }
    gb_proportions_clear(&z);
}

/* ---- augmentation ---- */

enum { N_AUGMENTATIONS = 50000, N_FUNCTIONS = 4, LOG_POINTS = 6000 };

/* log of (2 pi xi^3)^{-1/2} exp(-(1 + c zeta xi)^2 / (2 xi)). */
static double log_hinge_density(double c, double zeta, double xi)
{
    const double q = 1 + c * zeta * xi;
    return -log(2 * M_PI) / 2 - 1.5 * log(xi) - q * q / (2 * xi);
}

/* Density of PG(b, 0) by its alternating series (Polson, Scott and Windle 2013, section 2). */
static double polya_gamma_density(double b, double x)
{
    double sum = 0;
    for (int n = 0; n < 2000; n++) {
        const double a = 2 * n + b, log_term = lgamma(n + b) - lgamma(n + 1) - a * a / (8 * x);
        sum += (n % 2 == 0 ? 1 : -1) * a * exp(log_term);
        if (n > 10 && log_term < -60)
            break;
    }
    return exp((b - 1) * M_LN2 - lgamma(b) - 1.5 * log(x)) / sqrt(2 * M_PI) * sum;
}

/* Smooth functions of an augmentation variable. */
static void functions_of(double x, double *f)
{
    f[0] = exp(-x);
    f[1] = x / (1 + x);
    f[2] = exp(-1 / x);
    f[3] = exp(-10 * x);
}

typedef struct density {
    const gb_response *response;
    double y, s;
} density;

/* The augmented density at a value of its variable: times the part that depends on the score. */
static double augmented(const density *a, double x)
{
    const double c = a->response->cost;
    if (a->response->ops == &gb_response_hinge)
        return exp(log_hinge_density(c, a->response->margin - a->y * a->s, x));
    if (a->response->ops == &gb_response_probit) /* x: how far the latent normal lies on the label's side of 0 */
        return exp(-(a->y * x - a->s) * (a->y * x - a->s) / 2) / sqrt(2 * M_PI);
    return exp(c * a->y * a->s / 2 - c * M_LN2 - x * a->s * a->s / 2) * polya_gamma_density(c, x);
}

/* Integral over x > 0, and of the functions; the trapezoid rule in log x is as good as exact here. */
static double integrate(const density *a, double low, double high, double *f)
{
    double total = 0, value[N_FUNCTIONS];
    const double step = (log(high) - log(low)) / LOG_POINTS;
    memset(f, 0, N_FUNCTIONS * sizeof *f);
    for (size_t i = 0; i <= LOG_POINTS; i++) {
        const double x = low * exp(step * (double)i), w = step * x * augmented(a, x);
        functions_of(x, value);
        total += w;
        for (size_t j = 0; j < N_FUNCTIONS; j++)
            f[j] += w * value[j];
    }
    for (size_t j = 0; j < N_FUNCTIONS; j++)
        f[j] /= total;
    return total;
}

static const gb_response hinges[] = {{.ops = &gb_response_hinge, .cost = 1, .margin = 1},
                                     {.ops = &gb_response_hinge, .cost = 0.6, .margin = 1.7},
                                     {.ops = &gb_response_hinge, .cost = 8, .margin = 1}},
                         logistics[] = {{.ops = &gb_response_logistic, .cost = 1},
                                        {.ops = &gb_response_logistic, .cost = 2.5},
                                        {.ops = &gb_response_logistic, .cost = 0.4}},
                         probit = {.ops = &gb_response_probit, .cost = 1};
static const double scores[] = {-2.3, -0.4, 0, 0.7, 1, 1.9};
enum { N_SCORES = sizeof scores / sizeof scores[0] };

static double variable_of(const gb_response *response, const gb_score_term *term)
{
    if (response->ops == &gb_response_probit)
        return fabs(term->slope);
    return response->ops == &gb_response_hinge ? term->omega / (response->cost * response->cost) : term->omega;
}

/* Range of the variable outside of which its density is negligible. */
static double integrate_response(const density *a, double *f)
{
    if (a->response->ops == &gb_response_probit)
        return integrate(a, 1e-12, 40, f);
    return a->response->ops == &gb_response_hinge ? integrate(a, 1e-4, 1e18, f) : integrate(a, 1e-4, 12, f);
}

/* The rest of the hinge's heavy tail, only there when zeta is 0: integral of (2 pi x^3)^{-1/2}. */
static double tail_of(const density *a)
{
    const bool heavy = a->response->ops == &gb_response_hinge && a->response->margin - a->y * a->s == 0;
    return heavy ? 2 / sqrt(2 * M_PI * 1e18) : 0;
}

static void assert_integrates_to_the_pseudo_likelihood(const gb_response *response, double y, double s)
{
    const density a = {response, y, s};
    double f[N_FUNCTIONS];
    const double integral = integrate_response(&a, f) + tail_of(&a),
                 expected = exp(response->ops->log_likelihood(response, y, s));
    if (!(fabs(integral - expected) < 1e-8 * expected))
        fail_msg("%s, c %g, y %g, s %g: integral %.12g, pseudo-likelihood %.12g", response->ops->name, response->cost,
                 y, s, integral, expected);
}

static void assert_draws_have_the_augmented_law(const gb_response *response, double y, double s, uint32_t stream)
{
    const density a = {response, y, s};
    gb_random r = open_stream(stream);
    double exact[N_FUNCTIONS], sum[N_FUNCTIONS] = {0}, squares[N_FUNCTIONS] = {0}, f[N_FUNCTIONS];
    (void)integrate_response(&a, exact);
    for (size_t i = 0; i < N_AUGMENTATIONS; i++) {
        gb_score_term term;
        const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
        response->ops->augment(response, 1, &y, NULL, &s, &streams, &term);
        functions_of(variable_of(response, &term), f);
        for (size_t j = 0; j < N_FUNCTIONS; j++) {
            sum[j] += f[j];
            squares[j] += f[j] * f[j];
        }
    }
    for (size_t j = 0; j < N_FUNCTIONS; j++) {
        const double mean = sum[j] / N_AUGMENTATIONS,
                     error = sqrt((squares[j] / N_AUGMENTATIONS - mean * mean) / N_AUGMENTATIONS);
        if (!(fabs(mean - exact[j]) < 5 * error + 1e-9))
            fail_msg("%s, c %g, y %g, s %g, function %zu: %.6f, expected %.6f +- %.6f", response->ops->name,
                     response->cost, y, s, j, mean, exact[j], error);
    }
}

/* In the score, at a fixed value of the variable, the augmented density is exp(kappa s - omega s^2 / 2). */
static void assert_gaussian_in_the_score(const gb_response *response, double y, gb_random *r)
{
    gb_score_term term;
    const double s = 2 * gb_random_normal(r), other = 2 * gb_random_normal(r);
    const gb_random_streams streams = gb_random_split(r, 1, gb_isa_best());
    response->ops->augment(response, 1, &y, NULL, &s, &streams, &term);
    const double x = variable_of(response, &term), c = response->cost;
    double log_ratio = c * y * (s - other) / 2 - x * (s * s - other * other) / 2;
    if (response->ops == &gb_response_probit)
        log_ratio = ((y * x - other) * (y * x - other) - (y * x - s) * (y * x - s)) / 2;
    if (response->ops == &gb_response_hinge)
        log_ratio =
            log_hinge_density(c, response->margin - y * s, x) - log_hinge_density(c, response->margin - y * other, x);
    const double kappa = term.slope + term.omega * term.centre,
                 claimed = kappa * (s - other) - term.omega * (s * s - other * other) / 2;
    assert_true(fabs(claimed - log_ratio) < 1e-10 * (1 + term.omega * (1 + s * s + other * other)));
}

static void augmented_hinge_integrates_to_the_hinge(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < N_SCORES; j++)
            for (int y = -1; y <= 1; y += 2)
                assert_integrates_to_the_pseudo_likelihood(&hinges[i], y, scores[j]);
}

static void augmented_logistic_integrates_to_the_power_of_the_logistic(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < N_SCORES; j++)
            for (int y = -1; y <= 1; y += 2)
                assert_integrates_to_the_pseudo_likelihood(&logistics[i], y, scores[j]);
}

static void hinge_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < N_SCORES; j++)
            assert_draws_have_the_augmented_law(&hinges[i], j % 2 == 0 ? 1 : -1, scores[j], 100 + i * N_SCORES + j);
}

static void hinge_draws_at_the_margin_have_the_augmented_law(void **unused)
{
    (void)unused;
    assert_draws_have_the_augmented_law(&hinges[0], 1, 1, 150);
    assert_draws_have_the_augmented_law(&hinges[2], -1, -1, 151);
}

static void logistic_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < N_SCORES; j++)
            assert_draws_have_the_augmented_law(&logistics[i], j % 2 == 0 ? 1 : -1, scores[j],
                                                200 + i * N_SCORES + j);
}

/* E exp(-t lambda) = (cosh(s / 2) / cosh(sqrt((s^2 / 2 + t) / 2)))^c for PG(c, s): also where the alternating series
 * of the density has no digits left. */
static void logistic_draws_of_large_power_have_the_exact_transform(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 3; i++) {
        const double c = (const double[]){8, 25, 256}[i];
        const gb_response response = {.ops = &gb_response_logistic, .cost = c};
        for (uint32_t j = 0; j < N_SCORES; j++) {
            const double s = scores[j], y = 1, t = 4 / c;
            const double exact = pow(cosh(s / 2) / cosh(sqrt((s * s / 2 + t) / 2)), c);
            gb_random r = open_stream(400 + i * N_SCORES + j);
            double sum = 0, squares = 0;
            for (size_t n = 0; n < N_AUGMENTATIONS; n++) {
                gb_score_term term;
                const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
                response.ops->augment(&response, 1, &y, NULL, &s, &streams, &term);
                const double f = exp(-t * term.omega);
                sum += f;
                squares += f * f;
            }
            const double mean = sum / N_AUGMENTATIONS,
                         error = sqrt((squares / N_AUGMENTATIONS - mean * mean) / N_AUGMENTATIONS);
            if (!(fabs(mean - exact) < 5 * error))
                fail_msg("c %g, s %g: %.6f, expected %.6f +- %.6f", c, s, mean, exact, error);
        }
    }
}

static void augmented_probit_integrates_to_the_normal_distribution_function(void **unused)
{
    (void)unused;
    for (size_t j = 0; j < N_SCORES; j++)
        for (int y = -1; y <= 1; y += 2)
            assert_integrates_to_the_pseudo_likelihood(&probit, y, scores[j]);
}

static void probit_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t j = 0; j < N_SCORES; j++)
        for (int y = -1; y <= 1; y += 2)
            assert_draws_have_the_augmented_law(&probit, y, scores[j], 320 + 2 * j + (y > 0));
}

/* E a = s + y pdf(s) / Phi(y s), and a lies on the label's side of 0: also where the label is all but impossible. */
static void probit_draws_have_the_mean_of_a_truncated_normal(void **unused)
{
    (void)unused;
    static const double far[] = {-12, -2.3, 0, 0.7, 3.1, 12};
    for (uint32_t j = 0; j < sizeof far / sizeof far[0]; j++) {
        for (int side = -1; side <= 1; side += 2) {
            const double s = far[j], y = side;
            const double mean = s + y * exp(-s * s / 2) / sqrt(2 * M_PI) / (erfc(-y * s / M_SQRT2) / 2);
            gb_random r = open_stream(340 + 2 * j + (side > 0));
            double sum = 0, squares = 0;
            for (size_t n = 0; n < N_AUGMENTATIONS; n++) {
                gb_score_term term;
                const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
                probit.ops->augment(&probit, 1, &y, NULL, &s, &streams, &term);
                assert_true(y * term.slope > 0 && term.omega == 1 && term.centre == 0);
                sum += term.slope - mean;
                squares += (term.slope - mean) * (term.slope - mean);
            }
            assert_true(fabs(sum) < 5 * sqrt(squares) + 1e-9);
        }
    }
}

static void augmented_densities_are_gaussian_in_the_score(void **unused)
{
    (void)unused;
    gb_random r = open_stream(300);
    for (size_t trial = 0; trial < 3000; trial++) {
        const double y = trial % 2 == 0 ? 1 : -1;
        assert_gaussian_in_the_score(&hinges[trial % 3], y, &r);
        assert_gaussian_in_the_score(&logistics[trial % 3], y, &r);
        assert_gaussian_in_the_score(&probit, y, &r);
    }
}

static void a_missing_label_adds_no_factor(void **unused)
{
    (void)unused;
    const gb_response *all[] = {&hinges[0], &logistics[1], &probit};
    for (size_t i = 0; i < 3; i++) {
        gb_random r = open_stream(301);
        gb_score_term term = {1, 1, 1};
        const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
        all[i]->ops->augment(all[i], 1, &(double){NAN}, NULL, &(double){0.3}, &streams, &term);
        assert_true(term.slope == 0 && term.omega == 0 && term.centre == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_probabilities_are_ratios_of_the_joint_without_a_response),
        cmocka_unit_test(token_probabilities_are_ratios_of_the_joint_with_one_output),
        cmocka_unit_test(token_probabilities_are_ratios_of_the_joint_with_three_outputs),
        cmocka_unit_test(token_probabilities_survive_a_margin_met_almost_exactly),
        cmocka_unit_test(coefficient_draws_have_the_normal_law_of_the_joint),
        cmocka_unit_test(coefficient_draws_with_an_intercept_have_the_normal_law_of_the_joint),
        cmocka_unit_test(a_pass_over_coordinates_leaves_the_normal_law_of_the_joint_alone),
        cmocka_unit_test(many_passes_over_coordinates_reach_the_normal_law_of_the_joint),
        cmocka_unit_test(an_output_gets_the_same_coefficients_beside_any_number_of_others),
        cmocka_unit_test(augmented_hinge_integrates_to_the_hinge),
        cmocka_unit_test(augmented_logistic_integrates_to_the_power_of_the_logistic),
        cmocka_unit_test(hinge_draws_have_the_augmented_law),
        cmocka_unit_test(hinge_draws_at_the_margin_have_the_augmented_law),
        cmocka_unit_test(logistic_draws_have_the_augmented_law),
        cmocka_unit_test(logistic_draws_of_large_power_have_the_exact_transform),
        cmocka_unit_test(augmented_probit_integrates_to_the_normal_distribution_function),
        cmocka_unit_test(probit_draws_have_the_augmented_law),
        cmocka_unit_test(probit_draws_have_the_mean_of_a_truncated_normal),
        cmocka_unit_test(augmented_densities_are_gaussian_in_the_score),
        cmocka_unit_test(a_missing_label_adds_no_factor),
    };
    return cmocka_run_group_tests_name("log ratio", tests, NULL, NULL);
}
