package org.berth.drawing.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.ThreadTrack;

/** Small histories that the tests of pictures draw. */
final class WatchPictures {
    static final long SECOND = 1_000_000_000L;

    private WatchPictures() {}

    /** CPUs 0 to n-1, evenly over the nodes. */
    static CpuRows cpus(int n, int nodes) {
        return new CpuRows(
                IntStream.range(0, n)
                        .mapToObj(cpu -> new CpuRows.Row(cpu, cpu * nodes / n))
                        .toList(),
                List.of());
    }

    /** A thread that ran on the CPUs one after the other, a second on each; -1 is a pause. */
    static ThreadSummary thread(int tid, String name, int... cpuOfSecond) {
        List<CpuRun> runs = new ArrayList<>();
        long migrations = 0;
        int before = -1;
        for (int i = 0; i < cpuOfSecond.length; i++) {
            int cpu = cpuOfSecond[i];
            if (cpu >= 0) {
                runs.add(new CpuRun(i * SECOND, (i + 1) * SECOND, cpu));
                migrations += before >= 0 && before != cpu ? 1 : 0;
                before = cpu;
            }
        }
        long nanos = runs.stream().mapToLong(CpuRun::lengthNanos).sum();
        return new ThreadSummary(
                new ThreadTrack(tid, name, runs),
                nanos,
                new MigrationCount(migrations, migrations, 0, 0, 0, OptionalLong.of(migrations)));
    }
}
