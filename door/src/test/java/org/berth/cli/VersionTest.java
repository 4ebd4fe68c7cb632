package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Test;

/** {@code --version}, held against the POM, the kernel and the file names of the libraries. */
class VersionTest {
    @Test
    void namesVersionCommitJreHwlocAndArchitecture() throws IOException {
        Result result = CommandLines.fork(List.of(), Map.of("JAVA_TOOL_OPTIONS", "-Dorg.berth.commit=0123abc"), "-V");
        assertThat(result.exitCode()).isZero();
        Matcher version = Pattern.compile("<version>(.*?)</version>").matcher(Files.readString(Path.of("pom.xml")));
        assertThat(version.find()).isTrue();
        List<String> lines = result.out().lines().toList();
        assertThat(lines).hasSizeGreaterThan(5);
        assertThat(lines.get(0)).isEqualTo("berth " + version.group(1));
        assertThat(lines.get(1)).isEqualTo("commit: 0123abc");
        assertThat(lines.get(2))
                .startsWith("JRE: " + Runtime.version())
                .endsWith(" in " + System.getProperty("java.home"));
        assertThat(lines.get(3)).matches("hwloc: [23]\\.[0-9].*");
        String kernel = Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
        assertThat(lines.get(4)).endsWith(", Linux " + kernel);
        assertThat(lines.subList(5, lines.size())).allMatch(line -> line.startsWith("limited here: "));
    }

    @Test
    void namesWhatIsLimitedHere() {
        Result result = CommandLines.fork(List.of(), Map.of("HWLOC_SYNTHETIC", "pack:2 core:2 pu:1"), "--version");
        assertThat(result.exitCode()).isZero();
        // hwloc's variables show no other machine, to which nothing could be bound.
        assertThat(result.out())
                .isEqualTo(CommandLines.fork(List.of(), Map.of(), "--version").out());
        assertThat(result.out().lines().filter(line -> line.startsWith("limited here: ")))
                .allMatch(line -> line.matches("limited here: [^:]+: .{10,}"));
    }

    @Test
    void tellsThatTheCommitIsUnknown() {
        assertThat(CommandLines.run("--version").out()).contains("commit: unknown (");
    }
}
