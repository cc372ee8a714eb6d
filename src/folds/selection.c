/* folds/selection.c - a selection made, and looked at. */
#include "folds/selection.h"

#include "base/memory.h"
#include "corpus/data/fingerprint.h"
#include "corpus/data/subset.h"
#include "evaluation/evaluation.h"
#include "evaluation/score_table.h"
#include "folds/fold_by.h"
#include "folds/foresee.h"
#include "options/needs.h"
#include "plan/fingerprint.h"
#include "run/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- making ---------------------------------------------------------------------------------------- */

/* What suits few documents does not suit many: a stage has at least so many. */
enum { LEAST_DOCUMENTS = 500 };

/* Halving is worth it from three candidates on, a second time from six on. */
static size_t stages_of(const gb_selection *s)
{
    const size_t n = s->grid.n_candidates, n_stages = (size_t)1 + (n >= 3) + (n >= 6);
    if (gb_settings_are(s->settings, "halving", "none"))
        return 1;
    if (gb_settings_are(s->settings, "halving", "sweeps"))
        return n_stages;
    const uint64_t n_docs = s->corpus->n_docs, least = LEAST_DOCUMENTS;
    const size_t most = (size_t)1 + (n_docs >= 3 * least) + (n_docs >= 9 * least);
    return n_stages < most ? n_stages : most;
}

/* What a selection decides in place of the defaults of an evaluation. */
static gb_status set_defaults(gb_settings *s, gb_error *err)
{
    gb_status st = GB_OK;
    if (gb_settings_int(s, "folds") == 0 && gb_settings_list(s, "hold-out-group")->count == 0)
        GB_TRY(gb_settings_set(s, "folds", "5", err));
    if (gb_settings_are(s, "held-out", "auto"))
        GB_TRY(gb_settings_set(s, "held-out", "completion", err));
    GB_TRY(gb_folds_take_unknown_levels(s, err));
done:
    return st;
}

static gb_status check_settings(const gb_settings *s, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_criterion_check(gb_settings_text(s, "criterion"), err));
    if (gb_settings_team(s) != NULL)
        return gb_fail(err, GB_EARGUMENT, "a selection runs on one process");
done:
    return st;
}

static gb_status start(const gb_settings *settings, gb_selection **out, gb_error *err)
{
    gb_selection *s = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "a selection", err));
    GB_TRY(check_settings(settings, err));
    GB_TRY(gb_settings_copy(settings, &s->settings, err));
    GB_TRY(set_defaults(s->settings, err));
    GB_TRY(gb_settings_check_all(s->settings, NULL, 0, NULL, err));
    GB_TRY(gb_grid_read(s->settings, &s->grid, err));
    GB_TRY(gb_fit_log_open(gb_settings_text(s->settings, "results"), &s->log, err));
    *out = s;
    s = NULL;
done:
    gb_selection_free(s);
    return st;
}

/* What would fail in the first training, found out before it. */
static gb_status check_candidate(const gb_selection *s, gb_candidate *c, gb_error *err)
{
    gb_spec spec;
    gb_error inner = {.status = GB_OK};
    gb_status st = gb_spec_resolve(s->corpus, c->settings, &spec, &inner);
    if (st == GB_OK) {
        st = gb_spec_fingerprint(&spec, c->files, &inner);
        if (st == GB_OK)
            st = gb_train_check_memory(s->corpus, &spec, gb_settings_text(s->settings, "memory-limit"), &inner);
        if (st == GB_OK)
            st = gb_train_bytes(s->corpus, &spec, &c->n_bytes, &inner);
        if (st == GB_OK && spec.n_outputs == 0 && gb_settings_are(s->settings, "held-out", "none"))
            st = gb_nothing_to_evaluate(&inner);
        gb_spec_clear(&spec);
    }
    return st == GB_OK ? GB_OK : gb_fail(err, st, "%s: %s", c->name, inner.message);
}

