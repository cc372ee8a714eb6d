/* train/train.c - from a corpus and settings to a model. */
#include "gibbous/train.h"

#include "plan/plan.h"
#include "train/memory.h"
#include "train/run.h"

#include "base/memory.h"

gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                   gb_model **out, gb_error *err)
{
    gb_status st;
    gb_plan *plan = NULL;
    gb_run *run = NULL;
    GB_TRY(gb_plan_create(corpus, settings, &plan, err));
    GB_TRY(gb_train_check_memory(corpus, &plan->spec, plan->settings->memory_limit, err));
    GB_TRY(gb_train_check_room(plan, err));
    GB_TRY(gb_run_open(plan, on_sweep, user, &run, err));
    st = gb_run_chains(run, err);
    if (st == GB_OK || st == GB_ESTOP) {
        const gb_status finished = gb_run_take_model(run, out, err);
        st = finished == GB_OK ? st : finished;
    }
done:
    gb_run_close(run);
    gb_plan_free(plan);
    return st;
}
