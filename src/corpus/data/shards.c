/* corpus/data/shards.c - documents of a corpus in several files.
 *
 * Nothing is trusted: what the manifest says is checked against its own arrays when it is opened, and against the shards when
 * they are.  Memory is taken for what lies in the files, not for what they claim. */
#include "corpus/data/shards.h"

#include "base/memory.h"
#include "corpus/data/corpus_file.h"
#include "corpus/data/cut.h"
#include "corpus/data/join.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool gb_is_manifest(const char *path)
{
    return gb_store_is(path, "shards");
}

gb_status gb_manifest_place(const char *path, char **out, gb_error *err)
{
    struct stat info;
    char resolved[PATH_MAX];
    const bool is_link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && realpath(path, resolved) != NULL;
    const char *place = is_link ? resolved : path;
    return gb_copy_text(out, place, strlen(place), err);
}

/* ---- the list of shards -------------------------------------------------------------------------------- */

/* A file in the folder of the manifest, and nowhere else. */
static bool is_file_name(const json_t *value)
{
    const char *name = json_string_value(value);
    return name != NULL && *name != '\0' && gb_text_fault(name, json_string_length(value)) == NULL &&
           strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static bool read_count(const json_t *entry, const char *name, uint64_t *out)
{
    const json_t *value = json_object_get(entry, name);
    *out = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

/* Entry i of the list; the documents of those before it are counted in n_docs and n_tokens. */
static gb_status read_shard(gb_shards *s, const json_t *entry, size_t i, gb_error *err)
{
    gb_shard *shard = &s->shard[i];
    const json_t *file = json_object_get(entry, "file");
    const json_t *fingerprint = json_object_get(entry, "fingerprint");
    bool ok = is_file_name(file) && json_string_length(fingerprint) == GB_STORE_CHECKSUM_SIZE - 1 &&
              read_count(entry, "documents", &shard->n_docs) && read_count(entry, "tokens", &shard->n_tokens);
    for (size_t j = 0; ok && j < i; j++)
        ok = strcmp(s->shard[j].file, json_string_value(file)) != 0;
    shard->first_doc = s->n_docs;
    ok = ok && shard->n_docs > 0 && shard->first_doc % GB_DOCS_PER_TASK == 0 &&
         !__builtin_add_overflow(s->n_docs, shard->n_docs, &s->n_docs) &&
         !__builtin_add_overflow(s->n_tokens, shard->n_tokens, &s->n_tokens);
    if (!ok)
        return gb_fail(
            err, GB_EFORMAT,
            "%s: text \"shards\": entry %zu should be a new file, a multiple of %d documents (the last: any), "
            "tokens, and a fingerprint",
            s->path, i + 1, GB_DOCS_PER_TASK);
    memcpy(shard->fingerprint, json_string_value(fingerprint), GB_STORE_CHECKSUM_SIZE);
    return gb_copy_text(&shard->file, json_string_value(file), json_string_length(file), err);
}

static gb_status read_list(gb_shards *s, const gb_store *store, gb_error *err)
{
    gb_status st;
    json_t *list = NULL;
    GB_TRY(gb_get_json(store, "shards", &list, err));
    const size_t n = json_array_size(list);
    if (n < 1 || n > GB_MOST_SHARDS) {
        st = gb_fail(err, GB_EFORMAT, "%s: text \"shards\" should be a list of 1 to %d", s->path, GB_MOST_SHARDS);
        goto done;
    }
    GB_TRY(gb_alloc(&s->shard, n, sizeof *s->shard, "shards", err));
    s->n_shards = n;
    for (size_t i = 0; i < n; i++)
        GB_TRY(read_shard(s, json_array_get(list, i), i, err));
done:
    json_decref(list);
    return st;
}

/* ---- counts of the whole corpus ------------------------------------------------------------------------ */

static gb_status get_counts(const gb_shards *s, const gb_store *store, const char *name, uint64_t wanted,
                            const uint64_t **out, gb_error *err)
{
    uint64_t length;
    const void *data;
    const gb_status st = gb_store_get_array(store, name, GB_U64, 1, &length, &data, err);
    if (st != GB_OK)
        return st;
    if (length != wanted)
        return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" has %" PRIu64 " entries, expected %" PRIu64, s->path, name,
                       length, wanted);
    *out = data;
    return GB_OK;
}

static bool words_add_up(const gb_shards *s)
{
    uint64_t sum = 0;
    for (uint64_t w = 0; w < s->frame->n_words; w++)
        if (__builtin_add_overflow(sum, s->tokens_of_word[w], &sum))
            return false;
    return sum == s->n_tokens;
}

/* From 0 to all tokens without falling, and at the beginning of a shard the tokens of those before it. */
static bool tasks_add_up(const gb_shards *s)
{
    const uint64_t n = gb_n_tasks(s->n_docs);
    uint64_t before = 0;
    for (uint64_t task = 0; task < n; task++)
        if (s->tokens_before[task + 1] < s->tokens_before[task])
            return false;
    for (size_t i = 0; i < s->n_shards; i++) {
        if (s->tokens_before[s->shard[i].first_doc / GB_DOCS_PER_TASK] != before)
            return false;
        before += s->shard[i].n_tokens;
    }
    return s->tokens_before[n] == before;
}

static gb_status read_counts(gb_shards *s, const gb_store *store, gb_error *err)
{
    gb_status st;
    GB_TRY(get_counts(s, store, "tokens_of_word", s->frame->n_words, &s->tokens_of_word, err));
    GB_TRY(get_counts(s, store, "tokens_before", gb_n_tasks(s->n_docs) + 1, &s->tokens_before, err));
    if (!words_add_up(s))
        return gb_fail(err, GB_EFORMAT,
                       "%s: array \"tokens_of_word\" does not add up to the %" PRIu64 " tokens of the shards",
                       s->path, s->n_tokens);
    if (!tasks_add_up(s))
        return gb_fail(err, GB_EFORMAT, "%s: array \"tokens_before\" does not go with the tokens of the shards",
                       s->path);
done:
    return st;
}

gb_status gb_shards_open(gb_shards **out, const char *path, gb_error *err)
{
    gb_status st;
    gb_store *store = NULL;
    gb_shards *s = NULL;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "shards", err));
    GB_TRY(gb_copy_text(&s->path, path, strlen(path), err));
    GB_TRY(gb_store_open(&store, path, "shards", err));
    GB_TRY(gb_corpus_of_store(store, &s->frame, err));
    if (s->frame->n_docs > 0) {
        st = gb_fail(err, GB_EFORMAT, "%s: documents in a manifest, expected them in the shards", path);
        goto done;
    }
    s->fingerprint = gb_store_checksum(store);
    GB_TRY(read_list(s, store, err));
    GB_TRY(read_counts(s, store, err));
    *out = s;
    s = NULL;
