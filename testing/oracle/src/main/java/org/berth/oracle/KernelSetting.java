package org.berth.oracle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A setting of the kernel that tests switch. The machine has it once, and test classes run side by side in several JVMs: a test that
 * switches it holds it until its end, and the others wait.
 */
public final class KernelSetting implements AfterEachCallback {
    private final Path file;
    private @Nullable FileChannel lock;

    public KernelSetting(String file) {
        this.file = Path.of(file);
    }

    /** Waits until no other test holds the setting, and gives its file; skips the calling test where this user may not write it. */
    public Path hold() throws IOException {
        assumeTrue(Files.isWritable(file), () -> file + " may not be written");
        String name = "berth-test-" + file.getFileName() + "-" + System.getProperty("user.name") + ".lock";
        FileChannel channel = FileChannel.open(
                Path.of(System.getProperty("java.io.tmpdir"), name),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        lock = channel;
        channel.lock();
        return file;
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        FileChannel held = lock;
        if (held != null) {
            held.close();
            lock = null;
        }
    }
}
