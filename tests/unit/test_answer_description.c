/* What is in a corpus, a model and a checkpoint, as rows under the names that lead to a value. */
#include "helper_tables.h"

#include <stdlib.h>
#include <string.h>

static const char *value_at(const gb_table *t, const char *path)
{
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++) {
        char found[400] = "";
        for (uint64_t i = 0; i < gb_table_n_texts(t, row, 0); i++) {
            (void)strncat(found, i > 0 ? "/" : "", sizeof found - strlen(found) - 1);
            (void)strncat(found, gb_table_text(t, row, 0, i), sizeof found - strlen(found) - 1);
        }
        if (strcmp(found, path) == 0)
            return gb_table_text(t, row, 3, 0);
    }
    fail_msg("no row %s", path);
    return NULL;
}

static gb_corpus *documents(void)
{
    write_file("d.csv", "text,label,score,year\n"
                        "one two two,red,1,1990\n"
                        "one three,blue,3,1991\n"
                        "two,red,,1990\n"
                        ",red,5,\n");
    return corpus_of("d.csv", "label", "label", "target", "score", "covariates", "year:factor", NULL);
}

static void a_corpus_counts_documents_classes_and_numbers(void **state)
{
    (void)state;
    gb_corpus *corpus = documents();
    const gb_subject subject = {.size = sizeof subject, .documents = corpus};
    gb_table *t = answer_to("description", &subject);
    assert_string_equal(value_at(t, "kind"), "corpus");
    assert_string_equal(value_at(t, "documents"), "4");
    assert_string_equal(value_at(t, "empty_documents"), "1");
    assert_string_equal(value_at(t, "tokens"), "6");
    assert_string_equal(value_at(t, "labels/label/classes/red"), "3");
    assert_string_equal(value_at(t, "labels/label/several"), "0");
    assert_string_equal(value_at(t, "targets/score/present"), "3");
    assert_true(atof(value_at(t, "targets/score/mean")) == 3 && atof(value_at(t, "targets/score/sd")) == 2);
    assert_string_equal(value_at(t, "covariates/year/levels/1990"), "2");
    gb_table_free(t);
    gb_corpus_free(corpus);
}

static void a_model_and_its_checkpoint_know_their_settings(void **state)
{
    (void)state;
    write_file("s.csv", "text,label\none two two,red\none three,blue\ntwo,red\none,blue\n");
    gb_corpus *corpus = corpus_of("s.csv", "label", "label", NULL);
    gb_settings *settings =
        settings_of("label", "label", "topics", "2", "sweeps", "4", "seed", "7", "checkpoint", "c.gbk", NULL);
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_subject subject = {.size = sizeof subject, .model = model};
    gb_table *t = answer_to("description", &subject);
    assert_string_equal(value_at(t, "kind"), "model");
    assert_string_equal(value_at(t, "topics"), "2");
    assert_string_equal(value_at(t, "seed"), "7");
    assert_string_equal(value_at(t, "settings/topics"), "2");
    assert_string_equal(value_at(t, "responses/label/classes"), "blue");
    size_t n_set = 0;
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++) {
        const uint64_t is_default = gb_table_counts(t, 4)[row];
        const char *option = gb_table_text(t, row, 0, 1);
        assert_true((is_default == GB_NO_COUNT) == (strcmp(gb_table_text(t, row, 0, 0), "settings") != 0));
        n_set += is_default == 0 &&
                 (strcmp(option, "label") == 0 || strcmp(option, "topics") == 0 || strcmp(option, "sweeps") == 0);
        assert_false(is_default == 0 &&
                     strcmp(gb_table_text(t, row, 3, 0), gb_option_find(option)->default_value) == 0);
    }
    assert_int_equal(n_set, 3);
    gb_table_free(t);
    subject = (gb_subject){.size = sizeof subject, .checkpoint = "c.gbk"};
    t = answer_to("description", &subject);
    assert_string_equal(value_at(t, "kind"), "checkpoint");
    assert_string_equal(value_at(t, "sweeps_done"), "4");
    gb_table_free(t);
    subject = (gb_subject){.size = sizeof subject};
    assert_int_equal(gb_answer("description", &subject, NULL, &t, NULL), GB_EARGUMENT);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_corpus_counts_documents_classes_and_numbers),
                                       cmocka_unit_test(a_model_and_its_checkpoint_know_their_settings)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
