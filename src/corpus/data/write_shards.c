/* corpus/data/write_shards.c - a corpus in several files (shards.h).
 *
 * All files are written under temporary names first, and the manifest is renamed last.  A write that fails or is cut off before that
 * leaves what was there; one that is cut off between two renames leaves shards whose fingerprints no manifest has. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "corpus/data/copy.h"
#include "corpus/data/corpus_file.h"
#include "corpus/data/cut.h"
#include "corpus/data/fingerprint.h"
#include "corpus/data/shards.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- names --------------------------------------------------------------------------------------------- */

/* Where the ending of a file name begins: at its last point, unless it begins with that. */
static size_t stem_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1, *point = strrchr(name, '.');
    return point == NULL || point == name ? strlen(path) : (size_t)(point - path);
}

gb_status gb_corpus_shard_path(const char *path, uint64_t shard, uint64_t n_shards, char **out, gb_error *err)
{
    gb_status st;
    char *place = NULL, *name = NULL, digits[24];
    if (shard >= n_shards)
        return gb_fail(err, GB_EARGUMENT, "no shard %" PRIu64 ", there are %" PRIu64, shard, n_shards);
    const int width = snprintf(digits, sizeof digits, "%" PRIu64, n_shards);
    GB_TRY(gb_manifest_place(path, &place, err));
    const size_t room = strlen(place) + 2 * sizeof digits, stem = stem_length(place);
    GB_TRY(gb_alloc(&name, room, 1, "a file name", err));
    (void)snprintf(name, room, "%.*s-%0*" PRIu64 "-of-%s%s", (int)stem, place, width, shard + 1, digits,
                   place + stem);
    *out = name;
done:
    gb_free(place);
    return st;
}

static const char *name_in_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* ---- one file ------------------------------------------------------------------------------------------ */

/* Write what is in `w`.  Data that does not reach the disk is an error here, while no file has its name yet. */
static gb_status put(gb_store_writer *w, gb_out_file **file, char fingerprint[static GB_STORE_CHECKSUM_SIZE],
                     gb_error *err)
{
    const gb_status st = gb_store_put(w, *file, fingerprint, err);
    if (st != GB_OK || (gb_out_file_settle(*file) && ferror(gb_out_file_stream(*file)) == 0))
        return st;
    gb_out_file *failed = *file;
    *file = NULL;
    return gb_out_file_commit(failed, err); /* says what is wrong */
}

typedef struct writing {
    const gb_corpus *corpus;
    size_t n_shards;
    uint64_t *start;     /* n_shards + 1: first documents */
    char **path;         /* n_shards */
    gb_out_file **file;  /* n_shards, and the manifest */
    json_t *list;        /* of the shards, for the manifest */
    uint64_t *before;    /* tokens before tasks */
    uint64_t *n_of_word; /* tokens of each word */
} writing;

static gb_status note_number(gb_corpus *shard, size_t i, size_t n, gb_error *err)
{
    const json_int_t number = (json_int_t)i + 1;
    return json_object_set_new(shard->source, "shard",
                               json_pack("{s:I, s:I}", "number", number, "of", (json_int_t)n)) == 0
               ? GB_OK
               : gb_fail_memory(err, 0, "notes");
}

/* The documents of one shard are copied, so that their starts count from 0. */
static gb_status write_shard(writing *w, size_t i, gb_error *err)
{
    gb_status st;
    gb_corpus *shard = NULL;
    gb_store_writer *store = NULL;
    char fingerprint[GB_STORE_CHECKSUM_SIZE];
    GB_TRY(gb_corpus_copy_documents(w->corpus, w->start[i], w->start[i + 1], &shard, err));
    GB_TRY(note_number(shard, i, w->n_shards, err));
    GB_TRY(gb_store_create(&store, "corpus", err));
    GB_TRY(gb_corpus_put(store, shard, err));
    GB_TRY(put(store, &w->file[i], fingerprint, err));
    const char *name = name_in_folder(w->path[i]);
    if (!gb_text_is_utf8(name, strlen(name)))
        st = gb_fail(err, GB_EARGUMENT, "%s: the name of a shard is not UTF-8", w->path[i]);
    else if (json_array_append_new(w->list, json_pack("{s:s, s:I, s:I, s:s}", "file", name, "documents",
                                                      (json_int_t)shard->n_docs, "tokens",
                                                      (json_int_t)shard->n_tokens, "fingerprint", fingerprint)) != 0)
        st = gb_fail_memory(err, 0, "shards");
done:
    gb_store_writer_free(store);
    gb_corpus_free(shard);
    return st;
}

