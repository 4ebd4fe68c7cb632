package org.berth.observation.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.observation.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessMemoryPolicyTest {
    @TempDir
    private Path root;

    /** Lines as numa_maps(5) and mpol_to_str() of the kernel have them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            55d0c7e00000 default file=/usr/bin/java mapped=1 N0=1 kernelpagesize_kB=4        | default
            55d0c7e00000 interleave:0-1 file=/usr/bin/java mapped=1 N0=1 kernelpagesize_kB=4 | interleave:0-1
            55d0c7e00000 bind=static:0,2 file=/usr/bin/java                                  | bind=static:0,2
            55d0c7e00000 prefer (many):0-1 file=/usr/bin/java                                | prefer (many):0-1
            55d0c7e00000 weighted interleave:0-1 file=/usr/bin/java                          | weighted interleave:0-1
            55d0c7e00000 local                                                               | local
            """)
    void hasTheKernelsWords(String line, String policy) throws IOException {
        Path process = Files.createDirectories(root.resolve("proc/7"));
        Files.writeString(process.resolve("numa_maps"), line + "\n7ffd00000000 bind:1 stack anon=3 N1=3\n");
        assertThat(ProcessMemoryPolicy.of(7, root)).isEqualTo(Reading.of(policy));
    }

    @Test
    void aProcessWithoutMemoryOrAKernelWithoutNodesHasNone() throws IOException {
        Path process = Files.createDirectories(root.resolve("proc/7"));
        assertThat(ProcessMemoryPolicy.of(7, root)).isInstanceOf(Reading.Absent.class);
        Files.createFile(process.resolve("numa_maps"));
        assertThat(ProcessMemoryPolicy.of(7, root)).isInstanceOf(Reading.Absent.class);
    }
}
