/* corpus/data/shards.c - a corpus in several files.
 *
 * Nothing is trusted: what the manifest says is checked against its own arrays when it is opened, and against the shards when
 * they are.  Memory is taken for what lies in the files, not for what they claim. */
#include "corpus/data/shards.h"

#include "base/memory.h"
#include "base/system.h"
#include "corpus/data/corpus_file.h"
#include "corpus/data/cut.h"
#include "corpus/data/fingerprint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool gb_is_manifest(const char *path)
{
    return gb_store_is(path, "shards");
}

gb_status gb_manifest_place(const char *path, char **out, gb_error *err)
{
    gb_path_info info;
    char resolved[GB_PATH_ROOM];
    const bool is_link =
        gb_path_look(path, false, &info) && info.kind == GB_IS_LINK && gb_path_resolve(path, resolved);
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

/* ---- the manifest -------------------------------------------------------------------------------------- */

/* How often each word occurs; together as often as there are tokens. */
static gb_status read_counts(gb_shards *s, const gb_corpus *c, gb_error *err)
{
    gb_status st;
    uint64_t length, sum = 0;
    const void *data;
    GB_TRY(gb_store_get_array(c->owner, "tokens_of_word", GB_U64, 1, &length, &data, err));
    s->tokens_of_word = data;
    if (length != c->n_words)
        return gb_fail(err, GB_EFORMAT, "%s: array \"tokens_of_word\" has %" PRIu64 " entries, expected %" PRIu64,
                       s->path, length, c->n_words);
    bool ok = true;
    for (uint64_t w = 0; w < c->n_words && ok; w++)
        ok = !__builtin_add_overflow(sum, s->tokens_of_word[w], &sum);
    if (!ok || sum != c->n_tokens)
        st = gb_fail(err, GB_EFORMAT,
                     "%s: array \"tokens_of_word\" does not add up to the %" PRIu64 " tokens of the documents",
                     s->path, c->n_tokens);
done:
    return st;
}

static gb_status read_digests(gb_shards *s, const gb_corpus *c, gb_error *err)
{
    uint64_t length;
    const void *data;
    const gb_status st = gb_store_get_array(c->owner, "document_digest", GB_U32, 1, &length, &data, err);
    if (st != GB_OK)
        return st;
    s->document_digest = data;
    if (length != c->n_docs)
        return gb_fail(err, GB_EFORMAT, "%s: array \"document_digest\" has %" PRIu64 " entries, expected %" PRIu64,
                       s->path, length, c->n_docs);
    return GB_OK;
}

/* The shards have the documents of the manifest and their tokens. */
static gb_status check_list(const gb_shards *s, const gb_corpus *c, gb_error *err)
{
    bool ok = s->n_docs == c->n_docs;
    for (size_t i = 0; i < s->n_shards && ok; i++) {
        const gb_shard *shard = &s->shard[i];
        ok = c->doc_start[shard->first_doc + shard->n_docs] - c->doc_start[shard->first_doc] == shard->n_tokens;
    }
    return ok ? GB_OK
              : gb_fail(err, GB_EFORMAT, "%s: text \"shards\" does not go with the array \"doc_start\"", s->path);
}

static gb_status read_fingerprint(gb_shards *s, const gb_store *store, gb_error *err)
{
    const char *digits;
    const gb_status st = gb_store_get_text(store, "words_fingerprint", &digits, err);
    if (st != GB_OK)
        return st;
    if (strlen(digits) != GB_FINGERPRINT_SIZE - 1)
        return gb_fail(err, GB_EFORMAT, "%s: text \"words_fingerprint\" should have %d digits", s->path,
                       GB_FINGERPRINT_SIZE - 1);
    memcpy(s->words_fingerprint, digits, GB_FINGERPRINT_SIZE);
    return GB_OK;
}

static gb_status open_outline(const char *path, bool copies, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_store *store = NULL;
    gb_corpus *c = NULL;
    gb_shards *s = NULL;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "shards", err));
    GB_TRY(gb_copy_text(&s->path, path, strlen(path), err));
    s->is_copy = copies;
    GB_TRY(copies ? gb_store_open_copy(&store, path, "shards", NULL, err)
                  : gb_store_open(&store, path, "shards", err));
    GB_TRY(gb_corpus_outline_of_store(store, &c, err));
    GB_TRY(read_list(s, store, err));
    GB_TRY(check_list(s, c, err));
    GB_TRY(read_counts(s, c, err));
    GB_TRY(read_digests(s, c, err));
    GB_TRY(read_fingerprint(s, store, err));
    c->in_shards = s;
    *out = c;
    s = NULL;
    c = NULL;
done:
    gb_shards_free(s);
    gb_corpus_free(c);
    return st;
}

gb_status gb_outline_open(const char *path, gb_corpus **out, gb_error *err)
{
    return open_outline(path, false, out, err);
}

void gb_shards_free(gb_shards *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n_shards; i++)
        gb_free(s->shard[i].file);
    gb_shard_tokens_clear(&s->all);
    gb_free(s->shard);
    gb_free(s->path);
    gb_free(s);
}

