/* Decisions by recordings, which org.berth.placement.SoftEdges must make as well: EdgeGoldenTest.
 */
#include "edges.h"

#include "error_text.h"
#include "file_text.h"
#include "runner.h"

#include <errno.h>
#include <inttypes.h>

enum { SLOTS = 8, FILE_LIMIT = 1 << 20, EVENTS_SIZE = 1 << 16 };

#define MILLIS INT64_C(1000000)

/* A file of the recordings' folder. */
static char *read_file(const char *name, const char *suffix) {
    char path[4096];
    char *text = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/%s%s", BERTH_EDGES, name, suffix);
    CHECK_INT(file_text_read(path, FILE_LIMIT, &text, &length), 0);
    return text == NULL ? strdup("") : text;
}

/* "TIME COMPILERS RUN/WAIT/IDLE ..."; the number of slots. */
static size_t parse_sample(const char *line, struct edge_sample *sample, struct edge_times *times) {
    char *at;
    size_t count = 0;
    sample->time_nanos = strtoll(line, &at, 10);
    sample->compiler_wait_nanos = strtoll(at, &at, 10);
    sample->slots = times;
    while (*at == ' ' && count < SLOTS) {
        times[count].run_nanos = strtoll(at, &at, 10);
        times[count].wait_nanos = strtoll(at + 1, &at, 10);
        times[count++].idle_nanos = strtoll(at + 1, &at, 10);
    }
    return count;
}

static size_t parse_groups(const char *line, unsigned *groups) {
    size_t count = 0;
    for (char *at = strchr(line, ' '); at != NULL && *at == ' ' && count < SLOTS;) {
        groups[count++] = (unsigned)strtoul(at, &at, 10);
    }
    return count;
}

/* Replays one; the events as "NANOS SLOT open|closed REASON" lines. */
static void replay(char *text, char *events) {
    struct edges *edges = NULL;
    struct edge_times times[SLOTS];
    struct edge_change changes[SLOTS];
    struct edge_sample sample;
    unsigned groups[SLOTS];
    size_t slots = 0;
    int64_t start = 0;
    size_t used = 0;
    char *rest = NULL;
    events[0] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
            line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] == '#' || strncmp(line, "berth-edges", 11) == 0) {
            continue;
        }
        if (strncmp(line, "groups", 6) == 0) {
            slots = parse_groups(line, groups);
            continue;
        }
        CHECK_INT(parse_sample(line, &sample, times), slots);
        if (edges == NULL) {
            start = sample.time_nanos;
            CHECK_INT(edges_start(&edges, groups, slots, &sample), 0);
            continue;
        }
        int count = edges_step(edges, &sample, changes);
        CHECK(count >= 0);
        for (int i = 0; i < count; i++) {
            CHECK_INT(edges_is_open(edges, changes[i].slot), changes[i].open);
            used += (size_t)snprintf(events + used, EVENTS_SIZE - used, "%" PRId64 " %zu %s %s\n",
                    sample.time_nanos - start, changes[i].slot, changes[i].open ? "open" : "closed",
                    changes[i].reason);
        }
    }
    edges_free(edges);
}

TEST(recordings_lead_to_the_same_decisions_as_in_java) {
    static const char *const names[] = {"sort-by", "nothing-idle", "by-chance", "lost-time"};
    static char events[EVENTS_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *recording = read_file(names[i], ".txt");
        char *expected = read_file(names[i], ".events");
        replay(recording, events);
        CHECK_TEXT(events, expected);
        free(recording);
        free(expected);
    }
}

TEST(an_edge_is_alarmed_while_time_is_lost) {
    struct edges *edges = NULL;
    struct edge_change changes[2];
    static const unsigned groups[] = {0, 0};
    struct edge_times times[2] = {{0}, {0}};
    struct edge_sample sample = {.slots = times};
    CHECK_INT(edges_start(&edges, groups, 2, &sample), 0);
    times[0].run_nanos = 1000 * MILLIS;
    sample.time_nanos = 1000 * MILLIS;
    CHECK_INT(edges_step(edges, &sample, changes), 1);
    CHECK(!changes[0].open);
    CHECK(!edges_is_alarmed(edges));
    times[0].wait_nanos += 9 * MILLIS;
    times[1].idle_nanos += 10 * MILLIS;
    sample.time_nanos += 10 * MILLIS;
    CHECK_INT(edges_step(edges, &sample, changes), 0);
    CHECK(edges_is_alarmed(edges));
    sample.time_nanos += 500 * MILLIS;
    CHECK_INT(edges_step(edges, &sample, changes), 0);
    CHECK(!edges_is_alarmed(edges));
    sample.time_nanos -= 1;
    CHECK_INT(edges_step(edges, &sample, changes), -EINVAL);
    edges_free(edges);
}

