/*
 * The unified logs (-Xlog:...:file=) that a JVM has opened before it is started again.
 *
 * At its start a JVM renames a log that exists to NAME.N and makes a new one. Two starts in one
 * process would do that twice: the log of the first start, empty or a few lines long, would take
 * the place of an older one. So the first start is undone: its log goes, and the one that it
 * renamed gets its name back.
 *
 * A file is taken for such a log when this process has opened it itself (O_CLOEXEC), for appending
 * as the JVM does, and it is younger than the process; see LogFileOutput::initialize in
 * https://github.com/openjdk/jdk/blob/master/src/hotspot/share/logging/logFileOutput.cpp.
 * Where the file system or the kernel (before 4.11) does not tell when a file was made, nothing
 * is undone.
 */
#ifndef BERTH_JVM_LOGS_H
#define BERTH_JVM_LOGS_H

enum { JVM_LOGS_LIMIT = 16 };

struct jvm_log {
    int file;
    char *name;
    char *archive; /* what the log before had become; or NULL */
};

struct jvm_logs {
    struct jvm_log items[JVM_LOGS_LIMIT];
    int count;
};

/* Removes the logs that this process has made, and gives the archived ones their names back. */
void jvm_logs_undo(struct jvm_logs *logs);

/* Undoes it for a process that stays: archives them again, and lets the open files be new ones. */
void jvm_logs_redo(struct jvm_logs *logs);

#endif
