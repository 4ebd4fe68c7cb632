/* The choice among the domains that other leases have left. Pure. */
#ifndef BERTH_LEASE_H
#define BERTH_LEASE_H

#include "domains.h"
#include "lease_record.h"

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
