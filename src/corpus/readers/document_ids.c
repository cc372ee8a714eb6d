/* corpus/readers/document_ids.c - a file with the id of each document, one per line. */
#include "corpus/readers/document_ids.h"

#include "base/memory.h"
#include "corpus/data/input.h"

struct gb_document_ids {
    gb_input *input;
};

gb_status gb_document_ids_open(gb_document_ids **out, const char *path, gb_read_watch *watch, gb_error *err)
{
    gb_status st;
    gb_document_ids *ids = NULL;
    GB_TRY(gb_alloc(&ids, 1, sizeof *ids, "ids", err));
    GB_TRY(gb_input_open(&ids->input, path, watch, err));
    *out = ids;
    ids = NULL;
done:
    gb_document_ids_close(ids);
    return st;
}

void gb_document_ids_close(gb_document_ids *ids)
{
    if (ids == NULL)
        return;
    gb_input_close(ids->input);
    gb_free(ids);
}

gb_status gb_document_ids_next(gb_document_ids *ids, gb_raw_document *doc, gb_error *err)
{
    gb_view line;
    bool end = false;
    const gb_status st = gb_input_line(ids->input, &line, &end, err);
    if (st != GB_OK)
        return st;
    if (end)
        return gb_fail(err, GB_EFORMAT, "%s: %llu id%s, and there are more documents than that",
                       gb_input_name(ids->input), (unsigned long long)gb_input_line_number(ids->input),
                       gb_input_line_number(ids->input) == 1 ? "" : "s");
    const gb_view id = gb_view_trim(line);
    const char *fault = gb_text_fault(id.text, id.length);
    if (fault != NULL)
        return gb_input_fail(ids->input, err, "the id %s", fault);
    if (id.length > 0) {
        doc->has_id = true;
        doc->id = id;
    }
    return GB_OK;
}

gb_status gb_document_ids_check_end(gb_document_ids *ids, uint64_t n_documents, gb_error *err)
{
    gb_status st;
    gb_view line;
    bool end = false;
    do {
        GB_TRY(gb_input_line(ids->input, &line, &end, err));
    } while (!end && gb_view_trim(line).length == 0);
    if (!end)
        return gb_input_fail(ids->input, err, "an id more than there are documents, %llu",
                             (unsigned long long)n_documents);
    st = gb_input_expect_last(ids->input, err);
done:
    return st;
}
