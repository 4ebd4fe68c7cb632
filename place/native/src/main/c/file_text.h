#ifndef BERTH_FILE_TEXT_H
#define BERTH_FILE_TEXT_H

#include <stddef.h>
#include <sys/stat.h>

/* Reads a whole file, also one of /proc that tells no size. *text is terminated by a zero byte
 * that *length does not count, and is the caller's to free. -EFBIG above `limit` bytes. */
int file_text_read(const char *path, size_t limit, char **text, size_t *length);

/* fstat(), which is a new symbol in glibc 2.33: 0, or -1 with errno. */
int file_status(int file, struct stat *status);

#endif
