/* model/draw_file.c - the kept sweeps of a run.
 *
 * The content of a record, all little-endian, 8 bytes each unless said otherwise:
 *
 *   chain, index (which kept sweep of its chain), sweep, first output, entries of the counts + 1 (0: no snapshot)
 *   row of parameters (model/parameters.h)
 *   snapshots: word_start (rows of counts + 1: gb_model_n_rows())
 *     with coefficients of words (outputs x words, 4 bytes each): how many draws are in the means, and how many in those of expected
 *     values (8 bytes each); the draw's coefficients, their means so far, squares, means of expected values, and of shrinkage
 *     count (4 bytes each), topic (2 bytes each)
 *
 * A run that is resumed from a checkpoint draws again what was kept after it.  So a record with an index that its chain has
 * already replaces that one and all later ones of the chain. */
#include "model/draw_file.h"

#include "base/memory.h"
#include "gibbous/effects.h"
#include "model/lead.h"
#include "store/record_log.h"

#include <jansson.h>
#include <string.h>

/* Bytes that are read before pages are given back: the file may be much larger than memory. */
static const size_t MOST_PAGES = (size_t)16 << 20, PAGES_AT_A_TIME = (size_t)64 << 10;

typedef struct record {
    uint64_t offset, checksum, sweep; /* offset: of its content */
    bool has_topics;
} record;

typedef struct chain_records {
    record *record;
    size_t n, capacity;
} chain_records;

/* What decides the shapes. */
typedef struct shapes {
    gb_parameters parameters;
    uint64_t n_rows, n_coefficients; /* of counts and of words, in a snapshot */
    bool shrinks;
} shapes;

struct gb_draw_file {
    gb_record_log *log;
    gb_draw_plan plan;
    shapes shapes;
    size_t n_read;
    size_t n_outputs, n_draw_outputs;
    chain_records *chain; /* plan.n_chains */
    bool is_trusted;      /* every record was written by this process */
};

static const char what[] = "a file of draws";

/* ---- a record, described once ---- */

static shapes shapes_of(const gb_model *m)
{
    return (shapes){.parameters = m->parameters,
                    .n_rows = gb_model_n_rows(m),
                    .n_coefficients = m->n_draw_outputs * m->words.n_words,
                    .shrinks = m->words.shrinks};
}

/* Where what stands after the head is, in memory or in a record. */
typedef struct content {
    const shapes *shapes;
    gb_draw draw;
    bool has_topics;
    uint64_t n_entries;
    const uint64_t *n_in_means; /* draws, and those whose expected coefficients were taken */
} content;

static void list_content(void *component, const gb_array_visitor *v)
{
    content *c = component;
    gb_draw *d = &c->draw;
    const shapes *s = c->shapes;
    const uint64_t n = c->has_topics ? s->n_coefficients : 0, n_entries = c->has_topics ? c->n_entries : 0;
    for (size_t j = 0; j < s->parameters.n; j++)
        GB_STATE_ARRAY(v, s->parameters.of[j].name, d->value[j], GB_REPLICATED, GB_ANY_VALUE,
                       s->parameters.of[j].size);
    GB_STATE_ARRAY(v, "word_start", d->word_start, GB_REPLICATED, GB_ANY_VALUE, c->has_topics ? s->n_rows + 1 : 0);
    GB_STATE_ARRAY(v, "in_means", c->n_in_means, GB_REPLICATED, GB_ANY_VALUE, n > 0 ? 2 : 0);
    GB_STATE_ARRAY(v, "word", d->word, GB_REPLICATED, GB_FINITE, n);
    GB_STATE_ARRAY(v, "word_mean", d->words.mean, GB_REPLICATED, GB_FINITE, n);
    GB_STATE_ARRAY(v, "word_square", d->words.square, GB_REPLICATED, GB_FINITE, n);
    GB_STATE_ARRAY(v, "word_expected", d->words.expected, GB_REPLICATED, GB_FINITE, n);
    GB_STATE_ARRAY(v, "word_shrinkage", d->words.shrinkage, GB_REPLICATED, GB_FINITE, s->shrinks ? n : 0);
    GB_STATE_ARRAY(v, "count", d->count, GB_REPLICATED, GB_ANY_VALUE, n_entries);
    GB_STATE_ARRAY(v, "topic", d->topic, GB_REPLICATED, GB_ANY_VALUE, n_entries);
}

