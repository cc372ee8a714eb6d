/* options/responses.h - every response once: a row here and a file in src/response/ are all that one of an existing kind
 * of target needs in the code.  From these rows come declarations, the table of responses and the help of --response. */
#ifndef GB_OPTIONS_RESPONSES_H
#define GB_OPTIONS_RESPONSES_H

/* ROW(identifier, name, targets): src/response/ defines gb_response_<identifier>, whose name and targets are those.  Of
 * several with the same targets "auto" takes the first. */
#define GB_RESPONSES(ROW)                                                                                            \
    ROW(hinge, "hinge", "classes")                                                                                   \
    ROW(logistic, "logistic", "classes")                                                                             \
    ROW(probit, "probit", "classes")                                                                                 \
    ROW(gaussian, "gaussian", "numbers")                                                                             \
    ROW(insensitive, "insensitive", "numbers")                                                                       \
    ROW(negative_binomial, "negative-binomial", "counts")                                                            \
    ROW(ordinal, "ordinal", "levels")

/* "hinge (classes), logistic (classes), ..., " */
#define GB_RESPONSE_AND_TARGETS(identifier, name, targets) name " (" targets "), "
#define GB_RESPONSE_NAMES                                  GB_RESPONSES(GB_RESPONSE_AND_TARGETS)

#endif
