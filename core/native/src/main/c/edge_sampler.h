/*
 * What soft edges are decided by (edges.h), read from /proc: how long the threads in slots and the
 * JIT compilers have run and waited for a CPU (/proc/self/task/TID/schedstat, see
 * https://docs.kernel.org/scheduler/sched-stats.html), and how long CPUs have been idle
 * (/proc/stat). Belongs to one thread.
 */
#ifndef BERTH_EDGE_SAMPLER_H
#define BERTH_EDGE_SAMPLER_H

#include "edges.h"
#include "index_set.h"

struct edge_holder {
    int tid;
    size_t slot; /* its position */
};

struct edge_sampler;

/* The CPUs of each slot are copied. -EOPNOTSUPP or another -errno, with the reason, where the
 * kernel does not tell how long threads wait. */
int edge_sampler_create(struct edge_sampler **sampler, const struct index_set *cpus, size_t slots,
        struct error_text *error);

/* One more sample, which is valid until the next one. A thread counts from when it was read first.
 * *worked: whether a holder has run or waited since the last sample. -errno with the reason when
 * /proc/stat cannot be read, or a thread for want of descriptors or memory: one that is not seen
 * would count as one that never waits. */
int edge_sampler_read(struct edge_sampler *sampler, const struct edge_holder *holders, size_t count,
        struct edge_sample *sample, bool *worked, struct error_text *error);

/* Nanoseconds to pause before the next sample: the wanted ones, or more where samples would take
 * more than 0.4 % of a CPU, by the CPU time of the calling thread. */
int64_t edge_sampler_pause(struct edge_sampler *sampler, int64_t wanted_nanos);

void edge_sampler_free(struct edge_sampler *sampler);

#endif
