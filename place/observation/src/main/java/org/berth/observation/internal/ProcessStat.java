package org.berth.observation.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The line in the {@code stat} of a process or thread. The name in it may hold blanks and brackets. */
public final class ProcessStat {
    /** The state, "T" while it is stopped. */
    public static final int STATE = 3;

    public static final int FLAGS = 9;

    /**
     * The time at which it began, in clock ticks after boot: together with its number it identifies a process or
     * thread, because numbers are reused.
     */
    public static final int START_TIME = 22;

    private ProcessStat() {}

    /**
     * A field after the name, counted as in proc_pid_stat(5); empty when the process or thread has ended.
     *
     * @param folder {@code /proc/PID} or {@code /proc/PID/task/TID}
     */
    public static String field(Path folder, int number) {
        try {
            String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 2).split("[ \n]", -1)[number - STATE];
        } catch (IOException ended) {
            return "";
        }
    }
}
