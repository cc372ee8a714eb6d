/* corpus/readers/reader_dir.c - a folder, or a zip or tar archive: every file is a document, its first sub-folder the class.
 *
 * A folder is walked before the first document, in the order of the paths' bytes; an archive is read in its own order.
 * Hidden files and symbolic links are passed over, so that nothing outside of the folder is read.  The id is the
 * path within the folder. */
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct dir {
    gb_reader_context *context;
    size_t root_length; /* of the path in front of an id */
    char **files;       /* folder: paths, sorted */
    size_t n_files, capacity, next_file;
    gb_input *input; /* of the current document; of the archive */
    bool is_archive, has_file;
    gb_bytes text;
    char *id;
} dir;

extern const gb_reader_ops gb_reader_dir;

static void close_dir(void *state)
{
    dir *d = state;
    for (size_t i = 0; i < d->n_files; i++)
        gb_free(d->files[i]);
    gb_free(d->files);
    gb_input_close(d->input);
    gb_free(d->text.data);
    gb_free(d->id);
    gb_free(d);
}

/* ---- walking ------------------------------------------------------------------------------------------- */

static gb_status fail_path(const char *path, gb_error *err)
{
    return gb_fail(err, GB_EIO, "%s: %s", path, strerror(errno));
}

static gb_status add_file(dir *d, const char *path, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_grow(&d->files, &d->capacity, d->n_files + 1, sizeof d->files[0], "the files of a folder", err));
    GB_TRY(gb_copy_text(&d->files[d->n_files], path, strlen(path), err));
    d->n_files++;
done:
    return st;
}

static gb_status walk_folder(dir *d, gb_bytes *path, gb_error *err);

/* What has that name in the folder of which the path is.  No link is followed. */
static gb_status visit(dir *d, gb_bytes *path, const char *name, gb_error *err)
{
    gb_status st;
    gb_path_info info;
    const size_t length = path->length;
    GB_TRY(gb_bytes_add(path, "/", length == 0 || path->data[length - 1] == '/' ? 0 : 1, err));
    GB_TRY(gb_bytes_add(path, name, strlen(name) + 1, err));
    path->length--;
    if (!gb_path_look(path->data, false, &info))
        st = fail_path(path->data, err);
    else if (info.kind == GB_IS_FOLDER)
        st = walk_folder(d, path, err);
    else if (info.kind == GB_IS_FILE)
        st = add_file(d, path->data, err);
    else
        d->context->n_skipped++;
done:
    path->length = length;
    return st == GB_OK ? gb_read_watch_ask(d->context->watch, err) : st;
}

