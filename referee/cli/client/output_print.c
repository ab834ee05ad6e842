/* Characters that are not UTF-8, or that command a terminal, are printed as \\xNN. */

#include "cli/client/output_print.h"

#include "base/escape.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <unistd.h>

/* C1 controls are two bytes in UTF-8, and some terminals obey them. */
static bool is_control(const char *bytes, size_t length)
{
    unsigned char first = (unsigned char)bytes[0];

    if (length == 1)
        return (first < ' ' && first != '\n' && first != '\t') || first == 0x7f;
    return utf8_code_point((const unsigned char *)bytes, length) < 0xa0;
}

void output_print(FILE *file, const char *bytes, size_t length)
{
    bool is_terminal = isatty(fileno(file)) != 0;
    bool is_ascii = escape_misreads_utf8();

    if (!is_terminal) {
        (void)fwrite(bytes, 1, length, file);
        return;
    }
    while (length > 0) {
        size_t count = utf8_length((const unsigned char *)bytes, length);

        if (count == 0 || is_control(bytes, count) || (count > 1 && is_ascii)) {
            count = 1;
            (void)fprintf(file, "\\x%02x", (unsigned char)bytes[0]);
        } else {
            (void)fwrite(bytes, 1, count, file);
        }
        bytes += count;
        length -= count;
    }
}
