/* plan/seeds.h - seed words: what some topics are to be about, as a prior of these topics.
 *
 * A seed word without a strength is a keyword of its topic, see counts/keywords.h.  With strengths
 *
 *   phi_k ~ Dir(beta + s_k.),   s_kw = max(1, round(strength f_w))                                          (1)
 *
 * for the seed words w of topic k, f_w the tokens of the word in the corpus; s_kw = 0 for all others.  So a strength of 1 says: as if each of
 * the word's tokens had been seen in this topic once more.  See counts/topics.h for how chains use it; Jagarlamudi, Daume and
 * Udupa (2012) and Lu and others (2011) have seeded topics by priors before.
 *
 * Named topics are the first ones, in the order of the list; the others are free. */
#ifndef GB_PLAN_SEEDS_H
#define GB_PLAN_SEEDS_H

#include "corpus/data/corpus.h"
#include "counts/topics.h"

/** Unknown words are a likely mistake: so many of them can be shown. */
enum { GB_UNKNOWN_SEEDS = 10 };

typedef struct gb_seeds {
    size_t n_topics;    /* named */
    char **name;        /* n_topics */
    uint64_t *n_tokens; /* n_topics: s_kw summed over words */
    gb_seed *seed;      /* those of a topic together, in the order of the topics */
    size_t n;
    size_t n_keywords, n_keyword_pairs; /* different words that are keywords, and seeds that are */
    gb_keyword_law law;                 /* of keywords */
    size_t n_unknown;                   /* seed words that the vocabulary has not */
    char *unknown[GB_UNKNOWN_SEEDS];    /* the first of them */
    size_t name_capacity, token_capacity, seed_capacity;
} gb_seeds;

/**
 * Read seed words.
 *
 * @param text      a file with a line for each topic, `NAME: WORD WORD=STRENGTH ...`, words apart by blanks or commas, blank lines and lines
 *                  that begin with # passed over; or a JSON object {"NAME": ["WORD", ...], "NAME": {"WORD": STRENGTH, ...}}
 * @param strength  > 0: of words without one of their own; 0: these are keywords
 * @param corpus    a word is looked up as it is, if it is not there with upper and lower case folded together, and then by its stem if the
 *                  corpus has stems
 * @param n_topics  of the model: at most so many may be named
 * @param out       clear it with gb_seeds_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (what does not suit the corpus, or JSON of another form), GB_EFORMAT (a line of another form), GB_EIO,
 * GB_ENOMEM
 */
gb_status gb_seeds_read(const char *text, double strength, const gb_corpus *corpus, size_t n_topics, gb_seeds *out,
                        gb_error *err);
void gb_seeds_clear(gb_seeds *seeds);

/** What a model keeps: an array with "name", "tokens" (s_kw summed over words) and "words" (word -> s_kw, 0 for keywords) of each named topic, in order.
 * The caller owns the reference; NULL when memory runs out. */
json_t *gb_seeds_to_json(const gb_seeds *seeds, const gb_texts *vocabulary);
/** The tokens of the seeds of each topic, from that array.
 *
 * @param tokens  receives n_topics numbers
 * @return false if it is no such array, or has more than n_topics topics */
bool gb_seeds_from_json(const json_t *array, size_t n_topics, uint64_t *tokens);

/** Add the seeds to numbers of tokens by word. */
void gb_seeds_count(const gb_seeds *seeds, uint64_t *total);

#endif
