/* cli/hold_out.c - evaluate with documents held out of trainings of its own.
 *
 * A part is a set of documents: a fold, or those of a group.  For each part a model is trained on all other documents and
 * evaluated on the part.  Words that only the part has are unknown to its model.  Scores are means over parts, their
 * standard errors those of the means. */
#include "hold_out.h"

#include "evaluation.h"
#include "progress.h"
#include "scores_output.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "corpus/data/field.h"
#include "corpus/data/subset.h"
#include "corpus/readers/reader.h"
#include "plan/spec.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* One part, and what its model did with it. */
typedef struct fold_part {
    char *name;
    bool *is_held_out; /* n_docs */
    uint64_t n_held_out;
    gb_corpus *docs; /* those held out */
    uint64_t *n_unknown;
    gb_held_out *likelihood; /* NULL if it is not asked for */
    json_t *scores;          /* cli_evaluation_summary() */
} fold_part;

typedef struct holding_out {
    cli_call *call;
    gb_corpus *corpus;
    bool *is_left_out; /* fields that were read to find groups, and are not for the models */
    size_t n_parts, room;
    fold_part *fold_part;
    cli_progress shown;
} holding_out;

/* ---- parts ----------------------------------------------------------------------------------------- */

static gb_status add_part(holding_out *h, const char *name, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_grow(&h->fold_part, &h->room, h->n_parts + 1, sizeof *h->fold_part, "the parts", err));
    fold_part *p = &h->fold_part[h->n_parts++];
    *p = (fold_part){.name = NULL};
    GB_TRY(gb_copy_text(&p->name, name, strlen(name), err));
    GB_TRY(gb_alloc(&p->is_held_out, h->corpus->n_docs, sizeof *p->is_held_out, "the parts", err));
done:
    return st;
}

static void hold_out(fold_part *p, uint64_t d)
{
    p->n_held_out += !p->is_held_out[d];
    p->is_held_out[d] = true;
}

static gb_status make_folds(holding_out *h, gb_error *err)
{
    gb_status st;
    const gb_settings *s = h->call->settings;
    const size_t n = (size_t)s->folds;
    uint32_t *fold = NULL;
    if (n < 2 || n > h->corpus->n_docs)
        return gb_fail(err, GB_EARGUMENT,
                       "--folds must be between 2 and the number of documents, %" PRIu64 ", not %zu",
                       h->corpus->n_docs, n);
    for (size_t i = 0; i < n; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%zu", i + 1);
        GB_TRY(add_part(h, name, err));
    }
    GB_TRY(gb_alloc(&fold, h->corpus->n_docs, sizeof *fold, "the folds", err));
    GB_TRY(gb_corpus_deal_folds(h->corpus->n_docs, n, (uint64_t)s->seed, fold, err));
    for (uint64_t d = 0; d < h->corpus->n_docs; d++)
        hold_out(&h->fold_part[fold[d]], d);
done:
    gb_free(fold);
    return st;
}

/* The documents with a class of a field. */
static gb_status add_group(holding_out *h, const gb_labels *field, uint32_t class, gb_error *err)
{
    gb_status st;
    char *value = NULL, *name = NULL;
    GB_TRY(gb_texts_copy(&field->classes, class, &value, err));
    GB_TRY(gb_alloc(&name, strlen(field->name) + strlen(value) + 2, 1, "the parts", err));
    (void)stpcpy(stpcpy(stpcpy(name, field->name), "="), value);
    GB_TRY(add_part(h, name, err));
    fold_part *p = &h->fold_part[h->n_parts - 1];
    for (uint64_t d = 0; d < h->corpus->n_docs; d++)
        for (uint64_t i = field->doc_start[d]; i < field->doc_start[d + 1]; i++)
            if (field->class_of[i] == class)
                hold_out(p, d);
    if (p->n_held_out == h->corpus->n_docs)
        st = gb_fail(err, GB_EFORMAT, "%s: all documents have %s; none is left for a training", h->call->argument[0],
                     name);
done:
    gb_free(value);
    gb_free(name);
    return st;
}

