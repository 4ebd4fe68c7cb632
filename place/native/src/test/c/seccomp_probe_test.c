#include "seccomp_probe.h"

#include "cpu_bind.h"
#include "memory_bind.h"
#include "process_bind.h"
#include "runner.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

/* Kernel's action for two calls; every other one is allowed. */
static void install(unsigned first, unsigned second, unsigned action) {
    struct sock_filter filter[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 2, 0),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, second, 1, 0),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
            BPF_STMT(BPF_RET | BPF_K, action),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        _exit(77);
    }
}

/* Runs the checks in a child, for filters stay. */
static void in_child(void (*checks)(void)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int before = runner_failures;
        checks();
        fflush(stdout);
        _exit(runner_failures == before ? 0 : 1);
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        printf("no filter can be installed here\n");
        return;
    }
    /* 31 is SIGSYS. */
    CHECK_INT(status, 0);
}

static void without_filter(void) {
    for (int call = 0; call < PROBED_CALLS; call++) {
        CHECK_INT(seccomp_probe((enum probed_call)call), 0);
    }
}

static void deadly_calls(void) {
    struct error_text error;
    struct index_set cpus = {0};
    struct index_set nodes = {0};
    install(SYS_sched_setaffinity, SYS_migrate_pages, SECCOMP_RET_KILL_PROCESS);
    CHECK_INT(seccomp_probe(CALL_SCHED_SETAFFINITY), -EPERM);
    CHECK_INT(seccomp_probe(CALL_MIGRATE_PAGES), -EPERM);
    CHECK_INT(seccomp_probe(CALL_SET_MEMPOLICY), 0);
    CHECK_INT(seccomp_probe(CALL_MBIND), 0);
    CHECK_INT(seccomp_probe(CALL_STATX), 0);
    CHECK_INT(cpu_bind_get(0, &cpus), 0);
    CHECK_INT(cpu_bind_set(0, &cpus), -EPERM);
    CHECK_INT(index_set_add(&nodes, 0), 0);
    CHECK_INT(memory_migrate(0, &nodes, &nodes), -EPERM);
    struct process_binding binding = {.cpus = cpus};
    CHECK_INT(process_binding_apply_cpus(&binding, &error), -EPERM);
    CHECK(strstr(error.text, "a seccomp filter would end the process at the call "
                             "sched_setaffinity: allow it") != NULL);
    index_set_free(&cpus);
    index_set_free(&nodes);
}

static void deadly_memory_calls(void) {
    struct error_text error;
    struct index_set nodes = {0};
    install(SYS_get_mempolicy, SYS_set_mempolicy, SECCOMP_RET_KILL_THREAD);
    CHECK_INT(memory_allowed_nodes(&nodes), -EPERM);
    CHECK_INT(index_set_add(&nodes, 0), 0);
    struct process_binding binding = {.memory = MEMORY_BIND, .nodes = nodes};
    CHECK_INT(process_binding_apply_memory(&binding, &error), -EPERM);
    CHECK(strstr(error.text, "at the call set_mempolicy") != NULL);
    CHECK_INT(seccomp_probe(CALL_SCHED_SETAFFINITY), 0);
    index_set_free(&nodes);
}

/* As container runtimes do. The kernel's own answer counts. */
static void refused_calls(void) {
    struct error_text error;
    struct index_set nodes = {0};
    install(SYS_set_mempolicy, SYS_mbind, SECCOMP_RET_ERRNO | EPERM);
    CHECK_INT(seccomp_probe(CALL_SET_MEMPOLICY), 0);
    CHECK_INT(index_set_add(&nodes, 0), 0);
    struct process_binding binding = {.memory = MEMORY_BIND, .nodes = nodes};
    CHECK_INT(process_binding_apply_memory(&binding, &error), -EPERM);
    CHECK(strstr(error.text, ": Operation not permitted") != NULL);
    index_set_free(&nodes);
}

TEST(a_process_without_a_filter_may_make_all_calls) {
    in_child(without_filter);
}

TEST(calls_that_would_end_the_process_are_not_made) {
    in_child(deadly_calls);
    in_child(deadly_memory_calls);
}

TEST(calls_that_are_refused_are_made) {
    in_child(refused_calls);
}

int main(void) {
    RUN(a_process_without_a_filter_may_make_all_calls);
    RUN(calls_that_would_end_the_process_are_not_made);
    RUN(calls_that_are_refused_are_made);
    return runner_result();
}
