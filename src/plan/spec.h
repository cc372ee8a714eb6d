/* plan/spec.h - a checked description of a model: every axis chosen, every default decided.  No running
 * state. */
#ifndef GB_PLAN_SPEC_H
#define GB_PLAN_SPEC_H

#include "coefficient/coefficient.h"
#include "corpus/data/corpus.h"
#include "counts/topics.h"
#include "design/coding.h"
#include "options/beta.h"
#include "options/settings.h"
#include "plan/seeds.h"
#include "plan/target.h"
#include "prior/prior.h"
#include "response/response.h"
#include "team/team.h"
#include "token/token.h"
#include "wording/wording.h"

/** One response: what the model keeps of it, and where the corpus has its field. */
typedef struct gb_spec_response {
    gb_target target;
    size_t field;         /* in corpus->labels; of a number in corpus->numbers */
    double *class_weight; /* n_classes: of a document of that class (several labels: of y = +1); NULL: all 1 */
    double *rest_weight;  /* n_classes: several labels, of y = -1, else 1; NULL where class_weight is */
    size_t *class_at;     /* number in the corpus -> number in the target */
    double mean_square;   /* of a number as it is coded: 1 if it is standardised */
} gb_spec_response;

/** With --sweeps auto and --chains auto: chains of a corpus with at most so many tokens, whose training takes less than a minute;
 * and without labels. */
enum { GB_SMALL_CORPUS = 2000000, GB_SMALL_CORPUS_CHAINS = 2, GB_CHAINS_WITHOUT_LABELS = 4 };

/** Draws with topics of each of up to two chains, and of each of more, if nobody has said how many. */
enum { GB_SNAPSHOTS = 10, GB_SNAPSHOTS_OF_MANY = 5, GB_FEW_CHAINS = 2 };

/** The same of each chain where words differ by group: intervals are from these. */
enum { GB_SNAPSHOTS_OF_WORDINGS = 20 };

/** Short chains whose topics are pooled, at least, and their sweeps, if nobody has said how many. */
enum { GB_SHORT_CHAINS = 8, GB_SHORT_SWEEPS = 60 };

/** With --sweeps auto: sweeps after burn-in, of up to two chains and of each of more, and with a regression on metadata, whose intervals are
 * from one chain; and the least and the most of burn-in. */
enum {
    GB_KEPT_SWEEPS = 50,
    GB_KEPT_SWEEPS_OF_MANY = 25,
    GB_KEPT_SWEEPS_OF_REGRESSION = 200,
    GB_LEAST_BURN_IN = 40,
    GB_LEAST_BURN_IN_OF_WORDINGS = 150, /* how alike groups are has to be found, too */
    GB_MOST_BURN_IN = 1000
};

