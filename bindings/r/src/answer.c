/* answer.c - questions, and answers as lists of columns. */
#include "calls.h"

#include <string.h>

SEXP gbr_questions(void)
{
    static const char *const names[] = {"question", "help", "needs", "options", NULL};
    R_xlen_t n = 0;
    while (gb_question_at((uint64_t)n) != NULL)
        n++;
    SEXP out = PROTECT(gbr_list(names));
    for (int c = 0; c < 4; c++)
        SET_VECTOR_ELT(out, c, Rf_allocVector(c == 2 ? INTSXP : STRSXP, n));
    for (R_xlen_t i = 0; i < n; i++) {
        const gb_question *q = gb_question_at((uint64_t)i);
        SET_STRING_ELT(VECTOR_ELT(out, 0), i, gbr_utf8(q->name, -1));
        SET_STRING_ELT(VECTOR_ELT(out, 1), i, gbr_utf8(q->help, -1));
        INTEGER(VECTOR_ELT(out, 2))[i] = (int)q->needs;
        SET_STRING_ELT(VECTOR_ELT(out, 3), i, gbr_utf8(q->options, -1));
    }
    UNPROTECT(1);
    return out;
}

/* ---- what is asked about ---- */

static void *object(SEXP subject, const char *name, const char *kind)
{
    return gbr_get_or_null(gbr_member(subject, name), kind);
}

static void free_table(void *table)
{
    gb_table_free(table);
}

static SEXP ask(SEXP question, SEXP subject, SEXP settings, gbr_watch *watch)
{
    gb_error err;
    gb_table *table = NULL;
    const gb_subject of = {.size = sizeof of,
                           .model = object(subject, "model", "model"),
                           .estimate = object(subject, "estimate", "estimate"),
                           .earlier = object(subject, "earlier", "model"),
                           .documents = object(subject, "documents", "corpus"),
                           .prediction = object(subject, "prediction", "prediction"),
                           .diagnosis = object(subject, "diagnosis", "diagnosis"),
                           .evaluation = object(subject, "evaluation", "evaluation"),
                           .earlier_evaluation = object(subject, "earlier_evaluation", "evaluation"),
                           .validation = object(subject, "validation", "validation"),
                           .selection = object(subject, "selection", "selection"),
                           .explanation = object(subject, "explanation", "explanation"),
                           .topics = object(subject, "topics", "table"),
                           .among = object(subject, "among", "corpus"),
                           .likelihood = object(subject, "likelihood", "likelihood"),
                           .scored = object(subject, "scored", "corpus"),
                           .n_unknown = object(subject, "n_unknown", "n_unknown"),
                           .on_read = gbr_on_read,
                           .on_apply = gbr_on_apply,
                           .user = watch};
    SEXP handle = PROTECT(gbr_handle("table", free_table, R_NilValue));
    const gb_status st = gb_answer(gbr_text(question), &of, gbr_get_or_null(settings, "settings"), &table, &err);
    gbr_put(handle, table);
    gbr_finish(watch, st, &err);
    UNPROTECT(1);
    return handle;
}

/* ---- the table as vectors of R ---- */

static SEXP text_cell(const gb_table *t, uint64_t row, uint64_t c)
{
    return gbr_utf8(gb_table_text(t, row, c, 0), -1);
}

static SEXP list_cell(const gb_table *t, uint64_t row, uint64_t c)
{
    const uint64_t n = gb_table_n_texts(t, row, c);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n));
    for (uint64_t i = 0; i < n; i++)
        SET_STRING_ELT(out, (R_xlen_t)i, gbr_utf8(gb_table_text(t, row, c, i), -1));
    UNPROTECT(1);
    return out;
}

static SEXP reals(const double *value, uint64_t n)
{
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)n));
    for (uint64_t i = 0; i < n; i++)
        REAL(out)[i] = gbr_real(value[i]);
    UNPROTECT(1);
    return out;
}

static SEXP flags_of(const uint64_t *value, uint64_t n)
{
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)n));
    for (uint64_t i = 0; i < n; i++)
        LOGICAL(out)[i] = value[i] == GB_NO_COUNT ? NA_LOGICAL : value[i] != 0;
    UNPROTECT(1);
    return out;
}

