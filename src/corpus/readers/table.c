/* corpus/readers/table.c - rows and cells of CSV, TSV and blank-separated files.
 *
 * In CSV a cell may be in quotes, and then holds separators, line ends (which become LF) and doubled quotes; blanks around a cell do not
 * count.  A quote within any other cell is a character.  The others are plain: a tab (or blanks, or a separator of several characters)
 * always separates and a quote is a character like any other, except in a TSV whose first cell is in quotes.  A blank line is no row,
 * except in a plain table of one column, where it is an empty cell.
 *
 * Cells are views of the line as long as a row is on one line; in quotes that hold a line end or a quote they are copied. */
#include "corpus/readers/table.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

gb_table_kind gb_table_kind_of(const char *path, gb_table_kind otherwise)
{
    char extension[16];
    gb_file_extension(path, extension);
    if (strcmp(extension, "csv") == 0)
        return GB_TABLE_CSV;
    return strcmp(extension, "tsv") == 0 || strcmp(extension, "tab") == 0 ? GB_TABLE_TSV : otherwise;
}

/* Of the line, or (text NULL) of gb_table_file.bytes. */
typedef struct cell_place {
    const char *text;
    size_t start, length;
} cell_place;

enum { MAX_SEPARATOR = 15, NUMBER_ROOM = 64 };

struct gb_table_file {
    gb_input *input;
    gb_table_kind kind;
    char separator[MAX_SEPARATOR + 1]; /* of CSV one character */
    bool has_header, is_pending;       /* pending: the first row was read to count the columns */
    bool has_first_row;                /* behind the header */
    bool header_has_quote, has_quote;  /* at the beginning of the header, of the row */
    bool at_end;
    size_t n_columns; /* 0 before the first row */
    gb_bytes bytes;
    uint64_t n_held; /* of memory for them, by the input's watch */
    cell_place *cells;
    size_t n_cells, cells_capacity;
    gb_bytes names;             /* header: the names, each ended by NUL */
    uint64_t line, header_line; /* where the row began, and the first one */
    char number[NUMBER_ROOM];
    gb_decimal_commas decimal;
};

/* ---- cells of a row ------------------------------------------------------------------------------------ */

static gb_status add_place(gb_table_file *t, cell_place place, gb_error *err)
{
    gb_status st = gb_grow(&t->cells, &t->cells_capacity, t->n_cells + 1, sizeof place, "the cells of a row", err);
    if (st == GB_OK)
        t->cells[t->n_cells++] = place;
    return st;
}

static gb_status add_cell(gb_table_file *t, const char *text, size_t length, gb_error *err)
{
    return add_place(t, (cell_place){text, 0, length}, err);
}

/* All cells so far, so that the bytes of the current one follow each other, also when the line goes and the row goes on. */
static gb_status keep_cells(gb_table_file *t, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < t->n_cells; i++) {
        cell_place *cell = &t->cells[i];
        const size_t start = t->bytes.length;
        if (cell->text == NULL)
            continue;
        GB_TRY(gb_bytes_add(&t->bytes, cell->text, cell->length, err));
        *cell = (cell_place){NULL, start, cell->length};
    }
done:
    return st;
}

/* ---- rows with quotes ---------------------------------------------------------------------------------- */

typedef struct csv_row {
    const char *at, *end;
    bool is_open;      /* within quotes */
    bool is_copied;    /* the cell in quotes is in t->bytes, from `start` on */
    const char *begin; /* of what is not copied yet */
    size_t start;
} csv_row;

static bool is_blank(const gb_table_file *t, char c)
{
    return (c == ' ' || c == '\t') && c != t->separator[0];
}

static void skip_blanks(const gb_table_file *t, csv_row *r)
{
    while (r->at < r->end && is_blank(t, *r->at))
        r->at++;
}

static gb_status fail_return(const gb_table_file *t, gb_error *err)
{
    return gb_input_fail(t->input, err,
                         "a carriage return that ends no line; where they end the lines, as on old Macs, "
                         "tr '\\r' '\\n' makes the usual ends of them");
}

