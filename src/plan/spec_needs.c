/* plan/spec_needs.c - whether the options go with what was decided. */
#include "plan/spec.h"

#include "base/memory.h"
#include "options/needs.h"

static void add(gb_fact *fact, size_t *n, const char *name, const char *value)
{
    fact[(*n)++] = (gb_fact){.name = name, .value = value};
}

/* Task and response of each field, as far as they are known. */
static void add_responses(const gb_spec *spec, gb_fact *fact, size_t *n)
{
    for (size_t r = 0; r < spec->n_responses; r++)
        add(fact, n, "response", spec->response[r].target.response.ops->name);
    for (size_t r = 0; r < spec->n_responses; r++)
        if (spec->response[r].target.task != GB_TASK_NONE)
            add(fact, n, "task", gb_task_name(spec->response[r].target.task));
    if (spec->n_responses == 0) {
        add(fact, n, "response", "none");
        add(fact, n, "task", "none");
    }
}

gb_status gb_spec_check_needs(const gb_spec *spec, const gb_corpus *corpus, const gb_settings *s, gb_error *err)
{
    enum { OTHERS = 3, OF_NO_RESPONSE = 2 };
    size_t n = 0;
    gb_fact *fact = NULL;
    gb_status st = gb_alloc(&fact, 2 * spec->n_responses + OF_NO_RESPONSE + OTHERS, sizeof *fact, "the plan", err);
    if (st != GB_OK)
        return st;
    add_responses(spec, fact, &n);
    add(fact, &n, "embeddings", corpus->embedding.width > 0 ? "yes" : "none");
    if (spec->sampler != NULL)
        add(fact, &n, "sampler", spec->sampler->name);
    if (spec->coefficient_sampler != NULL)
        add(fact, &n, "coefficient-sampler", spec->coefficient_sampler->name);
    st = gb_settings_check_all(s, n, fact, err);
    gb_free(fact);
    return st;
}
