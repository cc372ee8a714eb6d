/* cli/explain_text.c - explained scores as text: the largest parts with their words, and the document with its words marked. */
#include "explain.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ROWS = 8, DEFAULT_WORDS = 5, MOST_CHARACTERS = 60, WIDTH = 100, MOST_TOKENS = 150 };

/* Words with a part of at least this much of the largest are marked; parts below this much of the largest are told together. */
static const double MARKED = 0.25, SMALL = 0.01;

typedef struct printer {
    const cli_explained *x;
    FILE *f;
    bool has_colours;
    uint64_t n_rows, n_words;
    cli_part *part;
    cli_explained_word *word;
    double *by_word; /* words of the model: their parts in the document at hand */
} printer;

static void put(const printer *p, const char *text)
{
    (void)cli_put_text(p->f, text, strlen(text), MOST_CHARACTERS);
}

/* ---- parts ---- */

static void print_words(const printer *p, uint64_t at, const cli_part *part)
{
    const gb_explanation *e = p->x->e;
    const uint64_t n = cli_list_words(p->x, at, part, p->word);
    for (uint64_t i = 0; i < n && i < p->n_words && p->word[i].value != 0; i++) {
        (void)fputs(i == 0 ? ": " : ", ", p->f);
        put(p, gb_model_word(p->x->model, e->word[p->word[i].at / e->n_explained]));
        (void)fprintf(p->f, " %+.2g", e->scale[at] * p->word[i].value);
    }
    (void)fputc('\n', p->f);
}

static void print_classes(const printer *p, uint64_t field, uint64_t d)
{
    const uint32_t *class;
    uint64_t n = 0;
    size_t length;
    if (!gb_corpus_classes_of(p->x->docs, field, d, &class, &n))
        (void)fputs(" (missing)", p->f);
    for (uint64_t i = 0; i < n; i++) {
        const char *name = gb_corpus_class(p->x->docs, field, class[i], &length);
        (void)fputs(i == 0 ? " " : ", ", p->f);
        (void)cli_put_text(p->f, name, length, MOST_CHARACTERS);
    }
}

static void print_covariate(const printer *p, uint64_t number, uint64_t d)
{
    const char *name = "";
    uint64_t field;
    (void)gb_model_needed_field(p->x->model, number, &name, NULL, NULL);
    put(p, name);
    if (!gb_corpus_find_field(p->x->docs, name, &field))
        return;
    const double *value = gb_corpus_numbers(p->x->docs, field);
    if (value == NULL)
        print_classes(p, field, d);
    else if (isnan(value[d]))
        (void)fputs(" (missing)", p->f);
    else
        (void)fprintf(p->f, " %g", value[d]);
}

static void print_title(const printer *p, uint64_t at, const cli_part *part)
{
    const gb_explanation *e = p->x->e;
    switch (part->kind) {
    case CLI_PART_TOPIC:
        (void)fprintf(p->f, "topic %s ", p->x->title[part->number]);
        put(p, cli_name_of_explained_topic(p->x, e->output[at], part->number));
        (void)fputs(*cli_name_of_explained_topic(p->x, e->output[at], part->number) == '\0' ? "(" : " (", p->f);
        put(p, cli_words_of_topic(p->x, e->output[at], part->number));
        (void)fprintf(p->f, "), share %.2f", e->share[at * (e->n_topics + 1) + part->number]);
        break;
    case CLI_PART_OTHER_TOPICS:
        (void)fputs("topics that the first chain does not have", p->f);
        break;
    case CLI_PART_COVARIATE:
        print_covariate(p, part->number, at / e->n_explained);
        break;
    case CLI_PART_EMBEDDING:
        (void)fputs("the embedding", p->f);
        break;
    case CLI_PART_WORDS:
        (void)fputs("its words by themselves", p->f);
        break;
    case CLI_PART_ABSENT:
        (void)fputs("words that it lacks", p->f);
        break;
    }
}

static void print_parts(const printer *p, uint64_t at)
{
    const gb_explanation *e = p->x->e;
    const uint64_t n = cli_list_parts(p->x, at, p->part);
    uint64_t n_left = 0;
    double left = 0;
    (void)fprintf(p->f, "  %+9.3f  the average document\n", e->centre[at] + e->scale[at] * e->average[at]);
    for (uint64_t i = 0; i < n; i++) {
        if (p->part[i].value == 0)
            continue;
        if (p->n_rows > 0 && (i >= p->n_rows || fabs(p->part[i].value) < SMALL * fabs(p->part[0].value))) {
            left += p->part[i].value;
            n_left++;
            continue;
        }
        (void)fprintf(p->f, "  %+9.3f  ", e->scale[at] * p->part[i].value);
        print_title(p, at, &p->part[i]);
        print_words(p, at, &p->part[i]);
    }
    if (n_left > 0)
        (void)fprintf(p->f, "  %+9.3f  %" PRIu64 " smaller part%s\n", e->scale[at] * left, n_left,
                      cli_plural(n_left));
}

static void print_without(const printer *p, uint64_t at)
{
    const gb_explanation *e = p->x->e;
    const uint64_t n = cli_list_words(p->x, at, NULL, p->word);
    const char *between = "  without ";
    for (uint64_t i = 0; i < n; i++) {
        if (isnan(e->without[p->word[i].at]))
            continue;
        (void)fputs(between, p->f);
        put(p, gb_model_word(p->x->model, e->word[p->word[i].at / e->n_explained]));
        (void)fprintf(p->f, " it would be %+.3f", e->centre[at] + e->scale[at] * e->without[p->word[i].at]);
        between = ", without ";
    }
    if (*between == ',')
        (void)fputc('\n', p->f);
}