static const gb_labels *find_field(const gb_corpus *corpus, const char *name, size_t length)
{
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (strlen(corpus->labels[i].name) == length && memcmp(corpus->labels[i].name, name, length) == 0)
            return &corpus->labels[i];
    return NULL;
}

/* "FIELD=VALUE" is one part, "FIELD" one for each value that a document has. */
static gb_status make_groups_of(holding_out *h, const char *option, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t length = strcspn(option, "="), n_before = h->n_parts;
    const char *value = option[length] == '=' ? option + length + 1 : NULL;
    const gb_labels *field = find_field(h->corpus, option, length);
    if (field == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: no field \"%.*s\" with classes or groups to hold out",
                       h->call->argument[0], (int)length, option);
    for (uint32_t c = 0; c < field->classes.count; c++) {
        const uint64_t *start = field->classes.start + c;
        const bool is_wanted = value == NULL || (strlen(value) == start[1] - start[0] &&
                                                 memcmp(value, field->classes.bytes + start[0], strlen(value)) == 0);
        if (is_wanted)
            GB_TRY(add_group(h, field, c, err));
    }
    if (h->n_parts == n_before)
        return gb_fail(err, GB_EFORMAT, "%s: no document has \"%s\" in field \"%.*s\"", h->call->argument[0],
                       value == NULL ? "a value" : value, (int)length, option);
done:
    return st;
}

