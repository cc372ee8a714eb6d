/* chain/chain.h - one Markov chain: its state, and a sweep over it. */
#ifndef GB_CHAIN_CHAIN_H
#define GB_CHAIN_CHAIN_H

#include "gibbous/chain.h"

#include "base/watch.h"
#include "chain/rank_share.h"
#include "chain/word_moments.h"
#include "coefficient/dense_gram.h"
#include "counts/proportions.h"
#include "counts/topics.h"
#include "plan/plan.h"
#include "team/portion.h"
#include "token/token.h"
#include "wording/tree.h"

#define GB_NO_ROW UINT32_MAX

/** Memory of one lane of documents. */
typedef struct gb_lane_memory {
    gb_scratch *scratch;
    double *base; /* n_topics */
} gb_lane_memory;

/** Memory of one worker. */
typedef struct gb_worker {
    gb_lane_memory lane[GB_MAX_TOKEN_LANES];
    double *score; /* documents of a task x n_outputs, with offsets; NULL without */
} gb_worker;

/** A bundle of word blocks on its way to another rank or from one, in two pieces; see chain/ring.h. */
typedef struct gb_move {
    void *pending[2];
    bool is_sent;
} gb_move;

/** What a chain of a plan runs: its share of the plan's description. */
typedef struct gb_chain_share {
    gb_spec spec;
    gb_spec_response only;
    gb_chain_facts facts; /* as they were when somebody last asked */
    bool
        may_give_up; /* a sweep that takes long may end in the middle, where the chain is not to be stepped further */
} gb_chain_share;

/** Its arrays as they were when somebody last looked; all 0: nobody has. */
typedef struct gb_chain_views {
    gb_array_view *view;
    size_t n, capacity;
    uint16_t *topic; /* n_tokens: in the order of the corpus */
    size_t topic_capacity;
} gb_chain_views;

/** What src/recipe/ has decided of a chain so far: kept and saved with it, and not looked at here. */
typedef struct gb_course {
    uint64_t burn_in;      /* sweeps; if the chain finds out itself, see recipe/burn_in.c, the most until it has */
    bool burn_in_is_found; /* it has found out */
    bool is_led;           /* another chain finds out for it */
    double *late_score;    /* n_late x gb_late_width(): see recipe/late_labels.c */
    uint32_t *
        late_state; /* sweeps without late labels, once these are given, else 0; how often scores were noted; or NULL */
} gb_course;

/** What a sweep redraws. */
typedef struct gb_sweep_parts {
    bool in_burn_in;    /* the document prior may take steps that only a burn-in may take */
    bool may_adapt;     /* what the token sampler draws need not have the posterior yet */
    bool topics;        /* of tokens, and the document prior */
    bool responses;     /* augmentation, coefficients and their scales; nothing without responses */
    bool without_words; /* the coefficients of words are 0, and not redrawn */
} gb_sweep_parts;

typedef struct gb_chain_start gb_chain_start;

struct gb_chain {
    const gb_corpus *corpus; /* the documents that are here; owned by `here` */
    const gb_spec *spec;     /* likewise */
    gb_rank_share *here;     /* owned */
    gb_portion portion;      /* likewise */
    const gb_plan *plan;     /* borrowed; NULL: made from a spec of the caller */
    gb_chain_share *share;   /* owned; NULL without a plan */
    gb_chain_views seen;
    bool is_started;          /* only kept for chains of a plan */
    gb_watch *watch;          /* borrowed during a step; NULL: nobody wants to be asked */
    double tokens_per_second; /* of the last sweep */
    uint64_t number;
    gb_key key;
    uint32_t sweep; /* sweeps done */
    double *trace;  /* n_trace x gb_trace_width(): see chain/trace.h; only kept for chains of a plan */
    size_t n_trace, trace_capacity;
    gb_course course;
    const gb_chain_start *start; /* while tokens get their first topics; else NULL */
    bool without_words;          /* in the last sweep, see gb_sweep_parts */

