/* answer/predictions.c - what a model predicts for documents, one row each: those that somebody has applied it to, or those held out of the
 * models of a cross-validation, in the order of the input and beside what is true. */
#include "answer/questions.h"
#include "answer/topic_documents.h"
#include "apply/named_prediction.h"
#include "folds/cross_validation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "predictions";

/* The first column of each kind that a response has, and how many it has. */
typedef struct place {
    size_t truth, predicted, numbers, probabilities, listed, scores, errors;
    uint64_t n_numbers, n_probabilities, n_listed, n_scores, n_errors;
} place;

typedef struct listing {
    gb_table *table;
    const gb_cross_validation *validation; /* NULL: documents that a model was applied to */
    const gb_named_prediction *first;      /* of all documents, or of the first part, which has the columns of all */
    bool has_errors, wants_scores, topics_alone;
    uint64_t n_top; /* classes that are listed, the most probable first; 0: all have columns */
    size_t id, part, n_known, n_unknown, note;
    place *place;    /* of each response */
    uint64_t *order; /* room for the classes of a response */
} listing;

/* Documents that have one prediction. */
typedef struct documents {
    const gb_named_prediction *named;
    const gb_corpus *corpus;   /* NULL: nobody has given them */
    const uint64_t *n_unknown; /* NULL: likewise */
    const char *part;          /* NULL: of no cross-validation */
} documents;

/* ---- columns --------------------------------------------------------------------------------------- */

static size_t add(const listing *l, const char *name, const char *title, gb_cell_kind kind, const char *unit,
                  const char *help)
{
    return gb_table_add(l->table, &(gb_column){name, title, kind, GB_PLACE_COLUMN, NULL, unit, help});
}

/* With several responses, names begin with the field: "genre.predicted". */
static size_t add_of(const listing *l, uint64_t r, const char *start, const char *name, gb_cell_kind kind,
                     const char *help)
{
    char *full = NULL;
    const bool has_several = l->first->n_responses > 1;
    if (asprintf(&full, "%s%s%s%s", has_several ? l->first->response[r].field : "", has_several ? "." : "", start,
                 name) < 0) {
        gb_table_lose(l->table);
        return 0;
    }
    const size_t column = add(l, full, full, kind, "", help);
    free(full);
    return column;
}

/* Columns p_...: only of what may be called a probability.  The model's are for its whole scores, not for a part of them. */
static bool has_probabilities(const listing *l, uint64_t r)
{
    bool has = !l->topics_alone && l->first->response[r].n_classes > 0 && l->first->response[r].has_probabilities;
    for (uint64_t i = 0; l->validation != NULL && i < gb_cross_validation_n_parts(l->validation); i++)
        has &= gb_cross_validation_predictions(l->validation, i)->response[r].has_probabilities;
    return has;
}

static void add_numbers(const listing *l, uint64_t r, place *at)
{
    static const char *const name[] = {"mean", "sd", "q05", "q95"};
    at->n_numbers = l->topics_alone ? 1 : sizeof name / sizeof *name; /* intervals too are those of whole scores */
    for (size_t i = 0; i < at->n_numbers; i++) {
        const size_t column = add_of(l, r, name[i], "", GB_CELL_REAL, "of the predictive distribution");
        at->numbers = i == 0 ? column : at->numbers;
    }
}

static void add_listed(const listing *l, uint64_t r, const place *at)
{
    char number[24];
    for (uint64_t i = 1; i <= at->n_listed; i++) {
        (void)snprintf(number, sizeof number, "%" PRIu64, i);
        (void)add_of(l, r, "top_", number, GB_CELL_TEXT, "class, the most probable first");
        (void)add_of(l, r, at->n_probabilities > 0 ? "p_top_" : "score_top_", number, GB_CELL_REAL,
                     "what the classes are ordered by");
    }
}

static size_t add_scores(const listing *l, uint64_t r, const char *name, const char *start, const char *help)
{
    const gb_named_response *of = &l->first->response[r];
    size_t first = 0;
    for (uint64_t i = 0; i < of->n_outputs; i++) {
        const size_t column = of->n_outputs == 1 ? add_of(l, r, name, "", GB_CELL_REAL, help)
                                                 : add_of(l, r, start, of->class_name[i], GB_CELL_REAL, help);
        first = i == 0 ? column : first;
    }
    return first;
}

