/* Addresses of job servers. */

#include "cli/options_gearman.h"

#include "tournament/distribute/gearman_link.h"

int options_gearman_read(void *destination, const char *name, const char *value)
{
    (void)destination;
    (void)name;
    return gearman_link_is_address(value) ? 0 : -1;
}
