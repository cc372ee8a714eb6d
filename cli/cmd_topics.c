/* cli/cmd_topics.c - the words of each topic, how good they are, and the classes that it counts most for. */
#include "common.h"
#include "table.h"
#include "terminal.h"
#include "topic_correlations.h"
#include "topic_documents.h"
#include "topic_prompts.h"
#include "topic_quality.h"
#include "topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_CLASSES = 3, MOST_OF_NAME = 60 };

/* A class with the coefficient that a topic has in its score. */
typedef struct effect {
    const char *class;
    double coefficient, size;
} effect;

/* A row of the table. */
typedef struct topic {
    uint64_t number;
    char *title;                /* "3", or of a union "3+7" */
    uint64_t n_united, *united; /* the topics that count as this one, from 0 */
    double share;
    gb_effect mean_share;             /* where topics are united */
    const char *name;                 /* "" without one */
    char *words;                      /* separated by spaces */
    const cli_topic_quality *quality; /* NULL: not asked for */
    effect effect[MAX_CLASSES];
    size_t n_effects;
} topic;

/* What is shown beside the words. */
typedef struct beside {
    cli_topic_quality quality;
    cli_topic_documents documents;
} beside;

/* ---- one topic ------------------------------------------------------------------------------------- */

gb_status cli_join_words(const gb_model *model, const uint64_t *word, uint64_t n, char **out, gb_error *err)
{
    size_t length = 1;
    for (uint64_t i = 0; i < n; i++)
        length += strlen(gb_model_word(model, word[i])) + 1;
    gb_status st = cli_alloc(out, length, 1, "the words of a topic", err);
    char *at = *out;
    for (uint64_t i = 0; st == GB_OK && i < n; i++)
        at = stpcpy(stpcpy(at, i > 0 ? " " : ""), gb_model_word(model, word[i]));
    return st;
}

/* Insert into the few of largest size, which are kept in falling order; sizes that are not above 0 are left out. */
static void add_effect(topic *t, const char *class, double coefficient, double size)
{
    size_t i = t->n_effects;
    if (!(size > 0) || (i == MAX_CLASSES && size <= t->effect[i - 1].size))
        return;
    if (i < MAX_CLASSES)
        t->n_effects++;
    else
        i--;
    for (; i > 0 && t->effect[i - 1].size < size; i--)
        t->effect[i] = t->effect[i - 1];
    t->effect[i] = (effect){class, coefficient, size};
}

/* Of a union the mean, weighted by shares of the tokens. */
static double coefficient_of(const gb_model *model, uint64_t output, const topic *t)
{
    double sum = 0;
    if (t->n_united == 1 || !(t->share > 0))
        return gb_model_coefficient(model, output, t->united[0]);
    for (uint64_t i = 0; i < t->n_united; i++)
        sum += gb_model_topic_share(model, t->united[i]) * gb_model_coefficient(model, output, t->united[i]);
    return sum / t->share;
}

/* A large score means its class.  The one score of a binary task means class 1 if it is positive and class 0 if it is
 * negative; the score of a number or of levels means more of it or less.  Where each class has topics of its own, the topics
 * of the first class are shown. */
static void find_effects(const gb_model *model, topic *t)
{
    if (gb_model_is_one_vs_rest(model)) {
        const double coefficient = coefficient_of(model, 0, t);
        add_effect(t, gb_model_class(model, 0, 0), coefficient, fabs(coefficient));
        return;
    }
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++) {
        const uint64_t first = gb_model_first_output(model, r);
        const bool is_binary = gb_model_task(model, r) == GB_TASK_BINARY;
        for (uint64_t c = 0; c < gb_model_n_outputs_of(model, r); c++) {
            const double coefficient = coefficient_of(model, first + c, t);
            if (!gb_model_has_class_scores(model, r))
                add_effect(t, gb_model_field(model, r), coefficient, fabs(coefficient));
            else if (is_binary)
                add_effect(t, gb_model_class(model, r, coefficient > 0), fabs(coefficient), fabs(coefficient));
            else
                add_effect(t, gb_model_class(model, r, c), coefficient, coefficient);
        }
    }
}

static void clear_topic(topic *t)
{
    gb_free(t->words);
    gb_free(t->title);
    gb_free(t->united);
    *t = (topic){.quality = t->quality};
}

