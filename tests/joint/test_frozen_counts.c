/* Kernels on counts that stay as they are, as prediction uses them: with tokens of one word that know nothing of each other
 * (unit 0), topics must have the frequencies
 *     p_k proportional to base_k (n_kw + beta) / (n_k + V beta). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "token/token.h"

#include <math.h>
#include <string.h>

enum { N_TOPICS = 37, STRIDE = 48, N_WORDS = 3, LENGTH = 40000 };

typedef struct table {
    gb_rows rows;
    int64_t n_k[N_TOPICS];
    double mass[N_TOPICS], base[N_TOPICS];
    uint32_t word[LENGTH];
    uint16_t topic[LENGTH];
} table;

static const double BETA = 0.1, BETA_SUM = 0.3;

/* A word with few tokens, one with some hundred, and one with many: as rows they have three widths. */
static table *make_table(bool lists)
{
    static const uint64_t total[N_WORDS] = {60, 5000, 100000};
    table *t;
    gb_random r = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
    assert_int_equal(gb_alloc(&t, 1, sizeof *t, "a test", NULL), GB_OK);
    assert_int_equal(gb_rows_create(&t->rows, N_WORDS, total, N_TOPICS, STRIDE, lists, NULL), GB_OK);
    for (uint64_t w = 0; w < N_WORDS; w++)
        for (uint64_t i = 0; i < total[w]; i++) {
            const uint64_t k = gb_random_below(&r, gb_random_below(&r, N_TOPICS) + 1);
            gb_rows_add(&t->rows, w, k, 1);
            t->n_k[k]++;
        }
    for (size_t k = 0; k < N_TOPICS; k++) {
        t->mass[k] = 1;
        t->base[k] = 0.1 + gb_random_uniform(&r);
    }
    return t;
}

static void free_table(table *t)
{
    gb_rows_clear(&t->rows);
    gb_free(t);
}

static bool give_once(gb_token_lane *lane)
{
    const bool is_first = lane->at == 0;
    lane->at = 1;
    return is_first;
}

/* A pass over a document, first topics included. */
static void draw(table *t, const char *sampler, gb_isa isa, double unit)
{
    const gb_coefficients no_coefficients = {0};
    gb_scratch *scratch;
    assert_int_equal(gb_scratch_create(&scratch, N_TOPICS, 0, NULL), GB_OK);
    for (size_t i = 0; i < LENGTH; i++)
        t->topic[i] = GB_NO_TOPIC;
    for (uint32_t pass = 0; pass < 2; pass++) {
        gb_token_lane lane = {.block = {.n_topics = N_TOPICS,
                                        .stride = STRIDE,
                                        .rows = &t->rows,
                                        .is_frozen = true,
                                        .beta = BETA,
                                        .beta_block = BETA_SUM,
                                        .n_kb = t->n_k,
                                        .mass = t->mass},
                              .document = {.sweep = pass,
                                           .purpose = GB_DRAW_TEST,
                                           .key = gb_key_make(2, 0),
                                           .unit = unit,
                                           .base = t->base,
                                           .topics = t->topic,
                                           .length = LENGTH},
                              .tokens = {.count = LENGTH, .word = t->word, .topic = t->topic},
                              .scratch = scratch,
                              .next = give_once};
        assert_int_equal(gb_token_sampler_find(sampler)->kernel(isa)(&lane, 1, &no_coefficients, NULL), GB_OK);
    }
    gb_scratch_free(scratch);
}

static void check_frequencies(const char *sampler, uint64_t w)
{
    table *t = make_table(gb_token_sampler_find(sampler)->lists);
    double n[N_TOPICS] = {0}, p[N_TOPICS], sum = 0;
    for (size_t i = 0; i < LENGTH; i++)
        t->word[i] = t->rows.handle[w];
    draw(t, sampler, gb_isa_best(), 0);
    for (size_t i = 0; i < LENGTH; i++)
        n[t->topic[i]]++;
    for (size_t k = 0; k < N_TOPICS; k++)
        sum += p[k] = t->base[k] * (gb_rows_get(&t->rows, w, k) + BETA) / ((double)t->n_k[k] + BETA_SUM);
    for (size_t k = 0; k < N_TOPICS; k++) {
        const double mean = LENGTH * p[k] / sum, sd = sqrt(mean * (1 - p[k] / sum));
        if (!(fabs(n[k] - mean) < 5 * sd + 1))
            fail_msg("%s, word %d, topic %zu: %g times, expected %g", sampler, (int)w, k, n[k], mean);
    }
    free_table(t);
}

static void topics_have_the_frequencies_of_the_conditional(void **unused)
{
    (void)unused;
    for (uint64_t w = 0; w < N_WORDS; w++) {
        check_frequencies("dense", w);
        check_frequencies("sparse", w);
    }
}

static void every_instruction_set_leaves_the_same_bits_and_the_counts_alone(void **unused)
{
    (void)unused;
    static const char *const sampler[] = {"dense", "sparse"};
    for (size_t s = 0; s < 2; s++) {
        table *t = make_table(gb_token_sampler_find(sampler[s])->lists), *before = make_table(s == 1);
        static uint16_t plain[LENGTH];
        for (size_t i = 0; i < LENGTH; i++)
            t->word[i] = t->rows.handle[i * i % 7 % N_WORDS];
        for (int isa = 0; isa < GB_N_ISAS; isa++) {
            if (!gb_isa_available((gb_isa)isa))
                continue;
            draw(t, sampler[s], (gb_isa)isa, 1);
            if (isa == GB_ISA_PLAIN)
                memcpy(plain, t->topic, sizeof plain);
            assert_memory_equal(plain, t->topic, sizeof plain);
        }
        assert_memory_equal(before->rows.data, t->rows.data, t->rows.n_bytes);
        assert_memory_equal(before->n_k, t->n_k, sizeof t->n_k);
        free_table(t);
        free_table(before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_have_the_frequencies_of_the_conditional),
        cmocka_unit_test(every_instruction_set_leaves_the_same_bits_and_the_counts_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
