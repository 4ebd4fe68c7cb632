package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJvm;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** CPUs that change under a bound JVM: a cgroup's cpuset rewritten as Kubernetes does it, a CPU that goes offline. */
@Tag(Guest.TAG)
@Tag("cpuset")
class ChangingCpusTest {
    private static final Path GROUP = Path.of("/sys/fs/cgroup/berth");
    private static final int PATIENCE_MILLIS = 90_000;

    private final CpuSet all = Guest.topology().cpuSet();
    private final CpuSet home = Guest.topology()
            .numaNode(Guest.topology().nodeSet().last())
            .orElseThrow()
            .cpuSet();

    @Test
    void aBoundJvmFollowsItsControlGroupsCpusetAndReturns() throws Exception {
        CpuSet half = CpuSet.of(home.first(), home.next(home.first()));
        CpuSet elsewhere = all.minus(home).isEmpty() ? home.minus(half) : all.minus(home);
        if (!Files.isDirectory(GROUP)) {
            Files.createDirectory(GROUP);
        }
        write(GROUP.resolve("cpuset.cpus"), all);
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseParallelGC"))
                .under("sh", "-c", "echo $$ > " + GROUP + "/cgroup.procs && exec \"$@\"", "enter")
                .option("-agentpath:" + Guest.library() + "=cpus=" + home + ",gc=cpus " + home.first() + ",strict");
        GuestJvm.together(List.of(jvm), jvms -> {
            GuestJvm.Running running = jvms.get(0);
            await(running, "at first", Set.of(home.toString(), "" + home.first()), 0);
            int changes = 0;
            // Narrower, none of what was asked for, all again.
            for (CpuSet now : List.of(half, elsewhere, all)) {
                write(GROUP.resolve("cpuset.cpus"), now);
                CpuSet left = home.intersection(now).isEmpty() ? now : home.intersection(now);
                boolean collectorFits = left.contains(home.first());
                Set<String> masks =
                        collectorFits ? Set.of(left.toString(), "" + home.first()) : Set.of(left.toString());
                await(running, "in " + now, masks, ++changes);
                String line = running.messages().get(changes - 1);
                assertThat(line.contains(" to " + now + ": bound to " + left + " again"))
                        .as(line)
                        .isTrue();
            }
        });
    }

    @Test
    void aBoundJvmFollowsACpuThatGoesOfflineAndComesBack() throws Exception {
        int gone = home.last();
        Path online = Path.of("/sys/devices/system/cpu/cpu" + gone + "/online");
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseSerialGC"))
                .option("-agentpath:" + Guest.library() + "=cpus=" + home + ",strict");
        GuestJvm.together(List.of(jvm), jvms -> {
            GuestJvm.Running running = jvms.get(0);
            await(running, "at first", Set.of(home.toString()), 0);
            try {
                Files.writeString(online, "0");
                await(
                        running,
                        "without " + gone,
                        Set.of(home.minus(CpuSet.of(gone)).toString()),
                        1);
            } finally {
                Files.writeString(online, "1");
            }
            await(running, "with it again", Set.of(home.toString()), 2);
        });
    }

    /** The kernel leaves a CPU that is offline in the masks, where it means nothing. */
    private static Set<String> onlinePart(Set<String> masks) throws IOException {
        CpuSet online = CpuSet.parseList(
                Files.readString(Path.of("/sys/devices/system/cpu/online")).strip());
        return masks.stream()
                .map(mask -> CpuSet.parseList(mask).intersection(online).toString())
                .collect(Collectors.toSet());
    }

    private static void write(Path file, CpuSet cpus) throws IOException {
        Files.writeString(file, cpus.toString());
    }

    /** Waits until all masks are among these, and the agent has reported this number of changes. */
    private static void await(GuestJvm.Running jvm, String when, Set<String> masks, int changes) throws Exception {
        long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        List<String> messages = new ArrayList<>();
        Set<String> found = Set.of();
        while (System.nanoTime() < end) {
            // An offline CPU may stay in some masks, so they need not settle.
            found = onlinePart(Set.copyOf(ProcStatus.masks(jvm.pid()).values()));
            messages = jvm.messages();
            if (found.equals(masks) && messages.size() == changes) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError(when + ": masks " + found + ", expected " + masks + "; messages " + messages);
    }
}
