package org.berth.onejar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.JarFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Class loaders of one JVM that each have a copy of Berth, as jobs of a server can. */
class TwoLoadersTest {
    @Test
    void eachLoadsTheNativeLibrariesAndOneDoesTheTask(@TempDir Path folder) throws Exception {
        Path same = Files.copy(JarFiles.one(), folder.resolve("same.jar"));
        Path newer = JarFiles.otherVersion(folder.resolve("newer.jar"), "9.9.9", name -> true);
        List<String> lines = ChildJvm.of(TwoLoaders.class, JarFiles.one().toString(), same.toString(), newer.toString())
                .classPath(Path.of(TwoLoaders.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString())
                .with("-Xcheck:jni")
                .run()
                .output()
                .lines()
                .filter(line -> line.matches("(bound|failed).*"))
                .toList();
        assertThat(lines).hasSize(3).noneMatch(line -> line.startsWith("failed"));
        assertThat(lines.stream().filter("bound true Optional.empty"::equals)).hasSize(1);
        assertThat(lines.stream().filter(line -> line.startsWith("bound false")))
                .hasSize(2)
                .allMatch(line ->
                        line.matches("bound false Optional\\[two copies of Berth are loaded: \\S+ in \\S+\\.jar leaves"
                                + " this test to \\S+ in \\S+\\.jar, which came first; keep one of them\\]"));
    }
}
