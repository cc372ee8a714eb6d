/* answer/contrast.c - what is compared with what. */
#include "answer/contrast.h"

#include "base/memory.h"
#include "corpus/data/name.h"
#include "gibbous/topic_unions.h"
#include "model/group_effects.h"
#include "model/topic_unions.h"

#include <inttypes.h>
#include <string.h>

enum { LONGEST_QUOTE = 80 };

static const char what[] = "a contrast";

/* ---- topics and levels ----------------------------------------------------------------------------- */

/* A side while it is read. */
typedef struct side {
    const char *text;
    size_t length;
    uint64_t n, *feature; /* room for a feature per two bytes of the text of both sides */
} side;

/* A level of a covariate may be written in any way that values are. */
static bool is_column(gb_view column, gb_view text)
{
    if (column.length == text.length && memcmp(column.text, text.text, text.length) == 0)
        return true;
    const char *equals = memchr(text.text, '=', text.length);
    const size_t field = equals == NULL ? 0 : (size_t)(equals - text.text) + 1;
    return field > 0 && column.length > field && memcmp(column.text, text.text, field) == 0 &&
           gb_name_is((gb_view){column.text + field, column.length - field},
                      (gb_view){text.text + field, text.length - field});
}

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
        if (is_column(gb_view_of(name), (gb_view){text, length}))
            return true;
    }
    return false;
}

/* Fills s->feature; false, with *unknown, if a piece is no feature.  Longer names are tried first. */
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

static bool read_both(const gb_model *model, side both[2], const char *text, const char *comma, side *unknown)
{
    both[0].text = text;
    both[0].length = comma == NULL ? strlen(text) : (size_t)(comma - text);
    both[1].text = comma == NULL ? "" : comma + 1;
    both[1].length = strlen(both[1].text);
    both[0].n = both[1].n = 0;
    return read_side(model, &both[0], unknown) && (comma == NULL || read_side(model, &both[1], unknown));
}

static gb_status read_sides(const gb_model *model, const char *text, side both[2], gb_error *err)
{
    side unknown;
    if (read_both(model, both, text, NULL, &unknown))
        return GB_OK;
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ','))
        if (read_both(model, both, text, comma, &unknown))
            return GB_OK;
    return gb_fail(err, GB_EARGUMENT,
                   "`contrast` %s: \"%.*s\" is neither a topic (1 to %" PRIu64
                   ") nor a level of a covariate such as party=Whig%s",
                   text, (int)(unknown.length < LONGEST_QUOTE ? unknown.length : LONGEST_QUOTE), unknown.text,
                   gb_model_n_topics(model), gb_model_n_groups(model) > 0 ? ", and these are not two groups" : "");
}

static void add_feature(gb_contrast_side *s, uint64_t feature)
{
    for (uint64_t i = 0; i < s->n; i++)
        if (s->feature[i] == feature)
            return;
    s->feature[s->n++] = feature;
}

/* @param topics  room for those of a union */
static gb_status take_side(const gb_model *trained, const char *text, const side *from, uint64_t *topics,
                           gb_contrast_side *to, gb_error *err)
{
    for (uint64_t i = 0; i < from->n; i++) {
        const uint64_t feature = from->feature[i];
        uint64_t n = 1;
        topics[0] = feature;
        if (feature < gb_model_n_topics(trained)) {
            if (gb_model_topic_union(trained, feature) == GB_LEFT_OUT)
                return gb_fail(err, GB_EARGUMENT, "`contrast` %s: topic %" PRIu64 " is left out of this model", text,
                               feature + 1);
            n = gb_model_topics_of_union(trained, feature, topics);
        }
        for (uint64_t j = 0; j < n; j++)
            add_feature(to, topics[j]);
    }
    return GB_OK;
}

gb_status gb_contrast_read(const gb_model *model, const gb_model *trained, const char *text, gb_contrast *out,
                           gb_error *err)
{
    gb_status st;
    side both[2] = {{.n = 0}, {.n = 0}};
    uint64_t *topics = NULL;
    const size_t n_features = gb_model_n_topics(model) + gb_model_n_columns(model);
    *out = (gb_contrast){.plus.n = 0};
    for (size_t i = 0; i < 2; i++)
        GB_TRY(gb_alloc(&both[i].feature, strlen(text) / 2 + 2, sizeof *both[i].feature, what, err));
    GB_TRY(gb_alloc(&topics, gb_model_n_topics(model), sizeof *topics, what, err));
    GB_TRY(gb_alloc(&out->plus.feature, n_features, sizeof *out->plus.feature, what, err));
    GB_TRY(gb_alloc(&out->minus.feature, n_features, sizeof *out->minus.feature, what, err));
    GB_TRY(read_sides(model, text, both, err));
    GB_TRY(take_side(trained, text, &both[0], topics, &out->plus, err));
    GB_TRY(take_side(trained, text, &both[1], topics, &out->minus, err));
done:
    gb_free(both[0].feature);
    gb_free(both[1].feature);
    gb_free(topics);
    return st;
}

void gb_contrast_clear(gb_contrast *c)
{
    gb_free(c->plus.feature);
    gb_free(c->minus.feature);
    *c = (gb_contrast){.plus.n = 0};
}

/* ---- groups ---------------------------------------------------------------------------------------- */

static gb_status no_group(const gb_model *model, const char *option, const char *name, size_t length, gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT, "`%s`: there is no group \"%.*s\" (%s); the first of %" PRIu64 " is \"%s\"",
                   option, (int)(length < LONGEST_QUOTE ? length : LONGEST_QUOTE), name, gb_model_group_field(model),
                   gb_model_n_groups(model), gb_model_group(model, 0));
}

gb_status gb_read_group(const gb_model *model, const char *option, const char *text, uint64_t *group, gb_error *err)
{
    return gb_model_find_group(model, text, group) ? GB_OK : no_group(model, option, text, strlen(text), err);
}

/* Cut at the comma that leaves two groups, since names may have commas too. */
gb_status gb_contrast_read_groups(const gb_model *model, const char *text, uint64_t *plus, uint64_t *minus,
                                  gb_error *err)
{
    const char *comma = strchr(text, ',');
    char *left = NULL;
    bool has_left = false, has_both = false;
    if (comma == NULL || comma == text || comma[1] == '\0')
        return gb_fail(err, GB_EARGUMENT, "`contrast` %s: expected two groups, A,B", text);
    const char *cut = comma;
    const gb_status st = gb_copy_text(&left, text, strlen(text), err);
    for (const char *at = comma; st == GB_OK && at != NULL && !has_both; at = strchr(at + 1, ',')) {
        left[at - text] = '\0';
        const bool is_group = gb_model_find_group(model, left, plus);
        has_both = is_group && gb_model_find_group(model, at + 1, minus);
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
