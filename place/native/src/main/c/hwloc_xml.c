#include "hwloc_xml.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OLDEST_VERSION = 0x20800,     /* of hwloc 2.9, too */
    DONT_CHANGE_BINDING = 1 << 6, /* HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING */
    LEAVE_OUT = 1,                /* HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST */
    TYPE_LIMIT = 64,
    LINE_SIZE = 128,
    REASON_SIZE = 512,
    HIDDEN_LIMIT = 64
};

typedef struct hwloc_topology *topology_t;

/* hwloc.h, which is not needed to build. */
static struct {
    unsigned (*get_api_version)(void);
    int (*topology_init)(topology_t *);
    int (*topology_set_flags)(topology_t, unsigned long);
    const char *(*obj_type_string)(int);
    int (*topology_set_type_filter)(topology_t, int, int);
    int (*topology_set_components)(topology_t, unsigned long, const char *);
    int (*topology_set_pid)(topology_t, int);
    int (*topology_set_synthetic)(topology_t, const char *);
    int (*topology_load)(topology_t);
    int (*topology_is_thissystem)(topology_t);
    int (*topology_export_xmlbuffer)(topology_t, char **, int *, unsigned long);
    void (*free_xmlbuffer)(topology_t, char *);
    void (*topology_destroy)(topology_t);
} hwloc;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open;

static int find_functions(void *library, char *reason, size_t size) {
    /* In the order of the structure. */
    static const char *const names[] = {"get_api_version", "topology_init", "topology_set_flags",
            "obj_type_string", "topology_set_type_filter", "topology_set_components",
            "topology_set_pid", "topology_set_synthetic", "topology_load", "topology_is_thissystem",
            "topology_export_xmlbuffer", "free_xmlbuffer", "topology_destroy"};
    _Static_assert(sizeof hwloc == sizeof names, "a function for each name");
    void *functions[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[LINE_SIZE];
        snprintf(name, sizeof name, "hwloc_%s", names[i]);
        functions[i] = dlsym(library, name);
        if (functions[i] == NULL) {
            snprintf(reason, size, "it has no function %s", name);
            return -ENOSYS;
        }
    }
    memcpy(&hwloc, functions, sizeof hwloc);
    unsigned version = hwloc.get_api_version();
    if (version < OLDEST_VERSION) {
        snprintf(reason, size,
                "it has the interface of hwloc %u.%u, and Berth needs that of 2.8 or later",
                version >> 16, version >> 8 & 0xff);
        return -ENOSYS;
    }
    return 0;
}

