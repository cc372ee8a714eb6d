/* plan/spec_responses.c - which fields a model predicts, and how.
 *
 * The fields are those that the user names with --label, --labels and --target, or all of the corpus.  Options of
 * responses hold for every field they suit, or name one: "gaussian", "rating=insensitive". */
#include "plan/spec.h"

#include "base/bounds.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/text.h"
#include "corpus/data/name.h"
#include "corpus/data/texts.h"
#include "plan/class_weight.h"
#include "plan/levels.h"
#include "plan/response_defaults.h"

#include <math.h>
#include <string.h>

/* ---- options that may name a field ---- */

/** One item of an option: "FIELD=VALUE" or "VALUE". */
typedef struct item {
    const char *field; /* NULL for all fields */
    size_t field_length;
    const char *value;
    size_t value_length;
} item;

/* The next item; false at the end.  The last "=" divides, as fields may hold one. */
static bool next_item(const char **at, item *out)
{
    if (**at == '\0')
        return false;
    const size_t length = strcspn(*at, ",");
    const char *equals = memrchr(*at, '=', length);
    *out = (item){.value = *at, .value_length = length};
    if (equals != NULL) {
        out->field = *at;
        out->field_length = (size_t)(equals - *at);
        out->value = equals + 1;
        out->value_length = length - out->field_length - 1;
    }
    *at += length + ((*at)[length] == ',');
    return true;
}

static bool names(const item *i, const char *field)
{
    return i->field != NULL && strlen(field) == i->field_length && memcmp(i->field, field, i->field_length) == 0;
}

/* Every item that names a field must name one of the model's. */
static gb_status check_fields_named(const gb_spec *spec, const char *option, const char *text, gb_error *err)
{
    item i;
    while (next_item(&text, &i)) {
        bool found = i.field == NULL;
        for (size_t r = 0; r < spec->n_responses; r++)
            found |= names(&i, spec->response[r].target.field);
        if (!found)
            return gb_fail(err, GB_EARGUMENT, "`%s` names the field \"%.*s\", which is not among those to predict",
                           option, (int)i.field_length, i.field);
    }
    return GB_OK;
}

/* @param decides  the program does, if the text is auto: then the value is 0 */
static bool parse_number(const char *text, bool decides, double *value)
{
    *value = 0;
    if (decides && strcmp(text, "auto") == 0)
        return true;
    return gb_text_to_real(text, value) == GB_NUMBER_OK && *value > 0 && *value <= 1e12;
}

gb_status gb_option_number(const char *option, const char *text, const char *field, double *out, gb_error *err)
{
    item i;
    size_t n_own = 0, n_all = 0; /* values for this field, and for all */
    const gb_option *known = gb_option_find(option);
    const bool decides = known != NULL && strcmp(known->default_value, "auto") == 0;
    for (const char *at = text; next_item(&at, &i);) {
        char copy[64];
        double value;
        if (i.value_length < sizeof copy) {
            memcpy(copy, i.value, i.value_length);
            copy[i.value_length] = '\0';
        }
        if (i.value_length >= sizeof copy || !parse_number(copy, decides, &value)) {
            char quote[GB_QUOTE_SIZE];
            gb_text_quote(text, strlen(text), quote);
            return gb_fail(err, GB_EARGUMENT, "`%s` must be %sa number above 0, or FIELD=NUMBER,..., not %s", option,
                           decides ? "auto, " : "", quote);
        }
        n_own += names(&i, field);
        n_all += i.field == NULL;
        if (names(&i, field) || (i.field == NULL && n_own == 0))
            *out = value;
    }
    if (n_own > 1 || n_all > 1) { /* perhaps a decimal comma, or values to choose from */
        char quote[GB_QUOTE_SIZE];
        gb_text_quote(text, strlen(text), quote);
        return gb_fail(err, GB_EARGUMENT, "`%s` has two values for %s in %s; expected one", option,
                       n_all > 1 ? "all fields" : "a field", quote);
    }
    return GB_OK;
}

