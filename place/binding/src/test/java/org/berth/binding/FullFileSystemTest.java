package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.records.BindingRecords;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file system without room, and one that may not be written to, in a mount namespace of its own where no other place is left
 * for native files and records: one line names the place and the kernel's reason, nothing half remains, and when there is room
 * again the same JVM goes on. What is there is seen through /proc/PID/root.
 */
@Timeout(240)
class FullFileSystemTest {
    private static final String NO_ROOM = "No space left on device";
    private static final String READ_ONLY = "Read-only file system";

    private static final String FILLER = "filler";
    private static final int MOST_ENTRIES = 64;
    private static final int SIZE_BYTES = 1 << 20;

    @TempDir
    private Path folder;

    @BeforeEach
    void requireMounts() {
        Machine.requireRoot();
        Tool.requireSuccess("unshare", "-m", "true");
    }

    private JavaProcess java(Class<?> main, String size, String... arguments) {
        String place = folder.toString();
        return JavaProcess.of(main, arguments)
                .under(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o mode=755," + size + " none '" + place + "' && mount --bind '" + place
                                + "' /dev/shm && exec \"$@\"",
                        "sh")
                .environment("XDG_DATA_HOME", place)
                .environment("XDG_CACHE_HOME", place)
                .option("-Djava.io.tmpdir=" + place)
                .option("-Duser.dir=" + place)
                .option("-XX:-UsePerfData");
    }

    private Path seenBy(Child child) {
        return Path.of("/proc/" + child.pid() + "/root" + folder);
    }

    private void remount(Child child, String options) {
        Tool.output(
                "nsenter", "-m", "-t", Long.toString(child.pid()), "mount", "-o", "remount," + options, "" + folder);
    }

    private static List<String> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    private void requireLine(String line, String operation, String reason) {
        assertThat(line).startsWith("cannot " + operation).contains(folder.toString(), reason);
        assertThat(line).doesNotContain("FileSystem ", "Exception", "null");
    }

    @Test
    void nativeFilesNeedRoom() throws Exception {
        try (Child child = java(Unpack.class, "size=16k").start()) {
            requireReady(child);
            requireLine(child.ask("now"), "use berth-exec", folder + ": " + NO_ROOM);
            assertThat(files(seenBy(child))).isEmpty();
            remount(child, "size=16m");
            requireUnpacked(child);
        }
    }

    /** Not even for the directory. */
    @Test
    void nativeFilesNeedAnEntry() throws Exception {
        try (Child child = java(Unpack.class, "nr_inodes=1").start()) {
            requireReady(child);
            requireLine(child.ask("now"), "use berth-exec", folder + ": " + NO_ROOM);
            remount(child, "nr_inodes=100");
            requireUnpacked(child);
        }
    }

    @Test
    void nativeFilesNeedAPlaceThatCanBeWrittenTo() throws Exception {
        try (Child child = java(Unpack.class, "size=16m").start()) {
            requireReady(child);
            remount(child, "ro");
            requireLine(child.ask("now"), "use berth-exec", folder + ": " + READ_ONLY);
            remount(child, "rw");
            requireUnpacked(child);
        }
    }

    /** Before that line the child may not have mounted its file system yet. */
    private static void requireReady(Child child) {
        assertThat(child.readLine()).isEqualTo("ready");
    }

    private void requireUnpacked(Child child) throws IOException {
        assertThat(child.ask("now")).startsWith(folder + "/berth-0/berth-exec-");
        assertThat(files(seenBy(child))).hasSize(1).allMatch(file -> file.startsWith("berth-exec-"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsNeedAnEntry(boolean directoryIsThere) throws Exception {
        requireRecords(directoryIsThere, NO_ROOM, this::fillWithFiles, this::removeFillers);
    }

    /** The entry is made, and nothing can be written into it. */
    @Test
    void recordsNeedRoom() throws Exception {
        requireRecords(true, NO_ROOM, this::fillWithBytes, this::removeFillers);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsNeedAPlaceThatCanBeWrittenTo(boolean directoryIsThere) throws Exception {
        requireRecords(directoryIsThere, READ_ONLY, child -> remount(child, "ro"), child -> remount(child, "rw"));
    }

    private void fillWithFiles(Child child) {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < MOST_ENTRIES; i++) {
                        Files.createFile(seenBy(child).resolve(FILLER + i));
                    }
                })
                .hasMessageContaining(NO_ROOM);
    }

    private void fillWithBytes(Child child) {
        assertThatThrownBy(() -> Files.write(seenBy(child).resolve(FILLER), new byte[SIZE_BYTES]))
                .hasMessageContaining(NO_ROOM);
    }

    private void removeFillers(Child child) {
        Tool.output("sh", "-c", "rm '" + seenBy(child) + "/" + FILLER + "'*");
    }

    /** Nothing is bound of which nobody would know what it had before. */
    private void requireRecords(
            boolean directoryIsThere, String reason, Consumer<Child> obstacle, Consumer<Child> remedy)
            throws IOException {
        int[] cpus = Machine.requireCpus(2);
        try (Child bound = Child.start("sleep", "600");
                Child child = java(
                                Bind.class,
                                "nr_inodes=" + MOST_ENTRIES + ",size=" + SIZE_BYTES,
                                Long.toString(bound.pid()),
                                "" + cpus[1])
                        .start()) {
            String before = ProcStatus.of(bound.pid()).cpus();
            requireReady(child);
            if (directoryIsThere) {
                assertThat(child.ask("bind")).isEqualTo("done");
                assertThat(child.ask("unbind")).isEqualTo("done");
            }
            obstacle.accept(child);
            String line = child.ask("bind");
            requireLine(line, directoryIsThere ? "write" : "read", reason);
            assertThat(line).contains(" what process " + bound.pid() + " had before");
            assertThat(ProcStatus.of(bound.pid()).cpus()).isEqualTo(before);
            assertThat(files(seenBy(child))).noneMatch(file -> file.startsWith("new-") || file.startsWith("bound-"));
            remedy.accept(child);
            assertThat(child.ask("bind")).isEqualTo("done");
            assertThat(ProcStatus.of(bound.pid()).cpus()).isEqualTo("" + cpus[1]);
            assertThat(child.ask("unbind")).isEqualTo("done");
            assertThat(ProcStatus.of(bound.pid()).cpus()).isEqualTo(before);
        }
    }

    /** Unpacks a file at each line. */
    static final class Unpack {
        private Unpack() {}

        public static void main(String[] args) {
            System.out.println("ready");
            try (Scanner words = new Scanner(System.in, StandardCharsets.UTF_8)) {
                while (words.hasNext()) {
                    words.next();
                    try {
                        System.out.println(NativeLibrary.launcher());
                    } catch (BindingException e) {
                        System.out.println(e.getMessage());
                    }
                }
            }
        }
    }

    /** Binds a process, or restores what it had, at each line. */
    static final class Bind {
        private Bind() {}

        public static void main(String[] args) {
            BindingRecords records = BindingRecords.below(Path.of(System.getProperty("java.io.tmpdir")));
            LiveProcess process = LiveProcess.of(Long.parseLong(args[0]), records);
            System.out.println("ready");
            try (Scanner words = new Scanner(System.in, StandardCharsets.UTF_8)) {
                while (words.hasNext()) {
                    try {
                        if (words.next().equals("bind")) {
                            process.bind(CpuSet.parseList(args[1]), Map.of());
                        } else {
                            process.unbind();
                        }
                        System.out.println("done");
                    } catch (BindingException e) {
                        System.out.println(e.getMessage());
                    }
                }
            }
        }
    }
}
