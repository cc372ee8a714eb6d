/* model/lead.c - which chain's topics have the numbers.
 *
 * The draws of a model stand chain after chain, those of a class after each other.  Of a class, the chain that leads comes first, the
 * others in the order of their numbers.  A model that was read looks at its file; what then no longer stands in the file's order is
 * copied. */
#include "model/lead.h"

#include "base/memory.h"
#include "model/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the order of chains";

/* Draws of a chain, one after the other. */
typedef struct place {
    uint64_t chain, first_output;
    size_t first, n, n_snapshots; /* kept sweeps first .. first + n - 1 */
    double log_joint;             /* mean */
    bool leads;
} place;

typedef struct places {
    size_t n;
    place *of; /* n_kept: those of a class together, in the order of their numbers */
} places;

static int by_number(const void *a, const void *b)
{
    const uint64_t x = ((const place *)a)->chain, y = ((const place *)b)->chain;
    return (x > y) - (x < y);
}

/* The end of the chains that have the same outputs as chain p. */
static size_t end_of_family(const places *all, size_t p)
{
    size_t end = p + 1;
    while (end < all->n && all->of[end].first_output == all->of[p].first_output)
        end++;
    return end;
}

static gb_status find_places(const gb_model *m, places *out, gb_error *err)
{
    size_t n = 0;
    const gb_status st = gb_alloc(&out->of, m->n_kept, sizeof *out->of, what, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < m->n_kept; i++) {
        const gb_kept *kept = &m->kept[i];
        if (i == 0 || kept->chain != m->kept[i - 1].chain)
            out->of[n++] = (place){.chain = kept->chain, .first_output = kept->first_output, .first = i};
        out->of[n - 1].n++;
    }
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < out->of[p].n; i++)
            out->of[p].log_joint +=
                *gb_model_kept_value(m, out->of[p].first + i, GB_LOG_JOINT) / (double)out->of[p].n;
    for (size_t s = 0, p = 0; s < m->n_draws; s++) {
        while (m->kept_at[s] >= out->of[p].first + out->of[p].n)
            p++;
        out->of[p].n_snapshots++;
    }
    out->n = n;
    for (size_t first = 0, end; first < n; first = end) {
        end = end_of_family(out, first);
        out->of[first].leads = true;
        qsort(out->of + first, end - first, sizeof *out->of, by_number);
    }
    return GB_OK;
}

/* Of the chains first .. end - 1; of equal ones the first. */
static size_t best_of(const places *all, size_t first, size_t end)
{
    size_t best = end;
    for (size_t p = first; p < end; p++)
        if (all->of[p].n_snapshots > 0 && !isnan(all->of[p].log_joint) &&
            (best == end || all->of[p].log_joint > all->of[best].log_joint))
            best = p;
    return best == end ? first : best;
}

/* ---- another order --------------------------------------------------------------------------------- */

/* Arrays in the new order. */
typedef struct reordered {
    gb_kept *kept;
    gb_draw *draw;
    uint64_t *kept_at, *snapshot_start;
    uint8_t *code; /* of words */
    float *unit;
    size_t n_kept, n_draws;
} reordered;

static void clear(reordered *r)
{
    gb_free(r->kept);
    gb_free(r->draw);
    gb_free(r->kept_at);
    gb_free(r->snapshot_start);
    gb_free(r->code);
    gb_free(r->unit);
}

static size_t n_codes(const gb_model *m)
{
    return m->word_code == NULL ? 0 : m->n_draw_outputs * m->words.n_words;
}

static gb_status make_room(const gb_model *m, reordered *r, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&r->kept, m->n_kept, sizeof *r->kept, what, err));
    GB_TRY(gb_alloc(&r->draw, m->n_draws, sizeof *r->draw, what, err));
    GB_TRY(gb_alloc(&r->kept_at, m->n_draws, sizeof *r->kept_at, what, err));
    GB_TRY(gb_alloc(&r->snapshot_start, m->n_draws + 1, sizeof *r->snapshot_start, what, err));
    if (n_codes(m) > 0) {
        GB_TRY(gb_alloc(&r->code, m->n_draws, n_codes(m) * sizeof *r->code, what, err));
        GB_TRY(gb_alloc(&r->unit, m->n_draws, m->n_draw_outputs * sizeof *r->unit, what, err));
    }
done:
    return st;
}

static void take_chain(const gb_model *m, const place *p, reordered *r)
{
    for (size_t s = 0; s < m->n_draws; s++) {
        if (m->kept_at[s] < p->first || m->kept_at[s] >= p->first + p->n)
            continue;
        const size_t at = r->n_draws++, n = n_codes(m);
        r->draw[at] = m->draw[s];
        r->kept_at[at] = m->kept_at[s] - p->first + r->n_kept;
        r->snapshot_start[at + 1] = r->snapshot_start[at] + m->snapshot_start[s + 1] - m->snapshot_start[s];
        if (n > 0) {
            memcpy(r->code + at * n, m->word_code + s * n, n * sizeof *r->code);
            memcpy(r->unit + at * m->n_draw_outputs, m->word_unit + s * m->n_draw_outputs,
                   m->n_draw_outputs * sizeof *r->unit);
        }
    }
    memcpy(r->kept + r->n_kept, m->kept + p->first, p->n * sizeof *r->kept);
    r->n_kept += p->n;
}

/* The chain that leads, then the others by their numbers. */
static void take_family(const gb_model *m, const places *all, size_t first, size_t end, size_t lead, reordered *r)
{
    take_chain(m, &all->of[lead], r);
    for (size_t p = first; p < end; p++)
        if (p != lead)
            take_chain(m, &all->of[p], r);
}