/* ---- fields ---- */

static gb_status add_field(gb_spec *spec, const char *name, size_t field, bool is_number, gb_error *err)
{
    gb_spec_response *r = &spec->response[spec->n_responses++];
    r->field = field;
    r->target.task = is_number ? GB_TASK_REGRESSION : GB_TASK_NONE;
    r->target.scale = 1;
    return gb_copy_text(&r->target.field, name, strlen(name), err);
}

static bool is_listed(const gb_text_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->item[i], name) == 0)
            return true;
    return false;
}

/* Every name in the list is a field of that kind. */
static gb_status check_names(const gb_corpus *corpus, const gb_text_list *list, bool numbers, gb_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        bool found = false;
        for (size_t f = 0; !numbers && f < corpus->n_labels; f++)
            found |= corpus->labels[f].role == GB_ROLE_RESPONSE && strcmp(corpus->labels[f].name, list->item[i]) == 0;
        for (size_t f = 0; numbers && f < corpus->n_numbers; f++)
            found |=
                corpus->numbers[f].role == GB_ROLE_RESPONSE && strcmp(corpus->numbers[f].name, list->item[i]) == 0;
        if (!found) {
            char quote[GB_QUOTE_SIZE];
            gb_text_quote(list->item[i], strlen(list->item[i]), quote);
            return gb_fail(err, GB_EFORMAT, "the corpus has no %s field %s", numbers ? "target" : "label", quote);
        }
    }
    return GB_OK;
}

static gb_status choose_fields(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    gb_status st;
    const bool any = gb_settings_n_fields(s) == 0;
    GB_TRY(check_names(corpus, gb_settings_list(s, "label"), false, err));
    GB_TRY(check_names(corpus, gb_settings_list(s, "labels"), false, err));
    GB_TRY(check_names(corpus, gb_settings_list(s, "target"), true, err));
    GB_TRY(gb_alloc(&spec->response, corpus->n_labels + corpus->n_numbers, sizeof *spec->response, "responses", err));
    for (size_t f = 0; f < corpus->n_labels; f++) {
        const gb_labels *l = &corpus->labels[f];
        if (l->role == GB_ROLE_RESPONSE && (any || is_listed(gb_settings_list(s, "label"), l->name) ||
                                            is_listed(gb_settings_list(s, "labels"), l->name)))
            GB_TRY(add_field(spec, l->name, f, false, err));
    }
    for (size_t f = 0; f < corpus->n_numbers; f++) {
        const gb_numbers *n = &corpus->numbers[f];
        if (n->role == GB_ROLE_RESPONSE && (any || is_listed(gb_settings_list(s, "target"), n->name)))
            GB_TRY(add_field(spec, n->name, f, true, err));
    }
done:
    return st;
}

/* ---- which response ---- */

static bool suits(const gb_response_ops *ops, const gb_target *target)
{
    return gb_target_kind_is_number(ops->target) == (target->task == GB_TASK_REGRESSION);
}

/* Where the user names no response. */
static const gb_response_ops *usual_response(const gb_settings *s, const gb_target *target)
{
    if (target->task == GB_TASK_REGRESSION)
        return gb_response_default(GB_TARGET_NUMBER);
    return gb_response_default(gb_settings_are(s, "task", "ordinal") ? GB_TARGET_LEVEL : GB_TARGET_CLASS);
}