    /* tokens: documents in order; inside a document word block after word block, inside a block by the width of their
     * rows of counts, then in the order of the corpus */
    uint32_t *word;      /* n_tokens: as the token sampler wants it, see gb_tokens */
    uint16_t *topic;     /* n_tokens */
    uint32_t *segment;   /* n_docs x n_blocks: where a block's tokens end, from the start of the document */
    uint32_t *run_end;   /* scratch: n_blocks x GB_N_WIDTHS */
    gb_rows doc_rows;    /* n_dk of the documents that are long enough, see has_row() in create.c */
    uint32_t *doc_row;   /* n_docs: number of a document's row, GB_NO_ROW without */
    uint64_t *doc_order; /* n_docs: documents by document block */
    size_t n_doc_blocks, first_doc_block; /* here; the number of the first one in the corpus */
    uint64_t *doc_block;                  /* n_doc_blocks + 1: where each document block begins in doc_order */

    gb_topics topics;
    gb_wording_tree wordings; /* without nodes unless words of topics differ by group */
    uint32_t *holder; /* n_bundles: the rank that has each bundle, see chain/ring.h; NULL without other ranks */
    gb_move *move;    /* n_bundles: those that are under way; likewise */
    uint64_t n_threads_of_rank_0; /* others may have more or fewer, but have to cut the work alike */
    gb_proportions z;             /* by document: only with responses, and for priors that ask for it */
    bool z_is_counted;            /* z agrees with the topics as they are */
    gb_prior prior;

    gb_response *response; /* n_responses: with the current values of their own parameters */
    double *own;           /* spec->n_own: the own parameters of all responses, response after response */
    double *y;             /* n_docs x n_outputs: coded targets, NaN if missing */
    uint64_t *by_level;    /* of each response with levels, n_docs: gb_sort_by_level() */
    uint64_t *level_start; /* of each response with levels, n_levels + 1 */
    double *weight;        /* n_docs x n_outputs; NULL: all 1 */
    double *offset;        /* n_docs: log exposure, known part of the scores of counts; NULL: all 0 */
    gb_score_term *term;   /* n_docs x n_outputs: from the last augmentation; offsets are in the centres */
    double *score;         /* n_docs x n_outputs, without offset */
    double *eta;           /* n_outputs x n_features; features: topics, columns of covariates, then the intercept */
    gb_coefficient_scales scales;
    gb_word_moments words;  /* of their coefficients in kept draws */
    gb_dense_gram gram;     /* of embeddings that are drawn as a block */
    double *eta_by_feature; /* n_features x n_outputs */
    float *eta_by_output;   /* n_outputs x stride */
    double *eta_largest;    /* n_outputs */

    gb_draw_tokens *draw_tokens, *draw_keywords; /* of the token sampler; the dense one's, for keywords */
    void *token_state;                           /* of the token sampler; NULL if it has none */
    gb_worker *worker;                           /* n_threads */
};

/** How many of the first n responses have levels, and how many numbers their `level_start` are. */
static inline size_t gb_chain_count_levels(const gb_spec *spec, size_t n, size_t *n_starts)
{
    size_t n_with = 0;
    *n_starts = 0;
    for (size_t r = 0; r < n; r++) {
        const size_t n_levels = spec->response[r].target.response.n_levels;
        n_with += n_levels > 0;
        *n_starts += n_levels > 0 ? n_levels + 1 : 0;
    }
    return n_with;
}

/** Who is asked in the middle of a sweep whether it goes on; NULL: nobody. */
static inline gb_watch *gb_chain_sweep_watch(const gb_chain *c)
{
    return c->share != NULL && c->share->may_give_up && c->portion.team == NULL ? c->watch : NULL;
}

static inline size_t gb_chain_n_doc_tasks(const gb_chain *c)
{
    return (size_t)((c->corpus->n_docs + GB_DOCS_PER_TASK - 1) / GB_DOCS_PER_TASK);
}

static inline uint64_t gb_chain_task_end(const gb_chain *c, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * GB_DOCS_PER_TASK;
    return end < c->corpus->n_docs ? end : c->corpus->n_docs;
}

/** Its tokens, which are named by the numbers of words wherever their topics are drawn given phi. */
static inline gb_wording_tokens gb_chain_wording_tokens(const gb_chain *c)
{
    return (gb_wording_tokens){c->corpus->doc_start, c->word, c->topic};
}

/** What the chain's scores are regressed on. */
static inline gb_design gb_chain_design(const gb_chain *c)
{
    gb_design design = gb_design_make(&c->z, &c->spec->x, &c->spec->words, c->spec->intercept);
    gb_design_add_embedding(&design, &c->spec->embedding);
    return design;
}

