/*
 * The memory policy of a JVM whose cpuset changes.
 *
 * The kernel maps the nodes of every policy to the new ones by their position: a policy of node 1
 * becomes one of node 0 where the cpuset loses node 1, and stays so when node 1 returns (see
 * "Memory Policies and cpusets" of
 * https://docs.kernel.org/admin-guide/mm/numa_memory_policy.html). The thread that follows the CPUs
 * sees that in its own policy, and gives all threads the right one again.
 */
#ifndef BERTH_AGENT_MEMORY_H
#define BERTH_AGENT_MEMORY_H

/* Called by the watching thread before anything can change: remembers the policy of the process,
 * when it has the one that it was started for. */
void agent_memory_begin(void);

/* Restores the policy of all threads, and moves the pages of those that keep to their nodes, when
 * the kernel has changed it; one line tells the result. The lock is held by the caller, which is
 * the watching thread. */
void agent_memory_look(void);

#endif
