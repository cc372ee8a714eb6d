/* answer/table.c - rows under named columns, kept column by column; texts one after another in one block. */
#include "answer/table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Texts or numbers of a cell: n of them, the first at place `first` among all items, or all numbers. */
typedef struct cell_texts {
    uint64_t first, n;
} cell_texts;

typedef struct column {
    gb_column shown;
    void *cell; /* doubles, uint64_t, or cell_texts */
    size_t room;
} column;

typedef struct note {
    gb_note_kind kind;
    char *text;
} note;

enum { DROPPED = -1 };

struct gb_table {
    column *column;
    size_t n_columns, column_room;
    int *place; /* of the columns by the caller's numbers; DROPPED */
    size_t n_places, place_room;
    size_t n_rows;
    double *weight;
    size_t weight_room;
    uint64_t *item; /* where texts begin in `bytes` */
    size_t n_items, item_room;
    char *bytes;
    size_t n_bytes, byte_room;
    double *number; /* those of all lists */
    size_t n_numbers, number_room;
    note *note;
    size_t n_notes, note_room;
    bool has_lost; /* memory has run out */
};

static const char what[] = "a table";

/* ---- making ---------------------------------------------------------------------------------------- */

gb_status gb_table_create(gb_table **out, gb_error *err)
{
    return gb_alloc(out, 1, sizeof **out, what, err);
}

static void clear_column(column *c)
{
    const char *const text[] = {c->shown.name, c->shown.title, c->shown.format, c->shown.unit, c->shown.help};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        free((void *)(uintptr_t)text[i]);
    free(c->cell);
}

void gb_table_free(gb_table *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->n_columns; i++)
        clear_column(&t->column[i]);
    for (size_t i = 0; i < t->n_notes; i++)
        free(t->note[i].text);
    free(t->column);
    free(t->place);
    free(t->weight);
    free(t->item);
    free(t->bytes);
    free(t->number);
    free(t->note);
    gb_free(t);
}

/* Room in a growing array; false if there is none, which the table remembers. */
static bool grow(gb_table *t, void *array, size_t *room, size_t need, size_t size)
{
    if (!t->has_lost && gb_grow(array, room, need, size, what, NULL) != GB_OK)
        t->has_lost = true;
    return !t->has_lost;
}

static const char *copy(gb_table *t, const char *text)
{
    char *copied = NULL;
    if (text != NULL && gb_copy_text(&copied, text, strlen(text), NULL) != GB_OK)
        t->has_lost = true;
    return copied;
}

static void set_place(gb_table *t, int place)
{
    if (grow(t, &t->place, &t->place_room, t->n_places + 1, sizeof *t->place))
        t->place[t->n_places++] = place;
}

size_t gb_table_add(gb_table *t, const gb_column *from)
{
    const size_t number = t->n_places;
    assert(t->n_rows == 0);
    if (!grow(t, &t->column, &t->column_room, t->n_columns + 1, sizeof *t->column))
        return number;
    t->column[t->n_columns++] = (column){.shown = {.name = copy(t, from->name),
                                                   .title = copy(t, from->title),
                                                   .kind = from->kind,
                                                   .place = from->place,
                                                   .format = copy(t, from->format),
                                                   .unit = copy(t, from->unit == NULL ? "" : from->unit),
                                                   .help = copy(t, from->help)}};
    set_place(t, (int)t->n_columns - 1);
    return number;
}

void gb_table_add_all(gb_table *t, size_t n, const gb_column *from, const bool *is_used)
{
    for (size_t i = 0; i < n; i++) {
        if (is_used == NULL || is_used[i])
            (void)gb_table_add(t, &from[i]);
        else
            set_place(t, DROPPED);
    }
}

static bool is_of_texts(const column *c)
{
    return c->shown.kind == GB_CELL_TEXT || c->shown.kind == GB_CELL_LIST;
}

static bool is_of_lists(const column *c)
{
    return is_of_texts(c) || c->shown.kind == GB_CELL_REALS;
}

static size_t size_of_cell(const column *c)
{
    return is_of_lists(c) ? sizeof(cell_texts) : c->shown.kind == GB_CELL_REAL ? sizeof(double) : sizeof(uint64_t);
}

static void clear_cell(column *c, size_t row)
{
    if (is_of_lists(c))
        ((cell_texts *)c->cell)[row] = (cell_texts){0, 0};
    else if (c->shown.kind == GB_CELL_REAL)
        ((double *)c->cell)[row] = NAN;
    else
        ((uint64_t *)c->cell)[row] = GB_NO_COUNT;
}

void gb_table_begin_row(gb_table *t, double weight)
{
    bool fits = grow(t, &t->weight, &t->weight_room, t->n_rows + 1, sizeof *t->weight);
    for (size_t i = 0; i < t->n_columns && fits; i++) {
        column *c = &t->column[i];
        fits = t->n_rows < c->room || grow(t, &c->cell, &c->room, t->n_rows + 1, size_of_cell(c));
        if (fits)
            clear_cell(c, t->n_rows);
    }
    if (fits)
        t->weight[t->n_rows++] = weight;
}

/* The column with the caller's number in which the last row has a cell; NULL if it is dropped or memory has run out. */
static column *column_of(gb_table *t, size_t number)
{
    if (t->has_lost)
        return NULL;
    assert(number < t->n_places && t->n_rows > 0);
    return t->place[number] == DROPPED ? NULL : &t->column[t->place[number]];
}

