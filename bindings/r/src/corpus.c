/* corpus.c - documents of R as a corpus, or as new documents of a model. */
#include "calls.h"

#include <math.h>
#include <string.h>

static void free_arrays(void *arrays)
{
    gb_corpus_arrays_free(arrays);
}

static void free_corpus(void *corpus)
{
    gb_corpus_free(corpus);
}

SEXP gbr_corpus_handle(SEXP keeps)
{
    return gbr_handle("corpus", free_corpus, keeps);
}

/* Starts of documents: integers or doubles in R. */
static const uint64_t *starts(SEXP start)
{
    const R_xlen_t n = XLENGTH(start);
    uint64_t *out = (uint64_t *)R_alloc((size_t)n, sizeof *out);
    for (R_xlen_t i = 0; i < n; i++)
        out[i] = TYPEOF(start) == INTSXP ? (uint64_t)INTEGER(start)[i] : (uint64_t)REAL(start)[i];
    return out;
}

/* Counts, which R has as doubles. */
static const uint32_t *counts(SEXP count)
{
    if (count == R_NilValue) /* every entry is a token */
        return NULL;
    const R_xlen_t n = XLENGTH(count);
    if (TYPEOF(count) == INTSXP || TYPEOF(count) == LGLSXP) {
        for (R_xlen_t i = 0; i < n; i++)
            if (INTEGER(count)[i] < 0)
                Rf_error("counts of words must be whole numbers from 0 on; entry %.0f is not", (double)i + 1);
        return (const uint32_t *)INTEGER(count);
    }
    uint32_t *out = (uint32_t *)R_alloc((size_t)(n > 0 ? n : 1), sizeof *out);
    const double *from = REAL(count);
    for (R_xlen_t i = 0; i < n; i++) {
        if (!(from[i] >= 0 && from[i] <= UINT32_MAX && from[i] == floor(from[i])))
            Rf_error("counts of words must be whole numbers from 0 on; entry %.0f is %g", (double)i + 1, from[i]);
        out[i] = (uint32_t)from[i];
    }
    return out;
}

/* Numbers of classes from 1, NA for none. */
static const uint32_t *classes(SEXP class_of)
{
    const R_xlen_t n = XLENGTH(class_of);
    uint32_t *out = (uint32_t *)R_alloc((size_t)(n > 0 ? n : 1), sizeof *out);
    for (R_xlen_t i = 0; i < n; i++)
        out[i] = INTEGER(class_of)[i] == NA_INTEGER ? GB_NO_CLASS : (uint32_t)INTEGER(class_of)[i] - 1;
    return out;
}

static const bool *flags(SEXP flag)
{
    const R_xlen_t n = XLENGTH(flag);
    bool *out = (bool *)R_alloc((size_t)(n > 0 ? n : 1), sizeof *out);
    for (R_xlen_t i = 0; i < n; i++)
        out[i] = LOGICAL(flag)[i] == TRUE;
    return out;
}

static void add_field(gb_corpus_arrays *arrays, SEXP field)
{
    gb_error err;
    const char *name = gbr_text(gbr_member(field, "name"));
    const gb_role role = (gb_role)Rf_asInteger(gbr_member(field, "role"));
    SEXP numbers = gbr_member(field, "numbers"), names = gbr_member(field, "class_name"), start = gbr_member(field, "start");
    if (numbers != R_NilValue) {
        gbr_check(gb_corpus_arrays_numbers(arrays, name, role, REAL(numbers), &err), &err);
        return;
    }
    const uint32_t *of = classes(gbr_member(field, "class_of"));
    const uint64_t n = (uint64_t)XLENGTH(names);
    if (start == R_NilValue) {
        gbr_check(gb_corpus_arrays_classes(arrays, name, role, n, gbr_texts(names), of, &err), &err);
        return;
    }
    gbr_check(gb_corpus_arrays_lists(arrays, name, role, n, gbr_texts(names), starts(start), of,
                                     flags(gbr_member(field, "is_missing")), &err),
              &err);
}

static void add_embeddings(gb_corpus_arrays *arrays, SEXP rows)
{
    gb_error err;
    const size_t n_rows = (size_t)Rf_nrows(rows), width = (size_t)Rf_ncols(rows);
    float *value = (float *)R_alloc(n_rows * width + 1, sizeof *value);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < width; j++)
            value[i * width + j] = (float)REAL(rows)[j * n_rows + i];
    gbr_check(gb_corpus_arrays_embeddings(arrays, width, value, &err), &err);
}