/* What a slot does for some samples: works, waits a part of the time, or has nothing to do. */
struct habit {
    int left;
    int kind;
    int wait_percent;
};

static void go_on(struct habit *habit, int64_t period, struct edge_times *times, unsigned *seed) {
    if (habit->left-- <= 0) {
        *habit = (struct habit){.left = rand_r(seed) % 60,
                .kind = rand_r(seed) % 4,
                .wait_percent = rand_r(seed) % 100};
    }
    int64_t wait = habit->kind == 1 ? period * habit->wait_percent / 100 : 0;
    times->idle_nanos += habit->kind == 0 ? period : 0;
    times->wait_nanos += wait;
    times->run_nanos += habit->kind == 0 ? 0 : period - wait;
}

static bool any_other_idle(const unsigned *groups, size_t slots, size_t slot,
        const struct edge_times *before, const struct edge_times *now) {
    for (size_t i = 0; i < slots; i++) {
        if (i != slot && groups[i] == groups[slot] && now[i].idle_nanos > before[i].idle_nanos) {
            return true;
        }
    }
    return false;
}

/* Whether a change follows from its own sample. */
static bool has_cause(const struct edge_change *change, const unsigned *groups, size_t slots,
        const struct edge_times *before, const struct edge_times *now, int64_t compiling) {
    const struct edge_times *earlier = &before[change->slot];
    const struct edge_times *later = &now[change->slot];
    if (!change->open) {
        return later->run_nanos + later->wait_nanos > earlier->run_nanos + earlier->wait_nanos;
    }
    if (strncmp(change->reason, "share", 5) == 0) {
        return compiling > 0;
    }
    return strncmp(change->reason, "waited", 6) == 0 && later->wait_nanos > earlier->wait_nanos &&
           any_other_idle(groups, slots, change->slot, before, now);
}

static int check_random(unsigned *seed) {
    size_t slots = 1 + (size_t)rand_r(seed) % SLOTS;
    unsigned groups[SLOTS];
    struct habit habits[SLOTS] = {{0}};
    struct edge_times times[SLOTS] = {{0}};
    struct edge_change changes[SLOTS];
    bool open[SLOTS];
    struct edge_sample sample = {.slots = times};
    struct edges *edges;
    int seen = 0;
    for (size_t slot = 0; slot < slots; slot++) {
        groups[slot] = (unsigned)((size_t)rand_r(seed) % slots);
        open[slot] = true;
    }
    CHECK_INT(edges_start(&edges, groups, slots, &sample), 0);
    for (int i = 0; i < 1000; i++) {
        struct edge_times before[SLOTS];
        memcpy(before, times, sizeof before);
        int64_t period = 1 + rand_r(seed) % (100 * MILLIS);
        int64_t compiling = i % 300 < 30 ? rand_r(seed) % (2 * period) : 0;
        sample.time_nanos += period;
        sample.compiler_wait_nanos += compiling;
        for (size_t slot = 0; slot < slots; slot++) {
            go_on(&habits[slot], period, &times[slot], seed);
        }
        int count = edges_step(edges, &sample, changes);
        bool any_closed = false;
        for (int j = 0; j < count; j++) {
            size_t slot = changes[j].slot;
            CHECK(slot < slots && (j == 0 || slot > changes[j - 1].slot));
            CHECK(open[slot] != changes[j].open);
            CHECK(has_cause(&changes[j], groups, slots, before, times, compiling));
            open[slot] = changes[j].open;
        }
        for (size_t slot = 0; slot < slots; slot++) {
            CHECK(edges_is_open(edges, slot) == open[slot]);
            any_closed = any_closed || !open[slot];
        }
        CHECK(any_closed || !edges_is_alarmed(edges));
        seen += count;
    }
    edges_free(edges);
    return seen;
}

TEST(random_changes_alternate_and_have_a_cause) {
    unsigned seed = runner_seed();
    int seen = 0;
    for (int i = 0; i < 50; i++) {
        seen += check_random(&seed);
    }
    CHECK(seen > 50);
}

int main(void) {
    RUN(recordings_lead_to_the_same_decisions_as_in_java);
    RUN(an_edge_is_alarmed_while_time_is_lost);
    RUN(random_changes_alternate_and_have_a_cause);
    return runner_result();
}
