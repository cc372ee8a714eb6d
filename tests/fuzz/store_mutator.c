/* store_mutator.c - a file is taken apart, changed, and put together again. */
#include "store_mutator.h"

#include "base/bounds.h"
#include "store/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 512, MOST_CHANGES = 5, NAME = 96, MOST_ELEMENTS = 1 << 20, ODDS_OF_LIE = 12 };

typedef struct array {
    char name[NAME];
    gb_dtype type;
    size_t n_dimensions;
    uint64_t shape[GB_MAX_DIMENSIONS];
    uint8_t *bytes;
    size_t n;
} array;

typedef struct parts {
    json_t *metadata;
    array *array;
    size_t n_arrays;
} parts;

typedef struct dice {
    uint64_t state;
} dice;

/* Splitmix: below n. */
static uint64_t roll(dice *d, uint64_t n)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return n == 0 ? 0 : (z ^ z >> 31) % n;
}

static void *take(size_t n)
{
    void *out = malloc(n == 0 ? 1 : n);
    if (out == NULL)
        abort();
    return out;
}

/* ---- apart ---- */

bool fuzz_is_store(const uint8_t *data, size_t size)
{
    return size >= GB_CHECKSUM_OFFSET + GB_CHECKSUM_DIGITS &&
           memcmp(data + GB_LENGTH_BYTES, GB_HEADER_BEGIN, sizeof GB_HEADER_BEGIN - 1) == 0;
}

static void free_parts(parts *p)
{
    for (size_t i = 0; i < p->n_arrays; i++)
        free(p->array[i].bytes);
    free(p->array);
    json_decref(p->metadata);
}

static bool read_array(const char *name, const json_t *entry, const uint8_t *data, size_t size, array *out)
{
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    const json_t *shape = json_object_get(entry, "shape"), *offsets = json_object_get(entry, "data_offsets");
    const json_int_t begin = json_integer_value(json_array_get(offsets, 0)),
                     end = json_integer_value(json_array_get(offsets, 1));
    out->n_dimensions = json_array_size(shape);
    if (type == NULL || !gb_dtype_from_name(type, &out->type) || out->n_dimensions > GB_MAX_DIMENSIONS ||
        strlen(name) >= NAME || begin < 0 || end < begin || (uint64_t)end > size)
        return false;
    for (size_t i = 0; i < out->n_dimensions; i++)
        out->shape[i] = (uint64_t)json_integer_value(json_array_get(shape, i));
    (void)snprintf(out->name, NAME, "%s", name);
    out->n = (size_t)(end - begin);
    out->bytes = take(out->n);
    memcpy(out->bytes, data + begin, out->n);
    return true;
}

static bool take_apart(const uint8_t *data, size_t size, parts *out)
{
    uint64_t length;
    const char *name;
    json_t *entry;
    *out = (parts){0};
    if (!fuzz_is_store(data, size))
        return false;
    memcpy(&length, data, sizeof length);
    if (length > size - GB_LENGTH_BYTES)
        return false;
    json_t *header = json_loadb((const char *)data + GB_LENGTH_BYTES, length, 0, NULL);
    const size_t at = GB_LENGTH_BYTES + length;
    out->array = take(MOST_ARRAYS * sizeof *out->array);
    out->metadata = json_incref(json_object_get(header, "__metadata__"));
    json_object_foreach(header, name, entry)
    {
        if (entry != out->metadata && strncmp(name, GB_PADDING, sizeof GB_PADDING - 1) != 0 &&
            out->n_arrays < MOST_ARRAYS && read_array(name, entry, data + at, size - at, &out->array[out->n_arrays]))
            out->n_arrays++;
    }
    json_decref(header);
    if (json_is_object(out->metadata))
        return true;
    free_parts(out);
    return false;
}

/* ---- together ---- */

static void add_entry(json_t *header, const array *a, const char *name, uint64_t begin)
{
    json_t *shape = json_array();
    for (size_t i = 0; i < a->n_dimensions; i++)
        (void)json_array_append_new(shape, json_integer((json_int_t)a->shape[i]));
    (void)json_object_set_new(header, name,
                              json_pack("{s:s, s:o, s:[I, I]}", "dtype", gb_dtype_name(a->type), "shape", shape,
                                        "data_offsets", (json_int_t)begin, (json_int_t)(begin + a->n)));
}

