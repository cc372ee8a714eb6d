/* gibbous/export.h - a model, with documents, as files of other programs. */
#ifndef GIBBOUS_EXPORT_H
#define GIBBOUS_EXPORT_H

#include "gibbous/apply.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Write a model and documents for another program.
 *
 * "ldavis": a JSON object, the arguments of pyLDAvis.prepare() and of LDAvis::createJSON(): topic_term_dists as
 * gb_model_topic_distributions() has them, doc_topic_dists as gb_infer() has them, doc_lengths, vocab and term_frequency.  Documents without a
 * word that the model knows are left out.
 *
 * "mallet-state": what MALLET writes with --output-state, packed by gzip: a line "doc source pos typeindex type topic" for each token,
 * numbers from 0.  The topics are drawn anew, given the words and the last stored draw of the leading chain,
 * not the labels. They are not the topics that the tokens had in the training.  The file begins with parameters of the same stored draw: beta, and for a Dirichlet prior alpha.
 *
 * @param docs    in the model's vocabulary (gb_documents_next())
 * @param format  one of these two; NULL or "auto": by the ending of `path`, .json or .gz
 * @param force   replace an existing file
 * @return as gb_infer(), GB_EARGUMENT (no such format, the file exists, a model of strategy one-vs-rest), GB_EFORMAT (as
 * gb_model_topic_distributions()) or GB_EIO
 *
 * The file appears whole or not at all.  Equal models, documents and seeds give equal bytes, on any number of threads.
 */
GB_API gb_status gb_model_export(const gb_model *model, const gb_corpus *docs, const char *path, const char *format,
                                 const gb_settings *settings, bool force, gb_on_apply *on_progress, void *user,
                                 gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