/* A row of many lines, as where a quote is never closed; and what its text becomes until its words are known. */
static gb_status hold_row(gb_table_file *t, gb_error *err)
{
    enum { SHORT = 1 << 20, TIMES = 3 };
    const uint64_t n_bytes = t->bytes.length < SHORT ? 0 : TIMES * (uint64_t)t->bytes.length;
    return n_bytes <= t->n_held
               ? GB_OK
               : gb_read_watch_hold(gb_input_watch(t->input), gb_input_name(t->input), n_bytes, &t->n_held, err);
}

static gb_status copy_piece(gb_table_file *t, csv_row *r, gb_error *err)
{
    gb_status st = r->is_copied ? GB_OK : keep_cells(t, err);
    if (st == GB_OK)
        st = hold_row(t, err);
    if (st != GB_OK)
        return st;
    if (!r->is_copied)
        r->start = t->bytes.length;
    r->is_copied = true;
    if (t->bytes.length > GB_MAX_LINE)
        return gb_input_fail_at(t->input, t->line, err, "the row is longer than 1 GiB");
    return gb_bytes_add(&t->bytes, r->begin, (size_t)(r->at - r->begin), err);
}

static gb_status end_quotes(gb_table_file *t, csv_row *r, gb_error *err)
{
    const char *quote = r->at++;
    skip_blanks(t, r);
    if (r->at < r->end && *r->at == '\r')
        return fail_return(t, err);
    if (r->at < r->end && *r->at != t->separator[0])
        return gb_input_fail(t->input, err, "a quote inside a cell in quotes; it is to be doubled%s",
                             quote > r->begin && quote[-1] == '\\'
                                 ? ", not to have a backslash (in R, qmethod = \"double\" does it)"
                                 : "");
    if (!r->is_copied)
        return add_cell(t, r->begin, (size_t)(quote - r->begin), err);
    const gb_status st = gb_bytes_add(&t->bytes, r->begin, (size_t)(quote - r->begin), err);
    return st == GB_OK ? add_place(t, (cell_place){NULL, r->start, t->bytes.length - r->start}, err) : st;
}

/* Behind its first quote, or at the beginning of a further line. */
static gb_status take_quoted(gb_table_file *t, csv_row *r, gb_error *err)
{
    gb_status st = GB_OK;
    for (;;) {
        const char *quote = r->at == r->end ? NULL : memchr(r->at, '"', (size_t)(r->end - r->at));
        r->is_open = quote == NULL;
        r->at = quote == NULL ? r->end : quote;
        if (quote == NULL) { /* the line end belongs to it */
            GB_TRY(copy_piece(t, r, err));
            return gb_bytes_add(&t->bytes, "\n", 1, err);
        }
        if (r->at + 1 == r->end || r->at[1] != '"')
            return end_quotes(t, r, err);
        r->at++;
        GB_TRY(copy_piece(t, r, err));
        r->begin = ++r->at;
    }
done:
    return st;
}

static gb_status take_unquoted(gb_table_file *t, csv_row *r, gb_error *err)
{
    const char *begin = r->at,
               *end = begin == r->end ? NULL : memchr(begin, t->separator[0], (size_t)(r->end - begin));
    if (end == NULL)
        end = r->end;
    r->at = end;
    while (end > begin && is_blank(t, end[-1]))
        end--;
    if (end > begin && memchr(begin, '\r', (size_t)(end - begin)) != NULL)
        return fail_return(t, err);
    return add_cell(t, begin, (size_t)(end - begin), err);
}

/* A line of a row; r->is_open then says whether the row goes on. */
static gb_status split_csv(gb_table_file *t, csv_row *r, gb_view line, gb_error *err)
{
    gb_status st = GB_OK;
    r->at = r->begin = line.text;
    r->end = line.text + line.length;
    if (r->is_open) {
        GB_TRY(take_quoted(t, r, err));
        if (r->is_open || r->at == r->end)
            return GB_OK;
        r->at++; /* the separator */
    }
    for (;;) {
        skip_blanks(t, r);
        r->is_copied = false;
        if (r->at < r->end && *r->at == '"') {
            r->begin = ++r->at;
            GB_TRY(take_quoted(t, r, err));
        } else
            GB_TRY(take_unquoted(t, r, err));
        if (r->is_open || r->at == r->end)
            break;
        r->at++;
    }
done:
    return st;
}

