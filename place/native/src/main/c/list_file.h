/* Files of sysfs that hold a list, as "0-3,8". */
#ifndef BERTH_LIST_FILE_H
#define BERTH_LIST_FILE_H

#include "index_set.h"

/* Reads the first line of the file into the set. 0 or -errno. */
__attribute__((format(printf, 2, 3))) int list_file_read(
        struct index_set *set, const char *format, ...);

#endif
