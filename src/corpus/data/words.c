/* corpus/data/words.c - numbers for words.
 *
 * A table of open addresses with XXH3 as its hash function: a slot holds the whole hash beside the place of the word,
 * so that nearly every look-up reads one slot and one word.  The words lie in large blocks: a new one costs no call of
 * malloc, and they stay where they are. */
#include "corpus/data/words.h"

#include "base/memory.h"

#include <string.h>
#define XXH_INLINE_ALL /* a word is a few bytes: the call would cost as much as the hash */
#include <xxhash.h>

enum { BLOCK = 1 << 16, FIRST_SLOTS = 1 << 10 };
#define MAX_WORDS (UINT32_MAX - 15) /* the numbers above have meanings */

typedef struct entry {
    uint32_t number; /* or GB_STOP_WORD */
    uint32_t length;
    bool is_met; /* stop words only */
    char text[];
} entry;

typedef struct slot {
    uint64_t hash;
    entry *word; /* NULL: free */
} slot;

typedef struct block {
    struct block *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} block;

struct gb_words {
    slot *table;
    size_t n_slots, n_used; /* slots: a power of two, at least twice as many as are used */
    block *blocks;
    uint64_t entry_bytes; /* of all words */
    entry **by_number;
    size_t capacity;
    uint32_t count;
    uint64_t n_stop_words_met;
};

gb_status gb_words_create(gb_words **out, gb_error *err)
{
    return gb_alloc(out, 1, sizeof **out, "a vocabulary", err);
}

void gb_words_free(gb_words *w)
{
    if (w == NULL)
        return;
    gb_free(w->table);
    for (block *b = w->blocks, *next; b != NULL; b = next) {
        next = b->next;
        gb_free(b);
    }
    gb_free(w->by_number);
    gb_free(w);
}

uint64_t gb_words_bytes(const gb_words *w)
{
    return w->entry_bytes + w->n_slots * sizeof w->table[0] + w->capacity * sizeof w->by_number[0];
}

/* Memory for one entry. */
static gb_status take(gb_words *w, size_t n_bytes, void *out, gb_error *err)
{
    n_bytes = (n_bytes + 15) / 16 * 16;
    block *b = w->blocks;
    if (b == NULL || b->size - b->used < n_bytes) {
        size_t size = n_bytes > BLOCK ? n_bytes : BLOCK;
        gb_status st = gb_alloc(&b, 1, sizeof *b + size, "a vocabulary", err);
        if (st != GB_OK)
            return st;
        b->size = size;
        b->next = w->blocks;
        w->blocks = b;
    }
    void *place = b->bytes + b->used;
    b->used += n_bytes;
    w->entry_bytes += n_bytes;
    memcpy(out, &place, sizeof place);
    return GB_OK;
}

static uint64_t hash_of(gb_view text)
{
    return XXH3_64bits(text.text, text.length);
}

/* The slot of a text, or the free one where it belongs.  There is one, since half of them are free. */
static slot *find(const gb_words *w, gb_view text, uint64_t hash)
{
    for (size_t at = (size_t)hash;; at++) {
        slot *s = &w->table[at & (w->n_slots - 1)];
        if (s->word == NULL)
            return s;
        if (s->hash == hash && s->word->length == text.length && memcmp(s->word->text, text.text, text.length) == 0)
            return s;
    }
}

/* Make room for one more. */
static gb_status widen(gb_words *w, gb_error *err)
{
    slot *old = w->table, *table = NULL;
    size_t n_old = w->n_slots, n_slots = n_old == 0 ? FIRST_SLOTS : 2 * n_old;
    if (2 * (w->n_used + 1) <= n_old)
        return GB_OK;
    gb_status st = gb_alloc(&table, n_slots, sizeof table[0], "a vocabulary", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < n_old; i++) {
        size_t at = (size_t)old[i].hash;
        if (old[i].word == NULL)
            continue;
        while (table[at & (n_slots - 1)].word != NULL)
            at++;
        table[at & (n_slots - 1)] = old[i];
    }
    gb_free(old);
    w->table = table;
    w->n_slots = n_slots;
    return GB_OK;
}

/* Add a text that is not in the set, for which there is room. */
static gb_status add(gb_words *w, gb_view text, uint64_t hash, uint32_t number, gb_error *err)
{
    entry *e = NULL;
    gb_status st;
    if (text.length > UINT32_MAX)
        return gb_fail(err, GB_EFORMAT, "a word of more than 4 GiB");
    GB_TRY(take(w, sizeof *e + text.length + 1, &e, err)); /* a NUL behind it */
    e->number = number;
    e->length = (uint32_t)text.length;
    if (text.length > 0)
        memcpy(e->text, text.text, text.length);
    *find(w, text, hash) = (slot){hash, e};
    w->n_used++;
    if (number != GB_STOP_WORD)
        w->by_number[number] = e;
done:
    return st;
}

