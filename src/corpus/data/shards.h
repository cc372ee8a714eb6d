/* corpus/data/shards.h - a corpus in several files: shards, and a manifest that names them.
 *
 * Each shard is a corpus file with documents that follow each other, and with the words, fields and classes of the whole corpus under
 * its numbers.  Shards begin at multiples of GB_DOCS_PER_TASK documents.  The manifest (docs/format.md) has all of the corpus but its
 * tokens, which are most of it: so whoever decides something from all documents reads the manifest, and whoever needs the tokens of
 * some documents reads the shards with these.  gb_corpus_write_shards() writes both. */
#ifndef GB_CORPUS_DATA_SHARDS_H
#define GB_CORPUS_DATA_SHARDS_H

#include "corpus/data/corpus.h"
#include "store/fingerprint.h"
#include "store/store.h"

enum { GB_MOST_SHARDS = 512 }; /* as the option says; all are open while they are written */

typedef struct gb_shard {
    char *file; /* its name in the folder of the manifest */
    uint64_t first_doc, n_docs, n_tokens;
    char fingerprint[GB_STORE_CHECKSUM_SIZE]; /* checksum of the file */
} gb_shard;

/** Tokens of documents that follow each other. */
typedef struct gb_shard_tokens {
    const uint32_t *word; /* from the first token of the first document */
    uint32_t *copy;       /* NULL: they lie in the mapped `shard` */
    gb_corpus *shard;
} gb_shard_tokens;

/** What a manifest says of shards and tokens. */
typedef struct gb_shards {
    char *path;   /* of the manifest */
    bool is_copy; /* of manifest and shards, in memory: they are not mapped */
    size_t n_shards;
    gb_shard *shard;
    uint64_t n_docs, n_tokens;       /* of all shards */
    const uint64_t *tokens_of_word;  /* n_words: how often each word occurs in the whole corpus */
    const uint32_t *document_digest; /* n_docs: corpus/data/fingerprint.h, and so the next */
    char words_fingerprint[GB_FINGERPRINT_SIZE];
    gb_shard_tokens all; /* if they were read; else zeros */
} gb_shards;

/** The file at path begins like a manifest; never fails. */
bool gb_is_manifest(const char *path);

/** Read a manifest, and no shard: the outline of a corpus, with `in_shards`.  Everything in it is checked, but not whether the shards
 * fit it.
 *
 * @param out  receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT or GB_ENOMEM */
gb_status gb_outline_open(const char *path, gb_corpus **out, gb_error *err);
/** For gb_corpus_free(); accepts NULL. */
void gb_shards_free(gb_shards *shards);

/**
 * The tokens of documents first..last-1.  Only the shards that have these documents are opened; they are checked whole, and against the
 * manifest.
 *
 * @param c    from gb_outline_open()
 * @param out  clear it with gb_shard_tokens_clear(); untouched on failure.  If one shard has all these documents they lie in the
 *             mapped file; otherwise they are copied, and all files are closed again
 * @return GB_OK, GB_EARGUMENT (no such documents), GB_EIO, GB_EFORMAT (the message names manifest and shard) or GB_ENOMEM
 */
gb_status gb_shards_read(const gb_corpus *c, uint64_t first, uint64_t last, gb_shard_tokens *out, gb_error *err);
/** Accepts zeros. */
void gb_shard_tokens_clear(gb_shard_tokens *tokens);

/** A corpus file, or all documents of a manifest with their tokens.  @return as gb_corpus_open_file() (corpus/data/corpus_file.h) */
gb_status gb_corpus_open(const char *path, gb_corpus **out, gb_error *err);
/** The same with copies of the files in memory, which nobody changes afterwards. */
gb_status gb_corpus_open_copy(const char *path, gb_corpus **out, gb_error *err);

/** The path of a manifest with a link followed: shards lie in the folder of the file itself. */
gb_status gb_manifest_place(const char *path, char **out, gb_error *err);

#endif
