/* corpus/data/words.c - numbers for words.
 *
 * A table of open addresses, with XXH3 as its hash function for long texts.  The hash of a text of up to eight bytes stands for it, since
 * nothing else has the same: to find one, as most words are, reads a slot and nothing else.  Of others the text is compared.  The words lie
 * in large blocks: a new one costs no call of malloc, and they stay where they are. */
#include "corpus/data/words.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { BLOCK = 1 << 16, FIRST_SLOTS = 1 << 10 };
#define MAX_WORDS (UINT32_MAX - 15) /* the numbers above have meanings */

typedef struct entry {
    uint32_t length;
    bool is_met; /* stop words only */
    char text[];
} entry;

/* A place is the number of a block and the unit in it where the word begins; its highest bit says that the hash is the word. */
typedef struct slot {
    uint64_t hash;
    uint32_t place;  /* 0: free */
    uint32_t number; /* or GB_STOP_WORD */
} slot;

#define IS_HASH ((uint32_t)1 << 31)

enum { UNIT = 16, UNITS = BLOCK / UNIT };

typedef struct block {
    size_t used, size; /* used from the second unit on, so that no place is 0 */
    _Alignas(UNIT) char bytes[];
} block;

struct gb_words {
    slot *table;
    size_t n_slots, n_used; /* slots: a power of two, at least twice as many as are used */
    block **blocks;
    size_t n_blocks, blocks_capacity;
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
    for (size_t i = 0; i < w->n_blocks; i++)
        gb_free(w->blocks[i]);
    gb_free(w->blocks);
    gb_free(w->by_number);
    gb_free(w);
}

uint64_t gb_words_bytes(const gb_words *w)
{
    /* the wider table is made while this one is there: nearly full, it counts already */
    const uint64_t next = 2 * w->n_used + w->n_slots / 8 >= w->n_slots ? 2 * w->n_slots : 0;
    return w->entry_bytes + (w->n_slots + next) * sizeof w->table[0] + w->capacity * sizeof w->by_number[0];
}

/* Memory for one entry. */
static gb_status take(gb_words *w, size_t n_bytes, uint32_t *place, gb_error *err)
{
    gb_status st;
    n_bytes = (n_bytes + UNIT - 1) / UNIT * UNIT;
    block *b = w->n_blocks == 0 ? NULL : w->blocks[w->n_blocks - 1];
    if (b == NULL || b->used >= BLOCK || b->size - b->used < n_bytes) {
        const size_t size = n_bytes + UNIT > BLOCK ? n_bytes + UNIT : BLOCK;
        if (w->n_blocks == (IS_HASH - 1) / UNITS)
            return gb_fail(err, GB_EFORMAT, "different words of more than 32 GiB");
        GB_TRY(gb_grow(&w->blocks, &w->blocks_capacity, w->n_blocks + 1, sizeof w->blocks[0], "a vocabulary", err));
        GB_TRY(gb_alloc(&b, 1, sizeof *b + size + GB_WORD_BYTES, "a vocabulary", err));
        b->size = size;
        b->used = UNIT;
        w->blocks[w->n_blocks++] = b;
    }
    *place = (uint32_t)((w->n_blocks - 1) * UNITS + b->used / UNIT);
    b->used += n_bytes;
    w->entry_bytes += n_bytes;
    st = GB_OK;
done:
    return st;
}

static entry *entry_at(const gb_words *w, uint32_t place)
{
    place &= ~IS_HASH;
    void *at = w->blocks[place / UNITS]->bytes + (size_t)(place % UNITS) * UNIT;
    return at;
}

/* A text as it is looked up: of a short one its bytes, with zeros behind it. */
typedef struct key {
    gb_view text;
    uint64_t hash, low, high;
    uint32_t kind; /* IS_HASH or 0 */
} key;

/* The first n of eight bytes. */
static inline uint64_t first_bytes(size_t n)
{
    return n >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * n) - 1;
}

