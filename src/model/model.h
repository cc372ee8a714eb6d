/* model/model.h - a fitted model: what predict needs, and nothing of the run that made it. */
#ifndef GB_MODEL_MODEL_H
#define GB_MODEL_MODEL_H

#include "corpus/data/bags.h"
#include "gibbous/effects.h"
#include "gibbous/model.h"
#include "model/parameters.h"
#include "model/word_effects.h"
#include "plan/fingerprint.h"
#include "store/store.h"
#include "wording/mean.h"

#include <math.h>
#include <stddef.h>

/** Of the memory that reading a model may take (gb_store_check_memory()), what its descriptions may have; the header has as much, and the
 * vocabulary and the traces are copied, twice at most; and what its draws may have (gb_model_draw_bytes()). */
enum { GB_DESCRIPTION_SHARE = 2, GB_DRAWS_SHARE = 2 };

/** One kept sweep: its parameters, and in a snapshot its topics.  All arrays are views into the model's files. */
typedef struct gb_draw {
    uint64_t chain, sweep;
    /* topic-word counts, sparse, by word; NULL unless it is a snapshot */
    const uint64_t
        *word_start; /* gb_model_n_rows() + 1: after the words, customers of each node and word (wording/tree.h) */
    const uint16_t *topic;  /* entries of word w: word_start[w] .. word_start[w + 1] - 1, topics ascending */
    const uint32_t *count;  /* n_kw */
    const uint64_t *n_k;    /* bags x n_topics: of the words of each bag; not stored, made from the counts */
    gb_word_draw word_draw; /* their coefficients, in a snapshot of a model that has them */
    /* in a snapshot of a file of draws: the coefficients, n_outputs x words, and what is known of its chain's */
    const float *word;
    gb_words_so_far words;
    gb_prior_values prior;
    /* outputs that the draw speaks of: all, or with one-vs-rest one */
    size_t first_output, n_outputs;
    /* parameters, see model/parameters.h; NULL for an empty one */
    union {
        const double *value[GB_MAX_PARAMETERS];
        struct {
            const double *log_joint, *eta, *own, *shrinkage, *score, *share, *loss, *sample_score, *block_share,
                *word_average, *beta, *wording;
        };
    };
} gb_draw;

#define GB_DRAW_HAS(member, parameter)                                                                               \
    _Static_assert(offsetof(gb_draw, member) == offsetof(gb_draw, value) + (parameter) * sizeof(double *),           \
                   "names of parameters stand in their order")
GB_DRAW_HAS(log_joint, GB_LOG_JOINT);
GB_DRAW_HAS(eta, GB_ETA);
GB_DRAW_HAS(own, GB_OWN);
GB_DRAW_HAS(shrinkage, GB_SHRINKAGE);
GB_DRAW_HAS(score, GB_SCORE);
GB_DRAW_HAS(share, GB_SHARE);
GB_DRAW_HAS(loss, GB_LOSS);
GB_DRAW_HAS(sample_score, GB_SAMPLE_SCORE);
GB_DRAW_HAS(block_share, GB_BLOCK_SHARE);
GB_DRAW_HAS(word_average, GB_WORD_AVERAGE);
GB_DRAW_HAS(beta, GB_BETA);
GB_DRAW_HAS(wording, GB_WORDING);

/** Where the parameters of a kept sweep are. */
typedef struct gb_kept {
    uint64_t chain, sweep, first_output;
    const double *row; /* its numbers; NULL: each parameter has its own array, see gb_parameter, */
    size_t at;         /* where this is its row */
} gb_kept;

/** A match of topics between chains, found when somebody first asks; see model/match.h. */
typedef struct gb_match_slot {
    _Atomic(struct gb_match *) match;
    bool is_covered; /* its output has a snapshot */
} gb_match_slot;

