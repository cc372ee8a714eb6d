/* cli/answer_text.c - answers of the library as aligned text. */
#include "answer.h"

#include "bar.h"
#include "sparkline.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST_TEXT = 40, CELL_SIZE = 64, GAP = 2 };

/* ---- cells as text --------------------------------------------------------------------------------- */

static bool is_of_texts(const gb_column *c)
{
    return c->kind == GB_CELL_TEXT || c->kind == GB_CELL_LIST;
}

/* Whether "%.4g" or the like would leave out digits before the point: 1e+12 of numbers that differ by ones. */
static bool is_shortened(const char *format, double real)
{
    const char *point = strchr(format, '.');
    const double size = fabs(real);
    return point != NULL && format[strlen(format) - 1] == 'g' && size < 1e15 &&
           size >= pow(10, (double)strtol(point + 1, NULL, 10));
}

/* A number as a person reads it; "-" where it is missing. */
static void number_text(const gb_table *t, uint64_t row, uint64_t column, char out[static CELL_SIZE])
{
    const gb_column *c = gb_table_column(t, column);
    const double real = c->kind == GB_CELL_REAL ? gb_table_reals(t, column)[row] : 0;
    const uint64_t count = c->kind == GB_CELL_REAL ? 0 : gb_table_counts(t, column)[row];
    if (isnan(real) || count == GB_NO_COUNT)
        (void)strcpy(out, "-");
    else if (c->kind == GB_CELL_FLAG)
        (void)strcpy(out, count != 0 ? "yes" : "no");
    else if (c->kind == GB_CELL_COUNT)
        (void)snprintf(out, CELL_SIZE, "%" PRIu64, count);
    else if (c->format != NULL && is_shortened(c->format, real))
        (void)snprintf(out, CELL_SIZE, c->format[1] == '+' ? "%+.0f" : "%.0f", real);
    else if (c->format != NULL)
        (void)snprintf(out, CELL_SIZE, c->format, real); /* a constant of the library */
    else if (real == floor(real) && fabs(real) < 1e15)
        (void)snprintf(out, CELL_SIZE, "%.0f", real);
    else
        (void)snprintf(out, CELL_SIZE,
                       fabs(real) < 1e-3   ? "%.4g"
                       : fabs(real) < 10   ? "%.4f"
                       : fabs(real) < 1e6  ? "%.6g"
                       : fabs(real) < 1e15 ? "%.0f"
                                           : "%.6g",
                       real);
}

static void draw(const gb_table *t, uint64_t row, uint64_t column, char out[static CLI_SPARKLINE_SIZE])
{
    uint64_t n;
    const double *value = gb_table_numbers(t, row, column, &n);
    cli_sparkline(n, value, cli_is_utf8(), out);
}

/* The texts of a cell with ", " between; returns the characters. */
static size_t put_texts(FILE *stream, const gb_table *t, uint64_t row, uint64_t column, size_t most)
{
    size_t n = 0;
    for (uint64_t i = 0; i < gb_table_n_texts(t, row, column); i++) {
        const char *text = gb_table_text(t, row, column, i);
        if (i > 0)
            n += (size_t)fprintf(stream, ", ");
        n += cli_put_text(stream, text, strlen(text), most);
    }
    return n;
}

static size_t texts_width(const gb_table *t, uint64_t row, uint64_t column)
{
    size_t width = 0;
    for (uint64_t i = 0; i < gb_table_n_texts(t, row, column); i++) {
        const size_t here = cli_width(gb_table_text(t, row, column, i));
        width += (i > 0 ? 2 : 0) + (here < WIDEST_TEXT ? here : WIDEST_TEXT + strlen("..."));
    }
    return width;
}

/* ---- rows under headings ---------------------------------------------------------------------------- */

typedef struct printer {
    FILE *stream;
    const gb_table *table;
    size_t *width;       /* of each column under the heading at hand; 0: not shown as one */
    bool *has_end;       /* of each column: it stands at the end of lines, and has a cell there */
    uint64_t *row;       /* those at hand, in the order in which they are shown */
    size_t indent;       /* of lines under a heading */
    size_t blanks;       /* before what comes next: no line ends with blanks */
    uint64_t n_left_out; /* rows that have not been shown */
    uint64_t first, end; /* rows under the heading at hand */
    cli_bar bar;         /* of these rows */
    bool is_below;       /* another table stands under the same heading, and has printed it */
} printer;

