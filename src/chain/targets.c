/* chain/targets.c - the targets of a chain's documents, as far as it is to see them. */
#include "base/memory.h"
#include "chain/chain.h"

#include <math.h>
#include <string.h>

static bool is_in_fold(const gb_chain *c, uint64_t d)
{
    const gb_spec *spec = c->spec;
    return spec->held_out != GB_NO_FIELD && (c->portion.first_doc + d) % spec->calibration_folds == spec->held_out;
}

/* Of a chain for one output only that one. */
static gb_status code_targets(gb_chain *c, const uint8_t *is_hidden, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_spec *spec = c->spec, *whole = spec->whole == NULL ? spec : spec->whole;
    const size_t n = spec->n_outputs, n_whole = whole->n_outputs,
                 first = spec->only_output == GB_NO_FIELD ? 0 : spec->only_output;
    double *y = NULL, *weight = NULL;
    GB_TRY(gb_alloc(&y, n_whole, sizeof *y, "targets", err));
    GB_TRY(gb_alloc(&weight, n_whole, sizeof *weight, "targets", err));
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        GB_TRY(gb_spec_code_document(whole, c->corpus, d, y, c->weight == NULL ? NULL : weight, err));
        const bool is_without = is_in_fold(c, d) || (is_hidden != NULL && is_hidden[d]);
        for (size_t l = 0; l < n; l++)
            c->y[d * n + l] = is_without ? NAN : y[first + l];
        if (c->weight != NULL)
            memcpy(c->weight + d * n, weight + first, n * sizeof *weight);
    }
done:
    gb_free(y);
    gb_free(weight);
    return st;
}

static void sort_by_level(gb_chain *c)
{
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_response *response = &c->response[r];
        size_t start;
        const size_t number = gb_chain_count_levels(c->spec, r, &start);
        if (response->n_levels > 0)
            gb_sort_by_level(c->corpus->n_docs, c->spec->n_outputs, c->y + response->first_output, response->n_levels,
                             c->by_level + number * c->corpus->n_docs, c->level_start + start);
    }
}

gb_status gb_chain_hide_labels(gb_chain *c, const uint8_t *is_hidden, gb_error *err)
{
    const gb_status st = code_targets(c, is_hidden, err);
    if (st == GB_OK)
        sort_by_level(c);
    return st;
}