/* A number of the header that is not what the arrays have. */
static void lie(json_t *header, dice *d)
{
    const char *name;
    json_t *entry;
    uint64_t which = roll(d, json_object_size(header));
    json_object_foreach(header, name, entry)
    {
        if (which-- != 0)
            continue;
        json_t *list = json_object_get(entry, roll(d, 2) == 0 ? "shape" : "data_offsets");
        const size_t i = roll(d, json_array_size(list));
        const uint64_t old = (uint64_t)json_integer_value(json_array_get(list, i)), step = 1 + roll(d, 64);
        (void)json_array_set_new(list, i, json_integer((json_int_t)(roll(d, 2) == 0 ? old + step : old - step)));
        return;
    }
}

static size_t padding_after(size_t n)
{
    return (GB_STORE_ALIGNMENT - n % GB_STORE_ALIGNMENT) % GB_STORE_ALIGNMENT;
}

static json_t *make_header(const parts *p, dice *d)
{
    json_t *header = json_object();
    size_t end = 0;
    (void)json_object_set(header, "__metadata__", p->metadata);
    for (size_t i = 0; i < p->n_arrays; i++) {
        array filler = {.type = GB_U8, .n_dimensions = 1, .n = p->array[i].n == 0 ? 0 : padding_after(end)};
        char name[NAME];
        filler.shape[0] = filler.n;
        (void)snprintf(name, sizeof name, GB_PADDING "%zu", i);
        if (filler.n > 0)
            add_entry(header, &filler, name, end);
        end += filler.n;
        add_entry(header, &p->array[i], p->array[i].name, end);
        end += p->array[i].n;
    }
    if (roll(d, ODDS_OF_LIE) == 0)
        lie(header, d);
    return header;
}

static size_t put_arrays(const parts *p, uint8_t *data, size_t max_size, size_t at)
{
    const size_t begin = at;
    for (size_t i = 0; i < p->n_arrays; i++) {
        const array *a = &p->array[i];
        const size_t filler = a->n == 0 ? 0 : padding_after(at - begin);
        if (max_size - at < filler || max_size - at - filler < a->n)
            return 0;
        memset(data + at, 0, filler);
        memcpy(data + at + filler, a->bytes, a->n);
        at += filler + a->n;
    }
    return at;
}

static size_t put_together(const parts *p, uint8_t *data, size_t max_size, dice *d)
{
    json_t *header = make_header(p, d);
    char *text = json_dumps(header, JSON_COMPACT);
    const size_t length = text == NULL ? 0 : strlen(text);
    const size_t at = GB_LENGTH_BYTES + length + padding_after(GB_LENGTH_BYTES + length);
    size_t n = 0;
    if (text != NULL && at <= max_size) {
        const uint64_t stored = at - GB_LENGTH_BYTES;
        uint8_t *copy = take(max_size);
        memcpy(copy, &stored, sizeof stored);
        memset(copy + GB_LENGTH_BYTES, ' ', stored);
        memcpy(copy + GB_LENGTH_BYTES, text, length);
        n = put_arrays(p, copy, max_size, at);
        memcpy(data, copy, n);
        free(copy);
    }
    free(text);
    json_decref(header);
    return n;
}

/* ---- numbers ---- */

static size_t n_elements(const array *a)
{
    return a->n / gb_dtype_size(a->type);
}

/* Extremes, and what lies just inside of the bounds that files have (base/bounds.h). */
static double odd_real(dice *d, bool is_finite)
{
    static const double bound[] = {GB_LARGEST, -GB_LARGEST, GB_LARGEST_TARGETS, 1 / GB_LARGEST},
                        odd[] = {0,      -0.0, 1,    -1,   0.5,  3.5,   1e-12, 1e-154, 1e-300, 1e-308,
                                 1e-320, 1e9,  1e15, 1e19, 1e38, 1e154, 1e300, -1e300, 1e308,  -1e308},
                        endless[] = {INFINITY, -INFINITY, NAN};
    if (!is_finite && roll(d, 8) == 0)
        return endless[roll(d, sizeof endless / sizeof *endless)];
    if (roll(d, 6) == 0)
        return bound[roll(d, sizeof bound / sizeof *bound)];
    return odd[roll(d, sizeof odd / sizeof *odd)];
}

