package org.berth.binding.internal.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import org.berth.binding.internal.Architecture;
import org.berth.binding.internal.MappedLibraries;

/**
 * The native files of an installed Berth, whose script names the directory above them. A JVM of any user can be given
 * their paths, so they stand in unit files; those of an installation in a private home are left alone.
 */
final class InstalledFiles {
    private static final String PROPERTY = "org.berth.native.installed";

    private InstalledFiles() {}

    /**
     * Is empty without an installation, and where another user cannot read the file or the kernel would not let it run.
     */
    static Optional<Path> find(String fileName) {
        String directory = System.getProperty(PROPERTY, "");
        Optional<Architecture> architecture = Architecture.current();
        // A "=" would end the path in -agentpath:PATH=OPTIONS, and a blank the word in JAVA_TOOL_OPTIONS.
        if (architecture.isEmpty()
                || !directory.startsWith("/")
                || directory.indexOf('=') >= 0
                || directory.indexOf(' ') >= 0) {
            return Optional.empty();
        }
        Path file = Path.of(directory, architecture.get().folder(), fileName);
        // access(2) on the one that is executable tells whether the mount is noexec.
        boolean usable = Files.isRegularFile(file)
                && Files.isExecutable(file.resolveSibling("berth-exec"))
                && !MappedLibraries.haveMusl();
        return usable && isReadableByAll(file) ? Optional.of(file) : Optional.empty();
    }

    /** Whether a file and its directories are open to every user. */
    static boolean isReadableByAll(Path file) {
        try {
            Path real = file.toRealPath();
            for (Path folder = real.getParent(); folder != null; folder = folder.getParent()) {
                if (!Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException e) {
            return false;
        }
    }
}
