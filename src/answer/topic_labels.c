/* answer/topic_labels.c - how topics are called wherever they are shown. */
#include "answer/topic_labels.h"

#include "answer/distinct_words.h"
#include "gibbous/topic_names.h"
#include "gibbous/topic_unions.h"
#include "model/empty_topics.h"
#include "model/lead.h"
#include "model/seed_shares.h"
#include "model/topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 21 }; /* of a number with the sign that joins it to the next */

static const char what[] = "the words of topics";

void gb_topic_labels_clear(gb_topic_labels *l)
{
    for (uint64_t k = 0; l->title != NULL && k < l->n_topics; k++)
        gb_free(l->title[k]);
    for (uint64_t k = 0; l->words != NULL && k < l->n_topics; k++)
        gb_free(l->words[k]);
    gb_free(l->title);
    gb_free(l->words);
    gb_free(l->share);
    gb_free(l->word);
    gb_free(l->probability);
    *l = (gb_topic_labels){0};
}

/* Those of a bag after its name: "title: war peace body: army". */
static char *join_bag(const gb_model *model, size_t bag, const uint64_t *word, uint64_t n, char *begin, char *at)
{
    const char *name = model->bags.of_word == NULL ? NULL : model->bags.name[bag];
    for (uint64_t i = 0; i < n; i++) {
        if (gb_bag_of(&model->bags, word[i]) != bag)
            continue;
        if (at > begin)
            *at++ = ' ';
        if (name != NULL)
            at = stpcpy(stpcpy(at, name), ": ");
        name = NULL;
        at = stpcpy(at, gb_bag_word(&model->bags, word[i], gb_view_of(gb_model_word(model, word[i]))).text);
    }
    return at;
}

gb_status gb_join_words(const gb_model *model, const uint64_t *word, uint64_t n, char **out, gb_error *err)
{
    size_t size = 1;
    for (uint64_t i = 0; i < n; i++)
        size += strlen(gb_model_word(model, word[i])) + 2;
    const gb_status st = gb_alloc(out, size, 1, what, err);
    char *at = *out;
    for (size_t bag = 0; st == GB_OK && bag < model->bags.n; bag++)
        at = join_bag(model, bag, word, n, *out, at);
    return st;
}

uint64_t gb_topics_of_label(const gb_topic_labels *l, uint64_t topic, uint64_t *topics)
{
    if (l->are_united)
        return gb_model_topics_of_union(l->model, topic, topics);
    *topics = topic;
    return 1;
}

static gb_status make_title(const gb_topic_labels *l, uint64_t k, uint64_t *topics, char **out, gb_error *err)
{
    const uint64_t n = gb_topics_of_label(l, k, topics);
    const gb_status st = gb_alloc(out, n, DIGITS, what, err);
    size_t length = 0;
    for (uint64_t i = 0; st == GB_OK && i < n; i++)
        length +=
            (size_t)snprintf(*out + length, DIGITS * n - length, "%s%" PRIu64, i == 0 ? "" : "+", topics[i] + 1);
    return st;
}

/* Of other orders than by probability a share of frequent or exclusive words can be given.
 * @param word, probability  receive n_topics x n */
static gb_status rank_words(const gb_topic_labels *l, const char *by, double weight, uint64_t n, uint64_t *word,
                            double *probability, gb_error *err)
{
    uint64_t n_found;
    if (l->are_united)
        return gb_model_rank_union_words(l->model, by, weight, n, word, probability, &n_found, err);
    if (strcmp(by, "probability") == 0) /* takes less memory */
        return gb_model_words_of_topics(l->model, l->output, n, word, probability, &n_found, err);
    return gb_model_rank_words(l->model, l->output, by, weight, n, word, probability, &n_found, err);
}

static double probability_of(uint64_t wanted, uint64_t n, const uint64_t *word, const double *probability)
{
    uint64_t i = 0;
    while (i + 1 < n && word[i] != wanted)
        i++;
    return probability[i];
}

/* A word of a topic by relevance, x log phi_kw + (1 - x) log (phi_kw / p_w). */
typedef struct relevant {
    double relevance, probability;
    uint64_t word;
} relevant;

static int more_relevant_first(const void *a, const void *b)
{
    const relevant *x = a, *y = b;
    const int order = (x->relevance < y->relevance) - (x->relevance > y->relevance);
    return order != 0 ? order : (x->word > y->word) - (x->word < y->word);
}

