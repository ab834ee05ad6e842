/* Tries to keep a secret for its next match in the kernel's keyring. */

#include "attack.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>

int main(void)
{
    long key;

    start_attack();
    key = syscall(SYS_add_key, "user", "hostile", "secret", 6, KEY_SPEC_USER_KEYRING);
    if (note_result("a key", key))
        (void)syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
    (void)note_result("a session keyring", syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL));
    report_and_keep_playing();
}
