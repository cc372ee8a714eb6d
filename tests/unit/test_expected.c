/* Expected topics of tokens: sums of (1) of token/expected.h, from rows of all widths. */
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
    float product[STRIDE] __attribute__((aligned(64))), own[STRIDE], weighted[STRIDE] __attribute__((aligned(64))),
        taken[STRIDE];
    gb_rows rows;
    uint32_t word[LENGTH], handle[LENGTH];
    uint16_t topic[LENGTH];
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
        t->own[k] = (float)(0.001 + 0.01 * gb_random_uniform(&r));
        t->product[k] = t->own[k] * (float)(1 + 10 * gb_random_uniform(&r));
    }
    t->product[5] = 1e5F * t->product[5]; /* a topic that outweighs all others, most of it a token's own */
    t->own[5] = t->product[5] * (1 - 0x1p-20F);
    for (size_t i = 0; i < LENGTH; i++) {
        t->word[i] = (uint32_t)gb_random_below(&r, N_WORDS);
        t->handle[i] = t->rows.handle[t->word[i]];
        t->topic[i] = (uint16_t)gb_random_below(&r, N_TOPICS);
    }
    return t;
}

static void free_table(table *t)
{
    gb_rows_clear(&t->rows);
    gb_free(t);
}

static void run(table *t, gb_isa isa, bool leaves_out)
{
    gb_expectation e = {.rows = &t->rows,
                        .beta = (float)BETA,
                        .stride = STRIDE,
                        .product = t->product,
                        .own = leaves_out ? t->own : NULL,
                        .weighted = t->weighted,
                        .taken = t->taken};
    memset(t->weighted, 0, sizeof t->weighted);
    memset(t->taken, 0, sizeof t->taken);
    GB_KERNEL_FOR(isa, gb_expect_tokens)(&e, LENGTH, t->handle, t->topic);
    t->rest = e.rest;
}

static double expected(const table *t, size_t k)
{
    return (double)t->product[k] * ((double)t->weighted[k] + BETA * t->rest) - (double)t->taken[k];
}

/* The same in double precision, token by token. */
static void add_token(const table *t, size_t i, bool leaves_out, double *sum)
{
    double weight[N_TOPICS], total = 0;
    for (size_t k = 0; k < N_TOPICS; k++) {
        const double own = leaves_out && k == t->topic[i] ? (double)t->own[k] : 0;
        weight[k] = ((double)t->product[k] - own) * (gb_rows_get(&t->rows, t->word[i], k) + BETA);
        total += weight[k];
    }
    for (size_t k = 0; k < N_TOPICS; k++)
        sum[k] += weight[k] / total;
}

/* Sums over topics are in single precision: of a token's share about N_TOPICS 2^-24 = 2e-6 is rounding. */
static const double ROUNDING = 1e-5;

static void check(bool lists, bool leaves_out)
{
    table *t = make_table(lists);
    double sum[N_TOPICS] = {0};
    for (size_t i = 0; i < LENGTH; i++)
        add_token(t, i, leaves_out, sum);
    run(t, gb_isa_best(), leaves_out);
    for (size_t k = 0; k < N_TOPICS; k++)
        if (fabs(expected(t, k) - sum[k]) > ROUNDING * LENGTH)
            fail_msg("topic %zu: %.6f, exactly %.6f", k, expected(t, k), sum[k]);
    free_table(t);
}

static void counts_are_those_of_the_formula(void **unused)
{
    (void)unused;
    check(false, false);
    check(true, false);
}

static void a_token_can_be_left_out_of_the_weights_that_judge_it(void **unused)
{
    (void)unused;
    check(false, true);
    check(true, true);
}

static void every_instruction_set_gives_the_same_bits(void **unused)
{
    (void)unused;
    table *t = make_table(true), *other = make_table(true);
    run(t, GB_ISA_PLAIN, true);
    for (gb_isa isa = GB_ISA_AVX2; isa < GB_N_ISAS; isa++) {
        if (!gb_isa_available(isa))
            continue;
        run(other, isa, true);
        assert_memory_equal(t->weighted, other->weighted, sizeof t->weighted);
        assert_memory_equal(t->taken, other->taken, sizeof t->taken);
        assert_memory_equal(&t->rest, &other->rest, sizeof t->rest);
    }
    free_table(t);
    free_table(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_formula),
        cmocka_unit_test(a_token_can_be_left_out_of_the_weights_that_judge_it),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
