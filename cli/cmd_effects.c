/* cli/cmd_effects.c - the coefficients of each score: topics with their words, covariates, the constant; and the topic
 * shares of groups of documents. */
#include "common.h"
#include "contrasts.h"
#include "estimated_effects.h"
#include "group_effects.h"
#include "table.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_DRAWS = 40, DEFAULT_WORDS = 5, WIDEST_NAME = 40 };

/* What is shown. */
typedef struct parts {
    bool scores, groups, contrasts;
} parts;

/* A row: a feature of the output that is being written. */
typedef struct effect {
    uint64_t feature;
    gb_effect posterior;
    double reliability; /* of a topic's shares; NaN: not known */
    double between;     /* by cross-fitting: standard deviation between folds */
    uint64_t n_folds;   /* likewise: that it is from */
} effect;

typedef struct effects {
    const gb_model *model;
    const gb_model *trained;     /* whose topics they are: the same, without an estimate */
    const gb_estimate *estimate; /* NULL: effects in the training */
    uint64_t n_topics, n_columns;
    char **words;            /* n_topics: of the output */
    uint64_t n_words, *word; /* n_topics x n_words */
    double *probability;
    effect *effect; /* of one output; room for all features */
    gb_effect *posterior;
    gb_cross_effect *cross;
    uint64_t n_folds; /* of a training with --cross-fit, whose effects are shown; else 0 */
    bool has_shrinkage;
} effects;

/* ---- making ---------------------------------------------------------------------------------------- */

static void effects_clear(effects *e)
{
    for (uint64_t k = 0; e->words != NULL && k < e->n_topics; k++)
        gb_free(e->words[k]);
    gb_free(e->words);
    gb_free(e->effect);
    gb_free(e->posterior);
    gb_free(e->cross);
    gb_free(e->word);
    gb_free(e->probability);
}

static gb_status effects_make(effects *e, const gb_model *trained, const gb_estimate *estimate, uint64_t n_words,
                              gb_error *err)
{
    gb_status st;
    const char *what = "the effects";
    const gb_model *model = estimate == NULL ? trained : gb_estimate_model(estimate);
    *e = (effects){.model = model,
                   .trained = trained,
                   .estimate = estimate,
                   .n_topics = gb_model_n_topics(model),
                   .n_columns = gb_model_n_columns(model),
                   .n_folds = estimate == NULL ? gb_model_n_folds(model) : 0};
    e->n_words = n_words < gb_model_n_words(model) ? n_words : gb_model_n_words(model);
    CLI_TRY(cli_alloc(&e->effect, e->n_topics + e->n_columns + 1, sizeof *e->effect, what, err));
    CLI_TRY(cli_alloc(&e->posterior, e->n_topics + e->n_columns + 1, sizeof *e->posterior, what, err));
    CLI_TRY(cli_alloc(&e->cross, e->n_topics + e->n_columns + 1, sizeof *e->cross, what, err));
    CLI_TRY(cli_alloc(&e->words, e->n_topics, sizeof *e->words, what, err));
    CLI_TRY(cli_alloc(&e->word, e->n_topics * e->n_words, sizeof *e->word, what, err));
    CLI_TRY(cli_alloc(&e->probability, e->n_topics * e->n_words, sizeof *e->probability, what, err));
done:
    return st;
}

/* Words of the topics of an output.  They change only where outputs have chains of their own. */
static gb_status find_words(effects *e, uint64_t output, gb_error *err)
{
    gb_status st;
    uint64_t n;
    CLI_TRY(gb_model_words_of_topics(e->trained, e->estimate == NULL ? output : 0, e->n_words, e->word,
                                     e->probability, &n, err));
    for (uint64_t k = 0; k < e->n_topics; k++) {
        gb_free(e->words[k]);
        e->words[k] = NULL;
        CLI_TRY(cli_join_words(e->trained, e->word + k * e->n_words, n, &e->words[k], err));
    }
done:
    return st;
}

/* Whether rows say how well words tell the shares of a topic. */
static bool has_reliability(const effects *e)
{
    return e->estimate != NULL || e->n_folds > 0;
}

/* NaN for what is no topic. */
static double reliability_of(const effects *e, uint64_t feature)
{
    return e->estimate != NULL && feature < e->n_topics ? gb_estimate_reliability(e->estimate, feature) : NAN;
}

