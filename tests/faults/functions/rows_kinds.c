/* rows_kinds.c - models of many kinds, from the documents to predictions; documents in other formats. */
#include "rows.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_DOCS = 24, MANY = 512 };

/* ---- kinds of models ---- */

static void predict(const gb_model *model, const gb_settings *reading)
{
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    gb_prediction *p = NULL;
    gb_explanation *why = NULL;
    if (TRY(gb_documents_open(model, "train.jsonl", reading, NULL, NULL, &documents, ERR)) == GB_OK &&
        TRY(gb_documents_next(documents, N_DOCS, &docs, &n_unknown, ERR)) == GB_OK &&
        TRY(gb_prediction_create(model, N_DOCS, &p, ERR)) == GB_OK &&
        TRY(gb_predict(model, docs, 0, ground.applying, NULL, NULL, p, ERR)) == GB_OK &&
        TRY(gb_explanation_create(model, docs, 1, 0, &why, ERR)) == GB_OK &&
        TRY(gb_explain(model, docs, 0, ground.applying, NULL, NULL, why, ERR)) == GB_OK) {
        see_numbers(p->share, N_DOCS * p->n_topics);
        see_numbers(p->score, N_DOCS * p->n_outputs);
        see_numbers(p->response[0].probability, N_DOCS * p->response[0].n_classes);
        see_numbers(p->response[0].q95, N_DOCS);
        see_numbers(why->topic, N_DOCS * (why->n_topics + 1));
    }
    gb_explanation_free(why);
    gb_prediction_free(p);
    gb_corpus_free(docs);
    gb_free(n_unknown);
    gb_documents_close(documents);
}

static void ask(const gb_model *model)
{
    gb_effect effect[MANY];
    gb_diagnosis *d = NULL;
    if (gb_model_n_effects(model, 0) > MANY)
        must(GB_EARGUMENT);
    if (TRY(gb_model_effects(model, 0, effect, ERR)) == GB_OK)
        for (uint64_t i = 0; i < gb_model_n_effects(model, 0); i++)
            see_number(effect[i].mean);
    if (trial_is_fine() && TRY(gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &d, ERR)) == GB_OK)
        see_answer("diagnosis", &(gb_subject){.size = sizeof(gb_subject), .model = model, .diagnosis = d});
    gb_diagnosis_free(d);
}

/* The settings are freed. */
static void whole(gb_settings *reading, gb_settings *training)
{
    gb_corpus *corpus = NULL;
    gb_model *model = NULL, *again = NULL;
    void *bytes = NULL;
    size_t n_bytes = 0;
    if (TRY(gb_corpus_read("train.jsonl", reading, NULL, NULL, &corpus, ERR)) == GB_OK &&
        TRY(gb_train(corpus, training, NULL, NULL, &model, ERR)) == GB_OK &&
        TRY(gb_model_to_bytes(model, &bytes, &n_bytes, ERR)) == GB_OK) {
        see_bytes(bytes, n_bytes);
        if (TRY(gb_model_from_bytes(bytes, n_bytes, &again, ERR)) == GB_OK)
            predict(again, reading);
        if (trial_is_fine())
            ask(again);
    }
    gb_free(bytes);
    gb_model_free(again);
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(training);
    gb_settings_free(reading);
}

static void kind_words(void)
{
    whole(settings_of("target", "stars", NULL),
          training_of("word-effects", "tfidf", "variance", "words=sample", "chains", "2", NULL));
}

static void kind_horseshoe(void)
{
    whole(settings_of("label", "label", "covariates", "size:number,year:factor", NULL),
          training_of("coefficient-prior", "horseshoe", "class-weight", "balanced", "calibrate", "2", NULL));
}

static void kind_several(void)
{
    whole(settings_of("labels", "label", "document-weight", "size", NULL),
          training_of("response", "logistic", "calibrate", "2", "cut-off", "f1", NULL));
}

static void kind_levels(void)
{
    whole(settings_of("label", "label", NULL), training_of("response", "ordinal", "levels", "a,b,c", NULL));
}

static void kind_counts(void)
{
    whole(settings_of("target", "size", NULL), training_of("response", "negative-binomial", NULL));
}

static void kind_two(void)
{
    whole(settings_of("label", "label", "target", "stars", "stem", "english", NULL),
          training_of("two-stage", "yes", "sampler", "mh", NULL));
}

static void kind_groups(void)
{
    whole(settings_of("label", "label", "group", "year", NULL),
          training_of("response", "probit", "prior", "graph", "graph", "complete", "snapshots", "1", NULL));
}

