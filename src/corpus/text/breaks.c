/* corpus/text/breaks.c - a text cut into words by ICU, where it was there when this was built. */
#include "corpus/text/breaks.h"

#include "base/memory.h"

#ifdef GIBBOUS_HAS_ICU
#include <limits.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

struct gb_breaks {
    UBreakIterator *iterator;
    UText *utext;
    gb_view text;
    int32_t at;
};

static gb_status fail_icu(UErrorCode code, gb_error *err)
{
    if (code == U_MEMORY_ALLOCATION_ERROR)
        return gb_fail(err, GB_ENOMEM, "out of memory: word breaks");
    return gb_fail(err, GB_EARGUMENT, "`word-breaks` icu: ICU fails: %s", u_errorName(code));
}

gb_status gb_breaks_create(gb_breaks **out, gb_error *err)
{
    gb_breaks *b = NULL;
    UErrorCode code = U_ZERO_ERROR;
    gb_status st;
    GB_TRY(gb_alloc(&b, 1, sizeof *b, "word breaks", err));
    b->iterator = ubrk_open(UBRK_WORD, "", NULL, 0, &code); /* of the root locale, whatever the user's is */
    if (U_FAILURE(code)) {
        st = fail_icu(code, err);
        goto done;
    }
    *out = b;
    b = NULL;
done:
    gb_breaks_free(b);
    return st;
}

void gb_breaks_free(gb_breaks *b)
{
    if (b == NULL)
        return;
    if (b->iterator != NULL)
        ubrk_close(b->iterator);
    if (b->utext != NULL)
        utext_close(b->utext);
    gb_free(b);
}

gb_status gb_breaks_begin(gb_breaks *b, gb_view text, gb_error *err)
{
    UErrorCode code = U_ZERO_ERROR;
    b->text = (gb_view){NULL, 0};
    if (text.length > INT32_MAX)
        return gb_fail(err, GB_EFORMAT, "`word-breaks` icu: the text is longer than 2 GiB");
    b->utext = utext_openUTF8(b->utext, text.text, (int64_t)text.length, &code);
    if (U_SUCCESS(code))
        ubrk_setUText(b->iterator, b->utext, &code);
    if (U_FAILURE(code))
        return fail_icu(code, err);
    b->text = text;
    b->at = ubrk_first(b->iterator);
    return GB_OK;
}

gb_view gb_breaks_next(gb_breaks *b)
{
    while (b->text.text != NULL) {
        const int32_t begin = b->at;
        b->at = ubrk_next(b->iterator);
        if (b->at == UBRK_DONE)
            break;
        if (ubrk_getRuleStatus(b->iterator) >= UBRK_WORD_NONE_LIMIT)
            return (gb_view){b->text.text + begin, (size_t)(b->at - begin)};
    }
    b->text = (gb_view){NULL, 0};
    return b->text;
}

#else

gb_status gb_breaks_create(gb_breaks **out, gb_error *err)
{
    *out = NULL;
    return gb_fail(err, GB_EARGUMENT,
                   "`word-breaks` icu: this gibbous was built without ICU; install libicu-dev and build it again");
}

void gb_breaks_free(gb_breaks *b)
{
    gb_free(b);
}

gb_status gb_breaks_begin(gb_breaks *b, gb_view text, gb_error *err)
{
    (void)b;
    (void)text;
    (void)err;
    return GB_OK;
}

gb_view gb_breaks_next(gb_breaks *b)
{
    (void)b;
    return (gb_view){NULL, 0};
}

#endif
