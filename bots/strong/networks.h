#ifndef BOTS_STRONG_NETWORKS_H
#define BOTS_STRONG_NETWORKS_H

/* Networks that were trained on matches of strong. Those of the value function (value/value.h) have
 * seen the quick policy, and expect everybody to play like it. */

#include "value/network.h"

/* The one of an edition; NULL if there is none. */
const struct network *networks_own(unsigned edition);

#endif
