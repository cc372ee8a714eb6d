/* corpus/text/stopwords.h - the stop-word lists that come with the program (src/corpus/text/stopwords/, made by the
 * project). */
#ifndef GB_CORPUS_TEXT_STOPWORDS_H
#define GB_CORPUS_TEXT_STOPWORDS_H

typedef struct gb_stopword_list {
    const char *language;     /* "en", ...; NULL ends the table */
    const char *const *words; /* lower case, UTF-8, ended by NULL */
} gb_stopword_list;

extern const gb_stopword_list gb_stopword_lists[];

#endif