static gb_status walk_folder(dir *d, gb_bytes *path, gb_error *err)
{
    gb_status st = GB_OK;
    const char *name;
    gb_folder *folder = gb_folder_open(path->data);
    if (folder == NULL)
        return fail_path(path->data, err);
    while (st == GB_OK && (name = gb_folder_next(folder)) != NULL)
        if (name[0] != '.')
            st = visit(d, path, name, err);
    if (st == GB_OK && errno != 0)
        st = fail_path(path->data, err);
    gb_folder_close(folder);
    return st;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static gb_status walk(dir *d, gb_error *err)
{
    gb_status st;
    gb_bytes path = {0};
    size_t length = strlen(d->context->path);
    while (length > 1 && d->context->path[length - 1] == '/')
        length--;
    GB_TRY(gb_bytes_add(&path, d->context->path, length, err));
    GB_TRY(gb_bytes_add(&path, "", 1, err));
    path.length--;
    d->root_length = length + (strcmp(path.data, "/") != 0);
    GB_TRY(walk_folder(d, &path, err));
    if (d->n_files > 0)
        qsort(d->files, d->n_files, sizeof d->files[0], compare_paths);
done:
    gb_free(path.data);
    return st;
}

/* A folder of tables or of JSON, each of which has many documents: as one text they make no sense. */
static gb_status refuse_tables(const dir *d, gb_error *err)
{
    static const char *const known[] = {"csv", "tsv", "jsonl", "ndjson", "json", "parquet", "arrow", "feather"};
    size_t n = 0;
    for (size_t i = 0; i < d->n_files; i++) {
        char extension[16];
        gb_file_extension(d->files[i], extension);
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
            n += strcmp(extension, known[k]) == 0;
    }
    if (n == 0 || n < d->n_files || !gb_settings_are(d->context->settings, "format", "auto"))
        return GB_OK;
    return gb_fail(err, GB_EFORMAT,
                   "%s: a folder of files such as %s, which have several documents each: give the files themselves; "
                   "with `format` dir each of them is one text",
                   d->context->path, d->files[0] + d->root_length);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static gb_status open_archive(dir *d, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_reader_open_input(&d->input, d->context->path, d->context, err));
    if (!gb_input_is_archive(d->input))
        st = gb_fail(err, GB_EARGUMENT, "%s: neither a folder nor a zip or tar archive, as `format` dir needs",
                     d->context->path);
    d->is_archive = true;
    d->has_file = gb_input_member(d->input) != NULL;
done:
    return st;
}

static gb_status check_fields(gb_reader_context *context, gb_error *err)
{
    for (size_t f = context->first_field; f < context->n_fields; f++) {
        if (strcmp(context->fields[f].name, "folder") != 0)
            return gb_fail(err, GB_EARGUMENT, "%s: no label field \"%s\"; a folder has the field \"folder\"",
                           context->path, context->fields[f].name);
        context->fields[f].seen = true;
    }
    return GB_OK;
}

static gb_status open_dir(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    dir *d = NULL;
    gb_path_info info;
    GB_TRY(gb_reader_default_label(context, "folder", err));
    GB_TRY(gb_alloc(&d, 1, sizeof *d, "a reader", err));
    d->context = context;
    if (strcmp(context->path, "-") != 0 && gb_path_look(context->path, true, &info) && info.kind == GB_IS_FOLDER) {
        GB_TRY(walk(d, err));
        GB_TRY(refuse_tables(d, err));
    } else
        GB_TRY(open_archive(d, err));
    GB_TRY(check_fields(context, err));
    *state = d;
    d = NULL;
done:
    if (d != NULL)
        close_dir(d);
    return st;
}

/* ---- documents ----------------------------------------------------------------------------------------- */

static gb_status read_text(dir *d, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    bool end = false;
    d->text.length = 0;
    for (;;) {
        GB_TRY(gb_input_line(d->input, &line, &end, err));
        if (end)
            break;
        if (line.length >= GB_MAX_LINE - d->text.length)
            return gb_input_fail(d->input, err, "the file is longer than 1 GiB");
        GB_TRY(gb_bytes_add(&d->text, line.text, line.length, err));
        GB_TRY(gb_bytes_add(&d->text, "\n", 1, err));
    }
done:
    return st;
}

/* Id, and class if the path has a folder. */
static gb_status set_names(dir *d, const char *path, gb_raw_document *doc, gb_error *err)
{
    gb_status st;
    size_t length = strlen(path);
    const char *slash = strchr(path, '/');
    if (gb_text_valid_length(path, length) < length)
        return gb_fail(err, GB_EFORMAT, "%s: the name of a file is not valid UTF-8 (document %zu)", d->context->path,
                       d->next_file);
    gb_free(d->id);
    d->id = NULL;
    GB_TRY(gb_copy_text(&d->id, path, length, err));
    doc->has_id = true;
    doc->id = (gb_view){d->id, length};
    doc->text = (gb_view){d->text.length == 0 ? "" : d->text.data, d->text.length};
    size_t field = d->context->first_field;
    if (slash != NULL && field < d->context->n_fields) {
        gb_raw_begin_field(doc, field);
        GB_TRY(gb_raw_add_class(doc, field, (gb_view){path, (size_t)(slash - path)}, err));
    }
done:
    return st;
}

/* Bytes of another encoding, rarely in one file only. */
static bool has_bad_bytes(const dir *d, gb_status st)
{
    return st == GB_EFORMAT && d->input != NULL && gb_input_has_bad_bytes(d->input);
}

static gb_status read_file(dir *d, const char *path, gb_error *err)
{
    gb_status st;
    gb_input_close(d->input);
    d->input = NULL;
    GB_TRY(gb_reader_open_input(&d->input, path, d->context, err));
    GB_TRY(read_text(d, err));
    GB_TRY(gb_input_expect_last(d->input, err));
done:
    return st;
}

/* Go on to the next file, and read it.  Its name is valid until the next call. */
static gb_status read_next(dir *d, const char **name, bool *end, gb_error *err)
{
    gb_status st = GB_OK;
    if (d->is_archive && d->next_file > 0 && d->has_file)
        GB_TRY(gb_input_next_file(d->input, &d->has_file, err));
    *end = d->is_archive ? !d->has_file : d->next_file == d->n_files;
    if (*end)
        return GB_OK;
    d->next_file++;
    if (d->is_archive) {
        *name = gb_input_member(d->input);
        return read_text(d, err);
    }
    *name = d->files[d->next_file - 1] + d->root_length;
    st = read_file(d, d->files[d->next_file - 1], err);
done:
    return st;
}

/* The fault of one is known; read the others, so that all of them can be mended at once. */
static gb_status name_all_bad_files(dir *d, gb_error *err)
{
    enum { SHOWN = 5, ROOM = 300 };
    char names[ROOM + 1] = "";
    gb_error fault;
    size_t n = 0, length = 0;
    const char *name = "";
    bool end = false;
    if (err == NULL)
        return GB_EFORMAT;
    for (;;) {
        const gb_status st = read_next(d, &name, &end, &fault);
        if (st == GB_ESTOP || st == GB_ENOMEM)
            return gb_fail(err, st, "%s", fault.message);
        if (end || (d->is_archive && st != GB_OK && !has_bad_bytes(d, st)))
            break;
        if (!has_bad_bytes(d, st))
            continue;
        if (n++ < SHOWN && length + strlen(name) + 2 < ROOM)
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s%s", length == 0 ? ": " : ", ", name);
    }
    if (n == 0)
        return GB_EFORMAT;
    const gb_error first = *err;
    return gb_fail(err, GB_EFORMAT, "%.600s; the same in %zu other file%s%s%s", first.message, n, n == 1 ? "" : "s",
                   names, n > SHOWN ? ", ..." : "");
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    dir *d = state;
    const char *name = "";
    const gb_status st = read_next(d, &name, end, err);
    if (has_bad_bytes(d, st))
        return name_all_bad_files(d, err);
    return st != GB_OK || *end ? st : set_names(d, name, doc, err);
}

const gb_reader_ops gb_reader_dir = {
    .name = "dir",
    .extensions = "",
    .has_text = true,
    .open = open_dir,
    .next = next,
    .close = close_dir,
};
