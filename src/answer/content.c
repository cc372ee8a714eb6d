/* answer/content.c - how groups of documents word the same topic differently, and how the words of topics change. */
#include "answer/doubt.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "answer/topic_wordings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5, WORDS_OF_GROUP = 8, MOST_WORDS_SHOWN = 300, MOST_LEVELS_SHOWN = 12 };

typedef struct listing {
    const gb_asked *asked;
    gb_model *model;
    gb_topic_labels labels;
    gb_table *table;
    size_t n_shown; /* words of a group or a direction */
    bool all;       /* so many were asked for: those whose sign is not sure, too */
} listing;

static gb_status open(listing *l, const gb_asked *asked, gb_table *table, gb_error *err)
{
    *l = (listing){.asked = asked, .model = (gb_model *)(uintptr_t)asked->subject->model, .table = table};
    const uint64_t n = gb_asked_count(asked, "words", WORDS_OF_GROUP);
    l->all = gb_asked_is_set(asked, "words");
    l->n_shown = n < MOST_WORDS_SHOWN ? (size_t)n : MOST_WORDS_SHOWN;
    return gb_topic_labels_make(&l->labels, asked, l->model, 0, false, WORDS, err);
}

static void close(listing *l)
{
    gb_note_first_chain(l->table, l->model, NULL);
    gb_note_topics(l->table, l->model);
    gb_topic_labels_clear(&l->labels);
}

/* A row for each topic, in a table of the question's own columns. */
typedef gb_status put_topic(listing *l, size_t topic, gb_topic_wordings *t, gb_error *err);

static gb_status for_each_topic(listing *l, put_topic *put, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t k = 0; k < l->labels.n_topics && st == GB_OK; k++) {
        gb_topic_wordings t = {0};
        if (!gb_topic_is_listed(&l->labels, k) || gb_topic_label_is_empty(&l->labels, k))
            continue;
        st = gb_topic_wordings_make(&t, l->model, k, err);
        if (st == GB_OK)
            st = put(l, k, &t, err);
        gb_topic_wordings_clear(&t);
    }
    return st;
}

/* ---- words that differ --------------------------------------------------------------------------------- */

typedef struct difference {
    size_t word;
    double share, other, size; /* of words of the topic; size: what decides the order */
    bool is_sure;              /* of its sign */
    gb_effect log_ratio;
} difference;

static int larger_first(const void *a, const void *b)
{
    const difference *x = a, *y = b;
    if (x->is_sure != y->is_sure)
        return x->is_sure ? -1 : 1;
    return x->size != y->size ? (x->size < y->size ? 1 : -1) : (x->word > y->word) - (x->word < y->word);
}

/* Of one group against others, those whose sign is `sign`; if not `all`, is so for sure.  @return how many are listed, the largest of these first */
static size_t list_differences(bool all, gb_topic_wordings *t, uint32_t group, size_t n_other, const uint32_t *other,
                               double sign, difference *d)
{
    size_t n = 0;
    for (size_t w = 0; w < t->n_words; w++) {
        double sum = 0, n_groups = 0;
        for (uint32_t g = 0; other == NULL && g < t->n_groups; g++)
            if (g != group) {
                sum += t->mean[g * t->n_words + w];
                n_groups++;
            }
        for (size_t i = 0; i < n_other; i++, n_groups++)
            sum += t->mean[other[i] * t->n_words + w];
        d[n] = (difference){.word = w, .share = t->mean[group * t->n_words + w], .other = sum / n_groups};
        d[n].size = sign * (d[n].share - d[n].other);
        if (!(d[n].size > 0))
            continue;
        d[n].log_ratio = gb_topic_wordings_log_ratio(t, w, group, n_other, other);
        d[n].is_sure = sign > 0 ? d[n].log_ratio.q05 > 0 : d[n].log_ratio.q95 < 0;
        n += all || d[n].is_sure;
    }
    qsort(d, n, sizeof *d, larger_first);
    return n;
}

enum {
    C_TOPIC,
    C_NAME,
    C_WORDS,
    C_GROUP,
    C_WORD,
    C_SHARE,
    C_OTHER,
    C_MEAN,
    N_CONTENT_COLUMNS = C_MEAN + GB_N_POSTERIOR_COLUMNS
};

