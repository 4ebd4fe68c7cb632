/*
 * Another copy of this library in the same JVM: JAVA_TOOL_OPTIONS names the one of a package, and
 * the command line that of a checkout. Both would follow the CPUs of the process with options of
 * their own, and bind its threads against each other. The copy that came first stays.
 */
#ifndef BERTH_AGENT_COPIES_H
#define BERTH_AGENT_COPIES_H

#include "error_text.h"

#include <stdbool.h>

/* Whether the mapped files of this process have another library named libberth*.so; the error text
 * then names it. `watching`: only when that one has a watching thread as well, other than `own`. A
 * library that only Java has loaded does nothing on its own. */
bool agent_copies_find(bool watching, int own, struct error_text *error);

#endif
