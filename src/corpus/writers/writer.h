/* corpus/writers/writer.h - a corpus in the formats of other programs; one file of code per format.
 *
 * A format is a row of the table in writer_formats.c and the functions that it names.  What a format has no place for goes to files
 * beside it (writer_beside.c): the vocabulary, ids, fields and embeddings, as the options of the readers take them.  So each format,
 * read back, gives the same counts, words, ids and fields. */
#ifndef GB_CORPUS_WRITERS_WRITER_H
#define GB_CORPUS_WRITERS_WRITER_H

#include "base/output.h"
#include "corpus/data/corpus.h"

enum { GB_NO_LABEL_FIELD = -1 };

typedef struct gb_writer_ops gb_writer_ops;

/** What is being written. */
typedef struct gb_writer {
    const gb_writer_ops *ops;
    const gb_corpus *corpus;
    const char *path;
    FILE *out;
    int label;              /* the field of labels that the format has in its lines; GB_NO_LABEL_FIELD: none */
    gb_view separator;      /* between classes in one cell */
    uint32_t *word, *count; /* as many as the longest document has tokens */
    json_t *read_with;      /* options that read the files back */
} gb_writer;

struct gb_writer_ops {
    const char *name;       /* as the readers call it */
    const char *extensions; /* "fasttext" */
    bool has_text;          /* words are spelled out, with blanks between */
    bool has_ids, has_fields;
    bool has_empty_lists;               /* a document with none of the classes differs from one without a label */
    bool (*class_fits)(gb_view name);   /* NULL: there is no label in the lines */
    bool (*id_fits)(gb_view id);        /* NULL: all do */
    const char *(*word_fault)(gb_view); /* what is wrong with a word, or NULL; NULL: nothing */
    gb_status (*write)(gb_writer *w, gb_error *err);
};

/** The formats, ended by NULL. */
extern const gb_writer_ops *const gb_writer_formats[];

/* ---- for formats ---- */

/** The different words of a document, ascending, into w->word and w->count.  @return how many */
size_t gb_writer_counts(const gb_writer *w, uint64_t document);
void gb_writer_view(const gb_writer *w, gb_view text);
/** Blanks become "_". */
void gb_writer_without_blanks(const gb_writer *w, gb_view text);
/** The words of a document as a text. */
void gb_writer_text(const gb_writer *w, uint64_t document);
/** The same in memory. */
gb_status gb_writer_append_text(const gb_writer *w, uint64_t document, gb_bytes *out, gb_error *err);
gb_view gb_writer_id(const gb_writer *w, uint64_t document);
bool gb_view_has_blank(gb_view v);

/** What a document has in a field, as a cell of a table: nothing if it is missing, and a separator alone for none of the classes.
 * @return false if it is missing */
bool gb_writer_cell(const gb_writer *w, uint64_t field, uint64_t document);
/** The label of the lines as such a cell.  @return false if there is none */
bool gb_writer_label(const gb_writer *w, uint64_t document);

/** Set an option of `read_with`; the value is taken over (stolen). */
gb_status gb_writer_option(gb_writer *w, const char *name, json_t *value, gb_error *err);
/** The options that name fields. */
gb_status gb_writer_field_options(gb_writer *w, gb_error *err);
/** A name for a column that no field has: `name`, or with more in front of it.  @return to be freed with gb_free() */
gb_status gb_writer_column(const gb_writer *w, const char *name, char **out, gb_error *err);

/* ---- files beside the format's own ---- */

typedef enum gb_beside {
    GB_BESIDE_VOCABULARY,
    GB_BESIDE_IDS,
    GB_BESIDE_FIELDS,
    GB_BESIDE_EMBEDDINGS,
    GB_N_BESIDE
} gb_beside;

/** The end of its name: ".vocabulary.txt". */
const char *gb_beside_suffix(gb_beside which);
/** The option that reads it. */
const char *gb_beside_option(gb_beside which);
/** Write it to w->out. */
gb_status gb_beside_write(gb_writer *w, gb_beside which, gb_error *err);

enum { GB_NPY_HEADER_ROOM = 384 };
/** The head of an array in NumPy's format, up to its first number.  @param descr  "<i4"  @return bytes */
size_t gb_npy_header(const char *descr, size_t n_dimensions, const uint64_t *shape,
                     char out[static GB_NPY_HEADER_ROOM]);

#endif
