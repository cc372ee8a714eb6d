/* plan/late_labels.c - which documents have late labels: see recipe/late_labels.c.
 *
 * A tenth of the documents serves a large corpus.  A curve wants some hundred labels, and a score of a small corpus is no better
 * known for a few labels more in burn-in, so it gives up to a third. */
#include "plan/spec.h"

#include "base/memory.h"
#include "random/random.h"

#include <math.h>

static const double SHARE = 0.1, MOST_SHARE = 1.0 / 3, ENOUGH = 500, ENOUGH_LEVELS = 200;

static uint64_t count_known(const gb_corpus *corpus, const gb_spec_response *response)
{
    const bool is_number = response->target.task == GB_TASK_REGRESSION;
    uint64_t n = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const bool is_missing = is_number ? isnan(corpus->numbers[response->field].value[d])
                                          : corpus->labels[response->field].labelled[d] == 0;
        n += !is_missing;
    }
    return n;
}

/* Documents with a label or number, in the response that needs them held out and has the fewest; 0 if none needs it. */
static uint64_t count_labelled(const gb_corpus *corpus, const gb_spec *spec)
{
    uint64_t fewest = UINT64_MAX;
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_target *target = &spec->response[r].target;
        if (!gb_target_needs_held_out(target))
            continue;
        const uint64_t n = count_known(corpus, &spec->response[r]);
        fewest = n < fewest ? n : fewest;
    }
    return fewest == UINT64_MAX ? 0 : fewest;
}

/* Of levels held-out labels only say how much less short texts tell. */
static double enough_for(const gb_spec *spec)
{
    double most = 0;
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_target *target = &spec->response[r].target;
        const double enough = gb_target_needs_level_law(target) ? ENOUGH_LEVELS : ENOUGH;
        most = gb_target_needs_held_out(target) ? fmax(most, enough) : most;
    }
    return most;
}

bool gb_late_has_variances(const gb_spec *spec)
{
    bool has = false;
    for (size_t r = 0; r < spec->n_responses; r++)
        has |= gb_target_needs_spread(&spec->response[r].target) || gb_target_needs_law(&spec->response[r].target);
    return has;
}

size_t gb_late_width(const gb_spec *spec)
{
    return (gb_late_has_variances(spec) ? 4 : 2) * (spec->one_vs_rest ? 1 : spec->n_outputs);
}

uint64_t gb_spec_late_cut(const gb_spec *spec, uint64_t d, uint64_t length)
{
    static const uint64_t cut[] = {4, 8, 16, GB_MOST_LATE_CUT};
    gb_random random = gb_random_open(gb_key_make(spec->seed, 0), 0, GB_DRAW_LATE_CUT, d);
    const uint64_t n = cut[gb_random_below(&random, sizeof cut / sizeof *cut)];
    const bool settles = spec->prior.ops->unit > 0 || spec->prior.ops->documents->settle != NULL;
    return settles && n < length ? n : length;
}

gb_status gb_spec_choose_late_labels(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    gb_status st;
    const uint64_t n_labelled = count_labelled(corpus, spec);
    if (!gb_settings_are(s, "calibrate", "auto") || spec->two_stage || n_labelled < GB_FEWEST_LABELLED)
        return GB_OK;
    const double share = fmax(SHARE, fmin(MOST_SHARE, enough_for(spec) / (double)n_labelled));
    const gb_key key = gb_key_make(spec->seed, 0);
    GB_TRY(gb_alloc(&spec->is_late, corpus->n_docs, sizeof *spec->is_late, "late labels", err));
    GB_TRY(gb_alloc(&spec->late_doc, corpus->n_docs, sizeof *spec->late_doc, "late labels", err));
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        gb_random random = gb_random_open(key, 0, GB_DRAW_LATE_LABELS, d);
        spec->is_late[d] = gb_random_uniform(&random) < share;
        if (spec->is_late[d])
            spec->late_doc[spec->n_late++] = d;
    }
done:
    return st;
}
