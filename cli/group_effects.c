/* cli/group_effects.c - topic shares of groups of documents: all of them, their trends, contrasts, and predictions. */
#include "group_effects.h"

#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DEFAULT_WORDS = 5, PREDICTED_WORDS = 20, DEFAULT_TOPICS = 3, BAR = 40, WIDEST_NAME = 40 };
enum { CELLS_AT_A_TIME = 1 << 22 }; /* shares in memory: draws x groups x topics */

/* Where rows go: one of the two. */
typedef struct rows {
    cli_table *table;
    FILE *stream;
} rows;

typedef struct groups {
    const cli_call *call;
    const gb_model *model;
    uint64_t n_groups, n_topics;
    char **words;     /* n_topics */
    gb_effect *share; /* groups first .. first + n_held - 1, n_topics each */
    uint64_t first, n_held, room;
    rows out;
} groups;

/* A topic of a group on its way into the list of the largest. */
typedef struct topic {
    uint64_t number;
    gb_effect share;
} topic;

bool cli_asks_for_groups(const cli_call *call)
{
    return cli_count(call, "trend") > 0 || cli_count(call, "contrast") > 0 ||
           *cli_text(call, "prior-predictive") != '\0';
}

/* ---- making ---------------------------------------------------------------------------------------- */

static void clear(groups *g)
{
    for (uint64_t k = 0; g->words != NULL && k < g->n_topics; k++)
        gb_free(g->words[k]);
    gb_free(g->words);
    gb_free(g->share);
}

static gb_status find_words(groups *g, uint64_t n, gb_error *err)
{
    gb_status st;
    uint64_t *word = NULL, n_found;
    double *probability = NULL;
    n = n < gb_model_n_words(g->model) ? n : gb_model_n_words(g->model);
    CLI_TRY(cli_alloc(&word, g->n_topics * n, sizeof *word, "the words of topics", err));
    CLI_TRY(cli_alloc(&probability, g->n_topics * n, sizeof *probability, "the words of topics", err));
    CLI_TRY(cli_alloc(&g->words, g->n_topics, sizeof *g->words, "the words of topics", err));
    CLI_TRY(gb_model_words_of_topics(g->model, 0, n, word, probability, &n_found, err));
    for (uint64_t k = 0; k < g->n_topics; k++)
        CLI_TRY(cli_join_words(g->model, word + k * n, n_found, &g->words[k], err));
done:
    gb_free(word);
    gb_free(probability);
    return st;
}

static gb_status make(groups *g, const cli_call *call, const gb_model *model, rows out, gb_error *err)
{
    gb_status st;
    *g = (groups){.call = call, .model = model, .out = out};
    g->n_groups = gb_model_n_groups(model);
    g->n_topics = gb_model_n_topics(model);
    g->room = CELLS_AT_A_TIME / (gb_model_n_draws(model) * g->n_topics) + 1;
    g->room = g->room < g->n_groups ? g->room : g->n_groups;
    CLI_TRY(cli_alloc(&g->share, g->room * g->n_topics, sizeof *g->share, "the topic shares of groups", err));
    CLI_TRY(find_words(g, cli_is_set(call, "words") ? (uint64_t)cli_int(call, "words") : DEFAULT_WORDS, err));
done:
    return st;
}

/* The shares of a group; groups are asked for in their order. */
static gb_status shares_of(groups *g, uint64_t group, const gb_effect **out, gb_error *err)
{
    gb_status st = GB_OK;
    if (group < g->first || group >= g->first + g->n_held) {
        g->first = group;
        g->n_held = g->n_groups - group < g->room ? g->n_groups - group : g->room;
        st = gb_model_group_shares(g->model, g->first, g->n_held, (uint64_t)cli_int(g->call, "threads"), g->share,
                                   err);
    }
    *out = g->share + (group - g->first) * g->n_topics;
    return st;
}

/* ---- values of the options ------------------------------------------------------------------------- */

