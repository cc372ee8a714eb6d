/* Files of draws: what was appended comes back whole, a torn end costs the last draw only, and models made from them do not
 * depend on who wrote first. */
#include "helper_documents.h"
#include "helper_models.h"

#include "gibbous/gibbous.h"
#include "store/record_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DOCUMENTS = 3, WORDS = 5, TOPICS = 3, OUTPUTS = 3, FEATURES = 4 };

/* ---- a description, and draws for it ---- */

/* Three classes, an intercept, five words, and alpha of the document prior. */
static gb_model *describe(void)
{
    gb_model *m;
    gb_spec spec;
    write_file("documents.jsonl", "{\"text\": \"ape bee cat\", \"label\": \"x\"}\n"
                                  "{\"text\": \"cat dog elk\", \"label\": \"y\"}\n"
                                  "{\"text\": \"ape elk elk\", \"label\": \"z\"}\n");
    gb_corpus *corpus = corpus_of("documents.jsonl", "label", "label", NULL);
    gb_settings *settings =
        settings_of("topics", "3", "intercept", "yes", "sweeps", "2", "seed", "3", "threads", "1", NULL);
    assert_int_equal(gb_spec_resolve(corpus, settings, &spec, NULL), GB_OK);
    assert_int_equal(gb_model_create(&m, corpus, &spec, settings, NULL), GB_OK);
    m->n_training_tokens = 1000000; /* draws that are made up have more tokens than these documents */
    gb_spec_clear(&spec);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    assert_int_equal(m->n_outputs, OUTPUTS);
    assert_int_equal(m->n_words, WORDS);
    assert_int_equal(gb_model_n_features(m), FEATURES);
    return m;
}

/* The arrays of one made-up draw. */
typedef struct sample {
    double eta[OUTPUTS * FEATURES], score[2 * OUTPUTS], alpha[TOPICS], share[TOPICS];
    double log_joint, loss[1], sample_score[DOCUMENTS * OUTPUTS];
    uint64_t word_start[WORDS + 1];
    uint16_t topic[WORDS];
    uint32_t count[WORDS];
    gb_draw draw;
} sample;

/* All numbers of a draw follow from its chain and sweep. */
static const gb_draw *make_draw(sample *s, uint64_t chain, uint64_t sweep, bool with_topics)
{
    const double x = (double)(1000 * chain + sweep);
    for (size_t i = 0; i < OUTPUTS * FEATURES; i++)
        s->eta[i] = x + (double)i / 100;
    for (size_t i = 0; i < 2 * OUTPUTS; i++)
        s->score[i] = x / 7 + (double)i;
    for (size_t i = 0; i < DOCUMENTS * OUTPUTS; i++)
        s->sample_score[i] = x / 11 + (double)i;
    s->log_joint = -x;
    s->loss[0] = x / 13;
    for (size_t k = 0; k < TOPICS; k++) {
        s->alpha[k] = 1 + x + (double)k;
        s->share[k] = 1 / (1 + x + (double)k);
    }
    for (uint64_t w = 0; w < WORDS; w++) { /* one topic for each word */
        s->word_start[w + 1] = w + 1;
        s->topic[w] = (uint16_t)((w + sweep) % TOPICS);
        s->count[w] = (uint32_t)(chain + sweep + w + 1);
    }
    s->draw =
        (gb_draw){.chain = chain,
                  .sweep = sweep,
                  .log_joint = &s->log_joint,
                  .prior = {.n_tables = 1, .table = {{.name = "alpha", .n_columns = TOPICS, .value = s->alpha}}},
                  .n_outputs = OUTPUTS,
                  .eta = s->eta,
                  .score = s->score,
                  .share = s->share,
                  .loss = s->loss,
                  .sample_score = s->sample_score};
    if (with_topics) {
        s->draw.word_start = s->word_start;
        s->draw.topic = s->topic;
        s->draw.count = s->count;
    }
    return &s->draw;
}