struct gb_model {
    /* description */
    size_t n_topics, n_outputs, n_responses, n_own;
    uint64_t n_words;
    bool intercept;
    double beta; /* where chains started, if it is sampled; else of all draws */
    bool samples_beta;
    gb_prior_setup prior;
    gb_bags bags;       /* of words; n is 0 as long as the vocabulary is not known */
    gb_wording wording; /* groups whose words differ */
    gb_target *target;  /* n_responses */
    gb_coding *coding;  /* of covariates; NULL without */
    size_t n_columns;   /* of covariates, embedding and words */
    char *exposure;     /* field of the exposure of counts; "" without */
    uint64_t seed, n_training_docs, n_training_tokens;
    /* of the training: its documents' words, the documents with their fields, and what was decided */
    char words_digits[GB_FINGERPRINT_SIZE], corpus_digits[GB_FINGERPRINT_SIZE], spec_digits[GB_FINGERPRINT_SIZE];
    /* of its documents, in rising order; NULL: nothing is known of them.  See model/training_documents.h */
    uint64_t n_digests;
    uint32_t *digest;
    const char *unheld;    /* why the training held no labels out, if it did not; a constant */
    char *settings;        /* JSON object: the options that the model depends on, as given or decided */
    bool has_common_start; /* all chains began with the same topics: what they have in common is no evidence */
    json_t *burn_in;       /* "sweeps" and "found" of each chain, if chains found out; NULL: the settings say */
    json_t *
        pooled; /* "chains" that were pooled before the run, and in how many of them each topic was "found"; NULL: none were */
    json_t *agreement;  /* how far chains agree in what they predict, see model/agreement.h; NULL: not known */
    json_t *acceptance; /* of the token sampler's proposals: name -> share accepted in each chain; NULL without any */
    json_t *topic_names;   /* array of n_topics texts, "" for a topic without a name; NULL: no topic has one */
    json_t *topic_unions;  /* array of n_topics numbers: the first topic of the union, or -1; NULL: all are alone */
    uint64_t *union_first; /* n_topics: the same, GB_LEFT_OUT for -1; NULL: all are alone */
    uint64_t *union_next;  /* n_topics: the next topic of the same union; n_topics: none, or left out */
    json_t *seeds;         /* of named topics, see plan/seeds.h; NULL without */
    uint64_t *seed_tokens; /* n_topics: in the counts of each topic, but not of the corpus; NULL: none */
    json_t *preparation;
    gb_texts vocabulary;
    char **word; /* the same as n_words strings, in word_text */
    char *word_text;
    /* draws: parameters of all kept sweeps, chain after chain, the one that leads first (model/lead.h) */
    bool is_reordered;     /* not as the file has them, which the model was read from */
    size_t n_draw_outputs; /* outputs of a draw: n_outputs, or with one-vs-rest 1 */
    gb_parameters parameters;
    size_t n_kept;
    gb_kept *kept;
    /* snapshots: the kept draws that have topics */
    size_t n_draws;
    gb_draw *draw;
    uint64_t *kept_at;                   /* n_draws: which of the kept sweeps it is */
    uint64_t *n_k;                       /* n_draws x bags x n_topics */
    uint64_t n_entries, *snapshot_start; /* of counts, of all snapshots; n_draws + 1: where those of each begin */
    const uint64_t
        *snapshot_word_start; /* n_draws x (n_words + 1); this and the next two are NULL unless from a model file */
    const uint16_t *snapshot_topic; /* n_entries */
    const uint32_t *snapshot_count; /* n_entries */
    gb_word_effects words;
    uint8_t *word_code;        /* n_draws x n_draw_outputs x words: their coefficients, see gb_word_draw */
    float *word_unit;          /* n_draws x n_draw_outputs */
    bool has_document_weights; /* an option of the training, and nothing that the target keeps */
    /* traces (chain/trace.h): of chain i the rows after trace_sweeps[i] sweeps, chain after chain */
    size_t n_traces;        /* chains; 0: no trace is known */
    bool has_late_labels;   /* chains have labels that come late */
    uint64_t *trace_sweeps; /* n_traces */
    uint64_t *trace_late;   /* likewise, sweeps before each had its late labels, 0 without; NULL: no chain has any */
    double *trace;          /* rows x (1 + losses of a draw) */
    struct gb_cross_fitted *cross_fitted; /* effects by cross-fitting; NULL without */
    /* effects of covariates without topics: n_outputs x n_alone x GB_ALONE_N_NUMBERS; NULL without */
    size_t n_alone;
    double *alone;
    size_t n_matches; /* 1, or with one-vs-rest one for each output */
    gb_match_slot *match;
    /* what the draws are views of: one of the two */
    struct gb_draw_file *draw_file;
    gb_store *store;
};

