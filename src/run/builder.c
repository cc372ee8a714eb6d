/* run/builder.c - a model made from chains that their caller steps, draw by draw. */
#include "gibbous/model.h"

#include "base/memory.h"
#include "chain/trace.h"
#include "recipe/late_labels.h"
#include "run/run.h"

/* A run whose chains are elsewhere. */
struct gb_model_builder {
    gb_run *run;
    bool has_failed; /* a draw, or the model, is there in part */
};

gb_status gb_model_builder_create(const gb_plan *plan, gb_model_builder **out, gb_error *err)
{
    gb_status st;
    gb_model_builder *b = NULL;
    if (gb_settings_has(plan->settings, "checkpoint") || gb_settings_has(plan->settings, "resume"))
        return gb_fail(err, GB_EARGUMENT, "a model made draw by draw has no checkpoint: its caller saves the chains");
    GB_TRY(gb_alloc(&b, 1, sizeof *b, "a model", err));
    GB_TRY(gb_run_open(plan, NULL, NULL, &b->run, err));
    b->run->is_stepped_elsewhere = true;
    *out = b;
    b = NULL;
done:
    gb_model_builder_free(b);
    return st;
}

void gb_model_builder_free(gb_model_builder *b)
{
    if (b == NULL)
        return;
    gb_run_close(b->run);
    gb_free(b);
}

static gb_status check_builder(const gb_model_builder *b, gb_error *err)
{
    return b->has_failed
               ? gb_fail(err, GB_EARGUMENT,
                         "adding a draw or making the model has failed before: the builder can only be freed")
               : GB_OK;
}

static gb_status check_chain(const gb_run *r, const gb_chain *c, gb_error *err)
{
    if (c->plan != r->plan)
        return gb_fail(err, GB_EARGUMENT, "a draw of a chain that has another plan than the model");
    const unsigned long long number = c->number + 1, sweep = c->sweep;
    if (sweep == 0)
        return gb_fail(err, GB_EARGUMENT, "chain %llu has done no sweep: there is no draw to add", number);
    if (sweep <= r->job[c->number].n_sweeps)
        return gb_fail(err, GB_EARGUMENT, "chain %llu: sweep %llu is not after the last draw, of sweep %llu", number,
                       sweep, (unsigned long long)r->job[c->number].n_sweeps);
    return GB_OK;
}

/* Counts of proposals are the chain's own, from its first sweep. */
gb_status gb_model_builder_add(gb_model_builder *b, gb_chain *c, gb_error *err)
{
    gb_run *r = b->run;
    if (r->kept == NULL)
        return gb_fail(err, GB_EARGUMENT, "the model is finished: no draw can be added");
    gb_status st = check_builder(b, err);
    if (st == GB_OK)
        st = check_chain(r, c, err);
    if (st != GB_OK)
        return st;
    gb_job *j = &r->job[c->number];
    j->chain = c;
    st = gb_run_keep(r, c->number, err);
    if (st == GB_OK) {
        const gb_chain_facts *chain = gb_chain_facts_of(c);
        j->n_sweeps = chain->n_sweeps;
        j->burn_in = chain->burn_in;
        j->burn_in_is_found = chain->burn_in_is_found;
        for (size_t p = 0; p < GB_MH_N_PROPOSALS; p++)
            j->proposed[p] = j->accepted[p] = 0;
        gb_run_rates(r, c->number, j->proposed, j->accepted);
        j->late = gb_chain_n_before_late(c);
        st = gb_run_copy_trace(j, c->n_trace, gb_trace_width(c->spec), c->trace, err);
        if (st == GB_OK)
            st = gb_run_copy_late_scores(j, c, err);
    }
    j->chain = NULL; /* the caller's */
    b->has_failed = st != GB_OK;
    return st;
}

gb_status gb_model_builder_finish(gb_model_builder *b, gb_model **out, gb_error *err)
{
    gb_model *m = NULL;
    if (b->run->kept == NULL)
        return gb_fail(err, GB_EARGUMENT, "the model is finished already");
    gb_status st = check_builder(b, err);
    if (st == GB_OK)
        st = gb_run_take_model(b->run, &m, NULL, err);
    b->has_failed = st != GB_OK;
    if (st == GB_OK && m == NULL)
        return gb_fail(err, GB_EARGUMENT,
                       b->run->plan->spec.one_vs_rest ? "a class has no draw: each needs one from a chain of its own"
                                                      : "no draw was added: there is no model");
    if (m != NULL)
        *out = m;
    return st;
}
