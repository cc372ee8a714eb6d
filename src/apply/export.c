/* apply/export.c - the formats of a model with documents, and what they share. */
#include "apply/export.h"

#include <string.h>

static const struct {
    const char *name, *ending;
    gb_status (*write)(const gb_export *e, gb_error *err);
} formats[] = {
    {"ldavis", ".json", gb_export_ldavis},
    {"mallet-state", ".gz", gb_export_state},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const char *gb_export_format_name(size_t index)
{
    return index < N_FORMATS ? formats[index].name : NULL;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static gb_status choose(const char *path, const char *format, size_t *out, gb_error *err)
{
    const bool by_name = format == NULL || strcmp(format, "auto") == 0;
    for (*out = 0; *out < N_FORMATS; ++*out)
        if (by_name ? ends_with(path, formats[*out].ending) : strcmp(format, formats[*out].name) == 0)
            return GB_OK;
    if (by_name)
        return gb_fail(err, GB_EARGUMENT, "%s: the name does not tell the format; give `to` ldavis or mallet-state",
                       path);
    return gb_fail(err, GB_EARGUMENT, "`to` \"%s\" is no format for a model; ldavis and mallet-state are", format);
}

gb_status gb_model_export(const gb_model *model, const gb_corpus *docs, const char *path, const char *format,
                          const gb_settings *settings, bool force, gb_on_apply *on_progress, void *user,
                          gb_error *err)
{
    gb_status st;
    gb_export e = {model, docs, settings, on_progress, user, path, NULL};
    gb_out_file *file = NULL;
    size_t which;
    GB_TRY(gb_corpus_check_tokens(docs, err));
    GB_TRY(choose(path, format, &which, err));
    if (gb_model_is_one_vs_rest(model))
        return gb_fail(err, GB_EARGUMENT,
                       "a model of `strategy` one-vs-rest has topics for each class, and none that documents have");
    GB_TRY(gb_out_file_open(&file, path, force, err));
    e.out = gb_out_file_stream(file);
    GB_TRY(formats[which].write(&e, err));
    st = gb_out_file_commit(file, err);
    file = NULL;
done:
    gb_out_file_discard(file);
    return st;
}
