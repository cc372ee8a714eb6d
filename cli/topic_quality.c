/* cli/topic_quality.c - exclusivity, coherence and diversity of a model's topics. */
#include "topic_quality.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "corpus/data/corpus.h"
#include "evaluation/coherence.h"
#include "evaluation/topic_quality.h"

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
    t->n_topics = model->n_topics;
    t->n_top = (size_t)call->settings->coherence_words;
    if (t->n_top > model->n_words)
        t->n_top = (size_t)model->n_words;
    GB_TRY(gb_alloc(&t->word, t->n_topics * t->n_top, sizeof *t->word, "the top words", err));
    GB_TRY(gb_alloc(&t->probability, t->n_topics * t->n_top, sizeof *t->probability, "the top words", err));
    GB_TRY(gb_model_words_of_topics(model, 0, t->n_top, t->word, t->probability, &n_found, err));
done:
    return st;
}

/* ---- coherence ------------------------------------------------------------------------------------- */

static gb_status count(const cli_call *call, const gb_model *model, gb_coherence *c, gb_error *err)
{
    gb_status st;
    const gb_settings *s = call->settings;
    const size_t n_threads = s->threads > 0 ? (size_t)s->threads : gb_available_threads();
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    GB_TRY(cli_input(gb_documents_open(model, s->reference, s, &documents, err), err));
    for (;;) {
        GB_TRY(cli_input(gb_documents_next(documents, BATCH_DOCS, &docs, &n_unknown, err), err));
        if (docs == NULL)
            break;
        GB_TRY(gb_coherence_add(c, docs, n_threads, err));
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
    GB_TRY(gb_coherence_create(&c, model->n_words, t->n_topics, t->n_top, t->word,
                               (size_t)call->settings->coherence_window, err));
    GB_TRY(count(call, model, c, err));
    *n_docs = gb_coherence_n_docs(c);
    if (*n_docs == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no document has a word that the model knows", call->settings->reference);
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
        return gb_fail_memory(err, 0, "the topics");
    (void)fprintf(f, "top %zu word%s of each topic: diversity %.3f, mean", t->n_top, cli_plural(t->n_top), diversity);
    for (size_t i = 0; i < q->n_scores; i++) {
        const double average = mean(t->n_topics, q->score[i]);
        (void)fprintf(f, "%s %s ", i == 0 ? "" : ",", cli_topic_score_name[i]);
        (void)(isnan(average) ? fputs("-", f) : fprintf(f, "%.3f", average));
    }
    if (q->n_scores > 1)
        (void)fprintf(f, " in %" PRIu64 " document%s of %s", n_docs, cli_plural(n_docs), call->settings->reference);
    return fclose(f) == 0 ? GB_OK : gb_fail_memory(err, size, "the topics");
}

static gb_status refuse_idle_options(const gb_settings *s, gb_error *err)
{
    static const char *const names[] = {"coherence-window", "format", "text"};
    for (size_t i = 0; *s->reference == '\0' && *s->config == '\0' && i < sizeof names / sizeof names[0]; i++)
        if (gb_settings_is_set(s, names[i]))
            return gb_fail(err, GB_EARGUMENT, "--%s needs documents to count in: --reference FILE", names[i]);
    return GB_OK;
}

gb_status cli_topic_quality_find(const cli_call *call, const gb_model *model, cli_topic_quality *out, gb_error *err)
{
    gb_status st;
    top_words t = {0};
    double diversity;
    uint64_t n_docs = 0;
    *out = (cli_topic_quality){.n_scores = *call->settings->reference == '\0' ? 1 : CLI_N_TOPIC_SCORES};
    GB_TRY(refuse_idle_options(call->settings, err));
    GB_TRY(find_words(call, model, &t, err));
    for (size_t i = 0; i < out->n_scores; i++)
        GB_TRY(gb_alloc(&out->score[i], t.n_topics, sizeof *out->score[i], "the topics", err));
    GB_TRY(gb_topic_exclusivity(model, t.n_top, t.word, t.probability, out->score[0], err));
    GB_TRY(gb_topic_diversity(model->n_words, t.n_topics, t.n_top, t.word, &diversity, err));
    if (out->n_scores > 1)
        GB_TRY(find_coherence(call, model, &t, out, &n_docs, err));
    GB_TRY(summarise(call, &t, diversity, n_docs, out, err));
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
