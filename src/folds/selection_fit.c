/* folds/selection_fit.c - one fit of a selection: trained, scored, and written down as a JSON object. */
#include "folds/selection.h"

#include "base/memory.h"
#include "base/watch.h"
#include "corpus/data/corpus.h"
#include "evaluation/evaluation.h"
#include "evaluation/topic_quality.h"
#include "model/empty_topics.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what it depends on ---------------------------------------------------------------------------- */

/* Options that change a fit: of the model, the sampler and the evaluation, and the seed. */
static bool changes_fit(const gb_option *o)
{
    static const char *const others[] = {"folds",   "fold-by",   "hold-out-group", "grid",
                                         "halving", "criterion", "results"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(o->name, others[i]) == 0)
            return false;
    return o->group == GB_GROUP_MODEL || o->group == GB_GROUP_SAMPLER || o->group == GB_GROUP_PREDICTION ||
           strcmp(o->name, "seed") == 0 || strcmp(o->name, "coherence-words") == 0;
}

static void add_settings(XXH3_state_t *state, const gb_settings *settings)
{
    const gb_option *o;
    for (uint64_t i = 0; (o = gb_option_at(i)) != NULL; i++)
        for (uint64_t j = 0; changes_fit(o) && j < gb_settings_n_values(settings, o->name); j++) {
            const char *value = gb_settings_get(settings, o->name, j);
            gb_fingerprint_add(state, o->name, strlen(o->name));
            gb_fingerprint_add(state, value, strlen(value));
        }
}

/* Parts that are scored before this one have the random numbers before its own. */
static uint64_t first_row(const gb_selection *s, size_t part)
{
    uint64_t first = 0;
    for (size_t i = 0; i < part; i++)
        first += gb_selection_part(s, i)->n_held_out;
    return first;
}

gb_status gb_selection_key(const gb_selection *s, gb_selection_job *job, gb_error *err)
{
    static const char version[] = "fit of a selection, 2";
    XXH3_state_t *state;
    const gb_candidate *c = &s->candidate[job->candidate];
    const gb_held_part *p = gb_selection_part(s, job->part);
    const uint64_t numbers[] = {gb_settings_are(s->settings, "halving", "sweeps") ? s->divisor : 1,
                                first_row(s, job->part)};
    const gb_status st = gb_fingerprint_open(&state, err);
    if (st != GB_OK)
        return st;
    gb_fingerprint_add(state, version, sizeof version);
    gb_fingerprint_add(state, gb_version(), strlen(gb_version()));
    gb_fingerprint_add(state, s->documents, sizeof s->documents);
    add_settings(state, c->settings);
    gb_fingerprint_add(state, c->files, sizeof c->files);
    gb_fingerprint_add(state, p->is_held_out, s->corpus->n_docs);
    gb_fingerprint_add(state, p->is_unused, p->is_unused == NULL ? 0 : s->corpus->n_docs);
    gb_fingerprint_add(state, numbers, sizeof numbers);
    gb_fingerprint_close(state, job->key);
    return GB_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

/* What the model of a job has to do with. */
typedef struct fit {
    const gb_selection *s;
    const gb_selection_job *job;
    gb_settings *settings; /* of the stage */
    gb_fold *fold;
    bool has_lost; /* JSON that got no memory */
} fit;

static void put(fit *f, json_t *object, const char *name, json_t *value)
{
    f->has_lost |= json_object_set_new(object, name, value) != 0;
}

static void append(fit *f, json_t *array, json_t *value)
{
    f->has_lost |= json_array_append_new(array, value) != 0;
}

/* JSON has no NaN: a score that is not known is left out. */
static void put_score(fit *f, json_t *section, const char *name, double value)
{
    if (isfinite(value))
        put(f, section, name, json_real(value));
}

/* ---- topics ---------------------------------------------------------------------------------------- */

/* The top words of all topics but the empty ones, which count in no mean. */
typedef struct top_words {
    uint64_t n_top, n_topics;
    uint64_t *word;      /* n_topics x n_top */
    double *probability; /* n_topics x n_top */
    double *score;       /* n_topics */
} top_words;

static gb_status find_words(const gb_model *model, int64_t n_wanted, top_words *t, gb_error *err)
{
    gb_status st;
    uint64_t n_found;
    const uint64_t n_topics = gb_model_n_topics(model), n_words = gb_model_n_words(model);
    t->n_top = (uint64_t)n_wanted < n_words ? (uint64_t)n_wanted : n_words;
    GB_TRY(gb_alloc(&t->word, n_topics * t->n_top, sizeof *t->word, "the top words", err));
    GB_TRY(gb_alloc(&t->probability, n_topics * t->n_top, sizeof *t->probability, "the top words", err));
    GB_TRY(gb_alloc(&t->score, n_topics, sizeof *t->score, "the top words", err));
    GB_TRY(gb_model_words_of_topics(model, 0, t->n_top, t->word, t->probability, &n_found, err));
done:
    return st;
}

/* Without those of empty topics, one after the other; of numbers of topics likewise. */
static void leave_out_empty(const gb_model *model, size_t n_each, size_t size, void *x)
{
    char *at = x;
    const size_t n_bytes = n_each * size;
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++)
        if (!gb_model_topic_is_empty(model, k)) {
            memmove(at, (char *)x + k * n_bytes, n_bytes);
            at += n_bytes;
        }
}

