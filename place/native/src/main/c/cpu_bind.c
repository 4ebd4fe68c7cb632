#include "cpu_bind.h"

#include "seccomp_probe.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(long) == 8, "the kernel's masks are arrays of long; 64 bits are assumed");

int cpu_bind_set(int tid, const struct index_set *cpus) {
    size_t bytes = index_set_used_words(cpus) * sizeof *cpus->words;
    int result = seccomp_probe(CALL_SCHED_SETAFFINITY);
    if (result < 0) {
        return result;
    }
    return syscall(SYS_sched_setaffinity, tid, bytes, cpus->words) < 0 ? -errno : 0;
}

int cpu_bind_get_words(int tid, uint64_t *words, size_t word_count) {
    long bytes = syscall(SYS_sched_getaffinity, tid, word_count * sizeof *words, words);
    return bytes < 0 ? -errno : (int)((size_t)bytes / sizeof *words);
}

int cpu_bind_get(int tid, struct index_set *cpus) {
    /* The kernel refuses a buffer that is smaller than its own mask and does not tell the size. */
    for (size_t words = 16; words <= INDEX_WORD_LIMIT; words *= 2) {
        int result = index_set_reserve(cpus, words);
        if (result < 0) {
            return result;
        }
        index_set_clear(cpus);
        result = cpu_bind_get_words(tid, cpus->words, cpus->word_count);
        if (result != -EINVAL) {
            return result < 0 ? result : 0;
        }
    }
    return -EINVAL;
}

int current_thread_id(void) {
    return (int)syscall(SYS_gettid);
}

int current_cpu(void) {
    int cpu = sched_getcpu();
    return cpu < 0 ? -errno : cpu;
}
