/* The choice among domains where others hold some that no lease here tells of: by how busy their
 * CPUs are, and at random among equal ones, so that those who choose in the same moment do not all
 * choose the first. Pure. */
#ifndef BERTH_LEASE_BY_LOAD_H
#define BERTH_LEASE_BY_LOAD_H

#include "host_load.h"
#include "lease.h"

enum {
    /* Less than this is what the kernel and services take of an idle CPU. */
    LOAD_IDLE = HOST_LOAD_WHOLE / 8
};

/* As lease_pick, without exclusive ones. A CPU that is busy counts like one in a lease, in steps of
 * a quarter of its time; those that leases hold count as busy. *random changes with each call. */
int lease_pick_by_load(const struct domains *domains, const struct leases *leases,
        const struct host_load *load, uint64_t *random, struct domain *made,
        const struct domain **picked);

/* The next of a row of random numbers, from 0 to below `limit`. */
unsigned random_below(uint64_t *random, unsigned limit);

/* A start for such a row, which no two processes share. */
uint64_t random_seed(void);

#endif
