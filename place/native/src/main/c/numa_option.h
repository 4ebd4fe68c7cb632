/*
 * UseNUMA in JVMs that are bound without the agent, as those that a script starts.
 *
 * JDK 17 and 21 spread the heap over all nodes unless the memory policy is "bind" (birth_memory.h),
 * and here no agent is there to change that policy. So UseNUMA is switched off in the way that
 * stands above the command line: by _JAVA_OPTIONS, of which each JVM prints a line. Therefore only
 * where an option of the command or of the environment switches UseNUMA on; ZGC and Shenandoah do
 * (zArguments.cpp and shenandoahArguments.cpp of JDK 17 to 25).
 */
#ifndef BERTH_NUMA_OPTION_H
#define BERTH_NUMA_OPTION_H

#include "process_bind.h"

#include <stdbool.h>

#define NUMA_OPTION_VARIABLE "_JAVA_OPTIONS"

/* Whether a word or a variable (both lists end with NULL) switches UseNUMA on, and the variable
 * above says nothing of it. */
bool numa_option_matters(char *const *words, char *const *variables);

/* Sets the variable for the command that this process becomes, when the binding is to some of the
 * machine's nodes. 0, or -errno when the environment has no room. */
int numa_option_set(const struct process_binding *binding, char *const *words);

#endif
