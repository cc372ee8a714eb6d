/* cli/report_why.c - why documents have their scores, for a report: cells of the answers to two questions. */
#include "report_why.h"

#include "answer.h"
#include "explain.h"
#include "report_json.h"

#include <stdlib.h>
#include <string.h>

/* Documents that are explained at a time: an explanation has a number for each of their words and topics. */
enum { SLICE = 64 };
static const char most_rows[] = "8";

/* Parts, then words, of the documents at hand, with the rows that are next. */
typedef struct answers {
    gb_table *parts, *words;
    uint64_t part, word;
} answers;

static json_t *text_of(const gb_table *t, uint64_t row, const char *column)
{
    return json_string(gb_table_text(t, row, cli_find_column(t, column), 0));
}

static json_t *real_of(const gb_table *t, uint64_t row, const char *column)
{
    return cli_report_real(gb_table_reals(t, cli_find_column(t, column))[row], CLI_LONG);
}

static bool begins_a_score(const gb_table *parts, uint64_t row)
{
    return strcmp(gb_table_text(parts, row, cli_find_column(parts, "kind"), 0), "average") == 0;
}

/* The next score. */
static json_t *describe(answers *a, uint64_t n_words)
{
    json_t *parts = json_array(), *words = json_array();
    const uint64_t first = a->part;
    do {
        (void)json_array_append_new(parts, json_pack("[o, o, o]", text_of(a->parts, a->part, "kind"),
                                                     text_of(a->parts, a->part, "feature"),
                                                     real_of(a->parts, a->part, "part")));
        a->part++;
    } while (a->part < gb_table_n_rows(a->parts) && !begins_a_score(a->parts, a->part));
    for (uint64_t end = a->word + n_words; a->word < end; a->word++)
        (void)json_array_append_new(
            words, json_pack("[o, o]", text_of(a->words, a->word, "word"), real_of(a->words, a->word, "part")));
    return json_pack("{s:o, s:o, s:o, s:o}", "class", text_of(a->parts, first, "class"), "score",
                     real_of(a->parts, first, "score"), "parts", parts, "words", words);
}

static gb_status explain_slice(const gb_settings *settings, const cli_batch *b, uint64_t first, uint64_t last,
                               json_t **list, gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_explanation *e = NULL;
    answers a = {0};
    const uint64_t most = strtoull(most_rows, NULL, 10);
    gb_status st;
    CLI_TRY(cli_explain_some(settings, b, first, last, &docs, &e, err));
    const gb_subject subject = {.size = sizeof subject, .model = b->model, .documents = docs, .explanation = e};
    CLI_TRY(gb_answer("explanation", &subject, settings, &a.parts, err));
    CLI_TRY(gb_answer("explanation-words", &subject, settings, &a.words, err));
    for (uint64_t d = 0; d < last - first; d++) {
        const uint64_t n_words = e->word_start[d + 1] - e->word_start[d];
        list[first + d] = json_array();
        for (uint64_t r = 0; r < e->n_explained; r++)
            (void)json_array_append_new(list[first + d], describe(&a, n_words < most ? n_words : most));
    }
done:
    gb_table_free(a.parts);
    gb_table_free(a.words);
    gb_explanation_free(e);
    gb_corpus_free(docs);
    return st;
}

gb_status cli_report_why(const cli_call *call, const cli_batch *batch, uint64_t n, json_t ***out, gb_error *err)
{
    json_t **list = NULL;
    gb_settings *settings = NULL;
    gb_status st;
    CLI_TRY(cli_alloc(&list, n, sizeof *list, "the explanations", err));
    CLI_TRY(gb_settings_copy(call->settings, &settings, err));
    CLI_TRY(gb_settings_set(settings, "rows", most_rows, err));
    CLI_TRY(gb_settings_set(settings, "without", "0", err));
    for (uint64_t first = 0; first < n; first += SLICE)
        CLI_TRY(explain_slice(settings, batch, first, first + SLICE < n ? first + SLICE : n, list, err));
    *out = list;
    list = NULL;
done:
    for (uint64_t d = 0; list != NULL && d < n; d++)
        json_decref(list[d]);
    gb_free(list);
    gb_settings_free(settings);
    return st;
}