/* "3", "3,7" or "all": marks topics in `wanted`, which may be NULL. */
static gb_status read_topics(const cli_call *call, uint64_t n_topics, bool *wanted, gb_error *err)
{
    for (uint64_t i = 0; i < cli_count(call, "trend"); i++) {
        for (const char *at = cli_item(call, "trend", i); at != NULL;) {
            const size_t length = strcspn(at, ",");
            const bool is_all = length == 3 && strncmp(at, "all", 3) == 0;
            uint64_t number = 0;
            size_t n_digits = strspn(at, "0123456789");
            for (size_t d = 0; d < n_digits && number <= n_topics; d++)
                number = 10 * number + (uint64_t)(at[d] - '0');
            if (!is_all && (n_digits != length || number < 1 || number > n_topics))
                return cli_fail(err, GB_EARGUMENT,
                                "--trend: \"%.*s\" is not a topic; expected 1 to %" PRIu64 " or all",
                                (int)(length < 80 ? length : 80), at, n_topics);
            for (uint64_t k = 0; wanted != NULL && k < n_topics; k++)
                wanted[k] = wanted[k] || is_all || k + 1 == number;
            at = at[length] == ',' ? at + length + 1 : NULL;
        }
    }
    return GB_OK;
}

static gb_status no_group(const gb_model *model, const char *option, const char *name, size_t length, gb_error *err)
{
    return cli_fail(err, GB_EARGUMENT, "--%s: there is no group \"%.*s\" (%s); the first of %" PRIu64 " is \"%s\"",
                    option, (int)(length < 80 ? length : 80), name, gb_model_group_field(model),
                    gb_model_n_groups(model), gb_model_group(model, 0));
}

/* "A,B": cut at the comma that leaves two groups, since names may have commas too. */
static gb_status read_contrast(const gb_model *model, const char *text, uint64_t *a, uint64_t *b, gb_error *err)
{
    const char *comma = strchr(text, ',');
    char *left = NULL;
    bool has_left = false, has_both = false;
    if (comma == NULL || comma == text || comma[1] == '\0')
        return cli_fail(err, GB_EARGUMENT, "--contrast %s: expected two groups, A,B", text);
    const char *cut = comma;
    gb_status st = cli_copy_text(&left, text, strlen(text), err);
    for (const char *at = comma; st == GB_OK && at != NULL && !has_both; at = strchr(at + 1, ',')) {
        left[at - text] = '\0';
        const bool is_group = gb_model_find_group(model, left, a);
        has_both = is_group && gb_model_find_group(model, at + 1, b);
        if (is_group)
            cut = at;
        has_left = has_left || is_group;
        left[at - text] = ',';
    }
    gb_free(left);
    if (st != GB_OK || has_both)
        return st;
    return has_left ? no_group(model, "contrast", cut + 1, strlen(cut + 1), err)
                    : no_group(model, "contrast", text, (size_t)(comma - text), err);
}

gb_status cli_is_contrast_of_groups(const gb_model *model, const char *text, bool *is, gb_error *err)
{
    uint64_t a, b;
    const gb_status st = gb_model_n_groups(model) == 0 ? GB_EARGUMENT : read_contrast(model, text, &a, &b, err);
    *is = st == GB_OK;
    return st == GB_ENOMEM ? st : GB_OK;
}

gb_status cli_check_groups(const cli_call *call, const gb_model *model, gb_error *err)
{
    uint64_t a, b;
    const int n_asked = (cli_count(call, "trend") > 0) + (cli_count(call, "contrast") > 0) +
                        (*cli_text(call, "prior-predictive") != '\0');
    if (n_asked > 1)
        return cli_fail(err, GB_EARGUMENT,
                        "only one of --trend, --contrast and --prior-predictive can be used at a time");
    if (n_asked > 0 && strcmp(cli_text(call, "kind"), "coefficients") == 0)
        return cli_fail(err, GB_EARGUMENT, "--trend, --contrast and --prior-predictive show groups, not --kind %s",
                        cli_text(call, "kind"));
    if (gb_model_n_groups(model) == 0) {
        if (n_asked == 0 && strcmp(cli_text(call, "kind"), "groups") != 0)
            return GB_OK;
        return cli_fail(err, GB_EARGUMENT, "%s: the model has no groups; train with --prior graph and --group FIELD",
                        cli_text(call, "model"));
    }
    if (cli_count(call, "trend") > 0 && cli_is_set(call, "rows"))
        return cli_fail(err, GB_EARGUMENT, "--rows cannot be used with --trend, which shows all groups");
    gb_status st = read_topics(call, gb_model_n_topics(model), NULL, err);
    for (size_t i = 0; i < cli_count(call, "contrast") && st == GB_OK; i++)
        st = read_contrast(model, cli_item(call, "contrast", i), &a, &b, err);
    if (st == GB_OK && *cli_text(call, "prior-predictive") != '\0' &&
        !gb_model_find_group(model, cli_text(call, "prior-predictive"), &a))
        st = no_group(model, "prior-predictive", cli_text(call, "prior-predictive"),
                      strlen(cli_text(call, "prior-predictive")), err);
    return st;
}

