/*
 * Whether a seccomp filter ends the process at a system call, as that of a systemd unit with
 * SystemCallFilter=~@resources does. Other filters let the call fail, which needs no care.
 *
 * No process can read its own filters. So when /proc/self/status shows one, a child of this process
 * tries the calls, without any effect, and dies in its place. See seccomp(2). */
#ifndef BERTH_SECCOMP_PROBE_H
#define BERTH_SECCOMP_PROBE_H

enum probed_call {
    CALL_SCHED_SETAFFINITY,
    CALL_GET_MEMPOLICY,
    CALL_SET_MEMPOLICY,
    CALL_MBIND,
    CALL_MOVE_PAGES,
    CALL_MIGRATE_PAGES,
    CALL_PERF_EVENT_OPEN,
    CALL_STATX,
    CALL_MEMFD_CREATE,
    PROBED_CALLS
};

/* 0, or -EPERM when the call would end this process. Asked before each such call: the calls are
 * tried once, and a filter that is installed later is not found. A process of more than 2 GiB in
 * memory is not copied for that, and gets 0. */
int seccomp_probe(enum probed_call call);

/* What a failure means to the user: the system's words for the code, or that a filter would end
 * the process at this call, and what to do. */
const char *seccomp_reason(enum probed_call call, int code);

#endif
