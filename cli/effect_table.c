/* cli/effect_table.c - effects as a table, pooled and of each fold. */
#include "effect_rows.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *kind_of(const cli_effect_rows *e, uint64_t feature)
{
    const uint64_t end = e->n_topics + e->n_columns, first_word = end - gb_model_n_word_columns(e->model),
                   first_of_embedding = first_word - gb_model_n_embedding_columns(e->model);
    return feature < e->n_topics          ? "topic"
           : feature < first_of_embedding ? "covariate"
           : feature < first_word         ? "embedding"
           : feature < end                ? "word"
                                          : "intercept";
}

/* Number of a topic or of those of a union, name of a column, or "" for the constant. */
static const char *name_of(const cli_effect_rows *e, uint64_t feature)
{
    if (feature >= e->n_topics + e->n_columns)
        return "";
    if (feature >= e->n_topics)
        return gb_model_column(e->model, feature - e->n_topics);
    return e->title[feature];
}

static gb_status add_columns(cli_table *table, const cli_effect_rows *e, bool per_fold, gb_error *err)
{
    static const char *const name[] = {"field",  "output", "kind",       "feature",   "mean",    "sd",   "q05",
                                       "median", "q95",    "p_positive", "shrinkage", "n_draws", "words"};
    gb_status st = GB_OK;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        CLI_TRY(cli_table_column(table, "", name[i], err));
    if (gb_model_has_topic_names(e->trained))
        CLI_TRY(cli_table_column(table, "", "topic_name", err));
    if (cli_has_reliability(e))
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
    const char *kind, *feature, *words, *topic_name; /* topic_name: NULL for what is no topic */
    gb_effect posterior;
    double reliability, between;
    uint64_t n_folds, fold; /* fold: 0 of all together, else its number */
} table_row;

static void write_row(cli_table *table, const cli_effect_rows *e, bool per_fold, const table_row *row)
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
    if (gb_model_has_topic_names(e->trained))
        put_text(table, row->topic_name == NULL ? "" : row->topic_name);
    if (cli_has_reliability(e))
        cli_table_real(table, row->reliability);
    if (e->n_folds > 0)
        cli_table_count(table, row->n_folds);
    if (e->n_folds > 0)
        cli_table_real(table, row->between);
    if (per_fold)
        cli_table_real(table, row->fold == 0 ? NAN : (double)row->fold);
}

static void write_effect(cli_table *table, const cli_effect_rows *e, bool per_fold, uint64_t output,
                         const cli_effect_row *of)
{
    write_row(table, e, per_fold,
              &(table_row){.output = output,
                           .kind = kind_of(e, of->feature),
                           .feature = name_of(e, of->feature),
                           .words = of->feature < e->n_topics ? e->words[of->feature] : "",
                           .topic_name = of->feature < e->n_topics ? cli_name_of_topic(e, of->feature) : "",
                           .posterior = of->posterior,
                           .reliability = of->reliability,
                           .between = of->between,
                           .n_folds = of->n_folds});
}

static gb_status write_own(cli_table *table, const cli_effect_rows *e, bool per_fold, uint64_t output, gb_error *err)
{
    uint64_t n;
    cli_own_parameter *own;
    const gb_status st = cli_find_own(e, output, &own, &n, err);
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
    cli_clear_own(own, n);
    return st;
}

static gb_status write_blocks(cli_table *table, const cli_effect_rows *e, uint64_t output, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t b = 0; b < cli_n_blocks(e); b++) {
        table_row row = {.output = output,
                         .kind = "variance",
                         .feature = gb_model_block(e->model, b),
                         .words = "",
                         .reliability = NAN,
                         .between = NAN};
        CLI_TRY(gb_model_block_share(e->model, output, b, &row.posterior, err));
        write_row(table, e, false, &row);
    }
done:
    return st;
}

/* A topic of a fold has its number in the model, or, if the model does not have it, "FOLD/NUMBER". */
static void name_fold_topic(const cli_effect_rows *e, uint64_t fold, uint64_t topic, size_t size,
                            char out[static size])
{
    const uint64_t ours = gb_model_fold_topic(e->model, fold, topic);
    if (ours != UINT64_MAX)
        (void)snprintf(out, size, "%" PRIu64, ours + 1);
    else
        (void)snprintf(out, size, "%" PRIu64 "/%" PRIu64, fold + 1, topic + 1);
}

static gb_status write_fold_row(cli_table *table, cli_effect_rows *e, uint64_t output, uint64_t fold,
                                uint64_t feature, gb_error *err)
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
        name = name_of(e, feature);
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

static gb_status write_folds(cli_table *table, cli_effect_rows *e, uint64_t output, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t f = 0; f < e->n_folds; f++) {
        CLI_TRY(gb_model_fold_effects(e->model, f, output, e->cross, err));
        for (uint64_t j = 0; j < gb_model_n_effects(e->model, output); j++)
            if (strcmp(kind_of(e, j), "word") != 0) /* words are pooled only */
                CLI_TRY(write_fold_row(table, e, output, f, j, err));
    }
done:
    return st;
}

gb_status cli_write_effects(const cli_call *call, cli_effect_rows *e, gb_error *err)
{
    cli_table *table = NULL;
    uint64_t n;
    gb_status st;
    const bool per_fold = cli_flag(call, "per-fold");
    CLI_TRY(cli_table_open(&table, cli_text(call, "output"), cli_flag(call, "force"), cli_text(call, "table"), err));
    CLI_TRY(add_columns(table, e, per_fold, err));
    for (uint64_t l = 0; l < gb_model_n_outputs(e->model); l++) {
        CLI_TRY(cli_find_effects(e, l, &n, err));
        for (uint64_t j = 0; j < n; j++)
            write_effect(table, e, per_fold, l, &e->effect[j]);
        CLI_TRY(write_own(table, e, per_fold, l, err));
        CLI_TRY(write_blocks(table, e, l, err));
        if (per_fold)
            CLI_TRY(write_folds(table, e, l, err));
    }
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}