/* Documents as document_inputs() of R/documents.R makes them; protect the result. */
static SEXP arrays_of(SEXP inputs)
{
    gb_error err;
    gb_corpus_arrays *arrays = NULL;
    SEXP handle = PROTECT(gbr_handle("arrays", free_arrays, inputs));
    gbr_check(gb_corpus_arrays_create(&arrays, &err), &err);
    gbr_put(handle, arrays);
    SEXP texts = gbr_member(inputs, "texts"), start = gbr_member(inputs, "start"), words = gbr_member(inputs, "vocabulary"),
         ids = gbr_member(inputs, "ids"), fields = gbr_member(inputs, "fields"), rows = gbr_member(inputs, "embeddings");
    if (texts != R_NilValue)
        gbr_check(gb_corpus_arrays_texts(arrays, (uint64_t)XLENGTH(texts), gbr_texts(texts), &err), &err);
    else
        gbr_check(gb_corpus_arrays_counts(arrays, (uint64_t)XLENGTH(start) - 1, starts(start),
                                          (const uint32_t *)INTEGER(gbr_member(inputs, "word")),
                                          counts(gbr_member(inputs, "count")), &err),
                  &err);
    if (words != R_NilValue)
        gbr_check(gb_corpus_arrays_vocabulary(arrays, (uint64_t)XLENGTH(words), gbr_texts(words), &err), &err);
    if (ids != R_NilValue)
        gbr_check(gb_corpus_arrays_ids(arrays, gbr_texts(ids), &err), &err);
    for (R_xlen_t i = 0; i < XLENGTH(fields); i++)
        add_field(arrays, VECTOR_ELT(fields, i));
    if (rows != R_NilValue)
        add_embeddings(arrays, rows);
    UNPROTECT(1);
    return handle;
}

SEXP gbr_corpus(SEXP inputs, SEXP settings)
{
    gb_error err;
    gb_corpus *made = NULL;
    SEXP arrays = PROTECT(arrays_of(inputs)), handle = PROTECT(gbr_corpus_handle(R_NilValue));
    gbr_check(gb_corpus_from_arrays(gbr_get(arrays, "arrays"), gbr_get(settings, "settings"), &made, &err), &err);
    gbr_put(handle, made);
    UNPROTECT(2);
    return handle;
}

SEXP gbr_corpus_read(SEXP path, SEXP settings)
{
    gb_error err;
    gb_corpus *made = NULL;
    gbr_watch watch = {.shows = false};
    SEXP handle = PROTECT(gbr_corpus_handle(R_NilValue));
    const gb_status st =
        gb_corpus_read_copy(gbr_text(path), gbr_get(settings, "settings"), gbr_on_read, &watch, &made, &err);
    gbr_put(handle, made);
    gbr_finish(&watch, st, &err);
    UNPROTECT(1);
    return handle;
}

SEXP gbr_corpus_write(SEXP corpus, SEXP path, SEXP force)
{
    gb_error err;
    gbr_check(gb_corpus_write(gbr_get(corpus, "corpus"), gbr_text(path), gbr_flag(force), &err), &err);
    return R_NilValue;
}

static SEXP words_of(const gb_corpus *corpus)
{
    const R_xlen_t n = (R_xlen_t)gb_corpus_n_words(corpus);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, n));
    for (R_xlen_t i = 0; i < n; i++) {
        size_t length = 0;
        const char *word = gb_corpus_word(corpus, (uint64_t)i, &length);
        SET_STRING_ELT(out, i, gbr_utf8(word, (int64_t)length));
    }
    UNPROTECT(1);
    return out;
}

static SEXP ids_of(const gb_corpus *corpus)
{
    const R_xlen_t n = (R_xlen_t)gb_corpus_n_docs(corpus);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, n));
    for (R_xlen_t i = 0; i < n; i++) {
        size_t length = 0;
        const char *id = gb_corpus_id(corpus, (uint64_t)i, &length);
        SET_STRING_ELT(out, i, gbr_utf8(id, (int64_t)length));
    }
    UNPROTECT(1);
    return out;
}

SEXP gbr_corpus_facts(SEXP corpus)
{
    static const char *const names[] = {"n_docs", "n_tokens", "n_words", "vocabulary", "ids", NULL};
    const gb_corpus *c = gbr_get(corpus, "corpus");
    SEXP out = PROTECT(gbr_list(names));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)gb_corpus_n_docs(c)));
    SET_VECTOR_ELT(out, 1, Rf_ScalarReal((double)gb_corpus_n_tokens(c)));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)gb_corpus_n_words(c)));
    SET_VECTOR_ELT(out, 3, words_of(c));
    SET_VECTOR_ELT(out, 4, ids_of(c));
    UNPROTECT(1);
    return out;
}

