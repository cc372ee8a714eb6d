/* answer/topic_documents.c - documents that topics are about. */
#include "answer/topic_documents.h"

#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "apply/topic_documents.h"
#include "corpus/text/passages.h"
#include "gibbous/topic_names.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { PASSAGE_WORDS = 12 };

enum { TOPIC, NAME, DOCUMENT, ID, SHARE, PASSAGE, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [TOPIC] = {"topic", "topic %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
               "number of the topic; of topics that count as one, their numbers with + between"},
    [NAME] = {"name", ": %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "name that somebody gave the topic"},
    [DOCUMENT] = {"document", "document", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "", "row of the document, from 0"},
    [ID] = {"id", "document", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "id of the document"},
    [SHARE] = {"share", "share", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "share of the document's tokens",
               "part of the document's known tokens that is expected to belong to the topic"},
    [PASSAGE] = {
        "passage", "passage", GB_CELL_TEXT, GB_PLACE_END, NULL, "",
        "sentences with the words in a row that belong most to the topic; of documents without texts these words"}};

static const char what[] = "documents of topics";

/* ---- finding --------------------------------------------------------------------------------------- */

gb_status gb_best_documents_find(gb_best_documents *b, const gb_asked *asked, uint64_t n_passage, gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    *b = (gb_best_documents){.docs = s->documents,
                             .n_best = gb_asked_count(asked, "documents-shown", 3),
                             .n_passage = gb_asked_count(asked, "passage-words", n_passage)};
    const uint64_t n = gb_model_n_topics(s->model) * b->n_best;
    GB_TRY(gb_alloc(&b->document, n, sizeof *b->document, what, err));
    GB_TRY(gb_alloc(&b->passage, n, sizeof *b->passage, what, err));
    GB_TRY(gb_alloc(&b->share, n, sizeof *b->share, what, err));
    GB_TRY(gb_topic_documents(s->model, b->docs, asked->settings, s->on_apply, s->user, b->n_best, b->n_passage,
                              b->document, b->share, b->passage, err));
    if (b->docs->text.count > 0)
        GB_TRY(gb_passages_create(&b->passages, &s->model->vocabulary, s->model->preparation, err));
done:
    return st;
}

void gb_best_documents_clear(gb_best_documents *b)
{
    gb_free(b->document);
    gb_free(b->passage);
    gb_free(b->share);
    gb_passages_free(b->passages);
    *b = (gb_best_documents){0};
}

uint64_t gb_best_document(const gb_best_documents *b, uint64_t topic, uint64_t index)
{
    return index < b->n_best ? b->document[topic * b->n_best + index] : GB_NO_DOCUMENT;
}

gb_status gb_best_passage(const gb_best_documents *b, uint64_t topic, uint64_t index, char **out, gb_error *err)
{
    const uint64_t i = topic * b->n_best + index;
    uint64_t n;
    size_t length, size = 1;
    const uint32_t *token = gb_corpus_tokens(b->docs, b->document[i], &n);
    if (b->passages != NULL && n > 0) {
        const gb_view text = gb_texts_view(&b->docs->text, b->document[i]);
        const gb_status found = gb_passages_find(b->passages, text, token, n, b->passage[i], b->n_passage, out, err);
        if (found != GB_OK || *out != NULL)
            return found;
    }
    const uint64_t first = b->passage[i], end = first + b->n_passage < n ? first + b->n_passage : n;
    for (uint64_t t = first; t < end; t++) {
        (void)gb_corpus_word(b->docs, token[t], &length);
        size += length + 1;
    }
    const gb_status st = gb_alloc(out, size, 1, what, err);
    char *at = *out;
    for (uint64_t t = first; st == GB_OK && t < end; t++) {
        const char *word = gb_corpus_word(b->docs, token[t], &length);
        if (t > first)
            *at++ = ' ';
        gb_copy_bytes(at, word, length);
        at += length;
    }
    return st;
}

void gb_put_document_id(gb_table *table, size_t column, const gb_corpus *docs, uint64_t document)
{
    size_t length;
    const char *id = gb_corpus_id(docs, document, &length);
    gb_put_bytes(table, column, id, length);
}

/* ---- answering ------------------------------------------------------------------------------------- */

static gb_status put_document(gb_table *table, const gb_best_documents *b, const gb_topic_labels *labels,
                              uint64_t topic, uint64_t index, gb_error *err)
{
    const uint64_t document = gb_best_document(b, topic, index);
    char *passage = NULL;
    const gb_status st = gb_best_passage(b, topic, index, &passage, err);
    if (st != GB_OK)
        return st;
    gb_table_begin_row(table, NAN);
    gb_put_text(table, TOPIC, labels->title[topic]);
    gb_put_text(table, NAME, gb_topic_label_name(labels, topic));
    gb_put_count(table, DOCUMENT, document);
    gb_put_document_id(table, ID, b->docs, document);
    gb_put_real(table, SHARE, b->share[topic * b->n_best + index]);
    gb_put_text(table, PASSAGE, passage);
    gb_free(passage);
    return GB_OK;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    const gb_model *model = asked->subject->model;
    gb_topic_labels labels = {0};
    gb_best_documents best = {0};
    bool is_used[N_COLUMNS];
    gb_status st;
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_model_has_topic_names(model);
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    GB_TRY(gb_topic_titles_make(&labels, model, 0, true, err));
    GB_TRY(gb_best_documents_find(&best, asked, PASSAGE_WORDS, err));
    for (uint64_t k = 0; k < labels.n_topics; k++)
        for (uint64_t i = 0; gb_best_document(&best, k, i) != GB_NO_DOCUMENT; i++)
            GB_TRY(put_document(table, &best, &labels, k, i, err));
done:
    gb_topic_labels_clear(&labels);
    gb_best_documents_clear(&best);
    return st;
}

const gb_question_row gb_question_topic_documents = {{"topic-documents", "which documents have most of each topic",
                                                      GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS, GB_BEST_DOCUMENTS_OPTIONS},
                                                     answer};
