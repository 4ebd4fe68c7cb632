/*
 * The JVM's own threads, which have no Java name: told apart by the name that the kernel knows (15
 * characters, /proc/<pid>/task/<tid>/comm). Names of HotSpot 17 to 25.
 */
#ifndef BERTH_VM_THREADS_H
#define BERTH_VM_THREADS_H

#include <stdbool.h>

/* Collector threads of every collector, and the VM thread: workers are made lazily and inherit the
 * mask of their creator, which is one of these. */
bool vm_thread_is_gc(const char *comm);

/* Compiler threads and the sweeper. */
bool vm_thread_is_jit(const char *comm);

#endif
