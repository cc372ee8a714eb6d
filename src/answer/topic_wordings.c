/* answer/topic_wordings.c - draws of the words of a topic in each group, from the snapshots of the first chain. */
#include "answer/topic_wordings.h"

#include "base/memory.h"
#include "model/effects.h"
#include "wording/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words that are looked at, draws of a snapshot, numbers that all of them may be. */
enum { MOST_WORDS = 300, DRAWS_OF_SNAPSHOT = 25, MOST_NUMBERS = 1000000 };
/* A word that a group does not use at all has a probability of which nothing is known but that it is small. */
static const double LEAST_PHI = 1e-8;

typedef struct frequency {
    double n;
    uint64_t word;
} frequency;

static int more_frequent(const void *a, const void *b)
{
    const frequency *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : (x->word > y->word) - (x->word < y->word);
}

static size_t n_snapshots(const gb_model *m)
{
    size_t n = 0;
    while (n < m->n_draws && m->draw[n].chain == m->draw[0].chain)
        n++;
    return n;
}

static gb_status find_words(gb_topic_wordings *t, size_t topic, gb_error *err)
{
    gb_status st;
    const gb_model *m = t->model;
    frequency *of = NULL;
    GB_TRY(gb_alloc(&of, m->n_words, sizeof *of, "words by group", err));
    for (uint64_t w = 0; w < m->n_words; w++) {
        of[w].word = w;
        for (size_t i = 0; i < n_snapshots(m); i++)
            for (uint64_t at = m->draw[i].word_start[w]; at < m->draw[i].word_start[w + 1]; at++)
                of[w].n += m->draw[i].topic[at] == topic ? m->draw[i].count[at] : 0;
    }
    qsort(of, m->n_words, sizeof *of, more_frequent);
    t->n_words = m->n_words < MOST_WORDS ? m->n_words : MOST_WORDS;
    GB_TRY(gb_alloc(&t->word, t->n_words, sizeof *t->word, "words by group", err));
    for (size_t i = 0; i < t->n_words; i++)
        t->word[i] = of[i].word;
done:
    gb_free(of);
    return st;
}

/* Draws of a snapshot. */
static gb_status draw_words(gb_topic_wordings *t, size_t snapshot, size_t topic, size_t n, double *phi, gb_error *err)
{
    gb_status st;
    const gb_model *m = t->model;
    gb_wording_draw draw = gb_model_wording_draw(m, &m->draw[snapshot]);
    gb_wording_sample sample = {0};
    gb_random random = gb_random_open(gb_key_make(m->seed, m->draw[snapshot].chain),
                                      (uint32_t)m->draw[snapshot].sweep, GB_DRAW_WORDING_ANSWER, topic);
    GB_TRY(gb_wording_draw_open(&draw, err));
    GB_TRY(gb_wording_sample_open(&sample, &draw, topic, t->n_words, t->word, err));
    for (size_t i = 0; i < n; i++) {
        gb_wording_sample_next(&sample, &random);
        for (uint32_t g = 0; g < t->n_groups; g++, phi += t->n_words) {
            const double *value = sample.value + gb_wording_node_of(&m->wording, g) * (t->n_words + 1);
            for (size_t w = 0; w < t->n_words; w++)
                phi[w] = fmax(value[w], LEAST_PHI);
        }
    }
done:
    gb_wording_sample_close(&sample);
    gb_wording_draw_close(&draw);
    return st;
}

gb_status gb_topic_wordings_make(gb_topic_wordings *out, const gb_model *model, size_t topic, gb_error *err)
{
    gb_status st;
    const size_t n_of = n_snapshots(model);
    gb_topic_wordings t = {.model = model, .n_groups = model->wording.n_groups};
    GB_TRY(find_words(&t, topic, err));
    const size_t width = t.n_groups * t.n_words, most = MOST_NUMBERS / (width * n_of) + 1,
                 n = most < DRAWS_OF_SNAPSHOT ? most : DRAWS_OF_SNAPSHOT;
    t.n_draws = n_of * n;
    GB_TRY(gb_alloc(&t.phi, t.n_draws * width, sizeof *t.phi, "words by group", err));
    GB_TRY(gb_alloc(&t.mean, width, sizeof *t.mean, "words by group", err));
    GB_TRY(gb_alloc(&t.room, t.n_draws, sizeof *t.room, "words by group", err));
    for (size_t i = 0; i < n_of; i++)
        GB_TRY(draw_words(&t, i, topic, n, t.phi + i * n * width, err));
    for (size_t s = 0; s < t.n_draws; s++)
        for (size_t i = 0; i < width; i++)
            t.mean[i] += t.phi[s * width + i] / (double)t.n_draws;
done:
    *out = t;
    return st;
}

void gb_topic_wordings_clear(gb_topic_wordings *t)
{
    gb_free(t->word);
    gb_free(t->phi);
    gb_free(t->mean);
    gb_free(t->room);
    *t = (gb_topic_wordings){0};
}

gb_effect gb_topic_wordings_log_ratio(gb_topic_wordings *t, size_t word, uint32_t group, size_t n_other,
                                      const uint32_t *other)
{
    for (size_t s = 0; s < t->n_draws; s++) {
        const double *phi = t->phi + s * t->n_groups * t->n_words + word;
        double sum = 0, n = 0;
        for (uint32_t g = 0; other == NULL && g < t->n_groups; g++)
            if (g != group) {
                sum += log(phi[g * t->n_words]);
                n++;
            }
        for (size_t i = 0; i < n_other; i++, n++)
            sum += log(phi[other[i] * t->n_words]);
        t->room[s] = log(phi[group * t->n_words]) - sum / n;
    }
    return gb_effect_of(t->room, t->n_draws);
}
