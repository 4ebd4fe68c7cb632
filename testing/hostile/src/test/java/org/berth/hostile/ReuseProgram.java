package org.berth.hostile;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.berth.binding.LiveProcess;
import org.berth.binding.errors.BindingException;
import org.berth.binding.records.BindingRecords;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.ReusedPid;
import org.berth.topology.CpuSet;

/**
 * For each line of input a process ends and the next one gets its PID, while the first is being bound, unbound and widened: RECORDS
 * SEED. Prints "escaped …" and "refused" as often as that happens, then "done".
 */
final class ReuseProgram {
    private final BindingRecords records;
    private final Random random;
    private final CpuSet all = CpuSet.parseList(ProcStatus.self().cpus());

    private ReuseProgram(Path folder, long seed) {
        this.records = BindingRecords.below(folder);
        this.random = new Random(seed);
    }

    public static void main(String[] arguments) throws Exception {
        ReuseProgram program = new ReuseProgram(Path.of(arguments[0]), Long.parseLong(arguments[1]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            program.once();
            System.out.println("done");
        }
    }

    private void once() throws Exception {
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
            // Other processes or threads took the PID each time.
            System.out.println("refused");
            return;
        }
        try (Child second = next.get()) {
            refused(process, it -> it.bind(one, Map.of()));
            refused(process, LiveProcess::unbind);
            refused(process, LiveProcess::widen);
            String mask = ProcStatus.of(second.pid()).cpus();
            if (!CpuSet.parseList(mask).equals(all)) {
                System.out.println("escaped the next process with the PID has " + mask);
            }
        }
    }

    private static void refused(LiveProcess process, Consumer<LiveProcess> call) {
        try {
            call.accept(process);
            System.out.println("escaped process " + process.pid() + " was taken for the one before it");
        } catch (BindingException asItShouldBe) {
            // Another process has its PID now.
        }
    }
}