/* ---- pieces of rows -------------------------------------------------------------------------------- */

static void put_text(cli_table *table, const char *text)
{
    cli_table_text(table, text, strlen(text));
}

static void put_posterior(cli_table *table, const gb_effect *e)
{
    cli_table_real(table, e->mean);
    cli_table_real(table, e->sd);
    cli_table_real(table, e->q05);
    cli_table_real(table, e->median);
    cli_table_real(table, e->q95);
}

static gb_status add_columns(cli_table *table, size_t n, const char *const *name, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < n && st == GB_OK; i++)
        st = cli_table_column(table, "", name[i], err);
    return st;
}

/* A name in a column of that width, to the left. */
static void print_name(FILE *f, const char *name, size_t width)
{
    const size_t n = cli_width(name);
    (void)fprintf(f, "  %s%*s", name, n < width ? (int)(width - n) : 0, "");
}

static size_t widest_group(const groups *g)
{
    size_t widest = cli_width(gb_model_group_field(g->model));
    for (uint64_t i = 0; i < g->n_groups; i++) {
        const size_t width = cli_width(gb_model_group(g->model, i));
        if (width > widest)
            widest = width < WIDEST_NAME ? width : WIDEST_NAME;
    }
    return widest;
}

/* ---- topic shares of all groups, and trends -------------------------------------------------------- */

static void write_share(const groups *g, uint64_t group, uint64_t k, const gb_effect *share)
{
    cli_table *table = g->out.table;
    put_text(table, gb_model_group(g->model, group));
    cli_table_count(table, gb_model_group_n_docs(g->model, group));
    cli_table_count(table, k + 1);
    put_posterior(table, share);
    put_text(table, g->words[k]);
}

/* All topics of a group; with `wanted` some of them. */
static gb_status write_shares(groups *g, const bool *wanted, gb_error *err)
{
    static const char *const name[] = {"group", "n_documents", "topic", "mean", "sd",
                                       "q05",   "median",      "q95",   "words"};
    gb_status st;
    const gb_effect *share;
    CLI_TRY(add_columns(g->out.table, sizeof name / sizeof *name, name, err));
    for (uint64_t i = 0; i < g->n_groups; i++) {
        CLI_TRY(shares_of(g, i, &share, err));
        for (uint64_t k = 0; k < g->n_topics; k++)
            if (wanted == NULL || wanted[k])
                write_share(g, i, k, &share[k]);
    }
done:
    return st;
}

static int largest_first(const void *a, const void *b)
{
    const topic *x = a, *y = b;
    const double p = x->share.mean, q = y->share.mean;
    return p != q ? (p < q) - (p > q) : (x->number > y->number) - (x->number < y->number);
}

static void print_topics(const groups *g, uint64_t group, const topic *t, uint64_t n, size_t width)
{
    FILE *f = g->out.stream;
    for (uint64_t i = 0; i < n; i++) {
        print_name(f, i == 0 ? gb_model_group(g->model, group) : "", width);
        if (i == 0)
            (void)fprintf(f, " %9" PRIu64, gb_model_group_n_docs(g->model, group));
        else
            (void)fprintf(f, " %9s", "");
        (void)fprintf(f, " %6" PRIu64 "  %6.4f  %6.4f  %6.4f  %s\n", t[i].number + 1, t[i].share.mean, t[i].share.q05,
                      t[i].share.q95, g->words[t[i].number]);
    }
}

static gb_status print_shares(groups *g, gb_error *err)
{
    gb_status st;
    const gb_effect *share;
    const size_t width = widest_group(g);
    topic *all = NULL;
    uint64_t n = cli_is_set(g->call, "rows") ? (uint64_t)cli_int(g->call, "rows") : DEFAULT_TOPICS;
    n = n == 0 || n > g->n_topics ? g->n_topics : n;
    CLI_TRY(cli_alloc(&all, g->n_topics, sizeof *all, "the topics of a group", err));
    print_name(g->out.stream, gb_model_group_field(g->model), width);
    (void)fprintf(g->out.stream, " %9s %6s  %6s  %6s  %6s  words\n", "documents", "topic", "share", "5%", "95%");
    for (uint64_t i = 0; i < g->n_groups; i++) {
        CLI_TRY(shares_of(g, i, &share, err));
        for (uint64_t k = 0; k < g->n_topics; k++)
            all[k] = (topic){k, share[k]};
        qsort(all, g->n_topics, sizeof *all, largest_first);
        print_topics(g, i, all, n, width);
    }
done:
    gb_free(all);
    return st;
}

