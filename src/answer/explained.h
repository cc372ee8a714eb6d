/* answer/explained.h - explained scores of documents, one after the other: what the questions about them share. */
#ifndef GB_ANSWER_EXPLAINED_H
#define GB_ANSWER_EXPLAINED_H

#include "answer/topic_labels.h"

/* The first columns: which score a row is of. */
enum { GB_N_EXPLAINED = 5 };
#define GB_EXPLAINED_COLUMNS(ID, unit)                                                                               \
    [ID] = {"id", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "the document"},                                   \
    [ID + 1] = {"field", ": %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field that the score predicts"},         \
    [ID + 2] = {"class",                                                                                             \
                "=%s",                                                                                               \
                GB_CELL_TEXT,                                                                                        \
                GB_PLACE_HEADING,                                                                                    \
                NULL,                                                                                                \
                "",                                                                                                  \
                "class that the score speaks for; empty for numbers and ordinal categories"},                        \
    [ID + 3] = {"score", ", score %s", GB_CELL_REAL, GB_PLACE_HEADING, "%+.3f", unit, "score of the document"},      \
    [ID + 4] = {"predicted",                                                                                         \
                "; predicted %s",                                                                                    \
                GB_CELL_TEXT,                                                                                        \
                GB_PLACE_HEADING,                                                                                    \
                NULL,                                                                                                \
                "",                                                                                                  \
                "class that the model predicts in the field; empty where it predicts no single one"}

/** A word of the document at hand. */
typedef struct gb_explained_word {
    uint64_t word; /* in the explanation's lists of words */
    double value;  /* what it adds to the score or to a part of it, in units of the score */
} gb_explained_word;

/** The score at hand. */
typedef struct gb_explained {
    const gb_asked *asked;
    const gb_model *model;
    const gb_corpus *docs;
    const gb_explanation *e;
    gb_table *table;
    gb_topic_labels titles;
    gb_explained_word *word; /* room for the words of a document */
    uint64_t document, at;   /* at: number of the document and output */
    double scale, centre;    /* a number of its field's units is centre + scale * score */
} gb_explained;

/* What parts of words are wanted, besides those of one topic (n_topics: of topics of other chains). */
#define GB_ALL_OF_WORD UINT64_MAX       /* by topics and by themselves */
#define GB_OWN_OF_WORD (UINT64_MAX - 1) /* by their own coefficients */

/** Fills the rows of a score. */
typedef gb_status gb_put_explained(gb_explained *x, void *user, gb_error *err);

/** Fill the rows of each score, after its columns.
 * @return GB_OK, GB_EARGUMENT (an explanation of other documents or of another model), GB_ENOMEM, and what `put` returns */
gb_status gb_for_each_explained(const gb_asked *asked, gb_table *table, gb_put_explained *put, void *user,
                                gb_error *err);

/** Begin a row with the first columns. */
void gb_begin_explained(const gb_explained *x, double weight);
/** Words of the document in x->word, the largest parts first; `topic` as above.  @return how many */
uint64_t gb_sort_explained_words(const gb_explained *x, uint64_t topic);
/** The part of a word; `topic` as above. */
double gb_part_of_word(const gb_explained *x, uint64_t word, uint64_t topic);
/** What a topic is called: "3", or "3+7"; "" for one that is left out, and for n_topics. */
const char *gb_explained_title(const gb_explained *x, uint64_t topic);
/** The name that somebody has given it; "" without one. */
const char *gb_explained_name(const gb_explained *x, uint64_t topic);

#endif
