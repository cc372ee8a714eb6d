/* cli/contrasts.c - contrasts of topics and of levels of covariates.
 *
 *   --contrast A,B   A minus B        --contrast A   A minus the average document
 *
 * A and B are topics (3) or levels (party=Whig), several joined by "+".  Names may hold commas and plus signs: the text is cut
 * where both sides have only names that the model has. */
#include "contrasts.h"

#include "group_effects.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DEFAULT_WORDS = 5, WIDEST_NAME = 40, LONGEST_QUOTE = 80 };

typedef struct side {
    const char *text;
    size_t length;
    uint64_t n, *feature; /* room for a feature per two bytes of text */
} side;

typedef struct contrast {
    side left, right; /* right.n is 0: the average document */
} contrast;

/* ---- reading --------------------------------------------------------------------------------------- */

static bool find_feature(const gb_model *model, const char *text, size_t length, uint64_t *out)
{
    const uint64_t n_topics = gb_model_n_topics(model),
                   n_columns = gb_model_n_columns(model) - gb_model_n_word_columns(model);
    uint64_t number = 0;
    if (length > 0 && length < 6 && strspn(text, "0123456789") >= length) {
        for (size_t i = 0; i < length; i++)
            number = 10 * number + (uint64_t)(text[i] - '0');
        *out = number - 1;
        return number >= 1 && number <= n_topics;
    }
    for (uint64_t j = 0; j < n_columns; j++) {
        const char *name = gb_model_column(model, j);
        *out = n_topics + j;
        if (strlen(name) == length && memcmp(name, text, length) == 0)
            return true;
    }
    return false;
}

/* Fills side->feature; false, with *unknown, if a piece is no feature.  Longer names are tried first. */
static bool read_side(const gb_model *model, side *s, side *unknown)
{
    for (size_t at = 0, end; at <= s->length; at = end + 1) {
        for (end = s->length; !find_feature(model, s->text + at, end - at, &s->feature[s->n]);) {
            while (end > at && s->text[--end] != '+')
                ;
            if (end == at) {
                const char *plus = memchr(s->text + at, '+', s->length - at);
                *unknown =
                    (side){s->text + at, plus == NULL ? s->length - at : (size_t)(plus - s->text) - at, 0, NULL};
                return false;
            }
        }
        s->n++;
    }
    return true;
}

static gb_status fail_unknown(const gb_model *model, const char *text, side unknown, gb_error *err)
{
    const bool has_groups = gb_model_n_groups(model) > 0;
    return cli_fail(err, GB_EARGUMENT,
                    "--contrast %s: \"%.*s\" is neither a topic (1 to %" PRIu64
                    ") nor a level of a covariate such as party=Whig%s",
                    text, (int)(unknown.length < LONGEST_QUOTE ? unknown.length : LONGEST_QUOTE), unknown.text,
                    gb_model_n_topics(model), has_groups ? ", and these are not two groups" : "");
}

static bool read_both(const gb_model *model, contrast *c, const char *text, const char *comma, side *unknown)
{
    c->left.text = text;
    c->left.length = comma == NULL ? strlen(text) : (size_t)(comma - text);
    c->right.text = comma == NULL ? "" : comma + 1;
    c->right.length = strlen(c->right.text);
    c->left.n = c->right.n = 0;
    return read_side(model, &c->left, unknown) && (comma == NULL || read_side(model, &c->right, unknown));
}

static void clear(contrast *c)
{
    gb_free(c->left.feature);
    gb_free(c->right.feature);
}

/* Free it with clear(), also after a failure. */
static gb_status read_contrast(const gb_model *model, const char *text, contrast *out, gb_error *err)
{
    gb_status st;
    side unknown;
    const size_t room = strlen(text) / 2 + 2;
    *out = (contrast){.left.n = 0};
    CLI_TRY(cli_alloc(&out->left.feature, room, sizeof *out->left.feature, "a contrast", err));
    CLI_TRY(cli_alloc(&out->right.feature, room, sizeof *out->right.feature, "a contrast", err));
    if (read_both(model, out, text, NULL, &unknown))
        return GB_OK;
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ','))
        if (read_both(model, out, text, comma, &unknown))
            return GB_OK;
    return fail_unknown(model, text, unknown, err);
done:
    return st;
}

static gb_status find_posterior(const gb_model *model, uint64_t output, const contrast *c, gb_effect *out,
                                gb_error *err)
{
    return gb_model_contrast(model, output, c->left.n, c->left.feature, c->right.n, c->right.feature, out, err);
}

