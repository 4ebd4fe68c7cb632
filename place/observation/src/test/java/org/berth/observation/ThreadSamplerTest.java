package org.berth.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.berth.machines.Machines;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.internal.threads.Residency;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.MigrationCounter;
import org.berth.observation.threads.ThreadTimeline;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.ReusedPid;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On the living kernel; the witnesses are taskset, ps and awk. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // some loops do not look whether they are to end
class ThreadSamplerTest {
    private final CpuSet usable = CpuSet.parseList(Machine.cpuList());

    @Test
    void threadsOfAPinnedJvmAsPsAndTasksetSeeThem() throws IOException, InterruptedException {
        int cpu = usable.last();
        try (Child jvm = ChildProgram.start(Integer.toString(cpu), "sleep");
                ThreadSampler sampler = ThreadSampler.of(jvm.pid())) {
            ProcessSample sample;
            String seen;
            // A JVM's own threads get their names when they first run: what is compared is what did not change
            // meanwhile.
            do {
                seen = ps(jvm);
                sample = sampler.sample();
            } while (!ps(jvm).equals(seen));
            Map<Integer, String> names = new HashMap<>();
            Map<Integer, Integer> cpus = new HashMap<>();
            for (String line : seen.split("\n", -1)) {
                String[] fields = line.strip().split(" +", 3);
                if (fields.length == 3) {
                    names.put(Integer.valueOf(fields[0]), fields[2]);
                    cpus.put(Integer.valueOf(fields[0]), Integer.valueOf(fields[1]));
                }
            }
            assertThat(sample.threads()).hasSizeGreaterThan(10).allSatisfy(thread -> {
                assertThat(thread.name().strip()).isEqualTo(names.get(thread.tid()));
                assertThat(thread.lastCpu()).isEqualTo(cpus.get(thread.tid())).isEqualTo(cpu);
                String witness = Tool.output("taskset", "-cp", Integer.toString(thread.tid()));
                assertThatObject(thread.allowed())
                        .hasToString(
                                witness.substring(witness.lastIndexOf(' ') + 1).strip());
            });
            assertThat(sample.threads())
                    .extracting(ThreadSnapshot::tid)
                    .containsExactlyInAnyOrderElementsOf(names.keySet());
            assertThat(sample.threads()).extracting(ThreadSnapshot::name).contains("a sleeper (odd)", "VM Thread");
        }
    }

    private static String ps(Child jvm) throws IOException, InterruptedException {
        return Tool.output("ps", "-L", "-o", "tid=,psr=,comm=", "-p", Long.toString(jvm.pid()));
    }

    @Test
    void allowedCpusOfASleepingThreadAreNoticedInTime() throws IOException, InterruptedException {
        Machine.requireCpus(2);
        try (Child jvm = ChildProgram.start(usable.toString(), "sleep");
                ThreadSampler sampler = ThreadSampler.of(jvm.pid())) {
            sampler.sample();
            Tool.output("taskset", "-acp", Integer.toString(usable.last()), Long.toString(jvm.pid()));
            ProcessSample sample = sampler.sample();
            for (int i = 0; i < ThreadSampler.ALLOWED_MAX_AGE_SAMPLES; i++) {
                sample = sampler.sample();
            }
            assertThat(sample.threads())
                    .allSatisfy(thread -> assertThatObject(thread.allowed()).isEqualTo(CpuSet.of(usable.last())));
        }
    }

    @Test
    void threadsThatVanishWhileTheyAreRead() throws IOException {
        try (Child jvm = ChildProgram.start(usable.toString(), "churn");
                ThreadSampler sampler = ThreadSampler.of(jvm.pid())) {
            Set<Integer> mayflies = new HashSet<>();
            while (mayflies.size() < 200) {
                ProcessSample sample = sampler.sample();
                assertThat(sample.threads().get(0).tid()).isEqualTo((int) jvm.pid());
                sample.threads().stream()
                        .filter(thread -> thread.name().equals("mayfly"))
                        .forEach(thread -> mayflies.add(thread.tid()));
            }
        }
    }

    @Test
    void everyMoveByTasksetIsCounted() throws IOException, InterruptedException {
        Machine.requireCpus(2);
        int[] cpus = {usable.first(), usable.last()};
        MigrationCounter migrations = new MigrationCounter(TopologyXml.parse(Machines.xml("256ppc-8n8s4t")));
        ThreadTimeline timeline = new ThreadTimeline();
        Residency onFirst = new Residency(Expectation.within(CpuSet.of(cpus[0])));
        try (Child shell = ChildProgram.startBusyShell(cpus[0]);
                ThreadSampler sampler = ThreadSampler.of(shell.pid())) {
            ProcessSample sample = sampler.sample();
            migrations.add(sample);
            timeline.add(sample);
            onFirst.add(sample);
            long before = kernelCount(shell.pid());
            for (int move = 1; move <= 10; move++) {
                int to = cpus[move % 2];
                Tool.output("taskset", "-cp", Integer.toString(to), Long.toString(shell.pid()));
                sample = runOn(sampler, to, sample);
                migrations.add(sample);
                timeline.add(sample);
                onFirst.add(sample);
                assertThatObject(sample.threads().get(0).allowed()).isEqualTo(CpuSet.of(to));
            }
            MigrationCount count = migrations.count();
            assertThat(count.seenBetweenCpus()).isEqualTo(10);
            if (count.source() == MigrationCount.Source.KERNEL) {
                assertThat(count.betweenCpus()).isEqualTo(kernelCount(shell.pid()) - before);
            }
            assertThat(onFirst.share()).isEqualTo(new ResidencyShare(5, 10));
            assertThat(timeline.tracks().get(0).runs())
                    .extracting(CpuRun::cpu)
                    .containsExactly(
                            cpus[1], cpus[0], cpus[1], cpus[0], cpus[1], cpus[0], cpus[1], cpus[0], cpus[1], cpus[0]);
        }
    }