static void append(gb_draw_file *f, uint64_t chain, uint64_t sweep, bool with_topics)
{
    sample s = {.draw = {0}};
    assert_int_equal(gb_draw_file_append(f, make_draw(&s, chain, sweep, with_topics), NULL), GB_OK);
}

static const gb_draw_plan plan = {.n_chains = 2, .n_kept = 4, .n_snapshots = 2};

/* Sweeps 1 to n of a chain, topics as planned. */
static void append_many(gb_draw_file *f, uint64_t chain, uint64_t n)
{
    for (uint64_t sweep = gb_draw_file_count(f, chain) + 1; sweep <= n; sweep++)
        append(f, chain, sweep, gb_draw_file_wants_topics(f, chain));
}

static gb_draw_file *begin(const char *path, const gb_model *m)
{
    gb_draw_file *f;
    assert_int_equal(gb_draw_file_create(&f, path, true, m, &plan, NULL), GB_OK);
    assert_int_equal(gb_draw_file_keep(f, NULL), GB_OK);
    return f;
}

static void assert_draw_is(const gb_draw *d, uint64_t chain, uint64_t sweep)
{
    sample s = {.draw = {0}};
    const gb_draw *expected = make_draw(&s, chain, sweep, true);
    assert_int_equal(d->chain, chain);
    assert_int_equal(d->sweep, sweep);
    assert_true(*d->log_joint == *expected->log_joint);
    assert_memory_equal(d->eta, s.eta, sizeof s.eta);
    assert_memory_equal(d->score, s.score, sizeof s.score);
    assert_memory_equal(d->share, s.share, sizeof s.share);
    assert_memory_equal(d->loss, s.loss, sizeof s.loss);
    assert_memory_equal(d->sample_score, s.sample_score, sizeof s.sample_score);
    assert_memory_equal(d->prior.table[0].value, s.alpha, sizeof s.alpha);
    if (d->word_start == NULL)
        return;
    assert_memory_equal(d->word_start, s.word_start, sizeof s.word_start);
    assert_memory_equal(d->topic, s.topic, sizeof s.topic);
    assert_memory_equal(d->count, s.count, sizeof s.count);
}

/* ---- whole files ---- */

static void snapshots_are_spread_evenly_and_the_last_draw_is_one(void **state)
{
    (void)state;
    for (uint64_t n_kept = 1; n_kept <= 60; n_kept++)
        for (uint64_t n = 1; n <= 70; n++) {
            const gb_draw_plan p = {.n_chains = 1, .n_kept = n_kept, .n_snapshots = n};
            uint64_t found = 0, last = 0;
            for (uint64_t i = 0; i < n_kept; i++) {
                if (!gb_draw_plan_is_snapshot(&p, i))
                    continue;
                const uint64_t gap = i + 1 - last;
                assert_true(n >= n_kept ? gap == 1 : gap == n_kept / n || gap == n_kept / n + 1);
                last = i + 1;
                found++;
            }
            assert_int_equal(found, n < n_kept ? n : n_kept);
            assert_int_equal(last, n_kept);
        }
}

static void draws_come_back_chain_after_chain(void **state)
{
    (void)state;
    gb_model *m = describe();
    gb_draw_file *f = begin("", m);
    append_many(f, 1, 2);
    append_many(f, 0, 4);
    append_many(f, 1, 4);
    assert_int_equal(gb_model_take_draws(m, f, NULL), GB_OK);
    assert_int_equal(gb_model_n_draws(m), 8);
    assert_int_equal(gb_model_n_topic_draws(m), 4);
    assert_int_equal(gb_model_n_snapshots(m), 4);
    for (size_t i = 0; i < 8; i++) {
        const gb_draw d = gb_model_kept(m, i);
        assert_draw_is(&d, i / 4, i % 4 + 1);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(m->kept_at[i], 2 * i + 1);
        assert_draw_is(&m->draw[i], i / 2, 2 * (i % 2) + 2);
    }
    gb_model_free(m);
}

