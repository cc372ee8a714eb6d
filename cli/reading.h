/* cli/reading.h - inputs read by the command: progress is shown, and a signal stops it. */
#ifndef GB_CLI_READING_H
#define GB_CLI_READING_H

#include "common.h"

/** A gb_on_read: stops when a signal asked for it.  `user` is a cli_progress that shows documents, or NULL. */
bool cli_on_read(const gb_read_progress *progress, void *user);

/** gb_corpus_read() for a verb. */
gb_status cli_read_corpus(const cli_call *call, const char *path, gb_corpus **out, gb_error *err);

/** gb_corpus_read_for_training() for a verb. */
gb_status cli_read_for_training(const cli_call *call, const char *path, gb_corpus **out, gb_error *err);

/** gb_corpus_read_several() for a verb: all its arguments. */
gb_status cli_read_all(const cli_call *call, gb_corpus **out, gb_error *err);

/** All documents of a file in the words of the model; free them with gb_corpus_free().
 * @param n_unknown  as gb_documents_next(), also on failure; may be NULL
 * @return as gb_documents_next(), and GB_EFORMAT if there are none */
gb_status cli_read_documents(const gb_settings *settings, const gb_model *model, const char *path, gb_corpus **out,
                             uint64_t **n_unknown, gb_error *err);

/** A note for each thing that looks wrong in documents, which the question "suspects" lists (suspects.c).
 *
 * @param model  that is applied to them; NULL: they are to be trained on
 * @param said   fields of which a note was made, and no second one is; NULL: none */
void cli_note_suspects(const cli_call *call, const gb_model *model, gb_corpus *documents, json_t *said);

#endif