static gb_status choose_response(const gb_settings *s, gb_target *target, gb_error *err)
{
    const gb_response_ops *best = usual_response(s, target);
    bool is_own = false;
    char name[64];
    item i;
    for (const char *at = gb_settings_text(s, "response"); next_item(&at, &i);) {
        if (i.value_length >= sizeof name)
            return gb_fail(err, GB_EARGUMENT, "`response` has no \"%.*s\"", (int)i.value_length, i.value);
        const bool is_for_this = names(&i, target->field);
        if (!is_for_this && (i.field != NULL || is_own))
            continue;
        memcpy(name, i.value, i.value_length);
        name[i.value_length] = '\0';
        if (strcmp(name, "auto") == 0)
            continue;
        const gb_response_ops *ops = gb_response_find(name);
        if (ops == NULL)
            return gb_fail(err, GB_EARGUMENT, "`response` has no \"%s\"", name);
        if (!suits(ops, target) && is_for_this)
            return gb_fail(err, GB_EARGUMENT, "`response` %s needs %s, but \"%s\" holds %s", name,
                           gb_target_kind_is_number(ops->target) ? "numbers" : "classes", target->field,
                           gb_target_kind_is_number(ops->target) ? "classes" : "numbers");
        if (suits(ops, target)) {
            best = ops;
            is_own |= is_for_this;
        }
    }
    target->response.ops = best;
    return GB_OK;
}

/* A name without a field must suit at least one of the fields. */
static gb_status check_responses_named(const gb_spec *spec, const gb_settings *s, gb_error *err)
{
    item i;
    for (const char *at = gb_settings_text(s, "response"); next_item(&at, &i);) {
        bool used = i.field != NULL || (i.value_length == 4 && memcmp(i.value, "auto", 4) == 0);
        const gb_response_ops *ops = NULL;
        for (size_t r = 0; r < spec->n_responses && !used; r++) {
            ops = spec->response[r].target.response.ops;
            used = strlen(ops->name) == i.value_length && memcmp(ops->name, i.value, i.value_length) == 0;
        }
        if (used)
            continue;
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)i.value_length, i.value);
        ops = gb_response_find(name);
        if (ops == NULL)
            return gb_fail(err, GB_EARGUMENT, "`response` has no \"%s\"", name);
        return gb_fail(err, GB_EARGUMENT, "`response` %s needs %s: name the field with %s", name,
                       gb_target_kind_is_number(ops->target) ? "numbers" : "labels",
                       gb_target_kind_is_number(ops->target) ? "`target`"
                       : ops->target == GB_TARGET_LEVEL      ? "`label`"
                                                             : "`label` or `labels`");
    }
    return GB_OK;
}

/* ---- classes ---- */

static gb_status choose_task(const gb_labels *labels, const char *wanted, const gb_response_ops *ops,
                             gb_task_kind *task, gb_error *err)
{
    const uint64_t n = labels->classes.count;
    if (n == 0)
        return gb_fail(err, GB_EFORMAT,
                       "no document has a label in field \"%s\"; give `response` none to train without labels",
                       labels->name);
    if (strcmp(wanted, "regression") == 0)
        return gb_fail(err, GB_EARGUMENT, "`task` regression needs numbers: give the field \"%s\" with `target`",
                       labels->name);
    if (ops->target == GB_TARGET_LEVEL && labels->several)
        return gb_fail(err, GB_EARGUMENT,
                       "`response` %s wants one level per document: give the field with `label`, not `labels`",
                       ops->name);
    if (strcmp(wanted, "auto") != 0)
        (void)gb_task_find(wanted, task);
    else if (ops->target == GB_TARGET_LEVEL)
        *task = GB_TASK_ORDINAL;
    else
        *task = labels->several ? GB_TASK_MULTILABEL : n == 2 ? GB_TASK_BINARY : GB_TASK_MULTICLASS;
    if (labels->several && *task != GB_TASK_MULTILABEL)
        return gb_fail(err, GB_EARGUMENT,
                       "`task` %s wants one class per document: give the field with `label`, not `labels`", wanted);
    if (*task != GB_TASK_MULTILABEL && n == 1)
        return gb_fail(err, GB_EFORMAT,
                       "every label in field \"%s\" is \"%.*s\"; a response needs at least two classes", labels->name,
                       (int)(labels->classes.start[1] > 60 ? 60 : labels->classes.start[1]), labels->classes.bytes);
    if (*task == GB_TASK_BINARY && n != 2)
        return gb_fail(err, GB_EFORMAT, "`task` binary needs two classes; field \"%s\" has %llu", labels->name,
                       (unsigned long long)n);
    return GB_OK;
}

