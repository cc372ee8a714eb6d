/* chain/create.c - the arrays of a chain: listed, made, estimated and freed. */
#include "base/memory.h"
#include "chain/chain.h"
#include "chain/token_pass.h"
#include "chain/trace.h"
#include "coefficient/parts.h"
#include "coefficient/word_means.h"
#include "coefficient/word_scale.h"

#include <math.h>
#include <string.h>

/* ---- the list ---- */

static void list_tokens(gb_chain *c, const gb_array_visitor *v)
{
    const uint64_t n_docs = c->corpus->n_docs, n_blocks = c->topics.n_blocks;
    GB_ARRAY(v, "words", c->word, GB_DERIVED, GB_BY_TOKEN, c->corpus->n_tokens);
    GB_STATE_ARRAY(v, "topics", c->topic, GB_BY_TOKEN, GB_ANY_VALUE, c->corpus->n_tokens);
    GB_ARRAY_WITH(v, .name = "topics_in_order", GB_AT(c->seen.topic), .life = GB_SCRATCH, .axis = GB_BY_TOKEN,
                  .capacity = &c->seen.topic_capacity, GB_SHAPE(c->seen.topic_capacity));
    GB_ARRAY(v, "block_ends", c->segment, GB_DERIVED, GB_BY_DOCUMENT, n_docs, n_blocks);
    GB_ARRAY(v, "run_ends", c->run_end, GB_SCRATCH, GB_REPLICATED, n_blocks, GB_N_WIDTHS);
    GB_ARRAY(v, "document_row_numbers", c->doc_row, GB_DERIVED, GB_BY_DOCUMENT, n_docs);
    GB_ARRAY(v, "document_order", c->doc_order, GB_DERIVED, GB_BY_DOCUMENT, n_docs);
    GB_ARRAY(v, "document_block_starts", c->doc_block, GB_DERIVED, GB_BY_DOCUMENT, c->n_doc_blocks + 1);
    GB_ARRAY(v, "bundle_holders", c->holder, GB_DERIVED, GB_REPLICATED,
             c->portion.team == NULL ? 0 : c->topics.n_bundles);
    GB_ARRAY(v, "moving_bundles", c->move, GB_SCRATCH, GB_REPLICATED,
             c->portion.team == NULL ? 0 : c->topics.n_bundles);
}

/* On all ranks. */
static uint64_t n_late_labels(const gb_chain *c)
{
    return c->here == NULL ? c->spec->n_late : c->here->n_all_late;
}

/* The augmentation is state: the next sweep reads it before it is drawn anew.  Scores follow from topics and coefficients. */
static void list_responses(gb_chain *c, const gb_array_visitor *v)
{
    const gb_spec *spec = c->spec;
    const uint64_t n = spec->n_outputs, n_docs = n == 0 ? 0 : c->corpus->n_docs,
                   n_features = gb_spec_n_features(spec);
    size_t n_starts;
    const size_t n_with_levels = gb_chain_count_levels(spec, n == 0 ? 0 : spec->n_responses, &n_starts);
    GB_ARRAY(v, "responses", c->response, GB_DERIVED, GB_REPLICATED, n == 0 ? 0 : spec->n_responses);
    GB_STATE_ARRAY(v, "own_parameters", c->own, GB_REPLICATED, GB_FINITE, n == 0 ? 0 : spec->n_own);
    GB_ARRAY(v, "targets", c->y, GB_DERIVED, GB_BY_DOCUMENT, n_docs, n);
    GB_ARRAY(v, "documents_by_level", c->by_level, GB_DERIVED, GB_BY_DOCUMENT, n_with_levels, n_docs);
    GB_ARRAY(v, "level_starts", c->level_start, GB_DERIVED, GB_REPLICATED, n_starts);
    GB_STATE_ARRAY(v, "late_scores", c->course.late_score, GB_REPLICATED, GB_FINITE, n_late_labels(c),
                   gb_late_width(spec));
    GB_STATE_ARRAY(v, "late_labels", c->course.late_state, GB_REPLICATED, GB_ANY_VALUE, n_late_labels(c) > 0 ? 2 : 0);
    GB_ARRAY(v, "target_weights", c->weight, GB_DERIVED, GB_BY_DOCUMENT, gb_spec_has_weights(spec) ? n_docs : 0, n);
    GB_ARRAY(v, "offsets", c->offset, GB_DERIVED, GB_BY_DOCUMENT, spec->exposure_field == GB_NO_FIELD ? 0 : n_docs);
    GB_ARRAY_WITH(v, .name = "augmentation", .type = GB_F64, .size = sizeof(double), .life = GB_STATE,
                  .axis = GB_BY_DOCUMENT, .range = GB_FINITE, .at = &c->term,
                  GB_SHAPE(n_docs, n, sizeof *c->term / sizeof(double)));
    GB_ARRAY(v, "scores", c->score, GB_DERIVED, GB_BY_DOCUMENT, n_docs, n);
    GB_STATE_ARRAY(v, "coefficients", c->eta, GB_REPLICATED, GB_FINITE, n, n_features);
    GB_ARRAY(v, "coefficients_by_feature", c->eta_by_feature, GB_DERIVED, GB_REPLICATED, n_features, n);
    GB_ARRAY(v, "coefficients_of_topics", c->eta_by_output, GB_DERIVED, GB_REPLICATED, n, c->topics.stride);
    GB_ARRAY(v, "largest_squares", c->eta_largest, GB_DERIVED, GB_REPLICATED, n);
}

