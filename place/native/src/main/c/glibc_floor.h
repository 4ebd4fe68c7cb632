/*
 * Included before every source (CMakeLists.txt): keeps the library loadable where glibc is older
 * than the one it is built with.
 *
 * Headers of glibc 2.38 and newer turn strtol and sscanf into __isoc23_strtol and __isoc23_sscanf,
 * which no older glibc has, because those also read C23's binary numbers. We need none, and there
 * is no feature macro to refuse them (features.h sets these with _GNU_SOURCE). See
 * https://sourceware.org/git/?p=glibc.git;a=blob;f=NEWS, version 2.38.
 */
#ifndef BERTH_GLIBC_FLOOR_H
#define BERTH_GLIBC_FLOOR_H

#include <features.h>

/* The names of 2.38 and of 2.40 and newer. */
#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0

#endif
