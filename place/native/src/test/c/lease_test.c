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

/* Stands before /sys. */
static char root[64];

/* A random machine, each CPU with its core, node and package; some of them may be used. */
enum { MACHINE_CPUS = 40, MACHINE_RUNS = 100 };
struct machine {
    unsigned cpus, cores;
    unsigned core[MACHINE_CPUS], node[MACHINE_CPUS], package[MACHINE_CPUS];
    bool usable[MACHINE_CPUS];
};

static void make_machine(struct machine *machine) {
    *machine = (struct machine){0};
    unsigned node = 0;
    unsigned packages = 1 + (unsigned)rand() % 3;
    for (unsigned package = 0; package < packages; package++) {
        for (int nodes = 1 + rand() % 2; nodes > 0; nodes--, node++) {
            for (int cores = 1 + rand() % 5; cores > 0; cores--, machine->cores++) {
                for (int pus = 1 + rand() % 2; pus > 0 && machine->cpus < MACHINE_CPUS; pus--) {
                    unsigned cpu = machine->cpus++;
                    machine->core[cpu] = machine->cores;
                    machine->node[cpu] = node;
                    machine->package[cpu] = package;
                    machine->usable[cpu] = rand() % 8 > 0;
                }
            }
        }
    }
    machine->usable[rand() % (int)machine->cpus] = true;
}

/* The indexes with that value, into a file below the folder of the system. */
static void write_list(const char *name, const unsigned *values, unsigned value, unsigned count) {
    char path[200];
    snprintf(path, sizeof path, "%s/sys/devices/system/%s", root, name);
    FILE *file = fopen(path, "w");
    const char *comma = "";
    CHECK(file != NULL);
    for (unsigned i = 0; i < count; i++) {
        if (values[i] == value) {
            fprintf(file, "%s%u", comma, i);
            comma = ",";
        }
    }
    fputs("\n", file);
    fclose(file);
}

static void write_machine(const struct machine *machine) {
    unsigned last = machine->node[machine->cpus - 1];
    unsigned online[MACHINE_CPUS] = {0};
    char text[400];
    snprintf(text, sizeof text,
            "rm -rf %s && mkdir -p %s/sys/devices/system && cd %s/sys/devices/system && "
            "{ seq -f cpu/cpu%%g/topology 0 %u; seq -f node/node%%g 0 %u; } | xargs mkdir -p",
            root, root, root, machine->cpus - 1, last);
    CHECK_INT(system(text), 0);
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        snprintf(text, sizeof text, "cpu/cpu%u/topology/core_cpus_list", cpu);
        write_list(text, machine->core, machine->core[cpu], machine->cpus);
        snprintf(text, sizeof text, "cpu/cpu%u/topology/package_cpus_list", cpu);
        write_list(text, machine->package, machine->package[cpu], machine->cpus);
    }
    for (unsigned node = 0; node <= last; node++) {
        snprintf(text, sizeof text, "node/node%u/cpulist", node);
        write_list(text, machine->node, node, machine->cpus);
    }
    write_list("node/online", online, 0, last + 1);
}

/* Whether so many cores without a lease are in one part, when all of them are in `part`. */
static bool fits(const struct machine *machine, const unsigned *part, const bool *core_free,
        unsigned wanted) {
    for (unsigned value = 0; value < MACHINE_CPUS; value++) {
        unsigned found = 0;
        for (unsigned core = 0; core < machine->cores; core++) {
            bool here = false;
            for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
                here = here || (machine->core[cpu] == core && part[cpu] == value);
            }
            found += here && core_free[core] ? 1 : 0;
        }
        if (found >= wanted) {
            return true;
        }
    }
    return false;
}

