package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.oracle.Await;
import org.berth.oracle.CpuTicks;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.placement.EdgeChange;
import org.berth.placement.EdgeRecording;
import org.berth.placement.EdgeSample;
import org.berth.placement.EdgeSettings;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread in a slot of one CPU, real load on that CPU, and masks from /proc. */
@Timeout(900)
class EdgeWatchTest {
    private static final int SAMPLES = 200;

    private final Binder binder = LocalMachine.open().binder();
    private final CompletableFuture<Integer> tid = new CompletableFuture<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<EdgeChange> changes = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger samples = new AtomicInteger();
    private final List<Process> load = new ArrayList<>();
    private CpuSet first = CpuSet.empty();
    private CpuSet second = CpuSet.empty();
    private boolean refuses;
    private volatile boolean busy = true;

    private final EdgeWatch.Slots slots = new EdgeWatch.Slots() {
        @Override
        public List<Integer> groups() {
            return List.of(0, 0);
        }

        @Override
        public List<CpuSet> cpus() {
            return List.of(first, second);
        }

        @Override
        public List<EdgeWatch.Holder> holders() {
            return List.of(new EdgeWatch.Holder(tid.join(), List.of(0), busy));
        }

        @Override
        public void change(int slot, boolean open) {
            if (refuses && !open) {
                throw new IllegalStateException("refused for a test");
            }
            if (slot == 0) {
                binder.setThreadCpus(tid.join(), open ? first.union(second) : first);
            }
        }
    };

    @BeforeEach
    void startThread() {
        int[] cpus = Machine.requireCpus(2);
        first = CpuSet.of(cpus[0]);
        second = CpuSet.of(cpus[1]);
        Thread spinning = new Thread(() -> {
            tid.complete(binder.currentThreadId());
            while (end.getCount() > 0) {
                Thread.onSpinWait();
            }
        });
        spinning.setDaemon(true);
        spinning.start();
        binder.setThreadCpus(tid.join(), first.union(second));
    }

    @AfterEach
    void end() {
        end.countDown();
        load.forEach(Process::destroyForcibly);
    }

    private EdgeWatch watch(PrintStream recording) {
        recording.println(EdgeRecording.header(slots.groups()));
        return EdgeWatch.start(EdgeSettings.defaults(), slots, new EdgeWatch.Listener() {
            @Override
            public void changed(EdgeChange change) {
                changes.add(change);
            }

            @Override
            public void failed(String reason) {
                failures.add(reason);
            }

            @Override
            public void sampled(EdgeSample sample) {
                samples.incrementAndGet();
                recording.println(sample.toText());
            }
        });
    }

    /** The JVM throws one and the same OutOfMemoryError twice when nothing is left for a second one. */
    @Test
    void anErrorThatComesTwiceIsTold() {
        OutOfMemoryError same = new OutOfMemoryError("of a test");
        EdgeWatch.Slots throwing = new EdgeWatch.Slots() {
            @Override
            public List<Integer> groups() {
                return List.of(0);
            }

            @Override
            public List<CpuSet> cpus() {
                return List.of(first);
            }

            @Override
            public List<EdgeWatch.Holder> holders() {
                throw same;
            }

            @Override
            public void change(int slot, boolean open) {
                throw same;
            }
        };
        EdgeWatch.Listener listener = new EdgeWatch.Listener() {
            @Override
            public void changed(EdgeChange change) {
                changes.add(change);
            }

            @Override
            public void failed(String reason) {
                failures.add(reason);
            }
        };
        try (EdgeWatch watch = EdgeWatch.start(EdgeSettings.defaults(), throwing, listener)) {
            Await.until("the reason", () -> failures.size() == 1);
            assertThat(watch.counts()).isEqualTo(EdgeCounts.NONE);
        }
    }

    @Test
    void aThreadLeavesACpuWithOtherLoadAndStaysThereAfterIt() throws Exception {
        Path file = Path.of("target/edges-recording.txt");
        try (PrintStream recording = new PrintStream(file.toFile(), StandardCharsets.US_ASCII);
                EdgeWatch watch = watch(recording)) {
            awaitMask(first);

            for (int i = 0; i < 2; i++) {
                load.add(new ProcessBuilder("taskset", "-c", first.toString(), "sh", "-c", "while :; do :; done")
                        .start());
            }
            int before = samples.get();
            awaitOpenOrBusyElsewhere();
            assertThat(samples.get() - before).as("samples until it was open").isLessThan(SAMPLES);
            Await.until("an open edge", () -> mask().equals(first.union(second).toString()));
            Await.until("the thread on the other CPU", () -> lastCpu() == second.first());

            load.forEach(Process::destroyForcibly);
            awaitMask(first);
            assertThat(watch.counts().openings()).isPositive();
            assertThat(watch.counts().openShare()).isStrictlyBetween(0.0, 1.0);
        }
        assertThat(failures).isEmpty();

        // The same samples lead to the same decisions.
        assertThat(EdgeRecording.parse(Files.readString(file)).replay(EdgeSettings.defaults()))
                .extracting(EdgeRecording.Event::change)
                .isEqualTo(changes);
    }

    /** Where this machine has other work on the second CPU all the time, the edge rightly stays closed. */
    private void awaitOpenOrBusyElsewhere() {
        Map<Integer, CpuTicks> ticks = CpuTicks.now();
        int before = samples.get();
        Await.until("an edge that opens", () -> hasLeft() || samples.get() >= before + SAMPLES - 1);
        assumeFalse(
                !hasLeft() && CpuTicks.since(ticks, second.first()).idle() < 2 * SAMPLES,
                "CPU " + second + " is hardly ever idle, because of other processes");
    }

    /** Not because of this JVM's compilers, which need CPUs at times. */
    private boolean hasLeft() {
        return changes.stream().anyMatch(change -> change.reason().startsWith("waited"));
    }

    @Test
    void nobodyIsWatchedWhileNoThreadHasWork() {
        busy = false;
        try (EdgeWatch watch = watch(new PrintStream(java.io.OutputStream.nullOutputStream()))) {
            Await.until("a first sample", () -> samples.get() > 0);
            busy = true;
            int before = samples.get();
            Await.until("samples once it has work again", () -> {
                watch.wake();
                return samples.get() > before + 5;
            });
            awaitMask(first);
        }
    }

    @Test
    void allEdgesAreOpenAfterAFailure() {
        refuses = true;
        try (EdgeWatch watch = watch(new PrintStream(java.io.OutputStream.nullOutputStream()))) {
            Await.until("a refused change", () -> !failures.isEmpty());
            assertThat(failures).containsExactly("all edges stay open: refused for a test");
            assertThat(mask()).isEqualTo(first.union(second).toString());
            assertThat(watch.counts().closings()).as("tried").isOne();
        }
    }

    private void awaitMask(CpuSet cpus) {
        Await.until("mask " + cpus, this::mask, cpus.toString()::equals);
    }

    private String mask() {
        return ProcStatus.of(ProcessHandle.current().pid(), tid.join()).cpus();
    }

    private int lastCpu() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/task/" + tid.join() + "/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[36]);
    }
}