static uint64_t count_topics(const gb_model *model)
{
    uint64_t n = 0;
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++)
        n += !gb_model_topic_is_empty(model, k);
    return n;
}

/* Of the topics that have the score; NaN if none has. */
static double mean(uint64_t n, const double *x)
{
    double sum = 0, count = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum += isnan(x[i]) ? 0 : x[i];
        count += isnan(x[i]) ? 0 : 1;
    }
    return sum / count;
}

static gb_status put_coherence(fit *f, const gb_model *model, const top_words *t, json_t *section, gb_error *err)
{
    gb_coherence *c = NULL;
    const uint64_t n_topics = t->n_topics;
    gb_status st = gb_coherence_create(gb_model_n_words(model), n_topics, t->n_top, t->word, 0, &c, err);
    if (st == GB_OK)
        st = gb_coherence_add(c, f->fold->training, 1, err);
    for (uint64_t k = 0; st == GB_OK && k < n_topics; k++)
        t->score[k] = gb_coherence_npmi(c, k);
    if (st == GB_OK)
        put_score(f, section, "coherence", mean(n_topics, t->score));
    gb_coherence_free(c);
    return st;
}

static json_t *words_to_json(fit *f, const gb_model *model, const top_words *t)
{
    json_t *topics = json_array();
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        json_t *words = json_array();
        for (uint64_t i = 0; i < t->n_top; i++)
            append(f, words, json_string(gb_model_word(model, t->word[k * t->n_top + i])));
        append(f, topics, words);
    }
    return topics;
}

static gb_status put_topics(fit *f, const gb_model *model, json_t *out, gb_error *err)
{
    gb_status st;
    top_words t = {0};
    double diversity;
    json_t *section = json_pack("{s:s}", "section", "topics"), *words;
    GB_TRY(find_words(model, gb_settings_int(f->settings, "coherence-words"), &t, err));
    words = words_to_json(f, model, &t);
    put(f, out, "topics", words);
    t.n_topics = count_topics(model);
    if (t.n_top > 0 && t.n_topics > 0) {
        GB_TRY(gb_topic_exclusivity(model, t.n_top, t.word, t.probability, t.score, err));
        leave_out_empty(model, 1, sizeof *t.score, t.score);
        leave_out_empty(model, t.n_top, sizeof *t.word, t.word);
        const double exclusivity = mean(t.n_topics, t.score);
        if (t.n_top > 1)
            GB_TRY(put_coherence(f, model, &t, section, err));
        put_score(f, section, "exclusivity", exclusivity);
        GB_TRY(gb_topic_diversity(gb_model_n_words(model), t.n_topics, t.n_top, t.word, &diversity, err));
        put_score(f, section, "diversity", diversity);
    }
    append(f, json_object_get(out, "scores"), json_incref(section));
done:
    json_decref(section);
    gb_free(t.word);
    gb_free(t.probability);
    gb_free(t.score);
    return st;
}

/* ---- scores ---------------------------------------------------------------------------------------- */

/* Counts are whole numbers in JSON, and all others are not. */
static json_t *section_to_json(fit *f, const gb_score_table *table, uint64_t section)
{
    json_t *object = json_pack("{s:s}", "section", gb_score_table_section(table, section));
    for (uint64_t i = 0; i < gb_score_table_n_scores(table, section); i++) {
        const gb_score *score = gb_score_table_at(table, section, i);
        if (score->is_count)
            put(f, object, score->name, json_integer((json_int_t)score->value));
        else if (!score->is_error)
            put_score(f, object, score->name, score->value);
    }
    return object;
}