static uint64_t record_bytes(const shapes *s, bool has_topics, uint64_t n_entries)
{
    const content c = {.shapes = s, .has_topics = has_topics, .n_entries = n_entries};
    return GB_RECORD_HEAD * sizeof(uint64_t) + gb_arrays_state_bytes(list_content, &c);
}

uint64_t gb_draw_file_record_bytes(const gb_model *m, bool has_topics, uint64_t n_entries)
{
    const shapes s = shapes_of(m);
    return record_bytes(&s, has_topics, n_entries);
}

/* ---- what is kept ---- */

bool gb_draw_plan_is_snapshot(const gb_draw_plan *plan, uint64_t i)
{
    const uint64_t n = plan->n_snapshots; /* products are below 10^18 */
    return n >= plan->n_kept || (i + 1) * n / plan->n_kept > i * n / plan->n_kept;
}

bool gb_draw_file_wants_topics(const gb_draw_file *f, size_t chain)
{
    return gb_draw_plan_is_snapshot(&f->plan, f->chain[chain].n);
}

uint64_t gb_draw_file_count(const gb_draw_file *f, size_t chain)
{
    return f->chain[chain].n;
}

bool gb_draw_file_has_topics(const gb_draw_file *f, size_t chain)
{
    const chain_records *c = &f->chain[chain];
    bool has = false;
    for (size_t i = 0; i < c->n && !has; i++)
        has = c->record[i].has_topics;
    return has;
}

void gb_draw_file_forget_sweep(gb_draw_file *f, size_t chain, uint64_t sweep)
{
    chain_records *c = &f->chain[chain];
    if (c->n > 0 && c->record[c->n - 1].sweep == sweep)
        c->n--;
}

/* ---- header: what a reader needs ---- */

static json_t *describe_parameter(const gb_parameter *p)
{
    return p->n_rows == 0 ? json_pack("{s:s, s:[I]}", "name", p->name, "shape", (json_int_t)p->n_columns)
                          : json_pack("{s:s, s:[I, I]}", "name", p->name, "shape", (json_int_t)p->n_rows,
                                      (json_int_t)p->n_columns);
}

static json_t *describe(const gb_model *m, const gb_draw_plan *plan)
{
    json_t *parameters = json_array();
    bool failed = parameters == NULL;
    for (size_t i = 0; i < m->parameters.n && !failed; i++)
        if (m->parameters.of[i].size > 0)
            failed = json_array_append_new(parameters, describe_parameter(&m->parameters.of[i])) != 0;
    if (failed) {
        json_decref(parameters);
        return NULL;
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o}", "gibbous", "draws 1", "chains",
                     (json_int_t)plan->n_chains, "topics", (json_int_t)m->n_topics, "words", (json_int_t)m->n_words,
                     "outputs", (json_int_t)m->n_outputs, "columns", (json_int_t)gb_model_n_drawn_columns(m),
                     "word_columns", (json_int_t)gb_model_n_word_columns(m), "embedding_columns",
                     (json_int_t)gb_model_n_embedding_columns(m), "intercept", m->intercept, "parameters",
                     parameters);
}

/* ---- opening ---- */

static gb_status make_file(gb_draw_file **out, const gb_model *m, const gb_draw_plan *plan, gb_error *err)
{
    gb_status st;
    gb_draw_file *f = NULL;
    GB_TRY(gb_alloc(&f, 1, sizeof *f, what, err));
    f->plan = *plan;
    f->shapes = shapes_of(m);
    f->n_outputs = m->n_outputs;
    f->n_draw_outputs = m->n_draw_outputs;
    GB_TRY(gb_alloc(&f->chain, plan->n_chains, sizeof *f->chain, what, err));
    *out = f;
    f = NULL;
done:
    gb_draw_file_close(f);
    return st;
}