/* A lane's scratch memory is laid out by token/scratch.c. */
static void list_worker(const gb_chain *c, gb_worker *w, const gb_array_visitor *v)
{
    const gb_spec *spec = c->spec;
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        GB_ARRAY(v, "lane_base", w->lane[i].base, GB_SCRATCH, GB_BY_WORKER, spec->n_topics);
        GB_ARRAY_WITH(v, .name = "lane_scratch", .type = GB_OPAQUE, .size = 1, .life = GB_SCRATCH,
                      .axis = GB_BY_WORKER, GB_SHAPE(gb_scratch_bytes(spec->n_topics, spec->n_outputs)));
    }
    GB_ARRAY(v, "scores_with_offsets", w->score, GB_SCRATCH, GB_BY_WORKER,
             spec->exposure_field == GB_NO_FIELD ? 0 : GB_DOCS_PER_TASK, spec->n_outputs);
}

/* Kept for an embedding that a block draw can have. */
static gb_dense_gram size_of_gram(const gb_corpus *corpus, const gb_spec *spec)
{
    const size_t n = spec->embedding.n_columns;
    const bool is_block = spec->coefficient_sampler == &gb_coefficient_block ||
                          (spec->coefficient_sampler != &gb_coefficient_coordinate && n < GB_MOST_FEATURES_IN_BLOCK);
    return (gb_dense_gram){
        .n_docs = corpus->n_docs, .n = spec->n_outputs > 0 && is_block ? n : 0, .n_outputs = spec->n_outputs};
}

static gb_word_moments size_of_word_moments(const gb_spec *spec)
{
    const gb_layout layout = gb_spec_layout(spec);
    return gb_word_moments_size(&layout, spec->n_outputs,
                                spec->coefficient.ops != NULL && spec->coefficient.ops->shrinks);
}

/* Those that no component has. */
static void list_own(void *chain, const gb_array_visitor *v)
{
    gb_chain *c = chain;
    list_tokens(c, v);
    list_responses(c, v);
    GB_ARRAY_WITH(v, .name = "workers", GB_AT(c->worker), .life = GB_SCRATCH, .axis = GB_BY_WORKER,
                  .has_pointers = true, GB_SHAPE(c->spec->n_threads));
    for (size_t i = 0; i < c->spec->n_threads; i++)
        list_worker(c, c->worker == NULL ? &(gb_worker){.score = NULL} : &c->worker[i], v);
    GB_ARRAY_WITH(v, .name = "trace", GB_AT(c->trace), .life = GB_STATE, .axis = GB_REPLICATED,
                  .capacity = &c->trace_capacity, GB_SHAPE(c->n_trace, gb_trace_width(c->spec)));
}

void gb_chain_list(void *chain, const gb_array_visitor *v)
{
    gb_chain *c = chain;
    list_own(c, v);
    gb_dense_gram_list(&c->gram, v);
    gb_rows_list(&c->doc_rows, "document_row_handles", "document_rows", GB_BY_DOCUMENT, v);
    gb_topics_list(&c->topics, v);
    gb_wording_tree_list(&c->wordings, v);
    gb_proportions_list(&c->z, v);
    gb_prior_list(&c->prior, v);
    gb_coefficient_scales_list(&c->scales, v);
    gb_word_moments_list(&c->words, v);
    if (c->token_state != NULL)
        c->spec->sampler->list(c->token_state, v);
}

/* ---- tokens ---- */

/* Documents keep their counts in a row of their own where that takes no more than two bytes per token; the topics of the
 * others are counted anew on each visit, and they have few tokens. */