    /** The first later sample in which the only thread ran there since. */
    private static ProcessSample runOn(ThreadSampler sampler, int cpu, ProcessSample before) {
        long used = before.threads().get(0).cpuTimeNanos();
        return Await.until("a run on CPU " + cpu, sampler::sample, sample -> {
            ThreadSnapshot thread = sample.threads().get(0);
            return thread.lastCpu() == cpu && thread.cpuTimeNanos() > used;
        });
    }

    private static long kernelCount(long pid) throws IOException, InterruptedException {
        String text = Tool.output("awk", "/^se.nr_migrations/ {print $3}", "/proc/" + pid + "/sched");
        return Long.parseLong(text);
    }

    @Test
    void programThatReplacesItself() throws IOException, InterruptedException {
        try (Child shell = Child.start("sh", "-c", "echo ready; read -r line; exec sleep 100");
                ThreadSampler sampler = ThreadSampler.of(shell.pid())) {
            shell.readLine(); // until then it may be the JVM's helper that starts processes
            assertThat(sampler.sample().threads())
                    .extracting(ThreadSnapshot::name)
                    .containsExactly("sh");
            shell.send("go");
            Await.untilAsserted(
                    "the program after it",
                    () -> assertThat(sampler.sample().threads())
                            .extracting(ThreadSnapshot::name)
                            .containsExactly("sleep"));
        }
    }

    @Test
    void aSamplerOfADeadProcessIsRefused() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThatThrownBy(() -> ThreadSampler.of(process.pid()))
                .isInstanceOf(NoSuchProcessException.class)
                .hasMessage("no process " + process.pid() + ": /proc/" + process.pid() + " does not exist");
    }

    @Test
    void processThatEndsWhileItIsWatched() throws IOException {
        try (Child shell = ChildProgram.startBusyShell(usable.first());
                ThreadSampler sampler = ThreadSampler.of(shell.pid())) {
            assertThat(sampler.sample().threads()).hasSize(1);
            shell.kill();
            assertThatThrownBy(() -> {
                        while (true) {
                            sampler.sample();
                        }
                    })
                    .isInstanceOf(NoSuchProcessException.class)
                    .hasMessageContaining("no process " + shell.pid() + ": ");
        }
    }

    @Test
    void endedProcessWhoseParentDoesNotCare() throws IOException, InterruptedException {
        try (Child parent = Child.start("sh", "-c", "sleep 100 & echo $!; exec sleep 100")) {
            long zombie = Long.parseLong(parent.readLine());
            // The shell would have fetched the exit code.
            Await.until("sleep", () -> ProcStatus.of(parent.pid()).name(), "sleep"::equals);
            ProcessHandle.of(zombie).orElseThrow().destroyForcibly();
            Await.until("its end", () -> ProcStatus.of(zombie).field("State"), "Z (zombie)"::equals);
            try (ThreadSampler sampler = ThreadSampler.of(zombie)) {
                assertThatThrownBy(sampler::sample)
                        .isInstanceOf(NoSuchProcessException.class)
                        .hasMessage("no process " + zombie + ": it has ended");
            }
        }
    }

    @Test
    void kernelThatTellsLess(@TempDir Path proc) throws IOException {
        Path task = Files.createDirectories(proc.resolve("7/task/7"));
        Files.write(task.resolve("stat"), Recording.linux618("stat"));
        Files.write(task.resolve("status"), Recording.linux618("status"));
        try (ThreadSampler sampler = ThreadSampler.of(7, proc)) {
            assertThat(sampler.sample().threads()).singleElement().satisfies(thread -> {
                assertThat(thread.migrations()).isEmpty();
                assertThat(thread.cpuTimeNanos()).isEqualTo(910_000_000); // ticks only
                assertThatObject(thread.allowed()).isEqualTo(CpuSet.of(0, 1));
            });
        }
    }

    /** It would open files again, which nothing closes. */
    @Test
    void whatIsClosedReadsNoMore() {
        long self = ProcessHandle.current().pid();
        ThreadSampler sampler = ThreadSampler.of(self);
        sampler.sample();
        sampler.close();
        assertThatThrownBy(sampler::sample)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the sampler of process " + self + " is closed");
    }

    @Test
    void threadsThatMayNotBeSeen(@TempDir Path proc) throws IOException {
        Files.createDirectory(proc.resolve("7"));
        assertThatThrownBy(() -> ThreadSampler.of(7, proc))
                .isInstanceOf(ObservationException.class)
                .hasMessageStartingWith("cannot see the threads of process 7: ")
                .hasMessageEndingWith("may not be read; run as the user of the process or as root");
    }

    @Test
    void aProcessWithThePidOfAnEndedOneIsNotSampled() throws Exception {
        assumeTrue(ReusedPid.isPossible(), "only root may choose the next PID");
        Child first = Child.start("sleep", "600");
        try (ThreadSampler sampler = ThreadSampler.of(first.pid())) {
            assertThat(sampler.sample().threads()).hasSize(1);
            first.close();
            Child second = ReusedPid.start(first.pid(), "sleep", "600").orElse(null);
            assumeTrue(second != null, "other processes took the PID each time");
            try (second) {
                assertThatExceptionOfType(NoSuchProcessException.class).isThrownBy(sampler::sample);
            }
        }
    }
}
