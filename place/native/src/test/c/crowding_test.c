#include "crowding.h"

#include "runner.h"

#include <errno.h>

/* A host of equal cores, and pods of which none sees another's leases: a clock of milliseconds, and
 * /proc/stat as the kernel would count it. */
enum { CPUS = 16, PODS = 8, TICK = 10, PARTS = 840, SPREAD = 8 };

struct pod {
    struct crowding crowding;
    struct domains domains;
    struct index_set cpus;
    uint64_t own; /* in parts of a tick */
    uint64_t former[SPREAD];
    bool idle;
};

struct host {
    struct pod pods[2 * PODS];
    unsigned count;
    uint64_t idle[CPUS];
    uint64_t stolen[CPUS];
    int64_t millis;
    unsigned away;   /* of how many ticks of a busy CPU another guest has all but one; 0: none */
    bool told;       /* and the host tells of that */
    unsigned spread; /* ticks between the readings of own time and of /proc/stat, at most */
    unsigned noise;  /* in how many of 100 ticks an unused CPU is busy with other work */
};

static struct domains cores(unsigned size) {
    struct domains domains = {.size = size};
    domains.cores = calloc(CPUS, sizeof *domains.cores);
    domains.core_count = CPUS;
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        index_set_add(&domains.cores[cpu].cpus, cpu);
        if (cpu / size == domains.count && cpu / size < CPUS / size) {
            CHECK(domains_add(&domains) != NULL);
        }
        if (cpu / size < CPUS / size) {
            index_set_add(&domains.items[cpu / size].cpus, cpu);
        }
    }
    if (size == 1) {
        for (unsigned cpu = 0; cpu < CPUS; cpu++) {
            domain_free(&domains.cores[cpu]);
        }
        free(domains.cores);
        domains.cores = NULL;
        domains.core_count = 0;
    }
    return domains;
}

static unsigned users(const struct host *host, unsigned cpu) {
    unsigned count = 0;
    for (unsigned i = 0; i < host->count; i++) {
        count += !host->pods[i].idle && index_set_contains(&host->pods[i].cpus, cpu) ? 1 : 0;
    }
    return count;
}

/* Cores that two hold while another one is free. */
static unsigned doubled(const struct host *host) {
    unsigned twice = 0;
    unsigned unused = 0;
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        twice += users(host, cpu) > 1 ? 1 : 0;
        unused += users(host, cpu) == 0 ? 1 : 0;
    }
    return unused == 0 ? 0 : twice;
}

static void tick(struct host *host) {
    host->millis += TICK;
    for (unsigned i = 0; i < host->count; i++) {
        host->pods[i].former[host->millis / TICK % SPREAD] = host->pods[i].own;
    }
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        unsigned count = users(host, cpu);
        bool busy = count > 0 || (unsigned)rand() % 100 < host->noise;
        bool away = busy && host->away > 0 && (unsigned)rand() % host->away > 0;
        host->idle[cpu] += busy ? 0 : 1;
        host->stolen[cpu] += away && host->told ? 1 : 0;
        for (unsigned i = 0; i < host->count && count > 0; i++) {
            struct pod *pod = &host->pods[i];
            bool runs = !pod->idle && index_set_contains(&pod->cpus, cpu);
            /* Without a word of the host's, a process believes that it runs all the time. */
            pod->own += runs && !(away && host->told) ? PARTS / count : 0;
        }
    }
}

static struct cpu_times times_of(const struct host *host) {
    struct cpu_times times = {
            .millis = host->millis, .cpus = calloc(CPUS, sizeof *times.cpus), .count = CPUS};
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        times.cpus[cpu] = (struct cpu_ticks){true, host->idle[cpu], host->stolen[cpu]};
    }
    return times;
}

static void take(struct pod *pod, const struct host_load *load, bool first) {
    static const struct leases none;
    struct domain made;
    const struct domain *picked;
    CHECK_INT(lease_pick_by_load(&pod->domains, &none, load, &pod->crowding.random, &made, &picked),
            0);
    if (first || crowding_may_take(picked, load, &pod->cpus)) {
        index_set_copy(&pod->cpus, &picked->cpus);
    }
    domain_free(&made);
}

/* All that start have seen an idle host. */
static void add_pod(struct host *host, unsigned size, uint64_t random) {
    struct pod *pod = &host->pods[host->count++];
    struct host_load idle = {0};
    *pod = (struct pod){.domains = cores(size)};
    crowding_begin(&pod->crowding, host->millis, random);
    take(pod, &idle, true);
}

