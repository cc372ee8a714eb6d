/* cli/topic_correlations.c - which topics go together in documents. */
#include "topic_correlations.h"

#include "progress.h"
#include "table.h"
#include "terminal.h"
#include "topic_documents.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WORDS = 3, MOST_OF_NAME = 40 };

/* Topics a < b. */
typedef struct pair {
    uint64_t a, b;
    const gb_effect *correlation;
} pair;

typedef struct correlations {
    const gb_model *model;
    uint64_t n_topics, n_docs; /* n_docs: 0 for the covariance */
    gb_effect *effect;         /* n_topics x n_topics */
    char **words;              /* n_topics */
    uint64_t n;
    pair *pair; /* n */
} correlations;

static void clear(correlations *c)
{
    for (uint64_t k = 0; c->words != NULL && k < c->n_topics; k++)
        gb_free(c->words[k]);
    gb_free(c->words);
    gb_free(c->effect);
    gb_free(c->pair);
}

/* ---- finding ---- */

gb_status cli_check_correlations(const cli_call *call, gb_error *err)
{
    static const char *const others[] = {"reference", "documents-shown", "by", "by-weight"};
    if (!cli_flag(call, "correlations"))
        return cli_is_set(call, "rows") ? cli_fail(err, GB_EARGUMENT, "topics --rows goes with --correlations")
                                        : GB_OK;
    if (cli_is_set(call, "rows") && cli_is_set(call, "table"))
        return cli_fail(err, GB_EARGUMENT, "--rows cannot be used with --table, which has all rows");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (cli_is_set(call, others[i]))
            return cli_fail(err, GB_EARGUMENT, "--%s cannot be used with --correlations", others[i]);
    return GB_OK;
}

/* Before memory is taken for all pairs of topics. */
static gb_status check_source(const cli_call *call, const gb_model *model, gb_error *err)
{
    if (*cli_text(call, "documents-in") != '\0' || gb_model_has_topic_covariance(model))
        return GB_OK;
    return cli_fail(err, GB_EARGUMENT,
                    "%s has no covariance of topics, which --prior logistic-normal --covariance full would learn; "
                    "--documents-in FILE gives documents in whose shares to look",
                    cli_text(call, "model"));
}

/* Documents that are given come before a covariance.  Whether the model's file allows a table of all pairs is asked before there is one. */
static gb_status find_effects(const cli_call *call, correlations *c, gb_error *err)
{
    gb_status st;
    gb_corpus *docs = NULL;
    const uint64_t n = c->n_topics;
    if (*cli_text(call, "documents-in") != '\0') {
        CLI_TRY(cli_read_documents_in(call, c->model, &docs, err));
        CLI_TRY(gb_topic_correlations(c->model, docs, call->settings, NULL, NULL, NULL, err)); /* refuses */
    }
    CLI_TRY(cli_alloc(&c->effect, n * n, sizeof *c->effect, "correlations", err));
    CLI_TRY(cli_alloc(&c->pair, n * (n - 1) / 2, sizeof *c->pair, "correlations", err));
    if (docs == NULL) {
        CLI_TRY(gb_model_topic_correlations(c->model, c->effect, err));
    } else {
        c->n_docs = gb_corpus_n_docs(docs);
        CLI_TRY(gb_topic_correlations(c->model, docs, call->settings, cli_goes_on, NULL, c->effect, err));
    }
done:
    gb_corpus_free(docs);
    return st;
}

static gb_status find_words(const cli_call *call, correlations *c, gb_error *err)
{
    gb_status st;
    uint64_t *word = NULL, n = cli_is_set(call, "words") ? (uint64_t)cli_int(call, "words") : DEFAULT_WORDS;
    double *probability = NULL;
    n = n < gb_model_n_words(c->model) ? n : gb_model_n_words(c->model);
    CLI_TRY(cli_alloc(&word, c->n_topics * n, sizeof *word, "the words of topics", err));
    CLI_TRY(cli_alloc(&probability, c->n_topics * n, sizeof *probability, "the words of topics", err));
    CLI_TRY(gb_model_words_of_topics(c->model, 0, n, word, probability, &n, err));
    for (uint64_t k = 0; k < c->n_topics; k++)
        CLI_TRY(cli_join_words(c->model, word + k * n, n, &c->words[k], err));
done:
    gb_free(word);
    gb_free(probability);
    return st;
}

static gb_status find(const cli_call *call, correlations *c, gb_error *err)
{
    gb_status st;
    const uint64_t n = c->n_topics;
    CLI_TRY(check_source(call, c->model, err));
    CLI_TRY(cli_alloc(&c->words, n, sizeof *c->words, "the words of topics", err));
    CLI_TRY(find_effects(call, c, err));
    CLI_TRY(find_words(call, c, err));
    for (uint64_t a = 0; a < n; a++)
        for (uint64_t b = a + 1; b < n; b++)
            c->pair[c->n++] = (pair){a, b, &c->effect[a * n + b]};
done:
    return st;
}

/* ---- as text ---- */

