/* Topics of tokens: differences of the log probabilities that a kernel gives equal differences of the log joint density
 * (helper_log_ratio.h), at random states. */
#include "helper_log_ratio.h"
#include "token/token.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_STATES = 200 };

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

static void view_words(view *v, const ratio_state *s, size_t b)
{
    double beta_block = 0;
    uint64_t total[V];
    for (uint32_t w = 0; w < V; w++) {
        total[w] = N_TOKENS;
        beta_block += ratio_block_of(w) == b ? s->beta : 0;
    }
    assert_int_equal(gb_rows_create(&v->rows, V, total, K, STRIDE, false, NULL), GB_OK);
    for (size_t i = 0; i < N_TOKENS; i++) {
        gb_rows_add(&v->rows, s->word[i], s->topic[i], 1);
        v->n_kb[s->topic[i]] += ratio_block_of(s->word[i]) == b;
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

static void view_document(view *v, const ratio_state *s, size_t d)
{
    for (uint64_t i = ratio_doc_start[d]; i < ratio_doc_start[d + 1]; i++)
        v->count[s->topic[i]]++;
    for (size_t l = 0; l < s->n_outputs; l++) {
        v->score[l] = ratio_score_of(s, d, l);
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
                                     .length = ratio_doc_start[d + 1] - ratio_doc_start[d],
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

static void view_tokens(view *v, const ratio_state *s, size_t d, size_t b)
{
    size_t n = 0;
    for (uint64_t i = ratio_doc_start[d]; i < ratio_doc_start[d + 1]; i++) {
        if (!s->given_phi && ratio_block_of(s->word[i]) != b)
            continue;
        v->word[n] = s->given_phi ? s->word[i] : v->rows.handle[s->word[i]];
        v->topic[n] = s->topic[i];
        v->place[n++] = i;
    }
    v->lane.tokens = (gb_tokens){.count = n, .word = v->word, .topic = v->topic};
}

static double compare_token(const ratio_state *s, const view *v, size_t n)
{
    double probability[K], log_p[K], difference = 0;
    assert_int_equal(gb_token_probabilities(&v->lane, n, &v->eta, probability, NULL), GB_OK);
    ratio_state other = *s;
    for (uint16_t k = 0; k < K; k++) {
        other.topic[v->place[n]] = k;
        log_p[k] = ratio_log_joint(&other);
    }
    for (size_t j = 0; j < K; j++)
        for (size_t k = 0; k < K; k++)
            if (probability[j] > 1e-280 && probability[k] > 1e-280)
                difference = fmax(difference, fabs(log(probability[k] / probability[j]) - (log_p[k] - log_p[j])));
    return difference;
}

static double largest_difference(uint32_t stream, size_t n_outputs, double omega)
{
    gb_random r = ratio_stream(stream);
    double largest = 0;
    for (size_t trial = 0; trial < N_STATES; trial++) {
        const ratio_state s = ratio_random_state(&r, n_outputs, omega);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_probabilities_are_ratios_of_the_joint_without_a_response),
        cmocka_unit_test(token_probabilities_are_ratios_of_the_joint_with_one_output),
        cmocka_unit_test(token_probabilities_are_ratios_of_the_joint_with_three_outputs),
        cmocka_unit_test(token_probabilities_survive_a_margin_met_almost_exactly),
    };
    return cmocka_run_group_tests_name("log ratio of tokens", tests, NULL, NULL);
}
