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
    static const char *const names[] = {"sort-by", "nothing-idle", "by-chance"};
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

int main(void) {
    RUN(recordings_lead_to_the_same_decisions_as_in_java);
    RUN(an_edge_is_alarmed_while_time_is_lost);
    return runner_result();
}
