/* The files of the ledger. Their callers hold the lock of the folder. */
#ifndef BERTH_LEDGER_FILES_H
#define BERTH_LEDGER_FILES_H

#include "lease.h"

/* What was found in the folder. */
struct ledger_found {
    struct leases leases;
    unsigned unreadable; /* locked files that are no lease, and files that may not be read */
};

/* All leases that are held but that in the file `own` (0: all), and removes files without a
 * holder. */
int ledger_read(int folder, int own, struct ledger_found *found);

/* Opens and locks the folder first: its descriptor, or -errno with the reason. On success *error is
 * that of lease_folder_open. */
int ledger_open(
        const char *directory, int own, struct ledger_found *found, struct error_text *error);

void ledger_found_free(struct ledger_found *found);

/* Writes the reason why ledger_read failed, and returns its error. */
int ledger_cannot_read(const char *directory, int result, struct error_text *error);

/* Makes a file for a lease; the descriptor holds it. */
int ledger_create(int folder, const struct lease *lease);

/* Gives a lease up, with its file; a process that ends without this leaves a file that counts for
 * nothing, and that the next reader removes. 0 or -errno of close(2). */
int ledger_release(int file);

/* Writes the lease into its file. */
int ledger_write(int file, const struct lease *lease);

/* Puts the domain into the lease. 0 or -ENOMEM. */
int ledger_set_domain(struct lease *lease, const struct domain *domain);

#endif