/* ---- a shard and its manifest -------------------------------------------------------------------------- */

static bool same_texts(const gb_texts *a, const gb_texts *b)
{
    return a->count == b->count && memcmp(a->start, b->start, (a->count + 1) * sizeof a->start[0]) == 0 &&
           memcmp(a->bytes, b->bytes, a->start[a->count]) == 0;
}

static bool same_documents(const gb_corpus *all, const gb_shard *shard, const gb_corpus *c)
{
    const uint64_t *start = all->doc_start + shard->first_doc;
    for (uint64_t d = 0; d < c->n_docs; d++)
        if (c->doc_start[d] != start[d] - start[0])
            return false;
    return true;
}

/* What differs most plainly is said first.  Fields are not looked at again: those of the manifest are used. */
static gb_status check_shard(const gb_corpus *all, const gb_shard *shard, const gb_corpus *c, gb_error *err)
{
    const char *fingerprint = gb_store_checksum(c->owner);
    if (!same_texts(&all->vocabulary, &c->vocabulary))
        return gb_fail(err, GB_EFORMAT,
                       "has another vocabulary than the manifest (%" PRIu64 " words, expected %" PRIu64 ")",
                       c->n_words, all->n_words);
    if (c->n_docs != shard->n_docs || c->n_tokens != shard->n_tokens)
        return gb_fail(err, GB_EFORMAT,
                       "has %" PRIu64 " documents and %" PRIu64 " tokens, expected %" PRIu64 " and %" PRIu64,
                       c->n_docs, c->n_tokens, shard->n_docs, shard->n_tokens);
    if (strcmp(fingerprint, shard->fingerprint) != 0)
        return gb_fail(err, GB_EFORMAT, "has the fingerprint %s, expected %s", fingerprint, shard->fingerprint);
    if (!same_documents(all, shard, c))
        return gb_fail(err, GB_EFORMAT, "has documents of other lengths than the manifest says");
    return GB_OK;
}

/* The path of a file in the folder of the manifest. */
static gb_status path_of(const gb_shards *s, const gb_shard *shard, char **out, gb_error *err)
{
    gb_status st;
    char *place = NULL;
    GB_TRY(gb_manifest_place(s->path, &place, err));
    const char *slash = strrchr(place, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - place) + 1, length = strlen(shard->file);
    GB_TRY(gb_alloc(out, folder + length + 1, 1, "a file name", err));
    memcpy(*out, place, folder);
    memcpy(*out + folder, shard->file, length);
done:
    gb_free(place);
    return st;
}

gb_status gb_corpus_shards_of(const char *path, char **out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_corpus *all = NULL;
    char *list = NULL, *shard = NULL;
    size_t n = 0, capacity = 0;
    if (gb_is_manifest(path))
        GB_TRY(gb_outline_open(path, &all, err));
    for (size_t i = 0; all != NULL && i < all->in_shards->n_shards; i++) {
        GB_TRY(path_of(all->in_shards, &all->in_shards->shard[i], &shard, err));
        const size_t length = strlen(shard) + 1;
        GB_TRY(gb_grow(&list, &capacity, n + length, 1, "names of files", err));
        memcpy(list + n, shard, length);
        n += length;
        gb_free(shard);
        shard = NULL;
    }
    GB_TRY(gb_grow(&list, &capacity, n + 1, 1, "names of files", err));
    list[n] = '\0';
    *out = list;
    list = NULL;
done:
    gb_corpus_free(all);
    gb_free(shard);
    gb_free(list);
    return st;
}

static gb_status open_shard(const gb_corpus *all, size_t i, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    gb_error why = {0};
    char *path = NULL;
    const gb_shards *s = all->in_shards;
    const gb_shard *shard = &s->shard[i];
    GB_TRY(path_of(s, shard, &path, err));
    st = s->is_copy ? gb_corpus_copy_file(path, &c, &why) : gb_corpus_open_file(path, &c, &why);
    if (st != GB_OK)
        st = gb_fail(err, st, "%s: shard %zu of %zu: %s", s->path, i + 1, s->n_shards, why.message);
    else if ((st = check_shard(all, shard, c, &why)) != GB_OK)
        st = gb_fail(err, st, "%s: shard %zu of %zu: %s %s", s->path, i + 1, s->n_shards, path, why.message);
    if (st != GB_OK)
        goto done;
    *out = c;
    c = NULL;
done:
    gb_corpus_free(c);
    gb_free(path);
    return st;
}

/* ---- tokens -------------------------------------------------------------------------------------------- */

/* Tokens that are being collected, shard after shard. */
typedef struct collecting {
    const gb_corpus *all;
    uint64_t first, last; /* documents */
    uint64_t *n_of_word;  /* in the documents so far */
    gb_shard_tokens tokens;
    size_t n, capacity; /* tokens copied */
} collecting;

