/* corpus/data/corpus.h - documents, words, labels and numbers; never changed once built.
 *
 * Tokens of document d are word[doc_start[d]] .. word[doc_start[d + 1] - 1], in the order of the text (or of
 * the counts).  All arrays are owned by the corpus: either by its memory or by the mapped corpus file.
 *
 * The outline of a corpus in shards (corpus/data/shards.h) has all but the tokens: `word` is NULL.  Whoever needs them reads those that
 * he needs, or refuses with gb_corpus_check_tokens(). */
#ifndef GB_CORPUS_DATA_CORPUS_H
#define GB_CORPUS_DATA_CORPUS_H

#include "base/status.h"
#include "corpus/data/view.h"
#include "gibbous/corpus.h"
#include "options/settings.h"

#include <jansson.h>

/** Many texts in one block: text i is the bytes start[i] .. start[i + 1] - 1 and has no terminating NUL. */
typedef struct gb_texts {
    uint64_t count;
    const uint64_t *start; /* count + 1 */
    const char *bytes;
} gb_texts;

/** One field of classes: labels, or the levels of a factor.  Classes are sorted by bytes. */
typedef struct gb_labels {
    const char *name; /* of the field, NUL-terminated */
    gb_role role;     /* RESPONSE, COVARIATE, PREVALENCE, GROUP or CLUSTER */
    bool several;     /* any number of classes per document; else at most one */
    gb_texts classes;
    const uint64_t *doc_start; /* n_docs + 1; classes of document d are class_of[doc_start[d]] ..., ascending */
    const uint32_t *class_of;
    const uint8_t *labelled; /* n_docs; 0: the label is missing (an empty list of several classes is not missing) */
} gb_labels;

/** One field of numbers. */
typedef struct gb_numbers {
    const char *name; /* of the field, NUL-terminated; no label field has it as well */
    gb_role role;
    const double *value; /* n_docs; finite, or NaN: missing */
} gb_numbers;

enum { GB_MOST_EMBEDDING_COLUMNS = 4096 };

/** A row of numbers for each document. */
typedef struct gb_embedding {
    size_t width;       /* 0: there is none */
    const float *value; /* n_docs x width; finite, but all NaN in a row that is missing */
} gb_embedding;

struct gb_corpus {
    uint64_t n_docs, n_words, n_tokens;
    const uint64_t *doc_start; /* n_docs + 1 */
    const uint32_t *word;      /* n_tokens, each < n_words; NULL in an outline */
    gb_texts ids;              /* n_docs */
    gb_texts vocabulary;       /* n_words, all different */
    gb_texts text; /* n_docs, as they were read: for people, not for samplers; a count of 0: they are not kept */
    size_t n_labels;
    gb_labels *labels;
    size_t n_numbers;
    gb_numbers *numbers;
    gb_embedding embedding;
    char *path;                  /* of the file, or where a stream of documents came from; NULL: none */
    json_t *preparation;         /* the word settings that made this corpus (see corpus/text/prepare.h); an object */
    json_t *source;              /* notes for `info`: counts of what was read and dropped; an object */
    json_t *shards;              /* the files that it was read from, by name; NULL: one file or none.  Not written */
    struct gb_shards *in_shards; /* of a corpus from a manifest: where its tokens are; owned */
    void *owner;                 /* what gb_corpus_free() releases; private to corpus.c */
    bool is_view;                /* of gb_corpus_view_create() */
};

/** Free what a field has of its own: its name, and its arrays unless they lie in a mapped file. */
void gb_labels_clear(gb_labels *labels, bool is_mapped);
void gb_numbers_clear(gb_numbers *numbers, bool is_mapped);

/** What is wrong with a number in a field of that role, for a message ("is not above 0"), or NULL.  NaN is a missing
 * value, with which nothing is wrong. */
const char *gb_number_fault(gb_role role, double value);

/** Its path for messages; "the documents" without one. */
const char *gb_corpus_path(const gb_corpus *corpus);
gb_status gb_corpus_set_path(gb_corpus *corpus, const char *path, gb_error *err);

enum { GB_FIELD_NAMES_SIZE = 600 };
/** Which fields there are, as the end of a message: "the fields are party, year", or "there are none". */
void gb_corpus_field_names(const gb_corpus *corpus, char out[static GB_FIELD_NAMES_SIZE]);

/** Tokens of each word; those of an outline are in its manifest.  @param total  receives n_words numbers */
void gb_corpus_count_words(const gb_corpus *corpus, uint64_t *total);

/** @return GB_EARGUMENT if this is an outline */
gb_status gb_corpus_check_tokens(const gb_corpus *corpus, gb_error *err);

/** Give back the memory that reading a corpus file has filled; nothing to do for a corpus in memory.  Not for a slice. */
void gb_corpus_forget(const gb_corpus *corpus);

/** Bytes of the arrays of a corpus. */
uint64_t gb_corpus_bytes(const gb_corpus *corpus);
/** The same without the tokens. */
uint64_t gb_corpus_outline_bytes(const gb_corpus *corpus);

/** Text i of a block, which exists. */
gb_view gb_texts_view(const gb_texts *texts, uint64_t i);
/** Whether two blocks have the same texts in the same order. */
bool gb_texts_equal(const gb_texts *a, const gb_texts *b);
/** Text i of a block as a fresh NUL-terminated string, to be freed with gb_free(). */
gb_status gb_texts_copy(const gb_texts *texts, uint64_t i, char **out, gb_error *err);

/** Builds a corpus from words given by number; also for tests and simulation.  Words keep their numbers. */
typedef struct gb_corpus_builder gb_corpus_builder;

