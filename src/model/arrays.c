/* model/arrays.c - the arrays of a model, described once: memory, files, estimates and the tables of docs/format.md follow from here.
 *
 * State is what a model file has, in this order.  In a model that was read all of it are views into the file; shapes may follow from
 * arrays before them, which are there already.  In one that was trained the draws lie in the file of draws, and are pieces. */
#include "model/model.h"

#include "base/memory.h"
#include "chain/trace.h"
#include "model/cross_fitted.h"
#include "model/draw_file.h"

#include <stddef.h>
#include <string.h>

#define OWN(array_name, pointer, ...) GB_ARRAY(v, array_name, pointer, GB_DERIVED, GB_REPLICATED, __VA_ARGS__)
#define IN_FILE(array_name, pointer, ...)                                                                            \
    GB_ARRAY_WITH(v, .name = (array_name), GB_AT(pointer), .axis = GB_REPLICATED, .is_view = m->store != NULL,       \
                  GB_SHAPE(__VA_ARGS__))
#define IN_ORDER(array_name, pointer, ...)                                                                           \
    GB_ARRAY_WITH(v, .name = (array_name), GB_AT(pointer), .axis = GB_REPLICATED,                                    \
                  .is_view = m->store != NULL && !m->is_reordered, GB_SHAPE(__VA_ARGS__))
#define OF_KEPT(array_name, member)                                                                                  \
    GB_ARRAY_WITH(v, .name = (array_name), .type = GB_U64, .size = sizeof m->kept->member, .axis = GB_REPLICATED,    \
                  GB_SHAPE(m->n_kept), .first = m->kept == NULL ? NULL : &m->kept->member,                           \
                  .stride = sizeof *m->kept, .is_part = true)
#define IN_PIECES(array_name, pointer, the_piece, how_many, always, ...)                                             \
    GB_ARRAY_WITH(v, .name = (array_name), GB_AT(pointer), .axis = GB_REPLICATED, .is_view = true,                   \
                  .is_always = (always), .piece = m->store == NULL || m->is_reordered ? (the_piece) : NULL,          \
                  .n_pieces = (how_many), .owner = m, GB_SHAPE(__VA_ARGS__))

/* ---- pieces ---- */

static const void *of_draw(const gb_array *array, uint64_t i, size_t *n_bytes)
{
    const gb_model *m = array->owner;
    const gb_parameter *p = (const void *)((const char *)array->at - offsetof(gb_parameter, stacked));
    *n_bytes = p->size * sizeof(double);
    if (m->draw_file != NULL)
        gb_draw_file_have_read(m->draw_file, *n_bytes);
    return gb_model_kept_value(m, (size_t)i, (size_t)(p - m->parameters.of));
}

/* Where words begin, their topics, or counts. */
static const void *of_snapshot(const gb_array *array, uint64_t i, size_t *n_bytes)
{
    const gb_model *m = array->owner;
    const gb_draw *draw = &m->draw[i];
    const void *piece = draw->word_start;
    uint64_t n = gb_model_n_rows(m) + 1;
    if (array->n_dimensions == 1) {
        piece = array->type == GB_U16 ? (const void *)draw->topic : draw->count;
        n = draw->word_start[gb_model_n_rows(m)];
    }
    *n_bytes = n * array->size;
    if (m->draw_file != NULL)
        gb_draw_file_have_read(m->draw_file, *n_bytes);
    return piece;
}

/* ---- the list ---- */

static void list_words(gb_model *m, const gb_array_visitor *v)
{
    gb_texts *t = &m->vocabulary;
    IN_FILE("word_start", t->start, m->n_words + 1);
    const uint64_t n_bytes = t->start == NULL ? 0 : t->start[m->n_words];
    GB_ARRAY_WITH(v, .name = "word_bytes", .type = GB_U8, .size = 1, .axis = GB_REPLICATED, .at = &t->bytes,
                  .is_view = m->store != NULL, GB_SHAPE(n_bytes));
    OWN("words", m->word, n_bytes == 0 ? 0 : m->n_words);
    OWN("word_texts", m->word_text, n_bytes == 0 ? 0 : n_bytes + m->n_words);
    if (m->coding != NULL)
        gb_coding_list(m->coding, v);
}

static void list_draws(gb_model *m, const gb_array_visitor *v)
{
    OWN("kept", m->kept, m->n_kept);
    OF_KEPT("chain", chain);
    OF_KEPT("sweep", sweep);
    OF_KEPT("first_output", first_output);
    for (size_t j = 0; j < m->parameters.n; j++) {
        gb_parameter *p = &m->parameters.of[j];
        const uint64_t n = p->size == 0 ? 0 : m->n_kept;
        if (j == GB_LOG_JOINT || j == GB_BETA)
            IN_PIECES(p->name, p->stacked, of_draw, n, false, n);
        else if (p->n_rows == 0)
            IN_PIECES(p->name, p->stacked, of_draw, n, false, n, p->n_columns);
        else
            IN_PIECES(p->name, p->stacked, of_draw, n, false, n, p->n_rows, p->n_columns);
    }
}