/* How many moves there were. */
static unsigned run(struct host *host, int64_t millis) {
    unsigned moves = 0;
    for (int64_t end = host->millis + millis; host->millis < end;) {
        tick(host);
        for (unsigned i = 0; i < host->count; i++) {
            struct pod *pod = &host->pods[i];
            struct host_load load;
            if (host->millis < pod->crowding.next) {
                continue;
            }
            struct cpu_times now = times_of(host);
            unsigned ago = host->spread == 0 ? 0 : (unsigned)rand() % host->spread;
            uint64_t own = ago == 0
                                   ? pod->own
                                   : pod->former[(host->millis / TICK + SPREAD + 1 - ago) % SPREAD];
            now.spread = ago * TICK;
            int result = crowding_look(&pod->crowding, host->millis, &now, own / PARTS, &pod->cpus,
                    &pod->domains, &load);
            CHECK(result >= 0 && pod->crowding.next >= host->millis);
            if (result > 0) {
                take(pod, &load, false);
                moves++;
            }
            host_load_free(&load);
        }
    }
    return moves;
}

static void end(struct host *host) {
    for (unsigned i = 0; i < host->count; i++) {
        crowding_free(&host->pods[i].crowding);
        domains_free(&host->pods[i].domains);
        index_set_free(&host->pods[i].cpus);
    }
}

static uint64_t next_random(void) {
    return (uint64_t)rand() << 32 ^ (uint64_t)rand();
}

static void converge(unsigned pods, unsigned size, const struct host *kind, unsigned rounds) {
    unsigned slow = 0;
    unsigned moves = 0;
    int64_t slowest = 0;
    for (unsigned round = 0; round < rounds; round++) {
        struct host host = *kind;
        for (unsigned i = 0; i < pods; i++) {
            add_pod(&host, size, next_random());
        }
        int64_t settled = 0;
        for (int64_t step = 0; step < 10000; step += 100) {
            moves += run(&host, 100);
            settled = doubled(&host) > 0 ? host.millis : settled;
        }
        slow += doubled(&host) > 0 ? 1 : 0;
        slowest = settled > slowest ? settled : slowest;
        /* No pod moves any more. */
        if (doubled(&host) == 0) {
            run(&host, 1000);
            CHECK_INT(run(&host, 60000), 0);
        }
        end(&host);
    }
    printf("%u pods of %u cores on %u, noise %u %%, %u ticks away%s: %u of %u rounds open after 10 "
           "s; slowest %ld ms, %.1f moves\n",
            pods, size, CPUS, kind->noise, kind->away, kind->told ? " (told)" : "", slow, rounds,
            (long)slowest, (double)moves / rounds);
    CHECK_INT(slow, 0);
}

TEST(busy_pods_end_on_cores_of_their_own) {
    const struct host quiet = {0};
    srand(runner_seed());
    converge(8, 2, &quiet, 100);
    converge(2, 1, &quiet, 30);
    converge(16, 1, &quiet, 30);
    converge(5, 3, &quiet, 30);
    converge(4, 4, &quiet, 30);
    converge(8, 2, &(struct host){.noise = 5}, 30);
    converge(2, 1, &(struct host){.noise = 20}, 30);
}

/* Where reading takes up to 70 ms, a pod would take its own time for that of others. */
TEST(pods_of_a_slow_machine_stay_where_they_are_alone) {
    srand(runner_seed());
    converge(8, 2, &(struct host){.spread = SPREAD}, 30);
    for (unsigned round = 0; round < 100; round++) {
        struct host host = {.spread = SPREAD};
        add_pod(&host, 1 + round % 4, next_random());
        CHECK_INT(run(&host, 10000), 0);
        end(&host);
    }
}

/* A guest whose host has other work for its processors: what runs here is not counted then, or
 * counted as stolen, which is no reason to move. */
TEST(a_guest_on_a_busy_host_is_like_any_other) {
    srand(runner_seed());
    converge(8, 2, &(struct host){.away = 2}, 30);
    converge(8, 2, &(struct host){.away = 8}, 30);
    converge(2, 2, &(struct host){.away = 8}, 30);
    converge(8, 2, &(struct host){.away = 2, .told = true}, 30);
    converge(2, 2, &(struct host){.away = 2, .told = true}, 30);
}

/* Two share a core, and the one that is free is no domain by itself. */
TEST(a_single_core_that_is_shared_is_left) {
    srand(runner_seed());
    for (unsigned round = 0; round < 40; round++) {
        struct host host = {.noise = round % 3 * 10};
        for (unsigned i = 0; i < PODS; i++) {
            add_pod(&host, 2, next_random());
            index_set_clear(&host.pods[i].cpus);
            index_set_add(&host.pods[i].cpus, 2 * i);
            index_set_add(&host.pods[i].cpus, 2 * i + 1);
        }
        index_set_clear(&host.pods[2].cpus);
        index_set_add(&host.pods[2].cpus, round % 2 == 0 ? 4 : 5);
        index_set_add(&host.pods[2].cpus, 7);
        CHECK_INT(doubled(&host), 1);
        run(&host, 10000);
        CHECK_INT(doubled(&host), 0);
        CHECK_INT(run(&host, 30000), 0);
        end(&host);
    }
}