static void add_response(const listing *l, uint64_t r)
{
    const gb_named_response *of = &l->first->response[r];
    const uint64_t n = of->n_classes;
    const gb_cell_kind kind = of->has_class != NULL ? GB_CELL_LIST : n > 0 ? GB_CELL_TEXT : GB_CELL_REAL;
    place *at = &l->place[r];
    if (l->validation != NULL)
        at->truth = add_of(l, r, "true", "", kind, "what the document has; empty if it is missing");
    at->predicted = add_of(l, r, "predicted", "", kind, "what is predicted");
    at->n_probabilities = has_probabilities(l, r) ? n : 0;
    if (n == 0)
        add_numbers(l, r, at);
    /* ordinal categories share one score, by which they cannot be listed */
    if (at->n_probabilities > 0 || of->n_outputs >= n || n == 2)
        at->n_listed = l->n_top < n ? l->n_top : n;
    at->listed = at->predicted + 1;
    if (at->n_listed > 0) {
        add_listed(l, r, at);
        return;
    }
    for (uint64_t c = 0; c < at->n_probabilities; c++) {
        const size_t column = add_of(l, r, "p_", of->class_name[c], GB_CELL_REAL, "probability of the class");
        at->probabilities = c == 0 ? column : at->probabilities;
    }
    at->n_scores = l->wants_scores || (n > 0 && at->n_probabilities == 0) ? of->n_outputs : 0;
    if (at->n_scores > 0) /* classes without probabilities are told by their scores */
        at->scores = add_scores(l, r, "score", "score_", "mean score over the stored draws");
    at->n_errors = l->has_errors ? of->n_outputs : 0;
    if (at->n_errors > 0)
        at->errors =
            add_scores(l, r, "score_error", "score_error_", "standard error of the score over the stored draws");
}