/* It stays open: each call uses its tables. */
static int open_library(const char *name, char *reason, size_t size) {
    int result = 0;
    pthread_mutex_lock(&lock);
    if (!is_open) {
        void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            const char *message = dlerror();
            snprintf(reason, size, "%s", message == NULL ? "dlopen refuses it" : message);
            result = -ENOENT;
        } else {
            result = find_functions(library, reason, size);
            is_open = result == 0;
            if (!is_open) {
                dlclose(library);
            }
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* The next line of a list, or NULL. */
static const char *next_line(const char **list, char *line) {
    size_t length = strcspn(*list, "\n");
    if (length == 0 || length >= LINE_SIZE) {
        return NULL;
    }
    memcpy(line, *list, length);
    line[length] = '\0';
    *list += length + ((*list)[length] == '\n');
    return line;
}

static void set_filters(topology_t topology, const char *filters) {
    char line[LINE_SIZE];
    while (next_line(&filters, line) != NULL) {
        char *blank = strchr(line, ' ');
        if (blank == NULL) {
            continue;
        }
        *blank = '\0';
        int filter = atoi(blank + 1);
        /* Types have other numbers in hwloc 2 and 3, and the same names. */
        for (int type = 0; type < TYPE_LIMIT; type++) {
            if (strcmp(hwloc.obj_type_string(type), line) == 0) {
                hwloc.topology_set_type_filter(topology, type, filter);
                break;
            }
        }
    }
}

/* Other threads may read the environment at any time, so it is not rearranged, as unsetenv(3)
 * does: the first letter of each name is another one meanwhile. */
static size_t hide(const char *names, char **letters) {
    char name[LINE_SIZE];
    size_t count = 0;
    while (next_line(&names, name) != NULL) {
        char *value;
        while (count < HIDDEN_LIMIT && (value = getenv(name)) != NULL) {
            letters[count] = value - strlen(name) - 1;
            *letters[count++] = '_';
        }
    }
    return count;
}

static int load(topology_t topology, const char *hidden) {
    char *letters[HIDDEN_LIMIT];
    size_t count = hide(hidden, letters);
    int result = hwloc.topology_load(topology);
    while (count > 0) {
        *letters[--count] = 'H';
    }
    return result;
}

static void fail(struct hwloc_answer *answer, enum hwloc_outcome outcome, const char *text) {
    answer->outcome = outcome;
    answer->text = text == NULL ? NULL : strdup(text);
    answer->length = answer->text == NULL ? 0 : strlen(answer->text);
}

static void export(topology_t topology, struct hwloc_answer *answer) {
    char *xml = NULL;
    int length = 0; /* with the final zero byte */
    if (hwloc.topology_export_xmlbuffer(topology, &xml, &length, 0) < 0 || length < 1) {
        fail(answer, HWLOC_NOT_EXPORTED, NULL);
        return;
    }
    answer->text = malloc((size_t)length);
    if (answer->text == NULL) {
        answer->outcome = HWLOC_NO_MEMORY;
    } else {
        memcpy(answer->text, xml, (size_t)length);
        answer->length = (size_t)length - 1;
        answer->outcome =
                hwloc.topology_is_thissystem(topology) ? HWLOC_THIS_MACHINE : HWLOC_OTHER_MACHINE;
    }
    hwloc.free_xmlbuffer(topology, xml);
}

static bool leave_out(topology_t topology, const char *names, struct hwloc_answer *answer) {
    char name[LINE_SIZE];
    while (next_line(&names, name) != NULL) {
        if (hwloc.topology_set_components(topology, LEAVE_OUT, name) < 0) {
            fail(answer, HWLOC_NO_COMPONENT, name);
            return false;
        }
    }
    return true;
}

static void read_topology(
        topology_t topology, const struct hwloc_wish *wish, struct hwloc_answer *answer) {
    hwloc.topology_set_flags(topology, wish->flags | DONT_CHANGE_BINDING);
    set_filters(topology, wish->filters);
    if (!leave_out(topology, wish->without, answer)) {
        return;
    }
    if (wish->pid != 0 && hwloc.topology_set_pid(topology, wish->pid) < 0) {
        fail(answer, HWLOC_NO_PROCESS, NULL);
    } else if ((wish->description != NULL &&
                       hwloc.topology_set_synthetic(topology, wish->description) < 0) ||
               load(topology, wish->hidden) < 0) {
        fail(answer, HWLOC_NOT_UNDERSTOOD, NULL);
    } else {
        export(topology, answer);
    }
}

void hwloc_xml_read(const struct hwloc_wish *wish, struct hwloc_answer *answer) {
    char reason[REASON_SIZE];
    topology_t topology;
    *answer = (struct hwloc_answer){.outcome = HWLOC_NO_MEMORY};
    if (open_library(wish->library, reason, sizeof reason) < 0) {
        fail(answer, HWLOC_NO_LIBRARY, reason);
    } else if (hwloc.topology_init(&topology) == 0) {
        read_topology(topology, wish, answer);
        hwloc.topology_destroy(topology);
    }
}

int hwloc_xml_version(const char *library, char *reason, size_t size) {
    int result = open_library(library, reason, size);
    return result < 0 ? result : (int)hwloc.get_api_version();
}
