/* `referee rules` prints the editions, the rule keys and the differences between editions. */

#include "cli/command.h"

#include <stdio.h>

int cli_rules(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("The editions are not listed yet.");
    return CLI_FINE;
}
