/* prior/group_clusters.c - how much less the documents of clusters say of a group's shares than independent ones.
 *
 * Group g has n documents with shares z_d of a topic, of mean m, in C clusters c with n_c documents.  The variance of m is
 *
 *     V_c = (C - 1) / C sum_c (sum_{d in c} (z_d - m) / (n - n_c))^2     if clusters are independent,              (1)
 *     V_d = n / (n - 1) sum_d (z_d - m)^2 / n^2                          if documents are                           (2)
 *
 * (1) is the jackknife over clusters, which holds with few of them, and with some that are large (MacKinnon, Nielsen and Webb 2023,
 * Journal of Applied Econometrics 38).  It follows Student's law; if documents of a cluster are much alike, with
 *
 *     (sum_c n_c^2)^2 / sum_c n_c^4 - 1,  no fewer than 1,                                                           (3)
 *
 * degrees of freedom (Satterthwaite's): C - 1 if all are of one size.  So the factor is V_c / V_d, no less than 1, times the square of
 * that law's 95 % point over the normal one.
 *
 * Sums are of whole numbers, shares times 2^SCALE, so that they are the same in any order. */
#include "prior/group_clusters.h"

#include "base/memory.h"
#include "math/special.h"

#include <math.h>
#include <string.h>

enum { SCALE = 36, N_HALVINGS = 40 };
static const double NORMAL_POINT = 1.6448536269514722;

static const char what[] = "clusters of documents";

/* ---- which documents ---- */

static const gb_labels *find_field(const gb_corpus *corpus)
{
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (corpus->labels[i].role == GB_ROLE_CLUSTER)
            return &corpus->labels[i];
    return NULL;
}

typedef struct member {
    uint32_t group;
    uint64_t cluster, doc;
} member;

static int by_group_and_cluster(const void *x, const void *y)
{
    const member *a = x, *b = y;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->cluster != b->cluster)
        return a->cluster < b->cluster ? -1 : 1;
    return (a->doc > b->doc) - (a->doc < b->doc);
}

/* Documents with words.  One without a value is given a number that no class has. */
static uint64_t list_members(const gb_corpus *corpus, const gb_labels *field, const uint32_t *group_of, member *out)
{
    uint64_t n = 0;
    uint64_t next = field->classes.count;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t at = field->doc_start[d];
        const bool is_named = field->doc_start[d + 1] > at;
        if (corpus->doc_start[d + 1] > corpus->doc_start[d])
            out[n++] = (member){group_of[d], is_named ? field->class_of[at] : next++, d};
    }
    return n;
}

static bool begins_part(const member *m, uint64_t i)
{
    return i == 0 || m[i].group != m[i - 1].group || m[i].cluster != m[i - 1].cluster;
}

static gb_status make_parts(gb_group_clusters *c, uint64_t n_docs, const member *m, uint64_t n, gb_error *err)
{
    gb_status st;
    for (uint64_t i = 0; i < n; i++)
        c->n_parts += begins_part(m, i);
    GB_TRY(gb_alloc(&c->part_of, n_docs, sizeof *c->part_of, what, err));
    GB_TRY(gb_alloc(&c->group_of_part, c->n_parts, sizeof *c->group_of_part, what, err));
    GB_TRY(gb_alloc(&c->size, c->n_parts, sizeof *c->size, what, err));
    for (uint64_t d = 0; d < n_docs; d++)
        c->part_of[d] = UINT32_MAX;
    uint64_t part = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (begins_part(m, i)) {
            part += i > 0;
            c->group_of_part[part] = m[i].group;
            c->n_clusters[m[i].group]++;
        }
        c->part_of[m[i].doc] = (uint32_t)part;
        c->size[part]++;
    }
done:
    return st;
}

gb_status gb_group_clusters_create(gb_group_clusters **out, const char *field, uint32_t n_groups,
                                   const uint64_t *n_clusters, gb_error *err)
{
    gb_status st;
    gb_group_clusters *c = NULL;
    GB_TRY(gb_alloc(&c, 1, sizeof *c, what, err));
    c->n_groups = n_groups;
    GB_TRY(gb_copy_text(&c->field, field, strlen(field), err));
    GB_TRY(gb_alloc(&c->n_clusters, n_groups, sizeof *c->n_clusters, what, err));
    for (uint32_t g = 0; n_clusters != NULL && g < n_groups; g++)
        c->n_clusters[g] = n_clusters[g];
    *out = c;
    c = NULL;
done:
    gb_group_clusters_free(c);
    return st;
}

gb_status gb_group_clusters_of_corpus(gb_group_clusters **out, const gb_corpus *corpus, uint32_t n_groups,
                                      const uint32_t *group_of, gb_error *err)
{
    gb_status st;
    gb_group_clusters *c = NULL;
    member *list = NULL;
    const gb_labels *field = find_field(corpus);
    *out = NULL;
    if (field == NULL)
        return GB_OK;
    GB_TRY(gb_group_clusters_create(&c, field->name, n_groups, NULL, err));
    GB_TRY(gb_alloc(&list, corpus->n_docs, sizeof *list, what, err));
    const uint64_t n = list_members(corpus, field, group_of, list);
    qsort(list, n, sizeof *list, by_group_and_cluster);
    GB_TRY(make_parts(c, corpus->n_docs, list, n, err));
    *out = c;
    c = NULL;
done:
    gb_free(list);
    gb_group_clusters_free(c);
    return st;
}

