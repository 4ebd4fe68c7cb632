/*
 * The JVMs of a host share out its domains without a coordinator: a directory with one file for
 * each lease, locked by its holder for as long as it lives.
 *
 * - The lock is flock(2): it belongs to the open file, so the kernel gives it back when the last
 *   process that holds the file ends, however it ends; PIDs that come back and PID namespaces do
 * not matter. It survives execve(2) when the descriptor does. A file without a lock is stale.
 * - A process that chooses holds a lock on the directory itself, which needs no file and no
 *   permission to write.
 * - Files of users are their own (mode 0644 in a directory of mode 1777), so users see each other
 * and cannot release each other. A stale file of another user stays and counts for nothing.
 * - One folder for each boot of a kernel: containers on one host agree through a shared volume, and
 *   hosts that share a file system do not meet.
 *
 * See https://man7.org/linux/man-pages/man2/flock.2.html. fs.protected_regular forbids O_CREAT on
 * files of others in such a directory; only own files are ever created here.
 */
#ifndef BERTH_LEDGER_H
#define BERTH_LEDGER_H

#include "lease.h"

/* Where it is by default. */
#define LEDGER_DEFAULT "/dev/shm/berth-leases"
#define LEDGER_VARIABLE "BERTH_LEASES"

/* Chooses among the domains by `index` (-1: the one that is used least, see lease_choose) and
 * writes it down. Fills `lease`, which then is the caller's to free, and returns the descriptor
 * that holds it, closed on exec; closing it gives the lease back. -EBUSY when nothing is free; any
 * other failure says what is wrong with the directory. */
int ledger_claim(const char *directory, const struct domains *domains, int index, bool exclusive,
        const char *name, struct lease *lease, struct error_text *error);

/* All leases that a process holds. `unreadable` counts files that are locked and make no sense. */
int ledger_list(const char *directory, struct leases *leases, unsigned *unreadable,
        struct error_text *error);

/* Writes other CPUs and nodes into a lease that the caller holds. */
int ledger_update(int file, const struct lease *lease, struct error_text *error);

/* The lease in a descriptor that came through execve; -EINVAL when it is not one of this process.
 */
int ledger_adopt(int file, struct lease *lease);

/* The directory from the environment, or the default. */
const char *ledger_directory(void);

#endif
