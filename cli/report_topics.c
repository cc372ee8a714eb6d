/* cli/report_topics.c - the topics of a report: candidates for their words by several orders, and distances between topics. */
#include "report_data.h"
#include "report_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of more pairs of topics in all there is no map: the page would be large, and few of them visible. */
enum { N_CANDIDATES = 30, N_LISTS = 5, MAX_MAP_WORDS = 3000, MAX_PAIRS = 1000000 };

/* Topics of one chain: all, or with one-vs-rest those of a score. */
typedef struct topic_set {
    const gb_model *model;
    uint64_t output, n_topics, n_words;
    double *phi;       /* n_topics x n_words */
    double *share;     /* n_topics; equal where they are not known */
    double *marginal;  /* n_words: of a token, by those shares */
    json_t *words;     /* names of the words that are mentioned */
    json_int_t *place; /* n_words: in `words`, from 1; 0: not yet */
} topic_set;

static void clear_set(topic_set *s)
{
    gb_free(s->phi);
    gb_free(s->share);
    gb_free(s->marginal);
    gb_free(s->place);
    json_decref(s->words);
}

/* Of the first chain alone the model has shares and names. */
static bool is_first(const topic_set *s)
{
    return s->output == 0;
}

static gb_status open_set(const gb_model *model, uint64_t output, topic_set *s, gb_error *err)
{
    gb_status st;
    *s = (topic_set){.model = model,
                     .output = output,
                     .n_topics = gb_model_n_topics(model),
                     .n_words = gb_model_n_words(model),
                     .words = json_array()};
    CLI_TRY(cli_alloc(&s->phi, s->n_topics * s->n_words, sizeof *s->phi, "the topics", err));
    CLI_TRY(cli_alloc(&s->share, s->n_topics, sizeof *s->share, "the topics", err));
    CLI_TRY(cli_alloc(&s->marginal, s->n_words, sizeof *s->marginal, "the words", err));
    CLI_TRY(cli_alloc(&s->place, s->n_words, sizeof *s->place, "the words", err));
    CLI_TRY(gb_model_topic_distributions(model, output, s->phi, err));
    for (uint64_t k = 0; k < s->n_topics; k++) {
        s->share[k] = is_first(s) ? gb_model_topic_share(model, k) : 1 / (double)s->n_topics;
        for (uint64_t w = 0; w < s->n_words; w++)
            s->marginal[w] += s->share[k] * s->phi[k * s->n_words + w];
    }
done:
    return st;
}

static json_int_t place_of(topic_set *s, uint64_t word)
{
    if (s->place[word] == 0) {
        (void)json_array_append_new(s->words, json_string(gb_model_word(s->model, word)));
        s->place[word] = (json_int_t)json_array_size(s->words);
    }
    return s->place[word] - 1;
}

/* ---- words ----------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Words that the page may want of each topic, N_LISTS x n_top numbers in rising order, which may repeat: the first by some weights of
 * relevance, and the first by FREX, which `frex` receives in their order. */
static gb_status find_candidates(const topic_set *s, uint64_t n_top, uint64_t *candidate, uint64_t *frex,
                                 gb_error *err)
{
    double *p = NULL;
    uint64_t n;
    gb_status st;
    CLI_TRY(cli_alloc(&p, s->n_topics * n_top, sizeof *p, "the words of topics", err));
    for (uint64_t i = 0; i < N_LISTS; i++) {
        const bool is_frex = i + 1 == N_LISTS;
        CLI_TRY(gb_model_rank_words(s->model, s->output, is_frex ? "frex" : "relevance",
                                    is_frex ? (double)NAN : (double)i / (N_LISTS - 2), n_top, frex, p, &n, err));
        for (uint64_t k = 0; k < s->n_topics; k++)
            memcpy(candidate + (k * N_LISTS + i) * n_top, frex + k * n_top, n_top * sizeof *frex);
    }
    for (uint64_t k = 0; k < s->n_topics; k++)
        qsort(candidate + k * N_LISTS * n_top, N_LISTS * n_top, sizeof *candidate, by_number);
done:
    gb_free(p);
    return st;
}

static json_t *topic_words(topic_set *s, uint64_t k, uint64_t n, const uint64_t *sorted)
{
    json_t *word = json_array(), *probability = json_array();
    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && sorted[i] == sorted[i - 1])
            continue;
        (void)json_array_append_new(word, json_integer(place_of(s, sorted[i])));
        (void)json_array_append_new(probability, cli_report_real(s->phi[k * s->n_words + sorted[i]], CLI_SHORT));
    }
    return json_pack("{s:o, s:o}", "w", word, "p", probability);
}

static gb_status add_words(topic_set *s, json_t *topics, gb_error *err)
{
    uint64_t *candidate = NULL, *frex = NULL;
    const uint64_t n_top = s->n_words < N_CANDIDATES ? s->n_words : N_CANDIDATES;
    gb_status st;
    CLI_TRY(cli_alloc(&candidate, s->n_topics * N_LISTS * n_top, sizeof *candidate, "the words of topics", err));
    CLI_TRY(cli_alloc(&frex, s->n_topics * n_top, sizeof *frex, "the words of topics", err));
    CLI_TRY(find_candidates(s, n_top, candidate, frex, err));
    for (uint64_t k = 0; k < s->n_topics; k++) {
        json_t *topic = topic_words(s, k, N_LISTS * n_top, candidate + k * N_LISTS * n_top), *order = json_array();
        for (uint64_t i = 0; i < n_top; i++)
            (void)json_array_append_new(order, json_integer(place_of(s, frex[k * n_top + i])));
        (void)json_object_set_new(topic, "frex", order);
        (void)json_array_append_new(topics, topic);
    }
done:
    gb_free(candidate);
    gb_free(frex);
    return st;
}

