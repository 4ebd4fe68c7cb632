#include "thread_rules.h"

#include "cpu_bind.h"
#include "proc_status.h"
#include "runner.h"

#include <errno.h>
#include <pthread.h>

static struct index_set process_cpus;
static char home_list[512];

/* One task slot for each CPU of this process, and a rule for "worker-*". */
static void make_plan(struct plan *plan) {
    *plan = (struct plan){0};
    rules_add(&plan->rules, ROLE_TASK, 4, "worker-*", 8);
    unsigned index = 0;
    for (int cpu = index_set_next(&process_cpus, 0); cpu >= 0;
            cpu = index_set_next(&process_cpus, (unsigned)cpu + 1)) {
        struct plan_slot *slot = plan_add_slot(plan, ROLE_TASK);
        slot->index = index++;
        index_set_add(&slot->cpus, (unsigned)cpu);
    }
}

static struct thread_rules *make_rules(void) {
    struct plan plan;
    struct error_text error;
    struct thread_rules *rules = NULL;
    make_plan(&plan);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), 0);
    plan_free(&plan);
    return rules;
}

static const char *mask_now(void) {
    static __thread char list[512];
    proc_status_field(0, "Cpus_allowed_list", list, sizeof list);
    return list;
}

static const char *status(struct thread_rules *rules) {
    static char text[65536];
    struct text_buffer buffer = {.data = text, .capacity = sizeof text};
    thread_rules_describe(rules, &buffer);
    CHECK(text_result(&buffer) > 0);
    return text;
}

TEST(a_matching_thread_sits_in_a_slot_until_it_ends) {
    struct error_text error;
    char expected[256];
    char first_cpu[16];
    struct thread_rules *rules = make_rules();
    int tid = current_thread_id();
    CHECK_INT(thread_rules_started(rules, tid, "worker-1\n", false, &error), 0);
    snprintf(first_cpu, sizeof first_cpu, "%d", index_set_next(&process_cpus, 0));
    CHECK_TEXT(mask_now(), first_cpu);
    snprintf(expected, sizeof expected,
            "rules 1\nmatched 1\nfailed 0\nrule threads=1 matched target=slot glob=worker-*\n"
            "thread tid=%d slot=0 name=worker-1?\n",
            tid);
    CHECK_TEXT(status(rules), expected);
    thread_rules_ended(rules, tid);
    CHECK_TEXT(mask_now(), home_list);
    CHECK_TEXT(status(rules),
            "rules 1\nmatched 1\nfailed 0\nrule threads=0 matched target=slot glob=worker-*\n");
    /* The slot is free again. */
    CHECK_INT(thread_rules_started(rules, tid, "worker-2", false, &error), 0);
    thread_rules_ended(rules, tid);
    thread_rules_free(rules);
}

TEST(a_missed_end_does_not_cost_a_slot) {
    struct error_text error;
    struct thread_rules *rules = make_rules();
    int tid = current_thread_id();
    CHECK_INT(thread_rules_started(rules, tid, "worker-1", false, &error), 0);
    CHECK_INT(thread_rules_started(rules, tid, "worker-2", false, &error), 0);
    thread_rules_ended(rules, tid);
    thread_rules_ended(rules, tid);
    CHECK_INT(thread_rules_started(rules, tid, "worker-3", false, &error), 0);
    thread_rules_ended(rules, tid);
    thread_rules_free(rules);
}

/* Created by a thread in a slot, named otherwise: back to the whole process's set. */
static void *start_unmatched(void *rules) {
    struct error_text error;
    CHECK_INT(thread_rules_started(rules, current_thread_id(), "helper", false, &error), -ENOENT);
    CHECK_TEXT(mask_now(), home_list);
    return NULL;
}

TEST(an_unmatched_thread_leaves_its_creators_slot) {
    struct error_text error;
    pthread_t child;
    struct thread_rules *rules = make_rules();
    int tid = current_thread_id();
    thread_rules_started(rules, tid, "worker-1", false, &error);
    CHECK_INT(pthread_create(&child, NULL, start_unmatched, rules), 0);
    pthread_join(child, NULL);
    thread_rules_ended(rules, tid);
    thread_rules_free(rules);
}