static gb_status make_candidate(const gb_selection *s, size_t number, gb_error *err)
{
    gb_status st;
    gb_candidate *c = &s->candidate[number];
    GB_TRY(gb_grid_describe(&s->grid, number, &c->name, err));
    GB_TRY(gb_grid_settings(&s->grid, s->settings, number, &c->settings, err));
    GB_TRY(gb_settings_set(c->settings, "threads", "1", err));
    GB_TRY(gb_alloc(&c->fit, s->parts.n, sizeof *c->fit, "the fits", err));
    GB_TRY(gb_alloc(&c->part, s->parts.n, sizeof *c->part, "the fits", err));
    GB_TRY(check_candidate(s, c, err));
done:
    return st;
}

/* Folds are alike in their labels where there are any. */
static gb_status make_parts(gb_selection *s, gb_error *err)
{
    gb_status st = GB_OK;
    if (gb_settings_are(s->settings, "fold-by", "auto") && gb_can_stratify(s->corpus))
        GB_TRY(gb_settings_set(s->settings, "fold-by", "label", err));
    GB_TRY(gb_held_parts_make(&s->parts, s->corpus, s->settings, err));
done:
    return st;
}

static gb_status foresee_parts(const gb_selection *s, gb_held_parts *parts, const gb_settings *const *settings,
                               const gb_coding *whole, gb_error *err)
{
    size_t failed = 0;
    gb_error inner = {.status = GB_OK};
    const gb_status st =
        gb_held_parts_foresee(parts, s->corpus, s->grid.n_candidates, settings, whole, &failed, &inner);
    return st == GB_OK ? GB_OK : gb_fail(err, st, "%s, %s", s->candidate[failed].name, inner.message);
}

/* All parts of all stages.  Candidates do not differ in their covariates. */
static gb_status foresee(gb_selection *s, gb_error *err)
{
    gb_status st;
    const gb_settings **settings = NULL;
    gb_spec spec = {.n_responses = 0};
    GB_TRY(gb_alloc(&settings, s->grid.n_candidates, sizeof *settings, "the settings", err));
    for (size_t i = 0; i < s->grid.n_candidates; i++)
        settings[i] = s->candidate[i].settings;
    GB_TRY(gb_spec_resolve(s->corpus, settings[0], &spec, err));
    GB_TRY(foresee_parts(s, &s->parts, settings, spec.coding, err));
    s->divisor = 1;
    for (size_t stage = 1; stage < s->n_stages; stage++) {
        s->divisor *= GB_HALVING_FACTOR;
        GB_TRY(gb_selection_make_stage_parts(s, err));
        GB_TRY(foresee_parts(s, &s->stage_parts, settings, spec.coding, err));
    }
done:
    gb_spec_clear(&spec);
    gb_free(settings);
    return st;
}

static gb_status make(gb_selection *s, const bool *is_left_out, gb_error *err)
{
    gb_status st;
    GB_TRY(make_parts(s, err));
    GB_TRY(gb_held_parts_drop_fields(&s->own_corpus, is_left_out, err));
    s->corpus = s->own_corpus == NULL ? s->corpus : s->own_corpus;
    s->n_stages = stages_of(s);
    GB_TRY(gb_corpus_fingerprint(s->corpus, s->documents, err));
    GB_TRY(gb_alloc(&s->candidate, s->grid.n_candidates, sizeof *s->candidate, "the settings", err));
    for (size_t i = 0; i < s->grid.n_candidates; i++)
        GB_TRY(make_candidate(s, i, err));
    st = foresee(s, err);
done:
    return st;
}

gb_status gb_selection_create(const gb_corpus *corpus, const gb_settings *settings, gb_selection **out, gb_error *err)
{
    gb_selection *s = NULL;
    gb_status st;
    GB_TRY(start(settings, &s, err));
    s->corpus = corpus;
    GB_TRY(make(s, NULL, err));
    *out = s;
    s = NULL;
done:
    gb_selection_free(s);
    return st;
}

