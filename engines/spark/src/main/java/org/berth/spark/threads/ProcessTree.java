package org.berth.spark.threads;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.observation.ProcessArguments;

/** Processes and their children, from /proc. What ends meanwhile is passed over. */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");

    private ProcessTree() {}

    /** Those that this JVM started. */
    static List<Integer> childrenOfThisProcess() throws IOException {
        return children((int) ProcessHandle.current().pid());
    }

    /**
     * The children of all threads of a process (/proc/PID/task/TID/children, see proc(5)); where the kernel is built
     * without that file, those that the JDK finds by reading all of /proc.
     */
    static List<Integer> children(int pid) throws IOException {
        List<Integer> children = new ArrayList<>();
        boolean told = false;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
            for (Path task : tasks) {
                Path file = task.resolve("children");
                told |= Files.exists(file);
                addAll(children, file);
            }
        } catch (NoSuchFileException ended) {
            return List.of();
        }
        if (told) {
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
