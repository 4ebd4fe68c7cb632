package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native memory as a typed segment, in a program that Java 17 could not compile. */
class SegmentsTest {
    private static final String PROGRAM = """
            import java.lang.foreign.MemorySegment;
            import java.lang.foreign.ValueLayout;
            import org.berth.binding.Binder;
            import org.berth.binding.LocalMachine;
            import org.berth.binding.MemoryPolicy;
            import org.berth.binding.NativeMemory;

            public class Program {
                public static void main(String[] none) {
                    Binder binder = LocalMachine.open().binder();
                    MemorySegment end;
                    try (NativeMemory memory = binder.allocate(3L << 30, MemoryPolicy.local())) {
                        MemorySegment all = memory.segment(MemorySegment.class);
                        end = all.asSlice(all.byteSize() - 8);
                        end.set(ValueLayout.JAVA_LONG, 0, 7);
                        System.out.println(memory.segment(MemorySegment.class).get(ValueLayout.JAVA_LONG, (3L << 30) - 8));
                        try {
                            memory.segment(String.class);
                        } catch (ClassCastException e) {
                            System.out.println("not a String");
                        }
                    }
                    try {
                        end.get(ValueLayout.JAVA_LONG, 0);
                    } catch (IllegalStateException e) {
                        System.out.println(e.getMessage());
                    }
                    MemorySegment kept = dropped(binder);
                    for (int i = 0; i < 60; i++) { // 64 MiB each, where 3200 MiB are allowed
                        dropped(binder);
                    }
                    System.out.println("kept " + kept.get(ValueLayout.JAVA_LONG, 0));
                }

                private static MemorySegment dropped(Binder binder) {
                    MemorySegment segment = binder.allocate(64L << 20, MemoryPolicy.local()).segment(MemorySegment.class);
                    segment.set(ValueLayout.JAVA_LONG, 8, 9);
                    return segment.asSlice(8);
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void aClosedSegmentRefusesAccessAndADroppedOneIsFreed() throws IOException {
        Machine.requireJava(22);
        String classPath = System.getProperty("java.class.path");
        compile(classPath);
        String lines = JavaProcess.of(Named.class, "Program")
                .classPath(classPath + ":" + folder)
                .option("-XX:MaxDirectMemorySize=3200m")
                .option("--enable-native-access=ALL-UNNAMED")
                .run();
        assertThat(lines.lines()).containsExactly("7", "not a String", "Already closed", "kept 9");
    }

    @Test
    void olderVersionsOfJavaHaveNoSegments() {
        assumeFalse(Runtime.version().feature() >= 22);
        try (NativeMemory memory = LocalMachine.open().binder().allocate(4096, MemoryPolicy.local())) {
            assertThatThrownBy(() -> memory.segment(Object.class))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("a MemorySegment needs Java 22 or newer");
        }
    }

    private void compile(String classPath) throws IOException {
        Path source = Files.writeString(folder.resolve("Program.java"), PROGRAM);
        StringWriter said = new StringWriter();
        try (PrintWriter out = new PrintWriter(said)) {
            int code = ToolProvider.findFirst("javac")
                    .orElseThrow()
                    .run(out, out, "-cp", classPath, "-d", folder.toString(), source.toString());
            assertThat(code).as(said.toString()).isZero();
        }
    }

    /** Runs a class that the tests do not have. */
    static final class Named {
        private Named() {}

        public static void main(String[] arguments) throws ReflectiveOperationException {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }
}
