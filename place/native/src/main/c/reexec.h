/*
 * Bound before the JVM starts: start the same JVM again, in the same process, under the new mask.
 *
 * A JVM chooses its collector, the number of its GC and compiler threads and whether it uses
 * NUMA before it loads agents, and its launcher has touched memory by then. Binding at that point
 * leaves all of that as it was for the whole machine. Binding and then calling execve(2) with the
 * command line from /proc/self/cmdline gives what `numactl java ...` gives, with the PID, the open
 * files, stdin and the parent unchanged, at a cost of a few milliseconds.
 *
 * Never twice in one process: the environment variable BERTH_AGENT_PID holds "<pid>:<start time
 * of the process in clock ticks>:<number of starts>", and the first two survive execve. It stays in
 * the environment: a second agent library in the same JVM must see it too, and to a child it means
 * nothing, because the child has another PID or, in a PID namespace, another start time. Should a
 * surrounding tell another start time each time, the number of starts of the same PID ends it.
 *
 * What it repeats: "Picked up JAVA_TOOL_OPTIONS" and other output from before the agents. The
 * opening of unified log files is undone (jvm_logs.h). A JVM that berth-exec has bound before it
 * became one is not started again at all.
 *
 * See https://man7.org/linux/man-pages/man2/execve.2.html (which threads survive, what is kept).
 */
#ifndef BERTH_REEXEC_H
#define BERTH_REEXEC_H

#include "error_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REEXEC_GUARD "BERTH_AGENT_PID"

enum { REEXEC_VARIABLES = 4, REEXEC_LIMIT = 8 };

/* Whether this process has been started again already. */
bool reexec_done(void);

/* 0 when the program may be started again: it is a `java` launcher whose arguments can be read a
 * second time. Otherwise -errno with the reason: -EXDEV not a launcher, those of
 * launch_words_check(), another number: /proc could not be read. */
int reexec_possible(struct error_text *reason);

/* Tells the agent of the program that this process becomes next that it need not be started again;
 * `variables` as for reexec_run(), which become part of the environment of this process. */
int reexec_mark(char *const *variables, struct error_text *error);

/* Starts the program again with up to REEXEC_VARIABLES more variables ("NAME=value", ended by
 * NULL), which hand knowledge to the second start. Returns only on failure. */
int reexec_run(char *const *variables, struct error_text *error);

/* The parts, for tests. */

/* Splits "a\0b\0" into pointers to its parts, ended by NULL. NULL when out of memory. */
char **reexec_split(char *text, size_t length);

/* The file of classes of the JDK whose launcher is the program: /jdk/lib/modules of /jdk/bin/java.
 * False when the path is not that of a launcher. */
bool reexec_modules_of(const char *program, char *path, size_t size);

/* The blocked signals in the text of /proc/<pid>/status; 0 when the line is missing. */
uint64_t reexec_blocked_signals(const char *status);

#endif
