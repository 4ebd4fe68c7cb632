/* Recorded machines (testing/machines) as folders with their /sys. */
#ifndef BERTH_MACHINE_TREE_H
#define BERTH_MACHINE_TREE_H

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder of the machine that is unpacked. */
static char root[4096];

/* Unpacks a recorded tree; the runner's process ends with the test, the folder with clear(). */
static void unpack(const char *name) {
    char command[8192];
    char folder[] = "/tmp/berth-machine-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    /* What is read, of thousands of files. */
    snprintf(command, sizeof command,
            "cd '%s' && tar xjf '%s/%s.tar.bz2' --wildcards '*/system/node/online' "
            "'*/system/cpu/*_list' "
            "'*/cache/index*/level' '*/system/node/node*/meminfo' '*/system/node/node*/cpulist' && "
            "{ tar xjf '%s/%s.tar.bz2' --wildcards '*/system/node/has_memory' 2>/dev/null || true; "
            "}",
            folder, BERTH_MACHINES, name, BERTH_MACHINES, name);
    CHECK_INT(system(command), 0);
    snprintf(root, sizeof root, "%s/%s", folder, name);
}

static void clear(void) {
    char command[8192];
    *strrchr(root, '/') = '\0';
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    CHECK_INT(system(command), 0);
}

#endif
