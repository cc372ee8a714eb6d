/* A model, and all that can be asked of it.  Either the file is there, or it says which numbers change in one of classes, numbers, covariates and
 * groups. */
#include "ask_model.h"
#include "fixed.h"
#include "store_mutator.h"

static gb_corpus *corpus;

static fuzz_bytes good_model(unsigned which)
{
    static fuzz_bytes model[FUZZ_MODELS];
    if (corpus == NULL) {
        corpus = fuzz_corpus();
        for (int i = 0; i < FUZZ_MODELS; i++)
            model[i] = fuzz_model_bytes(corpus, i);
    }
    return model[which % FUZZ_MODELS];
}

/* Two of all questions, so that each is asked of many models. */
static void ask(const gb_model *model, uint64_t number)
{
    fuzz_ask_model(model, corpus, number % 1021);
    fuzz_ask_model(model, corpus, number % 1019);
}

static void write_again(const gb_model *model)
{
    void *bytes = NULL;
    size_t n = 0;
    gb_model *again = NULL;
    if (gb_model_to_bytes(model, &bytes, &n, NULL) == GB_OK && gb_model_from_bytes(bytes, n, &again, NULL) != GB_OK)
        abort(); /* what is written can be read */
    gb_model_free(again);
    gb_free(bytes);
}

static fuzz_bytes wanted_file(const uint8_t *data, size_t size)
{
    const fuzz_bytes given = {(uint8_t *)(uintptr_t)data, size};
    return fuzz_is_store(data, size) ? fuzz_edited(given, NULL, 0) : fuzz_edited(good_model(0), data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_model *model = NULL;
    (void)good_model(0);
    const fuzz_bytes wanted = wanted_file(data, size);
    uint8_t *bytes = fuzz_mended(wanted.bytes, wanted.n);
    if (gb_model_from_bytes(bytes, wanted.n, &model, NULL) == GB_OK) {
        ask(model, XXH3_64bits(data, size));
        write_again(model);
    }
    gb_model_free(model);
    free(bytes);
    free(wanted.bytes);
    return 0;
}

/* One of sixteen is as libFuzzer would have it, and stays what it is; all others are or become files. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (seed % 16 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    const fuzz_bytes other = good_model(seed / 32), wanted = seed % 32 == 1 ? other : wanted_file(data, size);
    if (wanted.n <= max_size) {
        memcpy(data, wanted.bytes, wanted.n);
        size = wanted.n;
    }
    if (wanted.bytes != other.bytes)
        free(wanted.bytes);
    const size_t n = fuzz_mutate_store(data, size, max_size, other.bytes, other.n, seed);
    return n > 0 ? n : LLVMFuzzerMutate(data, size, max_size);
}