done:
    gb_shards_free(s);
    return st;
}

void gb_shards_free(gb_shards *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n_shards; i++)
        gb_free(s->shard[i].file);
    gb_free(s->shard);
    gb_corpus_free(s->frame);
    gb_free(s->path);
    gb_free(s);
}

/* ---- a shard and its manifest -------------------------------------------------------------------------- */

static bool same_texts(const gb_texts *a, const gb_texts *b)
{
    return a->count == b->count && memcmp(a->start, b->start, (a->count + 1) * sizeof a->start[0]) == 0 &&
           memcmp(a->bytes, b->bytes, a->start[a->count]) == 0;
}

static bool same_labels(const gb_labels *a, const gb_labels *b)
{
    return strcmp(a->name, b->name) == 0 && a->role == b->role && a->several == b->several &&
           same_texts(&a->classes, &b->classes);
}

/* The first field that differs, or NULL. */
static const char *other_field(const gb_corpus *whole, const gb_corpus *c)
{
    for (size_t i = 0; i < whole->n_labels; i++)
        if (i >= c->n_labels || !same_labels(&whole->labels[i], &c->labels[i]))
            return whole->labels[i].name;
    for (size_t i = 0; i < whole->n_numbers; i++)
        if (i >= c->n_numbers || strcmp(whole->numbers[i].name, c->numbers[i].name) != 0 ||
            whole->numbers[i].role != c->numbers[i].role)
            return whole->numbers[i].name;
    return c->n_labels > whole->n_labels     ? c->labels[whole->n_labels].name
           : c->n_numbers > whole->n_numbers ? c->numbers[whole->n_numbers].name
                                             : NULL;
}

