/* apply/explained.c - which scores are explained, and topics that count as one. */
#include "apply/explain.h"
#include "base/memory.h"
#include "gibbous/topic_unions.h"

/* ---- which scores ---------------------------------------------------------------------------------- */

static uint64_t predicted_output(const gb_model *m, const gb_prediction *p, uint64_t r, uint64_t d)
{
    const uint64_t first = gb_model_first_output(m, r), n = gb_model_n_outputs_of(m, r);
    const double *score = p->score + d * p->n_outputs + first;
    uint64_t best = 0;
    if (n == 1)
        return first;
    if (p->response[r].predicted[d] != UINT64_MAX)
        return first + p->response[r].predicted[d];
    for (uint64_t l = 1; l < n; l++)
        best = score[l] > score[best] ? l : best;
    return first + best;
}

void gb_explanation_choose(const gb_model *m, const gb_prediction *p, uint64_t first, gb_explanation *e)
{
    for (uint64_t i = 0; i < e->n_docs * e->n_explained; i++)
        e->output[i] = predicted_output(m, p, i % e->n_explained, first + i / e->n_explained);
}

/* ---- unions ---------------------------------------------------------------------------------------- */

/* Of each row of topics: what each topic has goes to the first of its union. */
static void unite(uint64_t n_rows, uint64_t n_topics, const uint64_t *first, double *row)
{
    for (uint64_t i = 0; i < n_rows; i++, row += n_topics + 1)
        for (uint64_t k = 0; k < n_topics; k++)
            if (first[k] != k) {
                row[first[k]] += row[k];
                row[k] = 0;
            }
}

gb_status gb_explain_unite(const gb_model *m, gb_explanation *e, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t *first = NULL;
    const uint64_t n_scores = e->n_docs * e->n_explained;
    if (!gb_model_has_topic_unions(m))
        return st;
    GB_TRY(gb_alloc(&first, e->n_topics, sizeof *first, "unions of topics", err));
    for (uint64_t k = 0; k < e->n_topics; k++) {
        const uint64_t u = gb_model_topic_union(m, k);
        first[k] = u == GB_LEFT_OUT ? k : u;
    }
    unite(n_scores, e->n_topics, first, e->share);
    unite(n_scores, e->n_topics, first, e->topic);
    unite(e->word_start[e->n_docs] * e->n_explained, e->n_topics, first, e->word_topic);
done:
    gb_free(first);
    return st;
}
