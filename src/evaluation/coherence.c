/* evaluation/coherence.c - do the most probable words of a topic occur together?
 *
 *   UMass (Mimno, Wallach, Talley, Leenders & McCallum 2011, EMNLP), here the mean over pairs i > j of
 *       log (D(w_i, w_j) + 1) / D(w_j)                                                                      (1)
 *   NPMI (Bouma 2009; Aletras & Stevenson 2013, IWCS), the mean over pairs of
 *       log (p(v, w) / (p(v) p(w))) / -log p(v, w)                                                          (2)
 *   with the limits -1 for p(v, w) = 0 and 1 for p(v, w) = 1.
 *   C_V (Roeder, Both & Hinneburg 2015, WSDM), with v_i = (NPMI(w_i, w_1), NPMI(w_i, w_2), ...), the mean over i of
 *       cos(v_i, sum_j v_j)                                                                                 (3)
 *
 * A document of N tokens has one window if it is not longer than a window, else one from each of its tokens on that has a
 * full one.  While a window slides over words that no topic has at its top, nothing changes: windows with the same words
 * are counted at once.
 *
 * Workers count for themselves; integers add up to the same in any order. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/processors.h"
#include "corpus/data/corpus.h"
#include "evaluation/top_words.h"
#include "evaluation/topic_quality.h"

#include <math.h>
#include <string.h>

enum { DOCS_PER_TASK = 64 };

/* A place of a word among the top words of a topic. */
typedef struct place {
    uint32_t topic, rank;
} place;

/* How many documents or windows have each pair; the diagonal is for single words. */
typedef struct pair_counts {
    uint64_t n;
    uint64_t *pair; /* n_topics x n_top x n_top: row i, column j <= i */
} pair_counts;

typedef struct counter {
    pair_counts documents, windows;
    /* the words at hand, as slots */
    uint32_t *n_here; /* n_slots: tokens of each */
    uint32_t *here;   /* those with any */
    uint32_t *at;     /* n_slots: where in `here` */
    size_t n;
    /* the same by topic */
    uint32_t *rank;   /* n_topics x n_top */
    uint32_t *n_rank; /* n_topics */
    uint32_t *topic;  /* those with any */
} counter;

struct gb_coherence {
    size_t n_topics, n_top, n_slots, window;
    uint64_t n_words;
    uint32_t *slot_of;     /* n_words: number + 1 among the different top words, or 0 */
    uint64_t *place_start; /* n_slots + 1 */
    place *place;          /* of each slot, topics ascending */
    pair_counts documents, windows;
    double *of_all; /* n_top: scratch */
    /* while documents are added */
    const gb_corpus *docs;
    counter *counter; /* per worker */
};

/* ---- the top words --------------------------------------------------------------------------------- */

static gb_status number_words(gb_coherence *c, const uint64_t *word, gb_error *err)
{
    gb_status st;
    const size_t n = c->n_topics * c->n_top;
    const char *what = "the top words";
    GB_TRY(gb_alloc(&c->slot_of, c->n_words, sizeof *c->slot_of, what, err));
    GB_TRY(gb_alloc(&c->place_start, n + 1, sizeof *c->place_start, what, err));
    GB_TRY(gb_alloc(&c->place, n, sizeof *c->place, what, err));
    for (size_t i = 0; i < n; i++)
        if (c->slot_of[word[i]] == 0)
            c->slot_of[word[i]] = (uint32_t)++c->n_slots;
    for (size_t i = 0; i < n; i++)
        c->place_start[c->slot_of[word[i]]]++;
    for (size_t i = 0; i < c->n_slots; i++)
        c->place_start[i + 1] += c->place_start[i];
    for (size_t i = n; i-- > 0;) /* from behind: ends become starts */
        c->place[--c->place_start[c->slot_of[word[i]]]] = (place){(uint32_t)(i / c->n_top), (uint32_t)(i % c->n_top)};
    memmove(c->place_start, c->place_start + 1, c->n_slots * sizeof *c->place_start);
    c->place_start[c->n_slots] = n;
done:
    return st;
}

