#include "assignment.h"
#include "domain_claim.h"

#include "runner.h"

#include <errno.h>
#include <unistd.h>

/* Two cores of two PUs each, with the second PUs numbered behind the first ones, as on most x86. */
static char root[64];

static void make_machine(void) {
    char command[1024];
    snprintf(root, sizeof root, "/tmp/berth-assignment-XXXXXX");
    CHECK(mkdtemp(root) != NULL);
    snprintf(command, sizeof command,
            "for c in 0 1 2 3; do mkdir -p %s/sys/devices/system/cpu/cpu$c/topology; echo $((c %% "
            "2)),"
            "$((c %% 2 + 2)) >%s/sys/devices/system/cpu/cpu$c/topology/core_cpus_list; done",
            root, root);
    CHECK_INT(system(command), 0);
}

static void remove_machine(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK_INT(system(command), 0);
}

static struct index_set set_of(const char *list) {
    struct index_set set = {0};
    struct error_text error;
    CHECK_INT(index_set_parse(&set, list, strlen(list), &error), 0);
    return set;
}

/* "0 1 2 3": the CPUs of each slot. */
static const char *slots(const char *cpus, bool cores, bool never) {
    static char text[256];
    struct plan plan = {0};
    struct index_set set = set_of(cpus);
    struct index_set nodes = {0};
    CHECK_INT(assignment_make_slots(&plan, root, &set, &nodes, cores, never), 0);
    text[0] = '\0';
    for (size_t i = 0; i < plan.slot_count; i++) {
        char list[64];
        CHECK_INT(plan.slots[i].index, i);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i == 0 ? "" : " ",
                index_set_format(&plan.slots[i].cpus, list, sizeof list));
    }
    plan_free(&plan);
    index_set_free(&set);
    return text;
}

TEST(second_pus_of_cores_come_last_or_never) {
    make_machine();
    CHECK_TEXT(slots("0-3", false, false), "0 1 2 3");
    CHECK_TEXT(slots("0-3", false, true), "0 1");
    CHECK_TEXT(slots("0-3", true, false), "0,2 1,3");
    CHECK_TEXT(slots("0-3", true, true), "0 1");
    CHECK_TEXT(slots("1-3", false, false), "1 2 3");
    CHECK_TEXT(slots("2,3", false, true), "2 3");
    CHECK_TEXT(slots("0,2", false, false), "0 2");
    CHECK_TEXT(slots("0,2", true, false), "0,2");
    remove_machine();
    /* No cores told: each PU is one. */
    CHECK_TEXT(slots("0-2", true, true), "0 1 2");
}

/* The slots that options lead to, and whether the first has all CPUs. */
static size_t slots_for(const char *text, const struct index_set *usable, bool *first_has_all) {
    struct assignment assignment = {.worker = -1, .lease_file = -1};
    struct options options;
    struct error_text error;
    CHECK_INT(options_parse(&options, text, &error), 0);
    CHECK_INT(assignment_choose(&assignment, &options, usable, &error), 0);
    size_t count = assignment.plan.slot_count;
    *first_has_all = count > 0 && index_set_equals(&assignment.plan.slots[0].cpus, usable);
    assignment_free(&assignment);
    options_free(&options);
    return count;
}

TEST(only_rules_need_slots_for_single_threads) {
    struct index_set usable = set_of("0-3");
    bool all;
    CHECK_INT(slots_for("", &usable, &all), 1);
    CHECK(all);
    CHECK_INT(slots_for("cpus=0-3,slots=core", &usable, &all), 1);
    CHECK(all);
    CHECK_INT(slots_for("cpus=2", &usable, &all), 1);
    CHECK(!all);
    /* On any machine: a CPU that it does not have counts as a core. */
    CHECK_INT(slots_for("cpus=0-3,rule=worker-*", &usable, &all), 4);
    CHECK_INT(slots_for("gc=process", &usable, &all), 4);
    CHECK(slots_for("smt=never", &usable, &all) >= 1);
    index_set_free(&usable);
}