/* A number that code may trip over; as near to the old one as far from it. */
static uint64_t odd_number(dice *d, const parts *p, gb_dtype type, uint64_t old)
{
    static const uint64_t whole[] = {0, 1, 2, UINT8_MAX, UINT32_MAX, (uint64_t)1 << 31, INT64_MAX, UINT64_MAX};
    const array *a = p->n_arrays == 0 ? NULL : &p->array[roll(d, p->n_arrays)];
    const uint64_t count = a == NULL || a->n_dimensions == 0 ? 1 : a->shape[roll(d, a->n_dimensions)];
    if (type == GB_F64 || type == GB_F32) {
        double value = odd_real(d, false);
        const float low = (float)value;
        uint64_t bits = 0;
        memcpy(&bits, type == GB_F64 ? (const void *)&value : (const void *)&low, gb_dtype_size(type));
        return roll(d, 4) == 0 ? old ^ (uint64_t)1 << roll(d, 8 * gb_dtype_size(type)) : bits;
    }
    switch (roll(d, 6)) {
    case 0:
        return old + 1;
    case 1:
        return old - 1;
    case 2:
        return count;
    case 3:
        return count - 1;
    case 4:
        return roll(d, 2 * count + 1);
    default:
        return whole[roll(d, sizeof whole / sizeof *whole)];
    }
}

static array *any_array(parts *p, dice *d)
{
    return p->n_arrays == 0 ? NULL : &p->array[roll(d, p->n_arrays)];
}

static void change_element(parts *p, dice *d)
{
    array *a = any_array(p, d);
    if (a == NULL || n_elements(a) == 0)
        return;
    const size_t width = gb_dtype_size(a->type), n = n_elements(a);
    uint8_t *at = a->bytes + width * roll(d, n);
    uint64_t value = 0;
    memcpy(&value, at, width);
    value = odd_number(d, p, a->type, value);
    if (roll(d, 4) == 0) /* one of the same array */
        memcpy(&value, a->bytes + width * roll(d, n), width);
    memcpy(at, &value, width);
}

/* The same number in a run of places. */
static void fill_elements(parts *p, dice *d)
{
    array *a = any_array(p, d);
    if (a == NULL || n_elements(a) == 0)
        return;
    const size_t width = gb_dtype_size(a->type), n = n_elements(a), first = roll(d, n),
                 last = first + roll(d, n - first);
    uint64_t value = 0;
    memcpy(&value, a->bytes + width * first, width);
    value = odd_number(d, p, a->type, value);
    for (size_t i = first; i <= last; i++)
        memcpy(a->bytes + width * i, &value, width);
}

/* ---- shapes ---- */

/* `n` rows along a dimension.  More of them repeat the last one: so offsets stay ascending. */
static void resize(array *a, size_t dimension, uint64_t n)
{
    size_t outer = 1, inner = gb_dtype_size(a->type);
    const size_t old = a->shape[dimension];
    for (size_t i = 0; i < a->n_dimensions; i++)
        if (i < dimension)
            outer *= a->shape[i];
        else if (i > dimension)
            inner *= a->shape[i];
    const size_t room = MOST_ELEMENTS * sizeof(uint64_t); /* a length of 0 lets others be anything */
    if (outer > room || inner > room || n > room / (outer + 1) / (inner + 1) || outer * old * inner != a->n)
        return;
    uint8_t *bytes = take(outer * n * inner);
    memset(bytes, 0, outer * n * inner);
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < n && old > 0; i++)
            memcpy(bytes + (o * n + i) * inner, a->bytes + (o * old + (i < old ? i : old - 1)) * inner, inner);
    free(a->bytes);
    a->bytes = bytes;
    a->n = outer * n * inner;
    a->shape[dimension] = n;
}

static uint64_t other_count(dice *d, uint64_t old)
{
    const uint64_t counts[] = {0, 1, old + 1, old == 0 ? 0 : old - 1, 2 * old, old / 2};
    return counts[roll(d, sizeof counts / sizeof *counts)];
}

static void resize_one(parts *p, dice *d)
{
    array *a = any_array(p, d);
    if (a == NULL || a->n_dimensions == 0)
        return;
    const size_t dimension = roll(d, a->n_dimensions);
    resize(a, dimension, other_count(d, a->shape[dimension]));
}