static gb_status read_csv_row(gb_table_file *t, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    csv_row r = {0};
    do {
        GB_TRY(gb_input_line(t->input, &line, &t->at_end, err));
        if (t->at_end)
            break;
        if (!r.is_open) {
            t->line = gb_input_line_number(t->input);
            t->has_quote = line.length > 0 && line.text[0] == '"';
        }
        if (r.is_open || gb_view_trim(line).length > 0)
            GB_TRY(split_csv(t, &r, line, err));
    } while (r.is_open || t->n_cells == 0);
    if (t->at_end && r.is_open)
        st = gb_input_fail_at(t->input, t->line, err, "a quote that is opened in this row is never closed");
done:
    return st;
}

/* ---- plain rows ---------------------------------------------------------------------------------------- */

static gb_status split_plain(gb_table_file *t, gb_view line, gb_error *err)
{
    const size_t width = strlen(t->separator);
    for (;;) {
        const char *hit = memmem(line.text, line.length, t->separator, width);
        size_t length = hit == NULL ? line.length : (size_t)(hit - line.text);
        gb_status st = add_cell(t, line.text, length, err);
        if (st != GB_OK || hit == NULL)
            return st;
        line.text += length + width;
        line.length -= length + width;
    }
}

static gb_status split_blanks(gb_table_file *t, gb_view line, gb_error *err)
{
    gb_view rest = gb_view_trim(line);
    do {
        size_t length = 0;
        while (length < rest.length && rest.text[length] != ' ' && rest.text[length] != '\t')
            length++;
        gb_status st = add_cell(t, rest.text, length, err);
        if (st != GB_OK)
            return st;
        rest = gb_view_trim((gb_view){rest.text + length, rest.length - length});
    } while (rest.length > 0);
    return GB_OK;
}

static gb_status read_plain_row(gb_table_file *t, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    bool is_blank_line, one_column = t->n_columns == 1 || (t->n_columns == 0 && !t->has_header);
    do {
        GB_TRY(gb_input_line(t->input, &line, &t->at_end, err));
        if (t->at_end)
            break;
        t->line = gb_input_line_number(t->input);
        is_blank_line = gb_view_trim(line).length == 0 && memchr(line.text, '\t', line.length) == NULL;
    } while (is_blank_line && !one_column);
    if (!t->at_end)
        GB_TRY(t->kind == GB_TABLE_TSV ? split_plain(t, line, err) : split_blanks(t, line, err));
done:
    return st;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* R's write.table() gives each row a name in front, but none to the column of these names. */
static gb_status name_row_names(gb_table_file *t, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_bytes_add(&t->names, "", 1, err));
    memmove(t->names.data + 1, t->names.data, t->names.length - 1);
    t->names.data[0] = '\0';
    t->n_columns++;
done:
    return st;
}

static gb_status check_cells(gb_table_file *t, gb_error *err)
{
    if (t->n_cells == t->n_columns)
        return GB_OK;
    if (t->n_columns == 1 && t->has_header)
        return gb_input_fail_at(t->input, t->line, err,
                                "%zu cells, and one in line %llu; if that is a title or a comment, leave it out, and "
                                "if it names the columns, `separator` says what is between them",
                                t->n_cells, (unsigned long long)t->header_line);
    bool has_quote = false;
    for (size_t i = 0; i < t->n_cells && t->kind == GB_TABLE_TSV; i++) {
        const gb_view cell = gb_table_file_cell(t, i);
        has_quote |= cell.length > 0 && cell.text[0] == '"';
    }
    const bool has_end =
        t->has_header && t->n_cells == t->n_columns + 1 && gb_table_file_cell(t, t->n_columns).length == 0;
    return gb_input_fail_at(t->input, t->line, err, "%zu cell%s, expected %zu as in the %s%s", t->n_cells,
                            t->n_cells == 1 ? "" : "s", t->n_columns, t->has_header ? "header" : "first row",
                            has_quote ? "; where cells are in quotes, `format` csv with `separator` tab reads them"
                            : has_end ? "; if each row ends with a separator, the header needs one at its end"
                                      : "");
}