static void kind_logistic_normal(void)
{
    whole(settings_of("target", "stars", "group", "year", NULL),
          training_of("topics", "3", "prior", "logistic-normal", "response", "insensitive", NULL));
}

static void kind_one_vs_rest(void)
{
    gb_settings *reading = settings_of("label", "label", NULL),
                *training = training_of("strategy", "one-vs-rest", NULL);
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    if (TRY(gb_corpus_read("train.jsonl", reading, NULL, NULL, &corpus, ERR)) == GB_OK &&
        TRY(gb_train(corpus, training, NULL, NULL, &model, ERR)) == GB_OK) {
        see_model(model);
        ask(model);
    }
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(training);
    gb_settings_free(reading);
}

/* ---- on several threads ---- */

static void threads(void)
{
    gb_settings *training = training_of("chains", "2", "threads", "3", "calibrate", "2", NULL);
    gb_settings *applying = settings_of("threads", "3", "seed", "1", NULL);
    gb_model *model = NULL;
    double share[N_DOCS * 2];
    if (TRY(gb_train(ground.corpus, training, NULL, NULL, &model, ERR)) == GB_OK) {
        see_model(model);
        RETRY(gb_infer(model, ground.docs, 0, applying, NULL, NULL, share, ERR));
        see_numbers(share, N_DOCS * 2);
    }
    see_made(model);
    gb_model_free(model);
    gb_settings_free(applying);
    gb_settings_free(training);
}

/* ---- formats ---- */

/* The options that read an exported corpus back, from the notes of the export. */
static gb_settings *settings_in(const char *notes)
{
    gb_settings *settings = settings_of(NULL, NULL);
    json_t *all = json_loads(notes, 0, NULL);
    const char *name;
    json_t *value, *item;
    size_t i;
    json_object_foreach(json_object_get(all, "read_with"), name, value)
    {
        if (json_is_string(value))
            must(gb_settings_set(settings, name, json_string_value(value), ERR));
        json_array_foreach(value, i, item)
        {
            must(gb_settings_set(settings, name, json_string_value(item), ERR));
        }
    }
    json_decref(all);
    return settings;
}

static void remove_beside(const char *path)
{
    char *beside = NULL;
    for (uint64_t i = 0;; i++) {
        must(gb_corpus_export_beside(path, i, &beside, ERR));
        if (beside == NULL)
            break;
        (void)unlink(beside);
        gb_free(beside);
        beside = NULL;
    }
    (void)unlink(path);
}

static void read_as(const char *path, const char *format)
{
    gb_corpus *corpus = NULL;
    char *notes = NULL;
    must(gb_corpus_export(ground.corpus, path, format, true, &notes, ERR));
    gb_settings *settings = settings_in(notes);
    TRY(gb_corpus_read(path, settings, NULL, NULL, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    gb_corpus_free(corpus);
    gb_free(notes);
    gb_settings_free(settings);
    remove_beside(path);
}

#define FORMAT(name)                                                                                                 \
    static void read_##name(void)                                                                                    \
    {                                                                                                                \
        read_as("out." #name, #name);                                                                                \
    }
FORMAT(tsv)
FORMAT(mallet)
FORMAT(fasttext)
FORMAT(svmlight)
FORMAT(uci)
FORMAT(ldac)
FORMAT(mtx)
FORMAT(npz)

const fault_row rows_of_kinds[] = {{"kind_words", kind_words, NULL},
                                   {"kind_horseshoe", kind_horseshoe, NULL},
                                   {"kind_several", kind_several, NULL},
                                   {"kind_levels", kind_levels, NULL},
                                   {"kind_counts", kind_counts, NULL},
                                   {"kind_two", kind_two, NULL},
                                   {"kind_groups", kind_groups, NULL},
                                   {"kind_logistic_normal", kind_logistic_normal, NULL},
                                   {"kind_one_vs_rest", kind_one_vs_rest, NULL},
                                   {"threads", threads, libc},
                                   {"read_tsv", read_tsv, NULL},
                                   {"read_mallet", read_mallet, NULL},
                                   {"read_fasttext", read_fasttext, NULL},
                                   {"read_svmlight", read_svmlight, NULL},
                                   {"read_uci", read_uci, NULL},
                                   {"read_ldac", read_ldac, NULL},
                                   {"read_mtx", read_mtx, NULL},
                                   {"read_npz", read_npz, libarchive_and_libc},
                                   {NULL, NULL, NULL}};
