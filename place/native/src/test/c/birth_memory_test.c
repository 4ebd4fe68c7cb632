#include "birth_memory.h"

#include "leader_policy.h"
#include "machine_tree.h"
#include "memory_bind.h"
#include "nodes_near.h"
#include "runner.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct index_set set_of(const char *list) {
    struct index_set set = {0};
    struct error_text error;
    if (*list != '\0') {
        CHECK_INT(index_set_parse(&set, list, strlen(list), &error), 0);
    }
    return set;
}

static bool own_heap;

/* The nodes that a JVM with this binding is shown; "" when it sees all. */
static void check_shown(
        enum memory_mode memory, const char *cpus, const char *nodes, const char *expected) {
    struct process_binding process = {
            .cpus = set_of(cpus), .memory = memory, .nodes = set_of(nodes), .own_heap = own_heap};
    struct index_set shown = {0};
    char list[256];
    bool some = birth_memory_nodes(root, &process, &shown);
    CHECK_TEXT(some ? index_set_format(&shown, list, sizeof list) : "", expected);
    index_set_free(&shown);
    process_binding_free(&process);
}

TEST(a_jvm_near_some_nodes_is_shown_these) {
    unpack("48amd64-4d2n6c-sparse");
    check_shown(MEMORY_LOCAL, "18-23", "", "33");
    check_shown(MEMORY_LOCAL, "18-29", "", "33-34");
    check_shown(MEMORY_LOCAL, "20", "", "33");
    check_shown(MEMORY_PREFER, "18-23", "33", "33");
    check_shown(MEMORY_PREFER, "", "72-73", "72-73");
    check_shown(MEMORY_BIND_BALANCE, "18-23", "33-34", "33-34");
    check_shown(MEMORY_PREFER_BALANCE, "", "33", "33");
    check_shown(MEMORY_WEIGHTED, "18-23", "33-34", "33");
    clear();
}

TEST(a_jvm_whose_heap_has_its_own_policy_is_shown_one_node) {
    unpack("48amd64-4d2n6c-sparse");
    own_heap = true;
    check_shown(MEMORY_LOCAL, "18-29", "", "33");
    check_shown(MEMORY_LOCAL, "", "", "0");
    check_shown(MEMORY_BIND, "18-29", "33-34", "33");
    check_shown(MEMORY_INTERLEAVE, "", "33-34", "33");
    own_heap = false;
    clear();
}

TEST(a_jvm_near_all_nodes_or_with_another_policy_is_not) {
    unpack("memorysidecaches");
    check_shown(MEMORY_LOCAL, "1,5", "", "1");
    check_shown(MEMORY_LOCAL, "0-3", "", "");
    check_shown(MEMORY_LOCAL, "", "", "");
    check_shown(MEMORY_PREFER, "1,5", "0-3", "");
    check_shown(MEMORY_BIND, "1,5", "1", "");
    check_shown(MEMORY_INTERLEAVE, "1,5", "1", "");
    /* No node has this CPU, as when its own has no memory. */
    check_shown(MEMORY_LOCAL, "1,500", "", "");
    clear();
}

TEST(room_is_free_memory_and_file_cache) {
    struct index_set nodes = set_of("0,33");
    unpack("48amd64-4d2n6c-sparse");
    CHECK_INT(nodes_room_bytes(root, &nodes),
            1024L * (8108428 + 12500 + 10304 + 16476596 + 9188 + 18036));
    CHECK_INT(nodes_room_bytes("/nonexistent", &nodes), 0);
    index_set_free(&nodes);
    clear();
}

static int raw_policy(void) {
    int policy = -1;
    CHECK_INT(syscall(SYS_get_mempolicy, &policy, NULL, 0, 0, 0), 0);
    return policy;
}

static void *give_leader_its_policy(void *unused) {
    struct index_set nodes = {0};
    (void)unused;
    CHECK_INT(memory_allowed_nodes(&nodes), 0);
    CHECK_INT(memory_policy_set(POLICY_INTERLEAVE, &nodes), 0);
    CHECK_INT(leader_policy_set(), 0);
    index_set_free(&nodes);
    return NULL;
}

TEST(the_first_thread_takes_the_policy_of_another) {
    pthread_t thread;
    if (memory_policy_set(POLICY_DEFAULT, NULL) < 0) {
        printf("# memory policies are refused here: not checked\n");
        return;
    }
    CHECK_INT(pthread_create(&thread, NULL, give_leader_its_policy, NULL), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(raw_policy(), POLICY_INTERLEAVE);
    CHECK_INT(memory_policy_set(POLICY_DEFAULT, NULL), 0);
}

int main(void) {
    RUN(a_jvm_near_some_nodes_is_shown_these);
    RUN(a_jvm_whose_heap_has_its_own_policy_is_shown_one_node);
    RUN(a_jvm_near_all_nodes_or_with_another_policy_is_not);
    RUN(room_is_free_memory_and_file_cache);
    RUN(the_first_thread_takes_the_policy_of_another);
    return runner_result();
}