#define TOPIC_COLUMNS(TOPIC, NAME, TOPIC_WORDS)                                                                      \
    [TOPIC] = {"topic", "topic %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "number of the topic"},                \
    [NAME] = {"topic_name", " %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "name that somebody gave the topic"},   \
    [TOPIC_WORDS] = {"words", ": %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "words of the topic"}

static const gb_column content_columns[N_CONTENT_COLUMNS] = {
    TOPIC_COLUMNS(C_TOPIC, C_NAME, C_WORDS),
    [C_GROUP] = {"group", "group", GB_CELL_TEXT, GB_PLACE_ONCE, NULL, "", "group of documents"},
    [C_WORD] = {"word", "word", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                "word that the group uses more than the others"},
    [C_SHARE] = {"share", "share", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of the topic's words",
                 "in documents of the group"},
    [C_OTHER] = {"share_elsewhere", "elsewhere", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of the topic's words",
                 "mean of the other groups"},
    GB_POSTERIOR_COLUMNS(C_MEAN, "%+.2f", "log ratio")};

static void add_columns(const listing *l, size_t n, const gb_column *column, size_t name, size_t mean)
{
    enum { MOST = 24 };
    gb_column shown[MOST];
    bool is_used[MOST];
    memcpy(shown, column, n * sizeof *shown);
    memset(is_used, true, sizeof is_used);
    is_used[name] = gb_topic_labels_have_names(&l->labels);
    if (mean < n) {
        shown[mean].place = shown[mean + GB_SD].place = GB_PLACE_DATA;
        shown[mean + GB_MEDIAN].title = "log ratio";
    }
    gb_table_add_all(l->table, n, shown, is_used);
}

static void begin_row(const listing *l, size_t topic, size_t name, size_t words, double weight)
{
    gb_table_begin_row(l->table, weight);
    gb_put_text(l->table, 0, l->labels.title[topic]);
    gb_put_text(l->table, name, gb_topic_label_name(&l->labels, topic));
    gb_put_text(l->table, words, l->labels.words[topic]);
}

static gb_status put_content(listing *l, size_t topic, gb_topic_wordings *t, gb_error *err)
{
    difference d[MOST_WORDS_SHOWN];
    (void)err;
    for (uint32_t g = 0; g < t->n_groups; g++) {
        const size_t n = list_differences(l->all, t, g, 0, NULL, 1, d);
        for (size_t i = 0; i < n && i < l->n_shown; i++) {
            begin_row(l, topic, C_NAME, C_WORDS, (double)NAN);
            gb_put_text(l->table, C_GROUP, gb_topic_wordings_group(t, g));
            gb_put_text(l->table, C_WORD, gb_model_word(l->model, t->word[d[i].word]));
            gb_put_real(l->table, C_SHARE, d[i].share);
            gb_put_real(l->table, C_OTHER, d[i].other);
            gb_put_posterior(l->table, C_MEAN, &d[i].log_ratio);
        }
    }
    return GB_OK;
}

static gb_status answer_content(const gb_asked *asked, gb_table *table, gb_error *err)
{
    listing l;
    gb_status st = open(&l, asked, table, err);
    if (st == GB_OK) {
        add_columns(&l, N_CONTENT_COLUMNS, content_columns, C_NAME, C_MEAN);
        st = for_each_topic(&l, put_content, err);
    }
    gb_table_add_note(
        table, GB_NOTE_BELOW,
        "log ratio: log of the word's probability in the topic for the group, less the mean of the other "
        "groups; of the %d most frequent words of a topic those are listed that a group uses more with a "
        "probability of 0.95 or more; `words` asks for as many, others among them",
        MOST_WORDS_SHOWN);
    close(&l);
    return st;
}

/* ---- words that come and go ---------------------------------------------------------------------------- */

enum {
    E_TOPIC,
    E_NAME,
    E_WORDS,
    E_CHANGE,
    E_WORD,
    E_FIRST,
    E_LAST,
    E_SHARES,
    E_MEAN,
    N_EVOLUTION_COLUMNS = E_MEAN + GB_N_POSTERIOR_COLUMNS
};

static const gb_column evolution_columns[N_EVOLUTION_COLUMNS] = {
    TOPIC_COLUMNS(E_TOPIC, E_NAME, E_WORDS),
    [E_CHANGE] = {"change", "change", GB_CELL_TEXT, GB_PLACE_ONCE, NULL, "", "rose or fell"},
    [E_WORD] = {"word", "word", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "word of the topic"},
    [E_FIRST] = {"first", "first", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of the topic's words",
                 "at the first level"},
    [E_LAST] = {"last", "last", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of the topic's words",
                "at the last level"},
    [E_SHARES] = {"shares", "from first to last", GB_CELL_REALS, GB_PLACE_COLUMN, NULL, "share of the topic's words",
                  "at each level"},
    GB_POSTERIOR_COLUMNS(E_MEAN, "%+.2f", "log ratio")};

static gb_status put_evolution(listing *l, size_t topic, gb_topic_wordings *t, gb_error *err)
{
    static const char *const change[] = {"rose", "fell"};
    difference d[MOST_WORDS_SHOWN];
    double *curve = NULL;
    const uint32_t first = 0, last = t->n_groups - 1;
    gb_status st = gb_alloc(&curve, t->n_groups, sizeof *curve, "words by level", err);
    for (size_t c = 0; c < 2 && st == GB_OK; c++) {
        const size_t n = list_differences(l->all, t, last, 1, &first, c == 0 ? 1 : -1, d);
        for (size_t i = 0; i < n && i < l->n_shown; i++) {
            for (uint32_t g = 0; g < t->n_groups; g++)
                curve[g] = t->mean[g * t->n_words + d[i].word];
            begin_row(l, topic, E_NAME, E_WORDS, (double)NAN);
            gb_put_text(l->table, E_CHANGE, change[c]);
            gb_put_text(l->table, E_WORD, gb_model_word(l->model, t->word[d[i].word]));
            gb_put_real(l->table, E_FIRST, d[i].other);
            gb_put_real(l->table, E_LAST, d[i].share);
            gb_put_numbers(l->table, E_SHARES, t->n_groups, curve);
            gb_put_posterior(l->table, E_MEAN, &d[i].log_ratio);
        }
    }
    gb_free(curve);
    return st;
}

static gb_status answer_evolution(const gb_asked *asked, gb_table *table, gb_error *err)
{
    listing l;
    gb_status st = open(&l, asked, table, err);
    if (st == GB_OK) {
        add_columns(&l, N_EVOLUTION_COLUMNS, evolution_columns, E_NAME, E_MEAN);
        st = for_each_topic(&l, put_evolution, err);
    }
    const gb_wording *w = &l.model->wording;
    const gb_view first = gb_wording_group(w, 0), last = gb_wording_group(w, w->n_groups - 1);
    gb_table_add_note(
        table, GB_NOTE_BELOW,
        "log ratio: log of the word's probability in the topic at %s %.*s less that at %.*s; of the %d most "
        "frequent words of a topic those are listed whose change has its sign with a probability of "
        "0.95 or more; `words` asks for as many, others among them",
        w->field, GB_SHOWN(last), GB_SHOWN(first), MOST_WORDS_SHOWN);
    close(&l);
    return st;
}

/* ---- the most frequent words --------------------------------------------------------------------------- */

enum { W_TOPIC, W_NAME, W_WORDS, W_GROUP, W_GROUP_WORDS, N_WORDING_COLUMNS };

static const gb_column wording_columns[N_WORDING_COLUMNS] = {
    TOPIC_COLUMNS(W_TOPIC, W_NAME, W_WORDS),
    [W_GROUP] = {"group", "group", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "group of documents, or level"},
    [W_GROUP_WORDS] = {"group_words", "words", GB_CELL_LIST, GB_PLACE_END, NULL, "", "words of the topic there"}};

/* Levels with about the same number of others between them; all groups. */
static bool is_shown(const gb_topic_wordings *t, uint32_t g)
{
    const uint32_t n = t->n_groups, most = MOST_LEVELS_SHOWN;
    if (!t->model->wording.shape->is_ordered || n <= most)
        return true;
    for (uint32_t i = 0; i < most; i++)
        if ((uint64_t)i * (n - 1) / (most - 1) == g)
            return true;
    return false;
}

static gb_status put_words(listing *l, size_t topic, gb_topic_wordings *t, gb_error *err)
{
    difference d[MOST_WORDS_SHOWN];
    (void)err;
    for (uint32_t g = 0; g < t->n_groups; g++) {
        if (!is_shown(t, g))
            continue;
        for (size_t w = 0; w < t->n_words; w++)
            d[w] = (difference){.word = w, .size = t->mean[g * t->n_words + w]};
        qsort(d, t->n_words, sizeof *d, larger_first);
        begin_row(l, topic, W_NAME, W_WORDS, (double)NAN);
        gb_put_text(l->table, W_GROUP, gb_topic_wordings_group(t, g));
        for (size_t i = 0; i < t->n_words && i < l->n_shown; i++)
            gb_put_item(l->table, W_GROUP_WORDS, gb_model_word(l->model, t->word[d[i].word]));
    }
    return GB_OK;
}

static gb_status answer_wordings(const gb_asked *asked, gb_table *table, gb_error *err)
{
    listing l;
    gb_status st = open(&l, asked, table, err);
    if (st == GB_OK) {
        add_columns(&l, N_WORDING_COLUMNS, wording_columns, W_NAME, SIZE_MAX);
        st = for_each_topic(&l, put_words, err);
    }
    close(&l);
    return st;
}

const gb_question_row gb_question_content = {{"content", "words that groups of documents use differently in a topic",
                                              GB_NEEDS_MODEL | GB_NEEDS_WORDINGS, GB_TOPIC_LABEL_OPTIONS},
                                             answer_content},
                      gb_question_evolution = {{"evolution", "words of topics that rose and fell",
                                                GB_NEEDS_MODEL | GB_NEEDS_EVOLUTION, GB_TOPIC_LABEL_OPTIONS},
                                               answer_evolution},
                      gb_question_wordings = {{"wordings", "words of each topic by group of documents, or by level",
                                               GB_NEEDS_MODEL | GB_NEEDS_WORDINGS, GB_TOPIC_LABEL_OPTIONS},
                                              answer_wordings};
