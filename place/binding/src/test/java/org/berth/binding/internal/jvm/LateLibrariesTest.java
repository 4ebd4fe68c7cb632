package org.berth.binding.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shared libraries that the test compiles under the names of well-known ones. */
@Timeout(120)
class LateLibrariesTest {
    @TempDir(factory = ExecutableFolder.class)
    Path folder;

    private void load(String name) throws IOException {
        Path source = Files.writeString(folder.resolve("empty.c"), "int berth_test_of_late_libraries = 1;\n");
        Path library = folder.resolve(name);
        Tool.requireSuccess("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        System.load(library.toString());
    }

    @Test
    void namesALibraryOnceWhenItIsThereUnlessItsVariableIsSet() throws IOException {
        NativeLibrary.load();
        LateLibraries unset = new LateLibraries(Map.of());
        LateLibraries set = new LateLibraries(Map.of("OMP_NUM_THREADS", "3"));
        assertThat(unset.look(8)).isEmpty();
        load("libanother.so");
        assertThat(unset.look(8)).isEmpty();
        load("libiomp5.so");
        List<String> lines = unset.look(8);
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0))
                .startsWith("libiomp5.so counts the CPUs of the thread that uses it first")
                .contains("OMP_NUM_THREADS=8 ", "spark.executorEnv.OMP_NUM_THREADS");
        load("libyetanother.so");
        assertThat(unset.look(8)).as("once").isEmpty();
        assertThat(set.look(8)).isEmpty();
    }
}