static gb_status find_topic(const gb_model *model, uint64_t k, uint64_t n_words, const uint64_t *word, topic *t,
                            gb_error *err)
{
    gb_status st;
    clear_topic(t);
    t->number = k + 1;
    t->name = gb_model_union_name(model, k);
    CLI_TRY(cli_alloc(&t->united, gb_model_n_topics(model), sizeof *t->united, "a topic", err));
    t->n_united = gb_model_topics_of_union(model, k, t->united);
    for (uint64_t i = 0; i < t->n_united; i++)
        t->share += gb_model_topic_share(model, t->united[i]);
    if (gb_model_has_topic_unions(model))
        CLI_TRY(gb_model_topics_share(model, t->n_united, t->united, &t->mean_share, err));
    find_effects(model, t);
    CLI_TRY(cli_union_title(model, k, &t->title, err));
    CLI_TRY(cli_join_words(model, word, n_words, &t->words, err));
done:
    return st;
}

/* ---- layouts --------------------------------------------------------------------------------------- */

static void print_score(FILE *stream, double score)
{
    if (isnan(score))
        (void)fprintf(stream, "  %6s", "-");
    else
        (void)fprintf(stream, "  %6.3f", score);
}

/* Scores are of the words of single topics. */
static double quality_of(const topic *t, size_t score)
{
    return t->n_united == 1 ? t->quality->score[score][t->number - 1] : NAN;
}

static void print_topic(FILE *stream, const topic *t)
{
    int indent = fprintf(stream, "%5s  %6.4f", t->title, t->share) + 2;
    for (size_t i = 0; t->quality != NULL && i < t->quality->n_scores; i++, indent += 8)
        print_score(stream, quality_of(t, i));
    (void)fputs("  ", stream);
    if (*t->name != '\0') {
        (void)cli_put_text(stream, t->name, strlen(t->name), MOST_OF_NAME);
        (void)fputs(": ", stream);
    }
    (void)fprintf(stream, "%s\n", t->words);
    for (size_t i = 0; i < t->n_effects; i++)
        (void)fprintf(stream, "%*s%s %+.2f", i == 0 ? indent : 0, i == 0 ? "" : ", ", t->effect[i].class,
                      t->effect[i].coefficient);
    if (t->n_effects > 0)
        (void)fputc('\n', stream);
    if (t->n_united > 1 && !isnan(t->mean_share.mean))
        (void)fprintf(stream, "%*smean share of a document %.4f (%.4f to %.4f)\n", indent, "", t->mean_share.mean,
                      t->mean_share.q05, t->mean_share.q95);
}

static gb_status write_documents(cli_table *table, const cli_topic_documents *documents, uint64_t k, gb_error *err)
{
    cli_view *id = NULL;
    if (documents->docs == NULL)
        return GB_OK;
    const gb_status st = cli_alloc(&id, documents->n_best, sizeof *id, "a table", err);
    if (st == GB_OK)
        cli_table_list(table, cli_list_topic_documents(documents, k, id), id);
    gb_free(id);
    return st;
}

static gb_status write_row(cli_table *table, const gb_model *model, const topic *t,
                           const cli_topic_documents *documents, gb_error *err)
{
    cli_view text[MAX_CLASSES] = {{0}};
    gb_status st = GB_OK;
    for (size_t i = 0; i < t->n_effects; i++) {
        char *cell = NULL;
        int length = asprintf(&cell, "%s %+.4g", t->effect[i].class, t->effect[i].coefficient);
        if (length < 0) {
            st = cli_no_memory("a table", err);
            goto done;
        }
        text[i] = (cli_view){cell, (size_t)length};
    }
    if (gb_model_has_topic_unions(model))
        cli_table_text(table, t->title, strlen(t->title));
    else
        cli_table_count(table, t->number);
    if (gb_model_has_topic_names(model))
        cli_table_text(table, t->name, strlen(t->name));
    cli_table_real(table, t->share);
    if (gb_model_has_topic_unions(model)) {
        cli_table_real(table, t->mean_share.mean);
        cli_table_real(table, t->mean_share.q05);
        cli_table_real(table, t->mean_share.q95);
    }
    for (size_t i = 0; i < t->quality->n_scores; i++)
        cli_table_real(table, quality_of(t, i));
    cli_table_text(table, t->words, strlen(t->words));
    if (gb_model_n_outputs(model) > 0)
        cli_table_list(table, t->n_effects, text);
    st = write_documents(table, documents, t->number - 1, err);
done:
    for (size_t i = 0; i < MAX_CLASSES; i++)
        free((void *)(uintptr_t)text[i].bytes);
    return st;
}

