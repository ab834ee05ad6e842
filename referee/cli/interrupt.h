#ifndef REFEREE_CLI_INTERRUPT_H
#define REFEREE_CLI_INTERRUPT_H

/* The signals that end a command: SIGINT (Ctrl-C), SIGTERM and SIGHUP, for all commands that run
 * bots. They are counted and never kill the process, so that it can end its bots, remove its
 * temporary folders and say where it stopped. A command that a signal has kept from doing all that
 * it was asked for exits with CLI_FAILED. */

struct event_base;
struct interrupt;

/* From now on the signals are only counted. To be called before anything is made that must not be
 * left behind. A SIGHUP that is ignored stays ignored: that is what nohup(1) asks for. */
void interrupt_catch(void);

/* From now on the next signal ends the process, as if nothing had caught it. */
void interrupt_release(void);

/* How many have come since interrupt_catch(). */
unsigned interrupt_count(void);

/* Calls `on_signal` from the loop when signals have come, also for those that came earlier; `count`
 * is how many there are in all. NULL: the loop is broken instead. */
typedef void interrupt_fn(void *context, unsigned count);
struct interrupt *interrupt_watch(struct event_base *base, interrupt_fn *on_signal, void *context);

/* NULL is fine. */
void interrupt_free(struct interrupt *interrupt);

#endif
