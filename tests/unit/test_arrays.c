/* test_arrays.c - a component that is described once: memory, estimates and names come from the list. */
#include "base/arrays.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct worker {
    float *scratch; /* 3 */
} worker;

typedef struct thing {
    size_t n, n_workers;
    uint16_t *topic; /* n */
    double *table;   /* n x 2 */
    double *absent;
    uint32_t *growing;
    size_t capacity;
    worker *worker; /* n_workers */
    double own;
} thing;

static void list(void *component, const gb_array_visitor *v)
{
    thing *t = component;
    GB_STATE_ARRAY(v, "topics", t->topic, GB_BY_TOKEN, GB_ANY_VALUE, t->n);
    GB_ARRAY(v, "table", t->table, GB_DERIVED, GB_REPLICATED, t->n, 2);
    GB_ARRAY(v, "absent", t->absent, GB_DERIVED, GB_REPLICATED, 0, t->n);
    GB_ARRAY_WITH(v, .name = "growing", GB_AT(t->growing), .life = GB_SCRATCH, .capacity = &t->capacity,
                  GB_SHAPE(t->growing == NULL ? 100 : t->capacity));
    GB_ARRAY_WITH(v, .name = "workers", GB_AT(t->worker), .life = GB_SCRATCH, .axis = GB_BY_WORKER,
                  .has_pointers = true, GB_SHAPE(t->n_workers));
    for (size_t i = 0; i < t->n_workers; i++) {
        worker *w = t->worker == NULL ? &(worker){NULL} : &t->worker[i];
        GB_ARRAY(v, "scratch", w->scratch, GB_SCRATCH, GB_BY_WORKER, 3);
    }
    GB_ARRAY_WITH(v, .name = "own", .type = GB_F64, .size = sizeof t->own, .life = GB_STATE, .first = &t->own,
                  .is_part = true, GB_SHAPE(1));
    GB_ARRAY_WITH(v, .name = "elsewhere", .type = GB_OPAQUE, .size = 1, .life = GB_DERIVED, GB_SHAPE(7));
}

/* n topics, the table, what grows by its estimate, workers, their scratch, and what lies elsewhere. */
static uint64_t expected_bytes(const thing *t)
{
    return t->n * sizeof *t->topic + t->n * 2 * sizeof *t->table + 100 * sizeof *t->growing +
           t->n_workers * (sizeof *t->worker + 3 * sizeof(float)) + 7;
}

static void memory_is_estimated_before_there_is_any(void **state)
{
    const thing t = {.n = 5, .n_workers = 2};
    (void)state;
    assert_int_equal(gb_arrays_bytes(list, &t), expected_bytes(&t));
}

static void arrays_are_allocated_zeroed_and_freed(void **state)
{
    static const double zeros[10];
    thing t = {.n = 5, .n_workers = 2};
    (void)state;
    assert_int_equal(gb_arrays_allocate(list, &t, "a thing", NULL), GB_OK);
    assert_true(t.topic != NULL && t.worker != NULL && t.worker[1].scratch != NULL);
    assert_true(t.absent == NULL && t.growing == NULL);
    assert_memory_equal(t.table, zeros, sizeof zeros);
    assert_int_equal(gb_arrays_bytes(list, &t), expected_bytes(&t));
    assert_int_equal(gb_grow(&t.growing, &t.capacity, 3, sizeof *t.growing, "a thing", NULL), GB_OK);
    gb_arrays_free(list, &t);
    assert_true(t.topic == NULL && t.table == NULL && t.growing == NULL && t.worker == NULL && t.capacity == 0);
    gb_arrays_free(list, &t); /* again: nothing to do */
}

static void what_is_there_is_not_allocated_again(void **state)
{
    thing t = {.n = 5, .n_workers = 1};
    (void)state;
    assert_int_equal(gb_arrays_allocate(list, &t, "a thing", NULL), GB_OK);
    t.topic[3] = 17;
    const uint16_t *before = t.topic;
    assert_int_equal(gb_arrays_allocate(list, &t, "a thing", NULL), GB_OK);
    assert_true(t.topic == before && t.topic[3] == 17);
    gb_arrays_free(list, &t);
}

static void a_size_that_overflows_is_no_memory(void **state)
{
    thing t = {.n = SIZE_MAX / 2};
    gb_error err = {.status = GB_OK};
    (void)state;
    assert_int_equal(gb_arrays_allocate(list, &t, "a thing", &err), GB_ENOMEM);
    assert_non_null(strstr(err.message, "a thing"));
    gb_arrays_free(list, &t);
}

static void arrays_are_found_by_name(void **state)
{
    thing t = {.n = 5, .n_workers = 2, .own = 0.5};
    gb_array found;
    (void)state;
    assert_int_equal(gb_arrays_allocate(list, &t, "a thing", NULL), GB_OK);
    assert_true(gb_arrays_find(list, &t, "table", &found));
    assert_true(found.type == GB_F64 && found.n_dimensions == 2 && found.shape[0] == 5 && found.shape[1] == 2);
    assert_ptr_equal(gb_array_first(&found), t.table);
    assert_true(gb_arrays_find(list, &t, "topics", &found));
    assert_true(found.type == GB_U16 && found.life == GB_STATE && found.axis == GB_BY_TOKEN);
    assert_true(gb_arrays_find(list, &t, "own", &found));
    assert_true(*(double *)gb_array_first(&found) == 0.5);
    assert_false(gb_arrays_find(list, &t, "absent", &found));
    assert_false(gb_arrays_find(list, &t, "elsewhere", &found));
    assert_false(gb_arrays_find(list, &t, "nothing", &found));
    gb_arrays_free(list, &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_estimated_before_there_is_any),
        cmocka_unit_test(arrays_are_allocated_zeroed_and_freed),
        cmocka_unit_test(what_is_there_is_not_allocated_again),
        cmocka_unit_test(a_size_that_overflows_is_no_memory),
        cmocka_unit_test(arrays_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
