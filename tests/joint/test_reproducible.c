/* The same seed gives the same bits on 1, 2 and 4 threads.  The corpus is large enough for several tasks of every
 * parallel loop. */
#include "helper_variants.h"

#include "plan/spec.h"
#include "recipe/start.h"
#include "recipe/sweep.h"
#include "simd/isa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last member of variants: no words */

static void the_number_of_threads_changes_no_bit(void **state)
{
    const gb_corpus *corpus = *state;
    for (size_t i = 0; i < N_VARIANTS; i += variant_step()) {
        outcome one = variant_run(corpus, &variants[i], "1", gb_isa_best()),
                two = variant_run(corpus, &variants[i], "2", gb_isa_best()),
                four = variant_run(corpus, &variants[i], "4", gb_isa_best());
        assert_same_outcome(corpus, &one, &two);
        assert_same_outcome(corpus, &one, &four);
        free_outcome(&one);
        free_outcome(&two);
        free_outcome(&four);
    }
}

/* Otherwise equal bits would show nothing. */
static void another_seed_gives_another_chain(void **state)
{
    const gb_corpus *corpus = *state;
    variant other = variants[0];
    other.seed = "12";
    outcome a = variant_run(corpus, &variants[0], "1", gb_isa_best()),
            b = variant_run(corpus, &other, "1", gb_isa_best());
    assert_memory_not_equal(a.topic, b.topic, corpus->n_tokens * sizeof *a.topic);
    assert_memory_not_equal(a.eta, b.eta, a.n_eta);
    free_outcome(&a);
    free_outcome(&b);
}

/* Some topics are as good as never, and some as good as always, what a document is about before its words are seen. */
static void weights_of_any_size_leave_the_chain_finite(void **state)
{
    static const char *const samplers[] = {"dense", "sparse", "mh"}, *const updates[] = {"interval", "polya-gamma"};
    static const double size[] = {-700, 700, -90, 0, 90, -1, -710, 699.5};
    const gb_corpus *corpus = *state;
    char mean[400] = "";
    for (size_t t = 0, n = 0; t + 1 < N_TOPICS; t++)
        n += (size_t)snprintf(mean + n, sizeof mean - n, t == 0 ? "%g" : ",%g", size[t % 8]);
    for (size_t i = 0; i < 6; i++) {
        gb_error err = {.status = GB_OK};
        gb_spec spec;
        gb_chain *chain = NULL;
        double log_joint = NAN;
        const variant v = {"hinge",
                           i < 3 ? "blocks" : "sampled",
                           i < 3 ? "4" : "auto",
                           "5",
                           "normal",
                           "block",
                           samplers[i % 3],
                           updates[i % 2]};
        gb_settings *settings = variant_settings(&v, "2");
        variant_set(settings, "psi-mean", mean);
        variant_set(settings, "psi-covariance", i < 3 ? "2" : "100000");
        variant_check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
        variant_check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
        for (size_t sweep = 0; sweep < N_SWEEPS; sweep++)
            variant_check(gb_recipe_sweep(chain, &err), &err);
        variant_check(gb_chain_log_joint(chain, &log_joint, &err), &err);
        assert_true(isfinite(log_joint));
        gb_chain_free(chain);
        gb_spec_clear(&spec);
        gb_settings_free(settings);
    }
}

/* ---- model files ---- */

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    assert_int_equal(fclose(f), 0);
    return bytes;
}

static char *train_and_write(const gb_corpus *corpus, const variant *v, const char *threads, size_t *size)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = variant_settings(v, threads);
    gb_model *model = NULL;
    char path[] = "/tmp/gibbous-reproducible-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    variant_check(gb_train(variant_corpus(corpus, v), settings, NULL, NULL, &model, &err), &err);
    variant_check(gb_model_write(model, path, true, NULL, NULL, &err), &err);
    char *bytes = read_file(path, size);
    assert_int_equal(unlink(path), 0);
    gb_model_free(model);
    gb_settings_free(settings);
    return bytes;
}

static void the_number_of_threads_changes_no_byte_of_the_model(void **state)
{
    const gb_corpus *corpus = *state;
    for (size_t i = 0; i < N_VARIANTS; i += variant_step()) {
        size_t size_one, size_four;
        char *one = train_and_write(corpus, &variants[i], "1", &size_one),
             *four = train_and_write(corpus, &variants[i], "4", &size_four);
        assert_int_equal(size_one, size_four);
        assert_memory_equal(one, four, size_one);
        free(one);
        free(four);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(weights_of_any_size_leave_the_chain_finite),
        cmocka_unit_test(another_seed_gives_another_chain),
        cmocka_unit_test(the_number_of_threads_changes_no_byte_of_the_model),
    };
    return cmocka_run_group_tests_name("reproducible", tests, variant_set_up, variant_tear_down);
}
