#include "socket_cpu.h"

#include <errno.h>
#include <sys/socket.h>

/* The headers of glibc 2.17 do not have it; one number on x86, ARM, POWER and RISC-V. */
#ifndef SO_INCOMING_CPU
#define SO_INCOMING_CPU 49
#endif

int socket_incoming_cpu(int file) {
    int cpu = -1;
    socklen_t length = sizeof cpu;
    if (getsockopt(file, SOL_SOCKET, SO_INCOMING_CPU, &cpu, &length) < 0) {
        return -errno;
    }
    return cpu < 0 ? -ENODATA : cpu;
}
