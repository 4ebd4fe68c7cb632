/* How new pages of a process follow its CPUs, in the words of the user. */
#ifndef BERTH_MEMORY_MODE_H
#define BERTH_MEMORY_MODE_H

#include <stddef.h>

enum memory_mode {
    MEMORY_LOCAL,
    MEMORY_BIND,
    MEMORY_PREFER,
    MEMORY_INTERLEAVE,
    MEMORY_WEIGHTED,
    MEMORY_BIND_BALANCE,
    MEMORY_PREFER_BALANCE
};

/* What memory_mode_parse() takes, for messages. */
#define MEMORY_WORDS "local, bind, prefer, interleave, weighted, bind-balance, prefer-balance"

/* One of these words, or "preferred-many", which numactl and systemd have for "prefer"; -EINVAL for
 * another word. */
int memory_mode_parse(const char *word, size_t length);
const char *memory_mode_word(enum memory_mode mode);

#endif
