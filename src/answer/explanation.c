/* answer/explanation.c - why documents have their scores: the terms of each score, the largest first. */
#include "answer/explained.h"
#include "answer/questions.h"
#include "gibbous/topic_names.h"
#include "gibbous/topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_OF_PART = 5 };

/* Where not all parts are listed, those below this much of the largest are not. */
static const double SMALL = 0.01;

static const char what[] = "an explanation";

enum { ID, KIND = ID + GB_N_EXPLAINED, FEATURE, VALUE, SHARE, PART, NAME, TOPIC_WORDS, WORDS, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    GB_EXPLAINED_COLUMNS(ID, "of the score, or of the number that is predicted"),
    [KIND] =
        {"kind", "", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
         "average: the score of the average training document; topic; left-out-topics; other-topics, which the "
         "leading chain does not have; covariate; embedding; words, absent-words: coefficients of words that the "
         "document has and has not; smaller-parts: those that are not listed"},
    [FEATURE] = {"feature", "feature", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                 "number of the topic, or name of the covariate"},
    [VALUE] = {"value", "value", GB_CELL_LIST, GB_PLACE_COLUMN, NULL, "", "what the document has of the covariate"},
    [SHARE] = {"share", "share", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "share of the document's tokens",
               "what the document has of the topic"},
    [PART] = {"part", "part", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.3f",
              "of the score, or of the number that is predicted",
              "what it adds to the score; the parts of a score add up to it"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    [TOPIC_WORDS] = {"topic_words", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "words of the topic"},
    [WORDS] = {"words", "words of the document", GB_CELL_LIST, GB_PLACE_END, NULL, "",
               "words of the document with the largest shares of the part, and these"}};

typedef enum kind { TOPIC, LEFT_OUT, OTHER_TOPICS, COVARIATE, EMBEDDING, OWN_WORDS, ABSENT_WORDS } kind;

static const char *const kind_names[] = {"topic",     "left-out-topics", "other-topics", "covariate",
                                         "embedding", "words",           "absent-words"};

/* A term of the score. */
typedef struct part {
    kind kind;
    uint64_t number;     /* of the topic or covariate */
    double share, value; /* value: in units of scores */
} part;

typedef struct parts {
    part *part;
    uint64_t n_shown, n_words; /* at most; n_shown 0: all */
    uint64_t *row_of_topic;    /* of each class with topics of its own, n_topics: row of s->topics */
} parts;

/* ---- the terms ------------------------------------------------------------------------------------- */

static int largest_first(const void *a, const void *b)
{
    const part *x = a, *y = b;
    const double p = fabs(x->value), q = fabs(y->value);
    if (p != q)
        return (p < q) - (p > q);
    return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind)
                              : (x->number > y->number) - (x->number < y->number);
}

/* A union has the part of its first topic; topics that are left out are together. */
static uint64_t list_topics(const gb_explained *x, part *out)
{
    const gb_explanation *e = x->e;
    const double *value = e->topic + x->at * (e->n_topics + 1), *share = e->share + x->at * (e->n_topics + 1);
    part left_out = {LEFT_OUT, e->n_topics, 0, 0};
    uint64_t n = 0;
    for (uint64_t k = 0; k < e->n_topics; k++) {
        const uint64_t first = gb_model_topic_union(x->model, k);
        if (first == k)
            out[n++] = (part){TOPIC, k, share[k], value[k]};
        left_out.share += first == GB_LEFT_OUT ? share[k] : 0;
        left_out.value += first == GB_LEFT_OUT ? value[k] : 0;
    }
    if (left_out.share > 0)
        out[n++] = left_out;
    if (value[e->n_topics] != 0)
        out[n++] = (part){OTHER_TOPICS, e->n_topics, share[e->n_topics], value[e->n_topics]};
    return n;
}

static uint64_t list_parts(const gb_explained *x, part *out)
{
    const gb_explanation *e = x->e;
    uint64_t n = list_topics(x, out);
    for (uint64_t f = 0; f < e->n_fields; f++)
        out[n++] = (part){COVARIATE, f, NAN, e->covariate[x->at * e->n_fields + f]};
    if (gb_model_n_embedding_columns(x->model) > 0)
        out[n++] = (part){EMBEDDING, 0, NAN, e->embedding[x->at]};
    if (gb_model_n_word_columns(x->model) > 0) {
        double sum = 0;
        for (uint64_t i = e->word_start[x->document]; i < e->word_start[x->document + 1]; i++)
            sum += gb_part_of_word(x, i, GB_OWN_OF_WORD);
        out[n++] = (part){OWN_WORDS, 0, NAN, sum};
        out[n++] = (part){ABSENT_WORDS, 0, NAN, e->absent[x->at]};
    }
    qsort(out, n, sizeof *out, largest_first);
    return n;
}

/* ---- cells ----------------------------------------------------------------------------------------- */

static void put_covariate(const gb_explained *x, uint64_t number)
{
    const char *name = "";
    const uint32_t *class;
    uint64_t field, n = 0;
    size_t length;
    char number_text[32];
    (void)gb_model_needed_field(x->model, number, &name, NULL, NULL);
    gb_put_text(x->table, FEATURE, name);
    if (!gb_corpus_find_field(x->docs, name, &field))
        return;
    const double *value = gb_corpus_numbers(x->docs, field);
    if (value != NULL && !isnan(value[x->document])) {
        (void)snprintf(number_text, sizeof number_text, "%.6g", value[x->document]);
        gb_put_item(x->table, VALUE, number_text);
    }
    if (value == NULL && gb_corpus_classes_of(x->docs, field, x->document, &class, &n))
        for (uint64_t i = 0; i < n; i++) {
            const char *text = gb_corpus_class(x->docs, field, class[i], &length);
            gb_put_bytes(x->table, VALUE, text, length);
        }
}