/* ---- distances ------------------------------------------------------------------------------------- */

/* Of words to be sorted by their share of tokens. */
typedef struct weighed {
    double share;
    uint64_t word;
} weighed;

static int most_frequent_first(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    return x->share != y->share ? (x->share < y->share) - (x->share > y->share)
                                : (x->word > y->word) - (x->word < y->word);
}

/* Roots of the probabilities of the most frequent words, and of all others together. */
static gb_status find_roots(const topic_set *s, uint64_t *n_columns, double **out, gb_error *err)
{
    weighed *order = NULL;
    gb_status st;
    const uint64_t n = s->n_words < MAX_MAP_WORDS ? s->n_words : MAX_MAP_WORDS;
    CLI_TRY(cli_alloc(&order, s->n_words, sizeof *order, "the words", err));
    CLI_TRY(cli_alloc(out, s->n_topics * (n + 1), sizeof **out, "the map of topics", err));
    for (uint64_t w = 0; w < s->n_words; w++)
        order[w] = (weighed){s->marginal[w], w};
    qsort(order, s->n_words, sizeof *order, most_frequent_first);
    for (uint64_t k = 0; k < s->n_topics; k++) {
        double rest = 1;
        for (uint64_t i = 0; i < n; i++) {
            const double p = s->phi[k * s->n_words + order[i].word];
            (*out)[k * (n + 1) + i] = sqrt(p);
            rest -= p;
        }
        (*out)[k * (n + 1) + n] = rest > 0 ? sqrt(rest) : 0;
    }
    *n_columns = n + 1;
done:
    gb_free(order);
    return st;
}

/* The Bhattacharyya coefficient of every pair of topics, in thousandths: 1000 is the same, 0 is nothing in common.  Topic 1 with 0, then 2 with
 * 0 and 1, ...  @param n_sets  as large as this */
static gb_status find_affinities(const topic_set *s, uint64_t n_sets, json_t **out, gb_error *err)
{
    double *root = NULL;
    uint64_t n = 0;
    gb_status st;
    if (s->n_topics * (s->n_topics - 1) / 2 > MAX_PAIRS / n_sets) {
        *out = json_null();
        return GB_OK;
    }
    CLI_TRY(find_roots(s, &n, &root, err));
    *out = json_array();
    for (uint64_t k = 1; k < s->n_topics; k++)
        for (uint64_t j = 0; j < k; j++) {
            double sum = 0;
            for (uint64_t i = 0; i < n; i++)
                sum += root[k * n + i] * root[j * n + i];
            (void)json_array_append_new(*out, json_integer((json_int_t)lround(1000 * sum)));
        }
done:
    gb_free(root);
    return st;
}

/* ---- all ------------------------------------------------------------------------------------------- */

/* Shares of all tokens of the words that are mentioned, in their order. */
static json_t *background(const topic_set *s)
{
    const size_t n = json_array_size(s->words);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(list, json_null());
    for (uint64_t w = 0; w < s->n_words; w++)
        if (s->place[w] > 0)
            (void)json_array_set_new(list, (size_t)s->place[w] - 1, cli_report_real(s->marginal[w], CLI_SHORT));
    return list;
}

/* Names that the model has: those of the first chain, "" for a topic without one; null if it has none. */
static json_t *given_names(const topic_set *s)
{
    if (!is_first(s) || !gb_model_has_topic_names(s->model))
        return json_null();
    json_t *list = json_array();
    for (uint64_t k = 0; k < s->n_topics; k++)
        (void)json_array_append_new(list, json_string(gb_model_topic_name(s->model, k)));
    return list;
}

static gb_status describe_set(const gb_model *model, uint64_t output, uint64_t n_sets, json_t *sets, gb_error *err)
{
    topic_set s;
    json_t *topics = json_array(), *affinity = NULL;
    gb_status st;
    CLI_TRY(open_set(model, output, &s, err));
    CLI_TRY(add_words(&s, topics, err));
    CLI_TRY(find_affinities(&s, n_sets, &affinity, err));
    (void)json_array_append_new(
        sets, json_pack("{s:o, s:o, s:o, s:O, s:O, s:o, s:O}", "of",
                        gb_model_is_one_vs_rest(model) ? json_string(gb_model_output(model, output)) : json_null(),
                        "share", is_first(&s) ? cli_report_reals(s.n_topics, s.share, 1, CLI_SHORT) : json_null(),
                        "names", given_names(&s), "topics", topics, "words", s.words, "background", background(&s),
                        "affinity", affinity));
done:
    json_decref(topics);
    json_decref(affinity);
    clear_set(&s);
    return st;
}

gb_status cli_report_topics(const gb_model *model, json_t **out, gb_error *err)
{
    gb_status st = GB_OK;
    json_t *sets = json_array();
    const uint64_t n = gb_model_is_one_vs_rest(model) ? gb_model_n_outputs(model) : 1;
    for (uint64_t output = 0; output < n && st == GB_OK; output++)
        st = describe_set(model, output, n, sets, err);
    if (st == GB_OK)
        *out = sets;
    else
        json_decref(sets);
    return st;
}
