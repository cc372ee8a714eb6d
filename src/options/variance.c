/* options/variance.c - the option `variance`, as text and as numbers. */
#include "options/variance.h"

#include <stdio.h>

static const struct {
    const char *name;
    bool may_be_sampled;
} parts[] = {[GB_VARIANCE_TOPICS] = {"topics", true},
             [GB_VARIANCE_COVARIATES] = {"covariates", false},
             [GB_VARIANCE_WORDS] = {"words", true},
             [GB_VARIANCE_EMBEDDINGS] = {"embeddings", true},
             [GB_VARIANCE_INTERCEPT] = {"intercept", false}};

/* The part of a name, of all characters up to `length`. */
static gb_status find_part(const char *name, size_t length, size_t *out, gb_error *err)
{
    for (size_t i = 0; i < GB_N_VARIANCES; i++) {
        if (strlen(parts[i].name) == length && memcmp(parts[i].name, name, length) == 0) {
            *out = i;
            return GB_OK;
        }
    }
    char quote[GB_QUOTE_SIZE];
    gb_text_quote(name, length, quote);
    return gb_fail(err, GB_EARGUMENT,
                   "`variance` has no part %s; it has topics, covariates, words, embeddings and intercept", quote);
}

static gb_status read_value(const char *text, size_t length, size_t part, double *out, gb_error *err)
{
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1), text);
    const bool is_sampled = parts[part].may_be_sampled && strcmp(copy, "sample") == 0;
    *out = is_sampled ? GB_VARIANCE_SAMPLED : GB_VARIANCE_AUTO;
    if (is_sampled || strcmp(copy, "auto") == 0 ||
        (length < sizeof copy && gb_text_to_real(copy, out) == GB_NUMBER_OK && *out >= 1e-12 && *out <= 1e12))
        return GB_OK;
    char quote[GB_QUOTE_SIZE];
    gb_text_quote(text, length, quote);
    return gb_fail(err, GB_EARGUMENT, "`variance` of %s must be auto%s or a number from 1e-12 to 1e12, not %s",
                   parts[part].name, parts[part].may_be_sampled ? ", sample" : "", quote);
}

gb_status gb_variances_read(const char *text, gb_variances *out, gb_error *err)
{
    bool is_given[GB_N_VARIANCES] = {false};
    *out = (gb_variances){.of = {GB_VARIANCE_AUTO}};
    for (const char *at = text;; at++) {
        size_t part = GB_VARIANCE_TOPICS;
        const size_t length = strcspn(at, ","), name = strcspn(at, "=,");
        const size_t value = name < length ? name + 1 : 0;
        gb_status st = value == 0 ? GB_OK : find_part(at, name, &part, err);
        if (st == GB_OK && is_given[part])
            st = gb_fail(err, GB_EARGUMENT, "`variance` of %s is given twice", parts[part].name);
        if (st == GB_OK)
            st = read_value(at + value, length - value, part, &out->of[part], err);
        if (st != GB_OK)
            return st;
        is_given[part] = true;
        at += length;
        if (*at == '\0')
            return GB_OK;
    }
}

void gb_variances_print(const gb_variances *variances, char out[static GB_VARIANCES_SIZE])
{
    size_t used = 0;
    for (size_t i = 0; i < GB_N_VARIANCES; i++) {
        char number[GB_REAL_SIZE] = "sample";
        if (variances->of[i] == GB_VARIANCE_AUTO)
            continue;
        if (variances->of[i] != GB_VARIANCE_SAMPLED)
            gb_text_from_real(variances->of[i], number);
        used += (size_t)snprintf(out + used, GB_VARIANCES_SIZE - used, "%s%s=%s", used == 0 ? "" : ",", parts[i].name,
                                 number);
    }
    if (used == 0)
        (void)strcpy(out, "auto");
}

/* gb_settings_set() has checked the text. */
gb_variances gb_settings_variances(const gb_settings *settings)
{
    gb_variances all;
    (void)gb_variances_read(gb_settings_text(settings, "variance"), &all, NULL);
    return all;
}

gb_status gb_settings_set_variance(gb_settings *settings, gb_variance_part part, double variance, gb_error *err)
{
    char text[GB_VARIANCES_SIZE];
    gb_variances all = gb_settings_variances(settings);
    all.of[part] = variance;
    gb_variances_print(&all, text);
    return gb_settings_set(settings, "variance", text, err);
}
