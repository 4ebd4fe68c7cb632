/* Rules for the JVM's own threads, which raise no events: they are looked for by name. */
#include "thread_rules_state.h"

#include "file_text.h"
#include "vm_threads.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMM_LIMIT = 4096, PATH_SIZE = 64 };

static size_t count_groups(const struct thread_rules *rules) {
    size_t count = 0;
    for (size_t i = 0; i < rules->rules.count; i++) {
        count += rule_is_group(&rules->rules.items[i]) ? 1 : 0;
    }
    return count;
}

bool thread_rules_has_groups(const struct thread_rules *rules) {
    return count_groups(rules) > 0;
}

bool thread_rules_has_names(const struct thread_rules *rules) {
    return count_groups(rules) < rules->rules.count;
}

bool thread_rules_has_carriers(const struct thread_rules *rules) {
    for (size_t i = 0; i < rules->rules.count; i++) {
        if (rule_is_for_carriers(&rules->rules.items[i])) {
            return true;
        }
    }
    return false;
}

/* The first rule for the group that a name of the kernel's belongs to, or -ENOENT. */
static int group_rule_of(const struct thread_rules *rules, const char *comm) {
    const char *group = vm_thread_is_gc(comm) ? GLOB_GC : vm_thread_is_jit(comm) ? GLOB_JIT : "";
    for (size_t i = 0; i < rules->rules.count; i++) {
        if (strcmp(rules->rules.items[i].glob, group) == 0) {
            return (int)i;
        }
    }
    return -ENOENT;
}

/* -ENOENT also for a thread that has ended. */
static int group_rule_of_thread(
        const struct thread_rules *rules, int tid, struct error_text *error) {
    char path[PATH_SIZE];
    char *comm;
    size_t length;
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", tid);
    int result = file_text_read(path, COMM_LIMIT, &comm, &length);
    if (result < 0) {
        return error_may_pass(result) ? error_set_system(error, -result, "cannot read %s", path)
                                      : -ENOENT;
    }
    int rule = group_rule_of(rules, comm);
    free(comm);
    return rule;
}

/* 1 when the thread had another mask. A thread that has ended meanwhile is no failure. */
static int bind_group_thread(struct thread_rules *rules, int tid, struct error_text *error) {
    int rule = group_rule_of_thread(rules, tid, error);
    if (error_may_pass(rule)) {
        return rule;
    }
    if (rule >= 0) {
        rules->targets[rule].found++;
    }
    int result = rule < 0 ? 0 : process_binding_move_thread(tid, &rules->targets[rule].cpus, error);
    return result == -ESRCH ? 0 : result;
}

static void keep_found(struct thread_rules *rules) {
    pthread_mutex_lock(&rules->lock);
    for (size_t i = 0; i < rules->rules.count; i++) {
        if (rule_is_group(&rules->rules.items[i])) {
            rules->targets[i].threads = rules->targets[i].found;
            rules->targets[i].seen = rules->targets[i].seen || rules->targets[i].found > 0;
        }
    }
    pthread_mutex_unlock(&rules->lock);
}

int thread_rules_bind_groups(struct thread_rules *rules, struct error_text *error) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return error_set_system(error, errno, "cannot list /proc/self/task");
    }
    int count = 0;
    for (size_t i = 0; i < rules->rules.count; i++) {
        rules->targets[i].found = 0;
    }
    for (struct dirent *entry; count >= 0 && (entry = readdir(tasks)) != NULL;) {
        int tid = atoi(entry->d_name);
        int result = tid <= 0 ? 0 : bind_group_thread(rules, tid, error);
        count = result < 0 ? result : count + result;
    }
    closedir(tasks);
    if (count >= 0) {
        keep_found(rules);
    }
    return count;
}

int thread_rules_concern(struct thread_rules *rules, int tid, struct error_text *error) {
    int rule = thread_rules_knows(rules, tid) ? 0 : group_rule_of_thread(rules, tid, error);
    return error_may_pass(rule) ? rule : rule >= 0;
}
