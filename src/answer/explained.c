/* answer/explained.c - explained scores of documents, one after the other. */
#include "answer/explained.h"

#include "answer/scores.h"
#include "answer/topic_documents.h"
#include "gibbous/topic_unions.h"

#include <math.h>
#include <stdlib.h>

static const char what[] = "an explanation";

enum { ID, FIELD, CLASS, SCORE, PREDICTED };

/* ---- words ----------------------------------------------------------------------------------------- */

double gb_part_of_word(const gb_explained *x, uint64_t word, uint64_t topic)
{
    const uint64_t n_topics = x->e->n_topics, at = word * x->e->n_explained + x->at % x->e->n_explained;
    const double *of_topic = x->e->word_topic + at * (n_topics + 1);
    if (topic <= n_topics)
        return of_topic[topic];
    double sum = x->e->word_effect[at];
    for (uint64_t k = 0; topic == GB_ALL_OF_WORD && k <= n_topics; k++)
        sum += of_topic[k];
    return sum;
}

static int largest_first(const void *a, const void *b)
{
    const gb_explained_word *x = a, *y = b;
    const double p = fabs(x->value), q = fabs(y->value);
    return p != q ? (p < q) - (p > q) : (x->word > y->word) - (x->word < y->word);
}

uint64_t gb_sort_explained_words(const gb_explained *x, uint64_t topic)
{
    const uint64_t first = x->e->word_start[x->document], n = x->e->word_start[x->document + 1] - first;
    for (uint64_t i = 0; i < n; i++)
        x->word[i] = (gb_explained_word){first + i, gb_part_of_word(x, first + i, topic)};
    qsort(x->word, n, sizeof *x->word, largest_first);
    return n;
}

/* ---- topics ---------------------------------------------------------------------------------------- */

const char *gb_explained_title(const gb_explained *x, uint64_t topic)
{
    const bool is_named = topic < x->e->n_topics && gb_model_topic_union(x->model, topic) != GB_LEFT_OUT;
    return is_named ? x->titles.title[topic] : "";
}

/* Names are those of the first chain: of topics of other classes no one has one. */
const char *gb_explained_name(const gb_explained *x, uint64_t topic)
{
    const bool has_own = gb_model_is_one_vs_rest(x->model) && x->e->output[x->at] > 0;
    return has_own || *gb_explained_title(x, topic) == '\0' ? "" : gb_topic_label_name(&x->titles, topic);
}

/* ---- scores ---------------------------------------------------------------------------------------- */

void gb_begin_explained(const gb_explained *x, double weight)
{
    const uint64_t output = x->e->output[x->at], r = gb_response_of_output(x->model, output),
                   predicted = x->e->predicted[x->at];
    gb_table_begin_row(x->table, weight);
    gb_put_document_id(x->table, ID, x->docs, x->document);
    gb_put_text(x->table, FIELD, gb_model_field(x->model, r));
    if (gb_model_has_class_scores(x->model, r))
        gb_put_text(x->table, CLASS, gb_model_output(x->model, output));
    gb_put_real(x->table, SCORE, x->centre + x->scale * x->e->score[x->at]);
    if (predicted != UINT64_MAX)
        gb_put_text(x->table, PREDICTED, gb_model_class(x->model, r, predicted));
}

static uint64_t most_words(const gb_explanation *e)
{
    uint64_t most = 0;
    for (uint64_t d = 0; d < e->n_docs; d++)
        most = e->word_start[d + 1] - e->word_start[d] > most ? e->word_start[d + 1] - e->word_start[d] : most;
    return most;
}

static gb_status check(const gb_subject *s, gb_error *err)
{
    const gb_explanation *e = s->explanation;
    const bool is_same = e->n_docs == gb_corpus_n_docs(s->documents) && e->n_topics == gb_model_n_topics(s->model);
    return is_same ? GB_OK : gb_fail(err, GB_EARGUMENT, "the explanation is of other documents or another model");
}

gb_status gb_for_each_explained(const gb_asked *asked, gb_table *table, gb_put_explained *put, void *user,
                                gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    const gb_explanation *e = s->explanation;
    gb_explained x = {.asked = asked, .model = s->model, .docs = s->documents, .e = e, .table = table};
    GB_TRY(check(s, err));
    GB_TRY(gb_topic_titles_make(&x.titles, s->model, 0, true, err));
    GB_TRY(gb_alloc(&x.word, most_words(e), sizeof *x.word, what, err));
    for (x.at = 0; x.at < e->n_docs * e->n_explained; x.at++) {
        x.document = x.at / e->n_explained;
        x.scale = e->scale[x.at];
        x.centre = e->centre[x.at];
        GB_TRY(put(&x, user, err));
    }
done:
    gb_topic_labels_clear(&x.titles);
    gb_free(x.word);
    return st;
}
