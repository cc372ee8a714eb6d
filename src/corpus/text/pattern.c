/* corpus/text/pattern.c - finds the words of a text by a regular expression.
 *
 * PCRE2, where it was there when this was built, with Unicode properties, compiled to machine code where that is possible.  Matches of nothing are not looked
 * for; \C, which can cut a character in two, is refused.
 *
 * What a text may cost is limited, and depends on nothing but pattern and text: before each item of the pattern PCRE2
 * calls count(), which adds one step, the bytes by which the match has moved since, and what a back reference may have
 * compared.  Five usual patterns took 1.5 to 4 steps for a byte. */
#include "corpus/text/pattern.h"

#include "base/memory.h"

#ifdef GIBBOUS_HAS_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { STEPS_OF_TEXT = 1000000, STEPS_OF_BYTE = 1000 };
enum { MATCH_HEAP_KIB = 65536, STACK_START = 32 * 1024, STACK_MOST = 4 * 1024 * 1024 };

struct gb_pattern {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
    bool has_references;
    size_t at;       /* of the match, when it was last heard of */
    uint64_t n_left; /* steps that the text may still take */
};

void gb_pattern_free(gb_pattern *p)
{
    if (p == NULL)
        return;
    pcre2_code_free(p->code);
    pcre2_match_data_free(p->data);
    pcre2_match_context_free(p->context);
    pcre2_jit_stack_free(p->stack);
    gb_free(p);
}

static gb_status compile(gb_pattern *p, const char *expression, gb_error *err)
{
    const uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
    int code;
    PCRE2_SIZE at;
    PCRE2_UCHAR8 text[256];
    p->code = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
    if (p->code != NULL)
        return GB_OK;
    if (code == PCRE2_ERROR_HEAP_FAILED)
        return gb_fail_memory(err, 0, "a pattern");
    if (pcre2_get_error_message(code, text, sizeof text) < 0)
        text[0] = '\0';
    return gb_fail(err, GB_EARGUMENT, "`token-pattern` \"%s\": character %zu: %s", expression, (size_t)at,
                   (const char *)text);
}

/* Called by PCRE2, also from machine code. */
static int count(pcre2_callout_block *match, void *user)
{
    gb_pattern *p = user;
    const size_t at = match->current_position;
    uint64_t n = 1 + (at > p->at ? at - p->at : p->at - at);
    for (uint32_t i = 1; p->has_references && i < match->capture_top; i++)
        if (match->offset_vector[2 * i] != PCRE2_UNSET &&
            match->offset_vector[2 * i + 1] > match->offset_vector[2 * i])
            n += match->offset_vector[2 * i + 1] - match->offset_vector[2 * i];
    p->at = at;
    if (n > p->n_left)
        return PCRE2_ERROR_CALLOUT;
    p->n_left -= n;
    return 0;
}

void gb_pattern_begin(gb_pattern *p, size_t n_bytes)
{
    p->n_left = STEPS_OF_TEXT + STEPS_OF_BYTE * (uint64_t)n_bytes;
}

gb_status gb_pattern_create(gb_pattern **out, const char *expression, gb_error *err)
{
    gb_status st;
    gb_pattern *p = NULL;
    GB_TRY(gb_alloc(&p, 1, sizeof *p, "a pattern", err));
    GB_TRY(compile(p, expression, err));
    p->data = pcre2_match_data_create(1, NULL);
    p->context = pcre2_match_context_create(NULL);
    if (p->data == NULL || p->context == NULL) {
        st = gb_fail_memory(err, sizeof *p, "a pattern");
        goto done;
    }
    uint32_t n_references = 0;
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_BACKREFMAX, &n_references);
    p->has_references = n_references > 0;
    (void)pcre2_set_callout(p->context, count, p);
    (void)pcre2_set_match_limit(p->context, UINT32_MAX); /* one position alone may take all steps of the text */
    (void)pcre2_set_heap_limit(p->context, MATCH_HEAP_KIB);
    gb_pattern_begin(p, 0);
    if (pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE) == 0) /* else it is interpreted */
        p->stack = pcre2_jit_stack_create(STACK_START, STACK_MOST, NULL);
    if (p->stack != NULL)
        pcre2_jit_stack_assign(p->context, NULL, p->stack);
    *out = p;
    p = NULL;