gb_status gb_draw_file_create(gb_draw_file **out, const char *path, bool force, const gb_model *m,
                              const gb_draw_plan *plan, gb_error *err)
{
    gb_status st;
    gb_draw_file *f = NULL;
    json_t *header = describe(m, plan);
    GB_TRY(header == NULL ? gb_fail_memory(err, 0, what) : GB_OK);
    GB_TRY(make_file(&f, m, plan, err));
    GB_TRY(gb_record_log_create(&f->log, path, force, header, err));
    f->is_trusted = true;
    *out = f;
    f = NULL;
done:
    json_decref(header);
    gb_draw_file_close(f);
    return st;
}

/* The checksum is right; now whether the record suits this model. */
static bool fits(const gb_draw_file *f, const uint64_t *head, size_t length)
{
    if (length < GB_RECORD_HEAD * sizeof *head || head[GB_RECORD_CHAIN] >= f->plan.n_chains ||
        head[GB_RECORD_INDEX] > f->chain[head[GB_RECORD_CHAIN]].n || head[GB_RECORD_FIRST_OUTPUT] > f->n_outputs ||
        f->n_draw_outputs > f->n_outputs - head[GB_RECORD_FIRST_OUTPUT])
        return false;
    const uint64_t n_entries = head[GB_RECORD_ENTRIES] == 0 ? 0 : head[GB_RECORD_ENTRIES] - 1;
    return n_entries <= length && length == record_bytes(&f->shapes, head[GB_RECORD_ENTRIES] > 0, n_entries);
}

static gb_status note_record(gb_draw_file *f, const uint64_t *head, gb_record_place at, gb_error *err)
{
    chain_records *c = &f->chain[head[GB_RECORD_CHAIN]];
    gb_status st = gb_grow(&c->record, &c->capacity, head[GB_RECORD_INDEX] + 1, sizeof *c->record, what, err);
    if (st != GB_OK)
        return st;
    c->record[head[GB_RECORD_INDEX]] = (record){.offset = at.offset,
                                                .checksum = at.checksum,
                                                .sweep = head[GB_RECORD_SWEEP],
                                                .has_topics = head[GB_RECORD_ENTRIES] > 0};
    c->n = head[GB_RECORD_INDEX] + 1;
    return GB_OK;
}

/* List the whole records; *end is where the next one would be. */
static gb_status list_records(gb_draw_file *f, uint64_t *end, gb_error *err)
{
    gb_status st;
    const char *map;
    size_t length;
    uint64_t next = gb_record_log_first(f->log);
    GB_TRY(gb_record_log_map(f->log, &map, err));
    for (*end = next;; *end = next) {
        const uint64_t *head = gb_record_log_next(f->log, &next, &length);
        if (head == NULL || !fits(f, head, length))
            break;
        GB_TRY(note_record(f, head, (gb_record_place){*end, gb_record_log_checksum(f->log, *end)}, err));
        gb_draw_file_have_read(f, length);
    }
    gb_record_log_forget_pages(f->log);
done:
    return st;
}

/* Keep `count` of each chain. */
static gb_status go_back(gb_draw_file *f, const uint64_t *count, gb_error *err)
{
    for (size_t c = 0; c < f->plan.n_chains; c++) {
        if (f->chain[c].n < count[c])
            return gb_fail(err, GB_EFORMAT, "%s: damaged: %zu kept sweeps of chain %zu, expected %llu",
                           gb_record_log_path(f->log), f->chain[c].n, c + 1, (unsigned long long)count[c]);
        f->chain[c].n = count[c];
    }
    return GB_OK;
}

/* Where the records end that are still wanted. */
static uint64_t find_end(const gb_draw_file *f, uint64_t end)
{
    uint64_t last = 0;
    size_t length;
    for (size_t c = 0; c < f->plan.n_chains; c++)
        for (size_t i = 0; i < f->chain[c].n; i++)
            last = f->chain[c].record[i].offset > last ? f->chain[c].record[i].offset : last;
    if (last == 0)
        return gb_record_log_first(f->log);
    return gb_record_log_next(f->log, &last, &length) == NULL ? end : last;
}

