/* A corpus in several files, and several inputs as one corpus. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/corpus_file.h"
#include "corpus/data/cut.h"
#include "corpus/data/fingerprint.h"
#include "corpus/data/shards.h"
#include "corpus/data/subset.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_DOCS = 700, N_SHARDS = 3 };

#define OK(call) assert_int_equal(call, GB_OK)

/* Documents first..last-1 with fields of every kind; some lack a label, a number or all words. */
static void write_documents(const char *path, int first, int last)
{
    static const char *const word[] = {"ash", "beech", "cedar", "elm", "fir", "oak"};
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs("id,text,mood,tags,stars,year\n", f);
    for (int d = first; d < last; d++) {
        (void)fprintf(f, "d%d,", d);
        for (int i = 0; i < d % 7; i++)
            (void)fprintf(f, "%s ", word[(d + i * i) % 6]);
        (void)fprintf(f, ",%s,\"%s\",",
                      d % 5 == 0   ? ""
                      : d % 2 == 0 ? "sunny"
                                   : "cloudy",
                      d % 3 == 0   ? "b,a"
                      : d % 3 == 1 ? "c"
                                   : "");
        (void)fprintf(f, d % 11 == 0 ? ",%d\n" : "%d,19%d\n", d % 11 == 0 ? 1990 : d % 5, 90 + d % 4);
    }
    (void)fclose(f);
}

static gb_corpus *read_documents(const char *path)
{
    return corpus_of(path, "label", "mood", "labels", "tags", "target", "stars", "group", "year", NULL);
}

static gb_corpus *whole(void)
{
    write_documents("d.csv", 0, N_DOCS);
    return read_documents("d.csv");
}

/* The whole corpus, which is also in three shards. */
static gb_corpus *sharded(void)
{
    gb_corpus *c = whole();
    OK(gb_corpus_write_shards(c, "all.gbc", N_SHARDS, true, NULL));
    return c;
}

static void assert_same_texts(const gb_texts *a, const gb_texts *b)
{
    assert_int_equal(a->count, b->count);
    for (uint64_t i = 0; i < a->count; i++) {
        const gb_view x = gb_texts_view(a, i), y = gb_texts_view(b, i);
        assert_int_equal(x.length, y.length);
        assert_memory_equal(x.text, y.text, x.length);
    }
}

static void assert_same_values(const gb_corpus *c, uint64_t d, const gb_corpus *all, uint64_t in_all)
{
    uint64_t n, n_all;
    const uint32_t *item, *item_all;
    size_t length, length_all;
    const char *id = gb_corpus_id(c, d, &length), *id_all = gb_corpus_id(all, in_all, &length_all);
    assert_int_equal(length, length_all);
    assert_memory_equal(id, id_all, length);
    for (uint64_t f = 0; f < all->n_labels; f++) {
        assert_int_equal(gb_corpus_classes_of(c, f, d, &item, &n),
                         gb_corpus_classes_of(all, f, in_all, &item_all, &n_all));
        assert_int_equal(n, n_all);
        if (n > 0)
            assert_memory_equal(item, item_all, n * sizeof *item);
    }
    for (size_t f = 0; f < all->n_numbers; f++)
        assert_memory_equal(&c->numbers[f].value[d], &all->numbers[f].value[in_all], sizeof(double));
}

static void assert_same_tokens(const gb_corpus *c, uint64_t d, const gb_corpus *all, uint64_t in_all)
{
    uint64_t n, n_all;
    const uint32_t *item = gb_corpus_tokens(c, d, &n), *item_all = gb_corpus_tokens(all, in_all, &n_all);
    assert_int_equal(n, n_all);
    if (n > 0)
        assert_memory_equal(item, item_all, n * sizeof *item);
}