static gb_status put_words(const gb_explained *x, const part *p, uint64_t n_words, gb_error *err)
{
    const bool is_of_topic = p->kind == TOPIC || p->kind == OTHER_TOPICS;
    const uint64_t n = is_of_topic || p->kind == OWN_WORDS
                           ? gb_sort_explained_words(x, is_of_topic ? p->number : GB_OWN_OF_WORD)
                           : 0;
    for (uint64_t i = 0; i < n && i < n_words && x->word[i].value != 0; i++) {
        char *cell = NULL;
        const char *word = gb_model_word(x->model, x->e->word[x->word[i].word]);
        if (asprintf(&cell, "%s %+.2g", word, x->scale * x->word[i].value) < 0)
            return gb_fail(err, GB_ENOMEM, "out of memory: %s", what);
        gb_put_item(x->table, WORDS, cell);
        free(cell);
    }
    return GB_OK;
}

/* Beside a topic stand the words that the answer about topics has. */
static void put_topic(const gb_explained *x, const parts *p, uint64_t topic)
{
    const gb_table *topics = x->asked->subject->topics;
    const uint64_t own = gb_model_is_one_vs_rest(x->model) ? x->e->output[x->at] : 0;
    gb_put_text(x->table, FEATURE, gb_explained_title(x, topic));
    gb_put_text(x->table, NAME, gb_explained_name(x, topic));
    if (topics != NULL)
        gb_put_text(
            x->table, TOPIC_WORDS,
            gb_table_text(topics, p->row_of_topic[own * x->e->n_topics + topic], gb_table_find(topics, "words"), 0));
}

static gb_status put_part(const gb_explained *x, const parts *p, const part *one, gb_error *err)
{
    gb_begin_explained(x, fabs(x->scale * one->value));
    gb_put_text(x->table, KIND, kind_names[one->kind]);
    if (one->kind == TOPIC)
        put_topic(x, p, one->number);
    else if (one->kind == COVARIATE)
        put_covariate(x, one->number);
    gb_put_real(x->table, SHARE, one->share);
    gb_put_real(x->table, PART, x->scale * one->value);
    return put_words(x, one, p->n_words, err);
}

static void put_sum(const gb_explained *x, const char *name, const char *feature, double value)
{
    gb_begin_explained(x, NAN);
    gb_put_text(x->table, KIND, name);
    gb_put_text(x->table, FEATURE, feature);
    gb_put_real(x->table, PART, value);
}

static gb_status put_score(gb_explained *x, void *user, gb_error *err)
{
    gb_status st = GB_OK;
    parts *p = user;
    const uint64_t n = list_parts(x, p->part);
    uint64_t n_left = 0;
    double left = 0;
    put_sum(x, "average", "", x->centre + x->scale * x->e->average[x->at]);
    for (uint64_t i = 0; i < n; i++) {
        const part *one = &p->part[i];
        const bool is_small = i >= p->n_shown || fabs(one->value) <= SMALL * fabs(p->part[0].value);
        if (p->n_shown == 0 || !is_small)
            GB_TRY(put_part(x, p, one, err));
        n_left += p->n_shown > 0 && is_small && one->value != 0;
        left += p->n_shown > 0 && is_small ? one->value : 0;
    }
    if (n_left > 0) {
        char feature[40];
        (void)snprintf(feature, sizeof feature, "%" PRIu64 " part%s", n_left, n_left == 1 ? "" : "s");
        put_sum(x, "smaller-parts", feature, x->scale * left);
    }
done:
    return st;
}

/* ---- answering ------------------------------------------------------------------------------------- */

/* Rows of topics have the number of their first topic, and those of each class follow one another. */
static gb_status find_rows(const gb_subject *s, parts *p, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_table *t = s->topics;
    const uint64_t n_topics = gb_model_n_topics(s->model), n_rows = t == NULL ? 0 : gb_table_n_rows(t);
    const uint64_t n_sets = gb_model_is_one_vs_rest(s->model) ? gb_model_n_outputs(s->model) : 1;
    if (t == NULL)
        return st;
    const size_t title = gb_table_find(t, "topic"), class = gb_table_find(t, "class");
    GB_TRY(gb_alloc(&p->row_of_topic, n_sets * n_topics, sizeof *p->row_of_topic, what, err));
    for (uint64_t row = 0, set = 0; row < n_rows && set < n_sets; row++) {
        set += row > 0 && strcmp(gb_table_text(t, row, class, 0), gb_table_text(t, row - 1, class, 0)) != 0;
        const uint64_t topic = strtoull(gb_table_text(t, row, title, 0), NULL, 10) - 1;
        if (topic < n_topics && set < n_sets)
            p->row_of_topic[set * n_topics + topic] = row;
    }
done:
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    parts p = {.n_shown = gb_asked_count(asked, "rows", 0), .n_words = gb_asked_count(asked, "words", WORDS_OF_PART)};
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[VALUE] = s->explanation->n_fields > 0;
    is_used[NAME] = gb_model_has_topic_names(s->model);
    is_used[TOPIC_WORDS] = s->topics != NULL;
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    GB_TRY(gb_alloc(&p.part, s->explanation->n_topics + s->explanation->n_fields + 5, sizeof *p.part, what, err));
    GB_TRY(find_rows(s, &p, err));
    GB_TRY(gb_for_each_explained(asked, table, put_score, &p, err));
done:
    gb_free(p.part);
    gb_free(p.row_of_topic);
    return st;
}

const gb_question_row gb_question_explanation = {
    {"explanation", "what topics, covariates, embedding and words add to the scores of documents",
     GB_NEEDS_RESPONSE | GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS | GB_NEEDS_EXPLANATION, "rows words"},
    answer};