static void add_text(gb_table *t, column *c, const char *bytes, size_t length)
{
    cell_texts *cell = (cell_texts *)c->cell + (t->n_rows - 1);
    if (!grow(t, &t->item, &t->item_room, t->n_items + 1, sizeof *t->item) ||
        !grow(t, &t->bytes, &t->byte_room, t->n_bytes + length + 1, 1))
        return;
    if (cell->n == 0)
        cell->first = t->n_items;
    assert(cell->first + cell->n == t->n_items);
    cell->n++;
    t->item[t->n_items++] = t->n_bytes;
    gb_copy_bytes(t->bytes + t->n_bytes, bytes, length);
    t->n_bytes += length;
    t->bytes[t->n_bytes++] = '\0';
}

void gb_put_bytes(gb_table *t, size_t number, const char *bytes, size_t length)
{
    column *c = column_of(t, number);
    if (c == NULL || (length == 0 && c->shown.kind == GB_CELL_TEXT))
        return;
    assert(is_of_texts(c));
    add_text(t, c, bytes, length);
}

void gb_put_text(gb_table *t, size_t number, const char *text)
{
    gb_put_bytes(t, number, text, strlen(text));
}

void gb_put_item(gb_table *t, size_t number, const char *text)
{
    gb_put_bytes(t, number, text, strlen(text));
}

void gb_put_real(gb_table *t, size_t number, double value)
{
    column *c = column_of(t, number);
    if (c == NULL)
        return;
    assert(c->shown.kind == GB_CELL_REAL);
    ((double *)c->cell)[t->n_rows - 1] = isfinite(value) ? value : (double)NAN;
}

void gb_put_count(gb_table *t, size_t number, uint64_t value)
{
    column *c = column_of(t, number);
    if (c == NULL)
        return;
    assert(c->shown.kind == GB_CELL_COUNT || c->shown.kind == GB_CELL_FLAG);
    ((uint64_t *)c->cell)[t->n_rows - 1] = value;
}

void gb_put_numbers(gb_table *t, size_t number, uint64_t n, const double *value)
{
    column *c = column_of(t, number);
    if (c == NULL || n == 0 || !grow(t, &t->number, &t->number_room, t->n_numbers + n, sizeof *t->number))
        return;
    assert(c->shown.kind == GB_CELL_REALS);
    ((cell_texts *)c->cell)[t->n_rows - 1] = (cell_texts){t->n_numbers, n};
    memcpy(t->number + t->n_numbers, value, n * sizeof *value);
    t->n_numbers += n;
}

void gb_table_show(gb_table *t, size_t number)
{
    if (!t->has_lost && t->place[number] != DROPPED)
        t->column[t->place[number]].shown.place = GB_PLACE_COLUMN;
}

void gb_table_add_note(gb_table *t, gb_note_kind kind, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        t->has_lost = true;
        return;
    }
    if (grow(t, &t->note, &t->note_room, t->n_notes + 1, sizeof *t->note))
        t->note[t->n_notes++] = (note){kind, text};
    else
        free(text);
}

void gb_table_lose(gb_table *t)
{
    t->has_lost = true;
}

gb_status gb_table_end(const gb_table *t, gb_error *err)
{
    return t->has_lost ? gb_fail(err, GB_ENOMEM, "out of memory: %s", what) : GB_OK;
}

/* ---- reading --------------------------------------------------------------------------------------- */

uint64_t gb_table_n_rows(const gb_table *t)
{
    return t->n_rows;
}

uint64_t gb_table_n_columns(const gb_table *t)
{
    return t->n_columns;
}

const gb_column *gb_table_column(const gb_table *t, uint64_t i)
{
    return i < t->n_columns ? &t->column[i].shown : NULL;
}

size_t gb_table_find(const gb_table *t, const char *name)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (strcmp(t->column[i].shown.name, name) == 0)
            return i;
    return SIZE_MAX;
}

static bool is_of_kind(const gb_table *t, uint64_t i, gb_cell_kind kind)
{
    return i < t->n_columns && t->column[i].shown.kind == kind;
}

const double *gb_table_reals(const gb_table *t, uint64_t i)
{
    return is_of_kind(t, i, GB_CELL_REAL) ? t->column[i].cell : NULL;
}

const uint64_t *gb_table_counts(const gb_table *t, uint64_t i)
{
    return is_of_kind(t, i, GB_CELL_COUNT) || is_of_kind(t, i, GB_CELL_FLAG) ? t->column[i].cell : NULL;
}

static cell_texts texts_of(const gb_table *t, uint64_t row, uint64_t i)
{
    if (i >= t->n_columns || row >= t->n_rows || !is_of_texts(&t->column[i]))
        return (cell_texts){0, 0};
    return ((const cell_texts *)t->column[i].cell)[row];
}

uint64_t gb_table_n_texts(const gb_table *t, uint64_t row, uint64_t i)
{
    return texts_of(t, row, i).n;
}

const char *gb_table_text(const gb_table *t, uint64_t row, uint64_t i, uint64_t index)
{
    const cell_texts cell = texts_of(t, row, i);
    return index < cell.n ? t->bytes + t->item[cell.first + index] : "";
}

const double *gb_table_numbers(const gb_table *t, uint64_t row, uint64_t i, uint64_t *n)
{
    *n = 0;
    if (!is_of_kind(t, i, GB_CELL_REALS) || row >= t->n_rows)
        return NULL;
    const cell_texts cell = ((const cell_texts *)t->column[i].cell)[row];
    *n = cell.n;
    return cell.n == 0 ? NULL : t->number + cell.first;
}

const double *gb_table_weights(const gb_table *t)
{
    return t->weight;
}

uint64_t gb_table_n_notes(const gb_table *t)
{
    return t->n_notes;
}

const char *gb_table_note(const gb_table *t, uint64_t index, gb_note_kind *kind)
{
    if (index >= t->n_notes)
        return NULL;
    if (kind != NULL)
        *kind = t->note[index].kind;
    return t->note[index].text;
}
