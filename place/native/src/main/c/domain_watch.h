/* Looks from time to time whether others use the CPUs of a process (crowding.h), by the files of
 * this host. */
#ifndef BERTH_DOMAIN_WATCH_H
#define BERTH_DOMAIN_WATCH_H

#include "crowding.h"

/* All zero bytes is one that has not begun. */
struct domain_watch {
    struct crowding crowding;
    struct domains domains; /* that the process may have; the caller fills it */
    bool begun;
    bool over; /* nothing is left to look for, until the CPUs change */
};

/* 1: others use these CPUs, which the process `pid` and its descendants have, while others are
 * idle; `load` is to be freed. 0 also when it is not yet time to look, or nothing can be read. */
int domain_watch_is_crowded(
        struct domain_watch *watch, const struct index_set *cpus, long pid, struct host_load *load);

/* The time in ms to the next look. */
int64_t domain_watch_wait(const struct domain_watch *watch);

/* The domains have to be read again. */
void domain_watch_forget(struct domain_watch *watch);

void domain_watch_free(struct domain_watch *watch);

#endif