static bool same_tasks(const gb_shards *s, const gb_shard *shard, const gb_corpus *c)
{
    const uint64_t *before = s->tokens_before + shard->first_doc / GB_DOCS_PER_TASK;
    for (uint64_t task = 0; task < gb_n_tasks(c->n_docs); task++)
        if (c->doc_start[task * GB_DOCS_PER_TASK] != before[task] - before[0])
            return false;
    return true;
}

/* What differs most plainly is said first. */
static gb_status check_shard(const gb_shards *s, const gb_shard *shard, const gb_corpus *c, gb_error *err)
{
    const char *field = other_field(s->frame, c), *fingerprint = gb_store_checksum(c->owner);
    if (!same_texts(&s->frame->vocabulary, &c->vocabulary))
        return gb_fail(err, GB_EFORMAT,
                       "has another vocabulary than the manifest (%" PRIu64 " words, expected %" PRIu64 ")",
                       c->n_words, s->frame->n_words);
    if (field != NULL)
        return gb_fail(err, GB_EFORMAT, "the field \"%s\" is not as in the manifest", field);
    if (c->n_docs != shard->n_docs || c->n_tokens != shard->n_tokens)
        return gb_fail(err, GB_EFORMAT,
                       "has %" PRIu64 " documents and %" PRIu64 " tokens, expected %" PRIu64 " and %" PRIu64,
                       c->n_docs, c->n_tokens, shard->n_docs, shard->n_tokens);
    if (strcmp(fingerprint, shard->fingerprint) != 0)
        return gb_fail(err, GB_EFORMAT, "has the fingerprint %s, expected %s", fingerprint, shard->fingerprint);
    if (!same_tasks(s, shard, c) || !json_equal(c->preparation, s->frame->preparation))
        return gb_fail(err, GB_EFORMAT, "does not go with the manifest");
    return GB_OK;
}

static gb_status open_shard(const gb_shards *s, size_t i, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    gb_error why = {0};
    char *place = NULL, *path = NULL;
    const gb_shard *shard = &s->shard[i];
    GB_TRY(gb_manifest_place(s->path, &place, err));
    const char *slash = strrchr(place, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - place) + 1, length = strlen(shard->file);
    GB_TRY(gb_alloc(&path, folder + length + 1, 1, "a file name", err));
    memcpy(path, place, folder);
    memcpy(path + folder, shard->file, length);
    st = gb_corpus_open_file(path, &c, &why);
    if (st != GB_OK)
        st = gb_fail(err, st, "%s: shard %zu of %zu: %s", s->path, i + 1, s->n_shards, why.message);
    else if ((st = check_shard(s, shard, c, &why)) != GB_OK)
        st = gb_fail(err, st, "%s: shard %zu of %zu: %s %s", s->path, i + 1, s->n_shards, path, why.message);
    if (st != GB_OK)
        goto done;
    *out = c;
    c = NULL;
done:
    gb_corpus_free(c);
    gb_free(place);
    gb_free(path);
    return st;
}

/* ---- documents ----------------------------------------------------------------------------------------- */

/* Documents that are being collected, shard after shard. */
typedef struct collecting {
    const gb_shards *shards;
    gb_join *join;
    uint64_t *n_of_word; /* in the documents so far */
    gb_corpus *whole;    /* a shard of which all documents are wanted, and no others: it stays mapped */
} collecting;

