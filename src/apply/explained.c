/* apply/explained.c - which scores are explained, and topics that count as one. */
#include "apply/explain.h"
#include "base/memory.h"
#include "corpus/data/name.h"
#include "gibbous/topic_unions.h"
#include "options/settings.h"

#include <string.h>

static const char what[] = "an explanation";

/* ---- which scores ---------------------------------------------------------------------------------- */

static uint64_t predicted_output(const gb_model *m, const gb_prediction *p, uint64_t r, uint64_t d)
{
    const uint64_t first = gb_model_first_output(m, r), n = gb_model_n_outputs_of(m, r);
    const double *score = p->score + d * p->n_outputs + first;
    uint64_t best = 0;
    if (n == 1)
        return first;
    if (p->response[r].predicted[d] != UINT64_MAX)
        return first + p->response[r].predicted[d];
    for (uint64_t l = 1; l < n; l++)
        best = score[l] > score[best] ? l : best;
    return first + best;
}

static uint64_t response_of(const gb_model *m, uint64_t output)
{
    uint64_t r = 0;
    while (output >= gb_model_first_output(m, r) + gb_model_n_outputs_of(m, r))
        r++;
    return r;
}

/* Mark the scores that a name means: of classes, in a binary response both have the same; or of a field.  @return false: there is none */
static bool mark_scores(const gb_model *m, const char *name, bool *is_wanted)
{
    bool is_found = false;
    for (uint64_t r = 0; r < gb_model_n_responses(m); r++) {
        const uint64_t first = gb_model_first_output(m, r), n_outputs = gb_model_n_outputs_of(m, r);
        const bool is_field = n_outputs == 1 && strcmp(gb_model_output(m, first), name) == 0;
        for (uint64_t c = 0; c < gb_model_n_classes(m, r); c++)
            if (gb_name_is(gb_view_of(gb_model_class(m, r, c)), gb_view_of(name)))
                is_found = is_wanted[first + (n_outputs == 1 ? 0 : c)] = true;
        if (is_field)
            is_found = is_wanted[first] = true;
    }
    for (uint64_t l = 0; !is_found && strcmp(name, "all") == 0 && l < m->n_outputs; l++)
        is_wanted[l] = true;
    return is_found || strcmp(name, "all") == 0;
}

/* The scores that the option `of` names, in their order.  @param n  receives how many; 0: the option is not set */
static gb_status name_scores(const gb_model *m, const gb_settings *settings, uint64_t **out, uint64_t *n,
                             gb_error *err)
{
    gb_status st;
    bool *is_wanted = NULL;
    *n = 0;
    GB_TRY(gb_alloc(out, m->n_outputs, sizeof **out, what, err));
    GB_TRY(gb_alloc(&is_wanted, m->n_outputs, sizeof *is_wanted, what, err));
    for (uint64_t i = 0; i < gb_settings_n_values(settings, "of"); i++) {
        const char *name = gb_settings_get(settings, "of", i);
        char shown[GB_QUOTE_SIZE];
        if (mark_scores(m, name, is_wanted))
            continue;
        gb_text_quote(name, strlen(name), shown);
        st = gb_fail(err, GB_EARGUMENT, "`of` %s: not a class of the model; expected a class, or all", shown);
        goto done;
    }
    for (uint64_t l = 0; l < m->n_outputs; l++)
        if (is_wanted[l])
            (*out)[(*n)++] = l;
done:
    gb_free(is_wanted);
    return st;
}

gb_status gb_explanation_make(const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                              const gb_prediction *p, uint64_t first, gb_explanation **out, gb_error *err)
{
    gb_status st;
    uint64_t *named = NULL, n_named;
    gb_explanation *e = NULL;
    GB_TRY(name_scores(m, settings, &named, &n_named, err));
    GB_TRY(gb_explanation_create(m, docs, n_named > 0 ? n_named : gb_model_n_responses(m),
                                 (uint64_t)gb_settings_int(settings, "without"), &e, err));
    for (uint64_t i = 0; i < e->n_docs * e->n_explained; i++) {
        const uint64_t d = first + i / e->n_explained, o = i % e->n_explained;
        e->output[i] = n_named > 0 ? named[o] : predicted_output(m, p, o, d);
        const gb_response_prediction *of = &p->response[response_of(m, e->output[i])];
        if (of->predicted != NULL)
            e->predicted[i] = of->predicted[d];
    }
    *out = e;
done:
    gb_free(named);
    return st;
}

/* ---- unions ---------------------------------------------------------------------------------------- */

/* Of each row of topics: what each topic has goes to the first of its union. */
static void unite(uint64_t n_rows, uint64_t n_topics, const uint64_t *first, double *row)
{
    for (uint64_t i = 0; i < n_rows; i++, row += n_topics + 1)
        for (uint64_t k = 0; k < n_topics; k++)
            if (first[k] != k) {
                row[first[k]] += row[k];
                row[k] = 0;
            }
}

gb_status gb_explain_unite(const gb_model *m, gb_explanation *e, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t *first = NULL;
    const uint64_t n_scores = e->n_docs * e->n_explained;
    if (!gb_model_has_topic_unions(m))
        return st;
    GB_TRY(gb_alloc(&first, e->n_topics, sizeof *first, "unions of topics", err));
    for (uint64_t k = 0; k < e->n_topics; k++) {
        const uint64_t u = gb_model_topic_union(m, k);
        first[k] = u == GB_LEFT_OUT ? k : u;
    }
    unite(n_scores, e->n_topics, first, e->share);
    unite(n_scores, e->n_topics, first, e->topic);
    unite(e->word_start[e->n_docs] * e->n_explained, e->n_topics, first, e->word_topic);
done:
    gb_free(first);
    return st;
}
