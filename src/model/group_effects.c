/* model/group_effects.c - what a model says of groups of documents: topic shares, their differences, and what a document of a
 * group may be about.
 *
 * With theta the shares of a document of group g, over its prior in the draw s:
 *   share_gk = E[theta_k | s]                                                                               (1)
 *   P(a token is word w) = mean over draws of sum_k E[theta_k | s] phi_kw                                   (2)
 * With clusters of documents, (1) is moved away from its mean over draws by the root of what its variance has to be multiplied by
 * (prior/group_clusters.h), averaged over the draws.
 *
 * The spread of (1) over draws is what is not known of the group; the spread of theta itself is how documents of a group differ
 * by as well.  The share of topics that count as one is the sum of their shares in a draw. */
#include "model/group_effects.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/processors.h"
#include "gibbous/topic_unions.h"
#include "model/effects.h"
#include "random/random.h"

#include <math.h>
#include <string.h>

enum { N_SIMULATED = 20000 };       /* documents, all draws together */
enum { CELLS_AT_A_TIME = 1 << 22 }; /* shares in memory: draws x groups x topics */

static const char what[] = "the topic shares of groups";

/* ---- groups ---- */

uint64_t gb_model_n_groups(const gb_model *m)
{
    const gb_groups *groups = gb_prior_groups(&m->prior);
    return groups == NULL ? 0 : gb_groups_count(groups);
}

const char *gb_model_group_field(const gb_model *m)
{
    const gb_groups *groups = gb_prior_groups(&m->prior);
    return groups == NULL ? "" : gb_groups_title(groups);
}

const char *gb_model_group(const gb_model *m, uint64_t group)
{
    if (group >= gb_model_n_groups(m))
        return NULL;
    return gb_groups_name(gb_prior_groups(&m->prior), (uint32_t)group).text;
}

bool gb_model_find_group(const gb_model *m, const char *name, uint64_t *group)
{
    const gb_groups *groups = gb_prior_groups(&m->prior);
    const uint32_t found = groups == NULL ? GB_NO_GROUP : gb_groups_find(groups, gb_view_of(name));
    if (found == GB_NO_GROUP)
        return false;
    *group = found;
    return true;
}

uint64_t gb_model_group_n_docs(const gb_model *m, uint64_t group)
{
    if (group >= gb_model_n_groups(m))
        return 0;
    return m->prior.ops->groups->sizes(&m->prior)[group];
}

static const char *find_clusters(const gb_model *m, const uint64_t **n_clusters)
{
    const gb_prior_group_ops *groups = m->prior.ops->groups;
    return groups == NULL || groups->clusters == NULL ? NULL : groups->clusters(&m->prior, n_clusters);
}

const char *gb_model_cluster_field(const gb_model *m)
{
    const uint64_t *n_clusters;
    return find_clusters(m, &n_clusters);
}

uint64_t gb_model_group_n_clusters(const gb_model *m, uint64_t group)
{
    const uint64_t *n_clusters;
    return group >= gb_model_n_groups(m) || find_clusters(m, &n_clusters) == NULL ? 0 : n_clusters[group];
}

/* ---- shares ---- */

/* (1) of n groups in the first n_draws draws: n_draws x n x n_topics. */
static gb_status find_shares(const gb_model *m, size_t n_draws, size_t n, const uint32_t *group, size_t n_threads,
                             double **out, gb_error *err)
{
    gb_status st;
    double *share = NULL;
    GB_TRY(gb_model_check_table(m, n_draws * n, m->n_topics, what, err));
    GB_TRY(gb_alloc(&share, n_draws * n, m->n_topics * sizeof *share, what, err));
    for (size_t i = 0; i < n_draws; i++) {
        const gb_draw draw = gb_model_kept(m, i);
        GB_TRY(m->prior.ops->groups->shares(&m->prior, &draw.prior, n, group, n_threads, share + i * n * m->n_topics,
                                            err));
    }
    *out = share;
    share = NULL;
done:
    gb_free(share);
    return st;
}

