/* corpus/readers/embeddings.c - rows of embeddings, and the documents that they belong to. */
#include "corpus/readers/embeddings.h"

#include "base/memory.h"
#include "base/system.h"
#include "corpus/data/input.h"
#include "corpus/readers/embedding_file.h"

#include <string.h>

struct gb_embeddings {
    char *path;
    gb_embedding_file file;
    uint8_t *is_used; /* n_rows */
    uint64_t n_used;
};

/* ---- the file ---- */

static const gb_embedding_format *const formats[] = {&gb_embedding_npy, &gb_embedding_npz, &gb_embedding_safetensors};

static gb_status find_format(const char *path, const gb_embedding_format **out, gb_error *err)
{
    gb_status st;
    unsigned char head[16];
    FILE *f = NULL;
    gb_byte_source source;
    GB_TRY(gb_byte_source_open(path, &f, &source, err));
    size_t n;
    GB_TRY(gb_embedding_place(path, gb_read_some(f, head, sizeof head, &n, err), err));
    for (size_t i = 0; *out == NULL && i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i]->looks_like(head, n))
            *out = formats[i];
    if (*out == NULL)
        st = gb_fail(err, GB_EFORMAT, "%s: expected embeddings as .npy, .npz or .safetensors", path);
done:
    if (f != NULL)
        (void)fclose(f);
    return st;
}

/* ---- ids ---- */

static gb_status read_ids(gb_embeddings *e, const char *path, gb_read_watch *watch, gb_error *err)
{
    gb_status st;
    gb_input *input = NULL;
    gb_view line;
    bool end = false;
    GB_TRY(gb_input_open(&input, path, watch, err));
    e->file.path = path; /* for messages */
    for (;;) {
        GB_TRY(gb_input_line(input, &line, &end, err));
        if (end)
            break;
        GB_TRY(gb_embedding_add_id(&e->file, gb_view_trim(line), err));
    }
done:
    e->file.path = e->path;
    gb_input_close(input);
    return st;
}

/* From FILE.ids, if there is such a file and no ids in the file itself. */
static gb_status find_ids(gb_embeddings *e, gb_read_watch *watch, gb_error *err)
{
    gb_status st;
    gb_path_info info;
    char *path = NULL;
    const size_t room = strlen(e->path) + sizeof ".ids";
    GB_TRY(gb_alloc(&path, room, 1, "embeddings", err));
    (void)snprintf(path, room, "%s.ids", e->path);
    if (e->file.ids == NULL && gb_path_look(path, true, &info))
        GB_TRY(read_ids(e, path, watch, err));
    if (e->file.ids != NULL && gb_words_count(e->file.ids) != e->file.n_rows)
        st = gb_fail(err, GB_EFORMAT, "%s: %u id%s for %llu rows", e->path, gb_words_count(e->file.ids),
                     gb_words_count(e->file.ids) == 1 ? "" : "s", (unsigned long long)e->file.n_rows);
done:
    gb_free(path);
    return st;
}

/* ---- embeddings ---- */

gb_status gb_embeddings_open(gb_embeddings **out, const char *path, gb_read_watch *watch, gb_error *err)
{
    gb_status st;
    gb_embeddings *e = NULL;
    const gb_embedding_format *format = NULL;
    GB_TRY(gb_alloc(&e, 1, sizeof *e, "embeddings", err));
    GB_TRY(gb_copy_text(&e->path, path, strlen(path), err));
    e->file.path = e->path;
    GB_TRY(find_format(path, &format, err));
    GB_TRY(format->read(&e->file, err));
    GB_TRY(find_ids(e, watch, err));
    GB_TRY(gb_alloc(&e->is_used, e->file.n_rows, 1, "embeddings", err));
    *out = e;
    e = NULL;
done:
    gb_embeddings_close(e);
    return st;
}

void gb_embeddings_close(gb_embeddings *e)
{
    if (e == NULL)
        return;
    gb_free(e->file.value);
    gb_words_free(e->file.ids);
    gb_free(e->is_used);
    gb_free(e->path);
    gb_free(e);
}

size_t gb_embeddings_width(const gb_embeddings *e)
{
    return e->file.width;
}

/* A document without an id goes by its number. */
static uint64_t row_of(gb_embeddings *e, uint64_t number, const gb_raw_document *doc)
{
    char digits[24];
    gb_view id = doc->id;
    if (e->file.ids == NULL)
        return number - 1;
    if (!doc->has_id || id.length == 0)
        id = (gb_view){digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number)};
    const uint32_t row = gb_words_find(e->file.ids, id);
    return row < e->file.n_rows ? row : UINT64_MAX;
}

gb_status gb_embeddings_find(gb_embeddings *e, uint64_t number, const gb_raw_document *doc, const float **row,
                             gb_error *err)
{
    const uint64_t at = row_of(e, number, doc);
    *row = NULL;
    if (at == UINT64_MAX)
        return GB_OK;
    if (at >= e->file.n_rows)
        return gb_fail(err, GB_EFORMAT, "%s: %llu row%s, and there are more documents than that", e->path,
                       (unsigned long long)e->file.n_rows, e->file.n_rows == 1 ? "" : "s");
    e->n_used += !e->is_used[at];
    e->is_used[at] = 1;
    *row = e->file.value + at * e->file.width;
    return GB_OK;
}

gb_status gb_embeddings_check_end(const gb_embeddings *e, uint64_t n_documents, gb_error *err)
{
    if (e->file.ids == NULL && n_documents < e->file.n_rows)
        return gb_fail(err, GB_EFORMAT, "%s: %llu rows for %llu document%s", e->path,
                       (unsigned long long)e->file.n_rows, (unsigned long long)n_documents,
                       n_documents == 1 ? "" : "s");
    if (e->file.ids != NULL && n_documents > 0 && e->n_used == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no document has one of its ids", e->path);
    return GB_OK;
}
