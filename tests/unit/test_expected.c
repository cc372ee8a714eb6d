/* Expected topics of words: (1) of token/expected.h, from rows of all widths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "random/random.h"
#include "token/expected.h"

#include <math.h>
#include <string.h>

enum { N_TOPICS = 37, STRIDE = 48, N_WORDS = 3, LENGTH = 300 };

static const double BETA = 0.1;

typedef struct table {
    float product[STRIDE] __attribute__((aligned(64))), weighted[STRIDE] __attribute__((aligned(64)));
    float scale[STRIDE] __attribute__((aligned(64))), weight[STRIDE] __attribute__((aligned(64))),
        r[N_WORDS * STRIDE] __attribute__((aligned(64))), cells[STRIDE] __attribute__((aligned(64)));
    gb_rows rows;
    uint32_t word[LENGTH], handle[LENGTH];
    double rest;
} table;

/* A word with few tokens, one with some hundred, and one with many: as rows they have three widths. */
static table *make_table(bool lists)
{
    static const uint64_t total[N_WORDS] = {60, 5000, 100000};
    table *t;
    gb_random r = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
    assert_int_equal(gb_alloc(&t, 1, sizeof *t, "a test", NULL), GB_OK);
    assert_int_equal(gb_rows_create(&t->rows, N_WORDS, total, N_TOPICS, STRIDE, lists, NULL), GB_OK);
    for (uint64_t w = 0; w < N_WORDS; w++)
        for (uint64_t i = 0; i < total[w]; i++)
            gb_rows_add(&t->rows, w, gb_random_below(&r, gb_random_below(&r, N_TOPICS) + 1), 1);
    for (size_t k = 0; k < N_TOPICS; k++) {
        t->product[k] = (float)(0.001 + gb_random_uniform(&r));
        t->scale[k] = (float)(0.001 + 0.01 * gb_random_uniform(&r));
    }
    for (size_t i = 0; i < LENGTH; i++) {
        t->word[i] = (uint32_t)gb_random_below(&r, N_WORDS);
        t->handle[i] = t->rows.handle[t->word[i]];
    }
    return t;
}

static void free_table(table *t)
{
    gb_rows_clear(&t->rows);
    gb_free(t);
}

static void run(table *t, gb_isa isa)
{
    gb_expectation e = {
        .rows = &t->rows, .beta = (float)BETA, .stride = STRIDE, .product = t->product, .weighted = t->weighted};
    memset(t->weighted, 0, sizeof t->weighted);
    GB_KERNEL_FOR(isa, gb_expect_tokens)(&e, LENGTH, t->handle);
    t->rest = e.rest;
}

static double expected(const table *t, size_t k)
{
    return (double)t->product[k] * ((double)t->weighted[k] + BETA * t->rest);
}

/* The same in double precision, token by token. */
static void add_token(const table *t, size_t i, double *sum)
{
    double weight[N_TOPICS], total = 0;
    for (size_t k = 0; k < N_TOPICS; k++) {
        weight[k] = (double)t->product[k] * (gb_rows_get(&t->rows, t->word[i], k) + BETA);
        total += weight[k];
    }
    for (size_t k = 0; k < N_TOPICS; k++)
        sum[k] += weight[k] / total;
}

/* Sums over topics are in single precision: of a token's share about N_TOPICS 2^-24 = 2e-6 is rounding. */
static const double ROUNDING = 1e-5;

static void check(bool lists)
{
    table *t = make_table(lists);
    double sum[N_TOPICS] = {0};
    for (size_t i = 0; i < LENGTH; i++)
        add_token(t, i, sum);
    run(t, gb_isa_best());
    for (size_t k = 0; k < N_TOPICS; k++)
        if (fabs(expected(t, k) - sum[k]) > ROUNDING * LENGTH)
            fail_msg("topic %zu: %.6f, exactly %.6f", k, expected(t, k), sum[k]);
    free_table(t);
}

static void counts_are_those_of_the_formula(void **unused)
{
    (void)unused;
    check(false);
    check(true);
}

/* ---- towards the fixed point ---- */

static const float COUNT[N_WORDS] = {3, 1, 7};
static const double BASE = 0.2;
enum { N_PASSES = 3 };

static void settle(table *t, gb_isa isa)
{
    const gb_settling s = {.rows = &t->rows,
                           .beta = (float)BETA,
                           .stride = STRIDE,
                           .n = N_WORDS,
                           .word = t->rows.handle,
                           .count = COUNT,
                           .scale = t->scale,
                           .weight = t->weight,
                           .r = t->r,
                           .cells = t->cells};
    memset(t->r, 0, sizeof t->r);
    for (size_t k = 0; k < N_TOPICS; k++)
        t->weight[k] = (float)BASE;
    for (int i = 0; i < N_PASSES; i++)
        GB_KERNEL_FOR(isa, gb_settle_words)(&s);
}

/* A pass in double precision: the weights are added up anew for each word. */
static void settle_exactly(const table *t, double r[N_WORDS][N_TOPICS])
{
    for (size_t w = 0; w < N_WORDS; w++) {
        double p[N_TOPICS], sum = 0;
        for (size_t k = 0; k < N_TOPICS; k++) {
            double weight = BASE - r[w][k];
            for (size_t v = 0; v < N_WORDS; v++)
                weight += (double)COUNT[v] * r[v][k];
            p[k] = weight * (gb_rows_get(&t->rows, w, k) + BETA) * (double)t->scale[k];
            sum += p[k];
        }
        for (size_t k = 0; k < N_TOPICS; k++)
            r[w][k] = p[k] / sum;
    }
}

static void check_settled(bool lists)
{
    table *t = make_table(lists);
    double r[N_WORDS][N_TOPICS] = {{0}};
    settle(t, gb_isa_best());
    for (int i = 0; i < N_PASSES; i++)
        settle_exactly(t, r);
    for (size_t w = 0; w < N_WORDS; w++)
        for (size_t k = 0; k < N_TOPICS; k++)
            if (fabs((double)t->r[w * STRIDE + k] - r[w][k]) > ROUNDING)
                fail_msg("word %zu, topic %zu: %.6f, exactly %.6f", w, k, (double)t->r[w * STRIDE + k], r[w][k]);
    free_table(t);
}

static void words_settle_as_the_formula_says(void **unused)
{
    (void)unused;
    check_settled(false);
    check_settled(true);
}

static void every_instruction_set_gives_the_same_bits(void **unused)
{
    (void)unused;
    table *t = make_table(true), *other = make_table(true);
    run(t, GB_ISA_PLAIN);
    settle(t, GB_ISA_PLAIN);
    for (gb_isa isa = GB_ISA_AVX2; isa < GB_N_ISAS; isa++) {
        if (!gb_isa_available(isa))
            continue;
        run(other, isa);
        settle(other, isa);
        assert_memory_equal(t->weighted, other->weighted, sizeof t->weighted);
        assert_memory_equal(&t->rest, &other->rest, sizeof t->rest);
        assert_memory_equal(t->r, other->r, sizeof t->r);
        assert_memory_equal(t->weight, other->weight, sizeof t->weight);
    }
    free_table(t);
    free_table(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_formula),
        cmocka_unit_test(words_settle_as_the_formula_says),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