gb_status gb_draw_file_open(gb_draw_file **out, const char *path, const gb_model *m, const gb_draw_plan *plan,
                            const uint64_t *count, gb_error *err)
{
    gb_status st;
    gb_draw_file *f = NULL;
    uint64_t end;
    json_t *header = describe(m, plan);
    GB_TRY(header == NULL ? gb_fail_memory(err, 0, what) : GB_OK);
    GB_TRY(make_file(&f, m, plan, err));
    GB_TRY(gb_record_log_open(&f->log, path, header, err));
    GB_TRY(list_records(f, &end, err));
    if (count != NULL)
        GB_TRY(go_back(f, count, err));
    GB_TRY(gb_record_log_truncate(f->log, find_end(f, end), err));
    *out = f;
    f = NULL;
done:
    json_decref(header);
    gb_draw_file_close(f);
    return st;
}

/* ---- writing ---- */

typedef struct parts {
    size_t n;
    gb_record_part part[1 + GB_MAX_PARAMETERS + 9];
} parts;

static void add_part(void *context, const gb_array *array)
{
    parts *p = context;
    p->part[p->n++] = (gb_record_part){gb_array_first(array), gb_array_count(array) * array->size};
}

gb_status gb_draw_file_append(gb_draw_file *f, const gb_draw *d, gb_error *err)
{
    const uint64_t n_in_means[] = {d->words.n_draws, d->words.n_expected};
    content c = {.shapes = &f->shapes, .draw = *d, .has_topics = d->word_start != NULL, .n_in_means = n_in_means};
    c.n_entries = c.has_topics ? d->word_start[f->shapes.n_rows] : 0;
    for (size_t i = 0; i < d->prior.n_tables; i++)
        c.draw.value[GB_PRIOR + i] = d->prior.table[i].value;
    const uint64_t head[GB_RECORD_HEAD] = {[GB_RECORD_CHAIN] = d->chain,
                                           [GB_RECORD_INDEX] = f->chain[d->chain].n,
                                           [GB_RECORD_SWEEP] = d->sweep,
                                           [GB_RECORD_FIRST_OUTPUT] = d->first_output,
                                           [GB_RECORD_ENTRIES] = c.has_topics ? c.n_entries + 1 : 0};
    gb_record_place place;
    parts p = {.n = 1, .part = {{head, sizeof head}}};
    list_content(&c, &(gb_array_visitor){add_part, &p});
    const gb_status st = gb_record_log_append(f->log, p.n, p.part, &place, err);
    return st == GB_OK ? note_record(f, head, place, err) : st;
}

gb_status gb_draw_file_keep(gb_draw_file *f, gb_error *err)
{
    return gb_record_log_keep(f->log, err);
}

uint64_t gb_draw_file_checksum(const gb_draw_file *f, size_t chain, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum = XXH3_64bits_withSeed(&f->chain[chain].record[i].checksum, sizeof(uint64_t), sum);
    return sum;
}

gb_status gb_draw_file_sync(gb_draw_file *f, gb_error *err)
{
    return gb_record_log_sync(f->log, err);
}

/* ---- draws of other files ---- */

gb_kept_so_far gb_draw_file_so_far(const gb_draw_file *f, size_t chain)
{
    const chain_records *c = &f->chain[chain];
    return (gb_kept_so_far){.n = c->n,
                            .last_sweep = c->n == 0 ? 0 : c->record[c->n - 1].sweep,
                            .has_topics = gb_draw_file_has_topics(f, chain)};
}

/* No content begins at 0.  Which of these sweeps has the topics does not matter. */
gb_status gb_draw_file_begin_after(gb_draw_file *f, size_t chain, const gb_kept_so_far *kept, gb_error *err)
{
    chain_records *c = &f->chain[chain];
    if (kept->n == 0)
        return GB_OK;
    const gb_status st = gb_grow(&c->record, &c->capacity, kept->n, sizeof *c->record, what, err);
    if (st != GB_OK)
        return st;
    for (uint64_t i = 0; i < kept->n; i++)
        c->record[i] = (record){.offset = 0};
    c->n = kept->n;
    c->record[0].has_topics = kept->has_topics != 0;
    c->record[c->n - 1].sweep = kept->last_sweep;
    return GB_OK;
}