/* The number of the class with that name, or SIZE_MAX. */
static size_t find_class(const gb_labels *labels, const char *name)
{
    for (size_t i = 0; i < labels->classes.count; i++)
        if (gb_name_is(gb_texts_view(&labels->classes, i), gb_view_of(name)))
            return i;
    return SIZE_MAX;
}

/* Classes in the order of the corpus; of two, the negative one first. */
static gb_status name_classes(const gb_labels *labels, const char *positive, gb_spec_response *r, gb_error *err)
{
    gb_status st;
    gb_target *target = &r->target;
    const size_t n = labels->classes.count, wanted = find_class(labels, positive);
    const bool turned = target->task == GB_TASK_BINARY && wanted == 0;
    GB_TRY(gb_alloc(&target->class_name, n, sizeof *target->class_name, "the classes", err));
    GB_TRY(gb_alloc(&r->class_at, n, sizeof *r->class_at, "the classes", err));
    target->n_classes = n;
    for (size_t c = 0; c < n; c++) {
        r->class_at[c] = turned ? 1 - c : c;
        GB_TRY(gb_texts_copy(&labels->classes, c, &target->class_name[r->class_at[c]], err));
    }
done:
    return st;
}

static gb_status check_positive(const gb_corpus *corpus, const gb_settings *s, const gb_spec *spec, gb_error *err)
{
    const gb_spec_response *binary = NULL;
    if (!gb_settings_has(s, "positive"))
        return GB_OK;
    for (size_t r = 0; r < spec->n_responses; r++) {
        if (spec->response[r].target.task != GB_TASK_BINARY)
            continue;
        binary = &spec->response[r];
        if (find_class(&corpus->labels[binary->field], gb_settings_text(s, "positive")) != SIZE_MAX)
            return GB_OK;
    }
    if (binary == NULL)
        return GB_OK; /* not a task for it, as gb_spec_check_needs() says */
    return gb_fail(err, GB_EARGUMENT, "`positive` \"%s\" is not a class of field \"%s\"",
                   gb_settings_text(s, "positive"), binary->target.field);
}

/* ---- numbers ---- */

/* Mean and standard deviation of the targets that there are. */
static gb_status choose_scale(const gb_numbers *numbers, uint64_t n_docs, bool standardise, gb_spec_response *r,
                              gb_error *err)
{
    gb_target *target = &r->target;
    double mean = 0, squares = 0, n = 0;
    for (uint64_t d = 0; d < n_docs; d++) {
        if (isnan(numbers->value[d]))
            continue;
        const double step = numbers->value[d] - mean;
        mean += step / ++n;
        squares += step * (numbers->value[d] - mean);
    }
    if (n == 0)
        return gb_fail(err, GB_EFORMAT,
                       "no document has a number in field \"%s\"; give `response` none to train without",
                       numbers->name);
    if (!(sqrt(mean * mean + squares / n) <= GB_LARGEST_TARGETS))
        return gb_fail(err, GB_EFORMAT,
                       "the numbers in field \"%s\" are too large: the root of their mean square must be at most %g",
                       numbers->name, GB_LARGEST_TARGETS);
    r->mean_square = mean * mean + squares / n > 0 ? mean * mean + squares / n : 1;
    if (!standardise || target->response.ops->target != GB_TARGET_NUMBER)
        return GB_OK;
    if (!(squares > 0))
        return gb_fail(err, GB_EFORMAT, "every number in field \"%s\" is %g: there is nothing to predict",
                       numbers->name, mean);
    target->centre = mean;
    target->scale = sqrt(squares / n);
    r->mean_square = 1;
    return GB_OK;
}

