#ifndef REFEREE_CLI_TOURNAMENT_BATCH_H
#define REFEREE_CLI_TOURNAMENT_BATCH_H

/* A tournament whose blocks are played by a batch system: list them, play each in a process of its
 * own, import what they have played. Each returns an enum cli_exit. */

struct tournament;

int batch_list(struct tournament *tournament);
int batch_play(struct tournament *tournament);
int batch_import(struct tournament *tournament);

#endif
