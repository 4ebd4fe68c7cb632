#include "lease.h"

#include "runner.h"

#include <errno.h>

/* Texts cut and changed at random: never read over the end, never half a lease. */
TEST(damaged_texts_are_refused) {
    static const char good[] = "berth-lease 1\npid 12\nstart 34\npid-namespace 56\nuser 0\n"
                               "cpus 0-3\nnodes 0\nexclusive yes\nsince 1\ndomain a b\nname x\n";
    struct lease lease;
    CHECK_INT(lease_read(&lease, good), 0);
    CHECK(lease.exclusive && lease.pid == 12 && lease.start == 34);
    CHECK_TEXT(lease.domain, "a b");
    lease_free(&lease);
    srand(runner_seed());
    int refused = 0;
    for (int round = 0; round < 20000; round++) {
        char *text = strdup(good);
        size_t length = strlen(text);
        if (round % 2 == 0) {
            text[(size_t)rand() % length] = '\0';
        } else {
            text[(size_t)rand() % length] = (char)(rand() % 256);
        }
        int result = lease_read(&lease, text);
        CHECK(result == 0 || result == -EINVAL);
        refused += result < 0 ? 1 : 0;
        lease_free(&lease);
        free(text);
    }
    CHECK(refused > 10000);
}

/* Random leases over 8 CPUs in two packages: the choice is the least used, and never held
 * exclusively. */
TEST(the_choice_is_the_least_used_one) {
    enum { CPUS = 8, ROUNDS = 2000 };
    int busy = 0;
    srand(runner_seed());
    struct domains domains = {0};
    for (unsigned i = 0; i < CPUS; i++) {
        index_set_add(&domains_add(&domains)->cpus, i);
    }
    for (int round = 0; round < ROUNDS; round++) {
        struct leases leases = {.count = (size_t)(rand() % 12)};
        unsigned users[CPUS] = {0};
        bool held[CPUS] = {false};
        leases.items = calloc(leases.count + 1, sizeof *leases.items);
        for (size_t i = 0; i < leases.count; i++) {
            unsigned cpu = (unsigned)rand() % CPUS;
            index_set_add(&leases.items[i].cpus, cpu);
            leases.items[i].exclusive = rand() % 3 == 0;
            users[cpu]++;
            held[cpu] = held[cpu] || leases.items[i].exclusive;
        }
        bool exclusive = rand() % 2 == 0;
        int expected = -EBUSY;
        for (int cpu = CPUS - 1; cpu >= 0; cpu--) {
            bool possible = !held[cpu] && (!exclusive || users[cpu] == 0);
            if (possible && (expected < 0 || users[cpu] <= users[expected])) {
                expected = cpu;
            }
        }
        CHECK_INT(lease_choose(&domains, &leases, exclusive), expected);
        busy += expected < 0 ? 1 : 0;
        leases_free(&leases);
    }
    CHECK(busy > 0 && busy < ROUNDS / 2);
    domains_free(&domains);
}

int main(void) {
    RUN(damaged_texts_are_refused);
    RUN(the_choice_is_the_least_used_one);
    return runner_result();
}
