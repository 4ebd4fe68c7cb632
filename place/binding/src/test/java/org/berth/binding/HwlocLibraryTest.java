package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Architecture;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file of hwloc is used, and what a user reads who has none. */
class HwlocLibraryTest {
    private static final String REMEDY = "; Berth's own copy needs glibc "
            + Architecture.current().orElseThrow().hwlocGlibc()
            + " or later; the system's hwloc of 2.8 or later serves as well (on Debian: apt-get install libhwloc15)";

    @TempDir(factory = ExecutableFolder.class)
    private Path directory;

    @Test
    void theSystemsHwlocServesWhereBerthHasNone() throws IOException, InterruptedException {
        String folder =
                "META-INF/native/" + Architecture.current().orElseThrow().folder();
        copy("libberth.so", directory.resolve(folder).resolve("libberth.so"));
        copy("berth-exec", directory.resolve(folder).resolve("berth-exec"));
        String classPath = Stream.concat(
                        Stream.of(directory.toString()),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                .filter(entry -> !entry.matches(".*(berth-native|place/native).*")))
                .collect(Collectors.joining(File.pathSeparator));
        String said = JavaProcess.of(Discover.class).classPath(classPath).run();
        if (Tool.output("ldconfig", "-p").contains("libhwloc.so.15")) {
            assertThat(said).matches("found with hwloc 2\\.\\d+");
        } else {
            assertThat(said)
                    .startsWith("cannot load hwloc's library libhwloc.so.15: libhwloc.so.15: ")
                    .endsWith(REMEDY);
        }
    }

    @Test
    void theFileBesideTheLibraryComesFirst() throws IOException, InterruptedException {
        copy("libberth.so", directory.resolve("libberth.so"));
        Path hwloc = Files.writeString(directory.resolve("libhwloc.so"), "no library");
        JavaProcess java = JavaProcess.of(Discover.class).option("-Dorg.berth.native.path=" + directory);
        assertThat(java.run())
                .startsWith("cannot load hwloc's library " + hwloc + ": " + hwloc + ": ")
                .endsWith(REMEDY);
        copy("libberth.so", hwloc);
        assertThat(java.run())
                .isEqualTo(
                        "cannot load hwloc's library " + hwloc + ": it has no function hwloc_get_api_version" + REMEDY);
        copy("libhwloc.so", hwloc);
        assertThat(java.run()).startsWith("found with hwloc ");
    }

    private static void copy(String name, Path file) throws IOException {
        String resource = Architecture.current().orElseThrow().berthResource(name);
        Files.createDirectories(file.getParent());
        try (InputStream in = HwlocLibraryTest.class.getClassLoader().getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in), file, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Prints whether this machine could be discovered, or why not. */
    static final class Discover {
        private Discover() {}

        public static void main(String[] args) {
            try {
                int version = Discovery.hwlocApiVersion();
                System.out.println(
                        LocalMachine.open().topology().cpuSet().isEmpty()
                                ? "nothing"
                                : "found with hwloc " + (version >> 16) + "." + (version >> 8 & 0xff));
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
