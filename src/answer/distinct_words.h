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
 * Choose n words for each topic: each topic takes one, the largest topic first, then each its second, and so on.  A topic takes its best word,
 * where a word that another topic has is as bad as one ten places behind it, and one of a topic with which it has a word in common already is
 * worse than all others; and no word that is another of its own with an ending.
 *
 * @param n       at most n_ranked
 * @param chosen  receives n_topics x n numbers of words; they are all different in a topic
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: n_topics x n x n_ranked, and for words of several topics as much again for each of these.
 */
gb_status gb_choose_distinct_words(const gb_distinct_words *of, uint64_t n, uint64_t *chosen, gb_error *err);

#endif