/* All but the tokens. */
static void assert_fields(const gb_corpus *c, const gb_corpus *all, uint64_t first, uint64_t last)
{
    assert_int_equal(c->n_docs, last - first);
    assert_same_texts(&c->vocabulary, &all->vocabulary);
    assert_int_equal(c->n_labels, all->n_labels);
    assert_int_equal(c->n_numbers, all->n_numbers);
    for (size_t f = 0; f < all->n_labels; f++) {
        assert_string_equal(c->labels[f].name, all->labels[f].name);
        assert_int_equal(c->labels[f].role, all->labels[f].role);
        assert_same_texts(&c->labels[f].classes, &all->labels[f].classes);
    }
    for (uint64_t d = first; d < last; d++)
        assert_same_values(c, d - first, all, d);
}

static void assert_documents(const gb_corpus *c, const gb_corpus *all, uint64_t first, uint64_t last)
{
    assert_fields(c, all, first, last);
    assert_int_equal(c->n_tokens, all->doc_start[last] - all->doc_start[first]);
    for (uint64_t d = first; d < last; d++)
        assert_same_tokens(c, d - first, all, d);
}

/* ---- cuts ---------------------------------------------------------------------------------------------- */

static void cuts_into_four_are_cuts_into_sixteen(void **unused)
{
    (void)unused;
    enum { N_TASKS = 200, N = N_TASKS * GB_DOCS_PER_TASK - 5 };
    uint64_t before[N_TASKS + 1] = {0}, four[5], sixteen[17];
    for (int i = 0; i < N_TASKS; i++)
        before[i + 1] = before[i] + 1000 + (uint64_t)(i * i % 700);
    gb_cut_documents_evenly(before, N, 4, four);
    gb_cut_documents_evenly(before, N, 16, sixteen);
    assert_int_equal(four[0], 0);
    assert_int_equal(four[4], N);
    for (int i = 0; i <= 4; i++)
        assert_int_equal(four[i], sixteen[4 * i]);
    for (int i = 0; i < 4; i++) {
        const uint64_t end = i == 3 ? N_TASKS : four[i + 1] / GB_DOCS_PER_TASK;
        const double tokens = (double)(before[end] - before[four[i] / GB_DOCS_PER_TASK]);
        assert_int_equal(four[i] % GB_DOCS_PER_TASK, 0);
        assert_true(fabs(tokens / ((double)before[N_TASKS] / 4) - 1) < 0.03); /* a task is 2 % of a quarter */
    }
}

