/* corpus/data/shards.h - a corpus in several files: shards, and a manifest that names them.
 *
 * Each shard is a corpus file with documents that follow each other, and with the words, fields and classes of the whole corpus under
 * its numbers.  Shards begin at multiples of GB_DOCS_PER_TASK documents.  The manifest (docs/format.md) is a corpus file without
 * documents of a kind of its own, with what is known of the shards and of the whole.  gb_corpus_write_shards() writes both. */
#ifndef GB_CORPUS_DATA_SHARDS_H
#define GB_CORPUS_DATA_SHARDS_H

#include "corpus/data/corpus.h"
#include "store/store.h"

enum { GB_MOST_SHARDS = 512 }; /* as the option says; all are open while they are written */

typedef struct gb_shard {
    char *file; /* its name in the folder of the manifest */
    uint64_t first_doc, n_docs, n_tokens;
    char fingerprint[GB_STORE_CHECKSUM_SIZE]; /* checksum of the file */
} gb_shard;

/** What a manifest says.  Equal fingerprints of manifests mean equal corpora. */
typedef struct gb_shards {
    char *path;       /* of the manifest */
    gb_corpus *frame; /* vocabulary, fields with their classes, and notes of the whole corpus; no documents */
    uint64_t n_docs, n_tokens;
    const uint64_t *tokens_of_word; /* n_words: how often each word occurs in the whole corpus */
    const uint64_t *tokens_before;  /* each task of the whole corpus, see corpus/data/cut.h */
    const char *fingerprint;
    size_t n_shards;
    gb_shard *shard;
} gb_shards;

/** The file at path begins like a manifest; never fails. */
bool gb_is_manifest(const char *path);

/** Read a manifest, and no shard.  Everything in it is checked, but not whether the shards fit it.
 *
 * @param out  receives it, free it with gb_shards_free(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT or GB_ENOMEM */
gb_status gb_shards_open(gb_shards **out, const char *path, gb_error *err);
void gb_shards_free(gb_shards *shards);

/**
 * Documents first..last-1 as a corpus of their own, where they are numbered from 0.  Words, fields and classes are those of the whole
 * corpus.  Only the shards that have these documents are opened; they are checked whole, and against the manifest.
 *
 * @param out  receives the corpus, free it with gb_corpus_free(); untouched on failure.  If the documents are those of one shard,
 *             its arrays lie in the mapped file; otherwise they are copied, and all files are closed again
 * @return GB_OK, GB_EARGUMENT (no such documents), GB_EIO, GB_EFORMAT (the message names manifest and shard) or GB_ENOMEM
 */
gb_status gb_shards_documents(const gb_shards *shards, uint64_t first, uint64_t last, gb_corpus **out, gb_error *err);

/** A corpus file, or all documents of a manifest.  @return as gb_corpus_open_file() (corpus/data/corpus_file.h) */
gb_status gb_corpus_open(const char *path, gb_corpus **out, gb_error *err);

/** The path of a manifest with a link followed: shards lie in the folder of the file itself. */
gb_status gb_manifest_place(const char *path, char **out, gb_error *err);

#endif
