/*
 * The affinity mask of a thread, by raw system calls.
 * See https://man7.org/linux/man-pages/man2/sched_setaffinity.2.html and, for how a cpuset
 * narrows the mask, https://docs.kernel.org/admin-guide/cgroup-v2.html#cpuset.
 */
#ifndef BERTH_CPU_BIND_H
#define BERTH_CPU_BIND_H

#include "index_set.h"

/* tid 0 is the calling thread, everywhere. The kernel uses the part of the set that the thread's
 * cpuset allows, silently; -EINVAL only when nothing is left. Read back to know. */
int cpu_bind_set(int tid, const struct index_set *cpus);

/* 0 or -errno (-ESRCH: no such thread). */
int cpu_bind_get(int tid, struct index_set *cpus);

/* The bare system call, for callers with their own buffer: returns how many words the kernel's mask
 * has, which were written, or -errno. -EINVAL when the buffer is smaller than that mask (which may
 * be longer than its last CPU needs). */
int cpu_bind_get_words(int tid, uint64_t *words, size_t word_count);

int current_thread_id(void);

/* The CPU that runs the caller at this moment. */
int current_cpu(void);

#endif
