#include "leader_policy.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NODE_WORDS = 1024 / (8 * sizeof(unsigned long)), NODE_BITS = 1024 + 1, WAIT_MILLIS = 200 };

/* Ignored unless a program handles it, so that a signal that comes too late does no harm. */
enum { SIGNAL = SIGURG };

static int policy;
static unsigned long nodes[NODE_WORDS];
static atomic_int answer;

/* Only system calls: this interrupts whatever the first thread does. */
static void set_own_policy(int number) {
    int before = errno;
    (void)number;
    atomic_store(&answer, syscall(SYS_set_mempolicy, policy, nodes, NODE_BITS) < 0 ? -errno : 1);
    errno = before;
}

static int wait_for_answer(void) {
    for (int i = 0; i < WAIT_MILLIS && atomic_load(&answer) == 0; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    int result = atomic_load(&answer);
    return result == 0 ? -ETIMEDOUT : result < 0 ? result : 0;
}

int leader_policy_set(void) {
    int leader = (int)getpid();
    if ((int)syscall(SYS_gettid) == leader) {
        return 0;
    }
    struct sigaction handler = {.sa_handler = set_own_policy, .sa_flags = SA_RESTART};
    struct sigaction former;
    memset(nodes, 0, sizeof nodes);
    if (syscall(SYS_get_mempolicy, &policy, nodes, NODE_BITS, 0, 0) < 0) {
        return -errno;
    }
    sigemptyset(&handler.sa_mask);
    atomic_store(&answer, 0);
    if (sigaction(SIGNAL, &handler, &former) < 0) {
        return -errno;
    }
    int result = syscall(SYS_tgkill, leader, leader, SIGNAL) < 0 ? -errno : wait_for_answer();
    sigaction(SIGNAL, &former, NULL);
    return result;
}