/* Whole numbers and lengths of lists. */
static void replace_count(json_t *value, uint64_t from, uint64_t to)
{
    const char *name;
    json_t *item;
    size_t i;
    if (json_is_integer(value) && (uint64_t)json_integer_value(value) == from)
        (void)json_integer_set(value, (json_int_t)to);
    if (json_is_object(value))
        json_object_foreach(value, name, item) replace_count(item, from, to);
    if (!json_is_array(value))
        return;
    json_array_foreach(value, i, item) replace_count(item, from, to);
    if (json_array_size(value) != from || to > MOST_ARRAYS)
        return;
    while (json_array_size(value) > to)
        (void)json_array_remove(value, json_array_size(value) - 1);
    while (json_array_size(value) < to && from > 0)
        (void)json_array_append_new(value, json_deep_copy(json_array_get(value, from - 1)));
}

static json_t *text_as_json(const json_t *text)
{
    json_t *tree = json_loadb(json_string_value(text), json_string_length(text), 0, NULL);
    return tree;
}

static void set_text(parts *p, const char *name, const json_t *tree)
{
    char *text = json_dumps(tree, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text != NULL)
        (void)json_object_set_new_nocheck(p->metadata, name, json_string_nocheck(text));
    free(text);
}

/* A count changes wherever it stands: in shapes, in arrays of one more, in lists and numbers of the texts. */
static void resize_all(parts *p, dice *d)
{
    const array *chosen = any_array(p, d);
    if (chosen == NULL || chosen->n_dimensions == 0)
        return;
    const uint64_t from = chosen->shape[roll(d, chosen->n_dimensions)], to = other_count(d, from);
    const bool with_offsets = roll(d, 2) == 0, with_texts = roll(d, 4) != 0;
    for (size_t i = 0; i < p->n_arrays; i++)
        for (size_t k = 0; k < p->array[i].n_dimensions; k++)
            if (p->array[i].shape[k] == from)
                resize(&p->array[i], k, to);
            else if (with_offsets && p->array[i].shape[k] == from + 1)
                resize(&p->array[i], k, to + 1);
    const char *name;
    json_t *text;
    void *next;
    json_object_foreach_safe(p->metadata, next, name, text)
    {
        json_t *tree = with_texts ? text_as_json(text) : NULL;
        replace_count(tree, from, to);
        if (tree != NULL)
            set_text(p, name, tree);
        json_decref(tree);
    }
}

static void change_type(parts *p, dice *d)
{
    static const gb_dtype types[] = {GB_U8, GB_U16, GB_U32, GB_U64, GB_F32, GB_F64};
    array *a = any_array(p, d);
    if (a == NULL || a->n_dimensions == 0)
        return;
    const gb_dtype type = types[roll(d, sizeof types / sizeof *types)];
    const size_t before = gb_dtype_size(a->type), after = gb_dtype_size(type);
    const uint64_t last = a->shape[a->n_dimensions - 1] * before;
    if (last % after == 0) {
        a->shape[a->n_dimensions - 1] = last / after;
        a->type = type;
    }
}

static void change_rank(parts *p, dice *d)
{
    array *a = any_array(p, d);
    if (a == NULL)
        return;
    if (a->n_dimensions > 1 && roll(d, 2) == 0) {
        a->shape[a->n_dimensions - 2] *= a->shape[a->n_dimensions - 1];
        a->n_dimensions--;
    } else if (a->n_dimensions < GB_MAX_DIMENSIONS)
        a->shape[a->n_dimensions++] = 1;
}

/* ---- whole arrays ---- */

static void drop_array(parts *p, dice *d)
{
    if (p->n_arrays == 0)
        return;
    const size_t i = roll(d, p->n_arrays);
    free(p->array[i].bytes);
    memmove(&p->array[i], &p->array[i + 1], (p->n_arrays - i - 1) * sizeof *p->array);
    p->n_arrays--;
}

static array copy_of(const array *a)
{
    array copy = *a;
    copy.bytes = take(a->n);
    memcpy(copy.bytes, a->bytes, a->n);
    return copy;
}

/* What one array has stands in another's place, too. */
static void copy_array(parts *p, const parts *from, dice *d)
{
    if (p->n_arrays == 0 || from->n_arrays == 0)
        return;
    const size_t to = roll(d, p->n_arrays);
    size_t source = roll(d, from->n_arrays);
    for (size_t i = 0; i < from->n_arrays && roll(d, 8) != 0; i++) /* most times the one of that name */
        if (from != p && strcmp(from->array[i].name, p->array[to].name) == 0)
            source = i;
    array copy = copy_of(&from->array[source]);
    (void)snprintf(copy.name, NAME, "%s", p->array[to].name);
    free(p->array[to].bytes);
    p->array[to] = copy;
}

