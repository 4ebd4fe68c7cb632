/*
 * The directory in which the leases of a host are, open and locked.
 *
 * It is made if it is not there, for all users: mode 1777. The lock is on the directory itself
 * (flock(2)), which needs no file and no permission to write.
 *
 * Containers may see another identity of the kernel's boot than their host (systemd-nspawn and LXC
 * mount one of their own), so the directory is not divided by it. Only on a file system that hosts
 * share each boot of a kernel has a folder of its own, so that hosts do not meet.
 */
#ifndef BERTH_LEASE_FOLDER_H
#define BERTH_LEASE_FOLDER_H

#include "error_text.h"

#include <stddef.h>

/* An administrator makes it at boot, so that no user owns it; see docs/guide/sharing-a-host.md. */
#define LEDGER_OF_HOST "/run/berth/leases"
/* The directory where that one does not exist. */
#define LEDGER_DEFAULT "/dev/shm/berth-leases"
#define LEDGER_VARIABLE "BERTH_LEASES"

/* The directory from the environment, else that of the administrator, else the default. */
const char *lease_folder_name(void);

/* The descriptor; closing it unlocks. On failure -errno, with what is wrong with the directory. On
 * success *error holds a warning when another user can take leases away from their holders, and is
 * empty otherwise. */
int lease_folder_open(const char *directory, struct error_text *error);

/* Names the process that has locked a file by flock(2): "process 4711 of user 1000"; "another
 * process" where the kernel does not tell, as of a process that is not in this PID namespace. */
void lease_folder_holder(int file, char *text, size_t size);

/* Describes why a directory cannot be used or written to: the owner of the obstacle, and the
 * remedy. Returns the result. */
int lease_folder_refuse(
        const char *directory, int result, const char *verb, struct error_text *error);

#endif
