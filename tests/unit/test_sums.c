/* Sums over the documents of all ranks: in the order that is promised, however many ranks there are. */
#include "dealt_parts.h"
#include "fake_team.h"
#include "helper_stream.h"
#include "team/sums.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { N_DOCS = 1000, WIDTH = 2, MOST_RANKS = 5 };

static const double BEFORE[WIDTH] = {0.1, -1e6};

/* Numbers whose sums depend on their order. */
typedef struct corpus {
    double value[N_DOCS][WIDTH];
    size_t n_parts;
    gb_status status[MOST_RANKS];
    double sum[MOST_RANKS][WIDTH];
} corpus;

/* The documents of a rank. */
typedef struct share {
    const corpus *corpus;
    uint64_t first_doc;
} share;

static void add(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const share *s = context;
    for (uint64_t d = first; d < last; d++)
        for (size_t j = 0; j < WIDTH; j++)
            sum[j] += s->corpus->value[s->first_doc + d][j];
}

static void run_sum(gb_team *team, void *context)
{
    corpus *c = context;
    const size_t r = gb_team_rank(team);
    dealt_parts parts;
    deal_parts(team, N_DOCS, c->n_parts, &parts);
    const share s = {c, parts.portion.first_doc};
    for (size_t j = 0; j < WIDTH; j++)
        c->sum[r][j] = BEFORE[j];
    c->status[r] = gb_sum_documents(&parts.portion, parts.portion.n_docs, add, &s, WIDTH, c->sum[r], NULL);
}

static void fill(corpus *c)
{
    uint64_t stream = 5;
    for (size_t d = 0; d < N_DOCS; d++)
        for (size_t j = 0; j < WIDTH; j++)
            c->value[d][j] = normal(&stream) * 1e3;
}

static double expected(const corpus *c, size_t j)
{
    double sum = 0;
    for (size_t i = 0; i < c->n_parts; i++) {
        double part = i == 0 ? BEFORE[j] : 0;
        for (uint64_t d = part_of_corpus(N_DOCS, c->n_parts, i); d < part_of_corpus(N_DOCS, c->n_parts, i + 1); d++)
            part += c->value[d][j];
        sum += part;
    }
    return sum;
}

static void parts_are_added_in_order_on_any_number_of_ranks(void **state)
{
    (void)state;
    static corpus c;
    fill(&c);
    for (c.n_parts = 1; c.n_parts <= 7; c.n_parts += 3)
        for (size_t n_ranks = 1; n_ranks <= MOST_RANKS; n_ranks++) {
            assert_string_equal(fake_team_run(n_ranks, NULL, run_sum, &c).error.message, "");
            for (size_t r = 0; r < n_ranks; r++) {
                assert_int_equal(c.status[r], GB_OK);
                for (size_t j = 0; j < WIDTH; j++)
                    assert_true(c.sum[r][j] == expected(&c, j));
            }
        }
}

static void without_a_portion_the_sum_is_one_loop(void **state)
{
    (void)state;
    static corpus c;
    double sum[WIDTH] = {BEFORE[0], BEFORE[1]};
    fill(&c);
    c.n_parts = 1;
    assert_int_equal(gb_sum_documents(NULL, N_DOCS, add, &(share){&c, 0}, WIDTH, sum, NULL), GB_OK);
    assert_true(sum[0] == expected(&c, 0) && sum[1] == expected(&c, 1));
}

static void a_rank_that_fails_leaves_no_sum_anywhere(void **state)
{
    (void)state;
    static corpus c;
    const fake_trouble trouble = {.failing_rank = 1, .failing_call = 1};
    fill(&c);
    c.n_parts = 4;
    fake_team_run(3, &trouble, run_sum, &c);
    for (size_t r = 0; r < 3; r++)
        assert_int_equal(c.status[r], GB_ERANK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_added_in_order_on_any_number_of_ranks),
        cmocka_unit_test(without_a_portion_the_sum_is_one_loop),
        cmocka_unit_test(a_rank_that_fails_leaves_no_sum_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
