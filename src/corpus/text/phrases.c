/* corpus/text/phrases.c - a set of phrases as a tree of their beginnings. */
#include "corpus/text/phrases.h"

#include "base/memory.h"

/* The number of the beginning word[0] .. word[n - 1]. */
static gb_status add_beginning(gb_phrases *p, const uint32_t *word, size_t n, uint32_t *number, gb_error *err)
{
    gb_status st = GB_OK;
    *number = word[0];
    for (size_t i = 2; i <= n; i++) {
        const uint32_t before = p->begin[i].count;
        GB_TRY(gb_pairs_add(&p->begin[i], *number, word[i - 1], number, err));
        GB_TRY(gb_grow(&p->phrase[i], &p->capacity[i], p->begin[i].count, sizeof p->phrase[i][0], "phrases", err));
        if (p->begin[i].count > before)
            p->phrase[i][*number] = GB_NO_PAIR;
    }
done:
    return st;
}

gb_status gb_phrases_add(gb_phrases *p, const uint32_t *word, size_t n, uint32_t *phrase, gb_error *err)
{
    uint32_t number = GB_NO_PAIR;
    const gb_status st = add_beginning(p, word, n, &number, err);
    if (st != GB_OK)
        return st;
    if (p->phrase[n][number] == GB_NO_PAIR && p->count == GB_MOST_PHRASES)
        return gb_fail(err, GB_EFORMAT, "more than %d phrases", GB_MOST_PHRASES);
    if (p->phrase[n][number] == GB_NO_PAIR)
        p->phrase[n][number] = p->count++;
    *phrase = p->phrase[n][number];
    return GB_OK;
}

size_t gb_phrases_match(const gb_phrases *p, const uint32_t *word, size_t n, uint32_t *phrase)
{
    size_t longest = 0;
    uint32_t number = n == 0 ? GB_NO_PAIR : word[0];
    for (size_t i = 2; i <= n && i <= GB_MOST_PHRASE_WORDS; i++) {
        number = gb_pairs_find(&p->begin[i], number, word[i - 1]);
        if (number == GB_NO_PAIR)
            break;
        if (p->phrase[i][number] == GB_NO_PAIR)
            continue;
        *phrase = p->phrase[i][number];
        longest = i;
    }
    return longest;
}

void gb_phrases_remove(gb_phrases *p, const uint32_t *word, size_t n)
{
    uint32_t number = word[0];
    for (size_t i = 2; i <= n; i++)
        number = gb_pairs_find(&p->begin[i], number, word[i - 1]);
    p->phrase[n][number] = GB_NO_PAIR;
}

void gb_phrases_free(gb_phrases *p)
{
    for (size_t i = 0; i <= GB_MOST_PHRASE_WORDS; i++) {
        gb_pairs_free(&p->begin[i]);
        gb_free(p->phrase[i]);
    }
    *p = (gb_phrases){0};
}