static gb_status add_columns(cli_table *table, const gb_model *model, const beside *b, gb_error *err)
{
    static const char *const mean_share[] = {"mean_share", "mean_share_q05", "mean_share_q95"};
    gb_status st;
    CLI_TRY(cli_table_column(table, "", "topic", err));
    if (gb_model_has_topic_names(model))
        CLI_TRY(cli_table_column(table, "", "name", err));
    CLI_TRY(cli_table_column(table, "", "share", err));
    for (size_t i = 0; gb_model_has_topic_unions(model) && i < sizeof mean_share / sizeof mean_share[0]; i++)
        CLI_TRY(cli_table_column(table, "", mean_share[i], err));
    for (size_t i = 0; i < b->quality.n_scores; i++)
        CLI_TRY(cli_table_column(table, "", cli_topic_score_name[i], err));
    CLI_TRY(cli_table_column(table, "", "words", err));
    if (gb_model_n_outputs(model) > 0)
        CLI_TRY(cli_table_column(table, "", "classes", err));
    if (b->documents.docs != NULL)
        CLI_TRY(cli_table_column(table, "", "documents", err));
done:
    return st;
}

/* ---- all topics ------------------------------------------------------------------------------------ */

/* NaN: the order's own. */
static double weight_of_order(const cli_call *call)
{
    return strcmp(cli_text(call, "by-weight"), "auto") == 0 ? (double)NAN : cli_real(call, "by-weight");
}

/* Words of all topics; `call` NULL: by probability. */
static gb_status find_words(const cli_call *call, const gb_model *model, uint64_t *n_words, uint64_t **word,
                            gb_error *err)
{
    gb_status st;
    double *probability = NULL;
    if (*n_words > gb_model_n_words(model))
        *n_words = gb_model_n_words(model);
    const uint64_t n = gb_model_n_topics(model) * *n_words;
    CLI_TRY(cli_alloc(word, n, sizeof **word, "the words of topics", err));
    CLI_TRY(cli_alloc(&probability, n, sizeof *probability, "the words of topics", err));
    const char *by = call == NULL ? "probability" : cli_text(call, "by");
    const double weight = call == NULL ? (double)NAN : weight_of_order(call);
    if (gb_model_has_topic_unions(model))
        st = gb_model_rank_union_words(model, by, weight, *n_words, *word, probability, n_words, err);
    else if (strcmp(by, "probability") == 0)
        st = gb_model_words_of_topics(model, 0, *n_words, *word, probability, n_words, err);
    else
        st = gb_model_rank_words(model, 0, by, weight, *n_words, *word, probability, n_words, err);
done:
    gb_free(probability);
    return st;
}

/* To a table, or as aligned text to a stream: the other of the two is NULL.  `b` may be NULL too. */
static gb_status write_topics(const cli_call *call, const gb_model *model, uint64_t n_words, const beside *b,
                              cli_table *table, FILE *stream, gb_error *err)
{
    uint64_t *word = NULL;
    topic t = {.quality = b == NULL ? NULL : &b->quality};
    gb_status st;
    CLI_TRY(find_words(call, model, &n_words, &word, err));
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        if (!cli_is_listed(model, k))
            continue;
        CLI_TRY(find_topic(model, k, n_words, word + k * n_words, &t, err));
        if (table != NULL)
            CLI_TRY(write_row(table, model, &t, &b->documents, err));
        else
            print_topic(stream, &t);
        if (table == NULL && b != NULL)
            cli_print_topic_documents(stream, &b->documents, k);
    }
done:
    clear_topic(&t);
    gb_free(word);
    return st;
}

gb_status cli_print_topics(FILE *stream, const gb_model *model, uint64_t n_words, gb_error *err)
{
    (void)fputs("topic   share  words\n", stream);
    return write_topics(NULL, model, n_words, NULL, NULL, stream, err);
}

