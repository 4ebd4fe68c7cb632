package org.berth.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A control group of version 1 or 2 for child processes; see cgroups(7). */
final class ControlGroup {
    static final Path V2 = Path.of("/sys/fs/cgroup");

    private final Path folder;
    private final boolean first;

    private ControlGroup(Path folder, boolean first) {
        this.folder = folder;
        this.first = first;
    }

    /**
     * Makes a group below the root; aborts the test with the reason when this process may not.
     *
     * @param controller such as cpu
     * @param v1File that the root has when the controller is one of version 1
     * @param v2File that the group has otherwise
     */
    static ControlGroup make(String controller, String v1File, String v2File) {
        Machine.requireRoot();
        Path v1 = V2.resolve(controller);
        boolean first = Files.exists(v1.resolve(v1File));
        String name = "berth-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        Path folder = (first ? v1 : V2).resolve(name);
        try {
            if (!first) {
                enable(controller);
            }
            Files.createDirectory(folder);
            if (Files.exists(folder.resolve(first ? v1File : v2File))) {
                return new ControlGroup(folder, first);
            }
            Files.delete(folder);
        } catch (IOException e) {
            Assumptions.abort("cannot make a control group with the controller " + controller + ": " + e);
        }
        return Assumptions.abort("this kernel's control groups have no " + v2File);
    }

    private static void enable(String controller) throws IOException {
        Path control = V2.resolve("cgroup.subtree_control");
        if (!List.of(Files.readString(control).strip().split(" ", -1)).contains(controller)) {
            Files.writeString(control, "+" + controller);
        }
    }

    boolean isFirstVersion() {
        return first;
    }

    Path folder() {
        return folder;
    }

    void write(String file, String text) {
        try {
            Files.writeString(folder.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file of the group above. */
    String above(String file) {
        try {
            return Files.readString(folder.resolveSibling(file)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The path in /proc/PID/cgroup. */
    String path() {
        return "/" + folder.getFileName();
    }

    /** Words before a command that enter the group first. */
    List<String> prefix() {
        return List.of("sh", "-c", "echo $$ > " + folder.resolve("cgroup.procs") + " && exec \"$@\"", "enter");
    }

    /** Ends the processes that are still in it; the kernel lets go of each a moment after it was waited for. */
    void remove() {
        Await.until("the end of the control group " + folder, () -> {
            try {
                for (String pid : Files.readAllLines(folder.resolve("cgroup.procs"))) {
                    ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
                }
                Files.delete(folder);
                return true;
            } catch (IOException busy) {
                return Files.notExists(folder);
            }
        });
    }
}