gb_status gb_corpus_builder_create(gb_corpus_builder **out, gb_error *err);
/** Declare a label field before the first document; returns its number through *field. */
gb_status gb_corpus_builder_labels(gb_corpus_builder *b, const char *name, bool several, size_t *field,
                                   gb_error *err);
/** Declare a covariate of classes before the first document.  Factors and label fields are numbered together. */
gb_status gb_corpus_builder_factor(gb_corpus_builder *b, const char *name, bool several, size_t *field,
                                   gb_error *err);
/** Declare a field of groups before the first document, numbered with factors and label fields. */
gb_status gb_corpus_builder_group(gb_corpus_builder *b, const char *name, size_t *field, gb_error *err);
/** Declare the field of clusters, likewise. */
gb_status gb_corpus_builder_cluster(gb_corpus_builder *b, const char *name, size_t *field, gb_error *err);
/** Declare a covariate whose kind is not known yet.  It is filled like a factor of one class per document; if each
 * class is the text of a finite number when all are there, it becomes a field of numbers. */
gb_status gb_corpus_builder_covariate(gb_corpus_builder *b, const char *name, size_t *field, gb_error *err);
/** Declare a field of GB_ROLE_PREVALENCE before the first document, numbered and filled as a covariate of that kind is: ONE, SEVERAL, or AUTO where it
 * is not known yet. */
gb_status gb_corpus_builder_prevalence(gb_corpus_builder *b, const char *name, gb_field_kind kind, size_t *field,
                                       gb_error *err);
/** Declare a field of numbers before the first document; they have a numbering of their own, from 0.  In the finished
 * corpus all fields of numbers stand in the order of their declaration, covariates among them. */
gb_status gb_corpus_builder_numbers(gb_corpus_builder *b, const char *name, gb_role role, size_t *field,
                                    gb_error *err);
/** Begin the next document; id may be NULL: then its row number, from 1, is its id. */
gb_status gb_corpus_builder_document(gb_corpus_builder *b, const char *id, size_t id_length, gb_error *err);
/** Keep the text of the current document, which is valid UTF-8; it is empty otherwise. */
gb_status gb_corpus_builder_text(gb_corpus_builder *b, gb_view text, gb_error *err);
/** Add a word of the current document. */
gb_status gb_corpus_builder_token(gb_corpus_builder *b, uint32_t word, gb_error *err);
/** Add words of the current document in their order. */
gb_status gb_corpus_builder_tokens(gb_corpus_builder *b, const uint32_t *word, size_t n, gb_error *err);
/** Mark the current document as labelled in that field (with no class yet). */
gb_status gb_corpus_builder_labelled(gb_corpus_builder *b, size_t field, gb_error *err);
/** Add a class to the current document and mark it as labelled; the same class twice counts once. */
gb_status gb_corpus_builder_class(gb_corpus_builder *b, size_t field, const char *name, size_t length, gb_error *err);
/** Set a number of the current document, which is missing until then; NaN makes it missing again. */
gb_status gb_corpus_builder_number(gb_corpus_builder *b, size_t field, double value, gb_error *err);
/** The embedding of the current document; NULL: it is missing.  All documents have the same width. */
gb_status gb_corpus_builder_embedding(gb_corpus_builder *b, size_t width, const float *row, gb_error *err);
/** Bytes of documents, tokens, ids and fields so far; names of classes left out. */
uint64_t gb_corpus_builder_bytes(const gb_corpus_builder *b);
uint64_t gb_corpus_builder_n_docs(const gb_corpus_builder *b);
/** The words added to a document so far, valid until the next one is added; NULL when there are none. */
const uint32_t *gb_corpus_builder_words_of(const gb_corpus_builder *b, uint64_t document, size_t *n);
/** Name the next word number; needed for every word that occurs. */
gb_status gb_corpus_builder_word(gb_corpus_builder *b, const char *word, size_t length, gb_error *err);
/** The same for all words of a vocabulary. */
gb_status gb_corpus_builder_vocabulary(gb_corpus_builder *b, const gb_texts *vocabulary, gb_error *err);
/** Give the tokens added so far other word numbers: w becomes map[w], and goes away when that is UINT32_MAX.
 * Documents stay, also when nothing is left of them. */
void gb_corpus_builder_renumber(gb_corpus_builder *b, const uint32_t *map);
/** Changes the words of a document in place.  `first` is the number of its first token, counted over all documents before any was
 * changed.  @return how many words are left, at most n */
typedef size_t gb_rewrite(void *user, uint64_t first, uint32_t *word, size_t n);
/** Change the words of each document, in their order. */
void gb_corpus_builder_rewrite(gb_corpus_builder *b, gb_rewrite *rewrite, void *user);
/** Turn the builder into a corpus; the builder is empty afterwards and still has to be freed.  `preparation`
 * and `source` may be NULL; references are taken over (stolen) even on failure. */
gb_status gb_corpus_builder_finish(gb_corpus_builder *b, json_t *preparation, json_t *source, gb_corpus **out,
                                   gb_error *err);
void gb_corpus_builder_free(gb_corpus_builder *b);

/**
 * The different words of a document and how often it has each.
 *
 * @param word   receives word numbers, ascending; must have room for as many as the document has tokens
 * @param count  receives how often each occurs; must have the same room
 * @return the number of different words
 *
 * Cost: n log n for n tokens.
 */
uint64_t gb_corpus_counts(const gb_corpus *corpus, uint64_t document, uint32_t *word, uint32_t *count);

/** Number of fields; those with classes come first, then those with numbers. */
uint64_t gb_corpus_n_fields(const gb_corpus *corpus);

#endif