/** Numbers of an effect without topics, in files. */
enum {
    GB_ALONE_MEAN,
    GB_ALONE_SD,
    GB_ALONE_Q05,
    GB_ALONE_MEDIAN,
    GB_ALONE_Q95,
    GB_ALONE_P_POSITIVE,
    GB_ALONE_N_NUMBERS
};

/** Covariates whose effects without topics are kept beside those given topics: all, if there are at most 1000; none without a
 * response, with embeddings, or if each class has topics of its own. */
size_t gb_model_count_alone(const gb_model *model);

/** Columns that every draw has: all but the words, which come last. */
static inline size_t gb_model_n_drawn_columns(const gb_model *model)
{
    return model->n_columns - (size_t)gb_model_n_word_columns(model);
}

/** Number of short chains whose topics were pooled to start the chains from (option "pool"); 0: none. */
uint64_t gb_model_n_pooled(const gb_model *model);
/** In how many of them topic `topic` of the model was found, each on its own. */
uint64_t gb_model_n_found(const gb_model *model, uint64_t topic);
/** False if it cannot be what a model keeps of chains that were pooled. */
bool gb_pooled_is_sound(const json_t *pooled, size_t n_topics);

/** Take over what a model keeps of seed words (a reference of its own), or NULL.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_model_set_seeds(gb_model *m, json_t *seeds, gb_error *err);

/** Rows of counts of a snapshot: of words, then of each node of a tree of wordings and word. */
static inline uint64_t gb_model_n_rows(const gb_model *m)
{
    return m->n_words * (1 + (uint64_t)gb_wording_n_nodes(&m->wording));
}

/** What a snapshot says of words by group, of a model with such groups; open it with gb_wording_draw_open(). */
gb_wording_draw gb_model_wording_draw(const gb_model *model, const gb_draw *draw);

/** beta of a draw. */
static inline double gb_draw_beta(const gb_model *m, const gb_draw *draw)
{
    return draw->beta == NULL ? m->beta : *draw->beta;
}

/** What counts and beta of the words of a bag add up to in a topic: phi_kw = (n_kw + beta) / this. */
static inline double gb_draw_total(const gb_model *m, const gb_draw *draw, size_t bag, size_t topic)
{
    return (double)draw->n_k[bag * m->n_topics + topic] + gb_draw_beta(m, draw) * (double)m->bags.n_words[bag];
}

/** The corpus's tokens of a topic in a draw. */
static inline double gb_model_topic_tokens(const gb_model *m, const gb_draw *draw, size_t topic)
{
    uint64_t all = 0;
    for (size_t bag = 0; bag < m->bags.n; bag++)
        all += draw->n_k[bag * m->n_topics + topic];
    const double n = (double)all;
    return m->seed_tokens == NULL ? n : fmax(0, n - (double)m->seed_tokens[topic]);
}

/** Note what of its settings the model is asked for later. */
void gb_model_heed_settings(gb_model *model, const json_t *settings);

/** The arrays of a model; a gb_list_arrays. */
void gb_model_list(void *model, const gb_array_visitor *v);

/** Note the shapes of draws, of a model that is described.
 * @param n_draw_outputs  outputs of a draw
 * @param shrinks         the coefficient prior has shares of shrinkage */
void gb_model_shape_draws(gb_model *model, size_t n_draw_outputs, bool shrinks);

/** The numbers of a model of a spec and a corpus, for shapes; what it points to is theirs. */
gb_model gb_model_outline(const gb_corpus *corpus, const gb_spec *spec);

/** Rows of the traces of all chains. */
uint64_t gb_model_n_trace_rows(const gb_model *model);

