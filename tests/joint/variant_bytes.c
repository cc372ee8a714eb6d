/* variant_bytes FOLDER [FIRST LAST] - the model, the draws and the predictions of chains of helper_variants.h, of all or of some, as files,
 * to be compared with those that another machine wrote (tools/cross). */
#include "helper_variants.h"

#include "gibbous/gibbous.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *folder;
static size_t first = 0, last = N_VARIANTS - 1;

/* An empty file if there are no such numbers. */
static void write_numbers(size_t number, const char *what, const double *x, uint64_t n)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%02zu.%s", folder, number, what);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    if (x != NULL)
        assert_int_equal(fwrite(x, sizeof *x, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void write_prediction(size_t number, const gb_model *model, const gb_corpus *corpus,
                             const gb_settings *settings)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *docs;
    uint64_t *n_unknown;
    gb_prediction *p;
    variant_check(gb_documents_from_corpus(model, corpus, &docs, &n_unknown, &err), &err);
    variant_check(gb_prediction_create(model, docs->n_docs, &p, &err), &err);
    variant_check(gb_predict(model, docs, 0, settings, NULL, NULL, p, &err), &err);
    write_numbers(number, "shares", p->share, p->n_docs * p->n_topics);
    write_numbers(number, "scores", p->score, p->n_docs * p->n_outputs);
    write_numbers(number, "errors", p->score_error, p->n_docs * p->n_outputs);
    for (uint64_t r = 0; r < p->n_responses; r++)
        write_numbers(number, "probabilities", p->response[r].probability, p->n_docs * p->response[r].n_classes);
    gb_prediction_free(p);
    gb_corpus_free(docs);
    gb_free(n_unknown);
}

static void chains_are_written(void **state)
{
    const gb_corpus *corpus = *state;
    for (size_t i = first; i <= last && i < N_VARIANTS; i++) {
        gb_error err = {.status = GB_OK};
        gb_settings *settings = variant_settings(&variants[i], "2");
        gb_model *model;
        gb_out_file *draws = NULL;
        char model_path[400], draws_path[400];
        snprintf(model_path, sizeof model_path, "%s/%02zu.model", folder, i);
        snprintf(draws_path, sizeof draws_path, "%s/%02zu.draws", folder, i);
        variant_set(settings, "draws", draws_path);
        variant_set(settings, "force", "yes");
        variant_check(gb_train_from(corpus, settings, NULL, NULL, NULL, &model, &draws, &err), &err);
        variant_check(gb_model_write_with(model, model_path, true, &draws, NULL, NULL, &err), &err);
        write_prediction(i, model, corpus, settings);
        gb_model_free(model);
        gb_settings_free(settings);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_written),
    };
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: %s FOLDER [FIRST LAST]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    if (argc == 4) {
        first = strtoul(argv[2], NULL, 10);
        last = strtoul(argv[3], NULL, 10);
    }
    return cmocka_run_group_tests_name("bytes of variants", tests, variant_set_up, variant_tear_down);
}
