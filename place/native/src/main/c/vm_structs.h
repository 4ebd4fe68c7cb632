/*
 * What a HotSpot JVM exports about its own structures for the serviceability agent: the tables
 * gHotSpotVMStructs and gHotSpotVMTypes, which describe themselves (offsets and stride of their
 * entries are exported too). See src/hotspot/share/runtime/vmStructs.hpp in the JDK's sources.
 *
 * The tables are found by weak symbols, since the java launcher loads libjvm.so for all; dlsym
 * would link more than the C library on an old system. They are absent in another kind of JVM, and
 * when a program loaded libjvm.so for itself alone. Everything they point to is read with
 * process_vm_readv(2): a table that is wrong gives -EFAULT and not a crash.
 */
#ifndef BERTH_VM_STRUCTS_H
#define BERTH_VM_STRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's id of a Java thread, by the address of its structure in the JVM, which is what the
 * field java.lang.Thread.eetop holds. -ENOENT: no tables; -EOPNOTSUPP: the tables lack what is
 * needed; -EFAULT: no such address; -EPERM or -ENOSYS: own memory may not be read so. */
int vm_structs_thread_id(uintptr_t thread);

/* The value of a JVM flag that is a size, "MaxHeapSize", as the JVM decided it. 0 or -errno as
 * above; -EOPNOTSUPP also when there is no such flag. */
int vm_structs_size_flag(const char *name, uint64_t *value);

/* The addresses that this JVM has reserved for its heap. 0 or -errno as above; -EAGAIN while there
 * is none, and with ZGC, which has a file in memory instead. For one thread at a time. */
int vm_structs_heap_range(uintptr_t *start, uint64_t *bytes);

/* The same for a flag that is on or off, "UseNUMA"; false when it is not known. */
int vm_structs_bool_flag(const char *name, bool *value);

/* The same for a flag that is an int, "ActiveProcessorCount". */
int vm_structs_int_flag(const char *name, int32_t *value);

/* Changes such a flag, as long as it has the value that is expected; -EBUSY when it has another.
 * Only for flags that the JVM reads again at each use. */
int vm_structs_change_int_flag(const char *name, int32_t expected, int32_t value);

#endif
