/* cli/cmd_diagnose.c - whether the chains of a model, or of a run that goes on, have run long enough. */
#include "common.h"
#include "json.h"
#include "sparkline.h"
#include "table.h"
#include "terminal.h"
#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is shown. */
typedef struct report {
    const cli_call *call;
    const gb_model *model; /* NULL: a checkpoint */
    const gb_diagnosis *diagnosis;
    const char *checkpoint; /* of a run that it can make longer, or "" */
} report;

/* ---- text ------------------------------------------------------------------------------------------ */

/* A number in a column of that width; "-" for one that is not known. */
static void print_number(int width, int digits, double value)
{
    if (isnan(value))
        (void)fprintf(cli_out(), " %*s", width, "-");
    else
        (void)fprintf(cli_out(), " %*.*f", width, digits, value);
}

static void print_short(int width, double value)
{
    if (isnan(value))
        (void)fprintf(cli_out(), " %*s", width, "-");
    else
        (void)fprintf(cli_out(), " %*.5g", width, value);
}

static void print_mixing(const gb_mixing *m, bool with_mean)
{
    print_short(11, with_mean ? m->mean : NAN);
    print_short(10, with_mean ? m->sd : NAN);
    print_number(6, 2, m->r_hat);
    print_number(8, 0, m->ess_bulk);
    print_number(8, 0, m->ess_tail);
    print_short(10, with_mean ? m->mcse : NAN);
}

enum { NAME_WIDTH = 32 };

static void print_name(const char *name)
{
    const size_t width = cli_width(name);
    (void)fprintf(cli_out(), "%s%*s", name, width < NAME_WIDTH ? (int)(NAME_WIDTH - width) : 0, "");
}

static void print_quantities(const gb_diagnosis *d)
{
    const gb_quantity *q;
    (void)fprintf(cli_out(), "%-*s %11s %10s %6s %8s %8s %10s\n", NAME_WIDTH, "", "mean", "sd", "R-hat", "ESS bulk",
                  "ESS tail", "MCSE");
    for (uint64_t i = 0; (q = gb_diagnosis_quantity(d, i)) != NULL; i++) {
        print_name(q->name);
        print_mixing(&q->mixing, q->n_numbers == 1);
        (void)fprintf(cli_out(), "%s\n", q->agrees ? "" : "  *");
        if (q->n_numbers == 1)
            continue;
        (void)fprintf(cli_out(), "%-*s %11s %10s", NAME_WIDTH, "  (above the worst; median:)", "", "");
        print_number(6, 2, q->median_r_hat);
        print_number(8, 0, q->median_ess);
        (void)fprintf(cli_out(), "\n");
    }
}

static const char *trend_name(gb_trend trend)
{
    static const char *const name[] = {[GB_TREND_UNCLEAR] = "unclear",
                                       [GB_TREND_LEVEL] = "level",
                                       [GB_TREND_RISING] = "rising",
                                       [GB_TREND_FALLING] = "falling"};
    return name[trend];
}

static void print_traces(const report *r)
{
    const gb_trace *t;
    char line[CLI_SPARKLINE_SIZE];
    const bool is_utf8 = cli_is_utf8();
    const char *last = NULL;
    for (uint64_t i = 0; (t = gb_diagnosis_trace(r->diagnosis, i)) != NULL; i++) {
        if (t->name != last)
            (void)fprintf(cli_out(), "\n%s, from the first sweep on\n", t->name);
        last = t->name;
        cli_sparkline(t->n, t->value, is_utf8, line);
        (void)fprintf(cli_out(), "  chain %-3" PRIu64 " %s  %s", t->chain + 1, line, trend_name(t->levelled.trend));
        if (t->levelled.trend == GB_TREND_LEVEL)
            (void)fprintf(cli_out(), " from sweep %" PRIu64, (t->levelled.since + 1) * t->stride);
        (void)fprintf(cli_out(), "\n");
    }
}

