/* Documents that a topic is about: those with the largest shares of it, and the passage with most of its words. */
#include "helper_documents.h"

#include "apply/topic_documents.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOCS = 30 };

/* Two topics without a common word; document d has d + 1 words of the first, then 30 - d of the second. */
static int write_documents(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    FILE *f = fopen("all.jsonl", "w");
    if (f == NULL)
        return -1;
    for (int d = 0; d < DOCS; d++) {
        fprintf(f, "{\"id\": \"d%d\", \"text\": \"", d);
        for (int i = 0; i <= d; i++)
            fprintf(f, "apple%d ", i % 3);
        for (int i = d; i < DOCS; i++)
            fprintf(f, "zebra%d ", i % 3);
        fputs("\"}\n", f);
    }
    fputs("{\"id\": \"empty\", \"text\": \"\"}\n", f);
    return fclose(f);
}

typedef struct fitted {
    gb_settings *settings;
    gb_corpus *docs;
    gb_model *model;
} fitted;

static fitted fit(void)
{
    fitted f = {.settings = settings_of("response", "none", "topics", "2", "sweeps", "60", "burn-in", "40", "alpha",
                                        "0.1", "seed", "1", "infer-sweeps", "5", NULL)};
    f.docs = corpus_of("all.jsonl", NULL);
    assert_int_equal(gb_train(f.docs, f.settings, NULL, NULL, &f.model, NULL), GB_OK);
    return f;
}

static void clear(fitted *f)
{
    gb_model_free(f->model);
    gb_corpus_free(f->docs);
    gb_settings_free(f->settings);
}

static void the_best_documents_and_passages_are_found(void **state)
{
    (void)state;
    fitted f = fit();
    uint64_t document[6], passage[6], word;
    double share[6], p, found[2 * (DOCS + 1)];
    assert_int_equal(
        gb_topic_documents(f.model, f.docs, f.settings, NULL, NULL, 3, 4, document, share, passage, NULL), GB_OK);
    assert_int_equal(gb_infer(f.model, f.docs, 0, f.settings, NULL, NULL, found, NULL), GB_OK);
    for (uint64_t k = 0; k < 2; k++) {
        (void)top_words(f.model, k, 1, &word, &p);
        const bool is_apple = gb_model_word(f.model, word)[0] == 'a';
        for (uint64_t d = 0; d < DOCS; d++) /* the empty document is not one of them */
            assert_true(found[2 * d + k] <= share[3 * k] &&
                        (found[2 * d + k] <= share[3 * k + 2] || d == document[3 * k] || d == document[3 * k + 1]));
        assert_true(is_apple ? document[3 * k] > 20 : document[3 * k] < 10);
        for (uint64_t i = 0; i < 3; i++) {
            assert_true(share[3 * k + i] == found[2 * document[3 * k + i] + k]);
            assert_true(i == 0 || share[3 * k + i] <= share[3 * k + i - 1]);
            const uint64_t first_of_second = document[3 * k + i] + 1;
            assert_true(is_apple ? passage[3 * k + i] + 4 <= first_of_second : passage[3 * k + i] >= first_of_second);
        }
    }
    clear(&f);
}

static void fewer_documents_than_asked_for_leave_room(void **state)
{
    (void)state;
    fitted f = fit();
    uint64_t document[2 * 40], passage[2 * 40];
    double share[2 * 40];
    assert_int_equal(
        gb_topic_documents(f.model, f.docs, f.settings, NULL, NULL, 40, 100, document, share, passage, NULL), GB_OK);
    for (uint64_t i = 0; i < 80; i++) {
        assert_int_equal(document[i] == GB_NO_DOCUMENT, i % 40 >= DOCS);
        assert_true(isnan(share[i]) == (i % 40 >= DOCS));
        assert_true(document[i] != DOCS); /* it has no words */
        assert_int_equal(passage[i], 0);
    }
    clear(&f);
}

static void nothing_asked_for_is_refused(void **state)
{
    (void)state;
    fitted f = fit();
    gb_error err = {0};
    assert_int_equal(gb_topic_documents(f.model, f.docs, f.settings, NULL, NULL, 0, 1, NULL, NULL, NULL, &err),
                     GB_EARGUMENT);
    assert_string_equal(err.message, "no documents or no words of them are asked for; expected at least 1");
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_documents_and_passages_are_found),
        cmocka_unit_test(fewer_documents_than_asked_for_leave_room),
        cmocka_unit_test(nothing_asked_for_is_refused),
    };
    return cmocka_run_group_tests(tests, write_documents, leave_folder);
}
