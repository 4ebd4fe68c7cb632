package org.berth.binding.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.binding.Oracle;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leases from Java; their files are read by the test. */
final class LeasesTest {
    /** Four workers of two cores each, on a machine that only the plan knows. */
    private static PlacementPlan plan() {
        Topology machine = Discovery.synthetic("pack:2 core:4 pu:1");
        return PlacementPolicies.byLevel().plan(machine, PlacementRequest.of(AffinityLevel.CORE, 4, 2));
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void workersAreHandedOutOnceEachAndComeBack(@TempDir Path directory) throws IOException {
        Leases leases = Leases.at(directory);
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Lease lease = leases.claim(plan(), true, "executor " + i);
            held.add(lease);
            assertThat(lease.worker()).isEqualTo(i);
            assertThat(lease.record().cpus()).isEqualTo(plan().workerCpus(i));
            assertThat(files(directory)).hasSize(i + 1);
        }
        assertThat(Files.readString(files(directory).get(0)))
                .startsWith("berth-lease 1\npid " + ProcessHandle.current().pid() + "\n")
                .contains("exclusive yes\n");
        assertThat(files(directory)).allMatch(LeasesTest::isLockedBySomebody);
        assertThatThrownBy(() -> leases.claim(plan(), true, "one more"))
                .isInstanceOfSatisfying(BindingException.class, e -> {
                    assertThat(e.errno()).isEqualTo(Errno.EBUSY);
                    Oracle.assertOneLine(e);
                })
                .hasMessageContaining("none of the 4 domains is free, and this process holds one itself");
        held.get(2).close();
        held.get(2).close();
        assertThat(files(directory))
                .as("a lease that is given up leaves no file")
                .hasSize(3);
        assertThat(leases.claim(plan(), true, "again").worker()).isEqualTo(2);
    }

    /** What flock(1) sees: another process that cannot take the lock. */
    private static boolean isLockedBySomebody(Path file) {
        return Child.run("flock", "-n", file.toString(), "true").exitCode() == 1;
    }

    @Test
    void theListTellsWhoHoldsWhat(@TempDir Path directory) {
        Leases leases = Leases.at(directory);
        assertThat(leases.list()).isEmpty();
        // A lease has whole seconds of time(2), whose clock is up to a tick behind that of Instant.now().
        Instant before = Instant.now().minusSeconds(2);
        try (Lease lease = leases.claim(plan(), false, "a name\nof two lines")) {
            LeaseRecord record = leases.list().get(0);
            assertThat(record).isEqualTo(lease.record());
            assertThat(record.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(record.cpus()).isEqualTo(CpuSet.of(0, 1));
            assertThat(record.name()).isEqualTo("a name?of two lines");
            assertThat(record.since()).isBetween(before, Instant.now().plusSeconds(1));
            List<Lease> many = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                many.add(leases.claim(plan(), false, "x".repeat(60)));
            }
            assertThat(leases.list()).hasSize(101);
            many.forEach(Lease::close);
        }
        assertThat(leases.list()).isEmpty();
    }

    /** The owner of a file is the kernel's word; what stands in it is the holder's. */
    @Test
    void aHolderIsRecognisedByItsIdentityAndNotByItsWords(@TempDir Path directory) throws IOException {
        Leases leases = Leases.at(directory);
        long own = ProcessHandle.current().pid();
        try (Lease lease = leases.claim(plan(), false, "mine");
                Child other = Child.start("sleep", "900")) {
            assertThat(leases.list()).singleElement().satisfies(record -> {
                assertThat(record.isHeldBy(own)).isTrue();
                assertThat(record.isHeldBy(other.pid())).isFalse();
                assertThat(record.isHeldBy(Integer.MAX_VALUE)).isFalse();
            });
            String text = Files.readString(files(directory).get(0));
            Files.writeString(files(directory).get(0), text.replaceAll("start \\d+", "start 1"));
            assertThat(leases.list())
                    .singleElement()
                    .satisfies(record -> assertThat(record.isHeldBy(own)).isFalse());
            Files.writeString(files(directory).get(0), text.replaceAll("user \\d+", "user 4294967294"));
            assertThat(leases.list()).singleElement().satisfies(record -> {
                assertThat(record.user()).isEqualTo(lease.record().user());
                assertThat(record.isHeldBy(own)).isTrue();
            });
            assumeTrue(ProcStatus.self().field("Uid").startsWith("0\t"), "only root can give a file away");
            Files.setAttribute(files(directory).get(0), "unix:uid", 65534);
            assertThat(leases.list()).singleElement().satisfies(record -> {
                assertThat(record.user()).isEqualTo(65534);
                assertThat(record.isHeldBy(own)).isFalse();
            });
        }
    }

    /** Bytes that are no UTF-8, letters beyond 16 bits, and a locale that has neither. The shell is the oracle. */
    @ParameterizedTest
    @CsvSource({"C.UTF-8, ''", "C.UTF-8, relative/", "C, ''", "C, relative/"})
    void aDirectoryIsItsBytes(String locale, String relative, @TempDir Path folder) throws IOException {
        String script = "cd \"$1\" && mkdir relative && folder=$(printf 'l\\303\\251 \\360\\237\\230\\200%%\\377') &&"
                + " mkdir \"$2$folder\" && export BERTH_LEASES=\"${2:-$1/}$folder\" && shift 2 && \"$@\" &&"
                + " cat \"$BERTH_LEASES\"/lease-*";
        ChildJvm.requireAsciiClassPath();
        ChildJvm jvm = ChildJvm.of(Claim.class);
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash", folder.toString(), relative));
        command.addAll(jvm.command());
        Child.Result result =
                Child.run(ChildJvm.withEnvironment(new ProcessBuilder(command), Map.of("LC_ALL", locale)));
        assertThat(result.out())
                .as(result.err())
                .startsWith("1\nberth-lease 1\n")
                .contains("name claimed \uD83D\uDE00\n");
    }

    /** Holds a lease until it is killed by its end, so that the file stays. */
    static final class Claim {
        private Claim() {}

        public static void main(String[] args) {
            Leases.ofHost().claim(plan(), false, "claimed \uD83D\uDE00");
            System.out.println(Leases.ofHost().list().size());
        }
    }

    @Test
    void aDirectoryThatCannotBeUsedIsTold(@TempDir Path directory) throws IOException {
        Leases leases = Leases.at(Files.createFile(directory.resolve("file")));
        assertThatThrownBy(leases::list)
                .isInstanceOfSatisfying(BindingException.class, Oracle::assertOneLine)
                .hasMessageContaining("Not a directory");
        assertThatThrownBy(() -> leases.claim(plan(), false, "")).hasMessageContaining("Not a directory");
    }

    /** Another user who takes the name first would read and keep what others claim. */
    @Test
    void noLinkIsFollowed(@TempDir Path folder) throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(folder.resolve("leases"), elsewhere);
        assertThatThrownBy(() -> Leases.at(link).list()).hasMessageContaining("Not a directory: it is a symbolic link");
        assertThatThrownBy(() -> Leases.at(link).claim(plan(), false, ""))
                .hasMessageContaining("Not a directory: it is a symbolic link");
        assertThat(elsewhere).isEmptyDirectory();
    }
}