/* Order the n most probable words of each topic by relevance.  p_w is summed over the topics that have w among theirs: in all others it is
 * rare.  A table of all words and topics may be more than there is memory for.
 * @param share  room for all words, 0 */
static void order_by_relevance(const gb_topic_labels *l, uint64_t n, uint64_t *word, double *probability,
                               double *share, relevant *row)
{
    static const double x = 0.6;
    for (uint64_t i = 0; i < l->n_topics * n; i++) {
        const double known = l->share[i / n];
        share[word[i]] += (isnan(known) ? 1 / (double)l->n_topics : known) * probability[i];
    }
    for (uint64_t k = 0; k < l->n_topics; k++) {
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t w = word[k * n + i];
            const double phi = probability[k * n + i];
            row[i] = (relevant){phi > 0 && share[w] > 0 ? log(phi) - (1 - x) * log(share[w]) : -INFINITY, phi, w};
        }
        qsort(row, n, sizeof *row, more_relevant_first);
        for (uint64_t i = 0; i < n; i++) {
            word[k * n + i] = row[i].word;
            probability[k * n + i] = row[i].probability;
        }
    }
}

/* Words that are frequent here and rare elsewhere, and no topic's but this one's. */
static gb_status find_distinct_words(gb_topic_labels *l, gb_error *err)
{
    enum { SPARE = 150 };
    gb_status st;
    const uint64_t n_wanted = 2 * l->n_words + SPARE, n_all = gb_model_n_words(l->model),
                   n = n_wanted < n_all ? n_wanted : n_all;
    uint64_t *ranked = NULL;
    double *probability = NULL, *share = NULL;
    relevant *row = NULL;
    bool *is_named = NULL;
    GB_TRY(gb_alloc(&ranked, l->n_topics * n, sizeof *ranked, what, err));
    GB_TRY(gb_alloc(&probability, l->n_topics * n, sizeof *probability, what, err));
    GB_TRY(gb_alloc(&share, n_all, sizeof *share, what, err));
    GB_TRY(gb_alloc(&row, n, sizeof *row, what, err));
    GB_TRY(gb_alloc(&is_named, l->n_topics, sizeof *is_named, what, err));
    for (uint64_t k = 0; k < l->n_topics; k++)
        is_named[k] = gb_topic_is_listed(l, k) && !gb_topic_label_is_empty(l, k);
    GB_TRY(rank_words(l, "probability", NAN, n, ranked, probability, err));
    order_by_relevance(l, n, ranked, probability, share, row);
    const gb_distinct_words of = {l->model, l->n_topics, is_named, l->share, n, ranked};
    GB_TRY(gb_choose_distinct_words(&of, l->n_words, l->word, err));
    for (uint64_t i = 0; i < l->n_topics * l->n_words; i++)
        l->probability[i] =
            probability_of(l->word[i], n, ranked + i / l->n_words * n, probability + i / l->n_words * n);
done:
    gb_free(ranked);
    gb_free(probability);
    gb_free(share);
    gb_free(row);
    gb_free(is_named);
    return st;
}

static gb_status find_words(gb_topic_labels *l, const gb_asked *asked, const char *by, gb_error *err)
{
    const gb_status st =
        gb_settings_check(asked->settings, "by-weight", gb_option_find("by-weight")->needs, NULL, 0, NULL, err);
    if (st != GB_OK)
        return st;
    if (strcmp(by, "distinct") == 0)
        return find_distinct_words(l, err);
    return rank_words(l, by, gb_asked_real(asked, "by-weight"), l->n_words, l->word, l->probability, err);
}

static double share_of(const gb_topic_labels *l, uint64_t k, uint64_t *topics)
{
    const uint64_t n = gb_topics_of_label(l, k, topics);
    double share = 0;
    if (l->output > 0)
        return NAN;
    for (uint64_t i = 0; topics[0] == k && i < n; i++)
        share += gb_model_topic_share(l->model, topics[i]);
    return share;
}

gb_status gb_topic_titles_make(gb_topic_labels *l, const gb_model *model, uint64_t output, bool unite, gb_error *err)
{
    gb_status st;
    uint64_t *topics = NULL;
    *l = (gb_topic_labels){.model = model,
                           .output = output,
                           .n_topics = gb_model_n_topics(model),
                           .are_united = unite && gb_model_has_topic_unions(model)};
    GB_TRY(gb_alloc(&topics, l->n_topics, sizeof *topics, what, err));
    GB_TRY(gb_alloc(&l->title, l->n_topics, sizeof *l->title, what, err));
    GB_TRY(gb_alloc(&l->share, l->n_topics, sizeof *l->share, what, err));
    for (uint64_t k = 0; k < l->n_topics; k++) {
        GB_TRY(make_title(l, k, topics, &l->title[k], err));
        l->share[k] = share_of(l, k, topics);
    }
done:
    gb_free(topics);
    return st;
}