static bool has_row(size_t stride, uint64_t length)
{
    return stride <= 2 * length;
}

static gb_status create_doc_rows(gb_chain *c, gb_error *err)
{
    gb_status st;
    uint64_t *length = NULL, n = 0;
    GB_TRY(gb_alloc(&length, c->corpus->n_docs, sizeof *length, "topic counts of documents", err));
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t n_d = c->corpus->doc_start[d + 1] - c->corpus->doc_start[d];
        c->doc_row[d] = GB_NO_ROW;
        if (n < GB_NO_ROW && has_row(c->topics.stride, n_d)) {
            c->doc_row[d] = (uint32_t)n;
            length[n++] = n_d;
        }
    }
    GB_TRY(gb_rows_create(&c->doc_rows, n, length, c->spec->n_topics, c->topics.stride, false, err));
done:
    gb_free(length);
    return st;
}

static gb_status create_tokens(gb_chain *c, gb_error *err)
{
    gb_status st;
    gb_chain_order_tokens(c, true);
    for (uint64_t i = 0; i < c->corpus->n_tokens; i++)
        c->topic[i] = GB_NO_TOPIC;
    GB_TRY(gb_chain_cut_documents(c, err));
    GB_TRY(create_doc_rows(c, err));
done:
    return st;
}

/* ---- responses ---- */

/* Coded targets, weights and offsets. */
static gb_status create_responses(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    if (c->spec->n_outputs == 0)
        return st;
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        gb_response *response = &c->response[r];
        *response = c->spec->response[r].target.response;
        for (size_t i = 0; i < response->n_own; i++)
            c->own[response->first_own + i] = response->own[i];
        response->own = GB_FROM(c->own, response->first_own);
    }
    GB_TRY(gb_chain_hide_labels(c, c->spec->is_late, err));
    for (uint64_t d = 0; c->offset != NULL && d < c->corpus->n_docs; d++)
        c->offset[d] = log(c->corpus->numbers[c->spec->exposure_field].value[d]);
    GB_TRY(gb_coefficient_scales_create(&c->scales, &c->spec->coefficient, c->spec->n_outputs,
                                        gb_spec_layout(c->spec), err));
done:
    return st;
}

/* ---- words ---- */

/* Tokens of each word, on all ranks. */
static gb_status count_words(const gb_chain *c, uint64_t *total, gb_error *err)
{
    gb_status st;
    int64_t *n = NULL;
    GB_TRY(gb_alloc(&n, c->corpus->n_words, sizeof *n, "tokens of each word", err));
    for (uint64_t i = 0; i < c->corpus->n_tokens; i++)
        n[c->corpus->word[i]]++;
    GB_TRY(gb_team_sum(c->spec->team, n, c->corpus->n_words, err));
    for (uint64_t w = 0; w < c->corpus->n_words; w++)
        total[w] = (uint64_t)n[w];
done:
    gb_free(n);
    return st;
}

static gb_topics_shape shape_of_topics(const gb_spec *spec)
{
    return (gb_topics_shape){.bags = &spec->bags,
                             .n_topics = spec->n_topics,
                             .beta = spec->beta.value,
                             .beta_law = spec->beta.is_sampled ? spec->beta.law : (gb_gamma_law){0},
                             .treatment = spec->treatment,
                             .n_blocks = spec->n_blocks,
                             .n_bundles = spec->treatment == GB_TREAT_BLOCKS ? spec->n_parts : 1,
                             .lists = spec->sampler->lists,
                             .seed = spec->seeds.seed,
                             .n_seeds = spec->seeds.n,
                             .n_keywords = spec->seeds.n_keywords,
                             .n_keyword_pairs = spec->seeds.n_keyword_pairs,
                             .keyword_law = spec->seeds.law,
                             .n_threads = spec->n_threads,
                             .team = spec->team};
}

/* The word blocks of a bundle are first on the rank that has the part of the same number; drawn topics have one bundle, which
 * every rank has. */
