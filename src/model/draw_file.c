/* model/draw_file.c - the kept sweeps of a run.
 *
 * The content of a record, all little-endian, 8 bytes each unless said otherwise:
 *
 *   chain, index (which kept sweep of its chain), sweep, first output, entries of the counts + 1 (0: no snapshot)
 *   row of parameters (model/parameters.h)
 *   snapshots: word_start (words + 1)
 *     with coefficients of words (outputs x words, 4 bytes each): how many draws are in the means, and how many in those of expected
 *     values (8 bytes each); the draw's coefficients, their means so far, squares, means of expected values, and of shrinkage
 *     count (4 bytes each), topic (2 bytes each)
 *
 * A run that is resumed from a checkpoint draws again what was kept after it.  So a record with an index that its chain has
 * already replaces that one and all later ones of the chain. */
#include "model/draw_file.h"

#include "base/memory.h"
#include "gibbous/effects.h"
#include "store/record_log.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { CHAIN, INDEX, SWEEP, FIRST_OUTPUT, ENTRIES, N_HEAD };

/* Pages that are read at a time when the whole file is walked. */
static const uint64_t MOST_PAGES = (uint64_t)16 << 20;

typedef struct record {
    uint64_t offset, checksum, sweep; /* offset: of its content */
    bool has_topics;
} record;

typedef struct chain_records {
    record *record;
    size_t n, capacity;
} chain_records;

struct gb_draw_file {
    gb_record_log *log;
    gb_draw_plan plan;
    gb_parameters parameters;
    uint64_t n_words, n_coefficients; /* of words, in a snapshot */
    size_t n_outputs, n_draw_outputs;
    chain_records *chain; /* plan.n_chains */
    bool is_trusted;      /* every record was written by this process */
};

static const char what[] = "a file of draws";

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
    f->parameters = m->parameters;
    f->n_words = m->n_words;
    f->n_coefficients = m->n_draw_outputs * gb_model_n_word_columns(m);
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

static uint64_t fixed_bytes(const gb_draw_file *f)
{
    return (N_HEAD + f->parameters.n_numbers) * sizeof(uint64_t);
}

static bool shrinks(const gb_draw_file *f)
{
    return f->parameters.of[GB_SHRINKAGE].size > 0;
}

/* Two counts, the coefficients and three or four sums. */
enum { WORD_COUNTS = 2 };

static uint64_t snapshot_bytes(const gb_draw_file *f, uint64_t n_entries)
{
    const uint64_t counts = f->n_coefficients == 0 ? 0 : WORD_COUNTS * sizeof(uint64_t) / sizeof(float);
    return gb_model_snapshot_bytes(f->n_words, counts + f->n_coefficients * (shrinks(f) ? 5 : 4), n_entries);
}

/* The checksum is right; now whether the record suits this model. */
static bool fits(const gb_draw_file *f, const uint64_t *head, size_t length)
{
    if (length < fixed_bytes(f) || head[CHAIN] >= f->plan.n_chains || head[INDEX] > f->chain[head[CHAIN]].n ||
        head[FIRST_OUTPUT] > f->n_outputs || f->n_draw_outputs > f->n_outputs - head[FIRST_OUTPUT])
        return false;
    if (head[ENTRIES] == 0)
        return length == fixed_bytes(f);
    return head[ENTRIES] - 1 <= length && length == fixed_bytes(f) + snapshot_bytes(f, head[ENTRIES] - 1);
}

static gb_status note_record(gb_draw_file *f, const uint64_t *head, gb_record_place at, gb_error *err)
{
    chain_records *c = &f->chain[head[CHAIN]];
    gb_status st = gb_grow(&c->record, &c->capacity, head[INDEX] + 1, sizeof *c->record, what, err);
    if (st != GB_OK)
        return st;
    c->record[head[INDEX]] =
        (record){.offset = at.offset, .checksum = at.checksum, .sweep = head[SWEEP], .has_topics = head[ENTRIES] > 0};
    c->n = head[INDEX] + 1;
    return GB_OK;
}

