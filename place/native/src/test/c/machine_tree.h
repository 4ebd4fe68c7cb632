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
    /* What is read, of thousands of files. tar fails where a tree lacks one of them. */
    snprintf(command, sizeof command,
            "cd '%s' && { tar xjf '%s/%s.tar.bz2' --wildcards '*/system/node/online' "
            "'*/system/node/has_memory' '*/system/cpu/*_list' '*/cache/index*/level' "
            "'*/system/node/node*/meminfo' '*/system/node/node*/cpulist' "
            "'*/read_bandwidth' 2>/dev/null; "
            "test -s '%s/sys/devices/system/node/online'; }",
            folder, BERTH_MACHINES, name, name);
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
