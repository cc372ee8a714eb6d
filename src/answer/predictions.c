/* answer/predictions.c - what the models of a cross-validation predict for the documents that they have not seen: one row a document, in the
 * order of the input, with the columns of `predict` and what is true. */
#include "answer/questions.h"
#include "folds/cross_validation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the columns of a response begin. */
typedef struct place {
    size_t truth, predicted, numbers;
} place;

typedef struct listing {
    gb_table *table;
    const gb_cross_validation *validation;
    const gb_held_predictions *first; /* of the first part, which has the columns of all */
    size_t id, part, n_known, n_unknown;
    place *place; /* of each response */
    bool *has_probabilities;
} listing;

/* With several responses, names begin with the field. */
static size_t add_column(const listing *l, uint64_t r, const char *start, const char *name, gb_cell_kind kind,
                         const char *help)
{
    const bool has_several = l->first->n_responses > 1;
    char text[400];
    (void)snprintf(text, sizeof text, "%s%s%s%s", has_several ? l->first->response[r].field : "",
                   has_several ? "." : "", start, name);
    return gb_table_add(l->table, &(gb_column){text, text, kind, GB_PLACE_COLUMN, NULL, "", help});
}

static const char *const of_number[] = {"mean", "sd", "q05", "q95"};

static void add_response(listing *l, uint64_t r)
{
    const gb_held_response *of = &l->first->response[r];
    const gb_cell_kind kind = of->has_class != NULL ? GB_CELL_LIST : of->n_classes > 0 ? GB_CELL_TEXT : GB_CELL_REAL;
    place *at = &l->place[r];
    size_t column;
    at->truth = add_column(l, r, "true", "", kind, "what the document has; empty if it is missing");
    at->predicted = add_column(l, r, "predicted", "", kind, "what the model predicts that has not seen the document");
    at->numbers = at->predicted + 1;
    for (size_t i = 0; of->n_classes == 0 && i < sizeof of_number / sizeof *of_number; i++)
        column = add_column(l, r, of_number[i], "", GB_CELL_REAL, "of the predictive distribution");
    for (uint64_t c = 0; l->has_probabilities[r] && c < of->n_classes; c++)
        column = add_column(l, r, "p_", of->class_name[c], GB_CELL_REAL, "probability of the class");
    for (uint64_t c = 0; !l->has_probabilities[r] && of->n_classes > 0 && c < of->n_outputs; c++)
        column = add_column(l, r, of->n_outputs == 1 ? "score" : "score_",
                            of->n_outputs == 1 ? "" : of->class_name[c], GB_CELL_REAL, "score of the class");
    (void)column;
}

static void put_truth(const listing *l, const gb_held_response *of, const gb_corpus *docs, uint64_t d, size_t column)
{
    uint64_t field, n;
    const uint32_t *class;
    if (!gb_corpus_find_field(docs, of->field, &field))
        return;
    if (of->n_classes == 0) {
        gb_put_real(l->table, column,
                    gb_corpus_numbers(docs, field) == NULL ? NAN : gb_corpus_numbers(docs, field)[d]);
        return;
    }
    if (!gb_corpus_classes_of(docs, field, d, &class, &n))
        return;
    for (uint64_t i = 0; i < n; i++) {
        size_t length;
        const char *name = gb_corpus_class(docs, field, class[i], &length);
        gb_put_bytes(l->table, column, name, length);
    }
}

