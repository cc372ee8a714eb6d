/* counts/keywords.h - named topics that draw a word from their keywords or from all words.
 *
 * Topic k with the keywords W_k has two laws of words and a switch (Eshima, Imai and Sasaki 2024 have the idea):
 *
 *     pi_k ~ Beta(g1, g2),   phi~_k ~ Dir(beta~) over W_k,   phi_k ~ Dir(beta) over all words
 *     a token of topic k is drawn from phi~_k with probability pi_k (s = 1), else from phi_k (s = 0)            (1)
 *
 * so its words have the law phi*_k = pi_k phi~_k + (1 - pi_k) phi_k.  Given phi*, the s say nothing of topics and are summed
 * out.  By the aggregation property of the Dirichlet every keyword is a word block of its own, whose mass r_kw is phi_kw:
 *
 *     word factor of a keyword       pi_k phi~_kw + (1 - pi_k) r_kw          where topic k has it, else (1 - pi_k) r_kw
 *     word factor of any other word  (1 - pi_k) times that of counts/topics.h                                   (2)
 *
 * pi = 0 for topics without keywords.  With m_kw of the n_kw tokens of a keyword drawn with s = 1, once a sweep
 *
 *     m_kw ~ Binomial(n_kw, pi_k phi~_kw / (pi_k phi~_kw + (1 - pi_k) r_kw))       after the topics of tokens    (3)
 *     pi_k ~ Beta(g1 + m_k, g2 + n_k - m_k),   phi~_k ~ Dir(beta~ + m_k.),   r_k from the counts n - m          (4)
 *
 * which leaves the law of Z that of (1), in any number of blocks.  Keywords stand together in the last word block; its tokens are
 * drawn from rows of (2), which no token changes, and counted in the rows of words as all others are.
 *
 * With bags of words (corpus/data/bags.h) there is (1) in each bag of a topic, with a switch and the keywords of the bag. */
#ifndef GB_COUNTS_KEYWORDS_H
#define GB_COUNTS_KEYWORDS_H

#include "base/arrays.h"

#include <stdbool.h>

/** Parameters of (1). */
typedef struct gb_keyword_law {
    double beta;                    /* beta~ */
    double from_keywords, from_all; /* g1, g2 */
} gb_keyword_law;

typedef struct gb_keywords {
    size_t n_words, n_pairs; /* different keywords; pairs of a topic and a keyword of it.  0: there are none */
    gb_keyword_law law;
    uint32_t *word; /* n_words: ascending */
    uint32_t
        *at; /* n_pairs, bag by bag those of a topic together, topics ascending: the place of the keyword in `word` */
    uint16_t *topic;  /* n_pairs */
    uint32_t *first;  /* bags x n_topics + 1: where the pairs of a topic in a bag begin */
    int64_t *count;   /* n_words x n_topics: n_kw of keywords, on all ranks */
    double *switched; /* n_pairs: m_kw */
    double *said;     /* n_pairs: pi_k phi~_kw */
    double *chance;   /* n_pairs: that of (3) */
    double *rest;     /* bags x n_topics: 1 - pi_k */
    double *factor;   /* n_words x n_topics: (2); before, n_kw - m_kw */
    float *phi;       /* n_words x stride: the same, each row divided by its largest entry */
} gb_keywords;

/** The place of a word among the keywords; n_words if it is none. */
size_t gb_keywords_find(const gb_keywords *keywords, uint32_t word);

#endif
