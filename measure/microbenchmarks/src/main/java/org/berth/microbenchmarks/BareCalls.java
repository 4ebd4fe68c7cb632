package org.berth.microbenchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** System calls without anything around them: the floor. All return 0 or more, or -errno. */
final class BareCalls {
    static {
        load();
    }

    private BareCalls() {}

    /** Reads the affinity mask of the calling thread {@code times} times. */
    static native int readMask(int times);

    /** Sets the mask that was read last {@code times} times. */
    static native int setMask(int times);

    private static void load() {
        try (InputStream library = BareCalls.class.getResourceAsStream("libbare.so")) {
            if (library == null) {
                throw new IllegalStateException("libbare.so is missing: build the module with Maven");
            }
            Path copy = Files.createTempFile("berth-bare-", ".so");
            Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
            System.load(copy.toString());
            Files.delete(copy);
        } catch (IOException problem) {
            throw new UncheckedIOException("cannot unpack libbare.so", problem);
        }
    }
}
