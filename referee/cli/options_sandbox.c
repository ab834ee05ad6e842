/* The sandbox level of a command line, and what it is worth on this machine. */

#include "cli/options_sandbox.h"

#include "base/message.h"
#include "sandbox/process.h"

int options_sandbox_read(void *destination, const char *name, const char *value)
{
    (void)name;
    return sandbox_level_read(span_of(value), destination);
}

struct sandbox *options_sandbox_open(enum sandbox_level level)
{
    char message[400];
    struct text text;
    struct sandbox *sandbox;

    text_start(&text, message, sizeof message);
    sandbox = sandbox_new(level, &text);
    if (sandbox == NULL)
        message_say("%s", message);
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT && sandbox != NULL; part++) {
        text_start(&text, message, sizeof message);
        if (sandbox_is_gap(sandbox, part, &text))
            message_say("%s", message);
    }
    return sandbox;
}

int options_sandbox_admit(struct sandbox *sandbox, const struct bot_command *command,
                          const char *folder, bool is_folder_shared)
{
    struct process_spec spec = {.argv = (const char *const *)command->argv,
                                .folder = folder,
                                .is_folder_shared = is_folder_shared};
    char message[600];
    struct text text;
    int result;

    text_start(&text, message, sizeof message);
    result = sandbox_admit(sandbox, &spec, &text);
    if (text.length > 0)
        message_say("%s", message);
    return result;
}
