#include "leader_policy.h"

#include "file_text.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NODE_WORDS = 1024 / (8 * sizeof(unsigned long)), NODE_BITS = 1024 + 1, WAIT_MILLIS = 200 };

enum { STATUS_LIMIT = 1 << 16 };

/* Ignored unless a program handles it, so that a signal that comes too late does no harm. */
enum { SIGNAL = SIGURG };

static int policy;
static unsigned long nodes[NODE_WORDS];
static atomic_int answers;
static atomic_int failure;

/* Only system calls: this interrupts whatever the thread does. */
static void set_own_policy(int number) {
    int before = errno;
    (void)number;
    if (syscall(SYS_set_mempolicy, policy, nodes, NODE_BITS) < 0) {
        atomic_store(&failure, -errno);
    }
    atomic_fetch_add(&answers, 1);
    errno = before;
}

/* How many of them are not there yet. */
static int wait_for_answers(int count) {
    for (int i = 0; i < WAIT_MILLIS && atomic_load(&answers) < count; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return count - atomic_load(&answers);
}

/* Prepares what the handler reads: the policy of the calling thread. */
static int begin(struct sigaction *former) {
    struct sigaction handler = {.sa_handler = set_own_policy, .sa_flags = SA_RESTART};
    memset(nodes, 0, sizeof nodes);
    if (syscall(SYS_get_mempolicy, &policy, nodes, NODE_BITS, 0, 0) < 0) {
        return -errno;
    }
    sigemptyset(&handler.sa_mask);
    atomic_store(&answers, 0);
    atomic_store(&failure, 0);
    return sigaction(SIGNAL, &handler, former) < 0 ? -errno : 0;
}

int leader_policy_set(void) {
    int leader = (int)getpid();
    struct sigaction former;
    if ((int)syscall(SYS_gettid) == leader) {
        return 0;
    }
    int result = begin(&former);
    if (result < 0) {
        return result;
    }
    result = syscall(SYS_tgkill, leader, leader, SIGNAL) < 0 ? -errno
             : wait_for_answers(1) > 0                       ? -ETIMEDOUT
                                                             : atomic_load(&failure);
    sigaction(SIGNAL, &former, NULL);
    return result;
}

/* Whether the thread blocks the signal; true when it has ended. */
static bool is_deaf(int tid) {
    char path[64];
    char *text;
    size_t length;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    if (file_text_read(path, STATUS_LIMIT, &text, &length) < 0) {
        return true;
    }
    const char *blocked = strstr(text, "\nSigBlk:");
    bool deaf = blocked == NULL ||
                (strtoull(blocked + sizeof "\nSigBlk:", NULL, 16) >> (SIGNAL - 1) & 1) != 0;
    free(text);
    return deaf;
}

int threads_policy_set(unsigned *missed) {
    struct sigaction former;
    int sent = 0;
    *missed = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return -errno;
    }
    int result = begin(&former);
    for (struct dirent *entry; result == 0 && (entry = readdir(tasks)) != NULL;) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && tid != (int)syscall(SYS_gettid)) {
            bool reached = !is_deaf(tid) && syscall(SYS_tgkill, getpid(), tid, SIGNAL) == 0;
            sent += reached ? 1 : 0;
            *missed += reached ? 0 : 1;
        }
    }
    closedir(tasks);
    if (result == 0) {
        *missed += (unsigned)wait_for_answers(sent);
        result = atomic_load(&failure);
        sigaction(SIGNAL, &former, NULL);
    }
    return result < 0 ? result : sent;
}
