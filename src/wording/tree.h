/* wording/tree.h - the words of topics at the nodes of a tree (wording/wording.h), drawn given the topics of all tokens.
 *
 * Between sweeps a chain keeps how many customers c_knw each node has of a word: the tokens n_knw of its own documents and, from each of its
 * children, the tables l_kmw there (Teh and others 2006).  A sweep draws
 *
 *     phi_kn | c, phi of the parent  ~  Dir(b_k phi_k,parent(n) + c_kn.),   at the root Dir(beta + c_kn.)            from the root down   (1)
 *     z | phi                           documents are independent given phi (token/token.h)
 *     l_knw ~ CRT(c_knw, b_k phi_k,parent(n),w),  c at the parent grows by l                                          from the leaves up   (2)
 *     q_kn ~ Beta(b_k, c_kn) for c_kn > 0,  b_k ~ Gamma(a0 + sum of l_k, b0 - sum of log q_k),  over nodes but the root   (3)
 *
 * (2) integrates phi out of each node on the way up, so that what follows sees the words of a parent as customers alone; b_k is drawn with phi
 * integrated out of all nodes but the root, whose phi it does not depend on.  Given customers and b the words at the nodes have means
 *
 *     E phi_knw = (b_k E phi_k,parent(n),w + c_knw) / (b_k + c_kn),   at the root (beta + c_knw) / (V beta + c_kn)   (4)
 *
 * so snapshots keep customers, and predictions, tables of answers and the log joint start from these. */
#ifndef GB_WORDING_TREE_H
#define GB_WORDING_TREE_H

#include "base/arrays.h"
#include "random/random.h"
#include "team/portion.h"
#include "wording/wording.h"

typedef struct gb_wording_tree {
    const gb_wording *of; /* borrowed */
    uint64_t n_words, n_docs;
    size_t n_topics, stride, n_groups, n_nodes; /* n_nodes 0: there is no tree, and no array */
    size_t n_threads;
    const gb_portion *portion; /* borrowed */
    bool is_ready;             /* customers are those of the topics that tokens have */
    uint32_t *node;            /* n_docs: of each document */
    uint32_t *customers;       /* n_topics x n_nodes x n_words */
    double *concentration;     /* n_topics: b_k */
    float *phi;                /* n_topics x n_nodes x n_words */
    float *
        row; /* groups x n_words x stride, by node: phi as token samplers read it, each row divided by its largest entry */
    double *scratch; /* n_threads x 3 n_words */
} gb_wording_tree;

/** The numbers of a tree, without its arrays. */
gb_wording_tree gb_wording_tree_size(const gb_wording *of, uint64_t n_words, uint64_t n_docs, size_t n_topics,
                                     size_t stride, size_t n_threads);
/** A gb_list_arrays. */
void gb_wording_tree_list(void *tree, const gb_array_visitor *v);
/** @param corpus  documents that are here */
gb_status gb_wording_tree_create(gb_wording_tree *out, const gb_wording *of, const gb_corpus *corpus, size_t n_topics,
                                 size_t stride, size_t n_threads, const gb_portion *portion, gb_error *err);

/** The tokens that are here; those of document d are doc_start[d] .. doc_start[d + 1] - 1. */
typedef struct gb_wording_tokens {
    const uint64_t *doc_start;
    const uint32_t *word;
    const uint16_t *topic;
} gb_wording_tokens;

/** Begin with tokens that have their first topics: every customer has a table of its own. */
gb_status gb_wording_tree_begin(gb_wording_tree *t, const gb_wording_tokens *tokens, gb_error *err);
/** (1) */
gb_status gb_wording_tree_draw_phi(gb_wording_tree *t, double beta, gb_key key, uint32_t sweep, gb_error *err);
/** (2) and (3), given the phi of the last call of gb_wording_tree_draw_phi().  @param hastens  b need not have the posterior yet */
gb_status gb_wording_tree_draw_tables(gb_wording_tree *t, const gb_wording_tokens *tokens, gb_key key, uint32_t sweep,
                                      bool hastens, gb_error *err);

/** @return GB_EFORMAT if arrays that were read from a file cannot be those of a chain */
gb_status gb_wording_tree_restore(gb_wording_tree *t, const gb_wording_tokens *tokens, gb_error *err);

/** log p(W | Z) under the means (4), and the density of each log b_k, if they are sampled: it says where a chain is, as the log joint does. */
gb_status gb_wording_tree_log_probability(gb_wording_tree *t, const gb_wording_tokens *tokens, double beta,
                                          double *out, gb_error *err);

/** phi of a document's words as token samplers read it. */
static inline const float *gb_wording_tree_row(const gb_wording_tree *t, uint64_t doc)
{
    return t->row + t->node[doc] * t->n_words * t->stride;
}

/**
 * Append the customers to the counts of words of a snapshot, which has n_words + 1 starts: then it has a row for each node and word after
 * those of words.  All three lists move.
 *
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_wording_tree_append(const gb_wording_tree *t, uint64_t **start, uint16_t **topic, uint32_t **count,
                                 gb_error *err);

#endif
