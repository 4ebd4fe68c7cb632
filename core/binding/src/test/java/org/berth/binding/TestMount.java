package org.berth.binding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A small file system in memory with mount options of its own; unmounted when closed. */
final class TestMount implements AutoCloseable {
    private final Path directory;

    private TestMount(Path directory) {
        this.directory = directory;
    }

    /** Aborts the test when this process may not mount. */
    static TestMount of(Path directory, String options) throws IOException, InterruptedException {
        Oracle.assumeRoot();
        ProcessBuilder mount =
                new ProcessBuilder("mount", "-t", "tmpfs", "-o", options + ",size=16m", "tmpfs", directory.toString());
        JavaProcess.Result result = JavaProcess.run(mount);
        org.junit.jupiter.api.Assumptions.assumeTrue(result.exitCode() == 0, "cannot mount: " + result.err());
        return new TestMount(directory);
    }

    Path directory() {
        return directory;
    }

    void remount(String options) throws IOException, InterruptedException {
        Oracle.output(Map.of(), "mount", "-o", "remount," + options, directory.toString());
    }

    @Override
    public void close() throws IOException {
        try {
            Oracle.output(Map.of(), "umount", directory.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while unmounting " + directory, e);
        }
    }
}
