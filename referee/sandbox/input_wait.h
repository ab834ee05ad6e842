#ifndef REFEREE_SANDBOX_INPUT_WAIT_H
#define REFEREE_SANDBOX_INPUT_WAIT_H

/* Whether a process that is silent waits for more input. A program whose answer is still in its
 * buffer does: it believes that it has answered. One that sleeps, computes or waits for something
 * else does not. */

struct process;

enum input_wait {
    INPUT_WAIT_UNKNOWN, /* the kernel does not let us look at all of its threads */
    INPUT_WAIT_NO,
    INPUT_WAIT_YES, /* a thread waits for input without a time limit; none runs or sleeps */
};

/* What the process and everything it started do now. */
enum input_wait input_wait_of(const struct process *process);

#endif