static gb_status make_groups(holding_out *h, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_text_list *options = &h->call->settings->hold_out_group;
    for (size_t i = 0; st == GB_OK && i < options->count; i++)
        st = make_groups_of(h, options->item[i], err);
    return st;
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* A corpus file of which the user chooses none has all its fields. */
static bool has_all_fields(const holding_out *h, size_t n_chosen)
{
    return n_chosen == 0 && gb_is_corpus_file(h->call->argument[0], h->call->settings);
}

/* Read the fields of groups that no other option names, for the time of choosing documents. */
static gb_status add_group_fields(const holding_out *h, gb_settings *reading, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_text_list *options = &h->call->settings->hold_out_group;
    gb_field *fields = NULL;
    size_t n_fields = 0;
    char *name = NULL;
    for (size_t i = 0; i < options->count; i++) {
        gb_fields_free(fields, n_fields);
        fields = NULL;
        n_fields = 0;
        GB_TRY(gb_fields_from_settings(&fields, &n_fields, reading, err));
        if (options->item[i][0] == '=') {
            st = gb_fail(err, GB_EARGUMENT, "--hold-out-group \"%s\": a field without a name", options->item[i]);
            goto done;
        }
        GB_TRY(gb_copy_text(&name, options->item[i], strcspn(options->item[i], "="), err));
        if (gb_fields_find(fields, n_fields, name) == NULL && !has_all_fields(h, n_fields))
            GB_TRY(gb_settings_set(reading, "group", name, err));
        gb_free(name);
        name = NULL;
    }
done:
    gb_free(name);
    gb_fields_free(fields, n_fields);
    return st;
}

/* Groups that the user did not ask for. */
static gb_status leave_fields_out(holding_out *h, gb_error *err)
{
    gb_status st;
    gb_field *fields = NULL;
    size_t n_fields = 0;
    GB_TRY(gb_fields_from_settings(&fields, &n_fields, h->call->settings, err));
    if (has_all_fields(h, n_fields))
        goto done;
    GB_TRY(gb_alloc(&h->is_left_out, h->corpus->n_labels, sizeof *h->is_left_out, "the fields", err));
    for (size_t i = 0; i < h->corpus->n_labels; i++)
        h->is_left_out[i] = h->corpus->labels[i].role == GB_ROLE_GROUP &&
                            gb_fields_find(fields, n_fields, h->corpus->labels[i].name) == NULL;
done:
    gb_fields_free(fields, n_fields);
    return st;
}

/* Once the parts are known, the fields that were read for them have done their work. */
static gb_status drop_fields(holding_out *h, gb_error *err)
{
    gb_status st = GB_OK;
    bool *none = NULL;
    gb_corpus *documents = NULL, *nothing = NULL;
    uint64_t *n_unknown = NULL;
    size_t n = 0;
    for (size_t i = 0; h->is_left_out != NULL && i < h->corpus->n_labels; i++)
        n += h->is_left_out[i];
    if (n == 0)
        return GB_OK;
    GB_TRY(gb_alloc(&none, h->corpus->n_docs, sizeof *none, "the parts", err));
    GB_TRY(gb_corpus_split(h->corpus, none, h->is_left_out, &documents, &nothing, &n_unknown, err));
    gb_corpus_free(h->corpus);
    h->corpus = documents;
done:
    gb_free(none);
    gb_free(n_unknown);
    gb_corpus_free(nothing);
    return st;
}

static gb_status read_documents(holding_out *h, gb_error *err)
{
    gb_status st;
    gb_settings *reading = NULL;
    GB_TRY(gb_settings_copy(h->call->settings, &reading, err));
    GB_TRY(add_group_fields(h, reading, err));
    GB_TRY(cli_input(gb_corpus_read(h->call->argument[0], reading, &h->corpus, err), err));
    GB_TRY(leave_fields_out(h, err));
done:
    gb_settings_free(reading);
    return st;
}

/* ---- one part -------------------------------------------------------------------------------------- */

/* The first worker's training is shown; all of them can be stopped. */
typedef struct watch {
    holding_out *h;
    bool is_shown;
} watch;

static bool on_sweep(const gb_progress *progress, void *user)
{
    watch *w = user;
    return w->is_shown ? cli_progress_sweep(progress, &w->h->shown) : !cli_stop_requested();
}

static gb_status evaluate_documents(const holding_out *h, fold_part *p, const gb_model *model, gb_error *err)
{
    uint64_t first_row = 0; /* no two parts share random numbers */
    for (const fold_part *before = h->fold_part; before < p; before++)
        first_row += before->n_held_out;
    gb_status st;
    cli_evaluation e = {.n = 0};
    gb_prediction *prediction = NULL;
    GB_TRY(cli_evaluation_start(&e, h->call, model, false, err));
    if (e.n > 0)
        GB_TRY(gb_predict(model, p->docs, first_row, h->call->settings, &prediction, err));
    const cli_batch batch = {model, p->docs, p->n_unknown, first_row, prediction};
    GB_TRY(cli_evaluation_add(&e, &batch, &p->likelihood, err));
    p->scores = cli_evaluation_summary(&e);
done:
    gb_prediction_free(prediction);
    cli_evaluation_clear(&e);
    return st;
}

static gb_status run_part(void *context, size_t number, size_t worker, gb_error *err)
{
    holding_out *h = context;
    fold_part *p = &h->fold_part[number];
    watch watching = {h, worker == 0};
    gb_corpus *training = NULL;
    gb_model *model = NULL;
    gb_error inner = {.status = GB_OK};
    gb_status st = gb_corpus_split(h->corpus, p->is_held_out, NULL, &training, &p->docs, &p->n_unknown, &inner);
    if (st == GB_OK)
        st = gb_train(training, h->call->settings, on_sweep, &watching, &model, &inner);
    gb_corpus_free(training);
    if (st == GB_OK)
        st = evaluate_documents(h, p, model, &inner);
    gb_model_free(model);
    if (st == GB_ESTOP)
        return gb_fail(err, GB_ESTOP, "stopped; nothing was evaluated");
    return st == GB_OK ? GB_OK : gb_fail(err, st, "without part %s: %s", p->name, inner.message);
}

/* Enough parts keep all threads busy with one thread each. */
static gb_status run_parts(holding_out *h, gb_error *err)
{
    gb_settings *s = h->call->settings;
    const size_t n_threads = s->threads > 0 ? (size_t)s->threads : gb_available_threads();
    const bool side_by_side = h->n_parts >= n_threads;
    gb_status st = side_by_side ? gb_settings_set(s, "threads", "1", err) : GB_OK;
    h->shown = cli_progress_start(s->quiet);
    cli_catch_signals();
    if (st == GB_OK)
        st = gb_parallel_for(h->n_parts, side_by_side ? n_threads : 1, run_part, h, err);
    cli_progress_end(&h->shown);
    return st;
}

/* A likelihood is asked for, and there is a word to have one. */
static gb_status check_tokens(const holding_out *h, gb_error *err)
{
    uint64_t n_scored = 0;
    for (size_t i = 0; i < h->n_parts; i++)
        for (uint64_t d = 0; h->fold_part[i].likelihood != NULL && d < h->fold_part[i].n_held_out; d++)
            n_scored += h->fold_part[i].likelihood->n_scored[d];
    if (h->fold_part[0].likelihood == NULL || n_scored > 0)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "%s: no document held out has a word that the others have", h->call->argument[0]);
}

