package org.berth.binding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The native files on the class path are for the processors that their folders name. */
class ArchitectureTest {
    private static final Pattern VERSION = Pattern.compile("GLIBC_2\\.(\\d+)");
    private static final int ELF = 0x464c457f;
    private static final int MACHINE_OFFSET = 18;

    /** The number of a processor in an ELF header: e_machine in elf.h. */
    @ParameterizedTest
    @CsvSource({"X86_64, 62", "AARCH64, 183", "PPC64LE, 21", "RISCV64, 243"})
    void librariesAreForTheirProcessor(Architecture architecture, int machine) throws IOException {
        for (String name : List.of("libberth.so", "berth-exec", "libhwloc.so")) {
            URL file = resource(architecture.berthResource(name));
            // A normal build has this machine's own.
            assertThat(file != null || architecture != Architecture.current().orElseThrow())
                    .isTrue();
            if (file != null) {
                assertThat(machineOf(file)).isEqualTo(machine);
            }
        }
    }

    /** Messages and documentation name it, and a new hwloc may need a newer one. */
    @ParameterizedTest
    @EnumSource(Architecture.class)
    void hwlocNeedsTheGlibcThatMessagesName(Architecture architecture) throws IOException {
        URL library = resource(architecture.berthResource("libhwloc.so"));
        assumeTrue(library != null, "built without -Dberth.native=all");
        try (var in = library.openStream()) {
            int newest = VERSION.matcher(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .results()
                    .mapToInt(version -> Integer.parseInt(version.group(1)))
                    .max()
                    .orElseThrow();
            // Our own library needs 2.17; see check-library.sh.
            assertThat("2." + Math.max(17, newest)).isEqualTo(architecture.hwlocGlibc());
        }
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
