/* evaluation/pool.c - predictions of several models, each of other documents, scored together. */
#include "evaluation/pool.h"

#include "base/memory.h"
#include "evaluation/evaluation_private.h"
#include "plan/target.h"
#include "random/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the documents that were scored";

/* A record and what it is drawn with. */
typedef struct member {
    const double *value;
    size_t n;
    uint64_t unit;
} member;

typedef struct members {
    size_t n, room;
    member *member;
} members;

typedef struct pooling {
    gb_evaluation *all;
    members *of;      /* truths, then the likelihood */
    uint64_t *weight; /* of each unit */
} pooling;

static gb_status add_members(members *m, const gb_records *kept, const uint64_t *unit, gb_error *err)
{
    gb_status st = gb_grow(&m->member, &m->room, m->n + kept->n, sizeof *m->member, what, err);
    for (size_t i = 0; st == GB_OK && i < kept->n; i++)
        if (unit[kept->row[i]] != GB_NO_UNIT)
            m->member[m->n++] =
                (member){kept->value + kept->start[i], gb_records_length(kept, i), unit[kept->row[i]]};
    return st;
}

static int by_score(const void *a, const void *b)
{
    const double x = gb_class_record_score(((const member *)a)->value),
                 y = gb_class_record_score(((const member *)b)->value);
    return isnan(x) || isnan(y) ? (int)isnan(y) - (int)isnan(x) : (x > y) - (x < y);
}

static gb_status start_all(const gb_evaluation *like, gb_evaluation **out, gb_error *err)
{
    gb_status st;
    gb_evaluation *e = NULL;
    GB_TRY(gb_alloc(&e, 1, sizeof *e, what, err));
    *out = e; /* freed with the rest */
    GB_TRY(gb_alloc(&e->truth, like->n_truths, sizeof *e->truth, what, err));
    e->has_likelihood = like->has_likelihood;
    e->method = like->method;
    for (size_t i = 0; i < like->n_truths; i++) {
        const gb_truth *t = &like->truth[i];
        e->n_truths = i + 1;
        GB_TRY(gb_truth_start_blank(&e->truth[i], t->field, t->task, t->unknown_label, t->n_classes, t->class_name,
                                    err));
    }
done:
    return st;
}

/* Take the documents of a part.  The baseline of a part is in the records, so that of all of them is by them. */
static gb_status take_part(pooling *p, const gb_evaluation *part, const uint64_t *unit, gb_error *err)
{
    gb_status st = GB_OK;
    gb_evaluation *all = p->all;
    for (size_t i = 0; i < all->n_truths; i++) {
        all->truth[i].n_unlabelled += part->truth[i].n_unlabelled;
        all->truth[i].n_unknown += part->truth[i].n_unknown;
        GB_TRY(add_members(&p->of[i], &part->truth[i].kept, unit, err));
        if (all->truth[i].scores != NULL)
            gb_scores_set_baseline(all->truth[i].scores, 0);
    }
    all->n_docs += part->n_docs;
    all->n_unknown += part->n_unknown;
    all->n_seen += part->n_seen;
    GB_TRY(add_members(&p->of[all->n_truths], &part->kept, unit, err));
done:
    return st;
}

static gb_status score(pooling *p, bool is_sample, gb_error *err)
{
    gb_status st = GB_OK;
    gb_evaluation *all = p->all;
    for (size_t i = 0; i < all->n_truths; i++) {
        gb_truth *t = &all->truth[i];
        if (t->scores != NULL)
            gb_scores_reset(t->scores, is_sample);
        t->numbers = (gb_number_scores){.n = 0};
        for (size_t j = 0; j < p->of[i].n; j++) {
            const member *m = &p->of[i].member[j];
            if (p->weight[m->unit] > 0)
                GB_TRY(gb_truth_add_record(t, m->n, m->value, p->weight[m->unit], err));
        }
    }
    all->likelihood = (gb_held_out_scores){.n = 0};
    for (size_t j = 0; j < p->of[all->n_truths].n; j++) {
        const member *m = &p->of[all->n_truths].member[j];
        gb_held_out_scores_add(&all->likelihood, (uint64_t)m->value[0], m->value[1], m->value[2], p->weight[m->unit]);
    }
    st = gb_evaluation_list_scores(all, err);
done:
    return st;
}

/* As many units as there are, each of them any. */
static void draw_units(pooling *p, uint64_t n_units, gb_key key, uint64_t sample)
{
    gb_random r = gb_random_open(key, 0, GB_DRAW_UNITS, sample);
    memset(p->weight, 0, n_units * sizeof *p->weight);
    for (uint64_t i = 0; i < n_units; i++)
        p->weight[gb_random_below(&r, n_units)]++;
}