/* A line of BAR places from 0 to `most`: "-" from q05 to q95, "o" at the mean. */
static void print_bar(FILE *f, const gb_effect *e, double most)
{
    char bar[BAR + 1];
    const double scale = most > 0 ? (BAR - 1) / most : 0;
    const long low = lround(e->q05 * scale), mean = lround(e->mean * scale), high = lround(e->q95 * scale);
    memset(bar, ' ', BAR);
    for (long i = low; i <= high && i < BAR; i++)
        bar[i] = '-';
    bar[mean < BAR ? mean : BAR - 1] = 'o';
    size_t n = BAR;
    while (n > 0 && bar[n - 1] == ' ')
        n--;
    (void)fprintf(f, "  |%.*s\n", (int)n, bar);
}

/* Topic k in all groups: kept[g]. */
static void print_trend(const groups *g, uint64_t k, const gb_effect *kept, size_t width)
{
    FILE *f = g->out.stream;
    double most = 0;
    for (uint64_t i = 0; i < g->n_groups; i++)
        most = fmax(most, fmax(kept[i].q95, kept[i].mean));
    (void)fprintf(f, "topic %" PRIu64 ": %s\n", k + 1, g->words[k]);
    print_name(f, gb_model_group_field(g->model), width);
    (void)fprintf(f, " %9s  %6s  %6s  %6s  0%*.*g\n", "documents", "share", "5%", "95%", BAR, 3, most);
    for (uint64_t i = 0; i < g->n_groups; i++) {
        print_name(f, gb_model_group(g->model, i), width);
        (void)fprintf(f, " %9" PRIu64 "  %6.4f  %6.4f  %6.4f", gb_model_group_n_docs(g->model, i), kept[i].mean,
                      kept[i].q05, kept[i].q95);
        print_bar(f, &kept[i], most);
    }
}

static gb_status print_trends(groups *g, const bool *wanted, gb_error *err)
{
    gb_status st;
    const gb_effect *share;
    gb_effect *kept = NULL;
    uint64_t n_wanted = 0, at = 0;
    const size_t width = widest_group(g);
    for (uint64_t k = 0; k < g->n_topics; k++)
        n_wanted += wanted[k];
    CLI_TRY(cli_alloc(&kept, n_wanted * g->n_groups, sizeof *kept, "trends of topics", err));
    for (uint64_t i = 0; i < g->n_groups; i++) {
        CLI_TRY(shares_of(g, i, &share, err));
        at = 0;
        for (uint64_t k = 0; k < g->n_topics; k++)
            if (wanted[k])
                kept[at++ * g->n_groups + i] = share[k];
    }
    at = 0;
    for (uint64_t k = 0; k < g->n_topics; k++) {
        if (!wanted[k])
            continue;
        if (at > 0)
            (void)fputc('\n', g->out.stream);
        print_trend(g, k, kept + at++ * g->n_groups, width);
    }
done:
    gb_free(kept);
    return st;
}

static gb_status show_trends(groups *g, gb_error *err)
{
    bool *wanted = NULL;
    gb_status st = cli_alloc(&wanted, g->n_topics, sizeof *wanted, "trends of topics", err);
    if (st != GB_OK)
        return st;
    CLI_TRY(read_topics(g->call, g->n_topics, wanted, err));
    st = g->out.table != NULL ? write_shares(g, wanted, err) : print_trends(g, wanted, err);
done:
    gb_free(wanted);
    return st;
}

/* ---- contrasts ------------------------------------------------------------------------------------- */

static void write_contrast(const groups *g, uint64_t a, uint64_t b, const topic *t)
{
    cli_table *table = g->out.table;
    for (uint64_t k = 0; k < g->n_topics; k++) {
        put_text(table, gb_model_group(g->model, a));
        put_text(table, gb_model_group(g->model, b));
        cli_table_count(table, k + 1);
        put_posterior(table, &t[k].share);
        cli_table_real(table, t[k].share.p_positive);
        put_text(table, g->words[k]);
    }
}

static double clearness(const gb_effect *e)
{
    return isnan(e->sd) || e->mean == 0 ? fabs(e->mean) : fabs(e->mean) / e->sd;
}

static int clearest_first(const void *a, const void *b)
{
    const topic *x = a, *y = b;
    const double p = clearness(&x->share), q = clearness(&y->share);
    return p != q ? (p < q) - (p > q) : (x->number > y->number) - (x->number < y->number);
}