gb_status gb_draw_file_look(gb_draw_file *f, gb_error *err)
{
    const char *map;
    return gb_record_log_map(f->log, &map, err);
}

const void *gb_draw_file_record(const gb_draw_file *f, size_t chain, uint64_t i, size_t *n_bytes)
{
    uint64_t offset = f->chain[chain].record[i].offset;
    return offset == 0 ? NULL : gb_record_log_next(f->log, &offset, n_bytes);
}

gb_status gb_draw_file_append_record(gb_draw_file *f, const void *bytes, size_t n_bytes, gb_error *err)
{
    gb_record_place place;
    const uint64_t *head = bytes;
    if (!fits(f, head, n_bytes))
        return gb_fail(err, GB_EFORMAT, "%s: a draw that this model cannot have", gb_record_log_path(f->log));
    const gb_record_part part = {bytes, n_bytes};
    const gb_status st = gb_record_log_append(f->log, 1, &part, &place, err);
    return st == GB_OK ? note_record(f, head, place, err) : st;
}

gb_status gb_draw_file_let_go(gb_draw_file *f, gb_error *err)
{
    for (size_t c = 0; c < f->plan.n_chains; c++)
        for (size_t i = 0; i < f->chain[c].n; i++)
            f->chain[c].record[i].offset = 0;
    return gb_record_log_truncate(f->log, gb_record_log_first(f->log), err);
}

/* ---- the draws of a model ---- */

/* A run that was extended, or stopped early, may lack snapshots that its plan has; then all that there are serve. */
static bool has_all_snapshots(const gb_draw_plan *plan, const chain_records *c)
{
    bool all = c->n == plan->n_kept;
    for (size_t i = 0; i < c->n && all; i++)
        all = c->record[i].has_topics || !gb_draw_plan_is_snapshot(plan, i);
    return all;
}

/* Leave to snapshots only their parameters that are not wanted as such; count the others. */
static void choose_snapshots(gb_draw_file *f, size_t *n_kept, size_t *n_snapshots)
{
    *n_kept = *n_snapshots = 0;
    for (size_t chain = 0; chain < f->plan.n_chains; chain++) {
        chain_records *c = &f->chain[chain];
        const bool all_there = has_all_snapshots(&f->plan, c);
        *n_kept += c->n;
        for (size_t i = 0; i < c->n; i++) {
            c->record[i].has_topics &= !all_there || gb_draw_plan_is_snapshot(&f->plan, i);
            *n_snapshots += c->record[i].has_topics;
        }
    }
}

/* A walk over the content of a record. */
typedef struct walk {
    const char *at;
    bool is_sound;
} walk;

static void point(void *context, const gb_array *array)
{
    walk *w = context;
    const uint64_t n = gb_array_count(array);
    const void *place = n == 0 ? NULL : w->at;
    memcpy(array->at, &place, sizeof place);
    w->is_sound = w->is_sound && gb_array_fault(array, place) == NULL;
    w->at += n * array->size;
}

/* False if numbers are out of range. */
static bool look_into(const gb_draw_file *f, const uint64_t *head, bool at_topics, content *c)
{
    walk w = {.at = (const char *)(head + GB_RECORD_HEAD), .is_sound = true};
    *c = (content){.shapes = &f->shapes, .has_topics = at_topics};
    c->n_entries = c->has_topics ? head[GB_RECORD_ENTRIES] - 1 : 0;
    list_content(c, &(gb_array_visitor){point, &w});
    if (c->n_in_means != NULL) {
        c->draw.words.n_draws = c->n_in_means[0];
        c->draw.words.n_expected = c->n_in_means[1];
        w.is_sound = w.is_sound && c->n_in_means[0] > 0;
    }
    return w.is_sound;
}

/* False if the topics cannot be topics of this model. */
static bool take_snapshot(gb_model *m, const content *c, size_t i, size_t kept_at)
{
    if (!gb_model_set_snapshot(m, i, kept_at, c->draw.word_start, c->n_entries, c->draw.topic, c->draw.count))
        return false;
    m->draw[i].word = c->draw.word;
    m->draw[i].words = c->draw.words;
    return true;
}

