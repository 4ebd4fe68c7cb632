#include "vm_threads.h"

#include <stddef.h>
#include <string.h>

static bool begins_with_one_of(const char *text, const char *const *beginnings) {
    for (; *beginnings != NULL; beginnings++) {
        if (strncmp(text, *beginnings, strlen(*beginnings)) == 0) {
            return true;
        }
    }
    return false;
}

bool vm_thread_is_gc(const char *comm) {
    static const char *const beginnings[] = {"GC Thread#", "G1 ", "VM Thread", "ZDirector",
            "ZDriver", "ZStat", "ZUncommitter", "ZUnmapper", "ZWorker", "RuntimeWorker#",
            "XDirector", "XDriver", "XStat", "XUncommitter", "XUnmapper", "XWorker", "Shenandoah",
            "ShenUncommit", NULL};
    return begins_with_one_of(comm, beginnings);
}

bool vm_thread_is_jit(const char *comm) {
    static const char *const beginnings[] = {
            "C1 CompilerThre", "C2 CompilerThre", "JVMCI", "Sweeper thread", NULL};
    return begins_with_one_of(comm, beginnings);
}