/* Statistics of n series over the draws: series i of draw s at value[s n + i]. */
static gb_status summarise(const gb_model *m, size_t n_draws, const double *value, uint64_t n, gb_effect *out,
                           gb_error *err)
{
    double *one = NULL;
    gb_status st = gb_alloc(&one, n_draws, sizeof *one, what, err);
    for (uint64_t i = 0; i < n && st == GB_OK; i++) {
        for (size_t s = 0; s < n_draws; s++) {
            one[s] = value[s * n + i];
            if (!isfinite(one[s]))
                st = gb_fail(err, GB_ENUMERIC, "the topic shares of a group are not numbers");
        }
        if (st == GB_OK)
            out[i] = gb_effect_of(one, n_draws);
        out[i].n_unused = m->n_kept - gb_model_n_topic_draws(m);
        out[i].shrinkage = NAN;
    }
    gb_free(one);
    return st;
}

static gb_status check_groups(const gb_model *m, uint64_t first, uint64_t n, gb_error *err)
{
    const uint64_t n_groups = gb_model_n_groups(m);
    if (first < n_groups && n <= n_groups - first)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "group %llu of %llu", (unsigned long long)(first < n_groups ? n_groups : first),
                   (unsigned long long)n_groups);
}

/* In n rows of shares, the first topic of each union gets the sum. */
static void unite(const gb_model *m, size_t n, double *share)
{
    for (size_t i = 0; i < n && gb_model_has_topic_unions(m); i++, share += m->n_topics)
        for (size_t k = 0; k < m->n_topics; k++) {
            const uint64_t first = gb_model_topic_union(m, k);
            if (first != GB_LEFT_OUT && first != k)
                share[first] += share[k];
        }
}

/* Of a topic in a group, averaged over draws; of topics that count as one, the largest. */
static double cluster_factor(const gb_model *m, size_t n_draws, uint32_t group, size_t topic)
{
    double largest = 0;
    for (size_t k = topic; k < m->n_topics; k = m->union_next == NULL ? m->n_topics : (size_t)m->union_next[k]) {
        double sum = 0;
        for (size_t i = 0; i < n_draws; i++) {
            const gb_draw draw = gb_model_kept(m, i);
            sum += gb_prior_values_of(&draw.prior, "cluster_factor")[group * m->n_topics + k];
        }
        largest = fmax(largest, sum / (double)n_draws);
    }
    return largest;
}

/* Rows of shares, n of each draw, as clusters of documents would have them. */
static void widen(const gb_model *m, size_t n_draws, size_t n, const uint32_t *group, double *share)
{
    const size_t row = n * m->n_topics;
    for (size_t j = 0; gb_model_cluster_field(m) != NULL && j < row; j++) {
        const double root = sqrt(cluster_factor(m, n_draws, group[j / m->n_topics], j % m->n_topics));
        double mean = 0;
        for (size_t i = 0; i < n_draws; i++)
            mean += share[i * row + j] / (double)n_draws;
        for (size_t i = 0; i < n_draws; i++)
            share[i * row + j] = mean + root * (share[i * row + j] - mean);
    }
}

/* One cluster says nothing of others. */
static bool has_spread(const gb_model *m, uint32_t group)
{
    return gb_model_cluster_field(m) == NULL || gb_model_group_n_clusters(m, group) != 1;
}

static void forget_spread(gb_effect *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        e[i].sd = e[i].q05 = e[i].median = e[i].q95 = e[i].p_positive = NAN;
}

/* Widened draws may go where no share can be. */
static void keep_in_range(gb_effect *e, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        e[i].q05 = fmax(e[i].q05, 0);
        e[i].median = fmax(e[i].median, 0);
        e[i].q95 = fmin(e[i].q95, 1);
    }
}

static gb_status find_some(const gb_model *m, const uint32_t *group, size_t n, size_t n_threads, gb_effect *out,
                           gb_error *err)
{
    gb_status st;
    double *share = NULL;
    const size_t n_draws = gb_model_n_topic_draws(m);
    GB_TRY(find_shares(m, n_draws, n, group, n_threads, &share, err));
    unite(m, n_draws * n, share);
    widen(m, n_draws, n, group, share);
    GB_TRY(summarise(m, n_draws, share, n * m->n_topics, out, err));
    keep_in_range(out, n * m->n_topics);
    for (size_t i = 0; i < n; i++)
        if (!has_spread(m, group[i]))
            forget_spread(out + i * m->n_topics, m->n_topics);
done:
    gb_free(share);
    return st;
}

