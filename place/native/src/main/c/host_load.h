/*
 * How busy each CPU of this host was, whoever used it: /proc/stat counts the processes of all
 * containers. See proc_stat(5).
 */
#ifndef BERTH_HOST_LOAD_H
#define BERTH_HOST_LOAD_H

#include "index_set.h"

/* A tick of /proc/stat is 10 ms, so a fifth of a second tells the load to 5 %, and a process that
 * starts waits no longer. */
enum { HOST_LOAD_MILLIS = 200, HOST_LOAD_WHOLE = 1024, STAT_TICK_MILLIS = 10 };

/* Ticks since the kernel's start, by the number of a CPU. All zero bytes is an empty one.
 *
 * A kernel counts idle time as it is, and all other time by what it finds at the interrupts of its
 * clock. A guest misses those while its host runs others, and counts too little, unless the host
 * tells it what was stolen. So a CPU was in use when it was neither idle nor stolen. */
struct cpu_times {
    int64_t millis;  /* when they were read */
    uint64_t spread; /* how long before what is compared with them was read, in ms, at most */
    struct cpu_ticks {
        bool online;
        uint64_t idle;
        uint64_t stolen;
    } *cpus;
    size_t count;
};

/* The part of its time that each CPU was in use, in 1/1024; 0 for those without a number. */
struct host_load {
    unsigned *shares;
    size_t count;
};

/* 0, -ENOMEM, or -EINVAL for a text without CPUs. Pure. */
int cpu_times_parse(struct cpu_times *times, const char *text);

/* `root` stands before /proc. 0 or -errno. */
int cpu_times_read(struct cpu_times *times, const char *root);
void cpu_times_free(struct cpu_times *times);

/* How long a CPU was in use between two readings, in ms, and in *room how long it could have been.
 * 0 for one that was offline. */
uint64_t cpu_times_used(
        const struct cpu_times *before, const struct cpu_times *after, size_t cpu, uint64_t *room);

/* Between two readings. 0 or -ENOMEM. */
int host_load_between(
        struct host_load *load, const struct cpu_times *before, const struct cpu_times *after);

/* Reads twice, HOST_LOAD_MILLIS apart. 0 or -errno. */
int host_load_measure(struct host_load *load);

unsigned host_load_share(const struct host_load *load, unsigned cpu);

/* The average of some CPUs. */
unsigned host_load_mean(const struct host_load *load, const struct index_set *cpus);

void host_load_free(struct host_load *load);

#endif
