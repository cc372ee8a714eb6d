/* cli/topic_documents.c - documents that topics are about. */
#include "topic_documents.h"
#include "progress.h"
#include "terminal.h"

#include <stdlib.h>

enum { MOST_CHARACTERS = 60 };

gb_status cli_read_documents_in(const cli_call *call, const gb_model *model, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_documents *documents = NULL;
    uint64_t *n_unknown = NULL;
    const char *path = cli_text(call, "documents-in");
    cli_catch_signals();
    CLI_TRY(cli_input(gb_documents_open(model, path, call->settings, NULL, NULL, &documents, err), err));
    CLI_TRY(cli_input(gb_documents_next(documents, UINT64_MAX, out, &n_unknown, err), err));
    if (*out == NULL)
        st = cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(path));
done:
    gb_free(n_unknown);
    gb_documents_close(documents);
    return st;
}

gb_status cli_topic_documents_find(const cli_call *call, const gb_model *model, uint64_t n_passage,
                                   cli_topic_documents *t, gb_error *err)
{
    gb_status st = GB_OK;
    t->n_passage = n_passage;
    t->n_best = (uint64_t)cli_int(call, "documents-shown");
    const uint64_t n = gb_model_n_topics(model) * t->n_best;
    if (*cli_text(call, "documents-in") == '\0')
        return GB_OK;
    CLI_TRY(cli_read_documents_in(call, model, &t->docs, err));
    CLI_TRY(cli_alloc(&t->document, n, sizeof *t->document, "documents of topics", err));
    CLI_TRY(cli_alloc(&t->passage, n, sizeof *t->passage, "documents of topics", err));
    CLI_TRY(cli_alloc(&t->share, n, sizeof *t->share, "documents of topics", err));
    CLI_TRY(gb_topic_documents(model, t->docs, call->settings, cli_goes_on, NULL, t->n_best, n_passage, t->document,
                               t->share, t->passage, err));
done:
    return st;
}

void cli_topic_documents_clear(cli_topic_documents *t)
{
    gb_corpus_free(t->docs);
    gb_free(t->document);
    gb_free(t->passage);
    gb_free(t->share);
}

static void print_passage(FILE *stream, const gb_corpus *docs, uint64_t d, uint64_t first, uint64_t n_passage)
{
    uint64_t n;
    size_t length;
    const uint32_t *token = gb_corpus_tokens(docs, d, &n);
    for (uint64_t i = first; i < n && i < first + n_passage; i++) {
        const char *word = gb_corpus_word(docs, token[i], &length);
        (void)fputc(' ', stream);
        (void)cli_put_text(stream, word, length, MOST_CHARACTERS);
    }
}

void cli_print_topic_documents(FILE *stream, const cli_topic_documents *t, uint64_t topic)
{
    for (uint64_t i = topic * t->n_best; t->docs != NULL && i < (topic + 1) * t->n_best; i++) {
        if (t->document[i] == GB_NO_DOCUMENT)
            continue;
        const cli_view id = cli_id(t->docs, t->document[i]);
        (void)fputs("         ", stream);
        (void)cli_put_text(stream, id.bytes, id.length, MOST_CHARACTERS);
        (void)fprintf(stream, " (%.2f):", t->share[i]);
        print_passage(stream, t->docs, t->document[i], t->passage[i], t->n_passage);
        (void)fputc('\n', stream);
    }
}

gb_status cli_topic_passage(const cli_topic_documents *t, uint64_t topic, uint64_t document, char **out,
                            size_t *length, gb_error *err)
{
    const uint64_t i = topic * t->n_best + document;
    uint64_t n;
    *out = NULL;
    if (t->document[i] == GB_NO_DOCUMENT)
        return GB_OK;
    FILE *f = open_memstream(out, length);
    if (f == NULL)
        return cli_no_memory("a passage", err);
    const uint32_t *token = gb_corpus_tokens(t->docs, t->document[i], &n);
    for (uint64_t w = t->passage[i]; w < n && w < t->passage[i] + t->n_passage; w++) {
        size_t n_bytes;
        const char *word = gb_corpus_word(t->docs, token[w], &n_bytes);
        if (w > t->passage[i])
            (void)fputc(' ', f);
        (void)fwrite(word, 1, n_bytes, f);
    }
    if (fclose(f) == 0 && *out != NULL)
        return GB_OK;
    free(*out);
    *out = NULL;
    return cli_no_memory("a passage", err);
}

size_t cli_list_topic_documents(const cli_topic_documents *t, uint64_t topic, cli_view *id)
{
    size_t n = 0;
    for (uint64_t i = topic * t->n_best; i < (topic + 1) * t->n_best; i++)
        if (t->document[i] != GB_NO_DOCUMENT)
            id[n++] = cli_id(t->docs, t->document[i]);
    return n;
}
