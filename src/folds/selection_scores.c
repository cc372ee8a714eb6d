/* folds/selection_scores.c - tables of scores from the fits of a candidate. */
#include "folds/selection.h"

#include "base/memory.h"
#include "evaluation/score_mean.h"
#include "evaluation/topic_agreement.h"
#include "folds/pool_parts.h"

#include <math.h>
#include <string.h>

/* ---- stability ------------------------------------------------------------------------------------- */

/* Words of all fits under one numbering: fits have vocabularies of their own. */
static gb_status number_words(json_t *numbers, const json_t *topics, gb_top_words *out, uint32_t **word,
                              gb_error *err)
{
    const size_t n_topics = json_array_size(topics), n_top = json_array_size(json_array_get(topics, 0));
    gb_status st = gb_alloc(word, n_topics * n_top, sizeof **word, "the top words", err);
    for (size_t i = 0; st == GB_OK && i < n_topics * n_top; i++) {
        const char *name = json_string_value(json_array_get(json_array_get(topics, i / n_top), i % n_top));
        json_t *number = name == NULL ? NULL : json_object_get(numbers, name);
        (*word)[i] = number == NULL ? (uint32_t)json_object_size(numbers) : (uint32_t)json_integer_value(number);
        if (name == NULL)
            st = gb_fail(err, GB_EFORMAT, "a fit in the file of `results` has no list of top words for each topic");
        else if (number == NULL && json_object_set_new(numbers, name, json_integer((*word)[i])) != 0)
            st = gb_fail_memory(err, 0, "the top words");
    }
    *out = (gb_top_words){n_topics, n_top, *word};
    return st;
}

/* @param out  receives the mean agreement of each fit with the others; NaN where there are none to compare */
static gb_status find_stability(size_t n, json_t *const *fit, double *out, gb_error *err)
{
    gb_status st;
    gb_top_words *words = NULL;
    uint32_t **list = NULL;
    json_t *numbers = json_object();
    GB_TRY(gb_alloc(&words, n, sizeof *words, "the top words", err));
    GB_TRY(gb_alloc(&list, n, sizeof *list, "the top words", err));
    for (size_t i = 0; i < n; i++)
        GB_TRY(number_words(numbers, json_object_get(fit[i], "topics"), &words[i], &list[i], err));
    for (size_t i = 0; i < n; i++)
        out[i] = n > 1 ? 0 : (double)NAN;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double agreement = NAN; /* a small vocabulary may have fewer top words */
            if (words[i].n_topics == words[j].n_topics && words[i].n_top == words[j].n_top)
                GB_TRY(gb_topic_agreement(&words[i], &words[j], &agreement, err));
            out[i] += agreement / (double)(n - 1);
            out[j] += agreement / (double)(n - 1);
        }
done:
    for (size_t i = 0; list != NULL && i < n; i++)
        gb_free(list[i]);
    gb_free(list);
    gb_free(words);
    json_decref(numbers);
    return st;
}

/* ---- tables ---------------------------------------------------------------------------------------- */

static gb_status add(gb_score_table *table, const char *name, double value, bool is_count, gb_error *err)
{
    return gb_score_table_add(
        table, (gb_score){.name = name, .value = value, .standard_error = NAN, .is_count = is_count}, err);
}

/* Names stay those of the JSON object. */
static gb_status add_section(gb_score_table *table, json_t *section, gb_error *err)
{
    const char *name, *title = json_string_value(json_object_get(section, "section"));
    json_t *value;
    gb_status st = gb_score_table_add_section(table, title == NULL ? "" : title, err);
    json_object_foreach(section, name, value)
    {
        if (st == GB_OK && json_is_number(value))
            st = add(table, name, json_number_value(value), json_is_integer(value), err);
    }
    return st;
}

/* @param stability  goes with the topics, whose section is the last in the fit */
static gb_status make_table(json_t *fit, double stability, gb_score_table **out, gb_error *err)
{
    gb_status st;
    gb_score_table *table = NULL;
    const json_t *sections = json_object_get(fit, "scores");
    GB_TRY(gb_score_table_create(&table, err));
    for (size_t i = 0; i < json_array_size(sections); i++)
        GB_TRY(add_section(table, json_array_get(sections, i), err));
    GB_TRY(add(table, "stability", stability, false, err));
    GB_TRY(gb_score_table_add_section(table, "fit", err));
    GB_TRY(add(table, "seconds", json_number_value(json_object_get(fit, "seconds")), false, err));
    *out = table;
    table = NULL;
done:
    gb_score_table_free(table);
    return st;
}

static gb_status pool(const gb_selection *s, gb_candidate *c, gb_error *err)
{
    gb_status st;
    gb_evaluation **part = NULL;
    const gb_held_parts *parts = s->divisor == 1 || s->stage_parts.n == 0 ? &s->parts : &s->stage_parts;
    GB_TRY(gb_alloc(&part, parts->n, sizeof *part, "the scores", err));
    for (size_t i = 0; i < parts->n; i++)
        GB_TRY(gb_evaluation_from_json(json_object_get(c->fit[i], "documents"), parts->part[i].n_held_out, &part[i],
                                       err));
    for (size_t i = 1; i < parts->n; i++)
        if (!gb_evaluations_are_alike(part[0], part[i])) {
            st = gb_fail(err, GB_EFORMAT, "fits in the file of `results` are of other documents");
            goto done;
        }
    st = gb_pool_parts(parts, s->corpus->n_docs, part, (uint64_t)gb_settings_int_or(s->settings, "seed", 0),
                       &c->pooled, err);
done:
    for (size_t i = 0; part != NULL && i < parts->n; i++)
        gb_evaluation_free(part[i]);
    gb_free(part);
    return st;
}

static gb_status copy_section(const gb_score_table *from, uint64_t section, gb_score_table *table, gb_error *err)
{
    gb_status st = gb_score_table_add_section(table, gb_score_table_section(from, section), err);
    for (uint64_t i = 0; st == GB_OK && i < gb_score_table_n_scores(from, section); i++)
        st = gb_score_table_add(table, *gb_score_table_at(from, section, i), err);
    return st;
}

gb_status gb_selection_list_scores(const gb_selection *s, gb_candidate *c, gb_error *err)
{
    gb_status st;
    double *stability = NULL;
    const size_t n = s->parts.n;
    gb_score_table_free(c->mean);
    c->mean = NULL;
    gb_pooled_clear(&c->pooled);
    GB_TRY(gb_alloc(&stability, n, sizeof *stability, "the scores", err));
    GB_TRY(find_stability(n, c->fit, stability, err));
    for (size_t i = 0; i < n; i++) {
        gb_score_table_free(c->part[i]);
        c->part[i] = NULL;
        GB_TRY(make_table(c->fit[i], stability[i], &c->part[i], err));
    }
    GB_TRY(pool(s, c, err));
    GB_TRY(gb_score_table_create(&c->mean, err));
    for (uint64_t i = 0; i < gb_score_table_n_sections(c->pooled.scores); i++)
        GB_TRY(copy_section(c->pooled.scores, i, c->mean, err));
    GB_TRY(gb_score_table_add_means(n, (const gb_score_table *const *)c->part,
                                    gb_score_table_n_sections(c->pooled.scores), c->mean, err));
done:
    gb_free(stability);
    return st;
}
