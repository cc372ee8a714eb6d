/* plan/spec_needs.c - whether the options go with what was decided. */
#include "plan/spec.h"

#include "base/memory.h"
#include "options/needs.h"

static void add(gb_fact *fact, size_t *n, const char *name, const char *value, const char *field)
{
    fact[(*n)++] = (gb_fact){.name = name, .value = value, .field = field};
}

/* Task and response of each field, as far as they are known. */
static void add_responses(const gb_spec *spec, gb_fact *fact, size_t *n)
{
    bool needs_curve = false;
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_target *target = &spec->response[r].target;
        add(fact, n, "response", target->response.ops->name, target->field);
        needs_curve |= gb_target_needs_curve(target);
    }
    for (size_t r = 0; r < spec->n_responses; r++)
        if (spec->response[r].target.task != GB_TASK_NONE)
            add(fact, n, "task", gb_task_name(spec->response[r].target.task), spec->response[r].target.field);
    if (spec->n_responses == 0) {
        add(fact, n, "response", "none", NULL);
        add(fact, n, "task", "none", NULL);
    }
    add(fact, n, "classes-without-probabilities", needs_curve ? "yes" : "no", NULL);
    add(fact, n, "a-field-to-predict", spec->n_responses > 0 ? "yes" : "no", NULL);
}

static bool has_labels(const gb_corpus *corpus, gb_role role)
{
    bool has_any = false;
    for (size_t i = 0; i < corpus->n_labels; i++)
        has_any |= corpus->labels[i].role == role;
    return has_any;
}

static bool has_lists(const gb_corpus *corpus)
{
    bool has_any = false;
    for (size_t i = 0; i < corpus->n_labels; i++)
        has_any |= corpus->labels[i].several;
    return has_any;
}

static bool has_covariates(const gb_corpus *corpus)
{
    bool has_any = has_labels(corpus, GB_ROLE_COVARIATE);
    for (size_t i = 0; i < corpus->n_numbers; i++)
        has_any |= corpus->numbers[i].role == GB_ROLE_COVARIATE;
    return has_any;
}

gb_status gb_spec_check_needs(const gb_spec *spec, const gb_corpus *corpus, const gb_settings *s, gb_error *err)
{
    enum { OTHERS = 10, OF_NO_RESPONSE = 2 };
    size_t n = 0;
    gb_fact *fact = NULL;
    gb_status st = gb_alloc(&fact, 2 * spec->n_responses + OF_NO_RESPONSE + OTHERS, sizeof *fact, "the plan", err);
    if (st != GB_OK)
        return st;
    add_responses(spec, fact, &n);
    add(fact, &n, "embeddings", corpus->embedding.width > 0 ? "yes" : "none", NULL);
    add(fact, &n, "a-field-with-classes", has_labels(corpus, GB_ROLE_RESPONSE) ? "yes" : "no", NULL);
    add(fact, &n, "covariates", has_covariates(corpus) ? "yes" : "no", NULL);
    add(fact, &n, "a-field-of-lists", has_lists(corpus) ? "yes" : "no", NULL);
    add(fact, &n, "a-sampled-beta", spec->beta.is_sampled ? "yes" : "no", NULL);
    if (spec->sampler != NULL)
        add(fact, &n, "sampler", spec->sampler->name, NULL);
    if (spec->coefficient_sampler != NULL)
        add(fact, &n, "coefficient-sampler", spec->coefficient_sampler->name, NULL);
    st = gb_settings_check_all(s, "train", n, fact, err);
    gb_free(fact);
    return st;
}