static void add_columns(listing *l)
{
    l->id = add(l, "id", "id", GB_CELL_TEXT, "", "the document");
    if (l->validation != NULL)
        l->part = add(l, "part", "part", GB_CELL_TEXT, "", "part in which it was held out");
    for (uint64_t r = 0; r < l->first->n_responses; r++)
        add_response(l, r);
    l->n_known = add(l, "n_known", "known", GB_CELL_COUNT, "tokens", "words that the model knows");
    l->n_unknown = add(l, "n_unknown", "unknown", GB_CELL_COUNT, "tokens", "words that the model does not know");
    l->note =
        add(l, "note", "note", GB_CELL_TEXT, "", "prior: no word is known, so only the prior and covariates decide");
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static void put_truth(const listing *l, const gb_named_response *of, const gb_corpus *docs, uint64_t d, size_t column)
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

static void put_numbers(const listing *l, const place *at, const gb_response_prediction *p, uint64_t d)
{
    gb_put_real(l->table, at->predicted, p->mean[d]);
    gb_put_real(l->table, at->numbers, p->mean[d]);
    if (at->n_numbers == 1)
        return;
    gb_put_real(l->table, at->numbers + 1, p->sd[d]);
    gb_put_real(l->table, at->numbers + 2, p->q05[d]);
    gb_put_real(l->table, at->numbers + 3, p->q95[d]);
}

/* What classes are ordered by: probabilities, or the scores of those that have one each. */
static double weight_of(const place *at, const gb_named_response *of, const gb_response_prediction *p,
                        const double *score, uint64_t d, uint64_t c)
{
    if (at->n_probabilities > 0)
        return p->probability[d * p->n_classes + c];
    return of->n_outputs > 1 ? score[c] : c == 1 ? score[0] : -score[0];
}

static void put_listed(const listing *l, const place *at, const gb_named_response *of,
                       const gb_response_prediction *p, const double *score, uint64_t d)
{
    for (uint64_t c = 0; c < of->n_classes; c++)
        l->order[c] = c;
    for (uint64_t i = 0; i < at->n_listed; i++) {
        uint64_t best = i;
        for (uint64_t j = i + 1; j < of->n_classes; j++)
            if (weight_of(at, of, p, score, d, l->order[j]) > weight_of(at, of, p, score, d, l->order[best]))
                best = j;
        const uint64_t class = l->order[best];
        memmove(l->order + i + 1, l->order + i, (best - i) * sizeof *l->order);
        l->order[i] = class;
        gb_put_text(l->table, at->listed + 2 * i, of->class_name[class]);
        gb_put_real(l->table, at->listed + 2 * i + 1, weight_of(at, of, p, score, d, class));
    }
}

static void put_classes(const listing *l, const place *at, const gb_named_response *of,
                        const gb_response_prediction *p, const double *score, uint64_t d)
{
    for (uint64_t c = 0; of->has_class != NULL && c < of->n_classes; c++)
        if (of->has_class[d * of->n_classes + c])
            gb_put_item(l->table, at->predicted, of->class_name[c]);
    if (of->has_class == NULL && p->predicted[d] < of->n_classes)
        gb_put_text(l->table, at->predicted, of->class_name[p->predicted[d]]);
    if (at->n_listed > 0) {
        put_listed(l, at, of, p, score, d);
        return;
    }
    for (uint64_t c = 0; c < at->n_probabilities; c++)
        gb_put_real(l->table, at->probabilities + c, p->probability[d * p->n_classes + c]);
}

static void put_response(const listing *l, const documents *of, uint64_t r, uint64_t d)
{
    const gb_named_response *named = &of->named->response[r];
    const gb_prediction *all = of->named->prediction;
    const double *score = all->score + d * all->n_outputs + named->first_output;
    const place *at = &l->place[r];
    if (l->validation != NULL)
        put_truth(l, named, of->corpus, d, at->truth);
    if (named->n_classes == 0)
        put_numbers(l, at, &all->response[r], d);
    else
        put_classes(l, at, named, &all->response[r], score, d);
    for (uint64_t i = 0; i < at->n_scores; i++)
        gb_put_real(l->table, at->scores + i, score[i]);
    for (uint64_t i = 0; i < at->n_errors; i++)
        gb_put_real(l->table, at->errors + i, all->score_error[d * all->n_outputs + named->first_output + i]);
}

static void put_document(const listing *l, const documents *of, uint64_t d)
{
    gb_table_begin_row(l->table, NAN);
    if (of->corpus != NULL)
        gb_put_document_id(l->table, l->id, of->corpus, d);
    if (of->part != NULL)
        gb_put_text(l->table, l->part, of->part);
    for (uint64_t r = 0; r < of->named->n_responses; r++)
        put_response(l, of, r, d);
    gb_put_count(l->table, l->n_known, of->named->prediction->n_known[d]);
    if (of->n_unknown != NULL)
        gb_put_count(l->table, l->n_unknown, of->n_unknown[d]);
    if (of->named->prediction->n_known[d] == 0)
        gb_put_text(l->table, l->note, "prior");
}

static gb_status put_parts(const listing *l, gb_error *err)
{
    const gb_cross_validation *v = l->validation;
    const gb_held_parts *parts = gb_cross_validation_held_parts(v);
    uint64_t *next = NULL; /* document of each part */
    gb_status st = gb_alloc(&next, parts->n, sizeof *next, what, err);
    for (uint64_t d = 0; st == GB_OK && d < gb_cross_validation_n_docs(v); d++)
        for (size_t i = 0; i < parts->n; i++)
            if (parts->part[i].is_held_out[d])
                put_document(l,
                             &(documents){gb_cross_validation_predictions(v, i), gb_cross_validation_docs(v, i),
                                          gb_cross_validation_n_unknown(v, i), gb_cross_validation_part(v, i)},
                             next[i]++);
    gb_free(next);
    return st;
}

static void note_intervals(gb_table *table, const gb_model *model)
{
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        if (gb_model_interval_source(model, r) == GB_INTERVAL_DOUBTFUL)
            gb_table_add_note(table, GB_NOTE_REMARK,
                              "%s: the training held out no targets, so intervals may be too wide or, of counts, too "
                              "narrow",
                              gb_model_field(model, r));
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    gb_named_prediction own = {.prediction = NULL};
    uint64_t most = 0;
    listing l = {.table = table,
                 .validation = s->prediction == NULL ? s->validation : NULL,
                 .wants_scores = gb_asked_flag(asked, "scores"),
                 .topics_alone = gb_asked_flag(asked, "topics-alone"),
                 .n_top = gb_asked_count(asked, "top", 0)};
    l.first = l.validation == NULL ? &own : gb_cross_validation_predictions(l.validation, 0);
    if (l.validation == NULL)
        GB_TRY(gb_named_prediction_make(s->model, s->prediction, &own, err));
    if (l.first->prediction == NULL || l.first->n_responses == 0) {
        st = gb_fail(err, GB_EARGUMENT, "models without a response predict nothing");
        goto done;
    }
    l.has_errors = l.wants_scores && (l.first->prediction->score_error != NULL || l.first->prediction->n_docs == 0);
    for (uint64_t r = 0; r < l.first->n_responses; r++)
        most = l.first->response[r].n_classes > most ? l.first->response[r].n_classes : most;
    GB_TRY(gb_alloc(&l.place, l.first->n_responses, sizeof *l.place, what, err));
    GB_TRY(gb_alloc(&l.order, most, sizeof *l.order, what, err));
    add_columns(&l);
    if (l.validation != NULL)
        GB_TRY(put_parts(&l, err));
    for (uint64_t d = 0; l.validation == NULL && d < s->prediction->n_docs; d++)
        put_document(&l, &(documents){&own, s->documents, s->n_unknown, NULL}, d);
    if (l.validation == NULL)
        note_intervals(table, s->model);
done:
    gb_named_prediction_clear(&own);
    gb_free(l.place);
    gb_free(l.order);
    return st;
}

const gb_question_row gb_question_predictions = {
    {"predictions", "what a model predicts for documents, or models of a cross-validation for those held out of them",
     GB_NEEDS_PREDICTION, "scores topics-alone top"},
    answer};
