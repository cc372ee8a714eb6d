/* ground.c - documents, settings and models that rows share. */
#include "rows.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { N_DOCS = 24, ROOM = 16384 };

const char *const libarchive[] = {"libarchive", NULL};
const char *const libarchive_and_libc[] = {"libarchive", "libc.so", NULL};
const char *const libc[] = {"libc.so", NULL};
const char *const libicu[] = {"libicu", NULL};

fault_ground ground;
static char folder[64];

/* ---- settings ---- */

static void set_all(gb_settings *settings, const char *name, va_list pairs)
{
    for (; name != NULL; name = va_arg(pairs, const char *))
        must(gb_settings_set(settings, name, va_arg(pairs, const char *), ERR));
}

gb_settings *settings_of(const char *name, ...)
{
    gb_settings *settings = NULL;
    va_list pairs;
    must(gb_settings_create(&settings, ERR));
    va_start(pairs, name);
    set_all(settings, name, pairs);
    va_end(pairs);
    return settings;
}

gb_settings *training_of(const char *name, ...)
{
    gb_settings *settings = settings_of("topics", "2", "sweeps", "4", "burn-in", "2", "thin", "1", "chains", "1",
                                        "threads", "1", "seed", "1", "calibrate", "0", NULL);
    va_list pairs;
    va_start(pairs, name);
    set_all(settings, name, pairs);
    va_end(pairs);
    return settings;
}

/* ---- files ---- */

void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        exit(2);
}

/* Word number `i` of a document about `subject`. */
static const char *word_of(int subject, int i)
{
    static const char *const words[3][5] = {{"apple", "pear", "plum", "fig", "lemon"},
                                            {"dog", "cat", "cow", "hen", "horse"},
                                            {"iron", "gold", "tin", "lead", "zinc"}};
    return words[subject][i % 5];
}

/* Each with one word more than those of the training: none of these is among them. */
static void write_new_documents(void)
{
    char json[ROOM] = "";
    size_t n = 0;
    for (int d = 0; d < N_DOCS; d++) {
        const int k = d % 3;
        n += (size_t)snprintf(json + n, ROOM - n,
                              "{\"id\":\"n%d\",\"text\":\"%s %s %s %s and %s "
                              "%s\",\"label\":\"%c\",\"stars\":%.1f,\"year\":\"%d\",\"size\":%d}\n",
                              d, word_of(k, d), word_of(k, d * 3), word_of(k, d + 2), word_of(k, d + 3),
                              word_of((d + d / 5) % 3, d), word_of(k, d + 1), 'a' + k, k + 0.1 * (d % 7),
                              2000 + d % 3, d % 5);
    }
    write_text("new.jsonl", json);
}

static void write_documents(void)
{
    char json[ROOM] = "", csv[ROOM] = "id,text,label,stars,year,size\n";
    size_t n_json = 0, n_csv = strlen(csv);
    for (int d = 0; d < N_DOCS; d++) {
        const int k = d % 3;
        char text[80];
        (void)snprintf(text, sizeof text, "%s %s %s %s and %s", word_of(k, d), word_of(k, d * 3), word_of(k, d + 2),
                       word_of(k, d + 3), word_of((d + d / 5) % 3, d));
        n_json += (size_t)snprintf(
            json + n_json, ROOM - n_json,
            "{\"id\":\"d%d\",\"text\":\"%s\",\"label\":\"%c\",\"stars\":%.1f,\"year\":\"%d\",\"size\":%d}\n", d, text,
            'a' + k, k + 0.1 * (d % 7), 2000 + d % 3, d % 5);
        n_csv += (size_t)snprintf(csv + n_csv, ROOM - n_csv, "d%d,%s,%c,%.1f,%d,%d\n", d, text, 'a' + k,
                                  k + 0.1 * (d % 7), 2000 + d % 3, d % 5);
    }
    write_text("train.jsonl", json);
    write_text("train.csv", csv);
    gzFile packed = gzopen("train.jsonl.gz", "wb");
    if (packed == NULL || gzputs(packed, json) < 0 || gzclose(packed) != Z_OK)
        exit(2);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

/* ---- all ---- */

static gb_corpus *documents_for(const gb_model *model, const gb_settings *settings)
{
    gb_documents *documents = NULL;
    gb_corpus *corpus = NULL;
    uint64_t *n_unknown = NULL;
    must(gb_documents_open(model, "new.jsonl", settings, NULL, NULL, &documents, ERR));
    must(gb_documents_next(documents, N_DOCS, &corpus, &n_unknown, ERR));
    gb_documents_close(documents);
    gb_free(n_unknown);
    return corpus;
}

static void make_grouped(void)
{
    gb_settings *reading = settings_of("target", "stars", "group", "year", NULL);
    gb_settings *training =
        training_of("chains", "2", "prior", "graph", "graph", "chain", "covariance", "full", NULL);
    must(gb_corpus_read("train.jsonl", reading, NULL, NULL, &ground.numbers, ERR));
    must(gb_train(ground.numbers, training, NULL, NULL, &ground.grouped, ERR));
    ground.grouped_docs = documents_for(ground.grouped, reading);
    gb_settings_free(training);
    gb_settings_free(reading);
}

void ground_make(void)
{
    static const char *const parents[] = {"/dev/shm", "/tmp"}; /* many files are synced */
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(folder, sizeof folder, "%s/gibbous-test-XXXXXX", parents[i]);
        if (mkdtemp(folder) != NULL && chdir(folder) == 0)
            break;
        if (i == 1)
            exit(2);
    }
    (void)setenv("TMPDIR", folder, 1);
    write_documents();
    write_new_documents();
    ground.labels = settings_of("label", "label", "covariates", "size", NULL);
    ground.reading = settings_of("label", "label", NULL);
    ground.training = training_of(NULL);
    ground.applying = settings_of("threads", "1", "seed", "1", NULL);
    gb_settings *simulated =
        settings_of("documents", "260", "length", "2", "vocabulary-size", "9", "seed", "1", NULL);
    must(gb_simulate(NULL, simulated, NULL, NULL, &ground.many, ERR));
    gb_settings *two = training_of("chains", "2", NULL);
    must(gb_corpus_read("train.jsonl", ground.labels, NULL, NULL, &ground.corpus, ERR));
    must(gb_corpus_write(ground.corpus, "docs.gbc", true, ERR));
    must(gb_plan_create(ground.corpus, ground.training, &ground.plan, ERR));
    must(gb_train(ground.corpus, two, NULL, NULL, &ground.model, ERR));
    must(gb_model_write(ground.model, "model.gib", true, NULL, NULL, ERR));
    ground.docs = documents_for(ground.model, ground.reading);
    make_grouped();
    gb_settings_free(two);
    gb_settings_free(simulated);
}

void ground_free(void)
{
    gb_corpus_free(ground.docs);
    gb_corpus_free(ground.grouped_docs);
    gb_model_free(ground.grouped);
    gb_model_free(ground.model);
    gb_plan_free(ground.plan);
    gb_corpus_free(ground.many);
    gb_corpus_free(ground.numbers);
    gb_corpus_free(ground.corpus);
    gb_settings_free(ground.applying);
    gb_settings_free(ground.training);
    gb_settings_free(ground.reading);
    gb_settings_free(ground.labels);
    if (chdir("/") != 0 || nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        exit(2);
}
