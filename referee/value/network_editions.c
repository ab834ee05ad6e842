/* The networks by edition. Their weights are in weights/, one file each, written by train.c. */

#include "value/network.h"

extern const struct network network_de2026, network_en2020, network_nl2023, network_fr2020,
    network_es2020;

const struct network *const network_of_edition[ALLEGRA_EDITION_COUNT] = {
    [ALLEGRA_EDITION_DE2026] = &network_de2026, [ALLEGRA_EDITION_EN2020] = &network_en2020,
    [ALLEGRA_EDITION_NL2023] = &network_nl2023, [ALLEGRA_EDITION_FR2020] = &network_fr2020,
    [ALLEGRA_EDITION_ES2020] = &network_es2020,
};
