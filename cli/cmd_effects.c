/* cli/cmd_effects.c - the coefficients of each score: topics with their words, covariates, the constant; and the topic
 * shares of groups of documents. */
#include "common.h"
#include "contrasts.h"
#include "effect_rows.h"
#include "estimated_effects.h"
#include "group_effects.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_DRAWS = 40, DEFAULT_WORDS = 5, WIDEST_NAME = 40, TITLE_SIZE = 256 };

/* What is shown. */
typedef struct parts {
    bool scores, groups, contrasts;
} parts;

/* ---- as text --------------------------------------------------------------------------------------- */

/* How clear an effect is: |mean| / sd; without any sd, as of one draw, its size.  What no fold has comes last. */
static double clearness(const cli_effect_row *e)
{
    const double size = fabs(e->posterior.mean);
    if (isnan(size))
        return -1;
    return isnan(e->posterior.sd) || size == 0 ? size : size / e->posterior.sd;
}

static int clearest_first(const void *a, const void *b)
{
    const cli_effect_row *x = a, *y = b;
    const double p = clearness(x), q = clearness(y);
    return p != q ? (p < q) - (p > q) : (x->feature > y->feature) - (x->feature < y->feature);
}

static const char average_title[] = "average document";

static const char *title_of(const cli_effect_rows *e, uint64_t feature, size_t size, char buffer[static size])
{
    if (feature >= e->n_topics + e->n_columns)
        return average_title;
    if (feature >= e->n_topics + e->n_columns - gb_model_n_word_columns(e->model)) {
        (void)snprintf(buffer, size, "word %s", gb_model_column(e->model, feature - e->n_topics));
        return buffer;
    }
    if (feature >= e->n_topics)
        return gb_model_column(e->model, feature - e->n_topics);
    (void)snprintf(buffer, size, "topic %s", e->title[feature]);
    return buffer;
}

static size_t widest_title(const cli_effect_rows *e, uint64_t n)
{
    char buffer[TITLE_SIZE];
    size_t widest = strlen(average_title);
    for (uint64_t j = 0; j < n; j++) {
        const size_t width = cli_width(title_of(e, e->effect[j].feature, sizeof buffer, buffer));
        if (width > widest)
            widest = width < WIDEST_NAME ? width : WIDEST_NAME;
    }
    return widest;
}

static void print_padded(FILE *f, const char *text, size_t width)
{
    const size_t n = cli_width(text);
    (void)fprintf(f, "%s%*s", text, n < width ? (int)(width - n) : 0, "");
}

static void print_numbers(FILE *f, const cli_effect_rows *e, const char *title, const gb_effect *p, size_t width)
{
    (void)fputs("  ", f);
    print_padded(f, title, width);
    if (isnan(p->mean)) {
        (void)fprintf(f, " %10s %10s %10s %10s %10s  %6s", "-", "-", "-", "-", "-", "-");
        return;
    }
    (void)fprintf(f, " %+10.4g", p->mean);
    (void)(isnan(p->sd) ? fprintf(f, " %10s", "-") : fprintf(f, " %10.4g", p->sd));
    (void)fprintf(f, " %+10.4g %+10.4g %+10.4g  %6.2f", p->q05, p->median, p->q95, p->p_positive);
    if (e->has_shrinkage)
        (void)(isnan(p->shrinkage) ? fprintf(f, "  %6s", "-") : fprintf(f, "  %6.2f", p->shrinkage));
}

/* Its name, if it has one, and its words. */
static void print_topic(FILE *f, const cli_effect_rows *e, uint64_t topic)
{
    const char *name = cli_name_of_topic(e, topic);
    (void)fputs("  ", f);
    if (*name != '\0') {
        (void)cli_put_text(f, name, strlen(name), WIDEST_NAME);
        (void)fputs(": ", f);
    }
    (void)fputs(e->words[topic], f);
}

static void print_row(FILE *f, const cli_effect_rows *e, const cli_effect_row *row, size_t width)
{
    char buffer[TITLE_SIZE];
    print_numbers(f, e, title_of(e, row->feature, sizeof buffer, buffer), &row->posterior, width);
    if (cli_has_reliability(e) && row->feature < e->n_topics)
        (void)(isnan(row->reliability) ? fprintf(f, "  %11s", "-") : fprintf(f, "  %11.2f", row->reliability));
    if (row->feature < e->n_topics)
        print_topic(f, e, row->feature);
    if (row->n_folds < e->n_folds)
        (void)fprintf(f, "  (%" PRIu64 " of %" PRIu64 " folds)", row->n_folds, e->n_folds);
    if (row->posterior.n_unused > 0)
        (void)fprintf(f, "  (%" PRIu64 " of %" PRIu64 " draws)", row->posterior.n_draws,
                      row->posterior.n_draws + row->posterior.n_unused);
    (void)fputc('\n', f);
}

