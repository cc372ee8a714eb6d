/* rows_trainings.c - functions of train.h, and the builder of models. */
#include "rows.h"

#include <string.h>
#include <unistd.h>

/* ---- gb_train() ---- */

static void train_with(const gb_corpus *corpus, gb_settings *settings)
{
    gb_model *model = NULL;
    TRY(gb_train(corpus, settings, NULL, NULL, &model, ERR));
    if (trial_is_fine())
        see_model(model);
    QUIET((gb_model_free(model), 0)); /* of the draws so far, where a file could not be written */
    gb_settings_free(settings);
}

static void train_classes(void)
{
    train_with(ground.corpus, training_of("calibrate", "2", NULL));
}

static void train_numbers(void)
{
    train_with(ground.numbers,
               training_of("prior", "graph", "graph", "chain", "covariance", "full", "chains", "2", NULL));
}

static void train_one_vs_rest(void)
{
    train_with(ground.corpus, training_of("strategy", "one-vs-rest", "calibrate", "0", NULL));
}

static void train_auto(void)
{
    train_with(ground.numbers, training_of("sweeps", "auto", "burn-in", "auto", "thin", "auto", NULL));
}

static void train_init_from(void)
{
    train_with(ground.corpus, training_of("init-from", "model.gib", NULL));
}

static void train_start_of_parts(void)
{
    train_with(ground.corpus, training_of("start", "nmf", NULL));
}

static void train_checkpoint(void)
{
    train_with(ground.corpus, training_of("checkpoint", "out.ckpt", "checkpoint-every", "2", NULL));
    (void)unlink("out.ckpt");
    (void)unlink("out.ckpt.draws");
}

static void train_draws_file(void)
{
    train_with(ground.corpus,
               training_of("draws", "out.draws", "draws-include", "eta,scores,assignments,prior", NULL));
    see_any_file("out.draws");
}

static void train_from(void)
{
    gb_model *model = NULL;
    TRY(gb_train_from(ground.corpus, ground.training, ground.model, NULL, NULL, &model, NULL, ERR));
    see_made(model);
    see_model(model);
    gb_model_free(model);
}

static void train_with_draws(void)
{
    gb_settings *settings = training_of("draws", "out.draws", NULL);
    gb_model *model = NULL;
    gb_out_file *draws = NULL;
    if (TRY(gb_train_from(ground.corpus, settings, NULL, NULL, NULL, &model, &draws, ERR)) == GB_OK) {
        see_made(draws);
        TRY(gb_model_write_with(model, "out.gib", false, &draws, NULL, NULL, ERR));
        see_any_file("out.draws");
        see_any_file("out.gib");
    }
    gb_out_file_discard(draws);
    gb_model_free(model);
    gb_settings_free(settings);
}

static void train_describe(void)
{
    char *text = NULL;
    TRY(gb_train_describe(ground.corpus, ground.training, &text, ERR));
    see_made(text);
    see_text(text);
    gb_free(text);
}

/* ---- before a training ---- */

static gb_corpus *four_hundred(void)
{
    static const char *const words[] = {"a", "b", "c", "d"};
    static uint32_t word[1600];
    static uint64_t start[401];
    static double value[400];
    gb_corpus_arrays *arrays = NULL;
    gb_corpus *corpus = NULL;
    for (uint32_t d = 0; d < 400; d++) {
        for (uint32_t i = 0; i < 4; i++)
            word[4 * d + i] = (d / (i + 1) + i * i) % 4;
        start[d + 1] = 4 * (d + 1);
        value[d] = word[4 * d] + 0.1 * (d % 7);
    }
    must(gb_corpus_arrays_create(&arrays, ERR));
    must(gb_corpus_arrays_counts(arrays, 400, start, word, NULL, ERR));
    must(gb_corpus_arrays_vocabulary(arrays, 4, words, ERR));
    must(gb_corpus_arrays_numbers(arrays, "y", GB_ROLE_RESPONSE, value, ERR));
    must(gb_corpus_from_arrays(arrays, NULL, &corpus, ERR));
    gb_corpus_arrays_free(arrays);
    return corpus;
}

