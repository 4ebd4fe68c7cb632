/*
 * The words of a java command line, its own and those of the environment, and whether the same JVM
 * can be started with them a second time.
 *
 * The order in which agents are loaded is that of HotSpot's Arguments::parse_vm_init_args; which
 * word ends the options is decided as in the launcher's args.c (checkArg).
 */
#ifndef BERTH_LAUNCH_WORDS_H
#define BERTH_LAUNCH_WORDS_H

#include "error_text.h"

#include <stdbool.h>

/* 0 when a second start finds what the first one found. Otherwise -errno with the reason: -ESPIPE
 * an argument is gone after one reading, -EBUSY another agent has run already, -ENOMEM. */
int launch_words_check(char *const *arguments, struct error_text *reason);

/* The parts, for tests. */

/* Takes the next word off a variable's text, as the JVM and its launcher do: white space separates,
 * two kinds of quotes, no escapes. Changes the text; NULL at its end. */
char *launch_word_next(char **text);

/* Whether a launcher or JVM argument names something that can be read only once. */
bool launch_word_reads_once(const char *argument);

#endif
