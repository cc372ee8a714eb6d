/* answer/nearest_documents.c - which documents have the same topics. */
#include "apply/nearest.h"

#include "answer/questions.h"
#include "answer/topic_documents.h"
#include "answer/topic_shares.h"

#include <math.h>
#include <string.h>

enum { ID, RANK, NEAREST, AFFINITY, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [ID] = {"id", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "the document"},
    [RANK] = {"rank", "", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "", "1 for the nearest"},
    [NEAREST] = {"nearest", "nearest", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                 "another document with similar topics"},
    [AFFINITY] = {
        "affinity", "affinity", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "",
        "sum over topics of the square root of the product of the documents' shares: 1 for the same shares"}};

static const char what[] = "nearest documents";

/* Documents with their topic shares. */
typedef struct shared {
    gb_corpus *docs;
    const double *share;
    double *own; /* shares that are found here */
} shared;

/* The same document in both: other documents may have its id. */
static bool is_itself(const shared *here, uint64_t d, const shared *there, uint64_t i)
{
    size_t length, other_length;
    uint64_t n, n_other;
    const char *id = gb_corpus_id(here->docs, d, &length), *other = gb_corpus_id(there->docs, i, &other_length);
    const uint32_t *word = gb_corpus_tokens(here->docs, d, &n),
                   *other_word = gb_corpus_tokens(there->docs, i, &n_other);
    return length == other_length && memcmp(id, other, length) == 0 && n == n_other &&
           (n == 0 || memcmp(word, other_word, n * sizeof *word) == 0);
}

/* Of one more than are wanted, the best but the document itself. */
static void put_nearest(gb_table *table, const shared *here, uint64_t d, const shared *there, uint64_t n_found,
                        const uint64_t *best, const double *affinity, uint64_t n_best)
{
    uint64_t rank = 0;
    bool is_found = false;
    for (uint64_t i = 0; i < n_found && rank < n_best; i++) {
        if (!is_found && is_itself(here, d, there, best[i])) {
            is_found = true;
            continue;
        }
        gb_table_begin_row(table, NAN);
        gb_put_document_id(table, ID, here->docs, d);
        gb_put_count(table, RANK, ++rank);
        gb_put_document_id(table, NEAREST, there->docs, best[i]);
        gb_put_real(table, AFFINITY, affinity[i]);
    }
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    shared here = {.docs = s->documents, .share = s->share}, there = {.docs = s->among, .share = s->among_share};
    const uint64_t n_docs = gb_corpus_n_docs(here.docs), n_other = gb_corpus_n_docs(there.docs),
                   n_best = gb_asked_count(asked, "nearest", 3), n_found = n_best < n_other ? n_best + 1 : n_other;
    uint64_t *best = NULL;
    double *affinity = NULL;
    gb_table_add_all(table, N_COLUMNS, columns, NULL);
    if (n_other == 0)
        return GB_OK;
    GB_TRY(gb_find_shares(asked, here.docs, &here.share, &here.own, err));
    GB_TRY(gb_find_shares(asked, there.docs, &there.share, &there.own, err));
    GB_TRY(gb_alloc(&best, n_docs * n_found, sizeof *best, what, err));
    GB_TRY(gb_alloc(&affinity, n_docs * n_found, sizeof *affinity, what, err));
    GB_TRY(gb_nearest_documents(gb_model_n_topics(s->model), n_docs, here.share, n_other, there.share, n_found, best,
                                affinity, err));
    for (uint64_t d = 0; d < n_docs; d++)
        put_nearest(table, &here, d, &there, n_found, best + d * n_found, affinity + d * n_found, n_best);
done:
    gb_free(here.own);
    gb_free(there.own);
    gb_free(best);
    gb_free(affinity);
    return st;
}

const gb_question_row gb_question_nearest_documents = {
    {"nearest-documents", "which documents have the most similar topics",
     GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS | GB_NEEDS_AMONG, "nearest infer-sweeps infer-burn-in seed threads"},
    answer};
