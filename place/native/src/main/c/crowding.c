#include "crowding.h"

#include <errno.h>

enum {
    FIRST_MILLIS = 300,
    SOON_MILLIS = 200,
    SOON_SPREAD_MILLIS = 300,
    QUIET_MILLIS = 1700,
    QUIET_SPREAD_MILLIS = 600,
    WAIT_SPREAD_MILLIS = 1000,
    CONFIRM_MILLIS = 100,
    ALERT_LOOKS = 6,
    /* Moves without a slower pace: as many as pods that start together may need. */
    QUICK_MOVES = 8,
    SLOWEST_STEP = 6,
    LONGEST_SPREAD = 500,
    /* What a move must bring at least for each CPU where no domain is idle. */
    LOAD_GAIN = HOST_LOAD_WHOLE / 4
};

void crowding_free(struct crowding *crowding) {
    cpu_times_free(&crowding->before);
    *crowding = (struct crowding){0};
}

static int64_t after(struct crowding *crowding, int64_t millis, unsigned least, unsigned spread) {
    return millis + least + random_below(&crowding->random, spread);
}

void crowding_begin(struct crowding *crowding, int64_t millis, uint64_t random) {
    crowding_free(crowding);
    crowding->random = random;
    crowding->alert = ALERT_LOOKS;
    crowding->next = after(crowding, millis, 0, FIRST_MILLIS);
}

/* What others use of the domain's CPUs together, in 1/1024 of one: our part is taken away, which
 * runs nowhere else, also what may have come to it since it was read. On which of the CPUs that was
 * is not known, so each counts with all of it. */
static void take_away(struct host_load *load, const struct cpu_times *before,
        const struct cpu_times *now, uint64_t own, const struct index_set *cpus) {
    uint64_t all = 0;
    uint64_t used = 0;
    unsigned count = 0;
    for (int cpu = index_set_next(cpus, 0); cpu >= 0;
            cpu = index_set_next(cpus, (unsigned)cpu + 1)) {
        uint64_t room;
        used += cpu_times_used(before, now, (size_t)cpu, &room);
        all += room;
        count += room > 0 ? 1 : 0;
    }
    uint64_t ours = own * STAT_TICK_MILLIS + now->spread * count;
    uint64_t others = used > ours ? used - ours : 0;
    unsigned share = all == 0 ? 0 : (unsigned)(others * HOST_LOAD_WHOLE * count / all);
    for (int cpu = index_set_next(cpus, 0); cpu >= 0;
            cpu = index_set_next(cpus, (unsigned)cpu + 1)) {
        if ((size_t)cpu < load->count) {
            load->shares[cpu] = share;
        }
    }
}

/* A domain may have some CPUs that we have, too. What it has in addition is idle, or as many of
 * ours are more in use by others, if those are the right ones. If they are not, the next look
 * tells. */
bool crowding_may_take(
        const struct domain *domain, const struct host_load *load, const struct index_set *cpus) {
    unsigned count = 0;
    unsigned peak = 0;
    unsigned sum = 0;
    for (int cpu = index_set_next(&domain->cpus, 0); cpu >= 0;
            cpu = index_set_next(&domain->cpus, (unsigned)cpu + 1)) {
        if (!index_set_contains(cpus, (unsigned)cpu)) {
            unsigned share = host_load_share(load, (unsigned)cpu);
            peak = share > peak ? share : peak;
            sum += share;
            count++;
        }
    }
    unsigned others = host_load_mean(load, cpus);
    unsigned most = count * HOST_LOAD_WHOLE;
    return count > 0 &&
           (peak < LOAD_IDLE || sum + count * LOAD_GAIN <= (others < most ? others : most));
}

/* Whether others use the domain, and there is a better one. */
static int is_crowded(struct crowding *crowding, const struct index_set *cpus,
        const struct domains *domains, const struct host_load *load) {
    static const struct leases none;
    struct domain made;
    const struct domain *picked;
    if (host_load_mean(load, cpus) < LOAD_IDLE * index_set_count(cpus)) {
        return 0;
    }
    int result = lease_pick_by_load(domains, &none, load, &crowding->random, &made, &picked);
    bool better = result == 0 && crowding_may_take(picked, load, cpus);
    domain_free(&made);
    return result == -ENOMEM ? result : better;
}

/* A machine on which reading takes long needs longer times to compare. */
static unsigned longer(const struct cpu_times *now) {
    return (unsigned)(now->spread > LONGEST_SPREAD ? LONGEST_SPREAD : now->spread) * 8;
}

static void look_later(struct crowding *crowding, int64_t millis, bool soon, unsigned more) {
    crowding->stage = CROWDING_LOOKS;
    crowding->alert = soon ? ALERT_LOOKS : crowding->alert > 0 ? crowding->alert - 1 : 0;
    crowding->moves = crowding->alert > 0 ? crowding->moves : 0;
    crowding->next = crowding->alert > 0
                             ? after(crowding, millis, SOON_MILLIS + more, SOON_SPREAD_MILLIS)
                             : after(crowding, millis, QUIET_MILLIS + more, QUIET_SPREAD_MILLIS);
}

static unsigned patience(const struct crowding *crowding) {
    unsigned step = crowding->moves < QUICK_MOVES ? 0 : crowding->moves - QUICK_MOVES + 1;
    return WAIT_SPREAD_MILLIS << (step > SLOWEST_STEP ? SLOWEST_STEP : step);
}

static int judge(struct crowding *crowding, int64_t millis, int crowded, unsigned more) {
    if (crowded <= 0) {
        look_later(crowding, millis, false, more);
    } else if (crowding->stage == CROWDING_LOOKS) {
        crowding->stage = CROWDING_WAITS;
        crowding->next = after(crowding, millis, 0, patience(crowding));
    } else {
        crowding->moves++;
        look_later(crowding, millis, true, more);
    }
    return crowded;
}

int crowding_look(struct crowding *crowding, int64_t millis, struct cpu_times *now, uint64_t own,
        const struct index_set *cpus, const struct domains *domains, struct host_load *load) {
    bool first = crowding->before.count == 0;
    uint64_t used = own > crowding->own ? own - crowding->own : 0;
    int result = 0;
    *load = (struct host_load){0};
    if (first) {
        crowding->next = after(crowding, millis, SOON_MILLIS, SOON_SPREAD_MILLIS);
    } else if (crowding->stage == CROWDING_WAITS) {
        crowding->stage = CROWDING_CONFIRMS;
        crowding->next = millis + CONFIRM_MILLIS + longer(now);
    } else {
        bool confirms = crowding->stage == CROWDING_CONFIRMS;
        result = host_load_between(load, &crowding->before, now);
        if (result == 0) {
            take_away(load, &crowding->before, now, used, cpus);
            result = is_crowded(crowding, cpus, domains, load);
        }
        result = judge(crowding, millis, result, longer(now));
        result = result > 0 && !confirms ? 0 : result;
    }
    if (result <= 0) {
        host_load_free(load);
    }
    cpu_times_free(&crowding->before);
    crowding->before = *now;
    *now = (struct cpu_times){0};
    crowding->own = own;
    return result;
}
