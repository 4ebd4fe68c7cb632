#include "slot_use.h"

#include "machine_tree.h"
#include "runner.h"
#include "thread_registry.h"

#include <errno.h>

/* Two workers with two task slots and one io slot each: CPUs 0,1,2 and 3,4,5. */
static void make_plan(struct plan *plan) {
    *plan = (struct plan){0};
    for (unsigned i = 0; i < 6; i++) {
        struct plan_slot *slot = plan_add_slot(plan, i % 3 == 2 ? "io" : "task");
        slot->index = i;
        slot->worker = i / 3;
        index_set_add(&slot->cpus, i);
        index_set_add(&slot->nodes, i / 3);
    }
}

static void make_slots(struct slots *slots, int worker, const char *allowed, unsigned *outside) {
    struct plan plan;
    struct error_text error;
    struct index_set cpus = {0};
    struct index_set nodes = {0};
    make_plan(&plan);
    index_set_parse(&cpus, allowed, strlen(allowed), &error);
    index_set_add(&nodes, 0);
    CHECK_INT(slots_create(slots, &plan, worker, &cpus, &nodes, outside), 0);
    plan_free(&plan);
    index_set_free(&cpus);
    index_set_free(&nodes);
}

/* As a rule for the role does. */
static int take(struct slots *slots, const char *role) {
    char name[16];
    snprintf(name, sizeof name, "%s", role);
    return slots_take(slots, &(struct rule){.role = name, .last = 1000});
}

TEST(the_least_used_slot_is_taken_first_in_order) {
    struct slots slots;
    unsigned outside;
    make_slots(&slots, -1, "0-5", &outside);
    CHECK_INT(outside, 0);
    CHECK_INT(take(&slots, "task"), 0);
    CHECK_INT(take(&slots, "task"), 1);
    CHECK_INT(take(&slots, "task"), 3);
    CHECK_INT(take(&slots, "task"), 4);
    CHECK_INT(take(&slots, "task"), 0);
    slots_release(&slots, 3);
    CHECK_INT(take(&slots, "task"), 3);
    CHECK_INT(take(&slots, "io"), 2);
    CHECK_INT(take(&slots, "none"), -ENOENT);
    slots_free(&slots);
}

/* SlotUseTest has the same: CPUs 0-1 are of two cores, 1 of one of them, and 2 of a third. */
TEST(a_slot_of_several_cores_takes_them_from_slots_of_one) {
    struct slots slots;
    unsigned outside;
    make_slots(&slots, 0, "0-2", &outside);
    index_set_add(&slots.items[0].cpus, 1);
    slots.items[1].core = 1;
    slots.items[2].core = 2;
    snprintf(slots.items[2].role, sizeof slots.items[2].role, "task");
    CHECK_INT(take(&slots, "task"), 0);
    CHECK_INT(take(&slots, "task"), 2);
    CHECK_INT(take(&slots, "task"), 1);
    slots_free(&slots);
}

TEST(a_worker_sees_its_own_slots_cut_to_what_is_allowed) {
    struct slots slots;
    unsigned outside;
    make_slots(&slots, 1, "4-9", &outside);
    CHECK_INT(outside, 1);
    CHECK_INT(slots.count, 2);
    CHECK_INT(slots.items[0].index, 4);
    CHECK(index_set_is_empty(&slots.items[0].nodes));
    slots_free(&slots);
}

/* Takes and gives back at random: the most used slot never leads the least used by more than
 * what was given back unevenly, and with takes alone by one. */
TEST(random_use_stays_even) {
    struct slots slots;
    unsigned outside;
    int held[200];
    int count = 0;
    make_slots(&slots, -1, "0-5", &outside);
    srand(runner_seed());
    for (int round = 0; round < 5000; round++) {
        if (count < 200 && (count == 0 || rand() % 2 == 0)) {
            unsigned least = 1000;
            for (size_t i = 0; i < slots.count; i++) {
                if (strcmp(slots.items[i].role, "task") == 0 && slots.items[i].users < least) {
                    least = slots.items[i].users;
                }
            }
            int taken = take(&slots, "task");
            CHECK_INT(slots.items[taken].users, least + 1);
            held[count++] = taken;
        } else {
            int given = rand() % count;
            slots_release(&slots, (size_t)held[given]);
            held[given] = held[--count];
        }
    }
    while (count > 0) {
        slots_release(&slots, (size_t)held[--count]);
    }
    for (size_t i = 0; i < slots.count; i++) {
        CHECK_INT(slots.items[i].users, 0);
    }
    slots_free(&slots);
}

