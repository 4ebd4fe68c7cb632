package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Architecture;
import org.berth.oracle.ExecutableFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HwlocLibraryTest {
    @TempDir(factory = ExecutableFolder.class)
    private Path directory;

    @Test
    void saysWhatToAddWhenTheNativesAreNotOnTheClassPath() throws IOException, InterruptedException {
        String without = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("-natives-linux.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(JavaProcess.of(Discover.class).classPath(without).run())
                .startsWith("cannot load the hwloc library of LWJGL: no linux/")
                .endsWith("; add the natives of lwjgl and lwjgl-hwloc for " + Architecture.describeCurrent()
                        + " to the class path; they need glibc "
                        + Architecture.current().orElseThrow().lwjglGlibc() + " or later");
        assertThat(JavaProcess.of(Discover.class).option("-Dos.arch=s390x").run())
                .startsWith("cannot load the hwloc library of LWJGL: there is none for Linux s390x; Berth discovers");
    }

    @Test
    void followsTheOptionsOfLwjgl() throws IOException, InterruptedException {
        Path natives = Files.createDirectory(directory.resolve("natives"));
        copy("liblwjgl.so", natives.resolve("liblwjgl.so"));
        copy("hwloc/libhwloc.so", natives.resolve("libhwloc.so"));
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        assertThat(JavaProcess.of(Discover.class)
                        .option("-Djava.io.tmpdir=" + temporary)
                        .option("-Dorg.lwjgl.libname=" + natives.resolve("liblwjgl.so"))
                        .option("-Dorg.lwjgl.hwloc.libname=" + natives.resolve("libhwloc.so"))
                        .run())
                .isEqualTo("found");
        assertThat(temporary).isEmptyDirectory();
    }

    private static void copy(String name, Path file) throws IOException {
        String resource = Architecture.current().orElseThrow().lwjglResource(name);
        try (InputStream in = HwlocLibraryTest.class.getClassLoader().getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in), file);
        }
    }

    /** Prints whether this machine could be discovered, or why not. */
    static final class Discover {
        private Discover() {}

        public static void main(String[] args) {
            try {
                System.out.println(Discovery.live().cpuSet().isEmpty() ? "nothing" : "found");
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