/* Those that are known come before those that are not. */
static int largest_first(const void *x, const void *y)
{
    const pair *p = x, *q = y;
    const double a = isnan(p->correlation->mean) ? -1 : fabs(p->correlation->mean),
                 b = isnan(q->correlation->mean) ? -1 : fabs(q->correlation->mean);
    if (a != b)
        return (a < b) - (a > b);
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static void print_topic(FILE *f, const correlations *c, uint64_t topic)
{
    const char *name = gb_model_topic_name(c->model, topic);
    if (*name == '\0')
        (void)fputs(c->words[topic], f);
    else
        (void)cli_put_text(f, name, strlen(name), MOST_OF_NAME);
}

static void print_number(FILE *f, double value)
{
    (void)(isnan(value) ? fprintf(f, " %7s", "-") : fprintf(f, " %+7.3f", value));
}

static void print_pair(FILE *f, const correlations *c, const pair *p)
{
    const gb_effect *e = p->correlation;
    (void)fprintf(f, "%5" PRIu64 " %5" PRIu64, p->a + 1, p->b + 1);
    print_number(f, e->mean);
    (void)(isnan(e->sd) ? fprintf(f, " %7s", "-") : fprintf(f, " %7.3f", e->sd));
    print_number(f, e->q05);
    print_number(f, e->median);
    print_number(f, e->q95);
    (void)(isnan(e->p_positive) ? fprintf(f, " %6s", "-") : fprintf(f, " %6.2f", e->p_positive));
    (void)fputs("  ", f);
    print_topic(f, c, p->a);
    (void)fputs(" | ", f);
    print_topic(f, c, p->b);
    (void)fputc('\n', f);
}

static void print_heading(FILE *f, const cli_call *call, const correlations *c)
{
    const uint64_t n_draws = c->effect[0].n_draws + c->effect[0].n_unused;
    if (c->n_docs == 0)
        (void)fprintf(
            f, "correlations of log shares, by the covariance of the document prior, from %" PRIu64 " draw%s\n",
            c->effect[0].n_draws, cli_plural(c->effect[0].n_draws));
    else
        (void)fprintf(f,
                      "correlations of shares over the %" PRIu64 " document%s of %s, from %" PRIu64
                      " draw%s of their topics\n",
                      c->n_docs, cli_plural(c->n_docs), cli_text(call, "documents-in"), n_draws, cli_plural(n_draws));
    (void)fprintf(f, "if no topics went together they would be about %+.3f\n", -1 / (double)(c->n_topics - 1));
    (void)fprintf(f, "   topics  %7s %7s %7s %7s %7s %6s  words\n", "mean", "sd", "5%", "median", "95%", "P(>0)");
}

static gb_status write_text(const cli_call *call, correlations *c, gb_error *err)
{
    gb_out_file *output = NULL;
    uint64_t n = (uint64_t)cli_int(call, "rows");
    gb_status st = gb_out_file_open(&output, cli_text(call, "output"), cli_flag(call, "force"), err);
    if (st != GB_OK)
        return st;
    FILE *f = NULL;
    st = cli_clean_stream(gb_out_file_stream(output), &f, err);
    if (st != GB_OK) {
        gb_out_file_discard(output);
        return st;
    }
    n = n == 0 || n > c->n ? c->n : n;
    qsort(c->pair, c->n, sizeof *c->pair, largest_first);
    print_heading(f, call, c);
    for (uint64_t i = 0; i < n; i++)
        print_pair(f, c, &c->pair[i]);
    if (n < c->n)
        (void)fprintf(f, "... %" PRIu64 " more pairs, nearer to 0; --rows 0 shows all\n", c->n - n);
    (void)fclose(f);
    return gb_out_file_commit(output, err);
}

/* ---- as a table ---- */

static gb_status add_columns(cli_table *table, const correlations *c, gb_error *err)
{
    static const char *const column[] = {"topic", "with",       "mean",    "sd",     "q05",   "median",
                                         "q95",   "p_positive", "n_draws", "source", "words", "with_words"};
    gb_status st = GB_OK;
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++)
        CLI_TRY(cli_table_column(table, "", column[i], err));
    if (gb_model_has_topic_names(c->model)) {
        CLI_TRY(cli_table_column(table, "", "name", err));
        CLI_TRY(cli_table_column(table, "", "with_name", err));
    }
done:
    return st;
}

static void put_text(cli_table *table, const char *text)
{
    cli_table_text(table, text, strlen(text));
}

static void write_pair(cli_table *table, const correlations *c, const pair *p)
{
    const gb_effect *e = p->correlation;
    const double number[] = {e->mean, e->sd, e->q05, e->median, e->q95, e->p_positive};
    cli_table_count(table, p->a + 1);
    cli_table_count(table, p->b + 1);
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        cli_table_real(table, number[i]);
    cli_table_count(table, e->n_draws);
    put_text(table, c->n_docs == 0 ? "covariance" : "documents");
    put_text(table, c->words[p->a]);
    put_text(table, c->words[p->b]);
    if (gb_model_has_topic_names(c->model)) {
        put_text(table, gb_model_topic_name(c->model, p->a));
        put_text(table, gb_model_topic_name(c->model, p->b));
    }
}

static gb_status write_table(const cli_call *call, const correlations *c, gb_error *err)
{
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(add_columns(table, c, err));
    for (uint64_t i = 0; i < c->n; i++)
        write_pair(table, c, &c->pair[i]);
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

gb_status cli_write_correlations(const cli_call *call, const gb_model *model, gb_error *err)
{
    gb_status st;
    correlations c = {.model = model, .n_topics = gb_model_n_topics(model)};
    CLI_TRY(find(call, &c, err));
    CLI_TRY(cli_is_set(call, "table") ? write_table(call, &c, err) : write_text(call, &c, err));
    if (!cli_to_stdout(cli_text(call, "output")))
        cli_note(call, "wrote %s (%" PRIu64 " pairs of topics)", cli_text(call, "output"), c.n);
done:
    clear(&c);
    return st;
}
