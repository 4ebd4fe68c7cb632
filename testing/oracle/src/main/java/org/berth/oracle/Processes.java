package org.berth.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processes of this machine, of all users. */
public final class Processes {
    private Processes() {}

    /** All that this process may see. */
    public static List<Long> pids() {
        return ProcessHandle.allProcesses().map(ProcessHandle::pid).toList();
    }

    /** The words of a command line with a blank between them; empty when the process has ended. */
    public static String commandLine(long pid) {
        try {
            byte[] words = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            return new String(words, StandardCharsets.UTF_8).replace('\0', ' ').strip();
        } catch (IOException ended) {
            return "";
        }
    }
}