static bool on_sweep(const gb_progress *progress, void *user)
{
    fit *f = user;
    (void)progress;
    return gb_fold_loop_goes_on(f->fold->loop);
}

static bool on_apply(const gb_apply_progress *progress, void *user)
{
    fit *f = user;
    (void)progress;
    return gb_fold_loop_goes_on(f->fold->loop);
}

static gb_status put_scores(fit *f, const gb_model *model, json_t *out, gb_error *err)
{
    gb_status st;
    gb_evaluation *evaluation = NULL;
    json_t *sections = json_array();
    GB_TRY(gb_evaluation_create_all(model, f->settings, &evaluation, err));
    gb_evaluation_keep(evaluation);
    GB_TRY(gb_evaluation_take_baseline(evaluation, f->fold->training, err));
    GB_TRY(gb_evaluate(evaluation, f->fold->held_out, f->fold->n_unknown, first_row(f->s, f->job->part), f->settings,
                       on_apply, f, NULL, NULL, err));
    GB_TRY(gb_evaluation_list_scores(evaluation, err));
    const gb_score_table *table = gb_evaluation_scores(evaluation);
    for (uint64_t i = 0; i < gb_score_table_n_sections(table); i++)
        append(f, sections, section_to_json(f, table, i));
    put(f, out, "scores", json_incref(sections));
    put(f, out, "documents", gb_evaluation_to_json(evaluation));
done:
    json_decref(sections);
    gb_evaluation_free(evaluation);
    return st;
}

/* ---- the fit --------------------------------------------------------------------------------------- */

static json_t *describe(fit *f)
{
    const gb_grid *grid = &f->s->grid;
    json_t *values = json_object();
    for (size_t i = 0; i < grid->n_axes; i++)
        put(f, values, grid->axis[i].option->name, json_string(gb_grid_value(grid, f->job->candidate, i)));
    return json_pack("{s:s, s:o, s:s, s:I, s:I, s:I, s:I}", "key", f->job->key, "settings", values, "fold",
                     f->s->parts.part[f->job->part].name, "seed",
                     (json_int_t)gb_settings_int_or(f->settings, "seed", -1), "divisor", (json_int_t)f->s->divisor,
                     "n_training", (json_int_t)f->fold->training->n_docs, "n_held_out",
                     (json_int_t)f->fold->held_out->n_docs);
}

/* A stage of halving by sweeps has fewer of them. */
static gb_status shorten(const gb_selection *s, gb_settings *settings, gb_error *err)
{
    gb_status st = GB_OK;
    const int64_t divisor = (int64_t)s->divisor, sweeps = gb_settings_int_or(settings, "sweeps", 0) / divisor,
                  burn_in = gb_settings_int_or(settings, "burn-in", 0);
    if (divisor == 1 || !gb_settings_are(s->settings, "halving", "sweeps"))
        return st;
    GB_TRY(gb_settings_set_int(settings, "sweeps", sweeps < 2 ? 2 : sweeps, err));
    if (burn_in > 0)
        st = gb_settings_set_int(settings, "burn-in", burn_in / divisor, err);
done:
    return st;
}

static gb_status run(fit *f, json_t **out, gb_error *err)
{
    gb_status st;
    gb_model *model = NULL;
    json_t *object = NULL;
    const double began = gb_seconds();
    GB_TRY(gb_train(f->fold->training, f->settings, on_sweep, f, &model, err));
    object = describe(f);
    GB_TRY(put_scores(f, model, object, err));
    GB_TRY(put_topics(f, model, object, err));
    put(f, object, "seconds", json_real(gb_seconds() - began));
    if (f->has_lost)
        st = gb_fail_memory(err, 0, "the scores");
    else {
        *out = object;
        object = NULL;
    }
done:
    json_decref(object);
    gb_model_free(model);
    return st;
}

gb_status gb_selection_fit(const gb_selection *s, const gb_selection_job *job, gb_fold *fold, json_t **out,
                           gb_error *err)
{
    fit f = {.s = s, .job = job, .fold = fold};
    gb_status st;
    GB_TRY(gb_settings_copy(s->candidate[job->candidate].settings, &f.settings, err));
    GB_TRY(shorten(s, f.settings, err));
    st = run(&f, out, err);
done:
    gb_settings_free(f.settings);
    return st;
}
