#include "numa_option.h"

#include "birth_memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char variable[] = NUMA_OPTION_VARIABLE "=";

/* Not UseNUMAInterleaving, which is another option. */
static bool has_option(const char *text, const char *option) {
    for (const char *at = strstr(text, option); at != NULL; at = strstr(at + 1, option)) {
        if (!isalnum((unsigned char)at[strlen(option)])) {
            return true;
        }
    }
    return false;
}

static bool switches_on(char *const *texts) {
    bool found = false;
    for (; *texts != NULL && !found; texts++) {
        found = has_option(*texts, "-XX:+UseZGC") || has_option(*texts, "-XX:+UseShenandoahGC") ||
                has_option(*texts, "-XX:+UseNUMA");
    }
    return found;
}

static bool is_decided(char *const *variables) {
    for (; *variables != NULL; variables++) {
        if (strncmp(*variables, variable, sizeof variable - 1) == 0) {
            return has_option(*variables, "UseNUMA");
        }
    }
    return false;
}

bool numa_option_matters(char *const *words, char *const *variables) {
    return !is_decided(variables) && (switches_on(words) || switches_on(variables));
}

int numa_option_set(const struct process_binding *binding, char *const *words) {
    static const char option[] = "-XX:-UseNUMA";
    struct index_set nodes = {0};
    bool some = birth_memory_nodes("", binding, &nodes);
    index_set_free(&nodes);
    if (!some || !numa_option_matters(words, environ)) {
        return 0;
    }
    const char *former = getenv(NUMA_OPTION_VARIABLE);
    size_t size = sizeof option + (former == NULL ? 0 : strlen(former) + 1);
    char *value = malloc(size);
    if (value == NULL) {
        return -ENOMEM;
    }
    snprintf(
            value, size, "%s%s%s", former == NULL ? "" : former, former == NULL ? "" : " ", option);
    int result = setenv(NUMA_OPTION_VARIABLE, value, 1) < 0 ? -errno : 0;
    free(value);
    return result;
}
