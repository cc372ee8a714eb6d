/* wording/tree.c - the words of topics at the nodes of a tree, drawn. */
#include "wording/tree.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"
#include "team/sums.h"

#include <math.h>
#include <string.h>

enum { WORDS_PER_TASK = 512, DOCS_PER_TASK = 512 };

/* ---- memory -------------------------------------------------------------------------------------------- */

gb_wording_tree gb_wording_tree_size(const gb_wording *of, uint64_t n_words, uint64_t n_docs, size_t n_topics,
                                     size_t stride, size_t n_threads)
{
    const size_t n_nodes = gb_wording_n_nodes(of);
    return (gb_wording_tree){.of = of,
                             .n_words = n_nodes == 0 ? 0 : n_words,
                             .n_docs = n_nodes == 0 ? 0 : n_docs,
                             .n_topics = n_nodes == 0 ? 0 : n_topics,
                             .stride = stride,
                             .n_groups = of->n_groups,
                             .n_nodes = n_nodes,
                             .n_threads = n_threads};
}

void gb_wording_tree_list(void *tree, const gb_array_visitor *v)
{
    gb_wording_tree *t = tree;
    GB_ARRAY(v, "wording_nodes", t->node, GB_DERIVED, GB_BY_DOCUMENT, t->n_docs);
    GB_STATE_ARRAY(v, "wording_customers", t->customers, GB_REPLICATED, GB_ANY_VALUE, t->n_topics, t->n_nodes,
                   t->n_words);
    GB_STATE_ARRAY(v, "wording_concentration", t->concentration, GB_REPLICATED, GB_POSITIVE, t->n_topics);
    GB_ARRAY(v, "wording_phi", t->phi, GB_SCRATCH, GB_REPLICATED, t->n_topics, t->n_nodes, t->n_words);
    GB_ARRAY(v, "wording_rows", t->row, GB_SCRATCH, GB_REPLICATED, t->n_groups, t->n_words, t->stride);
    GB_ARRAY(v, "wording_scratch", t->scratch, GB_SCRATCH, GB_BY_WORKER, t->n_threads, 3, t->n_words);
}

gb_status gb_wording_tree_create(gb_wording_tree *out, const gb_wording *of, const gb_corpus *corpus, size_t n_topics,
                                 size_t stride, size_t n_threads, const gb_portion *portion, gb_error *err)
{
    gb_status st;
    gb_wording_tree t = gb_wording_tree_size(of, corpus->n_words, corpus->n_docs, n_topics, stride, n_threads);
    t.portion = portion;
    GB_TRY(gb_arrays_allocate(gb_wording_tree_list, &t, "words of topics by group", err));
    if (t.n_nodes > 0)
        GB_TRY(gb_wording_find_nodes(of, corpus, NULL, 0, t.node, err));
    for (size_t k = 0; k < t.n_topics; k++)
        t.concentration[k] = of->concentration;
    *out = t;
    t = (gb_wording_tree){.of = of};
done:
    gb_arrays_free(gb_wording_tree_list, &t);
    return st;
}

/* ---- counting ------------------------------------------------------------------------------------------ */

typedef struct job {
    gb_wording_tree *t;
    const gb_wording_tokens *tokens;
    gb_key key;
    uint32_t sweep;
    double beta;
    bool hastens;
} job;

static uint32_t *customers_at(const gb_wording_tree *t, size_t topic, size_t node)
{
    return t->customers + (topic * t->n_nodes + node) * t->n_words;
}

static float *phi_at(const gb_wording_tree *t, size_t topic, size_t node)
{
    return t->phi + (topic * t->n_nodes + node) * t->n_words;
}

/* Whole numbers, which may be added in any order. */
static gb_status count_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const job *j = context;
    const uint64_t *start = j->tokens->doc_start, first = (uint64_t)task * DOCS_PER_TASK;
    for (uint64_t d = first; d < first + DOCS_PER_TASK && d < j->t->n_docs; d++)
        for (uint64_t i = start[d]; i < start[d + 1]; i++) {
            uint32_t *at = customers_at(j->t, j->tokens->topic[i], j->t->node[d]) + j->tokens->word[i];
            (void)__atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
        }
    return GB_OK;
}

static gb_status add_ranks(gb_wording_tree *t, gb_error *err)
{
    gb_status st = GB_OK;
    int64_t *sum = NULL;
    const size_t n = t->n_nodes * t->n_words;
    if (gb_portion_team(t->portion) == NULL)
        return st;
    GB_TRY(gb_alloc(&sum, n, sizeof *sum, "words of topics by group", err));
    for (size_t k = 0; k < t->n_topics; k++) {
        uint32_t *count = customers_at(t, k, 0);
        for (size_t i = 0; i < n; i++)
            sum[i] = count[i];
        GB_TRY(gb_team_sum(gb_portion_team(t->portion), sum, n, err));
        for (size_t i = 0; i < n; i++)
            count[i] = (uint32_t)sum[i];
    }
done:
    gb_free(sum);
    return st;
}

