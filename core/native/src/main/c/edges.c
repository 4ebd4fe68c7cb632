#include "edges.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000000)

/* Those of org.berth.placement.EdgeSettings, where their reasons are. */
static const double TOLERATED_SHARE = 0.02;
static const double TOLERATED_COMPILERS = 0.35;
static const double CALM_COMPILERS = 0.3;
static const int64_t OPEN_AFTER = 30000000;
static const int64_t CALM = SECOND;
static const int64_t LONGEST_CALM = 16 * SECOND;

/* An edge that stays closed for eight times its calm was right to close. */
enum { RELAPSE = 8 };

/* Time above what is tolerated. */
struct debt {
    int64_t nanos;
    int64_t sum; /* all of it since the excess was zero, and the time since then */
    int64_t elapsed;
};

/* What is lost with an open edge, of the last seconds in which its threads had work. */
struct usual {
    int64_t lost;
    int64_t nanos;
};

static const int64_t USUAL_LIMIT = 8 * SECOND;

struct edge {
    bool open;
    int64_t needed; /* the calm before it closes */
    int64_t calm;   /* what it has of that */
    struct debt lost;
    struct debt compilers;
    int64_t closed; /* for how long it has been */
    struct usual usual;
};

/* For each group the longest time that the CPUs of a slot were idle, of which slot, and the longest
 * of the others. */
struct idle {
    int64_t most;
    int64_t second;
    size_t idlest;
};

struct edges {
    size_t count;
    unsigned *groups;
    int64_t time;
    int64_t compiler_wait;
    struct edge_times *last;
    struct edge *items;
    struct idle *idle;
};

void edges_free(struct edges *edges) {
    if (edges != NULL) {
        free(edges->groups);
        free(edges->last);
        free(edges->items);
        free(edges->idle);
        free(edges);
    }
}

static void keep(struct edges *edges, const struct edge_sample *sample) {
    edges->time = sample->time_nanos;
    edges->compiler_wait = sample->compiler_wait_nanos;
    memcpy(edges->last, sample->slots, edges->count * sizeof *edges->last);
}

int edges_start(struct edges **started, const unsigned *groups, size_t slots,
        const struct edge_sample *first) {
    struct edges *edges = calloc(1, sizeof *edges);
    if (edges == NULL) {
        return -ENOMEM;
    }
    edges->count = slots;
    edges->groups = calloc(slots + 1, sizeof *edges->groups);
    edges->last = calloc(slots + 1, sizeof *edges->last);
    edges->items = calloc(slots + 1, sizeof *edges->items);
    edges->idle = calloc(slots + 1, sizeof *edges->idle);
    if (edges->groups == NULL || edges->last == NULL || edges->items == NULL ||
            edges->idle == NULL) {
        edges_free(edges);
        return -ENOMEM;
    }
    memcpy(edges->groups, groups, slots * sizeof *groups);
    for (size_t i = 0; i < slots; i++) {
        edges->items[i] = (struct edge){.open = true, .needed = CALM};
    }
    keep(edges, first);
    *started = edges;
    return 0;
}

bool edges_is_open(const struct edges *edges, size_t slot) {
    return edges->items[slot].open;
}

bool edges_is_alarmed(const struct edges *edges) {
    for (size_t i = 0; i < edges->count; i++) {
        const struct edge *edge = &edges->items[i];
        if (!edge->open && (edge->lost.nanos > 0 || edge->compilers.nanos > 0)) {
            return true;
        }
    }
    return false;
}

/* Rounded as Java's "%.0f" does it. */
static int64_t millis(int64_t nanos) {
    return (nanos + 500000) / 1000000;
}

static int64_t since(int64_t now, int64_t before) {
    return now > before ? now - before : 0;
}

static void find_idle(struct edges *edges, const struct edge_sample *sample) {
    memset(edges->idle, 0, edges->count * sizeof *edges->idle);
    for (size_t i = 0; i < edges->count; i++) {
        struct idle *idle = &edges->idle[edges->groups[i]];
        int64_t nanos = since(sample->slots[i].idle_nanos, edges->last[i].idle_nanos);
        if (nanos > idle->most) {
            *idle = (struct idle){nanos, idle->most, i};
        } else if (nanos > idle->second) {
            idle->second = nanos;
        }
    }
}

static int64_t idle_of_others(const struct edges *edges, size_t slot) {
    const struct idle *idle = &edges->idle[edges->groups[slot]];
    return idle->idlest == slot ? idle->second : idle->most;
}