static void double_array(parts *p, const parts *from, dice *d)
{
    if (p->n_arrays == MOST_ARRAYS || from->n_arrays == 0)
        return;
    array copy = copy_of(&from->array[roll(d, from->n_arrays)]);
    if (from == p || roll(d, 4) == 0) { /* "label0_class_of" -> "label1_class_of" */
        char *digit = strpbrk(copy.name, "0123456789");
        if (digit != NULL)
            *digit = (char)('0' + (*digit - '0' + 1) % 10);
        else if (strlen(copy.name) + 1 < NAME)
            strcat(copy.name, "_");
    }
    p->array[p->n_arrays++] = copy;
}

static void swap_arrays(parts *p, dice *d)
{
    array *a = any_array(p, d), *b = any_array(p, d);
    if (a == NULL)
        return;
    const array old = *a;
    *a = *b;
    *b = old;
    if (roll(d, 2) == 0) { /* they change names, not only places */
        char name[NAME];
        memcpy(name, a->name, NAME);
        memcpy(a->name, b->name, NAME);
        memcpy(b->name, name, NAME);
    }
}

/* ---- texts ---- */

typedef struct place {
    json_t *parent, *value;
    const char *name; /* in an object */
    size_t at;        /* in a list */
} place;

/* The value that `*left` others come before. */
static bool find_place(json_t *tree, uint64_t *left, place *out)
{
    const char *name;
    json_t *item;
    size_t i = 0;
    if (json_is_object(tree)) {
        json_object_foreach(tree, name, item)
        {
            *out = (*left)-- == 0 ? (place){tree, item, name, 0} : *out;
            if (out->parent != NULL || find_place(item, left, out))
                return true;
        }
    }
    if (json_is_array(tree)) {
        json_array_foreach(tree, i, item)
        {
            *out = (*left)-- == 0 ? (place){tree, item, NULL, i} : *out;
            if (out->parent != NULL || find_place(item, left, out))
                return true;
        }
    }
    return false;
}

static uint64_t n_places(const json_t *tree)
{
    uint64_t n = 0;
    const char *name;
    json_t *item;
    size_t i = 0;
    if (json_is_object(tree))
        json_object_foreach((json_t *)(uintptr_t)tree, name, item) n += 1 + n_places(item);
    if (json_is_array(tree))
        json_array_foreach(tree, i, item) n += 1 + n_places(item);
    return n;
}

static bool any_place(json_t *tree, dice *d, place *out)
{
    uint64_t left = roll(d, n_places(tree));
    *out = (place){0};
    return find_place(tree, &left, out);
}

static json_t *odd_text(dice *d, const json_t *old)
{
    static const char *const texts[] = {"",
                                        "hinge",
                                        "logistic",
                                        "gaussian",
                                        "insensitive",
                                        "probit",
                                        "ordinal",
                                        "negative-binomial",
                                        "poisson",
                                        "binary",
                                        "multiclass",
                                        "multilabel",
                                        "regression",
                                        "dirichlet",
                                        "uniform",
                                        "logistic-normal",
                                        "graph",
                                        "full",
                                        "diagonal",
                                        "response",
                                        "covariate",
                                        "exposure",
                                        "weight",
                                        "group",
                                        "none",
                                        "mean",
                                        "tfidf",
                                        "presence",
                                        "counts",
                                        "shares",
                                        "text",
                                        "icu",
                                        "english",
                                        "horseshoe",
                                        "chain",
                                        "model 4294967295",
                                        "corpus 1",
                                        "checkpoint 1",
                                        "number",
                                        "factor",
                                        "list",
                                        "\\p{L}+",
                                        "(",
                                        "18446744073709551615",
                                        "-1",
                                        "1e999"};
    char changed[256];
    const size_t n = json_string_length(old);
    if (!json_is_string(old) || roll(d, 2) == 0 || n >= sizeof changed / 2)
        return json_string(texts[roll(d, sizeof texts / sizeof *texts)]);
    memcpy(changed, json_string_value(old), n);
    for (uint64_t i = roll(d, 3); i > 0 && n > 0; i--)
        changed[roll(d, n)] = (char)(' ' + roll(d, 95));
    const size_t length = roll(d, 3) == 0 ? roll(d, n + 1) : n;
    return json_stringn(changed, length);
}

