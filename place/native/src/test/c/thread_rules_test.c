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

static const char *mask_now(void) {
    static __thread char list[512];
    proc_status_field(0, "Cpus_allowed_list", list, sizeof list);
    return list;
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
    RUN(a_status_that_does_not_fit_is_refused_not_cut);
    index_set_free(&process_cpus);
    return runner_result();
}