/* Up to eight bytes of a text, of which as many can be read. */
static inline uint64_t read_bytes(const char *text, size_t n)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return bytes & first_bytes(n);
}

static inline uint64_t read_high(const char *text, size_t n)
{
    return read_bytes(text + 8, n > 8 ? n - 8 : 0);
}

/* Every step can be undone. */
static inline uint64_t hash_of_eight(uint64_t bytes)
{
    const uint64_t product = (bytes ^ 0xFFF3C1A5FF6B9D8Fu) * 0x9E3779B97F4A7C15u;
    return (product ^ product >> 32) * 0xD6E8FEB86659FD93u;
}

/* Words have a few bytes: here their length, which nobody can guess, takes no branch.  No text has the bytes of the factors. */
static uint64_t hash_of_short(const key *k)
{
    __extension__ typedef unsigned __int128 wide;
    const uint64_t a = k->low ^ 0xFFF3C1A5FF6B9D8Fu, b = k->high ^ k->text.length ^ 0xFF9E37B9FF7F4A7Cu;
    const wide product = (wide)a * b;
    const uint64_t folded = (uint64_t)product ^ (uint64_t)(product >> 64);
    return (folded ^ folded >> 29) * 0x9E3779B97F4A7C15u;
}

static key key_of(gb_view text, bool is_padded)
{
    key k = {.text = text};
    char bytes[GB_WORD_BYTES] = {0};
    if (text.length > GB_WORD_BYTES) {
        k.hash = XXH3_64bits(text.text, text.length);
        return k;
    }
    if (!is_padded && text.length > 0)
        memcpy(bytes, text.text, text.length);
    const char *from = is_padded ? text.text : bytes;
    k.low = read_bytes(from, text.length);
    /* one that ends with NUL has the bytes of a shorter one */
    if (text.length <= 8 && (text.length == 0 || text.text[text.length - 1] != '\0')) {
        k.kind = IS_HASH;
        k.hash = hash_of_eight(k.low);
        return k;
    }
    k.high = read_high(from, text.length);
    k.hash = hash_of_short(&k);
    return k;
}

static bool is_same(const entry *e, const key *k)
{
    if (e->length != k->text.length)
        return false;
    if (e->length > GB_WORD_BYTES)
        return memcmp(e->text, k->text.text, e->length) == 0;
    /* there are as many bytes behind each block */
    return ((read_bytes(e->text, e->length) ^ k->low) | (read_high(e->text, e->length) ^ k->high)) == 0;
}

static size_t home_of(uint64_t hash)
{
    return (size_t)(hash ^ hash >> 32);
}

/* The slot of a text, or the free one where it belongs.  There is one, since half of them are free. */
static slot *find(const gb_words *w, const key *k)
{
    for (size_t at = home_of(k->hash);; at++) {
        slot *s = &w->table[at & (w->n_slots - 1)];
        if (s->place == 0)
            return s;
        if (s->hash == k->hash && (s->place & IS_HASH) == k->kind &&
            (k->kind == IS_HASH || is_same(entry_at(w, s->place), k)))
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
        if (old[i].place == 0)
            continue;
        size_t at = home_of(old[i].hash);
        while (table[at & (n_slots - 1)].place != 0)
            at++;
        table[at & (n_slots - 1)] = old[i];
    }
    gb_free(old);
    w->table = table;
    w->n_slots = n_slots;
    return GB_OK;
}

/* Add a text that is not in the set, for which there is room. */
static gb_status add(gb_words *w, const key *k, uint32_t number, gb_error *err)
{
    const gb_view text = k->text;
    uint32_t place = 0;
    gb_status st;
    if (text.length > UINT32_MAX)
        return gb_fail(err, GB_EFORMAT, "a word of more than 4 GiB");
    GB_TRY(take(w, sizeof(entry) + text.length + 1, &place, err)); /* a NUL behind it */
    entry *e = entry_at(w, place);
    e->length = (uint32_t)text.length;
    if (text.length > 0)
        memcpy(e->text, text.text, text.length);
    *find(w, k) = (slot){k->hash, place | k->kind, number};
    w->n_used++;
    if (number != GB_STOP_WORD)
        w->by_number[number] = e;
done:
    return st;
}