gb_status gb_model_group_shares(const gb_model *m, uint64_t first, uint64_t n, uint64_t n_threads, gb_effect *out,
                                gb_error *err)
{
    gb_status st;
    uint32_t *group = NULL;
    const size_t most = CELLS_AT_A_TIME / (gb_model_n_topic_draws(m) * m->n_topics) + 1;
    GB_TRY(check_groups(m, first, n, err));
    GB_TRY(gb_alloc(&group, n, sizeof *group, what, err));
    for (uint64_t i = 0; i < n; i++)
        group[i] = (uint32_t)(first + i);
    for (uint64_t i = 0; i < n; i += most)
        GB_TRY(find_some(m, group + i, n - i < most ? n - i : most,
                         n_threads > 0 ? n_threads : gb_available_threads(), out + i * m->n_topics, err));
done:
    gb_free(group);
    return st;
}

gb_status gb_model_group_contrast(const gb_model *m, uint64_t a, uint64_t b, gb_effect *out, gb_error *err)
{
    gb_status st;
    double *share = NULL;
    const size_t n_draws = gb_model_n_topic_draws(m), n = m->n_topics;
    GB_TRY(check_groups(m, a, 1, err));
    GB_TRY(check_groups(m, b, 1, err));
    const uint32_t both[] = {(uint32_t)a, (uint32_t)b};
    GB_TRY(find_shares(m, n_draws, 2, both, 1, &share, err));
    unite(m, n_draws * 2, share);
    widen(m, n_draws, 2, both, share);
    for (size_t i = 0; i < n_draws; i++)
        for (size_t k = 0; k < n; k++)
            share[i * n + k] = share[2 * i * n + k] - share[(2 * i + 1) * n + k];
    GB_TRY(summarise(m, n_draws, share, n, out, err));
    if (!has_spread(m, both[0]) || !has_spread(m, both[1]))
        forget_spread(out, n);
done:
    gb_free(share);
    return st;
}

/* ---- a document of a group ---- */

static gb_status make_prediction(const gb_model *m, uint64_t n_words, gb_group_prediction **out, gb_error *err)
{
    gb_status st;
    gb_group_prediction *p = NULL;
    GB_TRY(gb_alloc(&p, 1, sizeof *p, what, err));
    p->n_topics = m->n_topics;
    p->n_outputs = m->n_outputs;
    p->n_words = n_words < m->n_words ? n_words : m->n_words;
    GB_TRY(gb_alloc(&p->share, p->n_topics, sizeof *p->share, what, err));
    GB_TRY(gb_alloc(&p->word, p->n_words, sizeof *p->word, what, err));
    GB_TRY(gb_alloc(&p->probability, p->n_words, sizeof *p->probability, what, err));
    GB_TRY(gb_alloc(&p->score, p->n_outputs, sizeof *p->score, what, err));
    *out = p;
    p = NULL;
done:
    gb_group_prediction_free(p);
    return st;
}

void gb_group_prediction_free(gb_group_prediction *p)
{
    if (p == NULL)
        return;
    gb_free(p->share);
    gb_free(p->word);
    gb_free(p->probability);
    gb_free(p->score);
    gb_free(p);
}

/* theta of `each` documents in each draw, n_topics columns. */
static gb_status simulate(const gb_model *m, uint64_t group, size_t n_draws, size_t each, double *theta,
                          gb_error *err)
{
    gb_status st = GB_OK;
    gb_prior prior = {0};
    for (size_t i = 0; i < n_draws; i++) {
        const gb_draw draw = gb_model_kept(m, i);
        gb_prior_clear(&prior);
        GB_TRY(gb_prior_create(&prior, &m->prior, &draw.prior, NULL, 0, 1, gb_isa_best(), err));
        for (size_t d = 0; d < each; d++, theta += m->n_topics) {
            gb_random random =
                gb_random_open(gb_key_make(m->seed, draw.chain), (uint32_t)draw.sweep, GB_DRAW_GROUP_SHARES, d);
            prior.ops->documents->draw_shares(&prior, (uint32_t)group, &random, theta);
        }
    }
done:
    gb_prior_clear(&prior);
    return st;
}

