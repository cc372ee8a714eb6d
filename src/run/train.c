/* run/train.c - from a corpus and decided settings to a model. */
#include "run/memory.h"
#include "run/run.h"
#include "run/teams.h"

gb_status gb_run_train(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                       gb_on_sweep *on_sweep, void *user, gb_model **out, gb_out_file **draws, gb_error *err)
{
    gb_status st;
    gb_plan *plan = NULL;
    gb_run *run = NULL;
    GB_TRY(gb_plan_create(corpus, settings, &plan, err));
    GB_TRY(gb_train_check_memory(corpus, &plan->spec, gb_settings_text(plan->settings, "memory-limit"), err));
    GB_TRY(gb_train_check_room(plan, err));
    GB_TRY(gb_team_agree_to_stop(plan->spec.team, gb_run_open(plan, on_sweep, user, &run, err), err));
    GB_TRY(gb_teams_form(run, err));
    run->begin_with = begin_with != NULL ? begin_with : run->begin_with;
    GB_TRY(gb_run_find_start(run, err));
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
