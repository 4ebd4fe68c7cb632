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

/* What any user may write: refused, or within what Java and a terminal can show. */
TEST(numbers_out_of_range_are_refused) {
    static const char *const lines[] = {"berth-lease 2", "berth-lease 0", "pid 0", "pid 2147483648",
            "start 9999999999999999999", "user 4294967296", "cpus 8192", "cpus 0-131071,0-131071",
            "cpus ", "nodes 1024", "exclusive perhaps", "since 9000000000000000",
            "since 253402300800", "pid-namespace 4294967296", "name"};
    static const char *const good[] = {"berth-lease 1", "pid 12", "start 34", "pid-namespace 56",
            "user 4294967295", "cpus 0-8191", "nodes 0-1023", "exclusive no", "since 253402300799",
            "domain a", "name x"};
    struct lease lease;
    for (size_t bad = 0; bad <= sizeof lines / sizeof *lines; bad++) {
        char text[1024] = "";
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            size_t key = strcspn(good[i], " ");
            bool other = bad < sizeof lines / sizeof *lines &&
                         strncmp(lines[bad], good[i], key) == 0 &&
                         (lines[bad][key] == ' ' || lines[bad][key] == '\0');
            strcat(text, other ? lines[bad] : good[i]);
            strcat(text, "\n");
        }
        bool is_good = bad == sizeof lines / sizeof *lines;
        CHECK_INT(lease_read(&lease, text), is_good ? 0 : -EINVAL);
        lease_free(&lease);
        strcat(text, "more\n");
        CHECK_INT(lease_read(&lease, text), -EINVAL);
    }
}

/* 1152 CPUs of which every second one is ours, as on a machine with two threads in a core. */
TEST(a_long_list_is_written_whole_or_not_at_all) {
    static char data[LEASE_TEXT_SIZE];
    struct lease lease = {.pid = 1};
    struct lease again;
    for (unsigned cpu = 0; cpu < LEASE_CPU_LIMIT; cpu += 2) {
        index_set_add(&lease.cpus, cpu);
    }
    struct text_buffer text = {.data = data, .capacity = sizeof data};
    CHECK_INT(lease_write(&lease, &text), 0);
    CHECK(text_result(&text) > 0);
    CHECK_INT(lease_read(&again, data), 0);
    CHECK(index_set_equals(&lease.cpus, &again.cpus));
    lease_free(&again);
    index_set_add(&lease.cpus, LEASE_CPU_LIMIT);
    CHECK_INT(lease_write(&lease, &text), -E2BIG);
    lease_free(&lease);
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
    RUN(numbers_out_of_range_are_refused);
    RUN(a_long_list_is_written_whole_or_not_at_all);
    RUN(the_choice_is_the_least_used_one);
    return runner_result();
}