gb_status gb_coherence_create(uint64_t n_words, uint64_t n_topics, uint64_t n_top, const uint64_t *word,
                              uint64_t window, gb_coherence **out, gb_error *err)
{
    gb_status st;
    gb_coherence *c = NULL;
    const char *what = "counts of pairs of words";
    GB_TRY(gb_check_top_words(n_words, n_topics, n_top, word, err));
    GB_TRY(gb_alloc(&c, 1, sizeof *c, what, err));
    c->n_words = n_words;
    c->n_topics = n_topics;
    c->n_top = n_top;
    c->window = window;
    GB_TRY(number_words(c, word, err));
    GB_TRY(gb_alloc(&c->documents.pair, n_topics * n_top * n_top, sizeof(uint64_t), what, err));
    if (window > 0)
        GB_TRY(gb_alloc(&c->windows.pair, n_topics * n_top * n_top, sizeof(uint64_t), what, err));
    GB_TRY(gb_alloc(&c->of_all, n_top, sizeof *c->of_all, what, err));
    *out = c;
    c = NULL;
done:
    gb_coherence_free(c);
    return st;
}

void gb_coherence_free(gb_coherence *c)
{
    if (c == NULL)
        return;
    gb_free(c->slot_of);
    gb_free(c->place_start);
    gb_free(c->place);
    gb_free(c->documents.pair);
    gb_free(c->windows.pair);
    gb_free(c->of_all);
    gb_free(c);
}

/* ---- words come and go ----------------------------------------------------------------------------- */

static void come(counter *k, uint32_t slot)
{
    if (k->n_here[slot]++ > 0)
        return;
    k->at[slot] = (uint32_t)k->n;
    k->here[k->n++] = slot;
}

static void go(counter *k, uint32_t slot)
{
    if (--k->n_here[slot] > 0)
        return;
    const uint32_t last = k->here[--k->n];
    k->here[k->at[slot]] = last;
    k->at[last] = k->at[slot];
}

static void forget(counter *k)
{
    for (size_t i = 0; i < k->n; i++)
        k->n_here[k->here[i]] = 0;
    k->n = 0;
}

static void count_topic(const gb_coherence *c, const counter *k, uint32_t topic, uint64_t times, uint64_t *pair)
{
    const uint32_t *rank = k->rank + topic * c->n_top;
    pair += topic * c->n_top * c->n_top;
    for (size_t i = 0; i < k->n_rank[topic]; i++)
        for (size_t j = 0; j <= i; j++) {
            const size_t high = rank[i] > rank[j] ? rank[i] : rank[j], low = rank[i] > rank[j] ? rank[j] : rank[i];
            pair[high * c->n_top + low] += times;
        }
}

/* Count the words at hand `times` times. */
static void count_words(const gb_coherence *c, counter *k, uint64_t times, pair_counts *counts)
{
    size_t n_topics = 0;
    counts->n += times;
    for (size_t i = 0; i < k->n; i++)
        for (uint64_t p = c->place_start[k->here[i]]; p < c->place_start[k->here[i] + 1]; p++) {
            const place at = c->place[p];
            if (k->n_rank[at.topic] == 0)
                k->topic[n_topics++] = at.topic;
            k->rank[at.topic * c->n_top + k->n_rank[at.topic]++] = at.rank;
        }
    for (size_t i = 0; i < n_topics; i++) {
        count_topic(c, k, k->topic[i], times, counts->pair);
        k->n_rank[k->topic[i]] = 0;
    }
}

static void count_document(const gb_coherence *c, counter *k, uint64_t n, const uint32_t *word)
{
    for (uint64_t i = 0; i < n; i++)
        if (c->slot_of[word[i]] != 0)
            come(k, c->slot_of[word[i]] - 1);
    count_words(c, k, 1, &k->documents);
    forget(k);
}