static void put_response(const listing *l, const gb_held_predictions *h, const gb_corpus *docs, uint64_t r,
                         uint64_t d)
{
    const gb_held_response *of = &h->response[r];
    const gb_prediction *all = h->prediction;
    const gb_response_prediction *p = &all->response[r];
    const place *at = &l->place[r];
    put_truth(l, of, docs, d, at->truth);
    if (of->n_classes == 0) {
        const double numbers[] = {p->mean[d], p->sd[d], p->q05[d], p->q95[d]};
        gb_put_real(l->table, at->predicted, p->mean[d]);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            gb_put_real(l->table, at->numbers + i, numbers[i]);
        return;
    }
    for (uint64_t c = 0; of->has_class != NULL && c < of->n_classes; c++)
        if (of->has_class[d * of->n_classes + c])
            gb_put_item(l->table, at->predicted, of->class_name[c]);
    if (of->has_class == NULL && p->predicted[d] < of->n_classes)
        gb_put_text(l->table, at->predicted, of->class_name[p->predicted[d]]);
    for (uint64_t c = 0; l->has_probabilities[r] && c < of->n_classes; c++)
        gb_put_real(l->table, at->numbers + c, p->probability[d * p->n_classes + c]);
    for (uint64_t c = 0; !l->has_probabilities[r] && c < of->n_outputs; c++)
        gb_put_real(l->table, at->numbers + c, all->score[d * all->n_outputs + of->first_output + c]);
}

static void put_document(const listing *l, uint64_t part, uint64_t d)
{
    const gb_held_predictions *h = gb_cross_validation_predictions(l->validation, part);
    const gb_corpus *docs = gb_cross_validation_docs(l->validation, part);
    size_t length;
    const char *id = gb_corpus_id(docs, d, &length);
    gb_table_begin_row(l->table, NAN);
    gb_put_bytes(l->table, l->id, id, length);
    gb_put_text(l->table, l->part, gb_cross_validation_part(l->validation, part));
    for (uint64_t r = 0; r < h->n_responses; r++)
        put_response(l, h, docs, r, d);
    gb_put_count(l->table, l->n_known, h->prediction->n_known[d]);
    gb_put_count(l->table, l->n_unknown, gb_cross_validation_n_unknown(l->validation, part)[d]);
}

static gb_status put_documents(const listing *l, gb_error *err)
{
    const gb_held_parts *parts = gb_cross_validation_held_parts(l->validation);
    uint64_t *next = NULL; /* document of each part */
    gb_status st = gb_alloc(&next, parts->n, sizeof *next, "predictions", err);
    for (uint64_t d = 0; st == GB_OK && d < gb_cross_validation_n_docs(l->validation); d++)
        for (size_t i = 0; i < parts->n; i++)
            if (parts->part[i].is_held_out[d])
                put_document(l, i, next[i]++);
    gb_free(next);
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_cross_validation *v = asked->subject->validation;
    listing l = {.table = table, .validation = v, .first = gb_cross_validation_predictions(v, 0)};
    if (l.first->prediction == NULL)
        return gb_fail(err, GB_EARGUMENT, "models without a response predict nothing");
    GB_TRY(gb_alloc(&l.place, l.first->n_responses, sizeof *l.place, "predictions", err));
    GB_TRY(gb_alloc(&l.has_probabilities, l.first->n_responses, sizeof *l.has_probabilities, "predictions", err));
    l.id = gb_table_add(table, &(gb_column){"id", "id", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "the document"});
    l.part = gb_table_add(table, &(gb_column){"part", "part", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                                              "part in which it was held out"});
    for (uint64_t r = 0; r < l.first->n_responses; r++) {
        l.has_probabilities[r] = l.first->response[r].n_classes > 0;
        for (uint64_t i = 0; i < gb_cross_validation_n_parts(v); i++)
            l.has_probabilities[r] &= gb_cross_validation_predictions(v, i)->response[r].has_probabilities;
        add_response(&l, r);
    }
    l.n_known = gb_table_add(table, &(gb_column){"n_known", "known", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "tokens",
                                                 "words that the model knows"});
    l.n_unknown = gb_table_add(table, &(gb_column){"n_unknown", "unknown", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL,
                                                   "tokens", "words that the model does not know"});
    GB_TRY(put_documents(&l, err));
done:
    gb_free(l.place);
    gb_free(l.has_probabilities);
    return st;
}

const gb_question_row gb_question_predictions = {
    {"predictions", "what models of a cross-validation predict for the documents held out of them",
     GB_NEEDS_VALIDATION, ""},
    answer};
