package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.records.BindingRecords;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.HostileUser;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another user knows where root unpacks native files and keeps what bound processes had before, and comes first, also with
 * directories that hold files of the very names that root will look for.
 */
@Timeout(240)
class HostilePlacesTest {
    /** No other user could write to it, and it holds what a directory of ours would. */
    private static final String FURNISHED =
            "mkdir -m 755 N && cd N && for f in FILES; do echo theirs >$f; chmod 755 $f; done";

    @TempDir(factory = ExecutableFolder.class)
    private Path folder;

    private HostileUser other;

    @BeforeEach
    void requireTwoUsers() throws IOException {
        other = HostileUser.in(folder);
    }

    private static List<String> obstacles(Stream<String> files) {
        List<String> all = new ArrayList<>(HostileUser.OBSTACLES);
        all.add(FURNISHED.replace("FILES", files.collect(Collectors.joining(" "))));
        return all;
    }

    @Test
    void nativeFilesAreUnpackedBesideWhatWasPlanted() throws Exception {
        Path clean = Files.createDirectory(folder.resolve("clean"));
        Map<String, Path> usual = unpackedBelow(clean);
        Path directory = clean.resolve("berth-0");
        assertThat(usual.values()).hasSize(3).allMatch(file -> file.startsWith(directory));
        List<String> obstacles = obstacles(names(directory).stream());
        HostileUser.withAnyGuards(() -> {
            for (String obstacle : obstacles) {
                Path everybodys = other.plant(obstacle, "berth-0");
                Map<String, Path> files = unpackedBelow(everybodys);
                for (Map.Entry<String, Path> file : files.entrySet()) {
                    Path ours = Objects.requireNonNull(file.getValue().getParent());
                    assertThat(ours.getParent()).as(obstacle).isEqualTo(everybodys);
                    assertThat(ours.getFileName().toString()).matches("berth-0-[0-9a-f]{12}");
                    requireOurs(ours, "rwx------");
                    requireOurs(file.getValue(), "rwx------");
                    assertThat(file.getValue())
                            .hasSameBinaryContentAs(Objects.requireNonNull(usual.get(file.getKey())));
                }
                assertThat(unpackedBelow(everybodys)).as("at the next start").isEqualTo(files);
                other.requireUntouched();
            }
        });
    }

    /** Root's command line gives its files to others by a name that never changes: it goes to the next place then. */
    @Test
    void filesForOtherUsersAreNeverTakenFromWhatWasPlanted() throws Exception {
        for (String obstacle : obstacles(Stream.of("libberth.so"))) {
            Path everybodys = other.plant(obstacle, "berth-0");
            Path next = Files.createDirectory(folder.resolve(everybodys.getFileName() + "-next"));
            // The place of all users is not that of this machine.
            Map<String, Path> files = unpacked(JavaProcess.of(Unpack.class)
                    .under("unshare", "-m", "sh", "-c", "mount -t tmpfs -o mode=755 none /var/lib && exec \"$@\"", "sh")
                    .environment("XDG_DATA_HOME", everybodys.toString())
                    .option("-Dorg.berth.native.shared=true")
                    .option("-Djava.io.tmpdir=" + next));
            assertThat(files.values())
                    .as(obstacle)
                    .hasSize(3)
                    .allMatch(file -> file.startsWith("/var/lib/berth-0") || file.startsWith(next.resolve("berth-0")));
            other.requireUntouched();
        }
    }

    @Test
    void recordsOfBoundProcessesAreKeptBesideWhatWasPlanted() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        HostileUser.withAnyGuards(() -> {
            try (Child child = Child.start("sleep", "600")) {
                String before = ProcStatus.of(child.pid()).cpus();
                String name = "bound-" + child.pid() + "-"
                        + ProcessIdentity.startTimeOrEmpty(Path.of("/proc", Long.toString(child.pid())));
                for (String obstacle : obstacles(Stream.of(name))) {
                    Path everybodys = other.plant(obstacle, "berth-bound-0");
                    BindingRecords records = BindingRecords.below(everybodys);
                    LiveProcess.of(child.pid(), records).bind(CpuSet.of(cpus[1]), Map.of());
                    assertThat(ProcStatus.of(child.pid()).cpus()).as(obstacle).isEqualTo("" + cpus[1]);
                    Path ours = onlyOne(everybodys);
                    requireOurs(ours, "rwx------");
                    requireOurs(ours.resolve(name), "rw-------");

                    LiveProcess.of(child.pid(), BindingRecords.below(everybodys))
                            .unbind();
                    assertThat(ProcStatus.of(child.pid()).cpus()).as(obstacle).isEqualTo(before);
                    assertThat(ours).isEmptyDirectory();
                    other.requireUntouched();
                }
            }
        });
    }

    /** The one directory whose name he could not foresee. */
    private static Path onlyOne(Path everybodys) throws IOException {
        List<String> made = names(everybodys).stream()
                .filter(name -> name.matches("berth-bound-0-[0-9a-f]{12}"))
                .toList();
        assertThat(made).hasSize(1);
        return everybodys.resolve(made.get(0));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static void requireOurs(Path file, String mode) throws IOException {
        assertThat(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                .as("owner of " + file)
                .isEqualTo(0);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)))
                .isEqualTo(mode);
    }

    private static Map<String, Path> unpackedBelow(Path home) {
        return unpacked(JavaProcess.of(Unpack.class).environment("XDG_DATA_HOME", home.toString()));
    }

    private static Map<String, Path> unpacked(JavaProcess java) {
        Map<String, Path> files = new HashMap<>();
        java.run().lines().map(line -> line.split(" ", 2)).forEach(words -> files.put(words[0], Path.of(words[1])));
        return files;
    }

    /** Uses all native files, and tells where the kernel has mapped libraries from. */
    static final class Unpack {
        private Unpack() {}

        public static void main(String[] args) throws IOException {
            LocalMachine.open();
            System.out.println("berth-exec " + NativeLibrary.launcher());
            NativeLibrary.load();
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                maps.filter(line -> line.matches(".*/lib(berth|hwloc)-[^/]*\\.so"))
                        .map(line -> line.substring(line.indexOf('/')))
                        .distinct()
                        .forEach(file ->
                                System.out.println(file.replaceFirst(".*/(lib[a-z]+)-[^/]*", "$1") + " " + file));
            }
        }
    }
}
