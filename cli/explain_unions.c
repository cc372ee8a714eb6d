/* cli/explain_unions.c - explained scores by unions of topics: their parts are sums, so all of a score is still told. */
#include "explain.h"

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

gb_status cli_unite_explained(const gb_model *model, gb_explanation *e, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t *first = NULL;
    const uint64_t n_scores = e->n_docs * e->n_explained;
    if (!gb_model_has_topic_unions(model))
        return st;
    CLI_TRY(cli_alloc(&first, e->n_topics, sizeof *first, "unions of topics", err));
    for (uint64_t k = 0; k < e->n_topics; k++) {
        const uint64_t u = gb_model_topic_union(model, k);
        first[k] = u == GB_LEFT_OUT ? k : u;
    }
    unite(n_scores, e->n_topics, first, e->share);
    unite(n_scores, e->n_topics, first, e->topic);
    unite(e->word_start[e->n_docs] * e->n_explained, e->n_topics, first, e->word_topic);
done:
    gb_free(first);
    return st;
}