gb_status gb_selection_read(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                            gb_selection **out, gb_error *err)
{
    gb_selection *s = NULL;
    bool *is_left_out = NULL;
    gb_status st;
    GB_TRY(start(settings, &s, err));
    GB_TRY(gb_held_parts_read(path, s->settings, on_read, user, &s->own_corpus, &is_left_out, err));
    s->corpus = s->own_corpus;
    GB_TRY(make(s, is_left_out, err));
    *out = s;
    s = NULL;
done:
    gb_free(is_left_out);
    gb_selection_free(s);
    return st;
}

static void clear_candidate(gb_candidate *c, size_t n_parts)
{
    for (size_t i = 0; i < n_parts; i++) {
        if (c->fit != NULL)
            json_decref(c->fit[i]);
        if (c->part != NULL)
            gb_score_table_free(c->part[i]);
    }
    gb_score_table_free(c->mean);
    gb_pooled_clear(&c->pooled);
    gb_free(c->fit);
    gb_free(c->part);
    gb_free(c->name);
    gb_settings_free(c->settings);
}

void gb_selection_free(gb_selection *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; s->candidate != NULL && i < s->grid.n_candidates; i++)
        clear_candidate(&s->candidate[i], s->parts.n);
    gb_free(s->candidate);
    gb_free(s->job);
    gb_held_parts_clear(&s->parts);
    gb_held_parts_clear(&s->stage_parts);
    gb_grid_clear(&s->grid);
    gb_fit_log_close(s->log);
    gb_corpus_free(s->own_corpus);
    gb_settings_free(s->settings);
    gb_free(s);
}

gb_status gb_selection_take_seed(gb_settings *settings, gb_error *err)
{
    gb_fit_log *log = NULL;
    char text[24];
    if (!gb_settings_are(settings, "seed", "auto") || !gb_settings_has(settings, "results"))
        return GB_OK;
    gb_status st = gb_fit_log_open(gb_settings_text(settings, "results"), &log, err);
    if (st != GB_OK)
        return st;
    const json_t *seed = json_object_get(gb_fit_log_any(log), "seed");
    if (json_is_integer(seed)) {
        (void)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(seed));
        st = gb_settings_set(settings, "seed", text, err);
    }
    gb_fit_log_close(log);
    return st;
}

/* ---- looking --------------------------------------------------------------------------------------- */

uint64_t gb_selection_n_candidates(const gb_selection *s)
{
    return s->grid.n_candidates;
}

uint64_t gb_selection_n_options(const gb_selection *s)
{
    return s->grid.n_axes;
}

const char *gb_selection_option(const gb_selection *s, uint64_t option)
{
    return option < s->grid.n_axes ? s->grid.axis[option].option->name : NULL;
}

const char *gb_selection_value(const gb_selection *s, uint64_t candidate, uint64_t option)
{
    return candidate < s->grid.n_candidates && option < s->grid.n_axes ? gb_grid_value(&s->grid, candidate, option)
                                                                       : NULL;
}

uint64_t gb_selection_n_folds(const gb_selection *s)
{
    return s->parts.n;
}

const char *gb_selection_fold(const gb_selection *s, uint64_t fold)
{
    return fold < s->parts.n ? s->parts.part[fold].name : NULL;
}

uint64_t gb_selection_n_stages(const gb_selection *s)
{
    return s->n_stages;
}

const gb_score_table *gb_selection_scores(const gb_selection *s, uint64_t candidate)
{
    return candidate < s->grid.n_candidates ? s->candidate[candidate].mean : NULL;
}

const gb_score_table *gb_selection_fold_scores(const gb_selection *s, uint64_t candidate, uint64_t fold)
{
    return candidate < s->grid.n_candidates && fold < s->parts.n ? s->candidate[candidate].part[fold] : NULL;
}

uint64_t gb_selection_divisor(const gb_selection *s, uint64_t candidate)
{
    return candidate < s->grid.n_candidates ? s->candidate[candidate].divisor : 0;
}
