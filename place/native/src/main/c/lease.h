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

/* The kernel has at most 8192 CPUs and 1024 nodes. The longest list names every second one. */
enum {
    LEASE_TEXT_SIZE = 32768,
    LEASE_NAME_SIZE = 64,
    LEASE_CPU_LIMIT = 8192,
    LEASE_NODE_LIMIT = 1024
};

/* Whose a lease is, for a process that chooses. */
enum kin {
    KIN_NONE,
    /* Of a process that this one descends from, and around all that is asked for. */
    KIN_ANCESTOR,
    /* Of another descendant of that one. */
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
    enum kin kin; /* not in the text */
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

/* The domain to take: the one whose CPUs are used least; of equal ones that in the package, then in
 * the node, that is used least; then the first. What an exclusive lease holds is never chosen, and
 * `exclusive` asks for one that no other process uses at all. Leases of ancestors do not count:
 * what they hold they have handed down. Domains without CPUs are not chosen. -EBUSY when there is
 * none. */
int lease_choose(const struct domains *domains, const struct leases *leases, bool exclusive);

/* The same for domains of several cores, of which some are in no domain, or a domain has some that
 * are used and some that are not: where the K least used cores of a node, then of a package, then
 * of all are used less than the chosen domain, they are one, `*made`, which is then the caller's to
 * free. 0 with `*picked`, one of the domains or `made`; -EBUSY or -ENOMEM. */
int lease_pick(const struct domains *domains, const struct leases *leases, bool exclusive,
        struct domain *made, const struct domain **picked);

/* Whether these CPUs may be taken: no other process holds one of them exclusively, and for an
 * exclusive lease, none holds one at all. */
bool lease_is_free(const struct index_set *cpus, const struct leases *leases, bool exclusive);

#endif
