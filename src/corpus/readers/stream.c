/* corpus/readers/stream.c - documents of new data one batch at a time, mapped to the vocabulary of a model. */
#include "corpus/readers/stream.h"

#include "base/memory.h"
#include "corpus/readers/document_words.h"

#include <string.h>

struct gb_stream {
    char *path;
    gb_reader *reader;
    gb_prepare *prepare;
    gb_words *words;
    gb_document_words document_words;
    const gb_texts *vocabulary;
    gb_corpus_builder *builder; /* of the current batch */
    bool keeps_text;
};

gb_status gb_stream_open(gb_stream **out, const char *path, const gb_settings *settings, const gb_texts *vocabulary,
                         const json_t *preparation, gb_read_watch *watch, gb_error *err)
{
    gb_status st;
    gb_stream *s = NULL;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "a stream of documents", err));
    s->vocabulary = vocabulary;
    GB_TRY(gb_copy_text(&s->path, path, strlen(path), err));
    GB_TRY(gb_reader_open(&s->reader, path, settings, watch, err));
    GB_TRY(gb_prepare_from_json(&s->prepare, preparation, err));
    GB_TRY(gb_words_create(&s->words, err));
    GB_TRY(gb_prepare_mark_stop_words(s->prepare, s->words, err));
    GB_TRY(gb_words_add_vocabulary(s->words, vocabulary, err));
    GB_TRY(gb_prepare_know(s->prepare, vocabulary, err));
    s->document_words.unpack_factor = (uint64_t)gb_settings_int(settings, "unpack-factor");
    s->document_words.prepare = s->prepare;
    s->keeps_text = gb_settings_yes(settings, "keep-text");
    s->document_words.words = s->words;
    s->document_words.is_closed = true;
    GB_TRY(gb_document_words_open(&s->document_words, gb_reader_names(s->reader), err));
    *out = s;
    s = NULL;
done:
    gb_stream_close(s);
    return st;
}

void gb_stream_close(gb_stream *s)
{
    if (s == NULL)
        return;
    gb_reader_close(s->reader);
    gb_document_words_close(&s->document_words);
    gb_prepare_free(s->prepare);
    gb_words_free(s->words);
    gb_corpus_builder_free(s->builder);
    gb_free(s->path);
    gb_free(s);
}

static gb_status begin_batch(gb_stream *s, gb_error *err)
{
    gb_status st;
    size_t n_fields = 0;
    gb_corpus_builder_free(s->builder);
    s->builder = NULL;
    GB_TRY(gb_corpus_builder_create(&s->builder, err));
    const gb_field *fields = gb_reader_fields(s->reader, &n_fields);
    GB_TRY(gb_fields_declare(fields, n_fields, false, s->builder, err));
done:
    return st;
}

/* One document, and how many of its words the model does not know. */
static gb_status add_document(gb_stream *s, const gb_raw_document *doc, uint64_t *n_unknown, gb_error *err)
{
    gb_status st;
    uint64_t before = s->document_words.n_unknown;
    GB_TRY(gb_begin_document(s->builder, s->reader, doc, err));
    GB_TRY(gb_document_words_add(&s->document_words, doc, s->builder, err));
    *n_unknown = s->document_words.n_unknown - before;
done:
    return gb_reader_place(s->reader, err, st);
}

static gb_status finish_batch(gb_stream *s, gb_corpus **out, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t i = 0; i < s->vocabulary->count; i++) {
        gb_view word = gb_texts_view(s->vocabulary, i);
        GB_TRY(gb_corpus_builder_word(s->builder, word.text, word.length, err));
    }
    gb_corpus *c = NULL;
    GB_TRY(gb_corpus_builder_finish(s->builder, NULL, NULL, &c, err));
    st = gb_corpus_set_path(c, s->path, err);
    if (st == GB_OK)
        *out = c;
    else
        gb_corpus_free(c);
done:
    return st;
}

gb_status gb_stream_next(gb_stream *s, size_t max_docs, gb_corpus **out, uint64_t **n_unknown, gb_error *err)
{
    gb_status st;
    const gb_raw_document *doc = NULL;
    uint64_t *unknown = NULL;
    size_t n = 0, capacity = 0;
    GB_TRY(begin_batch(s, err));
    s->document_words.keeps_text = s->keeps_text || max_docs > GB_MOST_OF_BATCH;
    while (n < max_docs && !(n > 0 && max_docs <= GB_MOST_OF_BATCH && gb_reader_would_wait(s->reader))) {
        GB_TRY(gb_reader_next(s->reader, &doc, err));
        if (doc == NULL)
            break;
        GB_TRY(gb_grow(&unknown, &capacity, n + 1, sizeof unknown[0], "counts of unknown words", err));
        GB_TRY(add_document(s, doc, &unknown[n], err));
        n++;
    }
    if (n == 0) {
        *out = NULL;
        *n_unknown = NULL;
        goto done;
    }
    GB_TRY(finish_batch(s, out, err));
    *n_unknown = unknown;
    unknown = NULL;
done:
    gb_free(unknown);
    return st;
}
