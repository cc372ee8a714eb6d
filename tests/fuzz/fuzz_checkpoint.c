/* A checkpoint, or the file of draws beside it: it is looked into, and its run is gone on with.  The first byte chooses the file; then comes the
 * file, or which numbers change in a good one. */
#include "fixed.h"
#include "store_mutator.h"

static gb_corpus *corpus;
static fuzz_bytes checkpoint, draws;
static char folder[FUZZ_PATH], path[FUZZ_PATH + 8], draws_path[FUZZ_PATH + 16];

static void remove_files(void)
{
    (void)unlink(path);
    (void)unlink(draws_path);
    (void)rmdir(folder);
}

static void make_checkpoint(void)
{
    gb_model *model;
    fuzz_folder(folder);
    (void)snprintf(path, sizeof path, "%s/run", folder);
    (void)snprintf(draws_path, sizeof draws_path, "%s.draws", path);
    gb_settings *settings =
        fuzz_settings("topics", "3", "prior", "graph", "graph", "chain", "sweeps", "5", "burn-in", "2", "thin", "1",
                      "chains", "2", "seed", "1", "threads", "1", "checkpoint", path, NULL);
    corpus = fuzz_corpus();
    if (gb_train(corpus, settings, NULL, NULL, &model, NULL) != GB_OK)
        abort();
    gb_model_free(model);
    gb_settings_free(settings);
    checkpoint = fuzz_read(path);
    draws = fuzz_read(draws_path);
    (void)atexit(remove_files);
}

/* Every record gets the checksum of what is in it. */
static void mend_draws(fuzz_bytes file)
{
    uint64_t at, length;
    memcpy(&at, file.bytes, sizeof at);
    if (at > file.n)
        return;
    for (at += sizeof at; at + 16 <= file.n; at += 16 + length) {
        memcpy(&length, file.bytes + at, sizeof length);
        if (length > file.n || (length + 7) / 8 * 8 > file.n - at - 16)
            return;
        const uint64_t n = length;
        length = (length + 7) / 8 * 8;
        const uint64_t checksum = XXH3_64bits_withSeed(file.bytes + at + 16, length, n);
        memcpy(file.bytes + at + 8, &checksum, sizeof checksum);
    }
}

static void go_on(void)
{
    gb_settings *settings = fuzz_settings("resume", path, "threads", "1", NULL);
    gb_model *model = NULL;
    gb_diagnosis *diagnosis = NULL;
    char *notes = NULL;
    if (gb_checkpoint_notes(path, &notes, NULL) == GB_OK)
        gb_free(notes);
    if (gb_diagnosis_create_from_checkpoint(path, &diagnosis, NULL) == GB_OK)
        gb_diagnosis_free(diagnosis);
    if (gb_settings_set(settings, "sweeps", "6", NULL) == GB_OK)
        (void)gb_train(corpus, settings, NULL, NULL, &model, NULL);
    gb_model_free(model);
    gb_settings_free(settings);
}

static bool means_draws(const uint8_t *data, size_t size)
{
    return size > 0 && (data[0] & 1) != 0;
}

static fuzz_bytes wanted_file(const uint8_t *data, size_t size)
{
    const bool is_draws = means_draws(data, size);
    const size_t skipped = size > 0, n = size - skipped;
    const fuzz_bytes given = {size > 0 ? (uint8_t *)(uintptr_t)data + skipped : NULL, n};
    if (is_draws ? fuzz_is_log(given.bytes, n) : fuzz_is_store(given.bytes, n))
        return fuzz_edited(given, NULL, 0);
    return fuzz_edited(is_draws ? draws : checkpoint, given.bytes, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (corpus == NULL)
        make_checkpoint();
    const bool is_draws = means_draws(data, size);
    const fuzz_bytes wanted = wanted_file(data, size);
    if (is_draws)
        mend_draws(wanted);
    uint8_t *mended = fuzz_mended(wanted.bytes, wanted.n);
    fuzz_write(path, is_draws ? checkpoint : (fuzz_bytes){mended, wanted.n});
    fuzz_write(draws_path, is_draws ? wanted : draws);
    go_on();
    free(mended);
    free(wanted.bytes);
    return 0;
}

/* One of sixteen is as libFuzzer would have it, and stays what it is; all others are or become files. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (corpus == NULL)
        make_checkpoint();
    if (size == 0 || seed % 16 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    const fuzz_bytes wanted = wanted_file(data, size);
    const bool is_draws = means_draws(data, size), has_room = wanted.n < max_size;
    if (has_room)
        memcpy(data + 1, wanted.bytes, wanted.n);
    free(wanted.bytes);
    if (!has_room)
        return LLVMFuzzerMutate(data, size, max_size);
    const size_t n = is_draws
                         ? fuzz_mutate_log(data + 1, wanted.n, max_size - 1, seed)
                         : fuzz_mutate_store(data + 1, wanted.n, max_size - 1, checkpoint.bytes, checkpoint.n, seed);
    return 1 + (n > 0 ? n : wanted.n);
}
