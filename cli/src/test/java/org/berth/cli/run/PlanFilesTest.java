package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanFilesTest {
    /** Above the largest pid that Linux can give (PID_MAX_LIMIT, 2^22). */
    private static final long NO_PROCESS = 1L << 23;

    @TempDir
    private Path folder;

    @Test
    void onlyTheOwnerCanReadAPlan() throws IOException {
        Path file = new PlanFiles(folder).write("berth-plan 1\n", 42);

        assertThat(file).hasContent("berth-plan 1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(Objects.requireNonNull(file.getParent()))))
                .isEqualTo("rwx------");
    }

    @Test
    void plansGoADayAfterTheirProcess() {
        PlanFiles files = new PlanFiles(folder);
        Path dead = files.write("dead", NO_PROCESS);
        Path alive = files.write("alive", ProcessHandle.current().pid());

        files.removeOld(Instant.now());
        assertThat(dead).exists();

        files.removeOld(Instant.now().plus(Duration.ofDays(2)));
        assertThat(dead).doesNotExist();
        assertThat(alive).exists();
        assertThat(folder).isDirectoryContaining(path -> path.endsWith(Objects.requireNonNull(alive.getParent())));
    }
}