static void print_contrast(const groups *g, uint64_t a, uint64_t b, topic *t)
{
    FILE *f = g->out.stream;
    const uint64_t asked = (uint64_t)cli_int(g->call, "rows");
    const uint64_t n = asked == 0 || asked > g->n_topics ? g->n_topics : asked;
    qsort(t, g->n_topics, sizeof *t, clearest_first);
    (void)fprintf(f, "%s minus %s (%s)\n", gb_model_group(g->model, a), gb_model_group(g->model, b),
                  gb_model_group_field(g->model));
    (void)fprintf(f, "  topic %10s %10s %10s %10s  %6s  words\n", "mean", "sd", "5%", "95%", "P(>0)");
    for (uint64_t i = 0; i < n; i++) {
        const gb_effect *e = &t[i].share;
        (void)fprintf(f, "  %5" PRIu64 " %+10.4f", t[i].number + 1, e->mean);
        (void)(isnan(e->sd) ? fprintf(f, " %10s", "-") : fprintf(f, " %10.4f", e->sd));
        (void)fprintf(f, " %+10.4f %+10.4f  %6.2f  %s\n", e->q05, e->q95, e->p_positive, g->words[t[i].number]);
    }
    if (n < g->n_topics)
        (void)fprintf(f, "  ... %" PRIu64 " more, less clear; --rows 0 shows all\n", g->n_topics - n);
}

static gb_status show_contrasts(groups *g, gb_error *err)
{
    static const char *const name[] = {"group", "minus",  "topic", "mean",       "sd",
                                       "q05",   "median", "q95",   "p_positive", "words"};
    gb_status st;
    uint64_t a, b;
    gb_effect *effect = NULL;
    topic *t = NULL;
    CLI_TRY(cli_alloc(&effect, g->n_topics, sizeof *effect, "a contrast", err));
    CLI_TRY(cli_alloc(&t, g->n_topics, sizeof *t, "a contrast", err));
    if (g->out.table != NULL)
        CLI_TRY(add_columns(g->out.table, sizeof name / sizeof *name, name, err));
    for (size_t i = 0; i < cli_count(g->call, "contrast"); i++) {
        CLI_TRY(read_contrast(g->model, cli_item(g->call, "contrast", i), &a, &b, err));
        CLI_TRY(gb_model_group_contrast(g->model, a, b, effect, err));
        for (uint64_t k = 0; k < g->n_topics; k++)
            t[k] = (topic){k, effect[k]};
        if (g->out.table != NULL) {
            write_contrast(g, a, b, t);
            continue;
        }
        if (i > 0)
            (void)fputc('\n', g->out.stream);
        print_contrast(g, a, b, t);
    }
done:
    gb_free(effect);
    gb_free(t);
    return st;
}

/* ---- what a document of a group may be about ------------------------------------------------------- */

static const char *output_title(const gb_model *model, uint64_t output, const char **field)
{
    const uint64_t r = cli_response_of(model, output);
    *field = gb_model_field(model, r);
    return gb_model_has_class_scores(model, r) ? gb_model_output(model, output) : "";
}

static void write_line(const groups *g, const char *kind, const char *field, const char *name, const gb_effect *e,
                       const char *words)
{
    cli_table *table = g->out.table;
    put_text(table, cli_text(g->call, "prior-predictive"));
    put_text(table, kind);
    put_text(table, field);
    put_text(table, name);
    put_posterior(table, e);
    put_text(table, words);
}

static gb_status write_prediction(const groups *g, const gb_group_prediction *p, gb_error *err)
{
    static const char *const column[] = {"group", "kind", "field",  "name", "mean",
                                         "sd",    "q05",  "median", "q95",  "words"};
    gb_status st = add_columns(g->out.table, sizeof column / sizeof *column, column, err);
    char number[24];
    const char *field;
    for (uint64_t k = 0; k < p->n_topics && st == GB_OK; k++) {
        (void)snprintf(number, sizeof number, "%" PRIu64, k + 1);
        write_line(g, "topic", "", number, &p->share[k], g->words[k]);
    }
    for (uint64_t i = 0; i < p->n_words && st == GB_OK; i++) {
        const gb_effect e = {.mean = p->probability[i], .sd = NAN, .q05 = NAN, .median = NAN, .q95 = NAN};
        write_line(g, "word", "", gb_model_word(g->model, p->word[i]), &e, "");
    }
    for (uint64_t l = 0; l < p->n_outputs && st == GB_OK; l++) {
        const char *name = output_title(g->model, l, &field);
        write_line(g, "score", field, name, &p->score[l], "");
    }
    return st;
}

