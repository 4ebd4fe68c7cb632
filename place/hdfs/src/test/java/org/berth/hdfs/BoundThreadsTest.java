package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads named as Hadoop names its own, their masks read from /proc by the test. */
@Timeout(120)
class BoundThreadsTest {
    private final LocalMachine machine = LocalMachine.open();
    private final Topology topology = machine.topology();
    private final Binder binder = machine.binder();
    private final BoundThreads bound = new BoundThreads(binder);
    private final String allowed = Machine.cpuList();
    private CpuSet one = CpuSet.empty();
    private CpuSet other = CpuSet.empty();

    @BeforeEach
    void needTwoCpus() {
        CpuSet cpus = topology.allowedCpuSet();
        Machine.requireCpus(2);
        one = CpuSet.of(cpus.first());
        other = CpuSet.of(cpus.last());
    }

    @Test
    void givesAWaitingThreadItsCpusBackAndTakesItAgain() throws Exception {
        String working = "DataXceiver for client at /127.0.0.1:1 [Sending block blk_1]";
        String waiting = "DataXceiver for client at /127.0.0.1:1 [Waiting for operation #2]";
        try (Worker worker = new Worker(working)) {
            worker.run(() -> bound.bind(one));
            worker.run(() -> bound.bind(other));
            assertThat(worker.mask()).isEqualTo(other.toString());
            assertThat(bound.sweep()).as("one at work stays").isZero();
            assertThat(worker.mask()).isEqualTo(other.toString());

            worker.run(() -> Thread.currentThread().setName(waiting));
            assertThat(bound.sweep()).isOne();
            assertThat(worker.mask()).isEqualTo(allowed);
            assertThat(bound.sweep()).as("once only").isZero();

            worker.run(() -> Thread.currentThread().setName(working));
            worker.run(() -> bound.bind(one));
            assertThat(worker.mask()).isEqualTo(one.toString());
            worker.run(bound::free);
            assertThat(worker.mask()).isEqualTo(allowed);

            worker.run(() -> bound.bind(one));
            bound.freeAll();
            assertThat(worker.mask()).isEqualTo(allowed);
        }
        assertThat(bound.sweep()).as("a thread that ended is forgotten").isZero();
    }

    @Test
    void aBoundThreadCountsAllCpusAndPassesThemToProcessesButNotToThreads() throws Exception {
        int unbound = Runtime.getRuntime().availableProcessors();
        List<String> seen = new ArrayList<>();
        try (Worker worker = new Worker("DataXceiver for client at /127.0.0.1:1 [Receiving block blk_1]")) {
            worker.run(() -> {
                bound.bind(one);
                seen.add("" + Runtime.getRuntime().availableProcessors());
                seen.add(Tool.output("sh", "-c", "grep Cpus_allowed_list /proc/self/status | cut -f2"));
                seen.add(maskOfNewThread());
            });
            assertThat(seen).containsExactly("" + unbound, allowed, one.toString());
            assertThat(worker.mask()).isEqualTo(one.toString());
            bound.freeAll();
        }
    }

    /** Longer than it takes to widen those of a pool. */
    private static String maskOfNewThread() {
        FutureTask<String> mask = new FutureTask<>(() -> {
            Thread.sleep(200);
            return ProcStatus.callingThread().cpus();
        });
        new Thread(mask).start();
        try {
            return mask.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void keepsServiceThreadsOfAVolumeNearItsDisk() throws Exception {
        Map<String, VolumePlacement> volumes = Map.of(
                "/data/1", volume("/data/1", one),
                "DS-5a1e", volume("/data/1", one),
                "/data/3", volume("/data/3", CpuSet.empty()));
        HdfsFailures failures = new HdfsFailures();
        VolumeThreads services =
                new VolumeThreads(binder, topology.allowedCpuSet(), volume -> Optional.ofNullable(volumes.get(volume)));
        try (Worker deletes = new Worker("Async disk worker #0 for volume /data/1");
                Worker scans = new Worker("VolumeScannerThread(/data/1)");
                Worker fills = new Worker("FsVolumeImplWorker-/data/1-0");
                Worker persists = new Worker("Async RamDisk lazy persist worker  for volume with id DS-5a1e");
                Worker free = new Worker("Async disk worker #0 for volume /data/3");
                Worker elsewhere = new Worker("Async disk worker #0 for volume /data/2");
                Worker reads = new Worker("Readahead Thread #0")) {
            // As readahead inherits the mask of the first reader.
            reads.run(() -> binder.setThreadCpusUnverified(other));
            // As any of them inherits that of the thread which needed it first.
            free.run(() -> binder.setThreadCpusUnverified(other));

            assertThat(services.scan(failures)).isEqualTo(6);

            assertThat(deletes.mask()).isEqualTo(one.toString());
            assertThat(scans.mask()).isEqualTo(one.toString());
            assertThat(fills.mask()).isEqualTo(one.toString());
            assertThat(persists.mask()).isEqualTo(one.toString());
            assertThat(free.mask()).as("of a disk whose node is not known").isEqualTo(allowed);
            assertThat(elsewhere.mask()).as("of no volume of ours").isEqualTo(allowed);
            assertThat(reads.mask()).isEqualTo(allowed);
            assertThat(services.scan(failures)).as("each once").isZero();

            services.freeAll();
            assertThat(deletes.mask()).isEqualTo(allowed);
        }
        assertThat(failures.count()).isZero();
    }

    private VolumePlacement volume(String volume, CpuSet near) {
        InterruptReference unknown = InterruptReference.unknown();
        DynamicPlacement nowhere = DynamicPlacement.of(topology, DynamicPolicy.NONE, unknown, unknown);
        return new VolumePlacement(new Disk(volume, "sda", unknown), nowhere, near, "");
    }
}