static gb_status create_topics(gb_chain *c, gb_error *err)
{
    gb_status st;
    uint64_t *total = NULL;
    const gb_topics_shape shape = shape_of_topics(c->spec);
    const bool in_blocks = shape.treatment == GB_TREAT_BLOCKS;
    const size_t rank = gb_team_rank(c->spec->team), first = in_blocks ? gb_first_part(c->spec, rank) : 0,
                 last = in_blocks ? gb_first_part(c->spec, rank + 1) : shape.n_bundles;
    GB_TRY(gb_alloc(&total, c->corpus->n_words, sizeof *total, "tokens of each word", err));
    GB_TRY(count_words(c, total, err));
    gb_seeds_count(&c->spec->seeds, total);
    GB_TRY(gb_topics_create(&c->topics, c->corpus->n_words, total, &shape, first, last, err));
    c->n_threads_of_rank_0 = c->spec->n_threads;
    GB_TRY(gb_team_broadcast(c->spec->team, 0, &c->n_threads_of_rank_0, sizeof c->n_threads_of_rank_0, err));
    c->n_doc_blocks = in_blocks ? c->portion.n_parts * c->topics.bundle_blocks : 1;
    c->first_doc_block = in_blocks ? gb_first_part(c->spec, rank) * c->topics.bundle_blocks : 0;
done:
    gb_free(total);
    return st;
}

/* ---- all together ---- */

static gb_status create_workers(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < c->spec->n_threads; i++)
        for (size_t f = 0; f < GB_MAX_TOKEN_LANES; f++)
            GB_TRY(gb_scratch_create(&c->worker[i].lane[f].scratch, c->spec->n_topics, c->spec->n_outputs, err));
done:
    return st;
}

/* Outputs of the documents that the token sampler sees. */
static size_t sampler_outputs(const gb_spec *spec)
{
    return spec->two_stage ? 0 : spec->n_outputs;
}

gb_status gb_chain_allocate(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number,
                            gb_error *err)
{
    gb_status st;
    gb_chain *c = NULL;
    GB_TRY(gb_alloc(&c, 1, sizeof *c, "the chain", err));
    GB_TRY(gb_alloc(&c->here, 1, sizeof *c->here, "the chain", err));
    GB_TRY(gb_rank_share_create(corpus, spec, c->here, err));
    c->corpus = corpus = c->here->corpus;
    c->spec = spec = c->here->spec;
    c->portion = c->here->portion;
    c->number = number;
    c->course.burn_in = spec->burn_in;
    c->key = gb_key_make(spec->seed, number);
    c->draw_tokens = spec->sampler->kernel(spec->isa);
    c->draw_keywords = gb_token_dense.kernel(spec->isa);
    GB_TRY(create_topics(c, err));
    GB_TRY(gb_wording_tree_create(&c->wordings, &spec->wording, corpus, spec->n_topics, c->topics.stride,
                                  spec->n_threads, &c->portion, err));
    GB_TRY(gb_proportions_create(&c->z, corpus->n_docs, spec->n_topics, corpus->doc_start, spec->n_threads, err));
    c->z.team = c->portion.team;
    GB_TRY(
        gb_prior_create(&c->prior, &spec->prior, NULL, &c->portion, corpus->n_docs, spec->n_threads, spec->isa, err));
    GB_TRY(gb_arrays_allocate(list_own, c, "the chain", err));
    c->gram = size_of_gram(c->corpus, c->spec);
    GB_TRY(gb_arrays_allocate(gb_dense_gram_list, &c->gram, "the chain", err));
    c->words = size_of_word_moments(c->spec);
    GB_TRY(gb_arrays_allocate(gb_word_moments_list, &c->words, "the chain", err));
    for (size_t b = 0; c->holder != NULL && b < c->topics.n_bundles && spec->treatment == GB_TREAT_BLOCKS; b++)
        c->holder[b] = (uint32_t)gb_rank_of_part(spec, b);
    GB_TRY(create_tokens(c, err));
    GB_TRY(create_responses(c, err));
    GB_TRY(create_workers(c, err));
    if (spec->sampler->create != NULL)
        GB_TRY(
            spec->sampler->create(&c->token_state, &spec->sampler_options, &c->topics, sampler_outputs(spec), err));
    *out = c;
    c = NULL;
done:
    gb_chain_free(c);
    return st;
}

void gb_chain_free(gb_chain *c)
{
    if (c == NULL)
        return;
    if (c->spec == NULL) { /* nothing else is there yet */
        gb_free(c->here);
        gb_free(c);
        return;
    }
    for (size_t i = 0; c->worker != NULL && i < c->spec->n_threads; i++)
        for (size_t f = 0; f < GB_MAX_TOKEN_LANES; f++)
            gb_scratch_free(c->worker[i].lane[f].scratch);
    gb_arrays_free(list_own, c);
    gb_rows_clear(&c->doc_rows);
    gb_topics_clear(&c->topics);
    gb_arrays_free(gb_wording_tree_list, &c->wordings);
    gb_proportions_clear(&c->z);
    gb_prior_clear(&c->prior);
    gb_coefficient_scales_clear(&c->scales);
    gb_arrays_free(gb_word_moments_list, &c->words);
    gb_arrays_free(gb_dense_gram_list, &c->gram);
    if (c->spec->sampler->free != NULL)
        c->spec->sampler->free(c->token_state);
    gb_rank_share_clear(c->here);
    gb_free(c->here);
    gb_free(c->seen.view);
    gb_free(c->share);
    gb_free(c);
}

