/* base/arrays.h - the arrays of a component, described once.
 *
 * A component (topic counts, document prior, coefficients, ...) has one function that lists its arrays: what each is
 * called, its type and shape, how long it lives, what it is cut by, and where the pointer to it lies.  Whoever needs all of
 * them reads that list: to allocate, to estimate memory before anything is allocated, to free, to save and load a state, to
 * look at an array by its name.
 *
 *     static void list(void *component, const gb_array_visitor *v)
 *     {
 *         thing *t = component;
 *         GB_ARRAY(v, "weights", t->weight, GB_SCRATCH, GB_BY_WORKER, t->n_threads, t->n);
 *     }
 *
 * Shapes follow from plain numbers of the component, which are set before its arrays are allocated; so memory is estimated
 * by a component that has these numbers and no arrays.  An array that is not there has a length of 0 in its shape. */
#ifndef GB_BASE_ARRAYS_H
#define GB_BASE_ARRAYS_H

#include "base/dtype.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** State is saved; what is derived is rebuilt from the state; scratch memory means nothing between sweeps. */
typedef enum gb_life { GB_STATE, GB_DERIVED, GB_SCRATCH } gb_life;

/** What an array is cut by when work is shared out; a replicated one is needed whole everywhere. */
typedef enum gb_axis { GB_BY_DOCUMENT, GB_BY_TOKEN, GB_BY_WORD_BLOCK, GB_REPLICATED, GB_BY_WORKER } gb_axis;

/** Values that a floating-point state may have; a file with others is refused.  GB_BOUNDED: see base/bounds.h. */
typedef enum gb_range { GB_ANY_VALUE, GB_FINITE, GB_NOT_NEGATIVE, GB_POSITIVE, GB_BOUNDED } gb_range;

struct gb_array;
/** Piece i of an array that lies in pieces, and how many bytes it has; it need not stay after the next piece was asked for. */
typedef const void *gb_array_piece(const struct gb_array *array, uint64_t i, size_t *n_bytes);

typedef struct gb_array {
    const char *name;
    gb_dtype type;
    size_t size; /* bytes of an element */
    gb_life life;
    gb_axis axis;
    gb_range range;
    size_t n_dimensions;
    uint64_t shape[GB_MAX_DIMENSIONS]; /* row-major, without gaps */
    void *at; /* address of the pointer; NULL: the owner has the memory elsewhere, about as much as the shape says */
    size_t *
        capacity; /* rows (of the first dimension) that fit, of an array that grows; NULL: it is allocated with its component */
    void *first; /* the first element, if `at` is NULL and it can be read and written */
    size_t
        stride; /* bytes between rows that do not follow each other: members of structures, from `first` on; else 0 */
    bool is_part;          /* of another array that is listed, where its memory is counted */
    bool is_view;          /* the memory is a file's, or another component's: it is not allocated, counted or freed */
    bool is_always;        /* in a file even if it is empty */
    bool has_pointers;     /* to arrays that are listed after it: it is freed last */
    gb_array_piece *piece; /* a state that is in no memory of its own lies in `n_pieces` pieces; else NULL */
    uint64_t n_pieces;
    void *owner; /* for the piece */
} gb_array;

/** Reads a list. */
typedef struct gb_array_visitor {
    void (*visit)(void *context, const gb_array *array);
    void *context;
} gb_array_visitor;

/** Lists a component's arrays. */
typedef void gb_list_arrays(void *component, const gb_array_visitor *visitor);

#define GB_DTYPE_OF(pointer)                                                                                         \
    _Generic((pointer), uint8_t *                                                                                    \
             : GB_U8, const uint8_t *                                                                                \
             : GB_U8, const uint16_t *                                                                               \
             : GB_U16, const uint32_t *                                                                              \
             : GB_U32, const uint64_t *                                                                              \
             : GB_U64, const float *                                                                                 \
             : GB_F32, const double *                                                                                \
             : GB_F64, uint16_t *                                                                                     \
             : GB_U16, uint32_t *                                                                                    \
             : GB_U32, uint64_t *                                                                                    \
             : GB_U64, int32_t *                                                                                     \
             : GB_I32, int64_t *                                                                                     \
             : GB_I64, float *                                                                                       \
             : GB_F32, double *                                                                                      \
             : GB_F64, default                                                                                       \
             : GB_OPAQUE)

#define GB_SHAPE(...) .n_dimensions = sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), .shape = {__VA_ARGS__}

/* The members that follow from the pointer. */
#define GB_AT(pointer) .type = GB_DTYPE_OF(pointer), .size = sizeof *(pointer), .at = &(pointer)

/** One array of a list, with any members of gb_array. */
#define GB_ARRAY_WITH(visitor, ...) (visitor)->visit((visitor)->context, &(gb_array){__VA_ARGS__})

/** A derived or scratch array: name, pointer, life, axis, then the lengths of its dimensions. */
#define GB_ARRAY(visitor, array_name, pointer, its_life, its_axis, ...)                                              \
    GB_ARRAY_WITH(visitor, .name = (array_name), GB_AT(pointer), .life = (its_life), .axis = (its_axis),             \
                  GB_SHAPE(__VA_ARGS__))

/** A state: name, pointer, axis, range of its values, then the lengths of its dimensions. */
#define GB_STATE_ARRAY(visitor, array_name, pointer, its_axis, its_range, ...)                                       \
    GB_ARRAY_WITH(visitor, .name = (array_name), GB_AT(pointer), .life = GB_STATE, .axis = (its_axis),               \
                  .range = (its_range), GB_SHAPE(__VA_ARGS__))

/** Elements of an array. */
uint64_t gb_array_count(const gb_array *array);
/** What is wrong with its numbers, by its range, or NULL.
 * @param data  where they are */
const char *gb_array_fault(const gb_array *array, const void *data);
/** Its first element; NULL if it has none, or cannot be looked at. */
void *gb_array_first(const gb_array *array);

/**
 * Allocate the arrays of a component that it does not have yet, zeroed, but not those that grow.
 *
 * @param component  its numbers are set, its pointers NULL where there is nothing; after a failure some may be there
 * @param purpose    named in the message when memory runs out
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_arrays_allocate(gb_list_arrays *list, void *component, const char *purpose, gb_error *err);
/** Bytes of all arrays, those that grow as their shape estimates them. */
uint64_t gb_arrays_bytes(gb_list_arrays *list, const void *component);
/** Bytes of those that are state, wherever they are: what a file has of the component. */
uint64_t gb_arrays_state_bytes(gb_list_arrays *list, const void *component);
/** Free all arrays and set their pointers to NULL. */
void gb_arrays_free(gb_list_arrays *list, void *component);
/** Show a reader that changes nothing the arrays of a component. */
void gb_arrays_visit(gb_list_arrays *list, const void *component, const gb_array_visitor *visitor);
/** The array of that name; false if there is none, or it is empty. */
bool gb_arrays_find(gb_list_arrays *list, const void *component, const char *name, gb_array *out);

#endif
