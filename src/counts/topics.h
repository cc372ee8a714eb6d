/* counts/topics.h - the topic-word side of a chain: counts, and how the topic-word distributions are treated.
 *
 * blocks   The vocabulary is cut into B blocks; phi_kw = r_kb psi_kbw for w in block b.  The block masses r are
 *          kept as a state, psi is integrated out:
 *              word factor of topic k = r_kb (n_kw^{-n} + beta) / (n_kb^{-n} + beta_b)                     (1)
 *              r_k | Z ~ Dir(n_k1 + beta_1, ..., n_kB + beta_B)                                            (2)
 *          with n_kb and beta_b summed over the words of the block.  By the aggregation property of the
 *          Dirichlet the law of Z is the collapsed one for every B; B = 1 is the collapsed sampler itself.
 *          Tokens in different document blocks and different word blocks share nothing that changes.
 * sampled  phi is drawn every sweep (Magnusson, Jonsson and Villani 2016, section 3.2); then documents are
 *          independent:
 *              phi_k | Z ~ Dir(beta + n_k.),   word factor of topic k = phi_kw                             (3)
 *
 * Where words are in bags (corpus/data/bags.h), phi_k has a part for each bag that sums to 1: n_kw and what follows is of the words of
 * a bag alone.  No block has words of two bags, so (1) stays; (2) and (3) hold in each bag.
 *
 * beta is given, or sampled: counts/sampled_beta.c.
 *
 * Seed words give topics a prior of their own, phi_k ~ Dir(beta + s_k.), with whole numbers s_kw, most of them 0.  That is the
 * posterior of a symmetric prior after s_kw tokens of word w in topic k.  So they are counted as tokens that never move, n_kw has
 * s_kw in it everywhere, and (1) to (3), and whatever else reads counts, hold as they are.  Seed words without a number are keywords,
 * counts/keywords.h. */
#ifndef GB_COUNTS_TOPICS_H
#define GB_COUNTS_TOPICS_H

#include "corpus/data/bags.h"
#include "counts/keywords.h"
#include "counts/rows.h"
#include "options/gamma_law.h"
#include "random/random.h"
#include "team/team.h"

#include <stdbool.h>

enum { GB_LANES = 16 }; /* rows are padded to whole vectors */

typedef enum gb_treatment { GB_TREAT_BLOCKS, GB_TREAT_SAMPLED } gb_treatment;

/** A seed word of a topic: tokens of its prior, or a keyword. */
typedef struct gb_seed {
    uint32_t word, count; /* s_kw; 0: a keyword */
    uint16_t topic;       /* k */
    float said;           /* what a token of it says of its document when chains start, see chain/seeded_start.c */
} gb_seed;

typedef struct gb_topics {
    gb_treatment treatment;
    uint64_t n_words;
    size_t n_topics, stride; /* stride: n_topics rounded up to GB_LANES */
    double beta;
    double *sampled_beta; /* the same, if it is sampled; else NULL */
    gb_gamma_law beta_law;
    size_t n_blocks; /* B */
    size_t n_bundles,
        bundle_blocks; /* bundle_blocks blocks, one after the other, make a bundle: the rows of their words lie together */
    const gb_bags *bags;                /* borrowed */
    size_t bag_block[GB_MOST_BAGS + 1]; /* the blocks of a bag begin here; its end is where the next one begins */
    uint16_t *block_of;                 /* n_words: the block of a word */
    double *beta_block;                 /* n_blocks: beta_b */
    uint32_t *handle;                   /* n_words: the names of words' rows */
    uint64_t n_row_bytes;               /* of all tables */
    gb_rows *rows;                      /* n_bundles: n_kw; a table without data is not here but on another rank */
    int64_t *n_kb;                      /* n_blocks x n_topics: tokens of topic k in block b */
    double *mass;                       /* n_blocks x n_topics: r_kb */
    float *phi;                         /* sampled: n_words x stride, each row divided by its largest entry */
    double *block_scratch;              /* n_threads x 2 (n_blocks + keywords) */
    double *phi_scratch;                /* n_chunks x bags x 2 n_topics: partial log sums of phi draws */
    const gb_seed *seed;                /* n_seeds; borrowed */
    size_t n_seeds;
    gb_keywords keywords;
    size_t n_threads;
    gb_team *team; /* ranks that have the other bundles; borrowed; NULL: there are none */
} gb_topics;

/** How a chain treats its topics. */
typedef struct gb_topics_shape {
    const gb_bags *bags; /* borrowed for as long as the topics are used */
    size_t n_topics;
    double beta;           /* sampled: where it starts */
    gb_gamma_law beta_law; /* of a sampled one; a rate of 0: it is given */
    gb_treatment treatment;
    size_t
        n_blocks; /* B: at least as many as bags, and with keywords one more; for `sampled` it only cuts the work */
    size_t n_bundles; /* a divisor of n_blocks */
    bool lists;       /* rows of counts may be lists, see counts/rows.h */
    const gb_seed
        *seed; /* n_seeds, each pair of a word and a topic once; borrowed for as long as the topics are used */
    size_t n_seeds;
    size_t n_keywords, n_keyword_pairs; /* different words among the seeds without a number, and such seeds */
    gb_keyword_law keyword_law;
    size_t n_threads;
    gb_team *team; /* borrowed; NULL: there are no other ranks */
} gb_topics_shape;

