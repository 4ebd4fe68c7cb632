package org.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.SystemFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CLibraryFindingsTest {
    @TempDir
    private Path root;

    private void install(String file) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.resolveSibling("."));
        Files.createFile(path);
    }

    @Test
    void muslBesideGlibcMisleadsSnappy() throws IOException {
        install("lib64/ld-linux-x86-64.so.2");
        assertThat(CLibraryFindings.of(new SystemFiles(root))).as("glibc alone").isEmpty();
        install("lib/ld-musl-x86_64.so.1");
        assertThat(CLibraryFindings.of(new SystemFiles(root)))
                .singleElement()
                .matches(Finding::isWrong)
                .asString()
                .contains("musl is installed beside glibc", "remove the package musl");
    }

    @Test
    void muslAloneIsNoMistake() throws IOException {
        install("lib/ld-musl-x86_64.so.1");
        assertThat(CLibraryFindings.of(new SystemFiles(root))).isEmpty();
    }
}