/* ---- means over parts ------------------------------------------------------------------------------ */

/* A number of one part's object; NaN if it has none of that name. */
static double number_of(const fold_part *p, const char *section, const char *name)
{
    const json_t *value = json_object_get(json_object_get(p->scores, section), name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Of the parts that have the score: a mean and its standard error; a count is added up. */
static json_t *over_parts(const holding_out *h, const char *section, const char *name, bool is_count)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < h->n_parts; i++) {
        const double x = number_of(&h->fold_part[i], section, name);
        sum += isnan(x) ? 0 : x;
        n += isnan(x) ? 0 : 1;
    }
    if (is_count)
        return json_integer((json_int_t)sum);
    const double mean = sum / n;
    for (size_t i = 0; i < h->n_parts; i++) {
        const double x = number_of(&h->fold_part[i], section, name);
        squares += isnan(x) ? 0 : (x - mean) * (x - mean);
    }
    return json_pack("{s:f, s:o}", "mean", mean, "se", n > 1 ? json_real(sqrt(squares / (n - 1) / n)) : json_null());
}

/* Every score that some part has, in the order of the parts. */
static json_t *average_section(const holding_out *h, const char *section)
{
    json_t *all = json_object();
    for (size_t i = 0; i < h->n_parts; i++) {
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(h->fold_part[i].scores, section), name, value)
        {
            const bool is_of_one = strcmp(name, "se") == 0 || strcmp(name, "mc_se") == 0;
            if ((is_of_one && h->n_parts > 1) || json_object_get(all, name) != NULL)
                continue;
            (void)json_object_set_new(all, name,
                                      json_is_number(value) ? over_parts(h, section, name, json_is_integer(value))
                                                            : json_incref(value));
        }
    }
    return all;
}

static json_t *average(const holding_out *h)
{
    json_t *all = json_object();
    const char *section;
    json_t *value;
    json_object_foreach(h->fold_part[0].scores, section, value)(void)
        json_object_set_new(all, section, average_section(h, section));
    return all;
}

/* ---- output ---------------------------------------------------------------------------------------- */

static json_t *parts_to_json(const holding_out *h)
{
    json_t *list = json_array();
    for (size_t i = 0; i < h->n_parts; i++) {
        json_t *object = json_pack("{s:s}", "part", h->fold_part[i].name);
        (void)json_object_update(object, h->fold_part[i].scores);
        (void)json_array_append_new(list, object);
    }
    return list;
}

static void print_section(const char *section, const json_t *scores)
{
    const char *name;
    json_t *value;
    const char *method = json_string_value(json_object_get(scores, "method"));
    if (method != NULL)
        (void)printf("== held-out likelihood, %s ==\n", method);
    else
        (void)printf("== %s ==\n", section);
    (void)printf("%-14s %10s %10s\n", "", "mean", "se");
    json_object_foreach((json_t *)(uintptr_t)scores, name, value)
    {
        if (json_is_integer(value))
            (void)printf("%-14s %10" JSON_INTEGER_FORMAT "\n", name, json_integer_value(value));
        else if (json_is_object(value) && json_is_null(json_object_get(value, "se")))
            (void)printf("%-14s %10.6g\n", name, json_number_value(json_object_get(value, "mean")));
        else if (json_is_object(value))
            (void)printf("%-14s %10.6g %10.4g\n", name, json_number_value(json_object_get(value, "mean")),
                         json_number_value(json_object_get(value, "se")));
    }
}