/* The number that the user gives for a parameter of the field's response. */
static gb_status give_own(const gb_own_parameter *parameter, const char *text, const gb_target *target, double *own,
                          gb_error *err)
{
    double value = NAN;
    const gb_status st = gb_option_number(parameter->option, text, target->field, &value, err);
    if (st != GB_OK)
        return st;
    *own = parameter->has_units ? value / (target->scale * target->scale) : value;
    return GB_OK;
}

gb_status gb_own_parameters_choose(const gb_settings *s, bool has_weights, gb_target *target, gb_error *err)
{
    gb_status st;
    gb_response *r = &target->response;
    const gb_own_parameter *parameter;
    GB_TRY(gb_target_start_own(target, err));
    for (size_t i = 0; (parameter = gb_response_own_parameter(r->ops, i)) != NULL; i++) {
        const char *text = parameter->option == NULL ? "sample" : gb_settings_text(s, parameter->option);
        r->samples_own = strcmp(text, "sample") == 0;
        if (!r->samples_own)
            GB_TRY(give_own(parameter, text, target, &target->own[i], err));
        else if (r->ops->own->draws_unit_cost_only && (r->cost != 1 || has_weights))
            return gb_fail(
                err, GB_EARGUMENT,
                "`%s` sample goes with `cost` 1 and without weights only: give the %s of field \"%s\" as a number",
                parameter->option, parameter->option, target->field);
    }
done:
    return st;
}

/* ---- one response ---- */

static gb_status resolve_parameters(const gb_settings *s, gb_target *target, gb_error *err)
{
    gb_status st;
    gb_response *r = &target->response;
    double cost = 0;
    const double epsilon =
        gb_settings_are(s, "epsilon", "auto") ? GB_DEFAULT_EPSILON : gb_settings_real(s, "epsilon") / target->scale;
    GB_TRY(gb_option_number("cost", gb_settings_text(s, "cost"), target->field, &cost, err));
    if (cost == 0 && !r->ops->takes_no_cost && target->task != GB_TASK_REGRESSION)
        cost = gb_response_cost_for(r->ops, target->n_classes, target->task == GB_TASK_MULTILABEL,
                                    gb_settings_has_word_effects(s));
    GB_TRY(gb_response_choose(r->ops->name, cost, gb_settings_real(s, "margin"), epsilon, r, err));
done:
    return st;
}

static gb_status resolve_one(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_spec_response *r,
                             gb_error *err)
{
    gb_status st;
    gb_target *target = &r->target;
    if (target->task == GB_TASK_REGRESSION) {
        GB_TRY(choose_scale(&corpus->numbers[r->field], corpus->n_docs, gb_settings_yes(s, "standardise"), r, err));
    } else {
        const gb_labels *labels = &corpus->labels[r->field];
        GB_TRY(choose_task(labels, gb_settings_text(s, "task"), target->response.ops, &target->task, err));
        if (target->task == GB_TASK_ORDINAL)
            GB_TRY(gb_levels_choose(labels, gb_settings_list(s, "levels"), r, err));
        else
            GB_TRY(name_classes(labels, gb_settings_text(s, "positive"), r, err));
        GB_TRY(gb_class_weights_choose(labels, corpus->n_docs, gb_settings_text(s, "class-weight"), r, err));
        target->weighs_classes = r->class_weight != NULL;
    }
    GB_TRY(resolve_parameters(s, target, err));
    target->response.n_outputs = gb_task_n_outputs(target->task, target->n_classes);
    target->response.n_levels = target->task == GB_TASK_ORDINAL ? target->n_classes : 0;
    GB_TRY(gb_own_parameters_choose(s, spec->weight_field != GB_NO_FIELD, target, err));
    target->response.first_output = spec->n_outputs;
    spec->n_outputs += target->response.n_outputs;
    target->response.first_own = spec->n_own;
    spec->n_own += target->response.n_own;
done:
    return st;
}