typedef struct gb_spec {
    /* document prior and topics */
    size_t n_topics;
    gb_prior_setup prior; /* owned */
    gb_beta beta;
    gb_bags bags;       /* of the corpus's words; owned */
    gb_seeds seeds;     /* owned */
    gb_wording wording; /* owned */
    /* responses */
    size_t n_responses, n_outputs, n_own; /* n_own: own parameters of all responses together */
    gb_spec_response *response;           /* n_responses; owned */
    double *variance;           /* n_outputs: prior variance of topics' coefficients, unless it is sampled; owned */
    double *intercept_variance; /* n_outputs; owned */
    double *covariate_variance; /* n_outputs; owned */
    gb_coefficient_prior coefficient;
    bool intercept;
    size_t weight_field, exposure_field; /* in corpus->numbers; GB_NO_FIELD without */
    gb_coding *coding;                   /* of covariates; NULL without; owned */
    gb_sparse_columns x;                 /* covariates of the corpus; owned */
    gb_sparse_columns words;             /* its words, if they have coefficients; owned */
    gb_dense_columns embedding;          /* of its documents, standardised; owned */
    uint64_t words_after;                /* sweeps in which words have no part in the scores, see recipe/sweep.c */
    gb_sparse_columns no_words;          /* what stands for them until then, columns of zeros; owned */
    size_t n_columns;                    /* of covariates, embedding and words */
    bool two_stage;                      /* topics in burn-in, without labels; coefficients after it, topics fixed */
    bool one_vs_rest;                    /* a chain of its own, with its own topics, for each output */
    size_t calibration_folds;            /* 0: none */
    uint8_t
        *is_late; /* n_docs: chains see the document's labels late, see recipe/late_labels.c; NULL: of none; owned */
    uint64_t n_late, *late_doc; /* such documents; owned */
    /* sampler */
    const gb_coefficient_sampler *coefficient_sampler;
    size_t coefficient_steps;
    const gb_token_sampler *sampler;
    gb_token_options sampler_options;
    size_t growth;          /* see recipe/start.c; 0: none */
    bool starts_from_parts; /* see recipe/nmf_start.c */
    gb_treatment treatment;
    size_t n_blocks;
    size_t n_parts;       /* of the documents, see team/portion.h */
    uint64_t *part_start; /* n_parts + 1: the first document of each; owned */
    uint64_t pool;        /* sweeps of short chains that come before, see run/pooled_start.c; 0: without */
    uint64_t n_sweeps, burn_in, thin, n_chains, seed;
    bool
        finds_burn_in; /* each chain finds out how long its burn-in is, see recipe/burn_in.c: the two above are the most */
    uint64_t n_snapshots; /* kept sweeps of a chain whose topics are kept as well; at most all */
    size_t n_threads;
    gb_team *team;     /* ranks that draw a chain together; borrowed; NULL: there are none */
    size_t most_teams; /* that draw different chains, see run/teams.h; 0: as many as are of use */
    gb_isa isa;
    /* a chain's share of a larger description; see gb_spec_for_chain() */
    const struct gb_spec *whole; /* NULL: this is the whole */
    size_t only_output;          /* the output of `whole` that is this one's only output; GB_NO_FIELD: all of them */
    size_t held_out;             /* documents d with d mod calibration_folds == held_out count as not labelled; or
                                    GB_NO_FIELD */
} gb_spec;

#define GB_NO_FIELD SIZE_MAX

/**
 * Decide everything that depends on the corpus.
 *
 * @param out  receives the description; clear it with gb_spec_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (options that do not go together), GB_EFORMAT (labels do not suit the task),
 * GB_ENOMEM
 */
gb_status gb_spec_resolve(const gb_corpus *corpus, const gb_settings *settings, gb_spec *out, gb_error *err);

/** Let words have the weights of another coding of the same words.  @return as gb_coding_take_weights() */
gb_status gb_spec_take_word_weights(gb_spec *spec, const gb_coding *from, const gb_corpus *corpus, gb_error *err);

void gb_spec_clear(gb_spec *spec);

/**
 * What one chain of the model runs: all outputs or one of them, with or without some labels held out.
 *
 * @param spec    the whole; borrowed for as long as *out is used
 * @param only_output  the only output, or GB_NO_FIELD
 * @param only    memory for the only output's response, to live as long as *out
 * @param out     borrows from `spec` and needs no clearing
 */
void gb_spec_for_chain(const gb_spec *spec, size_t only_output, size_t held_out, size_t n_threads,
                       gb_spec_response *only, gb_spec *out);

/**
 * Targets of document d as the responses want them.
 *
 * @param y       receives n_outputs values, NaN if missing
 * @param weight  receives their weights, > 0; NULL if gb_spec_has_weights() is false
 * @return GB_OK, or GB_EFORMAT for a target that a response cannot have
 */
gb_status gb_spec_code_document(const gb_spec *spec, const gb_corpus *corpus, uint64_t d, double *y, double *weight,
                                gb_error *err);
bool gb_spec_has_weights(const gb_spec *spec);

/**
 * The number that an option of the form "X" or "FIELD=X,..." has for a field; *out is untouched when it has none.
 *
 * @return GB_OK, or GB_EARGUMENT for a number outside 0 .. 1e12
 */
