/* answer/likelihood.c - how probable the words of each document are: of a batch, or of the parts of a cross-validation. */
#include "answer/questions.h"
#include "folds/cross_validation.h"

#include <math.h>

enum { PART, ID, N_SCORED, N_UNKNOWN, LOG_LIKELIHOOD, MC_SE, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [PART] = {"part", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
              "part that was held out: number of the fold, or field and value"},
    [ID] = {"id", "id", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "the document"},
    [N_SCORED] = {"n_scored", "scored", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "tokens",
                  "tokens whose probability is estimated"},
    [N_UNKNOWN] = {"n_unknown", "unknown", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "tokens",
                   "words that the model does not know"},
    [LOG_LIKELIHOOD] = {"log_likelihood", "log likelihood", GB_CELL_REAL, GB_PLACE_COLUMN, "%.6g", "",
                        "natural logarithm of the probability of these tokens; empty without any"},
    [MC_SE] = {"mc_se", "MC se", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3g", "",
               "Monte Carlo standard error of the log likelihood"}};

static void put_documents(gb_table *t, const char *part, const gb_corpus *docs, const uint64_t *n_unknown,
                          const gb_held_out *likelihood)
{
    for (uint64_t d = 0; d < likelihood->n_docs; d++) {
        const bool has_any = likelihood->n_scored[d] > 0;
        size_t length;
        const char *id = gb_corpus_id(docs, d, &length);
        gb_table_begin_row(t, (double)likelihood->n_scored[d]);
        gb_put_text(t, PART, part);
        gb_put_bytes(t, ID, id, length);
        gb_put_count(t, N_SCORED, likelihood->n_scored[d]);
        gb_put_count(t, N_UNKNOWN, n_unknown == NULL ? 0 : n_unknown[d]);
        gb_put_real(t, LOG_LIKELIHOOD, has_any ? likelihood->log_likelihood[d] : (double)NAN);
        gb_put_real(t, MC_SE, has_any ? likelihood->standard_error[d] : (double)NAN);
    }
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_subject *s = asked->subject;
    const gb_cross_validation *v = s->validation;
    const bool is_used[N_COLUMNS] = {v != NULL, true, true, true, true, true};
    gb_table_add_all(t, N_COLUMNS, columns, is_used);
    if (v == NULL)
        put_documents(t, "", s->scored, s->n_unknown, s->likelihood);
    for (uint64_t i = 0; v != NULL && i < gb_cross_validation_n_parts(v); i++)
        put_documents(t, gb_cross_validation_part(v, i), gb_cross_validation_docs(v, i),
                      gb_cross_validation_n_unknown(v, i), gb_cross_validation_likelihood(v, i));
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_likelihood = {
    {"likelihood", "how probable the words of each document are", GB_NEEDS_LIKELIHOOD, ""}, answer};
