#include "agent_edges.h"

#include "agent_state.h"
#include "cpu_bind.h"
#include "edge_sampler.h"
#include "edges.h"
#include "public_files.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define MILLIS INT64_C(1000000)

enum { ALARMED_MILLIS = 10, CALM_MILLIS = 50, IDLE_MILLIS = 200, AGAIN_MILLIS = 1000 };

/* For one set of rules. */
struct watch {
    struct thread_rules *rules;
    size_t slots;
    struct edge_sampler *sampler;
    struct edges *edges; /* NULL before the first sample */
    struct edge_holder *holders;
    size_t capacity;
    struct edge_change *changes;
    int64_t *used; /* what the threads of each slot have run and waited, at the last sample */
    int64_t time;  /* of the last sample */
    FILE *record;
};

/* Since the JVM started. */
static atomic_ulong openings;
static atomic_ulong closings;
static atomic_ulong open_nanos;
static atomic_ulong held_nanos;

static atomic_bool started;

static void end(struct watch *watch) {
    edge_sampler_free(watch->sampler);
    edges_free(watch->edges);
    free(watch->holders);
    free(watch->changes);
    free(watch->used);
    if (watch->record != NULL) {
        fclose(watch->record);
    }
    *watch = (struct watch){0};
}

/* FILE.PID, and FILE.PID.2 and so on for rules that replace others: their slots differ. */
static FILE *open_record(const struct watch *watch, const unsigned *groups) {
    static unsigned count;
    char name[PATH_MAX];
    char number[16] = "";
    pthread_mutex_lock(&agent.lock);
    const char *file = agent.options.edge_record;
    int length = -1;
    if (file != NULL) {
        if (++count > 1) {
            snprintf(number, sizeof number, ".%u", count);
        }
        length = snprintf(name, sizeof name, "%s.%d%s", file, (int)getpid(), number);
    }
    pthread_mutex_unlock(&agent.lock);
    if (length < 0) {
        return NULL;
    }
    int opened = length < PATH_MAX ? public_file_replace(name) : -ENAMETOOLONG;
    FILE *record = opened < 0 ? NULL : fdopen(opened, "w");
    if (record == NULL) {
        message_print("edge-record=%.300s cannot be written: %s", name,
                error_reason(opened < 0 ? -opened : errno));
        if (opened >= 0) {
            close(opened);
        }
        return NULL;
    }
    setvbuf(record, NULL, _IOLBF, BUFSIZ);
    fprintf(record, "berth-edges 1\ngroups");
    for (size_t i = 0; i < watch->slots; i++) {
        fprintf(record, " %u", groups[i]);
    }
    fputc('\n', record);
    return record;
}

static void write_sample(FILE *record, const struct edge_sample *sample, size_t slots) {
    fprintf(record, "%" PRId64 " %" PRId64, sample->time_nanos, sample->compiler_wait_nanos);
    for (size_t i = 0; i < slots; i++) {
        const struct edge_times *times = &sample->slots[i];
        fprintf(record, " %" PRId64 "/%" PRId64 "/%" PRId64, times->run_nanos, times->wait_nanos,
                times->idle_nanos);
    }
    fputc('\n', record);
}

/* The sets of the slots are the rules' own, and stay. */
static int begin(struct watch *watch, struct thread_rules *rules, unsigned **groups,
        struct error_text *error) {
    struct thread_rules_slot slot;
    *watch = (struct watch){.rules = rules};
    while (thread_rules_slot(rules, watch->slots, &slot)) {
        watch->slots++;
    }
    struct index_set *cpus = calloc(watch->slots + 1, sizeof *cpus);
    *groups = calloc(watch->slots + 1, sizeof **groups);
    watch->changes = calloc(watch->slots + 1, sizeof *watch->changes);
    watch->used = calloc(watch->slots + 1, sizeof *watch->used);
    if (cpus == NULL || *groups == NULL || watch->changes == NULL || watch->used == NULL) {
        free(cpus);
        return error_set(error, ENOMEM, "out of memory");
    }
    for (size_t i = 0; i < watch->slots && thread_rules_slot(rules, i, &slot); i++) {
        cpus[i] = *slot.cpus;
        (*groups)[i] = slot.group;
    }
    int result = edge_sampler_create(&watch->sampler, cpus, watch->slots, error);
    free(cpus);
    if (result == 0) {
        watch->record = open_record(watch, *groups);
    }
    return result;
}

/* More threads may have come since they were counted; the next sample has them. */
static int find_holders(struct watch *watch, size_t *found, struct error_text *error) {
    size_t count = thread_rules_holders(watch->rules, watch->holders, watch->capacity);
    if (count > watch->capacity) {
        struct edge_holder *larger = realloc(watch->holders, 2 * count * sizeof *larger);
        if (larger == NULL) {
            return error_set(error, ENOMEM, "out of memory");
        }
        watch->holders = larger;
        watch->capacity = 2 * count;
        count = thread_rules_holders(watch->rules, watch->holders, watch->capacity);
    }
    *found = count < watch->capacity ? count : watch->capacity;
    return 0;
}

/* For people: how long threads with work had slots, and how long their edges were open. */
static void count_times(struct watch *watch, const struct edge_sample *sample) {
    int64_t elapsed = watch->edges == NULL ? 0 : sample->time_nanos - watch->time;
    for (size_t i = 0; i < watch->slots; i++) {
        int64_t used = sample->slots[i].run_nanos + sample->slots[i].wait_nanos;
        if (used > watch->used[i] && elapsed > 0) {
            atomic_fetch_add(&held_nanos, (unsigned long)elapsed);
            if (edges_is_open(watch->edges, i)) {
                atomic_fetch_add(&open_nanos, (unsigned long)elapsed);
            }
        }
        watch->used[i] = used;
    }
    watch->time = sample->time_nanos;
}

