/* corpus/writers/zip.h - a zip archive, written from its beginning to its end. */
#ifndef GB_CORPUS_WRITERS_ZIP_H
#define GB_CORPUS_WRITERS_ZIP_H

#include "base/deflate.h"

enum { GB_ZIP_MOST_FILES = 8, GB_ZIP_NAME_ROOM = 32 };

/** Most bytes of an archive, and of a file in it. */
#define GB_ZIP_MOST_BYTES ((uint64_t)UINT32_MAX)

typedef struct gb_zip {
    FILE *stream; /* borrowed */
    uint64_t n_bytes;
    size_t n_files;
    struct gb_zip_file {
        char name[GB_ZIP_NAME_ROOM];
        uint64_t at;
        gb_deflate_sums sums;
    } file[GB_ZIP_MOST_FILES];
    gb_deflate *packing; /* of the file at hand; NULL between files */
} gb_zip;

/** Begin a file.  @param zip  begins as {.stream = ...} and ends with gb_zip_end(), or on failure gb_zip_discard() */
gb_status gb_zip_begin_file(gb_zip *zip, const char *name, gb_error *err);
void gb_zip_write(gb_zip *zip, const void *bytes, size_t n);
void gb_zip_end_file(gb_zip *zip);
/** @return GB_OK, or GB_EARGUMENT if it became larger than GB_ZIP_MOST_BYTES */
gb_status gb_zip_end(gb_zip *zip, gb_error *err);
void gb_zip_discard(gb_zip *zip);

#endif