static void list_traces(gb_model *m, const gb_array_visitor *v)
{
    const uint64_t n = m->n_traces;
    IN_FILE("trace_sweeps", m->trace_sweeps, n);
    IN_FILE("trace_late", m->trace_late, m->has_late_labels ? n : 0);
    IN_FILE("trace", m->trace, m->trace_sweeps == NULL ? 0 : gb_model_n_trace_rows(m),
            1 + m->parameters.of[GB_LOSS].size);
}

static void list_snapshots(gb_model *m, const gb_array_visitor *v)
{
    const uint64_t n = m->n_draws, n_coefficients = m->words.n_words;
    OWN("draws", m->draw, n);
    OWN("topic_totals", m->n_k, n, m->bags.n, m->n_topics);
    OWN("matches", m->match, m->n_matches);
    IN_ORDER("snapshot", m->kept_at, n);
    IN_ORDER("snapshot_start", m->snapshot_start, n == 0 ? 0 : n + 1);
    const uint64_t n_entries = m->snapshot_start == NULL ? m->n_entries : m->snapshot_start[n];
    IN_PIECES("snapshot_word_start", m->snapshot_word_start, of_snapshot, n, true, n, gb_model_n_rows(m) + 1);
    IN_ORDER("snapshot_word", m->word_code, n, m->n_draw_outputs, n_coefficients);
    GB_ARRAY_WITH(v, .name = "snapshot_word_unit", GB_AT(m->word_unit), .axis = GB_REPLICATED,
                  .is_view = m->store != NULL && !m->is_reordered, .range = GB_FINITE,
                  GB_SHAPE(n_coefficients == 0 ? 0 : n, m->n_draw_outputs));
    IN_PIECES("snapshot_topic", m->snapshot_topic, of_snapshot, n, true, n_entries);
    IN_PIECES("snapshot_count", m->snapshot_count, of_snapshot, n, true, n_entries);
}

void gb_model_list(void *model, const gb_array_visitor *v)
{
    gb_model *m = model;
    list_words(m, v);
    IN_FILE("document_digest", m->digest, m->n_digests);
    list_draws(m, v);
    list_traces(m, v);
    gb_word_effects_list(&m->words, v);
    if (m->cross_fitted != NULL)
        gb_cross_fitted_list(m->cross_fitted, v);
    IN_FILE("covariate_alone", m->alone, m->n_alone == 0 ? 0 : m->n_outputs, m->n_alone, GB_ALONE_N_NUMBERS);
    list_snapshots(m, v);
    OWN("union_first", m->union_first, m->topic_unions == NULL ? 0 : m->n_topics);
    OWN("union_next", m->union_next, m->topic_unions == NULL ? 0 : m->n_topics);
    OWN("seed_tokens", m->seed_tokens, m->seeds == NULL ? 0 : m->n_topics);
}

/* ---- shapes ---- */

gb_layout gb_model_layout(const gb_model *m)
{
    const size_t n_words = m->coding == NULL ? 0 : gb_coding_words(m->coding)->n,
                 n_numbers = m->coding == NULL ? 0 : gb_coding_embedding(m->coding)->n;
    const size_t n[GB_N_BLOCK_KINDS] = {[GB_TOPICS_BLOCK] = m->n_topics,
                                        [GB_COVARIATES_BLOCK] = m->n_columns - n_numbers - n_words,
                                        [GB_EMBEDDING_BLOCK] = n_numbers,
                                        [GB_WORDS_BLOCK] = n_words,
                                        [GB_CONSTANT_BLOCK] = m->intercept ? 1 : 0};
    return gb_layout_of(n);
}

void gb_model_shape_draws(gb_model *m, size_t n_draw_outputs, bool shrinks)
{
    const gb_layout layout = gb_model_layout(m);
    m->n_draw_outputs = n_draw_outputs;
    m->n_matches = n_draw_outputs < m->n_outputs ? m->n_outputs : 1;
    m->words = (gb_word_effects){.n_outputs = m->n_outputs,
                                 .n_words = m->n_outputs == 0 ? 0 : (size_t)gb_model_n_word_columns(m),
                                 .shrinks = shrinks,
                                 .is_view = m->store != NULL};
    m->parameters =
        gb_parameters_make(&(gb_parameter_sizes){.n_outputs = n_draw_outputs,
                                                 .n_topics = m->n_topics,
                                                 .n_columns = gb_model_n_drawn_columns(m),
                                                 .n_own = m->n_own,
                                                 .n_losses = m->n_responses,
                                                 .n_sampled = gb_sample_size(m->n_training_docs, n_draw_outputs),
                                                 .n_blocks = gb_layout_n_compared(&layout),
                                                 .intercept = m->intercept,
                                                 .shrinks = shrinks,
                                                 .has_words = m->words.n_words > 0,
                                                 .samples_beta = m->samples_beta,
                                                 .has_wordings = m->wording.shape != NULL},
                           &m->prior);
}

