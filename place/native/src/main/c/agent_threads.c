/* What a thread of the JVM tells the agent. */
#include "agent.h"

#include "agent_state.h"
#include "cpu_bind.h"
#include "thread_registry.h"

#include <errno.h>
#include <stdio.h>

bool agent_looks_for_carriers(void) {
    const struct thread_rules *rules = atomic_load(&agent.rules);
    return rules != NULL && thread_rules_has_carriers(rules);
}

void agent_follows_names(void) {
    atomic_store(&agent.names_followed, true);
}

static void tell(const char *name, int result, const struct error_text *error) {
    if (result >= 0 && atomic_load(&agent.verbose)) {
        char slot[24] = "its rule's CPUs";
        if (result != NO_SLOT) {
            snprintf(slot, sizeof slot, "slot %d", result);
        }
        message_print("thread %d '%.200s': %s", current_thread_id(), name, slot);
    }
    /* Once: what fails for one thread mostly fails for all. The status counts them. */
    if (result < 0 && result != -ENOENT && result != -EALREADY &&
            !atomic_exchange(&agent.failure_printed, 1)) {
        message_print("%s (further failures are counted in the agent's status)", error->text);
    }
}

void agent_thread_started(const char *name, bool carrier) {
    struct error_text error;
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules != NULL) {
        int result = thread_rules_started(rules, current_thread_id(), name, carrier, &error);
        tell(name, result, &error);
    }
}

void agent_thread_unnamed(void) {
    const struct error_text error = {
            "the JVM has no memory left to tell the name of a thread, which keeps its CPUs"};
    tell("", -ENOMEM, &error);
}

void agent_thread_renamed(const char *name) {
    struct error_text error;
    struct thread_rules *done = NULL;
    /* Rules that are replaced meanwhile may have taken the thread over by its former name. */
    for (struct thread_rules *rules = atomic_load(&agent.rules); rules != done;
            rules = atomic_load(&agent.rules)) {
        int result = thread_rules_renamed(rules, current_thread_id(), name, &error);
        tell(name, result, &error);
        done = rules;
    }
}

void agent_thread_ended(void) {
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules != NULL) {
        thread_rules_ended(rules, current_thread_id());
    }
}
