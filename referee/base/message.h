#ifndef REFEREE_BASE_MESSAGE_H
#define REFEREE_BASE_MESSAGE_H

/* Sentences for the person at the terminal, on stderr. The format is always a literal of ours;
 * text from outside is only ever an argument. */

/* What fatal() exits with: an error inside the program. */
#define FATAL_EXIT 70

/* The name before each message; "referee" by default. `name` is borrowed and must stay valid. */
void message_set_program(const char *name);

/* Writes "PROGRAM: the message" and a line end, in one piece. */
void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what is wrong with the program itself and ends it. No input may ever lead here. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