/* An exposure that only lies in the corpus file does not get in the way of other responses. */
static gb_status choose_exposure(const gb_corpus *corpus, gb_spec *spec, gb_error *err)
{
    bool has_count = false;
    for (size_t r = 0; r < spec->n_responses; r++)
        has_count |= spec->response[r].target.response.ops->target == GB_TARGET_COUNT;
    if (spec->exposure_field == GB_NO_FIELD || spec->n_responses == 0)
        return GB_OK;
    const gb_numbers *exposure = &corpus->numbers[spec->exposure_field];
    if (!has_count) {
        spec->exposure_field = GB_NO_FIELD;
        return GB_OK;
    }
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        if (!(exposure->value[d] > 0))
            return gb_fail(err, GB_EFORMAT, "document %llu has no exposure (field \"%s\"); expected a number above 0",
                           (unsigned long long)d + 1, exposure->name);
    return GB_OK;
}

/* The response of each field; weights that only lie in the corpus file do not get in the way of one without weights. */
static gb_status choose_each(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    bool can_weigh = true;
    for (size_t r = 0; r < spec->n_responses; r++) {
        gb_status st = choose_response(s, &spec->response[r].target, err);
        if (st != GB_OK)
            return st;
        can_weigh &= !spec->response[r].target.response.ops->takes_no_cost;
    }
    if (!can_weigh && !gb_settings_is_set(s, "document-weight"))
        spec->weight_field = GB_NO_FIELD;
    return GB_OK;
}

/* Labels that do not count would leave coefficients to their prior, and predictions to chance. */
static gb_status check_weights(const gb_corpus *corpus, const gb_spec *spec, gb_error *err)
{
    if (spec->weight_field == GB_NO_FIELD || spec->n_responses == 0)
        return GB_OK;
    const gb_numbers *weight = &corpus->numbers[spec->weight_field];
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        if (!(weight->value[d] <= 0)) /* a missing one is 1 */
            return GB_OK;
    return gb_fail(err, GB_EFORMAT, "no document has a weight above 0 (field \"%s\"), so no label counts",
                   weight->name);
}

static size_t find_role(const gb_corpus *corpus, gb_role role)
{
    for (size_t f = 0; f < corpus->n_numbers; f++)
        if (corpus->numbers[f].role == role)
            return f;
    return GB_NO_FIELD;
}

gb_status gb_spec_resolve_responses(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    gb_status st = GB_OK;
    spec->weight_field = find_role(corpus, GB_ROLE_WEIGHT);
    spec->exposure_field = find_role(corpus, GB_ROLE_EXPOSURE);
    if (gb_settings_are(s, "response", "none"))
        return GB_OK;
    GB_TRY(choose_fields(corpus, s, spec, err));
    if (spec->n_responses == 0 && !gb_settings_are(s, "response", "auto"))
        return gb_fail(err, GB_EARGUMENT,
                       "`response` %s needs labels or numbers: name the field with `label`, `labels` or `target`",
                       gb_settings_text(s, "response"));
    GB_TRY(check_fields_named(spec, "response", gb_settings_text(s, "response"), err));
    GB_TRY(check_fields_named(spec, "cost", gb_settings_text(s, "cost"), err));
    GB_TRY(choose_each(s, spec, err));
    GB_TRY(gb_spec_check_needs(spec, corpus, s, err));
    GB_TRY(gb_levels_check(spec, gb_settings_list(s, "levels"), err));
    for (size_t r = 0; r < spec->n_responses; r++)
        GB_TRY(resolve_one(corpus, s, spec, &spec->response[r], err));
    GB_TRY(check_responses_named(spec, s, err));
    GB_TRY(check_positive(corpus, s, spec, err));
    GB_TRY(choose_exposure(corpus, spec, err));
    GB_TRY(check_weights(corpus, spec, err));
    GB_TRY(gb_alloc(&spec->variance, spec->n_outputs, sizeof *spec->variance, "responses", err));
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_response *response = &spec->response[r].target.response;
        for (size_t l = 0; l < response->n_outputs; l++)
            spec->variance[response->first_output + l] = gb_response_variance_for(response->ops, response->cost);
    }
