/* handles.c - objects of the library in external pointers of R. */
#include "calls.h"

#include <stdlib.h>

/* What frees an object, behind the pointer to it. */
typedef struct box {
    void *object;
    void (*free)(void *);
} box;

static void finalize(SEXP handle)
{
    box *b = R_ExternalPtrAddr(handle);
    if (b == NULL)
        return;
    R_ClearExternalPtr(handle);
    if (b->object != NULL)
        b->free(b->object);
    free(b);
}

SEXP gbr_handle(const char *kind, void (*free_object)(void *), SEXP keeps)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kind), keeps));
    R_RegisterCFinalizerEx(handle, finalize, TRUE);
    box *b = malloc(sizeof *b);
    if (b == NULL)
        Rf_error("out of memory");
    *b = (box){NULL, free_object};
    R_SetExternalPtrAddr(handle, b);
    UNPROTECT(1);
    return handle;
}

void gbr_put(SEXP handle, void *object)
{
    ((box *)R_ExternalPtrAddr(handle))->object = object;
}

void *gbr_get(SEXP handle, const char *kind)
{
    if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != Rf_install(kind))
        Rf_error("expected an object of the engine: %s", kind);
    box *b = R_ExternalPtrAddr(handle);
    if (b == NULL || b->object == NULL)
        Rf_error("this %s belongs to another session of R", kind);
    return b->object;
}

void *gbr_get_or_null(SEXP handle, const char *kind)
{
    return handle == R_NilValue ? NULL : gbr_get(handle, kind);
}

/* Whether its object is still there: not after R has saved and read it again. */
SEXP gbr_is_alive(SEXP handle)
{
    const box *b = TYPEOF(handle) == EXTPTRSXP ? R_ExternalPtrAddr(handle) : NULL;
    return Rf_ScalarLogical(b != NULL && b->object != NULL);
}
