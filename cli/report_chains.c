/* cli/report_chains.c - what a report says of chains. */
#include "json.h"
#include "report_data.h"
#include "report_json.h"
#include "verdict.h"

enum { MAX_TRACE_VALUES = 500 };

/* ---- chains ---------------------------------------------------------------------------------------- */

static const char *trend_name(gb_trend trend)
{
    static const char *const name[] = {[GB_TREND_UNCLEAR] = "unclear",
                                       [GB_TREND_LEVEL] = "level",
                                       [GB_TREND_RISING] = "rising",
                                       [GB_TREND_FALLING] = "falling"};
    return name[trend];
}

static json_t *traces_json(const gb_diagnosis *d)
{
    json_t *list = json_array();
    const gb_trace *t;
    for (uint64_t i = 0; (t = gb_diagnosis_trace(d, i)) != NULL; i++) {
        const uint64_t step = (t->n + MAX_TRACE_VALUES - 1) / MAX_TRACE_VALUES;
        if (t->n == 0)
            continue;
        const uint64_t n = t->n / step, skipped = t->n - n * step;
        const uint64_t first = (skipped + step) * t->stride, stride = step * t->stride;
        (void)json_array_append_new(
            list, json_pack("{s:s, s:I, s:I, s:I, s:s, s:I, s:o}", "name", t->name, "chain", (json_int_t)t->chain,
                            "first", (json_int_t)first, "stride", (json_int_t)stride, "trend",
                            trend_name(t->levelled.trend), "kept", (json_int_t)t->first_kept, "values",
                            cli_report_reals(n, t->value + skipped + step - 1, step, CLI_LONG)));
    }
    return list;
}

static json_t *mixing_json(const gb_mixing *m)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o}", "chains", (json_int_t)m->n_chains, "draws", (json_int_t)m->n_draws,
                     "r_hat", cli_report_real(m->r_hat, CLI_SHORT), "bulk", cli_report_real(m->ess_bulk, CLI_SHORT),
                     "tail", cli_report_real(m->ess_tail, CLI_SHORT));
}

static json_t *quantities_json(const gb_diagnosis *d)
{
    json_t *list = json_array();
    const gb_quantity *q;
    for (uint64_t i = 0; (q = gb_diagnosis_quantity(d, i)) != NULL; i++) {
        json_t *entry = mixing_json(&q->mixing);
        (void)json_object_set_new(entry, "name", json_string(q->name));
        (void)json_object_set_new(entry, "numbers", json_integer((json_int_t)q->n_numbers));
        (void)json_object_set_new(entry, "limit", cli_report_real(q->limit, CLI_SHORT));
        (void)json_object_set_new(entry, "agrees", json_boolean(q->agrees));
        (void)json_array_append_new(list, entry);
    }
    return list;
}

static json_t *topics_json(const gb_diagnosis *d)
{
    json_t *list = json_array();
    const gb_topic_diagnosis *t;
    for (uint64_t i = 0; (t = gb_diagnosis_topic(d, i)) != NULL; i++) {
        json_t *entry = mixing_json(&t->mixing);
        (void)json_object_set_new(entry, "output", json_integer((json_int_t)t->output));
        (void)json_object_set_new(entry, "topic", json_integer((json_int_t)t->topic));
        (void)json_object_set_new(entry, "recurs", json_integer((json_int_t)t->n_recur));
        (void)json_object_set_new(entry, "of", json_integer((json_int_t)t->n_chains));
        (void)json_object_set_new(entry, "agrees", json_boolean(t->agrees));
        (void)json_array_append_new(list, entry);
    }
    return list;
}

/* NULL without memory. */
static json_t *findings_json(const gb_diagnosis *d)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < gb_diagnosis_n_findings(d); i++) {
        char *text = cli_finding_text(d, i, "");
        if (text == NULL) {
            json_decref(list);
            return NULL;
        }
        (void)json_array_append_new(list, json_string(text));
        gb_free(text);
    }
    return list;
}

static json_t *acceptance_json(const gb_model *model)
{
    json_t *list = json_array();
    for (uint64_t p = 0; p < gb_model_n_proposals(model); p++) {
        json_t *rates = json_array();
        for (uint64_t c = 0; c < gb_model_n_acceptances(model); c++)
            (void)json_array_append_new(rates, cli_report_real(gb_model_acceptance(model, p, c), CLI_SHORT));
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:o}", "kind", gb_model_proposal(model, p), "rates", rates));
    }
    return list;
}

gb_status cli_report_chains(const gb_model *model, json_t **out, gb_error *err)
{
    gb_diagnosis *d = NULL;
    const gb_status st = gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &d, err);
    if (st != GB_OK)
        return st;
    *out = json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "chains", (json_int_t)gb_diagnosis_n_chains(d), "sweeps",
                     (json_int_t)gb_diagnosis_n_sweeps(d), "traces", traces_json(d), "quantities", quantities_json(d),
                     "topics", topics_json(d), "findings", findings_json(d), "acceptance", acceptance_json(model));
    gb_diagnosis_free(d);
    return cli_json_check(*out, err);
}
