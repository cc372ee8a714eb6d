/* plan/spec.c - from settings and a corpus to a checked description of a model. */
#include "plan/spec.h"
#include "base/memory.h"
#include "base/processors.h"
#include "base/text.h"
#include "options/variance.h"
#include "plan/document_parts.h"
#include "plan/response_defaults.h"

#include <math.h>
#include <string.h>

/* ---- document prior and topics ---- */

static gb_status resolve_prior(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    gb_status st = GB_OK;
    spec->n_topics = (size_t)gb_settings_int(s, "topics");
    GB_TRY(gb_beta_read(gb_settings_text(s, "beta"), GB_DEFAULT_BETA, &spec->beta, err));
    if (gb_settings_has(s, "seeds"))
        GB_TRY(gb_seeds_read(gb_settings_text(s, "seeds"), gb_settings_real_or(s, "seed-strength", 0), corpus,
                             spec->n_topics, &spec->seeds, err));
    GB_TRY(gb_prior_setup_resolve(s, corpus, &spec->prior, err));
    spec->prior.n_named = spec->seeds.n_keywords > 0 ? spec->seeds.n_topics : 0;
done:
    return st;
}

/* ---- coefficients ---- */

/* One variance is sampled for each score, or none is. */
static bool all_sample(const gb_spec *spec)
{
    bool all = spec->n_responses > 0;
    for (size_t r = 0; r < spec->n_responses; r++)
        all = all && gb_response_defaults_of(spec->response[r].target.response.ops)->samples_variance;
    return all;
}

/* Given for all scores, or what suits each response, which is there. */
static void resolve_variance(double variance, gb_spec *spec)
{
    gb_coefficient_prior *prior = &spec->coefficient;
    prior->variance = spec->variance;
    prior->variance_is_sampled = variance == GB_VARIANCE_AUTO ? all_sample(spec) : variance == GB_VARIANCE_SAMPLED;
    for (size_t l = 0; variance > 0 && l < spec->n_outputs; l++)
        spec->variance[l] = variance;
}

/* Mean over the documents that have words. */
static double mean_square_of(const gb_sparse_columns *words)
{
    double sum = 0, n = 0;
    for (uint64_t d = 0; d < words->n_docs; d++)
        n += words->doc_start[d] < words->doc_start[d + 1] ? 1 : 0;
    for (uint64_t i = 0; i < words->n_entries; i++)
        sum += words->value[i] * words->value[i];
    return n > 0 ? sum / n : 0;
}

/* auto is sampled, where recipe/word_variance.c has not chosen. */
static void resolve_word_variance(double variance, gb_spec *spec)
{
    gb_coefficient_prior *prior = &spec->coefficient;
    prior->word_square = mean_square_of(&spec->words);
    prior->word_variance_is_sampled = variance <= 0;
    prior->word_variance = fmax(variance, 0);
}

static void resolve_embedding_variance(double variance, gb_spec *spec)
{
    gb_coefficient_prior *prior = &spec->coefficient;
    prior->embedding_variance_is_sampled = variance <= 0;
    prior->embedding_variance = fmax(variance, 0);
}

/* ---- intercepts ---- */

/* Cut points set the level of the scores already: an intercept besides them only if it is asked for. */
static bool has_intercept(const gb_settings *s, const gb_spec_response *response)
{
    return gb_settings_yes(s, "intercept") &&
           (response->target.response.ops->target != GB_TARGET_LEVEL || gb_settings_is_set(s, "intercept"));
}

/* Ten times the size that scores have: base rates of one in a thousand and less are within reach. */
static double default_intercept_variance(const gb_spec_response *response)
{
    const double wide = 100, margin = response->target.response.margin;
    const gb_response_ops *ops = response->target.response.ops;
    if (gb_response_defaults_of(ops)->scores_in_margins)
        return wide * margin * margin;
    return ops->target == GB_TARGET_NUMBER ? wide * response->mean_square : wide;
}

