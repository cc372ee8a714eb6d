/* answer/metadata_values.h - values of fields, as people write them: "party=Rep", "year=1990,2000,2010". */
#ifndef GB_ANSWER_METADATA_VALUES_H
#define GB_ANSWER_METADATA_VALUES_H

#include "answer/question.h"
#include "model/prevalence.h"

/** A field and some of its values. */
typedef struct gb_field_values {
    size_t field; /* of the formula's coding */
    size_t n;
    gb_set_field *value; /* n */
    char **text;         /* n: as it is shown */
} gb_field_values;

void gb_field_values_clear(gb_field_values *values);

/** Whether a number had two values in the training, such as 0 and 1 of a treatment, and which. */
bool gb_field_has_two_values(const gb_model *model, size_t field, double *low, double *high);

/** The levels of a factor or list, at most so many; or `n` numbers from the least to the greatest of the training, or the two that there were. */
gb_status gb_field_values_list(const gb_model *model, size_t field, size_t n, gb_field_values *out, gb_error *err);

/** "FIELD=VALUE,...": levels, or numbers.
 * @param option  for messages
 * @param out     clear it with gb_field_values_clear(), also on failure
 * @return GB_OK, GB_EARGUMENT or GB_ENOMEM */
gb_status gb_field_values_read(const gb_model *model, const char *option, const char *text, gb_field_values *out,
                               gb_error *err);

/** A number in six digits or as many as it has; for texts of numbers everywhere. */
gb_status gb_field_number_text(double number, char **out, gb_error *err);

/** Say over which documents is averaged, and what levels of random effects are. */
void gb_note_prevalence(gb_table *table, const gb_model *model);

#endif
