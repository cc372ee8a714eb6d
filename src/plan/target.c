/* plan/target.c - one response of a model, and its description in a model file. */
#include "plan/target.h"

#include "base/bounds.h"
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/texts.h"
#include "options/option_table.h"
#include "store/json_text.h"

#include <string.h>

static const char *const task_names[] = {"none", "binary", "multiclass", "multilabel", "regression", "ordinal"};

const char *gb_task_name(gb_task_kind task)
{
    return (size_t)task < sizeof task_names / sizeof task_names[0] ? task_names[task] : "";
}

bool gb_task_find(const char *name, gb_task_kind *out)
{
    for (size_t i = 0; i < sizeof task_names / sizeof task_names[0]; i++) {
        if (strcmp(task_names[i], name) == 0) {
            *out = (gb_task_kind)i;
            return true;
        }
    }
    return false;
}

const char *gb_task_field_option(gb_task_kind task)
{
    return task == GB_TASK_REGRESSION ? "target" : task == GB_TASK_MULTILABEL ? "labels" : "label";
}

size_t gb_task_n_outputs(gb_task_kind task, size_t n_classes)
{
    return gb_task_has_output_per_class(task) ? n_classes : 1;
}

bool gb_target_is_likelihood(const gb_target *target)
{
    const gb_response *r = &target->response;
    return gb_response_is_calibrated(r->ops) && (r->ops->takes_no_cost || (r->cost == 1 && !target->weighs_classes));
}

void gb_target_clear(gb_target *target)
{
    for (size_t i = 0; target->class_name != NULL && i < target->n_classes; i++)
        gb_free(target->class_name[i]);
    gb_free(target->class_name);
    gb_free(target->field);
    gb_free(target->calibration);
    gb_free(target->cut_off);
    gb_free(target->share);
    gb_free(target->own);
    gb_level_law_clear(&target->level_law);
    *target = (gb_target){0};
}

/* None of none. */
static gb_status copy_numbers(const double *from, size_t n, double **out, gb_error *err)
{
    if (from == NULL)
        return GB_OK;
    const gb_status st = gb_alloc(out, n, sizeof **out, "the calibration", err);
    if (st == GB_OK)
        memcpy(*out, from, n * sizeof **out);
    return st;
}

gb_status gb_target_copy(const gb_target *target, gb_target *out, gb_error *err)
{
    gb_status st;
    gb_target copy = *target;
    copy.field = NULL;
    copy.class_name = NULL;
    copy.calibration = copy.cut_off = copy.share = NULL;
    copy.own = copy.level_law.share = NULL;
    GB_TRY(gb_copy_text(&copy.field, target->field, strlen(target->field), err));
    GB_TRY(gb_alloc(&copy.class_name, target->n_classes, sizeof *copy.class_name, "the classes", err));
    for (size_t i = 0; i < target->n_classes; i++)
        GB_TRY(gb_copy_text(&copy.class_name[i], target->class_name[i], strlen(target->class_name[i]), err));
    GB_TRY(copy_numbers(target->calibration, 2 * target->response.n_outputs, &copy.calibration, err));
    GB_TRY(copy_numbers(target->share, target->response.n_outputs, &copy.share, err));
    GB_TRY(copy_numbers(target->cut_off, target->response.n_outputs, &copy.cut_off, err));
    GB_TRY(copy_numbers(target->level_law.share, target->n_classes, &copy.level_law.share, err));
    GB_TRY(gb_target_start_own(&copy, err));
    for (size_t i = 0; i < copy.response.n_own; i++)
        copy.own[i] = target->own[i];
    *out = copy;
    return GB_OK;
done:
    gb_target_clear(&copy);
    return st;
}

gb_status gb_target_start_own(gb_target *target, gb_error *err)
{
    gb_response *r = &target->response;
    r->n_own = gb_response_count_own(r);
    const gb_status st = gb_alloc(&target->own, r->n_own, sizeof *target->own, "own parameters of a response", err);
    if (st == GB_OK)
        gb_response_start_own(r, target->own);
    r->own = target->own;
    return st;
}

