/*
 * Whether the other processes of this host see the leases of a directory. A container mostly has a
 * /dev/shm and a /run of its own: the leases in there tell nothing of the rest of the host.
 *
 * The first user namespace and so on have fixed numbers (include/linux/proc_ns.h of the kernel);
 * the first mount namespace has one since Linux 6.18, and before it got the first or the second of
 * the numbers that the kernel gives out, at its start and for good.
 */
#ifndef BERTH_LEDGER_VIEW_H
#define BERTH_LEDGER_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ledger_view { LEDGER_SEEN, LEDGER_APART, LEDGER_UNKNOWN };

/* The mount that a directory lies on, as a line of /proc/PID/mountinfo tells it. */
struct ledger_mount {
    char device[24];
    char root[512]; /* the folder of the file system that is mounted */
    char point[512];
    char type[32];
    char source[64];
    bool follows; /* it is a copy that follows the mounts of another namespace (master:N) */
};

struct ledger_facts {
    bool named; /* by the user, who has mounted it into all containers */
    uint64_t mount_namespace;
    uint64_t pid_namespace;
    uint64_t ipc_namespace; /* 0: the kernel has none */
    /* Whether the first process of the host has the same directory at this path: 1 or 0; -1 when
     * that cannot be looked at. */
    int same_as_first;
    bool engine; /* docker, podman or Kubernetes made this container */
    struct ledger_mount mount;
};

/* Pure. */
enum ledger_view ledger_view_judge(const struct ledger_facts *facts);

/* The mount of a path in a text of mountinfo: the last one of the longest mount points that it lies
 * below. False without one. Pure. */
bool ledger_mount_find(const char *mountinfo, const char *path, struct ledger_mount *mount);

/* Whether a path lies in the same folder of the same file system in two texts of mountinfo. Pure.
 */
bool ledger_mount_same(const char *mountinfo, const char *other, const char *path);

/* Of a directory that is open; `directory` is its name. With `folder` -1 by what can be told
 * without: LEDGER_SEEN, or it has to be opened. */
enum ledger_view ledger_view_of(const char *directory, int folder);

/* "only this container sees the leases in DIRECTORY: ...", with the remedy. */
const char *ledger_view_text(enum ledger_view view, const char *directory, char *text, size_t size);

#endif