/* Shares of one document.  Their mean is the mean of (1), which needs no simulated documents. */
static gb_status predict_shares(const gb_model *m, uint64_t group, const double *expected, gb_effect *out,
                                gb_error *err)
{
    gb_status st;
    const size_t n_draws = gb_model_n_topic_draws(m), each = (N_SIMULATED + n_draws - 1) / n_draws;
    double *theta = NULL;
    GB_TRY(gb_model_check_table(m, n_draws * each, m->n_topics, "documents of a group", err));
    GB_TRY(gb_alloc(&theta, n_draws * each, m->n_topics * sizeof *theta, what, err));
    GB_TRY(simulate(m, group, n_draws, each, theta, err));
    unite(m, n_draws * each, theta);
    GB_TRY(summarise(m, n_draws * each, theta, m->n_topics, out, err));
    memcpy(theta, expected, n_draws * m->n_topics * sizeof *theta);
    unite(m, n_draws, theta);
    for (size_t k = 0; k < m->n_topics; k++) {
        double sum = 0;
        for (size_t i = 0; i < n_draws; i++)
            sum += theta[i * m->n_topics + k];
        out[k].mean = sum / (double)n_draws;
    }
done:
    gb_free(theta);
    return st;
}

/* (2), over the snapshots of all chains: words, unlike topics, are the same in all of them. */
static void add_words(const gb_model *m, const gb_draw *d, const double *share, double *sum)
{
    const double beta = gb_draw_beta(m, d);
    double common[GB_MOST_BAGS] = {0};
    for (size_t bag = 0; bag < m->bags.n; bag++)
        for (size_t k = 0; k < m->n_topics; k++)
            common[bag] += share[k] * beta / gb_draw_total(m, d, bag, k);
    for (uint64_t w = 0; w < m->n_words; w++) {
        const size_t bag = gb_bag_of(&m->bags, w);
        sum[w] += common[bag];
        for (uint64_t at = d->word_start[w]; at < d->word_start[w + 1]; at++)
            sum[w] += share[d->topic[at]] * d->count[at] / gb_draw_total(m, d, bag, d->topic[at]);
    }
}

static gb_status predict_words(const gb_model *m, const double *share, gb_group_prediction *p, gb_error *err)
{
    double *sum = NULL;
    gb_status st = gb_alloc(&sum, m->n_words, sizeof *sum, "the words of a group", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < m->n_draws; i++)
        add_words(m, &m->draw[i], share + m->kept_at[i] * m->n_topics, sum);
    for (uint64_t w = 0; w < m->n_words; w++)
        sum[w] /= (double)m->n_draws;
    gb_find_most(sum, m->n_words, p->n_words, p->word, p->probability);
    gb_free(sum);
    return GB_OK;
}

/* Expected scores are those at the expected shares, since scores are linear in shares. */
static gb_status predict_scores(const gb_model *m, const double *share, gb_effect *out, gb_error *err)
{
    double *value = NULL;
    gb_status st = gb_alloc(&value, m->n_kept, sizeof *value, "the scores of a group", err);
    for (uint64_t l = 0; l < m->n_outputs && st == GB_OK; l++) {
        size_t n = 0;
        for (size_t i = 0; i < m->n_kept; i++) {
            const gb_draw d = gb_model_kept(m, i);
            if (l >= d.first_output && l < d.first_output + d.n_outputs)
                value[n++] = gb_model_expected(m, &d, l, share + i * m->n_topics);
        }
        out[l] = gb_effect_of(value, n);
        out[l].shrinkage = NAN;
    }
    gb_free(value);
    return st;
}

gb_status gb_model_predict_group(const gb_model *m, uint64_t group, uint64_t n_words, gb_group_prediction **out,
                                 gb_error *err)
{
    gb_status st;
    gb_group_prediction *p = NULL;
    double *share = NULL;
    GB_TRY(check_groups(m, group, 1, err));
    GB_TRY(make_prediction(m, n_words, &p, err));
    GB_TRY(find_shares(m, m->n_kept, 1, (const uint32_t[]){(uint32_t)group}, 1, &share, err));
    GB_TRY(predict_shares(m, group, share, p->share, err));
    GB_TRY(predict_words(m, share, p, err));
    GB_TRY(predict_scores(m, share, p->score, err));
    *out = p;
    p = NULL;
done:
    gb_free(share);
    gb_group_prediction_free(p);
    return st;
}
