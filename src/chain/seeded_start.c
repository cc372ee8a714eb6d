/* chain/seeded_start.c - what seed words say of documents that have no topics yet.
 *
 * Seeds are a prior of words, and a few tokens beside topics of many thousands.  In a chain whose topics are still all alike that is
 * too little: other topics take the words around the seeds first, sooner with labels, which make topics at once, and a named topic is
 * left with its seeds and with what is common to all documents.  So a document's first topics are drawn as if it were known to
 * have some of what its seed words name,
 *
 *     base_k + sum over its tokens that are seed words of topic k of said_w                                 (1)
 *
 * in place of its base weights.  Seed words that are tokens of a topic's prior weigh as much as three tokens that have the topic,
 *
 *     said_w = 3                                                                                            (2)
 *
 * More is more than a word can say: a single "hit" does not make a document one about baseball (measured with 10 and 100 on 20
 * Newsgroups: topics that begin with such documents lose their place).  A keyword (counts/keywords.h) is its topic's own from the first
 * token on.  One that most documents have says nothing of them, and would make its topic that of all documents ("room" in reviews of
 * hotels); with f_w tokens in D documents, about 1 - exp(-f_w / D) of these have it, and
 *
 *     said_w = 3 min(1, -2 log(1 - exp(-f_w / D)))                                                          (3)
 *
 * First topics only: what the chain converges to is the posterior, whatever it starts from. */
#include "chain/seeded_start.h"

#include "base/memory.h"

gb_status gb_seeded_start_create(gb_seeded_start *out, uint64_t n_words, size_t n_seeds, const gb_seed *seed,
                                 gb_error *err)
{
    gb_status st;
    gb_seeded_start s = {0};
    GB_TRY(gb_alloc(&s.start, n_words + 1, sizeof *s.start, "seed words", err));
    GB_TRY(gb_alloc(&s.topic, n_seeds, sizeof *s.topic, "seed words", err));
    GB_TRY(gb_alloc(&s.said, n_seeds, sizeof *s.said, "seed words", err));
    for (size_t i = 0; i < n_seeds; i++)
        s.start[seed[i].word + 1]++;
    for (uint64_t w = 0; w < n_words; w++)
        s.start[w + 1] += s.start[w];
    for (size_t i = n_seeds; i > 0; i--) { /* start[w + 1] goes back to where word w begins */
        const uint32_t at = --s.start[seed[i - 1].word + 1];
        s.topic[at] = seed[i - 1].topic;
        s.said[at] = seed[i - 1].said;
    }
    for (uint64_t w = 0; w < n_words; w++)
        s.start[w] = s.start[w + 1];
    s.start[n_words] = (uint32_t)n_seeds;
    *out = s;
    s = (gb_seeded_start){0};
done:
    gb_seeded_start_clear(&s);
    return st;
}

void gb_seeded_start_clear(gb_seeded_start *s)
{
    gb_free(s->start);
    gb_free(s->topic);
    gb_free(s->said);
    *s = (gb_seeded_start){0};
}

void gb_seeded_start_add(const gb_seeded_start *s, uint64_t n_tokens, const uint32_t *word, double *base)
{
    for (uint64_t n = 0; n < n_tokens; n++)
        for (uint32_t i = s->start[word[n]]; i < s->start[word[n] + 1]; i++)
            base[s->topic[i]] += s->said[i];
}
