/* The JVMs of a host divide its domains without a coordinator: a directory with one file for each
 * lease, locked by its holder for as long as it lives.
 *
 * - The lock is flock(2): it belongs to the open file, so the kernel releases it when the last
 * process that holds the file ends, however it ends; reused PIDs and PID namespaces do not matter.
 * It survives execve(2) when the descriptor does. A file without a lock is stale.
 * - A process that chooses holds a lock on the directory itself, which needs no file and no
 *   permission to write.
 * - Files of users are their own (mode 0644 in a directory of mode 1777), so users see each other
 * and cannot release each other. A stale file of another user stays and counts for nothing.
 * - Any user may write any file there, so all of them are hostile input: the number of files, their
 *   size and the work that one causes are bounded, the owner of a file is its user, and a locked
 *   file that is not a lease prevents exclusive domains. For what a local user can still do, see
 *   docs/background/security.md.
 *
 * See https://man7.org/linux/man-pages/man2/flock.2.html. fs.protected_regular forbids O_CREAT on
 * files of others in such a directory; only own files are ever created here.
 */
#ifndef BERTH_LEDGER_H
#define BERTH_LEDGER_H

#include "lease_by_load.h"
#include "lease_folder.h"
#include "ledger_view.h"

/* `former`, if it is not 0, is a lease that the caller gives up when it has the new one: it does
 * not count. Chooses among the domains by `index` (-1: the one that is used least, see
 * lease_choose) and writes it down. Fills `lease`, which then is the caller's to free, and returns
 * the descriptor that holds it, closed on exec; closing it releases the lease. -EBUSY when nothing
 * is free; any other failure says what is wrong with the directory. On success *error holds a
 * warning, or is empty.
 *
 * A descendant of a process that holds a domain may have all of that domain: what its siblings
 * hold does not keep it out, but then it is not exclusive.
 *
 * Where others may not see the directory, no domain is exclusive (-EBUSY), one is chosen by the
 * load of the CPUs, which takes HOST_LOAD_MILLIS, and a warning tells the remedy. */
int ledger_claim(const char *directory, const struct domains *domains, int index, bool exclusive,
        const char *name, int former, struct lease *lease, struct error_text *error);

/* Whether others see the leases of a directory; one that cannot be used hides nothing. */
enum ledger_view ledger_view(const char *directory);

/* All leases that a process holds. `unreadable` counts files that are locked and make no sense. On
 * success *error holds a warning, or is empty. */
int ledger_list(const char *directory, struct leases *leases, unsigned *unreadable,
        struct error_text *error);

/* The domain of a lease whose holder may use only CPUs that others hold exclusively. */
#define LEDGER_ALL_TAKEN "all usable CPUs, which others hold"

/* The domains to which the holder of a lease may move when the CPUs change that it may use. */
struct ledger_move {
    const struct domain *home;     /* what it had first, and goes back to */
    const struct domains *domains; /* the present domains of its kind, or NULL */
    const struct index_set *usable;
    const struct host_load *load; /* by others, where they may be unseen; else NULL */
};

/* Moves a lease: to its home, if that is usable and free; else it keeps what is left of its present
 * CPUs; else another domain that is free; else all usable CPUs that no other process holds
 * exclusively, or all that are usable, and then it is not exclusive any more, which *error says.
 * Without a lock on the directory (a failure, in *error) the lease stays as it is written. */
int ledger_move(const char *directory, int file, struct lease *lease,
        const struct ledger_move *move, struct error_text *error);

/* Moves a lease to a domain that nobody here holds and that is idle by the load, if there is one:
 * 1, with `home` that domain; 0 when there is none. */
int ledger_leave(const char *directory, int file, struct lease *lease,
        const struct domains *domains, const struct host_load *load, struct domain *home,
        struct error_text *error);

/* Looks whether the file of a held lease is still there, and makes it again if it is not: the owner
 * of a directory may remove it, and so does a clean-up of /dev/shm at the end of a session
 * (logind's RemoveIPC=). Returns the descriptor, which may be another one; the former is closed
 * then, and *error says what happened. -errno when it could not be made; the former is as it was.
 */
int ledger_keep(const char *directory, int file, struct lease *lease, struct error_text *error);

/* The lease in a descriptor that came through execve; -EINVAL when it is not one of this process.
 */
int ledger_adopt(int file, struct lease *lease);

#endif
