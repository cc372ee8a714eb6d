/* prior/group_shares.c - expected topic shares of documents of groups, given means and their spread. */
#include "base/memory.h"
#include "base/parallel.h"
#include "prior/covariance.h"
#include "prior/mean_shares.h"
#include "prior/psi_prior.h"

#include <string.h>

enum { GROUPS_PER_TASK = 16 };

struct group_run {
    const gb_mean_shares *shares;
    const double *mean; /* n_groups x n_free */
    size_t n;
    const uint32_t *group; /* n */
    size_t n_free;
    double *room; /* n_threads x n_topics */
    double *out;
};

static gb_status find_shares(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const struct group_run *r = context;
    const size_t n_topics = r->n_free + 1;
    for (size_t i = task * GROUPS_PER_TASK; i < r->n && i < (task + 1) * GROUPS_PER_TASK; i++)
        gb_mean_shares_at(r->shares, r->mean + r->group[i] * r->n_free, r->room + worker * n_topics,
                          r->out + i * n_topics);
    return GB_OK;
}

static gb_status open_full(gb_mean_shares **out, size_t n_free, const double *sigma, gb_error *err)
{
    gb_covariance c;
    gb_status st = gb_covariance_create(&c, n_free, err);
    if (st != GB_OK)
        return st;
    memcpy(c.sigma, sigma, n_free * n_free * sizeof *sigma);
    GB_TRY(gb_covariance_set(&c, err));
    GB_TRY(gb_mean_shares_create_full(out, n_free, c.root, err));
done:
    gb_covariance_clear(&c);
    return st;
}

gb_status gb_psi_group_shares(const gb_prior_setup *setup, const gb_prior_values *values, size_t n,
                              const uint32_t *group, size_t n_threads, double *share, gb_error *err)
{
    gb_status st;
    const gb_psi_setup *own = setup->own;
    gb_mean_shares *shares = NULL;
    struct group_run r = {.n = n, .group = group, .n_free = gb_psi_n_free(setup), .out = share};
    if (own->is_full)
        GB_TRY(open_full(&shares, r.n_free, gb_prior_values_of(values, "covariance"), err));
    else
        GB_TRY(gb_mean_shares_create(&shares, r.n_free, own->means.per_topic ? r.n_free : 1,
                                     gb_prior_values_of(values, "observation_precision"), err));
    r.shares = shares;
    r.mean = gb_prior_values_of(values, "group_mean");
    GB_TRY(gb_alloc(&r.room, n_threads, setup->n_topics * sizeof *r.room, "expected topic shares", err));
    GB_TRY(gb_parallel_for((n + GROUPS_PER_TASK - 1) / GROUPS_PER_TASK, n_threads, find_shares, &r, err));
done:
    gb_mean_shares_free(shares);
    gb_free(r.room);
    return st;
}