/* A model file from chains that appended in this order. */
static char *write_model(uint64_t first, size_t *size)
{
    gb_model *m = describe();
    gb_draw_file *f = begin("", m);
    append_many(f, first, first == 0 ? 4 : 3);
    append_many(f, 1 - first, 4);
    append_many(f, first, 4);
    assert_int_equal(gb_model_take_draws(m, f, NULL), GB_OK);
    assert_int_equal(gb_model_write(m, "model", true, NULL, NULL, NULL), GB_OK);
    gb_model_free(m);
    return read_whole("model", size);
}

static void a_model_has_the_same_bytes_whichever_chain_was_first(void **state)
{
    (void)state;
    size_t n, n_other;
    char *one = write_model(0, &n), *other = write_model(1, &n_other);
    assert_int_equal(n, n_other);
    assert_memory_equal(one, other, n);
    free(one);
    free(other);
}

static void a_model_read_back_has_all_parameters_and_the_topics_of_snapshots(void **state)
{
    (void)state;
    size_t n;
    gb_model *m;
    free(write_model(0, &n));
    assert_int_equal(gb_model_read("model", NULL, NULL, &m, NULL), GB_OK);
    assert_int_equal(gb_model_n_draws(m), 8);
    assert_int_equal(gb_model_n_snapshots(m), 4);
    for (size_t i = 0; i < 8; i++) {
        const gb_draw d = gb_model_kept(m, i);
        assert_draw_is(&d, i / 4, i % 4 + 1);
    }
    for (size_t i = 0; i < 4; i++)
        assert_draw_is(&m->draw[i], i / 2, 2 * (i % 2) + 2);
    gb_model_free(m);
}

/* ---- after a kill ---- */

static void reopen_and_expect(const gb_model *m, uint64_t n_first, uint64_t n_second)
{
    gb_draw_file *f;
    assert_int_equal(gb_draw_file_open(&f, "draws", m, &plan, NULL, NULL), GB_OK);
    assert_int_equal(gb_draw_file_count(f, 0), n_first);
    assert_int_equal(gb_draw_file_count(f, 1), n_second);
    gb_draw_file_close(f);
}

static void a_file_cut_anywhere_in_its_last_draw_loses_only_that(void **state)
{
    (void)state;
    size_t n[2];
    gb_model *m = describe();
    gb_draw_file *f = begin("draws", m);
    append_many(f, 0, 4);
    append_many(f, 1, 1);
    free(read_whole("draws", &n[0]));
    append_many(f, 1, 2); /* with topics */
    gb_draw_file_close(f);
    char *bytes = read_whole("draws", &n[1]);
    for (size_t cut = n[0]; cut < n[1]; cut++) {
        write_bytes("draws", bytes, cut);
        reopen_and_expect(m, 4, 1);
        free(read_whole("draws", &n[0])); /* the torn end is gone */
        assert_true(n[0] <= cut);
    }
    write_bytes("draws", bytes, n[1]);
    reopen_and_expect(m, 4, 2);
    free(bytes);
    gb_model_free(m);
}

static void a_damaged_byte_ends_the_file_there(void **state)
{
    (void)state;
    size_t n[4], n_all;
    gb_model *m = describe();
    gb_draw_file *f = begin("draws", m);
    free(read_whole("draws", &n[0]));
    for (size_t i = 1; i < 4; i++) {
        append_many(f, 0, i);
        free(read_whole("draws", &n[i]));
    }
    gb_draw_file_close(f);
    char *bytes = read_whole("draws", &n_all);
    for (size_t i = 1; i < 4; i++)
        for (size_t at = n[i - 1]; at < n[i]; at += 5) {
            bytes[at] ^= 0x10;
            write_bytes("draws", bytes, n_all);
            bytes[at] ^= 0x10;
            reopen_and_expect(m, i - 1, 0);
        }
    free(bytes);
    gb_model_free(m);
}

