/* folds/train.c - from a corpus and settings to a model. */
#include "gibbous/train.h"

#include "options/settings.h"
#include "run/run.h"

gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                   gb_model **out, gb_error *err)
{
    return gb_train_from(corpus, settings, NULL, on_sweep, user, out, NULL, err);
}

/* A run that is resumed has the options of its checkpoint. */
gb_status gb_train_from(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                        gb_on_sweep *on_sweep, void *user, gb_model **out, gb_out_file **draws, gb_error *err)
{
    gb_status st;
    gb_settings *s = NULL;
    if (draws != NULL)
        *draws = NULL;
    GB_TRY(gb_settings_copy(settings, &s, err));
    if (gb_settings_has(s, "resume"))
        GB_TRY(gb_settings_resume(s, gb_settings_text(s, "resume"), err));
    GB_TRY(gb_train_choose_cost(corpus, s, on_sweep, user, NULL, err));
    GB_TRY(gb_run_train(corpus, s, begin_with, on_sweep, user, out, draws, err));
done:
    gb_settings_free(s);
    return st;
}
