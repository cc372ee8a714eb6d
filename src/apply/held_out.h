/* apply/held_out.h - held-out likelihood in the making; the three methods are told in held_out.c. */
#ifndef GB_APPLY_HELD_OUT_H
#define GB_APPLY_HELD_OUT_H

#include "apply/application.h"

enum { GB_WINDOW = 16, GB_PARTICLES = 16 };

typedef struct gb_held_out_run gb_held_out_run;

/** A document in the works: completion has one for each lane, left to right one for each particle. */
typedef struct gb_particle {
    gb_held_out_run *run;
    gb_scratch *scratch;
    double *numbers;    /* of the prior */
    double *base;       /* n_topics */
    double *theta;      /* stride: proportions, or sums of them */
    uint32_t *count;    /* stride: n_k of the tokens that have a topic */
    uint16_t *topic;    /* longest document */
    gb_key key;         /* of the sample, or of the particle */
    uint64_t d, length; /* document, and its tokens that have or get a topic */
    uint32_t pass;      /* passes done; left to right: also tokens that have a topic */
    /* completion: pairs of a document and a sample, the first document's first sample being 0 */
    size_t item, last; /* the one at hand, and where the task ends */
    bool is_open;      /* there is one */
    size_t worker;
    /* left to right: the tokens of a pass */
    uint32_t pass_word[GB_WINDOW + 1];
    uint16_t pass_topic[GB_WINDOW + 1];
    uint64_t pass_token[GB_WINDOW + 1]; /* their positions */
    size_t n_in_pass;
    uint64_t next_in_turn; /* where the window goes on */
} gb_particle;

/** Memory of one worker. */
typedef struct gb_held_out_worker {
    gb_particle particle[GB_PARTICLES];
    double weight[GB_PARTICLES]; /* of the particles; they add up to 1 */
    double *type_phi; /* most different words of a document x stride: empirical, their rows in double precision */
    uint32_t *type_count;
} gb_held_out_worker;

/** One way to estimate the likelihood. */
typedef struct gb_held_out_method {
    const char *name;                    /* as on the command line */
    size_t default_samples, n_particles; /* particles of a worker, at most GB_PARTICLES */
    bool is_completion, is_empirical;
    gb_apply_documents *documents; /* samples of documents under the draw at hand; the context is the run */
} gb_held_out_method;

extern const gb_held_out_method gb_held_out_empirical, gb_held_out_left_to_right, gb_held_out_completion;

/** The method that the settings name; completion for "auto" and "none". */
const gb_held_out_method *gb_held_out_method_of(const gb_settings *settings);

struct gb_held_out_run {
    gb_application application;
    gb_held_out *out;
    const gb_held_out_method *method;
    size_t n_samples;
    uint32_t n_sweeps, n_burn_in;
    gb_draw_tokens *draw_tokens;
    uint32_t *
        word; /* n_tokens: the words of the batch; empirical: sorted inside documents, completion: the known half first */
    gb_held_out_worker *worker;
    double *log_sum;     /* n_docs x n_samples: log of the sum over draws; not for completion */
    uint64_t *scored_at; /* n_docs + 1: completion, where scored tokens begin in the next */
    double *sum;         /* scored tokens x n_samples: sums of (3) over draws */
};

/* ---- what the methods share ---- */

/** Tokens of the known half. */
static inline uint64_t gb_held_out_known(const gb_held_out_run *r, uint64_t d)
{
    return gb_application_length(&r->application, d) / 2;
}

/** Random numbers of a particle of a sample of the draw at hand. */
static inline gb_key gb_held_out_key(const gb_held_out_run *r, size_t sample, size_t particle)
{
    const gb_application *a = &r->application;
    return gb_key_make(a->seed, ((uint64_t)a->draw_number * r->n_samples + sample) * GB_PARTICLES + particle);
}

/** Add the logarithm of a probability to a document's sample. */
void gb_held_out_add(gb_held_out_run *r, uint64_t d, size_t sample, double log_probability);

/** sum_k theta_k phi_kw of a word of the batch. */
double gb_held_out_word_probability(const gb_held_out_run *r, const double *theta, uint32_t word);

/** A document without topics, with what the prior keeps of it: started from the prior, or where first topics are drawn best. */
void gb_particle_open(gb_particle *p, uint64_t d, uint64_t length, gb_key key, bool from_prior);

/** The document as its prior sees it: n of its tokens have a topic. */
gb_prior_document gb_particle_document(const gb_particle *p, uint64_t n);

/** Redraw the base weights given the topics so far, of which there are n. */
void gb_particle_redraw_base(gb_particle *p, uint64_t n);

/** A lane for a particle, and the pass that it makes next, over these tokens. */
gb_token_lane gb_particle_lane(gb_held_out_run *r, gb_particle *p, bool next(gb_token_lane *));
void gb_particle_describe_pass(gb_token_lane *lane, const gb_particle *p, double unit, gb_tokens tokens);

#endif
