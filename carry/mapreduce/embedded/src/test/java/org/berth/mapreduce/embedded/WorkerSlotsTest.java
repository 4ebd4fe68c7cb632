package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Worker threads whose slots are widened; the kernel says what they may use. */
@Timeout(60)
class WorkerSlotsTest {
    private final List<ExecutorService> workers =
            List.of(Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor());

    @AfterEach
    void end() {
        workers.forEach(ExecutorService::shutdownNow);
    }

    @Test
    void workersFollowTheWidthAndNewOnesHaveIt() throws Exception {
        Machine.requireCpus(2);
        WorkerSlots slots = slots("on");
        bind(slots, 0);
        assertThat(cpus(0)).as("at first").hasSizeGreaterThan(1);
        slots.widen(0);
        assertThat(cpus(0)).hasSize(1);
        bind(slots, 1);
        assertThat(cpus(1)).hasSize(1).isNotEqualTo(cpus(0));
        slots.widen(1);
        assertThat(List.of(cpus(0), cpus(1))).allMatch(cpus -> cpus.size() > 1);
        assertThat(slots.tids()).hasSize(2);
    }

    @Test
    void withoutTheGuardTheyStayInTheirSlots() throws Exception {
        Machine.requireCpus(2);
        WorkerSlots slots = slots("off");
        bind(slots, 0);
        assertThat(cpus(0)).hasSize(1);
    }

    @Test
    void aWorkerIsKnownToWorkWhileItHasATaskAndOnceAfterIt() {
        Machine.requireCpus(2);
        WorkerSlots slots = slots("off");
        assertThat(slots.haveWorked()).isFalse();
        WorkerSlots.Use use = WorkerSlots.use(slots);
        assertThat(slots.haveWorked()).isTrue();
        assertThat(slots.haveWorked()).isTrue();
        use.close();
        assertThat(slots.haveWorked()).isFalse();
        WorkerSlots.use(slots).close();
        assertThat(slots.haveWorked()).isTrue();
        assertThat(slots.haveWorked()).isFalse();
    }

    private static WorkerSlots slots(String guard) {
        Configuration conf = new Configuration(false);
        conf.set(EngineSettings.LEVEL, "pu");
        conf.set(EngineSettings.GUARD, guard);
        conf.set(EngineSettings.THREADS, "2");
        return WorkerSlots.of(EngineSettings.of(conf)).orElseThrow();
    }

    private void bind(WorkerSlots slots, int worker) throws Exception {
        on(worker, () -> {
            slots.bind();
            return "";
        });
    }

    private List<Integer> cpus(int worker) throws Exception {
        return on(worker, () -> KernelList.numbers(ProcStatus.callingThread().cpus()));
    }

    private <T> T on(int worker, Callable<T> work) throws Exception {
        return workers.get(worker).submit(work).get();
    }
}
