/* corpus/readers/entries.c - the entries of a sparse matrix of counts, put in the order of the documents. */
#include "corpus/readers/entries.h"

#include "base/memory.h"
#include "base/size.h"
#include "corpus/readers/reader.h"

#include <string.h>

gb_status gb_entries_begin(gb_entries *e, const char *path, const gb_settings *settings, gb_error *err)
{
    *e = (gb_entries){.path = path, .limit = gb_settings_text(settings, "memory-limit")};
    return gb_size_from_text(gb_settings_text(settings, "memory-limit"), &e->most_bytes, err);
}

void gb_entries_clear(gb_entries *e)
{
    gb_free(e->document);
    gb_free(e->pair);
    gb_free(e->start);
    *e = (gb_entries){0};
}

static gb_status check_memory(const gb_entries *e, uint64_t n_documents, gb_error *err)
{
    const uint64_t per_entry = sizeof *e->document + 2 * sizeof *e->pair;
    if (e->n <= e->most_bytes / per_entry && n_documents * sizeof *e->start <= e->most_bytes - e->n * per_entry)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: %s: the first %llu entries need more", e->limit, e->path,
                   (unsigned long long)e->n);
}

gb_status gb_entries_add(gb_entries *e, uint32_t document, gb_word_count pair, gb_error *err)
{
    gb_status st;
    GB_TRY(check_memory(e, 0, err));
    GB_TRY(
        gb_grow(&e->document, &e->documents_capacity, e->n + 1, sizeof *e->document, "the entries of a matrix", err));
    GB_TRY(gb_grow(&e->pair, &e->pairs_capacity, e->n + 1, sizeof *e->pair, "the entries of a matrix", err));
    e->document[e->n] = document;
    e->pair[e->n++] = pair;
done:
    return st;
}

static bool is_in_order(const gb_entries *e)
{
    for (size_t i = 1; i < e->n; i++)
        if (e->document[i] < e->document[i - 1])
            return false;
    return true;
}

/* start[d + 1] is where document d ends. */
static void find_starts(gb_entries *e)
{
    for (size_t i = 0; i < e->n; i++)
        e->start[e->document[i] + 1]++;
    for (uint64_t d = 0; d < e->n_documents; d++)
        e->start[d + 1] += e->start[d];
}

static gb_status sort(gb_entries *e, gb_error *err)
{
    gb_word_count *sorted = NULL;
    const gb_status st = gb_alloc(&sorted, e->n, sizeof *sorted, "the entries of a matrix", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < e->n; i++)
        sorted[e->start[e->document[i]]++] = e->pair[i]; /* start[d] moves to the end of d, which is start[d + 1] */
    memmove(e->start + 1, e->start, e->n_documents * sizeof *e->start);
    e->start[0] = 0;
    gb_free(e->pair);
    e->pair = sorted;
    return GB_OK;
}

gb_status gb_entries_put_in_order(gb_entries *e, uint64_t n_documents, gb_error *err)
{
    gb_status st;
    if (n_documents > e->n && n_documents - e->n > GB_MAX_GAP)
        return gb_fail(err, GB_EFORMAT, "%s: %llu documents with %llu entries: too many have no words", e->path,
                       (unsigned long long)n_documents, (unsigned long long)e->n);
    GB_TRY(check_memory(e, n_documents + 1, err));
    GB_TRY(gb_alloc(&e->start, n_documents + 1, sizeof *e->start, "documents", err));
    e->n_documents = n_documents;
    find_starts(e);
    if (!is_in_order(e))
        GB_TRY(sort(e, err));
    gb_free(e->document);
    e->document = NULL;
done:
    return st;
}

gb_status gb_entries_give(const gb_entries *e, uint64_t document, gb_raw_document *doc, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t i = e->start[document]; i < e->start[document + 1]; i++)
        GB_TRY(gb_raw_add_count(doc, e->pair[i].word, e->pair[i].count, err));
done:
    return st;
}