done:
    return st;
}

/* ---- targets of a document ---- */

bool gb_spec_has_weights(const gb_spec *spec)
{
    bool has = spec->weight_field != GB_NO_FIELD;
    for (size_t r = 0; r < spec->n_responses; r++)
        has |= spec->response[r].class_weight != NULL;
    return has;
}

static const double MOST_COUNT = 1e9;

static gb_status code_number(const gb_spec_response *r, const gb_corpus *corpus, uint64_t d, double *y, gb_error *err)
{
    const double value = corpus->numbers[r->field].value[d];
    *y = (value - r->target.centre) / r->target.scale;
    if (r->target.response.ops->target != GB_TARGET_COUNT || isnan(value))
        return GB_OK;
    if (value < 0 || value != floor(value))
        return gb_fail(err, GB_EFORMAT, "document %llu: %g in field \"%s\" is not a count (0, 1, 2, ...)",
                       (unsigned long long)d + 1, value, r->target.field);
    if (value > MOST_COUNT)
        return gb_fail(err, GB_EFORMAT, "document %llu: the count %.0f in field \"%s\" is above %.0f, the most",
                       (unsigned long long)d + 1, value, r->target.field, MOST_COUNT);
    return GB_OK;
}

static void code_classes(const gb_spec_response *r, const gb_corpus *corpus, uint64_t d, double *y)
{
    const gb_labels *labels = &corpus->labels[r->field];
    const size_t n = r->target.response.n_outputs;
    const uint64_t first = labels->doc_start[d], last = labels->doc_start[d + 1];
    for (size_t l = 0; l < n; l++)
        y[l] = labels->labelled[d] ? -1 : NAN;
    for (uint64_t i = first; i < last; i++) {
        const size_t class = r->class_at[labels->class_of[i]];
        if (r->target.task == GB_TASK_ORDINAL)
            y[0] = (double)(class + 1);
        else if (r->target.task == GB_TASK_BINARY)
            y[0] = class == 1 ? 1 : -1;
        else
            y[class] = 1;
    }
}

/* `weight` holds the document's weight on entry. */
static void weigh_classes(const gb_spec_response *r, const gb_corpus *corpus, uint64_t d, double *weight)
{
    const gb_labels *labels = &corpus->labels[r->field];
    const size_t n = r->target.response.n_outputs;
    for (size_t l = 0; l < n; l++)
        weight[l] *= r->rest_weight[l];
    for (uint64_t i = labels->doc_start[d]; i < labels->doc_start[d + 1]; i++) {
        const size_t class = r->class_at[labels->class_of[i]];
        if (r->target.task == GB_TASK_MULTILABEL)
            weight[class] *= r->class_weight[class] / r->rest_weight[class];
        for (size_t l = 0; r->target.task != GB_TASK_MULTILABEL && l < n; l++)
            weight[l] *= r->class_weight[class];
    }
}

gb_status gb_spec_code_document(const gb_spec *spec, const gb_corpus *corpus, uint64_t d, double *y, double *weight,
                                gb_error *err)
{
    gb_status st = GB_OK;
    const double own = spec->weight_field == GB_NO_FIELD ? 1 : corpus->numbers[spec->weight_field].value[d];
    for (size_t l = 0; weight != NULL && l < spec->n_outputs; l++)
        weight[l] = isnan(own) ? 1 : own;
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_spec_response *response = &spec->response[r];
        const size_t first = response->target.response.first_output;
        if (response->target.task == GB_TASK_REGRESSION)
            GB_TRY(code_number(response, corpus, d, y + first, err));
        else
            code_classes(response, corpus, d, y + first);
        if (weight != NULL && response->class_weight != NULL)
            weigh_classes(response, corpus, d, weight + first);
    }
    for (size_t l = 0; weight != NULL && l < spec->n_outputs; l++)
        if (!(weight[l] > 0))
            y[l] = NAN; /* a weight of 0 is a missing label */
done:
    return st;
}