const char *gb_target_output_name(const gb_target *target, size_t output)
{
    if (gb_task_has_output_per_class(target->task))
        return target->class_name[output];
    return target->task == GB_TASK_BINARY ? target->class_name[1] : target->field;
}

/* ---- as JSON ---- */

/* Empty for NULL. */
static json_t *list_numbers(const double *x, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; x != NULL && i < n && list != NULL; i++)
        if (json_array_append_new(list, json_real(x[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *list_classes(const gb_target *target)
{
    json_t *list = json_array();
    for (size_t i = 0; i < target->n_classes && list != NULL; i++)
        if (json_array_append_new(list, json_string(target->class_name[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *list_law(const gb_count_law *law)
{
    const double x[] = {law->shift,     law->slope,    law->own,       law->low,        law->high,
                        law->length,    law->centre,   law->low_short, law->high_short, law->log_short,
                        law->log_whole, law->low_none, law->high_none};
    return list_numbers(law->own > 0 ? x : NULL, sizeof x / sizeof *x);
}

/* What a level law has before its shares. */
enum { LEVEL_CENTRE, LEVEL_VARIANCE, LEVEL_LOG_WHOLE, LEVEL_LENGTH, LEVEL_OPEN, N_LEVEL_NUMBERS };

static json_t *list_level_law(const gb_target *target)
{
    const gb_level_law *law = &target->level_law;
    const double x[N_LEVEL_NUMBERS] = {law->centre, law->variance, law->log_whole, law->length, law->open};
    json_t *list = list_numbers(law->share == NULL ? NULL : x, N_LEVEL_NUMBERS),
           *shares = list_numbers(law->share, target->n_classes);
    const bool failed = list == NULL || shares == NULL || json_array_extend(list, shares) != 0;
    json_decref(shares);
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

json_t *gb_target_to_json(const gb_target *target)
{
    const gb_response *r = &target->response;
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:f, s:f, s:f, s:o, s:f, s:f, s:b, s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "field",
        target->field, "task", gb_task_name(target->task), "response", r->ops->name, "classes", list_classes(target),
        "cost", r->cost, "margin", r->margin, "epsilon", r->epsilon, "own_parameters",
        list_numbers(target->own, r->n_own), "centre", target->centre, "scale", target->scale, "class_weights",
        target->weighs_classes, "calibration", list_numbers(target->calibration, 2 * r->n_outputs), "power",
        target->power, "calibration_length", target->length, "calibration_shares",
        list_numbers(target->share, r->n_outputs), "cut_offs", list_numbers(target->cut_off, r->n_outputs), "spread",
        list_numbers(target->spread[GB_SPREAD_SD] > 0 ? target->spread : NULL, GB_N_SPREADS), "count_law",
        list_law(&target->law), "level_law", list_level_law(target));
}

static gb_status damaged(const char *what, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "damaged model file: %s", what);
}

static gb_status read_classes(gb_target *target, const json_t *classes, gb_error *err)
{
    gb_status st = GB_OK;
    bool differ = true;
    GB_TRY(gb_alloc(&target->class_name, json_array_size(classes), sizeof *target->class_name, "the classes", err));
    target->n_classes = json_array_size(classes);
    for (size_t i = 0; i < target->n_classes; i++) {
        const char *name = json_string_value(json_array_get(classes, i));
        if (name == NULL || gb_text_fault(name, strlen(name)) != NULL)
            return damaged("a class has no name", err);
        GB_TRY(gb_copy_text(&target->class_name[i], name, strlen(name), err));
    }
    GB_TRY(gb_text_all_differ(target->n_classes, (const char *const *)target->class_name, &differ, err));
    if (!differ)
        return damaged("two classes of one name", err);
done:
    return st;
}

/* n numbers of a calibration, or none. */
static gb_status read_curves(const gb_target *target, const json_t *numbers, size_t n, double **out, gb_error *err)
{
    if (json_array_size(numbers) == 0)
        return GB_OK;
    if (json_array_size(numbers) != n || target->response.ops->target != GB_TARGET_CLASS)
        return damaged("the calibration does not suit the task", err);
    gb_status st = gb_alloc(out, n, sizeof **out, "the calibration", err);
    for (size_t i = 0; st == GB_OK && i < n; i++) {
        const json_t *number = json_array_get(numbers, i);
        (*out)[i] = json_number_value(number);
        if (!json_is_number(number) || !gb_is_bounded((*out)[i]))
            return damaged("the calibration is not made of numbers", err);
    }
    return st;
}

static gb_status read_calibration(gb_target *target, const json_t *curves, const json_t *shares,
                                  const json_t *cut_offs, gb_error *err)
{
    gb_status st;
    const size_t n = target->response.n_outputs;
    GB_TRY(read_curves(target, curves, 2 * n, &target->calibration, err));
    GB_TRY(read_curves(target, shares, n, &target->share, err));
    GB_TRY(read_curves(target, cut_offs, n, &target->cut_off, err));
    if ((target->share == NULL) != (target->calibration == NULL))
        return damaged("a calibration without shares", err);
    for (size_t l = 0; target->share != NULL && l < n; l++)
        if (!(target->share[l] >= 0 && target->share[l] <= 1))
            return damaged("the shares of a calibration are none", err);
    if (target->cut_off != NULL && (target->task != GB_TASK_MULTILABEL || target->calibration == NULL))
        return damaged("cut-offs without a calibration", err);
done:
    return st;
}

static gb_status read_spread(gb_target *target, const json_t *numbers, gb_error *err)
{
    double *x = target->spread;
    for (size_t i = 0; i < json_array_size(numbers) && i < GB_N_SPREADS; i++)
        x[i] = json_number_value(json_array_get(numbers, i));
    const bool is_none = json_array_size(numbers) == 0;
    const bool is_right = json_array_size(numbers) == GB_N_SPREADS && target->task == GB_TASK_REGRESSION &&
                          gb_are_bounded(GB_N_SPREADS, x) && x[GB_SPREAD_SD] > 0 &&
                          x[GB_SPREAD_Q05] <= x[GB_SPREAD_Q95] && x[GB_SPREAD_REST] >= 0 && x[GB_SPREAD_MOST] >= 0;
    return is_none || is_right ? GB_OK : damaged("the spread of new numbers is none", err);
}

static gb_status read_law(gb_target *target, const json_t *numbers, gb_error *err)
{
    double x[13] = {0};
    const size_t n = json_array_size(numbers);
    if (n == 0)
        return GB_OK;
    for (size_t i = 0; i < n && i < sizeof x / sizeof *x; i++)
        x[i] = json_number_value(json_array_get(numbers, i));
    target->law = (gb_count_law){.shift = x[0],
                                 .slope = x[1],
                                 .own = x[2],
                                 .low = x[3],
                                 .high = x[4],
                                 .length = x[5],
                                 .centre = x[6],
                                 .low_short = x[7],
                                 .high_short = x[8],
                                 .log_short = x[9],
                                 .log_whole = x[10],
                                 .low_none = x[11],
                                 .high_none = x[12]};
    const bool is_right = n == sizeof x / sizeof *x && target->response.ops->target == GB_TARGET_COUNT &&
                          gb_count_law_is_sound(&target->law);
    return is_right ? GB_OK : damaged("the law of new counts is none", err);
}

static gb_status read_level_law(gb_target *target, const json_t *numbers, gb_error *err)
{
    double x[N_LEVEL_NUMBERS] = {0};
    gb_level_law *law = &target->level_law;
    const size_t n = json_array_size(numbers);
    bool is_right = target->response.ops->target == GB_TARGET_LEVEL && n == N_LEVEL_NUMBERS + target->n_classes;
    if (n == 0)
        return GB_OK;
    const gb_status st = gb_alloc(&law->share, target->n_classes, sizeof *law->share, "the calibration", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; is_right && i < n; i++) {
        const double value = json_number_value(json_array_get(numbers, i));
        if (i < N_LEVEL_NUMBERS)
            x[i] = value;
        else
            law->share[i - N_LEVEL_NUMBERS] = value;
        is_right = gb_is_bounded(value) && (value >= 0 || i == LEVEL_CENTRE) && (value <= 1 || i < N_LEVEL_NUMBERS);
    }
    law->centre = x[LEVEL_CENTRE];
    law->variance = x[LEVEL_VARIANCE];
    law->log_whole = x[LEVEL_LOG_WHOLE];
    law->length = x[LEVEL_LENGTH];
    law->open = x[LEVEL_OPEN];
    return is_right ? GB_OK : damaged("the law of new levels is none", err);
}

static gb_status read_own(gb_target *target, const json_t *numbers, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_target_start_own(target, err));
    if (json_array_size(numbers) != target->response.n_own)
        return damaged("the response has another number of parameters", err);
    for (size_t i = 0; i < target->response.n_own; i++)
        target->own[i] = json_number_value(json_array_get(numbers, i));
    if (gb_response_own_fault(&target->response) != NULL)
        return damaged("a parameter of a response is out of range", err);
done:
    return st;
}

static bool suits(const gb_target *target)
{
    const gb_target_kind kind = target->response.ops->target;
    switch (target->task) {
    case GB_TASK_REGRESSION:
        return gb_target_kind_is_number(kind) && target->n_classes == 0;
    case GB_TASK_ORDINAL:
        return kind == GB_TARGET_LEVEL && target->n_classes >= 2;
    case GB_TASK_BINARY:
        return kind == GB_TARGET_CLASS && target->n_classes == 2;
    case GB_TASK_MULTICLASS:
    case GB_TASK_MULTILABEL:
        return kind == GB_TARGET_CLASS && target->n_classes > 0;
    case GB_TASK_NONE:
        break;
    }
    return false;
}

gb_status gb_target_from_json(const json_t *object, gb_target *out, gb_error *err)
{
    gb_status st;
    gb_target target = {0};
    gb_response *r = &target.response;
    const char *field, *task, *response;
    json_t *classes, *calibration, *shares, *own, *cut_offs, *spread, *law, *level_law = NULL;
    int weighs_classes;
    st = gb_json_unpack(
        object, err,
        "{s:s, s:s, s:s, s:o, s:F, s:F, s:F, s:o, s:F, s:F, s:o, s:F, s:F, s:o, s:o, s:b, s:o, s:o, s?o}", "field",
        &field, "task", &task, "response", &response, "classes", &classes, "cost", &r->cost, "margin", &r->margin,
        "epsilon", &r->epsilon, "own_parameters", &own, "centre", &target.centre, "scale", &target.scale,
        "calibration", &calibration, "power", &target.power, "calibration_length", &target.length,
        "calibration_shares", &shares, "cut_offs", &cut_offs, "class_weights", &weighs_classes, "spread", &spread,
        "count_law", &law, "level_law", &level_law);
    if (st == GB_ENOMEM)
        return st;
    if (st != GB_OK || !json_is_array(classes) || !json_is_array(calibration) || !json_is_array(own))
        return damaged("an entry of a response is missing or of another type", err);
    r->ops = gb_response_find(response);
    if (r->ops == NULL || !gb_task_find(task, &target.task))
        return damaged("an unknown response or task", err);
    if (!(r->cost > 0) || !(target.power >= 0) || !(target.length >= 0) || !(target.scale > 0) ||
        !gb_is_bounded(target.scale) || !gb_is_bounded(target.centre) || !(r->epsilon >= 0) ||
        !gb_option_takes("margin", r->margin)) /* JSON: all finite */
        return damaged("a number of a response is out of range", err);
    GB_TRY(gb_copy_text(&target.field, field, strlen(field), err));
    GB_TRY(read_classes(&target, classes, err));
    if (!suits(&target)) {
        st = damaged("the classes or the task do not suit the response", err);
        goto done;
    }
    r->n_outputs = gb_task_n_outputs(target.task, target.n_classes);
    r->n_levels = r->ops->target == GB_TARGET_LEVEL ? target.n_classes : 0;
    GB_TRY(read_own(&target, own, err));
    GB_TRY(read_calibration(&target, calibration, shares, cut_offs, err));
    GB_TRY(read_spread(&target, spread, err));
    GB_TRY(read_law(&target, law, err));
    GB_TRY(read_level_law(&target, level_law, err));
    target.weighs_classes = weighs_classes;
    *out = target;
    return GB_OK;
done:
    gb_target_clear(&target);
    return st;
}