/* The judge of what a process gets that wants some cores, by counting. */
static void check_picked(const struct machine *machine, const struct leases *leases, bool exclusive,
        unsigned wanted, const struct index_set *picked) {
    bool whole[MACHINE_CPUS] = {false};
    bool used[MACHINE_CPUS] = {false};
    bool taken[MACHINE_CPUS] = {false};
    bool barred[MACHINE_CPUS] = {false};
    unsigned possible = 0, without = 0, got = 0, shared = 0;
    int first = picked == NULL ? -1 : index_set_next(picked, 0);
    bool same_node = true, same_package = true;
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        unsigned core = machine->core[cpu];
        for (size_t i = 0; i < leases->count && machine->usable[cpu]; i++) {
            bool holds = index_set_contains(&leases->items[i].cpus, cpu);
            used[core] = used[core] || holds;
            barred[core] = barred[core] || (holds && (exclusive || leases->items[i].exclusive));
        }
        whole[core] = whole[core] || machine->usable[cpu];
        if (first >= 0 && index_set_contains(picked, cpu)) {
            CHECK(machine->usable[cpu]);
            taken[core] = true;
            same_node = same_node && machine->node[cpu] == machine->node[first];
            same_package = same_package && machine->package[cpu] == machine->package[first];
        }
    }
    for (unsigned core = 0; core < machine->cores; core++) {
        possible += whole[core] && !barred[core] ? 1 : 0;
        without += whole[core] && !used[core] ? 1 : 0;
        got += taken[core] ? 1 : 0;
        shared += taken[core] && used[core] ? 1 : 0;
        CHECK(!taken[core] || !barred[core]);
        whole[core] = whole[core] && !used[core];
    }
    CHECK_INT(picked != NULL, possible >= wanted);
    if (picked == NULL) {
        return;
    }
    CHECK_INT(got, wanted);
    CHECK_INT(shared, without >= wanted ? 0 : wanted - without);
    CHECK(same_node || !fits(machine, machine->node, whole, wanted));
    CHECK(same_package || !fits(machine, machine->package, whole, wanted));
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        CHECK(!taken[machine->core[cpu]] || !machine->usable[cpu] ||
                index_set_contains(picked, cpu));
    }
}

/* Processes that want some cores come and go on machines of any shape. */
TEST(no_core_has_two_processes_while_another_one_is_free) {
    char folder[] = "/tmp/berth-machine-XXXXXX";
    unsigned seed = runner_seed();
    unsigned crossing = 0;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(root, sizeof root, "%s/machine", folder);
    for (unsigned run = 0; run < MACHINE_RUNS; run++) {
        struct machine machine;
        struct index_set usable = {0};
        struct leases leases = {.items = calloc(12, sizeof *leases.items)};
        srand(seed + run);
        make_machine(&machine);
        write_machine(&machine);
        for (unsigned cpu = 0; cpu < machine.cpus; cpu++) {
            CHECK_INT(machine.usable[cpu] ? index_set_add(&usable, cpu) : 0, 0);
        }
        for (int step = 0; step < 12; step++) {
            struct domains domains = {0};
            struct error_text error;
            struct domain made = {0};
            const struct domain *picked = NULL;
            unsigned wanted = 1 + (unsigned)rand() % 5;
            bool exclusive = rand() % 4 == 0;
            int result = domains_read(&domains, root, DOMAIN_CORES, wanted, &usable, &error);
            if (result == 0) {
                result = lease_pick(&domains, &leases, exclusive, &made, &picked);
            }
            CHECK_INT(picked == NULL, result < 0);
            int failures = runner_failures;
            check_picked(
                    &machine, &leases, exclusive, wanted, picked == NULL ? NULL : &picked->cpus);
            if (runner_failures > failures) {
                char list[2][200];
                printf("BERTH_TEST_SEED=%u: %u cores of %s: %s\n", seed + run, wanted,
                        index_set_format(&usable, list[0], sizeof list[0]),
                        picked == NULL ? error.text
                                       : index_set_format(&picked->cpus, list[1], sizeof list[1]));
            }
            if (picked != NULL) {
                struct lease *lease = &leases.items[leases.count++];
                CHECK_INT(index_set_copy(&lease->cpus, &picked->cpus), 0);
                lease->exclusive = exclusive;
                crossing += strstr(picked->label, "several") != NULL ? 1 : 0;
            }
            if (leases.count > 0 && rand() % 3 == 0) {
                lease_free(&leases.items[0]);
                leases.items[0] = leases.items[--leases.count];
                leases.items[leases.count] = (struct lease){0};
            }
            domain_free(&made);
            domains_free(&domains);
        }
        index_set_free(&usable);
        leases_free(&leases);
    }
    CHECK(crossing > 0);
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_INT(system(command), 0);
}

int main(void) {
    RUN(damaged_texts_are_refused);
    RUN(numbers_out_of_range_are_refused);
    RUN(a_long_list_is_written_whole_or_not_at_all);
    RUN(the_choice_is_the_least_used_one);
    RUN(no_core_has_two_processes_while_another_one_is_free);
    return runner_result();
}
