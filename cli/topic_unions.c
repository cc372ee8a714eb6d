/* cli/topic_unions.c - topics that count as one, and topics that are left out, in lists. */
#include "topic_unions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 7 };

static const char what[] = "unions of topics";

bool cli_is_listed(const gb_model *model, uint64_t topic)
{
    return gb_model_topic_union(model, topic) == topic;
}

uint64_t cli_n_left_out(const gb_model *model)
{
    uint64_t n = 0;
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++)
        n += gb_model_topic_union(model, k) == GB_LEFT_OUT;
    return n;
}

void cli_note_left_out(const cli_call *call, const gb_model *model)
{
    const uint64_t n = cli_n_left_out(model);
    double share = 0;
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++)
        share += gb_model_topic_union(model, k) == GB_LEFT_OUT ? gb_model_topic_share(model, k) : 0;
    if (n > 0)
        cli_note(call, "%" PRIu64 " topic%s left out, with %.1f %% of the tokens; predictions still use %s", n,
                 n == 1 ? " is" : "s are", 100 * share, n == 1 ? "it" : "them");
}

gb_status cli_union_title(const gb_model *model, uint64_t topic, char **out, gb_error *err)
{
    gb_status st;
    uint64_t *topics = NULL;
    CLI_TRY(cli_alloc(&topics, gb_model_n_topics(model), sizeof *topics, what, err));
    const uint64_t n = gb_model_topics_of_union(model, topic, topics);
    CLI_TRY(cli_alloc(out, DIGITS * n, 1, what, err));
    size_t length = 0;
    for (uint64_t i = 0; i < n; i++)
        length +=
            (size_t)snprintf(*out + length, DIGITS * n - length, "%s%" PRIu64, i == 0 ? "" : "+", topics[i] + 1);
done:
    gb_free(topics);
    return st;
}

gb_status cli_join_words(const gb_model *model, const uint64_t *word, uint64_t n, char **out, gb_error *err)
{
    size_t length = 1;
    for (uint64_t i = 0; i < n; i++)
        length += strlen(gb_model_word(model, word[i])) + 1;
    gb_status st = cli_alloc(out, length, 1, "the words of a topic", err);
    char *at = *out;
    for (uint64_t i = 0; st == GB_OK && i < n; i++)
        at = stpcpy(stpcpy(at, i > 0 ? " " : ""), gb_model_word(model, word[i]));
    return st;
}