static json_t *odd_value(const parts *p, dice *d, const json_t *old)
{
    if (json_is_string(old) && roll(d, 8) != 0)
        return odd_text(d, old);
    if (json_is_boolean(old) && roll(d, 8) != 0)
        return json_boolean(!json_boolean_value(old));
    if (json_is_integer(old) && roll(d, 8) != 0)
        return json_integer((json_int_t)odd_number(d, p, GB_U64, (uint64_t)json_integer_value(old)));
    switch (roll(d, json_is_real(old) ? 2 : 6)) {
    case 0:
    case 1:
        return json_real(odd_real(d, true));
    case 2:
        return json_null();
    case 3:
        return json_array();
    case 4:
        return json_object();
    default:
        return json_integer((json_int_t)roll(d, 4) - 1);
    }
}

/* Takes the value. */
static void put_at(const place *at, json_t *value)
{
    if (value == NULL)
        return;
    if (at->name != NULL)
        (void)json_object_set_new(at->parent, at->name, value);
    else
        (void)json_array_set_new(at->parent, at->at, value);
}

static void drop_at(const place *at)
{
    if (at->name != NULL)
        (void)json_object_del(at->parent, at->name);
    else
        (void)json_array_remove(at->parent, at->at);
}

static void change_tree(const parts *p, json_t *tree, dice *d)
{
    place at, other;
    if (!any_place(tree, d, &at) || !any_place(tree, d, &other))
        return;
    switch (roll(d, 8)) {
    case 0:
        drop_at(&at);
        break;
    case 1:
        put_at(&at, json_deep_copy(other.value));
        break;
    case 2:
        if (json_is_array(at.parent))
            (void)json_array_append_new(at.parent, json_deep_copy(at.value));
        break;
    case 3:
        if (json_is_array(at.parent))
            (void)json_array_insert_new(at.parent, 0, json_deep_copy(at.value));
        break;
    default:
        put_at(&at, odd_value(p, d, at.value));
    }
}

static void change_text(parts *p, dice *d)
{
    const char *name;
    json_t *text;
    uint64_t which = roll(d, json_object_size(p->metadata));
    json_object_foreach(p->metadata, name, text)
    {
        if (which-- != 0)
            continue;
        json_t *tree = text_as_json(text);
        if (strcmp(name, "checksum") == 0 && roll(d, 8) != 0)
            return;
        if (tree == NULL)
            (void)json_object_set_new(p->metadata, name, odd_text(d, text));
        else {
            change_tree(p, tree, d);
            set_text(p, name, tree);
        }
        json_decref(tree);
        return;
    }
}

static void change_texts(parts *p, dice *d)
{
    place at, other;
    if (!any_place(p->metadata, d, &at) || !any_place(p->metadata, d, &other) ||
        (at.name != NULL && strcmp(at.name, "checksum") == 0))
        return;
    if (roll(d, 2) == 0)
        drop_at(&at);
    else
        put_at(&at, json_deep_copy(other.value));
}

/* ---- a file ---- */

static void change(parts *p, const parts *other, dice *d)
{
    switch (roll(d, 20)) {
    case 0:
        drop_array(p, d);
        break;
    case 1:
        copy_array(p, p, d);
        break;
    case 2:
        double_array(p, p, d);
        break;
    case 3:
        swap_arrays(p, d);
        break;
    case 4:
        change_type(p, d);
        break;
    case 5:
        change_rank(p, d);
        break;
    case 6:
        change_texts(p, d);
        break;
    case 7:
        resize_one(p, d);
        break;
    case 8:
    case 9:
    case 10:
        resize_all(p, d);
        break;
    case 11:
        fill_elements(p, d);
        break;
    case 12:
    case 13:
    case 14:
    case 15:
        change_text(p, d);
        break;
    default:
        if (other != NULL && roll(d, 2) == 0)
            copy_array(p, other, d);
        else if (other != NULL && roll(d, 4) == 0)
            double_array(p, other, d);
        else
            change_element(p, d);
    }
}

size_t fuzz_mutate_store(uint8_t *data, size_t size, size_t max_size, const uint8_t *other, size_t other_size,
                         unsigned seed)
{
    parts file, second;
    dice d = {seed};
    if (!take_apart(data, size, &file))
        return 0;
    const bool has_second = other != NULL && take_apart(other, other_size, &second);
    for (uint64_t i = 1 + roll(&d, MOST_CHANGES); i > 0; i--)
        change(&file, has_second ? &second : NULL, &d);
    const size_t n = put_together(&file, data, max_size, &d);
    if (has_second)
        free_parts(&second);
    free_parts(&file);
    return n;
}

