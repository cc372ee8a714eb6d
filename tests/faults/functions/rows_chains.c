/* rows_chains.c - functions of plan.h and chain.h. */
#include "rows.h"

#include <string.h>
#include <unistd.h>

/* ---- plans ---- */

static void plan_of(const gb_corpus *corpus, gb_settings *settings)
{
    gb_plan *plan = NULL;
    TRY(gb_plan_create(corpus, settings, &plan, ERR));
    see_made(plan);
    const char *name, *value;
    for (size_t i = 0; plan != NULL && gb_plan_decision(plan, i, &name, &value); i++)
        see_text(value);
    QUIET((gb_plan_free(plan), 0));
    gb_settings_free(settings);
}

static void plan_classes(void)
{
    plan_of(ground.corpus, training_of("chains", "2", "class-weight", "balanced", "calibrate", "2", NULL));
}

static void plan_groups(void)
{
    plan_of(ground.numbers, training_of("prior", "graph", "graph", "chain", "covariance", "full", NULL));
}

static void plan_seeds(void)
{
    write_text("seeds.csv", "fruit: apple pear\nanimals: dog\n");
    plan_of(ground.corpus,
            training_of("seeds", "seeds.csv", "word-effects", "presence", "variance", "words=1", NULL));
    (void)unlink("seeds.csv");
}

static void plan_edges(void)
{
    write_text("edges.csv", "from,to\n2000,2001\n2001,2002\n");
    plan_of(ground.numbers, training_of("prior", "graph", "graph", "edges.csv", NULL));
    (void)unlink("edges.csv");
}

static void plan_covariance(void)
{
    write_text("sigma.csv", "2,0.5\n0.5,1\n");
    plan_of(ground.corpus, training_of("topics", "3", "prior", "logistic-normal", "covariance", "full",
                                       "psi-covariance", "sigma.csv", NULL));
    (void)unlink("sigma.csv");
}

static void plan_levels(void)
{
    plan_of(ground.corpus, training_of("levels", "a,b,c", "response", "ordinal", "strategy", "shared", NULL));
}

static void plan_one_vs_rest(void)
{
    plan_of(ground.corpus, training_of("strategy", "one-vs-rest", NULL));
}

static void plan_questions(void)
{
    const gb_plan *plan = ground.plan;
    uint64_t bytes = 0;
    char *text = NULL;
    const char *name = "", *value = "";
    NUMBER(gb_plan_decision(plan, 0, &name, &value));
    see_text(name);
    see_text(value);
    TEXT(gb_plan_value(plan, "topics"));
    NUMBER(gb_plan_facts_of(plan)->n_draws);
    if (TRY(gb_plan_memory(plan, &bytes, ERR)) == GB_OK)
        see_number((double)bytes);
    TRY(gb_plan_describe(plan, &text, ERR));
    see_text(text);
    gb_free(text);
}

/* ---- chains ---- */

static gb_chain *chain_of(const gb_plan *plan, uint64_t n_sweeps)
{
    gb_chain *chain = NULL;
    must(gb_chain_create(plan, 0, &chain, ERR));
    must(gb_chain_step(chain, n_sweeps, NULL, NULL, ERR));
    return chain;
}

static void see_chain(gb_chain *chain)
{
    for (uint64_t i = 0; i < gb_chain_n_arrays(chain); i++) {
        const gb_array_view *view = gb_chain_array(chain, i);
        if (view == NULL || !view->is_state || view->data == NULL || view->n_dimensions != 1)
            continue;
        see_bytes(view->data, view->shape[0] * view->stride[0]);
    }
}

static void chain_create(void)
{
    gb_chain *chain = NULL;
    TRY(gb_chain_create(ground.plan, 0, &chain, ERR));
    see_made(chain);
    QUIET((gb_chain_free(chain), 0));
}

/* Two calls: the first begins the chain. */
static void step_with(const gb_corpus *corpus, gb_settings *settings)
{
    gb_plan *plan = NULL;
    gb_chain *chain = NULL;
    must(gb_plan_create(corpus, settings, &plan, ERR));
    must(gb_chain_create(plan, 0, &chain, ERR));
    if (TRY(gb_chain_step(chain, 1, NULL, NULL, ERR)) == GB_OK &&
        TRY(gb_chain_step(chain, 3, NULL, NULL, ERR)) == GB_OK)
        see_chain(chain);
    gb_chain_free(chain);
    gb_plan_free(plan);
    gb_settings_free(settings);
}

static void step_dense(void)
{
    step_with(ground.corpus, training_of("sampler", "dense", "coefficient-prior", "horseshoe", NULL));
}

static void step_sparse(void)
{
    step_with(ground.corpus, training_of("sampler", "sparse", "response", "probit", NULL));
}