SEXP gbr_corpus_tokens(SEXP corpus)
{
    static const char *const names[] = {"start", "word", NULL};
    const gb_corpus *c = gbr_get(corpus, "corpus");
    const uint64_t n_docs = gb_corpus_n_docs(c);
    SEXP out = PROTECT(gbr_list(names)), start = Rf_allocVector(REALSXP, (R_xlen_t)n_docs + 1);
    SET_VECTOR_ELT(out, 0, start);
    SEXP word = Rf_allocVector(INTSXP, (R_xlen_t)gb_corpus_n_tokens(c));
    SET_VECTOR_ELT(out, 1, word);
    uint64_t at = 0;
    for (uint64_t d = 0; d < n_docs; d++) {
        uint64_t n = 0;
        const uint32_t *token = gb_corpus_tokens(c, d, &n);
        REAL(start)[d] = (double)at;
        for (uint64_t i = 0; token != NULL && i < n; i++)
            INTEGER(word)[at++] = (int)token[i] + 1;
    }
    REAL(start)[n_docs] = (double)at;
    UNPROTECT(1);
    return out;
}

/* ---- new documents ---- */

static void free_numbers(void *numbers)
{
    gb_free(numbers);
}

/* A list of a corpus in the words of a model, and of its numbers of unknown words, both empty; protect it. */
static SEXP empty_documents(SEXP model)
{
    static const char *const names[] = {"corpus", "n_unknown", NULL};
    SEXP out = PROTECT(gbr_list(names));
    SET_VECTOR_ELT(out, 0, gbr_corpus_handle(model));
    SET_VECTOR_ELT(out, 1, gbr_handle("n_unknown", free_numbers, R_NilValue));
    UNPROTECT(1);
    return out;
}

static void fill_documents(SEXP documents, gb_corpus *corpus, uint64_t *n_unknown)
{
    gbr_put(VECTOR_ELT(documents, 0), corpus);
    gbr_put(VECTOR_ELT(documents, 1), n_unknown);
}

SEXP gbr_documents(SEXP model, SEXP inputs)
{
    gb_error err;
    gb_corpus *corpus = NULL;
    uint64_t *n_unknown = NULL;
    SEXP arrays = PROTECT(arrays_of(inputs)), out = PROTECT(empty_documents(model));
    gbr_check(gb_documents_from_arrays(gbr_get(model, "model"), gbr_get(arrays, "arrays"), &corpus, &n_unknown, &err),
              &err);
    fill_documents(out, corpus, n_unknown);
    UNPROTECT(2);
    return out;
}

SEXP gbr_documents_of_corpus(SEXP model, SEXP corpus)
{
    gb_error err;
    gb_corpus *made = NULL;
    uint64_t *n_unknown = NULL;
    SEXP out = PROTECT(empty_documents(model));
    gbr_check(gb_documents_from_corpus(gbr_get(model, "model"), gbr_get(corpus, "corpus"), &made, &n_unknown, &err),
              &err);
    fill_documents(out, made, n_unknown);
    UNPROTECT(1);
    return out;
}

static void close_documents(void *documents)
{
    gb_documents_close(documents);
}

SEXP gbr_documents_read(SEXP model, SEXP path, SEXP settings)
{
    gb_error err;
    gb_corpus *corpus = NULL;
    gb_documents *reader = NULL;
    uint64_t *n_unknown = NULL;
    gbr_watch watch = {.shows = false};
    SEXP out = PROTECT(empty_documents(model)), handle = PROTECT(gbr_handle("reader", close_documents, model));
    gb_status st = gb_documents_open(gbr_get(model, "model"), gbr_text(path), gbr_get(settings, "settings"),
                                     gbr_on_read, &watch, &reader, &err);
    gbr_put(handle, reader);
    if (st == GB_OK)
        st = gb_documents_next(reader, UINT64_C(1) << 40, &corpus, &n_unknown, &err);
    fill_documents(out, corpus, n_unknown);
    gbr_finish(&watch, st, &err);
    if (corpus == NULL)
        Rf_error("%s: no documents", gbr_text(path));
    UNPROTECT(2);
    return out;
}

SEXP gbr_n_unknown(SEXP documents)
{
    const gb_corpus *corpus = gbr_get(VECTOR_ELT(documents, 0), "corpus");
    return gbr_counts(gbr_get(VECTOR_ELT(documents, 1), "n_unknown"), gb_corpus_n_docs(corpus));
}

/* The names that values have as classes, whatever they are written like. */
SEXP gbr_value_names(SEXP values)
{
    const R_xlen_t n = XLENGTH(values);
    const char *const *text = gbr_texts(values);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, n));
    for (R_xlen_t i = 0; i < n; i++) {
        gb_error err;
        char *name = NULL;
        if (text[i] == NULL) {
            SET_STRING_ELT(out, i, NA_STRING);
            continue;
        }
        gbr_check(gb_value_name(text[i], strlen(text[i]), &name, &err), &err);
        SEXP one = PROTECT(gbr_take(name));
        SET_STRING_ELT(out, i, STRING_ELT(one, 0));
        UNPROTECT(1);
    }
    UNPROTECT(1);
    return out;
}
