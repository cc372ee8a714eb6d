/* settings.c - the option table, and the settings of a call. */
#include "calls.h"

static void free_settings(void *settings)
{
    gb_settings_free(settings);
}

SEXP gbr_options(void)
{
    static const char *const names[] = {"name",    "kind", "group", "default", "low", "high",
                                        "choices", "kept", "needs", "help",    NULL};
    R_xlen_t n = 0;
    while (gb_option_at((uint64_t)n) != NULL)
        n++;
    SEXP out = PROTECT(gbr_list(names));
    for (int c = 0; names[c] != NULL; c++)
        SET_VECTOR_ELT(out, c, Rf_allocVector(c == 7 ? LGLSXP : STRSXP, n));
    for (R_xlen_t i = 0; i < n; i++) {
        const gb_option *o = gb_option_at((uint64_t)i);
        const char *const text[] = {o->name,
                                    gb_option_kind_name(o->kind),
                                    gb_option_group_name(o->group),
                                    o->default_value,
                                    o->low,
                                    o->high,
                                    o->choices,
                                    NULL,
                                    o->needs,
                                    o->help};
        for (int c = 0; names[c] != NULL; c++)
            if (text[c] != NULL)
                SET_STRING_ELT(VECTOR_ELT(out, c), i, gbr_utf8(text[c], -1));
        LOGICAL(VECTOR_ELT(out, 7))[i] = o->kept;
    }
    UNPROTECT(1);
    return out;
}

SEXP gbr_nearest(SEXP word, SEXP candidates)
{
    const char *found = gb_text_nearest(gbr_text(word), (size_t)XLENGTH(candidates), gbr_texts(candidates));
    return gbr_string(found == NULL ? "" : found);
}

SEXP gbr_settings_new(void)
{
    SEXP handle = PROTECT(gbr_handle("settings", free_settings, R_NilValue));
    gb_settings *made = NULL;
    gb_error err;
    gbr_check(gb_settings_create(&made, &err), &err);
    gbr_put(handle, made);
    UNPROTECT(1);
    return handle;
}

SEXP gbr_settings_set(SEXP settings, SEXP name, SEXP value, SEXP is_grid)
{
    gb_error err;
    gb_settings *s = gbr_get(settings, "settings");
    gbr_check((gbr_flag(is_grid) ? gb_selection_set : gb_settings_set)(s, gbr_text(name), gbr_text(value), &err),
              &err);
    return R_NilValue;
}

SEXP gbr_settings_check(SEXP settings, SEXP name)
{
    gb_error err;
    const gb_option *option = gb_option_find(gbr_text(name));
    if (option != NULL)
        gbr_check(gb_settings_check(gbr_get(settings, "settings"), option->name, option->needs, NULL, 0, NULL, &err),
                  &err);
    return R_NilValue;
}

SEXP gbr_settings_get(SEXP settings, SEXP name)
{
    const gb_settings *s = gbr_get(settings, "settings");
    const char *of = gbr_text(name);
    const R_xlen_t n = (R_xlen_t)gb_settings_n_values(s, of);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, n));
    for (R_xlen_t i = 0; i < n; i++)
        SET_STRING_ELT(out, i, gbr_utf8(gb_settings_get(s, of, (uint64_t)i), -1));
    UNPROTECT(1);
    return out;
}

SEXP gbr_settings_is_set(SEXP settings, SEXP name)
{
    return Rf_ScalarLogical(gb_settings_is_set(gbr_get(settings, "settings"), gbr_text(name)));
}

SEXP gbr_settings_resume(SEXP settings, SEXP path)
{
    gb_error err;
    gbr_check(gb_settings_resume(gbr_get(settings, "settings"), gbr_text(path), &err), &err);
    return R_NilValue;
}

SEXP gbr_settings_fields(SEXP settings)
{
    gb_error err;
    char *out = NULL;
    gbr_check(gb_settings_fields(gbr_get(settings, "settings"), &out, &err), &err);
    return gbr_take(out);
}
