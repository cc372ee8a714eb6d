/* rows_validations.c - functions of cross_validation.h and select.h. */
#include "rows.h"

#include <string.h>
#include <unistd.h>

/* ---- cross_validation.h ---- */

static gb_settings *two_folds(void)
{
    return training_of("folds", "2", "label", "label", "held-out", "empirical", "infer-sweeps", "1", NULL);
}

static void validation_create(void)
{
    gb_settings *settings = two_folds();
    gb_cross_validation *v = NULL;
    TRY(gb_cross_validation_create(ground.corpus, settings, &v, ERR));
    see_made(v);
    if (v != NULL) {
        NUMBER(gb_cross_validation_n_parts(v));
        NUMBER(gb_cross_validation_has_likelihood(v));
    }
    QUIET((gb_cross_validation_free(v), 0));
    gb_settings_free(settings);
}

static void validation_read(void)
{
    gb_settings *settings = training_of("hold-out-group", "year", "label", "label", NULL);
    gb_cross_validation *v = NULL;
    TRY(gb_cross_validation_read("train.jsonl", settings, NULL, NULL, &v, ERR));
    see_made(v);
    if (v != NULL)
        see_number((double)gb_cross_validation_n_parts(v));
    gb_cross_validation_free(v);
    gb_settings_free(settings);
}

static void validation_describe(void)
{
    gb_settings *settings = two_folds();
    gb_cross_validation *v = NULL;
    char *text = NULL;
    must(gb_cross_validation_create(ground.corpus, settings, &v, ERR));
    TRY(gb_cross_validation_describe(v, &text, ERR));
    see_made(text);
    see_text(text);
    gb_free(text);
    gb_cross_validation_free(v);
    gb_settings_free(settings);
}

static void validate(gb_settings *settings)
{
    gb_cross_validation *v = NULL;
    must(gb_cross_validation_create(ground.corpus, settings, &v, ERR));
    if (TRY(gb_cross_validation_run(v, NULL, NULL, ERR)) == GB_OK) {
        const gb_subject subject = {.size = sizeof subject, .validation = v};
        see_answer("evaluation", &subject);
        see_answer("parts", &subject);
        see_answer("likelihood", &subject);
    }
    gb_cross_validation_free(v);
    gb_settings_free(settings);
}

static void validation_run(void)
{
    validate(two_folds());
}

static void validation_run_linear(void)
{
    gb_settings *settings = two_folds();
    must(gb_settings_set(settings, "baseline", "yes", ERR));
    validate(settings);
}

/* ---- select.h ---- */

static gb_settings *candidates(const char *results)
{
    gb_settings *settings = training_of("folds", "2", "label", "label", NULL);
    must(gb_selection_set(settings, "topics", "2,3", ERR));
    must(gb_settings_set(settings, "results", results, ERR));
    return settings;
}

static void selection_set(void)
{
    gb_settings *settings = settings_of("grid", "margin=1,2", NULL);
    RETRY(gb_selection_set(settings, "topics", "2,3", ERR));
    RETRY(gb_selection_set(settings, "cost", "2", ERR));
    RETRY(gb_selection_set(settings, "beta", "0.1,0.2", ERR));
    for (uint64_t i = 0; i < gb_settings_n_values(settings, "grid"); i++)
        see_text(gb_settings_get(settings, "grid", i));
    see_text(gb_settings_get(settings, "cost", 0));
    gb_settings_free(settings);
}

static void selection_create(void)
{
    gb_settings *settings = candidates("");
    gb_selection *s = NULL;
    TRY(gb_selection_create(ground.corpus, settings, &s, ERR));
    see_made(s);
    if (s != NULL) {
        NUMBER(gb_selection_n_candidates(s));
        NUMBER(gb_selection_n_folds(s));
        NUMBER(gb_selection_n_stages(s));
    }
    QUIET((gb_selection_free(s), 0));
    gb_settings_free(settings);
}

static void selection_read(void)
{
    gb_settings *settings = candidates("");
    gb_selection *s = NULL;
    TRY(gb_selection_read("train.jsonl", settings, NULL, NULL, &s, ERR));
    see_made(s);
    see_number(s == NULL ? 0 : (double)gb_selection_n_candidates(s));
    gb_selection_free(s);
    gb_settings_free(settings);
}

/* Without the answer of which the notes have seconds, and whose rows have them. */
static void run_answers(const gb_selection *s)
{
    gb_table *table = NULL;
    const gb_subject subject = {.size = sizeof subject, .selection = s};
    TRY(gb_answer("selection", &subject, NULL, &table, ERR));
    see_made(table);
    gb_table_free(table);
    table = NULL;
    if (trial_is_fine()) {
        TRY(gb_answer("selection-scores", &subject, NULL, &table, ERR));
        see_made(table);
        see_number(table == NULL ? 0 : (double)gb_table_n_rows(table));
        gb_table_free(table);
    }
}

static void selection_run(void)
{
    gb_settings *settings = candidates("");
    gb_selection *s = NULL;
    must(gb_selection_create(ground.corpus, settings, &s, ERR));
    if (TRY(gb_selection_run(s, NULL, NULL, ERR)) == GB_OK)
        run_answers(s);
    gb_selection_free(s);
    gb_settings_free(settings);
}

/* The first run leaves fits that the second takes from the file. */
static void selection_results(void)
{
    for (int i = 0; i < 2 && trial_is_fine(); i++) {
        gb_settings *settings = candidates("fits.jsonl");
        gb_selection *s = NULL;
        if (TRY(gb_selection_create(ground.corpus, settings, &s, ERR)) == GB_OK &&
            TRY(gb_selection_run(s, NULL, NULL, ERR)) == GB_OK)
            run_answers(s);
        gb_selection_free(s);
        gb_settings_free(settings);
    }
    (void)unlink("fits.jsonl");
}

static void selection_take_seed(void)
{
    gb_settings *settings = candidates("fits.jsonl"), *other = settings_of("results", "fits.jsonl", NULL);
    gb_selection *s = NULL;
    must(gb_selection_create(ground.corpus, settings, &s, ERR));
    must(gb_selection_run(s, NULL, NULL, ERR));
    gb_selection_free(s);
    RETRY(gb_selection_take_seed(other, ERR));
    see_text(gb_settings_get(other, "seed", 0));
    gb_settings_free(other);
    gb_settings_free(settings);
    (void)unlink("fits.jsonl");
}

const fault_row rows_of_validations[] = {{"validation_create", validation_create, NULL},
                                         {"validation_read", validation_read, NULL},
                                         {"validation_describe", validation_describe, NULL},
                                         {"validation_run", validation_run, NULL},
                                         {"validation_run_linear", validation_run_linear, NULL},
                                         {"selection_set", selection_set, NULL},
                                         {"selection_create", selection_create, NULL},
                                         {"selection_read", selection_read, NULL},
                                         {"selection_run", selection_run, NULL},
                                         {"selection_results", selection_results, NULL},
                                         {"selection_take_seed", selection_take_seed, NULL},
                                         {NULL, NULL, NULL}};
