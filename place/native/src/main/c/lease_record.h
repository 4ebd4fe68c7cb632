/* What one JVM holds, as written in the ledger. Pure.
 *
 * The text form, one item per line in this order; what runs to the end of a line may hold spaces:
 *
 *     berth-lease 1
 *     pid 123
 *     start 4567            of the process, in clock ticks after boot (proc_pid_stat(5), field 22)
 *     pid-namespace 4026531836
 *     user 0
 *     cpus 0-3
 *     nodes 0
 *     exclusive no
 *     since 1767225600      seconds since 1970
 *     domain NUMA node 0
 *     name spark-executor
 */
#ifndef BERTH_LEASE_RECORD_H
#define BERTH_LEASE_RECORD_H

#include "index_set.h"
#include "text_buffer.h"

#include <stdint.h>

/* The kernel has at most 8192 CPUs and 1024 nodes. The longest list names every second one. */
enum {
    LEASE_TEXT_SIZE = 32768,
    LEASE_NAME_SIZE = 64,
    LEASE_CPU_LIMIT = 8192,
    LEASE_NODE_LIMIT = 1024
};

/* The owner of a lease, for a process that chooses. */
enum kin {
    KIN_NONE,
    /* A process that this one descends from, and the lease is around all that is asked for. */
    KIN_ANCESTOR,
    /* Another descendant of that one. */
    KIN_RELATIVE
};

struct lease {
    long pid; /* in the namespace of its holder */
    uint64_t start;
    uint64_t pid_namespace;
    unsigned user;
    struct index_set cpus;
    struct index_set nodes;
    bool exclusive;
    /* Not in the text: */
    enum kin kin;
    bool apart; /* others may not see it, and it is one of several domains */

    int64_t since;
    char domain[48];
    char name[LEASE_NAME_SIZE];
};

struct leases {
    struct lease *items;
    size_t count;
};

/* 0, or -E2BIG for CPUs or nodes that a lease cannot hold: a list that was cut would be no lease.
 */
int lease_write(const struct lease *lease, struct text_buffer *text);

/* 0, -ENOMEM, or -EINVAL for a text that is not a lease, nothing more and nothing less; it then
 * holds nothing. Any user may have written it: every number is bounded, and so is the work. */
int lease_read(struct lease *lease, const char *text);

void lease_free(struct lease *lease);
void leases_free(struct leases *leases);

#endif