static uint32_t meet(gb_words *w, entry *e)
{
    if (e->number == GB_STOP_WORD) {
        w->n_stop_words_met += !e->is_met;
        e->is_met = true;
    }
    return e->number;
}

gb_status gb_words_add_stop_word(gb_words *w, gb_view text, gb_error *err)
{
    uint64_t hash = hash_of(text);
    gb_status st = widen(w, err);
    if (st != GB_OK || find(w, text, hash)->word != NULL)
        return st;
    return add(w, text, hash, GB_STOP_WORD, err);
}

static gb_status add_numbered(gb_words *w, gb_view text, uint64_t hash, uint32_t *number, gb_error *err)
{
    gb_status st;
    if (w->count == MAX_WORDS)
        return gb_fail(err, GB_EFORMAT, "more than %u different words", MAX_WORDS);
    GB_TRY(gb_grow(&w->by_number, &w->capacity, (size_t)w->count + 1, sizeof(entry *), "a vocabulary", err));
    GB_TRY(widen(w, err));
    GB_TRY(add(w, text, hash, w->count, err));
    *number = w->count++;
done:
    return st;
}

static gb_status add_hashed(gb_words *w, gb_view text, uint64_t hash, uint32_t *number, gb_error *err)
{
    entry *e = w->n_slots == 0 ? NULL : find(w, text, hash)->word;
    if (e == NULL)
        return add_numbered(w, text, hash, number, err);
    *number = meet(w, e);
    return GB_OK;
}

static uint32_t find_hashed(gb_words *w, gb_view text, uint64_t hash)
{
    entry *e = w->n_slots == 0 ? NULL : find(w, text, hash)->word;
    return e == NULL ? GB_NO_WORD : meet(w, e);
}

gb_status gb_words_add(gb_words *w, gb_view text, uint32_t *number, gb_error *err)
{
    return add_hashed(w, text, hash_of(text), number, err);
}

gb_status gb_words_add_vocabulary(gb_words *w, const gb_texts *vocabulary, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number = GB_NO_WORD;
    for (uint64_t i = 0; i < vocabulary->count; i++) {
        const gb_view word = gb_texts_view(vocabulary, i);
        GB_TRY(gb_words_add(w, word, &number, err));
        if (number != i)
            return gb_fail(err, GB_EFORMAT, "the model's word \"%.*s\" is %s", GB_SHOWN(word),
                           number == GB_STOP_WORD ? "one of its stop words" : "in its vocabulary twice");
    }
done:
    return st;
}

uint32_t gb_words_find(gb_words *w, gb_view text)
{
    return find_hashed(w, text, hash_of(text));
}

/* ---- many at once -------------------------------------------------------------------------------------- */

/* The hashes; slots, and then the words in them, are on their way into the cache. */
static void fetch(const gb_words *w, const gb_view *text, size_t n, uint64_t *hash)
{
    for (size_t i = 0; i < n; i++) {
        hash[i] = hash_of(text[i]);
        if (w->n_slots > 0)
            __builtin_prefetch(&w->table[(size_t)hash[i] & (w->n_slots - 1)]);
    }
    for (size_t i = 0; i < n && w->n_slots > 0; i++)
        __builtin_prefetch(w->table[(size_t)hash[i] & (w->n_slots - 1)].word);
}

gb_status gb_words_add_many(gb_words *w, const gb_view *text, size_t n, uint32_t *number, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t hash[GB_MANY_WORDS];
    fetch(w, text, n, hash);
    for (size_t i = 0; i < n; i++)
        GB_TRY(add_hashed(w, text[i], hash[i], &number[i], err));
done:
    return st;
}

void gb_words_find_many(gb_words *w, const gb_view *text, size_t n, uint32_t *number)
{
    uint64_t hash[GB_MANY_WORDS];
    fetch(w, text, n, hash);
    for (size_t i = 0; i < n; i++)
        number[i] = find_hashed(w, text[i], hash[i]);
}

uint32_t gb_words_count(const gb_words *w)
{
    return w->count;
}

gb_view gb_words_text(const gb_words *w, uint32_t number)
{
    const entry *e = w->by_number[number];
    return (gb_view){e->text, e->length};
}

uint64_t gb_words_stop_words_met(const gb_words *w)
{
    return w->n_stop_words_met;
}
