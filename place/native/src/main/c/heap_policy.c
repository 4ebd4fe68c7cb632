#include "heap_policy.h"

#include "cpu_bind.h"
#include "file_text.h"
#include "list_file.h"
#include "nodes_near.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_SIZE = 256, PATH_SIZE = 512, FILE_LIMIT = 4096 };

#define WEIGHTS "/sys/kernel/mm/mempolicy/weighted_interleave"
#define NODES "/sys/devices/system/node"

void heap_policy_free(struct heap_policy *policy) {
    index_set_free(&policy->nodes);
    *policy = (struct heap_policy){0};
}

int heap_policy_copy(struct heap_policy *target, const struct heap_policy *source) {
    *target = *source;
    target->nodes = (struct index_set){0};
    return index_set_copy(&target->nodes, &source->nodes);
}

bool heap_policy_has_stripes(const struct heap_policy *policy) {
    return policy->mode == MEMORY_WEIGHTED || policy->mode == MEMORY_INTERLEAVE;
}

static int parse_weights(
        struct heap_policy *policy, const char *text, size_t length, struct error_text *error) {
    const char *end = text + length;
    while (text <= end) {
        char *rest;
        errno = 0;
        unsigned long weight = *text >= '1' && *text <= '9' ? strtoul(text, &rest, 10) : 0;
        if (weight == 0 || errno != 0 || weight > HEAP_WEIGHT_LIMIT ||
                (rest != end && *rest != ',')) {
            return error_set(error, EINVAL,
                    "heap-memory=: the weights '%.*s' are not numbers from 1 to %u, as in "
                    "heap-memory=weighted:3,1",
                    (int)length, end - length, HEAP_WEIGHT_LIMIT);
        }
        if (policy->weight_count == HEAP_NODE_LIMIT) {
            return error_set(error, EINVAL, "heap-memory=: more than %d weights", HEAP_NODE_LIMIT);
        }
        policy->weights[policy->weight_count++] = (uint32_t)weight;
        text = rest + 1;
    }
    return 0;
}

int heap_policy_parse(struct heap_policy *policy, const char *text, struct error_text *error) {
    size_t word = strcspn(text, ":@");
    const char *at = strchr(text, '@');
    const char *end = at == NULL ? text + strlen(text) : at;
    int mode = memory_mode_parse(text, word);
    heap_policy_free(policy);
    if (mode < 0 || mode == MEMORY_LOCAL) {
        return error_set(error, EINVAL,
                "heap-memory=%.40s: the mode is not one of bind, prefer, interleave, weighted, "
                "bind-balance, "
                "prefer-balance",
                text);
    }
    policy->given = true;
    policy->mode = (enum memory_mode)mode;
    int result = 0;
    if (text[word] == ':' && mode != MEMORY_WEIGHTED) {
        return error_set(error, EINVAL,
                "heap-memory=%.40s: only weighted has weights; nodes stand behind an @, as in "
                "heap-memory=%s@0-1",
                text, memory_mode_word(policy->mode));
    }
    if (text[word] == ':') {
        result = parse_weights(policy, text + word + 1, (size_t)(end - text) - word - 1, error);
    }
    if (result == 0 && at != NULL) {
        struct error_text cause;
        result = index_set_parse(&policy->nodes, at + 1, strlen(at + 1), &cause);
        if (result < 0 || index_set_is_empty(&policy->nodes)) {
            return error_set(error, EINVAL, "heap-memory=%.40s: %.300s", text,
                    result < 0 ? cause.text : "no node stands behind the @");
        }
    }
    if (result == 0 && at != NULL && policy->weight_count > 0 &&
            policy->weight_count != index_set_count(&policy->nodes)) {
        return error_set(error, EINVAL, "heap-memory=%.40s: %zu weights for %u nodes", text,
                policy->weight_count, index_set_count(&policy->nodes));
    }
    return result;
}

/* The CPUs of all packages that these CPUs are in; the kernel tells no package of a CPU that is
 * offline. */
