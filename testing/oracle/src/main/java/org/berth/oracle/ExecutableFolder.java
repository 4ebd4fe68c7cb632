package org.berth.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A folder for {@code @TempDir(factory = ExecutableFolder.class)}: a folder whose files may be executed and mapped as
 * libraries. The default one may be on a file system that is mounted noexec.
 */
public final class ExecutableFolder implements TempDirFactory {
    private static final List<Path> ROOTS =
            List.of(Path.of(System.getProperty("java.io.tmpdir")), Path.of("/dev/shm"), Path.of("/var/tmp"));

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        for (Path root : ROOTS) {
            if (Files.isWritable(root)) {
                Path folder = Files.createTempDirectory(root, "junit-");
                if (mayExecute(folder)) {
                    return folder;
                }
                Files.delete(folder);
            }
        }
        return Assumptions.abort("all of " + ROOTS + " are mounted noexec");
    }

    /** Asks access(2), which answers for the mount, too. */
    private static boolean mayExecute(Path folder) throws IOException {
        Path probe = folder.resolve("probe");
        Files.createFile(probe, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            return Files.isExecutable(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
