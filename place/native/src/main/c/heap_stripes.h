/*
 * A heap in stripes, each of which has one node: any proportion of pages by node, per process,
 * without root and on every kernel. MPOL_WEIGHTED_INTERLEAVE has weights of the whole system, which
 * root sets, and mbind(2) does not spread pages that are there already by it.
 *
 * A stripe prefers its node: when that is full, pages go elsewhere and the JVM lives.
 *
 * Stripes begin and end at whole granules of the size of a huge page. A smaller one would take huge
 * pages from the heap, and those that are there already would move with each of their stripes to
 * the node of the last one. Their number is limited: each is a mapping, of
 * which a process may have 65530 (vm.max_map_count).
 */
#ifndef BERTH_HEAP_STRIPES_H
#define BERTH_HEAP_STRIPES_H

#include "heap_policy.h"

#include <stdint.h>

enum { STRIPE_LIMIT = 4096 };

struct heap_stripes {
    const struct heap_policy *policy; /* with stripes: with weights */
    uint64_t bytes;
    uint64_t granule_bytes;
    uint64_t granules;
    uint64_t cycles; /* in each of them every node gets its share */
    bool is_file;    /* the heap is a file in memory that the JVM alone maps */
};

/* The size of a huge page, by /sys below `root`; 2 MiB where it is above 32 MiB, as with pages of
 * 64 KiB on aarch64. */
uint64_t heap_stripes_granule(const char *root);

/* `limit`: how many stripes there may be. */
void heap_stripes_plan(struct heap_stripes *stripes, const struct heap_policy *policy,
        uint64_t bytes, uint64_t granule, unsigned limit);

/* The stripe that `offset` is in: its index among the policy's nodes, and where it ends. */
unsigned heap_stripes_at(const struct heap_stripes *stripes, uint64_t offset, uint64_t *end);

/* Gives the pages of a mapping their policy: `address` is where the heap's `offset` is mapped. With
 * `move` also those that are there already: 1 when some of them stayed where they were, as a page
 * does that the kernel has in use at the moment. 0 or -errno. */
int heap_stripes_apply(const struct heap_stripes *stripes, uintptr_t address, uint64_t offset,
        uint64_t bytes, bool move);

/* Whether the first page of a mapping has the policy of the heap's `offset`. */
bool heap_stripes_hold(const struct heap_stripes *stripes, uintptr_t address, uint64_t offset);

/* Brings the pages of a shared mapping that are in memory into its page tables, and no others;
 * whether there were any. */
bool heap_stripes_touch_resident(uintptr_t address, uint64_t bytes);

#endif