static int package_cpus(const char *root, const struct index_set *cpus, struct index_set *all) {
    for (int cpu = index_set_next(cpus, 0); cpu >= 0;
            cpu = index_set_next(cpus, (unsigned)cpu + 1)) {
        struct index_set package = {0};
        if (index_set_contains(all, (unsigned)cpu)) {
            continue;
        }
        int result = list_file_read(
                &package, "%s/sys/devices/system/cpu/cpu%d/topology/package_cpus_list", root, cpu);
        /* The older name of the same file. */
        result = result == -ENOENT
                         ? list_file_read(&package,
                                   "%s/sys/devices/system/cpu/cpu%d/topology/core_siblings_list",
                                   root, cpu)
                         : result;
        result = result == 0 ? index_set_or(all, &package) : index_set_add(all, (unsigned)cpu);
        index_set_free(&package);
        if (result < 0) {
            return result;
        }
    }
    return 0;
}

/* The nodes with memory of these packages. */
static int package_nodes(const char *root, const struct index_set *cpus, struct index_set *nodes) {
    struct index_set all = {0};
    struct index_set with_memory = {0};
    int result = package_cpus(root, cpus, &all);
    result = result == 0 ? nodes_with_memory(root, &with_memory) : result;
    for (int node = index_set_next(&with_memory, 0); node >= 0 && result == 0;
            node = index_set_next(&with_memory, (unsigned)node + 1)) {
        struct index_set own = {0};
        if (list_file_read(&own, "%s/sys/devices/system/node/node%d/cpulist", root, node) == 0 &&
                index_set_common(&own, &all) > 0) {
            result = index_set_add(nodes, (unsigned)node);
        }
        index_set_free(&own);
    }
    index_set_free(&all);
    index_set_free(&with_memory);
    return result;
}

static int process_nodes(
        const char *root, const struct process_binding *process, struct index_set *nodes) {
    struct index_set cpus = {0};
    if (process->memory != MEMORY_LOCAL) {
        return index_set_copy(nodes, &process->nodes);
    }
    int result = index_set_is_empty(&process->cpus) ? cpu_bind_get(0, &cpus)
                                                    : index_set_copy(&cpus, &process->cpus);
    result = result == 0 ? package_nodes(root, &cpus, nodes) : result;
    index_set_free(&cpus);
    return result;
}

static int find_nodes(struct heap_policy *policy, const char *root, const struct index_set *allowed,
        const struct process_binding *process, struct error_text *error) {
    char list[LIST_SIZE];
    char there[LIST_SIZE];
    bool named = !index_set_is_empty(&policy->nodes);
    int result = named                      ? 0
                 : policy->weight_count > 0 ? index_set_copy(&policy->nodes, allowed)
                                            : process_nodes(root, process, &policy->nodes);
    if (result < 0) {
        return error_set_system(
                error, -result, "heap-memory=: cannot find the nodes of this process");
    }
    index_set_format(allowed, there, sizeof there);
    if (!named) {
        index_set_and(&policy->nodes, allowed);
    }
    index_set_format(&policy->nodes, list, sizeof list);
    if (!index_set_is_inside(&policy->nodes, allowed) || index_set_is_empty(&policy->nodes)) {
        return error_set(error, EINVAL,
                "heap-memory=%s: of the nodes %s this process may use only those inside %s",
                memory_mode_word(policy->mode), list, there);
    }
    unsigned count = index_set_count(&policy->nodes);
    if (policy->weight_count > 0 && policy->weight_count != count) {
        return error_set(error, EINVAL,
                "heap-memory=weighted has %zu weights, and this process may use memory of %u "
                "node%s, %s: "
                "name the nodes, as in heap-memory=weighted:3,1@0-1",
                policy->weight_count, count, count == 1 ? "" : "s", there);
    }
    if (heap_policy_has_stripes(policy) && count > HEAP_NODE_LIMIT) {
        return error_set(error, EINVAL, "heap-memory=%s: more than %d nodes",
                memory_mode_word(policy->mode), HEAP_NODE_LIMIT);
    }
    if (heap_policy_has_stripes(policy) && count == 1 && !named) {
        return error_set(error, EINVAL,
                "heap-memory=%s: node %s is the only one of this process' packages; name the nodes "
                "to go "
                "beyond them, heap-memory=%s@%s",
                memory_mode_word(policy->mode), list, memory_mode_word(policy->mode), there);
    }
    return 0;
}

