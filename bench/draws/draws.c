/* bench/draws/draws.c - what many kept draws cost: memory of the process, seconds to save them, seconds of `effects`.
 *
 *   gibbous_bench_draws CORPUS CHAINS DRAWS TOPICS MODEL
 *
 * Draws for a model of the corpus are made up and appended as a training does; ten of each chain have topics, three in each
 * word.  Then the model is written to the file MODEL and read back, and every effect is computed. */
#include "base/memory.h"
#include "gibbous/gibbous.h"
#include "model/draw_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOPICS_OF_WORD = 3 };

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* MiB; 0 where the system does not tell. */
static double peak(void)
{
    static const char name[] = "VmHWM:";
    char line[256];
    double kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, name, sizeof name - 1) == 0)
            kib = strtod(line + sizeof name - 1, NULL);
    if (f != NULL)
        (void)fclose(f);
    return kib / 1024;
}

typedef struct world {
    gb_model *model;
    double *eta, *alpha, *score, *share, *loss, *sample_score;
    uint64_t *word_start;
    uint16_t *topic;
    uint32_t *count;
} world;

static gb_status describe(char **argument, world *w, gb_error *err)
{
    gb_status st;
    gb_settings *settings = NULL;
    gb_corpus *corpus = NULL;
    gb_spec spec = {0};
    GB_TRY(gb_settings_create(&settings, err));
    GB_TRY(gb_settings_set(settings, "topics", argument[4], err));
    GB_TRY(gb_settings_set(settings, "seed", "1", err));
    GB_TRY(gb_corpus_read(argument[1], settings, NULL, NULL, &corpus, err));
    GB_TRY(gb_spec_resolve(corpus, settings, &spec, err));
    GB_TRY(gb_model_create(&w->model, corpus, &spec, settings, err));
    w->model->n_training_tokens = UINT32_MAX; /* draws that are made up have more tokens than a small corpus */
done:
    gb_spec_clear(&spec);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return st;
}

static gb_status make_arrays(world *w, gb_error *err)
{
    gb_status st;
    const gb_model *m = w->model;
    const uint64_t n_entries = m->n_words * TOPICS_OF_WORD;
    GB_TRY(gb_alloc(&w->eta, m->n_outputs * gb_model_n_features(m), sizeof *w->eta, "draws", err));
    GB_TRY(gb_alloc(&w->alpha, m->n_topics, sizeof *w->alpha, "draws", err));
    GB_TRY(gb_alloc(&w->score, 2 * m->n_outputs, sizeof *w->score, "draws", err));
    GB_TRY(gb_alloc(&w->share, m->n_topics, sizeof *w->share, "draws", err));
    GB_TRY(gb_alloc(&w->loss, m->parameters.of[GB_LOSS].size, sizeof *w->loss, "draws", err));
    GB_TRY(gb_alloc(&w->sample_score, m->parameters.of[GB_SAMPLE_SCORE].size, sizeof *w->sample_score, "draws", err));
    GB_TRY(gb_alloc(&w->word_start, m->n_words + 1, sizeof *w->word_start, "draws", err));
    GB_TRY(gb_alloc(&w->topic, n_entries, sizeof *w->topic, "draws", err));
    GB_TRY(gb_alloc(&w->count, n_entries, sizeof *w->count, "draws", err));
    for (uint64_t i = 0; i < n_entries; i++) {
        w->topic[i] = (uint16_t)(i % TOPICS_OF_WORD);
        w->count[i] = 1;
    }
    for (uint64_t i = 0; i <= m->n_words; i++)
        w->word_start[i] = TOPICS_OF_WORD * i;
    for (size_t k = 0; k < m->n_topics; k++) {
        w->alpha[k] = 0.1;
        w->share[k] = 1 / (double)m->n_topics;
    }
done:
    return st;
}

static gb_status append(world *w, gb_draw_file *file, size_t chain, uint64_t sweep, gb_error *err)
{
    const gb_model *m = w->model;
    const size_t n = m->n_outputs * gb_model_n_features(m);
    const bool with_topics = gb_draw_file_wants_topics(file, chain);
    for (size_t i = 0; i < n; i++)
        w->eta[i] = (double)((sweep * 2654435761u + i * 40503u + chain) % 100003) / 100003 - 0.5;
    const double log_joint = -(double)sweep;
    const gb_draw draw = {
        .chain = chain,
        .sweep = sweep,
        .word_start = with_topics ? w->word_start : NULL,
        .topic = w->topic,
        .count = w->count,
        .prior = {.n_tables = 1, .table = {{.name = "alpha", .n_columns = m->n_topics, .value = w->alpha}}},
        .n_outputs = m->n_outputs,
        .log_joint = &log_joint,
        .eta = w->eta,
        .score = w->score,
        .share = w->share,
        .loss = w->loss,
        .sample_score = w->sample_score};
    return gb_draw_file_append(file, &draw, err);
}

static gb_status run(char **argument, world *w, gb_error *err)
{
    gb_status st;
    gb_draw_file *file = NULL;
    gb_model *again = NULL;
    gb_effect effect;
    const gb_draw_plan plan = {
        .n_chains = strtoull(argument[2], NULL, 10), .n_kept = strtoull(argument[3], NULL, 10), .n_snapshots = 10};
    GB_TRY(describe(argument, w, err));
    GB_TRY(make_arrays(w, err));
    const double begin = now();
    GB_TRY(gb_draw_file_create(&file, "", false, w->model, &plan, err));
    for (uint64_t i = 0; i < plan.n_kept; i++)
        for (size_t c = 0; c < plan.n_chains; c++)
            GB_TRY(append(w, file, c, i + 1, err));
    const double appended = now();
    GB_TRY(gb_model_take_draws(w->model, file, err));
    file = NULL;
    GB_TRY(gb_model_write(w->model, argument[5], true, NULL, NULL, err));
    const double saved = now(), memory = peak();
    GB_TRY(gb_model_read(argument[5], NULL, NULL, &again, err));
    const double opened = now();
    for (uint64_t l = 0; l < again->n_outputs; l++)
        for (uint64_t i = 0; i < gb_model_n_effects(again, l); i++)
            GB_TRY(gb_model_effect(again, l, i, &effect, err));
    printf("scores %zu  topics %zu  draws %zu  snapshots %zu  append %.2f s  save %.2f s  memory until then %.1f MiB "
           " read %.2f s  effects "
           "%.2f s\n",
           again->n_outputs, again->n_topics, again->n_kept, again->n_draws, appended - begin, saved - appended,
           memory, opened - saved, now() - opened);
done:
    gb_draw_file_close(file);
    gb_model_free(again);
    return st;
}

int main(int n, char **argument)
{
    gb_error err = {.status = GB_OK};
    world w = {0};
    if (n != 6) {
        (void)fprintf(stderr, "gibbous_bench_draws CORPUS CHAINS DRAWS TOPICS MODEL\n");
        return 2;
    }
    const gb_status st = run(argument, &w, &err);
    if (st != GB_OK)
        (void)fprintf(stderr, "gibbous_bench_draws: %s\n", err.message);
    gb_model_free(w.model);
    gb_free(w.eta);
    gb_free(w.alpha);
    gb_free(w.score);
    gb_free(w.share);
    gb_free(w.loss);
    gb_free(w.sample_score);
    gb_free(w.word_start);
    gb_free(w.topic);
    gb_free(w.count);
    return st == GB_OK ? 0 : 1;
}