static void grow(struct debt *debt, int64_t more, int64_t time, double tolerated) {
    int64_t excess = debt->nanos + more - (int64_t)((double)time * tolerated);
    *debt = excess <= 0 ? (struct debt){0}
                        : (struct debt){excess, debt->sum + more, debt->elapsed + time};
}

static void learn(struct usual *usual, int64_t lost, int64_t elapsed) {
    int64_t divisor = usual->nanos + elapsed > USUAL_LIMIT ? 2 : 1;
    *usual = (struct usual){(usual->lost + lost) / divisor, (usual->nanos + elapsed) / divisor};
}

static double share(const struct usual *usual) {
    return usual->nanos == 0 ? 0 : (double)usual->lost / (double)usual->nanos;
}

static bool closes(struct edge *edge, int64_t elapsed, int64_t used, int64_t lost,
        int64_t compiling, struct edge_change *change) {
    if (used > 0) {
        learn(&edge->usual, lost, elapsed);
    }
    /* Without work nothing is learnt, so the calm is counted in time that the slot has used. */
    double calm = (double)(edge->calm + used) - (double)compiling / CALM_COMPILERS;
    if (calm < (double)edge->needed) {
        edge->calm = calm > 0 ? (int64_t)calm : 0;
        return false;
    }
    snprintf(change->reason, sizeof change->reason,
            "worked or waited for %" PRId64 " ms, and compilers hardly waited",
            millis(edge->needed));
    *edge = (struct edge){.needed = edge->needed, .usual = edge->usual};
    return true;
}

static bool opens(struct edge *edge, size_t slots, int64_t elapsed, int64_t lost, int64_t compiling,
        struct edge_change *change) {
    double usual = share(&edge->usual);
    grow(&edge->lost, lost, elapsed, TOLERATED_SHARE + usual);
    grow(&edge->compilers, compiling, elapsed, TOLERATED_COMPILERS);
    edge->closed += elapsed;
    if (edge->lost.nanos < OPEN_AFTER && edge->compilers.nanos < OPEN_AFTER) {
        return false;
    }
    if (edge->lost.nanos >= OPEN_AFTER) {
        snprintf(change->reason, sizeof change->reason,
                "waited %" PRId64 " ms of the last %" PRId64
                " ms while the CPUs of another slot were idle (%" PRId64 " ms with an open edge)",
                millis(edge->lost.sum), millis(edge->lost.elapsed),
                millis((int64_t)((double)edge->lost.elapsed * usual)));
    } else {
        snprintf(change->reason, sizeof change->reason,
                "share their CPUs with compilers, which waited %" PRId64 " ms of the last %" PRId64
                " ms",
                millis(edge->compilers.sum * (int64_t)slots), millis(edge->compilers.elapsed));
    }
    bool soon = edge->closed < RELAPSE * edge->needed;
    int64_t doubled = 2 * edge->needed < LONGEST_CALM ? 2 * edge->needed : LONGEST_CALM;
    int64_t halved = edge->needed / 2 > CALM ? edge->needed / 2 : CALM;
    *edge = (struct edge){.open = true, .needed = soon ? doubled : halved, .usual = edge->usual};
    return true;
}

int edges_step(struct edges *edges, const struct edge_sample *sample, struct edge_change *changes) {
    int64_t elapsed = sample->time_nanos - edges->time;
    int64_t compiling = sample->compiler_wait_nanos - edges->compiler_wait;
    int count = 0;
    if (elapsed < 0) {
        return -EINVAL;
    }
    compiling = compiling <= 0 || edges->count == 0 ? 0 : compiling / (int64_t)edges->count;
    find_idle(edges, sample);
    for (size_t i = 0; i < edges->count; i++) {
        struct edge *edge = &edges->items[i];
        int64_t run = since(sample->slots[i].run_nanos, edges->last[i].run_nanos);
        int64_t wait = since(sample->slots[i].wait_nanos, edges->last[i].wait_nanos);
        int64_t idle = idle_of_others(edges, i);
        int64_t lost = wait < idle ? wait : idle;
        bool open = edge->open;
        if (open ? closes(edge, elapsed, run + wait, lost, compiling, &changes[count])
                 : opens(edge, edges->count, elapsed, lost, compiling, &changes[count])) {
            changes[count].slot = i;
            changes[count].open = !open;
            count++;
        }
    }
    keep(edges, sample);
    return count;
}