static gb_status read_row(gb_table_file *t, gb_error *err)
{
    gb_status st;
    t->n_cells = 0;
    t->bytes.length = 0;
    GB_TRY(t->kind == GB_TABLE_CSV ? read_csv_row(t, err) : read_plain_row(t, err));
    if (t->at_end)
        return GB_OK;
    if (t->n_columns == 0) {
        t->n_columns = t->n_cells;
        t->header_line = t->line;
        t->header_has_quote = t->has_quote;
        return GB_OK;
    }
    if (!t->has_first_row && t->has_header && t->n_cells == t->n_columns + 1 && t->header_has_quote && t->has_quote)
        GB_TRY(name_row_names(t, err));
    t->has_first_row = true;
    st = check_cells(t, err);
done:
    return st;
}

gb_status gb_table_file_next(gb_table_file *t, bool *end, gb_error *err)
{
    gb_status st = GB_OK;
    if (!t->is_pending && !t->at_end)
        st = read_row(t, err);
    t->is_pending = false;
    *end = t->at_end;
    return st;
}

gb_view gb_table_file_cell(const gb_table_file *t, size_t column)
{
    cell_place place = t->cells[column];
    const char *text = place.text != NULL ? place.text : t->bytes.data + place.start;
    return (gb_view){place.length == 0 ? "" : text, place.length};
}

uint64_t gb_table_file_line(const gb_table_file *t)
{
    return t->line;
}

gb_status gb_table_file_place(const gb_table_file *t, gb_status st, gb_error *err)
{
    char message[sizeof err->message];
    if (st != GB_EFORMAT || err == NULL)
        return st;
    memcpy(message, err->message, sizeof message);
    return gb_input_fail_at(t->input, t->line, err, "%s", message);
}

/* ---- decimal commas ------------------------------------------------------------------------------------ */

const gb_decimal_commas *gb_table_file_decimal_commas(const gb_table_file *t)
{
    return &t->decimal;
}

/* 1,234 may have a mark between thousands, where no semicolons say that commas are decimal; 1,25 and 0,125 cannot. */
static bool is_surely_decimal(gb_view cell)
{
    const char *comma = memchr(cell.text, ',', cell.length);
    const size_t before = (size_t)(comma - cell.text), behind = cell.length - before - 1;
    const bool is_below_one = before > 0 && comma[-1] == '0' && (before == 1 || (before == 2 && cell.text[0] == '-'));
    return behind != 3 || is_below_one;
}

gb_view gb_table_file_number(gb_table_file *t, size_t column, bool is_asked)
{
    const gb_view cell = gb_view_trim(gb_table_file_cell(t, column));
    size_t length = 0;
    if (cell.length >= NUMBER_ROOM || !gb_view_has_decimal_comma(cell) ||
        !(strcmp(t->separator, ";") == 0 || (is_asked && is_surely_decimal(cell))))
        return cell;
    for (size_t i = 0; i < cell.length; i++)
        if (cell.text[i] == ',' || cell.text[i] == '-' || cell.text[i] == '+' ||
            (cell.text[i] >= '0' && cell.text[i] <= '9'))
            t->number[length++] = cell.text[i] == ',' ? '.' : cell.text[i];
    if (t->decimal.n++ == 0) {
        const size_t n = cell.length < sizeof t->decimal.first ? cell.length : sizeof t->decimal.first - 1;
        memcpy(t->decimal.first, cell.text, n);
        t->decimal.first[n] = '\0';
    }
    return (gb_view){t->number, length};
}

/* ---- columns ------------------------------------------------------------------------------------------- */

/* The header's names, trimmed; the row itself is gone when the next one is read. */
static gb_status keep_names(gb_table_file *t, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < t->n_columns; i++) {
        gb_view name = gb_view_trim(gb_table_file_cell(t, i));
        GB_TRY(gb_bytes_add(&t->names, name.text, name.length, err));
        GB_TRY(gb_bytes_add(&t->names, "", 1, err));
    }
done:
    return st;
}

