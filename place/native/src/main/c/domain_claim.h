/* A domain for a process that asks for it while it runs, as a program in Java does. */
#ifndef BERTH_DOMAIN_CLAIM_H
#define BERTH_DOMAIN_CLAIM_H

#include "lease.h"
#include "plan_parser.h"

/* A lease for a domain of the CPUs that the first thread of this process may use: "numa",
 * "package", "l3", "core:K" or "cpus:LIST", by its number or, below 0, the one that is
 * used least. Its descriptor, or -errno as domains_read and ledger_claim; while others may not see
 * the lease, they are looked for (lease_watches.h). */
int domain_claim(const char *kind, int number, bool exclusive, const char *directory,
        const char *name, struct lease *lease, struct error_text *error);

/* The same for one worker of a plan, labelled "worker N". */
int domain_claim_worker(const struct plan *plan, const char *directory, bool exclusive,
        const char *name, struct lease *lease, struct error_text *error);

#endif
