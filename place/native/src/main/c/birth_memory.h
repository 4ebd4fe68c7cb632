/*
 * What a JVM reads of its memory policy while it starts.
 *
 * HotSpot asks once, before it loads agents, on which nodes the memory of its process lies
 * (os::Linux::numa_init). It takes the policy "bind" at its word and any other one for "all nodes".
 * With UseNUMA, which ZGC switches on, it then spreads the heap over all nodes, although all its
 * CPUs are near one of them; JDK 25 and later compare the CPUs, too. See
 * https://github.com/openjdk/jdk/pull/22395: 7 to 25 % of throughput.
 *
 * So a JVM that is to have the policy local or prefer, or one with NUMA balancing (whose number is
 * not that of "bind"), starts under "bind" to the same nodes, and its agent sets the policy that
 * was asked for before there is a heap. Bound to one node a JVM switches UseNUMA off: that is what
 * it is shown where weights place its heap, since its own policies would replace them.
 */
#ifndef BERTH_BIRTH_MEMORY_H
#define BERTH_BIRTH_MEMORY_H

#include "process_bind.h"

#include <stdbool.h>

/* Tells the agent of the JVM that starts next which policy the process had, as the kernel's number;
 * -1 when the JVM got what it is to have. */
#define MEMORY_VARIABLE "BERTH_AGENT_MEMORY"

/* The nodes to show to a JVM with this binding: those of its policy, or those near its CPUs; one of
 * them for a policy with weights.
 * False when these are all nodes, when the JVM gets what it asks for anyway, or when they have no
 * room for its start. `root` stands before /sys. */
bool birth_memory_nodes(
        const char *root, const struct process_binding *process, struct index_set *nodes);

/* Whether birth_memory_narrow() would do something. */
bool birth_memory_may_narrow(const struct process_binding *process);

/* Just before the JVM starts: binds the calling thread's new memory to these nodes, unless the
 * process has a policy of its own. Writes the variable in any case, since an inherited one would
 * be another process's. */
void birth_memory_narrow(const struct process_binding *process, char *variable, size_t size);

/* Called when the JVM did not start after all. */
void birth_memory_undo(const char *variable);

/* In the JVM that started: sets the policy that was asked for, also for the first thread. Does
 * nothing when it was not narrowed. 0 or -errno with the reason. */
int birth_memory_widen(const struct process_binding *process, struct error_text *error);

#endif