static void print_heading(FILE *f, const cli_effect_rows *e, uint64_t output, size_t width)
{
    const uint64_t r = cli_response_of(e->model, output);
    (void)fputs(gb_model_field(e->model, r), f);
    if (gb_model_has_class_scores(e->model, r))
        (void)fprintf(f, "=%s", gb_model_output(e->model, output));
    (void)fprintf(f, " (%s)\n  ",
                  e->n_folds > 0 ? gb_model_cross_response(e->model, r) : gb_model_response(e->model, r));
    print_padded(f, "feature", width);
    (void)fprintf(f, " %10s %10s %10s %10s %10s  %6s%s%s  words\n", "mean", "sd", "5%", "median", "95%", "P(>0)",
                  e->has_shrinkage ? "  shrunk" : "", cli_has_reliability(e) ? "  reliability" : "");
}

/* The clearest n_rows, the constant, and the own parameters. */
static void print_output(FILE *f, cli_effect_rows *e, uint64_t output, uint64_t n, uint64_t n_rows, uint64_t n_own,
                         const cli_own_parameter *own)
{
    const bool has_constant = n > 0 && e->effect[n - 1].feature == e->n_topics + e->n_columns;
    const uint64_t n_named = n - has_constant;
    if (n_rows == 0 || n_rows > n_named)
        n_rows = n_named;
    qsort(e->effect, n_named, sizeof *e->effect, clearest_first);
    size_t width = widest_title(e, n_rows);
    for (uint64_t i = 0; i < n_own; i++)
        width = cli_width(own[i].title) > width ? cli_width(own[i].title) : width;
    print_heading(f, e, output, width);
    for (uint64_t j = 0; j < n_rows; j++)
        print_row(f, e, &e->effect[j], width);
    if (n_rows < n_named)
        (void)fprintf(f, "  ... %" PRIu64 " more, less clear; --rows 0 shows all\n", n_named - n_rows);
    if (n > n_named)
        print_row(f, e, &e->effect[n_named], width);
    for (uint64_t i = 0; i < n_own; i++) {
        print_numbers(f, e, own[i].title, &own[i].posterior, width);
        (void)fputc('\n', f);
    }
}

/* How much of the differences between scores is topics, covariates, words. */
static gb_status print_blocks(FILE *f, const cli_effect_rows *e, uint64_t output, gb_error *err)
{
    const uint64_t n = cli_n_blocks(e);
    for (uint64_t b = 0; b < n; b++) {
        gb_effect share;
        const gb_status st = gb_model_block_share(e->model, output, b, &share, err);
        if (st != GB_OK)
            return st;
        (void)fprintf(f, "%s %s %.0f %% (%.0f to %.0f)", b == 0 ? "  variance of the score:" : ",",
                      gb_model_block(e->model, b), 100 * share.mean, 100 * share.q05, 100 * share.q95);
    }
    if (n > 0)
        (void)fputc('\n', f);
    return GB_OK;
}

static gb_status print_outputs(const cli_call *call, cli_effect_rows *e, FILE *stream, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t n;
    for (uint64_t l = 0; l < gb_model_n_outputs(e->model); l++) {
        CLI_TRY(cli_find_effects(e, l, &n, err));
        if (l > 0)
            (void)fputc('\n', stream);
        cli_own_parameter *own;
        uint64_t n_own;
        st = cli_find_own(e, l, &own, &n_own, err);
        if (st == GB_OK)
            print_output(stream, e, l, n, (uint64_t)cli_int(call, "rows"), n_own, own);
        cli_clear_own(own, n_own);
        if (st == GB_OK)
            st = print_blocks(stream, e, l, err);
        if (st != GB_OK)
            return st;
    }
done:
    return st;
}

