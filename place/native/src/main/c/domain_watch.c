#include "domain_watch.h"

#include "process_tree.h"

#include <time.h>

/* What cannot be read now is tried again. */
enum { AGAIN_MILLIS = 2000 };

static int64_t now_millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int domain_watch_is_crowded(struct domain_watch *watch, const struct index_set *cpus, long pid,
        struct host_load *load) {
    struct cpu_times times = {0};
    struct process_tree tree = {0};
    int64_t now = now_millis();
    *load = (struct host_load){0};
    if (!watch->begun) {
        watch->begun = true;
        crowding_begin(&watch->crowding, now, random_seed());
    }
    if (now < watch->crowding.next) {
        return 0;
    }
    int result = process_tree_read(&tree, pid);
    result = result < 0 ? result : cpu_times_read(&times, "");
    if (result == 0) {
        times.spread = times.millis > now ? (uint64_t)(times.millis - now) : 0;
        result = crowding_look(&watch->crowding, now, &times, process_tree_ticks(&tree), cpus,
                &watch->domains, load);
    } else {
        watch->crowding.next = now + AGAIN_MILLIS;
    }
    cpu_times_free(&times);
    process_tree_free(&tree);
    return result > 0;
}

int64_t domain_watch_wait(const struct domain_watch *watch) {
    int64_t wait = watch->crowding.next - now_millis();
    return wait < 1 ? 1 : wait;
}

void domain_watch_forget(struct domain_watch *watch) {
    domains_free(&watch->domains);
    watch->over = false;
}

void domain_watch_free(struct domain_watch *watch) {
    crowding_free(&watch->crowding);
    domains_free(&watch->domains);
    *watch = (struct domain_watch){0};
}
