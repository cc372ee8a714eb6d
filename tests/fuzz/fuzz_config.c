/* Files of the command's own: options, and what `select --json` has printed. */
#include "fuzz.h"

#include "options.h"
#include "report_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    gb_settings *settings;
    json_t *selection = NULL;
    const int file = fuzz_file(data, size, path);
    if (gb_settings_create(&settings, NULL) != GB_OK)
        abort();
    (void)cli_read_config(path, gb_selection_set, settings, NULL);
    gb_settings_free(settings);
    (void)cli_report_selection(path, &selection, NULL);
    json_decref(selection);
    (void)close(file);
    return 0;
}
