/* corpus/readers/embedding_file.h - files of embeddings; one file of code per format.
 *
 * A format is a row of the table in embeddings.c: how it is recognised, and how it is read.  What all have in common, from bytes
 * to checked numbers, is embedding_values.c.  Nothing in a file is trusted: no memory is asked for before it is known that the file
 * has as many bytes. */
#ifndef GB_CORPUS_READERS_EMBEDDING_FILE_H
#define GB_CORPUS_READERS_EMBEDDING_FILE_H

#include "corpus/data/corpus.h"
#include "corpus/data/words.h"

#include <stdio.h>

/** What a reader fills in. */
typedef struct gb_embedding_file {
    const char *path;
    uint64_t n_rows;
    size_t width;
    float *value;  /* n_rows x width, all finite */
    gb_words *ids; /* the number of an id is its row; NULL: the file has none */
} gb_embedding_file;

typedef struct gb_embedding_format {
    const char *name;
    /** Do the first bytes of a file look like it?  `head` has 16 bytes, or fewer in a shorter file. */
    bool (*looks_like)(const unsigned char *head, size_t n);
    gb_status (*read)(gb_embedding_file *file, gb_error *err);
} gb_embedding_format;

extern const gb_embedding_format gb_embedding_npy, gb_embedding_npz, gb_embedding_safetensors;

/* ---- bytes ---- */

/** Bytes one after the other, from a file or from a part of an archive. */
typedef struct gb_byte_source {
    void *context;
    /** Exactly n bytes, or GB_EFORMAT or GB_EIO. */
    gb_status (*read)(void *context, void *to, size_t n, gb_error *err);
    uint64_t most; /* bytes that there can be from here on */
    bool is_exact; /* there are exactly so many */
} gb_byte_source;

/** Up to n bytes of a file, fewer at its end only; what is interrupted is read again.  @return GB_OK or GB_EIO */
gb_status gb_read_some(FILE *file, void *to, size_t n, size_t *n_read, gb_error *err);
/** Open a file as a source.  @param file  receives it, close it with fclose()
 * @return GB_OK or GB_EIO */
gb_status gb_byte_source_open(const char *path, FILE **file, gb_byte_source *out, gb_error *err);
gb_status gb_byte_source_read(gb_byte_source *source, void *to, size_t n, gb_error *err);

/** The same kind of failure with "where: " before its message; returns the status. */
gb_status gb_embedding_place(const char *where, gb_status status, gb_error *err);

/* ---- numbers ---- */

typedef enum gb_float_kind { GB_FLOAT_16, GB_FLOAT_B16, GB_FLOAT_32, GB_FLOAT_64, GB_N_FLOAT_KINDS } gb_float_kind;

/** A table of numbers as a file describes it. */
typedef struct gb_float_table {
    gb_float_kind kind;
    bool is_swapped; /* big-endian */
    bool by_column;  /* Fortran order */
    uint64_t n_rows, n_columns;
} gb_float_table;

size_t gb_float_size(gb_float_kind kind);
/** @param bytes  little-endian, gb_float_size() of them */
double gb_float_value(gb_float_kind kind, const unsigned char *bytes);

/**
 * Read the numbers of a table, which begin where the source is, into file->value.
 *
 * @param name  of the array within the file, for messages; "" if it has none
 * @return GB_OK, GB_EFORMAT (an empty or too wide table, too few or too many bytes, a number that is not finite) or GB_ENOMEM
 */
gb_status gb_embedding_read_values(gb_embedding_file *file, const char *name, const gb_float_table *table,
                                   gb_byte_source *source, gb_error *err);

/** The next row has this id.  @return GB_OK, GB_EFORMAT (not a text, empty, or there already) or GB_ENOMEM */
gb_status gb_embedding_add_id(gb_embedding_file *file, gb_view id, gb_error *err);

/* ---- NumPy ---- */

enum { GB_NPY_TYPE_ROOM = 16, GB_NPY_MOST_DIMENSIONS = 4 };

/** The header of an array in NumPy's format. */
typedef struct gb_npy_header {
    char type[GB_NPY_TYPE_ROOM]; /* "<f4" */
    bool by_column;
    size_t n_dimensions;
    uint64_t shape[GB_NPY_MOST_DIMENSIONS];
} gb_npy_header;

/** Read a header; the source is then at the first number.
 * @param where  path and array, for messages
 * @return GB_OK, GB_EFORMAT, GB_EIO or GB_ENOMEM */
gb_status gb_npy_read_header(const char *where, gb_byte_source *source, gb_npy_header *out, gb_error *err);
/** The table that a header describes.  @return GB_OK, or GB_EFORMAT (not a table, not of floating-point numbers) */
gb_status gb_npy_table(const char *where, const gb_npy_header *header, gb_float_table *out, gb_error *err);

#endif
