/* options/priors.h - every document prior once: a row here and a file in src/prior/ are all that one needs in the code, besides the
 * rows of its options.  From these rows come declarations, the table of priors and the choices of --prior. */
#ifndef GB_OPTIONS_PRIORS_H
#define GB_OPTIONS_PRIORS_H

/* ROW(identifier, name): src/prior/ defines gb_prior_<identifier>, which has that name.  FIRST is ROW for the first of them. */
#define GB_PRIORS(FIRST, ROW)                                                                                        \
    FIRST(dirichlet, "dirichlet")                                                                                    \
    ROW(uniform, "uniform")                                                                                          \
    ROW(logistic_normal, "logistic-normal")                                                                          \
    ROW(graph, "graph")

/* "dirichlet|uniform|..." */
#define GB_PRIOR_FIRST_CHOICE(identifier, name) name
#define GB_PRIOR_CHOICE(identifier, name)       "|" name
#define GB_PRIOR_CHOICES                        GB_PRIORS(GB_PRIOR_FIRST_CHOICE, GB_PRIOR_CHOICE)

#endif