/** No tokens but the seeds' are counted yet.
 *
 * @param total  n_words: tokens of each word, its seeds among them
 * @param first, last  bundles first..last-1 are here, all others on other ranks */
gb_status gb_topics_create(gb_topics *out, uint64_t n_words, const uint64_t *total, const gb_topics_shape *shape,
                           size_t first, size_t last, gb_error *err);
void gb_topics_clear(gb_topics *t);

/** The same without memory, for estimates of it: all bundles are here. */
gb_topics gb_topics_size(uint64_t n_words, const uint64_t *total, const gb_topics_shape *shape);
/** A gb_list_arrays. */
void gb_topics_list(void *topics, const gb_array_visitor *v);

/** The number of a word's bundle, and the table that has its row. */
static inline size_t gb_topics_bundle(const gb_topics *t, uint64_t word)
{
    return t->block_of[word] / t->bundle_blocks;
}

static inline gb_rows *gb_topics_rows(const gb_topics *t, uint64_t word)
{
    return &t->rows[gb_topics_bundle(t, word)];
}

/** Units of all tables together, see gb_rows_unit(). */
static inline uint64_t gb_topics_n_units(const gb_topics *t)
{
    return t->n_row_bytes / GB_ROW_ALIGNMENT;
}

static inline bool gb_topics_is_here(const gb_topics *t, size_t bundle)
{
    return t->rows[bundle].data != NULL;
}

static inline bool gb_topics_has_word(const gb_topics *t, uint64_t word)
{
    return gb_topics_is_here(t, gb_topics_bundle(t, word));
}

/** Count a token whose bundle is here. */
static inline void gb_topics_add(gb_topics *t, uint64_t word, uint16_t topic)
{
    gb_rows_add(gb_topics_rows(t, word), word, topic, 1);
    t->n_kb[t->block_of[word] * t->n_topics + topic]++;
}

/** The word block that has the keywords; n_blocks if there are none. */
static inline size_t gb_topics_keyword_block(const gb_topics *t)
{
    return t->n_blocks - (t->keywords.n_words > 0 ? 1 : 0);
}

/** Forget all counts but the seeds'. */
void gb_topics_zero(gb_topics *t);
/** Count tokens, all of bundles that are here (word and topic of each token). */
void gb_topics_count(gb_topics *t, uint64_t n_tokens, const uint32_t *word, const uint16_t *assignment);

/** Block masses as if every topic had the prior's share in every block: for the first assignment, before any token is
 * counted. */
void gb_topics_begin(gb_topics *t);

/** Draw beta, if it is sampled, given the counts; block masses and phi of before have another one. */
gb_status gb_topics_draw_beta(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err);
/** Use another beta. */
void gb_topics_set_beta(gb_topics *t, double beta);
/** Use the sampled beta that was read from a file.  @return GB_OK, or GB_EFORMAT if it cannot be */
gb_status gb_topics_restore(gb_topics *t, gb_error *err);

/** Tokens of the corpus in a topic that are words of a bag, without those that come from keywords. */
double gb_topics_plain_tokens(const gb_topics *t, size_t bag, size_t topic);
/** Those that its seed words bring. */
double gb_topics_seed_tokens(const gb_topics *t, size_t bag, size_t topic);
/** Put counts of keywords without the tokens that come from keywords in the place of their factors, until masses or phi are drawn. */
void gb_topics_leave_keywords_out(gb_topics *t);

/** Draw block masses, (2), whatever the treatment. */
gb_status gb_topics_draw_masses(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err);

/** Draw what the treatment keeps as a state: (2), or phi of (3). */
gb_status gb_topics_draw(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err);

/** Draw which tokens come from keywords, (3) of counts/keywords.h, once these are counted. */
gb_status gb_topics_draw_switches(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err);

/** log p(W | Z), phi integrated out, and the density of log beta, if it is sampled; with keywords log p(W, s | Z), phi, phi~ and pi integrated out. */
gb_status gb_topics_log_probability(const gb_topics *t, double *out, gb_error *err);

/** Tokens of topic k over all blocks, the seeds' among them. */
int64_t gb_topics_total(const gb_topics *t, size_t topic);
/** The same over those of a bag. */
int64_t gb_topics_bag_total(const gb_topics *t, size_t bag, size_t topic);
/** beta, added up over the words of a bag. */
static inline double gb_topics_beta_sum(const gb_topics *t, size_t bag)
{
    return t->beta * (double)t->bags->n_words[bag];
}

#endif