/* Whatever is left, every rule has a slot to give, and all slots are inside. */
TEST(a_plan_is_cut_to_the_cpus_that_are_left) {
    static const char *const rule_texts[] = {
            "a -> slot", "b -> slots 2-3", "c -> cpus 0", "d -> process", "@gc -> slots 3"};
    make_machine();
    struct assignment assignment = {.worker = -1, .lease_file = -1};
    struct options options = {.worker = -1};
    struct index_set all = set_of("0-3");
    struct index_set none = {0};
    struct error_text error;
    CHECK_INT(assignment_make_slots(&assignment.plan, root, &all, &none, false, false), 0);
    plan_add_slot(&assignment.plan, "io");
    index_set_add(&assignment.plan.slots[4].cpus, 0);
    CHECK_INT(rules_add(&assignment.plan.rules, "io", 2, "reader", 6), 0);
    for (size_t i = 0; i < sizeof rule_texts / sizeof *rule_texts; i++) {
        CHECK_INT(rules_add_text(
                          &assignment.plan.rules, rule_texts[i], strlen(rule_texts[i]), &error),
                0);
    }
    srand(runner_seed());
    for (int round = 0; round < 200; round++) {
        struct index_set left = {0};
        struct plan plan;
        while (index_set_is_empty(&left)) {
            for (unsigned cpu = 0; cpu < 6; cpu++) {
                if (rand() % 3 == 0) {
                    index_set_add(&left, cpu);
                }
            }
        }
        CHECK_INT(assignment_replan(&assignment, &options, &left, &plan, &error), 0);
        CHECK_INT(plan.rules.count, 6);
        for (size_t i = 0; i < plan.slot_count; i++) {
            unsigned count = index_set_count(&plan.slots[i].cpus);
            CHECK(count > 0);
            CHECK_INT(index_set_common(&plan.slots[i].cpus, &left), count);
        }
        for (size_t i = 0; i < plan.rules.count; i++) {
            const struct rule *rule = &plan.rules.items[i];
            unsigned slots_of_role = 0;
            for (size_t k = 0; k < plan.slot_count; k++) {
                slots_of_role += strcmp(plan.slots[k].role, rule->role) == 0 ? 1 : 0;
            }
            CHECK(rule->target != TARGET_SLOT || rule->first < slots_of_role);
            CHECK(rule->target != TARGET_CPUS || index_set_contains(&left, 0));
        }
        plan_free(&plan);
        index_set_free(&left);
    }
    index_set_free(&all);
    assignment_free(&assignment);
    remove_machine();
}

TEST(the_kernel_tells_of_this_machine) {
    struct index_set cpus = {0};
    CHECK(domains_core_of("", 0, &cpus) != 0 || index_set_contains(&cpus, 0));
    index_set_free(&cpus);
}

/* A number in a plan is a name, and not a size: worker 0 has no slot here, and is never chosen. */
TEST(workers_may_have_any_numbers) {
    static const char text[] =
            "berth-plan 1\nlevel core\nmemory local\nallowed 0-1\noversubscribed no\n"
            "slot index=0 worker=7 thread=0 role=task cpus=0 nodes= reason=a\n"
            "slot index=1 worker=999999999 thread=0 role=task cpus=1 nodes= reason=b\n";
    struct plan plan = {0};
    struct error_text error = {""};
    struct lease leases[2];
    int files[2];
    char directory[] = "/tmp/berth-workers-XXXXXX";
    CHECK(mkdtemp(directory) != NULL);
    CHECK_INT(plan_parse(&plan, text, sizeof text - 1, &error), 0);
    for (int i = 0; i < 2; i++) {
        files[i] = domain_claim_worker(&plan, directory, true, "", &leases[i], &error);
        CHECK(files[i] >= 0);
    }
    CHECK_TEXT(leases[0].domain, "worker 7");
    CHECK_TEXT(leases[1].domain, "worker 999999999");
    struct lease none;
    CHECK_INT(domain_claim_worker(&plan, directory, true, "", &none, &error), -EBUSY);
    for (int i = 0; i < 2; i++) {
        lease_free(&leases[i]);
        close(files[i]);
    }
    CHECK_INT(domain_claim_worker(&plan, directory, true, "", &none, &error) >= 0, 1);
    lease_free(&none);
    plan_free(&plan);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    CHECK_INT(system(command), 0);
}

int main(void) {
    RUN(second_pus_of_cores_come_last_or_never);
    RUN(only_rules_need_slots_for_single_threads);
    RUN(a_plan_is_cut_to_the_cpus_that_are_left);
    RUN(the_kernel_tells_of_this_machine);
    RUN(workers_may_have_any_numbers);
    return runner_result();
}