/* Of words that tell topics apart those that the topic has: with few words for many topics, it may lack them. */
static uint64_t count_own(const gb_topic_labels *l, uint64_t k)
{
    const double least = 1 / (double)gb_model_n_words(l->model);
    uint64_t n = 1;
    while (n < l->n_shown && l->probability[k * l->n_words + n] >= least)
        n++;
    return n;
}

/* The text of each topic's words. */
static gb_status join_words(gb_topic_labels *l, bool are_distinct, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&l->words, l->n_topics, sizeof *l->words, what, err));
    for (uint64_t k = 0; k < l->n_topics; k++)
        GB_TRY(gb_topic_label_is_empty(l, k)
                   ? gb_copy_text(&l->words[k], "(empty)", strlen("(empty)"), err)
                   : gb_join_words(l->model, l->word + k * l->n_words, are_distinct ? count_own(l, k) : l->n_shown,
                                   &l->words[k], err));
done:
    return st;
}

/* To labels that have titles: words, as many as n_words and n_shown say. */
static gb_status add_words(gb_topic_labels *l, const gb_asked *asked, const char *automatic, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&l->word, l->n_topics * l->n_words, sizeof *l->word, what, err));
    GB_TRY(gb_alloc(&l->probability, l->n_topics * l->n_words, sizeof *l->probability, what, err));
    const char *given = gb_asked_text(asked, "by"), *by = strcmp(given, "auto") == 0 ? automatic : given;
    GB_TRY(find_words(l, asked, by, err));
    GB_TRY(join_words(l, strcmp(by, "distinct") == 0, err));
done:
    return st;
}

/* As many of each bag. */
static uint64_t count_shown(const gb_asked *asked, const gb_model *model, uint64_t n_words)
{
    const uint64_t n_asked = gb_asked_count(asked, "words", n_words), n_all = gb_model_n_words(model);
    return n_asked < n_all / model->bags.n ? n_asked * model->bags.n : n_all;
}

static gb_status make(gb_topic_labels *l, const gb_asked *asked, const gb_model *model, uint64_t output, bool unite,
                      uint64_t n_words, const char *automatic, gb_error *err)
{
    const gb_status st = gb_topic_titles_make(l, model, output, unite, err);
    l->n_words = l->n_shown = count_shown(asked, model, n_words);
    return st == GB_OK ? add_words(l, asked, automatic, err) : st;
}

gb_status gb_topic_labels_make(gb_topic_labels *l, const gb_asked *asked, const gb_model *model, uint64_t output,
                               bool unite, uint64_t n_words, gb_error *err)
{
    return make(l, asked, model, output, unite, n_words, "distinct", err);
}

gb_status gb_topic_labels_make_list(gb_topic_labels *l, const gb_asked *asked, const gb_model *model, uint64_t output,
                                    uint64_t n_words, gb_error *err)
{
    return make(l, asked, model, output, true, n_words, "probability", err);
}

gb_status gb_topic_labels_make_all(gb_topic_labels *l, const gb_asked *asked, const gb_model *model, uint64_t n_words,
                                   gb_error *err)
{
    const gb_status st = gb_topic_titles_make(l, model, 0, true, err);
    l->n_words = gb_model_n_words(model);
    l->n_shown = count_shown(asked, model, n_words);
    return st == GB_OK ? add_words(l, asked, "probability", err) : st;
}

gb_status gb_topic_names_make(gb_topic_labels *l, const gb_model *model, uint64_t output, gb_error *err)
{
    enum { WORDS_OF_NAME = 5 };
    gb_status st;
    const uint64_t n_all = gb_model_n_words(model);
    GB_TRY(gb_topic_titles_make(l, model, output, true, err));
    l->n_words = l->n_shown = WORDS_OF_NAME < n_all ? WORDS_OF_NAME : n_all;
    GB_TRY(gb_alloc(&l->word, l->n_topics * l->n_words, sizeof *l->word, what, err));
    GB_TRY(gb_alloc(&l->probability, l->n_topics * l->n_words, sizeof *l->probability, what, err));
    GB_TRY(find_distinct_words(l, err));
    GB_TRY(join_words(l, true, err));
done:
    return st;
}