/* A score that needs none beside others that have one has an intercept of about 0. */
static gb_status resolve_intercepts(const gb_settings *s, double given, gb_spec *spec, gb_error *err)
{
    const double none = 1e-8;
    gb_status st = gb_alloc(&spec->intercept_variance, spec->n_outputs, sizeof(double), "responses", err);
    for (size_t r = 0; st == GB_OK && r < spec->n_responses; r++) {
        const gb_spec_response *response = &spec->response[r];
        const double variance = !has_intercept(s, response) ? none
                                : given > 0                 ? given
                                                            : default_intercept_variance(response);
        spec->intercept = spec->intercept || has_intercept(s, response);
        for (size_t l = 0; l < response->target.response.n_outputs; l++)
            spec->intercept_variance[response->target.response.first_output + l] = variance;
    }
    spec->coefficient.intercept_variance = spec->intercept_variance;
    return st;
}

/* Each label counts as `cost` labels, so the same prior would count for less beside them. */
static gb_status resolve_covariate_variance(double given, gb_spec *spec, gb_error *err)
{
    const gb_status st = gb_alloc(&spec->covariate_variance, spec->n_outputs, sizeof(double), "responses", err);
    for (size_t r = 0; st == GB_OK && r < spec->n_responses; r++) {
        const gb_response *response = &spec->response[r].target.response;
        for (size_t l = 0; l < response->n_outputs; l++)
            spec->covariate_variance[response->first_output + l] =
                given > 0 ? given : gb_covariate_variance_for(response->cost);
    }
    spec->coefficient.covariate_variance = spec->covariate_variance;
    return st;
}

static gb_status resolve_prior_and_sampler(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    const gb_coefficient_prior_ops *prior = gb_coefficient_prior_find(gb_settings_text(s, "coefficient-prior"));
    const gb_coefficient_sampler *sampler =
        gb_coefficient_sampler_find(gb_settings_text(s, "coefficient-sampler"), spec->n_topics, spec->n_columns);
    if (prior == NULL)
        return gb_fail(err, GB_EARGUMENT, "`coefficient-prior` has no \"%s\"",
                       gb_settings_text(s, "coefficient-prior"));
    if (sampler == NULL)
        return gb_fail(err, GB_EARGUMENT, "`coefficient-sampler` has no \"%s\"",
                       gb_settings_text(s, "coefficient-sampler"));
    spec->coefficient.ops = prior;
    spec->coefficient_sampler = sampler;
    spec->coefficient_steps = (size_t)gb_settings_int(s, "coefficient-steps");
    return GB_OK;
}

/* Which chains there are, and what they are calibrated with. */
static gb_status resolve_strategy(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    spec->two_stage = gb_settings_yes(s, "two-stage");
    spec->one_vs_rest = gb_settings_are(s, "strategy", "one-vs-rest");
    spec->calibration_folds = (size_t)gb_settings_int_or(s, "calibrate", 0);
    spec->only_output = spec->held_out = GB_NO_FIELD;
    if (spec->one_vs_rest && (spec->n_responses != 1 || spec->n_outputs < 2))
        return gb_fail(err, GB_EARGUMENT,
                       "`strategy` one-vs-rest needs one label field with more than two classes, or several labels");
    if (spec->calibration_folds == 1)
        return gb_fail(err, GB_EARGUMENT, "`calibrate` needs at least 2 folds");
    return GB_OK;
}

static gb_status resolve_coefficients(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    gb_status st;
    const gb_variances variance = gb_settings_variances(s);
    GB_TRY(resolve_prior_and_sampler(s, spec, err));
    GB_TRY(resolve_strategy(s, spec, err));
    GB_TRY(resolve_intercepts(s, variance.of[GB_VARIANCE_INTERCEPT], spec, err));
    GB_TRY(resolve_covariate_variance(variance.of[GB_VARIANCE_COVARIATES], spec, err));
    resolve_word_variance(variance.of[GB_VARIANCE_WORDS], spec);
    resolve_embedding_variance(variance.of[GB_VARIANCE_EMBEDDINGS], spec);
    resolve_variance(variance.of[GB_VARIANCE_TOPICS], spec);
done:
    return st;
}

/* ---- sampler ---- */

/* More blocks let more threads work, and let a thread draw several documents at once.  Fewer tokens per topic and block
 * make r_kb, and with it the chain, stickier; fewer tokens per document and block make the opening of a document more expensive,
 * the more so the more topics there are. */