TEST(a_mask_that_is_no_slot_is_left_alone) {
    if (index_set_count(&process_cpus) < 2) {
        printf("skipped: one CPU only\n");
        return;
    }
    struct error_text error;
    struct plan plan;
    struct thread_rules *rules = NULL;
    make_plan(&plan);
    plan.slots[0].worker = 1;
    CHECK_INT(thread_rules_create(&rules, &plan, 1, &process_cpus, &error), 0);
    char list[16];
    struct index_set second = {0};
    int cpu = index_set_next(&process_cpus, (unsigned)index_set_next(&process_cpus, 0) + 1);
    index_set_add(&second, (unsigned)cpu);
    cpu_bind_set(0, &second);
    CHECK_INT(thread_rules_started(rules, current_thread_id(), "helper", false, &error), -ENOENT);
    snprintf(list, sizeof list, "%d", cpu);
    CHECK_TEXT(mask_now(), list);
    cpu_bind_set(0, &process_cpus);
    index_set_free(&second);
    plan_free(&plan);
    thread_rules_free(rules);
}

TEST(a_rule_without_a_slot_is_refused) {
    struct error_text error;
    struct plan plan;
    struct thread_rules *rules = NULL;
    make_plan(&plan);
    rules_add(&plan.rules, "io", 2, "reader-*", 8);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), -EINVAL);
    CHECK_TEXT(error.text,
            "the thread rule 'reader-*' has no slot of role io inside the CPUs of this process");
    plan_free(&plan);
}

TEST(slots_outside_the_process_are_told) {
    struct error_text error;
    struct plan plan;
    struct thread_rules *rules = NULL;
    make_plan(&plan);
    index_set_add(&plan_add_slot(&plan, ROLE_TASK)->cpus, 60000);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), 1);
    CHECK_TEXT(error.text,
            "1 slots of the plan lie outside the CPUs of this process and are not used");
    plan_free(&plan);
    thread_rules_free(rules);
}

TEST(a_new_name_may_bring_another_rule) {
    struct error_text error;
    struct plan plan;
    struct thread_rules *rules = NULL;
    char expected[256];
    char first_cpu[16];
    int tid = current_thread_id();
    snprintf(first_cpu, sizeof first_cpu, "%d", index_set_next(&process_cpus, 0));
    make_plan(&plan);
    CHECK_INT(rules_add_text(&plan.rules, "own-* -> slots 0 exclusive", 26, &error), 0);
    CHECK_INT(rules_add_text(&plan.rules, "idle-* -> slot", 14, &error), 0);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), 0);
    plan_free(&plan);
    CHECK_INT(thread_rules_started(rules, tid, "pool-1", false, &error), -ENOENT);
    CHECK_INT(thread_rules_renamed(rules, tid, "pool-2", &error), -EALREADY);
    CHECK_TEXT(mask_now(), home_list);
    CHECK_INT(thread_rules_renamed(rules, tid, "own-1", &error), 0);
    CHECK_TEXT(mask_now(), first_cpu);
    /* It holds the slot that no other thread may have; the name alone changes. */
    CHECK_INT(thread_rules_renamed(rules, tid, "own-with-a-longer-name", &error), -EALREADY);
    snprintf(expected, sizeof expected, "thread tid=%d slot=0 name=own-with-a-longer-name\n", tid);
    CHECK(strstr(status(rules), expected) != NULL);
    CHECK_INT(thread_rules_renamed(rules, tid, "worker-1", &error), 0);
    CHECK(strstr(status(rules), "name=worker-1\n") != NULL);
    /* A rule for another name, with the same target: a pool's thread between two tasks. */
    CHECK_INT(thread_rules_renamed(rules, tid, "idle-1", &error), -EALREADY);
    CHECK(strstr(status(rules), "slot=0 name=idle-1\n") != NULL);
    CHECK_INT(thread_rules_renamed(rules, tid, "pool-1", &error), -ENOENT);
    CHECK_TEXT(mask_now(), home_list);
    CHECK(strstr(status(rules), "thread tid=") == NULL);
    thread_rules_ended(rules, tid);
    thread_rules_free(rules);
}

