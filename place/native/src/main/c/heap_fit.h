/*
 * Whether the heap of a JVM can be where its memory is bound to.
 *
 * A policy of mode bind has no way out: when the nodes are full the kernel kills the process. The
 * JVM takes a quarter of the whole machine's memory for its heap by default, also
 * under numactl, and that can be more than one node has.
 */
#ifndef BERTH_HEAP_FIT_H
#define BERTH_HEAP_FIT_H

#include "process_bind.h"

#include <stdint.h>

/* The memory of the nodes together (MemTotal), in bytes; at least `system_bytes`, the memory of the
 * system, when these are all nodes with memory. `directory` holds node<n>/meminfo and has_memory,
 * as /sys/devices/system/node does. 0 or -errno with the text saying why. */
int heap_fit_node_bytes(const char *directory, uint64_t system_bytes, const struct index_set *nodes,
        uint64_t *bytes, struct error_text *error);

/* 0: it fits; 1: it does not, and the text is one line about it. */
int heap_fit_check(uint64_t heap_bytes, uint64_t node_bytes, const struct index_set *nodes,
        struct error_text *text);

/* The same for this JVM, when it asks for mode bind: prints the line when its largest heap does not
 * fit and, if `verbose`, why that cannot be told. */
void heap_fit_tell(const struct process_binding *binding, bool verbose);

#endif
