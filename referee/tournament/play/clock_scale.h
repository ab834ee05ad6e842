#ifndef REFEREE_TOURNAMENT_PLAY_CLOCK_SCALE_H
#define REFEREE_TOURNAMENT_PLAY_CLOCK_SCALE_H

/* Limits for machines of different speeds. */

/* A limit for a machine of speed `speed`, if it is meant for one of speed `reference`: twice as
 * long on a machine that is half as fast. Never more than four times as long or short. Without a
 * reference (0) it stays as it is. */
long clock_scale_ms(long ms, long reference, long speed);

/* How many thousand decisions per second the game library makes on the core that this process runs
 * on: plays for `ms` milliseconds. */
long clock_scale_measure(unsigned ms);

#endif
