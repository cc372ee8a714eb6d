/* cli/cmd_info.c - what is in a corpus, a model or a checkpoint: one JSON object, printed as it is or as readable lines. */
#include "common.h"
#include "json.h"
#include "reading.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- a corpus -------------------------------------------------------------------------------------- */

/* How many documents have each class of a field. */
static json_t *count_classes(const gb_corpus *corpus, uint64_t field)
{
    uint64_t *count = NULL, n;
    const uint32_t *class;
    const uint64_t n_classes = gb_corpus_n_classes(corpus, field);
    if (cli_alloc(&count, n_classes, sizeof *count, "class counts", NULL) != GB_OK) {
        cli_json_lose();
        return NULL;
    }
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++)
        if (gb_corpus_classes_of(corpus, field, d, &class, &n))
            for (uint64_t i = 0; i < n; i++)
                count[class[i]]++;
    json_t *object = json_object();
    for (uint64_t c = 0; c < n_classes; c++) {
        cli_view name;
        name.bytes = gb_corpus_class(corpus, field, c, &name.length);
        (void)json_object_setn_new(object, name.bytes, name.length, json_integer((json_int_t)count[c]));
    }
    gb_free(count);
    return object;
}

static json_int_t count_labelled(const gb_corpus *corpus, uint64_t field)
{
    json_int_t n = 0;
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++)
        n += gb_corpus_classes_of(corpus, field, d, NULL, NULL);
    return n;
}

static json_t *describe_classes(const gb_corpus *corpus, uint64_t field, gb_role role, gb_field_kind kind)
{
    const json_int_t n = count_labelled(corpus, field);
    json_t *classes = count_classes(corpus, field);
    if (role == GB_ROLE_COVARIATE)
        return json_pack("{s:s, s:I, s:o}", "kind", kind == GB_KIND_SEVERAL ? "list" : "factor", "present", n,
                         "levels", classes);
    if (role == GB_ROLE_GROUP)
        return json_pack("{s:I, s:o}", "present", n, "values", classes);
    return json_pack("{s:b, s:I, s:o}", "several", kind == GB_KIND_SEVERAL, "labelled", n, "classes", classes);
}

/* Mean, and the standard deviation with n - 1: null where there are too few numbers for them. */
static json_t *describe_numbers(const gb_corpus *corpus, uint64_t field, gb_role role)
{
    const double *number = gb_corpus_numbers(corpus, field);
    uint64_t n = 0;
    double mean = 0, squares = 0, minimum = 0, maximum = 0;
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++) {
        const double value = number[d];
        if (isnan(value))
            continue;
        minimum = n == 0 || value < minimum ? value : minimum;
        maximum = n == 0 || value > maximum ? value : maximum;
        const double before = value - mean; /* Welford's way: no difference of large sums */
        mean += before / (double)++n;
        squares += before * (value - mean);
    }
    json_t *object = json_object();
    if (role == GB_ROLE_COVARIATE)
        (void)json_object_set_new(object, "kind", json_string("number"));
    (void)json_object_set_new(object, "present", json_integer((json_int_t)n));
    (void)json_object_set_new(object, "mean", n > 0 ? json_real(mean) : json_null());
    (void)json_object_set_new(object, "sd", n > 1 ? json_real(sqrt(squares / (double)(n - 1))) : json_null());
    (void)json_object_set_new(object, "minimum", n > 0 ? json_real(minimum) : json_null());
    (void)json_object_set_new(object, "maximum", n > 0 ? json_real(maximum) : json_null());
    return object;
}

/* All fields of a role by name: those with classes, those with numbers, or both. */
static json_t *describe_role(const gb_corpus *corpus, gb_role wanted, bool classes, bool numbers)
{
    json_t *fields = json_object();
    const char *name;
    gb_role role;
    gb_field_kind kind;
    for (uint64_t f = 0; gb_corpus_field(corpus, f, &name, &role, &kind); f++) {
        if (role != wanted || !(kind == GB_KIND_NUMBER ? numbers : classes))
            continue;
        (void)json_object_set_new(fields, name,
                                  kind == GB_KIND_NUMBER ? describe_numbers(corpus, f, role)
                                                         : describe_classes(corpus, f, role, kind));
    }
    return fields;
}

static void add_role(json_t *object, const char *name, json_t *fields)
{
    if (json_object_size(fields) > 0)
        (void)json_object_set(object, name, fields);
    json_decref(fields);
}

/* Numbers of embeddings; nothing without. */
static void add_embedding(json_t *object, uint64_t n_columns)
{
    if (n_columns > 0)
        (void)json_object_set_new(object, "embedding_columns", json_integer((json_int_t)n_columns));
}