static void *own_slot(void *rules) {
    struct error_text error;
    static int result;
    result = thread_rules_started(rules, current_thread_id(), "own-2", false, &error);
    return &result;
}

TEST(a_thread_without_a_slot_tries_again_with_its_next_name) {
    struct error_text error;
    struct plan plan;
    struct thread_rules *rules = NULL;
    pthread_t other;
    void *result;
    int tid = current_thread_id();
    make_plan(&plan);
    CHECK_INT(rules_add_text(&plan.rules, "own-* -> slots 0 exclusive", 26, &error), 0);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), 0);
    plan_free(&plan);
    /* A thread whose end is not reported holds the slot. */
    CHECK_INT(pthread_create(&other, NULL, own_slot, rules), 0);
    pthread_join(other, &result);
    CHECK_INT(*(int *)result, 0);
    CHECK_INT(thread_rules_renamed(rules, tid, "own-1", &error), -EBUSY);
    CHECK_INT(thread_rules_renamed(rules, tid, "own-3", &error), -EBUSY);
    CHECK_TEXT(mask_now(), home_list);
    thread_rules_ended(rules, tid);
    thread_rules_free(rules);
}

static void *change_names(void *rules) {
    struct error_text error;
    static const char *const names[] = {"worker-1", "none", "worker-2", "worker-3", "nothing"};
    int tid = current_thread_id();
    thread_rules_started(rules, tid, "worker-x", false, &error);
    for (int round = 0; round < 300; round++) {
        thread_rules_renamed(rules, tid, names[round % 5], &error);
    }
    thread_rules_ended(rules, tid);
    return NULL;
}

TEST(many_renames_at_once_give_everything_back) {
    pthread_t threads[4];
    struct error_text error;
    struct plan plan;
    struct thread_rules *rules = NULL;
    make_plan(&plan);
    CHECK_INT(rules_add_text(&plan.rules, "own-* -> slots 0 exclusive", 26, &error), 0);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), 0);
    plan_free(&plan);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, change_names, rules), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK(strstr(status(rules), "thread tid=") == NULL);
    /* No user is left in the slot. */
    CHECK_INT(thread_rules_started(rules, current_thread_id(), "own-1", false, &error), 0);
    thread_rules_ended(rules, current_thread_id());
    thread_rules_free(rules);
}

TEST(rules_that_no_thread_has_matched_are_named) {
    struct error_text error;
    struct plan plan;
    struct thread_rules *rules = NULL;
    char globs[200];
    int tid = current_thread_id();
    make_plan(&plan);
    CHECK_INT(rules_add_text(&plan.rules, "a-typo-* -> slot", 16, &error), 0);
    CHECK_INT(rules_add_text(&plan.rules, "helper-* -> process", 19, &error), 0);
    CHECK_INT(rules_add_preset(&plan.rules, "netty", &error), 0);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), 0);
    plan_free(&plan);
    CHECK_INT(thread_rules_started(rules, tid, "worker-1", false, &error), 0);
    thread_rules_ended(rules, tid);
    struct text_buffer text = {.data = globs, .capacity = sizeof globs};
    CHECK_INT(thread_rules_unmatched(rules, false, &text), 1);
    CHECK_TEXT(globs, "'a-typo-*'");
    text = (struct text_buffer){.data = globs, .capacity = sizeof globs};
    CHECK_INT(thread_rules_unmatched(rules, true, &text), 4);
    CHECK_TEXT(globs, "'a-typo-*', 'helper-*', '*EventLoopGroup-*', '*-epoll-*'");
    thread_rules_free(rules);
}

enum { THREADS = 8, ROUNDS = 300 };

static void *come_and_go(void *rules) {
    struct error_text error;
    for (int round = 0; round < ROUNDS; round++) {
        int slot = thread_rules_started(rules, current_thread_id(), "worker-x", false, &error);
        if (slot < 0 || strchr(mask_now(), '-') != NULL) {
            return "wrong";
        }
        thread_rules_ended(rules, current_thread_id());
    }
    return NULL;
}

