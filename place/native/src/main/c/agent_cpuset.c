/* Threads of the agent's own, and what one of them finds. */
#include "agent_state.h"
#include "cpu_bind.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc 2.34 gave this a new version when it moved it from libpthread; the old one is there too. */
#if defined(__GLIBC__) && defined(__x86_64__)
__asm__(".symver pthread_create,pthread_create@GLIBC_2.2.5");
#elif defined(__GLIBC__) && defined(__riscv)
__asm__(".symver pthread_create,pthread_create@GLIBC_2.27");
#elif defined(__GLIBC__) && (defined(__aarch64__) || defined(__powerpc64__))
__asm__(".symver pthread_create,pthread_create@GLIBC_2.17");
#endif

enum {
    MASK_WORDS = 128,
    /* SIGCANCEL and SIGSETXID: __SIGRTMIN, where the library's own signals begin. */
    LIBRARY_SIGNAL = 32
};

/* Signals are the JVM's, but for those that this thread itself must take: its own faults, so that
 * the JVM writes its error file, and the two by which the C library reaches all threads. glibc's
 * setuid() sends its signal to every thread and waits for each, without an end when one blocks it:
 * see nptl(7). A set for pthread_sigmask() could not hold those two. */
static uint64_t blocked_signals(void) {
    static const int taken[] = {
            SIGILL, SIGBUS, SIGFPE, SIGSEGV, LIBRARY_SIGNAL, LIBRARY_SIGNAL + 1};
    uint64_t blocked = UINT64_MAX;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        blocked &= ~(UINT64_C(1) << (taken[i] - 1));
    }
    return blocked;
}

int agent_thread_start(void *(*function)(void *), void *argument) {
    pthread_t thread;
    pthread_attr_t attributes;
    uint64_t blocked = blocked_signals();
    uint64_t before = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /* The bare call, because pthread_sigmask is new in glibc 2.32. */
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, &before, sizeof blocked);
    int result = pthread_create(&thread, &attributes, function, argument);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    pthread_attr_destroy(&attributes);
    return -result;
}

/* The kernel cuts a mask of all CPUs to the cpuset; the thread has that mask for the time of three
 * system calls, which moves it nowhere. But since 6.2 the kernel also remembers the mask that was
 * set last, and a thread grows with the cpuset only inside it: so this is for threads that start no
 * others. */
int agent_cpuset_read(struct index_set *allowed) {
    uint64_t words[MASK_WORDS];
    uint64_t own_words[MASK_WORDS];
    struct index_set all = {words, MASK_WORDS};
    struct index_set own = {own_words, MASK_WORDS};
    for (int i = 0; i < MASK_WORDS; i++) {
        words[i] = UINT64_MAX;
    }
    int result = cpu_bind_get(0, &own);
    if (result == 0) {
        result = cpu_bind_set(0, &all);
    }
    if (result == 0) {
        result = cpu_bind_get(0, allowed);
        cpu_bind_set(0, &own);
    }
    return result;
}

struct request {
    struct index_set *allowed;
    int result;
    atomic_bool done;
};

static void *answer(void *argument) {
    struct request *request = argument;
    request->result = agent_cpuset_read(request->allowed);
    atomic_store(&request->done, true);
    return NULL;
}

int agent_cpuset_ask(struct index_set *allowed) {
    struct request request = {.allowed = allowed};
    int result = agent_thread_start(answer, &request);
    while (result == 0 && !atomic_load(&request.done)) {
        sched_yield();
    }
    return result < 0 ? result : request.result;
}
