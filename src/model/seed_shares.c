/* model/seed_shares.c - tokens of named topics that are their seed words. */
#include "model/seed_shares.h"

#include "model/model.h"

#include <math.h>
#include <string.h>

bool gb_model_has_seeds(const gb_model *m)
{
    return m->seeds != NULL;
}

bool gb_model_is_seeded(const gb_model *m, uint64_t topic)
{
    return topic < json_array_size(m->seeds);
}

static uint64_t find_word(const gb_model *m, const char *word)
{
    uint64_t w = 0;
    while (w < m->n_words && strcmp(m->word[w], word) != 0)
        w++;
    return w;
}

static double count_of(const gb_draw *draw, uint64_t word, size_t topic)
{
    for (uint64_t at = draw->word_start[word]; at < draw->word_start[word + 1]; at++)
        if (draw->topic[at] == topic)
            return draw->count[at];
    return 0;
}

static bool is_of_first_chain(const gb_model *m, size_t draw)
{
    return draw < m->n_draws && m->draw[draw].chain == m->draw[0].chain;
}

static double seed_share(const gb_model *m, size_t topic, const json_t *words)
{
    const char *word;
    const json_t *seed_tokens;
    double said = 0, all = 0;
    for (size_t i = 0; is_of_first_chain(m, i); i++)
        all += gb_model_topic_tokens(m, &m->draw[i], topic);
    json_object_foreach((json_t *)(uintptr_t)words, word, seed_tokens)
    {
        const uint64_t w = find_word(m, word);
        for (size_t i = 0; w < m->n_words && is_of_first_chain(m, i); i++)
            said += fmax(0, count_of(&m->draw[i], w, topic) - json_number_value(seed_tokens));
    }
    return all > 0 ? said / all : (double)NAN;
}

void gb_model_seed_shares(const gb_model *m, double *share)
{
    for (size_t k = 0; k < m->n_topics; k++)
        share[k] = gb_model_is_seeded(m, k) ? seed_share(m, k, json_object_get(json_array_get(m->seeds, k), "words"))
                                            : (double)NAN;
}