/* What could stand between columns, where the only name of the header has the one that is looked for in it. */
static void suggest_separator(const gb_table_file *t, const char *name, char *remedy, size_t room)
{
    const char *header = t->names.data, *at = strstr(header, name);
    if (t->n_columns != 1 || at == NULL || *name == '\0')
        return;
    const char *behind = at + strlen(name), *end = behind;
    const char mark = *behind != '\0' ? *behind : at > header ? at[-1] : '\0';
    if (memchr(",;|^~:!#$%&*+/\\\t ", mark, 17) == NULL || mark == '\0')
        return;
    while (*end == mark)
        end++;
    const int n = end - behind > 1 ? (int)(end - behind) : 1;
    if (mark == ' ' || mark == '\t' || n > MAX_SEPARATOR)
        (void)snprintf(remedy, room, "; `format` csv with `separator` %s may divide them",
                       mark == ' ' ? "space" : "tab");
    else
        (void)snprintf(remedy, room, "; `format` csv with `separator` '%.*s' may divide them", n,
                       *behind != '\0' ? behind : at - 1);
}

static gb_status fail_column(const gb_table_file *t, const char *name, gb_error *err)
{
    char remedy[80] = "";
    gb_status st;
    gb_bytes list = {0};
    const char *at = t->names.data;
    if (!t->has_header)
        return gb_input_fail_at(t->input, 1, err,
                                "no column \"%s\": a column is given as #1, #2, ..., so there is no header", name);
    for (size_t i = 0; i < t->n_columns; i++, at += strlen(at) + 1) {
        GB_TRY(gb_bytes_add(&list, ", ", i == 0 ? 0 : 2, err));
        GB_TRY(gb_bytes_add(&list, at, strlen(at), err));
    }
    GB_TRY(gb_bytes_add(&list, "", 1, err));
    int shown = gb_text_shown(list.data, list.length - 1);
    if (list.length - 1 < 500)
        shown = (int)list.length - 1;
    suggest_separator(t, name, remedy, sizeof remedy);
    st = gb_input_fail_at(t->input, t->header_line, err, "no column \"%s\"; the columns are %.*s%s%s", name, shown,
                          list.data, (size_t)shown < list.length - 1 ? "..." : "", remedy);
done:
    gb_free(list.data);
    return st;
}

gb_status gb_table_file_column(gb_table_file *t, const char *name, bool required, size_t *column, gb_error *err)
{
    size_t found = SIZE_MAX;
    *column = t->n_columns == 0 ? 0 : SIZE_MAX;
    if (t->n_columns == 0)
        return GB_OK;
    if (gb_column_number(name, column)) {
        if (*column >= t->n_columns)
            return gb_input_fail_at(t->input, t->header_line, err, "no column %s; there are %zu", name, t->n_columns);
        return GB_OK;
    }
    const char *at = t->names.data;
    for (size_t i = 0; t->has_header && i < t->n_columns; i++, at += strlen(at) + 1) {
        if (strcmp(at, name) != 0)
            continue;
        if (found != SIZE_MAX)
            return gb_input_fail_at(t->input, t->header_line, err, "two columns are named \"%s\"", name);
        found = i;
    }
    *column = found;
    return found == SIZE_MAX && required ? fail_column(t, name, err) : GB_OK;
}

/* ---- separators ---------------------------------------------------------------------------------------- */

/* Of the columns that are asked for, those that the cells have; and whether there is more than one cell. */
static size_t count_found(const gb_table_file *t, const gb_table_form *form)
{
    size_t n = 0;
    for (size_t w = 0; w < form->n_wanted; w++) {
        size_t column;
        if (gb_column_number(form->wanted[w], &column)) {
            n += column < t->n_cells;
            continue;
        }
        for (size_t i = 0; i < t->n_cells; i++)
            if (gb_view_is(gb_view_trim(gb_table_file_cell(t, i)), form->wanted[w])) {
                n++;
                break;
            }
    }
    return n;
}

/* The one by which the first line has most of the columns that are asked for, and of those with as many the first; if it has none
 * of them, the one that makes most cells. */