/* A file with one number; 0 when it is not there. */
static uint32_t number_of(const char *path) {
    char *text;
    size_t length;
    if (file_text_read(path, FILE_LIMIT, &text, &length) < 0) {
        return 0;
    }
    unsigned long value = strtoul(text, NULL, 10);
    free(text);
    return value > HEAP_WEIGHT_LIMIT ? HEAP_WEIGHT_LIMIT : (uint32_t)value;
}

/* `format` has the root and the node; all or none. */
static bool read_weights(
        struct heap_policy *policy, const char *root, const char *folder, const char *file) {
    policy->weight_count = 0;
    for (int node = index_set_next(&policy->nodes, 0); node >= 0;
            node = index_set_next(&policy->nodes, (unsigned)node + 1)) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s%s/node%d%s", root, folder, node, file);
        uint32_t weight = number_of(path);
        if (weight == 0) {
            policy->weight_count = 0;
            return false;
        }
        policy->weights[policy->weight_count++] = weight;
    }
    return true;
}

static void reduce(struct heap_policy *policy) {
    uint32_t divisor = policy->weights[0];
    for (size_t i = 1; i < policy->weight_count; i++) {
        uint32_t other = policy->weights[i];
        while (other != 0) {
            uint32_t rest = divisor % other;
            divisor = other;
            other = rest;
        }
    }
    for (size_t i = 0; i < policy->weight_count; i++) {
        policy->weights[i] /= divisor;
    }
}

/* The firmware tells bandwidths for two classes of initiators: access1 for the nearest CPUs,
 * access0 for the nearest ones of any kind, which may be devices. Kernels before 5.10 have access0
 * alone. */
static int find_weights(struct heap_policy *policy, const char *root, struct error_text *error) {
    if (policy->mode == MEMORY_INTERLEAVE) {
        policy->weight_count = index_set_count(&policy->nodes);
        for (size_t i = 0; i < policy->weight_count; i++) {
            policy->weights[i] = 1;
        }
    } else if (policy->weight_count == 0 && !read_weights(policy, root, WEIGHTS, "") &&
               !read_weights(policy, root, NODES, "/access1/initiators/read_bandwidth") &&
               !read_weights(policy, root, NODES, "/access0/initiators/read_bandwidth")) {
        return error_set(error, EINVAL,
                "heap-memory=weighted: this kernel has no weights (it needs Linux 6.9), and the "
                "firmware "
                "tells no bandwidth of the nodes (HMAT): give weights, as in "
                "heap-memory=weighted:3,1");
    }
    reduce(policy);
    return 0;
}

int heap_policy_find(struct heap_policy *policy, const char *root, const struct index_set *allowed,
        const struct process_binding *process, struct error_text *error) {
    int result = find_nodes(policy, root, allowed, process, error);
    return result == 0 && heap_policy_has_stripes(policy) ? find_weights(policy, root, error)
                                                          : result;
}

const char *heap_policy_describe(const struct heap_policy *policy, char *buffer, size_t size) {
    char list[LIST_SIZE];
    size_t length = (size_t)snprintf(buffer, size, "%s", memory_mode_word(policy->mode));
    for (size_t i = 0; policy->mode == MEMORY_WEIGHTED && i < policy->weight_count && length < size;
            i++) {
        length += (size_t)snprintf(
                buffer + length, size - length, "%c%u", i == 0 ? ':' : ',', policy->weights[i]);
    }
    if (length < size && !index_set_is_empty(&policy->nodes)) {
        snprintf(buffer + length, size - length, "@%s",
                index_set_format(&policy->nodes, list, sizeof list));
    }
    return buffer;
}