static SEXP cells_of(const gb_table *t, uint64_t c, gb_cell_kind kind)
{
    const uint64_t n = gb_table_n_rows(t);
    if (kind == GB_CELL_REAL)
        return reals(gb_table_reals(t, c), n);
    if (kind == GB_CELL_COUNT)
        return gbr_counts(gb_table_counts(t, c), n);
    if (kind == GB_CELL_FLAG)
        return flags_of(gb_table_counts(t, c), n);
    SEXP out = PROTECT(Rf_allocVector(kind == GB_CELL_TEXT ? STRSXP : VECSXP, (R_xlen_t)n));
    for (uint64_t row = 0; row < n; row++) {
        uint64_t n_numbers = 0;
        if (kind == GB_CELL_TEXT) {
            SET_STRING_ELT(out, (R_xlen_t)row, text_cell(t, row, c));
        } else if (kind == GB_CELL_LIST) {
            SET_VECTOR_ELT(out, (R_xlen_t)row, list_cell(t, row, c));
        } else {
            const double *value = gb_table_numbers(t, row, c, &n_numbers);
            SET_VECTOR_ELT(out, (R_xlen_t)row, reals(value, n_numbers));
        }
    }
    UNPROTECT(1);
    return out;
}

static SEXP notes_of(const gb_table *t)
{
    const R_xlen_t n = (R_xlen_t)gb_table_n_notes(t);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, n)), kinds = PROTECT(Rf_allocVector(STRSXP, n));
    static const char *const name[] = {"doubt", "remark", "below"};
    for (R_xlen_t i = 0; i < n; i++) {
        gb_note_kind kind = GB_NOTE_REMARK;
        SET_STRING_ELT(out, i, gbr_utf8(gb_table_note(t, (uint64_t)i, &kind), -1));
        SET_STRING_ELT(kinds, i, Rf_mkChar(name[kind]));
    }
    Rf_setAttrib(out, R_NamesSymbol, kinds);
    UNPROTECT(2);
    return out;
}

/* Columns with what is known of each, weights of rows, notes. */
static SEXP read_table(const gb_table *t)
{
    static const char *const names[] = {"columns", "title", "place", "help", "unit", "weight", "notes", NULL};
    const R_xlen_t n = (R_xlen_t)gb_table_n_columns(t);
    SEXP out = PROTECT(gbr_list(names)), columns = Rf_allocVector(VECSXP, n);
    SET_VECTOR_ELT(out, 0, columns);
    SEXP named = Rf_allocVector(STRSXP, n);
    Rf_setAttrib(columns, R_NamesSymbol, named);
    for (int i = 1; i < 5; i++)
        SET_VECTOR_ELT(out, i, Rf_allocVector(i == 2 ? INTSXP : STRSXP, n));
    for (R_xlen_t c = 0; c < n; c++) {
        const gb_column *column = gb_table_column(t, (uint64_t)c);
        SET_STRING_ELT(named, c, gbr_utf8(column->name, -1));
        SET_STRING_ELT(VECTOR_ELT(out, 1), c, gbr_utf8(column->title, -1));
        INTEGER(VECTOR_ELT(out, 2))[c] = (int)column->place;
        SET_STRING_ELT(VECTOR_ELT(out, 3), c, gbr_utf8(column->help, -1));
        SET_STRING_ELT(VECTOR_ELT(out, 4), c, gbr_utf8(column->unit, -1));
        SET_VECTOR_ELT(columns, c, cells_of(t, (uint64_t)c, column->kind));
    }
    SET_VECTOR_ELT(out, 5, reals(gb_table_weights(t), gb_table_n_rows(t)));
    SET_VECTOR_ELT(out, 6, notes_of(t));
    UNPROTECT(1);
    return out;
}

SEXP gbr_answer(SEXP question, SEXP subject, SEXP settings, SEXP shows)
{
    gbr_watch watch = {.shows = gbr_flag(shows)};
    SEXP table = PROTECT(ask(question, subject, settings, &watch));
    SEXP out = read_table(gbr_get(table, "table"));
    UNPROTECT(1);
    return out;
}

/* The answer itself, for another question that looks at it. */
SEXP gbr_table(SEXP question, SEXP subject, SEXP settings)
{
    gbr_watch watch = {.shows = false};
    return ask(question, subject, settings, &watch);
}