static gb_status notice_separator(gb_table_file *t, const gb_table_form *form, gb_view line, gb_error *err)
{
    static const char marks[] = ",;\t|";
    size_t most_found = 0, most_cells = 1;
    char best = ',';
    for (const char *mark = marks; *mark != '\0'; mark++) {
        csv_row r = {0};
        gb_error fault;
        t->separator[0] = *mark;
        t->n_cells = t->bytes.length = 0;
        const gb_status st = split_csv(t, &r, line, &fault);
        if (st == GB_ENOMEM)
            return gb_fail_memory(err, line.length, "a table");
        const size_t found = st == GB_OK ? count_found(t, form) : 0;
        if (found > most_found || (most_found == 0 && st == GB_OK && t->n_cells > most_cells)) {
            most_found = found;
            most_cells = t->n_cells;
            best = *mark;
        }
    }
    t->separator[0] = best;
    return GB_OK;
}

/* Excel's line before the header, "sep=;". */
static bool names_separator(gb_view line)
{
    return line.length == 5 && memcmp(line.text, "sep=", 4) == 0;
}

static gb_status find_separator(gb_table_file *t, const gb_table_form *form, gb_error *err)
{
    gb_status st;
    gb_view line;
    bool end = false;
    GB_TRY(gb_input_peek(t->input, &line, &end, err));
    if (t->kind == GB_TABLE_TSV) {
        const char *tab = memchr(line.text, '\t', line.length);
        const size_t length = tab == NULL ? line.length : (size_t)(tab - line.text);
        if (length >= 2 && line.text[0] == '"' && line.text[length - 1] == '"' && form->has_header)
            t->kind = GB_TABLE_CSV;
        return GB_OK;
    }
    if (names_separator(line)) {
        t->separator[0] = line.text[4];
        return gb_input_line(t->input, &line, &end, err);
    }
    st = notice_separator(t, form, line, err);
done:
    return st;
}

static gb_status use_separator(gb_table_file *t, const char *given, gb_error *err)
{
    static const struct {
        const char *name, *mark;
    } names[] = {{"tab", "\t"}, {"\\t", "\t"}, {"comma", ","}, {"semicolon", ";"},
                 {"pipe", "|"}, {"bar", "|"},  {"space", " "}, {"colon", ":"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(given, names[i].name) == 0)
            given = names[i].mark;
    const size_t length = strlen(given);
    if (length > MAX_SEPARATOR || strpbrk(given, "\"\r\n") != NULL)
        return gb_fail(err, GB_EARGUMENT, "`separator` \"%.*s\": up to %d characters, without quotes and line ends",
                       gb_text_shown(given, length), given, MAX_SEPARATOR);
    memcpy(t->separator, given, length + 1);
    if (t->kind == GB_TABLE_BLANKS)
        t->kind = GB_TABLE_CSV;
    if (length > 1)
        t->kind = GB_TABLE_TSV;
    return GB_OK;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

gb_status gb_table_file_open(gb_table_file **out, gb_input *input, const gb_table_form *form, gb_error *err)
{
    gb_status st;
    gb_table_file *t = NULL;
    const char *given = form->separator;
    GB_TRY(gb_alloc(&t, 1, sizeof *t, "a table", err));
    t->input = input;
    t->kind = form->kind;
    t->has_header = form->has_header;
    t->separator[0] = '\t';
    if (given != NULL && given[0] != '\0' && strcmp(given, "auto") != 0)
        GB_TRY(use_separator(t, given, err));
    else if (t->kind != GB_TABLE_BLANKS)
        GB_TRY(find_separator(t, form, err));
    GB_TRY(read_row(t, err));
    if (form->has_header && !t->at_end) {
        GB_TRY(keep_names(t, err));
        GB_TRY(read_row(t, err));
    }
    t->is_pending = !t->at_end;
    *out = t;
    t = NULL;
done:
    gb_table_file_close(t);
    return st;
}

void gb_table_file_close(gb_table_file *t)
{
    if (t == NULL)
        return;
    (void)gb_read_watch_hold(gb_input_watch(t->input), "", 0, &t->n_held, NULL);
    gb_free(t->bytes.data);
    gb_free(t->cells);
    gb_free(t->names.data);
    gb_free(t);
}
