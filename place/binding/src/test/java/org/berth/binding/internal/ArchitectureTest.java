package org.berth.binding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.berth.binding.library.NativeFiles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The native files on the class path are for the processors that their folders name. */
class ArchitectureTest {
    private static final List<String> LWJGL = List.of("liblwjgl.so", "hwloc/libhwloc.so");
    private static final Pattern VERSION = Pattern.compile("GLIBC_2\\.(\\d+)");
    private static final int ELF = 0x464c457f;
    private static final int MACHINE_OFFSET = 18;

    /** The number of a processor in an ELF header: e_machine in elf.h. */
    @ParameterizedTest
    @CsvSource({"X86_64, 62", "AARCH64, 183", "PPC64LE, 21", "RISCV64, 243"})
    void librariesAreForTheirProcessor(Architecture architecture, int machine) throws IOException {
        for (String path : LWJGL) {
            URL library = resource(architecture.lwjglResource(path));
            assertThat(machineOf(Objects.requireNonNull(library, path))).isEqualTo(machine);
        }
        for (String name : List.of("libberth.so", "berth-exec")) {
            URL file = resource(architecture.berthResource(name));
            // A normal build has this machine's own.
            assertThat(file != null || architecture != Architecture.current().orElseThrow())
                    .isTrue();
            if (file != null) {
                assertThat(machineOf(file)).isEqualTo(machine);
            }
        }
    }

    /** Messages and documentation name it, and a new LWJGL may need a newer one. */
    @ParameterizedTest
    @EnumSource(Architecture.class)
    void lwjglNeedsTheGlibcThatMessagesName(Architecture architecture) throws IOException {
        int newest = 0;
        for (String path : LWJGL) {
            String content = new String(
                    NativeFiles.readResource(ArchitectureTest.class.getClassLoader(), architecture.lwjglResource(path)),
                    StandardCharsets.ISO_8859_1);
            newest = Math.max(
                    newest,
                    VERSION.matcher(content)
                            .results()
                            .mapToInt(version -> Integer.parseInt(version.group(1)))
                            .max()
                            .orElseThrow());
        }
        assertThat("2." + newest).isEqualTo(architecture.lwjglGlibc());
    }

    private static URL resource(String name) {
        return ArchitectureTest.class.getClassLoader().getResource(name);
    }

    private static int machineOf(URL file) throws IOException {
        try (var in = file.openStream()) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(64)).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(header.getInt(0)).isEqualTo(ELF);
            return header.getShort(MACHINE_OFFSET);
        }
    }
}