bool gb_topic_is_listed(const gb_topic_labels *l, uint64_t topic)
{
    const uint64_t first = gb_model_topic_union(l->model, topic);
    return first != GB_LEFT_OUT && (!l->are_united || first == topic);
}

bool gb_topic_label_is_empty(const gb_topic_labels *l, uint64_t topic)
{
    return gb_share_is_empty(l->model, l->share[topic]);
}

/* Names are those of the first chain: of other chains of a one-vs-rest model no topic has one. */
static bool may_have_names(const gb_topic_labels *l)
{
    return l->output == 0;
}

const char *gb_topic_label_name(const gb_topic_labels *l, uint64_t topic)
{
    if (!may_have_names(l))
        return "";
    return l->are_united ? gb_model_union_name(l->model, topic) : gb_model_topic_name(l->model, topic);
}

bool gb_topic_labels_have_names(const gb_topic_labels *l)
{
    return may_have_names(l) && gb_model_has_topic_names(l->model);
}

/* A topic with less of the tokens, or less than a tenth of an even share of them, is not about what its seed words say. */
static const double LEAST_SHARE = 0.003, LEAST_OF_EVEN = 0.1;

void gb_note_empty_topics(gb_table *table, const gb_model *model)
{
    const double least = fmin(LEAST_SHARE, LEAST_OF_EVEN / (double)gb_model_n_topics(model));
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        const double share = gb_model_topic_share(model, k);
        if (gb_model_is_seeded(model, k) && share < least)
            gb_table_add_note(table, GB_NOTE_BELOW,
                              "topic %" PRIu64 ", %s, is nearly empty: it has %.2g of the tokens; give it more seed "
                              "words, or more frequent ones, or fewer topics",
                              k + 1, gb_model_topic_name(model, k), share);
    }
}

/* Topics of other chains are not the same. */
static void note_chain(gb_table *table, const gb_model *model)
{
    const uint64_t n = gb_model_n_chains_of_topics(model), chain = gb_model_topic_chain(model) + 1;
    bool best_leads;
    if (n < 2)
        return;
    if (chain == 1 && gb_model_n_pooled(model) > 0)
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "topics are those of chain 1 of %" PRIu64 ", which started from what %" PRIu64
                          " short chains have in common; `chain` N shows those of another",
                          n, gb_model_n_pooled(model));
    else if (gb_model_best_leads(model, &best_leads, NULL) != GB_OK)
        gb_table_lose(table);
    else
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "topics are those of chain %" PRIu64 " of %" PRIu64 "%s, whose draws %s", chain, n,
                          gb_model_is_one_vs_rest(model) ? " of each class" : "",
                          best_leads ? "have the highest mean log joint; `chain` N shows those of another"
                                     : "do not have the highest mean log joint");
}

static void note_empty(gb_table *table, const gb_model *model)
{
    enum { MOST_NUMBERS = 10, ROOM = 240 };
    char numbers[ROOM] = "";
    size_t length = 0;
    uint64_t n = 0;
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        if (gb_model_topic_union(model, k) == GB_LEFT_OUT || !gb_model_topic_is_empty(model, k))
            continue;
        if (n++ < MOST_NUMBERS)
            length += (size_t)snprintf(numbers + length, ROOM - length, "%s%" PRIu64, n == 1 ? "" : ", ", k + 1);
    }
    if (n > 0)
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "topic%s %s%s %s empty: %s no or nearly no tokens, and count%s in no mean",
                          n == 1 ? "" : "s", numbers, n > MOST_NUMBERS ? " and others" : "", n == 1 ? "is" : "are",
                          n == 1 ? "it has" : "they have", n == 1 ? "s" : "");
}

void gb_note_topics(gb_table *table, const gb_model *model)
{
    uint64_t n = 0;
    double share = 0;
    note_chain(table, model);
    note_empty(table, model);
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        if (gb_model_topic_union(model, k) != GB_LEFT_OUT)
            continue;
        n++;
        share += gb_model_topic_share(model, k);
    }
    if (n > 0)
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "%" PRIu64 " topic%s left out, with %.1f %% of the tokens; predictions still use %s", n,
                          n == 1 ? " is" : "s are", 100 * share, n == 1 ? "it" : "them");
}
