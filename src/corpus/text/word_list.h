/* corpus/text/word_list.h - files with one word per line. */
#ifndef GB_CORPUS_TEXT_WORD_LIST_H
#define GB_CORPUS_TEXT_WORD_LIST_H

#include "corpus/data/corpus.h"
#include "corpus/data/read_watch.h"

typedef enum gb_list_kind {
    GB_LIST_VOCABULARY, /* the line number is the word's number: no line is passed over, no word comes twice */
    GB_LIST_WORDS       /* blank lines and lines that begin with # are passed over */
} gb_list_kind;

/** Read a list (any input that gb_input_open() takes).  The arrays of *out are freed with gb_word_list_free().
 * @param watch  may be NULL; what the list has of memory stays counted */
gb_status gb_word_list_read(const char *path, gb_list_kind kind, gb_read_watch *watch, gb_texts *out, gb_error *err);
void gb_word_list_free(gb_texts *list);

#endif
