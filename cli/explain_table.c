/* cli/explain_table.c - explained scores as tables: the parts, the words, the words of topics, or the nearest documents. */
#include "explain.h"

#include <math.h>
#include <string.h>

static const char *const columns[][12] = {
    {"parts", "id", "field", "class", "score", "kind", "name", "share", "part", "words", NULL},
    {"words", "id", "field", "class", "score", "word", "count", "topic", "topics", "coefficient", "part", NULL},
    {"topic-words", "id", "field", "class", "topic", "word", "part", NULL},
    {"nearest", "id", "rank", "nearest", "affinity", NULL}};

gb_status cli_add_explain_columns(const cli_call *call, bool has_names, cli_table *table, gb_error *err)
{
    gb_status st = GB_OK;
    const char *kind = cli_text(call, "table-of");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        for (size_t j = 1; strcmp(columns[i][0], kind) == 0 && columns[i][j] != NULL && st == GB_OK; j++)
            st = cli_table_column(table, "", columns[i][j], err);
    if (st == GB_OK && strcmp(kind, "words") == 0)
        st = cli_table_column(table, "", "without", err);
    if (st == GB_OK && has_names && strcmp(kind, "nearest") != 0)
        st = cli_table_column(table, "", "topic_name", err);
    return st;
}

static void put(cli_table *table, const char *text)
{
    cli_table_text(table, text, strlen(text));
}

/* The last column. */
static void put_name(const cli_explained *x, uint64_t at, uint64_t topic, cli_table *table)
{
    if (gb_model_has_topic_names(x->model))
        put(table, cli_name_of_explained_topic(x, x->e->output[at], topic));
}

/* The first columns: which score this is. */
static void put_score(const cli_explained *x, uint64_t at, bool with_value, cli_table *table)
{
    const gb_explanation *e = x->e;
    const uint64_t output = e->output[at], r = cli_response_of(x->model, output);
    const cli_view id = cli_id(x->docs, at / e->n_explained);
    cli_table_text(table, id.bytes, id.length);
    put(table, gb_model_field(x->model, r));
    put(table, gb_model_has_class_scores(x->model, r) ? gb_model_output(x->model, output) : "");
    if (with_value)
        cli_table_real(table, e->centre[at] + e->scale[at] * e->score[at]);
}

/* ---- parts ---- */

static gb_status put_words(const cli_explained *x, uint64_t at, const cli_part *part, cli_explained_word *word,
                           cli_table *table, gb_error *err)
{
    gb_status st;
    cli_view *item = NULL;
    uint64_t n = cli_list_words(x, at, part, word);
    const uint64_t most = cli_is_set(x->call, "words") ? (uint64_t)cli_int(x->call, "words") : 5;
    n = n < most ? n : most;
    CLI_TRY(cli_alloc(&item, n, sizeof *item, "a row", err));
    for (uint64_t i = 0; i < n; i++) {
        const char *name = gb_model_word(x->model, x->e->word[word[i].at / x->e->n_explained]);
        item[i] = (cli_view){name, strlen(name)};
    }
    cli_table_list(table, n, item);
done:
    gb_free(item);
    return st;
}

static gb_status write_part(const cli_explained *x, uint64_t at, const cli_part *part, cli_explained_word *word,
                            cli_table *table, gb_error *err)
{
    const gb_explanation *e = x->e;
    const char *name = "";
    put_score(x, at, true, table);
    put(table, cli_part_name(part->kind));
    if (part->kind == CLI_PART_COVARIATE)
        (void)gb_model_needed_field(x->model, part->number, &name, NULL, NULL);
    if (part->kind == CLI_PART_TOPIC)
        put(table, x->title[part->number]);
    else
        put(table, name);
    cli_table_real(table, part->kind <= CLI_PART_OTHER_TOPICS ? e->share[at * (e->n_topics + 1) + part->number]
                                                              : (double)NAN);
    cli_table_real(table, e->scale[at] * part->value);
    const gb_status st = put_words(x, at, part, word, table, err);
    put_name(x, at, part->kind == CLI_PART_TOPIC ? part->number : e->n_topics, table);
    return st;
}

