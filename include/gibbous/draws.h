/* gibbous/draws.h - the retained draws of a model one by one: for programs that make their own summaries of them. */
#ifndef GIBBOUS_DRAWS_H
#define GIBBOUS_DRAWS_H

#include "gibbous/effects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is kept ---- */

/** Chain and sweep of a retained draw. */
typedef struct gb_draw_place {
    uint64_t chain, sweep;            /* chains from 0; the sweep after which it was kept, from 1 */
    uint64_t first_output, n_outputs; /* outputs that it has coefficients of: all, or with one-vs-rest one */
    uint64_t snapshot;                /* number among the stored draws, from 0; UINT64_MAX: it has no topics */
} gb_draw_place;

/** Where draw number `draw` comes from, below gb_model_n_draws(); draws stand chain after chain.  @return false if there is none */
GB_API bool gb_model_draw(const gb_model *model, uint64_t draw, gb_draw_place *out);

/** The values of every retained draw under a name: "log_joint", "eta", "own_parameters", "mean_share", "loss", "group_mean", ...; docs/format.md
 * lists them. */
typedef struct gb_draw_parameter {
    const char *name; /* a constant */
    uint64_t n_rows;  /* 0: a list of n_columns numbers */
    uint64_t n_columns;
} gb_draw_parameter;

/** Number of names, those of empty parameters included. */
GB_API uint64_t gb_model_n_draw_parameters(const gb_model *model);
/** Name and shape of a parameter; of an empty one n_columns is 0.  @return false if there is none */
GB_API bool gb_model_draw_parameter(const gb_model *model, uint64_t index, gb_draw_parameter *out);
/** The numbers of a parameter in a draw as they are in the model file, row by row: topics have the numbers of the draw's own chain, and numbers are
 * coded as in training.  Owned by the model; NULL if the parameter is empty or a number is out of range. */
GB_API const double *gb_model_draw_value(const gb_model *model, uint64_t draw, uint64_t index);

/* ---- in the units of the fields, with topics by the numbers of the leading chain ---- */

/**
 * The draws that gb_model_effect() summarises.
 *
 * @param first, n  features first .. first + n - 1, below gb_model_n_effects()
 * @param out       receives gb_model_n_draws() x n numbers: NaN where the draw's chain does not have the topic, or has no coefficients
 *                  of the output, and of words in draws without topics
 * @return GB_OK, GB_EARGUMENT (no such output or features) or GB_ENOMEM
 */
GB_API gb_status gb_model_effect_draws(const gb_model *model, uint64_t output, uint64_t first, uint64_t n,
                                       double *out, gb_error *err);
/** The draws that gb_model_own_parameter() summarises.
 *
 * @param out  receives gb_model_n_draws() numbers
 * @return GB_OK, GB_EARGUMENT (a number out of range) or GB_ENOMEM */
GB_API gb_status gb_model_own_parameter_draws(const gb_model *model, uint64_t response, uint64_t index, double *out,
                                              gb_error *err);
/**
 * For each topic of the leading chain, the topic of another chain with nearly the same words (docs/diagnose.md).
 *
 * @param output  0, or with one-vs-rest the output whose chains these are
 * @param chain   as in gb_draw_place
 * @param topic   receives n_topics numbers: the chain's own number of each topic; UINT64_MAX: the chain does not have it
 * @return GB_OK, GB_EARGUMENT (no such output; no draw of it is from this chain) or GB_ENOMEM
 */
GB_API gb_status gb_model_topics_of_chain(const gb_model *model, uint64_t output, uint64_t chain, uint64_t *topic,
                                          gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
