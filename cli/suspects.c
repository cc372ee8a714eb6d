/* cli/suspects.c - what looks wrong in documents, as notes. */
#include "answer.h"
#include "reading.h"
#include "verbs.h"

#include <string.h>

/* The documents are read: without memory there is no note. */
void cli_note_suspects(const cli_call *call, const gb_model *model, gb_corpus *documents, json_t *said)
{
    const gb_subject subject = {.size = sizeof subject, .model = model, .documents = documents};
    gb_table *suspects = NULL;
    if (cli_flag(call, "quiet") || call->verb->bit == CLI_ASK ||
        gb_answer("suspects", &subject, call->settings, &suspects, NULL) != GB_OK)
        return;
    const uint64_t of_field = cli_find_column(suspects, "field"), sentence = cli_find_column(suspects, "sentence");
    for (uint64_t row = 0; row < gb_table_n_rows(suspects); row++) {
        const char *field = gb_table_text(suspects, row, of_field, 0);
        char room[CLI_SENTENCE_SIZE];
        if (said != NULL && json_object_get(said, field) != NULL)
            continue;
        if (said != NULL)
            (void)json_object_set_new(said, field, json_true());
        cli_note(call, "%s", cli_cell(suspects, row, sentence, room));
    }
    gb_table_free(suspects);
}
