/*
 * Memory policy and page placement, by raw system calls: libnuma is not needed.
 * See https://docs.kernel.org/admin-guide/mm/numa_memory_policy.html,
 * https://man7.org/linux/man-pages/man2/set_mempolicy.2.html, .../mbind.2.html,
 * .../move_pages.2.html and .../migrate_pages.2.html.
 *
 * Kernel policies are used as they are (MPOL_*): 0 default, 1 preferred, 2 bind, 3 interleave,
 * 4 local, 6 weighted interleave (Linux 6.9). "Preferred" over several nodes becomes
 * MPOL_PREFERRED_MANY (5) where the kernel has it (5.15), and otherwise the lowest node.
 * The flag MPOL_F_NUMA_BALANCING lets the kernel move pages among the nodes of a policy: of "bind"
 * since Linux 5.12, of MPOL_PREFERRED_MANY since 6.10. A kernel without one gives -EINVAL.
 */
#ifndef BERTH_MEMORY_BIND_H
#define BERTH_MEMORY_BIND_H

#include "index_set.h"

#include <stdint.h>

enum kernel_policy {
    POLICY_DEFAULT = 0,
    POLICY_PREFERRED = 1,
    POLICY_BIND = 2,
    POLICY_INTERLEAVE = 3,
    POLICY_LOCAL = 4,
    POLICY_PREFERRED_MANY = 5,
    POLICY_WEIGHTED = 6,
    POLICY_FLAG_BALANCING = 1 << 13,
    POLICY_BIND_BALANCE = POLICY_BIND | POLICY_FLAG_BALANCING,
    POLICY_PREFER_BALANCE = POLICY_PREFERRED_MANY | POLICY_FLAG_BALANCING,
};

/* MOVE_ALL also moves pages that several mappings have, and needs CAP_SYS_NICE. */
enum range_flags { RANGE_STRICT = 1, RANGE_MOVE = 2, RANGE_MOVE_ALL = 4 };

/* Sets the policy for new pages of the calling thread. 0 or -errno. */
int memory_policy_set(int policy, const struct index_set *nodes);

/* Returns the policy of the calling thread (mode flags removed but for that of NUMA balancing;
 * PREFERRED_MANY is told as preferred) and its nodes, or -errno. */
int memory_policy_get(struct index_set *nodes);

/* The nodes that the cpuset of the calling thread lets it use. */
int memory_allowed_nodes(struct index_set *nodes);

/* Sets the policy of the whole pages inside the range (never of a page shared with a neighbour)
 * and returns their number, which may be 0, or -errno. */
int64_t memory_bind_range(
        uintptr_t address, uint64_t length, int policy, const struct index_set *nodes, int flags);

/* Writes, for every page that the range touches, the node it is on or -errno (-ENOENT: not
 * there yet). Returns the number of pages; -ENOBUFS when the array is too small. */
int64_t memory_range_nodes(uintptr_t address, uint64_t length, int32_t *nodes, size_t capacity);

/* Moves those pages of the range that are on another node to the lowest of these. Returns how many
 * stayed where they were, or -errno. */
int64_t memory_move_strays(uintptr_t address, uint64_t length, const struct index_set *nodes);

/* The policy that the pages of the range have (in the same form) and its nodes; -EXDEV when they
 * have different ones. One system call a page. */
int memory_range_policy(uintptr_t address, uint64_t length, struct index_set *nodes);

/* New private memory that no thread has touched: its address, which is page-aligned, or -errno. A
 * page before it and one behind it cannot be accessed: the kernel merges mappings that lie side by
 * side, and a neighbour's first touch would then place, with a huge page over both, pages of this
 * one too, before it has its policy. */
int64_t memory_map(uint64_t length);

/* Releases the pages and keeps the addresses: later reads there find zeros. 0 or -errno. */
int memory_discard(uintptr_t address, uint64_t length);

/* madvise(2) with MADV_HUGEPAGE; -EINVAL when the kernel has no transparent huge pages. */
int memory_use_huge_pages(uintptr_t address, uint64_t length);

/* Takes only what memory_map returned, with the same length. 0 or -errno. */
int memory_unmap(uintptr_t address, uint64_t length);

/* Moves all pages of a process between nodes (pid 0: own). Returns the number of pages that could
 * not be moved, or -errno. */
int memory_migrate(int pid, const struct index_set *from, const struct index_set *to);

#endif