gb_status cli_asks_for_contrasts(const cli_call *call, const gb_model *model, bool *out, gb_error *err)
{
    const char *kind = cli_text(call, "kind");
    *out = false;
    if (cli_count(call, "contrast") == 0 || strcmp(kind, "groups") == 0)
        return GB_OK;
    *out = strcmp(kind, "coefficients") == 0;
    if (*out || gb_model_n_outputs(model) == 0)
        return GB_OK;
    bool is_of_groups;
    const gb_status st = cli_is_contrast_of_groups(model, cli_item(call, "contrast", 0), &is_of_groups, err);
    *out = st == GB_OK && !is_of_groups;
    return st;
}

gb_status cli_check_contrasts(const cli_call *call, const gb_model *model, gb_error *err)
{
    gb_status st = GB_OK;
    if (cli_count(call, "trend") > 0 || *cli_text(call, "prior-predictive") != '\0')
        return cli_fail(err, GB_EARGUMENT,
                        "only one of --trend, --contrast and --prior-predictive can be used at a time");
    if (gb_model_n_outputs(model) == 0)
        return cli_fail(err, GB_EARGUMENT, "%s: a model without a response has no coefficients to contrast",
                        cli_text(call, "model"));
    for (uint64_t i = 0; i < cli_count(call, "contrast") && st == GB_OK; i++) {
        const char *text = cli_item(call, "contrast", i);
        contrast c;
        gb_effect posterior;
        gb_error why = {.status = GB_OK};
        st = read_contrast(model, text, &c, err);
        if (st == GB_OK && (st = find_posterior(model, 0, &c, &posterior, &why)) != GB_OK)
            (void)cli_fail(err, st, "--contrast %s: %s", text, why.message);
        clear(&c);
    }
    return st;
}

/* ---- names ----------------------------------------------------------------------------------------- */

/* "rating", or with classes "label=good"; free it with gb_free(). */
static gb_status name_score(const gb_model *model, uint64_t output, char **out, gb_error *err)
{
    const uint64_t r = cli_response_of(model, output);
    const char *field = gb_model_field(model, r), *class = gb_model_output(model, output);
    if (!gb_model_has_class_scores(model, r))
        return cli_copy_text(out, field, strlen(field), err);
    const size_t size = strlen(field) + strlen(class) + 2;
    const gb_status st = cli_alloc(out, size, 1, "a name", err);
    if (st == GB_OK)
        (void)snprintf(*out, size, "%s=%s", field, class);
    return st;
}

/* ---- as text --------------------------------------------------------------------------------------- */

static gb_status print_posterior(FILE *f, const gb_model *model, uint64_t output, const contrast *c, int width,
                                 gb_error *err)
{
    gb_status st;
    gb_effect e;
    char *name = NULL;
    CLI_TRY(name_score(model, output, &name, err));
    CLI_TRY(find_posterior(model, output, c, &e, err));
    const int pad = width - (int)cli_width(name);
    (void)fprintf(f, "  %s%*s %+10.4g", name, pad > 0 ? pad : 0, "", e.mean);
    (void)(isnan(e.sd) ? fprintf(f, " %10s", "-") : fprintf(f, " %10.4g", e.sd));
    (void)fprintf(f, " %+10.4g %+10.4g %+10.4g  %6.2f", e.q05, e.median, e.q95, e.p_positive);
    if (e.n_unused > 0)
        (void)fprintf(f, "  (%" PRIu64 " of %" PRIu64 " draws)", e.n_draws, e.n_draws + e.n_unused);
    (void)fputc('\n', f);
done:
    gb_free(name);
    return st;
}

static gb_status find_width(const gb_model *model, int *width, gb_error *err)
{
    *width = (int)strlen("score");
    for (uint64_t l = 0; l < gb_model_n_outputs(model); l++) {
        char *name;
        const gb_status st = name_score(model, l, &name, err);
        if (st != GB_OK)
            return st;
        const int here = (int)cli_width(name);
        *width = here <= *width ? *width : here < WIDEST_NAME ? here : WIDEST_NAME;
        gb_free(name);
    }
    return GB_OK;
}