static effect from_folds(const gb_cross_effect *cross, uint64_t feature)
{
    return (effect){feature, cross->posterior, cross->reliability, cross->between, cross->n_folds};
}

/* The features of an output, in their order. */
static gb_status find_effects(effects *e, uint64_t output, uint64_t *n, gb_error *err)
{
    gb_status st = GB_OK;
    if (output == 0 || gb_model_is_one_vs_rest(e->model))
        st = find_words(e, output, err);
    *n = gb_model_n_effects(e->model, output);
    if (st == GB_OK)
        st = e->n_folds > 0 ? gb_model_cross_effects(e->model, output, e->cross, err)
                            : gb_model_effects(e->model, output, e->posterior, err);
    for (uint64_t j = 0; j < *n && st == GB_OK; j++)
        e->effect[j] =
            e->n_folds > 0 ? from_folds(&e->cross[j], j) : (effect){j, e->posterior[j], reliability_of(e, j), NAN, 0};
    e->has_shrinkage = st == GB_OK && !isnan(e->effect[0].posterior.shrinkage);
    return st;
}

static const char *kind_of(const effects *e, uint64_t feature)
{
    return feature < e->n_topics ? "topic" : feature < e->n_topics + e->n_columns ? "covariate" : "intercept";
}

/* Number of a topic, in `buffer`, name of a column, or "" for the constant. */
static const char *name_of(const effects *e, uint64_t feature, size_t size, char buffer[static size])
{
    if (feature >= e->n_topics + e->n_columns)
        return "";
    if (feature >= e->n_topics)
        return gb_model_column(e->model, feature - e->n_topics);
    (void)snprintf(buffer, size, "%" PRIu64, feature + 1);
    return buffer;
}

/* ---- own parameters of responses ------------------------------------------------------------------- */

typedef struct own_parameter {
    char *title;      /* in the list: "noise variance", "fair | good" */
    const char *name; /* in the table: as in the draws, "noise_variance"; between classes the title */
    gb_effect posterior;
    double between; /* by cross-fitting, as in an effect */
    uint64_t n_folds;
} own_parameter;

static gb_status name_own(const gb_model *model, uint64_t response, const char *name, uint64_t place,
                          own_parameter *own, gb_error *err)
{
    const bool is_between_classes = place != UINT64_MAX;
    const int length = is_between_classes ? asprintf(&own->title, "%s | %s", gb_model_class(model, response, place),
                                                     gb_model_class(model, response, place + 1))
                                          : asprintf(&own->title, "%s", name);
    if (length < 0)
        return cli_fail(err, GB_ENOMEM, "out of memory");
    own->name = is_between_classes ? own->title : name;
    for (char *at = own->title; !is_between_classes && *at != '\0'; at++)
        *at = *at == '_' ? ' ' : *at;
    return GB_OK;
}

/* In the training, or of the estimate. */
static gb_status find_own_of_draws(const gb_model *model, uint64_t response, own_parameter **out, uint64_t *n,
                                   gb_error *err)
{
    gb_status st;
    const uint64_t n_own = gb_model_n_own_parameters(model, response);
    CLI_TRY(cli_alloc(out, n_own, sizeof **out, "the parameters", err));
    for (; *n < n_own; ++*n) {
        const char *name;
        uint64_t place;
        CLI_TRY(gb_model_own_parameter(model, response, *n, &name, &place, &(*out)[*n].posterior, err));
        CLI_TRY(name_own(model, response, name, place, &(*out)[*n], err));
    }
done:
    return st;
}

static gb_status find_own_of_folds(const gb_model *model, uint64_t response, own_parameter **out, uint64_t *n,
                                   gb_error *err)
{
    gb_status st;
    const uint64_t n_all = gb_model_n_cross_parameters(model);
    CLI_TRY(cli_alloc(out, n_all, sizeof **out, "the parameters", err));
    for (uint64_t i = 0; i < n_all; i++) {
        uint64_t of, place;
        const char *name;
        gb_cross_effect pooled;
        CLI_TRY(gb_model_cross_parameter(model, i, &of, &name, &place, &pooled, err));
        if (of != response)
            continue;
        CLI_TRY(name_own(model, of, name, place, &(*out)[*n], err));
        (*out)[*n].posterior = pooled.posterior;
        (*out)[*n].between = pooled.between;
        (*out)[(*n)++].n_folds = pooled.n_folds;
    }
done:
    return st;
}

