/* corpus/data/bags.h - bags: parts of documents, such as title and body, each with words of its own.
 *
 * A word of a bag is a word of the vocabulary with the bag's name before it, "title:war".  So a bag is a property of a word, counts of words
 * are those of any corpus, and only the distributions of topics over words are different: each bag has its own, which sums to 1.  The
 * preparation of a corpus (corpus/text/prepare.h) has the names of the bags; one without them has one bag. */
#ifndef GB_CORPUS_DATA_BAGS_H
#define GB_CORPUS_DATA_BAGS_H

#include "corpus/data/corpus.h"

#include <jansson.h>

/** What stands between a bag's name and a word. */
#define GB_BAG_MARK ":"

enum { GB_MOST_BAGS = 16 };

typedef struct gb_bags {
    size_t n;                       /* those that have words; 1 without bags */
    uint64_t n_words[GB_MOST_BAGS]; /* of each */
    char *name[GB_MOST_BAGS];       /* of each; NULL without bags */
    uint8_t *of_word;               /* of each word of the vocabulary; NULL: all are in bag 0 */
} gb_bags;

/** @param out  clear it with gb_bags_clear()
 * @return GB_OK, GB_EFORMAT (a word that is in no bag) or GB_ENOMEM */
gb_status gb_bags_make(gb_bags *out, const json_t *preparation, const gb_texts *vocabulary, gb_error *err);
void gb_bags_clear(gb_bags *bags);

static inline size_t gb_bag_of(const gb_bags *bags, uint64_t word)
{
    return bags->of_word == NULL ? 0 : bags->of_word[word];
}

/** Without the name of its bag before it. */
gb_view gb_bag_word(const gb_bags *bags, uint64_t word, gb_view text);

/** A field with text, as the option `text` names it: "field", or with its bag "bag=field". */
typedef struct gb_text_field {
    const char *name, *bag; /* bag: NULL without; in small letters */
} gb_text_field;

/** The fields of the option. */
typedef struct gb_text_fields {
    size_t n;
    bool has_bags; /* each field has one: of its own name, where the option says no other */
    gb_text_field *field;
    char *memory; /* where names are */
} gb_text_fields;

/** Take the option apart: fields with commas between them.
 *
 * @param out  clear it with gb_text_fields_clear()
 * @return GB_OK, GB_EARGUMENT or GB_ENOMEM */
gb_status gb_text_fields_read(const char *text, gb_text_fields *out, gb_error *err);
void gb_text_fields_clear(gb_text_fields *fields);

#endif
