/* options/verbs.h - the verbs of the command line, as bits for the column `verbs` of options.def. */
#ifndef GB_OPTIONS_VERBS_H
#define GB_OPTIONS_VERBS_H

enum gb_verb {
    GB_IMPORT = 1 << 0,
    GB_INFO = 1 << 1,
    GB_TRAIN = 1 << 2,
    GB_PREDICT = 1 << 3,
    GB_INFER = 1 << 4,
    GB_EVALUATE = 1 << 5,
    GB_TOPICS = 1 << 6,
    GB_SIMULATE = 1 << 7,
    GB_EFFECTS = 1 << 8,
    GB_ALL = (1 << 9) - 1,
    /* sets of verbs that share options */
    GB_INFERS = GB_PREDICT | GB_INFER | GB_EVALUATE,            /* apply a model to documents */
    GB_FITS = GB_TRAIN | GB_EVALUATE,                           /* fit models */
    GB_PREPARES = GB_IMPORT | GB_FITS,                          /* turn text into words by settings of the user */
    GB_READS = GB_IMPORT | GB_TRAIN | GB_INFERS,                /* read documents */
    GB_TABLES = GB_PREDICT | GB_INFER | GB_TOPICS | GB_EFFECTS, /* write a table */
};

#endif
