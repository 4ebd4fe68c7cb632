#include "heap_maps.h"

#include "file_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAPS_LIMIT = 256 << 20, PATH_SIZE = 64, NAME_SIZE = 64 };

static const char file_name[] = "/memfd:java_heap";

void heap_mappings_free(struct heap_mappings *mappings) {
    free(mappings->items);
    *mappings = (struct heap_mappings){0};
}

static int add(struct heap_mappings *mappings, const struct heap_mapping *mapping) {
    if ((mappings->count & (mappings->count - 1)) == 0) {
        size_t capacity = mappings->count == 0 ? 1 : 2 * mappings->count;
        struct heap_mapping *items = realloc(mappings->items, capacity * sizeof *items);
        if (items == NULL) {
            return -ENOMEM;
        }
        mappings->items = items;
    }
    mappings->items[mappings->count++] = *mapping;
    return 0;
}

/* "7f0000000000-7f0000200000 rw-p 00000000 00:00 0    [name]" */
static int parse_line(struct heap_mappings *mappings, const char *line, bool file, uintptr_t start,
        uint64_t bytes) {
    char *at;
    struct heap_mapping mapping = {.start = strtoul(line, &at, 16)};
    if (*at != '-') {
        return 0;
    }
    mapping.end = strtoul(at + 1, &at, 16);
    bool writable = strlen(at) > 4 && at[2] == 'w';
    if (file) {
        const char *name = strchr(at, '/');
        if (name == NULL || strncmp(name, file_name, sizeof file_name - 1) != 0) {
            return 0;
        }
        mapping.offset = strtoull(at + 5, NULL, 16);
        return add(mappings, &mapping);
    }
    uintptr_t end = start + bytes;
    mapping.start = mapping.start > start ? mapping.start : start;
    mapping.end = mapping.end < end ? mapping.end : end;
    mapping.offset = mapping.start - start;
    return writable && mapping.start < mapping.end ? add(mappings, &mapping) : 0;
}

int heap_mappings_parse(
        struct heap_mappings *mappings, char *text, bool file, uintptr_t start, uint64_t bytes) {
    int result = 0;
    heap_mappings_free(mappings);
    for (char *line = text; line != NULL && *line != '\0' && result == 0;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        result = parse_line(mappings, line, file, start, bytes);
        line = end == NULL ? NULL : end + 1;
    }
    return result;
}

static int read_maps(struct heap_mappings *mappings, bool file, uintptr_t start, uint64_t bytes) {
    char *text;
    size_t length;
    int result = file_text_read("/proc/self/maps", MAPS_LIMIT, &text, &length);
    if (result == 0) {
        result = heap_mappings_parse(mappings, text, file, start, bytes);
        free(text);
    }
    return result;
}

int heap_mappings_in(struct heap_mappings *mappings, uintptr_t start, uint64_t bytes) {
    return read_maps(mappings, false, start, bytes);
}

int heap_mappings_of_file(struct heap_mappings *mappings) {
    return read_maps(mappings, true, 0, 0);
}

bool heap_mappings_have(
        const struct heap_mappings *mappings, const struct heap_mapping *mapping, size_t *from) {
    while (*from < mappings->count && mappings->items[*from].start < mapping->start) {
        ++*from;
    }
    return *from < mappings->count && mappings->items[*from].start == mapping->start &&
           mappings->items[*from].end == mapping->end;
}

int heap_file_find(uint64_t *bytes) {
    int found = -ENOENT;
    DIR *files = opendir("/proc/self/fd");
    for (struct dirent *entry; files != NULL && found < 0 && (entry = readdir(files)) != NULL;) {
        char path[PATH_SIZE];
        char name[NAME_SIZE];
        snprintf(path, sizeof path, "/proc/self/fd/%.20s", entry->d_name);
        ssize_t length = readlink(path, name, sizeof name);
        if (length >= (ssize_t)sizeof file_name - 1 &&
                memcmp(name, file_name, sizeof file_name - 1) == 0) {
            found = atoi(entry->d_name);
        }
    }
    if (files == NULL) {
        return -errno;
    }
    closedir(files);
    struct stat status;
    if (found >= 0 && file_status(found, &status) < 0) {
        return -errno;
    }
    *bytes = found < 0 ? 0 : (uint64_t)status.st_size;
    return found >= 0 && *bytes == 0 ? -ENOENT : found;
}
