/* corpus/readers/json_objects.c - the JSON objects of an input, one after the other. */
#include "corpus/readers/json_objects.h"

#include "base/memory.h"

#include <string.h>

void gb_json_objects_free(gb_json_objects *o)
{
    if (o->input != NULL)
        (void)gb_read_watch_hold(gb_input_watch(o->input), "", 0, &o->n_held, NULL);
    gb_json_line_free(&o->line);
    gb_free(o->gathered.data);
}

/* `at` is in the text of the object. */
static gb_status fail(const gb_json_objects *o, size_t at, const char *fault, gb_error *err)
{
    uint64_t n_lines = 0;
    size_t line_begin = 0;
    for (size_t i = 0; i < at; i++)
        if (o->text.text[i] == '\n') {
            n_lines++;
            line_begin = i + 1;
        }
    return gb_input_fail_at(o->input, o->first_line + n_lines, err, "not valid JSON at byte %zu: %s",
                            at - line_begin + (n_lines == 0 ? o->n_before : 0) + 1, fault);
}

static void go_on(gb_json_objects *o, size_t n)
{
    if (n == 0) /* there may be no line yet */
        return;
    o->rest.text += n;
    o->rest.length -= n;
    o->n_before += n;
}

/* Between objects; a record separator begins each of a JSON text sequence (RFC 7464). */
static void skip_blanks(gb_json_objects *o)
{
    size_t n = 0;
    while (n < o->rest.length && memchr(" \t\r\036", o->rest.text[n], 4) != NULL)
        n++;
    go_on(o, n);
}

static gb_status next_line(gb_json_objects *o, bool *end, gb_error *err)
{
    o->n_before = 0;
    return gb_input_line(o->input, &o->rest, end, err);
}

/* ---- between objects ----------------------------------------------------------------------------------- */

/* A bracket or comma of the list that the input is.  A comma may also stand behind the last object, and at the ends of lines without a
 * list around them: programs that put files together leave them there. */
static bool take_mark(gb_json_objects *o)
{
    const char c = o->rest.text[0];
    if (c == '[' && !o->has_begun)
        o->is_list = true;
    else if (c == ',' && o->takes_comma)
        o->takes_comma = false;
    else if (c == ']' && o->is_list && !o->is_closed) {
        o->is_closed = true;
        o->takes_comma = false;
    } else
        return false;
    o->has_begun = true;
    go_on(o, 1);
    return true;
}

static gb_status find_object(gb_json_objects *o, bool *end, gb_error *err)
{
    *end = false;
    for (;;) {
        skip_blanks(o);
        if (o->rest.length > 0 && !take_mark(o))
            break;
        if (o->rest.length > 0)
            continue;
        const gb_status st = next_line(o, end, err);
        if (st == GB_OK && *end && o->is_list && !o->is_closed)
            return gb_input_fail(o->input, err, "not valid JSON: the list of objects is never closed");
        if (st != GB_OK || *end)
            return st;
    }
    o->text = o->rest;
    o->first_line = gb_input_line_number(o->input);
    if (o->is_closed || (o->is_list && o->takes_comma))
        return fail(o, 0, o->is_closed ? "something follows the list of objects" : "a comma or ] is missing", err);
    o->has_begun = true;
    return GB_OK;
}

/* ---- objects on several lines -------------------------------------------------------------------------- */

static gb_status hold(gb_json_objects *o, gb_error *err)
{
    enum { SHORT = 1 << 20, TIMES = 4 }; /* as for a long line */
    const uint64_t n_bytes = o->gathered.length < SHORT ? 0 : TIMES * (uint64_t)o->gathered.length;
    return n_bytes <= o->n_held
               ? GB_OK
               : gb_read_watch_hold(gb_input_watch(o->input), gb_input_name(o->input), n_bytes, &o->n_held, err);
}

/* Within an object, so many brackets deep: may this line follow?  Where a file was cut and goes on with another object, nothing but its
 * first character says so before the end of the file. */
static bool can_follow(const gb_json_objects *o, size_t depth)
{
    size_t n = o->gathered.length;
    while (n > 0 && memchr(" \t\r\n", o->gathered.data[n - 1], 4) != NULL)
        n--;
    const char last = n == 0 ? '\0' : o->gathered.data[n - 1];
    const gb_view next = gb_view_trim(o->rest);
    return next.length == 0 || next.text[0] != '{' || last == ':' || (depth > 1 && (last == ',' || last == '['));
}

static gb_status gather(gb_json_objects *o, gb_error *err)
{
    gb_status st;
    size_t depth = 0;
    const size_t n_before = o->n_before;
    bool end = false;
    o->gathered.length = 0;
    for (;;) {
        const char *fault, *begin = o->rest.text, *at = gb_json_close(begin, begin + o->rest.length, &depth, &fault);
        if (at == NULL)
            return gb_input_fail(o->input, err, "not valid JSON at byte %zu: the quote of a text is never closed",
                                 (size_t)(fault - begin) + o->n_before + 1);
        GB_TRY(gb_bytes_add(&o->gathered, begin, (size_t)(at - begin), err));
        GB_TRY(gb_bytes_add(&o->gathered, "\n", 1, err));
        go_on(o, (size_t)(at - begin));
        if (depth == 0)
            break;
        GB_TRY(hold(o, err));
        if (o->gathered.length > GB_MAX_LINE)
            return gb_input_fail_at(o->input, o->first_line, err, "the object is longer than 1 GiB");
        GB_TRY(next_line(o, &end, err));
        if (end || !can_follow(o, depth))
            return gb_input_fail_at(o->input, o->first_line, err,
                                    "not valid JSON: the object that begins here is never closed");
    }
    o->text = (gb_view){o->gathered.data, o->gathered.length};
    const size_t n_behind = o->n_before;
    gb_json_fault fault;
    size_t length;
    o->n_before = n_before; /* for the place of a fault */
    st = gb_json_line_read(&o->line, o->text, &length, &fault, err);
    if (st == GB_EFORMAT)
        return fail(o, fault.at, fault.text == NULL ? "the object is not closed" : fault.text, err);
    o->n_before = n_behind;
done:
    return st;
}

gb_status gb_json_objects_next(gb_json_objects *o, bool *end, gb_error *err)
{
    gb_status st;
    gb_json_fault fault;
    size_t length;
    GB_TRY(find_object(o, end, err));
    if (*end)
        return GB_OK;
    st = gb_json_line_read(&o->line, o->rest, &length, &fault, err);
    if (st == GB_EFORMAT && fault.text == NULL)
        GB_TRY(gather(o, err));
    else if (st == GB_EFORMAT)
        return fail(o, fault.at, fault.text, err);
    else if (st == GB_OK) {
        o->text.length = length;
        go_on(o, length);
    }
    o->n_objects++;
    o->takes_comma = true;
done:
    return st;
}
