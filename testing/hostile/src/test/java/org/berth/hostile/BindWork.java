package org.berth.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.berth.binding.LiveProcess;
import org.berth.binding.errors.BindingException;
import org.berth.binding.records.BindingRecords;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;

/**
 * A hostile JVM is bound and unbound while it starts threads, stops itself and ends; an honest process next to it, which may
 * get its number, keeps its mask.
 */
final class BindWork implements Work {
    private final BindingRecords records;
    private final Random random;
    private final CpuSet all = CpuSet.parseList(ProcStatus.self().cpus());

    BindWork(Path folder, long seed) {
        this.records = BindingRecords.below(folder);
        this.random = new Random(seed);
    }

    @Override
    public void once(Row row) throws Exception {
        CpuSet one = CpuSet.of(random.nextBoolean() ? all.first() : all.last());
        try (Child hostile = ChildJvm.of(HostileJvm.class, Long.toString(random.nextLong()))
                        .with("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                        .start();
                Child bystander = Child.start("sleep", "300")) {
            hostile.readUntil("ready");
            String begun = begun(hostile.pid());
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (hostile.isAlive() && System.nanoTime() < end) {
                try {
                    LiveProcess process = LiveProcess.of(hostile.pid(), records);
                    process.bind(one, Map.of());
                    Map<Integer, String> masks = ProcStatus.masks(hostile.pid());
                    if (!begun(hostile.pid()).equals(begun)) {
                        // Both may be of the next process with its number.
                        process.unbind();
                        break;
                    }
                    for (Map.Entry<Integer, String> mask : masks.entrySet()) {
                        if (!CpuSet.parseList(mask.getValue()).equals(one)) {
                            row.escaped("thread " + mask.getKey() + " has " + mask.getValue() + ", not " + one);
                        }
                    }
                    process.unbind();
                } catch (BindingException | UncheckedIOException ended) {
                    if (runs(hostile.pid(), begun)) {
                        row.lost(ended);
                    } else {
                        break;
                    }
                }
                if (random.nextInt(10) == 0) {
                    new ProcessBuilder("kill", "-CONT", Long.toString(hostile.pid()))
                            .start()
                            .waitFor();
                }
                if (random.nextInt(200) == 0) {
                    hostile.kill();
                }
            }
            if (!CpuSet.parseList(ProcStatus.of(bystander.pid()).cpus()).equals(all)) {
                row.escaped(
                        "the bystander has " + ProcStatus.of(bystander.pid()).cpus());
            }
        }
    }

    /** The kernel's word: on a busy machine Java hears of an end seconds later, and others get the number meanwhile. */
    private static boolean runs(long pid, String begun) throws InterruptedException {
        // The end of all its threads takes a moment.
        Thread.sleep(100);
        return !begun.isEmpty() && begun(pid).equals(begun);
    }

    /** When a process began, in clock ticks after boot; empty when it has ended. */
    private static String begun(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[0].matches("[ZX]") ? "" : fields[19];
        } catch (IOException ended) {
            return "";
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