static void print_scores(const groups *g, const gb_group_prediction *p)
{
    FILE *f = g->out.stream;
    const char *field;
    if (p->n_outputs > 0)
        (void)fprintf(f, "\n  %10s %10s %10s  expected score or number\n", "mean", "5%", "95%");
    for (uint64_t l = 0; l < p->n_outputs; l++) {
        const char *name = output_title(g->model, l, &field);
        (void)fprintf(f, "  %+10.4g %+10.4g %+10.4g  %s%s%s\n", p->score[l].mean, p->score[l].q05, p->score[l].q95,
                      field, *name != '\0' ? "=" : "", name);
    }
}

static gb_status print_prediction(const groups *g, const gb_group_prediction *p, uint64_t group, gb_error *err)
{
    FILE *f = g->out.stream;
    const uint64_t asked = (uint64_t)cli_int(g->call, "rows");
    const uint64_t n = asked == 0 || asked > p->n_topics ? p->n_topics : asked;
    const uint64_t n_docs = gb_model_group_n_docs(g->model, group);
    topic *t = NULL;
    gb_status st = cli_alloc(&t, p->n_topics, sizeof *t, "a prediction", err);
    if (st != GB_OK)
        return st;
    for (uint64_t k = 0; k < p->n_topics; k++)
        t[k] = (topic){k, p->share[k]};
    qsort(t, p->n_topics, sizeof *t, largest_first);
    (void)fprintf(f, "a document of %s (%s, %" PRIu64 " training document%s)\n", gb_model_group(g->model, group),
                  gb_model_group_field(g->model), n_docs, cli_plural(n_docs));
    (void)fprintf(f, "  topic  %6s  %6s  %6s  words\n", "share", "5%", "95%");
    for (uint64_t i = 0; i < n; i++)
        (void)fprintf(f, "  %5" PRIu64 "  %6.4f  %6.4f  %6.4f  %s\n", t[i].number + 1, t[i].share.mean,
                      t[i].share.q05, t[i].share.q95, g->words[t[i].number]);
    if (n < p->n_topics)
        (void)fprintf(f, "  ... %" PRIu64 " more, smaller; --rows 0 shows all\n", p->n_topics - n);
    (void)fprintf(f, "\n  %6s  word\n", "share");
    for (uint64_t i = 0; i < p->n_words; i++)
        (void)fprintf(f, "  %6.4f  %s\n", p->probability[i], gb_model_word(g->model, p->word[i]));
    print_scores(g, p);
    gb_free(t);
    return GB_OK;
}

static gb_status show_prediction(groups *g, gb_error *err)
{
    gb_status st;
    gb_group_prediction *p = NULL;
    uint64_t group = 0;
    (void)gb_model_find_group(g->model, cli_text(g->call, "prior-predictive"), &group);
    CLI_TRY(gb_model_predict_group(
        g->model, group, cli_is_set(g->call, "words") ? (uint64_t)cli_int(g->call, "words") : PREDICTED_WORDS, &p,
        err));
    st = g->out.table != NULL ? write_prediction(g, p, err) : print_prediction(g, p, group, err);
done:
    gb_group_prediction_free(p);
    return st;
}

/* ---- all together ---------------------------------------------------------------------------------- */

static gb_status show(groups *g, gb_error *err)
{
    if (cli_count(g->call, "trend") > 0)
        return show_trends(g, err);
    if (cli_count(g->call, "contrast") > 0)
        return show_contrasts(g, err);
    if (*cli_text(g->call, "prior-predictive") != '\0')
        return show_prediction(g, err);
    return g->out.table != NULL ? write_shares(g, NULL, err) : print_shares(g, err);
}

gb_status cli_print_groups(const cli_call *call, const gb_model *model, FILE *stream, gb_error *err)
{
    groups g;
    gb_status st = make(&g, call, model, (rows){.stream = stream}, err);
    if (st == GB_OK)
        st = show(&g, err);
    clear(&g);
    return st;
}

gb_status cli_write_groups(const cli_call *call, const gb_model *model, gb_error *err)
{
    gb_status st;
    groups g = {0};
    cli_table *table = NULL;
    CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(make(&g, call, model, (rows){.table = table}, err));
    CLI_TRY(show(&g, err));
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    clear(&g);
    return st;
}