static void a_run_that_goes_on_from_fewer_draws_replaces_the_others(void **state)
{
    (void)state;
    gb_model *m = describe();
    gb_draw_file *f = begin("draws", m);
    append_many(f, 0, 3);
    append_many(f, 1, 3);
    append(f, 1, 999, true); /* kept in haste, when the run was stopped */
    gb_draw_file_close(f);
    assert_int_equal(gb_draw_file_open(&f, "draws", m, &plan, (const uint64_t[]){3, 1}, NULL), GB_OK);
    assert_int_equal(gb_draw_file_count(f, 1), 1);
    append_many(f, 1, 2);
    gb_draw_file_close(f); /* killed again; what is in the file is read anew */
    assert_int_equal(gb_draw_file_open(&f, "draws", m, &plan, NULL, NULL), GB_OK);
    assert_int_equal(gb_draw_file_count(f, 0), 3);
    assert_int_equal(gb_draw_file_count(f, 1), 2);
    append_many(f, 0, 4);
    append_many(f, 1, 4);
    assert_int_equal(gb_draw_file_sync(f, NULL), GB_OK);
    assert_int_equal(gb_model_take_draws(m, f, NULL), GB_OK);
    for (size_t i = 0; i < 8; i++) {
        const gb_draw d = gb_model_kept(m, i);
        assert_draw_is(&d, i / 4, i % 4 + 1);
    }
    assert_int_equal(gb_model_n_snapshots(m), 4);
    gb_model_free(m);
}

static void a_run_that_is_extended_keeps_its_snapshots(void **state)
{
    (void)state;
    const gb_draw_plan twice = {.n_chains = 2, .n_kept = 8, .n_snapshots = 2},
                       half_more = {.n_chains = 2, .n_kept = 6, .n_snapshots = 2};
    for (size_t i = 0; i < 2; i++) {
        const gb_draw_plan *longer = i == 0 ? &twice : &half_more;
        gb_model *m = describe();
        gb_draw_file *f = begin("draws", m);
        append_many(f, 0, 4); /* topics of sweeps 2 and 4 */
        append_many(f, 1, 4);
        gb_draw_file_close(f);
        assert_int_equal(gb_draw_file_open(&f, "draws", m, longer, NULL, NULL), GB_OK);
        append_many(f, 0, longer->n_kept);
        append_many(f, 1, longer->n_kept);
        assert_int_equal(gb_model_take_draws(m, f, NULL), GB_OK);
        assert_int_equal(gb_model_n_draws(m), 2 * longer->n_kept);
        /* 4 and 8 of eight are there, as if there had never been a stop; 3 and 6 of six are not, so 2, 4 and 6 serve */
        assert_int_equal(gb_model_n_snapshots(m), i == 0 ? 4 : 6);
        gb_model_free(m);
    }
}

