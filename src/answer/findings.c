/* answer/findings.c - what speaks against a run, and what to do about it; at the end of a training, in one line. */
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "diagnose/diagnosis.h"
#include "gibbous/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The checkpoint of a run that it can make longer: not of one that decides its own end; else "". */
static gb_status find_checkpoint(const gb_asked *asked, const char **out, gb_error *err)
{
    gb_settings *settings = NULL;
    const gb_model *model = asked->subject->model;
    const char *resumed = gb_asked_text(asked, "resume"),
               *path = *resumed != '\0' ? resumed : gb_asked_text(asked, "checkpoint");
    gb_status st = GB_OK;
    *out = "";
    if (*path == '\0' || (model != NULL && gb_model_n_burn_ins(model) > 0))
        return st;
    if (model != NULL) {
        *out = path;
        return st;
    }
    GB_TRY(gb_settings_create(&settings, err));
    GB_TRY(gb_settings_resume(settings, path, err));
    if (strcmp(gb_settings_get(settings, "sweeps", 0), "auto") != 0)
        *out = path;
done:
    gb_settings_free(settings);
    return st == GB_ENOMEM ? st : GB_OK; /* a checkpoint that cannot be resumed can be looked at */
}

/* ---- findings -------------------------------------------------------------------------------------- */

enum { KIND, NAME, VALUE, N, N_ALL, TEXT, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [KIND] = {"kind", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "",
              "moving, unclear, burn-in, disagree, topics, few-draws or apart"},
    [NAME] = {"name", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "", "trace or quantity; empty for topics"},
    [VALUE] = {"value", "", GB_CELL_REAL, GB_PLACE_DATA, "%.4g", "",
               "moving: change in 100 sweeps; unclear: independent values in the last half; burn-in: the sweep; "
               "disagree and apart: R-hat; few-draws: effective sample size"},
    [N] = {"n", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "", "chains, or topics, that it is about"},
    [N_ALL] = {"n_all", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "", "of how many"},
    [TEXT] = {"text", "findings", GB_CELL_TEXT, GB_PLACE_SENTENCE, NULL, "", "what it is, and what to do about it"}};

static const char *const kind_name[] = {
    [GB_FINDING_MOVING] = "moving",      [GB_FINDING_UNCLEAR] = "unclear", [GB_FINDING_BURN_IN] = "burn-in",
    [GB_FINDING_DISAGREE] = "disagree",  [GB_FINDING_APART] = "apart",     [GB_FINDING_TOPICS] = "topics",
    [GB_FINDING_FEW_DRAWS] = "few-draws"};

static gb_status put_finding(gb_table *t, const gb_diagnosis *d, size_t index, const char *checkpoint, gb_error *err)
{
    char *text = NULL;
    const gb_finding *f = &d->finding[index];
    const gb_status st = gb_diagnosis_finding_text(d, index, checkpoint, &text, err);
    if (st != GB_OK)
        return st;
    gb_table_begin_row(t, NAN);
    gb_put_text(t, KIND, kind_name[f->kind]);
    gb_put_text(t, NAME, f->name);
    gb_put_real(t, VALUE, f->value);
    gb_put_count(t, N, f->n_all > 0 ? f->n : GB_NO_COUNT);
    gb_put_count(t, N_ALL, f->n_all > 0 ? f->n_all : GB_NO_COUNT);
    gb_put_text(t, TEXT, text);
    gb_free(text);
    return st;
}

static bool has_finding(const gb_diagnosis *d, gb_finding_kind kind, size_t *index)
{
    for (*index = 0; *index < d->n_findings; ++*index)
        if (d->finding[*index].kind == kind)
            return true;
    return false;
}

/* What to do about all findings of a kind together. */
static gb_status note_advice(gb_table *t, const gb_diagnosis *d, gb_finding_kind kind, const char *checkpoint,
                             gb_error *err)
{
    char *text = NULL;
    size_t first;
    if (!has_finding(d, kind, &first))
        return GB_OK;
    const gb_status st = gb_diagnosis_advice(d, kind, checkpoint, &text, err);
    if (st == GB_OK)
        gb_table_add_note(t, GB_NOTE_BELOW, "%s", text);
    gb_free(text);
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    gb_status st;
    const gb_diagnosis *d = asked->subject->diagnosis;
    const char *checkpoint;
    GB_TRY(find_checkpoint(asked, &checkpoint, err));
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    for (size_t i = 0; i < d->n_findings; i++)
        GB_TRY(put_finding(t, d, i, checkpoint, err));
    GB_TRY(note_advice(t, d, GB_FINDING_DISAGREE, checkpoint, err));
    GB_TRY(note_advice(t, d, GB_FINDING_APART, checkpoint, err));
    if (d->n_findings == 0)
        gb_table_add_note(t, GB_NOTE_BELOW, "%s",
                          d->n_traces > 0
                              ? "nothing speaks against the run"
                              : "there are no traces, so nothing says whether the chains have levelled off");
done:
    return st;
}

const gb_question_row gb_question_findings = {
    {"findings", "what speaks against a run, and what to do about it", GB_NEEDS_DIAGNOSIS, "checkpoint resume"},
    answer};

