#include "process_bind.h"

#include "cpu_bind.h"
#include "memory_bind.h"
#include "proc_status.h"
#include "runner.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static struct error_text error;
static struct index_set inherited;
static char inherited_list[512];

static void read_list(int tid, char *list, size_t size) {
    proc_status_field(tid, "Cpus_allowed_list", list, size);
}

static void set_of(struct index_set *set, const char *list) {
    CHECK_INT(index_set_parse(set, list, strlen(list), &error), 0);
}

TEST(a_plan_gives_the_union_of_a_workers_slots) {
    static const char text[] =
            "berth-plan 1\nlevel core\nmemory bind\nallowed 0-3\noversubscribed no\n"
            "slot index=0 worker=0 thread=0 role=task cpus=0 nodes=0 reason=\n"
            "slot index=1 worker=0 thread=1 role=io cpus=2 nodes=0 reason=\n"
            "slot index=2 worker=1 thread=0 role=task cpus=1,3 nodes=1 reason=\n";
    static const struct {
        int worker;
        const char *description;
    } cases[] = {{0, "CPUs 0,2, memory bind 0"}, {1, "CPUs 1,3, memory bind 1"},
            {-1, "CPUs 0-3, memory bind 0-1"}};
    struct plan plan = {0};
    char description[128];
    CHECK_INT(plan_parse(&plan, text, sizeof text - 1, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct process_binding binding = {0};
        CHECK_INT(process_binding_of_plan(&binding, &plan, cases[i].worker, &error), 0);
        CHECK_TEXT(process_binding_describe(&binding, description, sizeof description),
                cases[i].description);
        process_binding_free(&binding);
    }
    struct process_binding none = {0};
    CHECK_INT(process_binding_of_plan(&none, &plan, 2, &error), -ENOENT);
    CHECK_TEXT(error.text, "the plan has no worker 2; its workers are 0 to 1");
    process_binding_free(&none);
    plan_free(&plan);
}

TEST(a_binding_never_leaves_the_inherited_set) {
    struct process_binding binding = {0};
    index_set_copy(&binding.cpus, &inherited);
    CHECK_INT(process_binding_cut_cpus(&binding, &error), 0);
    index_set_add(&binding.cpus, 60000);
    CHECK_INT(process_binding_cut_cpus(&binding, &error), 1);
    CHECK(index_set_equals(&binding.cpus, &inherited));
    CHECK(strstr(error.text, "only those inside") != NULL);
    set_of(&binding.cpus, "60000-60001");
    CHECK_INT(process_binding_cut_cpus(&binding, &error), -EINVAL);
    CHECK(strstr(error.text, "cannot bind to CPUs 60000-60001: none of them") != NULL);
    CHECK(index_set_is_empty(&binding.cpus));
    process_binding_free(&binding);
}

TEST(memory_nodes_are_cut_too) {
    struct process_binding binding = {.memory = MEMORY_BIND};
    set_of(&binding.nodes, "900");
    CHECK_INT(process_binding_cut_nodes(&binding, &error), -EINVAL);
    CHECK_INT(binding.memory, MEMORY_LOCAL);
    binding.memory = MEMORY_BIND;
    CHECK_INT(memory_allowed_nodes(&binding.nodes), 0);
    CHECK_INT(process_binding_cut_nodes(&binding, &error), 0);
    CHECK(!process_binding_holds(&binding));
    CHECK_INT(process_binding_apply_memory(&binding, &error), 0);
    CHECK(process_binding_holds(&binding));
    memory_policy_set(POLICY_DEFAULT, &binding.nodes);
    CHECK(!process_binding_holds(&binding));
    process_binding_free(&binding);
}

TEST(what_is_applied_holds_and_is_in_proc) {
    struct process_binding binding = {0};
    char list[512];
    char expected[16];
    CHECK(process_binding_holds(&binding));
    int cpu = index_set_next(&inherited, 0);
    index_set_add(&binding.cpus, (unsigned)cpu);
    CHECK_INT(process_binding_apply_cpus(&binding, &error), 0);
    CHECK(process_binding_holds(&binding));
    read_list(0, list, sizeof list);
    snprintf(expected, sizeof expected, "%d", cpu);
    CHECK_TEXT(list, expected);
    cpu_bind_set(0, &inherited);
    if (index_set_count(&inherited) > 1) {
        CHECK(!process_binding_holds(&binding));
    }
    process_binding_free(&binding);
}

static atomic_int stop;

/* Starts threads without end, so that there is always one the listing has not seen. */
static void *breed(void *unused) {
    (void)unused;
    return NULL;
}

static void *breeder(void *unused) {
    while (!stop) {
        pthread_t child;
        if (pthread_create(&child, NULL, breed, NULL) == 0) {
            pthread_join(child, NULL);
        }
    }
    return unused;
}

TEST(local_that_is_asked_for_gives_an_inherited_policy_up) {
    struct process_binding binding = {.memory = MEMORY_LOCAL};
    struct index_set nodes = {0};
    CHECK(memory_allowed_nodes(&nodes) >= 0);
    CHECK_INT(memory_policy_set(POLICY_INTERLEAVE, &nodes), 0);
    CHECK(process_binding_holds(&binding));
    CHECK_INT(process_binding_apply_memory(&binding, &error), 0);
    CHECK_INT(memory_policy_get(&nodes), POLICY_INTERLEAVE);
    binding.default_policy = true;
    CHECK(!process_binding_holds(&binding));
    CHECK_INT(process_binding_apply_memory(&binding, &error), 0);
    CHECK_INT(memory_policy_get(&nodes), POLICY_DEFAULT);
    CHECK(process_binding_holds(&binding));
    index_set_free(&nodes);
}

static void *sleeper(void *tid) {
    atomic_store((atomic_int *)tid, current_thread_id());
    while (!stop) {
        sched_yield();
    }
    return NULL;
}

TEST(all_threads_get_the_mask_while_others_come_and_go) {
    enum { SLEEPERS = 3 };
    pthread_t threads[SLEEPERS + 1];
    atomic_int tids[SLEEPERS] = {0};
    struct process_binding binding = {0};
    char list[512];
    char expected[16];
    for (int i = 0; i < SLEEPERS; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, sleeper, &tids[i]), 0);
    }
    CHECK_INT(pthread_create(&threads[SLEEPERS], NULL, breeder, NULL), 0);
    for (int i = 0; i < SLEEPERS; i++) {
        while (tids[i] == 0) {
            sched_yield();
        }
    }
    int cpu = index_set_next(&inherited, 0);
    index_set_add(&binding.cpus, (unsigned)cpu);
    snprintf(expected, sizeof expected, "%d", cpu);
    CHECK_INT(process_binding_apply_to_all(&binding, &error), 0);
    for (int i = 0; i < SLEEPERS; i++) {
        read_list(tids[i], list, sizeof list);
        CHECK_TEXT(list, expected);
    }
    read_list(0, list, sizeof list);
    CHECK_TEXT(list, expected);
    stop = 1;
    for (int i = 0; i <= SLEEPERS; i++) {
        pthread_join(threads[i], NULL);
    }
    cpu_bind_set(0, &inherited);
    process_binding_free(&binding);
}

int main(void) {
    CHECK_INT(cpu_bind_get(0, &inherited), 0);
    read_list(0, inherited_list, sizeof inherited_list);
    RUN(a_plan_gives_the_union_of_a_workers_slots);
    RUN(a_binding_never_leaves_the_inherited_set);
    if (memory_policy_set(POLICY_DEFAULT, &inherited) == 0) {
        RUN(memory_nodes_are_cut_too);
        RUN(local_that_is_asked_for_gives_an_inherited_policy_up);
    } else {
        printf("skipped: memory_nodes_are_cut_too, "
               "local_that_is_asked_for_gives_an_inherited_policy_up: no memory policies here\n");
    }
    RUN(what_is_applied_holds_and_is_in_proc);
    RUN(all_threads_get_the_mask_while_others_come_and_go);
    index_set_free(&inherited);
    return runner_result();
}