static void step_mh(void)
{
    step_with(ground.corpus, training_of("sampler", "mh", "response", "logistic", "alpha", "optimise", NULL));
}

static void step_words(void)
{
    step_with(ground.corpus, training_of("word-effects", "tfidf", "variance", "words=sample", NULL));
}

static void step_full(void)
{
    step_with(ground.numbers, training_of("prior", "graph", "graph", "chain", "covariance", "full", NULL));
}

static void step_levels(void)
{
    step_with(ground.corpus, training_of("response", "ordinal", "levels", "a,b,c", "prior", "logistic-normal",
                                         "psi-update", "polya-gamma", NULL));
}

static void chain_log_joint(void)
{
    double log_joint = 0;
    gb_chain *chain = chain_of(ground.plan, 2);
    RETRY(gb_chain_log_joint(chain, &log_joint, ERR));
    see_number(log_joint);
    must(gb_chain_step(chain, 1, NULL, NULL, ERR));
    see_chain(chain);
    gb_chain_free(chain);
}

static void chain_questions(void)
{
    gb_chain *chain = chain_of(ground.plan, 2);
    NUMBER(gb_chain_facts_of(chain)->n_sweeps);
    NUMBER(gb_chain_n_arrays(chain));
    gb_chain_free(chain);
}

static void chain_training_error(void)
{
    double share = 0;
    gb_chain *chain = chain_of(ground.plan, 2);
    MAY(share = gb_chain_training_error(chain));
    see_number(share);
    gb_chain_free(chain);
}

static void chain_arrays(void)
{
    gb_chain *chain = chain_of(ground.plan, 2);
    const gb_array_view *view = NULL;
    MAY(view = gb_chain_array(chain, 3));
    if (view == NULL)
        trial_ran_out();
    else
        see_text(view->name);
    MAY(view = gb_chain_find_array(chain, "coefficients"));
    if (view == NULL)
        trial_ran_out();
    else
        see_bytes(view->data, view->shape[0] * view->stride[0]);
    gb_chain_free(chain);
}

static void chain_save(void)
{
    gb_chain *chain = chain_of(ground.plan, 2);
    RETRY(gb_chain_save(chain, "out.chain", false, ERR));
    see_file("out.chain");
    gb_chain_free(chain);
}

static void chain_load(void)
{
    gb_chain *chain = chain_of(ground.plan, 2), *loaded = NULL;
    must(gb_chain_save(chain, "out.chain", true, ERR));
    gb_chain_free(chain);
    TRY(gb_chain_load(ground.plan, "out.chain", &loaded, ERR));
    see_made(loaded);
    if (loaded != NULL) {
        must(gb_chain_step(loaded, 1, NULL, NULL, ERR));
        see_chain(loaded);
    }
    gb_chain_free(loaded);
    (void)unlink("out.chain");
}

/* ---- progress ---- */

static bool ask(const gb_progress *progress, void *user)
{
    (void)user;
    double number = 0;
    if (progress->is_partial)
        return true;
    MAY(number = gb_progress_log_joint(progress));
    if (number != number) /* for want of memory: the contract */
        trial_ran_out();
    see_number(number);
    MAY(number = gb_progress_training_error(progress));
    see_number(number);
    NUMBER(gb_progress_request_checkpoint(progress));
    return true;
}

static void progress(void)
{
    gb_chain *chain = NULL;
    must(gb_chain_create(ground.plan, 0, &chain, ERR));
    must(gb_chain_step(chain, 1, ask, NULL, ERR));
    gb_chain_free(chain);
}

const fault_row rows_of_chains[] = {{"plan_classes", plan_classes, NULL},
                                    {"plan_groups", plan_groups, NULL},
                                    {"plan_seeds", plan_seeds, NULL},
                                    {"plan_edges", plan_edges, NULL},
                                    {"plan_covariance", plan_covariance, NULL},
                                    {"plan_levels", plan_levels, NULL},
                                    {"plan_one_vs_rest", plan_one_vs_rest, NULL},
                                    {"plan_questions", plan_questions, NULL},
                                    {"chain_create", chain_create, NULL},
                                    {"step_dense", step_dense, NULL},
                                    {"step_sparse", step_sparse, NULL},
                                    {"step_mh", step_mh, NULL},
                                    {"step_words", step_words, NULL},
                                    {"step_full", step_full, NULL},
                                    {"step_levels", step_levels, NULL},
                                    {"chain_log_joint", chain_log_joint, NULL},
                                    {"chain_questions", chain_questions, NULL},
                                    {"chain_training_error", chain_training_error, NULL},
                                    {"chain_arrays", chain_arrays, NULL},
                                    {"chain_save", chain_save, NULL},
                                    {"chain_load", chain_load, NULL},
                                    {"progress", progress, NULL},
                                    {NULL, NULL, NULL}};
