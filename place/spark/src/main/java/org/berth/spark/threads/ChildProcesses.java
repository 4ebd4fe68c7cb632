package org.berth.spark.threads;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.observation.ProcessArguments;

/** The children of a process and their command lines, from /proc. Processes that end meanwhile are left out. */
final class ChildProcesses {
    private static final Path PROC = Path.of("/proc");

    private ChildProcesses() {}

    /** The children of this JVM. */
    static List<Integer> ofThisProcess() throws IOException {
        return of((int) ProcessHandle.current().pid());
    }

    /**
     * The children of all threads of a process (/proc/PID/task/TID/children, see proc(5)). A kernel without that file
     * costs a scan of /proc by the JDK.
     */
    static List<Integer> of(int pid) throws IOException {
        List<Integer> children = new ArrayList<>();
        boolean hasFile = false;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
            for (Path task : tasks) {
                Path file = task.resolve("children");
                hasFile |= Files.exists(file);
                addAll(children, file);
            }
        } catch (NoSuchFileException ended) {
            return List.of();
        }
        if (hasFile) {
            return children;
        }
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .map(child -> (int) child.pid())
                .toList();
    }

    private static void addAll(List<Integer> children, Path file) {
        try {
            for (String word : Files.readString(file).strip().split(" ", -1)) {
                if (!word.isEmpty()) {
                    children.add(Integer.valueOf(word));
                }
            }
        } catch (IOException ended) {
            return;
        }
    }

    /** Program and arguments; empty when the process has ended. */
    static List<String> commandLine(int pid) {
        try {
            return ProcessArguments.of(pid);
        } catch (IOException ended) {
            return List.of();
        }
    }
}
