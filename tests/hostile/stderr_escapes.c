/* Writes to stderr what would hurt a terminal, a page and a report. */

#include "hostile.h"

int main(void)
{
    static const char bytes[] = "\033[2J\033]0;owned\007</script>%n%s\0\xff\xfe\r\n";

    greet();
    await_question();
    (void)fwrite(bytes, 1, sizeof bytes - 1, stderr);
    return 9;
}
