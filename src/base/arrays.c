/* base/arrays.c - readers of lists of arrays. */
#include "base/arrays.h"

#include "base/bounds.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

uint64_t gb_array_count(const gb_array *array)
{
    uint64_t n = 1;
    for (size_t i = 0; i < array->n_dimensions; i++)
        n *= array->shape[i];
    return n;
}

/* Pointers of all types are read and written as bytes, see gb_alloc(). */
static void *pointer_of(const gb_array *array)
{
    void *pointer;
    memcpy(&pointer, array->at, sizeof pointer);
    return pointer;
}

void *gb_array_first(const gb_array *array)
{
    return gb_array_count(array) == 0 ? NULL : array->at == NULL ? array->first : pointer_of(array);
}

static bool is_in_range(double x, gb_range range)
{
    switch (range) {
    case GB_ANY_VALUE:
        return true;
    case GB_NOT_NEGATIVE:
        return isfinite(x) && x >= 0;
    case GB_POSITIVE:
        return isfinite(x) && x > 0;
    case GB_BOUNDED:
        return gb_is_bounded(x);
    default:
        return isfinite(x);
    }
}

const char *gb_array_fault(const gb_array *array, const void *data)
{
    static const char *const what[] = {"", "a number is not finite", "a number is negative or not finite",
                                       "a number is not positive", "a number is not finite, or too large"};
    const bool is_real = array->type == GB_F64 || array->type == GB_F32;
    const uint64_t n = is_real && array->range != GB_ANY_VALUE ? gb_array_count(array) : 0;
    for (uint64_t i = 0; i < n; i++)
        if (!is_in_range(array->type == GB_F32 ? ((const float *)data)[i] : ((const double *)data)[i], array->range))
            return what[array->range];
    return NULL;
}

/* ---- memory ---- */

struct allocation {
    const char *purpose;
    gb_error *err;
    gb_status st;
};

/* The first dimension is the count, so that a product that is too large is found. */
static void allocate(void *context, const gb_array *array)
{
    struct allocation *a = context;
    if (a->st != GB_OK || array->at == NULL || array->is_view || array->piece != NULL || array->capacity != NULL ||
        pointer_of(array) != NULL)
        return;
    uint64_t size = array->size;
    for (size_t i = 1; i < array->n_dimensions; i++)
        if (__builtin_mul_overflow(size, array->shape[i], &size)) {
            a->st = gb_fail_memory(a->err, SIZE_MAX, a->purpose);
            return;
        }
    a->st = gb_alloc(array->at, array->shape[0], size, a->purpose, a->err);
}

gb_status gb_arrays_allocate(gb_list_arrays *list, void *component, const char *purpose, gb_error *err)
{
    struct allocation a = {.purpose = purpose, .err = err, .st = GB_OK};
    list(component, &(gb_array_visitor){allocate, &a});
    return a.st;
}

static void add_bytes(void *context, const gb_array *array)
{
    const bool is_elsewhere = array->is_part || array->is_view || array->piece != NULL;
    *(uint64_t *)context += is_elsewhere ? 0 : gb_array_count(array) * array->size;
}

static void add_state(void *context, const gb_array *array)
{
    *(uint64_t *)context += array->life == GB_STATE ? gb_array_count(array) * array->size : 0;
}

/* To readers that change nothing, lists are shown things that must not change. */
static void *shown(const void *component)
{
    return (void *)(uintptr_t)component;
}

void gb_arrays_visit(gb_list_arrays *list, const void *component, const gb_array_visitor *visitor)
{
    list(shown(component), visitor);
}

uint64_t gb_arrays_bytes(gb_list_arrays *list, const void *component)
{
    uint64_t n = 0;
    list(shown(component), &(gb_array_visitor){add_bytes, &n});
    return n;
}

uint64_t gb_arrays_state_bytes(gb_list_arrays *list, const void *component)
{
    uint64_t n = 0;
    list(shown(component), &(gb_array_visitor){add_state, &n});
    return n;
}

static void release(const gb_array *array)
{
    static void *const none = NULL;
    if (!array->is_view)
        gb_free(pointer_of(array));
    memcpy(array->at, &none, sizeof none);
    if (array->capacity != NULL)
        *array->capacity = 0;
}

static void free_leaf(void *context, const gb_array *array)
{
    (void)context;
    if (array->at != NULL && !array->has_pointers)
        release(array);
}

static void free_rest(void *context, const gb_array *array)
{
    (void)context;
    if (array->at != NULL && array->has_pointers)
        release(array);
}

void gb_arrays_free(gb_list_arrays *list, void *component)
{
    list(component, &(gb_array_visitor){free_leaf, NULL});
    list(component, &(gb_array_visitor){free_rest, NULL});
}

/* ---- by name ---- */

struct search {
    const char *name;
    gb_array *out;
    bool found;
};

static void compare(void *context, const gb_array *array)
{
    struct search *s = context;
    if (s->found || strcmp(array->name, s->name) != 0 || gb_array_first(array) == NULL)
        return;
    *s->out = *array;
    s->found = true;
}

bool gb_arrays_find(gb_list_arrays *list, const void *component, const char *name, gb_array *out)
{
    struct search s = {.name = name, .out = out};
    list(shown(component), &(gb_array_visitor){compare, &s});
    return s.found;
}
