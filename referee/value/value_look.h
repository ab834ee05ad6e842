#ifndef REFEREE_VALUE_VALUE_LOOK_H
#define REFEREE_VALUE_VALUE_LOOK_H

/* value_of() for callers that look at many tables of one match and remember what stays the same. */

#include "value/network.h"
#include "value/value.h"

/* `glance` and `memory` were started or last used with this table or one shortly before. */
void value_look(const struct allegra_table *table, struct glance *glance,
                struct network_memory *memory, struct value *value);

#endif
