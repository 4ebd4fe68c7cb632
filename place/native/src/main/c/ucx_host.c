#include "ucx_host.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

typedef void (*version_function)(unsigned *, unsigned *, unsigned *);
/* It returns an enumeration in one signed byte (ucs_status_t). */
typedef signed char (*arm_function)(void *);

static _Atomic arm_function arm;

int ucx_version(char *reason, size_t size) {
    /* The libraries that UCX opens later find its functions. */
    void *library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_GLOBAL);
    version_function version = NULL;
    if (library != NULL) {
        *(void **)&version = dlsym(library, "ucp_get_version");
        arm_function found;
        *(void **)&found = dlsym(library, "ucp_worker_arm");
        atomic_store(&arm, found);
    }
    if (version == NULL || atomic_load(&arm) == NULL) {
        const char *message = dlerror();
        snprintf(reason, size, "%s", message == NULL ? "libucp.so.0 lacks a function" : message);
        return -ENOENT;
    }
    unsigned numbers[3] = {0};
    version(&numbers[0], &numbers[1], &numbers[2]);
    return (int)((numbers[0] & 0x7f) << 16 | (numbers[1] & 0xff) << 8 | (numbers[2] & 0xff));
}

int ucx_arm(uintptr_t worker) {
    arm_function function = atomic_load_explicit(&arm, memory_order_relaxed);
    /* The handle of a worker is its address. */
    return function == NULL ? -ENOENT : function((void *)worker);
}
