package org.berth.observation.internal.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.ProcessStat;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * What the kernel reports about a process: its identity and its limits. Immutable.
 *
 * @param name the kernel's name, at most 15 bytes
 * @param arguments its command line, the program first
 * @param masks the CPUs that each thread may use, by thread id
 * @param names the kernel's names of the threads, by thread id
 * @param memoryNodes nodes that its memory may come from (Mems_allowed_list)
 * @param seccompMode absent without CONFIG_SECCOMP; 0 none, 1 strict, 2 filtered by a program, as container runtimes do
 * @param innerIds ids of the threads in their own PID namespace, by the id that is known here
 * @param javaMachine whether libjvm.so is mapped; refused when its maps may not be read
 * @param catchesQuit whether SIGQUIT has a handler: without one, attaching to the process would end it
 * @param startTime when it began, in clock ticks after boot: with the PID, it tells the process from another that gets its PID later;
 *     empty when it is not recorded
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_status.5.html">proc_pid_status(5)</a>
 * @since 0.1.0
 */
public record ProcessFacts(
        long pid,
        String name,
        List<String> arguments,
        Map<Integer, CpuSet> masks,
        Map<Integer, String> names,
        NodeSet memoryNodes,
        Reading<Integer> seccompMode,
        Map<Integer, Integer> innerIds,
        Reading<Boolean> javaMachine,
        boolean catchesQuit,
        String startTime) {
    private static final int SIGQUIT_BIT = 2;

    public ProcessFacts {
        arguments = List.copyOf(arguments);
        masks = Collections.unmodifiableMap(new TreeMap<>(masks));
        names = Collections.unmodifiableMap(new TreeMap<>(names));
        innerIds = Collections.unmodifiableMap(new TreeMap<>(innerIds));
    }

    /**
     * A process of this machine, or of a recorded one.
     *
     * @param root the folder with {@code proc} in it
     * @throws NoSuchProcessException when there is none, or all its threads have ended
     * @throws ObservationException when it may not be inspected */
    public static ProcessFacts of(long pid, Path root) {
        Path proc = root.resolve("proc");
        Path process = proc.resolve(Long.toString(pid));
        if (NoSuchProcessException.isAbsent(process)) {
            throw NoSuchProcessException.absent(pid, process);
        }
        Path living = LivingThread.of(pid, process);
        try {
            return read(pid, process, living);
        } catch (IOException | UncheckedIOException e) {
            if (NoSuchProcessException.isAbsent(process)) {
                throw new NoSuchProcessException(pid, "it ended while it was read");
            }
            throw new ObservationException(
                    "cannot see process " + pid + ": " + Refusal.of(String.valueOf(e.getMessage()), process), e);
        }
    }

    /** All CPUs that some thread may use. */
    public CpuSet cpus() {
        return masks.values().stream().reduce(CpuSet.empty(), CpuSet::union);
    }

    /** Whether this process lives on this machine. Not so once another one has its PID. */
    public boolean lives() {
        return !startTime.isEmpty()
                && startTime.equals(ProcessStat.field(Path.of("/proc", Long.toString(pid)), ProcessStat.START_TIME));
    }

    private static ProcessFacts read(long pid, Path process, Path living) throws IOException {
        String startTime = ProcessStat.field(process, ProcessStat.START_TIME);
        ProcessStatus leader = ProcessStatus.of(process);
        Map<Integer, CpuSet> masks = new TreeMap<>();
        Map<Integer, String> names = new TreeMap<>();
        Map<Integer, Integer> innerIds = new TreeMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                Optional<ProcessStatus> status = ProcessStatus.ofLiving(task);
                if (status.isPresent()) {
                    Integer tid = Integer.valueOf(task.getFileName().toString());
                    masks.put(tid, status.get().cpus());
                    names.put(tid, status.get().name());
                    innerIds.put(tid, status.get().innermostId().orElse(tid));
                }
            }
        }
        ProcessFacts facts = new ProcessFacts(
                pid,
                leader.name(),
                ProcessArguments.of(living),
                masks,
                names,
                leader.memoryNodes(),
                leader.number("Seccomp"),
                innerIds,
                JavaProcesses.mapsJvm(process, living),
                leader.catches(SIGQUIT_BIT),
                startTime);
        if (!ProcessStat.field(process, ProcessStat.START_TIME).equals(startTime)) {
            throw new NoSuchProcessException(pid, "it ended while it was read");
        }
        return facts;
    }
}
