/* Each line is the only one of its group, so that none is taken for the unsynced rest of one. */

#include "support/journal_seal.h"

#include "base/deal_random.h"
#include "base/text.h"
#include "tournament/store/journal_line.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void write_or_abort(int fd, const void *bytes, size_t length)
{
    if (write(fd, bytes, length) != (ssize_t)length)
        abort();
}

void journal_seal_write(const char *path, const uint8_t *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct span rest = {(const char *)data, size};
    char sum[JOURNAL_SUM_HEX] = "";
    size_t synced = 0;

    if (fd < 0 || deal_random_init() != 0)
        abort();
    while (rest.start != NULL && rest.length > 0) {
        struct span record = span_cut(&rest, '\n');
        char end[JOURNAL_LINE_END_MAX];
        struct text text;

        text_start(&text, end, sizeof end);
        journal_line_end(record, synced, sum, &text);
        write_or_abort(fd, record.start, record.length);
        write_or_abort(fd, end, text.length);
        synced += record.length + text.length;
    }
    close(fd);
}
