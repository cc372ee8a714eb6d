/* answer/suspects.h - what the parts of the question "suspects" share. */
#ifndef GB_ANSWER_SUSPECTS_H
#define GB_ANSWER_SUSPECTS_H

#include "answer/question.h"
#include "corpus/data/corpus.h"

/** Where somebody is looking. */
typedef struct gb_suspecting {
    gb_table *table;
    const gb_asked *asked;
    const gb_corpus *corpus;
    const char *suspect; /* what is looked for */
    const char *field;   /* NULL: no field */
    const json_t *notes; /* of an input */
    const char *input;   /* its name */
} gb_suspecting;

/** A row.  printf() format; options stand in backquotes. */
void gb_suspect_say(const gb_suspecting *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** All that can be wrong with a field of classes. */
gb_status gb_suspect_classes(gb_suspecting *s, const gb_labels *labels, gb_error *err);

#endif
