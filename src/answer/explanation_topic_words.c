/* answer/explanation_topic_words.c - the words of documents that carry the parts of topics. */
#include "answer/explained.h"
#include "answer/questions.h"
#include "gibbous/topic_names.h"

#include <math.h>
#include <string.h>

enum { ID, TOPIC = ID + GB_N_EXPLAINED, NAME, WORD, PART, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    GB_EXPLAINED_COLUMNS(ID, "of the score, or of the number that is predicted"),
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_ONCE, NULL, "",
               "number of the topic; of topics that count as one, their numbers with + between"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_ONCE, NULL, "", "name that somebody gave the topic"},
    [WORD] = {"word", "word", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "word of the document"},
    [PART] = {"part", "part", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.3f",
              "of the score, or of the number that is predicted",
              "what the word adds to the score through the topic"}};

static gb_status put_score(gb_explained *x, void *user, gb_error *err)
{
    (void)user;
    (void)err;
    for (uint64_t k = 0; k < x->e->n_topics; k++) {
        const uint64_t n = gb_topic_is_listed(&x->titles, k) ? gb_sort_explained_words(x, k) : 0;
        for (uint64_t i = 0; i < n; i++) {
            gb_begin_explained(x, fabs(x->scale * x->word[i].value));
            gb_put_text(x->table, TOPIC, gb_explained_title(x, k));
            gb_put_text(x->table, NAME, gb_explained_name(x, k));
            gb_put_text(x->table, WORD, gb_model_word(x->model, x->e->word[x->word[i].word]));
            gb_put_real(x->table, PART, x->scale * x->word[i].value);
        }
    }
    return GB_OK;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_model_has_topic_names(asked->subject->model);
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    return gb_for_each_explained(asked, table, put_score, NULL, err);
}

const gb_question_row gb_question_explanation_topic_words = {
    {"explanation-topic-words", "what the words of documents add to their scores through each topic",
     GB_NEEDS_RESPONSE | GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS | GB_NEEDS_EXPLANATION, ""},
    answer};
