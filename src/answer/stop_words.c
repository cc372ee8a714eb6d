/* answer/stop_words.c - the words that the option stopwords leaves out. */
#include "answer/questions.h"
#include "corpus/text/prepare.h"

#include <jansson.h>
#include <math.h>

static const gb_column columns[] = {
    {"word", "stop word", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "as texts have it after folding"}};

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    gb_prepare *p = NULL;
    json_t *preparation = NULL;
    const json_t *word;
    size_t i;
    gb_table_add_all(table, 1, columns, NULL);
    GB_TRY(gb_prepare_from_settings(&p, asked->settings, NULL, err));
    preparation = gb_prepare_to_json(p, "text");
    if (preparation == NULL) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: stop words");
        goto done;
    }
    json_array_foreach(json_object_get(preparation, "stopwords"), i, word)
    {
        gb_table_begin_row(table, NAN);
        gb_put_text(table, 0, json_string_value(word));
    }
done:
    json_decref(preparation);
    gb_prepare_free(p);
    return st;
}

const gb_question_row gb_question_stop_words = {
    {"stop-words", "which words the option stopwords leaves out", GB_NEEDS_OPTIONS,
     "stopwords lowercase token-pattern word-breaks stem ngrams phrase-score"},
    answer};
