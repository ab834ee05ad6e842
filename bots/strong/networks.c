#include "strong/networks.h"

extern const struct network network_strong_de2026;

const struct network *networks_own(unsigned edition)
{
    return edition == ALLEGRA_EDITION_DE2026 ? &network_strong_de2026 : NULL;
}
