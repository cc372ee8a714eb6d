/* A vocabulary or a list of stop words. */
#include "fuzz.h"

#include "corpus/text/word_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    static const gb_list_kind kinds[] = {GB_LIST_VOCABULARY, GB_LIST_WORDS};
    const int file = fuzz_file(data, size, path);
    for (int i = 0; i < 2; i++) {
        gb_texts list = {0};
        if (gb_word_list_read(path, kinds[i], NULL, &list, NULL) == GB_OK)
            gb_word_list_free(&list);
    }
    (void)close(file);
    return 0;
}
