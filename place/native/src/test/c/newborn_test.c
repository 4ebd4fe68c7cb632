#include "newborn.h"

#include "cpu_bind.h"
#include "proc_status.h"
#include "runner.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static struct index_set all;
static struct index_set one;

/* A thread that is there until it is told to end. */
struct child {
    pthread_t thread;
    atomic_int tid;
    atomic_bool ended;
    bool binds_itself;
};

static void *live(void *argument) {
    struct child *child = argument;
    if (child->binds_itself) {
        newborn_bind(0, &one);
    }
    atomic_store(&child->tid, current_thread_id());
    while (!atomic_load(&child->ended)) {
        usleep(1000);
    }
    return NULL;
}

static void start(struct child *child) {
    CHECK_INT(pthread_create(&child->thread, NULL, live, child), 0);
    while (atomic_load(&child->tid) == 0) {
        usleep(1000);
    }
}

static void end(struct child *child) {
    atomic_store(&child->ended, true);
    pthread_join(child->thread, NULL);
}

static const char *mask_of(int tid) {
    static char text[4096];
    proc_status_field(tid, "Cpus_allowed_list", text, sizeof text);
    return text;
}

static const char *format(const struct index_set *set) {
    static char text[4096];
    return index_set_format(set, text, sizeof text);
}

TEST(a_thread_of_a_bound_creator_gets_the_domain_and_its_creator_keeps_its_slot) {
    struct child child = {.binds_itself = false};
    CHECK_INT(newborn_bind(0, &one), 0);
    start(&child);
    CHECK_TEXT(mask_of(child.tid), format(&one));
    CHECK_INT(newborn_look(&all), 1);
    CHECK_TEXT(mask_of(child.tid), format(&all));
    CHECK_TEXT(mask_of(current_thread_id()), format(&one));
    CHECK_INT(newborn_look(&all), 0);
    end(&child);
    CHECK_INT(newborn_bind(0, &all), 0);
}

TEST(a_new_thread_that_is_bound_on_purpose_keeps_its_slot) {
    struct child child = {.binds_itself = true};
    start(&child);
    CHECK_INT(newborn_look(&all), 0);
    CHECK_TEXT(mask_of(child.tid), format(&one));
    end(&child);
}

TEST(a_thread_can_take_the_domain_at_its_birth) {
    CHECK_INT(newborn_bind(0, &one), 0);
    newborn_self(&all);
    CHECK_TEXT(mask_of(current_thread_id()), format(&all));
}

/* Somebody else has put it there. */
TEST(a_thread_outside_of_the_domain_is_left_alone) {
    struct child child = {.binds_itself = false};
    struct index_set other = {0};
    index_set_copy(&other, &all);
    index_set_subtract(&other, &one);
    CHECK_INT(cpu_bind_set(0, &one), 0);
    start(&child);
    CHECK_INT(newborn_look(&other), 0);
    CHECK_TEXT(mask_of(child.tid), format(&one));
    end(&child);
    CHECK_INT(cpu_bind_set(0, &all), 0);
    index_set_free(&other);
}

TEST(during_a_pause_threads_inherit_and_so_they_stay_afterwards) {
    struct child child = {.binds_itself = false};
    newborn_pause();
    CHECK_INT(cpu_bind_set(0, &one), 0);
    start(&child);
    newborn_self(&all);
    CHECK_TEXT(mask_of(current_thread_id()), format(&one));
    CHECK_INT(newborn_look(&all), -ECANCELED);
    newborn_begin();
    CHECK_INT(newborn_look(&all), 0);
    CHECK_TEXT(mask_of(child.tid), format(&one));
    end(&child);
    CHECK_INT(cpu_bind_set(0, &all), 0);
}

int main(void) {
    CHECK_INT(cpu_bind_get(0, &all), 0);
    index_set_add(&one, (unsigned)index_set_next(&all, 0));
    if (index_set_count(&all) < 2) {
        return 77;
    }
    newborn_begin();
    RUN(a_thread_of_a_bound_creator_gets_the_domain_and_its_creator_keeps_its_slot);
    RUN(a_new_thread_that_is_bound_on_purpose_keeps_its_slot);
    RUN(a_thread_can_take_the_domain_at_its_birth);
    RUN(a_thread_outside_of_the_domain_is_left_alone);
    RUN(during_a_pause_threads_inherit_and_so_they_stay_afterwards);
    index_set_free(&all);
    index_set_free(&one);
    return runner_result();
}
