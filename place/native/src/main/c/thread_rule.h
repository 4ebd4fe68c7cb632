/*
 * Which threads get which slots or CPUs, as text:
 *
 *     GLOB -> slot               one of the slots, the least used first; shared when they run short
 *     GLOB -> slot exclusive     one that no other thread gets; none left: anywhere in the process
 *     GLOB -> slots 0-3          one of these slots only; "exclusive" may follow
 *     GLOB -> cpus 8-9           anywhere in these CPUs (kernel numbers) that the process has
 *     GLOB -> process            anywhere in the CPUs of the process
 *     GLOB                       the same as GLOB -> slot
 *
 * The first rule that matches a thread's complete name counts. Three globs stand for kinds of
 * threads: @gc and @jit for the JVM's collector and compiler threads, which have no Java name and
 * are found by the kernel's; @carriers for the threads that carry virtual threads, which are found
 * by their thread group. For @gc and @jit the target is a set, so slots mean all CPUs of them.
 */
#ifndef BERTH_THREAD_RULE_H
#define BERTH_THREAD_RULE_H

#include "index_set.h"

#include <stdbool.h>

/* The role of slots of plans that were not written by the planner. */
#define ROLE_TASK "task"

/* A role is a word of at most 64 characters. */
enum { ROLE_SIZE = 65 };
#define GLOB_GC "@gc"
#define GLOB_JIT "@jit"
#define GLOB_CARRIERS "@carriers"

enum rule_target { TARGET_SLOT, TARGET_CPUS, TARGET_PROCESS };

struct rule {
    char *glob;
    char *role; /* of the slots, for TARGET_SLOT */
    enum rule_target target;
    unsigned first; /* position among the slots of the role */
    unsigned last;
    bool exclusive;
    bool optional;         /* not missed: of a preset, or sent by a program */
    struct index_set cpus; /* for TARGET_CPUS */
};

/* All zero bytes is an empty list. */
struct rules {
    struct rule *items;
    size_t count;
};

/* The text is copied. 0 or -ENOMEM. */
int rules_add(struct rules *rules, const char *role, size_t role_length, const char *glob,
        size_t glob_length);

/* One rule; -EINVAL with the reason. */
int rules_add_text(struct rules *rules, const char *text, size_t length, struct error_text *error);

/* A text with one rule per line; empty lines and those that start with # are skipped. The error
 * names `source` and the line. */
int rules_add_lines(struct rules *rules, const char *source, const char *text, size_t length,
        struct error_text *error);

/* The same for a file in UTF-8, with or without a byte order mark. A file without a rule is an
 * error. */
int rules_add_file(struct rules *rules, const char *path, struct error_text *error);

/* The rules that come with Berth for an engine. -EINVAL with the names for another one. */
int rules_add_preset(struct rules *rules, const char *name, struct error_text *error);

int rules_add_all(struct rules *rules, const struct rules *others);

/* "slot", "slots 0-3 exclusive", "cpus 8-9", ...; a role other than task as "role io". */
const char *rule_describe_target(const struct rule *rule, char *buffer, size_t size);

/* Whether its threads are found by the kernel's names: @gc, @jit. */
bool rule_is_group(const struct rule *rule);

bool rule_is_for_carriers(const struct rule *rule);

/* Whether two rules have the same target. */
bool rule_gives_same(const struct rule *one, const struct rule *other);

void rules_free(struct rules *rules);

#endif