static void count_windows(const gb_coherence *c, counter *k, uint64_t n, const uint32_t *word)
{
    uint64_t times = 1;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t in = c->slot_of[word[i]], out = i < c->window ? 0 : c->slot_of[word[i - c->window]];
        if (i >= c->window && in == out) {
            times++;
            continue;
        }
        if (i >= c->window) {
            count_words(c, k, times, &k->windows);
            times = 1;
        }
        if (out != 0)
            go(k, out - 1);
        if (in != 0)
            come(k, in - 1);
    }
    count_words(c, k, times, &k->windows);
    forget(k);
}

/* ---- all documents --------------------------------------------------------------------------------- */

static gb_status count_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const gb_coherence *c = context;
    counter *k = &c->counter[worker];
    const uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK, last = end < c->docs->n_docs ? end : c->docs->n_docs;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < last; d++) {
        const uint64_t start = c->docs->doc_start[d], n = c->docs->doc_start[d + 1] - start;
        if (n == 0)
            continue;
        count_document(c, k, n, c->docs->word + start);
        if (c->window > 0)
            count_windows(c, k, n, c->docs->word + start);
    }
    return GB_OK;
}

static gb_status create_counter(const gb_coherence *c, counter *k, gb_error *err)
{
    gb_status st;
    const char *what = "counts of pairs of words";
    const size_t n_cells = c->n_topics * c->n_top * c->n_top;
    GB_TRY(gb_alloc(&k->documents.pair, n_cells, sizeof(uint64_t), what, err));
    GB_TRY(gb_alloc(&k->windows.pair, c->window > 0 ? n_cells : 0, sizeof(uint64_t), what, err));
    GB_TRY(gb_alloc(&k->n_here, c->n_slots, sizeof *k->n_here, what, err));
    GB_TRY(gb_alloc(&k->here, c->n_slots, sizeof *k->here, what, err));
    GB_TRY(gb_alloc(&k->at, c->n_slots, sizeof *k->at, what, err));
    GB_TRY(gb_alloc(&k->rank, c->n_topics * c->n_top, sizeof *k->rank, what, err));
    GB_TRY(gb_alloc(&k->n_rank, c->n_topics, sizeof *k->n_rank, what, err));
    GB_TRY(gb_alloc(&k->topic, c->n_topics, sizeof *k->topic, what, err));
done:
    return st;
}

static void clear_counter(counter *k)
{
    gb_free(k->documents.pair);
    gb_free(k->windows.pair);
    gb_free(k->n_here);
    gb_free(k->here);
    gb_free(k->at);
    gb_free(k->rank);
    gb_free(k->n_rank);
    gb_free(k->topic);
}

static void add_counts(const pair_counts *from, size_t n_cells, pair_counts *to)
{
    to->n += from->n;
    for (size_t i = 0; i < n_cells && from->pair != NULL; i++)
        to->pair[i] += from->pair[i];
}

