/* corpus/text/find_phrases.c - which words of documents form phrases.
 *
 * Phrases of n words are counted after those of n - 1, and only where both their first and their last n - 1 words are in enough
 * documents themselves.  So a phrase of n words is a pair: the number of its first n - 1 words, and its last word.  Where the
 * pairs would take too much memory, they are divided into parts by chance, and each part is counted in a pass of its own. */
#include "corpus/text/find_phrases.h"

#include "base/memory.h"

#include <string.h>

/* Pairs in a table at once: so many, or one for so many tokens, whichever is more. */
enum { FEW_PAIRS = 1 << 18, TOKENS_PER_PAIR = 16 };

static uint64_t most_pairs(uint64_t n_tokens)
{
    return n_tokens / TOKENS_PER_PAIR > FEW_PAIRS ? n_tokens / TOKENS_PER_PAIR : FEW_PAIRS;
}

#define NONE GB_NO_PAIR

/* How often a pair occurs. */
typedef struct use {
    uint64_t n_tokens, n_documents, last_document; /* counted from 1 */
    uint32_t suffix;                               /* the number of its last n - 1 words */
} use;

/* All sequences of n words that are in enough documents; with n = 1, words: `pairs` is empty then. */
typedef struct level {
    gb_pairs pairs;
    uint64_t *n_tokens;
    uint32_t *suffix;
    size_t tokens_capacity, suffix_capacity;
} level;

typedef struct chosen {
    uint32_t word[GB_MOST_PHRASE_WORDS];
    uint32_t n;
    size_t text, length; /* in finding.text: the words with tabs between them */
    uint32_t joined;     /* the number of the word that stands for it; NONE: it is not kept */
} chosen;

typedef struct finding {
    const gb_phrase_rule *rule;
    gb_words *words;
    const gb_joins *joins;
    gb_corpus_builder *documents;
    gb_read_watch *watch;
    uint64_t n_tokens;
    uint32_t *at; /* by token: the number of the sequence of n words that begins with it, or NONE */
    level level[GB_MOST_PHRASE_WORDS + 1];
    gb_pairs counted;
    use *use;
    size_t use_capacity;
    gb_phrases phrases;
    chosen *chosen; /* by number of the phrase */
    size_t chosen_capacity;
    gb_bytes text;
} finding;

static void level_clear(level *l)
{
    gb_pairs_free(&l->pairs);
    gb_free(l->n_tokens);
    gb_free(l->suffix);
    *l = (level){0};
}

static void finding_free(finding *f)
{
    gb_free(f->at);
    for (size_t n = 0; n <= GB_MOST_PHRASE_WORDS; n++)
        level_clear(&f->level[n]);
    gb_pairs_free(&f->counted);
    gb_free(f->use);
    gb_phrases_free(&f->phrases);
    gb_free(f->chosen);
    gb_free(f->text.data);
}

/* A pair in a growing table: its number, up to four slots, and its counts, with room for twice as many. */
uint64_t gb_find_phrases_bytes(uint64_t n_tokens)
{
    const uint64_t pair = 2 * sizeof(uint64_t) + 4 * sizeof(uint32_t) + 2 * sizeof(use);
    return n_tokens * sizeof(uint32_t) + most_pairs(n_tokens) * pair;
}

/* ---- sequences that are frequent enough ---------------------------------------------------------------- */

/* Words: those in enough documents begin where they stand. */
static gb_status count_words(finding *f, gb_error *err)
{
    gb_status st;
    uint64_t *last = NULL, *n_documents = NULL;
    const uint32_t n_words = gb_words_count(f->words);
    const uint64_t n_docs = gb_corpus_builder_n_docs(f->documents);
    level *l = &f->level[1];
    size_t n, token = 0;
    GB_TRY(gb_alloc(&l->n_tokens, n_words, sizeof l->n_tokens[0], "phrases", err));
    GB_TRY(gb_alloc(&last, n_words, sizeof last[0], "phrases", err));
    GB_TRY(gb_alloc(&n_documents, n_words, sizeof n_documents[0], "phrases", err));
    for (uint64_t d = 0; d < n_docs; d++) {
        const uint32_t *word = gb_corpus_builder_words_of(f->documents, d, &n);
        f->n_tokens += n;
        for (size_t i = 0; i < n; i++) {
            l->n_tokens[word[i]]++;
            n_documents[word[i]] += last[word[i]] != d + 1;
            last[word[i]] = d + 1;
        }
    }
    GB_TRY(gb_alloc(&f->at, f->n_tokens, sizeof f->at[0], "phrases", err));
    for (uint64_t d = 0; d < n_docs; d++) {
        const uint32_t *word = gb_corpus_builder_words_of(f->documents, d, &n);
        for (size_t i = 0; i < n; i++)
            f->at[token++] = n_documents[word[i]] >= f->rule->least_documents ? word[i] : NONE;
    }
done:
    gb_free(last);
    gb_free(n_documents);
    return st;
}