/* @param n_snapshots  grows by one if the sweep is one of them */
static gb_status take_sweep(gb_model *m, gb_draw_file *f, const uint64_t *head, bool is_snapshot, size_t at,
                            size_t *n_snapshots, gb_error *err)
{
    content c;
    gb_status st = look_into(f, head, is_snapshot, &c) ? GB_OK : GB_EFORMAT;
    m->kept[at] = (gb_kept){.chain = head[GB_RECORD_CHAIN],
                            .sweep = head[GB_RECORD_SWEEP],
                            .first_output = head[GB_RECORD_FIRST_OUTPUT],
                            .row = (const double *)(const void *)(head + GB_RECORD_HEAD)};
    if (st == GB_OK && !f->is_trusted)
        st = gb_model_check_kept(m, c.draw.value, err);
    if (st == GB_OK && is_snapshot && !take_snapshot(m, &c, (*n_snapshots)++, at))
        st = GB_EFORMAT;
    gb_draw_file_have_read(f, record_bytes(&f->shapes, is_snapshot, c.n_entries));
    return st != GB_EFORMAT ? st
                            : gb_fail(err, GB_EFORMAT, "%s: damaged: a draw that this model cannot have",
                                      gb_record_log_path(f->log));
}

static gb_status take_all(gb_model *m, gb_draw_file *f, const char *map, gb_error *err)
{
    size_t n_kept = 0, n_snapshots = 0;
    gb_status st = GB_OK;
    for (size_t chain = 0; chain < f->plan.n_chains; chain++)
        for (size_t i = 0; i < f->chain[chain].n && st == GB_OK; i++, n_kept++) {
            const record *r = &f->chain[chain].record[i];
            st = take_sweep(m, f, (const uint64_t *)(const void *)(map + r->offset), r->has_topics, n_kept,
                            &n_snapshots, err);
        }
    gb_record_log_forget_pages(f->log);
    return st;
}

/* The last snapshot of a chain has the sums of all its draws. */
static void add_up_words(gb_model *m)
{
    const size_t n_rows = m->n_draw_outputs, n_words = m->words.n_words;
    for (size_t i = 0; i < m->n_draws; i++)
        if (i + 1 == m->n_draws || m->draw[i + 1].chain != m->draw[i].chain)
            gb_word_effects_add(&m->words, m->draw[i].first_output, n_rows, &m->draw[i].words);
    gb_word_effects_finish(&m->words);
    for (size_t i = 0; i < m->n_draws; i++)
        gb_word_effects_encode(&m->words, m->draw[i].first_output, n_rows, m->draw[i].word,
                               m->word_code + i * n_rows * n_words, m->word_unit + i * n_rows);
    gb_model_point_words(m);
}

gb_status gb_model_take_draws(gb_model *m, gb_draw_file *f, gb_error *err)
{
    gb_status st;
    size_t n_kept, n_snapshots;
    const char *map;
    GB_TRY(gb_record_log_map(f->log, &map, err));
    choose_snapshots(f, &n_kept, &n_snapshots);
    GB_TRY(gb_model_reserve_draws(m, n_kept, n_snapshots, err));
    GB_TRY(take_all(m, f, map, err));
    GB_TRY(gb_model_choose_lead(m, err));
    if (f->shapes.n_coefficients > 0)
        add_up_words(m);
    if (!gb_model_is_covered(m))
        return gb_fail(err, GB_EARGUMENT, "there are no draws with topics yet");
    m->draw_file = f;
done:
    return st;
}

/* ---- end ---- */

void gb_draw_file_have_read(gb_draw_file *f, size_t n_bytes)
{
    f->n_read += n_bytes + PAGES_AT_A_TIME;
    if (f->n_read < MOST_PAGES)
        return;
    gb_record_log_forget_pages(f->log);
    f->n_read = 0;
}

void gb_draw_file_close(gb_draw_file *f)
{
    if (f == NULL)
        return;
    gb_record_log_close(f->log);
    for (size_t c = 0; f->chain != NULL && c < f->plan.n_chains; c++)
        gb_free(f->chain[c].record);
    gb_free(f->chain);
    gb_free(f);
}