static gb_status write_text(const cli_call *call, cli_effect_rows *e, parts shown, gb_error *err)
{
    gb_out_file *output = NULL;
    FILE *stream = NULL;
    gb_status st;
    CLI_TRY(gb_out_file_open(&output, cli_text(call, "output"), cli_flag(call, "force"), err));
    CLI_TRY(cli_clean_stream(gb_out_file_stream(output), &stream, err));
    if (e->estimate == NULL && e->n_folds == 0 && (shown.scores || shown.contrasts) && *cli_doubt(e->model) != '\0')
        (void)fprintf(stream, "%s\n\n", cli_doubt(e->model));
    if (shown.contrasts)
        CLI_TRY(cli_print_contrasts(call, e->model, e->trained, stream, err));
    if (shown.scores)
        CLI_TRY(print_outputs(call, e, stream, err));
    if (shown.scores && shown.groups)
        (void)fputc('\n', stream);
    if (shown.groups)
        CLI_TRY(cli_print_groups(call, e->model, stream, err));
    (void)fclose(stream);
    stream = NULL;
    st = gb_out_file_commit(output, err);
    output = NULL;
done:
    if (stream != NULL)
        (void)fclose(stream);
    gb_out_file_discard(output);
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static void note_few(const cli_call *call, uint64_t n_draws)
{
    if (n_draws < FEW_DRAWS)
        cli_note(call, "%" PRIu64 " draw%s: quantiles are rough; train with more --sweeps for more", n_draws,
                 cli_plural(n_draws));
}

/* Topics that only some of the chains have. */
static gb_status note_topics(const cli_call *call, cli_effect_rows *e, gb_error *err)
{
    uint64_t n_partly = 0, fewest = UINT64_MAX;
    const gb_status st = gb_model_effects(e->model, 0, e->posterior, err);
    for (uint64_t k = 0; st == GB_OK && k < e->n_topics; k++) {
        n_partly += e->posterior[k].n_unused > 0;
        fewest = e->posterior[k].n_draws < fewest ? e->posterior[k].n_draws : fewest;
    }
    if (st != GB_OK)
        return st;
    if (n_partly > 0)
        cli_note(call,
                 "%" PRIu64 " of %" PRIu64
                 " topics%s are not in every chain; their effects are from the draws of the chains that have them",
                 n_partly, e->n_topics, gb_model_is_one_vs_rest(e->model) ? " of the first class" : "");
    note_few(call, fewest);
    return GB_OK;
}

/* Topics that only some of the folds have, and topics of folds that are none of the model. */
static gb_status note_folds(const cli_call *call, cli_effect_rows *e, gb_error *err)
{
    uint64_t n_partly = 0, n_nowhere = 0, n_others = 0, n_docs = 0;
    const gb_status st = gb_model_cross_effects(e->model, 0, e->cross, err);
    if (st != GB_OK)
        return st;
    for (uint64_t k = 0; k < e->n_topics; k++) {
        n_partly += e->cross[k].n_folds > 0 && e->cross[k].n_folds < e->n_folds;
        n_nowhere += e->cross[k].n_folds == 0;
    }
    for (uint64_t f = 0; f < e->n_folds; f++) {
        n_docs += gb_model_fold_n_docs(e->model, f);
        for (uint64_t k = 0; k < e->n_topics; k++)
            n_others += gb_model_fold_topic(e->model, f, k) == UINT64_MAX;
    }
    cli_note(call,
             "effects on %" PRIu64 " documents, each with topics learnt without its fold, pooled over %" PRIu64
             " folds",
             n_docs, e->n_folds);
    if (n_partly + n_nowhere > 0)
        cli_note(call,
                 "of %" PRIu64 " topics %" PRIu64 " are in some folds only and %" PRIu64
                 " in none; --table csv --per-fold shows the %" PRIu64 " topics of folds that match none of them",
                 e->n_topics, n_partly, n_nowhere, n_others);
    return GB_OK;
}

/* Shares of groups are from the draws of the first chain. */
static void note_first_chain(const cli_call *call, const gb_model *model)
{
    const uint64_t n = gb_model_n_topic_draws(model);
    if (n < gb_model_n_draws(model))
        cli_note(call,
                 "topics of groups are from the %" PRIu64
                 " draws of the first chain, since topics of other chains are not the same%s",
                 n, *cli_text(call, "prior-predictive") != '\0' ? "; everything else is from all chains" : "");
    note_few(call, n);
}

static gb_status check_settings(const cli_call *call, gb_error *err)
{
    if (cli_is_set(call, "rows") && cli_is_set(call, "table"))
        return cli_fail(err, GB_EARGUMENT, "--rows cannot be used with --table, which has all rows");
    if (cli_flag(call, "per-fold") && !cli_is_set(call, "table"))
        return cli_fail(err, GB_EARGUMENT, "--per-fold is for a table: --table csv");
    return cli_check_documents(call, err);
}

static gb_status check_folds(const cli_call *call, const gb_model *model, bool has_documents, parts shown,
                             gb_error *err)
{
    const uint64_t n_folds = has_documents ? 0 : gb_model_n_folds(model);
    if (cli_flag(call, "per-fold") && (n_folds == 0 || !shown.scores))
        return cli_fail(err, GB_EARGUMENT, "--per-fold is for the coefficients of a training with --cross-fit");
    if (n_folds > 0 && shown.contrasts)
        return cli_fail(
            err, GB_EARGUMENT,
            "--contrast needs draws, and --cross-fit keeps none; effects DOCUMENTS has them, on documents "
            "that the training did not see");
    return GB_OK;
}

/* Which of the kinds are shown. */
static gb_status choose_parts(const cli_call *call, const gb_model *model, parts *out, gb_error *err)
{
    *out = (parts){.contrasts = false};
    gb_status st = cli_asks_for_contrasts(call, model, &out->contrasts, err);
    if (st == GB_OK && out->contrasts)
        return cli_check_contrasts(call, model, err);
    if (st == GB_OK)
        st = cli_check_groups(call, model, err);
    if (st != GB_OK)
        return st;
    const char *kind = cli_text(call, "kind");
    out->groups = gb_model_n_groups(model) > 0 && strcmp(kind, "coefficients") != 0;
    out->scores = gb_model_n_outputs(model) > 0 && strcmp(kind, "groups") != 0 && !cli_asks_for_groups(call);
    if (!out->scores && !out->groups)
        return cli_fail(err, GB_EARGUMENT,
                        "%s: a model without a response has no %s; gibbous topics shows its topics",
                        cli_text(call, "model"), strcmp(kind, "all") == 0 ? "effects" : "coefficients");
    if (out->scores && out->groups && cli_is_set(call, "table"))
        return cli_fail(
            err, GB_EARGUMENT,
            "%s has coefficients and groups; choose one of them for the table: --kind coefficients or --kind groups",
            cli_text(call, "model"));
    return GB_OK;
}

/* As a table, or as text. */
static gb_status write(const cli_call *call, cli_effect_rows *e, parts shown, gb_error *err)
{
    if (!cli_is_set(call, "table"))
        return write_text(call, e, shown, err);
    return shown.contrasts ? cli_write_contrasts(call, e->model, err)
           : shown.groups  ? cli_write_groups(call, e->model, err)
                           : cli_write_effects(call, e, err);
}

static void note_old_shares(const cli_call *call, const gb_model *model)
{
    if (!gb_model_has_mean_shares(model))
        cli_note(call,
                 "%s is from an earlier version, which did not keep the mean shares of topics: the average document "
                 "has the shares of the training tokens instead; train again for the mean over documents",
                 cli_text(call, "model"));
}

static gb_status note(const cli_call *call, cli_effect_rows *e, parts shown, gb_error *err)
{
    const bool has_coefficients = shown.scores || shown.contrasts;
    gb_status st = GB_OK;
    if (has_coefficients)
        CLI_TRY(e->n_folds > 0 ? note_folds(call, e, err) : note_topics(call, e, err));
    if (has_coefficients)
        note_old_shares(call, e->model);
    if (shown.groups)
        note_first_chain(call, e->model);
    if (e->estimate == NULL && e->n_folds == 0 && has_coefficients && cli_is_set(call, "table") &&
        *cli_doubt(e->model) != '\0')
        cli_note(call, "%s", cli_doubt(e->model)); /* a text has it in its first line */
    if (!cli_to_stdout(cli_text(call, "output")) && shown.groups)
        cli_note(call, "wrote %s (%" PRIu64 " groups)", cli_text(call, "output"), gb_model_n_groups(e->model));
    else if (!cli_to_stdout(cli_text(call, "output")))
        cli_note(call, "wrote %s (%" PRIu64 " score%s)", cli_text(call, "output"), gb_model_n_outputs(e->model),
                 cli_plural(gb_model_n_outputs(e->model)));
done:
    return st;
}

gb_status cli_effects(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    gb_estimate *estimate = NULL;
    cli_effect_rows e = {0};
    parts shown;
    gb_status st;
    const bool has_documents = cli_has_documents(call);
    CLI_TRY(check_settings(call, err));
    if (call->n_arguments > 0 && !has_documents)
        CLI_TRY(gb_settings_set(call->settings, "model", call->argument[0], err));
    CLI_TRY(cli_read_model(call, &model, err));
    if (has_documents)
        CLI_TRY(cli_estimate(call, model, &estimate, err));
    CLI_TRY(choose_parts(call, estimate == NULL ? model : gb_estimate_model(estimate), &shown, err));
    CLI_TRY(check_folds(call, model, has_documents, shown, err));
    CLI_TRY(cli_effect_rows_make(&e, model, estimate,
                                 cli_is_set(call, "words") ? (uint64_t)cli_int(call, "words") : DEFAULT_WORDS, err));
    if (estimate != NULL)
        cli_note_estimate(call, model, estimate);
    CLI_TRY(write(call, &e, shown, err));
    CLI_TRY(note(call, &e, shown, err));
done:
    cli_effect_rows_clear(&e);
    gb_estimate_free(estimate);
    gb_model_free(model);
    return st;
}