/* No word may occur more often than in the whole corpus; with all documents, so each occurs exactly as often. */
static gb_status count_words(collecting *k, const uint32_t *word, uint64_t n, gb_error *err)
{
    const gb_shards *s = k->all->in_shards;
    for (uint64_t i = 0; i < n; i++)
        k->n_of_word[word[i]]++;
    for (uint64_t w = 0; w < k->all->n_words; w++)
        if (k->n_of_word[w] > s->tokens_of_word[w])
            return gb_fail(err, GB_EFORMAT,
                           "%s: array \"tokens_of_word\": word %" PRIu64 " occurs more often than that", s->path,
                           w + 1);
    return GB_OK;
}

static gb_status copy_tokens(collecting *k, const uint32_t *word, uint64_t n, gb_error *err)
{
    gb_status st = GB_OK;
    if (n == 0)
        return st;
    GB_TRY(gb_grow(&k->tokens.copy, &k->capacity, k->n + n, sizeof *word, "tokens of shards", err));
    memcpy(k->tokens.copy + k->n, word, n * sizeof *word);
    k->tokens.word = k->tokens.copy;
    k->n += n;
done:
    return st;
}

/* Take what shard i has of the documents; it has some. */
static gb_status collect(collecting *k, size_t i, gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    const gb_shard *shard = &k->all->in_shards->shard[i];
    const uint64_t begin = shard->first_doc, end = begin + shard->n_docs;
    const uint64_t from = k->first > begin ? k->first - begin : 0, to = (k->last < end ? k->last : end) - begin;
    GB_TRY(open_shard(k->all, i, &c, err));
    const uint64_t n = c->doc_start[to] - c->doc_start[from];
    const uint32_t *word = c->word + c->doc_start[from];
    GB_TRY(count_words(k, word, n, err));
    if (k->first >= begin && k->last <= end) {
        gb_corpus_forget(c); /* its checks have read all of it */
        k->tokens.word = word;
        k->tokens.shard = c;
        c = NULL;
    } else
        GB_TRY(copy_tokens(k, word, n, err));
done:
    gb_corpus_free(c);
    return st;
}

/* Room that is not used goes back; that this fails is no failure. */
static void shrink(collecting *k)
{
    uint32_t *smaller = k->n == 0 ? NULL : realloc(k->tokens.copy, k->n * sizeof *smaller);
    if (smaller != NULL)
        k->tokens.word = k->tokens.copy = smaller;
}

/* One shard after the other is open, so that the pages of the others need no memory. */
gb_status gb_shards_read(const gb_corpus *c, uint64_t first, uint64_t last, gb_shard_tokens *out, gb_error *err)
{
    gb_status st;
    const gb_shards *s = c->in_shards;
    collecting k = {.all = c, .first = first, .last = last};
    if (first > last || last > c->n_docs)
        return gb_fail(err, GB_EARGUMENT, "%s: no documents %" PRIu64 " to %" PRIu64 ", there are %" PRIu64, s->path,
                       first, last, c->n_docs);
    GB_TRY(gb_alloc(&k.n_of_word, c->n_words, sizeof *k.n_of_word, "counts of words", err));
    for (size_t i = 0; i < s->n_shards; i++)
        if (first < last && first < s->shard[i].first_doc + s->shard[i].n_docs && last > s->shard[i].first_doc)
            GB_TRY(collect(&k, i, err));
    shrink(&k);
    *out = k.tokens;
    k.tokens = (gb_shard_tokens){0};
done:
    gb_shard_tokens_clear(&k.tokens);
    gb_free(k.n_of_word);
    return st;
}

void gb_shard_tokens_clear(gb_shard_tokens *tokens)
{
    gb_corpus_free(tokens->shard);
    gb_free(tokens->copy);
    *tokens = (gb_shard_tokens){0};
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

static gb_status check_fingerprint(const gb_corpus *c, gb_error *err)
{
    char digits[GB_FINGERPRINT_SIZE];
    const gb_status st = gb_tokens_fingerprint(c, digits, err);
    if (st != GB_OK || strcmp(digits, c->in_shards->words_fingerprint) == 0)
        return st;
    return gb_fail(err, GB_EFORMAT, "%s: the words have the fingerprint %s, expected %s", c->in_shards->path, digits,
                   c->in_shards->words_fingerprint);
}

static gb_status open_corpus(const char *path, bool copies, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    if (!gb_is_manifest(path))
        return copies ? gb_corpus_copy_file(path, out, err) : gb_corpus_open_file(path, out, err);
    GB_TRY(open_outline(path, copies, &c, err));
    GB_TRY(gb_shards_read(c, 0, c->n_docs, &c->in_shards->all, err));
    c->word = c->in_shards->all.word;
    GB_TRY(check_fingerprint(c, err));
    c->shards = describe(c->in_shards);
    if (c->shards == NULL) {
        st = gb_fail_memory(err, 0, "notes");
        goto done;
    }
    *out = c;
    c = NULL;
done:
    gb_corpus_free(c);
    return st;
}

gb_status gb_corpus_open(const char *path, gb_corpus **out, gb_error *err)
{
    return open_corpus(path, false, out, err);
}

gb_status gb_corpus_open_copy(const char *path, gb_corpus **out, gb_error *err)
{
    return open_corpus(path, true, out, err);
}
