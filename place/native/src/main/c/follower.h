/* A process of its own that moves a command, which knows nothing of leases, out of a domain that
 * others use who do not see its lease. */
#ifndef BERTH_FOLLOWER_H
#define BERTH_FOLLOWER_H

#include "assignment.h"

/* Starts one for the calling process, which becomes the command, if others may not see its lease.
 * It ends with the command, and is none of its children. It looks after the process `pid` and its
 * descendants as soon as that one is bound to the domain; 0: the command. 0 or -errno. */
int follower_start(const struct assignment *assignment, const struct options *options, long pid);

#endif
