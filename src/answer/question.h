/* answer/question.h - what a question is made of: one file with one of these, and one row in question.c. */
#ifndef GB_ANSWER_QUESTION_H
#define GB_ANSWER_QUESTION_H

#include "answer/table.h"

/** Somebody asks. */
typedef struct gb_asked {
    const gb_subject *subject;
    const gb_settings *settings;
} gb_asked;

/** A question with its answer. */
typedef struct gb_question_row {
    gb_question question;
    /** Fill a table that is empty; the caller ends it. */
    gb_status (*answer)(const gb_asked *asked, gb_table *table, gb_error *err);
} gb_question_row;

/* ---- options, by their names; each must be among those that the question says it reads ---- */

const char *gb_asked_text(const gb_asked *asked, const char *option); /* "" when it is not set */
uint64_t gb_asked_n(const gb_asked *asked, const char *option);       /* values that it has */
const char *gb_asked_item(const gb_asked *asked, const char *option, uint64_t index);
bool gb_asked_flag(const gb_asked *asked, const char *option);
bool gb_asked_is_set(const gb_asked *asked, const char *option);
/** A number from 0 on, or `otherwise` unless it is set. */
uint64_t gb_asked_count(const gb_asked *asked, const char *option, uint64_t otherwise);
/** A number; NaN for "auto". */
double gb_asked_real(const gb_asked *asked, const char *option);

#endif
