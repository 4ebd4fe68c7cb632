#include "lease_by_load.h"

#include "public_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4 };

/* SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014. */
unsigned random_below(uint64_t *random, unsigned limit) {
    uint64_t value = *random += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    value ^= value >> 31;
    return (unsigned)((value >> 32) * limit >> 32);
}

uint64_t random_seed(void) {
    char number[17];
    public_name_random(number, sizeof number);
    return strtoull(number, NULL, 16);
}

/* A copy in random order; its sets are those of the original. NULL without memory. */
static struct domain *shuffle(const struct domain *items, size_t count, uint64_t *random) {
    struct domain *copy = calloc(count + 1, sizeof *copy);
    if (copy == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        size_t k = random_below(random, (unsigned)i + 1);
        copy[i] = copy[k];
        copy[k] = items[i];
    }
    return copy;
}

static bool is_leased(const struct leases *leases, unsigned cpu) {
    for (size_t i = 0; i < leases->count; i++) {
        if (leases->items[i].kin != KIN_ANCESTOR &&
                index_set_contains(&leases->items[i].cpus, cpu)) {
            return true;
        }
    }
    return false;
}

/* Each lease STEPS times, as shallow copies; behind them as many of our own, of which a CPU is in
 * the more the busier it is. */
static int count_load(
        struct leases *counted, const struct leases *leases, const struct host_load *load) {
    int result = 0;
    *counted =
            (struct leases){.items = calloc((leases->count + 1) * STEPS, sizeof *counted->items)};
    if (counted->items == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < leases->count * STEPS; i++) {
        counted->items[i] = leases->items[i / STEPS];
    }
    counted->count = (leases->count + 1) * STEPS;
    struct lease *busy = &counted->items[leases->count * STEPS];
    for (unsigned cpu = 0; cpu < load->count && result == 0; cpu++) {
        unsigned step = (load->shares[cpu] * STEPS + HOST_LOAD_WHOLE / 2) / HOST_LOAD_WHOLE;
        step = is_leased(leases, cpu) ? 0 : step > STEPS ? STEPS : step;
        for (unsigned k = 0; k < step && result == 0; k++) {
            result = index_set_add(&busy[k].cpus, cpu);
        }
    }
    return result;
}

static void free_counted(struct leases *counted, size_t shallow) {
    for (size_t i = shallow; i < counted->count; i++) {
        index_set_free(&counted->items[i].cpus);
    }
    free(counted->items);
}

int lease_pick_by_load(const struct domains *domains, const struct leases *leases,
        const struct host_load *load, uint64_t *random, struct domain *made,
        const struct domain **picked) {
    struct leases counted;
    struct domains shuffled = *domains;
    *made = (struct domain){0};
    *picked = NULL;
    int result = count_load(&counted, leases, load);
    shuffled.items = shuffle(domains->items, domains->count, random);
    shuffled.cores = shuffle(domains->cores, domains->core_count, random);
    if (result == 0 && (shuffled.items == NULL || shuffled.cores == NULL)) {
        result = -ENOMEM;
    }
    result = result < 0 ? result : lease_pick(&shuffled, &counted, false, made, picked);
    if (result == 0 && *picked != made) {
        const struct domain *copy = *picked;
        *picked = NULL;
        for (size_t i = 0; i < domains->count; i++) {
            *picked =
                    domains->items[i].cpus.words == copy->cpus.words ? &domains->items[i] : *picked;
        }
    }
    free(shuffled.items);
    free(shuffled.cores);
    free_counted(&counted, counted.items == NULL ? 0 : leases->count * STEPS);
    return result;
}