/* ---- how much memory ---- */

static gb_rows size_of_doc_rows(const gb_corpus *corpus, const gb_spec *spec, size_t stride)
{
    gb_rows all = {.n_words = 0};
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t length = corpus->doc_start[d + 1] - corpus->doc_start[d];
        if (!has_row(stride, length))
            continue;
        all.n_words++;
        all.n_bytes += gb_rows_size(1, &length, spec->n_topics, stride, false).n_bytes;
    }
    return all;
}

/* Its own bundles and, as they come and go, at most as many of other ranks. */
static uint64_t row_bytes_of_rank(const gb_spec *spec, size_t rank, uint64_t all)
{
    const size_t n = 2 * (gb_first_part(spec, rank + 1) - gb_first_part(spec, rank));
    return spec->treatment == GB_TREAT_SAMPLED || n >= spec->n_parts ? all : all / spec->n_parts * n;
}

static uint64_t coefficient_draw_bytes(const gb_corpus *corpus, const gb_spec *spec, size_t rank, uint64_t n_entries)
{
    const gb_regression_size size = {.n_docs = corpus->n_docs,
                                     .n_entries = n_entries,
                                     .n_column_entries = spec->x.n_entries + spec->words.n_entries +
                                                         spec->embedding.n_docs * spec->embedding.n_columns,
                                     .layout = gb_spec_layout(spec),
                                     .n_outputs = spec->n_outputs,
                                     .n_threads = spec->n_threads,
                                     .n_parts = gb_first_part(spec, rank + 1) - gb_first_part(spec, rank),
                                     .has_team = spec->team != NULL};
    if (spec->n_outputs == 0)
        return 0;
    const uint64_t draw = spec->coefficient_sampler->bytes(&size) + gb_word_scale_bytes(&size);
    const uint64_t shift = spec->n_late > 0 ? spec->n_outputs * spec->words.n_columns * sizeof(double) : 0;
    const uint64_t means = gb_word_means_bytes(&size) + shift; /* between two draws */
    return draw > means ? draw : means;
}

uint64_t gb_chain_bytes(const gb_corpus *corpus, const gb_spec *spec, size_t rank, const uint64_t *total,
                        uint64_t n_entries, uint64_t n_word_entries)
{
    const bool by_document = spec->n_outputs > 0 || spec->prior.ops->by_document;
    const gb_topics_shape shape = shape_of_topics(spec);
    gb_chain c = {.corpus = corpus,
                  .spec = spec,
                  .topics = gb_topics_size(corpus->n_words, total, &shape),
                  .wordings =
                      gb_wording_tree_size(&spec->wording, corpus->n_words, corpus->n_docs, spec->n_topics,
                                           (spec->n_topics + GB_LANES - 1) / GB_LANES * GB_LANES, spec->n_threads),
                  .z = gb_proportions_size(corpus->n_docs, spec->n_topics, corpus->doc_start, spec->n_threads),
                  .prior = gb_prior_size(&spec->prior, corpus->n_docs, spec->n_threads)};
    c.portion.team = spec->team;
    c.topics.n_row_bytes = row_bytes_of_rank(spec, rank, c.topics.n_row_bytes);
    c.doc_rows = size_of_doc_rows(corpus, spec, c.topics.stride);
    c.z.by_document = by_document;
    c.z.n_entries = by_document ? n_entries : 0;
    c.z.tallies = !spec->prior.ops->by_document;
    if (spec->n_outputs > 0)
        c.scales = gb_coefficient_scales_size(&spec->coefficient, spec->n_outputs, gb_spec_layout(spec));
    c.words = size_of_word_moments(spec);
    c.gram = size_of_gram(corpus, spec);
    uint64_t n = gb_arrays_bytes(gb_chain_list, &c) + coefficient_draw_bytes(corpus, spec, rank, n_entries);
    if (spec->sampler->bytes != NULL)
        n += spec->sampler->bytes(&spec->sampler_options, &c.topics, sampler_outputs(spec), n_word_entries);
    return n;
}