/* The tokens of each node's own documents. */
static gb_status count_tokens(const job *j, gb_error *err)
{
    gb_wording_tree *t = j->t;
    memset(t->customers, 0, t->n_topics * t->n_nodes * t->n_words * sizeof *t->customers);
    const gb_status st = gb_parallel_for((size_t)((t->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK), t->n_threads,
                                         count_documents, (void *)(uintptr_t)j, err);
    return st == GB_OK ? add_ranks(t, err) : st;
}

gb_status gb_wording_tree_begin(gb_wording_tree *t, const gb_wording_tokens *tokens, gb_error *err)
{
    const job j = {.t = t, .tokens = tokens};
    const gb_status st = count_tokens(&j, err);
    for (size_t k = 0; k < t->n_topics && st == GB_OK; k++)
        for (uint32_t n = 0; n + 1 < t->n_nodes; n++)
            for (uint64_t w = 0; w < t->n_words; w++)
                customers_at(t, k, gb_wording_parent(t->of, n))[w] += customers_at(t, k, n)[w];
    t->is_ready = st == GB_OK;
    return st;
}

gb_status gb_wording_tree_restore(gb_wording_tree *t, const gb_wording_tokens *tokens, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t *saved = NULL;
    const uint64_t n = t->n_topics * t->n_nodes * t->n_words;
    const job j = {.t = t, .tokens = tokens};
    if (n == 0)
        return st;
    GB_TRY(gb_alloc(&saved, n, sizeof *saved, "words of topics by group", err));
    memcpy(saved, t->customers, n * sizeof *saved);
    GB_TRY(count_tokens(&j, err));
    for (uint64_t i = 0; i < n; i++)
        if (saved[i] < t->customers[i])
            st = GB_EFORMAT;
    if (st != GB_OK)
        st = gb_fail(err, st, "it has fewer customers than tokens");
    memcpy(t->customers, saved, n * sizeof *saved);
    t->is_ready = true;
done:
    gb_free(saved);
    return st;
}

/* ---- phi, (1) ------------------------------------------------------------------------------------------ */

static uint64_t total(const gb_wording_tree *t, size_t topic, size_t node)
{
    const uint32_t *c = customers_at(t, topic, node);
    uint64_t sum = 0;
    for (uint64_t w = 0; w < t->n_words; w++)
        sum += c[w];
    return sum;
}

/* Below it exp() is 0. */
static const double LEAST_EXPONENT = -746, LEAST_SHAPE = 1e-300;

/* A gamma number of a shape that may be so small that it mostly vanishes, which is found out first. */
static double draw_gamma(gb_random *random, double shape)
{
    if (shape >= 1)
        return gb_random_gamma(random, shape);
    if (!(shape > 0))
        return 0;
    const double exponent = log(gb_random_uniform(random)) / shape;
    return exponent < LEAST_EXPONENT ? 0 : gb_random_gamma(random, shape + 1) * exp(exponent);
}

/* A Dirichlet of those shapes.  Where they add up to little all gammas may vanish, and logarithms are needed. */
static void draw_dirichlet(gb_random *random, uint64_t n, double *shape, double *gamma, float *phi)
{
    double sum = 0, shapes = 0;
    for (uint64_t w = 0; w < n; w++)
        shapes += shape[w];
    for (uint64_t w = 0; shapes >= 1 && w < n; w++)
        sum += gamma[w] = draw_gamma(random, shape[w]);
    if (!(sum > 0)) {
        for (uint64_t w = 0; w < n; w++)
            shape[w] = fmax(shape[w], LEAST_SHAPE);
        gb_random_dirichlet(random, (size_t)n, shape, gamma);
        sum = 1;
    }
    for (uint64_t w = 0; w < n; w++)
        phi[w] = (float)(gamma[w] / sum);
}

static gb_status draw_phi_of_topic(void *context, size_t k, size_t worker, gb_error *err)
{
    (void)err;
    const job *j = context;
    const gb_wording_tree *t = j->t;
    double *shape = t->scratch + worker * 3 * t->n_words, *gamma = shape + t->n_words;
    for (uint32_t n = (uint32_t)t->n_nodes; n-- > 0;) {
        gb_random random = gb_random_open(j->key, j->sweep, GB_DRAW_WORDINGS, k * t->n_nodes + n);
        const uint32_t *c = customers_at(t, k, n);
        if (n + 1 == t->n_nodes) {
            for (uint64_t w = 0; w < t->n_words; w++)
                shape[w] = j->beta + c[w];
        } else {
            const float *parent = phi_at(t, k, gb_wording_parent(t->of, n));
            for (uint64_t w = 0; w < t->n_words; w++)
                shape[w] = t->concentration[k] * (double)parent[w] + c[w];
        }
        draw_dirichlet(&random, t->n_words, shape, gamma, phi_at(t, k, n));
    }
    return GB_OK;
}

/* Rows of some words, in all groups. */
static gb_status make_rows(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const job *j = context;
    const gb_wording_tree *t = j->t;
    const size_t n_tasks_each = (size_t)((t->n_words + WORDS_PER_TASK - 1) / WORDS_PER_TASK),
                 node = task / n_tasks_each;
    const uint64_t first = (uint64_t)(task % n_tasks_each) * WORDS_PER_TASK;
    for (uint64_t w = first; w < first + WORDS_PER_TASK && w < t->n_words; w++) {
        float *row = t->row + (node * t->n_words + w) * t->stride, largest = 0;
        for (size_t k = 0; k < t->n_topics; k++) {
            row[k] = phi_at(t, k, node)[w];
            largest = row[k] > largest ? row[k] : largest;
        }
        for (size_t k = 0; k < t->n_topics && largest > 0; k++)
            row[k] /= largest;
    }
    return GB_OK;
}

gb_status gb_wording_tree_draw_phi(gb_wording_tree *t, double beta, gb_key key, uint32_t sweep, gb_error *err)
{
    job j = {.t = t, .key = key, .sweep = sweep, .beta = beta};
    const size_t n_tasks = t->n_groups * (size_t)((t->n_words + WORDS_PER_TASK - 1) / WORDS_PER_TASK);
    const gb_status st = gb_parallel_for(t->n_topics, t->n_threads, draw_phi_of_topic, &j, err);
    return st == GB_OK ? gb_parallel_for(n_tasks, t->n_threads, make_rows, &j, err) : st;
}

/* A chain whose b is far from where it belongs takes many steps to get there: tables know little more than the b that they were drawn with.
 * In burn-in, which need not have the posterior, steps are longer. */
static const double HASTE = 4;

/* ---- tables and b, (2) and (3) ------------------------------------------------------------------------- */

/* The tables of a node become customers of its parent.  @return how many there are */
static uint64_t draw_tables_of_node(const job *j, size_t k, uint32_t n)
{
    const gb_wording_tree *t = j->t;
    const uint32_t *c = customers_at(t, k, n), up = gb_wording_parent(t->of, n);
    const float *parent = phi_at(t, k, up);
    uint32_t *above = customers_at(t, k, up);
    uint64_t sum = 0;
    gb_random random = gb_random_open(j->key, j->sweep, GB_DRAW_WORDING_TABLES, k * t->n_nodes + n);
    for (uint64_t w = 0; w < t->n_words; w++) {
        if (c[w] == 0)
            continue;
        const double strength = fmax(t->concentration[k] * (double)parent[w], LEAST_SHAPE);
        const uint64_t l = gb_random_crt(&random, c[w], strength);
        above[w] += (uint32_t)l;
        sum += l;
    }
    return sum;
}

/* log of a Beta(b, n) number. */
static double draw_log_q(gb_random *random, double b, double n)
{
    const double x = gb_random_log_gamma(random, b), y = gb_random_log_gamma(random, n);
    return gb_log_sigmoid(x - y);
}

static gb_status draw_tables_of_topic(void *context, size_t k, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const job *j = context;
    const gb_wording_tree *t = j->t;
    gb_random random = gb_random_open(j->key, j->sweep, GB_DRAW_WORDING_CONCENTRATION, k);
    double n_tables = 0, log_q = 0;
    for (uint32_t n = 0; n + 1 < t->n_nodes; n++) {
        n_tables += (double)draw_tables_of_node(j, k, n);
        const uint64_t n_k = total(t, k, n);
        if (n_k > 0)
            log_q += draw_log_q(&random, t->concentration[k], (double)n_k);
    }
    if (!t->of->is_sampled)
        return GB_OK;
    const double log_b = gb_random_log_gamma(&random, t->of->law.shape + n_tables) - log(t->of->law.rate - log_q),
                 before = log(t->concentration[k]), step = (j->hastens ? HASTE : 1) * (log_b - before);
    t->concentration[k] = fmin(fmax(exp(before + step), GB_LEAST_CONCENTRATION), GB_MOST_CONCENTRATION);
    return GB_OK;
}

gb_status gb_wording_tree_draw_tables(gb_wording_tree *t, const gb_wording_tokens *tokens, gb_key key, uint32_t sweep,
                                      bool hastens, gb_error *err)
{
    job j = {.t = t, .tokens = tokens, .key = key, .sweep = sweep, .hastens = hastens};
    const gb_status st = count_tokens(&j, err);
    return st == GB_OK ? gb_parallel_for(t->n_topics, t->n_threads, draw_tables_of_topic, &j, err) : st;
}

/* ---- the log joint ------------------------------------------------------------------------------------- */

/* Means (4) take the place of phi, which nobody needs between sweeps. */
static void find_means(const gb_wording_tree *t, size_t k, double beta)
{
    for (uint32_t n = (uint32_t)t->n_nodes; n-- > 0;) {
        const uint32_t *c = customers_at(t, k, n);
        const bool is_root = n + 1 == t->n_nodes;
        const double all = (double)total(t, k, n), b = t->concentration[k];
        const float *parent = is_root ? NULL : phi_at(t, k, gb_wording_parent(t->of, n));
        float *phi = phi_at(t, k, n);
        for (uint64_t w = 0; w < t->n_words; w++)
            phi[w] = (float)(is_root ? (beta + c[w]) / (beta * (double)t->n_words + all)
                                     : (b * (double)parent[w] + c[w]) / (b + all));
    }
}

static gb_status find_means_of_topic(void *context, size_t k, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const job *j = context;
    find_means(j->t, k, j->beta);
    return GB_OK;
}

static void add_log_phi(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const job *j = context;
    const uint64_t *start = j->tokens->doc_start;
    for (uint64_t d = first; d < last; d++)
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            *sum += log((double)phi_at(j->t, j->tokens->topic[i], j->t->node[d])[j->tokens->word[i]]);
}

gb_status gb_wording_tree_log_probability(gb_wording_tree *t, const gb_wording_tokens *tokens, double beta,
                                          double *out, gb_error *err)
{
    gb_status st;
    job j = {.t = t, .tokens = tokens, .beta = beta};
    *out = 0;
    GB_TRY(gb_parallel_for(t->n_topics, t->n_threads, find_means_of_topic, &j, err));
    GB_TRY(gb_sum_documents(t->portion, t->n_docs, add_log_phi, &j, 1, out, err));
    for (size_t k = 0; k < t->n_topics && t->of->is_sampled; k++)
        *out += gb_gamma_law_log_density(&t->of->law, t->concentration[k]);
done:
    return st;
}

/* ---- snapshots ----------------------------------------------------------------------------------------- */

static gb_status find_starts(const gb_wording_tree *t, uint64_t **start, gb_error *err)
{
    gb_status st;
    const uint64_t n = t->n_words, n_rows = n * (1 + t->n_nodes);
    uint64_t *all = NULL;
    GB_TRY(gb_alloc(&all, n_rows + 1, sizeof *all, "a posterior draw", err));
    memcpy(all, *start, (n + 1) * sizeof *all);
    for (size_t node = 0; node < t->n_nodes; node++)
        for (uint64_t w = 0; w < n; w++) {
            const uint64_t row = (1 + node) * n + w;
            all[row + 1] = all[row];
            for (size_t k = 0; k < t->n_topics; k++)
                all[row + 1] += customers_at(t, k, node)[w] > 0;
        }
    gb_free(*start);
    *start = all;
done:
    return st;
}

gb_status gb_wording_tree_append(const gb_wording_tree *t, uint64_t **start, uint16_t **topic, uint32_t **count,
                                 gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n = t->n_words, n_rows = n * (1 + t->n_nodes);
    uint16_t *all_topics = NULL;
    uint32_t *all_counts = NULL;
    if (t->n_nodes == 0)
        return st;
    GB_TRY(find_starts(t, start, err));
    uint64_t at = (*start)[n];
    GB_TRY(gb_alloc(&all_topics, (*start)[n_rows], sizeof *all_topics, "a posterior draw", err));
    GB_TRY(gb_alloc(&all_counts, (*start)[n_rows], sizeof *all_counts, "a posterior draw", err));
    gb_copy_bytes(all_topics, *topic, at * sizeof *all_topics);
    gb_copy_bytes(all_counts, *count, at * sizeof *all_counts);
    for (size_t node = 0; node < t->n_nodes; node++)
        for (uint64_t w = 0; w < n; w++)
            for (size_t k = 0; k < t->n_topics; k++)
                if (customers_at(t, k, node)[w] > 0) {
                    all_topics[at] = (uint16_t)k;
                    all_counts[at++] = customers_at(t, k, node)[w];
                }
    gb_free(*topic);
    gb_free(*count);
    *topic = all_topics;
    *count = all_counts;
    all_topics = NULL;
    all_counts = NULL;
done:
    gb_free(all_topics);
    gb_free(all_counts);
    return st;
}
