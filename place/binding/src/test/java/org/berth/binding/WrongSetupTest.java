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
    private static final String HWLOC = "cannot load the hwloc library of LWJGL: ";
    private static final String REFUSED = "this JVM refuses native access; start java with ";

    @Test
    void nativeAccessIsDeniedOnTheClassPath() {
        Machine.requireJava(FIRST_WITH_NATIVE_ACCESS);
        JavaProcess denied = JavaProcess.of(UseAll.class).option("--illegal-native-access=deny");
        String option = "--enable-native-access=ALL-UNNAMED";
        List<String> lines = denied.run().lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.subList(0, 2)).containsOnly(HWLOC + REFUSED + option);
        assertThat(lines.subList(2, 4))
                .allMatch(line -> line.matches("cannot load \\S+/libberth\\S*: " + REFUSED + option));
        assertThat(denied.option(option).run().lines()).containsOnly("works");
    }

    @Test
    void nativeAccessIsDeniedOnTheModulePath() {
        Machine.requireJava(FIRST_WITH_NATIVE_ACCESS);
        JavaProcess denied =
                onTheModulePath().option("--add-modules=ALL-MODULE-PATH").option("--illegal-native-access=deny");
        String option = "--enable-native-access=org.berth.binding,org.lwjgl";
        assertThat(denied.run().lines()).hasSize(4).allMatch(line -> line.endsWith(REFUSED + option));
        assertThat(denied.option(option).run().lines()).containsOnly("works");
    }

    @Test
    void theNativesOfLwjglAreNotAmongTheModules() {
        List<String> lines = onTheModulePath()
                .option("--add-modules=org.berth.binding")
                .run()
                .lines()
                .toList();
        assertThat(lines.subList(0, 2))
                .allMatch(line -> line.startsWith(HWLOC + "no linux/"))
                .allMatch(line -> line.contains("to the module path, and --add-modules ALL-MODULE-PATH, as no module"));
        assertThat(lines.subList(2, 4)).containsOnly("works");
    }

    @Test
    void lwjglIsNotOnTheClassPath() {
        String without = classPath()
                .filter(entry -> !entry.matches(".*/lwjgl-[\\d.]+\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(JavaProcess.of(UseAll.class).classPath(without).run().lines().limit(2))
                .containsOnly(HWLOC + "LWJGL itself is missing; add lwjgl and lwjgl-hwloc to the class path");
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
        assertThat(lines.subList(0, 2)).containsOnly(HWLOC + "there is none for Mac OS X aarch64" + remedy);
        assertThat(lines.subList(2, 4))
                .containsOnly("cannot find libberth.so: Berth has no native code for Mac OS X aarch64" + remedy);
    }

    private static Stream<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    }

    /** Classes of the tests stay on the class path; all of Berth and of LWJGL are modules. */
    private static JavaProcess onTheModulePath() {
        String others = classPath()
                .filter(entry -> !entry.matches(Modules.ENTRIES))
                .collect(Collectors.joining(File.pathSeparator));
        return JavaProcess.of(UseAll.class).classPath(others).option("--module-path=" + Modules.path());
    }
}