/* True if n words may begin with a token: the first of n - 1 such words, as the next one is, and the last one joined to them. */
static bool may_begin(const finding *f, size_t n, uint64_t token)
{
    return f->at[token] != NONE && f->at[token + 1] != NONE && gb_joins_at(f->joins, token + n - 1);
}

static gb_status count_pair(finding *f, uint32_t first, uint32_t last, uint32_t suffix, uint64_t d, gb_error *err)
{
    gb_status st;
    uint32_t number = 0;
    const uint32_t n_before = f->counted.count;
    GB_TRY(gb_pairs_add(&f->counted, first, last, &number, err));
    GB_TRY(gb_grow(&f->use, &f->use_capacity, (size_t)number + 1, sizeof f->use[0], "phrases", err));
    if (number == n_before)
        f->use[number] = (use){.suffix = suffix};
    use *u = &f->use[number];
    u->n_tokens++;
    u->n_documents += u->last_document != d + 1;
    u->last_document = d + 1;
done:
    return st;
}

/* Count the pairs of a part; too many of them end it early. */
static gb_status count_part(finding *f, size_t n, uint64_t part, uint64_t n_parts, bool *is_full, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n_docs = gb_corpus_builder_n_docs(f->documents);
    const uint64_t most = most_pairs(f->n_tokens);
    uint64_t token = 0;
    size_t length;
    *is_full = false;
    gb_pairs_clear(&f->counted);
    for (uint64_t d = 0; d < n_docs && !*is_full; d++, token += length) {
        const uint32_t *word = gb_corpus_builder_words_of(f->documents, d, &length);
        GB_TRY(gb_read_watch_ask(f->watch, err));
        for (size_t i = 0; i + n <= length && !*is_full; i++) {
            if (!may_begin(f, n, token + i))
                continue;
            const uint32_t first = f->at[token + i], last = word[i + n - 1];
            if (n_parts == 1 || (gb_pair_hash(first, last) >> 32) % n_parts == part)
                GB_TRY(count_pair(f, first, last, f->at[token + i + 1], d, err));
            *is_full = f->counted.count > most;
        }
    }
done:
    return st;
}

static gb_status keep_part(finding *f, level *l, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number = 0;
    for (uint32_t i = 0; i < f->counted.count; i++) {
        const use *u = &f->use[i];
        if (u->n_documents < f->rule->least_documents)
            continue;
        GB_TRY(
            gb_pairs_add(&l->pairs, gb_pairs_first(&f->counted, i), gb_pairs_second(&f->counted, i), &number, err));
        GB_TRY(gb_grow(&l->n_tokens, &l->tokens_capacity, (size_t)number + 1, sizeof l->n_tokens[0], "phrases", err));
        GB_TRY(gb_grow(&l->suffix, &l->suffix_capacity, (size_t)number + 1, sizeof l->suffix[0], "phrases", err));
        l->n_tokens[number] = u->n_tokens;
        l->suffix[number] = u->suffix;
    }
done:
    return st;
}

/* From sequences of n - 1 words to those of n. */
static void advance(finding *f, size_t n)
{
    uint64_t token = 0;
    size_t length;
    for (uint64_t d = 0; d < gb_corpus_builder_n_docs(f->documents); d++, token += length) {
        const uint32_t *word = gb_corpus_builder_words_of(f->documents, d, &length);
        for (size_t i = 0; i < length; i++)
            f->at[token + i] = i + n <= length && may_begin(f, n, token + i)
                                   ? gb_pairs_find(&f->level[n].pairs, f->at[token + i], word[i + n - 1])
                                   : NONE;
    }
}

static gb_status find_level(finding *f, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t n_parts = 1;
    bool is_full = false;
    for (uint64_t part = 0; part < n_parts;) {
        GB_TRY(count_part(f, n, part, n_parts, &is_full, err));
        if (is_full) {
            level_clear(&f->level[n]);
            n_parts *= 2;
            part = 0;
            continue;
        }
        GB_TRY(keep_part(f, &f->level[n], err));
        part++;
    }
    advance(f, n);
done:
    return st;
}

