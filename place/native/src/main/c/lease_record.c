#include "lease_record.h"

#include "foreign_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the year 9999, the last one that a date of four digits can name. */
#define LAST_SECOND UINT64_C(253402300799)

void lease_free(struct lease *lease) {
    index_set_free(&lease->cpus);
    index_set_free(&lease->nodes);
    *lease = (struct lease){0};
}

void leases_free(struct leases *leases) {
    for (size_t i = 0; i < leases->count; i++) {
        lease_free(&leases->items[i]);
    }
    free(leases->items);
    *leases = (struct leases){0};
}

static bool is_below(const struct index_set *set, unsigned limit) {
    return index_set_next(set, limit) < 0;
}

int lease_write(const struct lease *lease, struct text_buffer *text) {
    char list[LEASE_TEXT_SIZE];
    if (!is_below(&lease->cpus, LEASE_CPU_LIMIT) || !is_below(&lease->nodes, LEASE_NODE_LIMIT)) {
        return -E2BIG;
    }
    text_append(text, "berth-lease 1\npid %ld\nstart %" PRIu64 "\npid-namespace %" PRIu64 "\n",
            lease->pid, lease->start, lease->pid_namespace);
    text_append(text, "user %u\ncpus %s\n", lease->user,
            index_set_format(&lease->cpus, list, sizeof list));
    text_append(text, "nodes %s\n", index_set_format(&lease->nodes, list, sizeof list));
    text_append(text, "exclusive %s\nsince %" PRId64 "\ndomain %s\nname %s\n",
            lease->exclusive ? "yes" : "no", lease->since, lease->domain, lease->name);
    return 0;
}

/* The value behind a key, and *text moved to the next line; NULL when another key stands there. */
static const char *value(const char **text, const char *key, size_t *length) {
    size_t key_length = strlen(key);
    const char *line = *text;
    if (strncmp(line, key, key_length) != 0 || line[key_length] != ' ') {
        return NULL;
    }
    line += key_length + 1;
    *length = strcspn(line, "\n");
    if (line[*length] != '\n') {
        return NULL;
    }
    *text = line + *length + 1;
    return line;
}

static bool read_number(const char **text, const char *key, uint64_t largest, uint64_t *number) {
    size_t length;
    const char *digits = value(text, key, &length);
    char *end;
    if (digits == NULL || length == 0 || length > 18 || strspn(digits, "0123456789") != length) {
        return false;
    }
    *number = strtoull(digits, &end, 10);
    return *number <= largest;
}

static bool read_set(const char **text, const char *key, unsigned limit, struct index_set *set) {
    size_t length;
    struct error_text error;
    const char *list = value(text, key, &length);
    return list != NULL && index_set_parse_below(set, limit, list, length, &error) == 0;
}

/* The text of another user is printed to terminals: nothing stays that those would obey. */
static bool read_text(const char **text, const char *key, char *into, size_t size) {
    size_t length;
    const char *from = value(text, key, &length);
    if (from == NULL) {
        return false;
    }
    length = length < size ? length : size - 1;
    memcpy(into, from, length);
    into[length] = '\0';
    foreign_text_clean(into);
    return true;
}

static bool read_all(struct lease *lease, const char *text) {
    uint64_t version;
    uint64_t pid;
    uint64_t user;
    uint64_t since;
    char exclusive[8];
    bool good = read_number(&text, "berth-lease", 1, &version) &&
                read_number(&text, "pid", INT32_MAX, &pid) &&
                read_number(&text, "start", INT64_MAX, &lease->start) &&
                read_number(&text, "pid-namespace", UINT32_MAX, &lease->pid_namespace) &&
                read_number(&text, "user", UINT32_MAX, &user) &&
                read_set(&text, "cpus", LEASE_CPU_LIMIT, &lease->cpus) &&
                read_set(&text, "nodes", LEASE_NODE_LIMIT, &lease->nodes) &&
                read_text(&text, "exclusive", exclusive, sizeof exclusive) &&
                read_number(&text, "since", LAST_SECOND, &since) &&
                read_text(&text, "domain", lease->domain, sizeof lease->domain) &&
                read_text(&text, "name", lease->name, sizeof lease->name) && *text == '\0' &&
                version == 1 && pid > 0 &&
                (strcmp(exclusive, "yes") == 0 || strcmp(exclusive, "no") == 0);
    if (good) {
        lease->pid = (long)pid;
        lease->user = (unsigned)user;
        lease->since = (int64_t)since;
        lease->exclusive = strcmp(exclusive, "yes") == 0;
    }
    return good && !index_set_is_empty(&lease->cpus);
}

int lease_read(struct lease *lease, const char *text) {
    *lease = (struct lease){0};
    if (!read_all(lease, text)) {
        lease_free(lease);
        return -EINVAL;
    }
    return 0;
}
