/* options/verbs.h - sets of verbs that share options, for the column `verbs` of options.def. */
#ifndef GB_OPTIONS_VERBS_H
#define GB_OPTIONS_VERBS_H

#include "gibbous/options.h"

enum {
    GB_VERB_ALL = (1 << 16) - 1,
    GB_APPLIES = GB_VERB_PREDICT | GB_VERB_INFER | GB_VERB_EVALUATE | GB_VERB_REPORT | GB_VERB_EXPLAIN |
                 GB_VERB_EXPORT | GB_VERB_ASK,                   /* apply a model of a file to documents */
    GB_INFERS = GB_APPLIES | GB_VERB_SELECT,                     /* apply a model */
    GB_FITS = GB_VERB_TRAIN | GB_VERB_EVALUATE | GB_VERB_SELECT, /* fit models */
    GB_IMPORTS = GB_VERB_IMPORT | GB_VERB_CONVERT,
    GB_PREPARES = GB_IMPORTS | GB_FITS, /* turn text into words by settings of the user */
    GB_READS = GB_IMPORTS | GB_VERB_TRAIN | GB_INFERS | GB_VERB_EFFECTS, /* read documents */
    GB_TABLES = GB_VERB_PREDICT | GB_VERB_INFER | GB_VERB_TOPICS | GB_VERB_EFFECTS | GB_VERB_DIAGNOSE |
                GB_VERB_EXPLAIN | GB_VERB_ASK /* write a table */
};

#endif
