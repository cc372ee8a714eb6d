/* evaluation/liblinear.c - what is used of LIBLINEAR.
 *
 * The library is opened when it is first needed.  It gives away names such as `train` and `predict`; if it were linked, a program
 * with a function of that name would have that called in its place.  Of the linear algebra library it uses products and sums of vectors,
 * which, unlike what math/cholesky.c calls, keep nothing between threads. */
#include "evaluation/liblinear.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <limits.h>
#include <linear.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct gb_liblinear {
    uint64_t n_columns; /* without the constant */
    struct feature_node *node, **row;
};

/* ---- the library ----------------------------------------------------------------------------------- */

/* Written once, by open_library(). */
static struct {
    pthread_once_t once;
    struct model *(*train)(const struct problem *, const struct parameter *);
    const char *(*check)(const struct problem *, const struct parameter *);
    void (*free_model)(struct model **);
    char failure[256]; /* "": the library is there */
} library = {.once = PTHREAD_ONCE_INIT};

static void silent(const char *text)
{
    (void)text;
}

/* A pointer to data becomes a pointer to a function. */
static void find(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    if (found == NULL && *library.failure == '\0')
        (void)snprintf(library.failure, sizeof library.failure, "%s has no %s", GIBBOUS_LIBLINEAR, name);
    memcpy(function, &found, sizeof found);
}

/* The function that prints is one for the whole process; it is replaced before the first training. */
static void open_library(void)
{
    void (*set_print)(void (*)(const char *)) = NULL;
    void *handle = dlopen(GIBBOUS_LIBLINEAR, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        (void)snprintf(library.failure, sizeof library.failure, "%s", dlerror());
        return;
    }
    find(handle, "train", &library.train);
    find(handle, "check_parameter", &library.check);
    find(handle, "free_and_destroy_model", &library.free_model);
    find(handle, "set_print_string_function", &set_print);
    if (*library.failure == '\0')
        set_print(silent);
}

static gb_status need_library(gb_error *err)
{
    (void)pthread_once(&library.once, open_library);
    return *library.failure == '\0' ? GB_OK
                                    : gb_fail(err, GB_EIO, "a linear model needs LIBLINEAR: %s", library.failure);
}

/* ---- documents ------------------------------------------------------------------------------------- */

/* Columns from 1; the constant comes last, and a node with -1 ends the row. */
static struct feature_node *fill_row(struct feature_node *node, const gb_sparse_columns *rows, uint64_t d,
                                     uint64_t n_columns)
{
    for (uint64_t i = rows->doc_start[d]; i < rows->doc_start[d + 1]; i++)
        *node++ = (struct feature_node){(int)rows->column[i] + 1, rows->value[i]};
    *node++ = (struct feature_node){(int)n_columns + 1, 1};
    *node++ = (struct feature_node){-1, 0};
    return node;
}

gb_status gb_liblinear_create(const gb_sparse_columns *rows, uint64_t n_columns, gb_liblinear **out, gb_error *err)
{
    gb_status st;
    gb_liblinear *l = NULL;
    GB_TRY(need_library(err));
    if (rows->n_docs >= INT_MAX || n_columns >= INT_MAX)
        return gb_fail(err, GB_EARGUMENT, "LIBLINEAR takes at most %d documents and words", INT_MAX - 1);
    GB_TRY(gb_alloc(&l, 1, sizeof *l, "a linear model", err));
    l->n_columns = n_columns;
    GB_TRY(
        gb_alloc(&l->node, rows->doc_start[rows->n_docs] + 2 * rows->n_docs, sizeof *l->node, "a linear model", err));
    GB_TRY(gb_alloc(&l->row, rows->n_docs, sizeof *l->row, "a linear model", err));
    struct feature_node *node = l->node;
    for (uint64_t d = 0; d < rows->n_docs; d++) {
        l->row[d] = node;
        node = fill_row(node, rows, d, n_columns);
    }
    *out = l;
    l = NULL;
done:
    gb_liblinear_free(l);
    return st;
}

size_t gb_liblinear_entry_bytes(void)
{
    return sizeof(struct feature_node);
}

/* Trust-region Newton has 8 vectors of the columns; documents, their classes, costs and scores are 7 vectors. */
size_t gb_liblinear_fit_bytes(uint64_t n_columns, uint64_t n)
{
    enum { N_VECTORS = 12 };
    return (size_t)(N_VECTORS * (n_columns + 1 + n) * sizeof(double));
}

void gb_liblinear_free(gb_liblinear *l)
{
    if (l == NULL)
        return;
    gb_free(l->node);
    gb_free(l->row);
    gb_free(l);
}

/* ---- fitting --------------------------------------------------------------------------------------- */

/* The tolerances are those that LIBLINEAR's own commands have.  Its regression counts every error from `p` on: with 0 it is least
 * squares. */
static struct parameter parameters(gb_linear_loss loss, double cost, double *start)
{
    const bool is_hinge = loss == GB_LINEAR_SQUARED_HINGE;
    return (struct parameter)
    {
        .solver_type = is_hinge ? L2R_L2LOSS_SVC : L2R_L2LOSS_SVR, .eps = is_hinge ? 0.01 : 0.0001, .C = cost, .p = 0,
        .init_sol = is_hinge ? start : NULL, /* the regression always begins at 0 */
#if LIBLINEAR_VERSION >= 242
            .regularize_bias = 1,
#endif
    };
}

gb_status gb_liblinear_fit(const gb_liblinear *l, gb_linear_loss loss, double cost, uint64_t n, const uint64_t *row,
                           const double *y, double *weight, gb_error *err)
{
    gb_status st;
    struct feature_node **x = NULL;
    double *target = NULL;
    char *room = NULL;
    GB_TRY(gb_alloc(&x, n, sizeof *x, "a linear model", err));
    GB_TRY(gb_alloc(&target, n, sizeof *target, "a linear model", err));
    GB_TRY(gb_alloc(&room, gb_liblinear_fit_bytes(l->n_columns, n), 1, "a linear model", err));
    gb_free(room); /* LIBLINEAR does not check what it gets */
    for (uint64_t i = 0; i < n; i++)
        x[i] = l->row[row[i]];
    memcpy(target, y, n * sizeof *y);
    const struct parameter parameter = parameters(loss, cost, weight);
    const struct problem problem = {(int)n, (int)l->n_columns + 1, target, x, 1};
    const char *fault = library.check(&problem, &parameter);
    if (fault != NULL) {
        st = gb_fail(err, GB_EARGUMENT, "LIBLINEAR: %s", fault);
        goto done;
    }
    struct model *model = library.train(&problem, &parameter);
    /* Of two classes that are 1 and -1 the score is that of 1. */
    memcpy(weight, model->w, (l->n_columns + 1) * sizeof *weight);
    library.free_model(&model);
done:
    gb_free(x);
    gb_free(target);
    return st;
}