/* Those of the response that the output belongs to, if it is the response's last one; free with clear_own(). */
static gb_status find_own(const effects *e, uint64_t output, own_parameter **out, uint64_t *n, gb_error *err)
{
    const uint64_t r = cli_response_of(e->model, output);
    const bool is_last = output + 1 == gb_model_first_output(e->model, r) + gb_model_n_outputs_of(e->model, r);
    *n = 0;
    *out = NULL;
    if (!is_last)
        return GB_OK;
    return e->n_folds > 0 ? find_own_of_folds(e->model, r, out, n, err) : find_own_of_draws(e->model, r, out, n, err);
}

static void clear_own(own_parameter *own, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        free(own[i].title);
    gb_free(own);
}

/* ---- as a table ------------------------------------------------------------------------------------ */

static gb_status add_columns(cli_table *table, const effects *e, bool per_fold, gb_error *err)
{
    static const char *const name[] = {"field",  "output", "kind",       "feature",   "mean",    "sd",   "q05",
                                       "median", "q95",    "p_positive", "shrinkage", "n_draws", "words"};
    gb_status st = GB_OK;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        CLI_TRY(cli_table_column(table, "", name[i], err));
    if (has_reliability(e))
        CLI_TRY(cli_table_column(table, "", "reliability", err));
    if (e->n_folds > 0)
        CLI_TRY(cli_table_column(table, "", "n_folds", err));
    if (e->n_folds > 0)
        CLI_TRY(cli_table_column(table, "", "between_sd", err));
    if (per_fold)
        CLI_TRY(cli_table_column(table, "", "fold", err));
done:
    return st;
}

static void put_text(cli_table *table, const char *text)
{
    cli_table_text(table, text, strlen(text));
}

/* One row of the table. */
typedef struct table_row {
    uint64_t output;
    const char *kind, *feature, *words;
    gb_effect posterior;
    double reliability, between;
    uint64_t n_folds, fold; /* fold: 0 of all together, else its number */
} table_row;

static void write_row(cli_table *table, const effects *e, bool per_fold, const table_row *row)
{
    const gb_effect *p = &row->posterior;
    put_text(table, gb_model_field(e->model, cli_response_of(e->model, row->output)));
    put_text(table, gb_model_output(e->model, row->output));
    put_text(table, row->kind);
    put_text(table, row->feature);
    cli_table_real(table, p->mean);
    cli_table_real(table, p->sd);
    cli_table_real(table, p->q05);
    cli_table_real(table, p->median);
    cli_table_real(table, p->q95);
    cli_table_real(table, p->p_positive);
    cli_table_real(table, p->shrinkage);
    cli_table_count(table, p->n_draws);
    put_text(table, row->words);
    if (has_reliability(e))
        cli_table_real(table, row->reliability);
    if (e->n_folds > 0)
        cli_table_count(table, row->n_folds);
    if (e->n_folds > 0)
        cli_table_real(table, row->between);
    if (per_fold)
        cli_table_real(table, row->fold == 0 ? NAN : (double)row->fold);
}

static void write_effect(cli_table *table, const effects *e, bool per_fold, uint64_t output, const effect *of)
{
    char number[24];
    write_row(table, e, per_fold,
              &(table_row){.output = output,
                           .kind = kind_of(e, of->feature),
                           .feature = name_of(e, of->feature, sizeof number, number),
                           .words = of->feature < e->n_topics ? e->words[of->feature] : "",
                           .posterior = of->posterior,
                           .reliability = of->reliability,
                           .between = of->between,
                           .n_folds = of->n_folds});
}

static gb_status write_own(cli_table *table, const effects *e, bool per_fold, uint64_t output, gb_error *err)
{
    uint64_t n;
    own_parameter *own;
    const gb_status st = find_own(e, output, &own, &n, err);
    for (uint64_t i = 0; st == GB_OK && i < n; i++)
        write_row(table, e, per_fold,
                  &(table_row){.output = output,
                               .kind = "parameter",
                               .feature = own[i].name,
                               .words = "",
                               .posterior = own[i].posterior,
                               .reliability = NAN,
                               .between = own[i].between,
                               .n_folds = own[i].n_folds});
    clear_own(own, n);
    return st;
}

