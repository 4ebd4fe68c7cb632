/* A process of its own that moves a command, which knows nothing of leases, out of a domain that
 * others use who do not see its lease. */
#ifndef BERTH_FOLLOWER_H
#define BERTH_FOLLOWER_H

#include "assignment.h"

/* Starts one for the calling process, which becomes the command, if others may not see its lease.
 * It ends with the command, and is none of its children. `usable` are the CPUs before the process
 * is bound. 0 or -errno. */
int follower_start(const struct assignment *assignment, const struct options *options,
        const struct index_set *usable);

#endif
