/* corpus/data/date.h - dates as numbers. */
#ifndef GB_CORPUS_DATA_DATE_H
#define GB_CORPUS_DATA_DATE_H

#include "corpus/data/view.h"

/** A date such as 2021-07-02, 2021/07/02, 2.7.2021 or 2 July 2021, with or without a time, as a year with a fraction: 2021.5.
 *
 * @return false if it is none; `year` is then untouched */
bool gb_view_to_date(gb_view v, double *year);

#endif
