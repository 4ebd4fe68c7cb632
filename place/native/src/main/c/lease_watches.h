/* The leases that a program in Java holds and that others may not see: each with what it takes to
 * find out whether others use its CPUs. Thread-safe. */
#ifndef BERTH_LEASE_WATCHES_H
#define BERTH_LEASE_WATCHES_H

#include "domain_watch.h"

/* Takes over the domains, of which the lease in this descriptor is one. 0 or -ENOMEM. */
int lease_watches_add(
        int file, const char *directory, const struct lease *lease, struct domains *domains);

/* When others use the CPUs of the lease while others are idle, moves it there: 1, with the present
 * lease, which is to be freed. 0 also for a lease that all others see. -errno with the reason. Is
 * to be called about once a second; waits a second at most for others to leave first. */
int lease_watches_leave(int file, struct lease *lease, struct error_text *error);

void lease_watches_drop(int file);

#endif
