/* apply/export_ldavis.c - the arguments of pyLDAvis.prepare() and LDAvis::createJSON(), as a JSON object. */
#include "apply/export.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/json_text.h"

#include <inttypes.h>

enum { DOCS_AT_A_TIME = 2048 };

static const char what[] = "shares of topics";

static void write_row(FILE *out, const double *value, size_t n)
{
    char text[GB_REAL_SIZE];
    for (size_t i = 0; i < n; i++) {
        gb_text_from_real(value[i], text);
        (void)fprintf(out, "%c%s", i == 0 ? '[' : ',', text);
    }
    (void)fputc(']', out);
}

static gb_status write_topics(const gb_export *e, gb_error *err)
{
    gb_status st;
    double *p = NULL;
    const size_t n_topics = e->model->n_topics, n_words = (size_t)e->model->n_words;
    GB_TRY(gb_model_check_table(e->model, n_topics, n_words, "the probabilities of words", err));
    GB_TRY(gb_alloc(&p, n_topics * n_words, sizeof *p, what, err));
    GB_TRY(gb_model_topic_distributions(e->model, 0, p, err));
    (void)fputs("{\"topic_term_dists\":[", e->out);
    for (size_t k = 0; k < n_topics; k++) {
        (void)fputs(k > 0 ? ",\n" : "\n", e->out);
        write_row(e->out, p + k * n_words, n_words);
    }
done:
    gb_free(p);
    return st;
}

static uint64_t length_of(const gb_export *e, uint64_t d)
{
    return e->docs->doc_start[d + 1] - e->docs->doc_start[d];
}

/* Documents without a known word have no share to show. */
static void write_batch(const gb_export *e, uint64_t first, uint64_t last, const double *share, bool *is_first)
{
    for (uint64_t d = first; d < last; d++) {
        if (length_of(e, d) == 0)
            continue;
        (void)fputs(*is_first ? "\n" : ",\n", e->out);
        *is_first = false;
        write_row(e->out, share + (d - first) * e->model->n_topics, e->model->n_topics);
    }
}

static gb_status write_shares(const gb_export *e, gb_error *err)
{
    gb_status st;
    gb_corpus *batch = NULL;
    double *share = NULL;
    bool is_first = true;
    GB_TRY(gb_alloc(&share, DOCS_AT_A_TIME * e->model->n_topics, sizeof *share, what, err));
    (void)fputs("],\n\"doc_topic_dists\":[", e->out);
    for (uint64_t first = 0, last; first < e->docs->n_docs; first = last) {
        last = first + DOCS_AT_A_TIME < e->docs->n_docs ? first + DOCS_AT_A_TIME : e->docs->n_docs;
        GB_TRY(gb_corpus_view_create(e->docs, first, last, &batch, err));
        GB_TRY(gb_infer(e->model, batch, first, e->settings, e->on_progress, e->user, share, err));
        write_batch(e, first, last, share, &is_first);
        gb_corpus_free(batch);
        batch = NULL;
    }
done:
    gb_corpus_free(batch);
    gb_free(share);
    return st;
}

static void write_lengths(const gb_export *e)
{
    const char *before = "";
    (void)fputs("],\n\"doc_lengths\":[", e->out);
    for (uint64_t d = 0; d < e->docs->n_docs; d++)
        if (length_of(e, d) > 0) {
            (void)fprintf(e->out, "%s%" PRIu64, before, length_of(e, d));
            before = ",";
        }
}

static gb_status write_words(const gb_export *e, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t *total = NULL;
    char *text = NULL;
    (void)fputs("],\n\"vocab\":[", e->out);
    for (uint64_t w = 0; w < e->model->n_words; w++) {
        json_t *word = json_string(gb_model_word(e->model, w));
        st = word == NULL ? gb_fail_memory(err, 0, "a word") : gb_json_text(word, JSON_ENCODE_ANY, &text, NULL, err);
        json_decref(word);
        if (st != GB_OK)
            return st;
        (void)fprintf(e->out, "%s%s", w > 0 ? "," : "", text);
        gb_free(text);
        text = NULL;
    }
    GB_TRY(gb_alloc(&total, e->model->n_words, sizeof *total, "counts of words", err));
    gb_corpus_count_words(e->docs, total);
    (void)fputs("],\n\"term_frequency\":[", e->out);
    for (uint64_t w = 0; w < e->model->n_words; w++)
        (void)fprintf(e->out, "%s%" PRIu64, w > 0 ? "," : "", total[w]);
    (void)fputs("]}\n", e->out);
done:
    gb_free(total);
    return st;
}

gb_status gb_export_ldavis(const gb_export *e, gb_error *err)
{
    gb_status st;
    GB_TRY(write_topics(e, err));
    GB_TRY(write_shares(e, err));
    write_lengths(e);
    GB_TRY(write_words(e, err));
done:
    return st;
}