done:
    gb_pattern_free(p);
    return st;
}

static gb_status fail_match(int code, gb_error *err)
{
    PCRE2_UCHAR8 text[256];
    if (code == PCRE2_ERROR_NOMEMORY)
        return gb_fail(err, GB_ENOMEM, "out of memory: matching `token-pattern`");
    if (code == PCRE2_ERROR_CALLOUT)
        return gb_fail(err, GB_EARGUMENT,
                       "`token-pattern`: too costly for this text: more than %d steps, and %d for each byte",
                       STEPS_OF_TEXT, STEPS_OF_BYTE);
    if (pcre2_get_error_message(code, text, sizeof text) < 0)
        text[0] = '\0';
    return gb_fail(err, GB_EARGUMENT, "`token-pattern`: too costly for this text (%s)", (const char *)text);
}

gb_status gb_pattern_find(gb_pattern *p, gb_view text, size_t from, size_t *start, size_t *end, gb_error *err)
{
    const uint32_t options = PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY;
    *start = *end = SIZE_MAX;
    p->at = from;
    int code = pcre2_match(p->code, (PCRE2_SPTR)text.text, text.length, from, options, p->data, p->context);
    if (code == PCRE2_ERROR_NOMATCH)
        return GB_OK;
    if (code < 0)
        return fail_match(code, err);
    const PCRE2_SIZE *place = pcre2_get_ovector_pointer(p->data);
    if (place[0] >= from && place[0] < place[1]) {
        *start = place[0];
        *end = place[1];
    }
    return GB_OK;
}

#else
#include "corpus/text/one_character.h"

#include <string.h>
#include <utf8proc.h>

/* What corpus/text/runs.c asks for; words that are not runs of characters need PCRE2. */
struct gb_pattern {
    char *expression;
};

gb_status gb_pattern_create(gb_pattern **out, const char *expression, gb_error *err)
{
    gb_pattern *p = NULL;
    if (!gb_one_character_is_known(expression))
        return gb_fail(
            err, GB_EARGUMENT,
            "`token-pattern` \"%s\": this gibbous was built without PCRE2 and knows only runs of characters, such as "
            "\\p{L}[\\p{L}\\p{N}]+",
            expression);
    gb_status st = gb_alloc(&p, 1, sizeof *p, "a pattern", err);
    if (st == GB_OK)
        st = gb_copy_text(&p->expression, expression, strlen(expression), err);
    if (st == GB_OK)
        *out = p;
    else
        gb_free(p);
    return st;
}

void gb_pattern_free(gb_pattern *p)
{
    if (p != NULL)
        gb_free(p->expression);
    gb_free(p);
}

void gb_pattern_begin(gb_pattern *p, size_t n_bytes)
{
    (void)p;
    (void)n_bytes;
}

gb_status gb_pattern_find(gb_pattern *p, gb_view text, size_t from, size_t *start, size_t *end, gb_error *err)
{
    (void)err;
    *start = *end = SIZE_MAX;
    for (size_t at = from; at < text.length;) {
        utf8proc_int32_t c;
        const utf8proc_ssize_t n =
            utf8proc_iterate((const utf8proc_uint8_t *)text.text + at, (utf8proc_ssize_t)(text.length - at), &c);
        if (n <= 0)
            return GB_OK;
        if (gb_one_character_has(p->expression, c)) {
            *start = at;
            *end = at + (size_t)n;
            return GB_OK;
        }
        at += (size_t)n;
    }
    return GB_OK;
}

#endif
