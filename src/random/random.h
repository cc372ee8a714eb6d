/* random/random.h - keyed streams of random numbers and the laws drawn from them.
 *
 * Every draw belongs to a stream named by what it is for, never by the thread that makes it: Philox4x32-10
 * (Random123; Salmon and others 2011) with the key made of (seed, chain) and the counter of (sweep, purpose,
 * item, position):
 *     counter[0] = block                 counter[2] = purpose * 2^24 + item / 2^32
 *     counter[1] = item mod 2^32         counter[3] = sweep */
#ifndef GB_RANDOM_RANDOM_H
#define GB_RANDOM_RANDOM_H

#include "simd/isa.h"

#include <stddef.h>
#include <stdint.h>

/** Who draws: fixed for a chain. */
typedef struct gb_key {
    uint32_t k[2];
} gb_key;

/** What is drawn.  A purpose is one word of the counter, so two purposes never share numbers. */
typedef enum gb_purpose {
    GB_DRAW_INIT = 1,      /* first assignment of tokens;      item: document */
    GB_DRAW_TOPIC,         /* topics of tokens;                item: document */
    GB_DRAW_BLOCK_MASS,    /* r_kb;                            item: topic */
    GB_DRAW_PHI,           /* topic-word distributions;        item: word or topic */
    GB_DRAW_AUGMENT,       /* augmentation of responses;       item: document */
    GB_DRAW_COEFFICIENT,   /* coefficients;                    item: output */
    GB_DRAW_INFER_INIT,    /* topics of a new document, start; item: row of the input */
    GB_DRAW_INFER,         /* topics of a new document;        item: row of the input */
    GB_DRAW_SIMULATE,      /* simulated corpora;               item: document or topic */
    GB_DRAW_SCHEDULE,      /* cutting the vocabulary;          item: 0 */
    GB_DRAW_SCALES,        /* scales of coefficients;          item: output */
    GB_DRAW_OWN_PARAMETER, /* own parameters of responses;    item: response; of a branch: document */
    GB_DRAW_START,         /* topics of tokens before the first sweep; item: document */
    GB_DRAW_PSI,           /* topic weights of documents;      item: document */
    GB_DRAW_COVARIANCE,    /* their covariance and mean;       item: 0 */
    GB_DRAW_INFER_PSI,     /* topic weights of new documents;  item: row of the input */
    GB_DRAW_GROUP_MEAN,    /* means of groups of documents;    item: topic, and field or level */
    GB_DRAW_PRECISION,     /* precisions of group means;       item: topic, or 0 for all */
    GB_DRAW_HELD_OUT,      /* held-out: topics of tokens;      item: row of the input */
    GB_DRAW_HELD_PRIOR,    /* held-out: proportions;           item: row of the input */
    GB_DRAW_HELD_HALVES,   /* held-out: which half is known;   item: row of the input */
    GB_DRAW_RESAMPLE,      /* held-out: particles that go on;  item: row of the input */
    GB_DRAW_FOLDS,         /* folds of documents;              item: 0 */
    GB_DRAW_GROUP_SHARES,  /* documents of a group;           item: document */
    GB_DRAW_PSI_SPREAD,    /* precisions with topic weights;  item: 0 */
    GB_DRAW_GROUP_SHIFT,   /* means with topic weights;       item: topic */
    GB_DRAW_CHOICE,        /* choice among draws of topics;  item: document */
    GB_DRAW_LATE_LABELS,   /* whose labels come late;         item: document */
    GB_DRAW_LATE_CUT,      /* what such a text is cut to;     item: document */
    GB_DRAW_WORD_SCALE,    /* scale of words' coefficients;   item: output */
    GB_DRAW_NEW_VALUE,     /* simulated values of documents;  item: row of the input */
    GB_DRAW_SCORE_NOISE,   /* of conjugate gradients;         item: output and document */
    GB_DRAW_COLUMN_NOISE,  /* likewise;                       item: output and columns */
    GB_DRAW_KEYWORDS,      /* named topics: pi, phi~;       item: topic */
    GB_DRAW_SWITCHES,      /* tokens from keywords;         item: keyword of a topic */
    GB_DRAW_UNITS,         /* documents that are scored again; item: which of the samples */
    GB_DRAW_LENGTHS,       /* alpha given lengths;          item: document */
    GB_DRAW_ALPHA,         /* alpha;                        item: topic */
    GB_DRAW_BETA,          /* beta;                         item: topic; after them: those of the tables, and beta */
    GB_DRAW_BETA_TABLES,   /* beta given large counts;      item: word and topic */
    GB_DRAW_PREVALENCE,    /* coefficients of metadata;    item: topic */
    GB_DRAW_PREVALENCE_VARIANCE,   /* their variances;       item: topic */
    GB_DRAW_WORDINGS,              /* words of topics by group;    item: topic and node */
    GB_DRAW_WORDING_TABLES,        /* tables there;               item: topic and node */
    GB_DRAW_WORDING_CONCENTRATION, /* b;                   item: topic */
    GB_DRAW_WORDING_ANSWER,        /* words by group, of a snapshot; item: topic */
    GB_DRAW_PERMUTATION,           /* shuffles of a field;   item: 0 */
    GB_DRAW_TEST = 255             /* tests */
} gb_purpose;

/** A stream: 2^32 blocks of four 32-bit numbers, read in order. */
typedef struct gb_random {
    gb_key key;
    uint32_t counter[4]; /* counter[0] is the block number */
    uint32_t block[4];
    unsigned used; /* numbers of the block already given out, 4 at first */
} gb_random;

