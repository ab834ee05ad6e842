#ifndef REFEREE_SANDBOX_PROGRAM_TOOL_H
#define REFEREE_SANDBOX_PROGRAM_TOOL_H

/* Programs that run a bot and are not its own: interpreters that were found in PATH. They are named
 * by absolute paths. */

#include <stdbool.h>

/* Whether our PATH has the folder of that program. */
bool program_tool_is_in_path(const char *program);

/* The paths that a program was installed with, if it is outside of the system's folders (a virtual
 * environment, a home); NULL ends them. What is no part of it, like a store, or comes later, is
 * left out. Returns NULL if it is in no installation. Free it with program_tool_free(). */
char **program_tool_installation(const char *program);
void program_tool_free(char **paths);

/* The program of the same name in the system's folders; NULL if there is none. Free it. */
char *program_tool_of_system(const char *program);

#endif
