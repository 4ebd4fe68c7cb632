package org.berth.binding.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The files that this process has mapped, from /proc/self/maps (proc_pid_maps(5)). */
public final class MappedLibraries {
    private MappedLibraries() {}

    /** The first mapped library whose file name starts so and that still exists under its path. */
    public static Optional<Path> find(String nameStart) {
        for (String path : paths()) {
            if (path.startsWith(nameStart, path.lastIndexOf('/') + 1) && path.contains(".so")) {
                Path file = Path.of(path);
                return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Whether the C library of this process is musl, which is the loader, too. Alpine names the file "ld-musl-x86_64.so.1",
     * other distributions "libc.so"; glibc's is "libc.so.6".
     */
    public static boolean haveMusl() {
        for (String path : paths()) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            if (name.equals("libc.so") || (name.startsWith("ld-musl-") && name.endsWith(".so.1"))) {
                return true;
            }
        }
        return false;
    }

    /** The file names of all. */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>();
        paths().forEach(path -> names.add(path.substring(path.lastIndexOf('/') + 1)));
        return names;
    }

    private static List<String> paths() {
        List<String> paths = new ArrayList<>();
        try {
            // Not readString, which fails at a name that is no UTF-8; such a file is not one of ours.
            String maps = new String(Files.readAllBytes(Path.of("/proc/self/maps")), StandardCharsets.UTF_8);
            for (String line : maps.split("\n", -1)) {
                int slash = line.indexOf('/');
                // Anonymous regions have no path; a deleted file's path ends in " (deleted)" and cannot be opened.
                if (slash > 0 && !line.endsWith(" (deleted)")) {
                    paths.add(line.substring(slash));
                }
            }
        } catch (IOException e) {
            // Without the list there is no agent to be found; loading another copy still works.
            return List.of();
        }
        return paths;
    }
}