/* A row of its own for what is not a part of the document. */
static void write_total(const cli_explained *x, uint64_t at, const char *kind, double value, cli_table *table)
{
    put_score(x, at, true, table);
    put(table, kind);
    put(table, "");
    cli_table_real(table, (double)NAN);
    cli_table_real(table, x->e->centre[at] + x->e->scale[at] * value);
    cli_table_list(table, 0, NULL);
    put_name(x, at, x->e->n_topics, table);
}

static gb_status write_parts(const cli_explained *x, uint64_t at, cli_part *part, cli_explained_word *word,
                             cli_table *table, gb_error *err)
{
    gb_status st = GB_OK;
    write_total(x, at, "average", x->e->average[at], table);
    const uint64_t n = cli_list_parts(x, at, part);
    for (uint64_t i = 0; st == GB_OK && i < n; i++)
        if (part[i].kind != CLI_PART_OTHER_TOPICS || part[i].value != 0)
            st = write_part(x, at, &part[i], word, table, err);
    return st;
}

/* ---- words ---- */

static void write_words(const cli_explained *x, uint64_t at, cli_explained_word *word, cli_table *table)
{
    const gb_explanation *e = x->e;
    const uint64_t n = cli_list_words(x, at, NULL, word);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t w = word[i].at / e->n_explained, topic = cli_topic_of_word(x, word[i].at);
        put_score(x, at, true, table);
        put(table, gb_model_word(x->model, e->word[w]));
        cli_table_count(table, e->word_count[w]);
        put(table, topic < e->n_topics ? x->title[topic] : "");
        cli_table_real(table, e->scale[at] * (word[i].value - e->word_effect[word[i].at]));
        cli_table_real(table, e->scale[at] * e->word_effect[word[i].at]);
        cli_table_real(table, e->scale[at] * word[i].value);
        cli_table_real(table, e->centre[at] + e->scale[at] * e->without[word[i].at]);
        put_name(x, at, topic, table);
    }
}

static void write_topic_words(const cli_explained *x, uint64_t at, cli_part *part, cli_explained_word *word,
                              cli_table *table)
{
    const uint64_t n_parts = cli_list_parts(x, at, part);
    for (uint64_t i = 0; i < n_parts; i++) {
        const uint64_t n = part[i].kind == CLI_PART_TOPIC ? cli_list_words(x, at, &part[i], word) : 0;
        for (uint64_t w = 0; w < n; w++) {
            put_score(x, at, false, table);
            put(table, x->title[part[i].number]);
            put(table, gb_model_word(x->model, x->e->word[word[w].at / x->e->n_explained]));
            cli_table_real(table, x->e->scale[at] * word[w].value);
            put_name(x, at, part[i].number, table);
        }
    }
}

/* ---- all ---- */

static void write_nearest(const cli_explained *x, cli_table *table)
{
    const cli_neighbours *n = x->neighbours;
    for (uint64_t d = 0; d < x->e->n_docs; d++)
        for (uint64_t i = 0; i < n->n_best; i++) {
            const cli_view id = cli_id(x->docs, d);
            cli_table_text(table, id.bytes, id.length);
            cli_table_count(table, i + 1);
            put(table, n->id[n->best[d * n->n_best + i]]);
            cli_table_real(table, n->affinity[d * n->n_best + i]);
        }
}

gb_status cli_write_explained(const cli_explained *x, cli_table *table, gb_error *err)
{
    gb_status st;
    cli_part *part = NULL;
    cli_explained_word *word = NULL;
    const char *kind = cli_text(x->call, "table-of");
    CLI_TRY(cli_alloc(&part, cli_n_parts(x), sizeof *part, "a row", err));
    CLI_TRY(cli_alloc(&word, cli_most_words(x->e), sizeof *word, "a row", err));
    if (strcmp(kind, "nearest") == 0) {
        write_nearest(x, table);
        goto done;
    }
    for (uint64_t at = 0; at < x->e->n_docs * x->e->n_explained; at++) {
        if (strcmp(kind, "words") == 0)
            write_words(x, at, word, table);
        else if (strcmp(kind, "topic-words") == 0)
            write_topic_words(x, at, part, word, table);
        else
            CLI_TRY(write_parts(x, at, part, word, table, err));
    }
done:
    gb_free(part);
    gb_free(word);
    return st;
}