/* ---- those that are phrases ---------------------------------------------------------------------------- */

/* (1) at the cut where it is smallest. */
static double score_of(const finding *f, size_t n, uint32_t number)
{
    uint32_t first[GB_MOST_PHRASE_WORDS], last[GB_MOST_PHRASE_WORDS]; /* by length: the beginning and the end */
    uint32_t a = number, b = number;
    double least = 0;
    for (size_t length = n - 1; length >= 1; length--) {
        first[length] = a = gb_pairs_first(&f->level[length + 1].pairs, a);
        last[length] = b = f->level[length + 1].suffix[b];
    }
    for (size_t length = 1; length < n; length++) {
        const double parts = (double)f->level[length].n_tokens[first[length]] *
                             (double)f->level[n - length].n_tokens[last[n - length]];
        const double score = (double)f->n_tokens * (double)f->level[n].n_tokens[number] / parts;
        if (length == 1 || score < least)
            least = score;
    }
    return least;
}

static gb_status add_text(finding *f, chosen *c, gb_error *err)
{
    gb_status st = GB_OK;
    c->text = f->text.length;
    for (size_t i = 0; i < c->n; i++) {
        const gb_view word = gb_words_text(f->words, c->word[i]);
        if (i > 0)
            GB_TRY(gb_bytes_add(&f->text, "\t", 1, err));
        GB_TRY(gb_bytes_add(&f->text, word.text, word.length, err));
    }
    c->length = f->text.length - c->text;
done:
    return st;
}

static gb_status choose(finding *f, size_t n, uint32_t number, gb_error *err)
{
    gb_status st;
    chosen c = {.n = (uint32_t)n, .joined = NONE};
    uint32_t phrase = 0;
    for (size_t i = n; i >= 2; i--) {
        c.word[i - 1] = gb_pairs_second(&f->level[i].pairs, number);
        number = gb_pairs_first(&f->level[i].pairs, number);
    }
    c.word[0] = number;
    GB_TRY(add_text(f, &c, err));
    GB_TRY(gb_phrases_add(&f->phrases, c.word, n, &phrase, err));
    GB_TRY(gb_grow(&f->chosen, &f->chosen_capacity, f->phrases.count, sizeof c, "phrases", err));
    f->chosen[phrase] = c;
done:
    return st;
}

static gb_status choose_all(finding *f, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t n = 2; n <= f->rule->most_words; n++)
        for (uint32_t i = 0; i < f->level[n].pairs.count; i++)
            if (score_of(f, n, i) >= f->rule->least_score)
                GB_TRY(choose(f, n, i, err));
done:
    if (st == GB_EFORMAT)
        return gb_fail(err, GB_EFORMAT, "more than %d phrases; raise `phrase-min-df` or `phrase-score`",
                       GB_MOST_PHRASES);
    return st;
}

/* ---- in the documents ---------------------------------------------------------------------------------- */

/* How many words the phrase takes that begins with word[i]; 0: none does. */
static size_t match(const finding *f, uint64_t first, const uint32_t *word, size_t n, size_t i, uint32_t *phrase)
{
    size_t run = 1;
    while (run < f->rule->most_words && i + run < n && gb_joins_at(f->joins, first + i + run))
        run++;
    return gb_phrases_match(&f->phrases, word + i, run, phrase);
}

static void count_documents(const finding *f, uint64_t *n_documents, uint64_t *last)
{
    uint64_t token = 0;
    size_t length;
    for (uint64_t d = 0; d < gb_corpus_builder_n_docs(f->documents); d++, token += length) {
        const uint32_t *word = gb_corpus_builder_words_of(f->documents, d, &length);
        for (size_t i = 0; i < length;) {
            uint32_t phrase = NONE;
            const size_t n = match(f, token, word, length, i, &phrase);
            i += n == 0 ? 1 : n;
            if (n == 0)
                continue;
            n_documents[phrase] += last[phrase] != d + 1;
            last[phrase] = d + 1;
        }
    }
}

