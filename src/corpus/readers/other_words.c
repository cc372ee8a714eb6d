/* corpus/readers/other_words.c - the documents of a corpus in the vocabulary of another. */
#include "corpus/readers/other_words.h"

#include "base/memory.h"
#include "corpus/data/field.h"
#include "corpus/text/prepare.h"

#include <math.h>

typedef struct translation {
    const gb_corpus *from;
    gb_prepare *prepare;
    gb_words *words;
    uint32_t *number_of; /* words of `from`: number in `words`, GB_NO_WORD or GB_STOP_WORD */
    gb_corpus_builder *builder;
    uint64_t *n_unknown;
} translation;

static void translation_free(translation *t)
{
    gb_prepare_free(t->prepare);
    gb_words_free(t->words);
    gb_free(t->number_of);
    gb_corpus_builder_free(t->builder);
    gb_free(t->n_unknown);
}

/* A word stays as it is, or as the vocabulary has it; only to compare it with the stop words it is folded as they are. */
static gb_status number_words(translation *t, const gb_texts *vocabulary, gb_error *err)
{
    gb_status st;
    gb_view folded;
    GB_TRY(gb_words_create(&t->words, err));
    GB_TRY(gb_prepare_mark_stop_words(t->prepare, t->words, err));
    GB_TRY(gb_words_add_vocabulary(t->words, vocabulary, err));
    GB_TRY(gb_prepare_know(t->prepare, vocabulary, err));
    GB_TRY(gb_alloc(&t->number_of, t->from->n_words, sizeof *t->number_of, "the vocabulary", err));
    for (uint64_t w = 0; w < t->from->n_words; w++) {
        gb_view word = gb_texts_view(&t->from->vocabulary, w);
        GB_TRY(gb_prepare_fold(t->prepare, word, &folded, err));
        t->number_of[w] = gb_words_find(t->words, folded);
        if (t->number_of[w] == GB_STOP_WORD)
            continue;
        GB_TRY(gb_prepare_name(t->prepare, word, &word, err));
        t->number_of[w] = gb_words_find(t->words, word);
    }
done:
    return st;
}

static gb_status declare_fields(translation *t, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_corpus_builder_create(&t->builder, err));
    for (size_t i = 0; i < t->from->n_labels; i++) {
        const gb_labels *l = &t->from->labels[i];
        const gb_field field = {(char *)(uintptr_t)l->name, l->several ? GB_KIND_SEVERAL : GB_KIND_ONE, l->role,
                                .seen = true};
        GB_TRY(gb_fields_declare(&field, 1, false, t->builder, err));
    }
    for (size_t i = 0; i < t->from->n_numbers; i++) {
        const gb_numbers *n = &t->from->numbers[i];
        const gb_field field = {(char *)(uintptr_t)n->name, GB_KIND_NUMBER, n->role, .seen = true};
        GB_TRY(gb_fields_declare(&field, 1, false, t->builder, err));
    }
done:
    return st;
}

static gb_status add_classes(translation *t, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < t->from->n_labels; i++) {
        const gb_labels *l = &t->from->labels[i];
        if (!l->labelled[d])
            continue;
        GB_TRY(gb_corpus_builder_labelled(t->builder, i, err));
        for (uint64_t at = l->doc_start[d]; at < l->doc_start[d + 1]; at++) {
            const gb_view name = gb_texts_view(&l->classes, l->class_of[at]);
            GB_TRY(gb_corpus_builder_class(t->builder, i, name.text, name.length, err));
        }
    }
done:
    return st;
}

static gb_status add_numbers(translation *t, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < t->from->n_numbers; i++)
        if (!isnan(t->from->numbers[i].value[d]))
            GB_TRY(gb_corpus_builder_number(t->builder, i, t->from->numbers[i].value[d], err));
done:
    return st;
}

static gb_status add_words(translation *t, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t at = t->from->doc_start[d]; at < t->from->doc_start[d + 1]; at++) {
        const uint32_t number = t->number_of[t->from->word[at]];
        t->n_unknown[d] += number == GB_NO_WORD;
        if (number != GB_NO_WORD && number != GB_STOP_WORD)
            GB_TRY(gb_corpus_builder_token(t->builder, number, err));
    }
done:
    return st;
}

static gb_status add_documents(translation *t, gb_error *err)
{
    gb_status st;
    const gb_embedding *embedding = &t->from->embedding;
    GB_TRY(gb_alloc(&t->n_unknown, t->from->n_docs, sizeof *t->n_unknown, "counts of unknown words", err));
    for (uint64_t d = 0; d < t->from->n_docs; d++) {
        const gb_view id = gb_texts_view(&t->from->ids, d);
        GB_TRY(gb_corpus_builder_document(t->builder, id.text, id.length, err));
        GB_TRY(add_classes(t, d, err));
        GB_TRY(add_numbers(t, d, err));
        GB_TRY(add_words(t, d, err));
        if (t->from->text.count > 0)
            GB_TRY(gb_corpus_builder_text(t->builder, gb_texts_view(&t->from->text, d), err));
        if (embedding->width > 0)
            GB_TRY(gb_corpus_builder_embedding(t->builder, embedding->width, embedding->value + d * embedding->width,
                                               err));
    }
done:
    return st;
}

gb_status gb_corpus_in(const gb_corpus *corpus, const gb_texts *vocabulary, const json_t *preparation,
                       gb_corpus **out, uint64_t **n_unknown, gb_error *err)
{
    gb_status st;
    translation t = {.from = corpus};
    GB_TRY(gb_corpus_check_tokens(corpus, err));
    GB_TRY(gb_prepare_from_json(&t.prepare, preparation, err));
    GB_TRY(number_words(&t, vocabulary, err));
    GB_TRY(declare_fields(&t, err));
    GB_TRY(add_documents(&t, err));
    GB_TRY(gb_corpus_builder_vocabulary(t.builder, vocabulary, err));
    GB_TRY(gb_corpus_builder_finish(t.builder, NULL, NULL, out, err));
    *n_unknown = t.n_unknown;
    t.n_unknown = NULL;
done:
    translation_free(&t);
    return st;
}