/* ---- the document ---- */

static double find_marks(const printer *p, uint64_t at)
{
    const gb_explanation *e = p->x->e;
    const uint64_t n = cli_list_words(p->x, at, NULL, p->word);
    double most = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t w = p->word[i].at / e->n_explained;
        p->by_word[e->word[w]] = p->word[i].value;
        most = fmax(most, fabs(p->by_word[e->word[w]]));
    }
    return most;
}

/* A sign before the word says as much as the colour does. */
static size_t print_token(const printer *p, uint32_t token, double most)
{
    const char *word = gb_model_word(p->x->model, token);
    const double value = p->by_word[token];
    const bool is_marked = fabs(value) > 0 && fabs(value) >= MARKED * most;
    size_t width = 0;
    if (is_marked) {
        if (p->has_colours)
            (void)fputs(value > 0 ? "\033[1;32m" : "\033[4;31m", p->f);
        width += (size_t)fprintf(p->f, p->has_colours ? "%c" : "[%c", value > 0 ? '+' : '-');
    }
    width += cli_put_text(p->f, word, strlen(word), MOST_CHARACTERS);
    if (is_marked)
        width += p->has_colours ? (size_t)fprintf(p->f, "\033[0m") - strlen("\033[0m") : (size_t)fprintf(p->f, "]");
    return width;
}

static void print_document(const printer *p, uint64_t at)
{
    uint64_t n;
    const uint32_t *token = gb_corpus_tokens(p->x->docs, at / p->x->e->n_explained, &n);
    const double most = find_marks(p, at);
    size_t column = WIDTH;
    for (uint64_t i = 0; i < n && i < MOST_TOKENS; i++) {
        if (column + cli_width(gb_model_word(p->x->model, token[i])) + 4 > WIDTH) {
            (void)fputs(i == 0 ? "    " : "\n    ", p->f);
            column = 4;
        } else {
            (void)fputc(' ', p->f);
            column++;
        }
        column += print_token(p, token[i], most);
    }
    if (n > MOST_TOKENS)
        (void)fprintf(p->f, " ... (%" PRIu64 " more)", n - MOST_TOKENS);
    if (n > 0)
        (void)fputc('\n', p->f);
}

static void print_nearest(const printer *p, uint64_t d)
{
    const cli_neighbours *n = p->x->neighbours;
    for (uint64_t i = 0; n != NULL && i < n->n_best; i++) {
        (void)fputs(i == 0 ? "  nearest: " : ", ", p->f);
        put(p, n->id[n->best[d * n->n_best + i]]);
        (void)fprintf(p->f, " (%.2f)%s", n->affinity[d * n->n_best + i], i + 1 == n->n_best ? "\n" : "");
    }
}

/* ---- a score ---- */

static void print_heading(const printer *p, uint64_t at)
{
    const cli_explained *x = p->x;
    const uint64_t output = x->e->output[at], r = cli_response_of(x->model, output);
    const uint64_t d = x->first + at / x->e->n_explained;
    const cli_view id = cli_id(x->docs, at / x->e->n_explained);
    const gb_response_prediction *found = &x->prediction->response[r];
    (void)cli_put_text(p->f, id.bytes, id.length, MOST_CHARACTERS);
    (void)fputs(": ", p->f);
    put(p, gb_model_field(x->model, r));
    if (gb_model_has_class_scores(x->model, r)) {
        (void)fputc('=', p->f);
        put(p, gb_model_output(x->model, output));
    }
    (void)fprintf(p->f, ", score %+.3f", x->e->centre[at] + x->e->scale[at] * x->e->score[at]);
    if (found->predicted != NULL && found->predicted[d] != UINT64_MAX) {
        (void)fputs("; predicted ", p->f);
        put(p, gb_model_class(x->model, r, found->predicted[d]));
    }
    (void)fputc('\n', p->f);
}

static gb_status create(printer *p, gb_error *err)
{
    gb_status st;
    CLI_TRY(cli_alloc(&p->part, cli_n_parts(p->x), sizeof *p->part, "a text", err));
    CLI_TRY(cli_alloc(&p->word, cli_most_words(p->x->e), sizeof *p->word, "a text", err));
    CLI_TRY(cli_alloc(&p->by_word, gb_model_n_words(p->x->model), sizeof *p->by_word, "a text", err));
done:
    return st;
}

gb_status cli_print_explained(const cli_explained *x, FILE *stream, bool has_colours, gb_error *err)
{
    const cli_call *call = x->call;
    printer p = {.x = x,
                 .f = stream,
                 .has_colours = has_colours,
                 .n_rows = cli_is_set(call, "rows") ? (uint64_t)cli_int(call, "rows") : DEFAULT_ROWS,
                 .n_words = cli_is_set(call, "words") ? (uint64_t)cli_int(call, "words") : DEFAULT_WORDS};
    const gb_status st = create(&p, err);
    for (uint64_t at = 0; st == GB_OK && at < x->e->n_docs * x->e->n_explained; at++) {
        print_heading(&p, at);
        print_parts(&p, at);
        print_without(&p, at);
        print_document(&p, at);
        if (at % x->e->n_explained + 1 == x->e->n_explained)
            print_nearest(&p, at / x->e->n_explained);
        (void)fputc('\n', stream);
    }
    gb_free(p.part);
    gb_free(p.word);
    gb_free(p.by_word);
    return st;
}
