/* train_predict.c - fit a model to labelled texts, look into it, predict the labels of others.
 *
 *   train_predict TRAIN LABEL NEW
 *
 * TRAIN and NEW are files of any format that gibbous reads, LABEL is the field of TRAIN to predict.  Prints one
 * class per document of NEW. */
#include <gibbous/gibbous.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After each sweep; returning false would stop the run. */
static bool on_sweep(const gb_progress *p, void *user)
{
    (void)user;
    if (p->sweep % 10 == 0)
        fprintf(stderr, "sweep %" PRIu64 " of %" PRIu64 ": log joint %.6g\n", p->sweep, p->n_sweeps,
                gb_progress_log_joint(p));
    return true;
}

/* Options have the names of the command line; values are texts. */
static gb_status choose_settings(gb_settings *settings, const char *label, gb_error *err)
{
    const char *const choice[][2] = {{"label", label}, {"topics", "10"}, {"sweeps", "40"}, {"seed", "1"}};
    gb_status st = GB_OK;
    for (size_t i = 0; st == GB_OK && i < sizeof choice / sizeof choice[0]; i++)
        st = gb_settings_set(settings, choice[i][0], choice[i][1], err);
    return st;
}

/* The number of a column of an answer. */
static uint64_t column(const gb_table *table, const char *name)
{
    uint64_t c = 0;
    while (strcmp(gb_table_column(table, c)->name, name) != 0)
        c++;
    return c;
}

/* The most probable words of each topic, and the class that it speaks for most. */
static gb_status print_topics(const gb_model *model, gb_error *err)
{
    gb_table *topics = NULL;
    const gb_subject subject = {.size = sizeof subject, .model = model};
    const gb_status st = gb_answer("topics", &subject, NULL, &topics, err);
    for (uint64_t row = 0; st == GB_OK && row < gb_table_n_rows(topics); row++)
        fprintf(stderr, "topic %s: %s -> %s\n", gb_table_text(topics, row, column(topics, "topic"), 0),
                gb_table_text(topics, row, column(topics, "words"), 0),
                gb_table_text(topics, row, column(topics, "classes"), 0));
    gb_table_free(topics);
    return st;
}

/* In batches, so that memory does not grow with the input.  Random numbers are keyed by the row: batches of any
 * size give the same result. */
static gb_status print_classes(const gb_model *model, const char *path, const gb_settings *settings, gb_error *err)
{
    gb_documents *documents = NULL;
    uint64_t row = 0;
    gb_status st = gb_documents_open(model, path, settings, NULL, NULL, &documents, err);
    while (st == GB_OK) {
        gb_corpus *batch = NULL;
        gb_prediction *p = NULL;
        uint64_t *n_unknown = NULL;
        st = gb_documents_next(documents, 1000, &batch, &n_unknown, err);
        if (st != GB_OK || batch == NULL)
            break;
        st = gb_prediction_create(model, gb_corpus_n_docs(batch), &p, err);
        if (st == GB_OK)
            st = gb_predict(model, batch, row, settings, NULL, NULL, p, err);
        for (uint64_t d = 0; st == GB_OK && d < p->n_docs; d++)
            puts(gb_model_class(model, 0, p->response[0].predicted[d]));
        row += gb_corpus_n_docs(batch);
        gb_prediction_free(p);
        gb_corpus_free(batch);
        gb_free(n_unknown);
    }
    gb_documents_close(documents);
    return st;
}

int main(int argc, char **argv)
{
    gb_error err;
    gb_settings *settings = NULL, *defaults = NULL;
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    if (argc != 4) {
        fputs("usage: train_predict TRAIN LABEL NEW\n", stderr);
        return 2;
    }
    gb_status st = gb_settings_create(&settings, &err);
    if (st == GB_OK)
        st = choose_settings(settings, argv[2], &err);
    if (st == GB_OK)
        st = gb_corpus_read(argv[1], settings, NULL, NULL, &corpus, &err);
    if (st == GB_OK)
        st = gb_train(corpus, settings, on_sweep, NULL, &model, &err);
    if (st == GB_OK)
        st = print_topics(model, &err);
    if (st == GB_OK)
        st = gb_settings_create(&defaults, &err); /* the new documents need no label */
    if (st == GB_OK)
        st = print_classes(model, argv[3], defaults, &err);
    if (st != GB_OK)
        fprintf(stderr, "%s\n", err.message);
    gb_settings_free(defaults);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
    gb_model_free(model);
    return st == GB_OK ? 0 : 1;
}
