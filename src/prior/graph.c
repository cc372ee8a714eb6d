/* prior/graph.c - log weights of topics around means of groups, which are alike where groups are neighbours.
 *
 * Documents belong to groups (years, venues, years of a venue), groups are the nodes of a graph, and for each topic but the
 * last, whose log weight is 0, the means of the groups are a Gaussian Markov random field on it:
 *   psi_dt ~ N(mu_{g(d),t}, 1 / k_o)                                                                        (1)
 *   log p(mu_.t) = const - k_e / 2 sum over edges (g, h) of w_gh (mu_gt - mu_ht)^2
 *                        - k_0 / 2 sum over components of (mean of mu_.t there - m_0)^2                     (2)
 * (Mimno, Wallach and McCallum 2008, with the level term, without which the posterior may have no finite total.)  A group
 * without documents has a mean all the same, from its neighbours.  Edges may be of several types with a k_e of their own.
 * With a full covariance, 1 / k_o becomes Sigma, and (2) holds for means divided by a root of Sigma. */
#include "base/memory.h"
#include "base/text.h"
#include "options/gamma_law.h"
#include "prior/new_groups.h"
#include "prior/psi_prior.h"

#include <string.h>

/* "X", or "gamma:A,B": shape and rate. */
static gb_status parse_precision(const char *option, const char *text, gb_precision *out, gb_error *err)
{
    const double least = GB_GAMMA_LAW_LEAST, most = GB_GAMMA_LAW_MOST;
    gb_gamma_law law = {.shape = 1, .rate = 1};
    char quote[GB_QUOTE_SIZE];
    double value = 1;
    const bool is_fixed = !gb_gamma_law_is_meant(text),
               is_right = is_fixed ? gb_text_to_real(text, &value) == GB_NUMBER_OK && value >= least && value <= most
                                   : gb_gamma_law_read(text, &law);
    *out = (gb_precision){.is_fixed = is_fixed, .value = value, .shape = law.shape, .rate = law.rate};
    if (is_right)
        return GB_OK;
    gb_text_quote(text, strlen(text), quote);
    return gb_fail(
        err, GB_EARGUMENT,
        "`%s` must be a number from 1e-9 to 1e9, or gamma:A,B with a shape and a rate in that range, not %s", option,
        quote);
}

static gb_status find_graph(const gb_settings *settings, const gb_corpus *corpus, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&own->group_of, corpus->n_docs, sizeof *own->group_of, "groups of documents", err));
    GB_TRY(gb_graph_of_corpus(gb_settings_text(settings, "graph"), gb_settings_text(settings, "memory-limit"), corpus,
                              gb_corpus_path(corpus), &own->groups, &own->graph, own->group_of, err));
    own->n_groups = own->graph->n_groups;
    GB_TRY(gb_alloc(&own->group_size, own->n_groups, sizeof *own->group_size, "groups of documents", err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        own->group_size[own->group_of[d]]++;
    GB_TRY(gb_group_clusters_of_corpus(&own->clusters, corpus, own->n_groups, own->group_of, err));
    GB_TRY(gb_psi_copy_types(own, own->graph->n_types, (const char *const *)own->graph->type, err));
done:
    return st;
}

static gb_status configure(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    if (corpus == NULL)
        return gb_fail(err, GB_EARGUMENT,
                       "`prior` graph needs documents with groups; simulate from a model (`model`)");
    GB_TRY(gb_psi_configure(settings, out, err));
    gb_psi_setup *own = out->own;
    GB_TRY(parse_precision("evolution-precision", gb_settings_text(settings, "evolution-precision"),
                           &own->means.evolution, err));
    GB_TRY(parse_precision("observation-precision", gb_settings_text(settings, "observation-precision"),
                           &own->means.observation, err));
    GB_TRY(find_graph(settings, corpus, own, err));
    GB_TRY(gb_psi_start(out, err));
    if (own->is_full)
        GB_TRY(gb_psi_set_covariance(gb_settings_text(settings, "psi-covariance"), out, err));
done:
    return st;
}

static const gb_prior_group_ops groups = {.groups = gb_psi_groups,
                                          .sizes = gb_psi_group_sizes,
                                          .clusters = gb_psi_group_clusters,
                                          .of_document = gb_psi_group_of,
                                          .find = gb_new_groups_find,
                                          .set_new = gb_new_groups_set,
                                          .shares = gb_psi_group_shares};

const gb_prior_ops gb_prior_graph = {.name = "graph",
                                     .by_document = true,
                                     .configure = configure,
                                     .describe = gb_psi_describe,
                                     .from_notes = gb_psi_from_notes,
                                     .clear_own = gb_psi_clear_own,
                                     .groups = &groups,
                                     .shape = gb_psi_shape,
                                     .check = gb_psi_check,
                                     .concentration = gb_psi_concentration,
                                     .create = gb_psi_create,
                                     .free_state = gb_psi_free_state,
                                     .list = gb_psi_list,
                                     .restore = gb_psi_restore,
                                     .base = gb_psi_base,
                                     .adopt_start = gb_psi_adopt_start,
                                     .update = gb_psi_update_prior,
                                     .log_probability = gb_psi_log_probability,
                                     .documents = &gb_graph_document_ops};