/* More than there is room for: all stay, or there is no end of moves. */
TEST(a_full_host_is_left_alone) {
    srand(runner_seed());
    for (int round = 0; round < 20; round++) {
        struct host host = {0};
        for (unsigned i = 0; i < 12; i++) {
            add_pod(&host, 2, next_random());
        }
        run(&host, 20000);
        CHECK_INT(doubled(&host), 0);
        CHECK_INT(run(&host, 60000), 0);
        end(&host);
    }
}

/* Idle ones cannot be seen. When one of two gets busy, the other one leaves. */
TEST(who_gets_busy_later_is_seen_then) {
    srand(runner_seed());
    for (int round = 0; round < 20; round++) {
        struct host host = {0};
        add_pod(&host, 2, next_random());
        add_pod(&host, 2, next_random());
        index_set_copy(&host.pods[1].cpus, &host.pods[0].cpus);
        host.pods[0].idle = host.pods[1].idle = true;
        CHECK_INT(run(&host, 30000), 0);
        host.pods[0].idle = false;
        CHECK_INT(run(&host, 10000), 1);
        host.pods[1].idle = false;
        CHECK_INT(run(&host, 30000), 0);
        CHECK_INT(doubled(&host), 0);
        end(&host);
    }
}

TEST(stat_is_read_as_the_kernel_writes_it) {
    struct cpu_times before;
    struct cpu_times after;
    struct host_load load;
    uint64_t room;
    CHECK_INT(cpu_times_parse(&before, "cpu  1 1 1 1 1 1 1 1 1 1\n"
                                       "cpu0 10 0 10 100 5 0 0 0 7 0\n"
                                       "cpu2 0 0 0 7 0 0 0 0 0 0\n"
                                       "cpu3 0 0 0 0 0 0 0 0 0 0\nintr 1 2\n"),
            0);
    CHECK_INT(before.count, 4);
    CHECK_INT(before.cpus[0].idle, 105);
    /* Half of its time in use, one that came online, one whose idle time went back, and one of
     * which half was stolen, and a quarter of the rest idle. */
    CHECK_INT(cpu_times_parse(&after, "cpu0 20 0 10 108 7 0 0 0 7 0\n"
                                      "cpu1 9 9 9 9 9 9 9 9 9 9\n"
                                      "cpu2 20 0 0 6 0 0 0 0 0 0\n"
                                      "cpu3 3 0 0 2 0 0 0 12 0 0\n"),
            0);
    after.millis = before.millis + 200;
    CHECK_INT(host_load_between(&load, &before, &after), 0);
    CHECK_INT(host_load_share(&load, 0), HOST_LOAD_WHOLE / 2);
    CHECK_INT(host_load_share(&load, 1), 0);
    CHECK_INT(host_load_share(&load, 2), HOST_LOAD_WHOLE);
    CHECK_INT(host_load_share(&load, 3), HOST_LOAD_WHOLE * 3 / 4);
    CHECK_INT(cpu_times_used(&before, &after, 3, &room), 60);
    CHECK_INT(room, 80);
    CHECK_INT(host_load_share(&load, 9), 0);
    host_load_free(&load);
    cpu_times_free(&before);
    cpu_times_free(&after);
    CHECK_INT(cpu_times_parse(&after, "intr 1\n"), -EINVAL);
    CHECK_INT(cpu_times_parse(&after, ""), -EINVAL);
}

/* Of equal ones any, and never one that is busy or leased. */
TEST(the_choice_is_random_among_idle_domains) {
    unsigned chosen[CPUS] = {0};
    unsigned shares[CPUS] = {[3] = HOST_LOAD_WHOLE, [4] = HOST_LOAD_WHOLE / 2};
    struct host_load load = {shares, CPUS};
    struct domains domains = cores(1);
    struct lease lease = {0};
    struct leases leases = {&lease, 1};
    uint64_t random = runner_seed();
    index_set_add(&lease.cpus, 7);
    for (int i = 0; i < 2000; i++) {
        struct domain made;
        const struct domain *picked;
        CHECK_INT(lease_pick_by_load(&domains, &leases, &load, &random, &made, &picked), 0);
        chosen[index_set_next(&picked->cpus, 0)]++;
        domain_free(&made);
    }
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        bool used = cpu == 3 || cpu == 4 || cpu == 7;
        CHECK(used ? chosen[cpu] == 0 : chosen[cpu] > 50);
    }
    index_set_free(&lease.cpus);
    domains_free(&domains);
}

int main(void) {
    RUN(stat_is_read_as_the_kernel_writes_it);
    RUN(the_choice_is_random_among_idle_domains);
    RUN(busy_pods_end_on_cores_of_their_own);
    RUN(pods_of_a_slow_machine_stay_where_they_are_alone);
    RUN(a_guest_on_a_busy_host_is_like_any_other);
    RUN(a_single_core_that_is_shared_is_left);
    RUN(a_full_host_is_left_alone);
    RUN(who_gets_busy_later_is_seen_then);
    return runner_result();
}
