/* Reads what only the machine's owner may read. */

#include "attack.h"

int main(void)
{
    await_moment();
    (void)tried("the passwords", open("/etc/shadow", O_RDONLY | O_CLOEXEC));
    (void)tried("the home of root", open("/root", O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    conclude_and_play_on();
}
