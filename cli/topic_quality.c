/* cli/topic_quality.c - exclusivity, coherence and diversity of a model's topics. */
#include "topic_quality.h"
#include "progress.h"
#include "reading.h"

#include <inttypes.h>
#include <math.h>

enum { BATCH_DOCS = 4096 };

const char *const cli_topic_score_name[CLI_N_TOPIC_SCORES] = {"exclusivity", "umass", "npmi"};

/* The top words of all topics. */
typedef struct top_words {
    size_t n_topics, n_top;
    uint64_t *word;      /* n_topics x n_top */
    double *probability; /* n_topics x n_top */
} top_words;

static gb_status find_words(const cli_call *call, const gb_model *model, top_words *t, gb_error *err)
{
    gb_status st;
    uint64_t n_found;
    t->n_topics = gb_model_n_topics(model);
    t->n_top = (size_t)cli_int(call, "coherence-words");
    if (t->n_top > gb_model_n_words(model))
        t->n_top = (size_t)gb_model_n_words(model);
    CLI_TRY(cli_alloc(&t->word, t->n_topics * t->n_top, sizeof *t->word, "the top words", err));
    CLI_TRY(cli_alloc(&t->probability, t->n_topics * t->n_top, sizeof *t->probability, "the top words", err));
    CLI_TRY(gb_model_words_of_topics(model, 0, t->n_top, t->word, t->probability, &n_found, err));
done:
    return st;
}

/* ---- coherence ------------------------------------------------------------------------------------- */

static gb_status count(const cli_call *call, const gb_model *model, gb_coherence *c, gb_error *err)
{
    gb_status st;
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    cli_catch_signals();
    CLI_TRY(cli_input(
        gb_documents_open(model, cli_text(call, "reference"), call->settings, cli_on_read, NULL, &documents, err),
        err));
    for (;;) {
        CLI_TRY(cli_input(gb_documents_next(documents, BATCH_DOCS, &docs, &n_unknown, err), err));
        if (docs == NULL)
            break;
        CLI_TRY(gb_coherence_add(c, docs, (uint64_t)cli_int(call, "threads"), err));
        gb_corpus_free(docs);
        gb_free(n_unknown);
        docs = NULL;
        n_unknown = NULL;
    }
done:
    gb_corpus_free(docs);
    gb_free(n_unknown);
    gb_documents_close(documents);
    return st;
}

static gb_status find_coherence(const cli_call *call, const gb_model *model, const top_words *t,
                                cli_topic_quality *out, uint64_t *n_docs, gb_error *err)
{
    gb_status st;
    gb_coherence *c = NULL;
    CLI_TRY(gb_coherence_create(gb_model_n_words(model), t->n_topics, t->n_top, t->word,
                                (size_t)cli_int(call, "coherence-window"), &c, err));
    CLI_TRY(count(call, model, c, err));
    *n_docs = gb_coherence_n_docs(c);
    if (*n_docs == 0)
        st =
            cli_fail(err, GB_EFORMAT, "%s: no document has a word that the model knows", cli_text(call, "reference"));
    for (size_t k = 0; k < t->n_topics; k++) {
        out->score[1][k] = gb_coherence_umass(c, k);
        out->score[2][k] = gb_coherence_npmi(c, k);
    }
done:
    gb_coherence_free(c);
    return st;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

/* Of the topics that have the score. */
static double mean(size_t n, const double *x)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        sum += isnan(x[i]) ? 0 : x[i];
        count += isnan(x[i]) ? 0 : 1;
    }
    return sum / count;
}

static gb_status summarise(const cli_call *call, const top_words *t, double diversity, uint64_t n_docs,
                           cli_topic_quality *q, gb_error *err)
{
    size_t size;
    FILE *f = open_memstream(&q->summary, &size);
    if (f == NULL)
        return cli_no_memory("the topics", err);
    (void)fprintf(f, "top %zu word%s of each topic: diversity %.3f, mean", t->n_top, cli_plural(t->n_top), diversity);
    for (size_t i = 0; i < q->n_scores; i++) {
        const double average = mean(t->n_topics, q->score[i]);
        /* n_scores is no more than there are names.  NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
        (void)fprintf(f, "%s %s ", i == 0 ? "" : ",", cli_topic_score_name[i]);
        (void)(isnan(average) ? fputs("-", f) : fprintf(f, "%.3f", average));
    }
    if (q->n_scores > 1)
        (void)fprintf(f, " in %" PRIu64 " document%s of %s", n_docs, cli_plural(n_docs), cli_text(call, "reference"));
    /* a text that cannot be given back in its own length is lost, without an error */
    return fclose(f) == 0 && q->summary != NULL ? GB_OK : cli_no_memory("the topics", err);
}

static gb_status refuse_idle_options(const cli_call *call, gb_error *err)
{
    static const char *const names[] = {"coherence-window", "format", "text"};
    for (size_t i = 0; *cli_text(call, "reference") == '\0' && *cli_text(call, "config") == '\0' &&
                       i < sizeof names / sizeof names[0];
         i++)
        if (cli_is_set(call, names[i]))
            return cli_fail(err, GB_EARGUMENT, "--%s needs documents to count in: --reference FILE", names[i]);
    return GB_OK;
}

gb_status cli_topic_quality_find(const cli_call *call, const gb_model *model, cli_topic_quality *out, gb_error *err)
{
    gb_status st;
    top_words t = {0};
    double diversity;
    uint64_t n_docs = 0;
    *out = (cli_topic_quality){.n_scores = *cli_text(call, "reference") == '\0' ? 1 : CLI_N_TOPIC_SCORES};
    CLI_TRY(refuse_idle_options(call, err));
    CLI_TRY(find_words(call, model, &t, err));
    for (size_t i = 0; i < out->n_scores; i++)
        CLI_TRY(cli_alloc(&out->score[i], t.n_topics, sizeof *out->score[i], "the topics", err));
    CLI_TRY(gb_topic_exclusivity(model, t.n_top, t.word, t.probability, out->score[0], err));
    CLI_TRY(gb_topic_diversity(gb_model_n_words(model), t.n_topics, t.n_top, t.word, &diversity, err));
    if (out->n_scores > 1)
        CLI_TRY(find_coherence(call, model, &t, out, &n_docs, err));
    CLI_TRY(summarise(call, &t, diversity, n_docs, out, err));
done:
    gb_free(t.word);
    gb_free(t.probability);
    return st;
}

void cli_topic_quality_clear(cli_topic_quality *q)
{
    for (size_t i = 0; i < CLI_N_TOPIC_SCORES; i++)
        gb_free(q->score[i]);
    free(q->summary);
}