/* ---- a log of records ---- */

enum { HEAD = 16, STEP = 8, MOST_RECORDS = 1024 };

bool fuzz_is_log(const uint8_t *data, size_t size)
{
    static const char begin[] = "{\"gibbous\":\"draws";
    return size >= GB_LENGTH_BYTES + sizeof begin - 1 && memcmp(data + GB_LENGTH_BYTES, begin, sizeof begin - 1) == 0;
}

typedef struct extent {
    size_t begin, n;
} extent;

static size_t find_records(const uint8_t *data, size_t size, size_t at, extent *record)
{
    size_t n = 0;
    while (n < MOST_RECORDS && at <= size && size - at > HEAD) {
        uint64_t length;
        memcpy(&length, data + at, sizeof length);
        if (length > size - at - HEAD)
            break;
        const size_t whole = HEAD + (length + STEP - 1) / STEP * STEP;
        record[n++] = (extent){at, whole < size - at ? whole : size - at};
        at += whole;
    }
    return n;
}

static void change_record(uint8_t *bytes, size_t n, dice *d)
{
    static const parts none;
    const size_t words = n / STEP;
    if (words <= HEAD / STEP)
        return;
    uint8_t *at = bytes + STEP * (HEAD / STEP + roll(d, words - HEAD / STEP));
    uint64_t value;
    memcpy(&value, at, sizeof value);
    value = odd_number(d, &none, roll(d, 2) == 0 ? GB_U64 : GB_F64, value);
    memcpy(at, &value, sizeof value);
}

/* A record with another length: the bytes after it become part of it, or of the next one. */
static void cut_record(uint8_t *bytes, dice *d)
{
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    length = roll(d, 4) == 0 ? odd_number(d, &(parts){0}, GB_U64, length) : roll(d, length + 1);
    memcpy(bytes, &length, sizeof length);
}

static void change_order(extent *record, size_t *n, dice *d)
{
    const size_t a = roll(d, *n), b = roll(d, *n);
    const extent old = record[a];
    switch (roll(d, 3)) {
    case 0:
        record[a] = record[b];
        record[b] = old;
        break;
    case 1:
        memmove(&record[a], &record[a + 1], (*n - a - 1) * sizeof *record);
        --*n;
        break;
    default:
        if (*n < MOST_RECORDS)
            record[(*n)++] = old;
    }
}

/* The header as JSON, changed; the result has no room if it is longer. */
static void change_log_header(uint8_t *text, size_t room, dice *d)
{
    json_t *tree = json_loadb((const char *)text, room, 0, NULL);
    static const parts none;
    if (tree != NULL)
        change_tree(&none, tree, d);
    char *changed = tree == NULL ? NULL : json_dumps(tree, JSON_COMPACT);
    if (changed != NULL && strlen(changed) <= room) {
        memset(text, ' ', room);
        memcpy(text, changed, strlen(changed));
    }
    free(changed);
    json_decref(tree);
}

size_t fuzz_mutate_log(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    dice d = {seed};
    uint64_t length;
    if (!fuzz_is_log(data, size))
        return 0;
    memcpy(&length, data, sizeof length);
    if (length > size - GB_LENGTH_BYTES)
        return 0;
    extent *record = take((MOST_RECORDS + 1) * sizeof *record);
    uint8_t *copy = take(size);
    memcpy(copy, data, size);
    size_t at = GB_LENGTH_BYTES + length, n = find_records(data, size, at, record);
    if (roll(&d, 4) == 0)
        change_log_header(data + GB_LENGTH_BYTES, length, &d);
    for (uint64_t i = 1 + roll(&d, MOST_CHANGES); i > 0 && n > 0; i--) {
        const extent r = record[roll(&d, n)];
        switch (roll(&d, 5)) {
        case 0:
            change_order(record, &n, &d);
            break;
        case 1:
            cut_record(copy + r.begin, &d);
            break;
        default:
            change_record(copy + r.begin, r.n, &d);
        }
    }
    for (size_t i = 0; i < n && record[i].n <= max_size - at; i++) {
        memcpy(data + at, copy + record[i].begin, record[i].n);
        at += record[i].n;
    }
    free(copy);
    free(record);
    return at;
}