static void put_blanks(printer *p)
{
    (void)fprintf(p->stream, "%*s", (int)p->blanks, "");
    p->blanks = 0;
}

static int heaviest_first(const void *a, const void *b, void *user)
{
    const double *weight = user;
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    const double p = weight[x], q = weight[y];
    if (isnan(p) != isnan(q))
        return isnan(p) ? 1 : -1; /* what is always shown comes last */
    return !isnan(p) && p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

static bool is_same_cell(const gb_table *t, uint64_t c, uint64_t a, uint64_t b)
{
    const uint64_t *count = gb_table_counts(t, c);
    return count != NULL ? count[a] == count[b] : strcmp(gb_table_text(t, a, c, 0), gb_table_text(t, b, c, 0)) == 0;
}

/* Whether all columns of a place, texts or counts, have the same value in two rows. */
static bool is_same(const gb_table *t, gb_column_place place, uint64_t a, uint64_t b)
{
    for (uint64_t c = 0; c < gb_table_n_columns(t); c++)
        if (gb_table_column(t, c)->place == place && !is_same_cell(t, c, a, b))
            return false;
    return true;
}

/* Its parts in a row, but for empty ones, and those that say again what the last has said. */
static bool print_heading(const printer *p, uint64_t row)
{
    char room[CELL_SIZE];
    const char *last = NULL;
    for (uint64_t c = 0; c < gb_table_n_columns(p->table) && !p->is_below; c++) {
        const gb_column *column = gb_table_column(p->table, c);
        const char *text = gb_table_text(p->table, row, c, 0), *place = strstr(column->title, "%s");
        if (column->place != GB_PLACE_HEADING)
            continue;
        if (!is_of_texts(column)) {
            number_text(p->table, row, c, room);
            text = room;
        }
        if (*text == '\0' || (last != NULL && strcmp(last, text) == 0))
            continue;
        last = text;
        (void)fprintf(p->stream, "%.*s", (int)(place - column->title), column->title);
        (void)cli_put_text(p->stream, text, strlen(text), SIZE_MAX);
        (void)fputs(place + strlen("%s"), p->stream);
    }
    if (last != NULL)
        (void)fputc('\n', p->stream);
    return last != NULL || p->is_below;
}

static size_t cell_width(const gb_table *t, uint64_t row, uint64_t c)
{
    char text[CELL_SIZE];
    if (is_of_texts(gb_table_column(t, c)))
        return texts_width(t, row, c);
    if (gb_table_column(t, c)->kind == GB_CELL_REALS)
        return CLI_SPARKS;
    number_text(t, row, c, text);
    return strcmp(text, "-") == 0 ? 0 : strlen(text);
}

/* The width of a column in some rows; 0 if it has nothing but missing cells there, or is no column. */
static size_t find_width(const gb_table *t, uint64_t c, uint64_t first, uint64_t end)
{
    const gb_column *column = gb_table_column(t, c);
    size_t width = 0;
    if (column->place != GB_PLACE_COLUMN && column->place != GB_PLACE_ONCE && column->place != GB_PLACE_BAR)
        return 0;
    for (uint64_t row = first; row < end; row++) {
        const size_t here = cell_width(t, row, c);
        width = here > width ? here : width;
    }
    return width == 0 ? 0 : width > cli_width(column->title) ? width : cli_width(column->title);
}

static bool is_at_end(const gb_column *c)
{
    return c->place == GB_PLACE_END || c->place == GB_PLACE_SENTENCE;
}

static bool has_end(const gb_table *t, uint64_t c, uint64_t first, uint64_t end)
{
    bool has_any = false;
    for (uint64_t row = first; is_at_end(gb_table_column(t, c)) && row < end; row++)
        has_any |= gb_table_n_texts(t, row, c) > 0;
    return has_any;
}

/* Numbers to the right, texts to the left. */
static void print_cell(printer *p, uint64_t row, uint64_t c)
{
    char text[CELL_SIZE];
    if (is_of_texts(gb_table_column(p->table, c))) {
        if (gb_table_n_texts(p->table, row, c) > 0)
            put_blanks(p);
        const size_t n = put_texts(p->stream, p->table, row, c, WIDEST_TEXT);
        p->blanks += n < p->width[c] ? p->width[c] - n : 0;
        return;
    }
    put_blanks(p);
    if (gb_table_column(p->table, c)->kind == GB_CELL_REALS) {
        char drawn[CLI_SPARKLINE_SIZE];
        draw(p->table, row, c, drawn);
        (void)fputs(drawn, p->stream);
        p->blanks += p->width[c] - cli_width(drawn);
        return;
    }
    number_text(p->table, row, c, text);
    (void)fprintf(p->stream, "%*s", (int)p->width[c], text);
}

static bool is_to_the_left(const gb_column *c)
{
    return is_of_texts(c) || c->kind == GB_CELL_REALS;
}

static void print_title(printer *p, uint64_t c)
{
    const gb_column *column = gb_table_column(p->table, c);
    const size_t n = cli_width(column->title), pad = p->width[c] - n;
    p->blanks += is_to_the_left(column) ? 0 : pad;
    if (n > 0)
        put_blanks(p);
    (void)fputs(column->title, p->stream);
    p->blanks += is_to_the_left(column) ? pad : 0;
}

static bool is_empty(const printer *p, uint64_t c)
{
    for (uint64_t row = p->first; row < p->end; row++)
        if (gb_table_n_texts(p->table, row, c) > 0)
            return false;
    return true;
}

/* What stands at the end of a line, of any length. */
static void print_end(printer *p, uint64_t row, uint64_t c, bool is_title)
{
    char room[CLI_SENTENCE_SIZE];
    if (is_title ? *gb_table_column(p->table, c)->title == '\0' || is_empty(p, c)
                 : gb_table_n_texts(p->table, row, c) == 0)
        return;
    put_blanks(p);
    if (is_title)
        (void)fputs(gb_table_column(p->table, c)->title, p->stream);
    else if (gb_table_column(p->table, c)->place == GB_PLACE_SENTENCE)
        (void)fputs(cli_cell(p->table, row, c, room), p->stream);
    else
        (void)put_texts(p->stream, p->table, row, c, SIZE_MAX);
}

/* What stands on lines of its own. */
static void print_below(const printer *p, uint64_t row)
{
    size_t indent = p->indent;
    const uint64_t n = gb_table_n_columns(p->table);
    for (uint64_t c = 0; c < n; c++)
        indent += p->width[c] == 0 ? 0 : p->width[c] + GAP;
    for (uint64_t c = 0; c < n; c++) {
        if (gb_table_column(p->table, c)->place != GB_PLACE_BELOW || gb_table_n_texts(p->table, row, c) == 0)
            continue;
        (void)fprintf(p->stream, "%*s", (int)indent, "");
        (void)put_texts(p->stream, p->table, row, c, WIDEST_TEXT);
        (void)fputc('\n', p->stream);
    }
}

static void print_bar(printer *p, uint64_t row, bool is_title)
{
    char text[CLI_BAR_WIDTH + 1];
    if (p->bar.low > p->bar.high)
        return;
    const size_t n = is_title ? cli_bar_title(&p->bar, text) : cli_bar_draw(&p->bar, p->table, row, text);
    put_blanks(p);
    (void)fputs(text, p->stream);
    p->blanks = CLI_BAR_WIDTH - n + GAP;
}

/* @param repeats  the row before has the same value where it is shown once */
static void print_line(printer *p, uint64_t row, bool is_title, bool repeats)
{
    const uint64_t n = gb_table_n_columns(p->table);
    p->blanks = p->indent;
    for (uint64_t c = 0; c < n; c++) {
        if (p->width[c] == 0)
            continue;
        if (is_title)
            print_title(p, c);
        else if (repeats && gb_table_column(p->table, c)->place == GB_PLACE_ONCE)
            p->blanks += p->width[c];
        else
            print_cell(p, row, c);
        p->blanks += GAP;
    }
    print_bar(p, row, is_title);
    for (uint64_t c = 0; c < n; c++)
        if (p->has_end[c])
            print_end(p, row, c, is_title);
    p->blanks = 0;
    (void)fputc('\n', p->stream);
    if (!is_title)
        print_below(p, row);
}

/* ---- columns across -------------------------------------------------------------------------------- */

enum { WIDEST_ACROSS = 12 };

/* The column whose values are titles; UINT64_MAX: there is none. */
static uint64_t find_across(const gb_table *t)
{
    for (uint64_t c = 0; c < gb_table_n_columns(t); c++)
        if (gb_table_column(t, c)->place == GB_PLACE_ACROSS)
            return c;
    return UINT64_MAX;
}

static bool is_same_line(const printer *p, uint64_t a, uint64_t b)
{
    for (uint64_t c = 0; c < gb_table_n_columns(p->table); c++)
        if (p->width[c] > 0 && is_of_texts(gb_table_column(p->table, c)) &&
            strcmp(gb_table_text(p->table, a, c, 0), gb_table_text(p->table, b, c, 0)) != 0)
            return false;
    return true;
}

/* A text to the right of so many characters; of a longer one the beginning. */
static void put_right(printer *p, const char *text, size_t width)
{
    const size_t here = cli_width(text);
    p->blanks += here < width ? width - here : 0;
    put_blanks(p);
    (void)cli_put_text(p->stream, text, strlen(text), here <= width ? width : width - strlen("..."));
    p->blanks += GAP;
}

/* What a cell across shows. */
static const char *across_text(const gb_table *t, uint64_t row, uint64_t c, uint64_t across, bool is_title,
                               char room[static CELL_SIZE])
{
    if (is_title)
        return gb_table_text(t, row, across, 0);
    number_text(t, row, c, room);
    return room;
}

/* The texts of a line, then a number of each of its n rows or, as the first line, their titles. */
static void print_grid_line(printer *p, size_t indent, uint64_t row, uint64_t n, uint64_t across, size_t width,
                            bool is_title)
{
    char room[CELL_SIZE];
    p->blanks = indent;
    for (uint64_t c = 0; c < gb_table_n_columns(p->table); c++) {
        const bool is_text = is_of_texts(gb_table_column(p->table, c));
        if (p->width[c] > 0 && is_text) {
            is_title ? print_title(p, c) : print_cell(p, row, c);
            p->blanks += GAP;
        }
        for (uint64_t i = 0; p->width[c] > 0 && !is_text && i < n; i++)
            put_right(p, across_text(p->table, row + i, c, across, is_title, room), width);
    }
    p->blanks = 0;
    (void)fputc('\n', p->stream);
}

/* The rows first .. end - 1, a line of n rows after the other. */
static void print_grid(printer *p, uint64_t first, uint64_t end, uint64_t across)
{
    uint64_t n = 1;
    size_t width = 0;
    while (first + n < end && is_same_line(p, first, first + n))
        n++;
    for (uint64_t c = 0; c < gb_table_n_columns(p->table); c++)
        if (!is_of_texts(gb_table_column(p->table, c)) && p->width[c] > width)
            width = p->width[c];
    for (uint64_t i = 0; i < n; i++) {
        const size_t here = cli_width(gb_table_text(p->table, first + i, across, 0));
        width = here > width ? (here < WIDEST_ACROSS ? here : WIDEST_ACROSS) : width;
    }
    const size_t indent = print_heading(p, first) ? GAP : 0;
    print_grid_line(p, indent, first, n, across, width, true);
    for (uint64_t row = first; row + n <= end; row += n)
        print_grid_line(p, indent, row, n, across, width, false);
}

/* ---- blocks ---------------------------------------------------------------------------------------- */

static void print_left_out(printer *p)
{
    if (p->n_left_out > 0)
        (void)fprintf(p->stream, "%*s... %" PRIu64 " more; --rows 0 shows all\n", (int)p->indent, "", p->n_left_out);
    p->n_left_out = 0;
}

/* The rows first .. end - 1, which have the same heading, and the same value where it is shown once. */
static void print_block(printer *p, uint64_t first, uint64_t end, uint64_t n_rows)
{
    const double *weight = gb_table_weights(p->table);
    const uint64_t n = end - first;
    uint64_t n_shown = 0;
    for (uint64_t i = 0; i < n; i++)
        p->row[i] = first + i;
    if (n_rows != CLI_ALL_ROWS)
        qsort_r(p->row, n, sizeof *p->row, heaviest_first, (void *)(uintptr_t)weight);
    for (uint64_t i = 0; i < n; i++) {
        const bool is_always_shown = n_rows == CLI_ALL_ROWS || isnan(weight[p->row[i]]);
        if (is_always_shown)
            print_left_out(p);
        if (is_always_shown || i < n_rows)
            print_line(p, p->row[i], false, n_shown++ > 0);
        else
            p->n_left_out++;
    }
}

/* All rows under a heading. */
static void print_rows(printer *p, uint64_t first, uint64_t end, uint64_t n_rows)
{
    p->indent = print_heading(p, first) ? GAP : 0;
    p->first = first;
    p->end = end;
    p->bar = cli_bar_make(p->table, first, end);
    print_line(p, first, true, false);
    for (uint64_t here = first, next; here < end; here = next) {
        for (next = here + 1; next < end && is_same(p->table, GB_PLACE_ONCE, here, next);)
            next++;
        print_block(p, here, next, n_rows);
    }
    print_left_out(p);
}

/* The notes of a kind, with an empty line between them and the rows. */
static void print_notes(FILE *stream, const gb_table *t, gb_note_kind wanted)
{
    gb_note_kind kind;
    char line[CLI_SENTENCE_SIZE];
    bool has_any = false;
    for (uint64_t i = 0; cli_note_of(t, i, &kind, line); i++) {
        if (kind != wanted)
            continue;
        (void)fprintf(stream, "%s%s\n", wanted == GB_NOTE_BELOW && !has_any && gb_table_n_rows(t) > 0 ? "\n" : "",
                      line);
        has_any = true;
    }
    if (has_any && wanted != GB_NOTE_BELOW)
        (void)fputc('\n', stream);
}

/* ---- answers --------------------------------------------------------------------------------------- */

static gb_status open_printer(printer *p, FILE *stream, const gb_table *t, bool is_below, gb_error *err)
{
    gb_status st;
    *p = (printer){.stream = stream, .table = t, .is_below = is_below};
    CLI_TRY(cli_alloc(&p->width, gb_table_n_columns(t), sizeof *p->width, "a table", err));
    CLI_TRY(cli_alloc(&p->has_end, gb_table_n_columns(t), sizeof *p->has_end, "a table", err));
    CLI_TRY(cli_alloc(&p->row, gb_table_n_rows(t), sizeof *p->row, "a table", err));
done:
    return st;
}

static void close_printer(printer *p)
{
    gb_free(p->width);
    gb_free(p->has_end);
    gb_free(p->row);
}

/* After the last row under the heading of a row. */
static uint64_t end_of_heading(const gb_table *t, uint64_t first)
{
    uint64_t end = first + 1;
    while (end < gb_table_n_rows(t) && is_same(t, GB_PLACE_HEADING, first, end))
        end++;
    return end;
}

static void print_under_heading(printer *p, uint64_t first, uint64_t end, uint64_t n_rows)
{
    const uint64_t n = gb_table_n_columns(p->table), across = find_across(p->table);
    for (uint64_t c = 0; c < n; c++) {
        p->width[c] = find_width(p->table, c, first, end);
        p->has_end[c] = has_end(p->table, c, first, end);
    }
    if (across < n)
        print_grid(p, first, end, across);
    else
        print_rows(p, first, end, n_rows);
}

/* Whether the texts in the heading of a row are those that the heading of a row in another table has. */
static bool has_heading_of(const gb_table *t, uint64_t row, const gb_table *other, uint64_t other_row)
{
    for (uint64_t c = 0; c < gb_table_n_columns(t); c++) {
        const gb_column *column = gb_table_column(t, c);
        if (column->place == GB_PLACE_HEADING &&
            strcmp(gb_table_text(t, row, c, 0),
                   gb_table_text(other, other_row, cli_find_column(other, column->name), 0)) != 0)
            return false;
    }
    return true;
}

gb_status cli_print_answers(FILE *stream, size_t n, const gb_table *const *t, uint64_t n_rows, gb_error *err)
{
    gb_status st = GB_OK;
    printer p[CLI_MOST_ANSWERS] = {{0}};
    uint64_t next[CLI_MOST_ANSWERS] = {0};
    for (size_t i = 0; i < n; i++)
        CLI_TRY(open_printer(&p[i], stream, t[i], i > 0, err));
    print_notes(stream, t[0], GB_NOTE_DOUBT);
    for (uint64_t first = 0; first < gb_table_n_rows(t[0]); first = next[0]) {
        next[0] = end_of_heading(t[0], first);
        if (first > 0)
            (void)fputc('\n', stream);
        print_under_heading(&p[0], first, next[0], n_rows);
        for (size_t i = 1; i < n; i++) {
            const uint64_t here = next[i];
            if (here == gb_table_n_rows(t[i]) || !has_heading_of(t[i], here, t[0], first))
                continue;
            (void)fputc('\n', stream);
            next[i] = end_of_heading(t[i], here);
            print_under_heading(&p[i], here, next[i], n_rows);
        }
    }
    print_notes(stream, t[0], GB_NOTE_BELOW);
done:
    for (size_t i = 0; i < n; i++)
        close_printer(&p[i]);
    return st;
}

gb_status cli_print_answer(FILE *stream, const gb_table *t, uint64_t n_rows, gb_error *err)
{
    return cli_print_answers(stream, 1, &t, n_rows, err);
}
