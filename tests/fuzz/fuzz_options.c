/* Lines "name = value", each set as an option; then what was set as JSON, and back. */
#include "fuzz.h"

#include "gibbous/gibbous.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_settings *s;
    char *text = malloc(size + 1), *rest = text;
    if (text == NULL || gb_settings_create(&s, NULL) != GB_OK)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *value = strchr(line, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        (void)gb_settings_set(s, line, value, NULL);
    }
    gb_settings_free(s);
    free(text);
    return 0;
}