void gb_group_clusters_free(gb_group_clusters *c)
{
    if (c == NULL)
        return;
    gb_free(c->field);
    gb_free(c->n_clusters);
    gb_free(c->part_of);
    gb_free(c->group_of_part);
    gb_free(c->size);
    gb_free(c);
}

/* ---- factors ---- */

/* P(T > t) of Student's law. */
static double beyond(double t, double n_degrees)
{
    const double whole = n_degrees + t * t;
    return gb_beta_distribution(n_degrees / 2, 0.5, log(n_degrees / whole), log(t * t / whole)) / 2;
}

/* The 95 % point of Student's law over that of the normal one. */
static double student_factor(double n_degrees)
{
    double low = NORMAL_POINT, high = 7; /* 6.31 with one degree of freedom */
    for (size_t i = 0; i < N_HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (beyond(middle, n_degrees) > 0.05)
            low = middle;
        else
            high = middle;
    }
    return low / NORMAL_POINT;
}

/* (3), of parts first .. last - 1. */
static double degrees_of(const gb_group_clusters *c, uint64_t first, uint64_t last)
{
    double squares = 0, fourth = 0;
    for (uint64_t p = first; p < last; p++) {
        const double square = (double)c->size[p] * (double)c->size[p];
        squares += square;
        fourth += square * square;
    }
    return fmax(squares * squares / fourth - 1, 1);
}

typedef struct sums {
    const gb_group_clusters *clusters;
    size_t n_topics;
    int64_t *of_part;    /* n_parts x n_topics */
    int64_t *of_squares; /* n_groups x n_topics */
} sums;

static void add_documents(const sums *s, const gb_proportions *z, uint64_t first)
{
    for (uint64_t d = 0; d < z->n_docs; d++) {
        const uint32_t part = s->clusters->part_of[first + d];
        if (part == UINT32_MAX)
            continue;
        const gb_document_topics topics = gb_proportions_of(z, d);
        int64_t *sum = s->of_part + part * s->n_topics,
                *squares = s->of_squares + s->clusters->group_of_part[part] * s->n_topics;
        for (size_t i = 0; i < topics.n; i++) {
            const double share = topics.count[i] / gb_proportions_length(z, d);
            sum[topics.topic[i]] += (int64_t)ldexp(share, SCALE);
            squares[topics.topic[i]] += (int64_t)ldexp(share * share, SCALE);
        }
    }
}

static double real(int64_t sum)
{
    return ldexp((double)sum, -SCALE);
}

/* (1), over the parts first .. last - 1 of a group with n documents. */
static double clustered_variance(const sums *s, uint64_t first, uint64_t last, double n, double mean, size_t topic)
{
    const double n_clusters = (double)(last - first);
    double sum = 0;
    for (uint64_t p = first; p < last; p++) {
        const double size = (double)s->clusters->size[p],
                     off = (real(s->of_part[p * s->n_topics + topic]) - size * mean) / (n - size);
        sum += off * off;
    }
    return (n_clusters - 1) / n_clusters * sum;
}

/* Of the group whose parts are first .. last - 1. */
static void find_factors(const sums *s, uint64_t first, uint64_t last, double *factor)
{
    double n = 0;
    if (last - first < 2)
        return;
    for (uint64_t p = first; p < last; p++)
        n += (double)s->clusters->size[p];
    const double student = student_factor(degrees_of(s->clusters, first, last));
    const int64_t *squares = s->of_squares + s->clusters->group_of_part[first] * s->n_topics;
    for (size_t k = 0; k < s->n_topics; k++) {
        double total = 0;
        for (uint64_t p = first; p < last; p++)
            total += real(s->of_part[p * s->n_topics + k]);
        const double within = real(squares[k]) - total * total / n, by_document = within / (n * (n - 1));
        const double by_cluster = clustered_variance(s, first, last, n, total / n, k);
        factor[k] = student * student * (within > 1e-9 ? fmax(by_cluster / by_document, 1) : 1);
    }
}

gb_status gb_group_clusters_factors(const gb_group_clusters *c, const gb_proportions *z, const gb_portion *portion,
                                    double *factor, gb_error *err)
{
    gb_status st;
    sums s = {.clusters = c, .n_topics = z->n_topics};
    const size_t n_sums = (size_t)c->n_parts * s.n_topics, n_factors = c->n_groups * s.n_topics;
    GB_TRY(gb_alloc(&s.of_part, n_sums, sizeof *s.of_part, what, err));
    GB_TRY(gb_alloc(&s.of_squares, n_factors, sizeof *s.of_squares, what, err));
    add_documents(&s, z, gb_portion_first(portion));
    GB_TRY(gb_team_sum(gb_portion_team(portion), s.of_part, n_sums, err));
    GB_TRY(gb_team_sum(gb_portion_team(portion), s.of_squares, n_factors, err));
    for (size_t i = 0; i < n_factors; i++)
        factor[i] = 1;
    for (uint64_t first = 0, last; first < c->n_parts; first = last) {
        for (last = first + 1; last < c->n_parts && c->group_of_part[last] == c->group_of_part[first];)
            last++;
        find_factors(&s, first, last, factor + c->group_of_part[first] * s.n_topics);
    }
done:
    gb_free(s.of_part);
    gb_free(s.of_squares);
    return st;
}
