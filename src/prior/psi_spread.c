/* prior/psi_spread.c - the precision of documents around their means, redrawn together with their log weights.
 *
 * Given psi, a precision k moves by sqrt(2 / (D (K - 1))) of itself at a time, however little the tokens say of psi.  Here
 * something else is held while k and psi move (interweaving: Yu and Meng 2011, Journal of Computational and Graphical
 * Statistics 20).  For one document, with counts n and N tokens, p(psi | z, k) has a mode m and there nearly the precision
 *     D - N theta theta',   D_t = k + N theta_t,   theta the shares at m                                      (1)
 * so with v_t = sqrt(N / D_t) theta_t,
 *     psi = m + D^{-1/2} (I + c v v') e,   c = 1 / (R^{1/2} (1 + R^{1/2})),   R = 1 - v'v                     (2)
 * has an e that is nearly standard normal: it hardly says anything of k, but what the tokens say of it.  All e stay as they are,
 * and x = log k is drawn by a slice sampler on
 *     a x - b k + sum_d [ log p(z_d, psi_d | k) + log |d psi_d / d e_d| ]                                     (3)
 *     log |d psi / d e| = - 1/2 sum_t log D_t - 1/2 log R                                                    (4)
 * This is exact whatever m, D and R are, as long as they depend on z, means and k alone: they are where a few steps of
 * Newton's method end.  Without tokens m is the mean, and e = (psi - m) k^{1/2}.  With several precisions all are multiplied by
 * one number.
 *
 * What changes k in the end is how topics change; this lets it follow them.  So it is done in each of the first sweeps,
 * and now and then later. */
#include "prior/psi_state.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "random/slice.h"

#include <math.h>

enum { FIRST_SWEEPS = 64, PERIOD = 16 };

bool gb_psi_spread_is_due(const gb_prior *prior, uint32_t sweep)
{
    const gb_psi_setup *own = prior->setup->own;
    return !own->is_full && !own->means.observation.is_fixed && (sweep <= FIRST_SWEEPS || sweep % PERIOD == 0);
}

/* A move of psi and of the precisions; psi holds e. */
typedef struct spread {
    gb_prior *prior;
    const gb_prior_sweep *sweep;
    gb_psi_law law; /* of what is tried out */
    double *precision;
    bool keep; /* psi in place of e */
    gb_status status;
    gb_error *err;
} spread;

static double *scratch_of(const spread *s, size_t worker)
{
    const gb_psi_state *state = s->prior->state;
    return state->scratch + worker * gb_psi_scratch(state->n_free);
}

static gb_status whiten_some(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const spread *s = context;
    gb_psi_state *state = s->prior->state;
    gb_psi_whiten(&s->law, s->prior->isa, s->sweep->z, (uint64_t)task * GB_PSI_DOCS_PER_TASK,
                  gb_psi_task_end(s->prior, task), state->psi, scratch_of(s, worker));
    return GB_OK;
}

static gb_status unwhiten_some(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const spread *s = context;
    gb_psi_state *state = s->prior->state;
    state->partial[1 + task] = gb_psi_unwhiten(&s->law, s->prior->isa, s->sweep->z,
                                               (uint64_t)task * GB_PSI_DOCS_PER_TASK, gb_psi_task_end(s->prior, task),
                                               state->psi, s->keep ? state->psi : NULL, scratch_of(s, worker));
    return GB_OK;
}

/* (3) with all precisions multiplied by exp(x).  Infinite after a failure of another rank, which ends the search. */
static double try_out(void *context, double x)
{
    spread *s = context;
    const gb_psi_state *state = s->prior->state;
    const gb_precision *law = &((const gb_psi_setup *)s->prior->setup->own)->means.observation;
    const gb_prior_table *k = &s->prior->values.table[GB_PSI_SPREAD];
    double sum;
    if (s->status != GB_OK)
        return (double)INFINITY;
    for (size_t t = 0; t < state->n_free; t++)
        s->precision[t] = exp(x) * state->precision[t];
    (void)gb_parallel_for(gb_psi_n_tasks(s->prior), s->prior->n_threads, unwhiten_some, s, NULL); /* cannot fail */
    s->status = gb_team_add_rows(gb_portion_team(s->prior->portion), gb_psi_n_tasks(s->prior), 1, state->partial + 1,
                                 &sum, s->err);
    if (s->status != GB_OK)
        return (double)INFINITY;
    for (size_t i = 0; i < gb_prior_table_size(k); i++)
        sum += law->shape * x - law->rate * exp(x) * k->value[i];
    return sum;
}

/* If e were normal, tokens would say a twentieth of what psi says, or more. */
static double width_of(const spread *s)
{
    const gb_psi_state *state = s->prior->state;
    return 4 / sqrt(1 + (double)state->n_docs_of_all * (double)state->n_free / 20);
}

static void multiply_precisions(gb_prior *prior, double factor)
{
    const gb_psi_state *state = prior->state;
    const gb_prior_table *k = &prior->values.table[GB_PSI_SPREAD];
    for (size_t i = 0; i < gb_prior_table_size(k); i++) {
        k->value[i] *= factor;
        if (state->means != NULL)
            state->means->observation[i] = k->value[i];
    }
}

gb_status gb_psi_redraw_spread(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    const gb_psi_state *state = prior->state;
    spread s = {.prior = prior, .sweep = sweep, .law = state->law, .status = GB_OK, .err = err};
    gb_random random = gb_random_open(sweep->key, sweep->sweep, GB_DRAW_PSI_SPREAD, 0);
    GB_TRY(gb_alloc(&s.precision, state->n_free, sizeof *s.precision, "precisions", err));
    GB_TRY(gb_parallel_for(gb_psi_n_tasks(prior), prior->n_threads, whiten_some, &s, err));
    s.law.precision = s.precision;
    const double now = try_out(&s, 0);
    GB_TRY(s.status);
    if (!isfinite(now)) {
        st = gb_fail(err, GB_ENUMERIC, "sweep %u: the density of the topic weights is not finite", sweep->sweep);
        goto done;
    }
    const double x = gb_random_slice(try_out, &s, 0, now, width_of(&s), &random);
    s.keep = true;
    (void)try_out(&s, x);
    GB_TRY(s.status);
    multiply_precisions(prior, exp(x));
    st = gb_psi_set_law(prior, err);
done:
    gb_free(s.precision);
    return st;
}
