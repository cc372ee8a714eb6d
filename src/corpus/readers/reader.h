/* corpus/readers/reader.h - documents out of files, one at a time; one file of code per format.
 *
 * A format is a row of the table in reader_formats.c and the four functions it names.  Everything that the formats
 * share is done before or after them: choosing the format, unpacking, fields, vocabulary file, metadata.  A format fills
 * the fields with text and does not know what they are for. */
#ifndef GB_CORPUS_READERS_READER_H
#define GB_CORPUS_READERS_READER_H

#include "corpus/data/bags.h"
#include "corpus/data/corpus.h"
#include "corpus/data/input.h"
#include "corpus/data/raw_document.h"
#include "corpus/readers/table.h"
#include "options/settings.h"

/* ---- for users of readers ------------------------------------------------------------------------------ */

typedef struct gb_reader gb_reader;

/** @param settings  options of the group data; not needed afterwards
 *  @param watch     borrowed until the reader is closed; may be NULL */
gb_status gb_reader_open(gb_reader **out, const char *path, const gb_settings *settings, gb_read_watch *watch,
                         gb_error *err);
void gb_reader_close(gb_reader *r);

/** The next document, owned by the reader and valid until the next call; NULL at the end. */
gb_status gb_reader_next(gb_reader *r, const gb_raw_document **doc, gb_error *err);
/** Whether the next document has not come yet, as in a pipe. */
bool gb_reader_would_wait(const gb_reader *r);
/** Documents given so far. */
uint64_t gb_reader_n_documents(const gb_reader *r);

/** Name of the format: "csv". */
const char *gb_reader_format(const gb_reader *r);
/** True when documents are texts, false when they are counts of words. */
bool gb_reader_has_text(const gb_reader *r);
/** Counts: the names of word numbers; NULL when word w is named by the digits of w + 1. */
const gb_texts *gb_reader_names(const gb_reader *r);
/** The only words to keep (--vocabulary with texts or a corpus file); NULL when there is no such list. */
const gb_texts *gb_reader_only(const gb_reader *r);
/** The fields, as numbered in documents. */
const gb_field *gb_reader_fields(const gb_reader *r, size_t *n_fields);
/** Which fields the first document has, for a message about one that no document has; NULL: nobody knows. */
const char *gb_reader_first_names(const gb_reader *r);
/** How the words of a corpus file were made; NULL for all other formats. */
const json_t *gb_reader_preparation(const gb_reader *r);
/** What the reader passed over and what the metadata had; adds entries to a JSON object. */
gb_status gb_reader_notes(const gb_reader *r, json_t *notes, gb_error *err);
/** The same kind of failure with the place of the last document before its message: "file:line: ...". */
gb_status gb_reader_place(const gb_reader *r, gb_error *err, gb_status status);

/* ---- for formats --------------------------------------------------------------------------------------- */

typedef struct gb_reader_context {
    const gb_settings *settings; /* during open() only */
    const char *path;
    gb_read_watch *watch;                                          /* may be NULL */
    char *text, *id, *separator, *vocabulary, *missing, *encoding; /* copies of settings that next() needs */
    gb_text_fields texts;                                          /* what `text` names */
    gb_input *input;                                               /* NULL for a folder and a corpus file */
    gb_texts names;               /* from --vocabulary, or set by open(); count 0: none */
    gb_field *fields;             /* the format fills those from number first_field on ... */
    size_t first_field, n_fields; /* ... the metadata those before */
    char *first_names;            /* the fields of a first document that lacks some; NULL: nothing is known */
    uint64_t n_documents;         /* as the metadata says, 0 when it does not */
    uint64_t n_skipped;           /* files that were passed over */
    uint64_t n_unused_weights;    /* other than 1, of documents, that nobody has asked for */
    gb_decimal_commas decimal;    /* numbers of a table, without those of the metadata */
    json_t *preparation;          /* of a corpus file; owned */
} gb_reader_context;

typedef struct gb_reader_ops {
    const char *name;       /* as written after --format */
    const char *extensions; /* "jsonl ndjson json" */
    bool has_text;
    bool vocabulary_names;             /* --vocabulary names the word numbers */
    bool opens_input;                  /* reads context->input */
    bool (*sniff)(gb_view first_line); /* NULL: never chosen by the first line */
    gb_status (*open)(void **state, gb_reader_context *context, gb_error *err);
    /** `doc` is empty on entry. */
    gb_status (*next)(void *state, gb_raw_document *doc, bool *end, gb_error *err);
    void (*close)(void *state);
} gb_reader_ops;

/** The formats, ended by NULL. */
extern const gb_reader_ops *const gb_reader_formats[];

/** Declare the label field that a format has by itself, unless something to predict, or this field in another role, was
 * asked for.  It becomes the last field. */
gb_status gb_reader_default_label(gb_reader_context *context, const char *name, gb_error *err);
/** For a format with one field of labels: declare it as gb_reader_default_label(), and refuse more than one.  It has the number
 * first_field, if that is below n_fields.  If nobody asked for it and no document has a label, a corpus does not have it. */
gb_status gb_reader_one_label(gb_reader_context *context, const char *name, gb_error *err);
/** The same for a format that also has a weight of this name, which counts if somebody asks for it.  @param weight_name  NULL: it has none
 * @param label, weight  receive the numbers of the fields; SIZE_MAX: there is none */
gb_status gb_reader_label_and_weight(gb_reader_context *context, const char *name, const char *weight_name,
                                     size_t *label, size_t *weight, gb_error *err);
/** For a format without fields: refuse any that the metadata does not have. */
gb_status gb_reader_no_fields(const gb_reader_context *context, gb_error *err);

/** Open documents in the encoding that was asked for. */
gb_status gb_reader_open_input(gb_input **out, const char *path, const gb_reader_context *context, gb_error *err);

/** The next item of a line, which blanks separate; empty at its end. */
gb_view gb_take_item(gb_view *rest);

/** What stands between the texts of several fields: a blank line, so that no phrase reaches over it. */
#define GB_BETWEEN_TEXTS "\n\n"

/** Most documents in a row without words: what a corrupt or hostile number can cost. */
#define GB_MAX_GAP ((uint64_t)1 << 20)

/** True if the input is a corpus file: by the option format, or by its first bytes. */
bool gb_is_corpus_file(const char *path, const gb_settings *settings);

#endif