TEST(many_threads_at_once_give_everything_back) {
    pthread_t threads[THREADS];
    char expected[128];
    struct thread_rules *rules = make_rules();
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, come_and_go, rules), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *problem;
        pthread_join(threads[i], &problem);
        CHECK(problem == NULL);
    }
    snprintf(expected, sizeof expected,
            "rules 1\nmatched %d\nfailed 0\nrule threads=0 matched target=slot glob=worker-*\n",
            THREADS * ROUNDS);
    CHECK_TEXT(status(rules), expected);
    thread_rules_free(rules);
}

/* A plan with soft edges; NULL where the process has one CPU only. */
static struct thread_rules *make_soft_rules(void) {
    struct plan plan;
    struct error_text error;
    struct thread_rules *rules = NULL;
    if (index_set_count(&process_cpus) < 2) {
        printf("skipped: one CPU only\n");
        return NULL;
    }
    make_plan(&plan);
    rules_default_edge(&plan.rules, EDGE_SOFT);
    rules_add_text(&plan.rules, "fixed-* -> slot hard", 20, &error);
    CHECK_INT(thread_rules_create(&rules, &plan, -1, &process_cpus, &error), 0);
    plan_free(&plan);
    CHECK(thread_rules_wants_edges(rules));
    return rules;
}

TEST(a_thread_may_leave_its_slot_while_the_edge_is_open) {
    struct error_text error;
    struct edge_holder holder;
    struct thread_rules_slot slot;
    char own[16];
    char reach[512];
    struct index_set other = {0};
    int tid = current_thread_id();
    struct thread_rules *rules = make_soft_rules();
    /* Each CPU of this machine may have an L3 of its own. */
    if (rules == NULL || !thread_rules_has_edges(rules)) {
        thread_rules_free(rules);
        return;
    }
    CHECK_INT(thread_rules_started(rules, tid, "worker-1", false, &error), 0);
    snprintf(own, sizeof own, "%d", index_set_next(&process_cpus, 0));
    snprintf(reach, sizeof reach, "%s", mask_now());
    CHECK(thread_rules_slot(rules, 0, &slot));
    CHECK_INT(slot.index, 0);
    CHECK_INT(thread_rules_holders(rules, &holder, 1), 1);
    CHECK_INT(holder.tid, tid);
    CHECK_INT(holder.slot, 0);

    CHECK_INT(thread_rules_change_edge(rules, 0, false, &error), strcmp(reach, own) == 0 ? 0 : 1);
    CHECK_TEXT(mask_now(), own);
    CHECK_INT(thread_rules_change_edge(rules, 0, true, &error), strcmp(reach, own) == 0 ? 0 : 1);
    CHECK_TEXT(mask_now(), reach);
    CHECK_INT(thread_rules_change_edge(rules, 0, false, &error), strcmp(reach, own) == 0 ? 0 : 1);
    /* One that starts afterwards sees it. */
    thread_rules_ended(rules, tid);
    CHECK_INT(thread_rules_started(rules, tid, "worker-2", false, &error), 0);
    CHECK_TEXT(mask_now(), own);

    /* A mask from outside is left alone. */
    int last = index_set_next(&process_cpus, (unsigned)index_set_next(&process_cpus, 0) + 1);
    index_set_add(&other, (unsigned)last);
    cpu_bind_set(0, &other);
    CHECK_INT(thread_rules_change_edge(rules, 0, true, &error), 0);
    snprintf(own, sizeof own, "%d", last);
    CHECK_TEXT(mask_now(), own);
    index_set_free(&other);
    thread_rules_ended(rules, tid);

    /* A hard rule's thread stays, in a slot with an open edge. */
    CHECK_INT(thread_rules_started(rules, tid, "fixed-1", false, &error), 0);
    snprintf(own, sizeof own, "%d", index_set_next(&process_cpus, 0));
    CHECK_TEXT(mask_now(), own);
    CHECK_INT(thread_rules_holders(rules, &holder, 1), 0);
    thread_rules_ended(rules, tid);
    CHECK_TEXT(mask_now(), home_list);
    thread_rules_free(rules);
}

