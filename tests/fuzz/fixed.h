/* fixed.h - documents and settings of the harnesses that train a small model first. */
#ifndef GB_FUZZ_FIXED_H
#define GB_FUZZ_FIXED_H

#include "edits.h"

#include "gibbous/gibbous.h"

#include <stdarg.h>

/** Settings of pairs name, value, ended by NULL, which are all good. */
static inline gb_settings *fuzz_settings(const char *name, ...)
{
    gb_settings *settings;
    va_list pairs;
    if (gb_settings_create(&settings, NULL) != GB_OK)
        abort();
    va_start(pairs, name);
    for (; name != NULL; name = va_arg(pairs, const char *))
        if (gb_settings_set(settings, name, va_arg(pairs, const char *), NULL) != GB_OK)
            abort();
    va_end(pairs);
    return settings;
}

static inline int fuzz_documents(char path[static FUZZ_PATH])
{
    static const char text[] =
        "{\"id\":\"1\",\"text\":\"ape bee cat ape\",\"kind\":\"x\",\"stars\":1,\"size\":3,\"year\":\"2001\"}\n"
        "{\"id\":\"2\",\"text\":\"cat dog elk\",\"kind\":\"y\",\"stars\":2,\"size\":5,\"year\":\"2002\"}\n"
        "{\"id\":\"3\",\"text\":\"ape elk elk bee\",\"kind\":\"z\",\"stars\":4,\"size\":1,\"year\":\"2003\"}\n"
        "{\"id\":\"4\",\"text\":\"dog dog bee\",\"kind\":\"x\",\"stars\":3,\"size\":2,\"year\":\"2001\"}\n"
        "{\"id\":\"5\",\"text\":\"elk cat\",\"kind\":\"y\",\"stars\":5,\"size\":9,\"year\":\"2003\"}\n"
        "{\"id\":\"6\",\"text\":\"ape ape fox\",\"kind\":\"z\",\"stars\":2,\"size\":4,\"year\":\"2002\"}\n";
    return fuzz_file((const uint8_t *)text, sizeof text - 1, path);
}

/** The documents with a class, a number, a covariate and a group. */
static inline gb_corpus *fuzz_corpus(void)
{
    char path[FUZZ_PATH];
    gb_corpus *corpus;
    const int file = fuzz_documents(path);
    gb_settings *settings = fuzz_settings("format", "jsonl", "label", "kind", "target", "stars", "covariates", "size",
                                          "group", "year", "min-df", "1", NULL);
    if (gb_corpus_read(path, settings, NULL, NULL, &corpus, NULL) != GB_OK)
        abort();
    gb_settings_free(settings);
    (void)close(file);
    return corpus;
}

/** A folder of its own for files that need names; remove it. */
static inline void fuzz_folder(char path[static FUZZ_PATH])
{
    const char *parent = getenv("TMPDIR");
    (void)snprintf(path, FUZZ_PATH, "%s/gibbous-fuzz-XXXXXX", parent == NULL ? "/dev/shm" : parent);
    if (mkdtemp(path) == NULL && mkdtemp(strcpy(path, "/tmp/gibbous-fuzz-XXXXXX")) == NULL)
        abort();
}

/** The documents as a corpus file. */
static inline fuzz_bytes fuzz_corpus_bytes(void)
{
    char folder[FUZZ_PATH], path[FUZZ_PATH + 8];
    gb_corpus *corpus = fuzz_corpus();
    fuzz_folder(folder);
    (void)snprintf(path, sizeof path, "%s/corpus", folder);
    if (gb_corpus_write(corpus, path, false, NULL) != GB_OK)
        abort();
    const fuzz_bytes out = fuzz_read(path);
    gb_corpus_free(corpus);
    (void)unlink(path);
    (void)rmdir(folder);
    return out;
}

enum { FUZZ_MODELS = 4 };

/** A small model: 0 has classes, numbers, covariates, groups and a graph, the others what that one has not. */
static inline fuzz_bytes fuzz_model_bytes(const gb_corpus *corpus, int which)
{
    static const char *const options[FUZZ_MODELS][12] = {
        {"prior", "graph", "graph", "chain", "chains", "2", "intercept", "yes"},
        {"prior", "logistic-normal", "covariance", "full", "word-effects", "tfidf", "chains", "2"},
        {"response", "kind=probit", "coefficient-prior", "horseshoe", "cross-fit", "2"},
        {"response", "stars=negative-binomial", "prior", "uniform", "response", "kind=logistic"}};
    gb_model *model;
    void *bytes;
    fuzz_bytes out;
    gb_settings *settings =
        fuzz_settings("topics", "3", "sweeps", "3", "burn-in", "2", "thin", "1", "seed", "1", "threads", "1", NULL);
    for (const char *const *option = options[which]; *option != NULL; option += 2)
        if (gb_settings_set(settings, option[0], option[1], NULL) != GB_OK)
            abort();
    if (gb_train(corpus, settings, NULL, NULL, &model, NULL) != GB_OK ||
        gb_model_to_bytes(model, &bytes, &out.n, NULL) != GB_OK)
        abort();
    out.bytes = bytes;
    gb_model_free(model);
    gb_settings_free(settings);
    return out;
}

#endif
