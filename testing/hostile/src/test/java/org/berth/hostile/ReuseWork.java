package org.berth.hostile;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.berth.binding.BindingException;
import org.berth.binding.BindingRecords;
import org.berth.binding.LiveProcess;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.ReusedPid;
import org.berth.topology.CpuSet;

/** A process ends and the next one gets its PID, while the first is being bound, unbound and widened. Root only. */
final class ReuseWork implements Work {
    private final BindingRecords records;
    private final Random random;
    private final CpuSet all = CpuSet.parseList(ProcStatus.self().cpus());

    ReuseWork(Path folder, long seed) {
        this.records = BindingRecords.below(folder);
        this.random = new Random(seed);
    }

    @Override
    public void once(Row row) throws Exception {
        CpuSet one = CpuSet.of(random.nextBoolean() ? all.first() : all.last());
        LiveProcess process;
        try (Child first = Child.start("sleep", "600")) {
            process = LiveProcess.of(first.pid(), records);
            if (random.nextBoolean()) {
                process.bind(one, Map.of());
            }
        }
        Optional<Child> next = ReusedPid.start(process.pid(), "sleep", "600");
        if (next.isEmpty()) {
            // Other processes took the PID each time.
            row.refused.incrementAndGet();
            return;
        }
        try (Child second = next.get()) {
            refused(row, process, it -> it.bind(one, Map.of()));
            refused(row, process, LiveProcess::unbind);
            refused(row, process, LiveProcess::widen);
            String mask = ProcStatus.of(second.pid()).cpus();
            if (!CpuSet.parseList(mask).equals(all)) {
                row.escaped("the next process with the PID has " + mask);
            }
        }
    }

    private static void refused(Row row, LiveProcess process, Consumer<LiveProcess> call) {
        try {
            call.accept(process);
            row.escaped("process " + process.pid() + " was taken for the one before it");
        } catch (BindingException asItShouldBe) {
            // Another process has its PID now.
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
