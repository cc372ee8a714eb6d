/* corpus/data/name.h - the one name of a value: of a class, a level, a group or a document, from whatever input. */
#ifndef GB_CORPUS_DATA_NAME_H
#define GB_CORPUS_DATA_NAME_H

#include "corpus/data/fold.h"
#include "corpus/data/view.h"

/**
 * The name of a value but for its normal form: without blanks around it, a whole number without "+" and without point and zeros, true and
 * false in small letters.
 *
 * @return a part of `value`, or a constant
 */
gb_view gb_name_trim(gb_view value);

/**
 * The name of a value: as by gb_name_trim(), in normal form C.
 *
 * @param value  valid UTF-8
 * @param fold   scratch, which has the name until its next use unless the name is a part of `value`
 */
gb_status gb_name_of(gb_fold *fold, gb_view value, gb_view *name, gb_error *err);

/** The same as a fresh text, to be freed with gb_free(). */
gb_status gb_name_copy(gb_view value, char **out, gb_error *err);

/** Whether a value has a name.  `name` may come from a file of an earlier version, which knew fewer equal values. */
bool gb_name_is(gb_view name, gb_view value);

#endif
