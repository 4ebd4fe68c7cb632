/*
 * What one JVM holds, as it stands in the ledger, and the choice among what is left. Pure.
 *
 * The text form, one item a line in this order; what runs to the end of a line may hold spaces:
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
#ifndef BERTH_LEASE_H
#define BERTH_LEASE_H

#include "domains.h"
#include "text_buffer.h"

#include <stdint.h>

enum { LEASE_TEXT_SIZE = 4096, LEASE_NAME_SIZE = 64 };

struct lease {
    long pid; /* in the namespace of its holder */
    uint64_t start;
    uint64_t pid_namespace;
    unsigned user;
    struct index_set cpus;
    struct index_set nodes;
    bool exclusive;
    int64_t since;
    char domain[48];
    char name[LEASE_NAME_SIZE];
};

struct leases {
    struct lease *items;
    size_t count;
};

void lease_write(const struct lease *lease, struct text_buffer *text);

/* 0, -ENOMEM, or -EINVAL for a text that is not a lease; it then holds nothing. */
int lease_read(struct lease *lease, const char *text);

void lease_free(struct lease *lease);
void leases_free(struct leases *leases);

/* The domain to take: the one whose CPUs are used least; of equal ones that in the package, then in
 * the node, that is used least; then the first. What an exclusive lease holds is never chosen, and
 * `exclusive` asks for one that no other process uses at all. -EBUSY when there is none. */
int lease_choose(const struct domains *domains, const struct leases *leases, bool exclusive);

#endif