gb_status gb_option_number(const char *option, const char *text, const char *field, double *out, gb_error *err);

/** Half the width of the zone without loss unless the user gives one: a tenth of a coded target's standard deviation. */
#define GB_DEFAULT_EPSILON 0.1

/** The own parameters of a target's response, given for its field or sampled.  The cost, and what the field's values
 * are, is decided before.  @return GB_OK, GB_EARGUMENT or GB_ENOMEM */
gb_status gb_own_parameters_choose(const gb_settings *settings, bool has_weights, gb_target *target, gb_error *err);

/** Decide the responses; part of gb_spec_resolve(), in a file of its own. */
gb_status gb_spec_resolve_responses(const gb_corpus *corpus, const gb_settings *settings, gb_spec *spec,
                                    gb_error *err);

/** Whether the options go with the fields, responses and samplers that were decided; those not decided yet count as open.
 * @return GB_OK, GB_EARGUMENT or GB_ENOMEM */
gb_status gb_spec_check_needs(const gb_spec *spec, const gb_corpus *corpus, const gb_settings *settings,
                              gb_error *err);

/** Whether variances are noted of documents with late labels. */
bool gb_late_has_variances(const gb_spec *spec);
/** Numbers that a chain notes of a document with late labels: its scores, those of its first words as if they were the text, and, if a response
 * is of numbers, the variances that these texts leave open of each. */
size_t gb_late_width(const gb_spec *spec);
/** The words that the text of document d of the corpus is cut to: all of its `length`, if it is shorter, or the prior keeps weights of the
 * document that the whole text has been seen for. */
uint64_t gb_spec_late_cut(const gb_spec *spec, uint64_t d, uint64_t length);
/** The most that gb_spec_late_cut() cuts a text to. */
#define GB_MOST_LATE_CUT 32

/** Labelled documents, and sweeps of burn-in, from which on labels are held out in a training to calibrate probabilities. */
#define GB_FEWEST_LABELLED 200
#define GB_FEWEST_BURN_IN  20

/** Decide which documents have late labels: enough to calibrate the probabilities that need it, or none.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_spec_choose_late_labels(const gb_corpus *corpus, const gb_settings *settings, gb_spec *spec,
                                     gb_error *err);

/** Sweeps after burn-in. */
/** Whether topics are drawn given labels. */
static inline bool gb_spec_topics_see_labels(const gb_spec *spec)
{
    return spec->n_outputs > 0 && !spec->two_stage;
}

/** Of a run that pools. */
static inline uint64_t gb_spec_n_short_chains(const gb_spec *spec)
{
    return spec->n_chains > GB_SHORT_CHAINS ? spec->n_chains : GB_SHORT_CHAINS;
}

static inline uint64_t gb_spec_n_kept_sweeps(const gb_spec *spec)
{
    return spec->n_sweeps - spec->burn_in;
}

/** Sweeps of burn-in, at least, where chains find out. */
static inline uint64_t gb_spec_least_burn_in(const gb_spec *spec)
{
    return spec->wording.shape != NULL ? GB_LEAST_BURN_IN_OF_WORDINGS : GB_LEAST_BURN_IN;
}

/** The blocks of features of its scores. */
static inline gb_layout gb_spec_layout(const gb_spec *spec)
{
    const size_t n[GB_N_BLOCK_KINDS] = {[GB_TOPICS_BLOCK] = spec->n_topics,
                                        [GB_COVARIATES_BLOCK] = spec->x.n_columns,
                                        [GB_EMBEDDING_BLOCK] = spec->embedding.n_columns,
                                        [GB_WORDS_BLOCK] = spec->words.n_columns,
                                        [GB_CONSTANT_BLOCK] = spec->intercept ? 1 : 0};
    return gb_layout_of(n);
}

/** Features of an output. */
static inline size_t gb_spec_n_features(const gb_spec *spec)
{
    return gb_spec_layout(spec).n_features;
}

#endif