/* Sentences about how many topics recur; the topics themselves. */
static void print_topics(const report *r)
{
    const gb_topic_diagnosis *t;
    uint64_t in_all = 0, in_one = 0;
    if (gb_diagnosis_n_topics(r->diagnosis) == 0 || gb_diagnosis_n_chains(r->diagnosis) < 2)
        return;
    for (uint64_t i = 0; (t = gb_diagnosis_topic(r->diagnosis, i)) != NULL; i++) {
        in_all += t->n_recur == t->n_chains;
        in_one += t->n_recur == 1;
    }
    (void)fprintf(cli_out(),
                  "\ntopics of the first chain: %" PRIu64 " of %" PRIu64 " recur in all chains, %" PRIu64
                  " in no other\n",
                  in_all, gb_diagnosis_n_topics(r->diagnosis), in_one);
    for (uint64_t i = 0; (t = gb_diagnosis_topic(r->diagnosis, i)) != NULL; i++) {
        char name[80];
        (void)snprintf(name, sizeof name, "  %" PRIu64 "%s%.40s: in %" PRIu64 " of %" PRIu64, t->topic + 1,
                       gb_model_is_one_vs_rest(r->model) ? " of " : "",
                       gb_model_is_one_vs_rest(r->model) ? gb_model_output(r->model, t->output) : "", t->n_recur,
                       t->n_chains);
        print_name(name);
        if (gb_model_n_outputs(r->model) > 0)
            print_mixing(&t->mixing, gb_model_n_outputs(r->model) == 1);
        (void)fprintf(cli_out(), "%s\n", t->agrees ? "" : "  *");
    }
}

static void print_acceptance(const report *r)
{
    for (uint64_t p = 0; r->model != NULL && p < gb_model_n_proposals(r->model); p++) {
        (void)fprintf(cli_out(), "%saccepted of the topics proposed, %s:", p == 0 ? "\n" : "",
                      gb_model_proposal(r->model, p));
        for (uint64_t c = 0; c < gb_model_n_acceptances(r->model); c++)
            (void)fprintf(cli_out(), " %.3f", gb_model_acceptance(r->model, p, c));
        (void)fprintf(cli_out(), "\n");
    }
}

static gb_status print_findings(const report *r, gb_error *err)
{
    const gb_finding *f;
    bool is_found[GB_FINDING_APART + 1] = {false};
    static const gb_finding_kind advised[] = {GB_FINDING_DISAGREE, GB_FINDING_APART};
    (void)fprintf(cli_out(), "\n%s\n", gb_diagnosis_n_findings(r->diagnosis) == 0 ? "findings: none" : "findings");
    for (uint64_t i = 0; (f = gb_diagnosis_finding(r->diagnosis, i)) != NULL; i++) {
        char *text = cli_finding_text(r->diagnosis, i, r->checkpoint);
        if (text == NULL)
            return cli_no_memory("the findings", err);
        (void)fprintf(cli_out(), "- %s\n", text);
        gb_free(text);
        is_found[f->kind] = true;
    }
    for (size_t i = 0; i < sizeof advised / sizeof *advised; i++) {
        if (!is_found[advised[i]])
            continue;
        char *text = cli_advice(r->diagnosis, advised[i], r->checkpoint);
        if (text == NULL)
            return cli_no_memory("the findings", err);
        (void)fprintf(cli_out(), "%s\n", text);
        gb_free(text);
    }
    return GB_OK;
}

static gb_status print_report(const report *r, gb_error *err)
{
    const gb_quantity *q = gb_diagnosis_quantity(r->diagnosis, 0);
    if (q != NULL) {
        (void)fprintf(cli_out(), "%" PRIu64 " chain%s of %" PRIu64 " draw%s", q->mixing.n_chains,
                      cli_plural(q->mixing.n_chains), q->mixing.n_draws, cli_plural(q->mixing.n_draws));
        (void)fprintf(cli_out(), "; * R-hat above what independent draws would have\n");
        print_quantities(r->diagnosis);
        print_topics(r);
    }
    if (!cli_flag(r->call, "quiet"))
        print_traces(r);
    print_acceptance(r);
    return print_findings(r, err);
}

