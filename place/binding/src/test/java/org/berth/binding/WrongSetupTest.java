package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.oracle.Machine;
import org.berth.setup.UseAll;
import org.junit.jupiter.api.Test;

/** JVMs in which something of the native code is missing or forbidden: the reason is the true one, and the remedy helps. */
class WrongSetupTest {
    private static final int FIRST_WITH_NATIVE_ACCESS = 24;
    private static final String REFUSED = "this JVM refuses native access; start java with ";

    @Test
    void nativeAccessIsDeniedOnTheClassPath() {
        Machine.requireJava(FIRST_WITH_NATIVE_ACCESS);
        JavaProcess denied = JavaProcess.of(UseAll.class).option("--illegal-native-access=deny");
        String option = "--enable-native-access=ALL-UNNAMED";
        assertThat(denied.run().lines())
                .hasSize(4)
                .allMatch(line -> line.matches("cannot load \\S+/libberth\\S*: " + REFUSED + option));
        assertThat(denied.option(option).run().lines()).containsOnly("works");
    }

    @Test
    void nativeAccessIsDeniedOnTheModulePath() {
        Machine.requireJava(FIRST_WITH_NATIVE_ACCESS);
        JavaProcess denied =
                onTheModulePath().option("--add-modules=org.berth.binding").option("--illegal-native-access=deny");
        String option = "--enable-native-access=org.berth.binding";
        assertThat(denied.run().lines()).hasSize(4).allMatch(line -> line.endsWith(REFUSED + option));
        assertThat(denied.option(option).run().lines()).containsOnly("works");
    }

    @Test
    void oneModuleBringsAllThatItNeeds() {
        assertThat(onTheModulePath()
                        .option("--add-modules=org.berth.binding")
                        .run()
                        .lines())
                .containsOnly("works");
    }

    @Test
    void theSystemIsAnotherOne() {
        List<String> lines = JavaProcess.of(UseAll.class)
                .option("-Dos.name=Mac OS X")
                .option("-Dos.arch=aarch64")
                .run()
                .lines()
                .toList();
        String remedy = "; Berth discovers and binds on Linux on x86_64, aarch64, ppc64le and riscv64; elsewhere"
                + " TopologyXml.parse reads a machine that was written there";
        assertThat(lines)
                .hasSize(4)
                .containsOnly("cannot find libberth.so: Berth has no native code for Mac OS X aarch64" + remedy);
    }

    private static Stream<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    }

    /** Classes of the tests stay on the class path; all of Berth are modules. */
    private static JavaProcess onTheModulePath() {
        String others = classPath()
                .filter(entry -> !entry.matches(Modules.ENTRIES))
                .collect(Collectors.joining(File.pathSeparator));
        return JavaProcess.of(UseAll.class).classPath(others).option("--module-path=" + Modules.path());
    }
}
