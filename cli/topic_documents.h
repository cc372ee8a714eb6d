/* cli/topic_documents.h - documents that topics are about, for the verb topics. */
#ifndef GB_CLI_TOPIC_DOCUMENTS_H
#define GB_CLI_TOPIC_DOCUMENTS_H

#include "common.h"

/** Documents of --documents-in, and those that each topic is about. */
typedef struct cli_topic_documents {
    gb_corpus *docs;              /* NULL: not asked for */
    uint64_t n_best, n_passage;   /* n_passage: words of a passage */
    uint64_t *document, *passage; /* n_topics x n_best */
    double *share;
} cli_topic_documents;

/** The documents of --documents-in.  @param out  receives them, free them with gb_corpus_free(), also on failure */
gb_status cli_read_documents_in(const cli_call *call, const gb_model *model, gb_corpus **out, gb_error *err);

/** Words of a passage in the list of topics. */
enum { CLI_PASSAGE_WORDS = 12 };

/** @param out  clear it with cli_topic_documents_clear(), also on failure */
gb_status cli_topic_documents_find(const cli_call *call, const gb_model *model, uint64_t n_passage,
                                   cli_topic_documents *out, gb_error *err);
void cli_topic_documents_clear(cli_topic_documents *t);

/** Lines with id, share and passage of the documents of a topic; nothing if they were not asked for. */
void cli_print_topic_documents(FILE *stream, const cli_topic_documents *t, uint64_t topic);
/** The passage of a topic's document, from 0, with blanks between its words.
 * @param out  receives the text, NULL if there are no more documents; free it with free() */
gb_status cli_topic_passage(const cli_topic_documents *t, uint64_t topic, uint64_t document, char **out,
                            size_t *length, gb_error *err);
/** Their ids.  @param id  room for n_best.  @return how many there are */
size_t cli_list_topic_documents(const cli_topic_documents *t, uint64_t topic, cli_view *id);

#endif