/* A topic of a fold has its number in the model, or, if the model does not have it, "FOLD/NUMBER". */
static void name_fold_topic(const effects *e, uint64_t fold, uint64_t topic, size_t size, char out[static size])
{
    const uint64_t ours = gb_model_fold_topic(e->model, fold, topic);
    if (ours != UINT64_MAX)
        (void)snprintf(out, size, "%" PRIu64, ours + 1);
    else
        (void)snprintf(out, size, "%" PRIu64 "/%" PRIu64, fold + 1, topic + 1);
}

static gb_status write_fold_row(cli_table *table, effects *e, uint64_t output, uint64_t fold, uint64_t feature,
                                gb_error *err)
{
    gb_status st = GB_OK;
    char number[48], *words = NULL;
    const char *name = number;
    const bool is_topic = feature < e->n_topics;
    if (is_topic) {
        name_fold_topic(e, fold, feature, sizeof number, number);
        const uint64_t n = gb_model_fold_topic_words(e->model, fold, feature, e->n_words, e->word);
        CLI_TRY(cli_join_words(e->model, e->word, n, &words, err));
    } else
        name = name_of(e, feature, sizeof number, number);
    write_row(table, e, true,
              &(table_row){.output = output,
                           .kind = kind_of(e, feature),
                           .feature = name,
                           .words = is_topic ? words : "",
                           .posterior = e->cross[feature].posterior,
                           .reliability = e->cross[feature].reliability,
                           .between = NAN,
                           .n_folds = e->cross[feature].n_folds,
                           .fold = fold + 1});
done:
    gb_free(words);
    return st;
}

static gb_status write_folds(cli_table *table, effects *e, uint64_t output, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t f = 0; f < e->n_folds; f++) {
        CLI_TRY(gb_model_fold_effects(e->model, f, output, e->cross, err));
        for (uint64_t j = 0; j < gb_model_n_effects(e->model, output); j++)
            CLI_TRY(write_fold_row(table, e, output, f, j, err));
    }
done:
    return st;
}

