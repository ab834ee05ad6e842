/* Keeps a secret for its next match in the keyring of the kernel. */

#include "attack.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>

int main(void)
{
    long key;

    await_moment();
    key = syscall(SYS_add_key, "user", "hostile", "secret", 6, KEY_SPEC_USER_KEYRING);
    if (tried("a key", key))
        (void)syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
    (void)tried("a session of keys", syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL));
    conclude_and_play_on();
}
