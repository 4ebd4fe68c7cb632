package org.berth.binding.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files that this process has mapped, from /proc/self/maps (proc_pid_maps(5)). */
public final class MappedLibraries {
    private MappedLibraries() {}

    /** The first mapped library whose file name starts so and that still exists under its path. */
    public static Optional<Path> find(String nameStart) {
        return matching(path -> path.startsWith(nameStart, path.lastIndexOf('/') + 1) && path.contains(".so"))
                .map(Path::of)
                .filter(Files::isRegularFile);
    }

    /**
     * Whether the C library of this process is musl, which is the loader, too. Alpine names the file "ld-musl-x86_64.so.1",
     * other distributions "libc.so"; glibc's is "libc.so.6".
     */
    public static boolean haveMusl() {
        return matching(path -> path.substring(path.lastIndexOf('/') + 1).matches("ld-musl-.*\\.so\\.1|libc\\.so"))
                .isPresent();
    }

    public static boolean contains(Path file) {
        return matching(file.toString()::equals).isPresent();
    }

    private static Optional<String> matching(Predicate<String> path) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            // Anonymous regions have no path; a deleted file's path ends in " (deleted)" and cannot be opened.
            return lines.filter(line -> line.indexOf('/') > 0 && !line.endsWith(" (deleted)"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .filter(path)
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            // Without the list there is no agent to be found; loading another copy still works.
            return Optional.empty();
        }
    }
}