gb_status gb_coherence_add(gb_coherence *c, const gb_corpus *docs, uint64_t wanted_threads, gb_error *err)
{
    gb_status st;
    const size_t n_threads = gb_threads_for(wanted_threads, 1, docs->n_tokens);
    const size_t n_cells = c->n_topics * c->n_top * c->n_top;
    GB_TRY(gb_corpus_check_tokens(docs, err));
    if (docs->n_words != c->n_words)
        return gb_fail(err, GB_EARGUMENT, "the documents have %llu words, the topics %llu",
                       (unsigned long long)docs->n_words, (unsigned long long)c->n_words);
    c->docs = docs;
    GB_TRY(gb_alloc(&c->counter, n_threads, sizeof *c->counter, "counts of pairs of words", err));
    for (size_t i = 0; i < n_threads; i++)
        GB_TRY(create_counter(c, &c->counter[i], err));
    GB_TRY(gb_parallel_for((size_t)((docs->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK), n_threads, count_documents,
                           c, err));
    for (size_t i = 0; i < n_threads; i++) {
        add_counts(&c->counter[i].documents, n_cells, &c->documents);
        add_counts(&c->counter[i].windows, n_cells, &c->windows);
    }
done:
    for (size_t i = 0; c->counter != NULL && i < n_threads; i++)
        clear_counter(&c->counter[i]);
    gb_free(c->counter);
    c->counter = NULL;
    return st;
}

/* ---- what they say --------------------------------------------------------------------------------- */

uint64_t gb_coherence_n_docs(const gb_coherence *c)
{
    return c->documents.n;
}

static double count_of(const gb_coherence *c, const pair_counts *counts, size_t topic, size_t i, size_t j)
{
    return (double)counts->pair[(topic * c->n_top + i) * c->n_top + j];
}

double gb_coherence_umass(const gb_coherence *c, uint64_t topic)
{
    double sum = 0, n = 0;
    for (size_t i = 1; topic < c->n_topics && i < c->n_top; i++)
        for (size_t j = 0; j < i; j++) {
            const double alone = count_of(c, &c->documents, topic, j, j);
            if (alone == 0)
                continue;
            sum += log((count_of(c, &c->documents, topic, i, j) + 1) / alone); /* (1) */
            n++;
        }
    return sum / n;
}

double gb_coherence_npmi(const gb_coherence *c, uint64_t topic)
{
    const pair_counts *counts = c->window > 0 ? &c->windows : &c->documents;
    const double total = (double)counts->n;
    double sum = 0, n = 0;
    for (size_t i = 1; topic < c->n_topics && i < c->n_top; i++)
        for (size_t j = 0; j < i; j++) {
            const double a = count_of(c, counts, topic, i, i), b = count_of(c, counts, topic, j, j),
                         both = count_of(c, counts, topic, i, j);
            if (a == 0 || b == 0)
                continue;
            sum += both == 0 ? -1 : both == total ? 1 : log(both * total / (a * b)) / -log(both / total); /* (2) */
            n++;
        }
    return sum / n;
}

/* (3), with a little added to counts of nothing, as in the paper's own program. */
static double npmi_of(const gb_coherence *c, const pair_counts *counts, size_t topic, size_t i, size_t j)
{
    static const double epsilon = 1e-12;
    const double total = (double)counts->n, a = count_of(c, counts, topic, i, i) / total,
                 b = count_of(c, counts, topic, j, j) / total,
                 both = count_of(c, counts, topic, i > j ? i : j, i > j ? j : i) / total + epsilon;
    return both >= 1 ? 1 : log(both / (a * b)) / -log(both);
}

double gb_coherence_cv(gb_coherence *c, uint64_t topic)
{
    const pair_counts *counts = c->window > 0 ? &c->windows : &c->documents;
    double square_of_all = 0, sum = 0, n = 0;
    if (topic >= c->n_topics)
        return NAN;
    for (size_t j = 0; j < c->n_top; j++) {
        c->of_all[j] = 0;
        for (size_t i = 0; i < c->n_top && count_of(c, counts, topic, j, j) > 0; i++)
            if (count_of(c, counts, topic, i, i) > 0)
                c->of_all[j] += npmi_of(c, counts, topic, i, j);
        square_of_all += c->of_all[j] * c->of_all[j];
    }
    for (size_t i = 0; i < c->n_top; i++) {
        double square = 0, product = 0;
        if (count_of(c, counts, topic, i, i) == 0)
            continue;
        for (size_t j = 0; j < c->n_top; j++) {
            const double x = count_of(c, counts, topic, j, j) > 0 ? npmi_of(c, counts, topic, i, j) : 0;
            square += x * x;
            product += x * c->of_all[j];
        }
        sum += square > 0 && square_of_all > 0 ? product / sqrt(square * square_of_all) : 0;
        n++;
    }
    return sum / n;
}
