/* answer/topic_labels.h - how topics are called wherever they are shown: number, name and words, of a topic or of several that count as one. */
#ifndef GB_ANSWER_TOPIC_LABELS_H
#define GB_ANSWER_TOPIC_LABELS_H

#include "answer/question.h"

typedef struct gb_topic_labels {
    const gb_model *model;
    uint64_t output, n_topics;
    uint64_t n_words;    /* that are in order */
    uint64_t n_shown;    /* the first of them, which stand for the topic */
    bool are_united;     /* topics that count as one have one label, that of the first */
    uint64_t *word;      /* n_topics x n_words, in the order asked for */
    double *probability; /* likewise, of these words in their topics */
    char **title;        /* n_topics: "3", or "3+7" */
    double *share; /* n_topics: of the training tokens, in the first topic those that count as one; NaN: not known */
    char **words;  /* n_topics: those shown, with blanks between */
} gb_topic_labels;

/** The options that are read. */
#define GB_TOPIC_LABEL_OPTIONS "words by by-weight"

/** Labels with words that tell topics apart (answer/distinct_words.h), unless the option `by` asks for others.
 *
 * @param output      whose topics they are, if each class has topics of its own; else 0
 * @param unite       false: unions are not used, though topics that are left out are
 * @param n_words     words of a topic unless the option `words` says
 * @param labels      clear it with gb_topic_labels_clear(), also on failure
 * @return GB_OK, GB_EARGUMENT (a weight that the order of words does not have), GB_EFORMAT or GB_ENOMEM
 */
gb_status gb_topic_labels_make(gb_topic_labels *labels, const gb_asked *asked, const gb_model *model, uint64_t output,
                               bool unite, uint64_t n_words, gb_error *err);
/** The same with words in order, by probability unless the option `by` says; unions are used. */
gb_status gb_topic_labels_make_list(gb_topic_labels *labels, const gb_asked *asked, const gb_model *model,
                                    uint64_t output, uint64_t n_words, gb_error *err);
/** Short names: five words that tell topics apart, the first three of which do so as well, whatever the options say. */
gb_status gb_topic_names_make(gb_topic_labels *labels, const gb_model *model, uint64_t output, gb_error *err);
/** That of the first chain with all words in order, of which as many are shown. */
gb_status gb_topic_labels_make_all(gb_topic_labels *labels, const gb_asked *asked, const gb_model *model,
                                   uint64_t n_words, gb_error *err);
/** The same without words. */
gb_status gb_topic_titles_make(gb_topic_labels *labels, const gb_model *model, uint64_t output, bool unite,
                               gb_error *err);
void gb_topic_labels_clear(gb_topic_labels *labels);

/** Whether a topic has a row: it is not left out, and the first of its union. */
bool gb_topic_is_listed(const gb_topic_labels *labels, uint64_t topic);
/** Whether a topic that is listed, with all that count as one with it, has no or nearly no token: its words say so, and it counts in no
 * mean. */
bool gb_topic_label_is_empty(const gb_topic_labels *labels, uint64_t topic);
/** The topics that count as one with a topic that is listed.  @param topics  room for n_topics  @return how many */
uint64_t gb_topics_of_label(const gb_topic_labels *labels, uint64_t topic, uint64_t *topics);
/** The name that somebody gave; "" without one. */
const char *gb_topic_label_name(const gb_topic_labels *labels, uint64_t topic);
/** Whether any topic of these has a name. */
bool gb_topic_labels_have_names(const gb_topic_labels *labels);

/** Say which topics with seed words are nearly empty. */
void gb_note_empty_topics(gb_table *table, const gb_model *model);
/** Say which chain topics are those of, if there are several, and which topics are empty and how many left out, if any. */
void gb_note_topics(gb_table *table, const gb_model *model);

/** Words with blanks between, free them with gb_free(). */
gb_status gb_join_words(const gb_model *model, const uint64_t *word, uint64_t n, char **out, gb_error *err);

#endif