/** The key of a chain. */
gb_key gb_key_make(uint64_t seed, uint64_t chain);

/** An item named by what it has and not by where it stands: equal lists have the same; others too in one of 2^56 cases. */
uint64_t gb_random_item(size_t n, const uint32_t *value);

/** Open the stream of (sweep, purpose, item); item < 2^56. */
gb_random gb_random_open(gb_key key, uint32_t sweep, gb_purpose purpose, uint64_t item);

/** Four numbers: block `index` of the stream (sweep, purpose, item), without opening it (for token kernels). */
void gb_random_block(gb_key key, uint32_t sweep, gb_purpose purpose, uint64_t item, uint32_t index, uint32_t out[4]);

/**
 * Streams side by side, for laws that draw many numbers at once: the blocks of an item's stream shared out among the
 * `per_item` numbers that it needs, GB_BLOCKS_EACH for each; after them comes the next item.
 */
typedef struct gb_random_streams {
    gb_key key;
    uint32_t counter[4]; /* of number 0 */
    size_t per_item;
    gb_isa isa; /* how to compute; changes no bit */
} gb_random_streams;

enum { GB_BLOCKS_EACH = 256 };

/** The streams of items from `item` on, the first `skipped` numbers of each left to others. */
gb_random_streams gb_random_streams_open(gb_key key, uint32_t sweep, gb_purpose purpose, uint64_t item,
                                         size_t skipped, size_t per_item, gb_isa isa);
/** Streams for n numbers made of the next blocks of a stream, which goes on behind them. */
gb_random_streams gb_random_split(gb_random *r, size_t n, gb_isa isa);
/** A key of its own for streams that go on from here side by side, whoever reads them: the next two numbers. */
gb_key gb_random_branch(gb_random *r);
/** The stream of number i. */
gb_random gb_random_of(const gb_random_streams *s, size_t i);

uint32_t gb_random_u32(gb_random *r);
/** The next two numbers, the lower half first. */
uint64_t gb_random_u64(gb_random *r);
/** Uniform on the open interval (0, 1): an odd multiple of 2^-53, never 0, never 1. */
double gb_random_uniform(gb_random *r);
/** Uniform on 0..n-1 without bias; n > 0. */
uint64_t gb_random_below(gb_random *r, uint64_t n);

/** Standard normal. */
double gb_random_normal(gb_random *r);
/** The next n of them, `stride` apart. */
void gb_random_normals(gb_random *r, gb_isa isa, size_t n, size_t stride, double *out);
/** Exponential with rate 1. */
double gb_random_exponential(gb_random *r);
/** Gamma(shape, rate 1); shape > 0.  Underflows to 0 for tiny shapes: then use the logarithm. */
double gb_random_gamma(gb_random *r, double shape);
/** log of a Gamma(shape, rate 1) draw; exact also where the draw itself underflows. */
double gb_random_log_gamma(gb_random *r, double shape);
/** Dirichlet on n cells with parameters a[i] > 0; out[i] sums to 1, formed from log values. */
void gb_random_dirichlet(gb_random *r, size_t n, const double *a, double *out);
/**
 * Inverse Gaussians with mean 1 / rate[i] (rate >= 0; 0: infinite mean) and shape 1, each of block `block` of its stream.
 *
 * @param first  number of the stream of rate[0]
 */
void gb_random_inverse_gaussians(const gb_random_streams *s, size_t first, uint32_t block, size_t n,
                                 const double *rate, double *out);
/** Gammas with shape[i] >= 1 and rate 1, of blocks `block` on of their streams, mostly one. */
void gb_random_gammas(const gb_random_streams *s, size_t first, uint32_t block, size_t n, const double *shape,
                      double *out);
/** Polya-Gammas PG(b[i], z[i]), b > 0 real, z real, each from all blocks of its stream. */
void gb_random_polya_gammas(const gb_random_streams *s, size_t first, size_t n, const double *b, const double *z,
                            double *out);
/** The same, number i from the stream that number 0 of `s` would have if it were opened for item[i]. */
void gb_random_polya_gammas_of(const gb_random_streams *s, const uint64_t *item, size_t n, const double *b,
                               const double *z, double *out);
/** Normal with that mean and variance 1, given low < x < high; the ends may be infinite.  Always strictly inside when a
 * double lies between them; NaN for an empty interval or a mean that is not finite. */
double gb_random_truncated_normal(gb_random *r, double mean, double low, double high);
/** Inverse gamma with that shape and scale, both > 0: scale / Gamma(shape, 1).  May be infinite for tiny shapes. */
double gb_random_inverse_gamma(gb_random *r, double shape, double scale);
/** Number of tables of y customers with concentration > 0: sum of Bernoulli(c / (c + i - 1)), i = 1..y. */
uint64_t gb_random_crt(gb_random *r, uint64_t y, double concentration);
/** The same of n restaurants together, of their customers first .. last - 1, numbered from 0. */
uint64_t gb_random_crt_tables(gb_random *r, uint64_t n, uint64_t first, uint64_t last, double concentration);
/** Successes among n trials with that probability. */
uint64_t gb_random_binomial(gb_random *r, uint64_t n, double probability);
/** Poisson with that mean (>= 0). */
uint64_t gb_random_poisson(gb_random *r, double mean);
/** Index i with probability weight[i] / sum; weights >= 0, not all 0. */
size_t gb_random_categorical(gb_random *r, size_t n, const double *weight);

#endif