static gb_status print_scores(const holding_out *h, gb_error *err)
{
    gb_status st = GB_OK;
    json_t *all = average(h);
    if (h->call->settings->json) {
        (void)json_object_set_new(all, "n_parts", json_integer((json_int_t)h->n_parts));
        (void)json_object_set_new(all, "parts", parts_to_json(h));
        st = cli_print_json(all, err);
    } else {
        const char *section;
        json_t *scores;
        (void)printf("%zu part%s held out in turn\n", h->n_parts, cli_plural(h->n_parts));
        json_object_foreach(all, section, scores)
        {
            (void)fputc('\n', stdout);
            print_section(section, scores);
        }
    }
    json_decref(all);
    return st;
}

static gb_status write_rows(const holding_out *h, cli_table *table, gb_error *err)
{
    gb_status st = cli_likelihood_columns(table, true, err);
    for (size_t i = 0; st == GB_OK && i < h->n_parts; i++)
        cli_likelihood_rows(table, h->fold_part[i].name, h->fold_part[i].docs, h->fold_part[i].n_unknown,
                            h->fold_part[i].likelihood);
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static void clear(holding_out *h)
{
    for (size_t i = 0; i < h->n_parts; i++) {
        fold_part *p = &h->fold_part[i];
        gb_free(p->name);
        gb_free(p->is_held_out);
        gb_corpus_free(p->docs);
        gb_free(p->n_unknown);
        gb_held_out_free(p->likelihood);
        json_decref(p->scores);
    }
    gb_free(h->fold_part);
    gb_free(h->is_left_out);
    gb_corpus_free(h->corpus);
}

static gb_status describe(const holding_out *h, gb_error *err)
{
    char *decided = NULL;
    gb_status st = gb_train_describe(h->corpus, h->call->settings, &decided, err);
    if (st == GB_OK)
        cli_note(h->call, "gibbous %s: %zu training%s, each without a part of the documents; all: %s", gb_version(),
                 h->n_parts, cli_plural(h->n_parts), decided);
    gb_free(decided);
    return st;
}

/* What evaluate would say after the first training, said before it. */
static gb_status check_wishes(const holding_out *h, gb_error *err)
{
    gb_spec spec;
    const gb_settings *s = h->call->settings;
    gb_status st = gb_spec_resolve(h->corpus, s, &spec, err);
    if (st != GB_OK)
        return st;
    const bool has_likelihood = cli_wants_likelihood(s, spec.n_outputs > 0);
    if (!has_likelihood && spec.n_outputs == 0)
        st = cli_nothing_to_evaluate(err);
    else if (!has_likelihood && *s->output != '\0')
        st = cli_no_likelihoods(err);
    gb_spec_clear(&spec);
    return st;
}

gb_status cli_hold_out(cli_call *call, gb_error *err)
{
    holding_out h = {.call = call};
    const gb_settings *s = call->settings;
    cli_table *table = NULL;
    gb_status st;
    if (*s->output == '\0' && gb_settings_is_set(s, "table"))
        return gb_fail(err, GB_EARGUMENT, "--table needs --output FILE");
    GB_TRY(cli_choose_seed(call, err));
    GB_TRY(read_documents(&h, err));
    GB_TRY(s->folds > 0 ? make_folds(&h, err) : make_groups(&h, err));
    GB_TRY(drop_fields(&h, err));
    GB_TRY(check_wishes(&h, err));
    if (*s->output != '\0')
        GB_TRY(cli_table_open(&table, s->output, s->force, s->table, err));
    GB_TRY(describe(&h, err));
    GB_TRY(run_parts(&h, err));
    GB_TRY(check_tokens(&h, err));
    if (table != NULL && h.fold_part[0].likelihood == NULL) {
        st = gb_fail(err, GB_EARGUMENT,
                     "--output writes likelihoods; choose a way to estimate them: --held-out METHOD");
        goto done;
    }
    if (table != NULL) {
        GB_TRY(write_rows(&h, table, err));
        st = cli_table_commit(table, err);
        table = NULL;
        GB_TRY(st);
    }
    GB_TRY(print_scores(&h, err));
done:
    cli_table_discard(table);
    clear(&h);
    return st;
}