static size_t choose_blocks(const gb_corpus *corpus, size_t n_topics)
{
    const double tokens_per_topic_and_block = 3000, tokens_per_document_and_block = 12, most = 64;
    const size_t lanes = GB_MAX_TOKEN_LANES, few_topics = 256;
    const double n_tokens = (double)corpus->n_tokens, length = n_tokens / fmax((double)corpus->n_docs, 1);
    const double n = fmin(fmin(n_tokens / ((double)n_topics * tokens_per_topic_and_block), most),
                          length / tokens_per_document_and_block);
    const double least = n_topics <= few_topics && length >= 3 * tokens_per_document_and_block ? (double)lanes : 2;
    const double wanted = fmin(fmax(n, least), (double)corpus->n_words);
    size_t blocks = 1; /* a power of two, so that tasks seldom wait for each other: chain/token_pass.c */
    while ((double)(2 * blocks) <= wanted)
        blocks *= 2;
    return blocks;
}

static uint64_t longest_document(const gb_corpus *corpus)
{
    uint64_t longest = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t length = corpus->doc_start[d + 1] - corpus->doc_start[d];
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* "doc,word,exp", each at most once. */
static gb_status parse_proposals(const char *text, unsigned *out, gb_error *err)
{
    const char *const *names = gb_mh_proposal_name;
    *out = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        unsigned p = 0;
        while (p < GB_MH_N_PROPOSALS && (strlen(names[p]) != length || strncmp(at, names[p], length) != 0))
            p++;
        if (p == GB_MH_N_PROPOSALS || (*out >> p & 1) != 0) {
            char quote[GB_QUOTE_SIZE];
            gb_text_quote(text, strlen(text), quote);
            return gb_fail(err, GB_EARGUMENT,
                           "`mh-proposals` must be some of doc, word and exp, separated by commas, not %s", quote);
        }
        *out |= 1U << p;
        at += length;
        if (*at == '\0')
            return GB_OK;
    }
}

static gb_status resolve_mh(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    gb_token_options *o = &spec->sampler_options;
    gb_status st = parse_proposals(gb_settings_text(s, "mh-proposals"), &o->proposals, err);
    if (st != GB_OK)
        return st;
    o->n_steps = (size_t)gb_settings_int(s, "mh-steps");
    o->cycle = gb_settings_are(s, "mh-compose", "cycle");
    if (spec->sampler->proposes && longest_document(corpus) > UINT32_MAX / o->n_steps)
        return gb_fail(err, GB_EARGUMENT, "`mh-steps` %zu is too many for a document of %llu words", o->n_steps,
                       (unsigned long long)longest_document(corpus));
    return GB_OK;
}

/* The last block is theirs, and every other has a word; each bag has one. */
static gb_status give_keywords_a_block(const gb_corpus *corpus, gb_spec *spec, gb_error *err)
{
    const size_t n = spec->seeds.n_keywords;
    if (n == 0)
        return GB_OK;
    if (n == corpus->n_words)
        return gb_fail(err, GB_EARGUMENT, "`seeds` has all words of the corpus; some must be free");
    if (spec->n_blocks < spec->bags.n + 1)
        spec->n_blocks = spec->bags.n + 1;
    if (spec->n_blocks - 1 > corpus->n_words - n)
        spec->n_blocks = (size_t)(corpus->n_words - n) + 1;
    return GB_OK;
}

/* What has no law for several bags yet; and each has a block at least. */
static gb_status heed_bags(gb_spec *spec, gb_error *err)
{
    if (spec->bags.n == 1)
        return GB_OK;
    if (spec->wording.shape != NULL)
        return gb_fail(
            err, GB_EARGUMENT,
            "`%s` does not go with bags of words yet; import the texts joined, `text` FIELD,FIELD, to use it",
            spec->wording.shape->option);
    if (spec->n_blocks < spec->bags.n)
        spec->n_blocks = spec->bags.n;
    return GB_OK;
}

