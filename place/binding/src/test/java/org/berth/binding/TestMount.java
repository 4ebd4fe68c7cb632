package org.berth.binding;

import java.nio.file.Path;
import org.berth.oracle.Tool;

/** A small file system in memory with mount options of its own; unmounted when closed. */
public final class TestMount implements AutoCloseable {
    private final Path directory;

    private TestMount(Path directory) {
        this.directory = directory;
    }

    /** Aborts the test when this process may not mount. */
    public static TestMount of(Path directory, String options) {
        Tool.requireSuccess("mount", "-t", "tmpfs", "-o", options + ",size=16m", "tmpfs", directory.toString());
        return new TestMount(directory);
    }

    public Path directory() {
        return directory;
    }

    public void remount(String options) {
        Tool.output("mount", "-o", "remount," + options, directory.toString());
    }

    @Override
    public void close() {
        Tool.output("umount", directory.toString());
    }
}
