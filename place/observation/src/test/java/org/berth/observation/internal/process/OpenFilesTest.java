package org.berth.observation.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
    private static final Path ROOT = Path.of("/");

    @TempDir
    Path folder;

    @Test
    void aFileIsListedWhileItIsOpen() throws IOException {
        Path file = Files.createFile(folder.toRealPath().resolve("a.jar"));
        long self = ProcessHandle.current().pid();
        try (InputStream open = Files.newInputStream(file)) {
            assertThat(open.read()).isEqualTo(-1);
            assertThat(OpenFiles.of(self, ROOT).value().orElseThrow()).contains(file.toString());
        }
        assertThat(OpenFiles.of(self, ROOT).value().orElseThrow()).doesNotContain(file.toString());
    }

    @Test
    void aProcessThatIsNotThereHasNone() {
        assertThat(OpenFiles.of(1 << 22, ROOT)).isInstanceOf(Reading.Absent.class);
    }
}