TEST(the_registry_finds_every_thread_once) {
    struct thread_registry registry = {0};
    struct thread_place place;
    for (int tid = 1; tid <= 3000; tid++) {
        place = (struct thread_place){.rule = 1, .slot = (size_t)tid * 2};
        CHECK_INT(thread_registry_add(&registry, tid, place, "worker"), 0);
    }
    CHECK_INT(thread_registry_add(&registry, 77, place, "again"), -EEXIST);
    CHECK(thread_registry_remove(&registry, 77, &place));
    CHECK_INT(place.slot, 154);
    CHECK(!thread_registry_remove(&registry, 77, &place));
    CHECK(thread_registry_remove(&registry, 77 + REGISTRY_BUCKETS, &place));
    CHECK_INT(place.slot, 2 * (77 + REGISTRY_BUCKETS));
    CHECK_INT(registry.count, 2998);
    thread_registry_free(&registry);
    CHECK_INT(registry.count, 0);
}

/* The judge: how many threads are on a CPU, or on one of a core. */
static unsigned threads_on(const struct slots *slots, const struct index_set *cpus) {
    unsigned threads = 0;
    for (size_t i = 0; i < slots->count; i++) {
        threads += index_set_common(&slots->items[i].cpus, cpus) > 0 ? slots->items[i].users : 0;
    }
    return threads;
}

static void read_core(unsigned cpu, struct index_set *core) {
    char command[5000];
    char list[200] = "";
    struct error_text error;
    snprintf(command, sizeof command,
            "cd %s/sys/devices/system/cpu/cpu%u/topology && cat core_cpus_list 2>/dev/null "
            "|| cat thread_siblings_list",
            root, cpu);
    FILE *told = popen(command, "r");
    CHECK(told != NULL && fgets(list, sizeof list, told) != NULL);
    pclose(told);
    CHECK_INT(index_set_parse(core, list, strcspn(list, "\n"), &error), 0);
}

/* No thread gets a CPU that is used, or a CPU of a core that is used, while another is free. */
static void check_taken(const struct slots *slots, const struct slot *taken,
        const struct index_set *usable, const struct index_set *cores) {
    bool shares_cpu = threads_on(slots, &taken->cpus) > 1;
    bool shares_core = threads_on(slots, &cores[(unsigned)index_set_next(&taken->cpus, 0)]) > 1;
    for (int cpu = shares_core ? index_set_next(usable, 0) : -1; cpu >= 0;
            cpu = index_set_next(usable, (unsigned)cpu + 1)) {
        struct index_set one = {0};
        index_set_add(&one, (unsigned)cpu);
        CHECK(!shares_cpu || threads_on(slots, &one) > 0);
        CHECK(threads_on(slots, &cores[cpu]) > 0);
        index_set_free(&one);
    }
}

/* Slots for PUs in any order, some of them twice; threads come and go. */
TEST(no_thread_shares_a_core_while_another_one_is_free) {
    enum { CPUS = 20, ROUNDS = 40, STEPS = 60 };
    struct index_set cores[CPUS] = {{0}};
    srand(runner_seed());
    unpack("20em64t-hybrid-1p6c2t+2ca4co1t");
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        read_core(cpu, &cores[cpu]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        struct plan plan = {0};
        struct index_set usable = {0};
        struct index_set nodes = {0};
        struct slots slots;
        unsigned outside;
        int held[STEPS];
        int count = 0;
        for (int i = 0; i < 1 + round; i++) {
            unsigned cpu = (unsigned)rand() % CPUS;
            index_set_add(&plan_add_slot(&plan, "task")->cpus, cpu);
            index_set_add(&usable, cpu);
        }
        CHECK_INT(slots_create(&slots, &plan, -1, &usable, &nodes, &outside), 0);
        slots_find_cores(&slots, root);
        for (int step = 0; step < STEPS; step++) {
            if (count == 0 || rand() % 3 > 0) {
                held[count] = take(&slots, "task");
                check_taken(&slots, &slots.items[held[count++]], &usable, cores);
            } else {
                int given = rand() % count;
                slots_release(&slots, (size_t)held[given]);
                held[given] = held[--count];
            }
        }
        slots_free(&slots);
        plan_free(&plan);
        index_set_free(&usable);
    }
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        index_set_free(&cores[cpu]);
    }
    clear();
}

int main(void) {
    RUN(the_least_used_slot_is_taken_first_in_order);
    RUN(a_slot_of_several_cores_takes_them_from_slots_of_one);
    RUN(a_worker_sees_its_own_slots_cut_to_what_is_allowed);
    RUN(random_use_stays_even);
    RUN(no_thread_shares_a_core_while_another_one_is_free);
    RUN(the_registry_finds_every_thread_once);
    return runner_result();
}