static uint32_t find_key(gb_words *w, const key *k)
{
    const slot *s = w->n_slots == 0 ? NULL : find(w, k);
    if (s == NULL || s->place == 0)
        return GB_NO_WORD;
    if (s->number == GB_STOP_WORD) {
        entry *e = entry_at(w, s->place);
        w->n_stop_words_met += !e->is_met;
        e->is_met = true;
    }
    return s->number;
}

gb_status gb_words_add_stop_word(gb_words *w, gb_view text, gb_error *err)
{
    const key k = key_of(text, false);
    gb_status st = widen(w, err);
    if (st != GB_OK || find(w, &k)->place != 0)
        return st;
    return add(w, &k, GB_STOP_WORD, err);
}

static gb_status add_numbered(gb_words *w, const key *k, uint32_t *number, gb_error *err)
{
    gb_status st;
    if (w->count == MAX_WORDS)
        return gb_fail(err, GB_EFORMAT, "more than %u different words", MAX_WORDS);
    GB_TRY(gb_grow(&w->by_number, &w->capacity, (size_t)w->count + 1, sizeof(entry *), "a vocabulary", err));
    GB_TRY(widen(w, err));
    GB_TRY(add(w, k, w->count, err));
    *number = w->count++;
done:
    return st;
}

static gb_status add_key(gb_words *w, const key *k, uint32_t *number, gb_error *err)
{
    *number = find_key(w, k);
    return *number == GB_NO_WORD ? add_numbered(w, k, number, err) : GB_OK;
}

gb_status gb_words_add(gb_words *w, gb_view text, uint32_t *number, gb_error *err)
{
    const key k = key_of(text, false);
    return add_key(w, &k, number, err);
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
    const key k = key_of(text, false);
    return find_key(w, &k);
}

/* ---- many at once -------------------------------------------------------------------------------------- */

/* The keys; slots, and then the words in them that are compared, are on their way into the cache. */
static void fetch(const gb_words *w, const gb_view *text, size_t n, bool is_padded, key *k)
{
    for (size_t i = 0; i < n; i++) {
        k[i] = key_of(text[i], is_padded);
        if (w->n_slots > 0)
            __builtin_prefetch(&w->table[home_of(k[i].hash) & (w->n_slots - 1)]);
    }
    for (size_t i = 0; i < n && w->n_slots > 0; i++) {
        if (k[i].kind == IS_HASH)
            continue;
        const uint32_t place = w->table[home_of(k[i].hash) & (w->n_slots - 1)].place;
        if (place != 0)
            __builtin_prefetch(entry_at(w, place));
    }
}

gb_status gb_words_add_many(gb_words *w, const gb_view *text, size_t n, bool is_padded, uint32_t *number,
                            gb_error *err)
{
    gb_status st = GB_OK;
    key k[GB_MANY_WORDS];
    fetch(w, text, n, is_padded, k);
    for (size_t i = 0; i < n; i++)
        GB_TRY(add_key(w, &k[i], &number[i], err));
done:
    return st;
}

void gb_words_find_many(gb_words *w, const gb_view *text, size_t n, bool is_padded, uint32_t *number)
{
    key k[GB_MANY_WORDS];
    fetch(w, text, n, is_padded, k);
    for (size_t i = 0; i < n; i++)
        number[i] = find_key(w, &k[i]);
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

void gb_words_fetch(const gb_words *w, uint32_t number)
{
    __builtin_prefetch(w->by_number[number]);
}

uint64_t gb_words_stop_words_met(const gb_words *w)
{
    return w->n_stop_words_met;
}
