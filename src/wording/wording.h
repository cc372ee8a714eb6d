/* wording/wording.h - groups of documents that word the same topics differently (--content), and topics whose words change from one level of
 * a field to the next (--evolve).
 *
 * Every document belongs to a group g, and a token of topic k in it is drawn from phi_kg.  The phi_kg of a topic hang together in a tree:
 *
 *     phi at the root ~ Dir(beta),   phi_kn ~ Dir(b_k phi_k,parent(n)) at every other node n                      (1)
 *
 * star    each group is a leaf, the root is what they have in common
 * chain   each level of the field is a node, its parent the level before it, and the first level the root
 *
 * Nodes are numbered so that a parent has a larger number than its children, and the root the largest.  b_k is given, or has a gamma
 * prior: a large one makes groups alike, a small one leaves to each words of its own. */
#ifndef GB_WORDING_WORDING_H
#define GB_WORDING_WORDING_H

#include "corpus/data/corpus.h"
#include "options/gamma_law.h"

#include <stdbool.h>

/** What differs between the two trees. */
typedef struct gb_wording_shape {
    const char *option; /* that names the field */
    bool has_own_root;  /* the root has no documents */
    bool is_ordered;    /* levels are numbers or dates, in their order */
} gb_wording_shape;

extern const gb_wording_shape gb_wording_star, gb_wording_chain;

/** Where b_k may be. */
#define GB_LEAST_CONCENTRATION 1e-3
#define GB_MOST_CONCENTRATION  1e9

typedef struct gb_wording {
    const gb_wording_shape *shape; /* NULL: all documents have the same words */
    char *field;
    uint32_t n_groups;
    struct gb_words *levels; /* their names, by number */
    double *value;           /* of each level; NULL: they are no numbers or dates, or need not be */
    bool is_sampled;
    double concentration; /* b_k, if it is given; else where chains start */
    gb_gamma_law law;
} gb_wording;

/** By the options of the tree that is asked for, if one is.  @return GB_OK, GB_EARGUMENT, GB_EFORMAT (values that cannot be levels, or a
 * document without one) or GB_ENOMEM */
gb_status gb_wording_make(const gb_corpus *corpus, const gb_settings *settings, gb_wording *out, gb_error *err);
gb_status gb_wording_copy(const gb_wording *from, gb_wording *out, gb_error *err);
void gb_wording_clear(gb_wording *w);

/** NULL when out of memory. */
json_t *gb_wording_to_json(const gb_wording *w);
/** @param object  NULL: no tree.  Nothing in it is trusted */
gb_status gb_wording_from_json(const json_t *object, gb_wording *out, gb_error *err);

/** Name of a group. */
gb_view gb_wording_group(const gb_wording *w, uint32_t group);

/** 0 without a tree. */
static inline uint32_t gb_wording_n_nodes(const gb_wording *w)
{
    return w->n_groups + (w->shape != NULL && w->shape->has_own_root);
}

/** Not of the root, which is the last node. */
static inline uint32_t gb_wording_parent(const gb_wording *w, uint32_t node)
{
    return w->shape->has_own_root ? gb_wording_n_nodes(w) - 1 : node + 1;
}

static inline uint32_t gb_wording_node_of(const gb_wording *w, uint32_t group)
{
    return w->shape->has_own_root ? group : w->n_groups - 1 - group;
}

/**
 * The node that has the words of each document.
 *
 * A document of a level that training had not has the words of the level before it.  With `unknown-level` reference one of a group that it had
 * not has the words that all groups have in common, and with `impute` mean one without a value has the number of nodes: the words of all.
 *
 * @param settings   these two options; NULL: none
 * @param first_row  how many documents come before the first of these, for messages
 * @param node       receives n_docs numbers
 * @return GB_OK, GB_EARGUMENT (no such field) or GB_EFORMAT (a document without a group)
 */
gb_status gb_wording_find_nodes(const gb_wording *w, const gb_corpus *corpus, const gb_settings *settings,
                                uint64_t first_row, uint32_t *node, gb_error *err);

#endif