static void swap(void *a, void *b)
{
    void *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    memcpy(a, &y, sizeof y);
    memcpy(b, &x, sizeof x);
}

/* What `r` then holds is what the model had; of a model that was read that is in the file but for the first two. */
static void adopt(gb_model *m, reordered *r)
{
    const bool was_in_file = m->store != NULL && !m->is_reordered;
    swap(&m->kept, &r->kept);
    swap(&m->draw, &r->draw);
    swap(&m->kept_at, &r->kept_at);
    swap(&m->snapshot_start, &r->snapshot_start);
    if (n_codes(m) > 0) {
        swap(&m->word_code, &r->code);
        swap(&m->word_unit, &r->unit);
        gb_model_point_words(m);
    }
    if (was_in_file) {
        r->kept_at = r->snapshot_start = NULL;
        r->code = NULL;
        r->unit = NULL;
    }
    m->is_reordered = true;
    for (size_t i = 0; i < m->n_matches; i++) {
        gb_match_free(atomic_load(&m->match[i].match));
        atomic_store(&m->match[i].match, NULL);
    }
}

/* @param lead  of each family's first chain, the chain that is to lead */
static gb_status reorder(gb_model *m, const places *all, const size_t *lead, gb_error *err)
{
    bool changes = false;
    reordered r = {0};
    for (size_t first = 0; first < all->n; first = end_of_family(all, first))
        changes |= !all->of[lead[first]].leads;
    if (!changes)
        return GB_OK;
    const gb_status st = make_room(m, &r, err);
    if (st == GB_OK) {
        for (size_t first = 0, end; first < all->n; first = end) {
            end = end_of_family(all, first);
            take_family(m, all, first, end, lead[first], &r);
        }
        adopt(m, &r);
    }
    clear(&r);
    return st;
}

/* ---- which ----------------------------------------------------------------------------------------- */

/* As lead.h says. */
static size_t suitable_of(const gb_model *m, const places *all, size_t first, size_t end)
{
    const place *p = &all->of[first];
    return m->pooled != NULL && p->chain == 0 && p->n_snapshots > 0 ? first : best_of(all, first, end);
}

gb_status gb_model_choose_lead(gb_model *m, gb_error *err)
{
    gb_status st;
    places all = {0};
    size_t *lead = NULL;
    GB_TRY(find_places(m, &all, err));
    GB_TRY(gb_alloc(&lead, all.n, sizeof *lead, what, err));
    for (size_t first = 0; first < all.n; first = end_of_family(&all, first))
        lead[first] = suitable_of(m, &all, first, end_of_family(&all, first));
    GB_TRY(reorder(m, &all, lead, err));
done:
    gb_free(lead);
    gb_free(all.of);
    return st;
}

/* Names that topics have by their seed words are those of all chains; others, unions and cross-fitted effects are of the chain that leads. */
static gb_status check_nothing_is_of_lead(const gb_model *m, uint64_t chain, gb_error *err)
{
    const size_t n_seeded = json_array_size(m->seeds);
    const char *has = m->topic_unions != NULL ? "topics that count as one" : NULL;
    for (size_t k = n_seeded; k < json_array_size(m->topic_names); k++)
        if (json_string_length(json_array_get(m->topic_names, k)) > 0)
            has = "names of topics";
    if (m->cross_fitted != NULL)
        has = "cross-fitted effects";
    return has == NULL
               ? GB_OK
               : gb_fail(err, GB_EARGUMENT, "`chain` %" PRIu64 ": the model has %s, of the topics of chain %" PRIu64,
                         chain + 1, has, gb_model_topic_chain(m) + 1);
}

gb_status gb_model_choose_chain(gb_model *m, uint64_t chain, gb_error *err)
{
    gb_status st;
    places all = {0};
    size_t *lead = NULL;
    bool changes = false;
    GB_TRY(find_places(m, &all, err));
    GB_TRY(gb_alloc(&lead, all.n, sizeof *lead, what, err));
    for (size_t first = 0, end; first < all.n; first = end) {
        end = end_of_family(&all, first);
        lead[first] = chain < end - first ? first + (size_t)chain : end;
        if (lead[first] == end || all.of[lead[first]].n_snapshots == 0) {
            st = gb_fail(err, GB_EARGUMENT, "`chain` %" PRIu64 ": the model has draws with topics of %zu chain%s",
                         chain + 1, end - first, end - first == 1 ? "" : "s");
            goto done;
        }
        changes |= !all.of[lead[first]].leads;
    }
    if (changes)
        GB_TRY(check_nothing_is_of_lead(m, chain, err));
    GB_TRY(reorder(m, &all, lead, err));
done:
    gb_free(lead);
    gb_free(all.of);
    return st;
}

uint64_t gb_model_topic_chain(const gb_model *m)
{
    uint64_t n_before = 0, last = UINT64_MAX;
    for (size_t i = 0; i < m->n_kept && m->kept[i].first_output == m->kept[0].first_output; i++) {
        n_before += m->kept[i].chain < m->kept[0].chain && m->kept[i].chain != last;
        last = m->kept[i].chain;
    }
    return n_before;
}

uint64_t gb_model_n_chains_of_topics(const gb_model *m)
{
    uint64_t n = 0;
    for (size_t i = 0; i < m->n_kept && m->kept[i].first_output == m->kept[0].first_output; i++)
        n += i == 0 || m->kept[i].chain != m->kept[i - 1].chain;
    return n;
}

gb_status gb_model_best_leads(const gb_model *m, bool *out, gb_error *err)
{
    places all = {0};
    const gb_status st = find_places(m, &all, err);
    if (st == GB_OK)
        *out = all.of[best_of(&all, 0, end_of_family(&all, 0))].leads;
    gb_free(all.of);
    return st;
}