static json_int_t count_empty(const gb_corpus *corpus)
{
    json_int_t n = 0;
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++) {
        uint64_t n_tokens;
        (void)gb_corpus_tokens(corpus, d, &n_tokens);
        n += n_tokens == 0;
    }
    return n;
}

static gb_status describe_corpus(const gb_corpus *corpus, json_t **out, gb_error *err)
{
    char *text = NULL;
    gb_status st = gb_corpus_notes(corpus, &text, err);
    if (st != GB_OK)
        return st;
    json_t *notes = cli_json_of(text);
    gb_free(text);
    *out = json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "kind", "corpus", "documents",
                     (json_int_t)gb_corpus_n_docs(corpus), "empty_documents", count_empty(corpus), "tokens",
                     (json_int_t)gb_corpus_n_tokens(corpus), "words", (json_int_t)gb_corpus_n_words(corpus), "labels",
                     describe_role(corpus, GB_ROLE_RESPONSE, true, false));
    add_role(*out, "targets", describe_role(corpus, GB_ROLE_RESPONSE, false, true));
    add_role(*out, "covariates", describe_role(corpus, GB_ROLE_COVARIATE, true, true));
    add_role(*out, "exposure", describe_role(corpus, GB_ROLE_EXPOSURE, true, true));
    add_role(*out, "document_weight", describe_role(corpus, GB_ROLE_WEIGHT, true, true));
    add_role(*out, "groups", describe_role(corpus, GB_ROLE_GROUP, true, true));
    add_embedding(*out, gb_corpus_n_embedding_columns(corpus));
    (void)json_object_update(*out, notes);
    json_decref(notes);
    return GB_OK;
}

/* ---- a model --------------------------------------------------------------------------------------- */

static const char *source_of_probabilities(const gb_model *model, uint64_t r)
{
    return gb_model_is_calibrated(model, r)       ? "by held-out labels"
           : gb_model_has_probabilities(model, r) ? "by the model"
                                                  : "none, only scores";
}

static const char *source_of_intervals(const gb_model *model, uint64_t r)
{
    switch (gb_model_interval_source(model, r)) {
    case GB_INTERVAL_HELD_OUT:
        return "by held-out targets";
    case GB_INTERVAL_DOUBTFUL:
        return "by the model, not to be relied on: no targets were held out";
    default:
        return "by the model";
    }
}

/* By class, several labels alone. */
static json_t *describe_cut_offs(const gb_model *model, uint64_t r)
{
    json_t *object = json_object();
    for (uint64_t c = 0; c < gb_model_n_classes(model, r); c++) {
        const double cut_off = gb_model_cut_off(model, r, c);
        if (!isnan(cut_off))
            (void)json_object_set_new(object, gb_model_class(model, r, c), json_real(cut_off));
    }
    return object;
}

static json_t *describe_response(const gb_model *model, uint64_t r)
{
    json_t *object = json_pack("{s:s, s:s}", "response", gb_model_response(model, r), "task",
                               gb_task_name(gb_model_task(model, r)));
    if (gb_model_n_classes(model, r) == 0) { /* a number */
        (void)json_object_set_new(object, "intervals", json_string(source_of_intervals(model, r)));
        return object;
    }
    json_t *classes = json_array();
    for (uint64_t c = 0; c < gb_model_n_classes(model, r); c++)
        (void)json_array_append_new(classes, json_string(gb_model_class(model, r, c)));
    (void)json_object_set_new(object, "classes", classes);
    (void)json_object_set_new(object, "probabilities", json_string(source_of_probabilities(model, r)));
    add_role(object, "cut_offs", describe_cut_offs(model, r));
    return object;
}

/* By kind of proposals: the share accepted in each chain. */
static json_t *describe_acceptance(const gb_model *model)
{
    json_t *object = json_object();
    for (uint64_t i = 0; i < gb_model_n_proposals(model); i++) {
        json_t *shares = json_array();
        for (uint64_t c = 0; c < gb_model_n_acceptances(model); c++) {
            const double share = gb_model_acceptance(model, i, c);
            (void)json_array_append_new(shares, isnan(share) ? json_null() : json_real(share));
        }
        (void)json_object_set_new(object, gb_model_proposal(model, i), shares);
    }
    return object;
}

/* Of chains that found it out themselves. */
static json_t *describe_burn_in(const gb_model *model)
{
    const uint64_t n = gb_model_n_burn_ins(model);
    if (n == 0)
        return json_object();
    json_t *sweeps = json_array(), *found = json_array();
    for (uint64_t c = 0; c < n; c++) {
        (void)json_array_append_new(sweeps, json_integer((json_int_t)gb_model_burn_in(model, c)));
        (void)json_array_append_new(found, json_boolean(gb_model_burn_in_is_found(model, c)));
    }
    return json_pack("{s:o, s:o}", "sweeps", sweeps, "found", found);
}

