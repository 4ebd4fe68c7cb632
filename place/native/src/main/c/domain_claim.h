/* A domain for a process that asks for it while it runs, as a program in Java does. */
#ifndef BERTH_DOMAIN_CLAIM_H
#define BERTH_DOMAIN_CLAIM_H

#include "lease.h"

/* A lease for a domain of the CPUs that the first thread of this process may use: "numa",
 * "package", "l3", "core:K" or "cpus:LIST", by its number or, below 0, the one that is
 * used least. Its descriptor, or -errno as domains_read and ledger_claim. */
int domain_claim(const char *kind, int number, bool exclusive, const char *directory,
        const char *name, struct lease *lease, struct error_text *error);

#endif
