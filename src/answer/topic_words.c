/* answer/topic_words.c - words that may stand for topics: the first of each topic by several orders, with what the orders are made of. */
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "gibbous/topic_unions.h"
#include "model/topic_unions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 30, N_RELEVANCES = 4 };

enum { CLASS, TOPIC, WORD, PROBABILITY, SHARE, FREX, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [CLASS] = {"class", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "class whose topic it is"},
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
               "number of the topic; of topics that count as one, their numbers with + between"},
    [WORD] = {"word", "word", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "word among the first by relevance or FREX"},
    [PROBABILITY] = {"probability", "probability", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
                     "of the word in the topic"},
    [SHARE] = {"share", "share", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "share of tokens",
               "probability of the word in all topics"},
    [FREX] = {"frex", "frex", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "",
              "place in the order by FREX, from 1; empty after the last that is listed"}};

static const char what[] = "the words of topics";

/* A word that may stand for a topic. */
typedef struct candidate {
    uint64_t word, frex; /* frex: GB_NO_COUNT if not among the first by it */
    double probability;
} candidate;

typedef struct topic_words {
    const gb_model *model;
    gb_topic_labels labels;
    uint64_t n_words, n_top; /* n_top: of each order */
    double *phi;             /* n_topics x n_words */
    double *share;           /* n_words */
    uint64_t *word;          /* n_topics x n_top: of the order at hand */
    double *probability;     /* likewise */
    candidate *candidate;    /* n_topics x room_of_topic() */
    uint64_t *n_candidates;  /* n_topics */
} topic_words;

static uint64_t room_of_topic(const topic_words *t)
{
    return (N_RELEVANCES + 1) * t->n_top;
}

static void clear(topic_words *t)
{
    gb_topic_labels_clear(&t->labels);
    gb_free(t->phi);
    gb_free(t->share);
    gb_free(t->word);
    gb_free(t->probability);
    gb_free(t->candidate);
    gb_free(t->n_candidates);
}

/* Of topics whose shares are not known all have the same. */
static void find_shares(topic_words *t)
{
    const uint64_t n_topics = t->labels.n_topics;
    for (uint64_t k = 0; k < n_topics; k++) { /* rows of a union's other topics are 0 */
        const double known = t->labels.share[k], share = isnan(known) ? 1 / (double)n_topics : known;
        for (uint64_t w = 0; w < t->n_words; w++)
            t->share[w] += share * t->phi[k * t->n_words + w];
    }
}

static gb_status open(topic_words *t, const gb_asked *asked, uint64_t output, gb_error *err)
{
    gb_status st;
    const gb_model *m = asked->subject->model;
    const uint64_t n_topics = gb_model_n_topics(m), n_asked = gb_asked_count(asked, "words", WORDS);
    *t = (topic_words){.model = m, .n_words = gb_model_n_words(m)};
    t->n_top = n_asked < t->n_words ? n_asked : t->n_words;
    GB_TRY(gb_model_check_table(m, n_topics, t->n_words, what, err));
    GB_TRY(gb_topic_titles_make(&t->labels, m, output, true, err));
    GB_TRY(gb_alloc(&t->phi, n_topics * t->n_words, sizeof *t->phi, what, err));
    GB_TRY(gb_alloc(&t->share, t->n_words, sizeof *t->share, what, err));
    GB_TRY(gb_alloc(&t->word, n_topics * t->n_top, sizeof *t->word, what, err));
    GB_TRY(gb_alloc(&t->probability, n_topics * t->n_top, sizeof *t->probability, what, err));
    GB_TRY(gb_alloc(&t->candidate, n_topics * room_of_topic(t), sizeof *t->candidate, what, err));
    GB_TRY(gb_alloc(&t->n_candidates, n_topics, sizeof *t->n_candidates, what, err));
    GB_TRY(gb_model_union_distributions(m, output, t->phi, err));
    find_shares(t);
done:
    return st;
}

static void add_candidate(topic_words *t, uint64_t k, uint64_t i, bool is_frex)
{
    candidate *of = t->candidate + k * room_of_topic(t);
    const uint64_t word = t->word[k * t->n_top + i];
    uint64_t at = 0;
    while (at < t->n_candidates[k] && of[at].word != word)
        at++;
    if (at == t->n_candidates[k]) {
        of[at] = (candidate){word, GB_NO_COUNT, t->phi[k * t->n_words + word]};
        t->n_candidates[k]++;
    }
    if (is_frex)
        of[at].frex = i + 1;
}

/* By relevance with weights from 0 to 1, and by FREX. */
static gb_status find_candidates(topic_words *t, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t i = 0; i <= N_RELEVANCES; i++) {
        uint64_t n;
        const bool is_frex = i == N_RELEVANCES;
        const char *by = is_frex ? "frex" : "relevance";
        const double weight = is_frex ? (double)NAN : (double)i / (N_RELEVANCES - 1);
        GB_TRY(t->labels.are_united
                   ? gb_model_rank_union_words(t->model, by, weight, t->n_top, t->word, t->probability, &n, err)
                   : gb_model_rank_words(t->model, t->labels.output, by, weight, t->n_top, t->word, t->probability,
                                         &n, err));
        for (uint64_t k = 0; k < t->labels.n_topics; k++)
            for (uint64_t j = 0; j < t->n_top; j++)
                add_candidate(t, k, j, is_frex);
    }
done:
    return st;
}

static int most_probable_first(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->probability != y->probability ? (x->probability < y->probability) - (x->probability > y->probability)
                                            : (x->word > y->word) - (x->word < y->word);
}

static void put_topic(gb_table *table, const topic_words *t, uint64_t k)
{
    candidate *of = t->candidate + k * room_of_topic(t);
    qsort(of, t->n_candidates[k], sizeof *of, most_probable_first);
    for (uint64_t i = 0; i < t->n_candidates[k]; i++) {
        gb_table_begin_row(table, NAN);
        if (gb_model_is_one_vs_rest(t->model))
            gb_put_text(table, CLASS, gb_model_output(t->model, t->labels.output));
        gb_put_text(table, TOPIC, t->labels.title[k]);
        gb_put_text(table, WORD, gb_model_word(t->model, of[i].word));
        gb_put_real(table, PROBABILITY, of[i].probability);
        gb_put_real(table, SHARE, t->share[of[i].word]);
        gb_put_count(table, FREX, of[i].frex);
    }
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_model *model = asked->subject->model;
    const bool is_one_vs_rest = gb_model_is_one_vs_rest(model);
    topic_words t = {0};
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[CLASS] = is_one_vs_rest;
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    for (uint64_t output = 0; output < (is_one_vs_rest ? gb_model_n_outputs(model) : 1); output++) {
        clear(&t);
        GB_TRY(open(&t, asked, output, err));
        GB_TRY(find_candidates(&t, err));
        for (uint64_t k = 0; k < t.labels.n_topics; k++)
            if (gb_topic_is_listed(&t.labels, k))
                put_topic(table, &t, k);
    }
    gb_note_topics(table, model);
done:
    clear(&t);
    return st;
}

const gb_question_row gb_question_topic_words = {
    {"topic-words", "which words may stand for each topic, by several orders", GB_NEEDS_MODEL, "words"}, answer};