/* The first closing and the first opening, and all of them with `verbose`. */
static void tell(const struct watch *watch, const struct edge_change *change) {
    struct thread_rules_slot slot = {0};
    unsigned long before = atomic_fetch_add(change->open ? &openings : &closings, 1);
    bool verbose = atomic_load(&agent.verbose);
    if ((before > 0 && !verbose) || !thread_rules_slot(watch->rules, change->slot, &slot)) {
        return;
    }
    char list[120];
    message_print("the edge of slot %u (CPUs %s) %s: its threads %s%s", slot.index,
            index_set_format(slot.cpus, list, sizeof list), change->open ? "opens again" : "closes",
            change->reason, verbose ? "" : "; further ones are only counted");
}

static int decide(struct watch *watch, const struct edge_sample *sample, const unsigned *groups,
        struct error_text *error) {
    if (watch->edges == NULL) {
        int result = edges_start(&watch->edges, groups, watch->slots, sample);
        return result < 0 ? error_set(error, -result, "out of memory") : 0;
    }
    int count = edges_step(watch->edges, sample, watch->changes);
    if (count < 0) {
        return error_set(error, -count, "the clock went backwards");
    }
    for (int i = 0; i < count; i++) {
        const struct edge_change *change = &watch->changes[i];
        int result = thread_rules_change_edge(watch->rules, change->slot, change->open, error);
        if (result < 0) {
            return result;
        }
        tell(watch, change);
    }
    return 0;
}

/* Whether the last attempt failed. Of the thread that watches edges. */
static bool failing;

/* Until the rules are replaced, or something fails. */
static int follow(struct watch *watch, const unsigned *groups, struct error_text *error) {
    while (atomic_load(&agent.rules) == watch->rules) {
        struct edge_sample sample;
        bool worked = false;
        size_t count = 0;
        int result = find_holders(watch, &count, error);
        result = result < 0 ? result
                            : edge_sampler_read(watch->sampler, watch->holders, count, &sample,
                                      &worked, error);
        if (result < 0) {
            return result;
        }
        failing = false;
        count_times(watch, &sample);
        if (watch->record != NULL) {
            write_sample(watch->record, &sample, watch->slots);
        }
        result = decide(watch, &sample, groups, error);
        if (result < 0) {
            return result;
        }
        int64_t pause = edge_sampler_pause(
                watch->sampler, (!worked                                 ? IDLE_MILLIS
                                        : edges_is_alarmed(watch->edges) ? ALARMED_MILLIS
                                                                         : CALM_MILLIS) *
                                        MILLIS);
        nanosleep(&(struct timespec){pause / (1000 * MILLIS), pause % (1000 * MILLIS)}, NULL);
    }
    return 0;
}

/* Once for all attempts between two that went well. */
static void tell_failure(int result, const struct error_text *error) {
    bool again = error_may_pass(result);
    if (!again || !failing) {
        message_print("%s; so all edges stay open, and no thread is bound tighter than that%s",
                error->text, again ? " until a next attempt" : "");
    }
    failing = again;
}

static void open_all(const struct watch *watch) {
    struct error_text unused;
    for (size_t i = 0; i < watch->slots; i++) {
        thread_rules_change_edge(watch->rules, i, true, &unused);
    }
}

/* Rules that come later begin with open edges, too. So does another attempt, when descriptors or
 * memory were used up. */
static void *watch_edges(void *nothing) {
    int result = 0;
    prctl(PR_SET_NAME, "berth-edges", 0, 0, 0);
    while (result == 0 || error_may_pass(result)) {
        struct thread_rules *rules = atomic_load(&agent.rules);
        if (rules == NULL || !thread_rules_has_edges(rules)) {
            nanosleep(&(struct timespec){.tv_nsec = IDLE_MILLIS * MILLIS}, NULL);
            continue;
        }
        struct watch watch;
        struct error_text error;
        unsigned *groups = NULL;
        /* The thread that made this one may have been in a slot. */
        cpu_bind_set(0, thread_rules_cpus(rules));
        result = begin(&watch, rules, &groups, &error);
        result = result < 0 ? result : follow(&watch, groups, &error);
        if (result < 0) {
            open_all(&watch);
            tell_failure(result, &error);
        }
        end(&watch);
        free(groups);
        if (error_may_pass(result)) {
            nanosleep(&(struct timespec){AGAIN_MILLIS / 1000, 0}, NULL);
        }
    }
    return nothing;
}

void agent_edges_start(void) {
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules == NULL || !thread_rules_wants_edges(rules)) {
        return;
    }
    if (!thread_rules_has_edges(rules)) {
        message_print("edge=soft has no effect: each slot has all CPUs that share its last-level "
                      "cache, its node or this process");
        return;
    }
    if (!atomic_load(&started)) {
        int result = agent_thread_start(watch_edges, NULL);
        atomic_store(&started, result == 0);
        if (result < 0) {
            message_print("cannot start the thread that watches edges: %s; so all edges stay open, "
                          "and no thread is bound tighter than that",
                    error_reason(-result));
        }
    }
}

void agent_edges_describe(struct text_buffer *text) {
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules == NULL || !thread_rules_has_edges(rules)) {
        return;
    }
    size_t slots = 0;
    size_t open = thread_rules_open_edges(rules, &slots);
    text_append(text,
            "edges slots=%zu open=%zu openings=%lu closings=%lu openMillis=%lu heldMillis=%lu\n",
            slots, open, atomic_load(&openings), atomic_load(&closings),
            atomic_load(&open_nanos) / (unsigned long)MILLIS,
            atomic_load(&held_nanos) / (unsigned long)MILLIS);
}
