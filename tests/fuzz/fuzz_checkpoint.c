/* A checkpoint, or the file of draws beside it, with a few numbers changed: it is looked into, and its run is gone on with.  The first byte
 * chooses the file. */
#include "edits.h"
#include "fixed.h"

static gb_corpus *corpus;
static fuzz_bytes checkpoint, draws;
static char folder[] = "/dev/shm/gibbous-fuzz-XXXXXX", path[FUZZ_PATH], draws_path[FUZZ_PATH + 8];

static void remove_files(void)
{
    (void)unlink(path);
    (void)unlink(draws_path);
    (void)rmdir(folder);
}

static void make_checkpoint(void)
{
    gb_model *model;
    if (mkdtemp(folder) == NULL && mkdtemp(strcpy(folder, "/tmp/gibbous-fuzz-XXXXXX")) == NULL)
        abort();
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (corpus == NULL)
        make_checkpoint();
    const bool is_draws = size > 0 && (data[0] & 1) != 0;
    const size_t skipped = size > 0;
    const fuzz_bytes edited = fuzz_edited(is_draws ? draws : checkpoint, data + skipped, size - skipped);
    if (is_draws)
        mend_draws(edited);
    uint8_t *mended = fuzz_mended(edited.bytes, edited.n);
    fuzz_write(path, is_draws ? checkpoint : (fuzz_bytes){mended, edited.n});
    fuzz_write(draws_path, is_draws ? edited : draws);
    go_on();
    free(mended);
    free(edited.bytes);
    return 0;
}
