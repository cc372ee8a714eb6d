/* helper_documents.h - files made for one test in a folder of its own, and what was read out of them. */
#ifndef HELPER_DOCUMENTS_H
#define HELPER_DOCUMENTS_H

#include "gibbous/gibbous.h"

#include "corpus/data/corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** Group fixtures: a new folder becomes the working folder, and is removed at the end. */
int enter_folder(void **state);
/** The same in memory where there is such a place: for tests that write thousands of files, each of which is synced. */
int enter_folder_in_memory(void **state);
int leave_folder(void **state);
/** For tests that clean up by name: fails when something was left behind. */
int leave_empty_folder(void **state);

void write_file(const char *path, const char *text);
void write_bytes(const char *path, const void *data, size_t length);
/** Packed with a filter of libarchive: "gzip", "xz", "zstd", "bzip2". */
void write_packed(const char *path, const char *filter, const char *text);
/** A tar or zip archive ("ustar", "zip") of pairs name, text, ended by NULL. */
void write_archive(const char *path, const char *format, ...);
/** Leave the last bytes of a file out. */
void cut_file(const char *path, size_t n_bytes);
/** The bytes of a file, which the caller frees; a byte 0 after them. */
char *read_whole(const char *path, size_t *n_bytes);
void assert_same_files(const char *a, const char *b);
/** Files in the working folder. */
size_t count_files(void);

/** Set one option; the test fails when it cannot be. */
void set(gb_settings *settings, const char *name, const char *value);
/** Settings of pairs name, value, ended by NULL. */
gb_settings *settings_of(const char *name, ...);
/** A corpus drawn with these settings, which are freed. */
gb_corpus *simulated_with(gb_settings *settings);
/** The plan of a corpus and settings, which stay the caller's; the test fails when there is none. */
gb_plan *plan_of(const gb_corpus *corpus, const gb_settings *settings);
/** The same, and the settings are freed. */
gb_plan *plan_with(const gb_corpus *corpus, gb_settings *settings);

/** Read with options name, value, ..., NULL; a failure fails the test. */
gb_corpus *corpus_of(const char *path, ...);
/** Read, expect this status and exactly this message. */
#define assert_fails(status, message, ...) assert_int_equal((status), read_failing((message), __VA_ARGS__, NULL))
gb_status read_failing(const char *message, const char *path, ...);

/** The words of a document, with blanks between; in static memory, as all below. */
const char *words_of(const gb_corpus *c, uint64_t document);
/** All words, with blanks between. */
const char *vocabulary_of(const gb_corpus *c);
/** All ids, with blanks between. */
const char *ids_of(const gb_corpus *c);
/** The classes of all documents: "a b,c - {}": - for a missing label, {} for none of several. */
const char *classes_of(const gb_corpus *c, size_t field);
/** A number of corpus.source, by its path: "dropped/min-df/words". */
int64_t note_of(const gb_corpus *c, const char *path);

/** The most probable words of a topic of the first chain.  @return how many there are */
uint64_t top_words(const gb_model *model, uint64_t topic, uint64_t n, uint64_t *word, double *probability);

/** Run f() with standard input from a pipe that holds the text. */
void with_input(const char *text, void (*f)(void));

#endif
