/* The policy for the pages of a JVM's heap, apart from those of its code, stacks and metaspace: the
 * option heap-memory=MODE[:W0,W1...][@NODES].
 *
 * The modes are those of memory= but for local. `weighted` and `interleave` are carried out with
 * stripes (heap_stripes.h), on every kernel and without root. Weights belong to the nodes in the
 * order of their numbers. Without weights they are the kernel's
 * (/sys/kernel/mm/mempolicy/weighted_interleave, Linux 6.9), else the bandwidths that the firmware
 * tells (HMAT: https://docs.kernel.org/admin-guide/mm/numaperf.html).
 */
#ifndef BERTH_HEAP_POLICY_H
#define BERTH_HEAP_POLICY_H

#include "process_bind.h"

#include <stdbool.h>
#include <stdint.h>

enum { HEAP_NODE_LIMIT = 64 };

#define HEAP_WEIGHT_LIMIT 999999u

/* All zero bytes: the heap is treated as all other memory. */
struct heap_policy {
    bool given;
    enum memory_mode mode;
    struct index_set nodes; /* empty: to be found by heap_policy_find() */
    uint32_t weights[HEAP_NODE_LIMIT];
    size_t weight_count; /* 0: to be found */
};

/* -EINVAL with the reason. The policy must be freed in any case. */
int heap_policy_parse(struct heap_policy *policy, const char *text, struct error_text *error);

/* Finds the nodes and weights that the text left out, among the nodes `allowed`. Nodes that are not
 * named are those of the process' memory policy; with weights all allowed ones; else those of the
 * packages that the process has CPUs in. `root` stands before /sys. -EINVAL with the reason. */
int heap_policy_find(struct heap_policy *policy, const char *root, const struct index_set *allowed,
        const struct process_binding *process, struct error_text *error);

/* Whether it takes stripes. */
bool heap_policy_has_stripes(const struct heap_policy *policy);

/* "weighted:3,1@0-1" */
const char *heap_policy_describe(const struct heap_policy *policy, char *buffer, size_t size);

int heap_policy_copy(struct heap_policy *target, const struct heap_policy *source);

void heap_policy_free(struct heap_policy *policy);

#endif
