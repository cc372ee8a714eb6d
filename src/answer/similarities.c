/* answer/similarities.c - how alike topics are by their words: the Bhattacharyya coefficient sum_w sqrt(phi_jw phi_kw). */
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "gibbous/topic_unions.h"
#include "model/topic_unions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Other words than the most frequent ones count as one. */
enum { MOST_WORDS = 3000 };

enum { CLASS, TOPIC, WITH, AFFINITY, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [CLASS] = {"class", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "class whose topics they are"},
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
               "number of the topic; of topics that count as one, their numbers with + between"},
    [WITH] = {"with", "with", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "a topic before it"},
    [AFFINITY] = {"affinity", "affinity", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
                  "0: no word in common, 1: the same probability of every word"}};

/* A word with its share of the tokens. */
typedef struct weighed {
    double share;
    uint64_t word;
} weighed;

typedef struct similarities {
    const gb_model *model;
    gb_topic_labels labels;
    uint64_t n_words, n_columns;
    double *phi;    /* n_topics x n_words */
    weighed *order; /* n_words, the most frequent first */
    double
        *root; /* n_topics x n_columns: of the probabilities of the most frequent words, and of all others together */
} similarities;

static void clear(similarities *s)
{
    gb_topic_labels_clear(&s->labels);
    gb_free(s->phi);
    gb_free(s->order);
    gb_free(s->root);
}

static int most_frequent_first(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    return x->share != y->share ? (x->share < y->share) - (x->share > y->share)
                                : (x->word > y->word) - (x->word < y->word);
}

static void find_roots(similarities *s)
{
    const uint64_t n = s->n_columns - 1;
    for (uint64_t w = 0; w < s->n_words; w++)
        s->order[w].word = w;
    for (uint64_t k = 0; k < s->labels.n_topics; k++) { /* rows of a union's other topics are 0 */
        const double known = s->labels.share[k], share = isnan(known) ? 1 : known;
        for (uint64_t w = 0; w < s->n_words; w++)
            s->order[w].share += share * s->phi[k * s->n_words + w];
    }
    qsort(s->order, s->n_words, sizeof *s->order, most_frequent_first);
    for (uint64_t k = 0; k < s->labels.n_topics; k++) {
        double rest = 1, *root = s->root + k * s->n_columns;
        for (uint64_t i = 0; i < n; i++) {
            const double p = s->phi[k * s->n_words + s->order[i].word];
            root[i] = sqrt(p);
            rest -= p;
        }
        root[n] = rest > 0 ? sqrt(rest) : 0;
    }
}

static gb_status open(similarities *s, const gb_model *model, uint64_t output, gb_error *err)
{
    static const char what[] = "similarities of topics";
    gb_status st;
    const uint64_t n_topics = gb_model_n_topics(model), n_words = gb_model_n_words(model);
    *s = (similarities){
        .model = model, .n_words = n_words, .n_columns = (n_words < MOST_WORDS ? n_words : MOST_WORDS) + 1};
    GB_TRY(gb_model_check_table(model, n_topics, n_words, what, err));
    GB_TRY(gb_topic_titles_make(&s->labels, model, output, true, err));
    GB_TRY(gb_alloc(&s->phi, n_topics * n_words, sizeof *s->phi, what, err));
    GB_TRY(gb_alloc(&s->order, n_words, sizeof *s->order, what, err));
    GB_TRY(gb_alloc(&s->root, n_topics * s->n_columns, sizeof *s->root, what, err));
    GB_TRY(gb_model_union_distributions(model, output, s->phi, err));
    find_roots(s);
done:
    return st;
}

static void put_pair(gb_table *table, const similarities *s, uint64_t k, uint64_t j)
{
    double affinity = 0;
    for (uint64_t i = 0; i < s->n_columns; i++)
        affinity += s->root[k * s->n_columns + i] * s->root[j * s->n_columns + i];
    gb_table_begin_row(table, affinity);
    if (gb_model_is_one_vs_rest(s->model))
        gb_put_text(table, CLASS, gb_model_output(s->model, s->labels.output));
    gb_put_text(table, TOPIC, s->labels.title[k]);
    gb_put_text(table, WITH, s->labels.title[j]);
    gb_put_real(table, AFFINITY, affinity);
}

static void put_pairs(gb_table *table, const similarities *s)
{
    for (uint64_t k = 1; k < s->labels.n_topics; k++)
        for (uint64_t j = 0; j < k; j++)
            if (gb_topic_is_listed(&s->labels, k) && gb_topic_is_listed(&s->labels, j))
                put_pair(table, s, k, j);
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_model *model = asked->subject->model;
    const bool is_one_vs_rest = gb_model_is_one_vs_rest(model);
    similarities s = {0};
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[CLASS] = is_one_vs_rest;
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    for (uint64_t output = 0; output < (is_one_vs_rest ? gb_model_n_outputs(model) : 1); output++) {
        clear(&s);
        GB_TRY(open(&s, model, output, err));
        put_pairs(table, &s);
    }
    gb_note_topics(table, model);
done:
    clear(&s);
    return st;
}

const gb_question_row gb_question_similarities = {
    {"similarities", "how alike topics are by their words",
     GB_NEEDS_MODEL | GB_NEEDS_OPTIONS, /* the page draws a map of them instead */
     ""},
    answer};