/* List the whole records; *end is where the next one would be. */
static gb_status list_records(gb_draw_file *f, uint64_t *end, gb_error *err)
{
    gb_status st;
    const char *map;
    size_t length;
    uint64_t next = gb_record_log_first(f->log), forgotten = next;
    GB_TRY(gb_record_log_map(f->log, &map, err));
    for (*end = next;; *end = next) {
        const uint64_t *head = gb_record_log_next(f->log, &next, &length);
        if (head == NULL || !fits(f, head, length))
            break;
        GB_TRY(note_record(f, head, (gb_record_place){*end, gb_record_log_checksum(f->log, *end)}, err));
        if (next - forgotten > MOST_PAGES) {
            gb_record_log_forget_pages(f->log);
            forgotten = next;
        }
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

/* The row as parts, in the order of the parameters. */
static size_t list_row(const gb_draw_file *f, const gb_draw *d, gb_record_part *part)
{
    const double *value[GB_MAX_PARAMETERS] = {[GB_LOG_JOINT] = &d->log_joint,
                                              [GB_ETA] = d->eta,
                                              [GB_OWN] = d->own,
                                              [GB_SHRINKAGE] = d->shrinkage,
                                              [GB_SCORE] = d->score,
                                              [GB_SHARE] = d->share,
                                              [GB_LOSS] = d->loss,
                                              [GB_SAMPLE_SCORE] = d->sample_score,
                                              [GB_BLOCK_SHARE] = d->block_share,
                                              [GB_WORD_AVERAGE] = d->word_average};
    for (size_t i = 0; i < d->prior.n_tables; i++)
        value[GB_PRIOR + i] = d->prior.table[i].value;
    for (size_t i = 0; i < f->parameters.n; i++)
        part[i] = (gb_record_part){value[i], f->parameters.of[i].size * sizeof(double)};
    return f->parameters.n;
}

/* Parts of a snapshot that are of words with coefficients. */
static size_t list_words(const gb_draw_file *f, const gb_draw *d, const uint64_t *count, gb_record_part *part)
{
    const float *const number[] = {d->word, d->words.mean, d->words.square, d->words.expected, d->words.shrinkage};
    const size_t n = shrinks(f) ? 5 : 4;
    if (f->n_coefficients == 0)
        return 0;
    part[0] = (gb_record_part){count, WORD_COUNTS * sizeof *count};
    for (size_t i = 0; i < n; i++)
        part[1 + i] = (gb_record_part){number[i], f->n_coefficients * sizeof *number[i]};
    return 1 + n;
}

gb_status gb_draw_file_append(gb_draw_file *f, const gb_draw *d, gb_error *err)
{
    gb_record_part part[1 + GB_MAX_PARAMETERS + 9];
    const uint64_t word_count[WORD_COUNTS] = {d->words.n_draws, d->words.n_expected};
    gb_record_place place;
    uint64_t n_entries = d->word_start == NULL ? 0 : d->word_start[f->n_words];
    const uint64_t head[N_HEAD] = {[CHAIN] = d->chain,
                                   [INDEX] = f->chain[d->chain].n,
                                   [SWEEP] = d->sweep,
                                   [FIRST_OUTPUT] = d->first_output,
                                   [ENTRIES] = d->word_start == NULL ? 0 : n_entries + 1};
    part[0] = (gb_record_part){head, sizeof head};
    size_t n = 1 + list_row(f, d, part + 1);
    if (d->word_start != NULL) {
        part[n++] = (gb_record_part){d->word_start, (f->n_words + 1) * sizeof *d->word_start};
        n += list_words(f, d, word_count, part + n);
        part[n++] = (gb_record_part){d->count, n_entries * sizeof *d->count};
        part[n++] = (gb_record_part){d->topic, n_entries * sizeof *d->topic};
    }
    gb_status st = gb_record_log_append(f->log, n, part, &place, err);
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

/* What a snapshot has of words with coefficients. */
static gb_draw words_of(const gb_draw_file *f, const uint64_t *count)
{
    const float *number = (const float *)(const void *)(count + WORD_COUNTS);
    const uint64_t n = f->n_coefficients;
    if (n == 0)
        return (gb_draw){.word = NULL};
    return (gb_draw){.word = number,
                     .words = {.n_draws = count[0],
                               .n_expected = count[1],
                               .mean = number + n,
                               .square = number + 2 * n,
                               .expected = number + 3 * n,
                               .shrinkage = shrinks(f) ? number + 4 * n : NULL}};
}

/* Coefficients, means, squares, expected values, shares of shrinkage. */
static bool words_are_finite(const gb_draw_file *f, const float *number)
{
    bool all = true;
    for (uint64_t i = 0; i < f->n_coefficients * (shrinks(f) ? 5 : 4) && all; i++)
        all = isfinite(number[i]);
    return all;
}

/* False if the topics cannot be topics of this model. */
static bool take_snapshot(gb_model *m, const gb_draw_file *f, size_t i, size_t kept_at, const uint64_t *head)
{
    const uint64_t n_entries = head[ENTRIES] - 1, *start = head + N_HEAD + f->parameters.n_numbers;
    const gb_draw words = words_of(f, start + m->n_words + 1);
    const uint64_t of_words = snapshot_bytes(f, 0) - gb_model_snapshot_bytes(f->n_words, 0, 0);
    const uint32_t *count = (const uint32_t *)(const void *)((const char *)(start + m->n_words + 1) + of_words);
    const uint16_t *topic = (const uint16_t *)(const void *)(count + n_entries);
    if (!gb_model_set_snapshot(m, i, kept_at, start, n_entries, topic, count))
        return false;
    m->draw[i].word = words.word;
    m->draw[i].words = words.words;
    return words.word == NULL || (words.words.n_draws > 0 && words_are_finite(f, words.word));
}

static gb_status check_parameters(const gb_model *m, const double *row, gb_error *err)
{
    const double *value[GB_MAX_PARAMETERS];
    for (size_t j = 0; j < m->parameters.n; j++)
        value[j] = row + m->parameters.of[j].offset;
    return gb_model_check_kept(m, value, err);
}

static gb_status take_all(gb_model *m, const gb_draw_file *f, const char *map, gb_error *err)
{
    size_t n_kept = 0, n_snapshots = 0;
    uint64_t walked = 0;
    gb_status st = GB_OK;
    for (size_t chain = 0; chain < f->plan.n_chains; chain++)
        for (size_t i = 0; i < f->chain[chain].n && st == GB_OK; i++, n_kept++) {
            const record *r = &f->chain[chain].record[i];
            const uint64_t *head = (const uint64_t *)(const void *)(map + r->offset);
            const double *row = (const double *)(const void *)(head + N_HEAD);
            m->kept[n_kept] =
                (gb_kept){.chain = chain, .sweep = head[SWEEP], .first_output = head[FIRST_OUTPUT], .row = row};
            st = f->is_trusted ? GB_OK : check_parameters(m, row, err);
            if (st == GB_OK && r->has_topics && !take_snapshot(m, f, n_snapshots++, n_kept, head))
                st = GB_EFORMAT;
            walked += fixed_bytes(f);
            walked += r->has_topics ? snapshot_bytes(f, head[ENTRIES] - 1) : 0;
            if (walked > MOST_PAGES) {
                gb_draw_file_forget_pages(f);
                walked = 0;
            }
        }
    gb_draw_file_forget_pages(f);
    return st != GB_EFORMAT ? st
                            : gb_fail(err, GB_EFORMAT, "%s: damaged: a draw that this model cannot have",
                                      gb_record_log_path(f->log));
}

/* The last snapshot of a chain has the sums of all its draws. */
static gb_status add_up_words(gb_model *m, bool has_shrinkage, gb_error *err)
{
    gb_status st;
    const size_t n_rows = m->n_draw_outputs, n_words = (size_t)gb_model_n_word_columns(m);
    GB_TRY(gb_word_effects_create(m->n_outputs, n_words, has_shrinkage, &m->words, err));
    GB_TRY(gb_word_draws_create(m->n_draws, n_rows, n_words, &m->word_draws, err));
    for (size_t i = 0; i < m->n_draws; i++)
        if (i + 1 == m->n_draws || m->draw[i + 1].chain != m->draw[i].chain)
            gb_word_effects_add(&m->words, m->draw[i].first_output, n_rows, &m->draw[i].words);
    gb_word_effects_finish(&m->words);
    for (size_t i = 0; i < m->n_draws; i++)
        gb_word_effects_encode(&m->words, m->draw[i].first_output, n_rows, m->draw[i].word,
                               m->word_draws.own_code + i * n_rows * n_words, m->word_draws.own_unit + i * n_rows);
    gb_model_point_words(m);
done:
    return st;
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
    if (f->n_coefficients > 0)
        GB_TRY(add_up_words(m, shrinks(f), err));
    if (!gb_model_is_covered(m))
        return gb_fail(err, GB_EARGUMENT, "there are no draws with topics yet");
    m->draw_file = f;
done:
    return st;
}

/* ---- end ---- */

void gb_draw_file_forget_pages(const gb_draw_file *f)
{
    gb_record_log_forget_pages(f->log);
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