/* ---- table ----------------------------------------------------------------------------------------- */

static void put_text(cli_table *t, const char *text)
{
    cli_table_text(t, text, strlen(text));
}

static void put_mixing(cli_table *t, const gb_mixing *m, bool with_mean)
{
    cli_table_real(t, with_mean ? m->mean : NAN);
    cli_table_real(t, with_mean ? m->sd : NAN);
    cli_table_real(t, m->r_hat);
    cli_table_real(t, m->r_hat_within);
    cli_table_real(t, m->ess_bulk);
    cli_table_real(t, m->ess_tail);
    cli_table_real(t, with_mean ? m->mcse : NAN);
}

static void put_quantity(cli_table *t, const gb_quantity *q)
{
    put_text(t, q->group);
    put_text(t, q->name);
    cli_table_count(t, q->n_numbers);
    cli_table_count(t, q->mixing.n_chains);
    put_mixing(t, &q->mixing, q->n_numbers == 1);
    cli_table_real(t, q->median_r_hat);
    cli_table_real(t, q->median_ess);
    cli_table_real(t, q->limit);
}

/* The number of chains is how many have the topic. */
static void put_topic(cli_table *t, const report *r, const gb_topic_diagnosis *topic)
{
    char name[120];
    const bool is_split = gb_model_is_one_vs_rest(r->model);
    (void)snprintf(name, sizeof name, "%" PRIu64 "%s%.90s", topic->topic + 1, is_split ? " of " : "",
                   is_split ? gb_model_output(r->model, topic->output) : "");
    put_text(t, "topic");
    put_text(t, name);
    cli_table_count(t, is_split ? 1 : gb_model_n_outputs(r->model));
    cli_table_count(t, topic->n_recur);
    put_mixing(t, &topic->mixing, gb_model_n_outputs(r->model) == 1);
    cli_table_real(t, NAN);
    cli_table_real(t, NAN);
    cli_table_real(t, topic->limit);
}

static gb_status write_table(const report *r, gb_error *err)
{
    static const char *const columns[] = {"kind", "name",         "numbers",         "chains",   "mean",
                                          "sd",   "r_hat",        "r_hat_within",    "ess_bulk", "ess_tail",
                                          "mcse", "median_r_hat", "median_ess_bulk", "limit"};
    gb_status st;
    cli_table *t = NULL;
    const gb_quantity *q;
    const gb_topic_diagnosis *topic;
    CLI_TRY(cli_table_open_output(&t, r->call, err));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        CLI_TRY(cli_table_column(t, "", columns[i], err));
    for (uint64_t i = 0; (q = gb_diagnosis_quantity(r->diagnosis, i)) != NULL; i++)
        put_quantity(t, q);
    for (uint64_t i = 0; (topic = gb_diagnosis_topic(r->diagnosis, i)) != NULL; i++)
        put_topic(t, r, topic);
    st = cli_table_commit(t, err);
    t = NULL;
done:
    cli_table_discard(t);
    return st;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *mixing_json(const gb_mixing *m, bool with_mean)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "chains", (json_int_t)m->n_chains, "draws",
                     (json_int_t)m->n_draws, "mean", real(with_mean ? m->mean : NAN), "sd",
                     real(with_mean ? m->sd : NAN), "r_hat", real(m->r_hat), "r_hat_within", real(m->r_hat_within),
                     "ess_bulk", real(m->ess_bulk), "ess_tail", real(m->ess_tail), "mcse",
                     real(with_mean ? m->mcse : NAN));
}