static void choose_cost(void)
{
    gb_corpus *corpus = four_hundred();
    gb_settings *settings = settings_of("topics", "2", "threads", "1", "seed", "1", NULL);
    char *told = NULL;
    TRY(gb_train_choose_cost(corpus, settings, NULL, NULL, &told, ERR));
    see_made(told);
    if (trial_is_fine()) {
        see_text(told);
        see_text(gb_settings_get(settings, "cost", 0));
        see_text(gb_settings_get(settings, "variance", 0));
    }
    gb_free(told);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

/* The variance of words follows from linear models. */
static void choose_variance(void)
{
    gb_settings *settings = settings_of("topics", "2", "threads", "1", "seed", "1", "word-effects", "tfidf", NULL);
    char *told = NULL;
    if (TRY(gb_train_choose_cost(ground.corpus, settings, NULL, NULL, &told, ERR)) == GB_OK) {
        see_text(told);
        see_text(gb_settings_get(settings, "variance", 0));
    }
    gb_free(told);
    gb_settings_free(settings);
}

static void init_from(void)
{
    gb_chain *chain = NULL;
    must(gb_chain_create(ground.plan, 0, &chain, ERR));
    double log_joint = 0;
    RETRY(gb_chain_init_from(chain, ground.model, ERR));
    must(gb_chain_log_joint(chain, &log_joint, ERR));
    see_number(log_joint);
    gb_chain_free(chain);
}

/* ---- checkpoints ---- */

static bool stop_at_three(const gb_progress *progress, void *user)
{
    (void)user;
    return progress->sweep < 3;
}

/* A training that was stopped. */
static void leave_checkpoint(void)
{
    gb_settings *settings = training_of("checkpoint", "run.ckpt", "checkpoint-every", "2", NULL);
    gb_model *model = NULL;
    if (gb_train(ground.corpus, settings, stop_at_three, NULL, &model, ERR) != GB_ESTOP)
        must(GB_EARGUMENT);
    gb_model_free(model);
    gb_settings_free(settings);
}

static void remove_checkpoint(void)
{
    (void)unlink("run.ckpt");
    (void)unlink("run.ckpt.draws");
}

static void settings_resume(void)
{
    gb_settings *settings = settings_of("threads", "1", NULL);
    leave_checkpoint();
    if (TRY(gb_settings_resume(settings, "run.ckpt", ERR)) == GB_OK) {
        see_text(gb_settings_get(settings, "topics", 0));
        see_text(gb_settings_get(settings, "seed", 0));
    }
    gb_settings_free(settings);
    remove_checkpoint();
}

static void train_resume(void)
{
    leave_checkpoint();
    train_with(ground.corpus, training_of("resume", "run.ckpt", NULL));
    remove_checkpoint();
}

static void checkpoint_notes(void)
{
    char *notes = NULL;
    leave_checkpoint();
    TRY(gb_checkpoint_notes("run.ckpt", &notes, ERR));
    see_made(notes);
    see_text(notes);
    gb_free(notes);
    remove_checkpoint();
}

static void diagnose_checkpoint(void)
{
    gb_diagnosis *diagnosis = NULL;
    leave_checkpoint();
    TRY(gb_diagnosis_create_from_checkpoint("run.ckpt", &diagnosis, ERR));
    see_made(diagnosis);
    if (diagnosis != NULL)
        see_answer("traces", &(gb_subject){.size = sizeof(gb_subject), .diagnosis = diagnosis});
    gb_diagnosis_free(diagnosis);
    remove_checkpoint();
}

static void may_have_made(void)
{
    bool may = false;
    MAY(may = gb_plan_may_have_made(ground.plan, ground.model));
    see_number(may);
}

/* ---- the builder ---- */

static void model_builder(void)
{
    gb_chain *chain = NULL;
    gb_model_builder *builder = NULL;
    gb_model *model = NULL;
    must(gb_chain_create(ground.plan, 0, &chain, ERR));
    must(gb_chain_step(chain, 2, NULL, NULL, ERR));
    TRY(gb_model_builder_create(ground.plan, &builder, ERR));
    see_made(builder);
    for (int i = 0; builder != NULL && i < 2; i++) {
        must(gb_chain_step(chain, 1, NULL, NULL, ERR));
        if (TRY(gb_model_builder_add(builder, chain, ERR)) != GB_OK) { /* now it can only be freed */
            expect(gb_model_builder_add(builder, chain, NULL) == GB_EARGUMENT &&
                       gb_model_builder_finish(builder, &model, NULL) == GB_EARGUMENT,
                   "the builder can only be freed");
            break;
        }
    }
    if (trial_is_fine() && TRY(gb_model_builder_finish(builder, &model, ERR)) != GB_OK)
        expect(gb_model_builder_finish(builder, &model, NULL) == GB_EARGUMENT, "the builder can only be freed");
    see_made(model);
    see_model(model);
    gb_model_free(model);
    QUIET((gb_model_builder_free(builder), 0));
    gb_chain_free(chain);
}

const fault_row rows_of_trainings[] = {{"train_classes", train_classes, NULL},
                                       {"train_numbers", train_numbers, NULL},
                                       {"train_one_vs_rest", train_one_vs_rest, NULL},
                                       {"train_auto", train_auto, NULL},
                                       {"train_init_from", train_init_from, NULL},
                                       {"train_start_of_parts", train_start_of_parts, NULL},
                                       {"train_checkpoint", train_checkpoint, NULL},
                                       {"train_draws_file", train_draws_file, NULL},
                                       {"train_from", train_from, NULL},
                                       {"train_with_draws", train_with_draws, NULL},
                                       {"train_describe", train_describe, NULL},
                                       {"choose_cost", choose_cost, NULL},
                                       {"choose_variance", choose_variance, NULL},
                                       {"init_from", init_from, NULL},
                                       {"settings_resume", settings_resume, NULL},
                                       {"train_resume", train_resume, NULL},
                                       {"checkpoint_notes", checkpoint_notes, NULL},
                                       {"diagnose_checkpoint", diagnose_checkpoint, NULL},
                                       {"may_have_made", may_have_made, NULL},
                                       {"model_builder", model_builder, NULL},
                                       {NULL, NULL, NULL}};
