/* evaluation/score_table.c - scores by name, in sections. */
#include "evaluation/score_table.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct score_section {
    char *name;
    gb_score *score;
    size_t n, room;
} score_section;

struct gb_score_table {
    score_section *section;
    size_t n, room;
};

gb_status gb_score_table_create(gb_score_table **out, gb_error *err)
{
    return gb_alloc(out, 1, sizeof **out, "scores", err);
}

void gb_score_table_free(gb_score_table *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->n; i++) {
        gb_free(t->section[i].name);
        gb_free(t->section[i].score);
    }
    gb_free(t->section);
    gb_free(t);
}

gb_status gb_score_table_add_section(gb_score_table *t, const char *name, gb_error *err)
{
    gb_status st;
    score_section new = {.name = NULL};
    GB_TRY(gb_grow(&t->section, &t->room, t->n + 1, sizeof *t->section, "scores", err));
    GB_TRY(gb_copy_text(&new.name, name, strlen(name), err));
    t->section[t->n++] = new;
done:
    return st;
}

gb_status gb_score_table_add(gb_score_table *t, gb_score score, gb_error *err)
{
    score_section *s = &t->section[t->n - 1];
    if (isnan(score.value))
        return GB_OK;
    gb_status st = gb_grow(&s->score, &s->room, s->n + 1, sizeof *s->score, "scores", err);
    if (st == GB_OK)
        s->score[s->n++] = score;
    return st;
}

/* ---- looking --------------------------------------------------------------------------------------- */

uint64_t gb_score_table_n_sections(const gb_score_table *t)
{
    return t->n;
}

const char *gb_score_table_section(const gb_score_table *t, uint64_t section)
{
    return section < t->n ? t->section[section].name : NULL;
}

uint64_t gb_score_table_n_scores(const gb_score_table *t, uint64_t section)
{
    return section < t->n ? t->section[section].n : 0;
}

const gb_score *gb_score_table_at(const gb_score_table *t, uint64_t section, uint64_t index)
{
    return index < gb_score_table_n_scores(t, section) ? &t->section[section].score[index] : NULL;
}

const gb_score *gb_score_table_find(const gb_score_table *t, uint64_t section, const char *name)
{
    for (uint64_t i = 0; i < gb_score_table_n_scores(t, section); i++)
        if (strcmp(t->section[section].score[i].name, name) == 0)
            return &t->section[section].score[i];
    return NULL;
}