static json_t *quantities_json(const gb_diagnosis *d)
{
    json_t *list = json_array();
    const gb_quantity *q;
    for (uint64_t i = 0; (q = gb_diagnosis_quantity(d, i)) != NULL; i++) {
        json_t *entry = mixing_json(&q->mixing, q->n_numbers == 1);
        (void)json_object_set_new(entry, "name", json_string(q->name));
        (void)json_object_set_new(entry, "kind", json_string(q->group));
        (void)json_object_set_new(entry, "numbers", json_integer((json_int_t)q->n_numbers));
        (void)json_object_set_new(entry, "median_r_hat", real(q->median_r_hat));
        (void)json_object_set_new(entry, "median_ess_bulk", real(q->median_ess));
        (void)json_object_set_new(entry, "limit", real(q->limit));
        (void)json_object_set_new(entry, "agrees", json_boolean(q->agrees));
        (void)json_object_set_new(entry, "settled", json_boolean(q->is_settled));
        (void)json_array_append_new(list, entry);
    }
    return list;
}

static json_t *traces_json(const gb_diagnosis *d)
{
    json_t *list = json_array();
    const gb_trace *t;
    for (uint64_t i = 0; (t = gb_diagnosis_trace(d, i)) != NULL; i++) {
        json_t *values = json_array();
        for (uint64_t j = 0; j < t->n; j++)
            (void)json_array_append_new(values, real(t->value[j]));
        (void)json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I, s:s, s:o, s:o, s:o, s:o}", "name", t->name,
                                                    "chain", (json_int_t)t->chain + 1, "stride",
                                                    (json_int_t)t->stride, "late_labels_after", (json_int_t)t->late,
                                                    "trend", trend_name(t->levelled.trend), "drift",
                                                    real(t->levelled.drift), "drift_error", real(t->levelled.error),
                                                    "independent", real(t->levelled.size), "values", values));
    }
    return list;
}

static json_t *topics_json(const report *r)
{
    json_t *list = json_array();
    const gb_topic_diagnosis *t;
    for (uint64_t i = 0; (t = gb_diagnosis_topic(r->diagnosis, i)) != NULL; i++) {
        json_t *entry = mixing_json(&t->mixing, gb_model_n_outputs(r->model) == 1);
        (void)json_object_set_new(entry, "topic", json_integer((json_int_t)t->topic + 1));
        if (gb_model_is_one_vs_rest(r->model))
            (void)json_object_set_new(entry, "of", json_string(gb_model_output(r->model, t->output)));
        (void)json_object_set_new(entry, "recurs_in", json_integer((json_int_t)t->n_recur));
        (void)json_object_set_new(entry, "limit", real(t->limit));
        (void)json_object_set_new(entry, "agrees", json_boolean(t->agrees));
        (void)json_array_append_new(list, entry);
    }
    return list;
}

/* NULL without memory. */
static json_t *findings_json(const report *r)
{
    static const char *const kind[] = {
        [GB_FINDING_MOVING] = "moving",      [GB_FINDING_UNCLEAR] = "unclear", [GB_FINDING_BURN_IN] = "burn-in",
        [GB_FINDING_DISAGREE] = "disagree",  [GB_FINDING_APART] = "apart",     [GB_FINDING_TOPICS] = "topics",
        [GB_FINDING_FEW_DRAWS] = "few-draws"};
    json_t *list = json_array();
    const gb_finding *f;
    for (uint64_t i = 0; (f = gb_diagnosis_finding(r->diagnosis, i)) != NULL; i++) {
        char *text = cli_finding_text(r->diagnosis, i, r->checkpoint);
        if (text == NULL) {
            json_decref(list);
            return NULL;
        }
        (void)json_array_append_new(
            list, json_pack("{s:s, s:s, s:s}", "kind", kind[f->kind], "name", f->name, "text", text));
        gb_free(text);
    }
    return list;
}

