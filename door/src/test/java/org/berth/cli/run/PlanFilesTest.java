package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanFilesTest {
    private final Instant now = Instant.now();

    @TempDir
    private Path folder;

    @Test
    void onlyTheOwnerCanReadAPlan() throws IOException {
        Path file = new PlanFiles(folder).write("berth-plan 1\n", now);

        assertThat(file).hasContent("berth-plan 1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void startsWithTheSamePlanShareOneFile() throws IOException {
        PlanFiles files = new PlanFiles(folder);
        Path file = files.write("one", now);
        assertThat(files.write("one", now)).isEqualTo(file);
        assertThat(files.write("other", now)).isNotEqualTo(file);
        assertThat(folder.toFile().list()).hasSize(2);

        Files.writeString(file, "damaged");
        assertThat(files.write("one", now)).isEqualTo(file).hasContent("one");
        assertThat(folder.toFile().list()).hasSize(2);
    }

    @Test
    void onlyPlansThatNoStartUsedForLongAreRemoved() throws IOException {
        PlanFiles files = new PlanFiles(folder);
        Path unused = files.write("unused", now);
        Path used = files.write("used", now);
        Path library = Files.createFile(folder.resolve("libberth-0.so"));

        files.write("used", now.plus(Duration.ofDays(100)));
        files.write("new", now.plus(Duration.ofDays(200)));

        assertThat(unused).doesNotExist();
        assertThat(used).exists();
        assertThat(library).exists();
    }
}
