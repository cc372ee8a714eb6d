/* test_distinct_words.c - words that tell topics apart: each topic's best, none twice unless it must be. */
#include "helper_documents.h"

#include "answer/distinct_words.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static void assert_chosen(const gb_distinct_words *of, uint64_t n, const uint64_t *expected)
{
    uint64_t chosen[64];
    assert_int_equal(gb_choose_distinct_words(of, n, chosen, NULL), GB_OK);
    assert_memory_equal(chosen, expected, of->n_topics * n * sizeof *expected);
}

enum { HOTEL, HOTELS, ROOM, ROOMS, BEACH, POOL, STAFF, DESK, N_WORDS };
static char *words[] = {"hotel", "hotels", "room", "rooms", "beach", "pool", "staff", "desk"};
static const bool all_named[3] = {true, true, true};
static const gb_model m = {.n_words = N_WORDS, .word = words}; /* has words, and nothing else */

static void test_no_word_twice(void **state)
{
    (void)state;
    const uint64_t ranked[] = {HOTEL, ROOM, BEACH, POOL, STAFF, DESK, HOTELS, ROOMS, /* */
                               HOTEL, ROOM, STAFF, DESK, BEACH, POOL, HOTELS, ROOMS};
    const gb_distinct_words of = {&m, 2, all_named, (double[]){0.3, 0.7}, N_WORDS, ranked};
    /* the second is the larger: it has the hotel; then each its second */
    assert_chosen(&of, 2, (uint64_t[]){ROOM, BEACH, HOTEL, STAFF});
}

static void test_endings(void **state)
{
    (void)state;
    const uint64_t ranked[] = {HOTEL, HOTELS, ROOMS, ROOM, BEACH, POOL, STAFF, DESK};
    const gb_distinct_words of = {&m, 1, all_named, (double[]){1}, N_WORDS, ranked};
    assert_chosen(&of, 4, (uint64_t[]){HOTEL, ROOMS, BEACH, POOL});
}

/* With fewer words than names need, they are shared, and by no two topics two of them while there is another way. */
static void test_few_words(void **state)
{
    (void)state;
    const uint64_t ranked[] = {BEACH, POOL, STAFF, DESK, BEACH, POOL, STAFF, DESK, BEACH, POOL, STAFF, DESK};
    const gb_distinct_words of = {&m, 3, all_named, (double[]){0.5, 0.3, 0.2}, 4, ranked};
    uint64_t chosen[6];
    assert_int_equal(gb_choose_distinct_words(&of, 2, chosen, NULL), GB_OK);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < a; b++) {
            int n = 0;
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    n += chosen[2 * a + i] == chosen[2 * b + j];
            assert_in_range(n, 0, 1);
        }
}

/* A topic that is not shown takes no word from the others, however large it is. */
static void test_topics_without_names(void **state)
{
    (void)state;
    const uint64_t ranked[] = {HOTEL, ROOM, HOTEL, ROOM};
    const bool is_named[] = {false, true};
    const gb_distinct_words of = {&m, 2, is_named, (double[]){(double)NAN, 0.1}, 2, ranked};
    uint64_t chosen[4];
    assert_int_equal(gb_choose_distinct_words(&of, 2, chosen, NULL), GB_OK);
    assert_int_equal(chosen[2], HOTEL);
    assert_int_equal(chosen[3], ROOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_word_twice),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_few_words),
        cmocka_unit_test(test_topics_without_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
