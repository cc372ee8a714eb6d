/* engine/train.c - run the chains and keep their draws. */
#include "base/memory.h"
#include "engine/chain.h"
#include "engine/draws.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct run {
    const gb_corpus *corpus;
    gb_spec spec;
    gb_model *model;
    gb_output *draws;
    gb_draws_include include;
    gb_on_sweep *on_sweep;
    void *user;
    double begin;
};

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Kept sweeps are thin, 2 thin, ... sweeps after burn-in. */
static bool is_kept(const gb_spec *spec, uint64_t sweep)
{
    return sweep > spec->burn_in && (sweep - spec->burn_in) % spec->thin == 0;
}

static gb_status keep_draw(struct run *run, const gb_chain *c, double log_joint, gb_error *err)
{
    gb_status st;
    const gb_topics *t = &c->topics;
    uint64_t n_entries = 0;
    for (uint64_t w = 0; w < t->n_words; w++)
        for (size_t k = 0; k < t->n_topics; k++)
            n_entries += t->n_kw[w * t->stride + k] > 0;
    gb_draw *draw;
    GB_TRY(gb_model_add_draw(run->model, n_entries, &draw, err));
    draw->chain = c->number;
    draw->sweep = c->sweep;
    draw->log_joint = log_joint;
    uint64_t at = 0;
    for (uint64_t w = 0; w < t->n_words; w++) {
        for (size_t k = 0; k < t->n_topics; k++) {
            const int32_t n = t->n_kw[w * t->stride + k];
            if (n > 0) {
                draw->topic[at] = (uint16_t)k;
                draw->count[at++] = (uint32_t)n;
            }
        }
        draw->word_start[w + 1] = at;
    }
    memcpy(draw->alpha, c->prior.alpha, t->n_topics * sizeof *draw->alpha);
    if (c->spec->n_outputs > 0)
        memcpy(draw->eta, c->eta, c->spec->n_outputs * gb_spec_n_features(c->spec) * sizeof *draw->eta);
    for (size_t r = 0; r < c->spec->n_responses; r++)
        draw->nuisance[r] = c->response[r].nuisance;
    gb_draw_count_topics(draw, t->n_words, t->n_topics);
    if (run->draws != NULL)
        GB_TRY(gb_draws_write(gb_output_stream(run->draws), c, log_joint, run->include, err));
done:
    return st;
}

static gb_status run_chain(struct run *run, uint64_t number, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = &run->spec;
    gb_chain *c = NULL;
    GB_TRY(gb_chain_create(&c, run->corpus, spec, number, err));
    for (uint64_t sweep = 1; sweep <= spec->n_sweeps; sweep++) {
        const double before = now();
        GB_TRY(gb_chain_sweep(c, err));
        const double seconds = now() - before;
        double log_joint = NAN;
        if (run->on_sweep != NULL || is_kept(spec, sweep))
            GB_TRY(gb_chain_log_joint(c, &log_joint, err));
        if (is_kept(spec, sweep))
            GB_TRY(keep_draw(run, c, log_joint, err));
        if (run->on_sweep == NULL)
            continue;
        const gb_progress progress = {.chain = number,
                                      .n_chains = spec->n_chains,
                                      .sweep = sweep,
                                      .n_sweeps = spec->n_sweeps,
                                      .in_burn_in = sweep <= spec->burn_in,
                                      .seconds = now() - run->begin,
                                      .tokens_per_second = (double)run->corpus->n_tokens / fmax(seconds, 1e-9),
                                      .log_joint = log_joint,
                                      .training_error = gb_chain_training_error(c)};
        if (!run->on_sweep(&progress, run->user)) {
            st = gb_fail(err, GB_ESTOP, "stopped after sweep %llu of chain %llu", (unsigned long long)sweep,
                         (unsigned long long)number + 1);
            goto done;
        }
    }
done:
    gb_chain_free(c);
    return st;
}

gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                   gb_model **out, gb_error *err)
{
    gb_status st;
    struct run run = {.corpus = corpus, .on_sweep = on_sweep, .user = user, .begin = now()};
    GB_TRY(gb_draws_include_parse(settings->draws_include, &run.include, err));
    GB_TRY(gb_spec_resolve(corpus, settings, &run.spec, err));
    if (*settings->draws != '\0')
        GB_TRY(gb_output_open(&run.draws, settings->draws, settings->force, err));
    GB_TRY(gb_model_create(&run.model, corpus, &run.spec, settings, err));
    for (uint64_t number = 0; number < run.spec.n_chains; number++)
        GB_TRY(run_chain(&run, number, err));
    if (run.draws != NULL) {
        gb_output *draws = run.draws;
        run.draws = NULL;
        GB_TRY(gb_output_commit(draws, err));
    }
    *out = run.model;
    run.model = NULL;
done:
    gb_output_discard(run.draws);
    gb_model_free(run.model);
    gb_spec_clear(&run.spec);
    return st;
}

/* ---- one line for the user ---- */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void describe_part(FILE *f, const gb_part *part, bool several)
{
    if (several)
        fprintf(f, "%s: ", part->field);
    if (part->task == GB_TASK_REGRESSION)
        fprintf(f, "%s, %s", part->response.ops->target == GB_TARGET_COUNT ? "counts" : "numbers",
                part->response.ops->name);
    else
        fprintf(f, "%zu classes (%s), %s", part->n_classes, gb_task_name(part->task), part->response.ops->name);
    if (part->response.ops->no_cost == NULL)
        fprintf(f, " with cost %g", part->response.cost);
}

static void describe_responses(FILE *f, const gb_spec *spec)
{
    if (spec->n_responses == 0)
        fputs("no response", f);
    for (size_t r = 0; r < spec->n_responses; r++) {
        fputs(r == 0 ? "" : ", ", f);
        describe_part(f, &spec->response[r].part, spec->n_responses > 1);
    }
    if (spec->n_columns > 0)
        fprintf(f, "; %zu column%s of covariates", spec->n_columns, plural(spec->n_columns));
    if (spec->two_stage)
        fputs("; topics first, without labels", f);
}

gb_status gb_train_describe(const gb_corpus *corpus, const gb_settings *settings, char **out, gb_error *err)
{
    gb_spec spec;
    gb_status st = gb_spec_resolve(corpus, settings, &spec, err);
    if (st != GB_OK)
        return st;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL) {
        gb_spec_clear(&spec);
        return gb_fail_memory(err, 0, "a description");
    }
    fprintf(f, "%llu document%s, %llu word%s, %llu token%s; ", (unsigned long long)corpus->n_docs,
            plural(corpus->n_docs), (unsigned long long)corpus->n_words, plural(corpus->n_words),
            (unsigned long long)corpus->n_tokens, plural(corpus->n_tokens));
    describe_responses(f, &spec);
    fprintf(f, "; %zu topics, %s prior, %s tokens, ", spec.n_topics, spec.prior->name, spec.sampler->name);
    if (spec.treatment == GB_TREAT_SAMPLED)
        fputs("sampled topics", f);
    else
        fprintf(f, "%zu block%s", spec.n_blocks, plural(spec.n_blocks));
    fprintf(f, "; %llu sweep%s, %llu of them burn-in, %zu thread%s, seed %llu", (unsigned long long)spec.n_sweeps,
            plural(spec.n_sweeps), (unsigned long long)spec.burn_in, spec.n_threads, plural(spec.n_threads),
            (unsigned long long)spec.seed);
    gb_spec_clear(&spec);
    if (fclose(f) != 0) {
        free(text);
        return gb_fail_memory(err, size, "a description");
    }
    *out = text;
    return GB_OK;
}