/* The words of the topics of one side. */
static gb_status print_words(const cli_call *call, const gb_model *model, FILE *f, const side *s, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t asked = cli_is_set(call, "words") ? (uint64_t)cli_int(call, "words") : DEFAULT_WORDS;
    const uint64_t n = asked < gb_model_n_words(model) ? asked : gb_model_n_words(model);
    uint64_t *word = NULL;
    double *probability = NULL;
    char *words = NULL;
    CLI_TRY(cli_alloc(&word, n, sizeof *word, "words of topics", err));
    CLI_TRY(cli_alloc(&probability, n, sizeof *probability, "words of topics", err));
    for (uint64_t i = 0; i < s->n && s->feature[i] < gb_model_n_topics(model); i++) {
        const uint64_t n_found = gb_model_topic_words(model, s->feature[i], n, word, probability);
        gb_free(words);
        words = NULL;
        CLI_TRY(cli_join_words(model, word, n_found, &words, err));
        (void)fprintf(f, "  topic %" PRIu64 ": %s\n", s->feature[i] + 1, words);
    }
done:
    gb_free(word);
    gb_free(probability);
    gb_free(words);
    return st;
}

static gb_status print_contrast(const cli_call *call, const gb_model *model, const gb_model *trained, FILE *f,
                                const contrast *c, int width, gb_error *err)
{
    gb_status st = GB_OK;
    (void)fprintf(f, "%.*s minus %s\n", (int)c->left.length, c->left.text,
                  c->right.n > 0 ? c->right.text : "the average document");
    (void)fprintf(f, "  %-*s %10s %10s %10s %10s %10s  %6s\n", width, "score", "mean", "sd", "5%", "median", "95%",
                  "P(>0)");
    for (uint64_t l = 0; l < gb_model_n_outputs(model); l++)
        CLI_TRY(print_posterior(f, model, l, c, width, err));
    if (!gb_model_is_one_vs_rest(model)) { /* else each class has topics of its own */
        CLI_TRY(print_words(call, trained, f, &c->left, err));
        CLI_TRY(print_words(call, trained, f, &c->right, err));
    }
done:
    return st;
}

gb_status cli_print_contrasts(const cli_call *call, const gb_model *model, const gb_model *trained, FILE *stream,
                              gb_error *err)
{
    int width;
    gb_status st = find_width(model, &width, err);
    for (uint64_t i = 0; i < cli_count(call, "contrast") && st == GB_OK; i++) {
        contrast c;
        if (i > 0)
            (void)fputc('\n', stream);
        st = read_contrast(model, cli_item(call, "contrast", i), &c, err);
        if (st == GB_OK)
            st = print_contrast(call, model, trained, stream, &c, width, err);
        clear(&c);
    }
    return st;
}

/* ---- as a table ------------------------------------------------------------------------------------ */

static gb_status write_contrast(cli_table *table, const gb_model *model, const contrast *c, gb_error *err)
{
    gb_status st = GB_OK;
    gb_effect e;
    for (uint64_t l = 0; l < gb_model_n_outputs(model); l++) {
        const char *field = gb_model_field(model, cli_response_of(model, l)), *output = gb_model_output(model, l);
        CLI_TRY(find_posterior(model, l, c, &e, err));
        cli_table_text(table, field, strlen(field));
        cli_table_text(table, output, strlen(output));
        cli_table_text(table, c->left.text, c->left.length);
        cli_table_text(table, c->right.text, c->right.length);
        cli_table_real(table, e.mean);
        cli_table_real(table, e.sd);
        cli_table_real(table, e.q05);
        cli_table_real(table, e.median);
        cli_table_real(table, e.q95);
        cli_table_real(table, e.p_positive);
        cli_table_count(table, e.n_draws);
    }
done:
    return st;
}

gb_status cli_write_contrasts(const cli_call *call, const gb_model *model, gb_error *err)
{
    static const char *const name[] = {"field", "output", "contrast", "minus",      "mean",   "sd",
                                       "q05",   "median", "q95",      "p_positive", "n_draws"};
    gb_status st;
    cli_table *table = NULL;
    CLI_TRY(cli_table_open_output(&table, call, err));
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        CLI_TRY(cli_table_column(table, "", name[i], err));
    for (uint64_t i = 0; i < cli_count(call, "contrast"); i++) {
        contrast c;
        st = read_contrast(model, cli_item(call, "contrast", i), &c, err);
        if (st == GB_OK)
            st = write_contrast(table, model, &c, err);
        clear(&c);
        CLI_TRY(st);
    }
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}
