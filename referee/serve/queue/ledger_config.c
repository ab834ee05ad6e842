/* The configuration of a job that is over is only in the file. Its line is found by its beginning:
 * lines were checked when the ledger was opened, or are our own. */

#include "base/memory.h"
#include "serve/queue/ledger_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The configuration in the record of a job. NULL with errno. */
static char *config_in(const char *line, size_t length)
{
    struct json_document *document = json_document_new();
    char message[200];
    struct text problem;
    const struct json_node *record;
    char *config;

    text_start(&problem, message, sizeof message);
    record = json_read(document, line, length, &problem);
    config = record != NULL ? xstrdup(json_member_text(record, "config", "")) : NULL;
    json_document_free(document);
    errno = EBADMSG;
    return config;
}

/* Only one line is parsed, so this takes milliseconds. */
char *ledger_read_config(const struct ledger *ledger, const struct job *job)
{
    FILE *file;
    char start[40];
    char *line = NULL;
    char *config = NULL;
    size_t size = 0;
    ssize_t length;

    if (job->config != NULL)
        return xstrdup(job->config);
    file = fopen(ledger->path, "re");
    if (file == NULL)
        return NULL;
    snprintf(start, sizeof start, LEDGER_JOB_START, job->number);
    while ((length = getline(&line, &size, file)) > 0 && strncmp(line, start, strlen(start)) != 0)
        ;
    if (length > 0)
        config = config_in(line, (size_t)length);
    else if (!ferror(file))
        errno = EBADMSG;
    free(line);
    fclose(file);
    return config;
}
