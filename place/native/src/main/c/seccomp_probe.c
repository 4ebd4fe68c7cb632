#include "seccomp_probe.h"

#include "error_text.h"
#include "file_text.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Its number in kernels since 4.11; older headers do not have it. */
#ifndef SYS_statx
#define SYS_statx -1
#endif

#define REASON(name)                                                                               \
    "a seccomp filter would end the process at the call " name                                     \
    ": allow it (in a systemd unit: SystemCallFilter=" name ")"

static const struct {
    long number;
    const char *reason;
} calls[PROBED_CALLS] = {
        [CALL_SCHED_SETAFFINITY] = {SYS_sched_setaffinity, REASON("sched_setaffinity")},
        [CALL_GET_MEMPOLICY] = {SYS_get_mempolicy, REASON("get_mempolicy")},
        [CALL_SET_MEMPOLICY] = {SYS_set_mempolicy, REASON("set_mempolicy")},
        [CALL_MBIND] = {SYS_mbind, REASON("mbind")},
        [CALL_MOVE_PAGES] = {SYS_move_pages, REASON("move_pages")},
        [CALL_MIGRATE_PAGES] = {SYS_migrate_pages, REASON("migrate_pages")},
        [CALL_PERF_EVENT_OPEN] = {SYS_perf_event_open, REASON("perf_event_open")},
        [CALL_STATX] = {SYS_statx, REASON("statx")},
        [CALL_MEMFD_CREATE] = {SYS_memfd_create, REASON("memfd_create")},
};

enum { STATUS_LIMIT = 1 << 20, LARGE_KIB = 2 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool probed;
static atomic_uint deadly; /* a bit for each call */

static long field(const char *status, const char *name) {
    const char *line = strstr(status, name);
    return line == NULL ? 0 : strtol(line + strlen(name), NULL, 10);
}

static bool may_be_filtered(void) {
    char *status;
    size_t length;
    if (file_text_read("/proc/self/status", STATUS_LIMIT, &status, &length) < 0) {
        return false;
    }
    bool filtered =
            field(status, "\nSeccomp:") == 2 && field(status, "\nVmRSS:") <= (long)LARGE_KIB;
    free(status);
    return filtered;
}

/* In the child. Arguments that the kernel refuses or that do nothing; nothing but system calls, as
 * other threads of the parent may have held any lock. */
static void try_calls(int from, _Atomic int *current) {
    /* Its end is expected, and leaves no core file. */
    syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
    for (int call = from; call < PROBED_CALLS; call++) {
        atomic_store(current, call);
        if (call == CALL_SET_MEMPOLICY) {
            syscall(SYS_set_mempolicy, -1, NULL, 0);
        } else if (calls[call].number >= 0) {
            syscall(calls[call].number, 0, 0, 0, 0, 0, 0);
        }
    }
    atomic_store(current, PROBED_CALLS);
    syscall(SYS_exit_group, 0);
}

/* The first call from this one on that ends a process; PROBED_CALLS: none does. */
static int find_deadly(int from, _Atomic int *current) {
    int status = 0;
    /* Like fork(), but without its handlers, and the end of the child raises no SIGCHLD, for which
     * the program may have its own handler. */
    pid_t child = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (child == 0) {
        try_calls(from, current);
    }
    while (child > 0 && waitpid(child, &status, __WALL) < 0) {
        if (errno != EINTR) {
            return PROBED_CALLS;
        }
    }
    bool killed = child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
    return killed ? atomic_load(current) : PROBED_CALLS;
}

static void probe_all(void) {
    void *shared =
            mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return;
    }
    for (int call = 0; (call = find_deadly(call, shared)) < PROBED_CALLS; call++) {
        atomic_fetch_or(&deadly, 1U << call);
    }
    munmap(shared, sizeof(int));
}

int seccomp_probe(enum probed_call call) {
    if (!atomic_load_explicit(&probed, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&probed)) {
            if (may_be_filtered()) {
                probe_all();
            }
            atomic_store_explicit(&probed, true, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    unsigned found = atomic_load_explicit(&deadly, memory_order_relaxed);
    return (found >> call & 1) != 0 ? -EPERM : 0;
}

const char *seccomp_reason(enum probed_call call, int code) {
    return code == EPERM && seccomp_probe(call) < 0 ? calls[call].reason : error_reason(code);
}
