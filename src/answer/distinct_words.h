/* answer/distinct_words.h - a few words for each topic that tell it from the others: its name, where nobody gave it one. */
#ifndef GB_ANSWER_DISTINCT_WORDS_H
#define GB_ANSWER_DISTINCT_WORDS_H

#include "base/status.h"
#include "gibbous/model.h"

#include <stdbool.h>
#include <stdint.h>

/** Topics whose words are to be chosen, and the words among which to choose. */
typedef struct gb_distinct_words {
    const gb_model *model; /* whose words they are */
    uint64_t n_topics;
    const bool *is_named; /* n_topics: the others get words as well, but none of them is then taken from these */
    const double *share;  /* n_topics: of the tokens; the largest choose first; NaN: not known */
    uint64_t n_ranked;
    const uint64_t *ranked; /* n_topics x n_ranked: the words of a topic, the best first */
} gb_distinct_words;

/**
 * Choose n words for each topic, in n rounds: in each, every topic takes one word, the largest topic first.  It takes the first of its ranked
 * words, after these setbacks: ten places for each topic that has the word already, forty for a word that differs from one of its own by
 * its ending alone, and the end of the list for a word of a topic with which it shares another.
 *
 * @param n       at most n_ranked
 * @param chosen  receives n_topics x n numbers of words; they are all different in a topic
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: n_topics x n x n_ranked, and for words of several topics as much again for each of these.
 */
gb_status gb_choose_distinct_words(const gb_distinct_words *of, uint64_t n, uint64_t *chosen, gb_error *err);

#endif