static void too_few_draws_or_another_model_are_refused(void **state)
{
    (void)state;
    gb_error err = {.status = GB_OK};
    gb_model *m = describe();
    gb_draw_file *f = begin("draws", m), *other = NULL;
    append_many(f, 0, 2);
    assert_int_equal(gb_draw_file_create(&other, "draws", true, m, &plan, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "draws: another run is writing to it");
    gb_draw_file_close(f);
    assert_int_equal(gb_draw_file_open(&f, "draws", m, &plan, (const uint64_t[]){2, 1}, &err), GB_EFORMAT);
    assert_string_equal(err.message, "draws: damaged: 0 kept sweeps of chain 2, expected 1");
    m->n_topics++;
    assert_int_equal(gb_draw_file_open(&f, "draws", m, &plan, NULL, &err), GB_EFORMAT);
    assert_string_equal(err.message, "draws: these draws are of another model");
    m->n_topics--;
    write_file("letter", "Dear reader,\n");
    assert_int_equal(gb_draw_file_open(&f, "letter", m, &plan, NULL, &err), GB_EFORMAT);
    assert_string_equal(err.message, "letter: not a file of draws");
    assert_int_equal(gb_draw_file_create(&f, "letter", true, m, &plan, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "letter: exists already, and is no file of draws");
    assert_int_equal(gb_draw_file_create(&f, "no/folder", false, m, &plan, &err), GB_EIO);
    gb_model_free(m);
}

static void old_draws_stay_until_new_ones_are_to_be_kept(void **state)
{
    (void)state;
    size_t n, n_now, n_files;
    gb_error err = {.status = GB_OK};
    gb_model *m = describe();
    gb_draw_file *f = begin("draws", m), *other = NULL;
    append_many(f, 0, 2);
    gb_draw_file_close(f);
    char *old = read_whole("draws", &n);
    n_files = count_files();
    assert_int_equal(gb_draw_file_create(&f, "draws", false, m, &plan, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "draws: exists already, with draws; give `force` to overwrite it");
    assert_int_equal(gb_draw_file_create(&f, "draws", true, m, &plan, NULL), GB_OK);
    append_many(f, 0, 3);
    assert_int_equal(gb_draw_file_sync(f, NULL), GB_OK);
    assert_int_equal(gb_draw_file_create(&other, "draws", true, m, &plan, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "draws: another run is writing to it");
    char *now = read_whole("draws", &n_now);
    assert_int_equal(n_now, n);
    assert_memory_equal(now, old, n);
    gb_draw_file_close(f); /* the run failed */
    reopen_and_expect(m, 2, 0);
    assert_int_equal(count_files(), n_files);
    assert_int_equal(gb_draw_file_create(&f, "draws", true, m, &plan, NULL), GB_OK);
    append_many(f, 0, 3);
    assert_int_equal(gb_draw_file_keep(f, NULL), GB_OK);
    gb_draw_file_close(f);
    reopen_and_expect(m, 3, 0);
    assert_int_equal(count_files(), n_files);
    free(old);
    free(now);
    gb_model_free(m);
}

static void draws_that_are_not_kept_leave_nothing(void **state)
{
    (void)state;
    const size_t n_files = count_files();
    gb_model *m = describe();
    gb_draw_file *f;
    assert_int_equal(gb_draw_file_create(&f, "unkept", false, m, &plan, NULL), GB_OK);
    append_many(f, 0, 3);
    gb_draw_file_close(f);
    assert_int_equal(count_files(), n_files);
    gb_model_free(m);
}

static void draws_whose_name_somebody_took_are_not_safe(void **state)
{
    (void)state;
    gb_error err = {.status = GB_OK};
    gb_model *m = describe();
    gb_draw_file *f = begin("draws", m);
    append_many(f, 0, 1);
    assert_int_equal(gb_draw_file_sync(f, NULL), GB_OK);
    assert_int_equal(unlink("draws"), 0);
    assert_int_equal(gb_draw_file_sync(f, &err), GB_EIO);
    assert_string_equal(err.message, "draws: was removed or replaced while the run wrote to it");
    gb_draw_file_close(f);
    gb_model_free(m);
}

static void other_draws_of_the_same_shape_have_another_checksum(void **state)
{
    (void)state;
    gb_model *m = describe();
    gb_draw_file *f = begin("", m), *same = begin("", m), *other = begin("", m);
    append_many(f, 1, 3);
    append_many(same, 0, 1);
    append_many(same, 1, 3);
    append(other, 1, 5, false);
    append(other, 1, 2, true);
    append(other, 1, 3, false);
    for (uint64_t n = 0; n <= 3; n++) {
        assert_true(gb_draw_file_checksum(f, 1, n) == gb_draw_file_checksum(same, 1, n));
        assert_true((gb_draw_file_checksum(f, 1, n) == gb_draw_file_checksum(other, 1, n)) == (n == 0));
    }
    gb_draw_file_close(f);
    gb_draw_file_close(same);
    gb_draw_file_close(other);
    gb_model_free(m);
}

static void a_model_needs_topics(void **state)
{
    (void)state;
    gb_error err = {.status = GB_OK};
    gb_model *m = describe();
    gb_draw_file *f = begin("./", m);
    append(f, 0, 1, false);
    assert_false(gb_draw_file_has_topics(f, 0));
    assert_int_equal(gb_model_take_draws(m, f, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "there are no draws with topics yet");
    gb_draw_file_close(f);
    gb_model_free(m);
}

/* Contents that the checksum cannot find fault with. */
static void draws_that_no_chain_can_have_made_are_refused_after_reopening(void **state)
{
    (void)state;
    for (int fault = 0; fault < 3; fault++) {
        gb_error err = {.status = GB_OK};
        gb_model *m = describe();
        gb_draw_file *f = begin("draws", m);
        sample s = {.draw = {0}};
        (void)make_draw(&s, 0, 1, true);
        if (fault == 0)
            s.topic[2] = TOPICS;
        else if (fault == 1)
            s.word_start[1] = 7000;
        else
            s.eta[3] = NAN;
        assert_int_equal(gb_draw_file_append(f, &s.draw, NULL), GB_OK);
        gb_draw_file_close(f);
        assert_int_equal(gb_draw_file_open(&f, "draws", m, &plan, NULL, NULL), GB_OK);
        assert_int_equal(gb_model_take_draws(m, f, &err), GB_EFORMAT);
        assert_string_equal(err.message, "draws: damaged: a draw that this model cannot have");
        gb_draw_file_close(f);
        gb_model_free(m);
    }
}

/* ---- many ---- */

static void many_draws_are_saved_and_read_back(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 10, 20000};
    for (size_t i = 0; i < 3; i++) {
        const gb_draw_plan many = {.n_chains = 1, .n_kept = counts[i], .n_snapshots = 10};
        gb_model *m = describe(), *again;
        gb_draw_file *f;
        gb_effect effect;
        assert_int_equal(gb_draw_file_create(&f, "", false, m, &many, NULL), GB_OK);
        append_many(f, 0, counts[i]);
        assert_int_equal(gb_model_take_draws(m, f, NULL), GB_OK);
        assert_int_equal(gb_model_write(m, "model", true, NULL, NULL, NULL), GB_OK);
        gb_model_free(m);
        assert_int_equal(gb_model_read("model", NULL, NULL, &again, NULL), GB_OK);
        assert_int_equal(gb_model_n_draws(again), counts[i]);
        assert_int_equal(gb_model_n_snapshots(again), counts[i] < 10 ? counts[i] : 10);
        assert_int_equal(gb_model_effect(again, 1, 0, &effect, NULL), GB_OK);
        assert_int_equal(effect.n_draws, counts[i]);
        assert_true(fabs(gb_model_coefficient(again, 1, 0) - ((double)counts[i] + 1) / 2 - 0.04) < 1e-6);
        gb_model_free(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_are_spread_evenly_and_the_last_draw_is_one),
        cmocka_unit_test(draws_come_back_chain_after_chain),
        cmocka_unit_test(a_model_has_the_same_bytes_whichever_chain_was_first),
        cmocka_unit_test(a_model_read_back_has_all_parameters_and_the_topics_of_snapshots),
        cmocka_unit_test(a_file_cut_anywhere_in_its_last_draw_loses_only_that),
        cmocka_unit_test(a_damaged_byte_ends_the_file_there),
        cmocka_unit_test(a_run_that_goes_on_from_fewer_draws_replaces_the_others),
        cmocka_unit_test(a_run_that_is_extended_keeps_its_snapshots),
        cmocka_unit_test(too_few_draws_or_another_model_are_refused),
        cmocka_unit_test(old_draws_stay_until_new_ones_are_to_be_kept),
        cmocka_unit_test(draws_that_are_not_kept_leave_nothing),
        cmocka_unit_test(draws_whose_name_somebody_took_are_not_safe),
        cmocka_unit_test(other_draws_of_the_same_shape_have_another_checksum),
        cmocka_unit_test(a_model_needs_topics),
        cmocka_unit_test(draws_that_no_chain_can_have_made_are_refused_after_reopening),
        cmocka_unit_test(many_draws_are_saved_and_read_back),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