static gb_status resolve_sampler(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    const bool has_wordings = spec->wording.shape != NULL;
    spec->sampler = !gb_settings_are(s, "sampler", "auto") ? gb_token_sampler_find(gb_settings_text(s, "sampler"))
                    : has_wordings                         ? &gb_token_dense
                                                           : gb_token_sampler_choose(spec->n_topics, spec->n_outputs);
    if (spec->sampler == NULL)
        return gb_fail(err, GB_EARGUMENT, "`sampler` has no \"%s\"", gb_settings_text(s, "sampler"));
    const bool is_sampled = has_wordings || gb_settings_are(s, "topic-treatment", "sampled");
    spec->treatment = is_sampled ? GB_TREAT_SAMPLED : GB_TREAT_BLOCKS;
    const int64_t n_blocks = gb_settings_int_or(s, "blocks", 0);
    if (n_blocks > 0 && (uint64_t)n_blocks > corpus->n_words)
        return gb_fail(err, GB_EARGUMENT, "`blocks` %lld is more than the corpus has words (%llu)",
                       (long long)n_blocks, (unsigned long long)corpus->n_words);
    spec->n_blocks = spec->treatment == GB_TREAT_SAMPLED ? 1
                     : n_blocks > 0                      ? (size_t)n_blocks
                                                         : choose_blocks(corpus, spec->n_topics);
    gb_status st = heed_bags(spec, err);
    if (st == GB_OK)
        st = give_keywords_a_block(corpus, spec, err);
    spec->isa = gb_isa_best();
    if (st == GB_OK)
        st = gb_cut_documents(corpus, gb_settings_int_or(s, "parts", 0), spec, err);
    if (st == GB_OK)
        st = resolve_mh(corpus, s, spec, err);
    if (st != GB_OK)
        return st;
    spec->seed = (uint64_t)gb_settings_int_or(s, "seed", 0);
    spec->team = gb_settings_team(s);
    /* every team needs all documents, and a rank may not have all shards, or no room for them */
    spec->most_teams = (size_t)gb_settings_int_or(s, "teams", corpus->in_shards != NULL);
    return GB_OK;
}

/* Without a number of sweeps each chain finds out how many its burn-in takes, unless that is given. */
static gb_status resolve_sweeps(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    const uint64_t given = (uint64_t)gb_settings_int_or(s, "sweeps", 0); /* 0: it is open */
    spec->finds_burn_in = given == 0 && gb_settings_are(s, "burn-in", "auto");
    spec->burn_in = (uint64_t)gb_settings_int_or(s, "burn-in", given == 0 ? GB_MOST_BURN_IN : (int64_t)given / 2);
    spec->n_sweeps = given == 0 ? spec->burn_in + GB_KEPT_SWEEPS : given;
    if (spec->burn_in >= spec->n_sweeps)
        return gb_fail(err, GB_EARGUMENT, "`burn-in` %llu leaves no sweep to keep; it must be below `sweeps` (%llu)",
                       (unsigned long long)spec->burn_in, (unsigned long long)spec->n_sweeps);
    return GB_OK;
}

/* All sweeps, unless their parameters, which are small, would be large together. */
static uint64_t choose_thin(const gb_spec *spec, uint64_t n_chains, uint64_t kept)
{
    const double most_bytes = 5e8, most_draws = 10000;
    const gb_prior_values prior = spec->prior.ops->shape(&spec->prior);
    double n = (double)spec->n_topics;
    n += (double)(spec->one_vs_rest ? 1 : spec->n_outputs) * (double)gb_spec_n_features(spec);
    for (size_t i = 0; i < prior.n_tables; i++)
        n += (double)gb_prior_table_size(&prior.table[i]);
    const double most = fmax(fmin(most_bytes / (8 * n * (double)n_chains), most_draws), 10);
    return (uint64_t)ceil((double)kept / floor(most));
}

/* Some chains of a small corpus predict better than one as long as all (docs/measured/defaults.md).  A number of sweeps says how much work
 * the user wants; one-vs-rest has many chains already. */
static uint64_t choose_chains(const gb_corpus *corpus, const gb_settings *s, const gb_spec *spec)
{
    const bool is_small = corpus->n_tokens <= GB_SMALL_CORPUS;
    const int64_t small = spec->n_responses == 0 ? GB_CHAINS_WITHOUT_LABELS : GB_SMALL_CORPUS_CHAINS;
    const int64_t n = spec->finds_burn_in && !spec->one_vs_rest && is_small ? small : 1;
    return (uint64_t)gb_settings_int_or(s, "chains", n);
}

/* Topics that are to be read recur in other runs where they are pooled; labels make topics of their own (docs/measured/pooling.md). */
static uint64_t choose_pool(const gb_settings *s, const gb_spec *spec)
{
    const bool suits = spec->finds_burn_in && spec->n_responses == 0 && spec->n_chains > GB_FEW_CHAINS &&
                       !gb_settings_has(s, "init-from") && !gb_settings_are(s, "start", "nmf");
    return (uint64_t)gb_settings_int_or(s, "pool", suits ? GB_SHORT_SWEEPS : 0);
}

