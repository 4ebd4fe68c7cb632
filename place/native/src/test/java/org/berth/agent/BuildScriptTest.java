package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.Child;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build refuses; what it builds for other processors is the subject of testing/processors. */
@Tag("one-jdk")
class BuildScriptTest {
    @TempDir
    private Path folder;

    private static Child.Result script(ProcessBuilder builder) {
        return Child.run(builder.redirectErrorStream(true));
    }

    private ProcessBuilder build(String processors) {
        return new ProcessBuilder(
                Tool.require("sh").toString(),
                "build.sh",
                "emulated",
                folder.resolve("build").toString(),
                processors);
    }

    @Test
    void namesTheProcessorsThatThereAre() {
        Child.Result result = script(build("aarch64,mips"));
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out().strip())
                .isEqualTo("berth: there is no native code for the processor 'mips'; give own, all, or some of"
                        + " x86_64,aarch64,ppc64le,riscv64");
    }

    @Test
    void namesThePackagesOfAMissingCompiler() throws IOException {
        assumeThat(System.getProperty("os.arch")).isNotIn("riscv64", "ppc64le");
        for (String tool : List.of("cmake", "cc", "make", "uname", "tr", "dirname")) {
            Files.createSymbolicLink(folder.resolve(tool), Tool.require(tool));
        }
        ProcessBuilder builder = build("riscv64,ppc64le");
        builder.environment().put("PATH", folder.toString());
        Child.Result result = script(builder);
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out().strip())
                .isEqualTo(
                        "berth: cannot build place/native for riscv64 ppc64le: no cross compiler with a C library; on Debian:"
                                + " apt-get install gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-powerpc64le-linux-gnu"
                                + " libc6-dev-ppc64el-cross");
    }

    @Test
    void refusesALibraryOfAnotherProcessor() {
        String other = System.getProperty("os.arch").equals("aarch64") ? "x86_64" : "aarch64";
        Child.Result result = script(new ProcessBuilder("sh", "check-library.sh", other, Built.library()));
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out().strip()).isEqualTo("berth: " + Built.library() + " is not for " + other);
    }
}
