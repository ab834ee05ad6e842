/* Writes bytes to stderr that would harm a terminal, a page or a report, and exits. */

#include "hostile.h"

int main(void)
{
    static const char bytes[] = "\033[2J\033]0;owned\007</script>%n%s\0\xff\xfe\r\n";

    say_hello();
    wait_for_question();
    (void)fwrite(bytes, 1, sizeof bytes - 1, stderr);
    return 9;
}