static gb_status draw_samples(pooling *p, uint64_t n_units, uint64_t seed, gb_pooled *out, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_key key = gb_key_make(seed, 0);
    for (size_t b = 0; b < GB_N_SAMPLES && n_units > 1; b++) {
        draw_units(p, n_units, key, b);
        GB_TRY(score(p, true, err));
        out->sample[b] = p->all->scores;
        p->all->scores = NULL;
    }
done:
    return st;
}

/* ---- errors ---------------------------------------------------------------------------------------- */

static double value_in(const gb_score_table *table, uint64_t section, const char *name)
{
    const gb_score *score = table == NULL ? NULL : gb_score_table_find(table, section, name);
    return score == NULL ? (double)NAN : score->value;
}

/* The standard deviation over samples that have the score; of a difference, if there is another. */
static double spread(const gb_pooled *a, const gb_pooled *b, uint64_t section, const char *name)
{
    double n = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < GB_N_SAMPLES; i++) {
        const double x = value_in(a->sample[i], section, name) -
                         (b == NULL ? 0 : value_in(b->sample[i], section, name)),
                     from_mean = x - mean;
        if (!isfinite(x))
            continue;
        mean += from_mean / ++n;
        squares += from_mean * (x - mean);
    }
    return n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
}

double gb_pooled_difference_error(const gb_pooled *a, const gb_pooled *b, uint64_t section, const char *score)
{
    return spread(a, b, section, score);
}

static gb_status list_scores(gb_pooled *out, size_t n_parts, gb_error *err)
{
    gb_status st;
    const gb_score_table *from = gb_evaluation_scores(out->all);
    GB_TRY(gb_score_table_create(&out->scores, err));
    for (uint64_t s = 0; s < gb_score_table_n_sections(from); s++) {
        GB_TRY(gb_score_table_add_section(out->scores, gb_score_table_section(from, s), err));
        for (uint64_t i = 0; i < gb_score_table_n_scores(from, s); i++) {
            gb_score score = *gb_score_table_at(from, s, i);
            if (score.is_error && n_parts > 1)
                continue;
            score.standard_error = score.is_count || score.is_error ? (double)NAN : spread(out, NULL, s, score.name);
            GB_TRY(gb_score_table_add(out->scores, score, err));
        }
    }
done:
    return st;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

gb_status gb_pool_evaluations(size_t n_parts, gb_evaluation *const *part, uint64_t *const *unit, uint64_t n_units,
                              uint64_t seed, gb_pooled *out, gb_error *err)
{
    gb_status st;
    pooling p = {.of = NULL};
    const size_t n = part[0]->n_truths + 1;
    GB_TRY(start_all(part[0], &out->all, err));
    p.all = out->all;
    GB_TRY(gb_alloc(&p.of, n, sizeof *p.of, what, err));
    GB_TRY(gb_alloc(&p.weight, n_units, sizeof *p.weight, what, err));
    for (size_t i = 0; i < n_parts; i++)
        GB_TRY(take_part(&p, part[i], unit[i], err));
    for (size_t i = 0; i + 1 < n; i++)
        if (p.all->truth[i].task == GB_TASK_BINARY)
            qsort(p.of[i].member, p.of[i].n, sizeof(member), by_score);
    GB_TRY(draw_samples(&p, n_units, seed, out, err));
    for (uint64_t u = 0; u < n_units; u++)
        p.weight[u] = 1;
    GB_TRY(score(&p, false, err));
    GB_TRY(list_scores(out, n_parts, err));
done:
    for (size_t i = 0; p.of != NULL && i < n; i++)
        gb_free(p.of[i].member);
    gb_free(p.of);
    gb_free(p.weight);
    return st;
}

void gb_pooled_clear(gb_pooled *p)
{
    gb_evaluation_free(p->all);
    gb_score_table_free(p->scores);
    for (size_t i = 0; i < GB_N_SAMPLES; i++)
        gb_score_table_free(p->sample[i]);
    *p = (gb_pooled){.all = NULL};
}

bool gb_evaluations_are_alike(const gb_evaluation *a, const gb_evaluation *b)
{
    bool are = a->n_truths == b->n_truths && a->has_likelihood == b->has_likelihood;
    for (size_t i = 0; are && i < a->n_truths; i++)
        are = strcmp(a->truth[i].field, b->truth[i].field) == 0 && a->truth[i].task == b->truth[i].task &&
              a->truth[i].n_classes == b->truth[i].n_classes;
    return are;
}
