/* corpus/readers/npz.h - arrays as numpy.savez() writes them: a zip archive of .npy files, read from its beginning to its end. */
#ifndef GB_CORPUS_READERS_NPZ_H
#define GB_CORPUS_READERS_NPZ_H

#include "corpus/data/archive.h"
#include "corpus/readers/embedding_file.h"

enum { GB_NPZ_NAME_ROOM = 256 };

typedef struct gb_npz {
    const char *path; /* borrowed */
    uint64_t n_bytes; /* of the archive */
    FILE *file;
    gb_archive *archive;
    char *block;
    char name[GB_NPZ_NAME_ROOM]; /* of the array at hand: "embeddings" */
    gb_byte_source source;       /* its bytes, from its header on */
} gb_npz;

/** @param a  close it with gb_npz_close(), also on failure; it stays where it is until then */
gb_status gb_npz_open(gb_npz *a, const char *path, gb_error *err);
void gb_npz_close(gb_npz *a);

/** On to the next array; *found is false at the end.  Other files in the archive are passed over. */
gb_status gb_npz_next(gb_npz *a, bool *found, gb_error *err);

#endif