static gb_status resolve_run(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    const gb_status st = resolve_sweeps(s, spec, err);
    if (st != GB_OK)
        return st;
    spec->n_chains = choose_chains(corpus, s, spec);
    const bool are_many = spec->n_chains > GB_FEW_CHAINS;
    const bool has_wordings = spec->wording.shape != NULL,
               has_regression = has_wordings || gb_prior_formula(&spec->prior) != NULL;
    if ((are_many || has_regression) && gb_settings_int_or(s, "sweeps", 0) == 0)
        spec->n_sweeps = spec->burn_in + (has_regression ? GB_KEPT_SWEEPS_OF_REGRESSION : GB_KEPT_SWEEPS_OF_MANY);
    spec->growth = (size_t)gb_settings_int(s, "growth");
    spec->starts_from_parts = gb_settings_are(s, "start", "nmf");
    spec->pool = choose_pool(s, spec);
    const uint64_t kept = gb_spec_n_kept_sweeps(spec);
    const uint64_t n_chains = spec->n_chains * (spec->one_vs_rest ? spec->n_outputs : 1);
    spec->thin = (uint64_t)gb_settings_int_or(s, "thin", (int64_t)choose_thin(spec, n_chains, kept));
    if (spec->thin > kept)
        return gb_fail(err, GB_EARGUMENT, "`thin` %llu keeps no draw: only %llu sweeps come after burn-in",
                       (unsigned long long)spec->thin, (unsigned long long)kept);
    const uint64_t n_kept = kept / spec->thin;
    const int64_t usual = has_wordings ? GB_SNAPSHOTS_OF_WORDINGS : are_many ? GB_SNAPSHOTS_OF_MANY : GB_SNAPSHOTS;
    const uint64_t n_snapshots = (uint64_t)gb_settings_int_or(s, "snapshots", usual);
    spec->n_snapshots = n_snapshots < n_kept ? n_snapshots : n_kept;
    if (spec->two_stage && spec->burn_in == 0)
        return gb_fail(err, GB_EARGUMENT,
                       "`two-stage` learns topics during burn-in; `burn-in` 0 leaves no time for that");
    return GB_OK;
}

/* The second half of burn-in has the words: labels that come late are drawn there, and the prior's scales settle. */
static gb_status resolve_words_after(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    if (gb_settings_int(s, "word-effects-after") == 0 || spec->words.n_columns == 0)
        return GB_OK;
    spec->words_after = (uint64_t)gb_settings_int(s, "word-effects-after");
    if (spec->words_after > spec->burn_in / 2)
        return gb_fail(err, GB_EARGUMENT, "`word-effects-after` %llu is more than half of `burn-in` (%llu)",
                       (unsigned long long)spec->words_after, (unsigned long long)spec->burn_in);
    const gb_status st =
        gb_sparse_columns_create(&spec->no_words, corpus->n_docs, spec->words.n_columns, 0, NULL, err);
    return st == GB_OK && spec->words.by_column ? gb_sparse_columns_index(&spec->no_words, err) : st;
}

/* Small corpora take one thread for each chain. */
static void resolve_threads(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec)
{
    const uint64_t n_each = spec->one_vs_rest ? spec->n_outputs : 1;
    const uint64_t n_chains = n_each * (spec->n_chains + spec->calibration_folds);
    spec->n_threads = gb_threads_for((uint64_t)gb_settings_int_or(s, "threads", 0), n_chains, corpus->n_tokens);
}

static gb_status resolve_covariates(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    gb_status st;
    gb_coding *coding = NULL;
    if (spec->n_responses == 0)
        return GB_OK;
    GB_TRY(gb_coding_make(corpus, s, gb_settings_yes(s, "standardise"), &coding, err));
    if (gb_coding_n_columns(coding) + gb_coding_n_fields(coding) == 0)
        goto done;
    GB_TRY(gb_coding_apply(coding, corpus, s, 0, &spec->x, err));
    GB_TRY(gb_coding_apply_embedding(coding, corpus, s, 0, &spec->embedding, err));
    GB_TRY(gb_coding_apply_words(coding, corpus, &spec->words, err));
    GB_TRY(gb_coding_note_means(coding, &spec->x, &spec->words, err));
    spec->n_columns = gb_coding_n_columns(coding);
    spec->coding = coding;
    coding = NULL;
done:
    gb_coding_free(coding);
    return st;
}

