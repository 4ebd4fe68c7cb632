package org.berth.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessStatusTest {
    @TempDir
    private Path root;

    @Test
    void usersAboveTwoToThe31HaveNumbers() throws Exception {
        Files.writeString(root.resolve("status"), "Name:\tx\nUid:\t3000000000\t3000000000\t3000000000\t3000000000\n");
        assertThat(ProcessStatus.of(root).effectiveUserId()).contains(3_000_000_000L);
    }
}
