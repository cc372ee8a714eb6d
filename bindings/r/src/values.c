/* values.c - vectors of R as values of C, and back. */
#include "glue.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char *gbr_text(SEXP text)
{
    if (TYPEOF(text) != STRSXP || XLENGTH(text) != 1 || STRING_ELT(text, 0) == NA_STRING)
        Rf_error("expected a text");
    return Rf_translateCharUTF8(STRING_ELT(text, 0));
}

const char *const *gbr_texts(SEXP texts)
{
    if (TYPEOF(texts) != STRSXP)
        Rf_error("expected texts");
    const R_xlen_t n = XLENGTH(texts);
    const char **out = (const char **)R_alloc((size_t)(n > 0 ? n : 1), sizeof *out);
    for (R_xlen_t i = 0; i < n; i++) {
        const SEXP text = STRING_ELT(texts, i);
        out[i] = text == NA_STRING ? NULL : Rf_translateCharUTF8(text);
    }
    return out;
}

SEXP gbr_utf8(const char *text, int64_t bytes)
{
    return Rf_mkCharLenCE(text, bytes < 0 ? (int)strlen(text) : (int)bytes, CE_UTF8);
}

SEXP gbr_string(const char *text)
{
    SEXP one = PROTECT(gbr_utf8(text, -1));
    SEXP out = Rf_ScalarString(one);
    UNPROTECT(1);
    return out;
}

SEXP gbr_take(char *text)
{
    /* A copy first: making a string may jump, and then the text would be lost. */
    const size_t size = strlen(text) + 1;
    char *copy = R_alloc(size, 1);
    memcpy(copy, text, size);
    gb_free(text);
    return gbr_string(copy);
}

bool gbr_flag(SEXP flag)
{
    return Rf_asLogical(flag) == TRUE;
}

uint64_t gbr_count(SEXP number)
{
    const double value = Rf_asReal(number);
    if (!(value >= 0 && value <= 9007199254740992.0 && value == floor(value)))
        Rf_error("expected a whole number from 0 on");
    return (uint64_t)value;
}

double gbr_real(double value)
{
    return isnan(value) ? NA_REAL : value;
}

SEXP gbr_counts(const uint64_t *value, uint64_t n)
{
    bool is_small = true;
    for (uint64_t i = 0; i < n; i++)
        is_small &= value[i] == GB_NO_COUNT || value[i] <= INT_MAX;
    SEXP out = PROTECT(Rf_allocVector(is_small ? INTSXP : REALSXP, (R_xlen_t)n));
    for (uint64_t i = 0; i < n; i++)
        if (is_small)
            INTEGER(out)[i] = value[i] == GB_NO_COUNT ? NA_INTEGER : (int)value[i];
        else
            REAL(out)[i] = value[i] == GB_NO_COUNT ? NA_REAL : (double)value[i];
    UNPROTECT(1);
    return out;
}

SEXP gbr_matrix(const double *value, uint64_t n_rows, uint64_t n_columns)
{
    if (n_rows > INT_MAX || n_columns > INT_MAX)
        Rf_error("a matrix with %.0f rows and %.0f columns is too large for R", (double)n_rows, (double)n_columns);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n_rows, (int)n_columns));
    double *to = REAL(out);
    for (uint64_t i = 0; i < n_rows; i++)
        for (uint64_t j = 0; j < n_columns; j++)
            to[j * n_rows + i] = gbr_real(value[i * n_columns + j]);
    UNPROTECT(1);
    return out;
}

SEXP gbr_list(const char *const *names)
{
    R_xlen_t n = 0;
    while (names[n] != NULL)
        n++;
    SEXP out = PROTECT(Rf_allocVector(VECSXP, n)), named = PROTECT(Rf_allocVector(STRSXP, n));
    for (R_xlen_t i = 0; i < n; i++)
        SET_STRING_ELT(named, i, Rf_mkChar(names[i]));
    Rf_setAttrib(out, R_NamesSymbol, named);
    UNPROTECT(2);
    return out;
}

SEXP gbr_member(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < XLENGTH(list); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
            return VECTOR_ELT(list, i);
    return R_NilValue;
}
