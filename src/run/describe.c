/* run/describe.c - a plan in one line. */
#include "base/memory.h"
#include "gibbous/train.h"
#include "plan/plan.h"
#include "recipe/cost_trials.h"
#include "recipe/late_labels.h"
#include "run/memory.h"
#include "team/team.h"

#include <stdio.h>
#include <stdlib.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void describe_part(FILE *f, const gb_target *target, bool several)
{
    if (several)
        fprintf(f, "%s: ", target->field);
    if (target->task == GB_TASK_REGRESSION)
        fprintf(f, "%s, %s", target->response.ops->target == GB_TARGET_COUNT ? "counts" : "numbers",
                target->response.ops->name);
    else
        fprintf(f, "%zu %s (%s), %s", target->n_classes,
                target->n_classes == 1 ? "class" : gb_target_kind_name(target->response.ops->target),
                gb_task_name(target->task), target->response.ops->name);
    if (!target->response.ops->takes_no_cost)
        fprintf(f, " with cost %g", target->response.cost);
}

static void describe_responses(FILE *f, const gb_spec *spec)
{
    if (spec->n_responses == 0)
        fputs("no response", f);
    for (size_t r = 0; r < spec->n_responses; r++) {
        fputs(r == 0 ? "" : ", ", f);
        describe_part(f, &spec->response[r].target, spec->n_responses > 1);
    }
    if (spec->x.n_columns > 0)
        fprintf(f, "; %zu column%s of covariates", spec->x.n_columns, plural(spec->x.n_columns));
    if (spec->embedding.n_columns > 0)
        fprintf(f, "; embeddings of %zu number%s", spec->embedding.n_columns, plural(spec->embedding.n_columns));
    if (spec->words.n_columns > 0)
        fprintf(f, "; %zu word%s beside the topics", spec->words.n_columns, plural(spec->words.n_columns));
    if (spec->words_after > 0)
        fprintf(f, " after %llu sweeps", (unsigned long long)spec->words_after);
    if (spec->weight_field != GB_NO_FIELD && spec->n_responses > 0)
        fputs("; documents weighted", f);
    if (spec->two_stage)
        fputs("; topics first, without labels", f);
}

/* What was dropped. */
static gb_status describe_constant(FILE *f, const gb_spec *spec, gb_error *err)
{
    char *names = NULL;
    const gb_status st = gb_coding_list_constant(spec->coding, &names, err);
    if (st == GB_OK && *names != '\0')
        fprintf(f, "; without %s, the same in all documents", names);
    gb_free(names);
    return st;
}

static void describe_calibration(FILE *f, const gb_spec *spec)
{
    bool curves = false, spreads = false;
    if (spec->n_late == 0 || gb_late_sweeps_of(spec).n_settling >= spec->burn_in)
        return;
    for (size_t r = 0; r < spec->n_responses; r++) {
        curves |=
            gb_target_needs_curve(&spec->response[r].target) || gb_target_needs_level_law(&spec->response[r].target);
        spreads |=
            gb_target_needs_spread(&spec->response[r].target) || gb_target_needs_law(&spec->response[r].target);
    }
    fprintf(f, "; labels of %llu document%s held out in burn-in, for %s%s%s", (unsigned long long)spec->n_late,
            plural(spec->n_late), curves ? "probabilities" : "", curves && spreads ? " and " : "",
            spreads ? "intervals" : "");
}

static void describe_corpus(FILE *f, const gb_corpus *corpus)
{
    fprintf(f, "%llu document%s, %llu word%s, %llu token%s; ", (unsigned long long)corpus->n_docs,
            plural(corpus->n_docs), (unsigned long long)corpus->n_words, plural(corpus->n_words),
            (unsigned long long)corpus->n_tokens, plural(corpus->n_tokens));
}

static void describe_seeds(FILE *f, const gb_seeds *seeds)
{
    if (seeds->n_topics == 0)
        return;
    fprintf(f, ", %zu of them named, with %zu seed word%s", seeds->n_topics, seeds->n, plural(seeds->n));
    for (size_t i = 0; i < seeds->n_unknown && i < GB_UNKNOWN_SEEDS; i++)
        fprintf(f, "%s%s", i == 0 ? " (not in the vocabulary: " : ", ", seeds->unknown[i]);
    if (seeds->n_unknown > GB_UNKNOWN_SEEDS)
        fprintf(f, " and %zu more", seeds->n_unknown - GB_UNKNOWN_SEEDS);
    fputs(seeds->n_unknown > 0 ? ")" : "", f);
}

static void describe_sampler(FILE *f, const gb_spec *spec)
{
    fprintf(f, "; %zu topics", spec->n_topics);
    describe_seeds(f, &spec->seeds);
    fprintf(f, ", %s prior, %s tokens, ", spec->prior.ops->name, spec->sampler->name);
    if (spec->treatment == GB_TREAT_SAMPLED)
        fputs("sampled topics", f);
    else
        fprintf(f, "%zu block%s", spec->n_blocks, plural(spec->n_blocks));
}

static void describe_sweeps(FILE *f, const gb_spec *spec)
{
    const unsigned long long n = spec->n_sweeps, burn_in = spec->burn_in;
    if (spec->n_chains > 1)
        fprintf(f, "; %llu chains", (unsigned long long)spec->n_chains);
    if (spec->finds_burn_in)
        fprintf(f, "; burn-in until little is gained, at most %llu sweeps, then %llu more", burn_in, n - burn_in);
    else
        fprintf(f, "; %llu sweep%s, %llu of them burn-in", n, plural(n), burn_in);
}

static gb_status describe(const gb_plan *plan, bool has_trials, char **out, gb_error *err)
{
    const gb_spec *spec = &plan->spec;
    uint64_t n_bytes;
    char *text = NULL, memory[GB_SIZE_TEXT];
    size_t size = 0;
    gb_status st = gb_plan_memory(plan, &n_bytes, err);
    if (st != GB_OK)
        return st;
    gb_size_to_text(n_bytes, memory);
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return gb_fail_memory(err, 0, "a description");
    describe_corpus(f, plan->corpus);
    describe_responses(f, spec);
    st = describe_constant(f, spec, err);
    if (has_trials)
        fputs("; trials may choose another cost", f);
    describe_sampler(f, spec);
    describe_sweeps(f, spec);
    describe_calibration(f, spec);
    if (spec->team != NULL)
        fprintf(f, ", %zu ranks", gb_team_size(spec->team));
    fprintf(f, ", %zu thread%s, about %s of memory%s, seed %llu", spec->n_threads, plural(spec->n_threads), memory,
            spec->team == NULL ? "" : " per rank", (unsigned long long)spec->seed);
    if (fclose(f) != 0 || text == NULL) {
        free(text);
        return gb_fail_memory(err, size, "a description");
    }
    if (st == GB_OK)
        *out = text;
    else
        free(text);
    return st;
}

gb_status gb_plan_describe(const gb_plan *plan, char **out, gb_error *err)
{
    return describe(plan, false, out, err);
}

gb_status gb_train_describe(const gb_corpus *corpus, const gb_settings *settings, char **out, gb_error *err)
{
    gb_plan *plan = NULL;
    gb_status st = gb_plan_create(corpus, settings, &plan, err);
    if (st == GB_OK)
        st = describe(plan, gb_has_cost_trials(corpus, &plan->spec, settings), out, err);
    gb_plan_free(plan);
    return st;
}
