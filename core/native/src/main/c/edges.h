/*
 * When threads may leave their slots: an edge is open while a thread waits for its CPU although
 * another one is idle, and while the JIT compilers wait. A pure step from sample to sample: no I/O,
 * no clock. The same decisions, to the last nanosecond, as org.berth.placement.SoftEdges, which
 * says why they are made so; both are tested by the same recordings.
 */
#ifndef BERTH_EDGES_H
#define BERTH_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the threads of a slot have done so far, and how long its CPUs have been idle. */
struct edge_times {
    int64_t run_nanos;
    int64_t wait_nanos;
    int64_t idle_nanos;
};

struct edge_sample {
    int64_t time_nanos; /* since any fixed moment */
    int64_t compiler_wait_nanos;
    const struct edge_times *slots;
};

struct edge_change {
    size_t slot;
    bool open;
    char reason[160]; /* for people, behind "its threads" */
};

struct edges;

/* All edges open, by the first sample. Slots of one group have the same reach; a group is a number
 * below that of the slots. 0 or -ENOMEM. */
int edges_start(struct edges **edges, const unsigned *groups, size_t slots,
        const struct edge_sample *first);

/* Decides by a further sample. `changes` has room for all slots. Returns how many edges change, or
 * -EINVAL when the sample is older than the last one. */
int edges_step(struct edges *edges, const struct edge_sample *sample, struct edge_change *changes);

bool edges_is_open(const struct edges *edges, size_t slot);

/* Whether the next sample should come soon: a closed edge may have to open. */
bool edges_is_alarmed(const struct edges *edges);

void edges_free(struct edges *edges);

#endif
