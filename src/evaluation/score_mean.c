/* evaluation/score_mean.c - means over parts, and their standard errors. */
#include "evaluation/score_mean.h"

#include "base/memory.h"

#include <math.h>

typedef struct parts {
    size_t n;
    const gb_score_table *const *part;
} parts;

/* Of the parts that have the score: a mean and its standard error; a count is added up. */
static gb_score over_parts(const parts *p, uint64_t section, const gb_score *of)
{
    gb_score all = {.name = of->name, .standard_error = NAN, .is_count = of->is_count, .is_error = of->is_error};
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const gb_score *score = gb_score_table_find(p->part[i], section, of->name);
        sum += score == NULL ? 0 : score->value;
        n += score == NULL ? 0 : 1;
    }
    all.value = all.is_count ? sum : sum / n;
    for (size_t i = 0; i < p->n; i++) {
        const gb_score *score = gb_score_table_find(p->part[i], section, of->name);
        squares += score == NULL ? 0 : (score->value - all.value) * (score->value - all.value);
    }
    if (!all.is_count && n > 1)
        all.standard_error = sqrt(squares / (n - 1) / n);
    return all;
}

static gb_status average_section(const parts *p, uint64_t section, gb_score_table *table, gb_error *err)
{
    gb_status st = gb_score_table_add_section(table, gb_score_table_section(p->part[0], section), err);
    for (size_t i = 0; i < p->n && st == GB_OK; i++) {
        const gb_score_table *part = p->part[i];
        for (uint64_t j = 0; j < gb_score_table_n_scores(part, section) && st == GB_OK; j++) {
            const gb_score *score = gb_score_table_at(part, section, j);
            if (!(score->is_error && p->n > 1) && gb_score_table_find(table, section, score->name) == NULL)
                st = gb_score_table_add(table, over_parts(p, section, score), err);
        }
    }
    return st;
}

gb_status gb_score_table_add_means(size_t n_parts, const gb_score_table *const *part, uint64_t first,
                                   gb_score_table *table, gb_error *err)
{
    gb_status st = GB_OK;
    const parts p = {n_parts, part};
    for (uint64_t s = first; s < gb_score_table_n_sections(part[0]) && st == GB_OK; s++)
        st = average_section(&p, s, table, err);
    return st;
}