/* Take out phrases that longer ones, or those before them, leave in too few documents; then others may have more or fewer. */
static gb_status dissolve_rare(finding *f, gb_error *err)
{
    gb_status st;
    uint64_t *n_documents = NULL, *last = NULL;
    const size_t n = f->phrases.count;
    bool is_done = n == 0;
    GB_TRY(gb_alloc(&n_documents, n, sizeof n_documents[0], "phrases", err));
    GB_TRY(gb_alloc(&last, n, sizeof last[0], "phrases", err));
    for (size_t i = 0; i < n; i++)
        f->chosen[i].joined = 0;
    while (!is_done) {
        GB_TRY(gb_read_watch_ask(f->watch, err));
        memset(n_documents, 0, n * sizeof n_documents[0]);
        memset(last, 0, n * sizeof last[0]);
        count_documents(f, n_documents, last);
        is_done = true;
        for (size_t i = 0; i < n; i++) {
            if (f->chosen[i].joined == NONE || n_documents[i] >= f->rule->least_documents)
                continue;
            gb_phrases_remove(&f->phrases, f->chosen[i].word, f->chosen[i].n);
            f->chosen[i].joined = NONE;
            is_done = false;
        }
    }
done:
    gb_free(n_documents);
    gb_free(last);
    return st;
}

typedef struct item {
    gb_view text;
    uint32_t phrase;
} item;

static int compare_texts(const void *left, const void *right)
{
    const item *a = left, *b = right;
    return gb_text_compare(a->text.text, a->text.length, b->text.text, b->text.length);
}

static gb_status number_joined(finding *f, chosen *c, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes joined = {0};
    for (size_t i = 0; i < c->n; i++) {
        const gb_view word = gb_words_text(f->words, c->word[i]);
        if (i > 0)
            GB_TRY(gb_bytes_add(&joined, GB_PHRASE_MARK, strlen(GB_PHRASE_MARK), err));
        GB_TRY(gb_bytes_add(&joined, word.text, word.length, err));
    }
    GB_TRY(gb_words_add(f->words, (gb_view){joined.data, joined.length}, &c->joined, err));
done:
    gb_free(joined.data);
    return st;
}

/* List them in their order, and make words of them. */
static gb_status list(finding *f, json_t *texts, gb_error *err)
{
    gb_status st;
    item *items = NULL;
    size_t n = 0;
    GB_TRY(gb_alloc(&items, f->phrases.count, sizeof *items, "phrases", err));
    for (uint32_t i = 0; i < f->phrases.count; i++)
        if (f->chosen[i].joined != NONE)
            items[n++] = (item){{f->text.data + f->chosen[i].text, f->chosen[i].length}, i};
    if (n > 0)
        qsort(items, n, sizeof *items, compare_texts);
    for (size_t i = 0; i < n; i++) {
        if (json_array_append_new(texts, json_stringn(items[i].text.text, items[i].text.length)) != 0) {
            st = gb_fail_memory(err, 0, "phrases");
            goto done;
        }
        GB_TRY(number_joined(f, &f->chosen[items[i].phrase], err));
    }
done:
    gb_free(items);
    return st;
}

/* A phrase may be a stop word of the user's own. */
static size_t join(void *user, uint64_t first, uint32_t *word, size_t n)
{
    const finding *f = user;
    size_t kept = 0;
    for (size_t i = 0; i < n;) {
        uint32_t phrase = NONE;
        const size_t length = match(f, first, word, n, i, &phrase);
        const uint32_t number = length == 0 ? word[i] : f->chosen[phrase].joined;
        if (number != GB_STOP_WORD)
            word[kept++] = number;
        i += length == 0 ? 1 : length;
    }
    return kept;
}

gb_status gb_find_phrases(const gb_phrase_rule *rule, gb_words *words, const gb_joins *joins,
                          gb_corpus_builder *documents, gb_read_watch *watch, json_t **texts, gb_error *err)
{
    gb_status st;
    finding f = {.rule = rule, .words = words, .joins = joins, .documents = documents, .watch = watch};
    json_t *array = json_array();
    if (array == NULL)
        return gb_fail_memory(err, 0, "phrases");
    GB_TRY(count_words(&f, err));
    for (size_t n = 2; n <= rule->most_words && (n == 2 || f.level[n - 1].pairs.count > 0); n++)
        GB_TRY(find_level(&f, n, err));
    GB_TRY(choose_all(&f, err));
    GB_TRY(dissolve_rare(&f, err));
    GB_TRY(list(&f, array, err));
    gb_corpus_builder_rewrite(documents, join, &f);
    *texts = array;
    array = NULL;
done:
    json_decref(array);
    finding_free(&f);
    return st;
}
