/* Seed words and weights of classes, as a plan takes them.  The first byte chooses which, and whether from a file or in place. */
#include "fixed.h"

static gb_corpus *corpus;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH], *text = malloc(size + 2);
    gb_plan *plan = NULL;
    if (text == NULL)
        abort();
    if (corpus == NULL)
        corpus = fuzz_corpus();
    const bool is_text = size > 0 && (data[0] & 1) != 0, is_weight = size > 0 && (data[0] & 2) != 0;
    const size_t skipped = size > 0;
    const int file = fuzz_file(data + skipped, size - skipped, path);
    text[0] = '{';
    memcpy(text + 1, data + skipped, size - skipped);
    text[1 + size - skipped] = '\0';
    gb_settings *settings =
        fuzz_settings("topics", "3", "seed", "1", "threads", "1", "response", "kind=logistic", "cost", "1", NULL);
    if (gb_settings_set(settings, is_weight ? "class-weight" : "seeds", is_text ? text : path, NULL) == GB_OK &&
        gb_plan_create(corpus, settings, &plan, NULL) == GB_OK)
        gb_plan_free(plan);
    gb_settings_free(settings);
    (void)close(file);
    free(text);
    return 0;
}
