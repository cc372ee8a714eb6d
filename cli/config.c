/* cli/config.c - a file of lines `name = value`.
 *
 * A name is a long option without its dashes.  A line that begins with # is a comment; a # further on belongs to the
 * value. One file may serve several verbs, so options of other verbs are checked and then not used. */
#include "options.h"
#include "text_file.h"

#include <string.h>

static const char blank[] = " \t\r\n";

/* Cut the white space at both ends off, in place. */
static char *trim(char *text)
{
    text += strspn(text, blank);
    size_t length = strlen(text);
    while (length > 0 && strchr(blank, text[length - 1]) != NULL)
        length--;
    text[length] = '\0';
    return text;
}

/* Who has set an option so far. */
typedef enum setter { NOBODY, COMMAND_LINE, CONFIG_FILE } setter;

/* One line; `set_by` tells by option who has set it. */
static gb_status take_line(char *line, cli_set_value *set, setter *set_by, gb_settings *settings, gb_error *err)
{
    char *name = trim(line);
    if (*name == '\0' || *name == '#')
        return GB_OK;
    char *equals = strchr(name, '=');
    if (equals == NULL || equals == name)
        return cli_fail(err, GB_EARGUMENT, "expected name = value");
    *equals = '\0';
    name = trim(name);
    if (strcmp(name, "config") == 0)
        return cli_fail(err, GB_EARGUMENT, "a config file cannot name another");
    const gb_option *option;
    uint64_t i = 0;
    while ((option = gb_option_at(i)) != NULL && strcmp(option->name, name) != 0)
        i++;
    if (option != NULL && set_by[i] == COMMAND_LINE)
        return GB_OK;
    if (option != NULL && set_by[i] == CONFIG_FILE && option->kind != GB_OPTION_LIST)
        return cli_fail(err, GB_EARGUMENT, "%s is given twice", name);
    if (option != NULL)
        set_by[i] = CONFIG_FILE;
    return set(settings, name, trim(equals + 1), err);
}

static gb_status take_lines(char *text, size_t length, const char *path, cli_set_value *set, setter *set_by,
                            gb_settings *settings, gb_error *err)
{
    char *line = text, *after;
    for (size_t number = 1; line < text + length; number++, line = after) {
        gb_error inner = {0};
        gb_status st;
        char *end = memchr(line, '\n', (size_t)(text + length - line));
        end = end == NULL ? text + length : end;
        after = end + 1;
        *end = '\0';
        if (strlen(line) != (size_t)(end - line))
            st = cli_fail(&inner, GB_EARGUMENT, "a zero byte where text was expected");
        else
            st = take_line(line, set, set_by, settings, &inner);
        if (st != GB_OK)
            return cli_fail(err, st, "%s:%zu: %s", path, number, inner.message);
    }
    return GB_OK;
}

size_t cli_n_options(void)
{
    size_t n = 0;
    while (gb_option_at(n) != NULL)
        n++;
    return n;
}

gb_status cli_read_config(const char *path, cli_set_value *set, gb_settings *settings, gb_error *err)
{
    gb_status st;
    setter *set_by = NULL;
    char *text = NULL;
    size_t length = 0;
    CLI_TRY(cli_read_text(path, &text, &length, err));
    CLI_TRY(cli_alloc(&set_by, cli_n_options(), sizeof *set_by, "the settings", err));
    for (uint64_t i = 0; i < cli_n_options(); i++)
        set_by[i] = gb_settings_is_set(settings, gb_option_at(i)->name) ? COMMAND_LINE : NOBODY;
    CLI_TRY(take_lines(text, length, path, set, set_by, settings, err));
done:
    gb_free(set_by);
    gb_free(text);
    return st;
}
