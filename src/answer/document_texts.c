/* answer/document_texts.c - what documents say, with the topic of each word: the one for which share times probability of the word is the
 * largest. */
#include "answer/questions.h"
#include "answer/topic_documents.h"
#include "answer/topic_labels.h"
#include "answer/topic_shares.h"
#include "corpus/text/passages.h"
#include "gibbous/topic_names.h"
#include "gibbous/topic_unions.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { DOCUMENT, ID, TEXT, TOPIC, NAME, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [DOCUMENT] = {"document", "document", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "", "row of the document, from 0"},
    [ID] = {"id", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "id of the document"},
    [TEXT] = {"text", "text", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
              "part of the document: words of one topic, or of none; with blanks between, all parts are the text.  "
              "Of documents without "
              "texts, and where no word can be found in the text, words that the model knows"},
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
               "topic that the words most probably are from; empty for words that the model does not know, and those "
               "of topics that are "
               "left out"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"}};

static const char what[] = "texts of documents";
static const double LEAST_SHARE = 0.01; /* of topics that words are from, unless no topic has as much */

typedef struct showing {
    const gb_model *model;
    const gb_corpus *docs;
    gb_table *table;
    gb_topic_labels titles;
    double *phi;    /* n_topics x n_words */
    uint32_t *able; /* room for n_topics: those of a document with enough of it */
    uint64_t n_able, document;
    const double *share; /* of the document */
    const uint32_t *token;
    gb_bytes part; /* of the document, not in the table yet */
    uint64_t part_topic;
} showing;

static void find_able(showing *s)
{
    uint64_t largest = 0;
    s->n_able = 0;
    for (uint64_t k = 0; k < s->titles.n_topics; k++) {
        largest = s->share[k] > s->share[largest] ? k : largest;
        if (s->share[k] >= LEAST_SHARE)
            s->able[s->n_able++] = (uint32_t)k;
    }
    if (s->n_able == 0)
        s->able[s->n_able++] = (uint32_t)largest;
}

/* The first of those that count as one with it, or GB_LEFT_OUT. */
static uint64_t topic_of(const showing *s, uint32_t word)
{
    uint64_t best = s->able[0];
    double most = -1;
    for (uint64_t i = 0; i < s->n_able; i++) {
        const double weight = s->share[s->able[i]] * s->phi[s->able[i] * s->model->n_words + word];
        if (weight > most) {
            most = weight;
            best = s->able[i];
        }
    }
    return gb_model_topic_union(s->model, best);
}

static void put_part(showing *s)
{
    const bool has_topic = s->part_topic != GB_LEFT_OUT;
    if (s->part.length == 0)
        return;
    gb_table_begin_row(s->table, NAN);
    gb_put_count(s->table, DOCUMENT, s->document);
    gb_put_document_id(s->table, ID, s->docs, s->document);
    gb_put_bytes(s->table, TEXT, s->part.data, s->part.length);
    gb_put_text(s->table, TOPIC, has_topic ? s->titles.title[s->part_topic] : "");
    gb_put_text(s->table, NAME, has_topic ? gb_topic_label_name(&s->titles, s->part_topic) : "");
    s->part.length = 0;
}

static gb_status add(showing *s, const char *text, size_t length, uint64_t topic, gb_error *err)
{
    gb_status st = GB_OK;
    if (length == 0)
        return GB_OK;
    if (topic != s->part_topic)
        put_part(s);
    s->part_topic = topic;
    if (s->part.length > 0)
        GB_TRY(gb_bytes_add(&s->part, " ", 1, err));
    GB_TRY(gb_bytes_add(&s->part, text, length, err));
done:
    return st;
}

/* A gb_on_piece. */
static gb_status add_piece(void *user, gb_view piece, uint64_t first, uint64_t n, gb_error *err)
{
    gb_status st;
    char *read = NULL;
    showing *s = user;
    GB_TRY(gb_text_for_reading(piece, &read, err));
    GB_TRY(add(s, read, strlen(read), n == 0 ? GB_LEFT_OUT : topic_of(s, s->token[first]), err));
done:
    gb_free(read);
    return st;
}

static gb_status add_words(showing *s, uint64_t n_tokens, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t i = 0; i < n_tokens; i++) {
        size_t length;
        const char *word = gb_corpus_word(s->docs, s->token[i], &length);
        GB_TRY(add(s, word, length, topic_of(s, s->token[i]), err));
    }
done:
    return st;
}

static gb_status add_document(showing *s, gb_passages *passages, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t n_tokens;
    bool found = false;
    s->token = gb_corpus_tokens(s->docs, s->document, &n_tokens);
    find_able(s);
    if (passages != NULL)
        GB_TRY(gb_passages_divide(passages, gb_texts_view(&s->docs->text, s->document), s->token, n_tokens, add_piece,
                                  s, &found, err));
    if (!found)
        GB_TRY(add_words(s, n_tokens, err));
    put_part(s);
done:
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_subject *subject = asked->subject;
    const gb_model *m = subject->model;
    const double *share = subject->share;
    double *own = NULL;
    gb_passages *passages = NULL;
    showing s = {.model = m, .docs = subject->documents, .table = table};
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_model_has_topic_names(m);
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    GB_TRY(gb_topic_titles_make(&s.titles, m, 0, true, err));
    GB_TRY(gb_alloc(&s.phi, m->n_topics * m->n_words, sizeof *s.phi, what, err));
    GB_TRY(gb_alloc(&s.able, m->n_topics, sizeof *s.able, what, err));
    GB_TRY(gb_model_topic_distributions(m, 0, s.phi, err));
    GB_TRY(gb_find_shares(asked, subject->documents, &share, &own, err));
    if (s.docs->text.count > 0)
        GB_TRY(gb_passages_create(&passages, &m->vocabulary, m->preparation, err));
    for (s.document = 0; s.document < s.docs->n_docs; s.document++) {
        s.share = share + s.document * m->n_topics;
        GB_TRY(add_document(&s, passages, err));
    }
    gb_note_topics(table, m);
done:
    gb_passages_free(passages);
    gb_topic_labels_clear(&s.titles);
    gb_free(s.phi);
    gb_free(s.able);
    gb_free(s.part.data);
    gb_free(own);
    return st;
}

const gb_question_row gb_question_document_texts = {{"texts", "what documents say, and of which topic each word is",
                                                     GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS,
                                                     "infer-sweeps infer-burn-in seed threads"},
                                                    answer};