/** Numbers of a row of a draw's coefficients. */
static inline size_t gb_model_n_features(const gb_model *model)
{
    return model->n_topics + gb_model_n_drawn_columns(model) + (model->intercept ? 1 : 0);
}

/** Before memory for a table is taken: a small file may claim very many topics and words.  16 times what reading it may take is enough for any model
 * that was trained; of a model that is in no file, anything.
 * @param what  for the message
 * @return GB_OK or GB_EFORMAT */
gb_status gb_model_check_table(const gb_model *model, uint64_t n_rows, uint64_t n_columns, const char *what,
                               gb_error *err);

/** The blocks of an output's coefficients. */
gb_layout gb_model_layout(const gb_model *model);

/** A model with the description of a spec and a corpus, and room for draws. */
gb_status gb_model_create(gb_model **out, const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings,
                          gb_error *err);

/** How many draws a model will have. */
typedef struct gb_draw_counts {
    uint64_t kept, snapshots;
    uint64_t entries; /* of a snapshot: counts of a topic in a word that are not 0 */
} gb_draw_counts;

/** Bytes of memory of a model; the draws themselves stay in a file. */
uint64_t gb_model_bytes(const gb_corpus *corpus, const gb_spec *spec, gb_draw_counts n);
/** Bytes of the arrays in its file. */
uint64_t gb_model_file_bytes(const gb_corpus *corpus, const gb_spec *spec, gb_draw_counts n);
/** Bytes of a draw with topics. */
uint64_t gb_model_snapshot_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t n_entries);
/** Bytes of all draws. */
uint64_t gb_model_draws_bytes(const gb_corpus *corpus, const gb_spec *spec, gb_draw_counts n);

/** GB_EARGUMENT if the description is more than a model file can have, as gb_model_write() would find after the last sweep. */
gb_status gb_model_check_format(const gb_model *model, gb_error *err);

/** GB_EFORMAT if numbers that were read from a file cannot be the parameters of a kept sweep; the message says why.
 * @param value  of each parameter, may be NULL for an empty one */
gb_status gb_model_check_kept(const gb_model *model, const double *const *value, gb_error *err);

/** Kept sweep i, its parameters only. */
gb_draw gb_model_kept(const gb_model *model, size_t i);

/** A parameter of kept sweep i; NULL for an empty one. */
const double *gb_model_kept_value(const gb_model *model, size_t i, size_t parameter);

/** Room for that many kept sweeps and snapshots, all still empty. */
gb_status gb_model_reserve_draws(gb_model *model, size_t n_kept, size_t n_snapshots, gb_error *err);

/** Bytes of memory that its draws take. */
uint64_t gb_model_draw_bytes(const gb_model *model);

/** Make snapshot i of a kept sweep and its counts.
 * @return false if these cannot be counts of topics in words */
bool gb_model_set_snapshot(gb_model *model, size_t i, size_t kept_at, const uint64_t *word_start, uint64_t n_entries,
                           const uint16_t *topic, const uint32_t *count);

/** The coefficient of a word in a snapshot that has it.  @param row  of the draw's outputs */
static inline double gb_model_word_coefficient(const gb_model *model, const gb_draw *draw, size_t row, size_t word)
{
    return gb_word_coefficient(&model->words, &draw->word_draw, draw->first_output, row, word);
}

/** Let snapshots have the coefficients of words in word_code. */
void gb_model_point_words(gb_model *model);

/** @return GB_EARGUMENT unless the words of the documents are those of the model, with the same numbers */
gb_status gb_model_check_words(const gb_model *model, const gb_corpus *docs, gb_error *err);

/** True if every output has a kept sweep and a snapshot that speak of it. */
bool gb_model_is_covered(const gb_model *model);

/** Make word[] from vocabulary. */
gb_status gb_model_index_words(gb_model *model, gb_error *err);

/** Number of fields that new documents need: the covariates, then the exposure, then the fields that make the group. */
uint64_t gb_model_n_needed_fields(const gb_model *model);

#endif