static void every_run_has_a_task_even_if_one_document_has_nearly_all_tokens(void **unused)
{
    (void)unused;
    const uint64_t before[] = {0, 1, 2, 3, 1000000};
    uint64_t start[5];
    gb_cut_documents_evenly(before, 4 * GB_DOCS_PER_TASK, 4, start);
    for (uint64_t i = 0; i <= 4; i++)
        assert_int_equal(start[i], i * GB_DOCS_PER_TASK);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static gb_corpus *outline_of(const char *path)
{
    gb_corpus *c = NULL;
    OK(gb_outline_open(path, &c, NULL));
    assert_non_null(c->in_shards);
    return c;
}

static void assert_tokens(const gb_shard_tokens *tokens, const gb_corpus *all, uint64_t first, uint64_t last)
{
    const uint64_t n = all->doc_start[last] - all->doc_start[first];
    if (n > 0)
        assert_memory_equal(tokens->word, all->word + all->doc_start[first], n * sizeof *all->word);
}

static void the_tokens_of_any_run_of_documents_can_be_read(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t first, last;
        bool is_mapped;
    } run[] = {{0, N_DOCS, false}, {0, 0, false},     {N_DOCS, N_DOCS, false}, {0, 256, true},   {256, 512, true},
               {256, 700, false},  {100, 600, false}, {255, 257, false},       {699, 700, true}, {300, 301, true}};
    gb_corpus *all = sharded(), *c = outline_of("all.gbc");
    gb_shard_tokens tokens = {0};
    assert_int_equal(c->in_shards->n_shards, N_SHARDS);
    for (size_t i = 0; i < sizeof run / sizeof run[0]; i++) {
        OK(gb_shards_read(c, run[i].first, run[i].last, &tokens, NULL));
        assert_tokens(&tokens, all, run[i].first, run[i].last);
        assert_int_equal(tokens.shard != NULL, run[i].is_mapped);
        assert_int_equal(tokens.copy != NULL, !run[i].is_mapped && run[i].first < run[i].last);
        gb_shard_tokens_clear(&tokens);
    }
    gb_error err;
    assert_int_equal(gb_shards_read(c, 5, 701, &tokens, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "all.gbc: no documents 5 to 701, there are 700");
    assert_int_equal(gb_shards_read(c, 6, 5, &tokens, &err), GB_EARGUMENT);
    gb_corpus_free(c);
    gb_corpus_free(all);
}

static void an_outline_has_all_but_the_tokens(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded();
    char digits[2][GB_FINGERPRINT_SIZE];
    for (int i = 1; i <= N_SHARDS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "all-%d-of-3.gbc", i);
        assert_int_equal(unlink(path), 0);
    }
    gb_corpus *c = outline_of("all.gbc");
    assert_null(c->word);
    assert_int_equal(c->n_tokens, all->n_tokens);
    assert_memory_equal(c->doc_start, all->doc_start, (N_DOCS + 1) * sizeof *c->doc_start);
    assert_same_texts(&c->ids, &all->ids);
    assert_fields(c, all, 0, N_DOCS);
    for (uint32_t w = 0; w < all->n_words; w++) {
        uint64_t n = 0;
        for (uint64_t i = 0; i < all->n_tokens; i++)
            n += all->word[i] == w;
        assert_int_equal(c->in_shards->tokens_of_word[w], n);
    }
    OK(gb_corpus_fingerprint(c, digits[0], NULL));
    OK(gb_corpus_fingerprint(all, digits[1], NULL));
    assert_string_equal(digits[0], digits[1]);
    gb_corpus_free(c);
    gb_corpus_free(all);
}