/* All but the tokens, and what is known of them. */
static gb_status write_manifest(writing *w, gb_error *err)
{
    gb_status st;
    gb_store_writer *store = NULL;
    char fingerprint[GB_STORE_CHECKSUM_SIZE], words[GB_FINGERPRINT_SIZE];
    const uint64_t n_words = w->corpus->n_words, n_docs = w->corpus->n_docs;
    uint32_t *digest = NULL;
    GB_TRY(gb_words_fingerprint(w->corpus, words, err));
    GB_TRY(gb_alloc(&w->n_of_word, n_words, sizeof *w->n_of_word, "tokens of words", err));
    for (uint64_t i = 0; i < w->corpus->n_tokens; i++)
        w->n_of_word[w->corpus->word[i]]++;
    GB_TRY(gb_alloc(&digest, n_docs, sizeof *digest, "documents", err));
    gb_document_digests(w->corpus, digest);
    GB_TRY(gb_store_create(&store, "shards", err));
    GB_TRY(gb_put_json(store, "shards", w->list, err));
    GB_TRY(gb_store_text(store, "words_fingerprint", words, err));
    GB_TRY(gb_corpus_put_outline(store, w->corpus, err));
    GB_TRY(gb_store_array(store, "tokens_of_word", GB_U64, 1, &n_words, w->n_of_word, err));
    GB_TRY(gb_store_array(store, "document_digest", GB_U32, 1, &n_docs, digest, err));
    GB_TRY(put(store, &w->file[w->n_shards], fingerprint, err));
done:
    gb_store_writer_free(store);
    gb_free(digest);
    return st;
}

/* ---- all files ----------------------------------------------------------------------------------------- */

static gb_status open_files(writing *w, const char *path, bool force, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&w->file, w->n_shards + 1, sizeof *w->file, "shards", err));
    GB_TRY(gb_alloc(&w->path, w->n_shards, sizeof *w->path, "shards", err));
    GB_TRY(gb_out_file_open(&w->file[w->n_shards], path, force, err));
    for (size_t i = 0; i < w->n_shards; i++) {
        GB_TRY(gb_corpus_shard_path(path, i, w->n_shards, &w->path[i], err));
        GB_TRY(gb_out_file_open(&w->file[i], w->path[i], force, err));
    }
done:
    return st;
}

static gb_status cut_corpus(writing *w, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_tokens_before_tasks(w->corpus, &w->before, err));
    GB_TRY(gb_alloc(&w->start, w->n_shards + 1, sizeof *w->start, "shards", err));
    gb_cut_documents_evenly(w->before, w->corpus->n_docs, w->n_shards, w->start);
done:
    return st;
}

/* The manifest is the last. */
static gb_status commit(writing *w, gb_error *err)
{
    return gb_out_file_commit_all(w->file, w->n_shards + 1, err);
}

static void clear(writing *w)
{
    for (size_t i = 0; w->file != NULL && i <= w->n_shards; i++)
        gb_out_file_discard(w->file[i]);
    for (size_t i = 0; w->path != NULL && i < w->n_shards; i++)
        gb_free(w->path[i]);
    gb_free(w->file);
    gb_free(w->path);
    gb_free(w->start);
    gb_free(w->before);
    gb_free(w->n_of_word);
    json_decref(w->list);
}

static gb_status check_number(const gb_corpus *corpus, uint64_t n_shards, gb_error *err)
{
    if (n_shards < 1 || n_shards > GB_MOST_SHARDS)
        return gb_fail(err, GB_EARGUMENT, "`shards` must be between 1 and %d, not %" PRIu64, GB_MOST_SHARDS,
                       n_shards);
    if (n_shards > gb_n_tasks(corpus->n_docs))
        return gb_fail(err, GB_EARGUMENT,
                       "`shards` %" PRIu64 " is more than %" PRIu64
                       " documents make; each but the last has %d or more",
                       n_shards, corpus->n_docs, GB_DOCS_PER_TASK);
    return GB_OK;
}

gb_status gb_corpus_write_shards(const gb_corpus *corpus, const char *path, uint64_t n_shards, bool force,
                                 gb_error *err)
{
    gb_status st;
    writing w = {.corpus = corpus, .n_shards = (size_t)n_shards, .list = json_array()};
    GB_TRY(w.list == NULL ? gb_fail_memory(err, 0, "shards") : check_number(corpus, n_shards, err));
    GB_TRY(gb_corpus_check_tokens(corpus, err));
    GB_TRY(cut_corpus(&w, err));
    GB_TRY(open_files(&w, path, force, err));
    for (size_t i = 0; i < w.n_shards; i++)
        GB_TRY(write_shard(&w, i, err));
    GB_TRY(write_manifest(&w, err));
    GB_TRY(commit(&w, err));
done:
    clear(&w);
    return st;
}