static json_t *describe_model(const gb_model *model)
{
    json_t *responses = json_object();
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        (void)json_object_set_new(responses, gb_model_field(model, r), describe_response(model, r));
    json_t *object =
        json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o?}", "kind", "model", "responses", responses,
                  "topics", (json_int_t)gb_model_n_topics(model), "words", (json_int_t)gb_model_n_words(model),
                  "draws", (json_int_t)gb_model_n_draws(model), "snapshots", (json_int_t)gb_model_n_snapshots(model),
                  "seed", (json_int_t)gb_model_seed(model), "training_documents",
                  (json_int_t)gb_model_n_training_docs(model), "training_tokens",
                  (json_int_t)gb_model_n_training_tokens(model), "settings", cli_json_of(gb_model_settings(model)));
    add_embedding(object, gb_model_n_embedding_columns(model));
    add_role(object, "burn_in", describe_burn_in(model));
    add_role(object, "acceptance", describe_acceptance(model));
    return object;
}

/* ---- a checkpoint ---------------------------------------------------------------------------------- */

static gb_status describe_checkpoint(const char *path, json_t **out, gb_error *err)
{
    char *text = NULL;
    const gb_status st = gb_checkpoint_notes(path, &text, err);
    if (st != GB_OK)
        return st;
    json_t *notes = cli_json_of(text);
    gb_free(text);
    *out = json_pack("{s:s, s:I}", "kind", "checkpoint", "chains",
                     (json_int_t)json_array_size(json_object_get(notes, "sweeps_done")));
    (void)json_object_update(*out, notes);
    json_decref(notes);
    return GB_OK;
}

/* ---- output ---------------------------------------------------------------------------------------- */

enum { MAX_SHOWN = 30 };

static void print_scalar(const json_t *value)
{
    if (json_is_string(value) && json_string_length(value) == 0)
        (void)fputs("not set", cli_out());
    else if (json_is_string(value))
        (void)fputs(json_string_value(value), cli_out());
    else if (json_is_boolean(value))
        (void)fputs(json_is_true(value) ? "yes" : "no", cli_out());
    else if (json_is_number(value))
        (void)json_dumpf(value, cli_out(), JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    else if (json_is_null(value))
        (void)fputs("none", cli_out());
}

static void print_list(const json_t *list)
{
    size_t n = json_array_size(list);
    if (n == 0)
        (void)fputs("none", cli_out());
    for (size_t i = 0; i < n && i < MAX_SHOWN; i++) {
        (void)fputs(i > 0 ? ", " : "", cli_out());
        print_scalar(json_array_get(list, i));
    }
    if (n > MAX_SHOWN)
        (void)fprintf(cli_out(), " and %zu more", n - MAX_SHOWN);
}

static void print_object(json_t *object, int indent)
{
    size_t n_shown = 0;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (n_shown++ == MAX_SHOWN && indent > 2) {
            (void)fprintf(cli_out(), "%*s... %zu more\n", indent, "", json_object_size(object) - MAX_SHOWN);
            break;
        }
        if (json_is_object(value)) {
            (void)fprintf(cli_out(), "%*s%s%s\n", indent, "", name, json_object_size(value) == 0 ? ": none" : "");
            print_object(value, indent + 2);
            continue;
        }
        (void)fprintf(cli_out(), "%*s%-*s ", indent, "", 22 - indent, name);
        if (json_is_array(value))
            print_list(value);
        else
            print_scalar(value);
        (void)fputc('\n', cli_out());
    }
}

gb_status cli_info(cli_call *call, gb_error *err)
{
    const char *path = call->argument[0];
    gb_model *model = NULL;
    gb_corpus *corpus = NULL;
    json_t *object = NULL;
    gb_status st;
    const gb_file_kind kind = gb_file_kind_of(path);
    /* whatever is neither is read as a corpus, so its reader says what is wrong with it */
    if (kind == GB_FILE_CHECKPOINT) {
        CLI_TRY(cli_input(describe_checkpoint(path, &object, err), err));
    } else if (kind == GB_FILE_MODEL) {
        CLI_TRY(cli_input(gb_model_read(path, NULL, NULL, &model, err), err));
        object = describe_model(model);
    } else {
        CLI_TRY(cli_read_corpus(call, path, &corpus, err));
        CLI_TRY(describe_corpus(corpus, &object, err));
    }
    if (cli_flag(call, "json"))
        CLI_TRY(cli_print_json(object, err));
    CLI_TRY(cli_json_check(object, err));
    if (!cli_flag(call, "json")) {
        print_object(object, 0);
        CLI_TRY(cli_json_check(object, err));
    }
done:
    json_decref(object);
    gb_corpus_free(corpus);
    gb_model_free(model);
    return st;
}
