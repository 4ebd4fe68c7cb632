/*
 * A policy for the heap alone (heap_policy.h) in JVMs that a command starts.
 *
 * Only the agent can place a heap, and the command may be a script. So JVMs are told by
 * JAVA_TOOL_OPTIONS, of which each prints a line, to load it. A JVM does not start with an agent
 * that it cannot load: everything that could be in the way is looked at before.
 */
#ifndef BERTH_HEAP_OPTION_H
#define BERTH_HEAP_OPTION_H

#include "heap_policy.h"

#define HEAP_OPTION_VARIABLE "JAVA_TOOL_OPTIONS"

/* The nodes that the text left out: those of the process' memory policy. With weights they stay
 * left out, since these may be for all nodes. 0 or -ENOMEM. */
int heap_option_find_nodes(struct heap_policy *policy, const struct process_binding *process);

/* Whether a JVM of this process' user can load the library. -errno with the reason. `root` stands
 * before /lib. */
int heap_option_check(const char *library, const char *root, struct error_text *error);

/* Whether the interpreter of an ELF program is musl's loader. */
bool heap_option_is_for_musl(const char *program);

/* Whether a word or a variable (both lists end with NULL) names the agent: then its options stay
 * as they are. */
bool heap_option_is_decided(char *const *words, char *const *variables);

/* The variable's value, to be freed: the agent's option before what was there. NULL without
 * memory. */
char *heap_option_value(const char *library, const struct heap_policy *policy, const char *former);

/* Sets the variable for the command that this process becomes; `library` NULL is the one in the
 * folder of this program. -errno with the reason; 1 when the command decides itself, with a text
 * about it. */
int heap_option_set(const struct heap_policy *policy, const char *library, char *const *words,
        struct error_text *error);

#endif
