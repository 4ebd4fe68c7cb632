#include "file_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int read_all(int file, size_t limit, char **text, size_t *length) {
    size_t capacity = 4096;
    size_t used = 0;
    char *data = malloc(capacity + 1);
    int result = data == NULL ? -ENOMEM : 0;
    while (result == 0) {
        ssize_t count = read(file, data + used, capacity - used);
        if (count == 0) {
            data[used] = '\0';
            *text = data;
            *length = used;
            return 0;
        }
        if (count < 0) {
            result = errno == EINTR ? 0 : -errno;
            continue;
        }
        used += (size_t)count;
        if (used > limit) {
            result = -EFBIG;
        } else if (used == capacity) {
            capacity *= 2;
            char *larger = realloc(data, capacity + 1);
            result = larger == NULL ? -ENOMEM : 0;
            data = larger == NULL ? data : larger;
        }
    }
    free(data);
    return result;
}

int file_text_read(const char *path, size_t limit, char **text, size_t *length) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return -errno;
    }
    int result = read_all(file, limit, text, length);
    close(file);
    return result;
}

int file_status(int file, struct stat *status) {
    return (int)syscall(SYS_newfstatat, file, "", status, AT_EMPTY_PATH);
}