static gb_status write_table(const cli_call *call, effects *e, gb_error *err)
{
    cli_table *table = NULL;
    uint64_t n;
    gb_status st;
    const bool per_fold = cli_flag(call, "per-fold");
    CLI_TRY(cli_table_open(&table, cli_text(call, "output"), cli_flag(call, "force"), cli_text(call, "table"), err));
    CLI_TRY(add_columns(table, e, per_fold, err));
    for (uint64_t l = 0; l < gb_model_n_outputs(e->model); l++) {
        CLI_TRY(find_effects(e, l, &n, err));
        for (uint64_t j = 0; j < n; j++)
            write_effect(table, e, per_fold, l, &e->effect[j]);
        CLI_TRY(write_own(table, e, per_fold, l, err));
        if (per_fold)
            CLI_TRY(write_folds(table, e, l, err));
    }
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

/* ---- as text --------------------------------------------------------------------------------------- */

/* How clear an effect is: |mean| / sd; without any sd, as of one draw, its size.  What no fold has comes last. */
static double clearness(const effect *e)
{
    const double size = fabs(e->posterior.mean);
    if (isnan(size))
        return -1;
    return isnan(e->posterior.sd) || size == 0 ? size : size / e->posterior.sd;
}

static int clearest_first(const void *a, const void *b)
{
    const effect *x = a, *y = b;
    const double p = clearness(x), q = clearness(y);
    return p != q ? (p < q) - (p > q) : (x->feature > y->feature) - (x->feature < y->feature);
}

static const char average_title[] = "average document";

static const char *title_of(const effects *e, uint64_t feature, size_t size, char buffer[static size])
{
    if (feature >= e->n_topics + e->n_columns)
        return average_title;
    if (feature >= e->n_topics)
        return gb_model_column(e->model, feature - e->n_topics);
    (void)snprintf(buffer, size, "topic %" PRIu64, feature + 1);
    return buffer;
}

static size_t widest_title(const effects *e, uint64_t n)
{
    char buffer[32];
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

static void print_numbers(FILE *f, const effects *e, const char *title, const gb_effect *p, size_t width)
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

static void print_row(FILE *f, const effects *e, const effect *row, size_t width)
{
    char buffer[32];
    print_numbers(f, e, title_of(e, row->feature, sizeof buffer, buffer), &row->posterior, width);
    if (has_reliability(e) && row->feature < e->n_topics)
        (void)(isnan(row->reliability) ? fprintf(f, "  %11s", "-") : fprintf(f, "  %11.2f", row->reliability));
    if (row->feature < e->n_topics)
        (void)fprintf(f, "  %s", e->words[row->feature]);
    if (row->n_folds < e->n_folds)
        (void)fprintf(f, "  (%" PRIu64 " of %" PRIu64 " folds)", row->n_folds, e->n_folds);
    if (row->posterior.n_unused > 0)
        (void)fprintf(f, "  (%" PRIu64 " of %" PRIu64 " draws)", row->posterior.n_draws,
                      row->posterior.n_draws + row->posterior.n_unused);
    (void)fputc('\n', f);
}

static void print_heading(FILE *f, const effects *e, uint64_t output, size_t width)
{
    const uint64_t r = cli_response_of(e->model, output);
    (void)fputs(gb_model_field(e->model, r), f);
    if (gb_model_has_class_scores(e->model, r))
        (void)fprintf(f, "=%s", gb_model_output(e->model, output));
    (void)fprintf(f, " (%s)\n  ",
                  e->n_folds > 0 ? gb_model_cross_response(e->model, r) : gb_model_response(e->model, r));
    print_padded(f, "feature", width);
    (void)fprintf(f, " %10s %10s %10s %10s %10s  %6s%s%s  words\n", "mean", "sd", "5%", "median", "95%", "P(>0)",
                  e->has_shrinkage ? "  shrunk" : "", has_reliability(e) ? "  reliability" : "");
}

/* The clearest n_rows, the constant, and the own parameters. */
static void print_output(FILE *f, effects *e, uint64_t output, uint64_t n, uint64_t n_rows, uint64_t n_own,
                         const own_parameter *own)
{
    const uint64_t n_named = e->n_topics + e->n_columns;
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

static gb_status print_outputs(const cli_call *call, effects *e, FILE *stream, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t n;
    for (uint64_t l = 0; l < gb_model_n_outputs(e->model); l++) {
        CLI_TRY(find_effects(e, l, &n, err));
        if (l > 0)
            (void)fputc('\n', stream);
        own_parameter *own;
        uint64_t n_own;
        st = find_own(e, l, &own, &n_own, err);
        if (st == GB_OK)
            print_output(stream, e, l, n, (uint64_t)cli_int(call, "rows"), n_own, own);
        clear_own(own, n_own);
        if (st != GB_OK)
            return st;
    }
done:
    return st;
}

static gb_status write_text(const cli_call *call, effects *e, parts shown, gb_error *err)
{
    gb_out_file *output = NULL;
    gb_status st;
    CLI_TRY(gb_out_file_open(&output, cli_text(call, "output"), cli_flag(call, "force"), err));
    FILE *stream = gb_out_file_stream(output);
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
    st = gb_out_file_commit(output, err);
    output = NULL;
done:
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
static gb_status note_topics(const cli_call *call, effects *e, gb_error *err)
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
static gb_status note_folds(const cli_call *call, effects *e, gb_error *err)
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
    *out = (parts){.contrasts = cli_asks_for_contrasts(call, model)};
    if (out->contrasts)
        return cli_check_contrasts(call, model, err);
    gb_status st = cli_check_groups(call, model, err);
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
static gb_status write(const cli_call *call, effects *e, parts shown, gb_error *err)
{
    if (!cli_is_set(call, "table"))
        return write_text(call, e, shown, err);
    return shown.contrasts ? cli_write_contrasts(call, e->model, err)
           : shown.groups  ? cli_write_groups(call, e->model, err)
                           : write_table(call, e, err);
}

static void note_old_shares(const cli_call *call, const gb_model *model)
{
    if (!gb_model_has_mean_shares(model))
        cli_note(call,
                 "%s is from an earlier version, which did not keep the mean shares of topics: the average document "
                 "has the shares of the training tokens instead; train again for the mean over documents",
                 cli_text(call, "model"));
}

static gb_status note(const cli_call *call, effects *e, parts shown, gb_error *err)
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
    effects e = {0};
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
    CLI_TRY(effects_make(&e, model, estimate,
                         cli_is_set(call, "words") ? (uint64_t)cli_int(call, "words") : DEFAULT_WORDS, err));
    if (estimate != NULL)
        cli_note_estimate(call, model, estimate);
    CLI_TRY(write(call, &e, shown, err));
    CLI_TRY(note(call, &e, shown, err));
done:
    effects_clear(&e);
    gb_estimate_free(estimate);
    gb_model_free(model);
    return st;
}
