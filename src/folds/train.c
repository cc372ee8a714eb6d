/* folds/train.c - from a corpus and settings to a model. */
#include "gibbous/train.h"

#include "plan/plan.h"
#include "run/memory.h"
#include "run/run.h"
#include "run/teams.h"

#include "base/memory.h"

/* A run that is resumed has the options of its checkpoint. */
static gb_status make_plan(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                           gb_plan **out, gb_error *err)
{
    gb_status st;
    gb_settings *s = NULL;
    GB_TRY(gb_settings_copy(settings, &s, err));
    if (gb_settings_has(s, "resume"))
        GB_TRY(gb_settings_resume(s, gb_settings_text(s, "resume"), err));
    GB_TRY(gb_train_choose_cost(corpus, s, on_sweep, user, NULL, err));
    GB_TRY(gb_plan_create(corpus, s, out, err));
done:
    gb_settings_free(s);
    return st;
}

gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                   gb_model **out, gb_error *err)
{
    return gb_train_from(corpus, settings, NULL, on_sweep, user, out, err);
}

gb_status gb_train_from(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                        gb_on_sweep *on_sweep, void *user, gb_model **out, gb_error *err)
{
    return gb_train_with_draws(corpus, settings, begin_with, on_sweep, user, out, NULL, err);
}

gb_status gb_train_with_draws(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                              gb_on_sweep *on_sweep, void *user, gb_model **out, gb_out_file **draws, gb_error *err)
{
    gb_status st;
    gb_plan *plan = NULL;
    gb_run *run = NULL;
    if (draws != NULL)
        *draws = NULL;
    GB_TRY(make_plan(corpus, settings, on_sweep, user, &plan, err));
    GB_TRY(gb_train_check_memory(corpus, &plan->spec, gb_settings_text(plan->settings, "memory-limit"), err));
    GB_TRY(gb_train_check_room(plan, err));
    GB_TRY(gb_team_agree_to_stop(plan->spec.team, gb_run_open(plan, on_sweep, user, &run, err), err));
    GB_TRY(gb_teams_form(run, err));
    run->begin_with = begin_with != NULL ? begin_with : run->begin_with;
    st = gb_run_chains(run, err);
    if (st == GB_OK)
        st = gb_run_take_model(run, out, draws, err);
    else if (st == GB_EIO ||
             run->failed == plan->n_chains)             /* the chains are sound, a file was not, or it was stopped */
        (void)gb_run_take_model(run, out, draws, NULL); /* what there is; why the run has ended is the message */
done:
    gb_run_close(run);
    gb_plan_free(plan);
    return st;
}
