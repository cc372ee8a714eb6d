/* answer/counterparts.c - which topic of one model is which topic of another. */
#include "answer/counterparts.h"

#include "math/assignment.h"

#include <math.h>
#include <string.h>

static const char what[] = "the topics of two models";

void gb_counterparts_clear(gb_counterparts *c)
{
    gb_free(c->earlier);
    gb_free(c->agreement);
    gb_free(c->later);
    *c = (gb_counterparts){0};
}

/* ---- words of both --------------------------------------------------------------------------------- */

typedef struct spelled {
    const char *text;
    uint64_t number;
} spelled;

static int by_spelling(const void *a, const void *b)
{
    return strcmp(((const spelled *)a)->text, ((const spelled *)b)->text);
}

/* For each word of a model its number in the other, or UINT64_MAX. */
static gb_status find_words(const gb_model *model, const gb_model *other, uint64_t *out, gb_error *err)
{
    const uint64_t n = gb_model_n_words(model), n_other = gb_model_n_words(other);
    spelled *sorted = NULL;
    const gb_status st = gb_alloc(&sorted, n_other, sizeof *sorted, what, err);
    if (st != GB_OK)
        return st;
    for (uint64_t w = 0; w < n_other; w++)
        sorted[w] = (spelled){gb_model_word(other, w), w};
    qsort(sorted, n_other, sizeof *sorted, by_spelling);
    for (uint64_t w = 0; w < n; w++) {
        const spelled key = {gb_model_word(model, w), w};
        const spelled *found = bsearch(&key, sorted, n_other, sizeof *sorted, by_spelling);
        out[w] = found == NULL ? UINT64_MAX : found->number;
    }
    gb_free(sorted);
    return GB_OK;
}

/* ---- roots of probabilities ------------------------------------------------------------------------ */

/* Of the topics that are listed, one after another, in the words of `place` (NULL: their own), n_words of them. */
typedef struct roots {
    uint64_t n, n_words, *topic;
    float *root; /* n x n_words */
} roots;

static void clear_roots(roots *r)
{
    gb_free(r->topic);
    gb_free(r->root);
}

static gb_status find_roots(const gb_topic_labels *l, const uint64_t *place, uint64_t n_words, roots *out,
                            gb_error *err)
{
    gb_status st;
    *out = (roots){.n_words = n_words};
    GB_TRY(gb_alloc(&out->topic, l->n_topics, sizeof *out->topic, what, err));
    for (uint64_t k = 0; k < l->n_topics; k++)
        if (gb_topic_is_listed(l, k))
            out->topic[out->n++] = k;
    GB_TRY(gb_alloc(&out->root, out->n * n_words, sizeof *out->root, what, err));
    for (uint64_t i = 0; i < out->n; i++)
        for (uint64_t j = 0; j < l->n_words; j++) {
            const uint64_t at = out->topic[i] * l->n_words + j,
                           word = place == NULL ? l->word[at] : place[l->word[at]];
            if (word != UINT64_MAX)
                out->root[i * n_words + word] = (float)sqrt(l->probability[at]);
        }
done:
    return st;
}

static double affinity(const roots *a, uint64_t i, const roots *b, uint64_t j)
{
    double sum = 0;
    const float *x = a->root + i * a->n_words, *y = b->root + j * b->n_words;
    for (uint64_t w = 0; w < a->n_words; w++)
        sum += (double)x[w] * (double)y[w];
    return fmin(sum, 1);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Half of the median distance between different topics; of a single topic the largest that there can be. */
static gb_status find_limit(const roots *r, double *limit, gb_error *err)
{
    double *distance = NULL;
    size_t n = 0;
    const gb_status st = gb_alloc(&distance, r->n * (r->n - 1) / 2 + 1, sizeof *distance, what, err);
    if (st != GB_OK)
        return st;
    for (uint64_t i = 1; i < r->n; i++)
        for (uint64_t j = 0; j < i; j++)
            distance[n++] = sqrt(1 - affinity(r, i, r, j));
    qsort(distance, n, sizeof *distance, ascending);
    *limit = n == 0 ? 1 : distance[n / 2] / 2;
    gb_free(distance);
    return GB_OK;
}

/* ---- pairs ----------------------------------------------------------------------------------------- */

/* Rows are topics, columns earlier ones; where there are more of one, the other has places of no cost. */
static gb_status pair(const roots *topics, const roots *earlier, gb_counterparts *out, gb_error *err)
{
    gb_status st;
    double *cost = NULL, limit;
    size_t *column = NULL;
    const size_t n = topics->n > earlier->n ? topics->n : earlier->n;
    GB_TRY(find_limit(earlier, &limit, err));
    GB_TRY(gb_alloc(&cost, n * n, sizeof *cost, what, err));
    GB_TRY(gb_alloc(&column, n, sizeof *column, what, err));
    for (uint64_t i = 0; i < topics->n; i++)
        for (uint64_t j = 0; j < earlier->n; j++)
            cost[i * n + j] = -affinity(topics, i, earlier, j);
    GB_TRY(gb_assign(n, cost, column, err));
    for (uint64_t i = 0; i < topics->n; i++) {
        const size_t j = column[i];
        if (j >= earlier->n || sqrt(1 + cost[i * n + j]) >= limit)
            continue;
        out->earlier[topics->topic[i]] = earlier->topic[j];
        out->agreement[topics->topic[i]] = -cost[i * n + j];
        out->later[earlier->topic[j]] = topics->topic[i];
    }
done:
    gb_free(cost);
    gb_free(column);
    return st;
}

gb_status gb_counterparts_find(const gb_topic_labels *labels, const gb_topic_labels *earlier, gb_counterparts *out,
                               gb_error *err)
{
    gb_status st;
    uint64_t *place = NULL;
    roots a = {0}, b = {0};
    const uint64_t n_words = earlier->n_words;
    *out = (gb_counterparts){.n_topics = labels->n_topics, .n_earlier = earlier->n_topics};
    GB_TRY(gb_alloc(&out->earlier, out->n_topics, sizeof *out->earlier, what, err));
    GB_TRY(gb_alloc(&out->agreement, out->n_topics, sizeof *out->agreement, what, err));
    GB_TRY(gb_alloc(&out->later, out->n_earlier, sizeof *out->later, what, err));
    GB_TRY(gb_alloc(&place, gb_model_n_words(labels->model), sizeof *place, what, err));
    for (uint64_t k = 0; k < out->n_topics; k++) {
        out->earlier[k] = GB_NO_COUNTERPART;
        out->agreement[k] = NAN;
    }
    for (uint64_t k = 0; k < out->n_earlier; k++)
        out->later[k] = GB_NO_COUNTERPART;
    GB_TRY(find_words(labels->model, earlier->model, place, err));
    GB_TRY(find_roots(labels, place, n_words, &a, err));
    GB_TRY(find_roots(earlier, NULL, n_words, &b, err));
    GB_TRY(pair(&a, &b, out, err));
done:
    gb_free(place);
    clear_roots(&a);
    clear_roots(&b);
    return st;
}