static gb_status write_table(const cli_call *call, const gb_model *model, const beside *b, gb_error *err)
{
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(add_columns(table, model, b, err));
    CLI_TRY(write_topics(call, model, (uint64_t)cli_int(call, "words"), b, table, NULL, err));
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

static gb_status write_text(const cli_call *call, const gb_model *model, const beside *b, gb_error *err)
{
    gb_out_file *output = NULL;
    FILE *stream = NULL;
    gb_status st;
    CLI_TRY(gb_out_file_open(&output, cli_text(call, "output"), cli_flag(call, "force"), err));
    CLI_TRY(cli_clean_stream(gb_out_file_stream(output), &stream, err));
    (void)fputs("topic   share", stream);
    for (size_t i = 0; i < b->quality.n_scores; i++)
        (void)fprintf(stream, "  %6.6s", cli_topic_score_name[i]);
    (void)fputs("  words\n", stream);
    CLI_TRY(write_topics(call, model, (uint64_t)cli_int(call, "words"), b, NULL, stream, err));
    (void)fprintf(stream, "\n%s\n", b->quality.summary);
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

static gb_status refuse_idle_weight(const cli_call *call, gb_error *err)
{
    const char *by = cli_text(call, "by");
    if (isnan(weight_of_order(call)) || strcmp(by, "frex") == 0 || strcmp(by, "relevance") == 0)
        return GB_OK;
    return cli_fail(err, GB_EARGUMENT, "--by-weight goes with --by frex and --by relevance; this is --by %s", by);
}

/* The model with the names of --names in its place. */
static gb_status take_names(const cli_call *call, gb_model **model, gb_error *err)
{
    gb_model *named = NULL;
    if (*cli_text(call, "names") == '\0')
        return GB_OK;
    const gb_status st = cli_input(gb_model_read_topic_names(*model, cli_text(call, "names"), &named, err), err);
    if (st != GB_OK)
        return st;
    gb_model_free(*model);
    *model = named;
    return GB_OK;
}

static gb_status save_model(const cli_call *call, const gb_model *model, gb_error *err)
{
    const char *path = cli_text(call, "save-model");
    if (*path == '\0')
        return GB_OK;
    const gb_status st = gb_model_write(model, path, cli_flag(call, "force"), NULL, NULL, err);
    if (st == GB_OK)
        cli_note(call, "wrote %s (a model with %s)", path,
                 !cli_changes_unions(call)          ? "names of topics"
                 : *cli_text(call, "names") == '\0' ? "unions of topics"
                                                    : "names and unions of topics");
    return st;
}

/* Topics with their words, as text or as a table. */
static gb_status show_topics(const cli_call *call, const gb_model *model, gb_error *err)
{
    beside b = {0};
    gb_status st;
    CLI_TRY(cli_topic_quality_find(call, model, &b.quality, err));
    CLI_TRY(cli_topic_documents_find(call, model, CLI_PASSAGE_WORDS, &b.documents, err));
    if (cli_is_set(call, "table")) {
        CLI_TRY(write_table(call, model, &b, err));
        cli_note(call, "%s", b.quality.summary);
    } else {
        CLI_TRY(write_text(call, model, &b, err));
    }
    cli_note_left_out(call, model);
    if (!cli_to_stdout(cli_text(call, "output")))
        cli_note(call, "wrote %s (%" PRIu64 " topics)", cli_text(call, "output"), gb_model_n_topics(model));
done:
    cli_topic_quality_clear(&b.quality);
    cli_topic_documents_clear(&b.documents);
    return st;
}

static gb_status check_call(const cli_call *call, gb_error *err)
{
    if (call->n_arguments > 0 && *cli_text(call, "model") != '\0')
        return cli_fail(err, GB_EARGUMENT, "topics needs one model: an argument or --model, not both");
    if (*cli_text(call, "save-model") != '\0' && *cli_text(call, "names") == '\0' && !cli_changes_unions(call))
        return cli_fail(err, GB_EARGUMENT, "--save-model goes with --names, --merge, --drop and --topic-groups");
    gb_status st;
    CLI_TRY(cli_check_prompts(call, err));
    CLI_TRY(cli_check_correlations(call, err));
    CLI_TRY(refuse_idle_weight(call, err));
done:
    return st;
}

/* Of a call that writes two files: none is written where the other cannot be. */
static gb_status check_targets(const cli_call *call, gb_error *err)
{
    static const char *const options[] = {"save-model", "output", "prompts"};
    gb_status st = GB_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options && st == GB_OK; i++)
        if (!cli_to_stdout(cli_text(call, options[i])))
            st = cli_check_target(call, cli_text(call, options[i]), err);
    return st;
}

gb_status cli_topics(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    gb_status st;
    CLI_TRY(check_call(call, err));
    if (call->n_arguments > 0)
        CLI_TRY(gb_settings_set(call->settings, "model", call->argument[0], err));
    if (*cli_text(call, "save-model") != '\0')
        CLI_TRY(check_targets(call, err));
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(cli_unite_topics(call, &model, err));
    CLI_TRY(take_names(call, &model, err));
    CLI_TRY(save_model(call, model, err));
    st = *cli_text(call, "prompts") != '\0' ? cli_write_prompts(call, model, err)
         : cli_flag(call, "correlations")   ? cli_write_correlations(call, model, err)
                                            : show_topics(call, model, err);
done:
    gb_model_free(model);
    return st;
}
