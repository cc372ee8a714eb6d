/* A file of options of the command. */
#include "fuzz.h"

#include "options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    gb_settings *settings;
    const int file = fuzz_file(data, size, path);
    if (gb_settings_create(&settings, NULL) != GB_OK)
        abort();
    (void)cli_read_config(path, gb_selection_set, settings, NULL);
    gb_settings_free(settings);
    (void)close(file);
    return 0;
}
