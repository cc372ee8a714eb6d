/* answer/explanation_words.c - what the words of documents add to their scores, by their topics and by themselves. */
#include "answer/explained.h"
#include "answer/questions.h"
#include "gibbous/topic_names.h"

#include <math.h>
#include <string.h>

enum { ID, WORD = ID + GB_N_EXPLAINED, COUNT, TOPIC, NAME, TOPICS, COEFFICIENT, PART, WITHOUT, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    GB_EXPLAINED_COLUMNS(ID, "of the score, or of the number that is predicted"),
    [WORD] = {"word", "word", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "word of the document"},
    [COUNT] = {"count", "count", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "tokens", "how often the document has it"},
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
               "topic with the largest part of the word; empty for topics that are left out, and those of other "
               "chains only"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    [TOPICS] = {"topics", "by topics", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.3f",
                "of the score, or of the number that is predicted", "what the word adds through its topics"},
    [COEFFICIENT] = {"coefficient", "by itself", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.3f",
                     "of the score, or of the number that is predicted",
                     "what the word adds through a coefficient of its own"},
    [PART] = {"part", "part", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.3f",
              "of the score, or of the number that is predicted", "both together"},
    [WITHOUT] = {"without", "score without it", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.3f",
                 "of the score, or of the number that is predicted",
                 "score of the document without the word; empty where this was not asked for"}};

static uint64_t largest_topic(const gb_explained *x, uint64_t word)
{
    uint64_t best = x->e->n_topics;
    double most = 0;
    for (uint64_t k = 0; k < x->e->n_topics; k++) {
        const double size = fabs(gb_part_of_word(x, word, k));
        if (size > most) {
            most = size;
            best = k;
        }
    }
    return best;
}

static gb_status put_score(gb_explained *x, void *user, gb_error *err)
{
    const uint64_t *n_shown = user, n_all = gb_sort_explained_words(x, GB_ALL_OF_WORD);
    const uint64_t n = *n_shown > 0 && *n_shown < n_all ? *n_shown : n_all;
    (void)err;
    for (uint64_t i = 0; i < n; i++) {
        const gb_explained_word *w = &x->word[i];
        const uint64_t topic = largest_topic(x, w->word);
        const double own = gb_part_of_word(x, w->word, GB_OWN_OF_WORD),
                     without = x->e->without[w->word * x->e->n_explained + x->at % x->e->n_explained];
        gb_begin_explained(x, fabs(x->scale * w->value));
        gb_put_text(x->table, WORD, gb_model_word(x->model, x->e->word[w->word]));
        gb_put_count(x->table, COUNT, x->e->word_count[w->word]);
        gb_put_text(x->table, TOPIC, gb_explained_title(x, topic));
        gb_put_text(x->table, NAME, gb_explained_name(x, topic));
        gb_put_real(x->table, TOPICS, x->scale * (w->value - own));
        gb_put_real(x->table, COEFFICIENT, x->scale * own);
        gb_put_real(x->table, PART, x->scale * w->value);
        gb_put_real(x->table, WITHOUT, x->centre + x->scale * without);
    }
    return GB_OK;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    uint64_t n_shown = gb_asked_count(asked, "rows", 0);
    const gb_model *model = asked->subject->model;
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_model_has_topic_names(model);
    is_used[TOPICS] = is_used[COEFFICIENT] = gb_model_n_word_columns(model) > 0; /* else `part` says it */
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    return gb_for_each_explained(asked, table, put_score, &n_shown, err);
}

const gb_question_row gb_question_explanation_words = {
    {"explanation-words", "what the words of documents add to their scores",
     GB_NEEDS_RESPONSE | GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS | GB_NEEDS_EXPLANATION, "rows"},
    answer};
