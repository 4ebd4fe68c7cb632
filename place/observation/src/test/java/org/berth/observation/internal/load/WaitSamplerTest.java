package org.berth.observation.internal.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Quota;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of a real JVM; what they waited is read from /proc by the test, too. */
@Timeout(60)
class WaitSamplerTest {
    @Test
    void threadsOnOneCpuWaitForEachOther() throws Exception {
        String cpu = Integer.toString(Machine.requireCpus(1)[0]);
        try (Spinners spinners = new Spinners(2);
                WaitSampler sampler = WaitSampler.ofThisProcess()) {
            for (int tid : spinners.tids) {
                Tool.requireSuccess("taskset", "-cp", cpu, Integer.toString(tid));
            }
            Set<Integer> tids = Set.copyOf(spinners.tids);
            CpuSet cpus = CpuSet.parseList(cpu);
            long outer = waited(spinners.tids);
            Waits first = sampler.sample(tids, cpus);
            long inner = waited(spinners.tids);
            Thread.sleep(300);
            long innerEnd = waited(spinners.tids);
            Waits waits = sampler.sample(tids, cpus);
            long outerEnd = waited(spinners.tids);

            assertThat(first.ranNanos()).as("nothing is known before").isZero();
            assertThat(waits.waitedNanos()).isPositive().isBetween(innerEnd - inner, outerEnd - outer);
            assertThat(waits.elapsedNanos()).isGreaterThanOrEqualTo(300_000_000);
            assertThat(waits.ranNanos()).isPositive();
        }
    }

    @Test
    void threadsThatHaveEndedAreLeftOut() throws Exception {
        CpuSet cpus = CpuSet.parseList(Machine.cpuList());
        List<Integer> ended;
        try (Spinners spinners = new Spinners(1)) {
            ended = List.copyOf(spinners.tids);
        }
        try (WaitSampler sampler = WaitSampler.ofThisProcess()) {
            sampler.sample(Set.copyOf(ended), cpus);
            assertThat(sampler.sample(Set.copyOf(ended), cpus).ranNanos()).isZero();
        }
    }

    /** Three threads get more than this quota on any machine, however many others there are. */
    @Test
    void aQuotaThatStopsThisProcessIsSeen() {
        try (Quota quota = Quota.ofPercent(30)) {
            try (Child child =
                    ChildJvm.of(Throttled.class).under(quota.prefix()).start()) {
                Child.Result result = child.finish();
                assertThat(result.exitCode()).as(result.err()).isZero();
                assertThat(Long.parseLong(result.out().strip())).isPositive();
            }
        }
    }

    private static long waited(List<Integer> tids) throws IOException {
        long sum = 0;
        for (int tid : tids) {
            sum += Long.parseLong(Files.readString(Path.of("/proc/self/task/" + tid + "/schedstat"))
                    .split(" ", -1)[1]);
        }
        return sum;
    }

    /** Prints for how long its quota stopped it while three threads ran. */
    static final class Throttled {
        public static void main(String[] arguments) throws Exception {
            try (Spinners spinners = new Spinners(3);
                    WaitSampler sampler = WaitSampler.ofThisProcess()) {
                Set<Integer> tids = Set.copyOf(spinners.tids);
                CpuSet cpus = CpuSet.parseList(Machine.cpuList());
                long throttled = 0;
                for (int i = 0; i < 100 && throttled == 0; i++) {
                    throttled += sampler.sample(tids, cpus).throttledNanos();
                    Thread.sleep(250);
                }
                System.out.println(throttled);
            }
        }
    }

    /** Threads that work until this is closed. */
    private static final class Spinners implements AutoCloseable {
        private final List<Thread> threads = new ArrayList<>();
        private final List<Integer> tids = new ArrayList<>();

        Spinners(int count) throws InterruptedException {
            LinkedBlockingQueue<Integer> started = new LinkedBlockingQueue<>();
            for (int i = 0; i < count; i++) {
                Thread thread = new Thread(() -> spin(started));
                thread.start();
                threads.add(thread);
            }
            for (int i = 0; i < count; i++) {
                tids.add(started.take());
            }
        }

        private static void spin(LinkedBlockingQueue<Integer> started) {
            started.add(ProcStatus.callingThread().tid());
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            threads.forEach(Thread::interrupt);
            Await.until("the end of the threads", () -> threads.stream().noneMatch(Thread::isAlive));
        }
    }
}
