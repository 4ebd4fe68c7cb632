/*
 * The memory nodes near CPUs, read from sysfs: those that have the CPUs (nodeN/cpulist). A node of
 * memory alone, such as CXL or HBM, is near none and used when it is named. Topology.nodesOf() in
 * Java gives the same answer from hwloc's description; nodes-of.tsv of testing/machines tests both.
 * See https://docs.kernel.org/admin-guide/mm/numaperf.html (nodeN/cpulist, nodeN/meminfo).
 */
#ifndef BERTH_NODES_NEAR_H
#define BERTH_NODES_NEAR_H

#include "index_set.h"

/* The nodes with memory that have one of the CPUs; `root` stands before /sys ("" for this machine).
 * -ENOENT when a CPU is in none of them, as that of a node without memory; those of the others are
 * there all the same. */
int nodes_near_cpus(const char *root, const struct index_set *cpus, struct index_set *nodes);

/* All nodes with memory. -errno where the kernel does not tell. */
int nodes_with_memory(const char *root, struct index_set *nodes);

/* What new pages can have on these nodes without taking memory from programs: free pages, and those
 * of the file cache. 0 where the kernel does not tell. */
uint64_t nodes_room_bytes(const char *root, const struct index_set *nodes);

#endif
