/* Soft edges of slots: masks of real threads. */
#include "thread_rules_fixture.h"

#include <pthread.h>

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

int main(void) {
    CHECK_INT(cpu_bind_get(0, &process_cpus), 0);
    proc_status_field(0, "Cpus_allowed_list", home_list, sizeof home_list);
    RUN(a_thread_may_leave_its_slot_while_the_edge_is_open);
    RUN(edges_of_replaced_rules_move_nobody);
    RUN(a_place_that_is_taken_while_its_edge_changes_has_the_last_state);
    index_set_free(&process_cpus);
    return runner_result();
}
