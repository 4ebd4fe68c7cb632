#ifndef BERTH_GLOB_H
#define BERTH_GLOB_H

#include <stdbool.h>

/* '*' is any text, '?' is one character (not one byte) of UTF-8, everything else is itself; the
 * whole name must match. Own code because fnmatch(3) costs 3 to 5 us a name, ten times the rest
 * of a thread's start. */
bool glob_matches(const char *glob, const char *name);

#endif