static json_t *acceptance_json(const gb_model *model)
{
    json_t *object = json_object();
    for (uint64_t p = 0; model != NULL && p < gb_model_n_proposals(model); p++) {
        json_t *rates = json_array();
        for (uint64_t c = 0; c < gb_model_n_acceptances(model); c++)
            (void)json_array_append_new(rates, real(gb_model_acceptance(model, p, c)));
        (void)json_object_set_new(object, gb_model_proposal(model, p), rates);
    }
    return object;
}

static gb_status print_report_json(const report *r, gb_error *err)
{
    json_t *object =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "chains", (json_int_t)gb_diagnosis_n_chains(r->diagnosis),
                  "quantities", quantities_json(r->diagnosis), "topics", topics_json(r), "traces",
                  traces_json(r->diagnosis), "acceptance", acceptance_json(r->model), "findings", findings_json(r));
    const gb_status st = cli_print_json(object, err);
    json_decref(object);
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static gb_status check_settings(cli_call *call, gb_error *err)
{
    gb_status st = GB_OK;
    if (call->n_arguments > 0 && *cli_text(call, "model") != '\0')
        return cli_fail(err, GB_EARGUMENT, "diagnose needs one model: an argument or --model, not both");
    if (call->n_arguments > 0)
        CLI_TRY(gb_settings_set(call->settings, "model", call->argument[0], err));
    if ((*cli_text(call, "model") == '\0') == (*cli_text(call, "checkpoint") == '\0'))
        return cli_fail(err, GB_EARGUMENT,
                        "diagnose needs a model or a run that goes on: --model FILE or --checkpoint FILE");
    if (cli_flag(call, "json") && cli_is_set(call, "table"))
        return cli_fail(err, GB_EARGUMENT, "--json does not go with --table");
    if (!cli_is_set(call, "table") && cli_is_set(call, "output"))
        return cli_fail(err, GB_EARGUMENT, "--output needs --table");
done:
    return st;
}

static gb_status make(const cli_call *call, gb_model **model, gb_diagnosis **out, gb_error *err)
{
    const char *checkpoint = cli_text(call, "checkpoint");
    if (*checkpoint != '\0')
        return cli_input(gb_diagnosis_create_from_checkpoint(checkpoint, out, err), err);
    const gb_status st = cli_read_model(call, model, err);
    return st == GB_OK ? gb_diagnosis_create(*model, GB_DIAGNOSE_ALL, out, err) : st;
}

/* The checkpoint, if its run had a number of sweeps, which a larger one may replace; else "". */
static gb_status extensible(const char *checkpoint, const char **out, gb_error *err)
{
    gb_status st;
    gb_settings *settings = NULL;
    *out = "";
    if (*checkpoint == '\0')
        return GB_OK;
    CLI_TRY(gb_settings_create(&settings, err));
    CLI_TRY(gb_settings_resume(settings, checkpoint, err));
    if (strcmp(gb_settings_get(settings, "sweeps", 0), "auto") != 0)
        *out = checkpoint;
done:
    gb_settings_free(settings);
    return st == GB_ENOMEM ? st : GB_OK; /* a checkpoint that cannot be resumed can be looked at */
}

gb_status cli_diagnose(cli_call *call, gb_error *err)
{
    gb_status st;
    gb_model *model = NULL;
    gb_diagnosis *diagnosis = NULL;
    CLI_TRY(check_settings(call, err));
    CLI_TRY(make(call, &model, &diagnosis, err));
    report r = {.call = call, .model = model, .diagnosis = diagnosis};
    CLI_TRY(extensible(cli_text(call, "checkpoint"), &r.checkpoint, err));
    if (cli_is_set(call, "table"))
        CLI_TRY(write_table(&r, err));
    else if (cli_flag(call, "json"))
        CLI_TRY(print_report_json(&r, err));
    else
        CLI_TRY(print_report(&r, err));
    call->has_findings = cli_flag(call, "strict") && gb_diagnosis_n_findings(diagnosis) > 0;
done:
    gb_diagnosis_free(diagnosis);
    gb_model_free(model);
    return st;
}
