package org.berth.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tools/hostile} counts, it would also see. */
@Timeout(180)
class FaultsAreSeenTest {
    @TempDir(factory = ExecutableFolder.class)
    private Path folder;

    private final Row row = row(Row.HUNG_NANOS);

    private static Row row(long patienceNanos) {
        return new Row("work", "a fault", patienceNanos, new PrintWriter(Writer.nullWriter()));
    }

    private LeaseWork leasesBy(String script) throws Exception {
        Path launcher = folder.resolve("launcher");
        Files.writeString(launcher, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        return new LeaseWork(folder.resolve("leases"), launcher, 1);
    }

    @Test
    void claimsThatAreNotBoundHaveEscaped() throws Exception {
        Machine.requireCpus(2);
        leasesBy("while [ \"$1\" != sleep ]; do shift; done; exec \"$@\"").once(row);
        assertThat(row.escaped).hasPositiveValue();
    }

    @Test
    void claimsThatFailWithoutALineAreLost() throws Exception {
        leasesBy("exit 1").once(row);
        assertThat(row.lost).hasPositiveValue();
    }

    @Test
    void threadsThatSomebodyElseMovesHaveEscaped() throws Exception {
        Machine.requireCpus(2);
        String all = ProcStatus.self().cpus();
        try (Child meddler = Child.start(
                "sh",
                "-c",
                "while :; do for p in $(pgrep -P " + ProcessHandle.current().pid() + " java); do taskset -acp " + all
                        + " $p >&2; done; done")) {
            BindWork work = new BindWork(folder, 2);
            Await.until("a thread that has escaped", () -> {
                work.once(row);
                return row.escaped.get() > 0;
            });
            assertThat(meddler.isAlive()).isTrue();
        }
    }

    @Test
    void workersWithoutABindingHaveEscaped() throws Exception {
        Machine.requireCpus(2);
        MapReduceWork work = new MapReduceWork(folder, "none", 3);
        work.once(row);
        assertThat(row.escaped).hasPositiveValue();
    }

    @Test
    void workWithoutAnEndHangs() {
        Row impatient = row(1);
        impatient.begins();
        Await.until("it hangs", impatient::isHung);
        assertThat(impatient.isGood()).isFalse();
    }
}
