#ifndef BERTH_FILE_TEXT_H
#define BERTH_FILE_TEXT_H

#include <stddef.h>

/* Reads a whole file, also one of /proc that tells no size. *text is terminated by a zero byte
 * that *length does not count, and is the caller's to free. -EFBIG above `limit` bytes. */
int file_text_read(const char *path, size_t limit, char **text, size_t *length);

#endif
