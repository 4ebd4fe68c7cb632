/*
 * Files where other users may write, too: /dev/shm, /tmp, /run.
 *
 * Another user may have put a link, a pipe or a directory of his own under any name that can be
 * foreseen. So no name that exists is taken over, no link is followed, and a mode is set on a
 * descriptor whose owner has been looked at. What makes, renames or removes a file is in this
 * module only; a test of the sources finds any other.
 */
#ifndef BERTH_PUBLIC_FILES_H
#define BERTH_PUBLIC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* A directory in `parent` (or AT_FDCWD), which every user may fill (mode 1777); made when there is
 * none. The descriptor, or -errno: -ENOTDIR for a link. */
int public_folder(int parent, const char *path);

/* A new file, to read and write, of this user alone. The descriptor, or -errno; -EEXIST for
 * whatever has this name. */
int public_file_create(int folder, const char *name);

/* Opens one without waiting for a pipe and without following a link, to read it. */
int public_file_open(int folder, const char *name);

/* Gives a file that this process has created its mode and its last name, which may be that of a
 * file that it replaces. */
int public_file_publish(int folder, int file, const char *draft, const char *name, mode_t mode);

/* The names are the user's own, or were found to be this process' files. 0 or -errno. */
int public_file_remove(int folder, const char *name);
int public_file_rename(const char *from, const char *to);

/* A file to write under a name that Berth makes of what the user gives; -EEXIST for whatever has
 * this name. */
int public_file_new(const char *path);

/* A number that no other user can foresee, in `size` >= 17 characters. */
void public_name_random(char *text, size_t size);

/* What stands in the way: "it is a symbolic link of user 1000". False when there is nothing of
 * another kind or user. */
bool public_obstacle(const char *path, char *text, size_t size);

#endif