size_t gb_model_count_alone(const gb_model *m)
{
    enum { MOST = 1000 };
    const bool has = m->n_outputs > 0 && m->n_draw_outputs == m->n_outputs && gb_model_n_embedding_columns(m) == 0 &&
                     gb_model_n_drawn_columns(m) <= MOST;
    return has ? gb_model_n_drawn_columns(m) : 0;
}

static const uint64_t MOST_SWEEPS = UINT32_MAX;

/* For sweeps that no chain does, as many as no array has. */
uint64_t gb_model_n_trace_rows(const gb_model *m)
{
    uint64_t n = 0;
    for (size_t i = 0; i < m->n_traces; i++) {
        if (m->trace_sweeps[i] > MOST_SWEEPS)
            return UINT64_MAX;
        n += gb_trace_length(m->trace_sweeps[i]);
    }
    return n;
}

/* ---- estimates ---- */

gb_model gb_model_outline(const gb_corpus *corpus, const gb_spec *spec)
{
    gb_model m = {.n_topics = spec->n_topics,
                  .n_outputs = spec->n_outputs,
                  .n_responses = spec->n_responses,
                  .n_own = spec->n_own,
                  .n_words = corpus->n_words,
                  .intercept = spec->intercept,
                  .beta = spec->beta.value,
                  .samples_beta = spec->beta.is_sampled,
                  .prior = spec->prior,
                  .bags = spec->bags,
                  .wording = spec->wording,
                  .coding = spec->coding,
                  .n_columns = spec->coding == NULL ? 0 : gb_coding_n_columns(spec->coding),
                  .seed = spec->seed,
                  .n_training_docs = corpus->n_docs,
                  .n_digests = corpus->n_docs,
                  .n_training_tokens = corpus->n_tokens,
                  .vocabulary = corpus->vocabulary};
    gb_model_shape_draws(&m, spec->one_vs_rest ? 1 : spec->n_outputs,
                         spec->coefficient.ops != NULL && spec->coefficient.ops->shrinks);
    m.n_alone = gb_model_count_alone(&m);
    return m;
}

static gb_model with_draws(const gb_corpus *corpus, const gb_spec *spec, gb_draw_counts n)
{
    gb_model m = gb_model_outline(corpus, spec);
    m.n_kept = n.kept;
    m.n_draws = n.snapshots;
    m.n_entries = n.snapshots * n.entries;
    return m;
}

/* Names of columns and of groups are in the plan, in the model, and in the description, as JSON and as its text.  What each takes, and
 * each of its bytes, is what was counted with names of 8 and of 80 bytes; for columns 2 to 4 % more in all, since malloc() leaves gaps. */
static uint64_t name_bytes(const gb_spec *spec)
{
    enum { COLUMN = 180, COLUMN_BYTE = 4, GROUP = 270, GROUP_BYTE = 2 };
    const gb_groups *groups = gb_prior_groups(&spec->prior);
    const size_t n_columns =
        spec->coding == NULL ? 0 : gb_coding_n_columns(spec->coding) - gb_coding_words(spec->coding)->n;
    uint64_t n = 0;
    for (size_t j = 0; j < n_columns; j++)
        n += COLUMN + COLUMN_BYTE * strlen(gb_coding_column_name(spec->coding, j));
    for (uint32_t g = 0; groups != NULL && g < gb_groups_count(groups); g++)
        n += GROUP + GROUP_BYTE * gb_groups_name(groups, g).length;
    return n;
}

uint64_t gb_model_bytes(const gb_corpus *corpus, const gb_spec *spec, gb_draw_counts n)
{
    const gb_model m = with_draws(corpus, spec, n);
    const uint64_t listed = 3 * sizeof(uint64_t); /* what the file of draws notes of each */
    return gb_arrays_bytes(gb_model_list, &m) + name_bytes(spec) + n.kept * listed;
}

uint64_t gb_model_file_bytes(const gb_corpus *corpus, const gb_spec *spec, gb_draw_counts n)
{
    const gb_model m = with_draws(corpus, spec, n);
    return gb_arrays_state_bytes(gb_model_list, &m);
}

uint64_t gb_model_snapshot_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t n_entries)
{
    const gb_model m = gb_model_outline(corpus, spec);
    return gb_draw_file_record_bytes(&m, true, n_entries);
}

uint64_t gb_model_draws_bytes(const gb_corpus *corpus, const gb_spec *spec, gb_draw_counts n)
{
    const gb_model m = gb_model_outline(corpus, spec);
    return (n.kept - n.snapshots) * gb_draw_file_record_bytes(&m, false, 0) +
           n.snapshots * gb_draw_file_record_bytes(&m, true, n.entries);
}