/* No word may occur more often than in the whole corpus; with all documents, so each occurs exactly as often. */
static gb_status count_words(collecting *k, const gb_corpus *c, uint64_t first, uint64_t last, gb_error *err)
{
    const gb_shards *s = k->shards;
    for (uint64_t i = c->doc_start[first]; i < c->doc_start[last]; i++)
        k->n_of_word[c->word[i]]++;
    for (uint64_t w = 0; w < s->frame->n_words; w++)
        if (k->n_of_word[w] > s->tokens_of_word[w])
            return gb_fail(err, GB_EFORMAT,
                           "%s: array \"tokens_of_word\": word %" PRIu64 " occurs more often than that", s->path,
                           w + 1);
    return GB_OK;
}

/* Its notes become those of the whole corpus. */
static gb_status keep_mapped(collecting *k, gb_corpus *shard, gb_error *err)
{
    json_t *source = json_deep_copy(k->shards->frame->source);
    if (source == NULL)
        return gb_fail_memory(err, 0, "notes");
    json_decref(shard->source);
    shard->source = source;
    k->whole = shard;
    return GB_OK;
}

/* Take what shard i has of documents first..last-1; it has some. */
static gb_status collect(collecting *k, size_t i, uint64_t first, uint64_t last, gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    const gb_shard *shard = &k->shards->shard[i];
    const uint64_t begin = shard->first_doc, end = begin + shard->n_docs;
    const uint64_t from = first > begin ? first - begin : 0, to = (last < end ? last : end) - begin;
    GB_TRY(open_shard(k->shards, i, &c, err));
    GB_TRY(count_words(k, c, from, to, err));
    if (first == begin && last == end) {
        GB_TRY(keep_mapped(k, c, err));
        c = NULL;
    } else
        GB_TRY(gb_join_add(k->join, c, from, to, err));
done:
    gb_corpus_free(c);
    return st;
}

/* One shard after the other is open, so that the pages of the others need no memory. */
gb_status gb_shards_documents(const gb_shards *s, uint64_t first, uint64_t last, gb_corpus **out, gb_error *err)
{
    gb_status st;
    collecting k = {.shards = s};
    if (first > last || last > s->n_docs)
        return gb_fail(err, GB_EARGUMENT, "%s: no documents %" PRIu64 " to %" PRIu64 ", there are %" PRIu64, s->path,
                       first, last, s->n_docs);
    GB_TRY(gb_alloc(&k.n_of_word, s->frame->n_words, sizeof *k.n_of_word, "counts of words", err));
    GB_TRY(gb_join_create(&k.join, s->frame, err));
    for (size_t i = 0; i < s->n_shards; i++)
        if (first < last && first < s->shard[i].first_doc + s->shard[i].n_docs && last > s->shard[i].first_doc)
            GB_TRY(collect(&k, i, first, last, err));
    *out = k.whole != NULL ? k.whole : gb_join_finish(k.join);
    if (k.whole == NULL)
        k.join = NULL;
done:
    gb_join_free(k.join);
    gb_free(k.n_of_word);
    return st;
}

/* ---- all documents ------------------------------------------------------------------------------------- */

static json_t *describe(const gb_shards *s)
{
    json_t *object = json_object();
    bool failed = object == NULL;
    for (size_t i = 0; i < s->n_shards && !failed; i++) {
        const gb_shard *shard = &s->shard[i];
        failed = json_object_set_new(object, shard->file,
                                     json_pack("{s:I, s:I, s:s}", "documents", (json_int_t)shard->n_docs, "tokens",
                                               (json_int_t)shard->n_tokens, "fingerprint", shard->fingerprint)) != 0;
    }
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

gb_status gb_corpus_open(const char *path, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_shards *s = NULL;
    gb_corpus *c = NULL;
    if (!gb_is_manifest(path))
        return gb_corpus_open_file(path, out, err);
    GB_TRY(gb_shards_open(&s, path, err));
    GB_TRY(gb_shards_documents(s, 0, s->n_docs, &c, err));
    c->shards = describe(s);
    if (c->shards == NULL) {
        st = gb_fail_memory(err, 0, "notes");
        goto done;
    }
    *out = c;
    c = NULL;
done:
    gb_corpus_free(c);
    gb_shards_free(s);
    return st;
}
