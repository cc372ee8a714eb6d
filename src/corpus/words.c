/* corpus/words.c - numbers for words.
 *
 * uthash with XXH3 as its hash function; the entries lie in large blocks, so that a new word costs no call of
 * malloc and entries stay where they are. */
#include "corpus/words.h"

#include "base/memory.h"

#include <string.h>
#include <xxhash.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned)XXH3_64bits((key), (length)))
/* Without this uthash ends the program when memory runs out; with it the entry is left out of the table. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

enum { BLOCK = 1 << 16 };
#define MAX_WORDS (UINT32_MAX - 15) /* the numbers above have meanings */

typedef struct entry {
    UT_hash_handle hh;
    uint32_t number; /* or GB_STOP_WORD */
    bool is_met;     /* stop words only */
    uint32_t length;
    char text[];
} entry;

typedef struct block {
    struct block *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} block;

struct gb_words {
    entry *table;
    block *blocks;
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
    HASH_CLEAR(hh, w->table);
    for (block *b = w->blocks, *next; b != NULL; b = next) {
        next = b->next;
        gb_free(b);
    }
    gb_free(w->by_number);
    gb_free(w);
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
    memcpy(out, &place, sizeof place);
    return GB_OK;
}

static entry *find(const gb_words *w, gb_view text, unsigned hash)
{
    entry *found;
    HASH_FIND_BYHASHVALUE(hh, w->table, text.text, text.length, hash, found);
    return found;
}

static gb_status add(gb_words *w, gb_view text, unsigned hash, uint32_t number, gb_error *err)
{
    entry *e = NULL;
    gb_status st;
    if (text.length > UINT32_MAX)
        return gb_fail(err, GB_EFORMAT, "a word of more than 4 GiB");
    GB_TRY(take(w, sizeof *e + text.length, &e, err));
    e->number = number;
    e->length = (uint32_t)text.length;
    if (text.length > 0)
        memcpy(e->text, text.text, text.length);
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, w->table, e->text, text.length, hash, e);
    if (e->hh.tbl == NULL)
        return gb_fail_memory(err, sizeof(UT_hash_table), "a vocabulary");
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
    unsigned hash;
    HASH_FUNCTION(text.text, text.length, hash);
    return find(w, text, hash) != NULL ? GB_OK : add(w, text, hash, GB_STOP_WORD, err);
}

gb_status gb_words_add(gb_words *w, gb_view text, uint32_t *number, gb_error *err)
{
    unsigned hash;
    gb_status st = GB_OK;
    HASH_FUNCTION(text.text, text.length, hash);
    entry *e = find(w, text, hash);
    if (e != NULL) {
        *number = meet(w, e);
        return GB_OK;
    }
    if (w->count == MAX_WORDS)
        return gb_fail(err, GB_EFORMAT, "more than %u different words", MAX_WORDS);
    GB_TRY(gb_grow(&w->by_number, &w->capacity, (size_t)w->count + 1, sizeof(entry *), "a vocabulary", err));
    GB_TRY(add(w, text, hash, w->count, err));
    *number = w->count++;
done:
    return st;
}

uint32_t gb_words_find(gb_words *w, gb_view text)
{
    unsigned hash;
    HASH_FUNCTION(text.text, text.length, hash);
    entry *e = find(w, text, hash);
    return e == NULL ? GB_NO_WORD : meet(w, e);
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