gb_status gb_spec_resolve(const gb_corpus *corpus, const gb_settings *s, gb_spec *out, gb_error *err)
{
    gb_status st;
    gb_spec spec = {.n_responses = 0};
    if (corpus->n_tokens == 0)
        return gb_fail(err, GB_EFORMAT, "the corpus has no words");
    GB_TRY(gb_bags_make(&spec.bags, corpus->preparation, &corpus->vocabulary, err));
    GB_TRY(resolve_prior(corpus, s, &spec, err));
    GB_TRY(gb_spec_resolve_responses(corpus, s, &spec, err));
    GB_TRY(resolve_covariates(corpus, s, &spec, err));
    GB_TRY(resolve_coefficients(s, &spec, err));
    if (spec.n_columns > 0 && spec.coefficient_sampler->by_column)
        GB_TRY(gb_sparse_columns_index(&spec.x, err));
    if (spec.words.n_columns > 0) /* for their expected coefficients too */
        GB_TRY(gb_sparse_columns_index(&spec.words, err));
    GB_TRY(gb_wording_make(corpus, s, &spec.wording, err));
    GB_TRY(resolve_sampler(corpus, s, &spec, err));
    GB_TRY(gb_spec_check_needs(&spec, corpus, s, err));
    GB_TRY(resolve_run(corpus, s, &spec, err));
    GB_TRY(resolve_words_after(corpus, s, &spec, err));
    GB_TRY(gb_spec_choose_late_labels(corpus, s, &spec, err));
    resolve_threads(corpus, s, &spec);
    *out = spec;
    return GB_OK;
done:
    gb_spec_clear(&spec);
    return st;
}

gb_status gb_spec_take_word_weights(gb_spec *spec, const gb_coding *from, const gb_corpus *corpus, gb_error *err)
{
    const gb_status st = gb_coding_take_weights(spec->coding, from, corpus, &spec->words, err);
    if (st == GB_OK)
        spec->coefficient.word_square = mean_square_of(&spec->words);
    return st;
}

void gb_spec_for_chain(const gb_spec *spec, size_t only_output, size_t held_out, size_t n_threads,
                       gb_spec_response *only, gb_spec *out)
{
    *out = *spec;
    out->whole = spec;
    out->only_output = only_output;
    out->held_out = held_out;
    out->n_threads = n_threads;
    if (held_out != GB_NO_FIELD) {
        out->is_late = NULL;
        out->late_doc = NULL;
        out->n_late = 0;
    }
    if (only_output == GB_NO_FIELD)
        return;
    *only = spec->response[0];
    only->target.task = GB_TASK_BINARY;
    only->target.response.n_outputs = 1;
    only->target.response.first_output = 0;
    out->response = only;
    out->n_responses = out->n_outputs = 1;
    out->variance = spec->variance + only_output;
    out->coefficient.variance = out->variance;
    out->intercept_variance = spec->intercept_variance + only_output;
    out->coefficient.intercept_variance = out->intercept_variance;
    out->covariate_variance = spec->covariate_variance + only_output;
    out->coefficient.covariate_variance = out->covariate_variance;
}

void gb_spec_clear(gb_spec *spec)
{
    for (size_t r = 0; r < spec->n_responses; r++) {
        gb_target_clear(&spec->response[r].target);
        gb_free(spec->response[r].class_weight);
        gb_free(spec->response[r].rest_weight);
        gb_free(spec->response[r].class_at);
    }
    gb_free(spec->response);
    gb_free(spec->variance);
    gb_free(spec->intercept_variance);
    gb_free(spec->covariate_variance);
    gb_free(spec->is_late);
    gb_free(spec->late_doc);
    gb_prior_setup_clear(&spec->prior);
    gb_bags_clear(&spec->bags);
    gb_seeds_clear(&spec->seeds);
    gb_wording_clear(&spec->wording);
    gb_coding_free(spec->coding);
    gb_sparse_columns_clear(&spec->x);
    gb_sparse_columns_clear(&spec->words);
    gb_sparse_columns_clear(&spec->no_words);
    gb_free(spec->embedding.value);
    gb_free(spec->part_start);
    *spec = (gb_spec){.n_responses = 0};
}