/** Allocate everything; no token has a topic yet, and labels of spec->is_late are hidden.  A first assignment (recipe/start.h,
 * chain/start.h) or a saved state comes next. */
gb_status gb_chain_allocate(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number,
                            gb_error *err);
/** All arrays of a chain; a gb_list_arrays. */
void gb_chain_list(void *chain, const gb_array_visitor *v);

/** Bytes of a chain, and of what a sweep takes besides, on one rank.
 *
 * @param corpus, spec    what it has of them
 * @param total           tokens of each word
 * @param n_entries       different topics of its documents, added up
 * @param n_word_entries  different topics of its words, added up */
uint64_t gb_chain_bytes(const gb_corpus *corpus, const gb_spec *spec, size_t rank, const uint64_t *total,
                        uint64_t n_entries, uint64_t n_word_entries);

/** Hide the labels of some documents, and no longer those of others: their targets are NaN.  A chain for a fold of a calibration does
 * not see its fold's in any case.
 *
 * @param is_hidden  n_docs; NULL: none
 * @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_chain_hide_labels(gb_chain *chain, const uint8_t *is_hidden, gb_error *err);

/** One sweep: parts of the state redrawn given the rest. */
gb_status gb_chain_sweep(gb_chain *chain, const gb_sweep_parts *parts, gb_error *err);

/** Lay out the coefficients for their readers, and make the scores: after the coefficients were set.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_chain_use_coefficients(gb_chain *chain, gb_error *err);

/** The expected coefficients of words given all else (coefficient/word_means.h).  @param mean  n_outputs x words */
gb_status gb_chain_word_means(gb_chain *chain, double *mean, gb_error *err);

/**
 * The log joint, as gb_chain_log_joint(), and the loss of each response: the mean over its scores with a target of minus the log
 * pseudo-likelihood; 0 without targets.
 *
 * @param left_out  n_docs: documents whose targets do not count; NULL: none
 * @param out   receives the log joint
 * @param loss  receives n_responses numbers, also if the log joint is not finite
 * @return as gb_chain_log_joint()
 */
gb_status gb_chain_summary(gb_chain *chain, const uint8_t *left_out, double *out, double *loss, gb_error *err);

/** Count the words of each group, if they are to differ by group and the tokens have new first topics.  @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_chain_open_wordings(gb_chain *chain, gb_error *err);

/** Count the topics of documents in chain->z, unless nothing has changed since that was done.  @return GB_OK or GB_ENOMEM */
gb_status gb_chain_count_documents(gb_chain *chain, gb_error *err);

/** Give the documents' shares of topics in responses, in place of those of their tokens, until tokens are drawn or assigned
 * again: count[d][k] / length[d].
 *
 * @param count   n_docs x n_topics
 * @param length  n_docs, > 0; borrowed
 * @return GB_OK or GB_ENOMEM */
gb_status gb_chain_give_shares(gb_chain *chain, const uint32_t *count, const double *length, gb_error *err);

/** Redraw the coefficients given the augmentation, as if the scores of documents were larger by shift[d][l] than their features
 * say.  The scores stay as they are.
 * @param shift  n_docs x n_outputs
 * @return what the coefficient sampler returns */
gb_status gb_chain_draw_shifted(gb_chain *chain, const double *shift, gb_error *err);

/** Order the tokens of each document by word block and row width, the order of the corpus kept among equals; c->segment
 * receives the ends of blocks.  `by_handle`: words are named by the handles of their rows, else by their numbers. */
void gb_chain_order_tokens(gb_chain *chain, bool by_handle);

/** Give all tokens topics (n_tokens, in the order of the corpus, whose words are read anew), and count them by word, by word
 * block and for the samplers, but not in chain->z.
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_chain_set_topics(gb_chain *chain, const uint16_t *topic, gb_error *err);

/** The same, counted in chain->z too.
 * @return likewise */
gb_status gb_chain_assign(gb_chain *chain, const uint16_t *topic, gb_error *err);

/** The topics of a document's tokens, in the order of the corpus.
 *
 * @param document  below gb_corpus_n_docs(); of another nothing is written
 * @param out       receives as many values as the document has tokens */
void gb_chain_assignment(const gb_chain *chain, uint64_t document, uint16_t *out);

#endif
