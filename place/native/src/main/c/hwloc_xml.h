/*
 * A machine as hwloc describes it, as XML. hwloc's library is opened when it is needed first, so
 * that a process that only binds does without it; hwloc 2.8 and later serve as well as 3.0.
 */
#ifndef BERTH_HWLOC_XML_H
#define BERTH_HWLOC_XML_H

#include <stdbool.h>
#include <stddef.h>

/* What is asked for. Lists have one item in each line. */
struct hwloc_wish {
    const char
            *library; /* a file, or a name for dlopen(3); only the first one of a process counts */
    unsigned long flags;     /* hwloc_topology_flags_e */
    const char *filters;     /* type of object and number of hwloc_type_filter_e: "Package 0" */
    const char *without;     /* components that are left out */
    int pid;                 /* of the process that sees the machine; 0: this one */
    const char *description; /* of a synthetic machine; NULL: this machine */
    const char *hidden;      /* environment variables that hwloc is not to see */
};

/* Why there is no XML; the letters are those that Java reads. */
enum hwloc_outcome {
    HWLOC_THIS_MACHINE = 'm',
    HWLOC_OTHER_MACHINE = 'o',
    HWLOC_NO_LIBRARY = 'l', /* the text says why */
    HWLOC_NO_MEMORY = 'n',
    HWLOC_NO_COMPONENT = 'c', /* the text is its name */
    HWLOC_NO_PROCESS = 'p',
    HWLOC_NOT_UNDERSTOOD = 'u',
    HWLOC_NOT_EXPORTED = 'x'
};

struct hwloc_answer {
    enum hwloc_outcome outcome;
    char *text; /* NULL, or the XML or reason; to be freed */
    size_t length;
};

/* Only one call at a time in a process may hide variables. Never rebinds the calling thread. */
void hwloc_xml_read(const struct hwloc_wish *wish, struct hwloc_answer *answer);

/* hwloc_get_api_version(), or -errno with a reason, as hwloc_xml_read has it. */
int hwloc_xml_version(const char *library, char *reason, size_t size);

#endif