static void what_needs_tokens_refuses_an_outline(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded(), *c = outline_of("all.gbc");
    gb_error err;
    uint64_t n;
    uint32_t word[8], count[8];
    assert_null(gb_corpus_tokens(c, 1, &n));
    assert_int_equal(n, 1);
    assert_int_equal(gb_corpus_counts(c, 1, word, count), 0);
    OK(gb_corpus_set_path(c, "all.gbc", NULL));
    assert_int_equal(gb_corpus_write(c, "x.gbc", true, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "all.gbc: was read for a training on several ranks, and has no tokens");
    assert_int_equal(gb_corpus_write_shards(c, "x.gbc", 2, true, &err), GB_EARGUMENT);
    gb_corpus_free(c);
    gb_corpus_free(all);
}

/* Trials and folds train on some documents of all shards. */
static void an_outline_is_split_like_its_corpus(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded(), *c = outline_of("all.gbc"), *part[2][2];
    bool is_held_out[N_DOCS];
    uint64_t *n_unknown[2];
    for (int d = 0; d < N_DOCS; d++)
        is_held_out[d] = d % 3 == 0;
    OK(gb_corpus_split(all, is_held_out, NULL, &part[0][0], &part[0][1], &n_unknown[0], NULL));
    OK(gb_corpus_split(c, is_held_out, NULL, &part[1][0], &part[1][1], &n_unknown[1], NULL));
    for (int i = 0; i < 2; i++) {
        assert_documents(part[1][i], part[0][i], 0, part[0][i]->n_docs);
        gb_corpus_free(part[0][i]);
        gb_corpus_free(part[1][i]);
        gb_free(n_unknown[i]);
    }
    gb_corpus_free(c);
    gb_corpus_free(all);
}

static void only_the_shards_that_are_needed_are_opened(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded(), *c = outline_of("all.gbc");
    gb_shard_tokens tokens = {0};
    gb_error err;
    assert_int_equal(unlink("all-1-of-3.gbc"), 0);
    assert_int_equal(unlink("all-3-of-3.gbc"), 0);
    OK(gb_shards_read(c, 300, 400, &tokens, NULL));
    assert_tokens(&tokens, all, 300, 400);
    gb_shard_tokens_clear(&tokens);
    assert_int_equal(gb_shards_read(c, 255, 257, &tokens, &err), GB_EIO);
    assert_string_equal(err.message, "all.gbc: shard 1 of 3: all-1-of-3.gbc: cannot open: No such file or directory");
    assert_null(tokens.word);
    gb_corpus_free(c);
    gb_corpus_free(all);
}

static void fields_of_a_sharded_corpus_can_be_chosen(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded();
    gb_corpus *c = corpus_of("all.gbc", "label", "mood", NULL);
    assert_int_equal(c->n_labels, 2); /* and the group */
    assert_string_equal(c->labels[0].name, "mood");
    assert_int_equal(c->n_numbers, 0);
    assert_same_texts(&c->ids, &all->ids);
    gb_corpus_free(c);
    gb_corpus_free(all);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static void names_of_shards_sort_in_their_order(void **unused)
{
    (void)unused;
    static const char *const name[][2] = {
        {"all.gbc", "all-03-of-12.gbc"}, {"a.b/all", "a.b/all-03-of-12"}, {".gbc", ".gbc-03-of-12"}};
    char *path = NULL;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        OK(gb_corpus_shard_path(name[i][0], 2, 12, &path, NULL));
        assert_string_equal(path, name[i][1]);
        gb_free(path);
    }
    assert_int_equal(gb_corpus_shard_path("a", 12, 12, &path, NULL), GB_EARGUMENT);
}

static void a_manifest_says_which_files_it_has(void **unused)
{
    (void)unused;
    char *list = NULL;
    gb_corpus *all = whole();
    OK(gb_corpus_write_shards(all, "listed.gbc", 2, true, NULL));
    OK(gb_corpus_shards_of("listed.gbc", &list, NULL));
    assert_memory_equal(list, "listed-1-of-2.gbc\0listed-2-of-2.gbc\0",
                        sizeof "listed-1-of-2.gbc\0listed-2-of-2.gbc\0");
    gb_free(list);
    OK(gb_corpus_shards_of("listed-1-of-2.gbc", &list, NULL)); /* no manifest */
    assert_string_equal(list, "");
    gb_free(list);
    gb_corpus_free(all);
}

static void nothing_is_written_if_one_file_cannot_be(void **unused)
{
    (void)unused;
    gb_corpus *all = whole();
    gb_error err;
    for (size_t i = 1; i <= 3; i++)
        (void)unlink((const char *[]){"all.gbc", "all-1-of-3.gbc", "all-2-of-3.gbc", "all-3-of-3.gbc"}[i]);
    (void)unlink("all.gbc");
    write_file("all-2-of-3.gbc", "mine");
    const size_t n_files = count_files();
    assert_int_equal(gb_corpus_write_shards(all, "all.gbc", N_SHARDS, false, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "all-2-of-3.gbc: exists already; give `force` to overwrite it");
    assert_int_equal(count_files(), n_files);
    assert_int_equal(gb_corpus_write_shards(all, "all.gbc", 4, false, &err), GB_EARGUMENT);
    assert_int_equal(gb_corpus_write_shards(all, "all.gbc", 0, false, &err), GB_EARGUMENT);
    assert_int_equal(gb_corpus_write_shards(all, "all.gbc", UINT64_MAX, false, &err), GB_EARGUMENT);
    assert_int_equal(count_files(), n_files);
    assert_int_equal(unlink("all-2-of-3.gbc"), 0);
    gb_corpus_free(all);
}

/* ---- damage -------------------------------------------------------------------------------------------- */

static void assert_refused(const char *message)
{
    gb_corpus *c = NULL;
    gb_error err = {0};
    assert_int_equal(gb_corpus_open("all.gbc", &c, &err), GB_EFORMAT);
    assert_null(c);
    if (message != NULL)
        assert_string_equal(err.message, message);
}

static void every_flipped_byte_is_refused(const char *path, long step)
{
    struct stat info;
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    assert_int_equal(stat(path, &info), 0);
    for (long i = 0; i < info.st_size; i += step) {
        (void)fseek(f, i, SEEK_SET);
        const int byte = fgetc(f);
        (void)fseek(f, i, SEEK_SET);
        (void)fputc(byte ^ 0xff, f);
        assert_refused(NULL);
        (void)fseek(f, i, SEEK_SET);
        (void)fputc(byte, f);
    }
    (void)fclose(f);
}

static void every_flipped_byte_of_manifest_or_shard_is_refused(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded(), *c = NULL;
    every_flipped_byte_is_refused("all.gbc", 11);
    every_flipped_byte_is_refused("all-2-of-3.gbc", 41);
    OK(gb_corpus_open("all.gbc", &c, NULL));
    gb_corpus_free(c);
    gb_corpus_free(all);
}

static void cut_files_are_refused(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded();
    cut_file("all-3-of-3.gbc", 1);
    assert_refused(NULL);
    OK(gb_corpus_write_shards(all, "all.gbc", N_SHARDS, true, NULL));
    cut_file("all.gbc", 1);
    assert_refused(NULL);
    gb_corpus_free(all);
}

/* A write that was cut off between two renames: one shard is new, and its counts are those of the old one. */
static void a_shard_of_another_import_is_refused(void **unused)
{
    (void)unused;
    gb_corpus *all = sharded();
    char before[256], message[512];
    gb_corpus *c = outline_of("all.gbc");
    gb_error err;
    (void)snprintf(before, sizeof before, "%s", c->in_shards->shard[0].fingerprint);
    gb_corpus_free(c);
    json_object_set_new(all->source, "another", json_true());
    OK(gb_corpus_write_shards(all, "new.gbc", N_SHARDS, true, NULL));
    c = outline_of("new.gbc");
    (void)snprintf(message, sizeof message,
                   "all.gbc: shard 1 of 3: all-1-of-3.gbc has the fingerprint %s, expected %s",
                   c->in_shards->shard[0].fingerprint, before);
    gb_corpus_free(c);
    c = NULL;
    assert_int_equal(rename("new-1-of-3.gbc", "all-1-of-3.gbc"), 0);
    assert_int_equal(gb_corpus_open("all.gbc", &c, &err), GB_EFORMAT);
    assert_string_equal(err.message, message);
    gb_corpus_free(all);
}

/* Every state in which the renames of a second import can stop. */
static void an_import_that_is_cut_off_is_refused_until_its_manifest_is_there(void **unused)
{
    (void)unused;
    static const char *const file[][2] = {{"new-1-of-3.gbc", "all-1-of-3.gbc"},
                                          {"new-2-of-3.gbc", "all-2-of-3.gbc"},
                                          {"new-3-of-3.gbc", "all-3-of-3.gbc"}};
    gb_corpus *all = sharded(), *c = NULL;
    json_object_set_new(all->source, "another", json_true());
    OK(gb_corpus_write_shards(all, "new.gbc", N_SHARDS, true, NULL));
    for (size_t i = 0; i < N_SHARDS; i++) {
        assert_int_equal(rename(file[i][0], file[i][1]), 0);
        assert_refused(NULL);
    }
    OK(gb_corpus_write_shards(all, "all.gbc", N_SHARDS, true, NULL)); /* and again */
    OK(gb_corpus_open("all.gbc", &c, NULL));
    assert_documents(c, all, 0, N_DOCS);
    gb_corpus_free(c);
    gb_corpus_free(all);
}

typedef struct true_manifest {
    gb_corpus *all;
    char list[600], fingerprint[GB_FINGERPRINT_SIZE];
    uint64_t n_words, of_word[16], n_digests;
    uint32_t digest[N_DOCS];
} true_manifest;

/* With a valid checksum. */
static void write_manifest(const true_manifest *t, const gb_corpus *outline, const char *list)
{
    gb_store_writer *w = NULL;
    OK(gb_store_create(&w, "shards", NULL));
    OK(gb_store_text(w, "shards", list, NULL));
    OK(gb_store_text(w, "words_fingerprint", t->fingerprint, NULL));
    OK(gb_corpus_put_outline(w, outline, NULL));
    OK(gb_store_array(w, "tokens_of_word", GB_U64, 1, &t->n_words, t->of_word, NULL));
    OK(gb_store_array(w, "document_digest", GB_U32, 1, &t->n_digests, t->digest, NULL));
    OK(gb_store_save(w, "all.gbc", true, NULL));
    gb_store_writer_free(w);
}

static true_manifest take_manifest(void)
{
    true_manifest t = {.all = sharded()};
    gb_corpus *c = outline_of("all.gbc");
    const gb_shards *s = c->in_shards;
    char *at = t.list;
    for (size_t i = 0; i < s->n_shards; i++)
        at += snprintf(at, sizeof t.list - (size_t)(at - t.list),
                       "%s{\"file\":\"%s\",\"documents\":%llu,\"tokens\":%llu,\"fingerprint\":\"%s\"}",
                       i == 0 ? "[" : ",", s->shard[i].file, (unsigned long long)s->shard[i].n_docs,
                       (unsigned long long)s->shard[i].n_tokens, s->shard[i].fingerprint);
    (void)strcat(t.list, "]");
    t.n_words = c->n_words;
    memcpy(t.of_word, s->tokens_of_word, t.n_words * sizeof *t.of_word);
    memcpy(t.fingerprint, s->words_fingerprint, sizeof t.fingerprint);
    t.n_digests = c->n_docs;
    memcpy(t.digest, s->document_digest, sizeof t.digest);
    gb_corpus_free(c);
    return t;
}

/* The list with `from` written as `to`, once. */
static void refuse_list(const true_manifest *t, const char *from, const char *to, const char *message)
{
    char list[1200];
    const char *at = strstr(t->list, from);
    assert_non_null(at);
    (void)snprintf(list, sizeof list, "%.*s%s%s", (int)(at - t->list), t->list, to, at + strlen(from));
    write_manifest(t, t->all, list);
    assert_refused(message);
}

static void a_manifest_that_lies_is_refused(void **unused)
{
    (void)unused;
    true_manifest t = take_manifest();
    gb_corpus *c = NULL;
    write_manifest(&t, t.all, t.list);
    OK(gb_corpus_open("all.gbc", &c, NULL));
    assert_documents(c, t.all, 0, N_DOCS);
    gb_corpus_free(c);
    static const char bad_entry[] =
        "all.gbc: text \"shards\": entry 2 should be a new file, a multiple of 256 documents "
        "(the last: any), tokens, and a fingerprint";
    refuse_list(&t, "all-2-of-3", "../all-2-of-3", bad_entry);
    refuse_list(&t, "all-2-of-3", "all-1-of-3", bad_entry);
    refuse_list(&t, "\"all-2-of-3.gbc\"", "\"..\"", bad_entry);
    refuse_list(&t, "\"all-2-of-3.gbc\"", "7", bad_entry);
    refuse_list(&t, "256,\"tokens\"", "255,\"tokens\"",
                bad_entry); /* the first: so the second does not begin at a task */
    refuse_list(&t, "256,\"tokens\"", "-256,\"tokens\"", NULL);
    refuse_list(&t, "256,\"tokens\"", "9223372036854775552,\"tokens\"", NULL); /* more than there is memory */
    refuse_list(&t, "\"documents\":256", "\"documents\":512", NULL);
    refuse_list(&t, "256,\"tokens\":", "256,\"tokens\":1",
                "all.gbc: text \"shards\" does not go with the array \"doc_start\"");
    refuse_list(&t, "\"fingerprint\":\"", "\"fingerprint\":\"0", NULL);
    refuse_list(&t, t.list, "[]", "all.gbc: text \"shards\" should be a list of 1 to 512");
    refuse_list(&t, t.list, "{}", "all.gbc: text \"shards\" should be a list of 1 to 512");
    refuse_list(&t, t.list, "[1", NULL);
    gb_corpus_free(t.all);
}

static void counts_of_a_manifest_that_lie_are_refused(void **unused)
{
    (void)unused;
    true_manifest t = take_manifest();
    t.of_word[0]++;
    write_manifest(&t, t.all, t.list);
    assert_refused(NULL); /* does not add up */
    t.of_word[1]--;
    write_manifest(&t, t.all, t.list);
    assert_refused("all.gbc: array \"tokens_of_word\": word 2 occurs more often than that");
    t.of_word[0]--;
    t.of_word[1]++;
    t.n_words--;
    write_manifest(&t, t.all, t.list);
    assert_refused("all.gbc: array \"tokens_of_word\" has 5 entries, expected 6");
    t.n_words++;
    t.n_digests--;
    write_manifest(&t, t.all, t.list);
    assert_refused("all.gbc: array \"document_digest\" has 699 entries, expected 700");
    t.n_digests++;
    t.fingerprint[5] = t.fingerprint[5] == '0' ? '1' : '0';
    write_manifest(&t, t.all, t.list);
    assert_refused(NULL);
    t.fingerprint[5] = '\0';
    write_manifest(&t, t.all, t.list);
    assert_refused("all.gbc: text \"words_fingerprint\" should have 32 digits");
    gb_corpus_free(t.all);
}

/* Tokens are found by what the manifest says of documents' lengths. */
static void lengths_of_documents_that_lie_are_refused(void **unused)
{
    (void)unused;
    true_manifest t = take_manifest();
    uint64_t start[N_DOCS + 1];
    gb_corpus lying = *t.all;
    memcpy(start, t.all->doc_start, sizeof start);
    lying.doc_start = start;
    start[100]++;
    write_manifest(&t, &lying, t.list);
    assert_refused("all.gbc: shard 1 of 3: all-1-of-3.gbc has documents of other lengths than the manifest says");
    start[100]--;
    start[256]++;
    write_manifest(&t, &lying, t.list);
    assert_refused("all.gbc: text \"shards\" does not go with the array \"doc_start\"");
    start[256]--;
    start[N_DOCS]++;
    write_manifest(&t, &lying, t.list);
    assert_refused("all.gbc: text \"shards\" does not go with the array \"doc_start\"");
    gb_corpus_free(t.all);
}

/* ---- several inputs ------------------------------------------------------------------------------------ */

static void several_inputs_are_one_corpus(void **unused)
{
    (void)unused;
    static const char *const path[] = {"a.csv", "b.csv", "c.gbc"};
    gb_corpus *all = whole(), *c = NULL;
    write_documents("a.csv", 0, 3);
    write_documents("b.csv", 3, 300);
    write_documents("c.csv", 300, N_DOCS);
    gb_corpus *part = corpus_of("c.csv", "label", "mood", "labels", "tags", "target", "stars", "group", "year", NULL);
    OK(gb_corpus_write(part, "c.gbc", true, NULL));
    gb_corpus_free(part);
    gb_settings *s = settings_of("label", "mood", "labels", "tags", "target", "stars", "group", "year", NULL);
    OK(gb_corpus_read_several(3, path, s, NULL, NULL, &c, NULL));
    assert_documents(c, all, 0, N_DOCS);
    assert_true(json_equal(c->preparation, all->preparation));
    gb_corpus_free(c);
    gb_corpus_free(all);
    gb_settings_free(s);
}

static void words_without_names_keep_the_order_of_their_numbers(void **unused)
{
    (void)unused;
    static const char *const path[] = {"a.svmlight", "b.svmlight"};
    gb_settings *s = settings_of(NULL);
    gb_corpus *c = NULL;
    write_file("a.svmlight", "1 10:2 11:1\n");
    write_file("b.svmlight", "2 9:1 100:1\n");
    OK(gb_corpus_read_several(2, path, s, NULL, NULL, &c, NULL));
    assert_string_equal(vocabulary_of(c), "9 10 11 100");
    assert_string_equal(words_of(c, 1), "9 100");
    gb_corpus_free(c);
    gb_settings_free(s);
}

static void words_in_another_order_are_numbered_as_they_appear(void **unused)
{
    (void)unused;
    static const char *const path[] = {"a.svmlight", "b.svmlight"};
    gb_settings *s = settings_of("vocabulary", "words", NULL);
    gb_corpus *c = NULL;
    write_file("words", "oak\nelm\nash\n");
    write_file("a.svmlight", "1 1:1 3:1\n");
    write_file("b.svmlight", "2 2:1 3:1\n");
    OK(gb_corpus_read_several(2, path, s, NULL, NULL, &c, NULL));
    assert_string_equal(vocabulary_of(c), "oak ash elm");
    assert_string_equal(words_of(c, 1), "elm ash");
    gb_corpus_free(c);
    gb_settings_free(s);
}

typedef struct asked {
    uint64_t n_docs;
    bool is_stopped;
} asked;

static bool stop_at_the_second_input(const gb_read_progress *progress, void *user)
{
    asked *a = user;
    assert_false(a->is_stopped); /* never called again */
    assert_true(progress->n_docs >= a->n_docs);
    a->n_docs = progress->n_docs;
    a->is_stopped = progress->n_docs == 500;
    return !a->is_stopped;
}

/* The second input is a pipe that has nothing to read. */
static void documents_of_all_inputs_are_counted_until_the_caller_stops(void **unused)
{
    (void)unused;
    static const char *const path[] = {"a.csv", "pipe.csv"};
    gb_settings *s = settings_of("label", "mood", NULL);
    gb_corpus *c = NULL;
    gb_error err;
    asked a = {0};
    write_documents("a.csv", 0, 500);
    assert_int_equal(mkfifo("pipe.csv", 0600), 0);
    const int pipe = open("pipe.csv", O_RDWR | O_CLOEXEC);
    assert_true(pipe >= 0);
    assert_int_equal(gb_corpus_read_several(2, path, s, stop_at_the_second_input, &a, &c, &err), GB_ESTOP);
    assert_true(a.is_stopped);
    assert_null(c);
    (void)close(pipe);
    (void)unlink("pipe.csv");
    gb_settings_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_into_four_are_cuts_into_sixteen),
        cmocka_unit_test(every_run_has_a_task_even_if_one_document_has_nearly_all_tokens),
        cmocka_unit_test(the_tokens_of_any_run_of_documents_can_be_read),
        cmocka_unit_test(an_outline_has_all_but_the_tokens),
        cmocka_unit_test(what_needs_tokens_refuses_an_outline),
        cmocka_unit_test(an_outline_is_split_like_its_corpus),
        cmocka_unit_test(only_the_shards_that_are_needed_are_opened),
        cmocka_unit_test(fields_of_a_sharded_corpus_can_be_chosen),
        cmocka_unit_test(names_of_shards_sort_in_their_order),
        cmocka_unit_test(a_manifest_says_which_files_it_has),
        cmocka_unit_test(nothing_is_written_if_one_file_cannot_be),
        cmocka_unit_test(every_flipped_byte_of_manifest_or_shard_is_refused),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(a_shard_of_another_import_is_refused),
        cmocka_unit_test(an_import_that_is_cut_off_is_refused_until_its_manifest_is_there),
        cmocka_unit_test(a_manifest_that_lies_is_refused),
        cmocka_unit_test(counts_of_a_manifest_that_lie_are_refused),
        cmocka_unit_test(lengths_of_documents_that_lie_are_refused),
        cmocka_unit_test(several_inputs_are_one_corpus),
        cmocka_unit_test(words_without_names_keep_the_order_of_their_numbers),
        cmocka_unit_test(words_in_another_order_are_numbered_as_they_appear),
        cmocka_unit_test(documents_of_all_inputs_are_counted_until_the_caller_stops),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