/* ---- a verdict ------------------------------------------------------------------------------------- */

static const gb_column verdict_columns[] = {{"text", "", GB_CELL_TEXT, GB_PLACE_SENTENCE, NULL, "",
                                             "whether the run was long enough, and what to do if it was not"},
                                            {"settled", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "",
                                             "whether nothing but a small number of draws speaks against the run"}};

/* Quantiles of few draws are rough, of a run that has settled as well. */
static bool is_settled(const gb_diagnosis *d)
{
    for (size_t i = 0; i < d->n_findings; i++)
        if (d->finding[i].kind != GB_FINDING_FEW_DRAWS)
            return false;
    return true;
}

/* "; R-hat 1.02 (log joint), 1.10 (loss) over 4 chains" */
static void r_hats_text(const gb_diagnosis *d, size_t size, char *out)
{
    size_t n = 0;
    *out = '\0';
    for (size_t i = 0; d->n_chains > 1 && i < d->n_quantities && n < size; i++) {
        const gb_quantity *q = &d->quantity[i];
        const bool has_trace = strcmp(q->group, "log joint") == 0 || strcmp(q->group, "loss") == 0;
        if (has_trace && !isnan(q->mixing.r_hat))
            n += (size_t)snprintf(out + n, size - n, "%s %.2f (%.60s)", n == 0 ? "; R-hat" : ",", q->mixing.r_hat,
                                  q->name);
    }
    if (n > 0 && n < size)
        (void)snprintf(out + n, size - n, " over %zu chains", d->n_chains);
}

/* What is wrong with the traces; false: they are level, and were before draws were kept. */
static bool has_bad_trace(const gb_diagnosis *d, size_t *index)
{
    return has_finding(d, GB_FINDING_MOVING, index) || has_finding(d, GB_FINDING_UNCLEAR, index) ||
           has_finding(d, GB_FINDING_BURN_IN, index);
}

static bool losses_are_level(const gb_diagnosis *d)
{
    for (size_t i = 0; i < d->n_findings; i++)
        if (strncmp(d->finding[i].name, "loss", strlen("loss")) == 0 &&
            (d->finding[i].kind == GB_FINDING_MOVING || d->finding[i].kind == GB_FINDING_UNCLEAR))
            return false;
    return true;
}

/* Each chain that has left its burn-in found by itself when little was gained for predictions. */
static bool chains_found_their_ends(const gb_model *model)
{
    const uint64_t n = gb_model_n_burn_ins(model);
    uint64_t n_ended = 0, n_found = 0;
    for (uint64_t c = 0; c < n; c++) {
        n_ended += gb_model_burn_in(model, c) > 0;
        n_found += gb_model_burn_in_is_found(model, c);
    }
    return n_ended > 0 && n_found == n_ended;
}

/* What a run with findings is good for all the same. */
static const char *good_text(const gb_diagnosis *d, const gb_model *model)
{
    if (gb_model_n_responses(model) == 0)
        return "";
    if (chains_found_their_ends(model))
        return "enough sweeps to predict; ";
    return losses_are_level(d) ? "losses have levelled off; " : "";
}

static gb_status answer_verdict(const gb_asked *asked, gb_table *t, gb_error *err)
{
    gb_status st;
    const gb_diagnosis *d = asked->subject->diagnosis;
    const gb_model *model = asked->subject->model;
    char r_hats[300], text[1600];
    char *finding = NULL;
    const char *checkpoint;
    size_t bad;
    GB_TRY(find_checkpoint(asked, &checkpoint, err));
    r_hats_text(d, sizeof r_hats, r_hats);
    if (has_bad_trace(d, &bad)) {
        GB_TRY(gb_diagnosis_finding_text(d, bad, checkpoint, &finding, err));
        (void)snprintf(text, sizeof text, "%s%s%s", good_text(d, model), finding, r_hats);
    } else {
        const char *and = "";
        if (has_finding(d, GB_FINDING_APART, &bad))
            and = ", and the chains have found different solutions";
        else if (has_finding(d, GB_FINDING_DISAGREE, &bad))
            and =
                d->n_chains > 1 ? ", but the chains do not agree yet" : ", but the halves of the chain do not agree";
        (void)snprintf(text, sizeof text, "log joint%s levelled off%s%s",
                       gb_model_n_responses(model) > 0 ? " and losses have" : " has", and, r_hats);
    }
    gb_table_add_all(t, sizeof verdict_columns / sizeof *verdict_columns, verdict_columns, NULL);
    if (d->n_traces > 0) {
        gb_table_begin_row(t, NAN);
        gb_put_text(t, 0, text);
        gb_put_count(t, 1, is_settled(d));
    }
    gb_note_empty_topics(t, model);
done:
    gb_free(finding);
    return st;
}

const gb_question_row gb_question_verdict = {{"verdict", "whether a run was long enough, in one line",
                                              GB_NEEDS_MODEL | GB_NEEDS_DIAGNOSIS, "checkpoint resume"},
                                             answer_verdict};