TEST(edges_of_replaced_rules_move_nobody) {
    struct error_text error;
    char reach[512];
    int tid = current_thread_id();
    struct thread_rules *rules = make_soft_rules();
    struct thread_rules *next = make_soft_rules();
    if (rules != NULL && next != NULL) {
        CHECK_INT(thread_rules_started(rules, tid, "worker-1", false, &error), 0);
        snprintf(reach, sizeof reach, "%s", mask_now());
        thread_rules_take_over(next, rules, NULL);
        CHECK_INT(thread_rules_change_edge(rules, 0, false, &error), 0);
        CHECK_TEXT(mask_now(), reach);
        thread_rules_ended(rules, tid);
    }
    thread_rules_free(rules);
    thread_rules_free(next);
}

static atomic_bool changes_end;

static void *change_edges(void *rules) {
    struct error_text error;
    for (unsigned i = 0; !atomic_load(&changes_end); i++) {
        CHECK(thread_rules_change_edge(rules, i / 2 % 2, i % 2 == 0, &error) >= 0);
    }
    /* All closed in the end. */
    CHECK(thread_rules_change_edge(rules, 0, false, &error) >= 0);
    CHECK(thread_rules_change_edge(rules, 1, false, &error) >= 0);
    return NULL;
}

/* A thread that takes its place while the edge changes must not keep the former mask. */
TEST(a_place_that_is_taken_while_its_edge_changes_has_the_last_state) {
    pthread_t changing;
    struct error_text error;
    char own[16];
    int tid = current_thread_id();
    struct thread_rules *rules = make_soft_rules();
    for (int round = 0; rules != NULL && round < 20; round++) {
        atomic_store(&changes_end, false);
        pthread_create(&changing, NULL, change_edges, rules);
        for (int i = 0; i < 100; i++) {
            thread_rules_ended(rules, tid);
            CHECK_INT(thread_rules_started(rules, tid, "worker-x", false, &error), 0);
        }
        atomic_store(&changes_end, true);
        pthread_join(changing, NULL);
        snprintf(own, sizeof own, "%d", index_set_next(&process_cpus, 0));
        CHECK_TEXT(mask_now(), own);
        thread_rules_ended(rules, tid);
    }
    thread_rules_free(rules);
}

TEST(a_status_that_does_not_fit_is_refused_not_cut) {
    char text[256];
    struct thread_rules *rules = make_rules();
    size_t length = strlen(status(rules));
    for (size_t capacity = 0; capacity <= length; capacity++) {
        struct text_buffer buffer = {.data = text, .capacity = capacity};
        thread_rules_describe(rules, &buffer);
        CHECK_INT(text_result(&buffer), -ENOBUFS);
    }
    struct text_buffer buffer = {.data = text, .capacity = length + 1};
    thread_rules_describe(rules, &buffer);
    CHECK_INT(text_result(&buffer), length);
    thread_rules_free(rules);
}

int main(void) {
    CHECK_INT(cpu_bind_get(0, &process_cpus), 0);
    proc_status_field(0, "Cpus_allowed_list", home_list, sizeof home_list);
    RUN(a_matching_thread_sits_in_a_slot_until_it_ends);
    RUN(a_missed_end_does_not_cost_a_slot);
    RUN(an_unmatched_thread_leaves_its_creators_slot);
    RUN(a_mask_that_is_no_slot_is_left_alone);
    RUN(a_rule_without_a_slot_is_refused);
    RUN(slots_outside_the_process_are_told);
    RUN(a_new_name_may_bring_another_rule);
    RUN(a_thread_without_a_slot_tries_again_with_its_next_name);
    RUN(many_renames_at_once_give_everything_back);
    RUN(rules_that_no_thread_has_matched_are_named);
    RUN(many_threads_at_once_give_everything_back);
    RUN(a_thread_may_leave_its_slot_while_the_edge_is_open);
    RUN(edges_of_replaced_rules_move_nobody);
    RUN(a_place_that_is_taken_while_its_edge_changes_has_the_last_state);
    RUN(a_status_that_does_not_fit_is_refused_not_cut);
    index_set_free(&process_cpus);
    return runner_result();
}
