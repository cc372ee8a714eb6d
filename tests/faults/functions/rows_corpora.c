/* rows_corpora.c - functions of corpus.h. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- reading ---- */

static void read_file(const char *path, gb_settings *settings)
{
    gb_corpus *corpus = NULL;
    TRY(gb_corpus_read(path, settings, NULL, NULL, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    QUIET((gb_corpus_free(corpus), 0));
    gb_settings_free(settings);
}

static void read_jsonl(void)
{
    read_file("train.jsonl",
              settings_of("label", "label", "target", "stars", "covariates", "size", "group", "year", NULL));
}

static void read_words(void)
{
    read_file("train.jsonl",
              settings_of("label", "label", "stopwords", "en", "stem", "english", "ngrams", "3", "phrase-min-df", "2",
                          "phrase-score", "0", "min-df", "2", "max-vocabulary", "9", NULL));
}

static void read_vocabulary(void)
{
    write_text("words.txt", "apple\npear\ndog\niron\n");
    read_file("train.jsonl", settings_of("label", "label", "vocabulary", "words.txt", "word-breaks", "icu", NULL));
    (void)unlink("words.txt");
}

static void read_csv(void)
{
    read_file("train.csv", settings_of("label", "label", "covariates", "size", NULL));
}

static void read_packed(void)
{
    read_file("train.jsonl.gz", settings_of("labels", "label", NULL));
}

static void read_corpus_file(void)
{
    read_file("docs.gbc", settings_of("format", "auto", NULL));
}

static void read_copy(void)
{
    static const char *const path[] = {"docs.gbc", "shards.gbc"};
    must(gb_corpus_write_shards(ground.many, "shards.gbc", 2, true, ERR));
    for (size_t i = 0; i < 2; i++) {
        gb_corpus *corpus = NULL;
        TRY(gb_corpus_read_copy(path[i], ground.applying, NULL, NULL, &corpus, ERR));
        see_made(corpus);
        see_corpus(corpus);
        gb_corpus_free(corpus);
    }
    (void)unlink("shards.gbc");
    (void)unlink("shards-1-of-2.gbc");
    (void)unlink("shards-2-of-2.gbc");
}

static void read_several(void)
{
    static const char *const path[] = {"train.jsonl", "train.csv", "docs.gbc"};
    gb_corpus *corpus = NULL;
    TRY(gb_corpus_read_several(3, path, ground.labels, NULL, NULL, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    gb_corpus_free(corpus);
}

static void read_for_training(void)
{
    gb_corpus *corpus = NULL;
    TRY(gb_corpus_read_for_training("docs.gbc", ground.labels, NULL, NULL, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    gb_corpus_free(corpus);
}

/* ---- writing ---- */

static void corpus_write(void)
{
    TRY(gb_corpus_write(ground.numbers, "out.gbc", false, ERR));
    see_file("out.gbc");
}

static void corpus_write_shards(void)
{
    TRY(gb_corpus_write_shards(ground.many, "out.gbc", 2, false, ERR));
    see_file("out.gbc");
    see_any_file("out-1-of-2.gbc");
    see_any_file("out-2-of-2.gbc");
}

static void read_shards(void)
{
    gb_corpus *corpus = NULL;
    must(gb_corpus_write_shards(ground.many, "shards.gbc", 2, true, ERR));
    TRY(gb_corpus_read("shards.gbc", ground.applying, NULL, NULL, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    gb_corpus_free(corpus);
    (void)unlink("shards.gbc");
    (void)unlink("shards-1-of-2.gbc");
    (void)unlink("shards-2-of-2.gbc");
}

static void shard_path(void)
{
    char *path = NULL;
    TRY(gb_corpus_shard_path("a/all.gbc", 1, 4, &path, ERR));
    see_made(path);
    see_text(path);
    gb_free(path);
}

static void shards_of(void)
{
    char *list = NULL;
    must(gb_corpus_write_shards(ground.many, "shards.gbc", 2, true, ERR));
    TRY(gb_corpus_shards_of("shards.gbc", &list, ERR));
    see_made(list);
    see_text(list);
    gb_free(list);
    (void)unlink("shards.gbc");
    (void)unlink("shards-1-of-2.gbc");
    (void)unlink("shards-2-of-2.gbc");
}

static void export_as(const char *path)
{
    char *notes = NULL, *beside = NULL;
    TRY(gb_corpus_export(ground.corpus, path, NULL, false, &notes, ERR));
    see_made(notes);
    see_text(notes);
    gb_free(notes);
    see_file(path);
    for (uint64_t i = 0;; i++) {
        must(gb_corpus_export_beside(path, i, &beside, ERR));
        if (beside == NULL)
            break;
        (void)unlink(beside);
        gb_free(beside);
        beside = NULL;
    }
}

#define EXPORTS(name, path)                                                                                          \
    static void name(void)                                                                                           \
    {                                                                                                                \
        export_as(path);                                                                                             \
    }
EXPORTS(export_jsonl, "out.jsonl")
EXPORTS(export_csv, "out.csv")
EXPORTS(export_npz, "out.npz")
EXPORTS(export_mtx, "out.mtx")
EXPORTS(export_svmlight, "out.svmlight")

static void export_beside(void)
{
    char *path = NULL;
    TRY(gb_corpus_export_beside("a/out.npz", 1, &path, ERR));
    see_made(path);
    see_text(path);
    gb_free(path);
}

/* ---- contents ---- */

static void contents(void)
{
    const gb_corpus *c = ground.corpus;
    size_t length = 0;
    uint64_t n = 0, field = 0;
    const uint32_t *classes = NULL;
    NUMBER(gb_corpus_n_docs(c));
    NUMBER(gb_corpus_n_tokens(c));
    NUMBER(gb_corpus_n_words(c));
    NUMBER(gb_corpus_n_embedding_columns(c));
    QUIET(gb_corpus_word(c, 0, &length));
    QUIET(gb_corpus_id(c, 0, &length));
    QUIET(gb_corpus_tokens(c, 0, &n));
    NUMBER(gb_corpus_field(c, 0, NULL, NULL, NULL));
    NUMBER(gb_corpus_find_field(c, "size", &field));
    QUIET(gb_corpus_numbers(c, field));
    NUMBER(gb_corpus_n_classes(c, 0));
    QUIET(gb_corpus_class(c, 0, 1, &length));
    NUMBER(gb_corpus_classes_of(c, 0, 1, &classes, &n));
}

/* A long document: its words are sorted. */
static void notes_of_corpus(void)
{
    char *notes = NULL;
    TRY(gb_corpus_notes(ground.corpus, &notes, ERR));
    see_made(notes);
    see_text(notes);
    gb_free(notes);
}

static void fields_of_settings(void)
{
    char *fields = NULL;
    gb_settings *settings =
        settings_of("label", "kind", "covariates", "size", "prevalence", "s(year) + (1|maker)", NULL);
    TRY(gb_settings_fields(settings, &fields, ERR));
    see_made(fields);
    see_text(fields);
    gb_free(fields);
    gb_settings_free(settings);
}

/* In normal form C it is another text. */
static void name_of_value(void)
{
    char *name = NULL;
    TRY(gb_value_name(" a\xcc\x81 ", 5, &name, ERR));
    see_made(name);
    see_text(name);
    gb_free(name);
}

static void view(void)
{
    gb_corpus *some = NULL;
    TRY(gb_corpus_view_create(ground.corpus, 2, 9, &some, ERR));
    see_made(some);
    see_number(some == NULL ? 0 : (double)gb_corpus_n_tokens(some));
    QUIET((gb_corpus_free(some), 0));
}

/* ---- arrays ---- */

enum { N_ROWS = 3 };
static const uint64_t starts[N_ROWS + 1] = {0, 2, 4, 6};
static const uint32_t words[6] = {0, 1, 2, 3, 0, 2}, counts[6] = {1, 2, 3, 1, 2, 1};
static const char *const vocabulary[] = {"sun", "moon", "bread", "salt"};
static const char *const rows_text[N_ROWS] = {"sun moon", "bread and salt", "sun bread"};
static const char *const ids[N_ROWS] = {"x", "y", "z"};
static const char *const classes[] = {"sky", "kitchen"};
static const uint32_t class_of[N_ROWS] = {0, 1, 0};
static const uint32_t tags[6] = {0, 1, 0, 1, 1, 0};
static const double numbers[N_ROWS] = {1, 2, 4};
static const float embeddings[N_ROWS * 2] = {1, 2, 3, 4, 5, 6};

static void arrays_create(void)
{
    gb_corpus_arrays *arrays = NULL;
    TRY(gb_corpus_arrays_create(&arrays, ERR));
    see_made(arrays);
    QUIET((gb_corpus_arrays_free(arrays), 0));
}

static void arrays_of_counts(void)
{
    gb_corpus_arrays *arrays = NULL;
    gb_corpus *corpus = NULL;
    must(gb_corpus_arrays_create(&arrays, ERR));
    RETRY(gb_corpus_arrays_counts(arrays, N_ROWS, starts, words, NULL, ERR));
    RETRY(gb_corpus_arrays_counts(arrays, N_ROWS, starts, words, counts, ERR));
    RETRY(gb_corpus_arrays_vocabulary(arrays, 4, vocabulary, ERR));
    RETRY(gb_corpus_arrays_ids(arrays, ids, ERR));
    RETRY(gb_corpus_arrays_embeddings(arrays, 2, embeddings, ERR));
    RETRY(gb_corpus_arrays_numbers(arrays, "year", GB_ROLE_COVARIATE, numbers, ERR));
    RETRY(gb_corpus_arrays_classes(arrays, "kind", GB_ROLE_RESPONSE, 2, classes, class_of, ERR));
    RETRY(gb_corpus_arrays_lists(arrays, "tags", GB_ROLE_COVARIATE, 2, classes, starts, tags, NULL, ERR));
    RETRY(gb_corpus_from_arrays(arrays, NULL, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    gb_corpus_free(corpus);
    gb_corpus_arrays_free(arrays);
}

static void arrays_of_texts(void)
{
    gb_corpus_arrays *arrays = NULL;
    gb_corpus *corpus = NULL;
    gb_settings *settings = settings_of("stopwords", "en", "min-df", "1", NULL);
    must(gb_corpus_arrays_create(&arrays, ERR));
    TRY(gb_corpus_arrays_texts(arrays, N_ROWS, rows_text, ERR));
    RETRY(gb_corpus_from_arrays(arrays, settings, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    gb_corpus_free(corpus);
    gb_corpus_arrays_free(arrays);
    gb_settings_free(settings);
}

const fault_row rows_of_corpora[] = {{"read_jsonl", read_jsonl, NULL},
                                     {"read_words", read_words, NULL},
                                     {"read_vocabulary", read_vocabulary, libicu},
                                     {"read_csv", read_csv, NULL},
                                     {"read_packed", read_packed, libarchive},
                                     {"read_corpus_file", read_corpus_file, NULL},
                                     {"read_copy", read_copy, NULL},
                                     {"read_several", read_several, NULL},
                                     {"read_for_training", read_for_training, NULL},
                                     {"corpus_write", corpus_write, NULL},
                                     {"corpus_write_shards", corpus_write_shards, NULL},
                                     {"read_shards", read_shards, NULL},
                                     {"shard_path", shard_path, NULL},
                                     {"shards_of", shards_of, NULL},
                                     {"export_jsonl", export_jsonl, NULL},
                                     {"export_csv", export_csv, NULL},
                                     {"export_npz", export_npz, NULL},
                                     {"export_mtx", export_mtx, NULL},
                                     {"export_svmlight", export_svmlight, NULL},
                                     {"export_beside", export_beside, NULL},
                                     {"contents", contents, NULL},
                                     {"notes_of_corpus", notes_of_corpus, NULL},
                                     {"fields_of_settings", fields_of_settings, NULL},
                                     {"name_of_value", name_of_value, NULL},
                                     {"view", view, NULL},
                                     {"arrays_create", arrays_create, NULL},
                                     {"arrays_of_counts", arrays_of_counts, NULL},
                                     {"arrays_of_texts", arrays_of_texts, NULL},
                                     {NULL, NULL, NULL}};
