#include "birth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

static void tell_once(const struct error_text *cut) {
    if (!reexec_done()) {
        message_print("%s", cut->text);
    }
}

int birth_find(struct process_binding *process, const struct assignment *assignment,
        const struct index_set *allowed, bool strict, struct error_text *error) {
    int result = process_binding_of_plan(process, &assignment->plan, assignment->worker, error);
    if (result == 0) {
        result = allowed == NULL ? process_binding_cut_cpus(process, error)
                                 : process_binding_cut_cpus_to(process, allowed, error);
    }
    if (result < 0) {
        return result;
    }
    if (result > 0) {
        tell_once(error);
    }
    result = process_binding_cut_nodes(process, error);
    if (result < 0 && strict) {
        return result;
    }
    if (result != 0) {
        tell_once(error);
    }
    return 0;
}

int birth_apply(struct process_binding *process, bool strict, bool tell, struct error_text *error) {
    int result = process_binding_apply_cpus(process, error);
    if (result < 0) {
        return result;
    }
    result = process_binding_apply_memory(process, error);
    if (result < 0 && !strict) {
        if (tell) {
            message_print("%s; only the CPUs are bound", error->text);
            process->memory = MEMORY_LOCAL;
        }
        return 0;
    }
    return result;
}

void birth_hand_over(struct birth_variables *variables, const struct process_binding *process,
        const struct index_set *inherited, const struct assignment *assignment) {
    static const char name[] = INHERITED_VARIABLE "=";
    char *list = variables->inherited + sizeof name - 1;
    snprintf(variables->inherited, sizeof variables->inherited, "%s", name);
    index_set_format(inherited, list, sizeof variables->inherited - sizeof name);
    birth_memory_narrow(process, variables->memory, sizeof variables->memory);
    variables->items[0] = variables->inherited;
    variables->items[1] = variables->memory;
    variables->items[2] = NULL;
    if (assignment->lease_file >= 0) {
        fcntl(assignment->lease_file, F_SETFD, 0);
        snprintf(variables->lease, sizeof variables->lease, LEASE_VARIABLE "=%d",
                assignment->lease_file);
        variables->items[2] = variables->lease;
        variables->items[3] = NULL;
    }
}
